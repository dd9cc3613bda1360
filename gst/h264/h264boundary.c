/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Boundary filtering strengths (ITU-T H.264, 8.7.2.1) in pictures with inter macroblocks.
 *
 * An edge has four pairs of blocks, one on either side; what is found out of them are four bits, the first block's (from above or from the
 * left) lowest.
 */
#include "h264motion.h"
#include "h264motionwords.h"
#include <string.h>

/* Motion along an edge: of list X the vectors of four blocks, and the pictures that the first and the last two of them refer to */
typedef struct
{
  H264Components mv[2];
  H264RefPicId ref_pic[2][2];
} Line;

/* Which components of four vectors are an edge apart: 4 horizontally, 4 in frames and 2 in fields vertically */
static inline H264Components
are_apart (H264Components p, H264Components q, H264Components limits)
{
  const H264Magnitudes negative = (H264Magnitudes) (p < q);

  /* the absolute difference fits into 16 bits without a sign; with one it could overflow */
  return (H264Components) (((((H264Magnitudes) p - (H264Magnitudes) q) ^ negative) - negative) >= (H264Magnitudes) limits);
}

/* Which pairs of blocks have vectors a sample or more apart; list X of one side is compared with list X ^ @crossed of the other. */
static inline guint
compare_vectors (const Line *p, const Line *q, guint crossed, H264Components limits)
{
  return h264_nonzero_words ((H264Words) (are_apart (p->mv[0], q->mv[crossed], limits) | are_apart (p->mv[1], q->mv[!crossed], limits)));
}

/* Which pairs of blocks differ in motion: different reference pictures, another number of vectors, or vectors a sample or more apart.
 * Vectors of lists that are not used are 0, so they need no case. */
static inline guint
compare_lines (const Line *p, const Line *q, H264Components limits)
{
  guint straight = 0, crossed = 0, differ = 15, half;

  /* which pairs refer to the same pictures, by the same lists or the other way round; or both, with two vectors to one picture */
  for (half = 0; half < 2; half++) {
    const H264RefPicId p0 = p->ref_pic[0][half], p1 = p->ref_pic[1][half], q0 = q->ref_pic[0][half], q1 = q->ref_pic[1][half];

    straight |= (((p0 ^ q0) | (p1 ^ q1)) == 0) * 3u << 2 * half;
    crossed |= (((p0 ^ q1) | (p1 ^ q0)) == 0) * 3u << 2 * half;
  }
  if (straight != 0)
    differ &= ~straight | compare_vectors (p, q, 0, limits);
  if (crossed != 0)
    differ &= ~crossed | compare_vectors (p, q, 1, limits);
  return differ;
}

static inline H264Components
motion_limits (const H264MotionPass *pass)
{
  const gint16 vertical = pass->field_pic ? 2 : 4;

  return (H264Components) {4, vertical, 4, vertical, 4, vertical, 4, vertical};
}

/* Row @y of a macroblock */
static inline void
load_row (const H264MbField *mb, guint y, Line *line)
{
  guint list;

  for (list = 0; list < 2; list++) {
    memcpy (&line->mv[list], &mb->mv[list][y * 4], sizeof (line->mv[list]));
    memcpy (line->ref_pic[list], &mb->ref_pic[list][(y >> 1) * 2], sizeof (line->ref_pic[list]));
  }
}

static inline void
load_column (const H264MbField *mb, guint x, Line *line)
{
  guint list;

  for (list = 0; list < 2; list++) {
    const H264Mv *mv = &mb->mv[list][x];

    line->mv[list] = (H264Components) (H264Words) {mv[0].packed, mv[4].packed, mv[8].packed, mv[12].packed};
    line->ref_pic[list][0] = mb->ref_pic[list][x >> 1];
    line->ref_pic[list][1] = mb->ref_pic[list][2 + (x >> 1)];
  }
}

/* Whether the first blocks of two macroblocks move alike */
static inline gboolean
is_same (const H264MbField *a, const H264MbField *b)
{
  return ((a->mv[0][0].packed ^ b->mv[0][0].packed) | (a->mv[1][0].packed ^ b->mv[1][0].packed)
      | (guint32) (a->ref_pic[0][0] ^ b->ref_pic[0][0]) | (guint32) (a->ref_pic[1][0] ^ b->ref_pic[1][0])) == 0;
}

/* Whether there is nothing to compare: both macroblocks have one motion, and mostly the same; or all blocks have coefficients.  One branch
 * for all of it, since none of these can be foretold. */
static inline gboolean
is_settled (const H264MotionPass *pass, guint mbAddr, guint other, guint coefficients)
{
  const gboolean alike =
      (pass->mbs[mbAddr].n_partitions == 1) & (pass->mbs[other].n_partitions == 1) & is_same (&pass->field[mbAddr], &pass->field[other]);

  return alike | (coefficients == 15);
}

/* Bits of luma4x4BlkIdx (6.4.3) as bits y * 4 + x: in each half the second two are the row below */
static inline guint
raster_bits (guint bits)
{
  const guint swapped = (bits ^ bits >> 2) & 0x0c0c;

  return bits ^ swapped ^ swapped << 2;
}

/* Column @x of raster bits */
static inline guint
column (guint raster, guint x)
{
  raster = raster >> x & 0x1111;
  return (raster | raster >> 3 | raster >> 6 | raster >> 9) & 15;
}

static inline guint
row (guint raster, guint y)
{
  return raster >> 4 * y & 15;
}

/* bS 2 where there are coefficients, else 1 where motion differs: two values a block */
static inline gpu_u32
pack (guint coefficients, guint motion)
{
  static const gpu_u32 pairs[16] = {
    0x00000000, 0x00000011, 0x00001100, 0x00001111, 0x00110000, 0x00110011, 0x00111100, 0x00111111,
    0x11000000, 0x11000011, 0x11001100, 0x11001111, 0x11110000, 0x11110011, 0x11111100, 0x11111111,
  };

  return pairs[coefficients] * 2 + pairs[motion & ~coefficients];
}

/* The edge between an inter macroblock and its left neighbour @other */
static gpu_u32
left_edge (const H264MotionPass *pass, guint mbAddr, guint other)
{
  const GpuMb *mb = &pass->mbs[mbAddr], *neighbour = &pass->mbs[other];
  const guint coefficients = column (raster_bits (mb->nonzero), 0) | column (raster_bits (neighbour->nonzero), 3);
  Line p, q;

  if (neighbour->mb_class != GPU_MB_INTER)
    return 0x44444444u;
  if (is_settled (pass, mbAddr, other, coefficients))
    return pack (coefficients, 0);
  load_column (&pass->field[other], 3, &p);
  load_column (&pass->field[mbAddr], 0, &q);
  return pack (coefficients, compare_lines (&p, &q, motion_limits (pass)));
}

/* The same for its upper neighbour */
static gpu_u32
top_edge (const H264MotionPass *pass, guint mbAddr, guint other)
{
  const GpuMb *mb = &pass->mbs[mbAddr], *neighbour = &pass->mbs[other];
  const guint coefficients = row (raster_bits (mb->nonzero), 0) | row (raster_bits (neighbour->nonzero), 3);
  Line p, q;

  if (neighbour->mb_class != GPU_MB_INTER)
    return pass->field_pic ? 0x33333333u : 0x44444444u;
  if (is_settled (pass, mbAddr, other, coefficients))
    return pack (coefficients, 0);
  load_row (&pass->field[other], 3, &p);
  load_row (&pass->field[mbAddr], 0, &q);
  return pack (coefficients, compare_lines (&p, &q, motion_limits (pass)));
}

static void
inner_coefficients (guint nonzero, GpuBoundary *boundary)
{
  const guint raster = raster_bits (nonzero);
  guint edge;

  for (edge = 1; edge < 4; edge++) {
    boundary->bs[0][edge] = pack (column (raster | raster << 1, edge), 0);
    boundary->bs[1][edge] = pack (row (raster | raster << 4, edge), 0);
  }
}

/* bS 1 where it is 0: the values of @motion are 0 and 1 */
static inline gpu_u32
add_motion (gpu_u32 strengths, guint motion)
{
  return strengths | (pack (0, motion) & ~(strengths >> 1));
}

/* Motion differs at no other inner edge than where a partition begins */
static void
inner_motion (const H264MotionPass *pass, guint mbAddr, GpuBoundary *boundary)
{
  const GpuMb *mb = &pass->mbs[mbAddr];
  const H264MbField *field = &pass->field[mbAddr];
  const H264Components limits = motion_limits (pass);
  guint columns = 0, rows = 0, edge, i;
  Line p, q;

  for (i = 0; i < mb->n_partitions; i++) {
    const guint where = pass->partitions[mb->first_motion + i].where;

    columns |= 1u << GPU_PARTITION_X (where);
    rows |= 1u << GPU_PARTITION_Y (where);
  }
  for (edge = 1; edge < 4; edge++) {
    if (columns >> edge & 1) {
      load_column (field, edge - 1, &p);
      load_column (field, edge, &q);
      boundary->bs[0][edge] = add_motion (boundary->bs[0][edge], compare_lines (&p, &q, limits));
    }
    if (rows >> edge & 1) {
      load_row (field, edge - 1, &p);
      load_row (field, edge, &q);
      boundary->bs[1][edge] = add_motion (boundary->bs[1][edge], compare_lines (&p, &q, limits));
    }
  }
}

static void
intra_strengths (const H264MotionPass *pass, GpuBoundary *boundary)
{
  memset (boundary->bs, 0x33, sizeof (boundary->bs));
  boundary->bs[0][0] = 0x44444444u;
  if (!pass->field_pic)
    boundary->bs[1][0] = 0x44444444u;
}

void
h264_boundary_strengths (const H264MotionPass *pass, guint mbAddr)
{
  const GpuMb *mb = &pass->mbs[mbAddr];
  GpuBoundary *boundary = &pass->boundaries[mbAddr];

  if (mb->mb_class != GPU_MB_INTER) {
    /* the filter flags say which of the edges count */
    intra_strengths (pass, boundary);
    return;
  }
  memset (boundary, 0, sizeof (*boundary));
  if (mb->filter & GPU_FILTER_LEFT)
    boundary->bs[0][0] = left_edge (pass, mbAddr, mbAddr - 1);
  if (mb->filter & GPU_FILTER_TOP)
    boundary->bs[1][0] = top_edge (pass, mbAddr, mbAddr - pass->width_in_mbs);
  if (!(mb->filter & GPU_FILTER_INTERNAL))
    return;
  if (mb->nonzero != 0)
    inner_coefficients (mb->nonzero, boundary);
  if (mb->n_partitions > 1)
    inner_motion (pass, mbAddr, boundary);
}
