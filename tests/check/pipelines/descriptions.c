/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Parameter sets that change with the caps in mid-stream, under the same ids: MP4 with several sample descriptions, and caps with another
 * codec_data as a demuxer sends them.  The pictures are those of the parts.
 *
 *   descriptions [--backend=opencl|c]
 */
#include <glib/gstdio.h>
#include <gst/app/app.h>

#include "bigendian.h"
#include "decoderun.h"
#include "mp4writer.h"
#include "picturelist.h"
#include "rowtest.h"
#include "tap.h"

#define N_PICTURES 15
#define MAX_PARTS 3

typedef struct
{
  const gchar *size, *x264;
} Part;

/**
 * Case:
 * @n_parts: with a sample description each
 * @cut: the second part is the rest of the first one, from this sample on; its description has the same sets and looks otherwise
 */
typedef struct
{
  const gchar *name;
  Part parts[MAX_PARTS];
  guint n_parts;
  guint cut;
} Case;

#define GOP "keyint=8:min-keyint=8:scenecut=0:b-adapt=0:"
#define CABAC GOP "bframes=2:ref=2"
#define CAVLC GOP "cabac=0:bframes=0:ref=1:8x8dct=0"
#define PYRAMID GOP "bframes=3:b-pyramid=normal:ref=4:chroma-qp-offset=-3"

static const Case cases[] = {
  { "another PPS", { { "176x144", CABAC }, { "176x144", CABAC ":cabac=0" } }, 2 },
  { "other sets, without B pictures", { { "176x144", PYRAMID }, { "176x144", CAVLC } }, 2 },
  { "with B pictures behind such without", { { "176x144", CAVLC }, { "176x144", PYRAMID } }, 2 },
  { "larger pictures", { { "128x96", CABAC }, { "320x240", PYRAMID } }, 2 },
  { "smaller pictures", { { "320x240", PYRAMID }, { "128x96", CAVLC } }, 2 },
  { "another one and back", { { "176x144", CABAC }, { "160x128", CAVLC }, { "176x144", CABAC } }, 3 },
  /* I P b b, and in the same GOP P b b P b b */
  { "the same sets in the middle of a GOP", { { "176x144", CABAC } }, 2, 4 },
};

/* Elements between the demuxer and the decoder: those that read sets themselves, and none */
static const gchar *const parsers[] = { "", " ! h264parse", " ! h264parse ! video/x-h264,stream-format=byte-stream,alignment=nal" };

static gboolean
encode (const Part *part, const gchar *path)
{
  gchar *input = g_strdup_printf ("testsrc2=size=%s:rate=25", part->size);
  const gchar *argv[] = { "ffmpeg", "-v", "error", "-f", "lavfi", "-i", input, "-frames:v", G_STRINGIFY (N_PICTURES), "-c:v", "libx264",
    "-threads", "1", "-pix_fmt", "yuv420p", "-crf", "30", "-x264-params", part->x264, "-y", path, NULL };
  gint status = 1;
  const gboolean ok =
      g_spawn_sync (NULL, (gchar **) argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL, NULL, NULL, &status, NULL)
      && g_spawn_check_wait_status (status, NULL);

  g_free (input);
  return ok;
}

/* The access units of the file, and its caps */
static void
read_part (const gchar *path, Mp4Part *part)
{
  gchar *text = g_strdup_printf ("filesrc location=\"%s\" ! matroskademux ! h264parse ! "
                                 "video/x-h264,stream-format=avc,alignment=au ! appsink name=sink sync=false",
      path);
  GstElement *pipeline = gst_parse_launch (text, NULL), *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GstSample *sample;

  part->samples = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
  part->caps = NULL;
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while ((sample = gst_app_sink_pull_sample (GST_APP_SINK (sink)))) {
    g_ptr_array_add (part->samples, gst_buffer_ref (gst_sample_get_buffer (sample)));
    gst_caps_replace (&part->caps, gst_sample_get_caps (sample));
    gst_sample_unref (sample);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
  g_free (text);
}

static void
note_list (const GPtrArray *list)
{
  for (guint i = 0; i < list->len; i++) {
    gchar *text = listed_picture_describe (g_ptr_array_index (list, i));

    tap_note ("  %s", text);
    g_free (text);
  }
}

/* The pictures of the parts one behind the other, none flagged, times 40 ms apart */
static void
check_list (const GPtrArray *list, const GPtrArray *expected, const Case *c, const gchar *what)
{
  gboolean ok = list->len == expected->len;

  for (guint i = 0; ok && i < list->len; i++) {
    const ListedPicture *first = g_ptr_array_index (list, 0), *picture = g_ptr_array_index (list, i);

    ok = !(picture->flags & GST_BUFFER_FLAG_CORRUPTED)
        && g_strcmp0 (picture->md5, ((const ListedPicture *) g_ptr_array_index (expected, i))->md5) == 0
        && ABS (GST_CLOCK_DIFF (first->pts + i * 40 * GST_MSECOND, picture->pts)) < (GstClockTimeDiff) GST_MSECOND;
  }
  if (!tap_check (ok, "%s%s: %u pictures", c->name, what, list->len))
    note_list (list);
}

static void
check_file (const Case *c, const Mp4Part *parts, const GPtrArray *expected, const gchar *path, const gchar *row)
{
  GBytes *file = mp4_write (parts, c->n_parts, 40 * GST_MSECOND);

  if (!g_file_set_contents (path, g_bytes_get_data (file, NULL), (gssize) g_bytes_get_size (file), NULL))
    g_error ("%s cannot be written", path);
  for (guint i = 0; i < G_N_ELEMENTS (parsers); i++) {
    gchar *source = g_strdup_printf ("filesrc location=\"%s\" ! qtdemux%s", path, parsers[i]), *error = NULL;
    gchar *what = g_strconcat (", MP4", parsers[i], NULL);
    GPtrArray *list = picture_list_of (source, row, &error);

    check_list (list, expected, c, what);
    if (error)
      tap_note ("  %s", error);
    g_ptr_array_unref (list);
    g_free (error);
    g_free (what);
    g_free (source);
  }
  g_unlink (path);
  g_bytes_unref (file);
}

/* The same from a demuxer that says neither DISCONT nor segments between the parts */
static void
check_caps (const Case *c, const Mp4Part *parts, const GPtrArray *expected, const gchar *row)
{
  GstElement *pipeline = decode_pipeline_new ("appsrc name=src format=time max-bytes=0", row, "video/x-raw");
  GstElement *src = gst_bin_get_by_name (GST_BIN (pipeline), "src"), *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GstClockTime begin = 0;
  GPtrArray *list;

  for (guint i = 0; i < c->n_parts; i++) {
    for (guint k = 0; k < parts[i].samples->len; k++) {
      GstBuffer *buffer = gst_buffer_copy (g_ptr_array_index (parts[i].samples, k));
      GstSample *sample = gst_sample_new (buffer, parts[i].caps, NULL, NULL);

      GST_BUFFER_PTS (buffer) += begin;
      GST_BUFFER_DTS (buffer) = GST_CLOCK_TIME_NONE;
      GST_BUFFER_FLAG_UNSET (buffer, GST_BUFFER_FLAG_DISCONT);
      gst_app_src_push_sample (GST_APP_SRC (src), sample);
      gst_sample_unref (sample);
      gst_buffer_unref (buffer);
    }
    begin += c->cut > 0 ? 0 : N_PICTURES * 40 * GST_MSECOND;
  }
  gst_app_src_end_of_stream (GST_APP_SRC (src));
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  list = picture_list_pull (sink, G_MAXUINT);
  check_list (list, expected, c, ", caps");
  gst_element_set_state (pipeline, GST_STATE_NULL);
  g_ptr_array_unref (list);
  gst_object_unref (sink);
  gst_object_unref (src);
  gst_object_unref (pipeline);
}

/* (transfer full): caps with a record in which the PPS stands twice: other caps, the same sets */
static GstCaps *
repeat_pps (GstCaps *caps)
{
  GstBuffer *record = gst_value_get_buffer (gst_structure_get_value (gst_caps_get_structure (caps, 0), "codec_data"));
  GByteArray *other = g_byte_array_new ();
  GstCaps *copy = gst_caps_copy (caps);
  GstMapInfo map;
  gsize n_pps, end;

  gst_buffer_map (record, &map, GST_MAP_READ);
  g_assert_cmpuint (map.data[5] & 31, ==, 1);
  n_pps = 8 + read_u16be (map.data + 6);
  g_assert_cmpuint (map.data[n_pps], ==, 1);
  end = n_pps + 3 + read_u16be (map.data + n_pps + 1);
  g_byte_array_append (other, map.data, (guint) end);
  other->data[n_pps] = 2;
  g_byte_array_append (other, map.data + n_pps + 1, (guint) (map.size - n_pps - 1));
  gst_buffer_unmap (record, &map);
  record = gst_buffer_new_wrapped_bytes (g_byte_array_free_to_bytes (other));
  gst_caps_set_simple (copy, "codec_data", GST_TYPE_BUFFER, record, NULL);
  gst_buffer_unref (record);
  return copy;
}

static void
cut_part (Mp4Part *parts, guint cut)
{
  parts[1].samples = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
  for (guint i = cut; i < parts[0].samples->len; i++)
    g_ptr_array_add (parts[1].samples, gst_buffer_ref (g_ptr_array_index (parts[0].samples, i)));
  g_ptr_array_remove_range (parts[0].samples, cut, parts[0].samples->len - cut);
  parts[1].caps = repeat_pps (parts[0].caps);
}

/* Adds the samples of @part, and the pictures that it has alone.  FALSE where it cannot be made. */
static gboolean
add_part (const Part *part, const gchar *path, const gchar *row, Mp4Part *samples, GPtrArray *expected)
{
  gchar *source, *error = NULL;
  GPtrArray *list;

  if (!encode (part, path))
    return FALSE;
  source = g_strdup_printf ("filesrc location=\"%s\" ! matroskademux", path);
  read_part (path, samples);
  list = picture_list_of (source, row, &error);
  g_ptr_array_extend_and_steal (expected, list);
  g_free (error);
  g_free (source);
  return TRUE;
}

static void
check_case (const Case *c, const gchar *folder, const gchar *row)
{
  gchar *path = g_build_filename (folder, "part.mkv", NULL);
  GPtrArray *expected = picture_list_new ();
  const guint n_encoded = c->cut > 0 ? 1 : c->n_parts;
  Mp4Part parts[MAX_PARTS] = { { NULL } };
  guint n = 0;

  while (n < n_encoded && add_part (&c->parts[n], path, row, &parts[n], expected))
    n++;
  if (n == n_encoded) {
    if (c->cut > 0)
      cut_part (parts, c->cut);
    check_file (c, parts, expected, path, row);
    check_caps (c, parts, expected, row);
  } else {
    tap_skip ("there is no ffmpeg with libx264 to make it", "%s", c->name);
  }
  for (guint i = 0; i < MAX_PARTS; i++) {
    g_clear_pointer (&parts[i].samples, g_ptr_array_unref);
    gst_clear_caps (&parts[i].caps);
  }
  g_ptr_array_unref (expected);
  g_unlink (path);
  g_free (path);
}

int
main (int argc, char *argv[])
{
  RowTest test = ROW_TEST_INIT;

  row_test_begin (&test, NULL, &argc, &argv);
  row_test_make_folder (&test);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check_case (&cases[i], test.folder, test.elements);
  return row_test_end (&test);
}
