/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "csc.h"
#include <math.h>
#include <string.h>

static int
is_chroma (const GpuCscFormat *format, unsigned k)
{
  return !format->rgb && (k == 1 || k == 2);
}

static uint32_t
grid_width (const GpuCscFormat *format, unsigned k)
{
  return is_chroma (format, k) ? (format->width + format->h_sub) >> format->h_sub : format->width;
}

static uint32_t
grid_height (const GpuCscFormat *format, unsigned k)
{
  return is_chroma (format, k) ? (format->height + format->v_sub) >> format->v_sub : format->height;
}

uint32_t
gpu_reference_csc_read (const GpuCscFormat *format, const uint8_t *const planes[GPU_CSC_PLANES], unsigned k, uint32_t x, uint32_t y)
{
  unsigned plane = format->plane[k], bytes = format->word_bytes[plane];
  const uint8_t *word = planes[plane] + format->offset[plane] + (size_t) y * format->stride[plane] + (size_t) x * bytes;
  uint64_t value = 0;

  for (unsigned i = 0; i < bytes; i++)
    value |= (uint64_t) word[i] << 8 * i;
  return value >> format->shift[k] & ((1u << format->depth) - 1);
}

static double
clamp (double value, double low, double high)
{
  return value < low ? low : value > high ? high : value;
}

/* Position, in luma samples, of sample @i of a component */
static double
position (unsigned chroma, unsigned sub, unsigned site, uint32_t i)
{
  return chroma && sub ? 2.0 * i + site / 4.0 : i;
}

/* Coordinate, among the samples of a component, of position @p in luma samples */
static double
coordinate (unsigned chroma, unsigned sub, unsigned site, double p)
{
  return chroma && sub ? (p - site / 4.0) / 2.0 : p;
}

/* Component @k at position (@px, @py) in luma samples: bilinear, clamped at the edges */
static double
interpolate (const GpuCscFormat *format, const uint8_t *const planes[GPU_CSC_PLANES], unsigned k, double px, double py)
{
  unsigned chroma = is_chroma (format, k);
  double right = grid_width (format, k) - 1.0, bottom = grid_height (format, k) - 1.0;
  double cx = clamp (coordinate (chroma, format->h_sub, format->site_x, px), 0, right);
  double cy = clamp (coordinate (chroma, format->v_sub, format->site_y, py), 0, bottom);
  uint32_t x0 = (uint32_t) cx, y0 = (uint32_t) cy;
  uint32_t x1 = x0 < right ? x0 + 1 : x0, y1 = y0 < bottom ? y0 + 1 : y0;
  double fx = cx - x0, fy = cy - y0;
  double upper = gpu_reference_csc_read (format, planes, k, x0, y0) * (1 - fx) + gpu_reference_csc_read (format, planes, k, x1, y0) * fx;
  double lower = gpu_reference_csc_read (format, planes, k, x0, y1) * (1 - fx) + gpu_reference_csc_read (format, planes, k, x1, y1) * fx;

  return upper * (1 - fy) + lower * fy;
}

/* The sample values of 0 and of the distance from 0 to 1 (ITU-T H.273, 8.3, equations for full and limited range) */
static void
quantisation (const GpuCscFormat *format, unsigned k, double *zero, double *one)
{
  double unit = pow (2, format->depth - 8);

  if (is_chroma (format, k)) {
    *zero = 128 * unit;
    *one = format->full_range ? 256 * unit - 1 : 224 * unit;
  } else {
    *zero = format->full_range ? 0 : 16 * unit;
    *one = format->full_range ? 256 * unit - 1 : 219 * unit;
  }
}

static void
yuv_to_rgb (const GpuCscFormat *format, double v[3])
{
  double kr = format->kr, kb = format->kb;
  double r = v[0] + 2 * (1 - kr) * v[2];
  double b = v[0] + 2 * (1 - kb) * v[1];
  double g = (v[0] - kr * r - kb * b) / (1 - kr - kb);

  v[0] = r, v[1] = g, v[2] = b;
}

static void
rgb_to_yuv (const GpuCscFormat *format, double v[3])
{
  double kr = format->kr, kb = format->kb;
  double y = kr * v[0] + (1 - kr - kb) * v[1] + kb * v[2];
  double cb = (v[2] - y) / (2 * (1 - kb));
  double cr = (v[0] - y) / (2 * (1 - kr));

  v[0] = y, v[1] = cb, v[2] = cr;
}

static double
alpha_value (const GpuCscFormat *in, const uint8_t *const in_planes[GPU_CSC_PLANES], const GpuCscFormat *out, uint32_t x, uint32_t y)
{
  double opaque = pow (2, out->depth) - 1;

  if (in->alpha != GPU_CSC_ALPHA || out->alpha != GPU_CSC_ALPHA)
    return opaque;
  return gpu_reference_csc_read (in, in_planes, 3, x, y) * opaque / (pow (2, in->depth) - 1);
}

/* Luma alone has no matrix, and no colour: where one side has it, the other side's matrix is the only one there is. */
static int
same_matrix (const GpuCscFormat *in, const GpuCscFormat *out)
{
  if (in->rgb || out->rgb)
    return in->rgb == out->rgb;
  return in->n_components == 1 || out->n_components == 1 || (in->kr == out->kr && in->kb == out->kb);
}

double
gpu_reference_csc_value (const GpuCscFormat *in, const uint8_t *const in_planes[GPU_CSC_PLANES], const GpuCscFormat *out, unsigned k,
    uint32_t x, uint32_t y)
{
  unsigned chroma = is_chroma (out, k);
  double px = position (chroma, out->h_sub, out->site_x, x), py = position (chroma, out->v_sub, out->site_y, y);
  double v[3] = { 0, 0, 0 }, zero, one;

  if (k == 3)
    return alpha_value (in, in_planes, out, x, y);
  for (unsigned j = 0; j < in->n_components; j++) {
    quantisation (in, j, &zero, &one);
    v[j] = (interpolate (in, in_planes, j, px, py) - zero) / one;
  }
  if (!same_matrix (in, out)) {
    if (!in->rgb)
      yuv_to_rgb (in, v);
    if (!out->rgb)
      rgb_to_yuv (out, v);
  }
  quantisation (out, k, &zero, &one);
  return clamp (v[k] * one + zero, 0, pow (2, out->depth) - 1);
}

static void
write_component (const GpuCscFormat *format, uint8_t *const planes[GPU_CSC_PLANES], unsigned k, uint32_t x, uint32_t y, uint32_t value)
{
  unsigned plane = format->plane[k], bytes = format->word_bytes[plane];
  uint8_t *word = planes[plane] + format->offset[plane] + (size_t) y * format->stride[plane] + (size_t) x * bytes;
  uint64_t field = (uint64_t) value << format->shift[k];

  for (unsigned i = 0; i < bytes; i++)
    word[i] |= (uint8_t) (field >> 8 * i);
}

static void
clear_plane (const GpuCscFormat *format, uint8_t *const planes[GPU_CSC_PLANES], unsigned k)
{
  unsigned plane = format->plane[k];

  for (uint32_t y = 0; y < grid_height (format, k); y++)
    memset (planes[plane] + format->offset[plane] + (size_t) y * format->stride[plane], 0,
        (size_t) grid_width (format, k) * format->word_bytes[plane]);
}

void
gpu_reference_csc (const GpuCscFormat *in, const uint8_t *const in_planes[GPU_CSC_PLANES], const GpuCscFormat *out,
    uint8_t *const out_planes[GPU_CSC_PLANES])
{
  unsigned n = out->n_components + (out->alpha != GPU_CSC_ALPHA_NONE);

  for (unsigned k = 0; k < n; k++)
    clear_plane (out, out_planes, k);
  for (unsigned k = 0; k < n; k++)
    for (uint32_t y = 0; y < grid_height (out, k); y++)
      for (uint32_t x = 0; x < grid_width (out, k); x++)
        write_component (out, out_planes, k, x, y, (uint32_t) floor (gpu_reference_csc_value (in, in_planes, out, k, x, y) + 0.5));
}
