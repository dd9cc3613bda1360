/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Threads that the system refuses: once the first data have come to the decoder, no thread can be started, or only some.  The pictures are
 * the right ones, in a time that ends.
 *
 * With backend=c: what an OpenCL driver does without threads is its own.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <unistd.h>
#include <gst/gst.h>

#include "decoderun.h"
#include "tap.h"

#define HANG_SECONDS 120
#define N_THREADS 4

static gint armed;     /* atomic */
static gint n_threads; /* atomic: threads that were asked for since it was armed */
static gint first;     /* this one and all behind it are refused */

/* This program's function stands before that of the C library. */
int
pthread_create (pthread_t *thread, const pthread_attr_t *attributes, void *(*start) (void *), void *data)
{
  static int (*next) (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *);

  if (!next)
    next = (int (*) (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *)) dlsym (RTLD_NEXT, "pthread_create");
  if (g_atomic_int_get (&armed) && g_atomic_int_add (&n_threads, 1) >= first)
    return EAGAIN;
  return next (thread, attributes, start, data);
}

static GstPadProbeReturn
arm (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  g_atomic_int_set (&armed, TRUE);
  return GST_PAD_PROBE_REMOVE;
}

/* @n_allowed: threads that may be started; -1: all */
static void
decode (const gchar *path, const gchar *row, gint n_allowed, DecodeResult *result)
{
  gchar *source = decode_source_describe (path);
  GstElement *pipeline = decode_pipeline_new (source, row, "video/x-raw");
  GstElement *entropy = gst_bin_get_by_name (GST_BIN (pipeline), "entropy");
  GstPad *pad = gst_element_get_static_pad (entropy, "sink");

  g_atomic_int_set (&n_threads, 0);
  first = n_allowed;
  if (n_allowed >= 0)
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, arm, NULL, NULL);
  gst_object_unref (pad);
  gst_object_unref (entropy);
  alarm (HANG_SECONDS);
  decode_pipeline_run (pipeline, result);
  alarm (0);
  g_atomic_int_set (&armed, FALSE);
  gst_object_unref (pipeline);
  g_free (source);
}

/* How many threads are asked for beside the first is a matter of time: as many as have something to do at once. */
static void
check_stream (const gchar *name, const gchar *row)
{
  gchar *path = g_build_filename (TEST_DATA, name, NULL);
  DecodeResult right, result;

  decode (path, row, -1, &right);
  for (gint n_allowed = 0; n_allowed < N_THREADS; n_allowed++) {
    decode (path, row, n_allowed, &result);
    if (!tap_check ((n_allowed > 0 || g_atomic_int_get (&n_threads) > 0) && right.md5 && g_strcmp0 (result.md5, right.md5) == 0
                && !result.error && result.n_corrupted == 0,
            "%s with %d of %d threads", name, n_allowed, N_THREADS))
      tap_note ("  %d threads asked for, %u of %u pictures, %s", n_threads, result.n_pictures, right.n_pictures,
          result.error ? result.error : "no error");
    decode_result_clear (&result);
  }
  decode_result_clear (&right);
  g_free (path);
}

int
main (int argc, char *argv[])
{
  GOptionEntry entries[] = { { NULL } };
  gchar *row;

  decode_parse_options (entries, &argc, &argv);
  /* none that another pipeline has left */
  g_thread_pool_set_max_unused_threads (0);
  row = g_strdup_printf ("h264entropy name=entropy n-threads=%d ! gpuidct backend=c ! gpuinterpred backend=c ! gpuintrapred backend=c ! "
                         "gpudeblock backend=c",
      N_THREADS);
  check_stream ("inter.264", row);
  check_stream ("cabac_420.264", row);
  g_free (row);

  return tap_finish ();
}
