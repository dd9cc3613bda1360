/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264slicepair.h"
#include "h264coding.h"

gboolean
h264_slice_pair_takes (const H264SliceHeader *sh)
{
  return sh->pps->entropy_coding_mode_flag;
}

/* Decodes up to the next residual. */
static void
go_on (H264SlicePair *pair, guint i)
{
  H264SliceDecoder *dec = pair->decs[i];

  pair->ended[i] = !h264_slice_decoder_go_on (dec);
  if (!pair->ended[i])
    h264_cabac_lane_begin (dec);
}

void
h264_slice_pair_set (H264SlicePair *pair, guint i, H264SliceDecoder *dec)
{
  pair->decs[i] = dec;
  go_on (pair, i);
}

guint
h264_slice_pair_run (H264SlicePair *pair)
{
  while (!pair->ended[0] && !pair->ended[1]) {
    h264_cabac_lanes_run (pair->decs[0], pair->decs[1]);
    for (guint i = 0; i < 2; i++)
      if (h264_cabac_lane_is_done (pair->decs[i]))
        go_on (pair, i);
  }
  return pair->ended[0] ? 0 : 1;
}

gboolean
h264_slice_pair_run_alone (H264SlicePair *pair, guint i, const _Atomic guint *second_waits)
{
  H264SliceDecoder *dec = pair->decs[i];

  if (pair->ended[i])
    return TRUE;
  h264_cabac_lane_finish (pair->decs[i]);
  while (h264_slice_decoder_go_on (dec)) {
    if (atomic_load_explicit (second_waits, memory_order_relaxed) != 0) {
      h264_cabac_lane_begin (dec);
      return FALSE;
    }
    dec->coding->residual (dec);
  }
  pair->ended[i] = TRUE;
  return TRUE;
}
