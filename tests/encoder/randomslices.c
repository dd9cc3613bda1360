/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "randomslices.h"
#include "reconstruction.h"
#include "slicegroups.h"
#include "slicewriter.h"

static gboolean
one_in (GRand *rand, gint n)
{
  return g_rand_int_range (rand, 0, n) == 0;
}

static void
choose_deblocking (ModelSlice *slice, GRand *rand)
{
  slice->disable_deblocking_filter_idc = (guint) g_rand_int_range (rand, 0, 3);
  for (guint i = 0; i < 2; i++)
    slice->filter_offsets[i] = 2 * g_rand_int_range (rand, -6, 7);
}

guint
random_slices_cut (PictureModel *picture, GRand *rand, guint MapUnitsInSliceGroup0)
{
  const guint n_groups = picture->pps.slice_groups ? picture->pps.slice_groups->n : 1, n_at_once = picture->mbaff ? 2 : 1;
  const gint length = one_in (rand, 3) ? 1000 : g_rand_int_range (rand, 2, 16); /* mean, of a slice */
  guint n_slices = 0;

  for (guint group = 0; group < n_groups; group++) {
    gboolean begins = TRUE;

    for (guint i = 0; i < picture->n_mbs; i += n_at_once) {
      if (slice_group_of_mb (picture, MapUnitsInSliceGroup0, i) != group)
        continue;
      if (begins || one_in (rand, length))
        choose_deblocking (&picture->slices[n_slices++], rand);
      begins = FALSE;
      for (guint k = 0; k < n_at_once; k++)
        picture->mbs[i + k].slice = n_slices - 1;
    }
  }
  return n_slices;
}

/* One of the bits of @mask */
static guint
random_bit (GRand *rand, guint mask)
{
  guint bit;

  do
    bit = (guint) g_rand_int_range (rand, 0, 9);
  while (!(mask >> bit & 1));
  return bit;
}

/* What the sum of magnitudes of a block's levels may be, so that scaled and transformed values stay within 8 + bitDepth bits (8.5.12) */
static gint
level_budget (const PictureModel *picture, const ModelMb *mb, guint plane)
{
  const gint depth = model_bit_depth (picture, plane), qP = model_qp (picture, mb, plane) + 3;

  if (model_is_bypass (picture, mb))
    return 1 << depth;
  return MAX (1, (1 << (depth + 4)) / (29 << (qP / 6)));
}

/* Mostly small levels of any density, and now and then a large one */
static void
fill_levels (GRand *rand, gint32 *levels, guint n, gint budget, gboolean at_least)
{
  const gint density = g_rand_int_range (rand, 0, 13);

  for (guint i = 0; i < n; i++) {
    gint magnitude = one_in (rand, 4) ? g_rand_int_range (rand, 1, one_in (rand, 4) ? 1000 : 8) : 1;

    levels[i] = 0;
    magnitude = MIN (magnitude, budget);
    if (g_rand_int_range (rand, 0, 16) >= density || magnitude == 0)
      continue;
    levels[i] = g_rand_boolean (rand) ? magnitude : -magnitude;
    budget -= magnitude;
    at_least = FALSE;
  }
  if (at_least)
    levels[g_rand_int_range (rand, 0, (gint) n)] = -1;
}

static void
fill_luma (PictureModel *picture, GRand *rand, ModelMb *mb, guint plane)
{
  const guint n_dc = model_is_intra_16x16 (mb) ? 1 : 0;
  const gint budget = level_budget (picture, mb, plane);

  if (n_dc > 0)
    fill_levels (rand, mb->dc[plane], 16, budget, FALSE);
  for (guint blk = 0; blk < 16; blk++) {
    if (!(mb->cbp >> (blk / 4) & 1))
      continue;
    if (!mb->transform_size_8x8_flag)
      fill_levels (rand, mb->blocks[plane][blk] + n_dc, 16 - n_dc, budget, FALSE);
    else if (blk % 4 == 0)
      /* where CABAC has no coded_block_flag for it, such a block is never empty */
      fill_levels (rand, mb->blocks_8x8[plane][blk / 4], 64, budget, picture->pps.cabac && picture->ChromaArrayType != 3);
  }
}

static void
fill_residual (PictureModel *picture, GRand *rand, ModelMb *mb)
{
  const guint n_blocks = model_chroma_blocks (picture);

  fill_luma (picture, rand, mb, 0);
  if (picture->ChromaArrayType == 3) {
    fill_luma (picture, rand, mb, 1);
    fill_luma (picture, rand, mb, 2);
  }
  for (guint plane = 1; plane < 3 && mb->cbp >> 4 != 0; plane++) {
    const gint budget = level_budget (picture, mb, plane);

    fill_levels (rand, mb->dc[plane], n_blocks, budget, FALSE);
    for (guint blk = 0; mb->cbp >> 4 == 2 && blk < n_blocks; blk++)
      fill_levels (rand, mb->blocks[plane][blk] + 1, 15, budget, FALSE);
  }
}

/* 7.4.5.  A lossless stream is so for the most part. */
static void
choose_qp (PictureModel *picture, GRand *rand, ModelMb *mb)
{
  const gint offset = 6 * (gint) picture->sps.bit_depth_luma_minus8, QPY_PRED = mb->QPY;

  if (!model_is_intra_16x16 (mb) && mb->cbp == 0)
    return;
  if (picture->sps.lossless && QPY_PRED != -offset && !one_in (rand, 3))
    mb->mb_qp_delta = -offset - QPY_PRED;
  else if (one_in (rand, picture->sps.lossless ? 6 : 3))
    mb->mb_qp_delta = g_rand_int_range (rand, -(26 + offset / 2), 26 + offset / 2);
  mb->mb_qp_delta = CLAMP (mb->mb_qp_delta, -(26 + offset / 2), 25 + offset / 2);
  mb->QPY = (QPY_PRED + mb->mb_qp_delta + 52 + 2 * offset) % (52 + offset) - offset;
}

static void
choose_pcm (PictureModel *picture, GRand *rand, ModelMb *mb)
{
  mb->mb_type = MB_TYPE_I_PCM;
  mb->cbp = 0x2f;
  for (guint i = 0; i < G_N_ELEMENTS (mb->pcm); i++)
    mb->pcm[i] = (guint16) g_rand_int_range (rand, 0, 1 << model_bit_depth (picture, i >= 256));
}

static void
choose_intra (PictureModel *picture, GRand *rand, guint mbAddr)
{
  ModelMb *mb = &picture->mbs[mbAddr];

  for (guint i = 0; i < 4; i++)
    mb->ref_idx[i] = -1;
  if (one_in (rand, 12)) {
    choose_pcm (picture, rand, mb);
    return;
  }
  mb->cbp = model_chroma_blocks (picture) > 0 ? (guint) g_rand_int_range (rand, 0, 3) << 4 : 0;
  if (model_chroma_blocks (picture) > 0)
    mb->intra_chroma_pred_mode = random_bit (rand, legal_chroma_modes (picture, mbAddr));
  if (one_in (rand, 3)) {
    mb->cbp |= g_rand_boolean (rand) ? 15 : 0;
    mb->mb_type = MB_TYPE_I_16x16 (random_bit (rand, legal_16x16_modes (picture, mbAddr)), mb->cbp);
    return;
  }
  mb->mb_type = MB_TYPE_I_NxN;
  mb->cbp |= (guint) g_rand_int_range (rand, 0, 16);
  mb->transform_size_8x8_flag = picture->pps.transform_8x8 && g_rand_boolean (rand);
  for (guint blk = 0; blk < 16; blk++)
    mb->pred_modes[blk] = mb->transform_size_8x8_flag && blk % 4 != 0
        ? mb->pred_modes[blk - 1]
        : (guint8) random_bit (rand, legal_nxn_modes (picture, mbAddr, blk, mb->transform_size_8x8_flag ? 8 : 4));
}

/* A vector for the blocks of a partition, which begins with @blk; returns their bit mask. */
static guint
set_vector (ModelMb *mb, guint blk, const gint mv[2], const gint mvp[2])
{
  guint blocks = 0;

  for (guint y = 0; y < model_mb_part_height (mb); y++)
    for (guint x = 0; x < model_mb_part_width (mb); x++) {
      const guint at = model_blk_at (model_blk_x (blk) + x, model_blk_y (blk) + y);

      blocks |= 1u << at;
      for (guint compIdx = 0; compIdx < 2; compIdx++) {
        mb->mv[at][compIdx] = mv[compIdx];
        mb->mvd[at][compIdx] = mv[compIdx] - mvp[compIdx];
      }
    }
  return blocks;
}

static void
choose_vectors (PictureModel *picture, GRand *rand, guint mbAddr)
{
  ModelMb *mb = &picture->mbs[mbAddr];
  guint known = 0;

  for (guint part = 0; part < model_n_mb_parts (mb); part++) {
    const guint blk = model_mb_part_blk (mb, part);
    gint mv[2], mvp[2];

    predict_vector (picture, mbAddr, blk, known, mvp);
    for (guint compIdx = 0; compIdx < 2; compIdx++) {
      mv[compIdx] = mvp[compIdx];
      if (!one_in (rand, 3))
        mv[compIdx] += one_in (rand, 6) ? g_rand_int_range (rand, -200, 201) : g_rand_int_range (rand, -9, 10);
      mv[compIdx] = CLAMP (mv[compIdx], -250, 250);
    }
    known |= set_vector (mb, blk, mv, mvp);
  }
}

static void
choose_inter (PictureModel *picture, GRand *rand, guint mbAddr)
{
  ModelMb *mb = &picture->mbs[mbAddr];

  mb->mb_type = MB_TYPE_P_L0_16x16 + (guint) g_rand_int_range (rand, 0, 4);
  for (guint part = 0; part < model_n_mb_parts (mb); part++) {
    const guint blk = model_mb_part_blk (mb, part);
    const gint ref_idx = g_rand_int_range (rand, 0, (gint) model_n_references (picture, mb));

    for (guint y = 0; y < model_mb_part_height (mb); y += 2)
      for (guint x = 0; x < model_mb_part_width (mb); x += 2)
        mb->ref_idx[model_blk_at (model_blk_x (blk) + x, model_blk_y (blk) + y) / 4] = ref_idx;
  }
  choose_vectors (picture, rand, mbAddr);
  mb->cbp = one_in (rand, 3) ? 0 : (guint) g_rand_int_range (rand, 0, 16);
  if (model_chroma_blocks (picture) > 0)
    mb->cbp |= (guint) g_rand_int_range (rand, 0, 3) << 4;
  mb->transform_size_8x8_flag = mb->cbp % 16 != 0 && picture->pps.transform_8x8 && g_rand_boolean (rand);
}

static void
choose_skip (PictureModel *picture, guint mbAddr)
{
  ModelMb *mb = &picture->mbs[mbAddr];
  gint mv[2];

  mb->mb_type = MB_TYPE_P_Skip;
  vector_of_skip (picture, mbAddr, mv);
  (void) set_vector (mb, 0, mv, mv);
}

/* @QPY: of the macroblock before it in the slice */
static void
fill_macroblock (PictureModel *picture, GRand *rand, guint mbAddr, gboolean skip, gint QPY)
{
  ModelMb *mb = &picture->mbs[mbAddr];

  *mb = (ModelMb){ .slice = mb->slice, .field = mb->field, .QPY = QPY };
  if (skip)
    choose_skip (picture, mbAddr);
  else if (picture->p_slices && !one_in (rand, 3))
    choose_inter (picture, rand, mbAddr);
  else
    choose_intra (picture, rand, mbAddr);
  if (mb->mb_type != MB_TYPE_I_PCM && mb->mb_type != MB_TYPE_P_Skip) {
    choose_qp (picture, rand, mb);
    fill_residual (picture, rand, mb);
  }
  reconstruct_macroblock (picture, mbAddr);
}

void
random_slices_fill (PictureModel *picture, GRand *rand, guint slice)
{
  const gint skips = g_rand_int_range (rand, 1, 8);
  gint QPY = picture->SliceQPY;
  gboolean skip[2] = { FALSE, FALSE };

  for (guint i = model_first_of_slice (picture, slice); i < picture->n_mbs; i = model_next_in_slice (picture, i)) {
    const guint lower = picture->mbaff ? i % 2 : 0;

    if (lower == 0) {
      for (guint k = 0; k < 2; k++)
        skip[k] = picture->p_slices && one_in (rand, skips);
      if (picture->mbaff)
        picture->mbs[i].field = picture->mbs[i + 1].field = skip[0] && skip[1] ? model_inferred_field (picture, i) : g_rand_boolean (rand);
    }
    fill_macroblock (picture, rand, i, skip[lower], QPY);
    QPY = picture->mbs[i].QPY;
  }
}
