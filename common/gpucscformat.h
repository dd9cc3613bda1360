/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What a raw picture looks like, for the colour conversion: plain numbers that the element fills from GstVideoInfo and the kernel test from
 * its own table.  No includes beyond stdint.
 *
 * A plane is an array of little-endian *words* of 1, 2, 4 or 8 bytes, one a pixel (of the plane's grid); a component is a bit field of such
 * a word.  So planar, semi-planar and packed formats of 8 to 16 bits are one kind.
 */
#ifndef GPU_CSC_FORMAT_H
#define GPU_CSC_FORMAT_H

#include <stdint.h>

#define GPU_CSC_PLANES 4
#define GPU_CSC_MAX_SIZE 32768 /* columns or rows */

/* GpuCscFormat.alpha */
#define GPU_CSC_ALPHA_NONE 0
#define GPU_CSC_ALPHA 1         /* component 3 is alpha */
#define GPU_CSC_ALPHA_PADDING 2 /* component 3 is unused: written opaque, never read */

typedef struct
{
  uint32_t width, height; /* pixels of the luma grid */
  uint8_t rgb;            /* 1: components R, G, B; 0: Y, Cb, Cr */
  uint8_t n_components;   /* without alpha: 1 (Y alone) or 3 */
  uint8_t alpha;          /* GPU_CSC_ALPHA_NONE... */
  uint8_t depth;          /* bits of a component, 8 to 16 */
  uint8_t h_sub, v_sub;   /* log2 of the subsampling of Cb and Cr: 0 or 1; v_sub only with h_sub */
  uint8_t full_range;     /* 1: 0 to 2^depth - 1; 0: 16 to 235 (Cb, Cr: 240), times 2^(depth - 8) */
  uint8_t site_x, site_y; /* where Cb and Cr lie: quarters of a luma sample right of, and below, luma sample (0, 0) */
  uint8_t n_planes;
  uint8_t word_bytes[GPU_CSC_PLANES]; /* 1, 2, 4 or 8 */
  uint8_t plane[4];                   /* of a component */
  uint8_t shift[4];                   /* bit of the word at which a component starts */
  uint32_t offset[GPU_CSC_PLANES];    /* bytes from the start of the plane's buffer to its first word; a multiple of word_bytes */
  uint32_t stride[GPU_CSC_PLANES];    /* bytes from row to row; a multiple of word_bytes */
  double kr, kb;                      /* of the matrix (ITU-T H.273, 8.3): Y = kr R + (1 - kr - kb) G + kb B; unused with rgb */
} GpuCscFormat;

#endif /* GPU_CSC_FORMAT_H */
