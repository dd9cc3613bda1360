/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Memory that is short: each allocation whose size follows from the stream fails in turn, and then all from it on.  Whatever fails, the row
 * ends with an error message or with the right pictures.
 *
 *   failingmemory [--backend=c|opencl] [--every=N]
 *
 * With opencl only what our own libraries allocate by themselves fails (surfaces, arenas, motion maps): what a driver does without memory
 * is its own.  --every: each N-th allocation alone
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <gst/app/app.h>

#include "accessunits.h"
#include "craftedstreams.h"
#include "decoderun.h"
#include "failingrun.h"
#include "gstdecoderow.h"
#include "interlacedstream.h"
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
static gboolean with_driver;

/* Not inline: the address sanitizer watches the frame of whoever has @info, and allocates itself before it can. */
G_GNUC_NO_INLINE static gboolean
is_own (const void *caller)
{
  Dl_info info;

  return dladdr (caller, &info) && (strstr (info.dli_fname, "libgstgpu") || strstr (info.dli_fname, "libgsth264entropy"));
}

static gboolean
fails (size_t size, const void *caller)
{
  gint number;

  if (size < LARGE || !g_atomic_int_get (&armed) || (with_driver && !is_own (caller)))
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
  return !find_next () ? early_alloc (size) : fails (size, __builtin_return_address (0)) ? NULL : next.malloc (size);
}

void *
calloc (size_t n, size_t size)
{
  return !find_next () ? early_alloc (n * size) : fails (n * size, __builtin_return_address (0)) ? NULL : next.calloc (n, size);
}

void *
realloc (void *block, size_t size)
{
  return !find_next () ? early_alloc (size) : fails (size, __builtin_return_address (0)) ? NULL : next.realloc (block, size);
}

int
posix_memalign (void **block, size_t alignment, size_t size)
{
  return !find_next () || fails (size, __builtin_return_address (0)) ? ENOMEM : next.posix_memalign (block, alignment, size);
}

/* Of memory, not of files */
void *
mmap (void *address, size_t size, int protection, int flags, int file, off_t offset)
{
  if (!find_next () || ((flags & MAP_ANONYMOUS) && fails (size, __builtin_return_address (0)))) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return next.mmap (address, size, protection, flags, file, offset);
}

static const InterlacedKind fields = { INTERLACED_FIELDS_AND_MBAFF, 1, 8, 8, FALSE, TRUE, TRUE, FALSE, -1 };
static const InterlacedKind planes = { INTERLACED_FIELDS_AND_MBAFF, 3, 12, 12, TRUE, FALSE, FALSE, FALSE, -1 };

/**
 * Case:
 * @file: (nullable): in tests/data
 * @format: of that file, as it comes to the row: stream-format
 * @kind: (nullable): a stream of the tests' own encoder.  Without both: crafted_large_pictures()
 * @backwards: at a negative rate
 * @converted: with gpucsc behind the row
 * @output: caps behind these
 */
typedef struct
{
  const gchar *name, *file, *format;
  const InterlacedKind *kind;
  gboolean backwards;
  gboolean converted;
  const gchar *output;
  guint n_pictures;
} Case;

static const Case cases[] = {
  { "large pictures", NULL, NULL, NULL, FALSE, FALSE, "video/x-raw", 5 },
  { "P and B pictures, backwards", "inter.264", "byte-stream", NULL, TRUE, FALSE, "video/x-raw", 3 },
  { "codec_data, grey made 4:2:0", "mono.264", "avc", NULL, FALSE, FALSE, "video/x-raw,format=I420", 3 },
  { "10 bits, converted", "cavlc_422_10.264", "avc3", NULL, FALSE, TRUE, "video/x-raw,format=BGRA", 3 },
  { "fields and MBAFF frames", NULL, NULL, &fields, FALSE, FALSE, "video/x-raw", 5 },
  { "separate colour planes", NULL, NULL, &planes, FALSE, FALSE, "video/x-raw", 5 },
};

/* (element-type AccessUnit) (transfer full) */
static GPtrArray *
read_file (const Case *c)
{
  gchar *path = g_build_filename (TEST_DATA, c->file, NULL), *source = decode_source_describe (path);
  GPtrArray *units = access_units_read (source, c->format, G_MAXUINT);

  g_free (source);
  g_free (path);
  return units;
}

static void
append_bytes (GPtrArray *units, GBytes *bytes, const gchar *caps_text)
{
  GstBuffer *buffer = gst_buffer_new_wrapped_bytes (bytes);
  GstCaps *caps = gst_caps_from_string (caps_text);

  access_units_append (units, buffer, caps);
  gst_caps_unref (caps);
  gst_buffer_unref (buffer);
}

/* (element-type AccessUnit) (transfer full): all in one buffer, since h264parse does not know that planes belong together */
static GPtrArray *
make_interlaced (const InterlacedKind *kind)
{
  GPtrArray *units = access_units_new ();
  InterlacedStream stream;
  GBytes *bytes;

  interlaced_stream_make (&stream, kind, 1);
  bytes = g_bytes_new (stream.bytes->data, stream.bytes->len);
  append_bytes (units, bytes, "video/x-h264,stream-format=byte-stream,alignment=nal");
  g_bytes_unref (bytes);
  interlaced_stream_clear (&stream);
  return units;
}

/* (element-type AccessUnit) (transfer full) */
static GPtrArray *
make_large (void)
{
  GPtrArray *pictures = crafted_large_pictures (), *units = access_units_new ();

  for (guint i = 0; i < pictures->len; i++)
    append_bytes (units, g_ptr_array_index (pictures, i), "video/x-h264,stream-format=byte-stream,alignment=au");
  g_ptr_array_unref (pictures);
  return units;
}

/* What does not depend on the stream is there before its caps come. */
static GstPadProbeReturn
arm (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_CAPS)
    g_atomic_int_set (&armed, TRUE);
  return GST_PAD_PROBE_OK;
}

/* Backwards: one piece, whose pictures come last one first.  In one buffer: behind the first one appsrc takes the segment for done. */
static void
push_backwards (GPtrArray *units, GstAppSrc *src)
{
  const AccessUnit *first_unit = g_ptr_array_index (units, 0);
  GstCaps *caps = gst_caps_copy (first_unit->caps);
  GstBuffer *piece = gst_buffer_new ();
  GstSegment segment;
  GstSample *sample;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.rate = -1;
  segment.stop = GST_SECOND;
  gst_caps_set_simple (caps, "alignment", G_TYPE_STRING, "nal", NULL);
  for (guint i = 0; i < units->len; i++)
    piece = gst_buffer_append (piece, gst_buffer_ref (((AccessUnit *) g_ptr_array_index (units, i))->buffer));
  GST_BUFFER_FLAG_SET (piece, GST_BUFFER_FLAG_DISCONT);
  sample = gst_sample_new (piece, caps, &segment, NULL);
  gst_app_src_push_sample (src, sample);
  gst_sample_unref (sample);
  gst_buffer_unref (piece);
  gst_caps_unref (caps);
}

static void
decode (const Case *c, GPtrArray *units, const gchar *row, FailingRun *run)
{
  /* no parser, whose copies GLib demands */
  GstElement *pipeline = decode_pipeline_new ("appsrc name=src format=time handle-segment-change=true max-bytes=0", row, c->output);
  GstAppSrc *src = GST_APP_SRC (gst_bin_get_by_name (GST_BIN (pipeline), "src"));
  GstPad *pad = gst_element_get_static_pad (GST_ELEMENT (src), "src");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, arm, NULL, NULL);
  gst_object_unref (pad);
  if (c->backwards)
    push_backwards (units, src);
  else
    for (guint i = 0; i < units->len; i++)
      access_units_push (units, i, GST_ELEMENT (src));
  gst_app_src_end_of_stream (src);
  g_atomic_int_set (&n_large, 0);
  failing_run_play (run, pipeline);
  g_atomic_int_set (&armed, FALSE);
  gst_object_unref (src);
  gst_object_unref (pipeline);
}

/* Whether allocation @number was reached; where @from_then_on, all behind it fail too. */
static gboolean
check_failure (const Case *c, GPtrArray *units, const gchar *row, gint number, gboolean from_then_on, const FailingRun *right)
{
  FailingRun run;

  first = number;
  end = from_then_on ? G_MAXINT : number + 1;
  alarm (HANG_SECONDS);
  decode (c, units, row, &run);
  alarm (0);
  if (!tap_check (failing_run_is_honest (&run, right), "%s: large allocation %d fails%s: %s", c->name, number,
          from_then_on ? ", and all behind it" : "", run.error ? run.error : "the right pictures"))
    for (guint i = 0; i < run.md5s->len; i++)
      tap_note ("  picture %u: %s, expected %s%s", i, (const gchar *) g_ptr_array_index (run.md5s, i),
          i < right->md5s->len ? (const gchar *) g_ptr_array_index (right->md5s, i) : "none", run.timed_out ? ", TIMED OUT" : "");
  failing_run_clear (&run);
  return g_atomic_int_get (&n_large) > number;
}

static void
check_case (const Case *c, const gchar *row, gint every)
{
  GPtrArray *units = c->file ? read_file (c) : c->kind ? make_interlaced (c->kind) : make_large ();
  gchar *elements = g_strconcat (row, c->converted ? " ! gpucsc backend=" : NULL, with_driver ? "opencl" : "c", NULL);
  FailingRun right;

  first = end = 0;
  decode (c, units, elements, &right);
  if (tap_check (!right.error && right.md5s->len == c->n_pictures && !g_ptr_array_find_with_equal_func (right.md5s, "", g_str_equal, NULL),
          "%s, without a failure: %u pictures, %d large allocations%s%s", c->name, right.md5s->len, n_large, right.error ? ", " : "",
          right.error ? right.error : ""))
    for (gint number = 0; check_failure (c, units, elements, number, FALSE, &right); number += every)
      check_failure (c, units, elements, number, TRUE, &right);
  failing_run_clear (&right);
  g_ptr_array_unref (units);
  g_free (elements);
}

int
main (int argc, char *argv[])
{
  GstDecodeRow description = GST_DECODE_ROW_INIT;
  gchar *backend = NULL, *row;
  gint every = 1;
  GOptionEntry entries[] = {
    { "backend", 0, 0, G_OPTION_ARG_STRING, &backend, "c (default) or opencl", "NAME" },
    { "every", 0, 0, G_OPTION_ARG_INT, &every, "Each N-th allocation alone (default 1)", "N" },
    { NULL },
  };

  decode_parse_options (entries, &argc, &argv);
  description.backend = backend ? backend : "c";
  description.n_threads = 2;
  with_driver = g_str_equal (description.backend, "opencl");
  row = gst_decode_row_describe (&description);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check_case (&cases[i], row, MAX (every, 1));
  g_free (row);
  g_free (backend);
  gst_deinit ();
  return tap_finish ();
}
