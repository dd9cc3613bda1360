/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The transforms of ITU-T H.265 (8.6.4.2) as products with its matrices, and with them block lists of scaled coefficients to residuals, in
 * place (8.6.2).
 */
#include <stddef.h>

#include "reference.h"

#define SLOT_SIZE 32

/* Values of trType */
#define DCT 0
#define DST 1

/* 64 * sqrt (2) * cos (j * pi / 64), as the standard rounds it: the entries of transMatrix that belong to these angles.  In row 0 it is
 * 64. */
static const int8_t cosines[33] = { 64, 90, 90, 90, 89, 88, 87, 85, 83, 82, 80, 78, 75, 73, 70, 67, 64, 61, 57, 54, 50, 46, 43, 38, 36, 31,
  25, 22, 18, 13, 9, 4, 0 };

/* transMatrix of the DST (8.6.4.2, trType 1) */
static const int8_t dst_matrix[16] = { 29, 55, 74, 84, 74, 74, 0, -74, 84, -29, -74, 55, 55, -84, 74, -29 };

/* Entry of row @k (frequency), column @i of the n x n matrix: row k * 32 / n of transMatrix */
static int16_t
matrix_entry (unsigned n, unsigned k, unsigned i)
{
  unsigned j = (2 * i + 1) * k * (32 / n) % 128;

  if (k == 0)
    return 64;
  if (j > 64)
    j = 128 - j;
  return j > 32 ? (int16_t) -cosines[64 - j] : cosines[j];
}

void
gpu_reference_hevc_matrix (unsigned n, int dst, int16_t *matrix)
{
  for (unsigned k = 0; k < n; k++)
    for (unsigned i = 0; i < n; i++)
      matrix[k * n + i] = dst ? dst_matrix[k * 4 + i] : matrix_entry (n, k, i);
}

static int16_t
clip_int16 (int32_t v)
{
  return (int16_t) (v < INT16_MIN ? INT16_MIN : v > INT16_MAX ? INT16_MAX : v);
}

static int16_t
round_shift (int32_t v, int shift)
{
  return clip_int16 ((v + (1 << shift >> 1)) >> shift);
}

/* One dimension of a block: along rows or along columns */
static void
transform (const int16_t *matrix, unsigned n, int inverse, int rows, int shift, const int16_t *in, int16_t *out)
{
  for (unsigned line = 0; line < n; line++)
    for (unsigned o = 0; o < n; o++) {
      int32_t sum = 0;

      for (unsigned j = 0; j < n; j++)
        sum += (inverse ? matrix[j * n + o] : matrix[o * n + j]) * (rows ? in[line * n + j] : in[j * n + line]);
      out[rows ? line * n + o : o * n + line] = round_shift (sum, shift);
    }
}

void
gpu_reference_hevc_transform (const int16_t *matrix, unsigned n, int inverse, const int shift[2], const int16_t *in, int16_t *out)
{
  int16_t between[32 * 32];

  transform (matrix, n, inverse, !inverse, shift[0], in, between);
  transform (matrix, n, inverse, inverse, shift[1], between, out);
}

/* 8.6.2 with transform_skip_flag: r = d << 7 (tsShift of 4x4 blocks), then bdShift */
static void
skip_block (int16_t *block, int bd_shift)
{
  for (unsigned k = 0; k < 16; k++)
    block[k] = round_shift (block[k] * 128, bd_shift);
}

static void
transform_block (const int16_t *matrix, unsigned n, int16_t *block, int bd_shift)
{
  /* between the two: Clip3 (coeffMin, coeffMax, (e + 64) >> 7), 16 bits */
  const int shift[2] = { 7, bd_shift };
  int16_t residual[32 * 32];

  gpu_reference_hevc_transform (matrix, n, 1, shift, block, residual);
  for (unsigned k = 0; k < n * n; k++)
    block[k] = residual[k];
}

static void
run_segment (const GpuReferencePicture *picture, const GstGpuSegment *segment)
{
  /* nTbS; 0: a kind that needs nothing here */
  static const uint8_t sizes[GST_GPU_N_KINDS] = { [GST_GPU_KIND_HEVC_DST4x4] = 4,
    [GST_GPU_KIND_HEVC_4x4] = 4,
    [GST_GPU_KIND_HEVC_8x8] = 8,
    [GST_GPU_KIND_HEVC_16x16] = 16,
    [GST_GPU_KIND_HEVC_32x32] = 32,
    [GST_GPU_KIND_HEVC_SKIP4x4] = 4 };
  const gst_gpu_u32 *positions = (const gst_gpu_u32 *) picture->coeffs + segment->positions;
  unsigned n = sizes[segment->kind];
  int16_t *block = (int16_t *) ((uint8_t *) picture->coeffs + (size_t) segment->coeffs * SLOT_SIZE);
  int16_t matrix[32 * 32];

  gpu_reference_hevc_matrix (n, segment->kind == GST_GPU_KIND_HEVC_DST4x4 ? DST : DCT, matrix);
  for (unsigned i = 0; n > 0 && i < segment->count; i++, block += n * n) {
    int luma = GST_GPU_HEVC_POSITION_PLANE (positions[i]) == 0;
    int bd_shift = 20 - (int) (luma ? picture->params->bit_depth_luma : picture->params->bit_depth_chroma);

    if (segment->kind == GST_GPU_KIND_HEVC_SKIP4x4)
      skip_block (block, bd_shift);
    else
      transform_block (matrix, n, block, bd_shift);
  }
}

void
gpu_reference_hevc_idct (const GpuReferencePicture *picture, const GstGpuSegment *segments, unsigned n_segments)
{
  for (unsigned s = 0; s < n_segments; s++)
    run_segment (picture, &segments[s]);
}
