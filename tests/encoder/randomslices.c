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
random_slices_cut (PictureModel *picture, GRand *rand, guint MapUnitsInSliceGroup0, const DecodedFrames *decoded)
{
  const guint n_groups = picture->pps.slice_groups ? picture->pps.slice_groups->n : 1, n_at_once = picture->mbaff ? 2 : 1;
  const gint length = one_in (rand, 3) ? 1000 : g_rand_int_range (rand, 2, 16); /* mean, of a slice */
  guint n_slices = 0;

  for (guint group = 0; group < n_groups; group++) {
    gboolean begins = TRUE;

    for (guint i = 0; i < picture->n_mbs; i += n_at_once) {
      if (slice_group_of_mb (picture, MapUnitsInSliceGroup0, i) != group)
        continue;
      if (begins || one_in (rand, length)) {
        choose_deblocking (&picture->slices[n_slices], rand);
        choose_reference_lists (&picture->slices[n_slices++], picture, decoded, rand);
      }
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

/* A vector for the blocks of a partition */
static void
set_vector (ModelMb *mb, guint list, guint blocks, const gint mv[2], const gint mvp[2])
{
  for (guint blk = 0; blk < 16; blk++)
    for (guint compIdx = 0; compIdx < 2 && (blocks >> blk & 1); compIdx++) {
      mb->mv[list][blk][compIdx] = mv[compIdx];
      mb->mvd[list][blk][compIdx] = mv[compIdx] - mvp[compIdx];
    }
}

static void
choose_vector (GRand *rand, const gint mvp[2], gint mv[2])
{
  for (guint compIdx = 0; compIdx < 2; compIdx++) {
    mv[compIdx] = mvp[compIdx];
    if (!one_in (rand, 3))
      mv[compIdx] += one_in (rand, 6) ? g_rand_int_range (rand, -200, 201) : g_rand_int_range (rand, -9, 10);
    mv[compIdx] = CLAMP (mv[compIdx], -250, 250);
  }
}

static void
choose_vectors (PictureModel *picture, GRand *rand, guint mbAddr)
{
  ModelMb *mb = &picture->mbs[mbAddr];
  ModelPart parts[16];
  const guint n = model_vector_parts (mb, parts);
  guint known = 0;

  for (guint i = 0; i < n; i++) {
    const guint blocks = model_part_blocks (&parts[i]);

    for (guint list = 0; list < 2; list++)
      if (parts[i].lists >> list & 1) {
        gint mv[2], mvp[2];

        predict_vector (picture, mbAddr, list, &parts[i], known, mvp);
        choose_vector (rand, mvp, mv);
        set_vector (mb, list, blocks, mv, mvp);
      }
    known |= blocks;
  }
}

static void
choose_references (PictureModel *picture, GRand *rand, guint mbAddr)
{
  ModelMb *mb = &picture->mbs[mbAddr];
  ModelPart parts[4];
  const guint n = model_mb_parts (mb, parts);

  for (guint i = 0; i < n; i++)
    for (guint list = 0; list < 2; list++) {
      const guint blocks = model_part_blocks (&parts[i]), n_references = model_n_references (picture, mb, list);
      const gint ref_idx = parts[i].lists >> list & 1 ? g_rand_int_range (rand, 0, (gint) n_references) : -1;

      for (guint b8 = 0; b8 < 4; b8++)
        if (blocks >> 4 * b8 & 1)
          mb->ref_idx[list][b8] = ref_idx;
    }
}

static void
choose_sub_mb_types (PictureModel *picture, GRand *rand, guint mbAddr, gboolean of_b)
{
  ModelMb *mb = &picture->mbs[mbAddr];
  const gboolean whole = one_in (rand, 2);

  for (guint i = 0; i < 4; i++) {
    mb->sub_mb_type[i] = (guint) (of_b ? g_rand_int_range (rand, 0, whole ? 4 : 13) : g_rand_int_range (rand, 0, whole ? 1 : 4));
    if (of_b && mb->sub_mb_type[i] == 0 && !predict_directly (picture, mbAddr, 1u << i))
      mb->sub_mb_type[i] = 1;
  }
}

/* mb_type, and what follows from it */
static void
choose_prediction (PictureModel *picture, GRand *rand, guint mbAddr)
{
  ModelMb *mb = &picture->mbs[mbAddr];
  const gboolean of_b = model_slice (picture, mb)->n_lists == 2;
  guint direct = 0;

  if (!of_b)
    mb->mb_type = MB_TYPE_P_L0_16x16 + (guint) g_rand_int_range (rand, 0, 4);
  else if (one_in (rand, 5) && predict_directly (picture, mbAddr, 15))
    mb->mb_type = MB_TYPE_B_Direct_16x16;
  else
    mb->mb_type = one_in (rand, 3) ? MB_TYPE_B_8x8 : (guint) g_rand_int_range (rand, MB_TYPE_B_L0_16x16, MB_TYPE_B_8x8);
  if (mb->mb_type == MB_TYPE_B_Direct_16x16)
    return;
  if (mb->mb_type == MB_TYPE_P_8x8 || mb->mb_type == MB_TYPE_B_8x8)
    choose_sub_mb_types (picture, rand, mbAddr, of_b);
  choose_references (picture, rand, mbAddr);
  for (guint i = 0; i < 4; i++)
    direct |= (guint) model_is_direct (mb, i) << i;
  if (direct != 0)
    (void) predict_directly (picture, mbAddr, direct);
  choose_vectors (picture, rand, mbAddr);
}

static void
choose_inter (PictureModel *picture, GRand *rand, guint mbAddr)
{
  ModelMb *mb = &picture->mbs[mbAddr];

  choose_prediction (picture, rand, mbAddr);
  mb->cbp = one_in (rand, 3) ? 0 : (guint) g_rand_int_range (rand, 0, 16);
  if (model_chroma_blocks (picture) > 0)
    mb->cbp |= (guint) g_rand_int_range (rand, 0, 3) << 4;
  mb->transform_size_8x8_flag = picture->pps.transform_8x8 && model_may_choose_transform (mb) && g_rand_boolean (rand);
}

static void
choose_skip (PictureModel *picture, guint mbAddr)
{
  ModelMb *mb = &picture->mbs[mbAddr];
  gint mv[2];

  if (model_slice (picture, mb)->n_lists == 2) {
    mb->mb_type = MB_TYPE_B_Skip;
    (void) predict_directly (picture, mbAddr, 15);
    return;
  }
  mb->mb_type = MB_TYPE_P_Skip;
  for (guint b8 = 0; b8 < 4; b8++)
    mb->ref_idx[0][b8] = 0;
  vector_of_skip (picture, mbAddr, mv);
  set_vector (mb, 0, 0xffff, mv, mv);
}

/* What deblocking and later direct prediction ask for */
static void
note_references (PictureModel *picture, guint mbAddr)
{
  ModelMb *mb = &picture->mbs[mbAddr];

  for (guint list = 0; list < 2; list++)
    for (guint b8 = 0; b8 < 4; b8++)
      if (mb->ref_idx[list][b8] >= 0)
        mb->references[list][b8] = model_reference (picture, mbAddr, list, mb->ref_idx[list][b8]);
}

/* @QPY: of the macroblock before it in the slice */
static void
fill_macroblock (PictureModel *picture, GRand *rand, guint mbAddr, gboolean skip, gint QPY)
{
  ModelMb *mb = &picture->mbs[mbAddr];

  *mb = (ModelMb){ .slice = mb->slice, .field = mb->field, .QPY = QPY, .ref_idx = { { -1, -1, -1, -1 }, { -1, -1, -1, -1 } } };
  if (skip)
    choose_skip (picture, mbAddr);
  else if (model_slice (picture, mb)->n_lists > 0 && !one_in (rand, 3))
    choose_inter (picture, rand, mbAddr);
  else
    choose_intra (picture, rand, mbAddr);
  if (mb->mb_type != MB_TYPE_I_PCM && !model_is_skip (mb)) {
    choose_qp (picture, rand, mb);
    fill_residual (picture, rand, mb);
  }
  note_references (picture, mbAddr);
  reconstruct_macroblock (picture, mbAddr);
}

/* Whether the macroblock can be skipped: P_Skip always can */
static gboolean
may_skip (PictureModel *picture, guint mbAddr)
{
  const guint n_lists = model_slice (picture, &picture->mbs[mbAddr])->n_lists;

  return n_lists == 1 || (n_lists == 2 && predict_directly (picture, mbAddr, 15));
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
        skip[k] = one_in (rand, skips);
      if (picture->mbaff)
        picture->mbs[i].field = picture->mbs[i + 1].field = skip[0] && skip[1] ? model_inferred_field (picture, i) : g_rand_boolean (rand);
    }
    fill_macroblock (picture, rand, i, skip[lower] && may_skip (picture, i), QPY);
    QPY = picture->mbs[i].QPY;
  }
}
