/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Clips played backwards, and with trick modes: in MP4 and Matroska by seeks, from a transport stream by pieces in the order of reverse
 * playback (tsdemux seeks forward only).  Each picture is the one that playing forward gives at that time; times, durations and DISCONT are
 * avdec_h264's.
 *
 *   reverse [--backend=opencl|c] [--row=ELEMENTS]
 */
#include <glib/gstdio.h>
#include <gst/app/app.h>

#include "decoderun.h"
#include "rowtest.h"
#include "tap.h"
#include "testclip.h"

#define WAIT (60 * GST_SECOND)
/* Of buffers between push_unit() and flag_piece() */
#define BEGINS_PIECE GST_BUFFER_FLAG_LAST
#define REFERENCE_ROW "avdec_h264"

typedef struct
{
  const gchar *name; /* its suffix tells the container */
  const gchar *x264; /* how it is coded */
  guint n_pictures;
  gboolean open; /* GOPs, in which avdec_h264 shows leading pictures without what they refer to */
} Clip;

static const Clip clips[] = {
  { "closed.mkv", "keyint=10:bframes=3:b-pyramid=normal", 45, FALSE },
  { "closed.mp4", "keyint=12:bframes=2:slices=2", 45, FALSE },
  { "closed.ts", "keyint=10:bframes=3:b-pyramid=normal", 45, FALSE },
  { "intra.mkv", "keyint=1", 20, FALSE },
  { "open.mkv", "keyint=10:bframes=3:open-gop=1", 45, TRUE },
  { "open.mp4", "keyint=12:bframes=3:open-gop=1", 45, TRUE },
  { "open.ts", "keyint=12:bframes=3:open-gop=1", 45, TRUE },
  { "refresh.mkv", "keyint=10:bframes=0:intra-refresh=1", 45, TRUE },
  { "long.mkv", "keyint=infinite:bframes=3:ref=4", 75, FALSE },
  { "long.mp4", "keyint=50:bframes=2", 75, FALSE },
};

typedef struct
{
  guint time; /* milliseconds */
  GstClockTime duration;
  gboolean discont, corrupted;
  gchar *md5;
} Picture;

typedef struct
{
  const Clip *clip;
  const gchar *path, *row;
  GPtrArray *forward; /* its pictures */
} Test;

static void
picture_free (Picture *picture)
{
  g_free (picture->md5);
  g_free (picture);
}

static Picture *
get_picture (const GPtrArray *pictures, guint i)
{
  return g_ptr_array_index (pictures, i);
}

static const gchar *
get_demuxer (const Clip *clip)
{
  return g_str_has_suffix (clip->name, ".mp4") ? "qtdemux" : g_str_has_suffix (clip->name, ".ts") ? "tsdemux" : "matroskademux";
}

static Picture *
picture_new (GstSample *sample)
{
  GstBuffer *buffer = gst_sample_get_buffer (sample);
  Picture *picture = g_new0 (Picture, 1);

  picture->time = test_clip_time (sample);
  picture->duration = GST_BUFFER_DURATION (buffer);
  picture->discont = GST_BUFFER_IS_DISCONT (buffer);
  picture->corrupted = test_clip_is_corrupted (sample);
  picture->md5 = decode_sample_md5 (sample);
  return picture;
}

/* (transfer full): all pictures up to the end; @pipeline (transfer full) is stopped then. */
static GPtrArray *
take_pictures (GstElement *pipeline)
{
  GPtrArray *pictures = g_ptr_array_new_with_free_func ((GDestroyNotify) picture_free);
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GstSample *sample;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while ((sample = gst_app_sink_try_pull_sample (GST_APP_SINK (sink), WAIT))) {
    g_ptr_array_add (pictures, picture_new (sample));
    gst_sample_unref (sample);
  }
  if (!gst_app_sink_is_eos (GST_APP_SINK (sink)))
    tap_note ("  it does not end");
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
  return pictures;
}

/* (transfer full) (nullable): what @pipeline (transfer full) shows behind a seek, at @rate, from or back from @time */
static GPtrArray *
seek_and_play (GstElement *pipeline, gdouble rate, GstSeekFlags flags, guint time)
{
  const gboolean back = rate < 0.0;

  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  gst_element_get_state (pipeline, NULL, NULL, WAIT);
  if (!gst_element_seek (pipeline, rate, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE | flags, GST_SEEK_TYPE_SET,
          back ? 0 : time * GST_MSECOND, back ? GST_SEEK_TYPE_SET : GST_SEEK_TYPE_NONE, back ? (gint64) (time * GST_MSECOND) : -1)) {
    tap_note ("  the seek is refused");
    gst_element_set_state (pipeline, GST_STATE_NULL);
    gst_object_unref (pipeline);
    return NULL;
  }
  return take_pictures (pipeline);
}

static GPtrArray *
play_file (const Test *test, const gchar *parser, const gchar *row, gdouble rate, GstSeekFlags flags, guint time)
{
  gchar *source = g_strdup_printf ("filesrc location=\"%s\" ! %s%s", test->path, get_demuxer (test->clip), parser);
  GstElement *pipeline = decode_pipeline_new (source, row, "video/x-raw");

  g_free (source);
  return seek_and_play (pipeline, rate, flags, time);
}

/* (transfer full) (element-type GstSample): the access units of a clip in decoding order */
static GPtrArray *
read_units (const Test *test)
{
  gchar *source = g_strdup_printf ("filesrc location=\"%s\" ! %s ! h264parse", test->path, get_demuxer (test->clip));
  GstElement *pipeline = decode_pipeline_new (source, "identity", "video/x-h264,stream-format=byte-stream,alignment=au");
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GPtrArray *units = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_sample_unref);
  GstSample *sample;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while ((sample = gst_app_sink_try_pull_sample (GST_APP_SINK (sink), WAIT)))
    g_ptr_array_add (units, sample);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
  g_free (source);
  return units;
}

static gboolean
is_key (const GPtrArray *units, guint i)
{
  return !GST_BUFFER_FLAG_IS_SET (gst_sample_get_buffer (g_ptr_array_index (units, i)), GST_BUFFER_FLAG_DELTA_UNIT);
}

/* Sources give all buffers a DISCONT where the rate is negative, as if each were a piece. */
static GstPadProbeReturn
flag_piece (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstBuffer *buffer = gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (info));

  GST_BUFFER_FLAG_UNSET (buffer, GST_BUFFER_FLAG_DISCONT);
  if (GST_BUFFER_FLAG_IS_SET (buffer, BEGINS_PIECE))
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DISCONT);
  GST_BUFFER_FLAG_UNSET (buffer, BEGINS_PIECE);
  info->data = buffer;
  return GST_PAD_PROBE_OK;
}

static void
push_unit (GstElement *source, GstSample *unit, const GstSegment *segment, gboolean begins_piece)
{
  GstBuffer *buffer = gst_buffer_copy (gst_sample_get_buffer (unit));
  GstSample *sample;

  if (begins_piece)
    GST_BUFFER_FLAG_SET (buffer, BEGINS_PIECE);
  sample = gst_sample_new (buffer, gst_sample_get_caps (unit), segment, NULL);
  gst_app_src_push_sample (GST_APP_SRC (source), sample);
  gst_sample_unref (sample);
  gst_buffer_unref (buffer);
}

/* GOP by GOP from the last one on, as demuxers send them; or the whole at once, forward */
static void
push_pieces (GstElement *source, const GPtrArray *units, gdouble rate)
{
  GstSegment segment;
  guint end = units->len;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.rate = rate;
  segment.stop = segment.position = 1000 * GST_SECOND;
  while (end > 0) {
    guint begin = rate < 0.0 ? end - 1 : 0;

    while (begin > 0 && !is_key (units, begin))
      begin--;
    for (guint i = begin; i < end; i++)
      push_unit (source, g_ptr_array_index (units, i), &segment, i == begin);
    end = begin;
  }
  gst_app_src_end_of_stream (GST_APP_SRC (source));
}

static GPtrArray *
play_pieces (const GPtrArray *units, const gchar *row, gdouble rate)
{
  GstElement *pipeline =
      decode_pipeline_new ("appsrc name=source format=time handle-segment-change=true max-bytes=0 ! h264parse", row, "video/x-raw");
  GstElement *source = gst_bin_get_by_name (GST_BIN (pipeline), "source");
  GstPad *pad = gst_element_get_static_pad (source, "src");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, flag_piece, NULL, NULL);
  gst_object_unref (pad);
  push_pieces (source, units, rate);
  gst_object_unref (source);
  return take_pictures (pipeline);
}

/* Whether @pictures are those of the clip before @time, last one first */
static gboolean
is_reversed (const Test *test, const GPtrArray *pictures, guint time)
{
  guint n = test->forward->len;

  while (n > 0 && get_picture (test->forward, n - 1)->time >= time)
    n--;
  if (!pictures || pictures->len != n) {
    tap_note ("  %u pictures, not %u", pictures ? pictures->len : 0, n);
    return FALSE;
  }
  for (guint i = 0; i < n; i++) {
    const Picture *got = get_picture (pictures, i), *wanted = get_picture (test->forward, n - 1 - i);

    if (got->time != wanted->time || got->corrupted || g_strcmp0 (got->md5, wanted->md5) != 0) {
      tap_note ("  picture %u: at %u ms, not %u; %s, not %s%s", i, got->time, wanted->time, got->md5, wanted->md5,
          got->corrupted ? "; flagged" : "");
      return FALSE;
    }
  }
  return TRUE;
}

/* Whether each of @pictures is the one of the clip at its time, and none flagged */
static gboolean
are_of_clip (const Test *test, const GPtrArray *pictures)
{
  for (guint i = 0; i < pictures->len; i++) {
    const Picture *got = get_picture (pictures, i);
    guint k = 0;

    while (k < test->forward->len && get_picture (test->forward, k)->time != got->time)
      k++;
    if (k == test->forward->len || got->corrupted || g_strcmp0 (get_picture (test->forward, k)->md5, got->md5) != 0) {
      tap_note ("  the picture at %u ms is wrong%s", got->time, got->corrupted ? ", flagged" : "");
      return FALSE;
    }
  }
  return TRUE;
}

/* Whether times and durations are the same, and where @disconts, the places of DISCONT */
static gboolean
are_alike (const GPtrArray *pictures, const GPtrArray *reference, gboolean disconts)
{
  if (!pictures || !reference || pictures->len != reference->len) {
    tap_note ("  %u pictures, %s gives %u", pictures ? pictures->len : 0, REFERENCE_ROW, reference ? reference->len : 0);
    return FALSE;
  }
  for (guint i = 0; i < pictures->len; i++) {
    const Picture *got = get_picture (pictures, i), *wanted = get_picture (reference, i);

    if (got->time != wanted->time || got->duration != wanted->duration || (disconts && got->discont != wanted->discont)) {
      tap_note ("  picture %u: at %u ms%s, %s gives %u ms%s", i, got->time, got->discont ? ", DISCONT" : "", REFERENCE_ROW, wanted->time,
          wanted->discont ? ", DISCONT" : "");
      return FALSE;
    }
  }
  return TRUE;
}

static void
pictures_free (GPtrArray *pictures)
{
  g_clear_pointer (&pictures, g_ptr_array_unref);
}

static void
check_alike (const Test *test, const gchar *what, const GPtrArray *pictures, GPtrArray *reference)
{
  tap_check (are_alike (pictures, reference, !test->clip->open), "%s: %s: times%s as from " REFERENCE_ROW, test->clip->name, what,
      test->clip->open ? "" : " and DISCONT");
  pictures_free (reference);
}

/* At the end, and in the middle of a picture's time */
static void
check_seeks (const Test *test, gboolean has_reference)
{
  const guint length = test->clip->n_pictures * TEST_CLIP_FRAME_MS, times[] = { length, length * 2 / 3 + 7 };

  for (guint i = 0; i < G_N_ELEMENTS (times); i++) {
    gchar *what = g_strdup_printf ("back from %u ms", times[i]);
    GPtrArray *pictures = play_file (test, " ! h264parse", test->row, -1.0, GST_SEEK_FLAG_NONE, times[i]);

    tap_check (is_reversed (test, pictures, times[i]), "%s: %s", test->clip->name, what);
    if (has_reference)
      check_alike (test, what, pictures, play_file (test, " ! h264parse", REFERENCE_ROW, -1.0, GST_SEEK_FLAG_NONE, times[i]));
    pictures_free (pictures);
    g_free (what);
  }
}

/* Without h264parse, which leaves out all B pictures itself, those others refer to as well */
static void
check_trick_mode (const Test *test, GstSeekFlags flags, const gchar *name, gboolean has_reference)
{
  for (guint back = 0; back < 2; back++) {
    const guint time = back ? test->clip->n_pictures * TEST_CLIP_FRAME_MS : 0;
    const gdouble rate = back ? -2.0 : 2.0;
    gchar *what = g_strdup_printf ("%s %s", name, back ? "backwards" : "forward");
    GPtrArray *pictures = play_file (test, "", test->row, rate, flags, time);

    tap_check (pictures && pictures->len > 0 && are_of_clip (test, pictures), "%s: %s: %u pictures", test->clip->name, what,
        pictures ? pictures->len : 0);
    if (has_reference)
      check_alike (test, what, pictures, play_file (test, " ! h264parse", REFERENCE_ROW, rate, flags, time));
    pictures_free (pictures);
    g_free (what);
  }
}

static void
check_file (Test *test, gboolean has_reference)
{
  test->forward = play_file (test, " ! h264parse", test->row, 1.0, GST_SEEK_FLAG_NONE, 0);
  if (!tap_check (test->forward && test->forward->len == test->clip->n_pictures, "%s: forward", test->clip->name))
    return;
  check_seeks (test, has_reference);
  if (test->clip->open)
    return;
  check_trick_mode (test, GST_SEEK_FLAG_TRICKMODE | GST_SEEK_FLAG_TRICKMODE_KEY_UNITS, "key units", has_reference);
  check_trick_mode (test, GST_SEEK_FLAG_TRICKMODE_FORWARD_PREDICTED, "no B pictures", has_reference);
  check_trick_mode (test, GST_SEEK_FLAG_TRICKMODE, "reference pictures", has_reference);
}

static void
check_pieces (Test *test, gboolean has_reference)
{
  GPtrArray *units = read_units (test), *pictures;

  test->forward = play_pieces (units, test->row, 1.0);
  tap_check (test->forward->len == test->clip->n_pictures, "%s: forward", test->clip->name);
  pictures = play_pieces (units, test->row, -1.0);
  tap_check (is_reversed (test, pictures, G_MAXUINT), "%s: backwards", test->clip->name);
  if (has_reference)
    check_alike (test, "backwards", pictures, play_pieces (units, REFERENCE_ROW, -1.0));
  pictures_free (pictures);
  g_ptr_array_unref (units);
}

static void
check_clips (const RowTest *row_test, gboolean has_reference)
{
  for (guint i = 0; i < G_N_ELEMENTS (clips); i++) {
    gchar *path = g_build_filename (row_test->folder, clips[i].name, NULL);
    Test test = { &clips[i], path, row_test->elements };

    if (!test_clip_make (path, clips[i].x264, clips[i].n_pictures))
      tap_skip ("there is no ffmpeg with libx264 to make it", "%s", clips[i].name);
    else if (g_str_has_suffix (path, ".ts"))
      check_pieces (&test, has_reference);
    else
      check_file (&test, has_reference);
    pictures_free (test.forward);
    g_unlink (path);
    g_free (path);
  }
}

static gboolean
has_reference_row (void)
{
  GstElementFactory *factory = gst_element_factory_find (REFERENCE_ROW);
  const gboolean found = factory != NULL;

  gst_clear_object (&factory);
  if (!found)
    tap_skip ("it is not installed", "times and DISCONT as from " REFERENCE_ROW);
  return found;
}

int
main (int argc, char *argv[])
{
  RowTest test = ROW_TEST_INIT;

  test.settings.n_threads = 2;
  test.settings.queues = TRUE;
  row_test_begin (&test, NULL, &argc, &argv);
  row_test_make_folder (&test);
  check_clips (&test, has_reference_row ());
  return row_test_end (&test);
}
