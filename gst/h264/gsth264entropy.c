/* SPDX-License-Identifier: LGPL-2.1-or-later */

/**
 * SECTION:element-h264entropy
 * @title: h264entropy
 * @short_description: the serial part of H.264 decoding
 *
 * Decodes what is serial in H.264: parameter sets, slice headers, picture order, CAVLC and CABAC.  Its output is not video but coded
 * pictures: a record for each macroblock and compacted lists of coefficient blocks, from which the stages behind it rebuild the samples on
 * an OpenCL device.
 *
 * Slices decode in parallel, and so do pictures, on @n-threads threads; in a live pipeline slices only.
 *
 * ## Example
 * |[
 * gst-launch-1.0 filesrc location=clip.mp4 ! qtdemux ! h264parse ! h264entropy ! gpuidct ! gpuinterpred ! gpuintrapred ! gpudeblock ! \
 *     gpucsc ! videoconvert ! autovideosink
 * ]|
 */
#include "gsth264entropy.h"

#include "gstdecodeproperties.h"

#define GST_CAT_DEFAULT gst_h264_entropy_debug

/* The properties are numbered from here on. */
#define FIRST_PROPERTY 1

/* auto becomes one of the others, which are the same */
G_STATIC_ASSERT ((gint) GST_OUTPUT_DELAY_CONFORMING == (gint) H264_OUTPUT_DELAY_CONFORMING);
G_STATIC_ASSERT ((gint) GST_OUTPUT_DELAY_OBSERVED == (gint) H264_OUTPUT_DELAY_OBSERVED);
G_STATIC_ASSERT ((gint) GST_OUTPUT_DELAY_NONE == (gint) H264_OUTPUT_DELAY_NONE);

/* Without alignment buffers might end anywhere, as a file's bytes do; but mxfdemux, which gives whole pictures, does not say it.  It
 * knows their size, as nothing does that gives bytes. */
static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS ("video/x-h264, stream-format=(string){ avc, avc3, byte-stream }, alignment=(string){ au, nal }; "
                     "video/x-h264, stream-format=(string)byte-stream, width=(int)[ 1, MAX ], height=(int)[ 1, MAX ]"));
static GstStaticPadTemplate src_template =
    GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS (GST_CODED_PICTURE_MEDIA_TYPE ", codec=(string)h264"));

G_DEFINE_TYPE (GstH264Entropy, gst_h264_entropy, GST_TYPE_ELEMENT);
GST_ELEMENT_REGISTER_DEFINE (h264entropy, "h264entropy", GST_RANK_NONE, GST_TYPE_H264_ENTROPY);

/* A source of bytes gives no caps, and cuts NAL units anywhere. */
static GstFlowReturn
refuse_without_caps (GstH264Entropy *self)
{
  GST_ELEMENT_ERROR (self, CORE, NEGOTIATION,
      ("The input has no caps that can be used, so nobody knows where its NAL units begin: put h264parse before h264entropy."), (NULL));
  return GST_FLOW_NOT_NEGOTIATED;
}

static gboolean
query_live (GstH264Entropy *self)
{
  GstQuery *query = gst_query_new_latency ();
  gboolean live = FALSE;

  if (gst_pad_peer_query (self->sinkpad, query))
    gst_query_parse_latency (query, &live, NULL, NULL);
  gst_query_unref (query);
  return live;
}

static gboolean
set_caps (GstH264Entropy *self, GstCaps *caps)
{
  const gboolean live = query_live (self);
  gint output_delay = g_atomic_int_get (&self->output_delay);

  if (output_delay == GST_OUTPUT_DELAY_AUTO)
    output_delay = live ? H264_OUTPUT_DELAY_OBSERVED : H264_OUTPUT_DELAY_CONFORMING;
  return gst_h264_decoding_set_caps (&self->decoding, caps, live, (H264OutputDelay) output_delay);
}

/* One buffer of a GOP that is played backwards, under the caps that it came with */
static GstFlowReturn
take_unit (GstH264Entropy *self, const GstH264Unit *unit)
{
  GstH264Decoding *decoding = &self->decoding;
  GstFlowReturn ret;

  if (!gst_h264_stream_has_caps (&decoding->stream, unit->caps) && !set_caps (self, unit->caps))
    return GST_FLOW_NOT_NEGOTIATED;
  ret = gst_h264_feed_take (&self->feed, gst_buffer_ref (unit->buffer), self->refusal == GST_FLOW_OK);
  gst_h264_reverse_note_unit (&decoding->reverse, self->feed.input.time_used, self->feed.input.left_out);
  return ret;
}

/* The piece that has been gathered for reverse playback is at its end: GOP by GOP, last one first. */
static GstFlowReturn
decode_gathered (GstH264Entropy *self)
{
  GstH264Reverse *reverse = &self->decoding.reverse;
  GstFlowReturn ret = GST_FLOW_OK;
  const GstH264Unit *unit;

  while (ret == GST_FLOW_OK && gst_h264_reverse_next_part (reverse)) {
    gst_h264_feed_restart (&self->feed);
    while (ret == GST_FLOW_OK && (unit = gst_h264_reverse_next_unit (reverse)))
      ret = take_unit (self, unit);
    ret = gst_h264_decoding_end_reverse_part (&self->decoding, ret);
  }
  return ret;
}

static void
check_framing (GstH264Entropy *self, GstBuffer *buffer)
{
  GstMapInfo map;

  if (!gst_buffer_map (buffer, &map, GST_MAP_READ))
    return;
  gst_h264_stream_check_framing (&self->decoding.stream, map.data, map.size);
  gst_buffer_unmap (buffer, &map);
}

/* In reverse playback, a buffer (transfer full) of a piece, which a DISCONT begins */
static GstFlowReturn
gather_buffer (GstH264Entropy *self, GstBuffer *buffer)
{
  GstH264Stream *stream = &self->decoding.stream;
  GstFlowReturn ret = GST_BUFFER_IS_DISCONT (buffer) ? decode_gathered (self) : GST_FLOW_OK;

  if (ret != GST_FLOW_OK) {
    gst_buffer_unref (buffer);
    return ret;
  }
  check_framing (self, buffer);
  if (!gst_h264_gops_gather (&self->decoding.reverse.gops, buffer, self->caps, stream->length_size, stream->aligned_to_units)
      && !self->too_large_said) {
    self->too_large_said = TRUE;
    GST_ELEMENT_WARNING (self, STREAM, DECODE, ("Pictures are left out: the stream has too few key pictures to be played backwards."),
        (NULL));
  }
  return GST_FLOW_OK;
}

/* What downstream does not take is no loss: where it takes pictures again, decoding begins anew.  Upstream may go on pushing meanwhile, as
 * demuxers do that have other streams. */
static void
note_refusal (GstH264Entropy *self, GstFlowReturn ret)
{
  gst_h264_decoding_abandon (&self->decoding);
  if (ret != GST_FLOW_FLUSHING)
    self->refusal = ret;
  if (ret != GST_FLOW_NOT_LINKED || self->not_linked_said || gst_pad_is_linked (self->srcpad))
    return;
  self->not_linked_said = TRUE;
  GST_ELEMENT_WARNING (self, CORE, PAD,
      ("Nobody takes the pictures: the source pad of h264entropy is not linked.  Stages that rebuild them belong behind it."), (NULL));
}

/* What came of buffers, or of the pictures that an event lets out.  Behind an error nothing comes: sources end the stream then, and what is
 * on its way would go out at that end. */
static void
note_flow (GstH264Entropy *self, GstFlowReturn ret)
{
  if (ret == GST_FLOW_NOT_LINKED || ret == GST_FLOW_EOS || ret == GST_FLOW_FLUSHING)
    note_refusal (self, ret);
  if (ret > GST_FLOW_NOT_NEGOTIATED)
    return;
  self->failed = TRUE;
  gst_h264_decoding_abandon (&self->decoding);
}

static GstFlowReturn
gst_h264_entropy_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  GstH264Entropy *self = GST_H264_ENTROPY (parent);
  GstFlowReturn ret;

  /* somebody has been linked */
  if (self->refusal == GST_FLOW_NOT_LINKED && GST_PAD_NEEDS_RECONFIGURE (self->srcpad))
    self->refusal = GST_FLOW_OK;
  if (!self->caps) {
    gst_buffer_unref (buffer);
    ret = refuse_without_caps (self);
  } else {
    ret = gst_h264_feed_join_memories (&self->feed, &buffer);
    if (ret == GST_FLOW_OK)
      ret = self->decoding.reverse.active ? gather_buffer (self, buffer)
                                          : gst_h264_feed_take (&self->feed, buffer, self->refusal == GST_FLOW_OK);
  }
  note_flow (self, ret);
  return ret == GST_FLOW_OK ? self->refusal : ret;
}

/* No piece comes any more that what has been gathered belongs behind. */
static GstFlowReturn
finish_reverse (GstH264Entropy *self)
{
  GstFlowReturn ret;

  if (!self->decoding.reverse.active)
    return GST_FLOW_OK;
  ret = decode_gathered (self);
  note_flow (self, ret);
  gst_h264_gops_forget_rest (&self->decoding.reverse.gops);
  /* units that waited came with older ones */
  if (self->caps && !gst_h264_stream_has_caps (&self->decoding.stream, self->caps))
    set_caps (self, self->caps);
  return ret;
}

static void
finish_stream (GstH264Entropy *self)
{
  const GstH264View *view = &self->decoding.view;
  GstFlowReturn ret = finish_reverse (self);

  if (ret == GST_FLOW_OK) {
    ret = gst_h264_decoding_drain (&self->decoding, GST_H264_DRAIN_SEQUENCE);
    note_flow (self, ret);
  }
  /* no buffer comes that could tell upstream */
  if (ret <= GST_FLOW_NOT_NEGOTIATED)
    GST_ELEMENT_FLOW_ERROR (self, ret);
  gst_h264_feed_restart (&self->feed);
  if (view->has_output)
    gst_h264_reports_tell_left_out (&self->decoding.reports);
  /* the end of what a flush drops says nothing of the stream */
  else if (!GST_PAD_IS_FLUSHING (self->srcpad) && !self->failed && self->refusal == GST_FLOW_OK && !self->decoding.trick.left_out)
    GST_ELEMENT_ERROR (self, STREAM, DECODE, ("No picture of the stream could be decoded: %s.", gst_h264_view_explain_no_output (view)),
        (NULL));
}

/* What serialised events, but for segments and tags, let pass.  Those that come when they come, as answers to force-key-unit events and
 * gaps for lost packets do, may be amid the slices of a picture. */
static GstH264Drain
get_drain_before (GstEvent *event)
{
  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_SEGMENT_DONE:
      return GST_H264_DRAIN_OUTPUT;
    case GST_EVENT_STREAM_GROUP_DONE:
      return GST_H264_DRAIN_PICTURES;
    default:
      return GST_H264_DRAIN_COMPLETE;
  }
}

/* Whether nothing of the stream that comes behind @event belongs to what came before it, in reverse playback */
static gboolean
ends_stretch (GstEvent *event)
{
  return GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START || GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT
      || GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT_DONE;
}

/* Whether downstream has another stream than the one that @event begins.  Upstream may send the same one again, where it goes on. */
static gboolean
is_other_stream (GstH264Entropy *self, GstEvent *event)
{
  GstEvent *last = gst_pad_get_sticky_event (self->srcpad, GST_EVENT_STREAM_START, 0);
  const gchar *last_id, *id;
  gboolean other;

  if (!last)
    return FALSE;
  gst_event_parse_stream_start (last, &last_id);
  gst_event_parse_stream_start (event, &id);
  other = g_strcmp0 (last_id, id) != 0;
  gst_event_unref (last);
  return other;
}

/* A segment waits for its first buffer, which tells what has to go out before it. */
static void
drain_before_event (GstH264Entropy *self, GstEvent *event)
{
  const GstSegment *segment;

  if (!GST_EVENT_IS_SERIALIZED (event))
    return;
  if (ends_stretch (event))
    (void) finish_reverse (self);
  /* what it is about comes behind what has been gathered, which may be all that comes for long */
  else if (GST_EVENT_TYPE (event) == GST_EVENT_GAP && self->decoding.reverse.active)
    note_flow (self, decode_gathered (self));
  if (GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START) {
    if (is_other_stream (self, event))
      gst_h264_decoding_begin_stream (&self->decoding);
    return;
  }
  if (GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT) {
    gst_event_parse_segment (event, &segment);
    self->refusal = GST_FLOW_OK;
    gst_h264_decoding_take_segment (&self->decoding, segment);
  } else {
    note_flow (self, gst_h264_decoding_drain (&self->decoding, get_drain_before (event)));
  }
}

static gboolean
take_caps (GstH264Entropy *self, GstCaps *caps)
{
  gboolean ok;

  if (self->decoding.reverse.active)
    note_flow (self, decode_gathered (self));
  ok = gst_h264_stream_has_caps (&self->decoding.stream, caps) || set_caps (self, caps);
  gst_caps_replace (&self->caps, ok ? caps : NULL);
  return ok;
}

/* What is asked to be left out changes before the next segment comes. */
static void
take_instant_rate_change (GstH264Entropy *self, GstEvent *event)
{
  GstSegmentFlags flags;

  gst_event_parse_instant_rate_change (event, NULL, &flags);
  gst_h264_decoding_set_trick_flags (&self->decoding, flags);
}

static gboolean
gst_h264_entropy_sink_event (GstPad *pad, GstObject *parent, GstEvent *event)
{
  GstH264Entropy *self = GST_H264_ENTROPY (parent);
  GstCaps *caps;
  gboolean ok;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CAPS:
      gst_event_parse_caps (event, &caps);
      ok = take_caps (self, caps);
      gst_event_unref (event);
      return ok;
    case GST_EVENT_INSTANT_RATE_CHANGE:
      take_instant_rate_change (self, event);
      break;
    case GST_EVENT_EOS:
      finish_stream (self);
      gst_h264_output_release_events (&self->decoding.output);
      break;
    case GST_EVENT_TAG:
      /* parsers send one with every picture whose size changes the bitrate: nothing waits for it, it waits for what came before */
      event = gst_h264_tags_complete (&self->decoding.tags, event);
      if (gst_h264_output_hold_event (&self->decoding.output, event) || gst_h264_decoding_delay_event (&self->decoding, event))
        return TRUE;
      break;
    case GST_EVENT_FLUSH_STOP:
      self->refusal = GST_FLOW_OK;
      gst_h264_feed_restart (&self->feed);
      gst_h264_decoding_flush (&self->decoding);
      gst_h264_output_flush_events (&self->decoding.output);
      break;
    default:
      drain_before_event (self, event);
      if (gst_h264_output_hold_event (&self->decoding.output, event))
        return TRUE;
      if (GST_EVENT_IS_SERIALIZED (event))
        gst_h264_output_release_late_events (&self->decoding.output);
      break;
  }
  return gst_pad_event_default (pad, parent, event);
}

static gboolean
query_latency (GstH264Entropy *self, GstPad *pad, GstObject *parent, GstQuery *query)
{
  GstClockTime min, max, latency;
  gboolean live;

  if (!gst_pad_query_default (pad, parent, query))
    return FALSE;
  gst_query_parse_latency (query, &live, &min, &max);
  latency = gst_h264_output_get_latency (&self->decoding.output);
  gst_query_set_latency (query, live, min + latency, GST_CLOCK_TIME_IS_VALID (max) ? max + latency : max);
  return TRUE;
}

static gboolean
gst_h264_entropy_src_query (GstPad *pad, GstObject *parent, GstQuery *query)
{
  if (GST_QUERY_TYPE (query) == GST_QUERY_LATENCY)
    return query_latency (GST_H264_ENTROPY (parent), pad, parent, query);
  return gst_pad_query_default (pad, parent, query);
}

static gboolean
gst_h264_entropy_src_event (GstPad *pad, GstObject *parent, GstEvent *event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_QOS)
    gst_h264_qos_take_event (&GST_H264_ENTROPY (parent)->decoding.qos, event);
  return gst_pad_event_default (pad, parent, event);
}

static void
start (GstH264Entropy *self)
{
  guint n_threads, reverse_memory;
  gboolean strict;

  GST_OBJECT_LOCK (self);
  n_threads = self->n_threads;
  reverse_memory = self->reverse_memory;
  strict = self->strict;
  self->decoding.counters.measures_time = self->measure_time;
  GST_OBJECT_UNLOCK (self);
  if (n_threads == 0)
    n_threads = CLAMP (g_get_num_processors (), 1, GST_DECODE_MAX_THREADS);
  gst_h264_decoding_start (&self->decoding, n_threads, strict);
  self->decoding.reverse.memory = (gsize) reverse_memory << 20;
  gst_h264_feed_start (&self->feed);
  self->failed = self->too_large_said = self->not_linked_said = FALSE;
  self->refusal = GST_FLOW_OK;
}

static void
stop (GstH264Entropy *self)
{
  gst_h264_feed_restart (&self->feed);
  gst_clear_caps (&self->caps);
  gst_h264_decoding_stop (&self->decoding);
}

static GstStateChangeReturn
gst_h264_entropy_change_state (GstElement *element, GstStateChange transition)
{
  GstH264Entropy *self = GST_H264_ENTROPY (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED)
    start (self);
  ret = GST_ELEMENT_CLASS (gst_h264_entropy_parent_class)->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY || (transition == GST_STATE_CHANGE_READY_TO_PAUSED && ret == GST_STATE_CHANGE_FAILURE))
    stop (self);
  return ret;
}

/* (nullable): where the boolean property @id is kept that may be set at any time */
static gint *
find_switch (GstH264Entropy *self, guint id)
{
  GstH264Decoding *decoding = &self->decoding;

  switch (id - FIRST_PROPERTY) {
    case GST_DECODE_PROPERTY_OUTPUT_CORRUPT:
      return &decoding->view.output_corrupt;
    case GST_DECODE_PROPERTY_QOS:
      return &decoding->qos.enabled;
    case GST_DECODE_PROPERTY_DISCARD_CORRUPTED_FRAMES:
      return &decoding->view.discard_corrupted;
    case GST_DECODE_PROPERTY_REQUEST_SYNC_POINTS:
      return &decoding->reports.requests_key_units;
    default:
      return NULL;
  }
}

/* (transfer full): what the threads have done so far */
static GstStructure *
get_stats (GstH264Entropy *self)
{
  H264DecodeCounters *counters = &self->decoding.counters;

  return gst_structure_new ("h264entropy-stats", "slices", G_TYPE_UINT64, atomic_load (&counters->n_slices), "time", G_TYPE_UINT64,
      atomic_load (&counters->time), NULL);
}

static void
gst_h264_entropy_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GstH264Entropy *self = GST_H264_ENTROPY (object);

  GST_OBJECT_LOCK (self);
  switch (id - FIRST_PROPERTY) {
    case GST_DECODE_PROPERTY_N_THREADS:
      self->n_threads = g_value_get_uint (value);
      break;
    case GST_DECODE_PROPERTY_STRICT:
      self->strict = g_value_get_boolean (value);
      break;
    case GST_DECODE_PROPERTY_KEY_UNIT_INTERVAL:
      self->decoding.reports.key_unit_interval = g_value_get_uint64 (value);
      break;
    case GST_DECODE_PROPERTY_REVERSE_MEMORY:
      self->reverse_memory = g_value_get_uint (value);
      break;
    case GST_DECODE_PROPERTY_OUTPUT_DELAY:
      g_atomic_int_set (&self->output_delay, g_value_get_enum (value));
      break;
    case GST_DECODE_PROPERTY_MAX_ERRORS:
      g_atomic_int_set (&self->decoding.reports.max_errors, g_value_get_int (value));
      break;
    case GST_DECODE_PROPERTY_MEASURE_TIME:
      self->measure_time = g_value_get_boolean (value);
      break;
    default:
      if (find_switch (self, id))
        g_atomic_int_set (find_switch (self, id), g_value_get_boolean (value));
      else
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_h264_entropy_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GstH264Entropy *self = GST_H264_ENTROPY (object);

  GST_OBJECT_LOCK (self);
  switch (id - FIRST_PROPERTY) {
    case GST_DECODE_PROPERTY_N_THREADS:
      g_value_set_uint (value, self->n_threads);
      break;
    case GST_DECODE_PROPERTY_STRICT:
      g_value_set_boolean (value, self->strict);
      break;
    case GST_DECODE_PROPERTY_KEY_UNIT_INTERVAL:
      g_value_set_uint64 (value, self->decoding.reports.key_unit_interval);
      break;
    case GST_DECODE_PROPERTY_REVERSE_MEMORY:
      g_value_set_uint (value, self->reverse_memory);
      break;
    case GST_DECODE_PROPERTY_OUTPUT_DELAY:
      g_value_set_enum (value, g_atomic_int_get (&self->output_delay));
      break;
    case GST_DECODE_PROPERTY_MAX_ERRORS:
      g_value_set_int (value, g_atomic_int_get (&self->decoding.reports.max_errors));
      break;
    case GST_DECODE_PROPERTY_MEASURE_TIME:
      g_value_set_boolean (value, self->measure_time);
      break;
    case GST_DECODE_PROPERTY_STATS:
      g_value_take_boxed (value, get_stats (self));
      break;
    default:
      if (find_switch (self, id))
        g_value_set_boolean (value, g_atomic_int_get (find_switch (self, id)));
      else
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_h264_entropy_class_init (GstH264EntropyClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (gst_h264_entropy_debug, "h264entropy", 0, "H.264 entropy decoding");
  object_class->set_property = gst_h264_entropy_set_property;
  object_class->get_property = gst_h264_entropy_get_property;
  element_class->change_state = gst_h264_entropy_change_state;

  gst_decode_properties_install (object_class, FIRST_PROPERTY);
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "H.264 entropy decoder", "Codec/Decoder/Video",
      "Decodes the serial part of H.264 into coded pictures for the GPU stages", GST_GPU_CODEC_AUTHOR);
}

static void
gst_h264_entropy_init (GstH264Entropy *self)
{
  self->sinkpad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sinkpad, gst_h264_entropy_chain);
  gst_pad_set_event_function (self->sinkpad, gst_h264_entropy_sink_event);
  gst_element_add_pad (GST_ELEMENT (self), self->sinkpad);
  self->srcpad = gst_pad_new_from_static_template (&src_template, "src");
  gst_pad_set_query_function (self->srcpad, gst_h264_entropy_src_query);
  gst_pad_set_event_function (self->srcpad, gst_h264_entropy_src_event);
  gst_element_add_pad (GST_ELEMENT (self), self->srcpad);
  gst_h264_decoding_init (&self->decoding, GST_ELEMENT (self), self->sinkpad, self->srcpad);
  gst_h264_feed_init (&self->feed, &self->decoding);
}
