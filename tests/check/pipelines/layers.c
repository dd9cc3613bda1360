/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Temporal layers that a server drops: what is left refers to nothing that is dropped, so it is right, and not flagged; where frame_num has
 * gaps that the SPS does not allow, flagged all the same, since it looks like a loss.
 *
 *   layers [--backend=opencl|c]
 */
#include <glib/gstdio.h>
#include <gst/app/app.h>

#include "decoderun.h"
#include "picturelist.h"
#include "rowtest.h"
#include "tap.h"

#define N_PICTURES 60

/* Of a picture in a GOP that x264 codes with b-pyramid: others build on it, on layer 0 all of them */
enum
{
  LAYER_KEY,       /* I and P pictures */
  LAYER_REFERENCE, /* B pictures that B pictures refer to */
  LAYER_TOP,       /* nal_ref_idc 0 */
};

typedef struct
{
  const gchar *name, *x264;
  guint layer;           /* the first one that is dropped */
  gboolean gaps_allowed; /* gaps_in_frame_num_value_allowed_flag is set, as in streams that are made for it */
} Case;

#define COMMON "keyint=20:min-keyint=20:scenecut=0:b-adapt=0:"

static const Case cases[] = {
  { "B pictures", COMMON "bframes=2:b-pyramid=none:ref=2", LAYER_TOP, FALSE },
  { "B pictures that nothing refers to", COMMON "bframes=3:b-pyramid=strict:ref=4", LAYER_TOP, FALSE },
  { "B pictures that P pictures refer to stay", COMMON "bframes=3:b-pyramid=normal:ref=4", LAYER_TOP, FALSE },
  { "all B pictures", COMMON "bframes=3:b-pyramid=strict:ref=4", LAYER_REFERENCE, TRUE },
  { "all B pictures, gaps not allowed", COMMON "bframes=3:b-pyramid=strict:ref=4", LAYER_REFERENCE, FALSE },
  { "all B pictures, CAVLC, two references", COMMON "bframes=3:b-pyramid=strict:ref=2:cabac=0", LAYER_REFERENCE, TRUE },
};

static gboolean
encode (const Case *c, const gchar *path)
{
  const gchar *argv[] = { "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=176x144:rate=25", "-frames:v",
    G_STRINGIFY (N_PICTURES), "-c:v", "libx264", "-threads", "1", "-pix_fmt", "yuv420p", "-crf", "30", "-x264-params", c->x264, "-y", path,
    NULL };
  gint status = 1;

  return g_spawn_sync (NULL, (gchar **) argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL, NULL, NULL, &status,
             NULL)
      && g_spawn_check_wait_status (status, NULL);
}

/* ue(v), 9.1 */
static guint
read_ue (const guint8 *data, gsize *pos)
{
  guint n = 0, value = 1;

  while (n < 32 && !(data[*pos / 8] >> (7 - *pos % 8) & 1)) {
    n++;
    (*pos)++;
  }
  (*pos)++;
  for (guint i = 0; i < n; i++, (*pos)++)
    value = value << 1 | (data[*pos / 8] >> (7 - *pos % 8) & 1);
  return value - 1;
}

/* Sets gaps_in_frame_num_value_allowed_flag in an SPS of x264: High profile, no scaling lists, POC type 0.  The elements before have no
 * emulation prevention. */
static void
allow_gaps (guint8 *sps)
{
  gsize pos = 4 * 8;

  for (guint i = 0; i < 4; i++)
    (void) read_ue (sps, &pos); /* up to bit_depth_chroma_minus8 */
  pos += 2;
  for (guint i = 0; i < 4; i++)
    (void) read_ue (sps, &pos); /* up to max_num_ref_frames */
  sps[pos / 8] |= 0x80 >> pos % 8;
}

/* The layer of the access unit @data, a byte stream; sets flags in its SPS. */
static guint
look_at_unit (guint8 *data, gsize size, gboolean gaps_allowed)
{
  for (gsize i = 0; i + 4 < size; i++) {
    const guint type = data[i + 3] & 31, nal_ref_idc = data[i + 3] >> 5;

    if (data[i] != 0 || data[i + 1] != 0 || data[i + 2] != 1)
      continue;
    if (type == 7 && gaps_allowed)
      allow_gaps (data + i + 3);
    if (type == 1 || type == 5) {
      gsize pos = 8;
      guint slice_type;

      (void) read_ue (data + i + 3, &pos);
      slice_type = read_ue (data + i + 3, &pos) % 5;
      return nal_ref_idc == 0 ? LAYER_TOP : slice_type == 1 ? LAYER_REFERENCE : LAYER_KEY;
    }
  }
  g_assert_not_reached ();
}

/* (transfer full): the pictures of the file below @layer, through @alignment */
static GPtrArray *
play (const gchar *path, const Case *c, guint layer, const gchar *alignment, const gchar *row)
{
  gchar *reading = g_strdup_printf ("filesrc location=\"%s\" ! matroskademux ! h264parse config-interval=-1 ! "
                                    "video/x-h264,stream-format=byte-stream,alignment=au ! appsink name=sink sync=false",
      path);
  gchar *playing =
      g_strdup_printf ("appsrc name=src format=time max-bytes=0 caps=video/x-h264,stream-format=byte-stream,alignment=%s", alignment);
  GstElement *reader = gst_parse_launch (reading, NULL), *pipeline = decode_pipeline_new (playing, row, "video/x-raw");
  GstElement *units = gst_bin_get_by_name (GST_BIN (reader), "sink"), *src = gst_bin_get_by_name (GST_BIN (pipeline), "src");
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GPtrArray *list;
  GstSample *sample;

  gst_element_set_state (reader, GST_STATE_PLAYING);
  while ((sample = gst_app_sink_pull_sample (GST_APP_SINK (units)))) {
    GstBuffer *buffer = gst_buffer_copy_deep (gst_sample_get_buffer (sample));
    GstMapInfo map;

    gst_buffer_map (buffer, &map, GST_MAP_READWRITE);
    if (look_at_unit (map.data, map.size, c->gaps_allowed) < layer) {
      gst_buffer_unmap (buffer, &map);
      gst_app_src_push_buffer (GST_APP_SRC (src), buffer);
    } else {
      gst_buffer_unmap (buffer, &map);
      gst_buffer_unref (buffer);
    }
    gst_sample_unref (sample);
  }
  gst_element_set_state (reader, GST_STATE_NULL);
  gst_app_src_end_of_stream (GST_APP_SRC (src));
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  list = picture_list_pull (sink, G_MAXUINT);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (src);
  gst_object_unref (units);
  gst_object_unref (pipeline);
  gst_object_unref (reader);
  g_free (playing);
  g_free (reading);
  return list;
}

/* Pictures as in @whole at the same time, and not flagged, or @may_be_flagged */
static guint
count_right (const GPtrArray *list, const GPtrArray *whole, gboolean may_be_flagged)
{
  guint n = 0;

  for (guint i = 0, k = 0; i < list->len; i++) {
    const ListedPicture *picture = g_ptr_array_index (list, i), *expected = NULL;

    while (k < whole->len && (expected = g_ptr_array_index (whole, k))->pts < picture->pts)
      k++;
    n += k < whole->len && expected->pts == picture->pts && (may_be_flagged || !(picture->flags & GST_BUFFER_FLAG_CORRUPTED))
        && g_strcmp0 (expected->md5, picture->md5) == 0;
  }
  return n;
}

static void
check_case (const Case *c, const gchar *path, const gchar *row)
{
  static const gchar *const alignments[] = { "au", "nal" };
  GPtrArray *whole;

  if (!encode (c, path)) {
    tap_skip ("there is no ffmpeg with libx264 to make it", "%s", c->name);
    return;
  }
  whole = play (path, c, LAYER_TOP + 1, "au", row);
  tap_check (whole->len == N_PICTURES && count_right (whole, whole, FALSE) == N_PICTURES, "%s: the whole stream", c->name);
  for (guint i = 0; i < G_N_ELEMENTS (alignments); i++) {
    GPtrArray *list = play (path, c, c->layer, alignments[i], row);
    const guint n_right = count_right (list, whole, !c->gaps_allowed && c->layer == LAYER_REFERENCE);

    tap_check (n_right == list->len && n_right >= N_PICTURES / 4 && n_right < N_PICTURES, "%s, dropped, %s: %u pictures, %u right", c->name,
        alignments[i], list->len, n_right);
    g_ptr_array_unref (list);
  }
  g_ptr_array_unref (whole);
  g_unlink (path);
}

int
main (int argc, char *argv[])
{
  RowTest test = ROW_TEST_INIT;
  gchar *path;

  row_test_begin (&test, NULL, &argc, &argv);
  row_test_make_folder (&test);
  path = g_build_filename (test.folder, "stream.mkv", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check_case (&cases[i], path, test.elements);
  g_free (path);
  return row_test_end (&test);
}
