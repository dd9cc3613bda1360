/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "edges.h"
#include "intraencoder.h"
#include "paperchost.h"

const char *const intra_encoder_ways[INTRA_ENCODER_N_WAYS] = { "standard", "in range", "fractional", "restricted; in range" };

static const uint8_t zigzag[16] = { 0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15 };
static const uint8_t raster_of_block[16] = { 0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15 };

/* A block on its way */
typedef struct
{
  unsigned x0, y0, qp;
  IntraEncoderWay way;
  const uint8_t *source;
  unsigned width;
  double prediction[16];
  int16_t levels[16], residual[16]; /* row by row */
} Block;

/* ---- transform and quantisation ---- */

static void
forward (int *d, unsigned step)
{
  int a = d[0] + d[3 * step], b = d[step] + d[2 * step], c = d[step] - d[2 * step], e = d[0] - d[3 * step];

  d[0] = a + b;
  d[step] = 2 * e + c;
  d[2 * step] = a - b;
  d[3 * step] = e - 2 * c;
}

/* Levels for the difference of the source, kept @margin from the ends of the range, from the prediction; and the residual that they give */
static void
quantise (Block *block, int margin)
{
  static const int factor[6][3] = { { 13107, 5243, 8066 }, { 11916, 4660, 7490 }, { 10082, 4194, 6554 }, { 9362, 3647, 5825 },
    { 8192, 3355, 5243 }, { 7282, 2893, 4559 } };
  static const uint32_t first = 0;
  unsigned shift = 15 + block->qp / 6;
  uint8_t qp = (uint8_t) block->qp;
  int32_t d[16];

  for (unsigned i = 0; i < 16; i++) {
    int sample = block->source[(size_t) (block->y0 + i / 4) * block->width + block->x0 + i % 4];

    sample = sample < margin ? margin : sample > 255 - margin ? 255 - margin : sample;
    d[i] = (int) floor (sample - block->prediction[i] + 0.5);
  }
  for (unsigned i = 0; i < 4; i++)
    forward (d + 4 * i, 1);
  for (unsigned i = 0; i < 4; i++)
    forward (d + i, 4);
  for (unsigned i = 0; i < 16; i++) {
    int odd = (i & 1) + (i >> 2 & 1),
        level = (int) ((abs (d[i])
                               * (int64_t) factor[block->qp % 6][odd == 0 ? 0
                                       : odd == 2                         ? 1
                                                                          : 2]
                           + ((int64_t) 1 << shift) / 3)
            >> shift);

    level = level > 2000 ? 2000 : level;
    block->levels[i] = (int16_t) (d[i] < 0 ? -level : level);
  }
  paper_c_iq (block->levels, d, &first, 1, &qp);
  paper_c_idct (d, block->residual, &first, 1);
}

static int
is_in_range (const Block *block)
{
  for (unsigned i = 0; i < 16; i++)
    if (block->prediction[i] + block->residual[i] < 0 || block->prediction[i] + block->residual[i] > 255)
      return 0;
  return 1;
}

/* In range where asked for: by aiming further inside, at last with no residual at all, as a prediction from samples in range is in range */
static void
code_block (Block *block)
{
  quantise (block, 0);
  if (block->way == INTRA_ENCODER_STANDARD || block->way == INTRA_ENCODER_FRACTIONAL)
    return;
  for (int margin = 2; margin <= 64 && !is_in_range (block); margin *= 2)
    quantise (block, margin);
  if (!is_in_range (block)) {
    memset (block->levels, 0, sizeof (block->levels));
    memset (block->residual, 0, sizeof (block->residual));
  }
}

/* ---- prediction ---- */

static double
distance (const Block *block, const double *prediction)
{
  double sum = 0;

  for (unsigned i = 0; i < 16; i++)
    sum += fabs (block->source[(size_t) (block->y0 + i / 4) * block->width + block->x0 + i % 4] - prediction[i]);
  return sum;
}

/* The mode whose prediction is nearest; returns it */
static unsigned
choose_mode (const IntraEncoder *self, Block *block)
{
  unsigned best = 2;
  double least = HUGE_VAL;

  for (unsigned mode = 0; mode < 3; mode++) {
    double prediction[16], found;

    if ((mode == 0 && block->y0 == 0) || (mode == 1 && block->x0 == 0)
        || (mode == 2 && block->way == INTRA_ENCODER_RESTRICTED && (block->x0 || block->y0)))
      continue;
    gpu_reference_edges_predict (self->samples, self->width, block->x0, block->y0, mode, prediction);
    for (unsigned i = 0; i < 16 && block->way != INTRA_ENCODER_FRACTIONAL; i++)
      prediction[i] = floor (prediction[i] + 0.5);
    found = distance (block, prediction);
    if (found >= least)
      continue;
    least = found;
    best = mode;
    memcpy (block->prediction, prediction, sizeof (prediction));
  }
  return best;
}

static void
store_block (IntraEncoder *self, const Block *block, unsigned mode)
{
  self->modes[block->y0 / 4 * (self->width / 4) + block->x0 / 4] = (uint8_t) mode;
  for (unsigned i = 0; i < 16; i++) {
    size_t at = (size_t) (block->y0 + i / 4) * self->width + block->x0 + i % 4;
    double sample = block->prediction[i] + block->residual[i], clipped = sample < 0 ? 0 : sample > 255 ? 255 : sample;

    self->residual[at] = block->residual[i];
    self->samples[at] = block->way == INTRA_ENCODER_FRACTIONAL ? sample : clipped;
    self->picture[at] = (uint8_t) floor (clipped + 0.5);
  }
}

/* ---- syntax ---- */

static void
write_parameter_sets (IntraBits *bits, unsigned width, unsigned height)
{
  intra_bits_begin (bits, 3, 7);
  intra_bits_u (bits, 8, 100); /* profile_idc: High, for luma alone */
  intra_bits_u (bits, 8, 0);
  intra_bits_u (bits, 8, 51);      /* level_idc */
  for (unsigned i = 0; i < 4; i++) /* seq_parameter_set_id, chroma_format_idc, depths */
    intra_bits_ue (bits, 0);
  intra_bits_u (bits, 2, 0); /* qpprime_y_zero_transform_bypass_flag, seq_scaling_matrix_present_flag */
  intra_bits_ue (bits, 0);   /* log2_max_frame_num_minus4 */
  intra_bits_ue (bits, 2);   /* pic_order_cnt_type */
  intra_bits_ue (bits, 0);   /* max_num_ref_frames */
  intra_bits_u (bits, 1, 0);
  intra_bits_ue (bits, width / 16 - 1);
  intra_bits_ue (bits, height / 16 - 1);
  intra_bits_u (bits, 4, 12); /* frame_mbs_only_flag, direct_8x8_inference_flag, no cropping, no VUI */
  intra_bits_end (bits);
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
write_slice_header (IntraBits *bits, unsigned qp)
{
  intra_bits_begin (bits, 3, 5);
  intra_bits_ue (bits, 0); /* first_mb_in_slice */
  intra_bits_ue (bits, 7); /* slice_type: I, all of them */
  intra_bits_ue (bits, 0);
  intra_bits_u (bits, 4, 0); /* frame_num */
  intra_bits_ue (bits, 0);   /* idr_pic_id */
  intra_bits_u (bits, 2, 0); /* dec_ref_pic_marking () */
  intra_bits_se (bits, (int) qp - 26);
  intra_bits_ue (bits, 1); /* disable_deblocking_filter_idc */
}

/* Intra4x4PredMode that neighbours let expect (8.3.1.1), of the block at (@x, @y) in blocks */
static unsigned
expected_mode (const IntraEncoder *self, unsigned x, unsigned y)
{
  unsigned across = self->width / 4, left, above;

  if (x == 0 || y == 0)
    return 2;
  left = self->modes[y * across + x - 1];
  above = self->modes[(y - 1) * across + x];
  return left < above ? left : above;
}

static int
derive_nC (const IntraEncoder *self, unsigned x, unsigned y)
{
  unsigned across = self->width / 4, left = x ? self->total_coeff[y * across + x - 1] : 0,
           above = y ? self->total_coeff[(y - 1) * across + x] : 0;

  return (int) (x && y ? (left + above + 1) >> 1 : left + above);
}

static void
write_modes (IntraEncoder *self, unsigned mb_x, unsigned mb_y)
{
  intra_bits_ue (&self->bits, 0); /* mb_type: I_NxN */
  for (unsigned blk = 0; blk < 16; blk++) {
    unsigned x = mb_x * 4 + raster_of_block[blk] % 4, y = mb_y * 4 + raster_of_block[blk] / 4,
             mode = self->modes[y * (self->width / 4) + x];
    unsigned expected = expected_mode (self, x, y);

    if (mode == expected)
      intra_bits_u (&self->bits, 1, 1);
    else
      intra_bits_u (&self->bits, 4, mode < expected ? mode : mode - 1);
  }
}

/* coded_block_pattern of pictures without chroma, intra: the codeNum of each (Table 9-4) */
static const uint8_t code_of_pattern[16] = { 1, 10, 11, 6, 12, 7, 14, 2, 13, 15, 8, 3, 9, 4, 5, 0 };

static void
write_macroblock (IntraEncoder *self, unsigned mb_x, unsigned mb_y, const int16_t levels[16][16])
{
  unsigned pattern = 0;

  for (unsigned blk = 0; blk < 16; blk++)
    for (unsigned i = 0; i < 16; i++)
      pattern |= levels[blk][i] ? 1u << blk / 4 : 0;
  write_modes (self, mb_x, mb_y);
  intra_bits_ue (&self->bits, code_of_pattern[pattern]);
  if (pattern)
    intra_bits_se (&self->bits, 0); /* mb_qp_delta */
  for (unsigned blk = 0; blk < 16; blk++) {
    unsigned x = mb_x * 4 + raster_of_block[blk] % 4, y = mb_y * 4 + raster_of_block[blk] / 4;
    int16_t scanned[16];

    if (!(pattern >> blk / 4 & 1))
      continue;
    for (unsigned i = 0; i < 16; i++)
      scanned[i] = levels[blk][zigzag[i]];
    self->total_coeff[y * (self->width / 4) + x] = (uint8_t) intra_bits_block (&self->bits, scanned, derive_nC (self, x, y));
  }
}

static void *
allocate (size_t size)
{
  void *memory = calloc (1, size);

  if (!memory)
    abort ();
  return memory;
}

void
intra_encoder_encode (IntraEncoder *self, const uint8_t *source, unsigned width, unsigned height, unsigned qp, IntraEncoderWay way)
{
  size_t n = (size_t) width * height;

  *self = (IntraEncoder){ .width = width,
    .height = height,
    .modes = allocate (n / 16),
    .residual = allocate (n * 2),
    .picture = allocate (n),
    .samples = allocate (n * sizeof (double)),
    .total_coeff = allocate (n / 16) };
  write_parameter_sets (&self->bits, width, height);
  write_slice_header (&self->bits, qp);
  for (unsigned mb = 0; mb < n / 256; mb++) {
    unsigned mb_x = mb % (width / 16), mb_y = mb / (width / 16);
    int16_t levels[16][16];

    for (unsigned blk = 0; blk < 16; blk++) {
      Block block = { .x0 = mb_x * 16 + raster_of_block[blk] % 4 * 4,
        .y0 = mb_y * 16 + raster_of_block[blk] / 4 * 4,
        .qp = qp,
        .way = way,
        .source = source,
        .width = width };
      unsigned mode = choose_mode (self, &block);

      code_block (&block);
      store_block (self, &block, mode);
      memcpy (levels[blk], block.levels, sizeof (block.levels));
    }
    write_macroblock (self, mb_x, mb_y, levels);
  }
  intra_bits_end (&self->bits);
}

void
intra_encoder_clear (IntraEncoder *self)
{
  free (self->modes);
  free (self->residual);
  free (self->picture);
  free (self->samples);
  free (self->total_coeff);
  intra_bits_clear (&self->bits);
}
