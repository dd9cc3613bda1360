/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "area.h"

#include <string.h>

/* In MBAFF frames pairs stand one behind the other. */
GpuMbPlace
gpu_mb_place (const GpuReferencePicture *picture, size_t mb_addr)
{
  const GstGpuPicture *params = picture->params;
  size_t unit = params->mbaff ? mb_addr / 2 : mb_addr;
  GpuMbPlace place = { unit % params->width_in_mbs, unit / params->width_in_mbs, (int) params->field_pic - 1 };

  if (params->mbaff && gpu_reference_mbs (picture)[mb_addr].flags & GST_GPU_MB_FIELD)
    place.parity = (int) (mb_addr & 1);
  else if (params->mbaff)
    place.row = 2 * place.row + (mb_addr & 1);
  return place;
}

const GstGpuMb *
gpu_mb_above_in_mbaff (const GstGpuMb *mb, size_t mb_addr, const GstGpuPicture *params)
{
  unsigned lower = mb_addr & 1;
  const GstGpuMb *above;

  if (lower && !(mb->flags & GST_GPU_MB_FIELD))
    return mb - 1;
  above = gpu_mb_pair_above (mb, mb_addr, params);
  return above->flags & GST_GPU_MB_FIELD ? above + lower : above + 1;
}

/* plane_stride tells the lines of a field; a field macroblock of an MBAFF frame takes every second line of its pair. */
void
gpu_area_init (GpuArea *area, const GpuReferencePicture *picture, size_t mb_addr, unsigned plane)
{
  const GstGpuPicture *params = picture->params;
  const GpuMbPlace place = gpu_mb_place (picture, mb_addr);
  size_t line;

  area->picture = picture;
  area->mb = &gpu_reference_mbs (picture)[mb_addr];
  area->mb_addr = mb_addr;
  area->plane = plane;
  area->width = plane && params->chroma_array_type != 3 ? 8 : 16;
  area->height = plane && params->chroma_array_type == 1 ? 8 : 16;
  area->bit_depth = plane ? params->bit_depth_chroma : params->bit_depth_luma;
  area->stride = params->plane_stride[plane];
  line = place.row * area->height;
  if (params->mbaff && place.parity >= 0) {
    line = 2 * line + (size_t) place.parity;
    area->stride *= 2;
  }
  area->origin = params->plane_offset[plane] + line * params->plane_stride[plane] + place.column * area->width;
}

static int
saturate_16 (int32_t value)
{
  return value < -32768 ? -32768 : value > 32767 ? 32767 : value;
}

/* The coded block blkIdx of a plane, or NULL: see GstGpuMb */
static const int16_t *
coded_block (const GpuArea *area, unsigned blk, int is_8x8)
{
  const GstGpuMb *mb = area->mb;
  int chroma_like_luma = area->picture->params->chroma_array_type == 3;
  size_t k, size = is_8x8 ? 4 : 1, first = is_8x8 ? mb->first_8x8 : mb->first_4x4;

  if (!(mb->coded[area->plane] >> blk & 1))
    return NULL;
  k = (size_t) __builtin_popcount (mb->coded[area->plane] & ((1u << blk) - 1));
  for (unsigned q = 0; q < area->plane; q++)
    if (is_8x8 == ((mb->flags & GST_GPU_MB_TRANSFORM_8x8) && (q == 0 || chroma_like_luma)))
      k += (size_t) __builtin_popcount (mb->coded[q]);
  if (mb->flags & GST_GPU_MB_WIDE)
    size *= 2;
  return (const int16_t *) ((const uint8_t *) area->picture->coeffs + (first + k * size) * 32);
}

void
gpu_area_read_residual (const GpuArea *area, unsigned blk, unsigned n, int *residual, unsigned pitch)
{
  const int16_t *block = coded_block (area, blk, n == 8);
  int uniform = 0;

  if (n == 4 && (area->mb->dc_coded >> area->plane & 1) && !(area->mb->flags & GST_GPU_MB_BYPASS))
    uniform = saturate_16 ((int32_t) ((uint32_t) area->picture->dc[area->mb_addr * 48 + area->plane * 16 + blk] + 32u) >> 6);
  for (unsigned y = 0; y < n; y++)
    for (unsigned x = 0; x < n; x++)
      residual[y * pitch + x] = block ? block[y * n + x] : uniform;
}

int
gpu_area_has_residual (const GpuArea *area)
{
  return area->mb->coded[area->plane] || (area->mb->dc_coded >> area->plane & 1);
}

void
gpu_area_read_all_residual (const GpuArea *area, int *residual)
{
  if (!gpu_area_has_residual (area)) {
    memset (residual, 0, area->width * area->height * sizeof (residual[0]));
    return;
  }
  for (unsigned blk = 0; blk < area->width * area->height / 16; blk++) {
    unsigned x = blk & 1, y = blk >> 1;

    if (area->width == 16) {
      x = (blk & 1) | (blk >> 1 & 2);
      y = (blk >> 1 & 1) | (blk >> 2 & 2);
    }
    gpu_area_read_residual (area, blk, 4, &residual[y * 4 * area->width + x * 4], area->width);
  }
}

/* Predicted samples as they are */
static void
put_pred (const GpuArea *area, size_t first, unsigned width, unsigned height, const int *pred)
{
  uint8_t *samples8 = area->picture->samples;
  uint16_t *samples16 = area->picture->samples;
  const size_t stride = area->stride;
  const int is_8_bit = gpu_area_is_8_bit (area);

  for (unsigned y = 0; y < height; y++, first += stride, pred += width) {
    if (is_8_bit)
      for (unsigned x = 0; x < width; x++)
        samples8[first + x] = (uint8_t) pred[x];
    else
      for (unsigned x = 0; x < width; x++)
        samples16[first + x] = (uint16_t) pred[x];
  }
}

/* What a loop needs stands in variables of its own: a store to 8-bit samples may change anything else, as far as a compiler knows. */
void
gpu_area_put_block (const GpuArea *area, unsigned x0, unsigned y0, unsigned width, unsigned height, const int *pred, const int *residual)
{
  const int max = (1 << area->bit_depth) - 1, is_8_bit = gpu_area_is_8_bit (area);
  const size_t stride = area->stride;
  uint8_t *samples8 = area->picture->samples;
  uint16_t *samples16 = area->picture->samples;
  size_t first = area->origin + y0 * stride + x0;

  if (!residual) {
    put_pred (area, first, width, height, pred);
    return;
  }
  for (unsigned y = 0; y < height; y++, first += stride, pred += width, residual += width) {
    if (is_8_bit)
      for (unsigned x = 0; x < width; x++)
        samples8[first + x] = (uint8_t) gpu_clip1 (pred[x] + residual[x], max);
    else
      for (unsigned x = 0; x < width; x++)
        samples16[first + x] = (uint16_t) gpu_clip1 (pred[x] + residual[x], max);
  }
}
