/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264slicerecord.h"
#include <string.h>

static gboolean
find_reference (H264References *references, guint32 number, guint *index)
{
  for (*index = 0; *index < references->n; (*index)++)
    if (references->numbers[*index] == number)
      return TRUE;
  if (references->n == GST_GPU_MAX_REFERENCES) {
    *index = 0;
    return FALSE;
  }
  references->numbers[references->n++] = number;
  return TRUE;
}

static gboolean
fill_references (GstGpuInterSlice *record, const H264RefLists *lists, H264References *references)
{
  gboolean ok = TRUE;
  guint index;

  for (guint list = 0; list < 2; list++)
    for (guint i = 0; i < lists->n[list]; i++) {
      const H264RefPic *pic = &lists->list[list][i];

      ok &= find_reference (references, pic->number, &index);
      record->reference[list][i] = (gst_gpu_u8) index;
      if (pic->structure == H264_TOP_FIELD)
        record->reference[list][i] |= GST_GPU_REFERENCE_TOP;
      else if (pic->structure == H264_BOTTOM_FIELD)
        record->reference[list][i] |= GST_GPU_REFERENCE_BOTTOM;
    }
  return ok;
}

/* 8.4.2.3: explicit mode */
static void
fill_explicit_weights (GstGpuInterSlice *record, const H264SliceHeader *sh)
{
  const H264PredWeightTable *table = &sh->pred_weight_table;
  const H264Sps *sps = sh->pps->sps;

  record->luma_log2_weight_denom = table->luma_log2_weight_denom;
  record->chroma_log2_weight_denom = table->chroma_log2_weight_denom;
  for (guint list = 0; list < 2; list++)
    for (guint i = 0; i < sh->num_ref_idx_active[list]; i++)
      for (guint plane = 0; plane < 3; plane++) {
        const guint depth = plane == 0 ? sps->bit_depth_luma : sps->bit_depth_chroma;

        record->weight[list][i][plane] = table->weight[list][i][plane];
        record->offset[list][i][plane] = (gst_gpu_i16) (table->offset[list][i][plane] * (1 << (depth - 8)));
      }
}

/* 8.4.2.3.1: w1 - 32; w1 is 32 where one of the pictures is a long-term one, the distances are equal, or the weight would be out of its
 * range */
static gst_gpu_i8
implicit_weight (gint32 poc, gint32 poc0, gint32 poc1, gboolean long_term)
{
  const gint scale = h264_dist_scale_factor (poc, poc0, poc1, long_term);

  if (scale == H264_NO_SCALING || scale >> 2 < -64 || scale >> 2 > 128)
    return 0;
  return (gst_gpu_i8) ((scale >> 2) - GST_GPU_IMPLICIT_WEIGHT_BIAS);
}

static void
fill_implicit_weights (GstGpuInterSlice *record, const H264RefLists *lists, const H264RefPic *current)
{
  for (guint i = 0; i < lists->n[0]; i++)
    for (guint j = 0; j < lists->n[1]; j++) {
      const H264RefPic *pic0 = &lists->list[0][i], *pic1 = &lists->list[1][j];

      record->implicit_weight[0][i][j] = implicit_weight (h264_ref_pic_poc (current), h264_ref_pic_poc (pic0), h264_ref_pic_poc (pic1),
          pic0->long_term || pic1->long_term);
    }
}

/* The same for field macroblocks of MBAFF frames, which refer to fields by their own distances */
static void
fill_field_implicit_weights (GstGpuInterSlice *record, const H264RefLists *lists, const H264RefPic *current)
{
  for (guint parity = 0; parity < 2; parity++)
    for (guint i = 0; i < 2u * lists->n[0]; i++)
      for (guint j = 0; j < 2u * lists->n[1]; j++)
        record->implicit_weight[1 + parity][i][j] = implicit_weight (current->poc[parity], h264_ref_field_poc (lists->list[0], i, parity),
            h264_ref_field_poc (lists->list[1], j, parity), lists->list[0][i >> 1].long_term || lists->list[1][j >> 1].long_term);
}

gboolean
h264_inter_slice_fill (GstGpuInterSlice *record, const H264SliceHeader *sh, const H264RefLists *lists, const H264RefPic *current,
    H264References *references)
{
  /* the last tables are for MBAFF frames alone, and long */
  memset (record, 0, offsetof (GstGpuInterSlice, implicit_weight[1]));
  if (sh->slice_type == H264_SLICE_B ? sh->pps->weighted_bipred_idc == 1 : sh->pps->weighted_pred_flag) {
    record->weighting = GST_GPU_WEIGHT_EXPLICIT;
    fill_explicit_weights (record, sh);
  } else if (sh->slice_type == H264_SLICE_B && sh->pps->weighted_bipred_idc == 2) {
    record->weighting = GST_GPU_WEIGHT_IMPLICIT;
    fill_implicit_weights (record, lists, current);
    if (sh->MbaffFrameFlag)
      fill_field_implicit_weights (record, lists, current);
  }
  return fill_references (record, lists, references);
}

void
h264_slice_record_fill (GstGpuSlice *record, const H264SliceHeader *sh)
{
  H264WeightScales scales;

  memset (record, 0, sizeof (*record));
  record->first_mb = h264_slice_first_mb (sh);
  record->slice_type = sh->slice_type == H264_SLICE_SI ? GST_GPU_SLICE_I
      : sh->slice_type == H264_SLICE_SP                ? GST_GPU_SLICE_P
                                                       : sh->slice_type;
  record->disable_deblocking_filter_idc = sh->disable_deblocking_filter_idc;
  record->filter_offset_a = sh->FilterOffsetA;
  record->filter_offset_b = sh->FilterOffsetB;
  record->colour_plane_id = sh->colour_plane_id;
  record->chroma_qp_index_offset[0] = sh->pps->chroma_qp_index_offset[0];
  record->chroma_qp_index_offset[1] = sh->pps->chroma_qp_index_offset[1];
  h264_pps_get_weight_scales (sh->pps, sh->pps->sps->separate_colour_plane_flag ? sh->colour_plane_id : 0, &scales);
  memcpy (record->weight_scale_4x4, scales.weight_scale_4x4, sizeof (record->weight_scale_4x4));
  memcpy (record->weight_scale_8x8, scales.weight_scale_8x8, sizeof (record->weight_scale_8x8));
}
