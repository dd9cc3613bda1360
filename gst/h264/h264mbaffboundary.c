/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264mbaffboundary.h"
#include <string.h>

/* Block y * 4 + x of a macroblock */
typedef struct
{
  const GstGpuMb *mb;
  const H264MapMb *map;
  guint block;
} Block;

static Block
block_at (const H264MotionPass *pass, guint mbAddr, guint block)
{
  return (Block){ &pass->mbs[mbAddr], &pass->map[mbAddr], block };
}

static gboolean
is_field (const H264MotionPass *pass, guint mbAddr)
{
  return (pass->mbs[mbAddr].flags & GST_GPU_MB_FIELD) != 0;
}

static gboolean
is_intra (const H264MotionPass *pass, guint mbAddr)
{
  return pass->mbs[mbAddr].mb_class != GST_GPU_MB_INTER;
}

/* Whether there are coefficients in the block: its bit is that of luma4x4BlkIdx (6.4.3) */
static gboolean
is_coded (const Block *block)
{
  const guint x = block->block & 3, y = block->block >> 2;

  return block->mb->nonzero >> ((x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2) & 1;
}

static H264RefPicId
ref_pic (const Block *block, guint list)
{
  return block->map->ref_pic[list][(block->block >> 3) * 2 + ((block->block & 3) >> 1)];
}

/* Whether list @p_list of @p and list @q_list of @q have vectors a sample or more apart; @vertical: the limit */
static gboolean
vectors_differ (const Block *p, guint p_list, const Block *q, guint q_list, gint vertical)
{
  const H264Mv a = p->map->mv[p_list][p->block], b = q->map->mv[q_list][q->block];

  return ABS (a.comp[0] - b.comp[0]) >= 4 || ABS (a.comp[1] - b.comp[1]) >= vertical;
}

/* Different pictures, another number of vectors, or vectors apart.  Lists that are not used have vector 0 and no picture. */
static gboolean
motion_differs (const Block *p, const Block *q, gint vertical)
{
  const gboolean straight = ref_pic (p, 0) == ref_pic (q, 0) && ref_pic (p, 1) == ref_pic (q, 1);
  const gboolean crossed = ref_pic (p, 0) == ref_pic (q, 1) && ref_pic (p, 1) == ref_pic (q, 0);

  if (straight && !vectors_differ (p, 0, q, 0, vertical) && !vectors_differ (p, 1, q, 1, vertical))
    return FALSE;
  return !crossed || vectors_differ (p, 0, q, 1, vertical) || vectors_differ (p, 1, q, 0, vertical);
}

/* bS of an edge between inter blocks; @mixed: mixedModeEdgeFlag */
static guint
strength (const Block *p, const Block *q, gboolean mixed)
{
  /* in units of the field, in field macroblocks */
  const gint vertical = q->mb->flags & GST_GPU_MB_FIELD ? 2 : 4;

  if (is_coded (p) || is_coded (q))
    return 2;
  return mixed || motion_differs (p, q, vertical);
}

static guint
strength_at (const H264MotionPass *pass, guint p_addr, guint p_block, guint q_addr, guint q_block)
{
  const Block p = block_at (pass, p_addr, p_block), q = block_at (pass, q_addr, q_block);

  return strength (&p, &q, is_field (pass, p_addr) != is_field (pass, q_addr));
}

/* Two values of an edge to one block */
static void
set_block (gst_gpu_u32 *word, guint k, guint bS)
{
  *word |= bS * 0x11u << 8 * k;
}

/* The left edge where both pairs are of one kind */
static void
left_edge (const H264MotionPass *pass, guint left, guint mbAddr, gst_gpu_u32 *word)
{
  const gboolean intra = is_intra (pass, left) || is_intra (pass, mbAddr);

  for (guint k = 0; k < 4; k++)
    set_block (word, k, intra ? 4 : strength_at (pass, left, 4 * k + 3, mbAddr, 4 * k));
}

/* The left edge between kinds: eight values, whose rows GstGpuBoundary tells; @left: the upper macroblock of the left pair */
static void
mixed_left_edge (const H264MotionPass *pass, guint left, guint mbAddr, gst_gpu_u32 *word)
{
  const guint lower = mbAddr & 1;

  for (guint k = 0; k < 8; k++) {
    guint p_addr, p_row, bS = 4;

    if (is_field (pass, mbAddr)) {
      p_addr = left + k / 4;
      p_row = k % 4;
    } else {
      p_addr = left + k % 2;
      p_row = 2 * lower + k / 4;
    }
    if (!is_intra (pass, p_addr) && !is_intra (pass, mbAddr))
      bS = strength_at (pass, p_addr, 4 * p_row + 3, mbAddr, k / 2 * 4);
    *word |= bS << 4 * k;
  }
}

/* A horizontal edge to @above: strong filtering is for frame macroblocks only. */
static void
top_edge (const H264MotionPass *pass, guint above, guint mbAddr, gst_gpu_u32 *word)
{
  const gboolean intra = is_intra (pass, above) || is_intra (pass, mbAddr);
  const guint of_intra = is_field (pass, above) || is_field (pass, mbAddr) ? 3 : 4;

  for (guint k = 0; k < 4; k++)
    set_block (word, k, intra ? of_intra : strength_at (pass, above, 12 + k, mbAddr, k));
}

/* The edge of a frame macroblock below a pair of field macroblocks, which is filtered once for each field; @above: the upper one there */
static void
doubled_top_edge (const H264MotionPass *pass, guint above, guint mbAddr, gst_gpu_u32 *word)
{
  for (guint k = 0; k < 8; k++) {
    const guint p_addr = above + k / 4;
    guint bS = 3;

    if (!is_intra (pass, p_addr) && !is_intra (pass, mbAddr))
      bS = strength_at (pass, p_addr, 12 + k % 4, mbAddr, k % 4);
    *word |= bS << 4 * k;
  }
}

static void
outer_edges (const H264MotionPass *pass, guint mbAddr, GstGpuBoundary *boundary)
{
  const H264PairNeighbours at = h264_pair_neighbours (mbAddr, pass->width_in_mbs);
  const guint filter = pass->mbs[mbAddr].filter, lower = mbAddr & 1;
  const gboolean field = is_field (pass, mbAddr);

  if (filter & GST_GPU_FILTER_LEFT) {
    if (is_field (pass, at.A) == field)
      left_edge (pass, at.A + lower, mbAddr, &boundary->bs[0][0]);
    else
      mixed_left_edge (pass, at.A, mbAddr, &boundary->bs[0][0]);
  }
  if (!(filter & GST_GPU_FILTER_TOP))
    return;
  if (lower && !field)
    top_edge (pass, mbAddr - 1, mbAddr, &boundary->bs[1][0]);
  else if (!field && is_field (pass, at.B))
    doubled_top_edge (pass, at.B, mbAddr, &boundary->bs[1][0]);
  else
    top_edge (pass, at.B + h264_pair_above (is_field (pass, at.B), field, lower), mbAddr, &boundary->bs[1][0]);
}

static void
inner_edges (const H264MotionPass *pass, guint mbAddr, GstGpuBoundary *boundary)
{
  const gboolean intra = is_intra (pass, mbAddr);

  for (guint edge = 1; edge < 4; edge++)
    for (guint k = 0; k < 4; k++) {
      set_block (&boundary->bs[0][edge], k, intra ? 3 : strength_at (pass, mbAddr, 4 * k + edge - 1, mbAddr, 4 * k + edge));
      set_block (&boundary->bs[1][edge], k, intra ? 3 : strength_at (pass, mbAddr, 4 * (edge - 1) + k, mbAddr, 4 * edge + k));
    }
}

void
h264_mbaff_boundary_strengths (const H264MotionPass *pass, guint mbAddr)
{
  GstGpuBoundary *boundary = &pass->boundaries[mbAddr];

  memset (boundary, 0, sizeof (*boundary));
  outer_edges (pass, mbAddr, boundary);
  if (pass->mbs[mbAddr].filter & GST_GPU_FILTER_INTERNAL)
    inner_edges (pass, mbAddr, boundary);
}
