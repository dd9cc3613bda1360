/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264availability.h"
#include "h264mbedges.h"

#define AVAILABLE_A (GST_GPU_AVAILABLE_A | GST_GPU_AVAILABLE_A_LOWER)

/* 6.4.9: a neighbour is available if this slice has decoded it */
static inline gboolean
is_available (const H264SliceDecoder *dec, guint mbAddr)
{
  return h264_mb_slice_get (dec->mb_slice, mbAddr) == dec->slice_index;
}

/* Those of @inside that are available, of the neighbours with these addresses */
static inline guint
find_available (const H264SliceDecoder *dec, guint inside, guint A, guint B, guint C, guint D)
{
  guint available = 0;

  if ((inside & GST_GPU_AVAILABLE_A) && is_available (dec, A))
    available |= AVAILABLE_A;
  if ((inside & GST_GPU_AVAILABLE_B) && is_available (dec, B))
    available |= GST_GPU_AVAILABLE_B;
  if ((inside & GST_GPU_AVAILABLE_C) && is_available (dec, C))
    available |= GST_GPU_AVAILABLE_C;
  if ((inside & GST_GPU_AVAILABLE_D) && is_available (dec, D))
    available |= GST_GPU_AVAILABLE_D;
  return available;
}

guint
h264_availability_in_groups (const H264SliceDecoder *dec, guint inside)
{
  const H264MbNeighbours at = h264_mb_neighbours (dec->place.mbAddr, dec->target->width_in_mbs);

  return find_available (dec, inside, at.A[0], at.B, at.C, at.D);
}

guint
h264_availability_of_pairs (const H264SliceDecoder *dec)
{
  const guint width = dec->target->width_in_mbs, inside = h264_pair_neighbours_inside (&dec->place, width);
  const H264PairNeighbours at = h264_pair_neighbours (dec->place.mbAddr, width);

  return find_available (dec, inside, at.A, at.B, at.C, at.D);
}

static inline void
set_macroblock (H264SliceDecoder *dec, gboolean is_field)
{
  dec->mb->flags = is_field ? GST_GPU_MB_FIELD : 0;
  dec->mb->available = (guint8) dec->available;
  dec->mb->filter = (guint8) dec->filter;
  dec->mb_motion->available = (guint8) dec->available;
}

static void
find_in_pairs (H264SliceDecoder *dec)
{
  const guint lower = dec->place.mbAddr & 1;
  const gboolean is_field = dec->pair.is_field;
  const guint inside = h264_pair_neighbours_inside (&dec->place, dec->target->width_in_mbs);

  dec->available = h264_mbaff_neighbours (h264_availability_of_pairs (dec), is_field, lower);
  dec->filter = h264_availability_filter (dec, h264_mbaff_neighbours (inside, is_field, lower), dec->available);
}

void
h264_availability_begin_macroblock (H264SliceDecoder *dec)
{
  if (G_UNLIKELY (dec->mbaff)) {
    find_in_pairs (dec);
    set_macroblock (dec, dec->pair.is_field);
    h264_mb_edges_begin_of_pair (dec);
  } else {
    h264_availability_find (dec);
    set_macroblock (dec, dec->sh->field_pic_flag);
    h264_mb_edges_begin (dec);
  }
}

static inline gboolean
is_inter (const H264SliceDecoder *dec, guint mbAddr)
{
  return dec->mbs[mbAddr].mb_class == GST_GPU_MB_INTER;
}

/* Rows of a frame macroblock lie beside both field macroblocks of a pair in turns. */
static guint
constrain_left_of_pair (const H264SliceDecoder *dec, guint A)
{
  const guint lower = dec->place.mbAddr & 1;

  if (dec->pair.left_is_field == dec->pair.is_field)
    return is_inter (dec, A + lower) ? AVAILABLE_A : 0;
  if (!dec->pair.is_field)
    return is_inter (dec, A) || is_inter (dec, A + 1) ? AVAILABLE_A : 0;
  return (is_inter (dec, A) ? GST_GPU_AVAILABLE_A : 0) | (is_inter (dec, A + 1) ? GST_GPU_AVAILABLE_A_LOWER : 0);
}

/* The macroblock above one of the current pair, in the pair whose upper one is @above */
static guint
find_above (const H264SliceDecoder *dec, guint above)
{
  return above + h264_pair_above ((dec->mbs[above].flags & GST_GPU_MB_FIELD) != 0, dec->pair.is_field, dec->place.mbAddr & 1);
}

/* Those of @available that are inter macroblocks, in MBAFF frames */
static guint
find_inter_of_pairs (const H264SliceDecoder *dec, guint available)
{
  const H264PairNeighbours at = h264_pair_neighbours (dec->place.mbAddr, dec->target->width_in_mbs);
  const gboolean below_frame = !dec->pair.is_field && (dec->place.mbAddr & 1);
  /* D of the lower frame macroblock: beside the row above it */
  const H264PairLine above_second_half = h264_pair_line (h264_line_of_pair (-1, FALSE, 1, 16), dec->pair.left_is_field, 16);
  guint inter = 0;

  if (available & GST_GPU_AVAILABLE_A)
    inter |= constrain_left_of_pair (dec, at.A);
  if ((available & GST_GPU_AVAILABLE_B) && is_inter (dec, below_frame ? dec->place.mbAddr - 1 : find_above (dec, at.B)))
    inter |= GST_GPU_AVAILABLE_B;
  if ((available & GST_GPU_AVAILABLE_C) && is_inter (dec, find_above (dec, at.C)))
    inter |= GST_GPU_AVAILABLE_C;
  if ((available & GST_GPU_AVAILABLE_D) && is_inter (dec, below_frame ? at.A + above_second_half.lower : find_above (dec, at.D)))
    inter |= GST_GPU_AVAILABLE_D;
  return inter;
}

static guint
find_inter (const H264SliceDecoder *dec, guint available)
{
  const H264MbNeighbours at = h264_mb_neighbours (dec->place.mbAddr, dec->target->width_in_mbs);
  guint inter = 0;

  if ((available & GST_GPU_AVAILABLE_A) && is_inter (dec, at.A[0]))
    inter |= AVAILABLE_A;
  if ((available & GST_GPU_AVAILABLE_B) && is_inter (dec, at.B))
    inter |= GST_GPU_AVAILABLE_B;
  if ((available & GST_GPU_AVAILABLE_C) && is_inter (dec, at.C))
    inter |= GST_GPU_AVAILABLE_C;
  if ((available & GST_GPU_AVAILABLE_D) && is_inter (dec, at.D))
    inter |= GST_GPU_AVAILABLE_D;
  return inter;
}

/* Of the rows beside a frame macroblock, those in the bottom field, as row 7, may be usable where the others are not. */
static gboolean
has_row_7_alone (const H264SliceDecoder *dec, guint inter)
{
  const guint A = h264_pair_neighbours (dec->place.mbAddr, dec->target->width_in_mbs).A;

  return (inter & GST_GPU_AVAILABLE_A) && !dec->pair.is_field && dec->pair.left_is_field && !is_inter (dec, A + 1);
}

void
h264_availability_constrain_intra (H264SliceDecoder *dec)
{
  const guint inter = dec->mbaff ? find_inter_of_pairs (dec, dec->available) : find_inter (dec, dec->available);

  dec->mb->available = (guint8) (dec->available & ~inter);
  if (dec->mbaff && has_row_7_alone (dec, inter))
    dec->mb->available |= GST_GPU_AVAILABLE_ROW_7;
}
