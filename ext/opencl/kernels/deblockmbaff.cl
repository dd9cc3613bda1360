/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What deblocking has in MBAFF frames alone (ITU-T H.264, 8.7): neighbours in pairs, and two kinds of outer edges that other pictures have
 * not.  All else is as there, in the macroblock's own lines.
 *   mixed left edge      between a frame and a field macroblock pair: the lines of either half of the rows belong to the upper macroblock
 *                        of the left pair, the others to the lower one (Table 6-4)
 *   top edge in fields   of the upper frame macroblock of a pair below a field macroblock pair: filtered in the lines of the top field,
 *                        then in those of the bottom field (8.7.1: fieldModeInFrameFilteringFlag)
 */

/* A macroblock of an MBAFF frame */
typedef struct
{
  Macroblock self;              /* its edges but the next two */
  uint mixed_left, top_in_fields;       /* words of GstGpuBoundary, 0 where there is no such edge */
  __global const GstGpuMb *left, *above;        /* for these: the upper macroblock of the pair, behind it the lower one */
  bool field;
} MbaffMacroblock;

/* Its neighbours: the upper macroblocks of the pairs at the left and above, behind each the lower one; the macroblock above its top edge,
 * where that is not filtered in fields; and what edges those are, if they are filtered */
typedef struct
{
  __global const GstGpuMb *left_pair, *pair_above, *above;
  bool mixed_left, top_in_fields;
} MbaffNeighbours;

INLINE void
find_mbaff_neighbours (MbaffNeighbours *self, __global const GstGpuMb *mb, uint mb_addr, uint width_in_mbs)
{
  uint filter = mb->filter, lower = mb_addr & 1;
  bool field = mb->flags & GST_GPU_MB_FIELD;

  self->left_pair = mb - lower - 2;
  self->pair_above = mb - lower - 2 * width_in_mbs;
  self->mixed_left = (filter & GST_GPU_FILTER_LEFT) && ((self->left_pair->flags ^ mb->flags) & GST_GPU_MB_FIELD);
  self->top_in_fields = (filter & GST_GPU_FILTER_TOP) && !field && !lower && (self->pair_above->flags & GST_GPU_MB_FIELD);
  self->above = mb - 1;
  if ((filter & GST_GPU_FILTER_TOP) && (field || !lower))
    self->above = self->pair_above->flags & GST_GPU_MB_FIELD ? self->pair_above + lower : self->pair_above + 1;
}

INLINE void
load_mbaff_macroblock (MbaffMacroblock *self, const Picture *picture, uint mb_addr)
{
  __global const GstGpuMb *mb = &picture->mbs[mb_addr];
  MbaffNeighbours neighbours;

  find_mbaff_neighbours (&neighbours, mb, mb_addr, picture->params->width_in_mbs);
  self->field = mb->flags & GST_GPU_MB_FIELD;
  self->left = neighbours.left_pair;
  self->above = neighbours.pair_above;
  load_macroblock (&self->self, picture, mb_addr, self->left + (mb_addr & 1), neighbours.above);
  self->mixed_left = neighbours.mixed_left ? self->self.strengths[0][0] : 0;
  self->top_in_fields = neighbours.top_in_fields ? self->self.strengths[1][0] : 0;
  if (neighbours.mixed_left)
    self->self.strengths[0][0] = 0;
  if (neighbours.top_in_fields)
    self->self.strengths[1][0] = 0;
}
