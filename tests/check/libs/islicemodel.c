/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "islicemodel.h"

/* Luma4x4BlkIdx of column x, row y and back (6.4.3) */
static const guint8 blk_of[4][4] = { { 0, 1, 4, 5 }, { 2, 3, 6, 7 }, { 8, 9, 12, 13 }, { 10, 11, 14, 15 } };

guint
i_picture_chroma_blocks (const IPictureModel *picture)
{
  return picture->ChromaArrayType == 1 ? 4 : picture->ChromaArrayType == 2 ? 8 : 0;
}

gboolean
i_picture_is_bypass (const IPictureModel *picture, const ModelMb *mb)
{
  return picture->sps.lossless && mb->mb_type != MB_TYPE_I_PCM && mb->QPY == -6 * (gint) picture->sps.bit_depth_luma_minus8;
}

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
fill_luma (IPictureModel *picture, GRand *rand, ModelMb *mb, guint plane)
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
fill_chroma (IPictureModel *picture, GRand *rand, ModelMb *mb)
{
  const guint n_blocks = i_picture_chroma_blocks (picture);

  for (guint plane = 1; plane < 3; plane++) {
    if (mb->cbp >> 4 == 0)
      return;
    fill_levels (rand, mb->dc[plane], n_blocks, picture->max_level, FALSE);
    for (guint blk = 0; mb->cbp >> 4 == 2 && blk < n_blocks; blk++)
      fill_levels (rand, mb->blocks[plane][blk] + 1, 15, picture->max_level, FALSE);
  }
}

static void
fill_macroblock (IPictureModel *picture, GRand *rand, ModelMb *mb)
{
  const guint depths[2] = { 8 + picture->sps.bit_depth_luma_minus8, 8 + picture->sps.bit_depth_chroma_minus8 };
  const guint max_chroma = i_picture_chroma_blocks (picture) > 0 ? 2 : 0;
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
    mb->mb_type = MB_TYPE_I_16x16 (mb->cbp);
  } else {
    mb->cbp |= g_rand_boolean (rand) ? 15 : (guint) g_rand_int_range (rand, 0, 16);
    mb->transform_size_8x8_flag = g_rand_boolean (rand);
  }
  fill_luma (picture, rand, mb, 0);
  if (picture->ChromaArrayType == 3) {
    fill_luma (picture, rand, mb, 1);
    fill_luma (picture, rand, mb, 2);
  }
  fill_chroma (picture, rand, mb);
}

/* 7.4.5: mb_qp_delta stands only where there is a residual. */
static void
choose_qp (IPictureModel *picture, GRand *rand)
{
  const gint offset = 6 * (gint) picture->sps.bit_depth_luma_minus8;
  gint QPY = picture->SliceQPY;

  for (guint i = 0; i < picture->n_mbs; i++) {
    ModelMb *mb = &picture->mbs[i];

    if (i == picture->second_slice)
      QPY = picture->SliceQPY;
    if (mb->mb_type != MB_TYPE_I_PCM && (mb->mb_type != MB_TYPE_I_NxN || mb->cbp != 0) && !picture->sps.lossless && g_rand_boolean (rand))
      mb->mb_qp_delta = g_rand_int_range (rand, -(26 + offset / 2), 26 + offset / 2);
    QPY = (QPY + mb->mb_qp_delta + 52 + 2 * offset) % (52 + offset) - offset;
    mb->QPY = QPY;
  }
}

void
i_picture_init (IPictureModel *picture, GRand *rand, const IPictureKind *kind)
{
  const gint offset = 6 * ((gint) kind->bit_depth_luma - 8);

  *picture = (IPictureModel){ .sps = default_sps, .pps = { .cabac = kind->cabac, .extension = 1, .transform_8x8 = 1 } };
  picture->ChromaArrayType = kind->chroma_format_idc;
  picture->field = kind->field;
  picture->width = (guint) g_rand_int_range (rand, 1, 4);
  picture->height = (guint) g_rand_int_range (rand, 1, 4);
  picture->n_mbs = picture->width * picture->height;
  picture->second_slice = (guint) g_rand_int_range (rand, 1, (gint32) picture->n_mbs + 1);
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
  for (guint i = 0; i < picture->n_mbs; i++)
    fill_macroblock (picture, rand, &picture->mbs[i]);
  choose_qp (picture, rand);
}

void
i_picture_clear (IPictureModel *picture)
{
  g_free (picture->mbs);
}

ModelMb *
i_picture_neighbour (const IPictureModel *picture, guint mb, gboolean above)
{
  const guint distance = above ? picture->width : 1;
  const gboolean inside = above ? mb >= picture->width : mb % picture->width > 0;

  /* of the same slice (6.4.9) */
  if (!inside || (mb >= picture->second_slice) != (mb - distance >= picture->second_slice))
    return NULL;
  return &picture->mbs[mb - distance];
}

ModelMb *
i_picture_neighbour_block (const IPictureModel *picture, guint mb, gboolean chroma, guint blk, gboolean above, guint *blkN)
{
  const guint columns = chroma ? 2 : 4, rows = !chroma ? 4 : picture->ChromaArrayType == 1 ? 2 : 4;
  guint x = blk % 2, y = blk / 2;
  gboolean outside;

  if (!chroma) {
    x = blk % 2 + blk / 4 % 2 * 2;
    y = blk / 2 % 2 + blk / 8 * 2;
  }
  outside = (above ? y : x) == 0;
  if (above)
    y = (y + rows - 1) % rows;
  else
    x = (x + columns - 1) % columns;
  *blkN = chroma ? y * 2 + x : blk_of[y][x];
  return outside ? i_picture_neighbour (picture, mb, above) : &picture->mbs[mb];
}

void
put_pcm_samples (const IPictureModel *picture, BitWriter *w, const ModelMb *mb)
{
  static const guint n_samples[4] = { 256, 384, 512, 768 };

  while (w->n_bits % 8 != 0)
    put_u (w, 1, 0);
  for (guint i = 0; i < n_samples[picture->ChromaArrayType]; i++)
    put_u (w, 8 + (i < 256 ? picture->sps.bit_depth_luma_minus8 : picture->sps.bit_depth_chroma_minus8), mb->pcm[i]);
}

GByteArray *
i_picture_write_slice (IPictureModel *picture, guint first, guint end)
{
  GByteArray *nal;
  BitWriter w;

  bit_writer_init (&w);
  put_ue (&w, first);
  put_ue (&w, 7);
  put_ue (&w, 0);
  put_u (&w, 4, 0); /* frame_num */
  if (picture->field)
    put_u (&w, 2, 2); /* field_pic_flag, bottom_field_flag */
  put_ue (&w, 0);     /* idr_pic_id */
  put_u (&w, 8, 0);   /* pic_order_cnt_lsb */
  put_u (&w, 2, 0);   /* dec_ref_pic_marking () */
  put_se (&w, picture->SliceQPY - 26);
  if (picture->pps.cabac) {
    put_slice_data_cabac (picture, &w, first, end);
    /* the engine has written the rbsp_stop_one_bit already */
    w.n_bits--;
    w.bytes->data[w.n_bits / 8] &= (guint8) ~(0x80 >> w.n_bits % 8);
    if (w.n_bits % 8 == 0)
      g_byte_array_set_size (w.bytes, w.n_bits / 8);
  } else {
    put_slice_data_cavlc (picture, &w, first, end);
  }
  nal = bit_writer_to_nal (&w, 3, H264_NAL_IDR_SLICE);
  return nal;
}
