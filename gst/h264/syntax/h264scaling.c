/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264scaling.h"
#include "h264scan.h"

/* Tables 7-3 and 7-4, in the order of idx */
static const guint8 Default_4x4_Intra[16] = { 6, 13, 13, 20, 20, 20, 28, 28, 28, 28, 32, 32, 32, 37, 37, 42 };

static const guint8 Default_4x4_Inter[16] = { 10, 14, 14, 20, 20, 20, 24, 24, 24, 24, 27, 27, 27, 30, 30, 34 };

static const guint8 Default_8x8_Intra[64] = { 6, 10, 10, 13, 11, 13, 16, 16, 16, 16, 18, 18, 18, 18, 18, 23, 23, 23, 23, 23, 23, 25, 25, 25,
  25, 25, 25, 25, 27, 27, 27, 27, 27, 27, 27, 27, 29, 29, 29, 29, 29, 29, 29, 31, 31, 31, 31, 31, 31, 33, 33, 33, 33, 33, 36, 36, 36, 36,
  38, 38, 38, 40, 40, 42 };

static const guint8 Default_8x8_Inter[64] = { 9, 13, 13, 15, 13, 15, 17, 17, 17, 17, 19, 19, 19, 19, 19, 21, 21, 21, 21, 21, 21, 22, 22, 22,
  22, 22, 22, 22, 24, 24, 24, 24, 24, 24, 24, 24, 25, 25, 25, 25, 25, 25, 25, 27, 27, 27, 27, 27, 27, 28, 28, 28, 28, 28, 30, 30, 30, 30,
  32, 32, 32, 33, 33, 35 };

/* scaling_list() (7.3.2.1.1.1).  @use_default stands for a list that begins with useDefaultScalingMatrixFlag. */
static void
parse_scaling_list (guint8 *list, guint size, H264Bits *bits, const guint8 *use_default)
{
  gint lastScale = 8, nextScale = 8;

  for (guint j = 0; j < size; j++) {
    if (nextScale != 0) {
      gint delta_scale = h264_bits_se_range (bits, -128, 127, "delta_scale is out of range");

      nextScale = (lastScale + delta_scale + 256) % 256;
      if (j == 0 && nextScale == 0) {
        memcpy (list, use_default, size);
        return;
      }
    }
    list[j] = nextScale == 0 ? lastScale : nextScale;
    lastScale = list[j];
  }
}

void
h264_scaling_lists_parse (H264ScalingLists *lists, H264Bits *bits, guint n_8x8, const H264ScalingLists *fall_back)
{
  for (guint i = 0; i < 6; i++) {
    const guint8 *use_default = i < 3 ? Default_4x4_Intra : Default_4x4_Inter;

    if (h264_bits_u (bits, 1)) /* {seq,pic}_scaling_list_present_flag */
      parse_scaling_list (lists->list_4x4[i], 16, bits, use_default);
    else if (i % 3 != 0)
      memcpy (lists->list_4x4[i], lists->list_4x4[i - 1], 16);
    else
      memcpy (lists->list_4x4[i], fall_back ? fall_back->list_4x4[i] : use_default, 16);
  }
  for (guint i = 0; i < 6; i++) {
    const guint8 *use_default = i % 2 == 0 ? Default_8x8_Intra : Default_8x8_Inter;

    if (i < n_8x8 && h264_bits_u (bits, 1))
      parse_scaling_list (lists->list_8x8[i], 64, bits, use_default);
    else if (i >= 2)
      memcpy (lists->list_8x8[i], lists->list_8x8[i - 2], 64);
    else
      memcpy (lists->list_8x8[i], fall_back ? fall_back->list_8x8[i] : use_default, 64);
  }
}

/* 8.5.9: the inverse zig-zag scan serves the lists of frame and field macroblocks alike (8.5.6). */
void
h264_weight_scales_set (H264WeightScales *scales, const H264ScalingLists *lists)
{
  for (guint i = 0; i < 6; i++) {
    for (guint j = 0; j < 16; j++)
      scales->weight_scale_4x4[i][h264_scan_4x4_transposed[0][j]] = lists->list_4x4[i][j];
    for (guint j = 0; j < 64; j++)
      scales->weight_scale_8x8[i][h264_scan_8x8_transposed[0][j]] = lists->list_8x8[i][j];
  }
}
