/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the csc kernel is told: one structure for C and OpenCL C, members of 4 bytes only.
 */
#ifndef CSC_PARAMS_H
#define CSC_PARAMS_H

#ifdef __OPENCL_VERSION__
typedef uint csc_u32;
typedef int csc_i32;
#else
#include <stdint.h>
typedef uint32_t csc_u32;
typedef int32_t csc_i32;
#endif

/* CscMode.map: what is known of the matrix, so that terms that are 0 are not computed */
#define CSC_MAP_FULL 0
#define CSC_MAP_YUV_TO_RGB 1 /* R has no Cb, B no Cr */
#define CSC_MAP_DIAGONAL 2   /* components stay what they are: other range, depth or chroma grid */
#define CSC_MAP_COPY 3       /* same values, or shifted by the difference of depths; same chroma grid: integers only */

/* The words of a format (see GpuCscFormat): what decides about code.  A constant of the program where it is built for a pair of formats. */
typedef struct
{
  csc_u32 rgb;
  csc_u32 n_components;
  csc_u32 alpha;
  csc_u32 depth;
  csc_u32 h_sub, v_sub;
  csc_u32 word_bytes[4]; /* of a plane */
  csc_u32 plane[4];      /* of a component */
  csc_u32 shift[4];
} CscLayout;

typedef struct
{
  csc_u32 map;                   /* CSC_MAP_FULL... */
  csc_u32 in_site_x, out_site_x; /* quarters of a luma sample; 0 without h_sub */
} CscMode;

typedef struct
{
  csc_u32 width, height;              /* of the luma grid */
  csc_u32 rows;                       /* luma rows of a work-item (CPU form), even */
  csc_u32 in_site_y, out_site_y;      /* quarters of a luma sample; 0 without v_sub */
  csc_u32 in_offset[4], in_stride[4]; /* of a plane, bytes */
  csc_u32 out_offset[4], out_stride[4];
  float matrix[9]; /* row k: output component k, from sample values to sample values */
  float offset[3]; /* of output component k, with the half for rounding down */
  float alpha_scale;
  CscLayout in, out; /* used where the program is not built for a pair */
  CscMode mode;
} CscParams;

#endif
