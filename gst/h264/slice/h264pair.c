/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264pair.h"
#include "h264availability.h"
#include "h264coding.h"
#include "h264mbedges.h"

static inline guint
is_lower (const H264SliceDecoder *dec)
{
  return dec->place.mbAddr & 1;
}

void
h264_pair_begin (H264SliceDecoder *dec)
{
  const guint available = h264_availability_of_pairs (dec);

  dec->pair.upper_skipped = FALSE;
  dec->pair.lower_skip = -1;
  if (available & GST_GPU_AVAILABLE_A)
    dec->pair.is_field = dec->pair.left_is_field;
  else
    dec->pair.is_field = (available & GST_GPU_AVAILABLE_B) && h264_pair_above_is_field (dec);
}

static void
read_field_flag (H264SliceDecoder *dec)
{
  const guint available = h264_availability_of_pairs (dec);
  guint ctxIdxInc = (available & GST_GPU_AVAILABLE_A) && dec->pair.left_is_field;

  ctxIdxInc += (available & GST_GPU_AVAILABLE_B) && h264_pair_above_is_field (dec);
  dec->pair.is_field = dec->coding->mb_field_decoding_flag (dec, ctxIdxInc);
}

void
h264_pair_read_field_flag (H264SliceDecoder *dec)
{
  if (is_lower (dec))
    return;
  read_field_flag (dec);
  h264_availability_begin_macroblock (dec);
}

/* The upper macroblock is skipped: whether it is one of a field says the flag of the lower one, which comes now if that one is not
 * skipped. */
static void
look_at_lower (H264SliceDecoder *dec)
{
  gboolean lower_is_skipped;

  if (dec->pps->entropy_coding_mode_flag) {
    h264_mb_edges_begin_lower (dec);
    dec->pair.lower_skip = lower_is_skipped = dec->coding->mb_skip (dec);
  } else {
    lower_is_skipped = dec->mb_skip_run > 0;
  }
  if (!lower_is_skipped)
    read_field_flag (dec);
  h264_availability_begin_macroblock (dec);
}

gboolean
h264_pair_read_skip (H264SliceDecoder *dec)
{
  gboolean skipped;

  if (is_lower (dec))
    return dec->pair.lower_skip >= 0 ? dec->pair.lower_skip : dec->coding->mb_skip (dec);
  skipped = dec->coding->mb_skip (dec);
  dec->pair.upper_skipped = skipped;
  if (skipped)
    look_at_lower (dec);
  else
    h264_pair_read_field_flag (dec);
  return skipped;
}
