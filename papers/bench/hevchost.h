/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The transforms of HEVC in C on one core, over blocks one behind the other, row by row.
 */
#ifndef HEVC_HOST_H
#define HEVC_HOST_H

#include <stdint.h>

#include "hevctransformkernel.h"

typedef void (*HevcHostFunction) (const GpuHevcTransform *transform, unsigned bit_depth, const int16_t *in, int16_t *out, unsigned count);

/* transMatrix of H.265 (8.6.4.2), from its first column; the 4x4 one of the DST */
void hevc_host_matrix (const GpuHevcTransform *transform, int16_t matrix[32 * 32]);

/* The product with the matrix, as the standard has it: what everything else is compared with */
void hevc_host_product (const GpuHevcTransform *transform, unsigned bit_depth, const int16_t *in, int16_t *out, unsigned count);

/* Partial butterfly: even and odd parts, down to one sample; the DST as a product */
void hevc_host_butterfly (const GpuHevcTransform *transform, unsigned bit_depth, const int16_t *in, int16_t *out, unsigned count);

/* The product over all columns at once, for the compiler to vectorise (-O3, for the instruction set of the machine) */
void hevc_host_vectorised (const GpuHevcTransform *transform, unsigned bit_depth, const int16_t *in, int16_t *out, unsigned count);

#endif
