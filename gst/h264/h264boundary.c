/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Boundary filtering strengths (ITU-T H.264, 8.7.2.1) in pictures with inter macroblocks.
 *
 * An edge has four pairs of blocks, one on either side; what is found out of them are four bits, the first block's (from above or from the left) lowest.
 */
#include "h264motion.h"
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Four vectors, and the same as the 32-bit words that they fill (GCC's vectors: SSE2, NEON, or plain code) */
typedef gint16 Components __attribute__ ((vector_size (16)));
typedef guint16 Differences __attribute__ ((vector_size (16)));
typedef gint32 Words __attribute__ ((vector_size (16)));

/* Motion along an edge: of list X the vectors of four blocks, and the pictures that the first and the last two of them refer to */
typedef struct
{
  Components mv[2];
  H264RefPicId ref_pic[2][2];
} Line;

/* Which components of four vectors are an edge apart: 4 horizontally, 4 in frames and 2 in fields vertically */
static inline Components
are_apart (Components p, Components q, Components limits)
{
  const Components negative = p < q;

  /* the absolute difference fits into 16 bits without a sign */
  return (Components) ((Differences) (((p - q) ^ negative) - negative) >= (Differences) limits);
}

/* Which of four words are not 0 */
static inline guint
nonzero_words (Words words)
{
  words = words != 0;
#ifdef __SSE2__
  return (guint) _mm_movemask_ps ((__m128) words);
#else
  words &= (Words) {1, 2, 4, 8};
  return (guint) (words[0] | words[1] | words[2] | words[3]);
#endif
}

/* Which pairs of blocks have vectors a sample or more apart; list X of one side is compared with list X ^ @crossed of the other. */
static inline guint
compare_vectors (const Line * p, const Line * q, guint crossed, Components limits)
{
  return nonzero_words ((Words) (are_apart (p->mv[0], q->mv[crossed], limits) | are_apart (p->mv[1], q->mv[!crossed], limits)));
}

/* Which pairs of blocks differ in motion: different reference pictures, another number of vectors, or vectors a sample or more apart.  Vectors of lists that
 * are not used are 0, so they need no case. */
static inline guint
compare_lines (const Line * p, const Line * q, Components limits)
{
  guint straight = 0, crossed = 0, differ = 15, half;

  /* which pairs refer to the same pictures, by the same lists or the other way round; or both, with two vectors to one picture */
  for (half = 0; half < 2; half++) {
    const H264RefPicId p0 = p->ref_pic[0][half], p1 = p->ref_pic[1][half], q0 = q->ref_pic[0][half], q1 = q->ref_pic[1][half];

    straight |= p0 == q0 && p1 == q1 ? 3u << 2 * half : 0;
    crossed |= p0 == q1 && p1 == q0 ? 3u << 2 * half : 0;
  }
  if (straight != 0)
    differ &= ~straight | compare_vectors (p, q, 0, limits);
  if (crossed != 0)
    differ &= ~crossed | compare_vectors (p, q, 1, limits);
  return differ;
}

/* Whether the first blocks of two macroblocks move alike: all there is to compare where each has one motion, mostly the same */
static inline gboolean
is_same (const H264MotionPlane * field, guint a, guint b)
{
  return ((field->mv[0][a * 16].packed ^ field->mv[0][b * 16].packed) | (field->mv[1][a * 16].packed ^ field->mv[1][b * 16].packed)
      | (guint32) (field->ref_pic[0][a * 4] ^ field->ref_pic[0][b * 4]) | (guint32) (field->ref_pic[1][a * 4] ^ field->ref_pic[1][b * 4])) == 0;
}

static inline gboolean
have_one_motion (const H264MotionPass * pass, guint mbAddr, guint other)
{
  return pass->mbs[mbAddr].n_partitions == 1 && pass->mbs[other].n_partitions == 1 && is_same (pass->field, mbAddr, other);
}

static inline Components
motion_limits (const H264MotionPass * pass)
{
  const gint16 vertical = pass->field_pic ? 2 : 4;

  return (Components) {4, vertical, 4, vertical, 4, vertical, 4, vertical};
}

/* Row @y of a macroblock */
static inline void
load_row (const H264MotionPlane * field, guint mbAddr, guint y, Line * line)
{
  guint list;

  for (list = 0; list < 2; list++) {
    memcpy (&line->mv[list], &field->mv[list][mbAddr * 16 + y * 4], sizeof (line->mv[list]));
    memcpy (line->ref_pic[list], &field->ref_pic[list][mbAddr * 4 + (y >> 1) * 2], sizeof (line->ref_pic[list]));
  }
}

static inline void
load_column (const H264MotionPlane * field, guint mbAddr, guint x, Line * line)
{
  guint list;

  for (list = 0; list < 2; list++) {
    const H264Mv *mv = &field->mv[list][mbAddr * 16 + x];
    const H264RefPicId *ref_pic = &field->ref_pic[list][mbAddr * 4 + (x >> 1)];

    line->mv[list] = (Components) (Words) {(gint32) mv[0].packed, (gint32) mv[4].packed, (gint32) mv[8].packed, (gint32) mv[12].packed};
    line->ref_pic[list][0] = ref_pic[0];
    line->ref_pic[list][1] = ref_pic[2];
  }
}

/* Coefficients in column @x or row @y, from bits by luma4x4BlkIdx (6.4.3): bits 0 and 1 of the index are x and y within a quadrant, 2 and 3 those of the quadrant */
static inline guint
column_bits (guint nonzero, guint x)
{
  guint bits = nonzero >> ((x & 1) + (x >> 1) * 4) & 0x0505;

  bits = (bits | bits >> 1) & 0x0303;
  return (bits | bits >> 6) & 15;
}

static inline guint
row_bits (guint nonzero, guint y)
{
  const guint bits = nonzero >> ((y & 1) * 2 + (y >> 1) * 8) & 0x33;

  return (bits | bits >> 2) & 15;
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
left_edge (const H264MotionPass * pass, guint mbAddr, guint other)
{
  const GpuMb *mb = &pass->mbs[mbAddr], *neighbour = &pass->mbs[other];
  const guint coefficients = column_bits (mb->nonzero, 0) | column_bits (neighbour->nonzero, 3);
  Line p, q;

  if (neighbour->mb_class != GPU_MB_INTER)
    return 0x44444444u;
  if (coefficients == 15 || have_one_motion (pass, mbAddr, other))
    return pack (coefficients, 0);
  load_column (pass->field, other, 3, &p);
  load_column (pass->field, mbAddr, 0, &q);
  return pack (coefficients, compare_lines (&p, &q, motion_limits (pass)));
}

/* The same for its upper neighbour */
static gpu_u32
top_edge (const H264MotionPass * pass, guint mbAddr, guint other)
{
  const GpuMb *mb = &pass->mbs[mbAddr], *neighbour = &pass->mbs[other];
  const guint coefficients = row_bits (mb->nonzero, 0) | row_bits (neighbour->nonzero, 3);
  Line p, q;

  if (neighbour->mb_class != GPU_MB_INTER)
    return pass->field_pic ? 0x33333333u : 0x44444444u;
  if (coefficients == 15 || have_one_motion (pass, mbAddr, other))
    return pack (coefficients, 0);
  load_row (pass->field, other, 3, &p);
  load_row (pass->field, mbAddr, 0, &q);
  return pack (coefficients, compare_lines (&p, &q, motion_limits (pass)));
}

static void
inner_coefficients (const GpuMb * mb, GpuBoundary * boundary)
{
  guint edge;

  for (edge = 1; edge < 4; edge++) {
    boundary->bs[0][edge] = pack (column_bits (mb->nonzero, edge) | column_bits (mb->nonzero, edge - 1), 0);
    boundary->bs[1][edge] = pack (row_bits (mb->nonzero, edge) | row_bits (mb->nonzero, edge - 1), 0);
  }
}

/* The three inner edges of both directions of an inter macroblock with several partitions */
static void
inner_edges (const H264MotionPass * pass, guint mbAddr, GpuBoundary * boundary)
{
  const guint nonzero = pass->mbs[mbAddr].nonzero;
  const Components limits = motion_limits (pass);
  Line column[4], row[4];
  guint edge;

  load_column (pass->field, mbAddr, 0, &column[0]);
  load_row (pass->field, mbAddr, 0, &row[0]);
  for (edge = 1; edge < 4; edge++) {
    load_column (pass->field, mbAddr, edge, &column[edge]);
    load_row (pass->field, mbAddr, edge, &row[edge]);
    boundary->bs[0][edge] = pack (column_bits (nonzero, edge) | column_bits (nonzero, edge - 1), compare_lines (&column[edge - 1], &column[edge], limits));
    boundary->bs[1][edge] = pack (row_bits (nonzero, edge) | row_bits (nonzero, edge - 1), compare_lines (&row[edge - 1], &row[edge], limits));
  }
}

static void
intra_strengths (const H264MotionPass * pass, GpuBoundary * boundary)
{
  memset (boundary->bs, 0x33, sizeof (boundary->bs));
  boundary->bs[0][0] = 0x44444444u;
  if (!pass->field_pic)
    boundary->bs[1][0] = 0x44444444u;
}

void
h264_boundary_strengths (const H264MotionPass * pass, guint mbAddr)
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
  if (mb->n_partitions > 1)
    inner_edges (pass, mbAddr, boundary);
  else if (mb->nonzero != 0)
    inner_coefficients (mb, boundary);
}
