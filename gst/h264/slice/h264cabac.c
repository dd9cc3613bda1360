/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264cabac.h"
#include "h264cabactables.h"

H264CabacState h264_cabac_states[128];

void
h264_cabac_tables_init (void)
{
  for (unsigned pStateIdx = 0; pStateIdx < 64; pStateIdx++) {
    const unsigned after_mps = pStateIdx < 62 ? pStateIdx + 1 : pStateIdx;
    const unsigned after_lps = h264_cabac_trans_idx_lps[pStateIdx];

    for (unsigned valMPS = 0; valMPS < 2; valMPS++) {
      H264CabacState state = (uint64_t) valMPS << 63 | (after_mps * 2 + valMPS);

      /* an LPS in state 0 turns the most probable symbol round (9.3.3.2.1.1) */
      state |= (after_lps * 2 + (pStateIdx == 0 ? 1 - valMPS : valMPS)) << 8;
      for (unsigned i = 0; i < 4; i++)
        state |= (uint64_t) h264_cabac_range_lps[pStateIdx][i] << (55 - 8 * i);
      h264_cabac_states[pStateIdx * 2 + valMPS] = state;
    }
  }
}

void
h264_cabac_contexts_init (H264CabacState contexts[H264_N_CABAC_CONTEXTS], unsigned column, int SliceQPY)
{
  const int qp = SliceQPY < 0 ? 0 : SliceQPY > 51 ? 51 : SliceQPY;

  for (unsigned i = 0; i < H264_N_CABAC_CONTEXTS; i++) {
    const int m = h264_cabac_context_init[column][i][0], n = h264_cabac_context_init[column][i][1];
    int preCtxState = ((m * qp) >> 4) + n;

    preCtxState = preCtxState < 1 ? 1 : preCtxState > 126 ? 126 : preCtxState;
    contexts[i] = h264_cabac_states[preCtxState <= 63 ? (63 - preCtxState) * 2 : (preCtxState - 64) * 2 + 1];
  }
}
