/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A macroblock by a work-group, a work-item a line of an edge: deblock.cl without GPU_CPU.
 */

/* A row or a column of a macroblock in a plane like luma; @at: its first sample.  All indices are constants, so that the samples stay in
 * registers. */
INLINE void
filter_line (__global Sample *at, int step, const uint *strengths, const Levels *outer, const Levels *inner, int bit_depth, Shifts shifts)
{
  Lanes s[4 + 16];

  if (!any_strength (strengths))
    return;
#pragma unroll
  for (int i = 0; i < 20; i++)
    if (i >= 4 || strengths[0])
      s[i] = at[(i - 4) * step];
  filter_four (s + 4, strengths, outer, inner, bit_depth, shifts);
#pragma unroll
  for (int i = 1; i < 20; i++)
    if (i >= 4 || strengths[0])
      at[(i - 4) * step] = s[i];
}

/* The edges of one direction of a macroblock in a plane like luma: a work-item a row or a column */
INLINE void
filter_luma_edges (const Picture *picture, int plane, uint x, uint y, const Edges *edges, int horizontal)
{
  uint line = get_local_id (0), stride = picture->params->plane_stride[plane];
  __global Sample *at = samples_at (picture, plane, x * 16, y * 16) + line * (horizontal ? 1 : stride);

  filter_line (at, horizontal ? stride : 1, edges->strengths[horizontal], horizontal ? &edges->above[0] : &edges->left[0], &edges->inner[0],
      plane ? GPU_DEPTH_CHROMA : GPU_DEPTH_LUMA, line >> 1 << 2);
}

#if HAS_HALVED_CHROMA

INLINE void
filter_chroma_line (__global Sample *at, uint step, const Levels *levels, uint strengths, Shifts shifts)
{
  Lanes s[4];
  Edge edge;

  if (!strengths)
    return;
  at -= 2 * step;
  for (int i = 0; i < 4; i++)
    s[i] = at[i * step];
  make_edge (&edge, levels, levels, GPU_DEPTH_CHROMA, strengths, shifts, 1);
  filter_chroma (s + 2, &edge);
  at[step] = s[1];
  at[2 * step] = s[2];
}

/* The same of Cb and Cr, 8 work-items each */
INLINE void
filter_chroma_edges (const Picture *picture, uint x, uint y, const Edges *edges, int horizontal)
{
  uint plane = get_local_id (0) >> 3, line = get_local_id (0) & 7, stride = picture->params->plane_stride[1 + plane];
  __global Sample *at = samples_at (picture, 1 + plane, x * 8, y * CHROMA_HEIGHT);

  for (uint row = horizontal ? 0 : line; row < CHROMA_HEIGHT; row += horizontal ? 4 : 8) {
    uint shift = CHROMA_SUB_Y * row >> 1 << 2;

    if (horizontal) {
      filter_chroma_line (at + row * stride + line, stride, row ? &edges->inner[plane] : &edges->above[plane],
          edges->strengths[1][row * CHROMA_SUB_Y / 4],
          line << 2);
    } else {
      filter_chroma_line (at + row * stride, 1, &edges->left[plane], edges->strengths[0][0], shift);
      filter_chroma_line (at + row * stride + 4, 1, &edges->inner[plane], edges->strengths[0][2], shift);
    }
  }
}

#endif

INLINE void
filter_edges (const Picture *picture, uint set, uint x, uint y, const Edges *edges, int horizontal)
{
#if HAS_HALVED_CHROMA
  if (set > 0)
    filter_chroma_edges (picture, x, y, edges, horizontal);
  else
#endif
    filter_luma_edges (picture, set, x, y, edges, horizontal);
}

/* A macroblock in the planes of a set, by the whole work-group.  No barrier stands under a condition: PoCL copies all that follows one
 * that does. */
INLINE void
deblock_macroblock (const Picture *picture, uint set, const MbWalk *at)
{
  uint x = at->x, y = at->y;
  Macroblock self;
  Edges edges;

  load_macroblock (&self, picture, at->mb_addr);
  if (HAS_HALVED_CHROMA && set > 0)
    set_chroma_edges (&edges, &self);
  else
    set_luma_edges (&edges, &self, set);
  filter_edges (picture, set, x, y, &edges, 0);
  barrier (CLK_GLOBAL_MEM_FENCE);
  filter_edges (picture, set, x, y, &edges, 1);
  barrier (CLK_GLOBAL_MEM_FENCE);
}
