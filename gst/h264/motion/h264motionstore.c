/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Where derived motion goes: the motion map, for later macroblocks and pictures, and partitions, for the prediction.
 */
#include "h264motionstore.h"
#include "h264motionwords.h"
#include "h264picturetarget.h"

static inline void
store_words (void *to, guint32 value, guint n)
{
  const H264Words words = { value, value, value, value };

  for (guint k = 0; k < n; k += 4)
    memcpy ((guint32 *) to + k, &words, sizeof (words));
}

/* In the slice's lists; @parity: of a field macroblock of an MBAFF frame, whose refIdx means the fields of the list's frames in turns,
 * that of the same parity first (8.4.2.1); -1: of others */
static inline guint
list_index (gint ref_idx, gint parity)
{
  return (guint) (parity >= 0 ? ref_idx >> 1 : ref_idx) & 31;
}

/* What refIdxLX @ref_idx refers to, H264_NO_REF_PIC for -1: without a branch on ref_idx, which nobody could foretell */
static inline __attribute__ ((always_inline)) H264RefPicId
find_ref_pic (const H264MotionSlice *slice, guint list, gint ref_idx, gint parity)
{
  const H264RefPicId ref_pic = slice->ref_ids[list][list_index (ref_idx, parity)];

  return (parity >= 0 ? (ref_pic & ~H264_FRAME) | 1 << (parity ^ (ref_idx & 1)) : ref_pic) | ref_idx >> 31;
}

/* Pictures are missing: whether the macroblock refers to one */
static __attribute__ ((noinline)) void
look_for_missing (H264MotionSlice *slice, const H264MapMb *map, gint parity)
{
  for (guint list = 0; list < 2; list++)
    for (guint quadrant = 0; quadrant < 4; quadrant++) {
      const gint ref_idx = map->ref_idx[list][quadrant];

      if (ref_idx >= 0 && (slice->missing[list] >> list_index (ref_idx, parity) & 1))
        slice->missing_used = TRUE;
    }
}

static inline gint
parity_of (const H264MotionPass *pass, guint mbAddr)
{
  return h264_motion_is_mbaff_field (pass, mbAddr) ? (gint) (mbAddr & 1) : -1;
}

static inline __attribute__ ((always_inline)) void
store_whole_list (H264MapMb *map, const H264MotionSlice *slice, guint list, const H264Motion *motion, gint parity)
{
  store_words (map->mv[list], motion->mv[list].packed, 16);
  store_words (map->ref_pic[list], (guint32) find_ref_pic (slice, list, motion->ref_idx[list], parity), 4);
  memset (map->ref_idx[list], motion->ref_idx[list], 4);
}

static inline __attribute__ ((always_inline)) void
store_whole (H264MapMb *map, H264MotionSlice *slice, const H264Motion *motion, gint parity)
{
  store_whole_list (map, slice, 0, motion, parity);
  store_whole_list (map, slice, 1, motion, parity);
  if (G_UNLIKELY ((slice->missing[0] | slice->missing[1]) != 0))
    look_for_missing (slice, map, parity);
}

static inline void
add_partition (H264MotionPass *pass, guint mbAddr, const H264Motion *motion, guint x, guint y, guint width, guint height)
{
  GstGpuPartition *partition = &pass->partitions[pass->n_partitions++];

  partition->where = GST_GPU_PARTITION (mbAddr, x, y, width, height);
  memcpy (partition->mv, motion->mv, sizeof (partition->mv));
  memcpy (partition->ref_idx, motion->ref_idx, sizeof (partition->ref_idx));
  partition->slice = pass->mbs[mbAddr].slice;
}

/* H264MotionMap.still of a block: list 0 counts if it is used (8.4.1.2.1) */
static inline gboolean
is_still (const H264Motion *motion)
{
  const guint list = motion->ref_idx[0] >= 0 ? 0 : 1;
  const H264Mv mv = motion->mv[list];

  return (motion->ref_idx[list] == 0) & ((guint) (mv.comp[0] + 1) <= 2) & ((guint) (mv.comp[1] + 1) <= 2);
}

void
h264_motion_store_whole (H264MotionPass *pass, H264MotionSlice *slice, guint mbAddr, const H264Motion *motion)
{
  H264MapMb *map = &pass->map[mbAddr];

  /* as a constant, where it is one for all macroblocks */
  if (!pass->mbaff)
    store_whole (map, slice, motion, -1);
  else
    store_whole (map, slice, motion, parity_of (pass, mbAddr));
  pass->still[mbAddr] = is_still (motion) ? 0xffff : 0;
  pass->mbs[mbAddr].first_motion = pass->n_partitions;
  pass->mbs[mbAddr].n_partitions = 1;
  add_partition (pass, mbAddr, motion, 0, 0, 4, 4);
}

/* H264MotionMap.still of a macroblock */
static guint16
still_blocks (const H264MapMb *map)
{
  const H264Magnitudes one = { 1, 1, 1, 1, 1, 1, 1, 1 }, two = one + one;
  guint still[2] = { 0, 0 }, counts[2] = { 0, 0 }, list, y, quadrant;

  for (list = 0; list < 2; list++)
    for (y = 0; y < 4; y++) {
      H264Magnitudes mv;

      memcpy (&mv, &map->mv[list][y * 4], sizeof (mv));
      still[list] |= (15 ^ h264_nonzero_words ((H264Words) (mv + one > two))) << 4 * y;
    }
  for (quadrant = 0; quadrant < 4; quadrant++) {
    const guint which = map->ref_idx[0][quadrant] >= 0 ? 0 : 1;

    if (map->ref_idx[which][quadrant] == 0)
      counts[which] |= 0x33u << ((quadrant >> 1) * 8 + (quadrant & 1) * 2);
  }
  return (guint16) ((still[0] & counts[0]) | (still[1] & counts[1]));
}

static inline __attribute__ ((always_inline)) void
store_map_of (const H264MotionPass *pass, H264MotionSlice *slice, guint mbAddr, const H264MotionCache *cache, gint parity)
{
  H264MapMb *map = &pass->map[mbAddr];

  for (guint list = 0; list < 2; list++) {
    for (guint k = 0; k < 16; k += 2)
      memcpy (&map->mv[list][k], &cache->mv[list][H264_CACHE (k & 3, (gint) (k >> 2))], 2 * sizeof (H264Mv));
    for (guint quadrant = 0; quadrant < 4; quadrant++) {
      const gint ref_idx = cache->ref_idx[list][H264_CACHE ((quadrant & 1) * 2, (gint) (quadrant >> 1) * 2)];

      map->ref_idx[list][quadrant] = (gint8) ref_idx;
      map->ref_pic[list][quadrant] = find_ref_pic (slice, list, ref_idx, parity);
    }
  }
  if (G_UNLIKELY ((slice->missing[0] | slice->missing[1]) != 0))
    look_for_missing (slice, map, parity);
  pass->still[mbAddr] = still_blocks (map);
}

static void
store_map (const H264MotionPass *pass, H264MotionSlice *slice, guint mbAddr, const H264MotionCache *cache)
{
  if (!pass->mbaff)
    store_map_of (pass, slice, mbAddr, cache, -1);
  else
    store_map_of (pass, slice, mbAddr, cache, parity_of (pass, mbAddr));
}

void
h264_motion_store_intra (const H264MotionPass *pass, guint mbAddr)
{
  H264MapMb *map = &pass->map[mbAddr];

  memset (map->mv, 0, sizeof (map->mv));
  memset (map->ref_pic, 0xff, sizeof (map->ref_pic));
  memset (map->ref_idx, -1, sizeof (map->ref_idx));
  pass->still[mbAddr] = 0;
}

/* Whether blocks @a and @b of the cache move alike */
static inline gboolean
same_motion (const H264MotionCache *cache, guint a, guint b)
{
  return ((cache->mv[0][a].packed ^ cache->mv[0][b].packed) | (cache->mv[1][a].packed ^ cache->mv[1][b].packed)
             | (guint) (cache->ref_idx[0][a] ^ cache->ref_idx[0][b]) | (guint) (cache->ref_idx[1][a] ^ cache->ref_idx[1][b]))
      == 0;
}

static void
add_cached_partition (H264MotionPass *pass, guint mbAddr, const H264MotionCache *cache, guint x, guint y, guint width, guint height)
{
  const guint at = H264_CACHE (x, (gint) y);
  const H264Motion motion = { { cache->ref_idx[0][at], cache->ref_idx[1][at] }, { cache->mv[0][at], cache->mv[1][at] } };

  add_partition (pass, mbAddr, &motion, x, y, width, height);
}

/* Four squares of @half blocks, each of one motion, become the fewest rectangles of the shapes that there are: whole, in halves, in
 * quarters. */
static void
add_square (H264MotionPass *pass, guint mbAddr, const H264MotionCache *cache, guint x, guint y, guint half)
{
  const guint at = H264_CACHE (x, (gint) y), right = at + half, below = at + 8 * half;
  const gboolean top = same_motion (cache, at, right), bottom = same_motion (cache, below, below + half);
  const gboolean left = same_motion (cache, at, below), sides = same_motion (cache, right, below + half);

  if (top && bottom && left) {
    add_cached_partition (pass, mbAddr, cache, x, y, 2 * half, 2 * half);
  } else if (top && bottom) {
    add_cached_partition (pass, mbAddr, cache, x, y, 2 * half, half);
    add_cached_partition (pass, mbAddr, cache, x, y + half, 2 * half, half);
  } else if (left && sides) {
    add_cached_partition (pass, mbAddr, cache, x, y, half, 2 * half);
    add_cached_partition (pass, mbAddr, cache, x + half, y, half, 2 * half);
  } else {
    for (guint k = 0; k < 4; k++)
      add_cached_partition (pass, mbAddr, cache, x + (k & 1) * half, y + (k >> 1) * half, half, half);
  }
}

/* Whether every quadrant has one motion, which the syntax says of most macroblocks */
static gboolean
quadrants_are_uniform (const H264MotionPass *pass, const H264MbMotion *motion, const H264MotionCache *cache)
{
  for (guint quadrant = 0; quadrant < 4; quadrant++) {
    const guint at = H264_CACHE ((quadrant & 1) * 2, (gint) (quadrant >> 1) * 2);

    if (motion->pred[quadrant] == H264_PRED_DIRECT ? pass->direct_8x8_inference : motion->sub_shape[quadrant] == H264_SUB_8x8)
      continue;
    if (!same_motion (cache, at, at + 1) || !same_motion (cache, at, at + 8) || !same_motion (cache, at, at + 9))
      return FALSE;
  }
  return TRUE;
}

static void
store_partitions (H264MotionPass *pass, guint mbAddr, const H264MotionCache *cache)
{
  GstGpuMb *record = &pass->mbs[mbAddr];

  record->first_motion = pass->n_partitions;
  if (quadrants_are_uniform (pass, &pass->motion[mbAddr], cache))
    add_square (pass, mbAddr, cache, 0, 0, 2);
  else
    for (guint quadrant = 0; quadrant < 4; quadrant++)
      add_square (pass, mbAddr, cache, (quadrant & 1) * 2, (quadrant >> 1) * 2, 1);
  record->n_partitions = (gst_gpu_u16) (pass->n_partitions - record->first_motion);
}

void
h264_motion_store_blocks (H264MotionPass *pass, H264MotionSlice *slice, guint mbAddr, const H264MotionCache *cache)
{
  store_map (pass, slice, mbAddr, cache);
  store_partitions (pass, mbAddr, cache);
}
