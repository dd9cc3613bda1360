/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Writes the bits of an H.264 byte stream: NAL units, Exp-Golomb codes and residual blocks in CAVLC (ITU-T H.264, 7.3, 9.1, 9.2).
 */
#ifndef INTRA_BITS_H
#define INTRA_BITS_H

#include <stddef.h>
#include <stdint.h>

typedef struct
{
  uint8_t *data; /* the byte stream */
  size_t size, allocated;
  uint32_t bits;       /* not yet written, n of them */
  unsigned n, n_zeros; /* n_zeros: zero bytes at the end of the NAL unit */
} IntraBits;

/* Starts a NAL unit. */
void intra_bits_begin (IntraBits *self, unsigned nal_ref_idc, unsigned nal_unit_type);
/* Ends it: rbsp_trailing_bits (). */
void intra_bits_end (IntraBits *self);

/* u(n), n at most 24; ue(v); se(v) */
void intra_bits_u (IntraBits *self, unsigned n, uint32_t value);
void intra_bits_ue (IntraBits *self, uint32_t value);
void intra_bits_se (IntraBits *self, int value);

/* Zeros up to the next byte */
void intra_bits_align (IntraBits *self);

/* nC of the chroma DC levels, 4:2:0 */
#define INTRA_BITS_CHROMA_DC -1

/* residual_block_cavlc () of @n levels (4, 15 or 16): @levels in zigzag order, each at most 2047 from 0.  Returns total_coeff. */
unsigned intra_bits_block (IntraBits *self, const int16_t *levels, unsigned n, int nC);

void intra_bits_clear (IntraBits *self);

#endif
