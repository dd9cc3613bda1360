/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "intrasyntax.h"

const uint8_t intra_raster_of_block[16] = { 0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15 };

static const uint8_t zigzag[16] = { 0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15 };

#define MB_TYPE_I_NxN 0
#define MB_TYPE_I_PCM 25

/* ---- headers ---- */

static void
write_sps (IntraEncoder *self, unsigned width, unsigned height)
{
  unsigned right = self->planes[0].width - width, bottom = self->planes[0].height - height;
  IntraBits *bits = &self->bits;

  intra_bits_begin (bits, 3, 7);
  intra_bits_u (bits, 8, 100); /* profile_idc: High */
  intra_bits_u (bits, 8, 0);
  intra_bits_u (bits, 8, 51); /* level_idc */
  intra_bits_ue (bits, 0);    /* seq_parameter_set_id */
  intra_bits_ue (bits, 1);    /* chroma_format_idc */
  intra_bits_ue (bits, 0);    /* depths */
  intra_bits_ue (bits, 0);
  intra_bits_u (bits, 2, 0); /* qpprime_y_zero_transform_bypass_flag, seq_scaling_matrix_present_flag */
  intra_bits_ue (bits, 0);   /* log2_max_frame_num_minus4 */
  intra_bits_ue (bits, 2);   /* pic_order_cnt_type */
  intra_bits_ue (bits, 0);   /* max_num_ref_frames */
  intra_bits_u (bits, 1, 0);
  intra_bits_ue (bits, self->width_in_mbs - 1);
  intra_bits_ue (bits, self->height_in_mbs - 1);
  intra_bits_u (bits, 2, 3); /* frame_mbs_only_flag, direct_8x8_inference_flag */
  intra_bits_u (bits, 1, right || bottom);
  if (right || bottom) {
    intra_bits_ue (bits, 0);
    intra_bits_ue (bits, right / 2);
    intra_bits_ue (bits, 0);
    intra_bits_ue (bits, bottom / 2);
  }
  intra_bits_u (bits, 1, 0); /* vui_parameters_present_flag */
  intra_bits_end (bits);
}

static void
write_pps (IntraBits *bits)
{
  intra_bits_begin (bits, 3, 8);
  intra_bits_ue (bits, 0);
  intra_bits_ue (bits, 0);
  intra_bits_u (bits, 2, 0);       /* entropy_coding_mode_flag, bottom_field_pic_order_in_frame_present_flag */
  for (unsigned i = 0; i < 3; i++) /* slice groups, numbers of references */
    intra_bits_ue (bits, 0);
  intra_bits_u (bits, 3, 0);       /* no weighted prediction */
  for (unsigned i = 0; i < 3; i++) /* pic_init_qp_minus26, pic_init_qs_minus26, chroma_qp_index_offset */
    intra_bits_se (bits, 0);
  intra_bits_u (bits, 3, 4); /* deblocking_filter_control_present_flag */
  intra_bits_end (bits);
}

static void
write_slice_header (IntraBits *bits, const IntraEncoderSettings *settings)
{
  intra_bits_begin (bits, 3, 5);
  intra_bits_ue (bits, 0); /* first_mb_in_slice */
  intra_bits_ue (bits, 7); /* slice_type: I, all of them */
  intra_bits_ue (bits, 0);
  intra_bits_u (bits, 4, 0); /* frame_num */
  intra_bits_ue (bits, 0);   /* idr_pic_id */
  intra_bits_u (bits, 2, 0); /* dec_ref_pic_marking () */
  intra_bits_se (bits, (int) settings->qp - 26);
  intra_bits_ue (bits, !settings->filter); /* disable_deblocking_filter_idc */
  if (settings->filter) {
    intra_bits_se (bits, 0);
    intra_bits_se (bits, 0);
  }
}

void
intra_syntax_begin (IntraEncoder *self, unsigned width, unsigned height)
{
  write_sps (self, width, height);
  write_pps (&self->bits);
  write_slice_header (&self->bits, &self->settings);
}

void
intra_syntax_end (IntraEncoder *self)
{
  intra_bits_end (&self->bits);
}

/* ---- macroblocks ---- */

/* Mode of a neighbour, as far as it lets expect one */
static unsigned
neighbour_mode (const IntraEncoder *self, unsigned x, unsigned y)
{
  unsigned mode = self->modes[y * self->width_in_mbs * 4 + x];

  return mode == INTRA_ENCODER_PCM ? 2 : mode;
}

unsigned
intra_syntax_expected_mode (const IntraEncoder *self, unsigned x, unsigned y)
{
  unsigned left, above;

  if (x == 0 || y == 0)
    return 2;
  left = neighbour_mode (self, x - 1, y);
  above = neighbour_mode (self, x, y - 1);
  return left < above ? left : above;
}

static int
derive_nC (const IntraPlane *plane, unsigned x, unsigned y)
{
  unsigned across = plane->width / 4, left = x ? plane->total_coeff[y * across + x - 1] : 0,
           above = y ? plane->total_coeff[(y - 1) * across + x] : 0;

  return (int) (x && y ? (left + above + 1) >> 1 : left + above);
}

static void
write_modes (IntraEncoder *self, unsigned mb_x, unsigned mb_y)
{
  for (unsigned blk = 0; blk < 16; blk++) {
    unsigned x = mb_x * 4 + intra_raster_of_block[blk] % 4, y = mb_y * 4 + intra_raster_of_block[blk] / 4,
             mode = self->modes[y * self->width_in_mbs * 4 + x], expected = intra_syntax_expected_mode (self, x, y);

    if (mode == expected)
      intra_bits_u (&self->bits, 1, 1);
    else
      intra_bits_u (&self->bits, 4, mode < expected ? mode : mode - 1);
  }
}

/* codeNum of coded_block_pattern, Intra_4x4 with chroma (Table 9-4) */
static void
write_pattern (IntraBits *bits, unsigned pattern)
{
  static const uint8_t patterns[48] = { 47, 31, 15, 0, 23, 27, 29, 30, 7, 11, 13, 14, 39, 43, 45, 46, 16, 3, 5, 10, 12, 19, 21, 26, 28, 35,
    37, 42, 44, 1, 2, 4, 8, 17, 18, 20, 24, 6, 9, 22, 25, 32, 33, 34, 36, 40, 38, 41 };
  unsigned code = 0;

  while (patterns[code] != pattern)
    code++;
  intra_bits_ue (bits, code);
}

static int
any_level (const int16_t *levels, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    if (levels[i])
      return 1;
  return 0;
}

/* coded_block_pattern */
static unsigned
find_pattern (const IntraMacroblock *macroblock)
{
  unsigned pattern = 0;

  for (unsigned blk = 0; blk < 16; blk++)
    pattern |= any_level (macroblock->luma[blk], 16) ? 1u << blk / 4 : 0;
  if (any_level (macroblock->ac[0][0], 64) || any_level (macroblock->ac[1][0], 64))
    pattern |= 32;
  else if (any_level (macroblock->dc[0], 4) || any_level (macroblock->dc[1], 4))
    pattern |= 16;
  return pattern;
}

/* Writes the block at (@x, @y), in blocks, of its levels from zigzag position @first on. */
static void
write_block (IntraBits *bits, IntraPlane *plane, unsigned x, unsigned y, const int16_t levels[16], unsigned first)
{
  int16_t scanned[16];

  for (unsigned i = first; i < 16; i++)
    scanned[i - first] = levels[zigzag[i]];
  plane->total_coeff[y * (plane->width / 4) + x] = (uint8_t) intra_bits_block (bits, scanned, 16 - first, derive_nC (plane, x, y));
}

static void
write_chroma (IntraEncoder *self, unsigned mb_x, unsigned mb_y, const IntraMacroblock *macroblock, unsigned pattern)
{
  for (unsigned c = 0; c < 2 && pattern >> 4; c++)
    intra_bits_block (&self->bits, macroblock->dc[c], 4, INTRA_BITS_CHROMA_DC);
  for (unsigned c = 0; c < 2 && pattern >> 4 == 2; c++)
    for (unsigned blk = 0; blk < 4; blk++)
      write_block (&self->bits, &self->planes[1 + c], mb_x * 2 + blk % 2, mb_y * 2 + blk / 2, macroblock->ac[c][blk], 1);
}

void
intra_syntax_macroblock (IntraEncoder *self, unsigned mb_x, unsigned mb_y, const IntraMacroblock *macroblock)
{
  unsigned pattern = find_pattern (macroblock);

  intra_bits_ue (&self->bits, MB_TYPE_I_NxN);
  write_modes (self, mb_x, mb_y);
  intra_bits_ue (&self->bits, macroblock->chroma_mode);
  write_pattern (&self->bits, pattern);
  if (pattern)
    intra_bits_se (&self->bits, 0); /* mb_qp_delta */
  for (unsigned blk = 0; blk < 16; blk++)
    if (pattern >> blk / 4 & 1)
      write_block (&self->bits, &self->planes[0], mb_x * 4 + intra_raster_of_block[blk] % 4, mb_y * 4 + intra_raster_of_block[blk] / 4,
          macroblock->luma[blk], 0);
  write_chroma (self, mb_x, mb_y, macroblock, pattern);
}

void
intra_syntax_pcm (IntraEncoder *self, unsigned mb_x, unsigned mb_y)
{
  intra_bits_ue (&self->bits, MB_TYPE_I_PCM);
  intra_bits_align (&self->bits);
  for (unsigned c = 0; c < 3; c++) {
    IntraPlane *plane = &self->planes[c];
    unsigned side = c ? 8 : 16;

    for (unsigned i = 0; i < side * side; i++)
      intra_bits_u (&self->bits, 8, plane->picture[(size_t) (mb_y * side + i / side) * plane->width + mb_x * side + i % side]);
    for (unsigned i = 0; i < side * side / 16; i++) /* 9.2.1 */
      plane->total_coeff[(mb_y * side / 4 + i / (side / 4)) * (plane->width / 4) + mb_x * side / 4 + i % (side / 4)] = 16;
  }
}
