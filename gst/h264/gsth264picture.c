/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gsth264picture.h"
#include "h264memory.h"

#include "gstarenapool.h"
#include "gstcoeffmeta.h"

#define GST_CAT_DEFAULT gst_h264_entropy_debug

GstH264Picture *
gst_h264_picture_new (void)
{
  GstH264Picture *picture = g_new0 (GstH264Picture, 1);

  picture->job = h264_picture_job_new ();
  return picture;
}

static void
unmap_arenas (GstH264Picture *picture)
{
  gst_memory_unmap (gst_buffer_peek_memory (picture->buffer, GST_CODED_MEMORY_HEADER), &picture->header);
  gst_memory_unmap (gst_buffer_peek_memory (picture->buffer, GST_CODED_MEMORY_COEFFS), &picture->coeffs);
}

void
gst_h264_picture_clear (GstH264Picture *picture)
{
  h264_picture_job_reset (picture->job);
  if (picture->buffer) {
    unmap_arenas (picture);
    gst_clear_buffer (&picture->buffer);
  }
  for (guint i = 0; i < GST_GPU_MAX_REFERENCES; i++)
    g_clear_pointer (&picture->references[i], gst_frame_store_unref);
  g_clear_pointer (&picture->store, gst_frame_store_unref);
  g_clear_pointer (&picture->actions, g_array_unref);
  memset (&picture->state, 0, sizeof (picture->state));
  picture->damage = NULL;
  picture->ran_on = picture->skipped = FALSE;
}

void
gst_h264_picture_free (GstH264Picture *picture)
{
  gst_h264_picture_clear (picture);
  h264_picture_job_free (picture->job);
  g_free (picture);
}

/* FALSE: @picture has no buffer then */
static gboolean
map_arenas (GstH264Picture *picture)
{
  GstMemory *header = gst_buffer_peek_memory (picture->buffer, GST_CODED_MEMORY_HEADER);

  if (gst_memory_map (header, &picture->header, GST_MAP_WRITE)) {
    if (gst_memory_map (gst_buffer_peek_memory (picture->buffer, GST_CODED_MEMORY_COEFFS), &picture->coeffs, GST_MAP_WRITE))
      return TRUE;
    gst_memory_unmap (header, &picture->header);
  }
  gst_clear_buffer (&picture->buffer);
  return FALSE;
}

GstFlowReturn
gst_h264_picture_begin (GstH264Picture *picture, const H264SliceHeader *sh, GstBufferPool *arena_pool, GstH264Reports *reports)
{
  const H264Sps *sps = sh->pps->sps;
  const GstFlowReturn ret = gst_buffer_pool_acquire_buffer (arena_pool, &picture->buffer, NULL);
  const gchar *error;

  if (ret != GST_FLOW_OK) {
    if (ret != GST_FLOW_FLUSHING)
      GST_ELEMENT_ERROR (reports->element, RESOURCE, NO_SPACE_LEFT,
          ("No memory for coded pictures of %ux%u.", sps->pic_width_in_mbs * 16, sps->FrameHeightInMbs * 16), (NULL));
    return ret;
  }
  if (!map_arenas (picture)) {
    GST_ELEMENT_ERROR (reports->element, RESOURCE, WRITE, ("The memory of a coded picture cannot be written."), (NULL));
    return GST_FLOW_ERROR;
  }
  if (h264_picture_job_begin (picture->job, sh, picture->header.data, picture->header.size, picture->coeffs.data, picture->coeffs.size,
          &error))
    return GST_FLOW_OK;
  if (error == h264_no_memory)
    return gst_h264_reports_fail_no_memory (reports);
  GST_ELEMENT_ERROR (reports->element, STREAM, FAILED, ("A picture cannot be decoded: %s.", error), (NULL));
  return GST_FLOW_ERROR;
}

GstFlowReturn
gst_h264_picture_grow (GstH264Picture *picture, GstBufferPool *arena_pool, guint n_slices, GstH264Reports *reports)
{
  GstMemory *header = gst_arena_pool_alloc_header (GST_ARENA_POOL (arena_pool), n_slices);
  GstMapInfo map;

  if (!header)
    return gst_h264_reports_fail_no_memory (reports);
  if (!gst_memory_map (header, &map, GST_MAP_WRITE)) {
    gst_memory_unref (header);
    return gst_h264_reports_fail_no_memory (reports);
  }
  GST_DEBUG_OBJECT (reports->element, "a picture gets room for %u slices", n_slices);
  /* of the same format, it cannot be too small */
  (void) h264_picture_job_move_header (picture->job, map.data, map.size);
  gst_memory_unmap (gst_buffer_peek_memory (picture->buffer, GST_CODED_MEMORY_HEADER), &picture->header);
  gst_buffer_replace_memory (picture->buffer, GST_CODED_MEMORY_HEADER, header);
  picture->header = map;
  return GST_FLOW_OK;
}

const H264SliceHeader *
gst_h264_picture_header (const GstH264Picture *picture)
{
  return &h264_picture_job_slice (picture->job, 0)->header;
}

void
gst_h264_picture_set_references (GstH264Picture *picture, const GstH264Frames *frames)
{
  const H264References *references = &picture->job->references;

  for (guint i = 0; i < references->n; i++) {
    const GstH264Frame *frame = gst_h264_frames_find (frames, references->numbers[i]);

    picture->references[i] = frame ? gst_frame_store_ref (frame->store) : NULL;
  }
}

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

static guint64
count_slice_bytes (const H264PictureJob *job)
{
  guint64 n_bytes = 0;

  for (guint i = 0; i < job->n_slices; i++)
    n_bytes += h264_picture_job_slice (job, i)->nal_size;
  return n_bytes;
}

static void
set_inter (GstH264Picture *picture, GstCodedPicture *coded)
{
  const H264PictureJob *job = picture->job;

  coded->has_inter = TRUE;
  coded->n_references = job->references.n;
  for (guint i = 0; i < job->references.n; i++)
    coded->references[i] = g_steal_pointer (&picture->references[i]);
}

static GstCodedPicture *
make_coded_picture (GstH264Picture *picture, const guint first[GST_GPU_N_KINDS + 1])
{
  const H264PictureJob *job = picture->job;
  const H264SliceHeader *sh = gst_h264_picture_header (picture);
  const H264Sps *sps = sh->pps->sps;
  GstCodedPicture *coded = gst_coded_picture_new (picture->store);

  coded->pending = find_pending_stages (picture, first);
  coded->first_sound = picture->recovery.first_sound;
  coded->n_colour_planes = job->n_colour_planes;
  coded->n_slices = job->n_slices;
  coded->slice_bytes = count_slice_bytes (job);
  for (guint plane = 0; plane < job->n_colour_planes; plane++) {
    coded->layout[plane] = job->layout[plane];
    coded->params[plane] = (GstGpuPicture){
      .width_in_mbs = job->target.width_in_mbs,
      .height_in_mbs = job->target.height_in_mbs,
      .chroma_array_type = sps->ChromaArrayType,
      .bit_depth_luma = sps->bit_depth_luma,
      .bit_depth_chroma = sps->chroma_format_idc == 0 ? sps->bit_depth_luma : sps->bit_depth_chroma,
      .field_pic = sh->field_pic_flag ? 1u + sh->bottom_field_flag : 0,
      .mbaff = sh->MbaffFrameFlag,
      .n_slices = job->n_slices,
      .slices_contiguous = h264_picture_job_slices_contiguous (job),
    };
  }
  if (job->has_inter)
    set_inter (picture, coded);
  if (picture->actions)
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
gst_h264_picture_take_buffer (GstH264Picture *picture)
{
  const guint *first = picture->state.first;
  GstCodedPicture *coded = make_coded_picture (picture, first);

  picture->store->fields |= h264_slice_structure (gst_h264_picture_header (picture));
  add_coeff_meta (picture, first);
  gst_buffer_add_coded_picture_meta (picture->buffer, coded);
  gst_coded_picture_unref (coded);
  unmap_arenas (picture);
  GST_BUFFER_PTS (picture->buffer) = picture->store->pts;
  GST_BUFFER_DTS (picture->buffer) = picture->dts;
  GST_BUFFER_DURATION (picture->buffer) = picture->store->duration;
  return g_steal_pointer (&picture->buffer);
}
