/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A macroblock in one colour plane: its samples, its residual, and their sum (8.5.14).  What the references of prediction share.
 */
#ifndef GPU_REFERENCE_AREA_H
#define GPU_REFERENCE_AREA_H

#include <stddef.h>
#include <string.h>

#include "reference.h"

typedef struct
{
  const GpuReferencePicture *picture;
  const GstGpuMb *mb;
  size_t mb_addr;
  unsigned plane;
  unsigned width, height; /* samples */
  unsigned bit_depth;
  size_t origin; /* of its first sample, in samples from the base of the surface */
  size_t stride; /* samples from one of its rows to the next */
} GpuArea;

/* Where a macroblock lies: @column, @row in macroblocks of the picture, or of the field for field macroblocks of MBAFF frames; @parity: -1:
 * of a frame, 0: of a top field, 1: of a bottom field */
typedef struct
{
  size_t column, row;
  int parity;
} GpuMbPlace;

/* Inverse macroblock scanning (6.4.1).  With the next two functions the one place in the references that computes with addresses. */
GpuMbPlace gpu_mb_place (const GpuReferencePicture *picture, size_t mb_addr);

/* mbAddrA and mbAddrB (6.4.9): the neighbours at the left and above, where there are such; not in MBAFF frames */
static inline const GstGpuMb *
gpu_mb_left (const GstGpuMb *mb)
{
  return mb - 1;
}

static inline const GstGpuMb *
gpu_mb_above (const GstGpuMb *mb, const GstGpuPicture *params)
{
  return mb - params->width_in_mbs;
}

/* The same in MBAFF frames (6.4.10): the upper macroblock of the pair at the left or above, and behind it the lower one.  @mb: record
 * mbAddr */
static inline const GstGpuMb *
gpu_mb_left_pair (const GstGpuMb *mb, size_t mb_addr)
{
  return mb - (mb_addr & 1) - 2;
}

static inline const GstGpuMb *
gpu_mb_pair_above (const GstGpuMb *mb, size_t mb_addr, const GstGpuPicture *params)
{
  return mb - (mb_addr & 1) - 2 * params->width_in_mbs;
}

/* The macroblock above the top edge of one in an MBAFF frame; of a frame macroblock below a field macroblock pair the upper one of that
 * pair, whose both fields take part */
const GstGpuMb *gpu_mb_above_in_mbaff (const GstGpuMb *mb, size_t mb_addr, const GstGpuPicture *params);

/* Its samples and residual in a plane */
void gpu_area_init (GpuArea *area, const GpuReferencePicture *picture, size_t mb_addr, unsigned plane);

/* Residual of block blkIdx (see GstGpuMb), n * n, to @residual with rows of @pitch.  A 4x4 block without AC has the uniform residual of its
 * DC coefficient. */
void gpu_area_read_residual (const GpuArea *area, unsigned blk, unsigned n, int *residual, unsigned pitch);

/* Whether some residual is not zero, as far as flags tell */
int gpu_area_has_residual (const GpuArea *area);

/* Residual of all 4x4 blocks to @residual, row by row */
void gpu_area_read_all_residual (const GpuArea *area, int *residual);

/* Picture construction (8.5.14) of the block at (x0, y0); @pred and @residual (nullable: zeros): width * height, row by row */
void gpu_area_put_block (const GpuArea *area, unsigned x0, unsigned y0, unsigned width, unsigned height, const int *pred,
    const int *residual);

static inline int
gpu_area_is_8_bit (const GpuArea *area)
{
  return area->picture->params->bit_depth_luma == 8 && area->picture->params->bit_depth_chroma == 8;
}

static inline int
gpu_area_get (const GpuArea *area, int x, int y)
{
  ptrdiff_t i = (ptrdiff_t) area->origin + y * (ptrdiff_t) area->stride + x;

  return gpu_area_is_8_bit (area) ? ((const uint8_t *) area->picture->samples)[i] : ((const uint16_t *) area->picture->samples)[i];
}

/* @n samples from (@x, @y) on, each @step behind the one before */
static inline void
gpu_area_get_line (const GpuArea *area, int x, int y, size_t step, unsigned n, int *line)
{
  const ptrdiff_t first = (ptrdiff_t) area->origin + y * (ptrdiff_t) area->stride + x;
  const uint8_t *samples8 = area->picture->samples;
  const uint16_t *samples16 = area->picture->samples;

  if (gpu_area_is_8_bit (area))
    for (unsigned i = 0; i < n; i++)
      line[i] = samples8[first + (ptrdiff_t) (i * step)];
  else
    for (unsigned i = 0; i < n; i++)
      line[i] = samples16[first + (ptrdiff_t) (i * step)];
}

static inline void
gpu_area_get_row (const GpuArea *area, int x, int y, unsigned n, int *row)
{
  gpu_area_get_line (area, x, y, 1, n, row);
}

static inline void
gpu_area_get_column (const GpuArea *area, int x, int y, unsigned n, int *column)
{
  gpu_area_get_line (area, x, y, area->stride, n, column);
}

/* @n * @n samples that are all alike */
static inline void
gpu_area_fill (const GpuArea *area, unsigned x0, unsigned y0, unsigned n, int value)
{
  const size_t first = area->origin + y0 * area->stride + x0;
  uint8_t *samples8 = area->picture->samples;
  uint16_t *samples16 = area->picture->samples;

  for (unsigned y = 0; y < n; y++)
    if (gpu_area_is_8_bit (area))
      memset (&samples8[first + y * area->stride], value, n);
    else
      for (unsigned x = 0; x < n; x++)
        samples16[first + y * area->stride + x] = (uint16_t) value;
}

static inline void
gpu_area_put (const GpuArea *area, unsigned x, unsigned y, int value)
{
  size_t i = area->origin + y * area->stride + x;

  if (gpu_area_is_8_bit (area))
    ((uint8_t *) area->picture->samples)[i] = (uint8_t) value;
  else
    ((uint16_t *) area->picture->samples)[i] = (uint16_t) value;
}

/* Clip1 (5.7) of samples up to @max */
static inline int
gpu_clip1 (int value, int max)
{
  return value < 0 ? 0 : value > max ? max : value;
}

static inline int
gpu_area_clip1 (const GpuArea *area, int value)
{
  return gpu_clip1 (value, (1 << area->bit_depth) - 1);
}

#endif
