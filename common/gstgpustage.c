/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:gstgpustage
 * @title: GstGpuStage
 * @short_description: base class of the stages that rebuild coded pictures
 *
 * A subclass says which #GstCodedStages bit is its own and how to do that work; this class does everything that has to do with pads.
 */
#include "gstgpustage.h"
#include "gstpeercaps.h"
#include "gstoutputlist-private.h"
#include "gstrawcaps-private.h"
#include "gststagechecks-private.h"
#include "gststageoutput-private.h"
#include "gststagesurfaces-private.h"

GST_DEBUG_CATEGORY_STATIC (gst_gpu_stage_debug);
#define GST_CAT_DEFAULT gst_gpu_stage_debug

#define RAW_FORMATS                                                                                              \
  "{ I420, Y42B, Y444, GRAY8, GBR, I420_10LE, I422_10LE, Y444_10LE, GRAY16_LE, GBR_10LE, I420_12LE, I422_12LE, " \
  "Y444_12LE, GBR_12LE, P016_LE, Y444_16LE, ARGB64 }"

/* What a stage asks of the one before it, in the ALLOCATION query: parameters of the meta GST_CODED_PICTURE_META_API_TYPE */
#define SURFACES_STRUCTURE "GstCodedSurfaces"

static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS (GST_CODED_PICTURE_CAPS));

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS,
    GST_STATIC_CAPS (
        GST_VIDEO_CAPS_MAKE_WITH_FEATURES ("memory:OpenCL", RAW_FORMATS) ";" GST_VIDEO_CAPS_MAKE (RAW_FORMATS) ";" GST_CODED_PICTURE_CAPS));

typedef struct
{
  GstPad *sinkpad, *srcpad;

  /* with the object lock: the CAPS query reads them from any thread */
  GstCaps *coded_caps; /* NULL before the first CAPS event */
  GstCodedFormat format;

  /* of the streaming thread */
  gboolean negotiated;
  gboolean raw;        /* this stage ends the decoding */
  gboolean unfinished; /* nobody downstream ends it: the row was cut off here */
  GstVideoInfo info;
  gboolean device_memory;
  guint downstream_surfaces; /* frames that downstream wants to hold at once; atomic: upstream's query may come while this goes to READY */
  GstStageSurfaces surfaces;
  GstOutputList output_list;
  GstStageOutput output;
  GstFlowReturn event_flow; /* what came of output that an event asked for; the next picture returns it */

} GstGpuStagePrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (GstGpuStage, gst_gpu_stage, GST_TYPE_ELEMENT,
    G_ADD_PRIVATE (GstGpuStage) GST_DEBUG_CATEGORY_INIT (gst_gpu_stage_debug, "gpustage", 0, "base class of the GPU stages"));

#define PRIVATE(stage) ((GstGpuStagePrivate *) gst_gpu_stage_get_instance_private (stage))

static gboolean
gst_gpu_stage_create_surface_pool (GstGpuStage *self)
{
  GstGpuStagePrivate *priv = PRIVATE (self);
  guint n_surfaces = priv->format.n_surfaces + (guint) g_atomic_int_get (&priv->downstream_surfaces);
  GstBufferPool *pool = GST_GPU_STAGE_GET_CLASS (self)->create_surface_pool (self, &priv->format, n_surfaces);

  return pool && gst_stage_surfaces_take_pool (&priv->surfaces, pool, &priv->format);
}

/* (transfer full): what the source pad can do: everything, or, when the input is known, its raw formats and the very same coded pictures */
static GstCaps *
gst_gpu_stage_get_src_caps (GstGpuStage *self)
{
  GstGpuStagePrivate *priv = PRIVATE (self);
  GstCaps *raw_caps = GST_GPU_STAGE_GET_CLASS (self)->get_raw_caps (self);
  GstCaps *caps;

  GST_OBJECT_LOCK (self);
  if (priv->coded_caps) {
    caps = gst_raw_caps_new (&priv->format, priv->coded_caps, raw_caps);
    gst_caps_append (caps, gst_caps_copy (priv->coded_caps));
  } else {
    GstCaps *template_caps = gst_static_pad_template_get_caps (&src_template);

    caps = gst_caps_intersect_full (raw_caps, template_caps, GST_CAPS_INTERSECT_FIRST);
    gst_caps_append (caps, gst_static_pad_template_get_caps (&sink_template));
    gst_caps_unref (template_caps);
  }
  GST_OBJECT_UNLOCK (self);
  gst_caps_unref (raw_caps);

  return caps;
}

/* (transfer full) (nullable): the caps that downstream likes best of those that this stage can give */
static GstCaps *
gst_gpu_stage_choose_caps (GstGpuStage *self)
{
  GstGpuStagePrivate *priv = PRIVATE (self);
  GstCaps *possible = gst_gpu_caps_for_peer (priv->srcpad, gst_gpu_stage_get_src_caps (self));
  GstCaps *wanted = gst_pad_peer_query_caps (priv->srcpad, possible);
  GstCaps *caps = gst_caps_intersect_full (wanted, possible, GST_CAPS_INTERSECT_FIRST);

  GST_DEBUG_OBJECT (self, "can do %" GST_PTR_FORMAT ", downstream takes %" GST_PTR_FORMAT, possible, wanted);
  if (gst_caps_is_empty (caps)) {
    GST_ELEMENT_ERROR (self, CORE, NEGOTIATION, ("The next element takes neither coded pictures nor a raw format of this stream."),
        ("possible are %" GST_PTR_FORMAT, possible));
    gst_clear_caps (&caps);
  } else {
    caps = gst_caps_fixate (caps);
  }
  gst_caps_unref (possible);
  gst_caps_unref (wanted);

  return caps;
}

/* How many frames @query, answered by downstream, asks for: of raw video the buffers that it keeps, else what the next stage has been
 * asked for */
static guint
gst_gpu_stage_read_downstream_surfaces (GstGpuStage *self, GstQuery *query, gboolean raw)
{
  guint n_surfaces = 0, index;

  if (raw) {
    for (guint i = 0; i < gst_query_get_n_allocation_pools (query); i++) {
      guint min;

      gst_query_parse_nth_allocation_pool (query, i, NULL, NULL, &min, NULL);
      n_surfaces = MAX (n_surfaces, min);
    }
  } else if (gst_query_find_allocation_meta (query, GST_CODED_PICTURE_META_API_TYPE, &index)) {
    const GstStructure *params = NULL;

    gst_query_parse_nth_allocation_meta (query, index, &params);
    if (params)
      gst_structure_get_uint (params, "min", &n_surfaces);
  }

  /* a wish from outside: nobody holds more frames than this on purpose */
  return MIN (n_surfaces, 1024);
}

static gboolean
gst_gpu_stage_decide_allocation (GstGpuStage *self, GstCaps *caps)
{
  GstGpuStagePrivate *priv = PRIVATE (self);
  GstGpuStageClass *klass = GST_GPU_STAGE_GET_CLASS (self);
  GstQuery *query = gst_query_new_allocation (caps, priv->raw);
  gboolean ret = TRUE;

  if (!gst_pad_peer_query (priv->srcpad, query)) {
    gst_query_unref (query);
    /* whoever is behind was not asked: to take that for an answer would stay as it is behind the flush */
    if (GST_PAD_IS_FLUSHING (priv->srcpad))
      return FALSE;
    GST_DEBUG_OBJECT (self, "downstream says nothing about allocation");
    query = gst_query_new_allocation (caps, priv->raw);
  }
  g_atomic_int_set (&priv->downstream_surfaces, gst_gpu_stage_read_downstream_surfaces (self, query, priv->raw));
  priv->unfinished = !priv->raw && !gst_query_find_allocation_meta (query, GST_CODED_PICTURE_META_API_TYPE, NULL);
  if (priv->raw && klass->decide_allocation)
    ret = klass->decide_allocation (self, query, &priv->info, priv->device_memory);
  gst_query_unref (query);

  return ret;
}

static gboolean
gst_gpu_stage_negotiate (GstGpuStage *self)
{
  GstGpuStagePrivate *priv = PRIVATE (self);
  GstCaps *caps = gst_gpu_stage_choose_caps (self);
  gboolean ret = FALSE;

  priv->negotiated = FALSE;
  if (!caps)
    return FALSE;

  priv->raw = !gst_structure_has_name (gst_caps_get_structure (caps, 0), GST_CODED_PICTURE_MEDIA_TYPE);
  if (priv->raw && !gst_video_info_from_caps (&priv->info, caps)) {
    GST_ELEMENT_ERROR (self, CORE, NEGOTIATION, ("The next element asks for raw video that does not exist."), ("%" GST_PTR_FORMAT, caps));
  } else {
    priv->device_memory = !gst_caps_features_is_equal (gst_caps_get_features (caps, 0), GST_CAPS_FEATURES_MEMORY_SYSTEM_MEMORY);
    ret = gst_pad_set_caps (priv->srcpad, caps) && gst_gpu_stage_decide_allocation (self, caps);
    priv->negotiated = ret;
  }
  gst_caps_unref (caps);

  return ret;
}

/* Whether frames of @a and @b are samples of the same kind, so that one can be shown as the other */
static gboolean
has_same_samples (const GstCodedFormat *a, const GstCodedFormat *b)
{
  return a->codec == b->codec && a->width == b->width && a->height == b->height && a->coded_width == b->coded_width
      && a->coded_height == b->coded_height && a->crop_x == b->crop_x && a->crop_y == b->crop_y
      && a->chroma_format_idc == b->chroma_format_idc && a->separate_colour_planes == b->separate_colour_planes
      && a->bit_depth_luma == b->bit_depth_luma && a->bit_depth_chroma == b->bit_depth_chroma;
}

/* Of pictures of another size, the entropy stage has told what to do with each frame before the caps changed.  Where only what is said of
 * the pictures changes, the sequence may go on, and frames wait on. */
static void
forget_frames_before (GstGpuStage *self, const GstCodedFormat *format)
{
  GstGpuStagePrivate *priv = PRIVATE (self);
  guint n_lost;

  if (priv->coded_caps && has_same_samples (&priv->format, format))
    return;
  n_lost = gst_output_list_forget (&priv->output_list);
  if (n_lost > 0)
    GST_WARNING_OBJECT (self, "caps change while %u frames wait for output", n_lost);
}

static gboolean
gst_gpu_stage_sink_caps (GstGpuStage *self, GstCaps *caps)
{
  GstGpuStagePrivate *priv = PRIVATE (self);
  GstCodedFormat format;

  if (priv->negotiated && gst_caps_is_equal (caps, priv->coded_caps))
    return TRUE;
  if (!gst_coded_format_from_caps (&format, caps)) {
    GST_ELEMENT_ERROR (self, STREAM, FORMAT, ("The caps of the coded pictures are incomplete or contradict themselves."),
        ("%" GST_PTR_FORMAT, caps));
    return FALSE;
  }

  forget_frames_before (self, &format);
  gst_stage_surfaces_drop_pool (&priv->surfaces);
  GST_OBJECT_LOCK (self);
  priv->format = format;
  gst_caps_replace (&priv->coded_caps, caps);
  GST_OBJECT_UNLOCK (self);

  if (!GST_GPU_STAGE_GET_CLASS (self)->set_format (self, &format))
    return FALSE;

  gst_pad_check_reconfigure (priv->srcpad);
  if (!gst_gpu_stage_negotiate (self)) {
    gst_pad_mark_reconfigure (priv->srcpad);
    return FALSE;
  }
  return TRUE;
}

static GstFlowReturn
gst_gpu_stage_output (GstGpuStage *self, GstFrameStore *store)
{
  GstGpuStagePrivate *priv = PRIVATE (self);
  GstBuffer *buffer;

  if (!priv->negotiated)
    return GST_FLOW_NOT_NEGOTIATED;
  if (!gst_stage_output_prepare (&priv->output, store)) {
    GST_DEBUG_OBJECT (self, "frame %u is outside of the segment, or damaged, and not shown", store->number);
    return GST_FLOW_OK;
  }
  buffer = GST_GPU_STAGE_GET_CLASS (self)->create_output (self, store, &priv->info, priv->device_memory);
  if (!buffer)
    return GST_PAD_IS_FLUSHING (priv->srcpad) ? GST_FLOW_FLUSHING : GST_FLOW_ERROR;

  GST_LOG_OBJECT (self, "output of frame %u, %" GST_TIME_FORMAT, store->number, GST_TIME_ARGS (store->pts));
  return gst_stage_output_push (&priv->output, buffer, store);
}

/* After the first failure nothing is pushed any more, but the list is kept in order. */
static GstFlowReturn
gst_gpu_stage_execute (GstGpuStage *self, const GArray *actions)
{
  GstGpuStagePrivate *priv = PRIVATE (self);
  GstFlowReturn ret = GST_FLOW_OK;

  for (guint i = 0; i < actions->len; i++) {
    const GstCodedAction *action = &g_array_index (actions, GstCodedAction, i);
    GstFrameStore *store = gst_output_list_take (&priv->output_list, action->number);

    if (!store) {
      /* a frame that was shown is gone from the list, and its discarding says nothing new */
      if (action->output)
        GST_WARNING_OBJECT (self, "frame %u shall be output and never came", action->number);
      continue;
    }
    if (action->output && ret == GST_FLOW_OK)
      ret = gst_gpu_stage_output (self, store);
    gst_frame_store_unref (store);
  }

  return ret;
}

/* The work of this stage, if @picture still needs it */
static GstFlowReturn
gst_gpu_stage_process (GstGpuStage *self, GstCodedPicture *picture, GstBuffer *buffer)
{
  GstGpuStagePrivate *priv = PRIVATE (self);
  GstElement *element = GST_ELEMENT (self);
  GstGpuStageClass *klass = GST_GPU_STAGE_GET_CLASS (self);
  GstFlowReturn ret;

  if (!gst_stage_check_unshared (element, buffer))
    return GST_FLOW_ERROR;
  if (!picture->store->surface) {
    if (!priv->surfaces.pool && !gst_gpu_stage_create_surface_pool (self))
      return GST_FLOW_ERROR;
    ret = gst_stage_surfaces_give (&priv->surfaces, picture->store, &priv->format);
    if (ret != GST_FLOW_OK)
      return ret;
  }
  if (!(picture->pending & klass->stage))
    return GST_FLOW_OK;
  if (!gst_stage_check_earlier (element, klass->stage, picture)
      || !gst_stage_check_codec (element, klass->stage, klass->codecs, priv->format.codec))
    return GST_FLOW_ERROR;

  ret = klass->process (self, picture, buffer);
  if (ret == GST_FLOW_OK)
    gst_coded_picture_stage_done (picture, klass->stage);

  return ret;
}

static GstFlowReturn
gst_gpu_stage_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  GstGpuStage *self = GST_GPU_STAGE (parent);
  GstGpuStagePrivate *priv = PRIVATE (self);
  GstCodedPicture *picture = gst_buffer_get_coded_picture (buffer);
  GstFlowReturn ret = priv->event_flow;

  priv->event_flow = GST_FLOW_OK;
  if (ret != GST_FLOW_OK) {
    gst_buffer_unref (buffer);
    return ret;
  }
  if (!picture) {
    GST_ELEMENT_ERROR (self, STREAM, FORMAT, ("A buffer carries no coded picture."), (NULL));
    ret = GST_FLOW_ERROR;
  } else if (gst_pad_check_reconfigure (priv->srcpad) || !priv->negotiated) {
    if (!priv->coded_caps || !gst_gpu_stage_negotiate (self)) {
      gst_pad_mark_reconfigure (priv->srcpad);
      ret = GST_PAD_IS_FLUSHING (priv->srcpad) ? GST_FLOW_FLUSHING : GST_FLOW_NOT_NEGOTIATED;
    }
  }
  if (ret == GST_FLOW_OK)
    ret = gst_gpu_stage_process (self, picture, buffer);
  if (ret == GST_FLOW_OK && !priv->raw) {
    /* or the next picture would wait for this one, which a sink may hold until the next one comes */
    if (priv->unfinished)
      gst_frame_store_flush (picture->store);
    return gst_pad_push (priv->srcpad, buffer);
  }

  if (ret == GST_FLOW_OK && !gst_stage_check_complete (GST_ELEMENT (self), priv->format.codec, picture))
    ret = GST_FLOW_ERROR;
  if (ret == GST_FLOW_OK) {
    gst_output_list_add (&priv->output_list, picture->store);
    ret = gst_gpu_stage_execute (self, picture->actions);
  }
  gst_buffer_unref (buffer);

  return ret;
}

/* The end of the decoding executes the actions; in between they go on. */
static gboolean
gst_gpu_stage_sink_actions (GstGpuStage *self, GstEvent *event, GArray *actions)
{
  GstGpuStagePrivate *priv = PRIVATE (self);

  if (!priv->raw)
    return gst_pad_push_event (priv->srcpad, event);

  gst_event_unref (event);
  priv->event_flow = gst_gpu_stage_execute (self, actions);
  return priv->event_flow == GST_FLOW_OK;
}

static gboolean
gst_gpu_stage_sink_event (GstPad *pad, GstObject *parent, GstEvent *event)
{
  GstGpuStage *self = GST_GPU_STAGE (parent);
  GstGpuStagePrivate *priv = PRIVATE (self);
  gboolean ret;
  GArray *actions;
  GstCaps *caps;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CAPS:
      gst_event_parse_caps (event, &caps);
      ret = gst_gpu_stage_sink_caps (self, caps);
      gst_event_unref (event);
      return ret;
    case GST_EVENT_CUSTOM_DOWNSTREAM:
      actions = gst_coded_actions_event_parse (event);
      if (!actions)
        break;
      ret = gst_gpu_stage_sink_actions (self, event, actions);
      g_array_unref (actions);
      return ret;
    case GST_EVENT_EOS:
      /* no buffer comes that could tell upstream */
      if (priv->event_flow <= GST_FLOW_NOT_NEGOTIATED)
        GST_ELEMENT_FLOW_ERROR (self, priv->event_flow);
      break;
    case GST_EVENT_FLUSH_START:
      ret = gst_pad_push_event (priv->srcpad, event);
      gst_stage_surfaces_set_flushing (&priv->surfaces, TRUE);
      gst_output_list_flush (&priv->output_list);
      return ret;
    case GST_EVENT_FLUSH_STOP:
      gst_output_list_forget (&priv->output_list);
      gst_stage_output_flush (&priv->output);
      priv->event_flow = GST_FLOW_OK;
      gst_stage_surfaces_set_flushing (&priv->surfaces, FALSE);
      break;
    default:
      break;
  }

  return gst_pad_event_default (pad, parent, event);
}

/* Offers the pool for coded pictures, and passes on how many surfaces downstream wants to hold. */
static gboolean
gst_gpu_stage_propose_allocation (GstGpuStage *self, GstQuery *query)
{
  GstGpuStagePrivate *priv = PRIVATE (self);
  GstGpuStageClass *klass = GST_GPU_STAGE_GET_CLASS (self);
  GstCodedFormat format;
  GstStructure *params;
  GstCaps *caps;
  gboolean need_pool;

  gst_query_parse_allocation (query, &caps, &need_pool);
  if (!caps || !gst_coded_format_from_caps (&format, caps))
    return FALSE;

  if (need_pool && klass->create_arena_pool) {
    GstBufferPool *pool = klass->create_arena_pool (self, &format);
    gsize size = gst_coded_format_coeffs_size (&format, 1);

    if (pool && size > 0 && size <= G_MAXUINT)
      gst_query_add_allocation_pool (query, pool, size, 0, 0);
    gst_clear_object (&pool);
  }
  params = gst_structure_new (SURFACES_STRUCTURE, "min", G_TYPE_UINT, g_atomic_int_get (&priv->downstream_surfaces), NULL);
  gst_query_add_allocation_meta (query, GST_CODED_PICTURE_META_API_TYPE, params);
  gst_query_add_allocation_meta (query, GST_COEFF_META_API_TYPE, NULL);
  gst_structure_free (params);

  return TRUE;
}

static void
gst_gpu_stage_answer_caps (GstQuery *query, GstCaps *caps)
{
  GstCaps *filter;

  gst_query_parse_caps (query, &filter);
  if (filter) {
    GstCaps *both = gst_caps_intersect_full (filter, caps, GST_CAPS_INTERSECT_FIRST);

    gst_query_set_caps_result (query, both);
    gst_caps_unref (both);
  } else {
    gst_query_set_caps_result (query, caps);
  }
  gst_caps_unref (caps);
}

static gboolean
gst_gpu_stage_sink_query (GstPad *pad, GstObject *parent, GstQuery *query)
{
  GstCodedFormat format;
  GstCaps *caps;

  switch (GST_QUERY_TYPE (query)) {
    case GST_QUERY_CAPS:
      gst_gpu_stage_answer_caps (query, gst_pad_get_pad_template_caps (pad));
      return TRUE;
    case GST_QUERY_ACCEPT_CAPS:
      gst_query_parse_accept_caps (query, &caps);
      gst_query_set_accept_caps_result (query, gst_coded_format_from_caps (&format, caps));
      return TRUE;
    case GST_QUERY_ALLOCATION:
      return gst_gpu_stage_propose_allocation (GST_GPU_STAGE (parent), query);
    default:
      return gst_pad_query_default (pad, parent, query);
  }
}

static gboolean
gst_gpu_stage_src_query (GstPad *pad, GstObject *parent, GstQuery *query)
{
  switch (GST_QUERY_TYPE (query)) {
    case GST_QUERY_CAPS:
      gst_gpu_stage_answer_caps (query, gst_gpu_stage_get_src_caps (GST_GPU_STAGE (parent)));
      return TRUE;
    default:
      return gst_pad_query_default (pad, parent, query);
  }
}

/* Back to what a stage in READY is: no format, no frames */
static void
gst_gpu_stage_reset (GstGpuStage *self)
{
  GstGpuStagePrivate *priv = PRIVATE (self);

  gst_output_list_forget (&priv->output_list);
  priv->event_flow = GST_FLOW_OK;
  gst_stage_surfaces_drop_pool (&priv->surfaces);
  priv->negotiated = FALSE;
  priv->raw = FALSE;
  gst_stage_output_reset (&priv->output);
  g_atomic_int_set (&priv->downstream_surfaces, 0);
  GST_OBJECT_LOCK (self);
  gst_clear_caps (&priv->coded_caps);
  GST_OBJECT_UNLOCK (self);
}

static GstStateChangeReturn
gst_gpu_stage_change_state (GstElement *element, GstStateChange transition)
{
  GstGpuStage *self = GST_GPU_STAGE (element);
  GstGpuStagePrivate *priv = PRIVATE (self);
  GstGpuStageClass *klass = GST_GPU_STAGE_GET_CLASS (self);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_NULL_TO_READY && klass->open && !klass->open (self))
    return GST_STATE_CHANGE_FAILURE;
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY) {
    /* the streaming thread may wait for one of these, and the pads cannot be deactivated before it returns */
    gst_stage_surfaces_set_flushing (&priv->surfaces, TRUE);
    gst_output_list_flush (&priv->output_list);
  }

  ret = GST_ELEMENT_CLASS (gst_gpu_stage_parent_class)->change_state (element, transition);

  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    gst_gpu_stage_reset (self);
  if (transition == GST_STATE_CHANGE_READY_TO_NULL && klass->close)
    klass->close (self);
  /* there will be no READY to NULL */
  if (transition == GST_STATE_CHANGE_NULL_TO_READY && ret == GST_STATE_CHANGE_FAILURE && klass->close)
    klass->close (self);

  return ret;
}

static void
gst_gpu_stage_finalize (GObject *object)
{
  GstGpuStage *self = GST_GPU_STAGE (object);

  gst_gpu_stage_reset (self);
  gst_output_list_clear (&PRIVATE (self)->output_list);

  G_OBJECT_CLASS (gst_gpu_stage_parent_class)->finalize (object);
}

static void
gst_gpu_stage_class_init (GstGpuStageClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  klass->codecs = 1u << GST_CODED_CODEC_H264;
  G_OBJECT_CLASS (klass)->finalize = gst_gpu_stage_finalize;
  element_class->change_state = gst_gpu_stage_change_state;
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
}

static void
gst_gpu_stage_init (GstGpuStage *self)
{
  GstGpuStagePrivate *priv = PRIVATE (self);

  gst_stage_surfaces_init (&priv->surfaces, GST_ELEMENT (self));
  gst_output_list_init (&priv->output_list);

  priv->sinkpad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (priv->sinkpad, gst_gpu_stage_chain);
  gst_pad_set_event_function (priv->sinkpad, gst_gpu_stage_sink_event);
  gst_pad_set_query_function (priv->sinkpad, gst_gpu_stage_sink_query);
  gst_element_add_pad (GST_ELEMENT (self), priv->sinkpad);

  priv->srcpad = gst_pad_new_from_static_template (&src_template, "src");
  gst_pad_set_query_function (priv->srcpad, gst_gpu_stage_src_query);
  gst_stage_output_init (&priv->output, priv->srcpad);
  gst_element_add_pad (GST_ELEMENT (self), priv->srcpad);
}
