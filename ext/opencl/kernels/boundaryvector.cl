/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Boundary strengths of a row of macroblocks by one work-item, all edges of a macroblock at once: a lane a block, y * 4 + x (boundary.cl
 * for GPU_CPU).
 */

#define BOUNDARY_GROUP __attribute__ ((reqd_work_group_size (1, 1, 1)))

/* A macroblock at an edge */
typedef struct
{
  __global const GstGpuMb *mb;
  __global const GstGpuPartition *partitions;   /* those of the macroblock */
  uint n_partitions;            /* 0: intra */
} Side;

/* GstGpuPartition behind its place: both vectors; ref_idx and slice */
typedef struct __attribute__ ((packed, aligned (4)))
{
  ulong vectors;
  uint slice;
} PartitionMotion;

/* Motion of its blocks: mvL0[0], mvL0[1], mvL1[0], mvL1[1], and reference_pictures() */
typedef struct
{
  short16 mv[4];
  ushort16 refs;
} BlockMotion;

INLINE void
load_side (Side *side, const Records *records, __global const GstGpuMb *mb)
{
  side->mb = mb;
  side->n_partitions = is_inter (mb) ? mb->n_partitions : 0;
  side->partitions = records->partitions + (is_inter (mb) ? mb->first_motion : 0);
}

#define BLOCK_BITS (ushort16) (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768)

/* All bits of those lanes whose bit is set */
INLINE short16
lanes_of (uint bits)
{
  return ((ushort16) (ushort) bits & BLOCK_BITS) != (ushort16) 0;
}

/* The blocks of a partition as bits */
INLINE uint
blocks_of (uint where)
{
  uint columns = ((1u << GST_GPU_PARTITION_WIDTH (where)) - 1) << GST_GPU_PARTITION_X (where);

  return columns * (0x1111u & ((1u << 4 * GST_GPU_PARTITION_HEIGHT (where)) - 1)) << 4 * GST_GPU_PARTITION_Y (where);
}

INLINE void
load_block_motion (BlockMotion *motion, const Side *side, const Records *records)
{
  __global const GstGpuPartition *partition = side->partitions;
  __global const GstGpuInterSlice *slice = records->slices + side->mb->slice;
  int parity = parity_of (records, side->mb);

#pragma unroll
  for (int c = 0; c < 4; c++)
    motion->mv[c] = (short16) partition->mv[c >> 1][c & 1];
  motion->refs = (ushort16) (ushort) reference_pictures (slice, partition, parity);
  for (uint i = 1; i < side->n_partitions; i++) {
    partition++;
    short16 lanes = lanes_of (blocks_of (partition->where));

#pragma unroll
    for (int c = 0; c < 4; c++)
      motion->mv[c] = CHOOSE (lanes, (short16) partition->mv[c >> 1][c & 1], motion->mv[c]);
    motion->refs = CHOOSE (lanes, (ushort16) (ushort) reference_pictures (slice, partition, parity), motion->refs);
  }
}

/* Lanes whose components are @limit or more apart.  The difference fits into 16 bits without a sign; with one it could overflow. */
INLINE short16
are_apart (short16 p, short16 q, int limit)
{
  return as_ushort16 (CHOOSE (p > q, p, q) - CHOOSE (p > q, q, p)) >= (ushort16) (ushort) limit;
}

/* Lanes whose vectors are a sample or more apart; list X of one side is compared with list X ^ @crossed of the other. */
INLINE short16
compare_vectors (const BlockMotion *p, const BlockMotion *q, int crossed, int vertical)
{
  return are_apart (p->mv[0], q->mv[2 * crossed], 4) | are_apart (p->mv[1], q->mv[2 * crossed + 1], vertical)
      | are_apart (p->mv[2], q->mv[2 - 2 * crossed], 4) | are_apart (p->mv[3], q->mv[3 - 2 * crossed], vertical);
}

/* Lanes that differ in motion: different reference pictures, another number of vectors, or vectors a sample or more apart.  Pictures may be
 * the same by the same lists or the other way round; or both, with two vectors to one picture.  Vectors of lists that are not used are 0,
 * so they need no case. */
INLINE short16
compare_motion (const BlockMotion *p, const BlockMotion *q, int vertical)
{
  short16 straight = p->refs == q->refs;
  short16 crossed = p->refs == (q->refs << (ushort16) 8 | q->refs >> (ushort16) 8);

  return ~((straight & ~compare_vectors (p, q, 0, vertical)) | (crossed & ~compare_vectors (p, q, 1, vertical)));
}

/* Each block's neighbour at the left and above, from @own lanes and those of the macroblock beyond the outer edge */
#define AT_LEFT(own, left) __builtin_shufflevector ((left), (own), 3, 16, 17, 18, 7, 20, 21, 22, 11, 24, 25, 26, 15, 28, 29, 30)
#define AT_TOP(own, above) __builtin_shufflevector ((above), (own), 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27)

/* Whether there is nothing to compare: all of both is one motion, by the same slice's lists.  The one look that most macroblocks take. */
INLINE bool
is_settled (const Side *p, const Side *q)
{
  __global const PartitionMotion *p_motion = (__global const PartitionMotion *) p->partitions->mv;
  __global const PartitionMotion *q_motion = (__global const PartitionMotion *) q->partitions->mv;

  return p->n_partitions == 1 && ((p_motion->vectors ^ q_motion->vectors) | (p_motion->slice ^ q_motion->slice)) == 0;
}

/* Lanes whose motion differs from that at their left and above; @left, @above: with n_partitions 0 where that edge is not compared */
INLINE void
compare_blocks (short16 *at_left, short16 *at_top, const Records *records, const Side *self, const Side *left, const Side *above)
{
  int vertical = vertical_limit (self->mb);
  BlockMotion own, beyond, moved;

  load_block_motion (&own, self, records);
  beyond = own;
  if (left->n_partitions)
    load_block_motion (&beyond, left, records);
#pragma unroll
  for (int c = 0; c < 4; c++)
    moved.mv[c] = AT_LEFT (own.mv[c], beyond.mv[c]);
  moved.refs = AT_LEFT (own.refs, beyond.refs);
  *at_left = compare_motion (&moved, &own, vertical);
  beyond = own;
  if (above->n_partitions)
    load_block_motion (&beyond, above, records);
#pragma unroll
  for (int c = 0; c < 4; c++)
    moved.mv[c] = AT_TOP (own.mv[c], beyond.mv[c]);
  moved.refs = AT_TOP (own.refs, beyond.refs);
  *at_top = compare_motion (&moved, &own, vertical);
}

/* bS 2 where there are coefficients, else 1 where motion differs: two values a block */
INLINE uchar16
strengths_of (uint coded, short16 differs)
{
  return convert_uchar16 (CHOOSE (lanes_of (coded), (short16) 0x22, differs & (short16) 0x11));
}

/* Words of the vertical and of the horizontal edges from the bytes of blocks: a word's first block is its lowest byte. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LEFT_WORDS(v) as_uint4 (__builtin_shufflevector ((v), (v), 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15))
#define TOP_WORDS(v) as_uint4 (v)
#else
#define LEFT_WORDS(v) as_uint4 (__builtin_shufflevector ((v), (v), 12, 8, 4, 0, 13, 9, 5, 1, 14, 10, 6, 2, 15, 11, 7, 3))
#define TOP_WORDS(v) as_uint4 (__builtin_shufflevector ((v), (v), 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12))
#endif

/* @outer: the values of the outer edges */
INLINE void
store_boundary (__global GstGpuBoundary *boundary, uint filter, uint4 at_left, uint4 at_top, uint2 outer)
{
  if (!(filter & GST_GPU_FILTER_INTERNAL)) {
    at_left = (uint4) 0;
    at_top = (uint4) 0;
  }
  at_left.x = outer.x;
  at_top.x = outer.y;
  *(__global BoundaryWords *) boundary->bs[0] = at_left;
  *(__global BoundaryWords *) boundary->bs[1] = at_top;
}

/* @left, @above: with n_partitions 0 where that edge has values already, in @outer, or is not filtered.  @apart: the top edge is one
 * between a frame and a field macroblock */
INLINE void
derive_inter (__global GstGpuBoundary *boundary, const Records *records, const Side *self, const Side *left, const Side *above, bool apart,
    uint2 outer)
{
  uint coded_left = left->n_partitions ? left->mb->nonzero : 0, coded_above = above->n_partitions ? above->mb->nonzero : 0;
  bool settled = self->n_partitions == 1 && !apart && (!left->n_partitions || is_settled (left, self))
      && (!above->n_partitions || is_settled (above, self));
  short16 differs_left = (short16) 0, differs_top = (short16) 0;
  uint coded = coded_blocks (self->mb);
  uint4 at_left, at_top;

  if (settled && !(coded | coded_left | coded_above)) {
    store_boundary (boundary, 0, (uint4) 0, (uint4) 0, outer);
    return;
  }
  if (!settled)
    compare_blocks (&differs_left, &differs_top, records, self, left, above);
  if (apart)
    differs_top.s0123 = (short4) -1;
  at_left = LEFT_WORDS (strengths_of (coded | (coded << 1 & 0xeeee) | (raster_bits (coded_left) >> 3 & 0x1111), differs_left));
  at_top = TOP_WORDS (strengths_of (coded | coded << 4 | raster_bits (coded_above) >> 12, differs_top));
  if (left->n_partitions)
    outer.x = at_left.x;
  if (above->n_partitions)
    outer.y = at_top.x;
  store_boundary (boundary, self->mb->filter, at_left, at_top, outer);
}

/* @previous: the macroblock at the left, where there is one, unless MBAFF has another one there */
INLINE void
derive_boundary (__global GstGpuBoundary *boundaries, const Records *records, uint mb_addr, const Side *self, const Side *previous)
{
  __global const GstGpuMb *mb = self->mb;
  uint filter = mb->filter;
  bool apart = false;
  uint2 outer = (uint2) 0;
  Side left = *self, above = *self;
  Neighbours neighbours;

  left.n_partitions = above.n_partitions = 0;
  find_neighbours (&neighbours, records, mb_addr);
  if (filter & GST_GPU_FILTER_LEFT) {
    if (neighbours.mixed_left) {
      outer.x = mixed_left_strengths (neighbours.left, mb, mb_addr & 1);
    } else {
      if (records->mbaff)
        load_side (&left, records, neighbours.left);
      else
        left = *previous;
      outer.x = self->n_partitions && left.n_partitions ? 0 : ALL_STRENGTHS (4);
    }
  }
  if (filter & GST_GPU_FILTER_TOP) {
    if (neighbours.top_in_fields) {
      outer.y = top_in_fields_strengths (neighbours.above, mb);
    } else {
      load_side (&above, records, neighbours.above);
      outer.y = self->n_partitions && above.n_partitions ? 0 : ALL_STRENGTHS (top_of_intra (neighbours.above, mb));
      apart = is_field (neighbours.above) != is_field (mb);
    }
  }
  if (self->n_partitions)
    derive_inter (boundaries + mb_addr, records, self, &left, &above, apart, outer);
  else
    store_boundary (boundaries + mb_addr, filter, (uint4) ALL_STRENGTHS (3), (uint4) ALL_STRENGTHS (3), outer);
}

INLINE void
derive_boundaries (const Records *records, __global GstGpuBoundary *boundaries)
{
  uint n = records->width_in_mbs << records->mbaff, first = (uint) get_global_id (0) * n;
  Side previous, self;

  load_side (&self, records, records->mbs + first);
  for (uint mb_addr = first; mb_addr < first + n; mb_addr++) {
    derive_boundary (boundaries, records, mb_addr, &self, &previous);
    previous = self;
    if (mb_addr + 1 < first + n)
      load_side (&self, records, records->mbs + mb_addr + 1);
  }
}
