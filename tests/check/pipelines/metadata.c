/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Metadata of SEI messages at the end of whole rows, as h264parse and avdec_h264 give it: behind h264parse and without it, in access units
 * and in NAL units.  The stream has B pictures, and messages before each picture.
 *
 *   metadata [--backend=opencl|c]
 */
#include <gst/app/app.h>
#include <gst/video/video-sei.h>
#include <gst/video/video.h>

#include "accessunits.h"
#include "decoderun.h"
#include "rowtest.h"
#include "tap.h"

/* Sequences of three pictures, I P B in decoding order */
#define N_SEQUENCES 6
#define WAIT (60 * GST_SECOND)

/* Where the first NAL unit of types @first to @last behind @from begins, at its start code; @size: there is none */
static gsize
find_unit (const guint8 *data, gsize size, gsize from, guint first, guint last)
{
  for (gsize i = from; i + 3 < size; i++)
    if (data[i] == 0 && data[i + 1] == 0 && data[i + 2] == 1 && (data[i + 3] & 31) >= first && (data[i + 3] & 31) <= last)
      return i;
  return size;
}

/* The messages before picture @i, which differ from picture to picture; frame packing before the first one, and another from a later
 * sequence on */
static GByteArray *
make_messages (guint i)
{
  const guint8 captions[] = { 0, 0, 1, 6, 4, 17, 0xb5, 0, 0x31, 'G', 'A', '9', '4', 3, 0xc2, 0xff, 0xfc, 0x94, (guint8) i, 0xff, 0x80,
    (guint8) (i + 1), 0xff, 0x80 };
  const guint8 others[] = { 0, 0, 1, 6, 4, 9, 0xb5, 0, 0x31, 'D', 'T', 'G', '1', 0x41, (guint8) (i % 2 ? 0xf8 : 0xfb), 4, 13, 0xb5, 0, 0x31,
    'G', 'A', '9', '4', 6, 0xcf, 0xc0, (guint8) (i + 1), 0xc1, 0x20, 5, 20, 0x5a, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 1, 2,
    3, (guint8) (i + 1), 0x80 };
  const guint8 packing[] = { 0, 0, 1, 6, 45, 7, 0x81, (guint8) (i < 9 ? 0x81 : 0x82), 0, 0, 3, 0, 1, 0x20, 0x80 };
  GByteArray *messages = g_byte_array_new ();

  g_byte_array_append (messages, captions, sizeof (captions));
  g_byte_array_append (messages, others, sizeof (others));
  if (i == 0 || i == 9)
    g_byte_array_append (messages, packing, sizeof (packing));
  return messages;
}

/* Puts the messages of each unit before its first slice. */
static void
add_messages (GPtrArray *units)
{
  for (guint i = 0; i < units->len; i++) {
    AccessUnit *unit = g_ptr_array_index (units, i);
    GByteArray *messages = make_messages (i), *data = g_byte_array_new ();
    GstMapInfo map;
    GstBuffer *buffer;
    gsize at, size;

    gst_buffer_map (unit->buffer, &map, GST_MAP_READ);
    at = find_unit (map.data, map.size, 0, 1, 5);
    g_byte_array_append (data, map.data, (guint) at);
    g_byte_array_append (data, messages->data, messages->len);
    g_byte_array_append (data, map.data + at, (guint) (map.size - at));
    gst_buffer_unmap (unit->buffer, &map);
    size = data->len;
    buffer = gst_buffer_new_wrapped (g_byte_array_free (data, FALSE), size);
    gst_buffer_copy_into (buffer, unit->buffer, GST_BUFFER_COPY_TIMESTAMPS | GST_BUFFER_COPY_FLAGS, 0, -1);
    gst_buffer_replace (&unit->buffer, buffer);
    gst_buffer_unref (buffer);
    g_byte_array_unref (messages);
  }
}

/* (element-type AccessUnit) (transfer full): the stream, with the times that its pictures have by the order in which @row outputs them */
static GPtrArray *
make_units (const gchar *row)
{
  GByteArray *data = g_byte_array_new ();
  GPtrArray *units;
  gchar *sequence;
  GBytes *bytes;
  gsize size;

  if (!g_file_get_contents (TEST_DATA "/inter.264", &sequence, &size, NULL))
    g_error ("inter.264 cannot be read");
  /* the encoder's own message becomes filler data: h264parse leaves out what comes before the first SPS */
  sequence[find_unit ((const guint8 *) sequence, size, 0, 6, 6) + 3] = 12;
  for (guint i = 0; i < N_SEQUENCES; i++)
    g_byte_array_append (data, (const guint8 *) sequence, (guint) size);
  bytes = g_byte_array_free_to_bytes (data);
  units = access_units_read_bytes (bytes, "byte-stream", G_MAXUINT, row);
  g_assert_true (units && units->len == 3 * N_SEQUENCES);
  add_messages (units);
  g_bytes_unref (bytes);
  g_free (sequence);
  return units;
}

/* Pushes @units in buffers of one NAL unit each, all with the times of their picture, and the end. */
static void
push_nal_units (GPtrArray *units, GstElement *pipeline)
{
  GstAppSrc *src = GST_APP_SRC (gst_bin_get_by_name (GST_BIN (pipeline), "src"));
  GstCaps *caps = gst_caps_from_string ("video/x-h264, stream-format=byte-stream, alignment=nal, framerate=25/1");

  gst_app_src_set_caps (src, caps);
  gst_caps_unref (caps);
  for (guint i = 0; i < units->len; i++) {
    const AccessUnit *unit = g_ptr_array_index (units, i);
    GstMapInfo map;

    gst_buffer_map (unit->buffer, &map, GST_MAP_READ);
    for (gsize at = find_unit (map.data, map.size, 0, 0, 31); at < map.size;) {
      const gsize next = find_unit (map.data, map.size, at + 3, 0, 31);
      GstBuffer *buffer = gst_buffer_new_memdup (map.data + at, next - at);

      gst_buffer_copy_into (buffer, unit->buffer, GST_BUFFER_COPY_TIMESTAMPS, 0, -1);
      gst_app_src_push_buffer (src, buffer);
      at = next;
    }
    gst_buffer_unmap (unit->buffer, &map);
  }
  gst_app_src_end_of_stream (src);
  gst_object_unref (src);
}

static void
describe_bytes (GString *text, const guint8 *data, gsize size)
{
  for (gsize i = 0; i < size; i++)
    g_string_append_printf (text, "%02x", data[i]);
}

static void
describe_meta (GString *text, GstMeta *meta)
{
  const GType api = meta->info->api;

  if (api == GST_VIDEO_CAPTION_META_API_TYPE) {
    const GstVideoCaptionMeta *caption = (GstVideoCaptionMeta *) meta;

    g_string_append_printf (text, " captions %d ", caption->caption_type);
    describe_bytes (text, caption->data, caption->size);
  } else if (api == GST_VIDEO_AFD_META_API_TYPE) {
    const GstVideoAFDMeta *afd = (GstVideoAFDMeta *) meta;

    g_string_append_printf (text, " afd %u %d %d", afd->field, afd->spec, afd->afd);
  } else if (api == GST_VIDEO_BAR_META_API_TYPE) {
    const GstVideoBarMeta *bar = (GstVideoBarMeta *) meta;

    g_string_append_printf (text, " bars %u %d %u %u", bar->field, bar->is_letterbox, bar->bar_data1, bar->bar_data2);
  } else if (api == GST_VIDEO_SEI_USER_DATA_UNREGISTERED_META_API_TYPE) {
    const GstVideoSEIUserDataUnregisteredMeta *user_data = (GstVideoSEIUserDataUnregisteredMeta *) meta;

    g_string_append (text, " user data ");
    describe_bytes (text, user_data->uuid, sizeof (user_data->uuid));
    g_string_append_c (text, ' ');
    describe_bytes (text, user_data->data, user_data->size);
  }
}

/* (transfer full): a picture as a line: its time, the views that its caps tell of, and its metas kind by kind */
static gchar *
describe (GstSample *sample)
{
  static const gchar *const fields[] = { "multiview-mode", "multiview-flags", "pixel-aspect-ratio" };
  const GType kinds[] = { GST_VIDEO_CAPTION_META_API_TYPE, GST_VIDEO_AFD_META_API_TYPE, GST_VIDEO_BAR_META_API_TYPE,
    GST_VIDEO_SEI_USER_DATA_UNREGISTERED_META_API_TYPE };
  GstBuffer *buffer = gst_sample_get_buffer (sample);
  const GstStructure *s = gst_caps_get_structure (gst_sample_get_caps (sample), 0);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%" GST_TIME_FORMAT, GST_TIME_ARGS (GST_BUFFER_PTS (buffer)));
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
    const GValue *value = gst_structure_get_value (s, fields[i]);
    gchar *value_text = value ? gst_value_serialize (value) : g_strdup ("none");

    g_string_append_printf (text, " %s", value_text);
    g_free (value_text);
  }
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    gpointer state = NULL;
    GstMeta *meta;

    while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state, kinds[i])))
      describe_meta (text, meta);
  }
  return g_string_free (text, FALSE);
}

/* (element-type utf8) (transfer full): the pictures that @decoder makes of @units, described */
static GPtrArray *
decode (GPtrArray *units, const gchar *decoder, const gchar *caps, gboolean in_nal_units)
{
  GstElement *pipeline = decode_pipeline_new ("appsrc name=src format=time max-bytes=0", decoder, caps);
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GPtrArray *pictures = g_ptr_array_new_with_free_func (g_free);
  GstSample *sample;

  if (in_nal_units)
    push_nal_units (units, pipeline);
  else
    access_units_push_all (units, pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while ((sample = gst_app_sink_try_pull_sample (GST_APP_SINK (sink), WAIT))) {
    g_ptr_array_add (pictures, describe (sample));
    gst_sample_unref (sample);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
  return pictures;
}

static void
check (GPtrArray *units, const GPtrArray *expected, const gchar *decoder, const gchar *caps, gboolean in_nal_units, const gchar *what)
{
  GPtrArray *pictures = decode (units, decoder, caps, in_nal_units);
  guint i = 0;

  while (i < pictures->len && i < expected->len && g_str_equal (g_ptr_array_index (pictures, i), g_ptr_array_index (expected, i)))
    i++;
  if (!tap_check (pictures->len == expected->len && i == expected->len, "%s", what)) {
    tap_note ("  %u pictures, expected %u; number %u differs:", pictures->len, expected->len, i);
    tap_note ("    %s", i < pictures->len ? (gchar *) g_ptr_array_index (pictures, i) : "none");
    tap_note ("    %s", i < expected->len ? (gchar *) g_ptr_array_index (expected, i) : "none");
  }
  g_ptr_array_unref (pictures);
}

int
main (int argc, char *argv[])
{
  RowTest test = ROW_TEST_INIT;
  gchar *parsed, *converted;
  GPtrArray *units, *expected;
  GstElementFactory *libav;

  row_test_begin (&test, NULL, &argc, &argv);
  parsed = g_strconcat ("h264parse ! ", test.elements, NULL);
  converted = g_strconcat (test.elements, " ! gpucsc", NULL);
  units = make_units (test.elements);
  libav = gst_element_factory_find ("avdec_h264");
  if (libav) {
    expected = decode (units, "h264parse ! avdec_h264", "video/x-raw", FALSE);
    tap_note ("picture 3: %s", expected->len > 3 ? (gchar *) g_ptr_array_index (expected, 3) : "none");
    tap_check (expected->len == units->len, "avdec_h264: %u pictures", expected->len);
    check (units, expected, parsed, "video/x-raw", FALSE, "behind h264parse");
    check (units, expected, test.elements, "video/x-raw", FALSE, "access units, without h264parse");
    check (units, expected, test.elements, "video/x-raw", TRUE, "NAL units, without h264parse");
    check (units, expected, "gpuh264dec", "video/x-raw", FALSE, "gpuh264dec, without h264parse");
    check (units, expected, converted, "video/x-raw,format=NV12", FALSE, "gpucsc, without h264parse");
    g_ptr_array_unref (expected);
  } else {
    tap_skip ("there is no avdec_h264", "metadata");
  }
  gst_clear_object (&libav);
  g_ptr_array_unref (units);
  g_free (parsed);
  g_free (converted);
  return row_test_end (&test);
}
