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

/* residual_block_cavlc () of a 4x4 block: @levels in zigzag order, each at most 2047 from 0.  Returns total_coeff. */
unsigned intra_bits_block (IntraBits *self, const int16_t levels[16], int nC);

void intra_bits_clear (IntraBits *self);

#endif
