/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gsth264feed.h"

#include "gstsystemmemory.h"

#define GST_CAT_DEFAULT gst_h264_entropy_debug

void
gst_h264_feed_init (GstH264Feed *feed, GstH264Decoding *decoding)
{
  *feed = (GstH264Feed){ .decoding = decoding };
}

void
gst_h264_feed_start (GstH264Feed *feed)
{
  gst_h264_feed_restart (feed);
  feed->input.discont = feed->input.frame_discont = feed->left_out_said = FALSE;
}

void
gst_h264_feed_restart (GstH264Feed *feed)
{
  gst_clear_buffer (&feed->last_buffer);
  feed->input.begins_unit = FALSE;
  feed->input.unit_pts = GST_CLOCK_TIME_NONE;
}

/* Pictures besides the primary ones: what they add is not decoded, which is no fault of the stream, and no damage to the others. */
static const gchar *
find_left_out (const H264Nal *nal)
{
  switch (nal->nal_unit_type) {
    case H264_NAL_AUXILIARY_SLICE:
      return "auxiliary pictures (alpha)";
    case H264_NAL_SLICE_EXTENSION:
      /* svc_extension_flag (7.3.1) */
      return nal->data[1] & 0x80 ? "enhancement layers (SVC, Annex F)" : "further views (MVC, Annex G)";
    case H264_NAL_SLICE_EXTENSION_DEPTH:
      return "depth or further texture views (Annexes H and I)";
    default:
      return NULL;
  }
}

static void
note_left_out (GstH264Feed *feed, const H264Nal *nal)
{
  const gchar *what = find_left_out (nal);

  if (!what || feed->left_out_said)
    return;
  feed->left_out_said = TRUE;
  GST_ELEMENT_INFO (feed->decoding->reports.element, STREAM, NOT_IMPLEMENTED,
      ("The stream has %s, which are left out; the base view or layer is decoded.", what),
      ("NAL units of type %u, %s, are left out", nal->nal_unit_type, what));
}

/* A unit that no picture has between its slices (7.4.1.2.3).  Senders put such ones there all the same: whether a picture begins, the next
 * slice shows. */
static void
begin_unit (GstH264Feed *feed)
{
  if (feed->decoding->stream.strict)
    gst_h264_decoding_end_picture (feed->decoding);
  feed->input.begins_unit = TRUE;
}

/* What stands before the slices of an access unit may have its time, and they none: h264parse does that where it puts in parameter sets. */
static void
keep_unit_time (GstH264Feed *feed)
{
  if (!feed->input.time_used && GST_BUFFER_PTS_IS_VALID (feed->input.buffer))
    feed->input.unit_pts = GST_BUFFER_PTS (feed->input.buffer);
}

/* In another profile it is a unit whose header is damaged. */
static GstFlowReturn
take_partition (GstH264Feed *feed)
{
  GstH264Decoding *decoding = feed->decoding;

  if (h264_param_sets_may_be (decoding->stream.sets, H264_PROFILE_EXTENDED))
    return gst_h264_decoding_refuse (decoding, "data partitioning (Extended profile)",
        "slice data are in NAL units of types 2 to 4; those of types 1 and 5 can be decoded");
  decoding->view.lost = "slice data are in partitions (NAL unit types 2 to 4), which the profile does not have";
  gst_h264_reports_warn (&decoding->reports, decoding->view.lost);
  return GST_FLOW_OK;
}

/* One NAL unit of an access unit, in its turn */
static GstFlowReturn
handle_nal (GstH264Feed *feed, const H264Nal *nal)
{
  GstH264Decoding *decoding = feed->decoding;
  GstFlowReturn ret;

  GST_LOG_OBJECT (feed->decoding->reports.element, "NAL unit of type %u, %" G_GSIZE_FORMAT " bytes", nal->nal_unit_type, nal->size);
  switch (nal->nal_unit_type) {
    case H264_NAL_SLICE:
    case H264_NAL_IDR_SLICE:
      if (!feed->wants_pictures)
        return GST_FLOW_OK;
      ret = gst_h264_decoding_take_slice (decoding, nal, &feed->input);
      feed->input.unit_pts = GST_CLOCK_TIME_NONE;
      return ret;
    case H264_NAL_PARTITION_A:
    case H264_NAL_PARTITION_B:
    case H264_NAL_PARTITION_C:
      return take_partition (feed);
    case H264_NAL_SPS:
    case H264_NAL_PPS:
      keep_unit_time (feed);
      return gst_h264_decoding_take_set (decoding, nal);
    case H264_NAL_SEI:
      begin_unit (feed);
      keep_unit_time (feed);
      return gst_h264_decoding_take_sei (decoding, nal);
    case H264_NAL_AUD:
      begin_unit (feed);
      keep_unit_time (feed);
      gst_h264_metas_forget (&decoding->view.metas);
      return GST_FLOW_OK;
    case H264_NAL_END_OF_SEQUENCE:
    case H264_NAL_END_OF_STREAM:
      /* what follows has to be an IDR picture; where it is none, it refers to what came before all the same */
      return gst_h264_decoding_drain (decoding, decoding->stream.strict ? GST_H264_DRAIN_SEQUENCE : GST_H264_DRAIN_OUTPUT);
    default:
      note_left_out (feed, nal);
      return GST_FLOW_OK;
  }
}

static GstFlowReturn
handle_nals (GstH264Feed *feed, const GstMapInfo *map)
{
  H264NalReader reader;
  H264NalResult result;
  H264Nal nal;
  const gchar *error = NULL;
  GstFlowReturn ret = GST_FLOW_OK;

  h264_nal_reader_init (&reader, map->data, map->size, feed->decoding->stream.length_size);
  while (ret == GST_FLOW_OK && (result = h264_nal_reader_next (&reader, &nal, &error)) != H264_NAL_END) {
    if (result == H264_NAL_BROKEN) {
      feed->decoding->view.lost = error;
      gst_h264_reports_warn (&feed->decoding->reports, error);
    } else {
      ret = handle_nal (feed, &nal);
    }
  }
  return ret;
}

/* Whether equal bytes are no sign of a repeated access unit, though there is no time to tell: IDR pictures of which many senders never
 * change idr_pic_id, and pictures of a stream whose frame_num does not tell them apart. */
static gboolean
may_be_alike (const GstH264Feed *feed, const GstMapInfo *map)
{
  H264NalReader reader;
  H264Nal nal;
  const gchar *error = NULL;
  H264NalResult result;

  if (feed->decoding->view.frames.dpb->has_constant_frame_num)
    return TRUE;
  h264_nal_reader_init (&reader, map->data, map->size, feed->decoding->stream.length_size);
  while ((result = h264_nal_reader_next (&reader, &nal, &error)) != H264_NAL_END)
    if (result != H264_NAL_BROKEN && nal.nal_unit_type == H264_NAL_IDR_SLICE)
      return TRUE;
  return FALSE;
}

/* Whether an access unit comes a second time, byte for byte: senders repeat them.  With a time of its own it is a picture: a still scene
 * looks like that. */
static gboolean
comes_again (const GstH264Feed *feed, GstBuffer *buffer)
{
  GstBuffer *last = feed->last_buffer;
  GstMapInfo map;
  gboolean same;

  if (!last || feed->decoding->stream.strict || !feed->decoding->stream.aligned_to_units || GST_BUFFER_IS_DISCONT (buffer)
      || feed->decoding->output.new_segment || gst_buffer_get_size (last) != gst_buffer_get_size (buffer)
      || GST_BUFFER_PTS (last) != GST_BUFFER_PTS (buffer) || !gst_buffer_map (buffer, &map, GST_MAP_READ))
    return FALSE;
  same = gst_buffer_memcmp (last, 0, map.data, map.size) == 0 && (GST_BUFFER_PTS_IS_VALID (buffer) || !may_be_alike (feed, &map));
  gst_buffer_unmap (buffer, &map);
  return same;
}

/* All NAL units of @buffer (transfer full) */
static GstFlowReturn
decode_buffer (GstH264Feed *feed, GstBuffer *buffer)
{
  GstMapInfo map;
  GstFlowReturn ret;

  if (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_CORRUPTED))
    feed->decoding->view.lost = "upstream says that data is damaged";
  if (!gst_buffer_map (buffer, &map, GST_MAP_READ)) {
    GST_ELEMENT_ERROR (feed->decoding->reports.element, RESOURCE, READ, ("An input buffer cannot be read."), (NULL));
    gst_buffer_unref (buffer);
    return GST_FLOW_ERROR;
  }
  feed->input.buffer = buffer;
  feed->input.time_used = FALSE;
  feed->input.begins_unit |= feed->decoding->stream.aligned_to_units;
  if (feed->decoding->stream.aligned_to_units)
    gst_h264_metas_begin_unit (&feed->decoding->view.metas);
  feed->input.left_out = FALSE;
  gst_h264_stream_check_framing (&feed->decoding->stream, map.data, map.size);
  gst_h264_stream_make_missing_sets (&feed->decoding->stream, map.data, map.size);
  ret = handle_nals (feed, &map);
  if (ret == GST_FLOW_OK)
    ret = gst_h264_decoding_run (feed->decoding);
  if (ret == GST_FLOW_OK && gst_h264_reports_has_too_many_errors (&feed->decoding->reports))
    ret = GST_FLOW_ERROR;
  feed->input.buffer = NULL;
  gst_buffer_unmap (buffer, &map);
  /* The next one is allocated while this one is still there.  If each were freed before, malloc would often give the free end of its heap
   * back to the system, and the parser's copies of the next picture would fault it in again page by page. */
  gst_clear_buffer (&feed->last_buffer);
  feed->last_buffer = buffer;
  return ret;
}

/* Whether @buffer is apart from what came before.  DISCONT tells that of access units alone: h264parse marks each part of one that is
 * marked, and depayloaders what is left of one behind lost packets, which has its time. */
static gboolean
begins_part (const GstH264Feed *feed, GstBuffer *buffer)
{
  const GstH264View *view = &feed->decoding->view;
  const gboolean goes_on = view->current && GST_BUFFER_PTS_IS_VALID (buffer) && GST_BUFFER_PTS (buffer) == view->border.last_pts;

  return feed->decoding->output.new_segment || (GST_BUFFER_IS_DISCONT (buffer) && feed->decoding->stream.aligned_to_units && !goes_on);
}

/* GStreamer joins them itself when the buffer is mapped, but ends the process where it gets no memory for that. */
GstFlowReturn
gst_h264_feed_join_memories (GstH264Feed *feed, GstBuffer **buffer)
{
  const gsize size = gst_buffer_get_size (*buffer);
  GstMemory *joined;
  GstMapInfo map;
  gboolean whole;

  if (gst_buffer_n_memory (*buffer) < 2 || size == 0)
    return GST_FLOW_OK;
  if (!(joined = gst_system_memory_new (size))) {
    gst_clear_buffer (buffer);
    return gst_h264_reports_fail_no_memory (&feed->decoding->reports);
  }
  /* memory of the system that nobody else has */
  (void) gst_memory_map (joined, &map, GST_MAP_WRITE);
  whole = gst_buffer_extract (*buffer, 0, map.data, size) == size;
  gst_memory_unmap (joined, &map);
  if (!whole) {
    /* nor will the buffer map */
    gst_memory_unref (joined);
    return GST_FLOW_OK;
  }
  *buffer = gst_buffer_make_writable (*buffer);
  gst_buffer_replace_all_memory (*buffer, joined);
  return GST_FLOW_OK;
}

GstFlowReturn
gst_h264_feed_take (GstH264Feed *feed, GstBuffer *buffer, gboolean wants_pictures)
{
  GstFlowReturn ret = GST_FLOW_OK;

  feed->wants_pictures = wants_pictures;
  if (comes_again (feed, buffer)) {
    GST_DEBUG_OBJECT (feed->decoding->reports.element, "an access unit comes again: left out");
    gst_buffer_unref (buffer);
    return GST_FLOW_OK;
  }
  if (begins_part (feed, buffer))
    ret = gst_h264_decoding_begin_part (feed->decoding, buffer);
  feed->input.discont |= GST_BUFFER_IS_DISCONT (buffer);
  if (ret != GST_FLOW_OK) {
    gst_buffer_unref (buffer);
    return ret;
  }
  return decode_buffer (feed, buffer);
}
