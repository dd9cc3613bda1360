/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264cabacblock.h"

/* The suffix of coeff_abs_level_minus1: Exp-Golomb of order 0 (9.3.2.5), in bypass bins.  Longer than any level means a damaged slice. */
static guint32
read_level_suffix (H264SliceDecoder *dec, H264Cabac *cabac)
{
  guint32 value = 0;
  guint k = 0;

  while (h264_cabac_bypass (cabac)) {
    value += 1u << k;
    if (++k > 22) {
      h264_slice_decoder_fail (dec, "coeff_abs_level_minus1 is out of range");
      return 0;
    }
  }
  while (k-- > 0)
    value += h264_cabac_bypass (cabac) << k;
  return value;
}

void
h264_cabac_read_long_level (H264SliceDecoder *dec, H264Cabac *cabac, gint16 *where)
{
  const guint32 magnitude = 15 + read_level_suffix (dec, cabac);
  const gint32 level = h264_cabac_bypass_sign (cabac, (gint32) magnitude);

  *where = (gint16) level;
  if (G_UNLIKELY (*where != level))
    h264_slice_decoder_wide_level (dec, where, level);
}
