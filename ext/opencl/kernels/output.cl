// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Raw video from the surface of a frame: cropped, shifted to the depth of the raw format, planes put together where the format wants it.
//
// Build options: SURFACE_SAMPLE, RAW_SAMPLE: uchar or ushort; CPU_FORM: one work-item makes ROWS rows, with vectors; else a work-item makes
// one pixel.
// One kernel for each number of components of a pixel, so that their loops stay free of it; the third dimension is that of the planes.
#include "gpuoutput.h"

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_ (a, b)
#define INLINE static inline __attribute__ ((always_inline))
#define RAW_8 CAT (RAW_SAMPLE, 8)
#define RAW_16 CAT (RAW_SAMPLE, 16)

// Vectors at any address: PoCL splits vload and vstore of small types into elements.
typedef CAT (SURFACE_SAMPLE, 8) surface_8 __attribute__ ((aligned (1)));
typedef CAT (SURFACE_SAMPLE, 16) surface_16 __attribute__ ((aligned (1)));
typedef RAW_16 raw_16 __attribute__ ((aligned (1)));

// What one launch makes
typedef struct
{
  GpuOutputPlane plane[GPU_OUTPUT_MAX_PLANES];
} OutputPlanes;

// One sample of pixel x of row y
INLINE RAW_SAMPLE
output_sample (__global const SURFACE_SAMPLE *surface, const GpuOutputComponent *c, uint x, uint y)
{
  if (!c->from_surface)
    return (RAW_SAMPLE) c->value;
  return (RAW_SAMPLE) ((uint) surface[c->offset + (size_t) y * c->stride + (x >> c->repeat_shift)] << c->shift);
}

INLINE void
output_pixel (__global const SURFACE_SAMPLE *surface, __global RAW_SAMPLE *row, const GpuOutputPlane *plane, uint n_components, uint x,
    uint y)
{
  for (uint i = 0; i < n_components; i++)
    row[x * n_components + i] = output_sample (surface, &plane->component[i], x, y);
}

#ifdef CPU_FORM

// Eight samples of row y, pixel x on, of one component
INLINE RAW_8
output_8 (__global const SURFACE_SAMPLE *surface, const GpuOutputComponent *c, uint x, uint y)
{
  if (!c->from_surface)
    return (RAW_8) ((RAW_SAMPLE) c->value);
  return CAT (convert_, RAW_8) (*(__global const surface_8 *) (surface + c->offset + (size_t) y * c->stride + x))
      << (RAW_8) ((RAW_SAMPLE) c->shift);
}

// One component: rows of samples as they are, each one twice, or a constant
INLINE uint
output_row_1 (__global const SURFACE_SAMPLE *surface, __global RAW_SAMPLE *row, const GpuOutputPlane *plane, uint y)
{
  const GpuOutputComponent *c = &plane->component[0];
  __global const SURFACE_SAMPLE *source = surface + c->offset + (size_t) y * c->stride;
  RAW_16 shift = (RAW_16) ((RAW_SAMPLE) c->shift);
  uint x = 0;

  if (c->repeat_shift) {
    for (; x + 16 <= plane->width; x += 16) {
      RAW_8 v = CAT (convert_, RAW_8) (*(__global const surface_8 *) (source + x / 2)) << shift.lo;
      *(__global raw_16 *) (row + x) = v.s0011223344556677;
    }
  } else if (c->from_surface) {
    for (; x + 16 <= plane->width; x += 16)
      *(__global raw_16 *) (row + x) = CAT (convert_, RAW_16) (*(__global const surface_16 *) (source + x)) << shift;
  } else {
    for (; x + 16 <= plane->width; x += 16)
      *(__global raw_16 *) (row + x) = (RAW_16) ((RAW_SAMPLE) c->value);
  }
  return x;
}

// Two components, alternating
INLINE uint
output_row_2 (__global const SURFACE_SAMPLE *surface, __global RAW_SAMPLE *row, const GpuOutputPlane *plane, uint y)
{
  uint x = 0;

  for (; x + 8 <= plane->width; x += 8) {
    RAW_16 v;
    v.even = output_8 (surface, &plane->component[0], x, y);
    v.odd = output_8 (surface, &plane->component[1], x, y);
    *(__global raw_16 *) (row + 2 * x) = v;
  }
  return x;
}

// Four components
INLINE uint
output_row_4 (__global const SURFACE_SAMPLE *surface, __global RAW_SAMPLE *row, const GpuOutputPlane *plane, uint y)
{
  uint x = 0;

  for (; x + 8 <= plane->width; x += 8) {
    RAW_16 v, w;
    v.even = output_8 (surface, &plane->component[0], x, y);
    v.odd = output_8 (surface, &plane->component[2], x, y);
    w.even = output_8 (surface, &plane->component[1], x, y);
    w.odd = output_8 (surface, &plane->component[3], x, y);
    RAW_16 first, second;
    first.even = v.lo;
    first.odd = w.lo;
    second.even = v.hi;
    second.odd = w.hi;
    *(__global raw_16 *) (row + 4 * x) = first;
    *(__global raw_16 *) (row + 4 * x + 16) = second;
  }
  return x;
}

#define OUTPUT_KERNEL(n) \
__kernel void gpu_output_##n (__global const SURFACE_SAMPLE *surface, __global RAW_SAMPLE *raw, OutputPlanes planes) \
{ \
  GpuOutputPlane plane = planes.plane[get_global_id (2)]; \
  uint first = get_global_id (0) * ROWS; \
  for (uint y = first; y < min (first + ROWS, plane.height); y++) { \
    __global RAW_SAMPLE *row = raw + (plane.offset + (size_t) y * plane.stride) / sizeof (RAW_SAMPLE); \
    for (uint x = output_row_##n (surface, row, &plane, y); x < plane.width; x++) \
      output_pixel (surface, row, &plane, n, x, y); \
  } \
}

#else

#define OUTPUT_KERNEL(n) \
__kernel void gpu_output_##n (__global const SURFACE_SAMPLE *surface, __global RAW_SAMPLE *raw, OutputPlanes planes) \
{ \
  GpuOutputPlane plane = planes.plane[get_global_id (2)]; \
  uint x = get_global_id (0), y = get_global_id (1); \
  if (x < plane.width && y < plane.height) \
    output_pixel (surface, raw + (plane.offset + (size_t) y * plane.stride) / sizeof (RAW_SAMPLE), &plane, n, x, y); \
}

#endif

OUTPUT_KERNEL (1)
OUTPUT_KERNEL (2)
OUTPUT_KERNEL (4)
