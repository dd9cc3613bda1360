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
#include "gstframestore-private.h"
#include "gstoutputlist-private.h"
#include "gstrawcaps-private.h"

GST_DEBUG_CATEGORY_STATIC (gst_gpu_stage_debug);
#define GST_CAT_DEFAULT gst_gpu_stage_debug

#define RAW_FORMATS                                                                                              \
  "{ I420, Y42B, Y444, GRAY8, GBR, I420_10LE, I422_10LE, Y444_10LE, GRAY16_LE, GBR_10LE, I420_12LE, I422_12LE, " \
  "Y444_12LE, GBR_12LE, P016_LE, Y444_16LE, ARGB64 }"

/* What a stage asks of the one before it, in the ALLOCATION query: parameters of the meta GST_CODED_PICTURE_META_API_TYPE */
#define SURFACES_STRUCTURE "GstCodedSurfaces"

/* How long a picture is shown that does not say it, where it is asked whether that is in the segment: what GstVideoDecoder takes */
#define UNKNOWN_DURATION (40 * GST_MSECOND)

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
  gboolean discont;          /* of a picture that was outside of the segment, or left out: the next one has it */
  guint downstream_surfaces; /* frames that downstream wants to hold at once; atomic: upstream's query may come while this goes to READY */
  GstOutputList output_list;
  gboolean not_linked_said;
  GstFlowReturn event_flow; /* what came of output that an event asked for; the next picture returns it */

  GstBufferPool *surface_pool; /* with the object lock, for FLUSH_START */
} GstGpuStagePrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (GstGpuStage, gst_gpu_stage, GST_TYPE_ELEMENT,
    G_ADD_PRIVATE (GstGpuStage) GST_DEBUG_CATEGORY_INIT (gst_gpu_stage_debug, "gpustage", 0, "base class of the GPU stages"));

#define PRIVATE(stage) ((GstGpuStagePrivate *) gst_gpu_stage_get_instance_private (stage))

/* (transfer full): the current surface pool, taken out of the stage */
static GstBufferPool *
gst_gpu_stage_steal_surface_pool (GstGpuStage *self)
{
  GstGpuStagePrivate *priv = PRIVATE (self);
  GstBufferPool *pool;

  GST_OBJECT_LOCK (self);
  pool = g_steal_pointer (&priv->surface_pool);
  GST_OBJECT_UNLOCK (self);

  return pool;
}

static void
gst_gpu_stage_drop_surface_pool (GstGpuStage *self)
{
  GstBufferPool *pool = gst_gpu_stage_steal_surface_pool (self);

  if (pool) {
    gst_buffer_pool_set_active (pool, FALSE);
    gst_object_unref (pool);
  }
}

static void
gst_gpu_stage_set_surface_pool_flushing (GstGpuStage *self, gboolean flushing)
{
  GstGpuStagePrivate *priv = PRIVATE (self);
  GstBufferPool *pool;

  GST_OBJECT_LOCK (self);
  pool = priv->surface_pool ? gst_object_ref (priv->surface_pool) : NULL;
  GST_OBJECT_UNLOCK (self);
  if (pool) {
    gst_buffer_pool_set_flushing (pool, flushing);
    gst_object_unref (pool);
  }
}

static gboolean
gst_gpu_stage_create_surface_pool (GstGpuStage *self)
{
  GstGpuStagePrivate *priv = PRIVATE (self);
  guint n_surfaces = priv->format.n_surfaces + (guint) g_atomic_int_get (&priv->downstream_surfaces);
  GstBufferPool *pool = GST_GPU_STAGE_GET_CLASS (self)->create_surface_pool (self, &priv->format, n_surfaces);

  if (!pool)
    return FALSE;
  if (!gst_buffer_pool_set_active (pool, TRUE)) {
    GST_ELEMENT_ERROR (self, RESOURCE, NO_SPACE_LEFT,
        ("Could not allocate surfaces of %dx%d samples.", priv->format.coded_width, priv->format.coded_height), (NULL));
    gst_object_unref (pool);
    return FALSE;
  }
  GST_OBJECT_LOCK (self);
  priv->surface_pool = pool;
  GST_OBJECT_UNLOCK (self);

  return TRUE;
}

static GstFlowReturn
gst_gpu_stage_give_surface (GstGpuStage *self, GstFrameStore *store)
{
  GstGpuStagePrivate *priv = PRIVATE (self);
  GstFlowReturn ret;

  if (!priv->surface_pool && !gst_gpu_stage_create_surface_pool (self))
    return GST_FLOW_ERROR;

  ret = gst_buffer_pool_acquire_buffer (priv->surface_pool, &store->surface, NULL);
  if (ret == GST_FLOW_ERROR)
    GST_ELEMENT_ERROR (self, RESOURCE, NO_SPACE_LEFT,
        ("Could not allocate a surface of %dx%d samples.", priv->format.coded_width, priv->format.coded_height), (NULL));
  return ret;
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
  gst_gpu_stage_drop_surface_pool (self);
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

static gboolean
is_corrupted (GstFrameStore *store)
{
  return ((store->buffer_flags | store->output_flags) & GST_BUFFER_FLAG_CORRUPTED) != 0 || gst_frame_store_has_failed (store);
}

/* Times, flags and foreign metas: what the frame store knows and the samples do not */
static GstBuffer *
gst_gpu_stage_decorate_output (GstBuffer *buffer, GstFrameStore *store)
{
  buffer = gst_buffer_make_writable (buffer);
  GST_BUFFER_PTS (buffer) = store->pts;
  GST_BUFFER_DTS (buffer) = GST_CLOCK_TIME_NONE;
  GST_BUFFER_DURATION (buffer) = store->duration;
  GST_BUFFER_FLAG_SET (buffer, store->buffer_flags | store->output_flags);
  if (store->fields == GST_FRAME_TOP_FIELD)
    GST_BUFFER_FLAG_SET (buffer, GST_VIDEO_BUFFER_FLAG_TOP_FIELD);
  else if (store->fields == GST_FRAME_BOTTOM_FIELD)
    GST_BUFFER_FLAG_SET (buffer, GST_VIDEO_BUFFER_FLAG_BOTTOM_FIELD);
  if (is_corrupted (store))
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_CORRUPTED);
  if (store->metas)
    gst_buffer_copy_into (buffer, store->metas, GST_BUFFER_COPY_META, 0, -1);

  return buffer;
}

/* Whether a part of the frame's time is in the segment; its times become those of that part, as GstVideoDecoder does it.  Pictures before
 * the segment are decoded for those in it, and may be shown by nobody: a sink that does not know their duration waits with them. */
static gboolean
gst_gpu_stage_clip (GstGpuStage *self, GstFrameStore *store)
{
  GstEvent *event = gst_pad_get_sticky_event (PRIVATE (self)->srcpad, GST_EVENT_SEGMENT, 0);
  const gboolean has_duration = GST_CLOCK_TIME_IS_VALID (store->duration);
  GstClockTime stop = store->pts + (has_duration ? store->duration : UNKNOWN_DURATION);
  const GstSegment *segment;
  gboolean inside = TRUE;

  if (!event)
    return TRUE;
  gst_event_parse_segment (event, &segment);
  if (segment->format == GST_FORMAT_TIME && GST_CLOCK_TIME_IS_VALID (store->pts)
      && (inside = gst_segment_clip (segment, GST_FORMAT_TIME, store->pts, stop, &store->pts, &stop)) && has_duration)
    store->duration = stop - store->pts;
  gst_event_unref (event);
  return inside;
}

/* Else all that is seen of it is an error of the source, and that one speaks of its own pad. */
static void
gst_gpu_stage_post_not_linked (GstGpuStage *self)
{
  GstGpuStagePrivate *priv = PRIVATE (self);

  if (priv->not_linked_said)
    return;
  priv->not_linked_said = TRUE;
  GST_ELEMENT_WARNING (self, CORE, PAD,
      ("Nobody takes the decoded pictures: %s.",
          gst_pad_is_linked (priv->srcpad) ? "what is behind the last stage is linked to nothing"
                                           : "the source pad of the last stage is not linked"),
      ("the last stage is %s", GST_OBJECT_NAME (self)));
}

static GstFlowReturn
gst_gpu_stage_output (GstGpuStage *self, GstFrameStore *store)
{
  GstGpuStagePrivate *priv = PRIVATE (self);
  GstFlowReturn ret;
  GstBuffer *buffer;

  if (!priv->negotiated)
    return GST_FLOW_NOT_NEGOTIATED;
  priv->discont |= (store->output_flags & GST_BUFFER_FLAG_DISCONT) != 0;
  if (!gst_gpu_stage_clip (self, store)) {
    GST_LOG_OBJECT (self, "frame %u is outside of the segment", store->number);
    return GST_FLOW_OK;
  }
  if (!gst_frame_store_fill_missing_field (store))
    store->output_flags |= GST_BUFFER_FLAG_CORRUPTED;
  if (store->discard_corrupted && is_corrupted (store)) {
    GST_DEBUG_OBJECT (self, "frame %u is corrupted: discarded", store->number);
    priv->discont = TRUE;
    return GST_FLOW_OK;
  }
  if (priv->discont)
    store->output_flags |= GST_BUFFER_FLAG_DISCONT;
  priv->discont = FALSE;
  buffer = GST_GPU_STAGE_GET_CLASS (self)->create_output (self, store, &priv->info, priv->device_memory);
  if (!buffer)
    return GST_PAD_IS_FLUSHING (priv->srcpad) ? GST_FLOW_FLUSHING : GST_FLOW_ERROR;
  buffer = gst_gpu_stage_decorate_output (buffer, store);
  GST_LOG_OBJECT (self, "output of frame %u: %" GST_PTR_FORMAT, store->number, buffer);

  ret = gst_pad_push (priv->srcpad, buffer);
  if (ret == GST_FLOW_NOT_LINKED)
    gst_gpu_stage_post_not_linked (self);
  return ret;
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

/* A stage works on what the earlier ones left, and nobody comes after the one that negotiated raw video. */
static gboolean
gst_gpu_stage_check_earlier (GstGpuStage *self, GstCodedPicture *picture)
{
  guint stage = GST_GPU_STAGE_GET_CLASS (self)->stage;
  guint missing = picture->pending & (stage - 1);

  if (missing && (picture->pending & stage)) {
    gchar *elements = gst_coded_stages_name_elements (missing, picture->extra_stage);
    gchar *this_one = gst_coded_stages_name_elements (stage, NULL);

    GST_ELEMENT_ERROR (self, STREAM, DECODE,
        ("The pictures of this stream need another stage first: add %s before %s.", elements, this_one), (NULL));
    g_free (this_one);
    g_free (elements);
    return FALSE;
  }
  return TRUE;
}

/* Levels become residuals where they lie, and the picture's pending stages are counted down: nobody else may hold the buffer. */
static gboolean
gst_gpu_stage_check_unshared (GstGpuStage *self, GstBuffer *buffer)
{
  if (gst_buffer_is_writable (buffer))
    return TRUE;

  GST_ELEMENT_ERROR (self, CORE, NEGOTIATION,
      ("A coded picture is written in place by the next stage and cannot be shared: put the tee "
       "before h264entropy or after the last stage, not between two stages."),
      (NULL));

  return FALSE;
}

/* There is no element for what such a picture needs. */
static void
gst_gpu_stage_post_unknown_codec (GstGpuStage *self, guint missing)
{
  const gchar *codec = gst_coded_codec_get_name (PRIVATE (self)->format.codec);
  gchar *works = gst_coded_stages_name_works (missing);

  GST_ELEMENT_ERROR (self, STREAM, CODEC_NOT_FOUND,
      ("What rebuilds %s pictures is missing here: %s. %s cannot do it.", codec, works, GST_OBJECT_NAME (self)),
      ("stages 0x%x are pending", missing));
  g_free (works);
}

static gboolean
gst_gpu_stage_check_codec (GstGpuStage *self)
{
  GstGpuStageClass *klass = GST_GPU_STAGE_GET_CLASS (self);

  if (klass->codecs & 1u << PRIVATE (self)->format.codec)
    return TRUE;
  gst_gpu_stage_post_unknown_codec (self, klass->stage);

  return FALSE;
}

static gboolean
gst_gpu_stage_check_complete (GstGpuStage *self, GstCodedPicture *picture)
{
  gchar *elements;

  if (picture->pending == 0)
    return TRUE;

  /* the elements that come later know H.264 */
  if (PRIVATE (self)->format.codec != GST_CODED_CODEC_H264) {
    gst_gpu_stage_post_unknown_codec (self, picture->pending);
    return FALSE;
  }
  elements = gst_coded_stages_name_elements (picture->pending, picture->extra_stage);
  GST_ELEMENT_ERROR (self, STREAM, DECODE, ("The pictures of this stream are not complete here: add %s to the pipeline.", elements),
      ("stages 0x%x are pending and the source pad is linked to raw video", picture->pending));
  g_free (elements);

  return FALSE;
}

/* The work of this stage, if @picture still needs it */
static GstFlowReturn
gst_gpu_stage_process (GstGpuStage *self, GstCodedPicture *picture, GstBuffer *buffer)
{
  GstGpuStageClass *klass = GST_GPU_STAGE_GET_CLASS (self);
  GstFlowReturn ret;

  if (!gst_gpu_stage_check_unshared (self, buffer))
    return GST_FLOW_ERROR;
  if (!picture->store->surface) {
    ret = gst_gpu_stage_give_surface (self, picture->store);
    if (ret != GST_FLOW_OK)
      return ret;
  }
  if (!(picture->pending & klass->stage))
    return GST_FLOW_OK;
  if (!gst_gpu_stage_check_earlier (self, picture) || !gst_gpu_stage_check_codec (self))
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

  if (ret == GST_FLOW_OK && !gst_gpu_stage_check_complete (self, picture))
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
    case GST_EVENT_FLUSH_START:
      ret = gst_pad_push_event (priv->srcpad, event);
      gst_gpu_stage_set_surface_pool_flushing (self, TRUE);
      gst_output_list_flush (&priv->output_list);
      return ret;
    case GST_EVENT_FLUSH_STOP:
      gst_output_list_forget (&priv->output_list);
      priv->discont = FALSE;
      priv->event_flow = GST_FLOW_OK;
      gst_gpu_stage_set_surface_pool_flushing (self, FALSE);
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
  gst_gpu_stage_drop_surface_pool (self);
  priv->negotiated = FALSE;
  priv->raw = priv->discont = priv->not_linked_said = FALSE;
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
    gst_gpu_stage_set_surface_pool_flushing (self, TRUE);
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

  gst_output_list_init (&priv->output_list);

  priv->sinkpad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (priv->sinkpad, gst_gpu_stage_chain);
  gst_pad_set_event_function (priv->sinkpad, gst_gpu_stage_sink_event);
  gst_pad_set_query_function (priv->sinkpad, gst_gpu_stage_sink_query);
  gst_element_add_pad (GST_ELEMENT (self), priv->sinkpad);

  priv->srcpad = gst_pad_new_from_static_template (&src_template, "src");
  gst_pad_set_query_function (priv->srcpad, gst_gpu_stage_src_query);
  gst_element_add_pad (GST_ELEMENT (self), priv->srcpad);
}
