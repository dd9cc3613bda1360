/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Memory that is short: each allocation whose size follows from the stream fails in turn, and then all from it on.  Whatever fails, the row
 * ends with an error message or with the right pictures.
 *
 * With backend=c: what an OpenCL driver does without memory is its own.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <gst/app/app.h>

#include "craftedstreams.h"
#include "decoderun.h"
#include "failingrun.h"
#include "gstdecoderow.h"
#include "tap.h"

/* What the sizes of the pictures and their data lead to; what GStreamer needs for its own objects is smaller. */
#define LARGE 4096

#define HANG_SECONDS 300

/* The allocation functions of this program stand before those of the C library and of the sanitizers. */
static struct
{
  void *(*malloc) (size_t);
  void *(*calloc) (size_t, size_t);
  void *(*realloc) (void *, size_t);
  int (*posix_memalign) (void **, size_t, size_t);
  void *(*mmap) (void *, size_t, int, int, int, off_t);
} next;

static gint armed;      /* atomic */
static gint n_large;    /* atomic: large allocations since it was armed */
static gint first, end; /* those that fail: from @first to before @end */

static gboolean
fails (size_t size)
{
  gint number;

  if (size < LARGE || !g_atomic_int_get (&armed))
    return FALSE;
  number = g_atomic_int_add (&n_large, 1);
  return number >= first && number < end;
}

/* dlsym() may allocate itself: from here */
static void *
early_alloc (size_t size)
{
  static _Alignas(64) char early[4096];
  static size_t used;
  void *block = early + used;

  used += (size + 63) & ~(size_t) 63;
  if (used > sizeof (early))
    abort ();
  return block;
}

static gboolean
find_next (void)
{
  static gboolean searching;

  if (next.posix_memalign)
    return TRUE;
  if (searching)
    return FALSE;
  searching = TRUE;
  next.malloc = (void *(*) (size_t)) dlsym (RTLD_NEXT, "malloc");
  next.calloc = (void *(*) (size_t, size_t)) dlsym (RTLD_NEXT, "calloc");
  next.realloc = (void *(*) (void *, size_t)) dlsym (RTLD_NEXT, "realloc");
  next.mmap = (void *(*) (void *, size_t, int, int, int, off_t)) dlsym (RTLD_NEXT, "mmap");
  next.posix_memalign = (int (*) (void **, size_t, size_t)) dlsym (RTLD_NEXT, "posix_memalign");
  return TRUE;
}

void *
malloc (size_t size)
{
  return !find_next () ? early_alloc (size) : fails (size) ? NULL : next.malloc (size);
}

void *
calloc (size_t n, size_t size)
{
  return !find_next () ? early_alloc (n * size) : fails (n * size) ? NULL : next.calloc (n, size);
}

void *
realloc (void *block, size_t size)
{
  return !find_next () ? early_alloc (size) : fails (size) ? NULL : next.realloc (block, size);
}

int
posix_memalign (void **block, size_t alignment, size_t size)
{
  return !find_next () || fails (size) ? ENOMEM : next.posix_memalign (block, alignment, size);
}

/* Of memory, not of files */
void *
mmap (void *address, size_t size, int protection, int flags, int file, off_t offset)
{
  if (!find_next () || ((flags & MAP_ANONYMOUS) && fails (size))) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return next.mmap (address, size, protection, flags, file, offset);
}

/* What does not depend on the stream is there before its caps come. */
static GstPadProbeReturn
arm (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_CAPS)
    g_atomic_int_set (&armed, TRUE);
  return GST_PAD_PROBE_OK;
}

static void
decode (GPtrArray *units, const gchar *row, FailingRun *run)
{
  /* no parser, whose copies GLib demands */
  GstElement *pipeline =
      decode_pipeline_new ("appsrc name=src max-bytes=0 caps=video/x-h264,stream-format=byte-stream,alignment=au", row, "video/x-raw");
  GstAppSrc *src = GST_APP_SRC (gst_bin_get_by_name (GST_BIN (pipeline), "src"));
  GstPad *pad = gst_element_get_static_pad (GST_ELEMENT (src), "src");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, arm, NULL, NULL);
  gst_object_unref (pad);
  for (guint i = 0; i < units->len; i++)
    gst_app_src_push_buffer (src, gst_buffer_new_wrapped_bytes (g_ptr_array_index (units, i)));
  gst_app_src_end_of_stream (src);
  g_atomic_int_set (&n_large, 0);
  failing_run_play (run, pipeline);
  g_atomic_int_set (&armed, FALSE);
  gst_object_unref (src);
  gst_object_unref (pipeline);
}

/* Whether allocation @number was reached; where @from_then_on, all behind it fail too. */
static gboolean
check_failure (GPtrArray *units, const gchar *row, gint number, gboolean from_then_on, const FailingRun *right)
{
  FailingRun run;

  first = number;
  end = from_then_on ? G_MAXINT : number + 1;
  alarm (HANG_SECONDS);
  decode (units, row, &run);
  alarm (0);
  tap_check (failing_run_is_honest (&run, right), "large allocation %d fails%s: %s", number, from_then_on ? ", and all behind it" : "",
      run.error ? run.error : "the right pictures");
  failing_run_clear (&run);
  return g_atomic_int_get (&n_large) > number;
}

int
main (int argc, char *argv[])
{
  GstDecodeRow row = GST_DECODE_ROW_INIT;
  GPtrArray *units;
  FailingRun right;
  gchar *elements;

  gst_init (&argc, &argv);
  row.backend = "c";
  row.n_threads = 2;
  elements = gst_decode_row_describe (&row);
  units = crafted_large_pictures ();
  decode (units, elements, &right);
  tap_check (!right.error && right.md5s->len == units->len && !g_ptr_array_find_with_equal_func (right.md5s, "", g_str_equal, NULL),
      "without a failure: %u pictures, %d large allocations%s%s", right.md5s->len, n_large, right.error ? ", " : "",
      right.error ? right.error : "");
  for (gint number = 0; check_failure (units, elements, number, FALSE, &right); number++)
    check_failure (units, elements, number, TRUE, &right);
  failing_run_clear (&right);
  g_ptr_array_unref (units);
  g_free (elements);
  gst_deinit ();
  return tap_finish ();
}
