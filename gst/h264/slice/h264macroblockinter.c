/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The macroblock layer (ITU-T H.264, 7.3.5) of macroblocks in P and B slices: types, reference indices and vector differences as
 * transmitted.  Vectors are derived later (h264mbmotion.h).
 */
#include "h264macroblockinter.h"
#include "h264coding.h"
#include "h264macroblock.h"
#include "h264mbedges.h"
#include "h264memory.h"
#include "h264pair.h"

#define L0 H264_PRED_L0
#define L1 H264_PRED_L1
#define BI (H264_PRED_L0 | H264_PRED_L1)

typedef struct
{
  guint8 shape;
  guint8 pred[2]; /* of the partitions; of quadrants 0, 1 and 2, 3 for 16x8, 0, 2 and 1, 3 for 8x16 */
} MbType;

/* Table 7-13 */
static const MbType mb_types_p[5] = {
  { H264_SHAPE_16x16, { L0, L0 } },
  { H264_SHAPE_16x8, { L0, L0 } },
  { H264_SHAPE_8x16, { L0, L0 } },
  { H264_SHAPE_8x8, { 0 } },
  { H264_SHAPE_8x8, { 0 } },
};
#define MB_TYPE_P_8x8ref0 4
#define N_MB_TYPES_P 5

/* Table 7-14 */
static const MbType mb_types_b[23] = {
  { H264_SHAPE_8x8, { 0 } },
  { H264_SHAPE_16x16, { L0, L0 } },
  { H264_SHAPE_16x16, { L1, L1 } },
  { H264_SHAPE_16x16, { BI, BI } },
  { H264_SHAPE_16x8, { L0, L0 } },
  { H264_SHAPE_8x16, { L0, L0 } },
  { H264_SHAPE_16x8, { L1, L1 } },
  { H264_SHAPE_8x16, { L1, L1 } },
  { H264_SHAPE_16x8, { L0, L1 } },
  { H264_SHAPE_8x16, { L0, L1 } },
  { H264_SHAPE_16x8, { L1, L0 } },
  { H264_SHAPE_8x16, { L1, L0 } },
  { H264_SHAPE_16x8, { L0, BI } },
  { H264_SHAPE_8x16, { L0, BI } },
  { H264_SHAPE_16x8, { L1, BI } },
  { H264_SHAPE_8x16, { L1, BI } },
  { H264_SHAPE_16x8, { BI, L0 } },
  { H264_SHAPE_8x16, { BI, L0 } },
  { H264_SHAPE_16x8, { BI, L1 } },
  { H264_SHAPE_8x16, { BI, L1 } },
  { H264_SHAPE_16x8, { BI, BI } },
  { H264_SHAPE_8x16, { BI, BI } },
  { H264_SHAPE_8x8, { 0 } },
};
#define N_MB_TYPES_B 23

typedef struct
{
  guint8 sub_shape;
  guint8 pred;
} SubMbType;

/* Table 7-17 */
static const SubMbType sub_mb_types_p[4] = { { H264_SUB_8x8, L0 }, { H264_SUB_8x4, L0 }, { H264_SUB_4x8, L0 }, { H264_SUB_4x4, L0 } };

/* Table 7-18 */
static const SubMbType sub_mb_types_b[13] = {
  { H264_SUB_8x8, H264_PRED_DIRECT },
  { H264_SUB_8x8, L0 },
  { H264_SUB_8x8, L1 },
  { H264_SUB_8x8, BI },
  { H264_SUB_8x4, L0 },
  { H264_SUB_4x8, L0 },
  { H264_SUB_8x4, L1 },
  { H264_SUB_4x8, L1 },
  { H264_SUB_8x4, BI },
  { H264_SUB_4x8, BI },
  { H264_SUB_4x4, L0 },
  { H264_SUB_4x4, L1 },
  { H264_SUB_4x4, BI },
};

/* Partitions of a macroblock (6.4.2.1): size in 4x4 blocks; first quadrant; their quadrants, as bytes of a word */
typedef struct
{
  guint8 n, width, height;
  guint8 quadrant[4];
  guint32 quadrants[4];
} Partitions;

static const Partitions mb_partitions[4] = {
  { 1, 4, 4, { 0 }, { 0xffffffff } },
  { 2, 4, 2, { 0, 2 }, { 0x0000ffff, 0xffff0000 } },
  { 2, 2, 4, { 0, 1 }, { 0x00ff00ff, 0xff00ff00 } },
  { 4, 2, 2, { 0, 1, 2, 3 }, { 0x000000ff, 0x0000ff00, 0x00ff0000, 0xff000000 } },
};

static inline guint
quadrant_cache (guint quadrant)
{
  return H264_CACHE ((quadrant & 1) * 2, (gint) (quadrant >> 1) * 2);
}

/* The same bytes for a row of @width blocks, 1, 2 or 4, of @size bytes each: stores of constant sizes */
static inline void
fill_row (void *to, guint64 bytes, guint width, guint size)
{
  if (width == 4)
    memcpy (to, &bytes, 4 * size);
  else if (width == 2)
    memcpy (to, &bytes, 2 * size);
  else
    memcpy (to, &bytes, size);
}

/* refIdxLX of partition @i, which is above 0, for ctxIdxInc of those after it */
static void
mark_ref_idx (H264SliceDecoder *dec, guint list, const Partitions *partitions, guint i, guint ref_idx)
{
  guint8 *row = &dec->ref_idx_gt[list][quadrant_cache (partitions->quadrant[i])];

  for (guint y = 0; y < partitions->height; y++)
    fill_row (row + y * 8, ref_idx > 1 ? 0x03030303 : 0x01010101, partitions->width, 1);
}

/* ref_idx_lX of the partitions that use list X; -1 of the others */
static void
read_ref_indices (H264SliceDecoder *dec, const Partitions *partitions, guint list)
{
  H264MbMotion *motion = dec->mb_motion;
  /* field macroblocks of MBAFF frames refer to fields */
  const guint max = ((guint) dec->sh->num_ref_idx_active[list] << (dec->mbaff && dec->pair.is_field)) - 1;
  guint32 ref_indices = 0xffffffff;

  for (guint i = 0; i < partitions->n; i++) {
    const guint quadrant = partitions->quadrant[i];
    guint ref_idx = 0;

    if (!(motion->pred[quadrant] & H264_PRED_L0 << list))
      continue;
    if (max > 0)
      ref_idx = dec->coding->ref_idx (dec, list, quadrant_cache (quadrant), max);
    ref_indices = (ref_indices & ~partitions->quadrants[i]) | (ref_idx * 0x01010101 & partitions->quadrants[i]);
    if (ref_idx > 0)
      mark_ref_idx (dec, list, partitions, i, ref_idx);
  }
  ref_indices = GUINT32_TO_LE (ref_indices);
  memcpy (motion->ref_idx[list], &ref_indices, sizeof (ref_indices));
}

/* mvd_lX of one (sub-)macroblock partition */
static void
read_mvd (H264SliceDecoder *dec, guint list, guint at, guint width, guint height)
{
  H264Mvd *mvd = &dec->mvds->mvds[dec->n_mvds++];
  guint64 clipped = 0;

  for (guint comp = 0; comp < 2; comp++) {
    const gint value = dec->coding->mvd (dec, list, at, comp);

    /* the range of vectors, -2048 to 2047.75 (A.3.1), bounds that of differences */
    if (value < -16384 || value > 16383)
      h264_slice_decoder_fail (dec, "mvd is out of range");
    mvd->mvd[comp] = (gint16) value;
    clipped |= (guint64) MIN (ABS (value), H264_MAX_ABS_MVD) << 8 * comp;
  }
  clipped *= 0x0001000100010001;
  for (guint y = 0; y < height; y++)
    fill_row (dec->abs_mvd[list][at + y * 8], clipped, width, 2);
}

/* mvd_lX of a whole quadrant in 8x8 shape */
static void
read_sub_mvds (H264SliceDecoder *dec, guint list, guint quadrant)
{
  const guint sub_shape = dec->mb_motion->sub_shape[quadrant];
  const guint width = h264_sub_mb_part_width (sub_shape), height = h264_sub_mb_part_height (sub_shape);

  for (guint y = 0; y < 2; y += height)
    for (guint x = 0; x < 2; x += width)
      read_mvd (dec, list, quadrant_cache (quadrant) + y * 8 + x, width, height);
}

/* mb_pred() and sub_mb_pred() behind the types */
static void
read_inter_prediction (H264SliceDecoder *dec, gboolean ref_idx_is_0)
{
  H264MbMotion *motion = dec->mb_motion;
  const Partitions *partitions = &mb_partitions[motion->shape];
  const guint n_lists = dec->sh->slice_type == H264_SLICE_B ? 2 : 1;

  memset (motion->ref_idx, -1, sizeof (motion->ref_idx));
  for (guint list = 0; list < n_lists; list++) {
    if (ref_idx_is_0)
      memset (motion->ref_idx[list], 0, 4);
    else
      read_ref_indices (dec, partitions, list);
  }
  /* room for all that a macroblock can have */
  motion->first_mvd = dec->n_mvds;
  if (G_UNLIKELY (dec->mvds->room < dec->n_mvds + 2 * 16)
      && !h264_try_reserve ((gpointer *) &dec->mvds->mvds, &dec->mvds->room, 2 * (gsize) dec->n_mvds + 1024, sizeof (H264Mvd))) {
    h264_slice_decoder_fail (dec, h264_no_memory);
    return;
  }
  for (guint list = 0; list < n_lists; list++) {
    for (guint i = 0; i < partitions->n; i++) {
      const guint quadrant = partitions->quadrant[i];

      if (!(motion->pred[quadrant] & H264_PRED_L0 << list))
        continue;
      if (motion->shape == H264_SHAPE_8x8)
        read_sub_mvds (dec, list, quadrant);
      else
        read_mvd (dec, list, quadrant_cache (quadrant), partitions->width, partitions->height);
    }
  }
}

static void
read_sub_mb_types (H264SliceDecoder *dec)
{
  H264MbMotion *motion = dec->mb_motion;

  for (guint quadrant = 0; quadrant < 4; quadrant++) {
    const SubMbType *type = dec->sh->slice_type == H264_SLICE_B ? &sub_mb_types_b[dec->coding->sub_mb_type_b (dec)]
                                                                : &sub_mb_types_p[dec->coding->sub_mb_type_p (dec)];

    motion->sub_shape[quadrant] = type->sub_shape;
    motion->pred[quadrant] = type->pred;
  }
}

/* Whether transform_size_8x8_flag may be there: no transform block may reach over partitions (noSubMbPartSizeLessThan8x8Flag) */
static gboolean
allows_8x8_transform (const H264SliceDecoder *dec)
{
  const H264MbMotion *motion = dec->mb_motion;

  if (motion->shape != H264_SHAPE_8x8)
    return TRUE;
  for (guint quadrant = 0; quadrant < 4; quadrant++) {
    if (motion->pred[quadrant] == H264_PRED_DIRECT ? !dec->sps->direct_8x8_inference_flag : motion->sub_shape[quadrant] != H264_SUB_8x8)
      return FALSE;
  }
  return TRUE;
}

static void
begin_inter (H264SliceDecoder *dec, guint kind)
{
  dec->mb->mb_class = GST_GPU_MB_INTER;
  dec->mb->available = 0;
  dec->mb_motion->kind = (guint8) kind;
  h264_mb_edges_set_intra (dec, FALSE);
}

static void
set_direct (H264MbMotion *motion)
{
  motion->shape = H264_SHAPE_8x8;
  memset (motion->pred, H264_PRED_DIRECT, 4);
  memset (motion->ref_idx, -1, sizeof (motion->ref_idx));
}

static void
read_residual_part (H264SliceDecoder *dec)
{
  dec->cbp = dec->coding->coded_block_pattern (dec, FALSE);
  if ((dec->cbp & 15) && dec->pps->transform_8x8_mode_flag && allows_8x8_transform (dec) && dec->coding->transform_size_8x8_flag (dec)) {
    dec->transform_size_8x8_flag = TRUE;
    dec->mb->flags |= GST_GPU_MB_TRANSFORM_8x8;
  }
  h264_macroblock_finish (dec);
}

static void
read_inter (H264SliceDecoder *dec, const MbType *type, gboolean ref_idx_is_0)
{
  H264MbMotion *motion = dec->mb_motion;

  begin_inter (dec, H264_MOTION_INTER);
  h264_mb_edges_load_motion (dec);
  motion->shape = type->shape;
  if (type->shape == H264_SHAPE_8x8)
    read_sub_mb_types (dec);
  else
    for (guint quadrant = 0; quadrant < 4; quadrant++)
      motion->pred[quadrant] = type->pred[type->shape == H264_SHAPE_16x8 ? quadrant >> 1 : quadrant & 1];
  read_inter_prediction (dec, ref_idx_is_0);
  read_residual_part (dec);
}

/* The motion of P_Skip and B_Skip, but for available */
static void
set_skipped_motion (const H264SliceDecoder *dec, H264MbMotion *motion)
{
  memset (motion, 0, sizeof (*motion));
  if (dec->sh->slice_type == H264_SLICE_P) {
    motion->kind = H264_MOTION_P_SKIP;
    memset (motion->ref_idx[1], -1, 4);
    memset (motion->pred, H264_PRED_L0, 4);
  } else {
    motion->kind = H264_MOTION_INTER;
    set_direct (motion);
  }
}

void
h264_macroblock_prepare_skipped (H264SliceDecoder *dec)
{
  GstGpuMb *mb = &dec->skipped_records.mb;

  memset (mb, 0, sizeof (*mb));
  mb->slice = dec->slice_index;
  mb->mb_class = GST_GPU_MB_INTER;
  mb->flags = dec->sh->field_pic_flag ? GST_GPU_MB_FIELD : 0;
  dec->mb = mb;
  h264_macroblock_set_qp (dec);
  set_skipped_motion (dec, &dec->skipped_records.motion);
}

/* Whether the macroblock, of a pair, is skipped; then it is done. */
static gboolean
read_skip_in_pair (H264SliceDecoder *dec)
{
  const guint available = dec->mb_motion->available;

  if (!h264_pair_read_skip (dec))
    return FALSE;
  begin_inter (dec, H264_MOTION_INTER);
  set_skipped_motion (dec, dec->mb_motion);
  dec->mb_motion->available = (guint8) available;
  dec->skipped = TRUE;
  dec->direct = dec->sh->slice_type == H264_SLICE_B;
  dec->last_mb_qp_delta = 0;
  h264_macroblock_set_qp (dec);
  return TRUE;
}

void
h264_macroblock_p (H264SliceDecoder *dec)
{
  guint mb_type;

  if (G_UNLIKELY (dec->mbaff) && read_skip_in_pair (dec))
    return;
  mb_type = dec->coding->mb_type_p (dec);
  if (mb_type >= N_MB_TYPES_P)
    h264_macroblock_intra (dec, mb_type - N_MB_TYPES_P);
  else
    read_inter (dec, &mb_types_p[mb_type], mb_type == MB_TYPE_P_8x8ref0);
}

void
h264_macroblock_b (H264SliceDecoder *dec)
{
  guint mb_type;

  if (G_UNLIKELY (dec->mbaff) && read_skip_in_pair (dec))
    return;
  mb_type = dec->coding->mb_type_b (dec);
  if (mb_type >= N_MB_TYPES_B) {
    h264_macroblock_intra (dec, mb_type - N_MB_TYPES_B);
  } else if (mb_type == 0) {
    begin_inter (dec, H264_MOTION_INTER);
    dec->direct = TRUE;
    set_direct (dec->mb_motion);
    read_residual_part (dec);
  } else {
    read_inter (dec, &mb_types_b[mb_type], FALSE);
  }
}
