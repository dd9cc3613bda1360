/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Streams that begin in the middle, and streams with a hole: what is not flagged is what the whole stream gives, and from the recovery
 * point on nothing is flagged.
 *
 *   recovery [--backend=opencl|c]
 */
#include <gst/app/app.h>
#include <glib/gstdio.h>
#include <malloc.h>

#include "decoderun.h"
#include "rowtest.h"
#include "tap.h"

#define N_PICTURES 100
#define RATE 25

typedef struct
{
  const gchar *name;
  const gchar *x264;
  guint begin; /* first picture, in decoding order, that the decoder gets */
  guint hole;  /* one that it does not get; 0: none */
  gboolean output_corrupt;
  guint n_output;
  guint n_right; /* so many at the end are not flagged, and right */
} Case;

#define REFRESH "intra-refresh=1:keyint=20:bframes=0:ref=1"
#define CLOSED_GOP "keyint=20:min-keyint=20:bframes=2:b-adapt=0:b-pyramid=none:scenecut=0:ref=1"

#define PYRAMID "keyint=20:min-keyint=20:bframes=3:b-adapt=0:b-pyramid=strict:scenecut=0:ref=4"
#define SHORT_GOP "keyint=3:min-keyint=3:bframes=1:b-adapt=0:scenecut=0:ref=1"

static const Case cases[] = {
  /* recovery points at 0, 20, 40..., recovery_frame_cnt 8: ten columns of macroblocks are refreshed one a picture */
  { "in the middle of gradual refresh", REFRESH, 30, 0, FALSE, 52, 52 },
  { "in the middle of gradual refresh, all shown", REFRESH, 30, 0, TRUE, 70, 52 },
  { "gradual refresh with a hole", REFRESH, 0, 30, FALSE, 99, 52 },
  { "closed GOPs with a hole", CLOSED_GOP, 0, 30, FALSE, 99, 60 },
  /* I P B b b: nothing refers to a missing picture, but the lists of the last two do not hold what they should */
  { "a hole where a B picture was that others refer to", PYRAMID, 0, 2, FALSE, 99, 80 },
  /* I P b, I P b: frame_num is 1 in both P pictures */
  { "a hole where an IDR picture was", SHORT_GOP, 0, 3, FALSE, 99, 94 },
};

typedef struct
{
  gchar *md5;
  gboolean corrupted;
} Picture;

static void
picture_clear (gpointer picture)
{
  g_free (((Picture *) picture)->md5);
}

static gboolean
make_stream (const gchar *x264, const gchar *path)
{
  const gchar *argv[] = { "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x112:rate=25:duration=4", "-c:v", "libx264",
    "-threads", "1", "-crf", "30", "-x264-params", x264, "-pix_fmt", "yuv420p", "-y", path, NULL };
  gint status = 1;

  return g_spawn_sync (NULL, (gchar **) argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL, NULL, NULL, &status,
             NULL)
      && g_spawn_check_wait_status (status, NULL);
}

/* nal_unit_type of the unit behind the start code at @at; 0: there is no start code */
static guint
nal_unit_type_at (const guint8 *data, gsize size, gsize at)
{
  return at + 4 < size && data[at] == 0 && data[at + 1] == 0 && data[at + 2] == 1 ? data[at + 3] & 31 : 0;
}

/* The byte stream @data without the pictures before @begin and picture @hole.  x264 writes a slice a picture; parameter sets and SEI
 * messages stay with the picture behind them, but for the first sets, which stay anyway. */
static GBytes *
cut (const guint8 *data, gsize size, const Case *c)
{
  GByteArray *kept = g_byte_array_new ();
  gsize unit = 0, at;
  guint n_slices = 0;

  while (unit < size && nal_unit_type_at (data, size, unit) == 0)
    unit++;
  while (unit < size) {
    const guint type = nal_unit_type_at (data, size, unit);
    const gboolean is_set = type == 7 || type == 8;
    const gboolean wanted = n_slices >= c->begin && (c->hole == 0 || n_slices != c->hole);

    for (at = unit + 3; at < size && nal_unit_type_at (data, size, at) == 0; at++)
      ;
    if (wanted || (is_set && n_slices == 0))
      g_byte_array_append (kept, data + unit, (guint) (at - unit));
    n_slices += type == 1 || type == 5;
    unit = at;
  }
  return g_byte_array_free_to_bytes (kept);
}

/* (element-type Picture): what @row makes of @bytes */
static GArray *
decode (GBytes *bytes, const gchar *row)
{
  GstElement *pipeline =
      decode_pipeline_new ("appsrc name=src max-bytes=0 caps=video/x-h264,stream-format=byte-stream ! h264parse", row, "video/x-raw");
  GstAppSrc *src = GST_APP_SRC (gst_bin_get_by_name (GST_BIN (pipeline), "src"));
  GstAppSink *sink = GST_APP_SINK (gst_bin_get_by_name (GST_BIN (pipeline), "sink"));
  GArray *pictures = g_array_new (FALSE, FALSE, sizeof (Picture));
  GstSample *sample;

  g_array_set_clear_func (pictures, picture_clear);
  gst_app_src_push_buffer (src, gst_buffer_new_wrapped_bytes (bytes));
  gst_app_src_end_of_stream (src);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while ((sample = gst_app_sink_try_pull_sample (sink, DECODE_TIMEOUT))) {
    const gboolean corrupted = GST_BUFFER_FLAG_IS_SET (gst_sample_get_buffer (sample), GST_BUFFER_FLAG_CORRUPTED);
    const Picture picture = { decode_sample_md5 (sample), corrupted };

    g_array_append_val (pictures, picture);
    gst_sample_unref (sample);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (src);
  gst_object_unref (pipeline);
  return pictures;
}

/* Pictures at the end that are right and not flagged */
static guint
count_right (const GArray *pictures, const GArray *whole)
{
  guint n = 0;

  while (n < MIN (pictures->len, whole->len)) {
    const Picture *picture = &g_array_index (pictures, Picture, pictures->len - 1 - n);

    if (picture->corrupted || g_strcmp0 (picture->md5, g_array_index (whole, Picture, whole->len - 1 - n).md5) != 0)
      break;
    n++;
  }
  return n;
}

static gboolean
is_in (const gchar *md5, const GArray *pictures)
{
  for (guint i = 0; i < pictures->len; i++)
    if (g_strcmp0 (md5, g_array_index (pictures, Picture, i).md5) == 0)
      return TRUE;
  return FALSE;
}

/* Pictures that are not flagged, but none of the whole stream */
static guint
count_silently_wrong (const GArray *pictures, const GArray *whole)
{
  guint n = 0;

  for (guint i = 0; i < pictures->len; i++) {
    const Picture *picture = &g_array_index (pictures, Picture, i);

    n += !picture->corrupted && !is_in (picture->md5, whole);
  }
  return n;
}

static guint
count_corrupted (const GArray *pictures)
{
  guint n = 0;

  for (guint i = 0; i < pictures->len; i++)
    n += g_array_index (pictures, Picture, i).corrupted;
  return n;
}

/* What was in memory before must not show, where a picture refers to one that never came. */
static gboolean
is_the_same_again (GBytes *bytes, const gchar *row, const GArray *pictures)
{
  GArray *again;
  gboolean same;

  mallopt (M_PERTURB, 0x55);
  again = decode (bytes, row);
  mallopt (M_PERTURB, 0);
  same = again->len == pictures->len;
  for (guint i = 0; same && i < again->len; i++)
    same = g_strcmp0 (g_array_index (again, Picture, i).md5, g_array_index (pictures, Picture, i).md5) == 0;
  g_array_unref (again);
  return same;
}

/* With discard-corrupted-frames those that are flagged do not come, and the others are the same. */
static void
check_discarded (const Case *c, GBytes *part, const gchar *row, const GArray *pictures)
{
  GArray *left = decode (part, row);
  guint n = 0;

  for (guint i = 0; i < pictures->len; i++) {
    const Picture *picture = &g_array_index (pictures, Picture, i);

    if (!picture->corrupted && n < left->len && g_strcmp0 (picture->md5, g_array_index (left, Picture, n).md5) == 0)
      n++;
  }
  tap_check (n == left->len && n + count_corrupted (pictures) == pictures->len && count_corrupted (left) == 0,
      "%s: %u pictures where those that are flagged are discarded", c->name, left->len);
  g_array_unref (left);
}

static void
check_case (const Case *c, const guint8 *data, gsize size, const gchar *row)
{
  const Case all = { NULL };
  GBytes *stream = cut (data, size, &all), *part = cut (data, size, c);
  gchar *with_property = row_test_with (row, c->output_corrupt ? "output-corrupt=true" : "output-corrupt=false");
  gchar *discarding = row_test_with (with_property, "discard-corrupted-frames=true");
  GArray *whole = decode (stream, with_property), *pictures = decode (part, with_property);
  const guint n_right = count_right (pictures, whole), n_wrong = count_silently_wrong (pictures, whole);

  tap_check (whole->len == N_PICTURES && count_corrupted (whole) == 0, "%s: the whole stream has %u pictures", c->name, whole->len);
  if (!tap_check (pictures->len == c->n_output && n_right == c->n_right, "%s: %u pictures, the last %u of them right", c->name,
          pictures->len, n_right))
    tap_note ("  expected %u and %u", c->n_output, c->n_right);
  tap_check (n_wrong == 0, "%s: %u pictures are wrong without a flag", c->name, n_wrong);
  check_discarded (c, part, discarding, pictures);
  tap_check (is_the_same_again (part, with_property, pictures), "%s: the same pictures again", c->name);
  g_array_unref (pictures);
  g_array_unref (whole);
  g_free (discarding);
  g_free (with_property);
  g_bytes_unref (part);
  g_bytes_unref (stream);
}

static void
check_cases (const RowTest *test)
{
  gchar *path = g_build_filename (test->folder, "stream.264", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    gchar *data = NULL;
    gsize size;

    if (make_stream (cases[i].x264, path) && g_file_get_contents (path, &data, &size, NULL))
      check_case (&cases[i], (const guint8 *) data, size, test->elements);
    else
      tap_skip ("there is no ffmpeg with libx264 to make it", "%s", cases[i].name);
    g_free (data);
  }
  g_unlink (path);
  g_free (path);
}

int
main (int argc, char *argv[])
{
  RowTest test = ROW_TEST_INIT;

  test.settings.n_threads = 2;
  test.settings.queues = TRUE;
  row_test_begin (&test, NULL, &argc, &argv);
  row_test_make_folder (&test);
  check_cases (&test);
  return row_test_end (&test);
}
