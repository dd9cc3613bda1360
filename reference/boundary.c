/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Boundary filtering strengths (8.7.2.1), block by block.
 */
#include "boundary.h"
#include "area.h"

#include <stdlib.h>

/* Block @block, y * 4 + x, of a macroblock */
typedef struct
{
  const GstGpuMb *mb;
  unsigned block;
} Block;

/* Its motion, and the picture or field that each list refers to, -1 where it is not used */
typedef struct
{
  const gst_gpu_i16 (*mv)[2];
  int reference[2];
} Motion;

/* The edges of a macroblock that a word has values of */
typedef struct
{
  const GpuReferencePicture *picture;
  const GstGpuMb *mb;
  size_t mb_addr;
} Macroblock;

static int
is_field (const GstGpuMb *mb)
{
  return (mb->flags & GST_GPU_MB_FIELD) != 0;
}

/* The bit in nonzero is that of luma4x4BlkIdx (6.4.3). */
static int
is_coded (const Block *block)
{
  unsigned x = block->block & 3, y = block->block >> 2;

  return block->mb->nonzero >> ((x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2) & 1;
}

static int
covers (const GstGpuPartition *partition, unsigned block)
{
  unsigned x = (block & 3) - GST_GPU_PARTITION_X (partition->where), y = (block >> 2) - GST_GPU_PARTITION_Y (partition->where);

  return x < GST_GPU_PARTITION_WIDTH (partition->where) && y < GST_GPU_PARTITION_HEIGHT (partition->where);
}

/* "the determination of whether the reference pictures used ... are the same or different is based only on the pictures referenced": not
 * on lists and indices, which differ from slice to slice.  In a field macroblock of an MBAFF frame refIdxLX means the fields of the list's
 * frames in turns, that of the same parity first (8.4.2.1). */
static int
reference_of (const GpuReferencePicture *picture, const GstGpuMb *mb, const GstGpuPartition *partition, unsigned list)
{
  const GstGpuInterSlice *slice = &gpu_reference_inter_slices (picture)[mb->slice];
  int ref_idx = partition->ref_idx[list], parity;

  if (ref_idx < 0)
    return -1;
  if (!picture->params->mbaff || !is_field (mb))
    return slice->reference[list][ref_idx & 31];
  parity = (int) ((mb - gpu_reference_mbs (picture)) & 1) ^ (ref_idx & 1);
  return (slice->reference[list][ref_idx >> 1 & 31] & GST_GPU_REFERENCE_SURFACE) | GST_GPU_REFERENCE_TOP << parity;
}

static Motion
motion_of (const GpuReferencePicture *picture, const Block *block)
{
  const GstGpuPartition *partition = &gpu_reference_partitions (picture)[block->mb->first_motion];

  for (unsigned i = 1; i < block->mb->n_partitions && !covers (partition, block->block); i++)
    partition++;
  return (Motion){ partition->mv, { reference_of (picture, block->mb, partition, 0), reference_of (picture, block->mb, partition, 1) } };
}

/* A sample apart or more; @vertical: the limit, in units of the macroblock's lines */
static int
vectors_differ (const Motion *p, unsigned p_list, const Motion *q, unsigned q_list, int vertical)
{
  return abs (p->mv[p_list][0] - q->mv[q_list][0]) >= 4 || abs (p->mv[p_list][1] - q->mv[q_list][1]) >= vertical;
}

/* Different reference pictures, another number of vectors, or vectors apart.  Vectors of lists that are not used are 0, so they need no
 * case.  Where both vectors of both refer to one picture, they may be the same either way. */
static int
motion_differs (const Motion *p, const Motion *q, int vertical)
{
  int straight = p->reference[0] == q->reference[0] && p->reference[1] == q->reference[1];
  int crossed = p->reference[0] == q->reference[1] && p->reference[1] == q->reference[0];

  if (straight && !vectors_differ (p, 0, q, 0, vertical) && !vectors_differ (p, 1, q, 1, vertical))
    return 0;
  return !crossed || vectors_differ (p, 0, q, 1, vertical) || vectors_differ (p, 1, q, 0, vertical);
}

/* bS of the edge between two blocks; @of_intra: beside an intra macroblock */
static unsigned
strength (const GpuReferencePicture *picture, const Block *p, const Block *q, unsigned of_intra)
{
  Motion p_motion, q_motion;

  if (p->mb->mb_class != GST_GPU_MB_INTER || q->mb->mb_class != GST_GPU_MB_INTER)
    return of_intra;
  if (is_coded (p) || is_coded (q))
    return 2;
  if (is_field (p->mb) != is_field (q->mb)) /* mixedModeEdgeFlag */
    return 1;
  p_motion = motion_of (picture, p);
  q_motion = motion_of (picture, q);
  return (unsigned) motion_differs (&p_motion, &q_motion, is_field (q->mb) ? 2 : 4);
}

/* An edge with two values a block, to @p_mb, which is the macroblock itself for inner edges */
static gst_gpu_u32
edge_strengths (const Macroblock *self, const GstGpuMb *p_mb, int horizontal, unsigned edge, unsigned of_intra)
{
  gst_gpu_u32 word = 0;

  for (unsigned k = 0; k < 4; k++) {
    unsigned across = edge ? edge - 1 : 3;
    Block p = { p_mb, horizontal ? 4 * across + k : 4 * k + across }, q = { self->mb, horizontal ? 4 * edge + k : 4 * k + edge };

    word |= strength (self->picture, &p, &q, of_intra) * 0x11u << 8 * k;
  }
  return word;
}

/* The left edge between a frame and a field macroblock pair: eight values, whose rows GstGpuBoundary tells.  @left: the upper macroblock of
 * the left pair */
static gst_gpu_u32
mixed_left_strengths (const Macroblock *self, const GstGpuMb *left)
{
  gst_gpu_u32 word = 0;

  for (unsigned k = 0; k < 8; k++) {
    int field = is_field (self->mb);
    unsigned p_row = field ? k % 4 : 2 * (unsigned) (self->mb_addr & 1) + k / 4;
    Block p = { left + (field ? k / 4 : k % 2), 4 * p_row + 3 }, q = { self->mb, k / 2 * 4 };

    word |= strength (self->picture, &p, &q, 4) << 4 * k;
  }
  return word;
}

/* The top edge of a frame macroblock below a field macroblock pair, which is filtered once for each field; @above: its upper macroblock */
static gst_gpu_u32
top_in_fields_strengths (const Macroblock *self, const GstGpuMb *above)
{
  gst_gpu_u32 word = 0;

  for (unsigned k = 0; k < 8; k++) {
    Block p = { above + k / 4, 12 + k % 4 }, q = { self->mb, k % 4 };

    word |= strength (self->picture, &p, &q, 3) << 4 * k;
  }
  return word;
}

static gst_gpu_u32
left_strengths (const Macroblock *self)
{
  const GstGpuMb *left;

  if (!self->picture->params->mbaff)
    return edge_strengths (self, gpu_mb_left (self->mb), 0, 0, 4);
  left = gpu_mb_left_pair (self->mb, self->mb_addr);
  if (is_field (left) != is_field (self->mb))
    return mixed_left_strengths (self, left);
  return edge_strengths (self, left + (self->mb_addr & 1), 0, 0, 4);
}

static gst_gpu_u32
top_strengths (const Macroblock *self)
{
  const GstGpuMb *above;

  if (!self->picture->params->mbaff) {
    above = gpu_mb_above (self->mb, self->picture->params);
  } else {
    above = gpu_mb_above_in_mbaff (self->mb, self->mb_addr, self->picture->params);
    if (is_field (above) && !is_field (self->mb))
      return top_in_fields_strengths (self, above);
  }
  return edge_strengths (self, above, 1, 0, is_field (above) || is_field (self->mb) ? 3 : 4);
}

void
gpu_reference_boundary (const GpuReferencePicture *picture, size_t mb_addr, GstGpuBoundary *boundary)
{
  const Macroblock self = { picture, &gpu_reference_mbs (picture)[mb_addr], mb_addr };
  const int inner = self.mb->filter & GST_GPU_FILTER_INTERNAL;

  boundary->bs[0][0] = self.mb->filter & GST_GPU_FILTER_LEFT ? left_strengths (&self) : 0;
  boundary->bs[1][0] = self.mb->filter & GST_GPU_FILTER_TOP ? top_strengths (&self) : 0;
  for (unsigned edge = 1; edge < 4; edge++) {
    boundary->bs[0][edge] = inner ? edge_strengths (&self, self.mb, 0, edge, 3) : 0;
    boundary->bs[1][edge] = inner ? edge_strengths (&self, self.mb, 1, edge, 3) : 0;
  }
}
