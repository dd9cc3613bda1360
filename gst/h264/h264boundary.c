/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Boundary filtering strengths (ITU-T H.264, 8.7.2.1) in pictures with inter macroblocks.
 *
 * An edge has four pairs of blocks, one on either side; what is found out of them are four bits, the first block's (from above or from the
 * left) lowest.
 */
#include "h264boundary.h"
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

/* Which pairs of blocks refer to the same pictures, two by two: @p and @q are ref_pic of two lines */
static inline guint
same_pictures (H264Words p, H264Words q)
{
  static const guint8 pairs[4] = { 15, 12, 3, 0 }; /* by which halves differ */
  const guint differ = h264_nonzero_words (p ^ q);

  return pairs[(differ | differ >> 2) & 3];
}

/* Which pairs of blocks differ in motion: different reference pictures, another number of vectors, or vectors a sample or more apart.
 * Vectors of lists that are not used are 0, so they need no case. */
static inline guint
compare_lines (const Line *p, const Line *q, H264Components limits)
{
  guint straight, crossed, differ = 15;
  H264Words p_pics, q_pics;

  memcpy (&p_pics, p->ref_pic, sizeof (p_pics));
  memcpy (&q_pics, q->ref_pic, sizeof (q_pics));
  /* by the same lists or the other way round; or both, with two vectors to one picture */
  straight = same_pictures (p_pics, q_pics);
  crossed = same_pictures (p_pics, (H264Words){ q_pics[2], q_pics[3], q_pics[0], q_pics[1] });
  if (straight != 0)
    differ &= ~straight | compare_vectors (p, q, 0, limits);
  if (crossed != 0)
    differ &= ~crossed | compare_vectors (p, q, 1, limits);
  return differ;
}

static inline H264Components
motion_limits (const H264MotionPass *pass)
{
  const gint16 vertical = (pass->structure != H264_FRAME) ? 2 : 4;

  return (H264Components){ 4, vertical, 4, vertical, 4, vertical, 4, vertical };
}

/* Row @y of a macroblock */
static inline void
load_row (const H264MapMb *mb, guint y, Line *line)
{
  for (guint list = 0; list < 2; list++) {
    memcpy (&line->mv[list], &mb->mv[list][y * 4], sizeof (line->mv[list]));
    memcpy (line->ref_pic[list], &mb->ref_pic[list][(y >> 1) * 2], sizeof (line->ref_pic[list]));
  }
}

static inline void
load_column (const H264MapMb *mb, guint x, Line *line)
{
  for (guint list = 0; list < 2; list++) {
    const H264Mv *mv = &mb->mv[list][x];

    line->mv[list] = (H264Components) (H264Words){ mv[0].packed, mv[4].packed, mv[8].packed, mv[12].packed };
    line->ref_pic[list][0] = mb->ref_pic[list][x >> 1];
    line->ref_pic[list][1] = mb->ref_pic[list][2 + (x >> 1)];
  }
}

/* Whether the first blocks of two macroblocks move alike */
static inline gboolean
is_same (const H264MapMb *a, const H264MapMb *b)
{
  return ((a->mv[0][0].packed ^ b->mv[0][0].packed) | (a->mv[1][0].packed ^ b->mv[1][0].packed)
             | (guint32) (a->ref_pic[0][0] ^ b->ref_pic[0][0]) | (guint32) (a->ref_pic[1][0] ^ b->ref_pic[1][0]))
      == 0;
}

/* Bits of luma4x4BlkIdx (6.4.3) as bits y * 4 + x: in each half the second two are the row below */
static inline guint
raster_bits (guint bits)
{
  const guint swapped = (bits ^ bits >> 2) & 0x0c0c;

  return bits ^ swapped ^ swapped << 2;
}

/* Column @x of raster bits: the product has bit 4 * y of it, times 8 to the power of 3 - y, at 9 + y */
static inline guint
column (guint raster, guint x)
{
  return (raster >> x & 0x1111) * 0x249 >> 9 & 15;
}

static inline guint
row (guint raster, guint y)
{
  return raster >> 4 * y & 15;
}

/* bS 2 where there are coefficients, else 1 where motion differs: two values a block */
static inline gst_gpu_u32
pack (guint coefficients, guint motion)
{
  static const gst_gpu_u32 pairs[16] = { 0x00000000, 0x00000011, 0x00001100, 0x00001111, 0x00110000, 0x00110011, 0x00111100, 0x00111111,
    0x11000000, 0x11000011, 0x11001100, 0x11001111, 0x11110000, 0x11110011, 0x11111100, 0x11111111 };

  return pairs[coefficients] * 2 + pairs[motion & ~coefficients];
}

/* A macroblock at an edge; @coded: its blocks with coefficients, bit y * 4 + x */
typedef struct
{
  const GstGpuMb *mb;
  const H264MapMb *map;
  guint coded;
} Side;

static inline Side
side_of (const H264MotionPass *pass, guint mbAddr)
{
  const GstGpuMb *mb = &pass->mbs[mbAddr];

  return (Side){ mb, &pass->map[mbAddr], raster_bits (mb->nonzero) };
}

/* Whether there is nothing to compare: both macroblocks have one motion, and mostly the same; or all blocks have coefficients.  One branch
 * for all of it, since none of these can be foretold. */
static inline gboolean
is_settled (const Side *p, const Side *q, guint coefficients)
{
  const gboolean alike = (p->mb->n_partitions == 1) & (q->mb->n_partitions == 1) & is_same (p->map, q->map);

  return alike | (coefficients == 15);
}

/* The edge between an inter macroblock @q and its left neighbour @p */
static inline gst_gpu_u32
left_edge (const H264MotionPass *pass, const Side *p, const Side *q)
{
  const guint coefficients = column (q->coded, 0) | column (p->coded, 3);
  Line p_line, q_line;

  if (p->mb->mb_class != GST_GPU_MB_INTER)
    return 0x44444444u;
  if (is_settled (p, q, coefficients))
    return pack (coefficients, 0);
  load_column (p->map, 3, &p_line);
  load_column (q->map, 0, &q_line);
  return pack (coefficients, compare_lines (&p_line, &q_line, motion_limits (pass)));
}

/* The same for its upper neighbour */
static inline gst_gpu_u32
top_edge (const H264MotionPass *pass, const Side *p, const Side *q)
{
  const guint coefficients = row (q->coded, 0) | row (p->coded, 3);
  Line p_line, q_line;

  if (p->mb->mb_class != GST_GPU_MB_INTER)
    return (pass->structure != H264_FRAME) ? 0x33333333u : 0x44444444u;
  if (is_settled (p, q, coefficients))
    return pack (coefficients, 0);
  load_row (p->map, 3, &p_line);
  load_row (q->map, 0, &q_line);
  return pack (coefficients, compare_lines (&p_line, &q_line, motion_limits (pass)));
}

static void
inner_coefficients (guint raster, GstGpuBoundary *boundary)
{
  for (guint edge = 1; edge < 4; edge++) {
    boundary->bs[0][edge] = pack (column (raster | raster << 1, edge), 0);
    boundary->bs[1][edge] = pack (row (raster | raster << 4, edge), 0);
  }
}

/* bS 1 where it is 0: the values of @motion are 0 and 1 */
static inline gst_gpu_u32
add_motion (gst_gpu_u32 strengths, guint motion)
{
  return strengths | (pack (0, motion) & ~(strengths >> 1));
}

/* Motion differs at no other inner edge than where a partition begins */
static void
inner_motion (const H264MotionPass *pass, const Side *side, GstGpuBoundary *boundary)
{
  const GstGpuMb *mb = side->mb;
  const H264MapMb *map = side->map;
  const H264Components limits = motion_limits (pass);
  guint columns = 0, rows = 0, edge, i;
  Line p, q;

  for (i = 0; i < mb->n_partitions; i++) {
    const guint where = pass->partitions[mb->first_motion + i].where;

    columns |= 1u << GST_GPU_PARTITION_X (where);
    rows |= 1u << GST_GPU_PARTITION_Y (where);
  }
  for (edge = 1; edge < 4; edge++) {
    if (columns >> edge & 1) {
      load_column (map, edge - 1, &p);
      load_column (map, edge, &q);
      boundary->bs[0][edge] = add_motion (boundary->bs[0][edge], compare_lines (&p, &q, limits));
    }
    if (rows >> edge & 1) {
      load_row (map, edge - 1, &p);
      load_row (map, edge, &q);
      boundary->bs[1][edge] = add_motion (boundary->bs[1][edge], compare_lines (&p, &q, limits));
    }
  }
}

static void
intra_strengths (const H264MotionPass *pass, GstGpuBoundary *boundary)
{
  memset (boundary->bs, 0x33, sizeof (boundary->bs));
  boundary->bs[0][0] = 0x44444444u;
  if (!(pass->structure != H264_FRAME))
    boundary->bs[1][0] = 0x44444444u;
}

/* @left: its left neighbour, where there is one */
static inline void
inter_strengths (const H264MotionPass *pass, guint mbAddr, const Side *left, const Side *side)
{
  const guint filter = side->mb->filter;
  GstGpuBoundary *boundary = &pass->boundaries[mbAddr];

  memset (boundary, 0, sizeof (*boundary));
  if (filter & GST_GPU_FILTER_LEFT)
    boundary->bs[0][0] = left_edge (pass, left, side);
  if (filter & GST_GPU_FILTER_TOP) {
    const Side above = side_of (pass, h264_mb_neighbours (mbAddr, pass->width_in_mbs).B);

    boundary->bs[1][0] = top_edge (pass, &above, side);
  }
  if (!(filter & GST_GPU_FILTER_INTERNAL))
    return;
  if (side->coded != 0)
    inner_coefficients (side->coded, boundary);
  if (side->mb->n_partitions > 1)
    inner_motion (pass, side, boundary);
}

void
h264_boundary_strengths (const H264MotionPass *pass, H264MbPlace place)
{
  const guint mb_y = place.mb_y;
  Side left = { NULL, NULL, 0 };

  for (; place.mb_y == mb_y; h264_mb_place_step (&place, pass->width_in_mbs)) {
    const guint mbAddr = place.mbAddr;
    const Side side = side_of (pass, mbAddr);

    if (side.mb->mb_class == GST_GPU_MB_INTER)
      inter_strengths (pass, mbAddr, &left, &side);
    else /* the filter flags say which of the edges count */
      intra_strengths (pass, &pass->boundaries[mbAddr]);
    left = side;
  }
}
