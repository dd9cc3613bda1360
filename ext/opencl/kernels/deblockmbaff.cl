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

INLINE void
load_mbaff_macroblock (MbaffMacroblock *self, const Picture *picture, uint mb_addr)
{
  __global const GstGpuMb *mb = &picture->mbs[mb_addr], *above = mb - 1;
  uint filter = mb->filter, lower = mb_addr & 1;
  bool mixed, in_fields;

  self->field = mb->flags & GST_GPU_MB_FIELD;
  self->left = mb - lower - 2;
  self->above = mb - lower - 2 * picture->params->width_in_mbs;
  mixed = (filter & GST_GPU_FILTER_LEFT) && ((self->left->flags ^ mb->flags) & GST_GPU_MB_FIELD);
  in_fields = (filter & GST_GPU_FILTER_TOP) && !self->field && !lower && (self->above->flags & GST_GPU_MB_FIELD);
  if ((filter & GST_GPU_FILTER_TOP) && (self->field || !lower))
    above = self->above->flags & GST_GPU_MB_FIELD ? self->above + lower : self->above + 1;
  load_macroblock (&self->self, picture, mb_addr, self->left + lower, above);
  self->mixed_left = mixed ? self->self.strengths[0][0] : 0;
  self->top_in_fields = in_fields ? self->self.strengths[1][0] : 0;
  if (mixed)
    self->self.strengths[0][0] = 0;
  if (in_fields)
    self->self.strengths[1][0] = 0;
}
