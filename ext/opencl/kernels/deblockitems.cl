/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A macroblock by a work-group, a work-item a line of an edge: deblock.cl without GPU_CPU.
 */

INLINE void
filter_line (__global Sample *at, uint step, const uint *strengths, Levels outer, Levels inner, int bit_depth, Shifts shifts)
{
  int first = strengths[0] ? 0 : 4;
  Lanes s[20];

  if (!(strengths[0] | strengths[1] | strengths[2] | strengths[3]))
    return;
  at -= first < 4 ? 4 * step : 0;
  for (int i = first; i < 20; i++)
    s[i] = at[(i - first) * step];
  filter_four (s + 4, strengths, outer, inner, bit_depth, shifts);
  for (int i = first; i < 20; i++)
    at[(i - first) * step] = s[i];
}

/* A macroblock in a plane like luma: a work-item a row, then a work-item a column */
INLINE void
deblock_luma (__global Sample *at, uint stride, const Edges *edges, int bit_depth)
{
  uint line = get_local_id (0);

  filter_line (at + line * stride, 1, edges->strengths[0], edges->left[0], edges->inner[0], bit_depth, line >> 1 << 2);
  barrier (CLK_GLOBAL_MEM_FENCE);
  filter_line (at + line, stride, edges->strengths[1], edges->above[0], edges->inner[0], bit_depth, line >> 1 << 2);
}

#if HAS_HALVED_CHROMA

INLINE void
filter_chroma_line (__global Sample *at, uint step, Levels levels, uint strengths, Shifts shifts)
{
  Lanes s[4];

  if (!strengths)
    return;
  at -= 2 * step;
  for (int i = 0; i < 4; i++)
    s[i] = at[i * step];
  filter_chroma (s + 2, make_edge (levels, levels, GPU_DEPTH_CHROMA, strengths, shifts, 1));
  at[step] = s[1];
  at[2 * step] = s[2];
}

/* A macroblock of Cb and Cr, 8 work-items each */
INLINE void
deblock_chroma (const Picture *picture, uint x, uint y, const Edges *edges)
{
  uint plane = get_local_id (0) >> 3, line = get_local_id (0) & 7;
  __global Sample *at = samples_at (picture, 1 + plane, x * 8, y * CHROMA_HEIGHT);
  uint stride = picture->params->plane_stride[1 + plane];

  for (uint row = line; row < CHROMA_HEIGHT; row += 8) {
    uint shift = GPU_CHROMA_ARRAY_TYPE == 1 ? row << 2 : row >> 1 << 2;

    filter_chroma_line (at + row * stride, 1, edges->left[plane], edges->strengths[0][0], shift);
    filter_chroma_line (at + row * stride + 4, 1, edges->inner[plane], edges->strengths[0][2], shift);
  }
  barrier (CLK_GLOBAL_MEM_FENCE);
  for (uint row = 0; row < CHROMA_HEIGHT; row += 4)
    filter_chroma_line (at + row * stride + line, stride, row ? edges->inner[plane] : edges->above[plane],
        edges->strengths[1][row * CHROMA_SUB_Y / 4], line << 2);
}

#endif
