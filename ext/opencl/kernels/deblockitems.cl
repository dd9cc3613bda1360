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
filter_luma_edges (const Picture *picture, int plane, const Place *place, const Edges *edges, int horizontal)
{
  uint line = get_local_id (0), stride = stride_at (picture, plane, place);
  __global Sample *at = samples_at (picture, plane, place, 16, 16) + line * (horizontal ? 1 : stride);

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
filter_chroma_edges (const Picture *picture, const Place *place, const Edges *edges, int horizontal)
{
  uint plane = get_local_id (0) >> 3, line = get_local_id (0) & 7, stride = stride_at (picture, 1 + plane, place);
  __global Sample *at = samples_at (picture, 1 + plane, place, 8, CHROMA_HEIGHT);

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
filter_edges (const Picture *picture, uint set, const Place *place, const Edges *edges, int horizontal)
{
#if HAS_HALVED_CHROMA
  if (set > 0)
    filter_chroma_edges (picture, place, edges, horizontal);
  else
#endif
    filter_luma_edges (picture, set, place, edges, horizontal);
}

/* A macroblock in the planes of a set, by the whole work-group.  No barrier stands under a condition: PoCL copies all that follows one
 * that does. */
INLINE void
deblock_macroblock (const Picture *picture, uint set, const MbWalk *at)
{
  Place place;
  Macroblock self;
  Edges edges;

  place_on_walk (&place, at, picture->mbs, 0, 0);
  load_macroblock_alone (&self, picture, at->mb_addr);
  set_edges_in (&edges, &self, set);
  filter_edges (picture, set, &place, &edges, 0);
  barrier (CLK_GLOBAL_MEM_FENCE);
  filter_edges (picture, set, &place, &edges, 1);
  barrier (CLK_GLOBAL_MEM_FENCE);
}

/* ---- MBAFF frames ---- */

/* A work-item's plane of a set, and its line there: a row or a column of a macroblock of @width * @height.  Where there are more rows than
 * work-items, it has those @width further on too. */
typedef struct
{
  __global Sample *at;          /* the macroblock's first sample */
  uint stride;
  uint plane, line, width, height;
  int bit_depth;
  bool chroma_style;            /* chromaStyleFilteringFlag */
} Item;

INLINE void
init_item (Item *item, const Picture *picture, uint set, const Place *place)
{
  uint id = (uint) get_local_id (0);

  item->chroma_style = HAS_HALVED_CHROMA && set > 0;
  item->width = item->chroma_style ? 8 : 16;
  item->height = item->chroma_style ? CHROMA_HEIGHT : 16;
  item->plane = item->chroma_style ? 1 + id / 8 : set;
  item->line = id % item->width;
  item->bit_depth = item->plane ? GPU_DEPTH_CHROMA : GPU_DEPTH_LUMA;
  item->at = samples_at (picture, item->plane, place, item->width, item->height);
  item->stride = stride_at (picture, item->plane, place);
}

/* Samples across an edge of one bS: @at is q0, @step leads to q1. */
INLINE void
filter_across (const Item *item, __global Sample *at, int step, const Macroblock *self, __global const GstGpuMb *p, uint bs)
{
  int reach = item->chroma_style ? 2 : 4;
  Lanes s[8];
  Levels levels;
  Edge edge;

  if (!bs)
    return;
  derive_levels_to (&levels, self, p, item->plane);
  make_edge (&edge, &levels, &levels, item->bit_depth, ALL_STRENGTHS (bs), 0, 1);
  for (int i = -reach; i < reach; i++)
    s[4 + i] = at[i * step];
  if (item->chroma_style)
    filter_chroma (s + 4, &edge);
  else
    filter_luma (s + 4, &edge, item->bit_depth);
  for (int i = 1 - reach; i < reach - 1; i++)
    at[i * step] = s[4 + i];
}

/* A row of a mixed left edge */
INLINE void
filter_mixed_left (const Item *item, const MbaffMacroblock *self)
{
  for (uint row = item->line; row < item->height; row += item->width) {
    uint lower = self->field ? row >= item->height / 2 : row & 1;
    uint k = item->height == 8 ? row : self->field ? row >> 1 : (row >> 2) * 2 + (row & 1);

    filter_across (item, item->at + row * item->stride, 1, &self->self, self->left + lower, self->mixed_left >> 4 * k & 15);
  }
}

/* A column of a top edge in fields */
INLINE void
filter_top_in_fields (const Item *item, const MbaffMacroblock *self)
{
  for (uint parity = 0; parity < 2; parity++) {
    uint k = 4 * parity + item->line * 4 / item->width;

    filter_across (item, item->at + parity * item->stride + item->line, 2 * item->stride, &self->self, self->above + parity,
        self->top_in_fields >> 4 * k & 15);
  }
}

/* deblock_macroblock() in an MBAFF frame: before each half of the edges the one that other pictures have not, of the same lines */
INLINE void
deblock_mbaff_macroblock (const Picture *picture, uint set, const MbWalk *at)
{
  Place place;
  MbaffMacroblock self;
  Edges edges;
  Item item;

  place_on_walk (&place, at, picture->mbs, 0, 1);
  load_mbaff_macroblock (&self, picture, at->mb_addr);
  set_edges_in (&edges, &self.self, set);
  init_item (&item, picture, set, &place);
  filter_mixed_left (&item, &self);
  filter_edges (picture, set, &place, &edges, 0);
  barrier (CLK_GLOBAL_MEM_FENCE);
  filter_top_in_fields (&item, &self);
  filter_edges (picture, set, &place, &edges, 1);
  barrier (CLK_GLOBAL_MEM_FENCE);
}
