/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The transforms of HEVC on one core, over blocks one behind the other, row by row.
 */
#ifndef HEVC_HOST_H
#define HEVC_HOST_H

#include <stdint.h>

#include "hevctransformkernel.h"

/* A transform, and what is known of it before the first block */
typedef struct
{
  GpuHevcTransform transform;
  unsigned bit_depth;          /* 8 to 10 */
  int shift[2];                /* of the first and the second dimension */
  int16_t matrix[32 * 32];     /* transMatrix of H.265 (8.6.4.2), from its first column; the 4x4 one of the DST */
  int16_t transposed[32 * 32]; /* its transpose */
  int16_t
      odd[4 + 16 + 64 + 256]; /* of the DCT's inverse: odd parts of 4 values, then of 8 and so on: a row a sample, a column a frequency */
} HevcHost;

/* Where the odd part of @size values begins */
#define HEVC_ODD(size) (((size) * (size) / 4 - 4) / 3)

/* @count blocks from @in to @out.  Samples of forward transforms are residuals: their magnitude is less than 2 to the power of the bit
 * depth. */
typedef void (*HevcHostFunction) (const HevcHost *host, const int16_t *in, int16_t *out, unsigned count);

void hevc_host_init (HevcHost *host, const GpuHevcTransform *transform, unsigned bit_depth);

/* The product with the matrix, as the standard has it: what everything else is compared with */
void hevc_host_product (const HevcHost *host, const int16_t *in, int16_t *out, unsigned count);

/* The partial butterfly: even and odd parts, down to two samples; the DST by its own factors */
void hevc_host_butterfly (const HevcHost *host, const int16_t *in, int16_t *out, unsigned count);

/* The product over all columns at once, for the compiler to vectorise (-O3, for the instruction set of the machine) */
void hevc_host_vectorised (const HevcHost *host, const int16_t *in, int16_t *out, unsigned count);

/* Intrinsics: AVX2 on x86-64.  NULL where the processor does not have them */
HevcHostFunction hevc_host_avx2 (void);

#endif
