/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264mbaffmotion.h"

#define CACHE H264_CACHE

/* Column of the cache where neighbours D of blocks in column 0 stand (h264mbcache.h) */
#define D_COLUMN -2

/* A block as neighbour, in units of the current macroblock (8.4.1.3.2): a field has half the lines, and refIdx counts fields. */
typedef struct
{
  gint ref_idx;
  H264Mv mv;
} Neighbour;

static const Neighbour unavailable = { H264_REF_UNAVAILABLE, { .packed = 0 } };

static Neighbour
load_block (const H264MotionPass *pass, guint mbAddr, guint list, guint block, gboolean is_field)
{
  const H264MapMb *mb = &pass->map[mbAddr];
  const gboolean its_field = (pass->mbs[mbAddr].flags & GST_GPU_MB_FIELD) != 0;
  Neighbour neighbour = { mb->ref_idx[list][(block >> 3) * 2 + ((block & 3) >> 1)], mb->mv[list][block] };

  if (neighbour.ref_idx < 0 || its_field == is_field)
    return neighbour;
  if (is_field) {
    neighbour.ref_idx *= 2;
    /* "/" of the standard, which goes towards 0 */
    neighbour.mv.comp[1] = (gint16) (neighbour.mv.comp[1] / 2);
  } else {
    neighbour.ref_idx >>= 1;
    neighbour.mv.comp[1] = (gint16) (neighbour.mv.comp[1] * 2);
  }
  return neighbour;
}

/* The current macroblock and the pairs beside its own */
typedef struct
{
  const H264MotionPass *pass;
  guint mbAddr, list;
  guint available;
  gboolean is_field;
  H264PairNeighbours at;
} Target;

static Target
make_target (const H264MotionPass *pass, guint mbAddr, guint list)
{
  return (Target){ pass, mbAddr, list, pass->motion[mbAddr].available, (pass->mbs[mbAddr].flags & GST_GPU_MB_FIELD) != 0,
    h264_pair_neighbours (mbAddr, pass->width_in_mbs) };
}

/* The block in the right column of the left pair that covers luma location (-1, @yN) (6.4.12.2, Table 6-4, xN < 0) */
static Neighbour
load_left (const Target *target, gint yN)
{
  const gint line = h264_line_of_pair (yN, target->is_field, target->mbAddr & 1, 16);
  const H264PairLine at = h264_pair_line (line, (target->pass->mbs[target->at.A].flags & GST_GPU_MB_FIELD) != 0, 16);

  return load_block (target->pass, target->at.A + at.lower, target->list, (guint) (at.yM >> 2) * 4 + 3, target->is_field);
}

/* Block @block of the last row of the macroblock above in the pair whose upper one is @upper (6.4.12.2, Table 6-4, yN < 0) */
static Neighbour
load_above (const Target *target, guint upper, guint block)
{
  const gboolean its_field = (target->pass->mbs[upper].flags & GST_GPU_MB_FIELD) != 0;
  const guint lower = h264_pair_above (its_field, target->is_field, target->mbAddr & 1);

  return load_block (target->pass, upper + lower, target->list, block, target->is_field);
}

static inline gboolean
is_below_frame (const Target *target)
{
  return !target->is_field && (target->mbAddr & 1);
}

static Neighbour
load_b (const Target *target, guint block)
{
  if (!(target->available & GST_GPU_AVAILABLE_B))
    return unavailable;
  if (is_below_frame (target))
    return load_block (target->pass, target->mbAddr - 1, target->list, block, FALSE);
  return load_above (target, target->at.B, block);
}

static Neighbour
load_c (const Target *target)
{
  return target->available & GST_GPU_AVAILABLE_C ? load_above (target, target->at.C, 12) : unavailable;
}

/* Of the lower frame macroblock D is in the left pair, beside the last line of the upper one: load_left() with yN = -1 (6.4.12.2,
 * Table 6-4, xN < 0 and yN < 0). */
static Neighbour
load_d (const Target *target)
{
  if (!(target->available & GST_GPU_AVAILABLE_D))
    return unavailable;
  return is_below_frame (target) ? load_left (target, -1) : load_above (target, target->at.D, 15);
}

static void
set_neighbour (H264MvNeighbours *neighbours, guint i, Neighbour neighbour)
{
  neighbours->ref_idx[i] = neighbour.ref_idx;
  neighbours->mv[i] = neighbour.mv;
}

void
h264_mbaff_load_mb_neighbours (const H264MotionPass *pass, guint mbAddr, guint list, H264MvNeighbours *neighbours)
{
  const Target target = make_target (pass, mbAddr, list);
  const Neighbour c = load_c (&target);

  set_neighbour (neighbours, 0, target.available & GST_GPU_AVAILABLE_A ? load_left (&target, 0) : unavailable);
  set_neighbour (neighbours, 1, load_b (&target, 12));
  set_neighbour (neighbours, 2, c.ref_idx != H264_REF_UNAVAILABLE ? c : load_d (&target));
}

static void
put (H264MotionCache *cache, guint list, gint x, gint y, Neighbour neighbour)
{
  cache->ref_idx[list][CACHE (x, y)] = (gint8) neighbour.ref_idx;
  cache->mv[list][CACHE (x, y)] = neighbour.mv;
}

void
h264_mbaff_load_neighbours (const H264MotionPass *pass, guint mbAddr, guint list, H264MotionCache *cache)
{
  const Target target = make_target (pass, mbAddr, list);
  const gboolean left = (target.available & GST_GPU_AVAILABLE_A) != 0;

  cache->d_column = D_COLUMN;
  for (gint k = 0; k < 4; k++) {
    put (cache, list, -1, k, left ? load_left (&target, 4 * k) : unavailable);
    put (cache, list, k, -1, load_b (&target, 12 + (guint) k));
    if (k > 0)
      put (cache, list, D_COLUMN, k - 1, left ? load_left (&target, 4 * k - 1) : unavailable);
  }
  put (cache, list, 4, -1, load_c (&target));
  put (cache, list, -1, -1, unavailable);
  put (cache, list, D_COLUMN, -1, load_d (&target));
}
