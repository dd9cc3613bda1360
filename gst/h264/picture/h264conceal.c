/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "h264conceal.h"
#include "h264neighbours.h"

/* Both macroblocks of a pair are of one kind: GST_GPU_MB_FIELD as in the other one, if that was decoded. */
static guint8
pair_flags (const H264PictureTarget *target, guint plane, guint mbAddr)
{
  if (!target->mbaff || target->mb_slice[plane][mbAddr ^ 1] == H264_NO_SLICE)
    return 0;
  return target->mbs[plane][mbAddr ^ 1].flags & GST_GPU_MB_FIELD;
}

static guint
find_inside (const H264PictureTarget *target, guint plane, const H264MbPlace *place)
{
  const guint width = target->width_in_mbs;

  if (!target->mbaff)
    return h264_mb_neighbours_inside (place, width);
  return h264_mbaff_neighbours (h264_pair_neighbours_inside (place, width), pair_flags (target, plane, place->mbAddr) != 0,
      place->mbAddr & 1);
}

/* A lost macroblock of an intra picture becomes one of Intra_16x16 with DC prediction from whatever stands to its left and above it,
 * without residual or deblocking: smooth from the border of what was received.  With @inter it comes from the first reference pictures of
 * @slice; the second pass guesses at its motion, for which all neighbours count. */
static void
conceal_macroblock (H264PictureTarget *target, guint plane, const H264MbPlace *place, guint slice, gboolean inter)
{
  GstGpuMb *mb = &target->mbs[plane][place->mbAddr];

  memset (mb, 0, sizeof (*mb));
  memset (&target->motion[plane][place->mbAddr], 0, sizeof (H264MbMotion));
  mb->slice = (gst_gpu_u16) slice;
  mb->flags = pair_flags (target, plane, place->mbAddr);
  if (inter) {
    mb->mb_class = GST_GPU_MB_INTER;
    target->motion[plane][place->mbAddr].available = (guint8) find_inside (target, plane, place);
    return;
  }
  mb->mb_class = GST_GPU_MB_I16x16;
  mb->intra_modes[0] = 2;
  mb->available = (guint8) (find_inside (target, plane, place) & (GST_GPU_AVAILABLE_A | GST_GPU_AVAILABLE_A_LOWER | GST_GPU_AVAILABLE_B));
}

/* Whether no slice has decoded some macroblock: without a branch for each, since mostly none is lost */
static gboolean
any_is_lost (const guint16 *mb_slice, guint n_mbs)
{
  guint16 lost = 0;

  for (guint mbAddr = 0; mbAddr < n_mbs; mbAddr++)
    lost |= mb_slice[mbAddr] == H264_NO_SLICE;
  return lost;
}

guint
h264_conceal (H264PictureTarget *target, guint n_colour_planes, guint slice, gboolean inter)
{
  const guint n_mbs = target->width_in_mbs * target->height_in_mbs;
  guint n_concealed = 0;

  for (guint plane = 0; plane < n_colour_planes; plane++) {
    if (!any_is_lost (target->mb_slice[plane], n_mbs))
      continue;
    for (guint mbAddr = 0; mbAddr < n_mbs; mbAddr++)
      if (target->mb_slice[plane][mbAddr] == H264_NO_SLICE) {
        const H264MbPlace place =
            target->mbaff ? h264_mbaff_place (mbAddr, target->width_in_mbs) : h264_mb_place (mbAddr, target->width_in_mbs);

        conceal_macroblock (target, plane, &place, slice, inter);
        n_concealed++;
      }
  }
  return n_concealed;
}
