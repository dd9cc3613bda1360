/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "subsetsps.h"

#include <string.h>

#define NAL_UNIT_TYPE 0x1f
#define SUBSET_SPS 15
#define RESERVED 18

/* A start code with the first byte of a subset SPS, whatever its nal_ref_idc, as one number */
#define START_CODE_MASK 0xffffff1fu
#define START_CODE 0x0000010fu

/* Of a configuration record (ISO/IEC 14496-15, 5.3.3.1): where its number of SPS stands, with the SPS behind it */
#define RECORD_SPS 5

/**
 * Hidden:
 * @length_size: bytes before each NAL unit; 0: they have start codes
 * @last: the last bytes of the buffers so far, the last one lowest, where there are start codes
 * @next_offset: of the buffer that goes on behind them
 *
 * What comes to one h264parse
 */
typedef struct
{
  guint length_size;
  guint32 last;
  guint64 next_offset;
} Hidden;

static void
hide_unit (guint8 *header)
{
  if ((*header & NAL_UNIT_TYPE) == SUBSET_SPS)
    *header = (guint8) ((*header & ~NAL_UNIT_TYPE) | RESERVED);
}

/* Units with lengths of @length_size bytes: the first @n, or all that there are.  Returns how many bytes those are. */
static gsize
hide_in_lengths (guint8 *data, gsize size, guint length_size, guint n)
{
  gsize at = 0;

  for (; n > 0 && size - at > length_size; n--) {
    gsize length = 0;

    for (guint i = 0; i < length_size; i++)
      length = length << 8 | data[at++];
    if (length > 0)
      hide_unit (data + at);
    at += MIN (length, size - at);
  }
  return at;
}

/* The parameter sets of a configuration record: the SPS, and the PPS, among which h264parse takes any unit for what it says it is */
static void
hide_in_sets (guint8 *data, gsize size)
{
  gsize at = 0;

  for (guint kind = 0; kind < 2 && at < size; kind++) {
    const guint n = kind == 0 ? data[at] & NAL_UNIT_TYPE : data[at];

    at++;
    at += hide_in_lengths (data + at, size - at, 2, n);
  }
}

/* A start code may lie in two buffers. */
static void
hide_in_byte_stream (Hidden *self, guint8 *data, gsize size)
{
  const guint8 *end = data + size;
  gsize n = MIN (size, 3);

  for (gsize i = 0; i < n; i++) {
    self->last = self->last << 8 | data[i];
    if ((self->last & START_CODE_MASK) == START_CODE)
      hide_unit (data + i);
  }
  for (guint8 *one = data; (one = memchr (one, 1, (gsize) (end - one))); one++)
    if (one - data >= 2 && one[-1] == 0 && one[-2] == 0 && one + 1 < end)
      hide_unit (one + 1);
  for (gsize i = MAX (n, MAX (size, 3) - 3); i < size; i++)
    self->last = self->last << 8 | data[i];
}

/* FALSE where the data cannot be read, or not be changed */
static gboolean
hide_in_buffer (Hidden *self, GstBuffer **data)
{
  GstBuffer *buffer = *data;
  GstMapInfo map;

  /* where h264parse pulls, it may pull some data again */
  if (GST_BUFFER_IS_DISCONT (buffer) || (GST_BUFFER_OFFSET_IS_VALID (buffer) && GST_BUFFER_OFFSET (buffer) != self->next_offset))
    self->last = ~0u;
  self->next_offset =
      GST_BUFFER_OFFSET_IS_VALID (buffer) ? GST_BUFFER_OFFSET (buffer) + gst_buffer_get_size (buffer) : GST_BUFFER_OFFSET_NONE;
  *data = buffer = gst_buffer_make_writable (buffer);
  if (!gst_buffer_map (buffer, &map, GST_MAP_READWRITE))
    return FALSE;
  if (self->length_size > 0)
    hide_in_lengths (map.data, map.size, self->length_size, G_MAXUINT);
  else
    hide_in_byte_stream (self, map.data, map.size);
  gst_buffer_unmap (buffer, &map);
  return TRUE;
}

/* (transfer full): the caps with a record whose parameter sets have been gone through */
static GstCaps *
hide_in_record (Hidden *self, GstCaps *caps, GstBuffer *record)
{
  GstBuffer *copy = gst_buffer_copy_deep (record);
  GstMapInfo map;

  caps = gst_caps_copy (caps);
  if (gst_buffer_map (copy, &map, GST_MAP_READWRITE)) {
    if (map.size > RECORD_SPS) {
      self->length_size = 1 + (map.data[4] & 3);
      hide_in_sets (map.data + RECORD_SPS, map.size - RECORD_SPS);
    }
    gst_buffer_unmap (copy, &map);
  }
  gst_caps_set_simple (caps, "codec_data", GST_TYPE_BUFFER, copy, NULL);
  gst_buffer_unref (copy);
  return caps;
}

static GstEvent *
hide_in_caps (Hidden *self, GstEvent *event)
{
  const GstStructure *s;
  const gchar *format;
  GstBuffer *record = NULL;
  GstEvent *hidden;
  GstCaps *caps;

  gst_event_parse_caps (event, &caps);
  s = gst_caps_get_structure (caps, 0);
  format = gst_structure_get_string (s, "stream-format");
  self->length_size = format && g_str_has_prefix (format, "avc") ? 4 : 0;
  self->last = ~0u;
  if (!gst_structure_get (s, "codec_data", GST_TYPE_BUFFER, &record, NULL))
    return event;
  caps = hide_in_record (self, caps, record);
  gst_buffer_unref (record);
  hidden = gst_event_new_caps (caps);
  gst_event_set_seqnum (hidden, gst_event_get_seqnum (event));
  gst_caps_unref (caps);
  gst_event_unref (event);
  return hidden;
}

static GstPadProbeReturn
on_data (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Hidden *self = user_data;

  if (info->type & GST_PAD_PROBE_TYPE_BUFFER)
    return hide_in_buffer (self, (GstBuffer **) &info->data) ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP;
  if ((info->type & GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) && GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_CAPS)
    info->data = hide_in_caps (self, GST_PAD_PROBE_INFO_EVENT (info));
  return GST_PAD_PROBE_OK;
}

static void
on_element_added (GstBin *bin, GstBin *parent, GstElement *element, gpointer user_data)
{
  GstElementFactory *factory = gst_element_get_factory (element);
  GstPad *pad;

  if (!factory || !g_str_equal (GST_OBJECT_NAME (factory), "h264parse"))
    return;
  pad = gst_element_get_static_pad (element, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_DATA_DOWNSTREAM, on_data, g_new0 (Hidden, 1), g_free);
  gst_object_unref (pad);
}

void
subset_sps_hide (GstBin *bin)
{
  g_signal_connect (bin, "deep-element-added", G_CALLBACK (on_element_added), NULL);
}
