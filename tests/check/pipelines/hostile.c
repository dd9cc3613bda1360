/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What a few bytes can cost: streams of 50 to 700 bytes whose pictures are as large as a level allows.  Memory has a bound, and time is not
 * above that of avdec_h264, where it is installed.  Each is decoded in a process of its own, whose memory and processor time the system
 * tells.
 */
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <gst/app/app.h>

#include "craftedstreams.h"
#include "decoderun.h"
#include "gstdecoderow.h"
#include "tap.h"

/* For what does not depend on the stream (loading the programs of the device), and for noise */
#define SPARE_SECONDS 1.5
#define SPARE_SECONDS_IN_C 0.3

#define HANG_SECONDS 300

/* Exit status of a decoding process without the decoder */
#define NO_DECODER 77

typedef struct
{
  const gchar *name;
  CraftedKind kind;
  guint n_pictures;
  gint n_output; /* pictures that come out; -1: an error message, since there is none */
  glong max_mb;  /* resident memory: surfaces of the DPB and those on their way, and their records */
} Case;

static const Case cases[] = {
  { "skipped macroblocks", CRAFTED_SKIPPED, 10, 10, 1200 },
  { "concealed macroblocks", CRAFTED_CONCEALED, 50, 50, 900 },
  { "concealed macroblocks of 4:4:4, 10 bits", CRAFTED_444, 6, 6, 2300 },
  { "slices without data", CRAFTED_EMPTY, 20, -1, 300 },
  { "a gap of 65534 in frame_num", CRAFTED_GAP, 2, 2, 600 },
};

typedef struct
{
  int status;
  double seconds; /* of processor time */
  glong mb;
} Cost;

/* Pictures that came out; -1: an error message */
static gint
play (GstElement *pipeline)
{
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GstBus *bus = gst_element_get_bus (pipeline);
  GstStructure *stats = NULL;
  GstMessage *message;
  guint64 n = 0;
  gboolean failed;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  failed = GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR;
  gst_message_unref (message);
  g_object_get (sink, "stats", &stats, NULL);
  gst_structure_get_uint64 (stats, "rendered", &n);
  gst_structure_free (stats);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (sink);
  return failed ? -1 : (gint) n;
}

/* The process that decodes; its exit status */
static int
decode (const Case *c, const gchar *row)
{
  GstElement *pipeline;
  GstElement *src;
  gchar *description;
  gint n_output;

  gst_init (NULL, NULL);
  description = g_strdup_printf ("appsrc name=src max-bytes=0 caps=video/x-h264,stream-format=byte-stream ! h264parse ! %s ! "
                                 "fakesink name=sink sync=false",
      row);
  pipeline = gst_parse_launch_full (description, NULL, GST_PARSE_FLAG_FATAL_ERRORS, NULL);
  if (!pipeline)
    return NO_DECODER;
  alarm (HANG_SECONDS);
  src = gst_bin_get_by_name (GST_BIN (pipeline), "src");
  gst_app_src_push_buffer (GST_APP_SRC (src), gst_buffer_new_wrapped_bytes (crafted_hostile (c->kind, c->n_pictures)));
  gst_app_src_end_of_stream (GST_APP_SRC (src));
  gst_object_unref (src);
  n_output = play (pipeline);
  gst_object_unref (pipeline);
  return n_output == c->n_output ? EXIT_SUCCESS : EXIT_FAILURE;
}

static Cost
measure (const Case *c, const gchar *row)
{
  struct rusage usage = { 0 };
  Cost cost = { -1, 0, 0 };
  const pid_t child = fork ();

  if (child == 0)
    _exit (decode (c, row));
  if (child < 0 || wait4 (child, &cost.status, 0, &usage) != child)
    return cost;
  cost.seconds =
      (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
  cost.mb = usage.ru_maxrss / 1024;
  return cost;
}

static gboolean
has_exited (const Cost *cost, int status)
{
  return WIFEXITED (cost->status) && WEXITSTATUS (cost->status) == status;
}

/* The cheaper of two runs: the first one may have to compile programs, which then are in the cache. */
static Cost
measure_twice (const Case *c, const gchar *row)
{
  const Cost first = measure (c, row), second = measure (c, row);

  return second.status != 0 || second.seconds < first.seconds ? second : first;
}

static void
check_row (const Case *c, const gchar *name, const gchar *row, double spare_seconds, const Cost *rival)
{
  const Cost own = measure_twice (c, row);

  if (!tap_check (has_exited (&own, EXIT_SUCCESS) && own.mb <= c->max_mb, "%s, backend %s: %ld MB of %ld, %.2f s", c->name, name, own.mb,
          c->max_mb, own.seconds))
    tap_note ("  wait status %d", own.status);
  if (c->n_output < 0)
    return;
  if (has_exited (rival, NO_DECODER))
    tap_skip ("avdec_h264 is not installed", "%s, backend %s: time", c->name, name);
  else
    tap_check (own.seconds <= rival->seconds + spare_seconds, "%s, backend %s: time %.2f s; avdec_h264 %.2f s, %ld MB", c->name, name,
        own.seconds, rival->seconds, rival->mb);
}

int
main (void)
{
  GstDecodeRow description = GST_DECODE_ROW_INIT;
  gchar *row, *row_in_c;

  description.n_threads = 2;
  row = gst_decode_row_describe (&description);
  description.backend = "c";
  row_in_c = gst_decode_row_describe (&description);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const Cost rival = measure (&cases[i], "avdec_h264 max-threads=2");

    check_row (&cases[i], "opencl", row, SPARE_SECONDS, &rival);
    check_row (&cases[i], "c", row_in_c, SPARE_SECONDS_IN_C, &rival);
  }
  g_free (row);
  g_free (row_in_c);
  return tap_finish ();
}
