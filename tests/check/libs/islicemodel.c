/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "islicemodel.h"

/* Mostly small ones, as in video, and now and then one of any size */
static gint32
random_level (GRand *rand, gint32 max_level)
{
  const guint kind = (guint) g_rand_int_range (rand, 0, 16);
  gint32 magnitude;

  if (kind < 8)
    magnitude = 1;
  else if (kind < 13)
    magnitude = g_rand_int_range (rand, 1, 20);
  else
    magnitude = 1 + (gint32) (g_rand_int (rand) % (guint32) max_level >> g_rand_int_range (rand, 0, g_bit_storage ((gulong) max_level)));
  return g_rand_boolean (rand) ? magnitude : -magnitude;
}

/* Levels from any density of them; @at_least: how many must be there */
static void
fill_levels (GRand *rand, gint32 *levels, guint n, gint32 max_level, gboolean at_least)
{
  const gint density = g_rand_int_range (rand, 0, 17);

  for (guint i = 0; i < n; i++)
    levels[i] = g_rand_int_range (rand, 0, 16) < density ? random_level (rand, max_level) : 0;
  if (at_least)
    levels[g_rand_int_range (rand, 0, (gint32) n)] = -1;
}

static void
fill_luma (PictureModel *picture, GRand *rand, ModelMb *mb, guint plane)
{
  const guint n_dc = mb->mb_type != MB_TYPE_I_NxN ? 1 : 0;

  if (n_dc > 0)
    fill_levels (rand, mb->dc[plane], 16, picture->max_level, FALSE);
  for (guint blk = 0; blk < 16; blk++) {
    if (!(mb->cbp >> (blk / 4) & 1))
      continue;
    if (!mb->transform_size_8x8_flag)
      fill_levels (rand, mb->blocks[plane][blk] + n_dc, 16 - n_dc, picture->max_level, FALSE);
    else if (blk % 4 == 0)
      /* where CABAC has no coded_block_flag for it, such a block is never empty */
      fill_levels (rand, mb->blocks_8x8[plane][blk / 4], 64, picture->max_level, picture->pps.cabac && picture->ChromaArrayType != 3);
  }
}

static void
fill_chroma (PictureModel *picture, GRand *rand, ModelMb *mb)
{
  const guint n_blocks = model_chroma_blocks (picture);

  for (guint plane = 1; plane < 3; plane++) {
    if (mb->cbp >> 4 == 0)
      return;
    fill_levels (rand, mb->dc[plane], n_blocks, picture->max_level, FALSE);
    for (guint blk = 0; mb->cbp >> 4 == 2 && blk < n_blocks; blk++)
      fill_levels (rand, mb->blocks[plane][blk] + 1, 15, picture->max_level, FALSE);
  }
}

static void
fill_macroblock (PictureModel *picture, GRand *rand, ModelMb *mb)
{
  const guint depths[2] = { 8 + picture->sps.bit_depth_luma_minus8, 8 + picture->sps.bit_depth_chroma_minus8 };
  const guint max_chroma = model_chroma_blocks (picture) > 0 ? 2 : 0;
  const gint kind = g_rand_int_range (rand, 0, 12);

  if (kind == 0) {
    mb->mb_type = MB_TYPE_I_PCM;
    mb->cbp = 0x2f;
    for (guint i = 0; i < 768; i++)
      mb->pcm[i] = (guint16) (g_rand_int (rand) & ((1u << depths[i >= 256]) - 1));
    return;
  }
  mb->cbp = (guint) g_rand_int_range (rand, 0, (gint32) max_chroma + 1) << 4;
  if (kind < 5) {
    mb->cbp |= g_rand_boolean (rand) ? 15 : 0;
    mb->mb_type = MB_TYPE_I_16x16 (2, mb->cbp);
  } else {
    mb->cbp |= g_rand_boolean (rand) ? 15 : (guint) g_rand_int_range (rand, 0, 16);
    mb->transform_size_8x8_flag = g_rand_boolean (rand);
  }
  memset (mb->pred_modes, 2, sizeof (mb->pred_modes));
  fill_luma (picture, rand, mb, 0);
  if (picture->ChromaArrayType == 3) {
    fill_luma (picture, rand, mb, 1);
    fill_luma (picture, rand, mb, 2);
  }
  fill_chroma (picture, rand, mb);
}

/* 7.4.5: mb_qp_delta stands only where there is a residual. */
static void
choose_qp (PictureModel *picture, GRand *rand)
{
  const gint offset = 6 * (gint) picture->sps.bit_depth_luma_minus8;
  gint QPY = picture->SliceQPY;

  for (guint i = 0; i < picture->n_mbs; i++) {
    ModelMb *mb = &picture->mbs[i];

    if (i > 0 && mb->slice != mb[-1].slice)
      QPY = picture->SliceQPY;
    if (mb->mb_type != MB_TYPE_I_PCM && (mb->mb_type != MB_TYPE_I_NxN || mb->cbp != 0) && !picture->sps.lossless && g_rand_boolean (rand))
      mb->mb_qp_delta = g_rand_int_range (rand, -(26 + offset / 2), 26 + offset / 2);
    QPY = (QPY + mb->mb_qp_delta + 52 + 2 * offset) % (52 + offset) - offset;
    mb->QPY = QPY;
  }
}

void
i_picture_init (PictureModel *picture, GRand *rand, const IPictureKind *kind)
{
  guint second_slice;
  const gint offset = 6 * ((gint) kind->bit_depth_luma - 8);

  *picture = (PictureModel){ .sps = default_sps, .pps = { .cabac = kind->cabac, .extension = 1, .transform_8x8 = 1 } };
  picture->ChromaArrayType = kind->chroma_format_idc;
  picture->field = kind->field;
  picture->width = (guint) g_rand_int_range (rand, 1, 4);
  picture->height = (guint) g_rand_int_range (rand, 1, 4);
  picture->n_mbs = picture->width * picture->height;
  second_slice = (guint) g_rand_int_range (rand, 1, (gint32) picture->n_mbs + 1);
  picture->max_level = kind->max_level;
  picture->SliceQPY = kind->lossless ? -offset : g_rand_int_range (rand, -offset, 52);
  picture->sps.profile_idc = 244;
  picture->sps.chroma_format_idc = kind->chroma_format_idc;
  picture->sps.bit_depth_luma_minus8 = kind->bit_depth_luma - 8;
  picture->sps.bit_depth_chroma_minus8 = kind->bit_depth_chroma - 8;
  picture->sps.lossless = kind->lossless;
  picture->sps.width_in_mbs = picture->width;
  picture->sps.height_in_map_units = picture->height;
  picture->sps.interlaced = kind->field;
  picture->mbs = g_new0 (ModelMb, picture->n_mbs);
  for (guint i = 0; i < picture->n_mbs; i++) {
    picture->mbs[i].slice = i >= second_slice;
    fill_macroblock (picture, rand, &picture->mbs[i]);
  }
  choose_qp (picture, rand);
}

void
i_picture_clear (PictureModel *picture)
{
  g_free (picture->mbs);
}
