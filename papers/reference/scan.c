/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "scan.h"

void
gpu_reference_scan (int32_t *pairs, size_t n)
{
  uint32_t x = 0;

  for (size_t i = 0; i < n; i++) {
    x = (uint32_t) pairs[2 * i + 1] + (uint32_t) pairs[2 * i] * x;
    pairs[2 * i + 1] = (int32_t) x;
  }
}

void
gpu_reference_qp (const int8_t *deltas, const int16_t *slice_qp, int no_slice, size_t n, int qp_bd_offset, int8_t *qp)
{
  int qp_pred = 0;

  for (size_t i = 0; i < n; i++) {
    if (slice_qp[i] != no_slice)
      qp_pred = slice_qp[i];
    qp_pred = (qp_pred + deltas[i] + 52 + 2 * qp_bd_offset) % (52 + qp_bd_offset) - qp_bd_offset;
    qp[i] = (int8_t) qp_pred;
  }
}
