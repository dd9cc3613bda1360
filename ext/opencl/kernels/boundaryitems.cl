/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Boundary strengths of an edge of a macroblock by a work-item: boundary.cl without GPU_CPU.
 */

#define BOUNDARY_GROUP

/* Motion of a block: vectors, and reference_pictures() */
typedef struct
{
  int mv[2][2];
  uint refs;
} BlockMotion;

/* Block @block, y * 4 + x, of an inter macroblock */
INLINE void
load_block_motion (BlockMotion *motion, const Records *records, __global const GstGpuMb *mb, uint block)
{
  __global const GstGpuPartition *partition = records->partitions + mb->first_motion;
  uint x = block & 3, y = block >> 2;

  for (uint i = 1; i < mb->n_partitions; i++) {
    uint where = partition->where;

    if (x - GST_GPU_PARTITION_X (where) < GST_GPU_PARTITION_WIDTH (where)
        && y - GST_GPU_PARTITION_Y (where) < GST_GPU_PARTITION_HEIGHT (where))
      break;
    partition++;
  }
  for (int list = 0; list < 2; list++)
    for (int c = 0; c < 2; c++)
      motion->mv[list][c] = partition->mv[list][c];
  motion->refs = reference_pictures (records->slices + mb->slice, partition, parity_of (records, mb));
}

/* Whether list @p_list of @p and list @q_list of @q have vectors a sample or more apart */
INLINE bool
vectors_differ (const BlockMotion *p, int p_list, const BlockMotion *q, int q_list, int vertical)
{
  int x = p->mv[p_list][0] - q->mv[q_list][0], y = p->mv[p_list][1] - q->mv[q_list][1];

  return ABS (x) >= 4 || ABS (y) >= vertical;
}

/* Different reference pictures, another number of vectors, or vectors a sample or more apart.  Vectors of lists that are not used are 0, so
 * they need no case. */
INLINE bool
motion_differs (const BlockMotion *p, const BlockMotion *q, int vertical)
{
  bool straight = p->refs == q->refs, crossed = p->refs == ((q->refs << 8 | q->refs >> 8) & 0xffff);

  return !(straight && !vectors_differ (p, 0, q, 0, vertical) && !vectors_differ (p, 1, q, 1, vertical))
      && !(crossed && !vectors_differ (p, 0, q, 1, vertical) && !vectors_differ (p, 1, q, 0, vertical));
}

/* bS of block @p of one inter macroblock and block @q of the same or another one, of the same kind */
INLINE uint
strength_of (const Records *records, __global const GstGpuMb *p_mb, uint p, __global const GstGpuMb *q_mb, uint q)
{
  BlockMotion p_motion, q_motion;

  if ((coded_blocks (p_mb) >> p | coded_blocks (q_mb) >> q) & 1)
    return 2;
  load_block_motion (&p_motion, records, p_mb, p);
  load_block_motion (&q_motion, records, q_mb, q);
  return motion_differs (&p_motion, &q_motion, vertical_limit (q_mb));
}

/* An edge of two values a block to @p_mb, which is the macroblock itself for inner edges; @of_intra: bS beside an intra macroblock */
INLINE uint
edge_strengths (const Records *records, __global const GstGpuMb *p_mb, __global const GstGpuMb *mb, bool horizontal, uint edge,
    uint of_intra)
{
  uint word = 0;

  for (uint k = 0; k < 4; k++) {
    uint q = horizontal ? 4 * edge + k : 4 * k + edge;
    uint p = horizontal ? (q + 12) % 16 : edge ? q - 1 : q + 3;
    uint bs = of_intra;

    if (is_field (p_mb) != is_field (mb))
      bs = mixed_strength (p_mb, p, mb, q, of_intra);
    else if (is_inter (p_mb) && is_inter (mb))
      bs = strength_of (records, p_mb, p, mb, q);
    word |= bs * 0x11u << 8 * k;
  }
  return word;
}

INLINE uint
left_strengths (const Records *records, const Neighbours *neighbours, __global const GstGpuMb *mb, uint mb_addr)
{
  if (!(mb->filter & GST_GPU_FILTER_LEFT))
    return 0;
  if (neighbours->mixed_left)
    return mixed_left_strengths (neighbours->left, mb, mb_addr & 1);
  return edge_strengths (records, neighbours->left, mb, false, 0, 4);
}

INLINE uint
top_strengths (const Records *records, const Neighbours *neighbours, __global const GstGpuMb *mb)
{
  if (!(mb->filter & GST_GPU_FILTER_TOP))
    return 0;
  if (neighbours->top_in_fields)
    return top_in_fields_strengths (neighbours->above, mb);
  return edge_strengths (records, neighbours->above, mb, true, 0, top_of_intra (neighbours->above, mb));
}

INLINE void
derive_boundaries (const Records *records, __global GstGpuBoundary *boundaries)
{
  uint mb_addr = (uint) get_global_id (0) / 8, horizontal = (uint) get_global_id (0) / 4 % 2, edge = (uint) get_global_id (0) % 4;
  __global const GstGpuMb *mb = records->mbs + mb_addr;
  Neighbours neighbours;
  uint word = 0;

  find_neighbours (&neighbours, records, mb_addr);
  if (edge == 0)
    word = horizontal ? top_strengths (records, &neighbours, mb) : left_strengths (records, &neighbours, mb, mb_addr);
  else if (mb->filter & GST_GPU_FILTER_INTERNAL)
    word = edge_strengths (records, mb, mb, horizontal, edge, 3);
  boundaries[mb_addr].bs[horizontal][edge] = word;
}
