/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "h264conceal.h"
#include "h264neighbours.h"

/* A lost macroblock of an intra picture becomes one of Intra_16x16 with DC prediction from whatever stands to its left and above it,
 * without residual or deblocking: smooth from the border of what was received.  With @inter it is what stands there in the first reference
 * picture of @slice. */
static void
conceal_macroblock (H264PictureTarget *target, guint plane, const H264MbPlace *place, guint slice, gboolean inter)
{
  GstGpuMb *mb = &target->mbs[plane][place->mbAddr];

  memset (mb, 0, sizeof (*mb));
  memset (&target->motion[plane][place->mbAddr], 0, sizeof (H264MbMotion));
  mb->slice = (gst_gpu_u16) slice;
  if (inter) {
    mb->mb_class = GST_GPU_MB_INTER;
    return;
  }
  mb->mb_class = GST_GPU_MB_I16x16;
  mb->intra_modes[0] = 2;
  mb->available = (guint8) (h264_mb_neighbours_inside (place, target->width_in_mbs)
      & (GST_GPU_AVAILABLE_A | GST_GPU_AVAILABLE_A_LOWER | GST_GPU_AVAILABLE_B));
}

guint
h264_conceal (H264PictureTarget *target, guint n_colour_planes, guint slice, gboolean inter)
{
  guint n_concealed = 0;

  for (guint plane = 0; plane < n_colour_planes; plane++)
    for (H264MbPlace place = { 0, 0, 0 }; place.mb_y < target->height_in_mbs; h264_mb_place_step (&place, target->width_in_mbs))
      if (target->mb_slice[plane][place.mbAddr] == H264_NO_SLICE) {
        conceal_macroblock (target, plane, &place, slice, inter);
        n_concealed++;
      }
  return n_concealed;
}
