/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A finished picture as the buffer that goes downstream: its coded picture, its metas, its times.
 */
#include "gstcoeffmeta.h"
#include "gsth264entropy.h"

static guint
find_pending_stages (const GstH264Picture *picture, const guint first[GST_GPU_N_KINDS + 1])
{
  guint pending = GST_CODED_STAGE_INTRAPRED, i;

  if (picture->job->has_inter)
    pending |= GST_CODED_STAGE_INTERPRED;
  if (first[GST_GPU_KIND_BYPASS4x4] > 0)
    pending |= GST_CODED_STAGE_IDCT;
  for (i = 0; i < picture->job->n_slices; i++)
    if (h264_picture_job_slice (picture->job, i)->header.disable_deblocking_filter_idc != 1)
      pending |= GST_CODED_STAGE_DEBLOCK;
  return pending;
}

static void
set_inter (GstH264Picture *picture, GstCodedPicture *coded)
{
  const H264PictureJob *job = picture->job;
  guint i;

  coded->has_inter = TRUE;
  coded->n_references = job->references.n;
  for (i = 0; i < job->references.n; i++)
    coded->references[i] = g_steal_pointer (&picture->references[i]);
}

static GstCodedPicture *
make_coded_picture (GstH264Picture *picture, const guint first[GST_GPU_N_KINDS + 1], guint32 first_sound)
{
  const H264PictureJob *job = picture->job;
  const H264SliceHeader *sh = &h264_picture_job_slice (job, 0)->header;
  const H264Sps *sps = sh->pps->sps;
  GstCodedPicture *coded = gst_coded_picture_new (picture->store);
  guint plane;

  coded->pending = find_pending_stages (picture, first);
  coded->first_sound = first_sound;
  coded->n_colour_planes = job->n_colour_planes;
  coded->n_slices = job->n_slices;
  for (plane = 0; plane < job->n_colour_planes; plane++) {
    coded->layout[plane] = job->layout[plane];
    coded->params[plane] = (GstGpuPicture) {
      .width_in_mbs = job->target.width_in_mbs,
      .height_in_mbs = job->target.height_in_mbs,
      .chroma_array_type = sps->ChromaArrayType,
      .bit_depth_luma = sps->bit_depth_luma,
      .bit_depth_chroma = sps->chroma_format_idc == 0 ? sps->bit_depth_luma : sps->bit_depth_chroma,
      .n_slices = job->n_slices,
      .slices_contiguous = h264_picture_job_slices_contiguous (job),
    };
  }
  if (job->has_inter)
    set_inter (picture, coded);
  if (picture->actions != NULL)
    g_array_append_vals (coded->actions, picture->actions->data, picture->actions->len);
  return coded;
}

static void
add_coeff_meta (GstH264Picture *picture, const guint first[GST_GPU_N_KINDS + 1])
{
  GstCoeffMeta *meta = gst_buffer_add_coeff_meta (picture->buffer);

  meta->n_segments = first[GST_GPU_N_KINDS];
  memcpy (meta->first, first, sizeof (meta->first));
  meta->coded_bytes = picture->job->arena.coded_bytes;
  meta->n_blocks = picture->job->arena.n_blocks;
}

GstBuffer *
gst_h264_entropy_make_buffer (GstH264Entropy *self, GstH264Picture *picture)
{
  const guint *first = picture->state.first;
  GstCodedPicture *coded = make_coded_picture (picture, first, self->recovery.first_sound);

  add_coeff_meta (picture, first);
  gst_buffer_add_coded_picture_meta (picture->buffer, coded);
  gst_coded_picture_unref (coded);
  gst_memory_unmap (gst_buffer_peek_memory (picture->buffer, GST_CODED_MEMORY_HEADER), &picture->header);
  gst_memory_unmap (gst_buffer_peek_memory (picture->buffer, GST_CODED_MEMORY_COEFFS), &picture->coeffs);
  GST_BUFFER_PTS (picture->buffer) = picture->store->pts;
  GST_BUFFER_DTS (picture->buffer) = picture->dts;
  GST_BUFFER_DURATION (picture->buffer) = picture->store->duration;
  return g_steal_pointer (&picture->buffer);
}
