/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Which neighbours of the current macroblock may be used (ITU-T H.264, 6.4.9 to 6.4.12), for parsing, intra prediction and deblocking.
 */
#pragma once

#include "h264slicestate.h"

G_BEGIN_DECLS

/* Those of @inside, the neighbours in the picture, that this slice has decoded (6.4.9); slices are runs of macroblocks: all from its first
 * one on */
static inline guint
h264_availability_in_run (const H264SliceDecoder *dec, guint inside)
{
  const guint width = dec->target->width_in_mbs, n_before = dec->place.mbAddr - dec->sh->first_mb_in_slice;

  if (G_LIKELY (n_before > width))
    return inside;
  if (n_before <= width)
    inside &= ~(guint) GST_GPU_AVAILABLE_D;
  if (n_before < width)
    inside &= ~(guint) GST_GPU_AVAILABLE_B;
  if (n_before + 1 < width)
    inside &= ~(guint) GST_GPU_AVAILABLE_C;
  if (n_before == 0)
    inside &= ~(guint) (GST_GPU_AVAILABLE_A | GST_GPU_AVAILABLE_A_LOWER);
  return inside;
}

/* The same with slice groups */
guint h264_availability_in_groups (const H264SliceDecoder *dec, guint inside);

/* 8.7: filterLeftMbEdgeFlag, filterTopMbEdgeFlag, filterInternalEdgesFlag.  @inside: neighbours in the picture; @available: in the slice */
static inline guint
h264_availability_filter (const H264SliceDecoder *dec, guint inside, guint available)
{
  const guint idc = dec->sh->disable_deblocking_filter_idc;

  G_STATIC_ASSERT (GST_GPU_FILTER_LEFT == GST_GPU_AVAILABLE_A && GST_GPU_FILTER_TOP == GST_GPU_AVAILABLE_B);
  if (idc == 1)
    return 0;
  /* with 0 across the borders of slices, else within the slice */
  return GST_GPU_FILTER_INTERNAL | ((idc == 0 ? inside : available) & (GST_GPU_FILTER_LEFT | GST_GPU_FILTER_TOP));
}

/* Finds available and filter of the macroblock without MBAFF (6.4.9, 6.4.10); in I slices they are for intra prediction too */
static inline void
h264_availability_find (H264SliceDecoder *dec)
{
  const guint inside = h264_mb_neighbours_inside (&dec->place, dec->target->width_in_mbs);

  dec->available = dec->target->mb_to_slice_group ? h264_availability_in_groups (dec, inside) : h264_availability_in_run (dec, inside);
  dec->filter = h264_availability_filter (dec, inside, dec->available);
}

/* Writes what follows from where the macroblock is, and from the kind of its pair in MBAFF frames: to the decoder, to its record and to its
 * motion syntax.  Again where the kind turns out to be another one. */
void h264_availability_begin_macroblock (H264SliceDecoder *dec);

/* An intra macroblock of a P or B slice with constrained_intra_pred_flag: samples of inter macroblocks are none to predict from
 * (8.3.1.2). */
void h264_availability_constrain_intra (H264SliceDecoder *dec);

/* Which of the pairs beside the current one are of its slice: GST_GPU_AVAILABLE_* */
guint h264_availability_of_pairs (const H264SliceDecoder *dec);

G_END_DECLS
