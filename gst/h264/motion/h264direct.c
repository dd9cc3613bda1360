/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Direct prediction of B macroblocks (ITU-T H.264, 8.4.1.2).
 */
#include "h264direct.h"
#include "h264colocated.h"
#include "h264mbmvneighbours.h"
#include "h264mvprediction.h"

#define CACHE H264_CACHE

/**
 * Block:
 * @ref_idx: refIdxCol; -1: no motion there
 * @ref_pic: what it refers to
 * @mv: mvCol
 *
 * A co-located block.
 */
typedef struct
{
  gint ref_idx;
  H264RefPicId ref_pic;
  H264Mv mv;
} Block;

/* Block @block (y * 4 + x) of @mb */
static inline Block
load_block (const H264MapMb *mb, guint block)
{
  const guint quadrant = (block >> 3) * 2 + ((block & 3) >> 1), list = mb->ref_idx[0][quadrant] >= 0 ? 0 : 1;

  return (Block){ mb->ref_idx[list][quadrant], mb->ref_pic[list][quadrant], mb->mv[list][block] };
}

/* Block @k of a quadrant, as y * 4 + x */
static inline guint
block_of_quadrant (guint quadrant, guint k)
{
  return (quadrant >> 1) * 8 + (quadrant & 1) * 2 + (k >> 1) * 4 + (k & 1);
}

/* colZeroFlag (8.4.1.2.2) but for its condition on the picture: bit y * 4 + x */
static inline guint
find_col_zero (const H264MotionPass *pass, const H264MotionSlice *slice, guint mbAddr)
{
  H264Colocated colocated;
  guint zero = 0;

  if (!h264_colocated_find (pass, slice, mbAddr, &colocated))
    return 0;
  if (!pass->direct_8x8_inference)
    return colocated.still[0];
  for (guint quadrant = 0; quadrant < 4; quadrant++)
    if (colocated.still[quadrant >> 1] >> colocated.corner[quadrant] & 1)
      zero |= 0x33u << block_of_quadrant (quadrant, 0);
  return zero;
}

/* MinPositive (8.4.1.2.2) of values from -2 to 31, byte by byte: a negative one has the greater bytes */
static inline H264Words
min_positive (H264Words a, H264Words b)
{
  return (H264Words) h264_min_bytes ((H264Bytes) a, (H264Bytes) b);
}

/* Words 0 and 1 are those of list 0 and 1. */
static inline H264Motion
take_lists (H264Words ref_idx, H264Words mv)
{
  return (H264Motion){ { (gint8) ref_idx[0], (gint8) ref_idx[1] }, { { .packed = mv[0] }, { .packed = mv[1] } } };
}

void
h264_direct_predict_spatial (const H264MotionPass *pass, const H264MotionSlice *slice, guint mbAddr, H264SpatialDirect *direct)
{
  const H264MbMvNeighbours neighbours = h264_mb_mv_neighbours (pass, mbAddr);
  const H264Words *refs = neighbours.ref_idx;
  const H264Words ref_idx = min_positive (refs[0], min_positive (refs[1], refs[2]));
  const H264Words unused = (H264Words) ((H264SignedWords) ref_idx < 0);
  const H264Words mv = h264_mv_predict_lists (&neighbours, ref_idx) & ~unused;
  H264Words zeroed;

  if (unused[0] & unused[1]) {
    direct->motion[0] = (H264Motion){ { 0, 0 }, { { .packed = 0 }, { .packed = 0 } } };
    direct->col_zero = 0;
    return;
  }
  direct->motion[0] = take_lists (ref_idx | unused, mv);
  direct->col_zero = 0;
  /* most of the time nothing would change, so the co-located picture need not be asked */
  zeroed = mv & (H264Words) (ref_idx != 0);
  if (h264_nonzero_words (zeroed ^ mv) == 0)
    return;
  direct->motion[1] = take_lists (ref_idx | unused, zeroed);
  if (slice->colocated_is_short_term)
    direct->col_zero = find_col_zero (pass, slice, mbAddr);
}

/* The lowest refIdxL0 that refers to @ref_pic (8.4.1.2.3) */
static guint
map_col_to_list0 (H264MotionSlice *slice, H264RefPicId ref_pic)
{
  for (guint i = 0; i < slice->lists.n[0]; i++)
    if (slice->ref_ids[0][i] == ref_pic)
      return i;
  slice->missing_used = TRUE;
  return 0;
}

/* The same for a field macroblock of an MBAFF frame, of @parity: fields of the list's frames, that of the same parity first (8.4.2.1) */
static guint
map_col_to_field_list0 (H264MotionSlice *slice, H264RefPicId ref_pic, guint parity)
{
  const guint structure = ref_pic & H264_FRAME;

  return 2 * map_col_to_list0 (slice, ref_pic | H264_FRAME) + (structure != 1u << parity);
}

/* What the co-located block refers to, in the units of the current macroblock, whose structure is @structure */
static H264RefPicId
convert_ref_pic (H264RefPicId ref_pic, H264VertMvScale scale, guint structure)
{
  if (scale == H264_FRM_TO_FLD)
    return (ref_pic & ~H264_FRAME) | (H264RefPicId) structure;
  return scale == H264_FLD_TO_FRM ? ref_pic | H264_FRAME : ref_pic;
}

static gint
convert_vertical (gint mv, H264VertMvScale scale)
{
  /* "/" of the standard, which goes towards 0 */
  return scale == H264_FRM_TO_FLD ? mv / 2 : scale == H264_FLD_TO_FRM ? mv * 2 : mv;
}

/* The macroblock as temporal prediction sees it: @parity: of a field macroblock of an MBAFF frame; -1: of others; @structure: of the
 * macroblock */
typedef struct
{
  H264MotionSlice *slice;
  gint parity;
  guint structure;
} Target;

/* 8.4.1.2.3, for one co-located block */
static H264Motion
predict_temporal (const Target *target, const Block *col, H264VertMvScale scale)
{
  H264MotionSlice *slice = target->slice;
  const gint mv_col[2] = { col->mv.comp[0], convert_vertical (col->mv.comp[1], scale) };
  const H264RefPicId ref_pic = convert_ref_pic (col->ref_pic, scale, target->structure);
  guint ref_idx = 0;
  gint factor;
  H264Motion motion = { .mv = { { .comp = { (gint16) mv_col[0], (gint16) mv_col[1] } }, { .packed = 0 } } };

  if (col->ref_idx >= 0)
    ref_idx = target->parity >= 0 ? map_col_to_field_list0 (slice, ref_pic, (guint) target->parity) : map_col_to_list0 (slice, ref_pic);
  factor = target->parity >= 0 ? slice->field_dist_scale_factor[target->parity][ref_idx] : slice->dist_scale_factor[ref_idx];
  motion.ref_idx[0] = (gint8) ref_idx;
  motion.ref_idx[1] = 0;
  if (factor == H264_NO_SCALING)
    return motion;
  for (guint comp = 0; comp < 2; comp++) {
    const gint mv = (factor * mv_col[comp] + 128) >> 8;

    motion.mv[0].comp[comp] = (gint16) mv;
    motion.mv[1].comp[comp] = (gint16) (mv - mv_col[comp]);
  }
  return motion;
}

static Target
make_target (const H264MotionPass *pass, H264MotionSlice *slice, guint mbAddr)
{
  const gboolean mbaff_field = pass->mbaff && (pass->mbs[mbAddr].flags & GST_GPU_MB_FIELD);

  return (Target){ slice, mbaff_field ? (gint) (mbAddr & 1) : -1, mbaff_field ? 1u << (mbAddr & 1) : pass->structure };
}

void
h264_direct_predict_temporal (const H264MotionPass *pass, H264MotionSlice *slice, guint mbAddr, guint quadrants, H264MotionCache *cache)
{
  const Target target = make_target (pass, slice, mbAddr);
  H264Colocated colocated = { .scale = H264_ONE_TO_ONE };
  const gboolean found = h264_colocated_find (pass, slice, mbAddr, &colocated);

  for (guint quadrant = 0; quadrant < 4; quadrant++) {
    H264Motion motion;

    if (!(quadrants >> quadrant & 1))
      continue;
    for (guint k = 0; k < 4; k++) {
      const guint block = block_of_quadrant (quadrant, k), at = CACHE (block & 3, (gint) (block >> 2));

      if (k == 0 || !pass->direct_8x8_inference) {
        Block col = { -1, H264_NO_REF_PIC, { .packed = 0 } };

        if (found)
          col = load_block (colocated.mb[quadrant >> 1], pass->direct_8x8_inference ? colocated.corner[quadrant] : block);
        motion = predict_temporal (&target, &col, colocated.scale);
      }
      for (guint list = 0; list < 2; list++) {
        cache->ref_idx[list][at] = motion.ref_idx[list];
        cache->mv[list][at] = motion.mv[list];
      }
    }
  }
}
