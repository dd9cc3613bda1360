/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-gpuqpdelta
 * @title: gpuqpdelta
 * @short_description: mb_qp_delta in the place of QP
 *
 * Takes QP out of the records of macroblocks and leaves mb_qp_delta in their place (ITU-T H.264, 7.4.5), as a decoder would have them that
 * adds nothing up on the CPU.  gpuqp, as the next element, finds QP again on the device.  Works on the CPU, before anything is on the
 * device.  For experiments.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 filesrc location=a.264 ! h264parse ! h264entropy ! gpuqpdelta ! gpuqp ! gpuidct ! gpuinterpred ! gpuintrapred ! \
 *     gpudeblock ! fakesink
 * ]|
 *
 * Since: 0.1
 */
#include "gstcodedpicture.h"
#include "gstgpuqpdelta.h"
#include "qp.h"

struct _GstGpuQpDelta
{
  GstBaseTransform parent;
};

G_DEFINE_TYPE (GstGpuQpDelta, gst_gpu_qp_delta, GST_TYPE_BASE_TRANSFORM);
GST_ELEMENT_REGISTER_DEFINE (gpuqpdelta, "gpuqpdelta", GST_RANK_NONE, GST_TYPE_GPU_QP_DELTA);

static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS (GST_CODED_PICTURE_MEDIA_TYPE));
static GstStaticPadTemplate src_template =
    GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS (GST_CODED_PICTURE_MEDIA_TYPE));

/* Whether @count records of @size bytes at @offset lie in @map */
static gboolean
fits (const GstMapInfo *map, guint64 offset, gsize count, gsize size)
{
  return offset <= map->size && count <= (map->size - offset) / size;
}

/* FALSE where the records do not lie in the header arena */
static gboolean
replace_qp (const GstCodedPicture *picture, const GstMapInfo *header)
{
  for (guint i = 0; i < picture->n_colour_planes; i++) {
    const GstGpuPicture *params = &picture->params[i];
    const GstGpuLayout *layout = &picture->layout[i];
    gsize n_mbs = (gsize) params->width_in_mbs * params->height_in_mbs;
    GstGpuMb *mbs = (GstGpuMb *) (header->data + layout->mbs);

    if (!fits (header, layout->mbs, n_mbs, sizeof (GstGpuMb)) || !fits (header, layout->slices, picture->n_slices, sizeof (GstGpuSlice)))
      return FALSE;
    for (gsize k = 0; k < n_mbs; k++)
      if (mbs[k].slice >= picture->n_slices)
        return FALSE;
    gpu_reference_qp_deltas (params, mbs, (const GstGpuSlice *) (header->data + layout->slices), n_mbs);
  }
  return TRUE;
}

/* The records are written in place; the buffer stays as it is. */
static GstFlowReturn
gst_gpu_qp_delta_transform_ip (GstBaseTransform *trans, GstBuffer *buffer)
{
  GstCodedPicture *picture = gst_buffer_get_coded_picture (buffer);
  GstMapInfo header;
  gboolean ok;

  if (!picture || gst_buffer_n_memory (buffer) < 1
      || !gst_memory_map (gst_buffer_peek_memory (buffer, GST_CODED_MEMORY_HEADER), &header, GST_MAP_READWRITE)) {
    GST_ELEMENT_ERROR (trans, STREAM, FORMAT, ("A buffer has no coded picture that can be written."), (NULL));
    return GST_FLOW_ERROR;
  }
  ok = replace_qp (picture, &header);
  gst_memory_unmap (header.memory, &header);
  if (!ok) {
    GST_ELEMENT_ERROR (trans, STREAM, FORMAT, ("The records of a coded picture lie outside its memory."), (NULL));
    return GST_FLOW_ERROR;
  }
  picture->pending |= GST_CODED_STAGE_EXTRA;
  picture->extra_stage = "gpuqp";

  return GST_FLOW_OK;
}

static void
gst_gpu_qp_delta_class_init (GstGpuQpDeltaClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "mb_qp_delta in the place of QP", "Filter/Decoder/Video",
      "For experiments: leaves mb_qp_delta in the records of coded pictures, for gpuqp", GST_GPU_CODEC_AUTHOR);
  GST_BASE_TRANSFORM_CLASS (klass)->transform_ip = gst_gpu_qp_delta_transform_ip;
  GST_BASE_TRANSFORM_CLASS (klass)->transform_ip_on_passthrough = TRUE;
}

/* Passed through as they are: the memories come from the next element's pool, and the query for it has to reach that one. */
static void
gst_gpu_qp_delta_init (GstGpuQpDelta *self)
{
  gst_base_transform_set_passthrough (GST_BASE_TRANSFORM (self), TRUE);
}
