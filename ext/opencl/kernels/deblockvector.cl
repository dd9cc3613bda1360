/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A macroblock by one work-item, 16 lines of an edge a vector: deblock.cl for GPU_CPU.
 */

/* PoCL splits vload and vstore of short vectors into elements; these stay whole, at any address of a sample. */
typedef Sample8 __attribute__ ((aligned (1))) Sample8Anywhere;
typedef Sample16 __attribute__ ((aligned (1))) Sample16Anywhere;
#if GPU_SAMPLE_BYTES == 1
typedef uchar4 __attribute__ ((aligned (1))) Sample4Anywhere;
#else
typedef ushort4 __attribute__ ((aligned (1))) Sample4Anywhere;
#endif

typedef uint4 __attribute__ ((aligned (4))) BoundaryWords;

/* Each half of the lanes by itself: elements of the lower (upper) halves of @a and @b in turn */
#define ZIP_LOW(a, b) __builtin_shufflevector ((a), (b), 0, 16, 1, 17, 2, 18, 3, 19, 8, 24, 9, 25, 10, 26, 11, 27)
#define ZIP_HIGH(a, b) __builtin_shufflevector ((a), (b), 4, 20, 5, 21, 6, 22, 7, 23, 12, 28, 13, 29, 14, 30, 15, 31)
#define JOIN_LOW(a, b) __builtin_shufflevector ((a), (b), 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23)
#define JOIN_HIGH(a, b) __builtin_shufflevector ((a), (b), 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31)

/* Transposes two 8x8 blocks, one in the lower and one in the upper halves of the 8 vectors. */
INLINE void
transpose (Lanes *v)
{
#pragma unroll
  for (int round = 0; round < 3; round++) {
    Lanes t[8];

#pragma unroll
    for (int i = 0; i < 4; i++) {
      t[2 * i] = ZIP_LOW (v[i], v[i + 4]);
      t[2 * i + 1] = ZIP_HIGH (v[i], v[i + 4]);
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
      v[i] = t[i];
  }
}

INLINE Lanes
load_halves (__global const Sample *low, __global const Sample *high)
{
  return (Lanes) (convert_short8 (*(__global const Sample8Anywhere *) low), convert_short8 (*(__global const Sample8Anywhere *) high));
}

INLINE void
store_halves (__global Sample *low, __global Sample *high, Lanes lanes)
{
  *(__global Sample8Anywhere *) low = CONVERT_SAMPLE8 (lanes.lo);
  *(__global Sample8Anywhere *) high = CONVERT_SAMPLE8 (lanes.hi);
}

INLINE Lanes
load_row (__global const Sample *row)
{
  return convert_short16 (*(__global const Sample16Anywhere *) row);
}

INLINE void
store_row (__global Sample *row, Lanes lanes)
{
  *(__global Sample16Anywhere *) row = CONVERT_SAMPLE16 (lanes);
}

/* Columns 0 to 7 of 16 rows at @at, a column a vector */
INLINE void
load_columns (__global const Sample *at, uint stride, Lanes *columns)
{
#pragma unroll
  for (int i = 0; i < 8; i++)
    columns[i] = load_halves (at + i * stride, at + (i + 8) * stride);
  transpose (columns);
}

/* Stores four columns as columns 0 to 3 of 16 rows at @at. */
INLINE void
store_4_columns (__global Sample *at, uint stride, const Lanes *columns)
{
  Lanes even[2] = { ZIP_LOW (columns[0], columns[2]), ZIP_HIGH (columns[0], columns[2]) };
  Lanes odd[2] = { ZIP_LOW (columns[1], columns[3]), ZIP_HIGH (columns[1], columns[3]) };

#pragma unroll
  for (int i = 0; i < 2; i++) {
    Sample16 rows_0 = CONVERT_SAMPLE16 (ZIP_LOW (even[i], odd[i])), rows_2 = CONVERT_SAMPLE16 (ZIP_HIGH (even[i], odd[i]));

    *(__global Sample4Anywhere *) (at + (4 * i) * stride) = rows_0.s0123;
    *(__global Sample4Anywhere *) (at + (4 * i + 1) * stride) = rows_0.s4567;
    *(__global Sample4Anywhere *) (at + (4 * i + 2) * stride) = rows_2.s0123;
    *(__global Sample4Anywhere *) (at + (4 * i + 3) * stride) = rows_2.s4567;
    *(__global Sample4Anywhere *) (at + (4 * i + 8) * stride) = rows_0.s89ab;
    *(__global Sample4Anywhere *) (at + (4 * i + 9) * stride) = rows_0.scdef;
    *(__global Sample4Anywhere *) (at + (4 * i + 10) * stride) = rows_2.s89ab;
    *(__global Sample4Anywhere *) (at + (4 * i + 11) * stride) = rows_2.scdef;
  }
}

/* Where the strengths of lines 0 to 15 stand in a word of GstGpuBoundary; of every second line, for two planes; of 8 lines, for two
 * planes */
#define SHIFTS_16 (Shifts) (0, 0, 4, 4, 8, 8, 12, 12, 16, 16, 20, 20, 24, 24, 28, 28)
#define SHIFTS_HALVED (Shifts) (0, 4, 8, 12, 16, 20, 24, 28, 0, 4, 8, 12, 16, 20, 24, 28)
#define SHIFTS_8 (Shifts) (0, 0, 4, 4, 8, 8, 12, 12, 0, 0, 4, 4, 8, 8, 12, 12)

/* The vertical edges of 16 rows; the rows come back in @rows. */
INLINE void
filter_luma_columns (__global Sample *at, uint stride, const Edges *edges, int bit_depth, Lanes *rows)
{
  const uint *strengths = edges->strengths[0];
  Lanes columns[20];

  load_columns (at, stride, columns + 4);
  load_columns (at + 8, stride, columns + 12);
  if (strengths[0]) {
    Lanes left[8];

    load_columns (at - 8, stride, left);
#pragma unroll
    for (int i = 0; i < 4; i++)
      columns[i] = left[i + 4];
  }
  filter_four (columns + 4, strengths, &edges->left[0], &edges->inner[0], bit_depth, SHIFTS_16);
  if (strengths[0])
    store_4_columns (at - 4, stride, columns);
  transpose (columns + 4);
  transpose (columns + 12);
#pragma unroll
  for (int i = 0; i < 8; i++) {
    rows[i] = JOIN_LOW (columns[4 + i], columns[12 + i]);
    rows[i + 8] = JOIN_HIGH (columns[4 + i], columns[12 + i]);
  }
}

/* A macroblock in a plane like luma */
INLINE void
deblock_luma (__global Sample *at, uint stride, const Edges *edges, int bit_depth)
{
  Lanes rows[4 + 16];

  if (any_strength (edges->strengths[0])) {
    filter_luma_columns (at, stride, edges, bit_depth, rows + 4);
  } else {
#pragma unroll
    for (int i = 0; i < 16; i++)
      rows[4 + i] = load_row (at + i * stride);
  }
  if (edges->strengths[1][0])
#pragma unroll
    for (int i = 0; i < 4; i++)
      rows[i] = load_row (at + i * stride - 4 * stride);
  filter_four (rows + 4, edges->strengths[1], &edges->above[0], &edges->inner[0], bit_depth, SHIFTS_16);
  if (edges->strengths[1][0])
#pragma unroll
    for (int i = 1; i < 4; i++)
      store_row (at + i * stride - 4 * stride, rows[i]);
#pragma unroll
  for (int i = 0; i < 16; i++)
    store_row (at + i * stride, rows[4 + i]);
}

#if HAS_HALVED_CHROMA

/* Stores a column of 8 rows. */
INLINE void
store_half_column (__global Sample *at, uint stride, Sample8 column)
{
  at[0] = column.s0;
  at[stride] = column.s1;
  at[2 * stride] = column.s2;
  at[3 * stride] = column.s3;
  at[4 * stride] = column.s4;
  at[5 * stride] = column.s5;
  at[6 * stride] = column.s6;
  at[7 * stride] = column.s7;
}

/* The vertical edges of 8 rows of Cb and of Cr, which are in @rows; @cb and @cr are where they come from. */
INLINE void
filter_chroma_columns (Lanes *rows, __global Sample *cb, __global Sample *cr, uint2 stride, const Edges *edges, Shifts shifts)
{
  const uint *strengths = edges->strengths[0];
  Lanes columns[10];
  Edge edge;

#pragma unroll
  for (int i = 0; i < 8; i++)
    columns[i + 2] = rows[i];
  transpose (columns + 2);
  if (strengths[0]) {
    Lanes left[8];

#pragma unroll
    for (int i = 0; i < 8; i++)
      left[i] = load_halves (cb + i * stride.x - 8, cr + i * stride.y - 8);
    transpose (left);
    columns[0] = left[6];
    columns[1] = left[7];
    make_edge (&edge, &edges->left[0], &edges->left[1], GPU_DEPTH_CHROMA, strengths[0], shifts, 1);
    filter_chroma (columns + 2, &edge);
    store_half_column (cb - 1, stride.x, CONVERT_SAMPLE8 (columns[1].lo));
    store_half_column (cr - 1, stride.y, CONVERT_SAMPLE8 (columns[1].hi));
  }
  if (strengths[2]) {
    make_edge (&edge, &edges->inner[0], &edges->inner[1], GPU_DEPTH_CHROMA, strengths[2], shifts, 0);
    filter_chroma (columns + 6, &edge);
  }
  transpose (columns + 2);
#pragma unroll
  for (int i = 0; i < 8; i++)
    rows[i] = columns[i + 2];
}

/* The horizontal edges of Cb and Cr, whose @rows have two rows of the macroblock above before them; stores what changes there. */
INLINE void
filter_chroma_rows (Lanes *rows, __global Sample *cb, __global Sample *cr, uint2 stride, const Edges *edges)
{
  Edge edge;

  if (edges->strengths[1][0]) {
    rows[0] = load_halves (cb - 2 * stride.x, cr - 2 * stride.y);
    rows[1] = load_halves (cb - stride.x, cr - stride.y);
    make_edge (&edge, &edges->above[0], &edges->above[1], GPU_DEPTH_CHROMA, edges->strengths[1][0], SHIFTS_HALVED, 1);
    filter_chroma (rows + 2, &edge);
    store_halves (cb - stride.x, cr - stride.y, rows[1]);
  }
#pragma unroll
  for (int i = 4; i < CHROMA_HEIGHT; i += 4) {
    uint strengths = edges->strengths[1][i * CHROMA_SUB_Y / 4];

    if (!strengths)
      continue;
    make_edge (&edge, &edges->inner[0], &edges->inner[1], GPU_DEPTH_CHROMA, strengths, SHIFTS_HALVED, 0);
    filter_chroma (rows + 2 + i, &edge);
  }
}

/* A macroblock of Cb and Cr, each in half of the lanes */
INLINE void
deblock_chroma (const Picture *picture, const Place *place, const Edges *edges)
{
  __global Sample *cb = samples_at (picture, 1, place, 8, CHROMA_HEIGHT), *cr = samples_at (picture, 2, place, 8, CHROMA_HEIGHT);
  uint2 stride = (uint2) (stride_at (picture, 1, place), stride_at (picture, 2, place));
  Lanes rows[2 + CHROMA_HEIGHT];

#pragma unroll
  for (int i = 0; i < CHROMA_HEIGHT; i++)
    rows[2 + i] = load_halves (cb + i * stride.x, cr + i * stride.y);
  if (any_strength (edges->strengths[0])) {
#if GPU_CHROMA_ARRAY_TYPE == 1
    filter_chroma_columns (rows + 2, cb, cr, stride, edges, SHIFTS_HALVED);
#else
    filter_chroma_columns (rows + 2, cb, cr, stride, edges, SHIFTS_8);
    filter_chroma_columns (rows + 10, cb + 8 * stride.x, cr + 8 * stride.y, stride, edges, SHIFTS_8 + (Shifts) 16);
#endif
  }
  filter_chroma_rows (rows, cb, cr, stride, edges);
#pragma unroll
  for (int i = 0; i < CHROMA_HEIGHT; i++)
    store_halves (cb + i * stride.x, cr + i * stride.y, rows[2 + i]);
}

#endif

/* Most macroblocks of inter pictures have no edge to filter: one look at the strengths of all says so. */
INLINE int
has_strengths (const Picture *picture, uint mb_addr)
{
  __global const BoundaryWords *words;
  uint4 bs;

  if (!picture->boundaries)
    return 1;
  words = (__global const BoundaryWords *) picture->boundaries[mb_addr].bs;
  bs = words[0] | words[1];
  return (bs.x | bs.y | bs.z | bs.w) != 0;
}

INLINE void
deblock_luma_at (const Picture *picture, int plane, const Place *place, const Edges *edges)
{
  deblock_luma (samples_at (picture, plane, place, 16, 16), stride_at (picture, plane, place), edges,
      plane ? GPU_DEPTH_CHROMA : GPU_DEPTH_LUMA);
}

/* Strengths of an intra macroblock of a frame.  Of its four edges each way, at every fourth luma sample, 1 and 3 are none (0) where
 * transform blocks are 8 samples wide.  In chroma, whose blocks are 4x4, vertical ones are none, and horizontal ones but in 4:2:2, which
 * has as many lines of chroma as of luma. */
INLINE void
set_intra_strengths (Edges *edges, uint odd_vertical, uint odd_horizontal)
{
  edges->strengths[0][0] = edges->strengths[1][0] = ALL_STRENGTHS (4);
  edges->strengths[0][2] = edges->strengths[1][2] = ALL_STRENGTHS (3);
  edges->strengths[0][1] = edges->strengths[0][3] = odd_vertical;
  edges->strengths[1][1] = edges->strengths[1][3] = odd_horizontal;
}

/* A macroblock of an intra picture that is no field, with all of its edges: nearly all macroblocks of such pictures.  Strengths are numbers
 * that are known where the filters are inlined, which takes a tenth less time, two fifths at low QPs.  Returns false for other
 * macroblocks, of which nothing is done. */
INLINE bool
deblock_intra_macroblock (const Picture *picture, uint set, const MbWalk *at)
{
  const uint all_edges = GST_GPU_FILTER_LEFT | GST_GPU_FILTER_TOP | GST_GPU_FILTER_INTERNAL, inside = ALL_STRENGTHS (3);
  __global const GstGpuMb *mb = &picture->mbs[at->mb_addr];
  bool chroma_style = HAS_HALVED_CHROMA && set > 0;
  uint odd;
  Place place;
  Macroblock self;
  Edges edges;

  if (picture->boundaries || mb->filter != all_edges || (mb->flags & GST_GPU_MB_FIELD))
    return false;
  place_on_walk (&place, at, picture->mbs, 0, 0);
  load_sides (&self, picture, mb, mb_left (mb), mb_above (mb, picture->params->width_in_mbs));
  set_levels (&edges, &self, chroma_style ? 1 : set, chroma_style ? 2 : set);
  if (!(any_levels_filter (edges.left) | any_levels_filter (edges.above) | any_levels_filter (edges.inner)))
    return true;
#if HAS_HALVED_CHROMA
  if (chroma_style) {
    set_intra_strengths (&edges, 0, GPU_CHROMA_ARRAY_TYPE == 1 ? 0 : inside);
    deblock_chroma (picture, &place, &edges);
    return true;
  }
#endif
  odd = mb->flags & GST_GPU_MB_TRANSFORM_8x8 ? 0 : inside;
  set_intra_strengths (&edges, odd, odd);
  deblock_luma_at (picture, set, &place, &edges);
  return true;
}

/* A macroblock in the planes of a set */
INLINE void
deblock_macroblock (const Picture *picture, uint set, const MbWalk *at)
{
  Place place;
  Macroblock self;
  Edges edges;

  if (deblock_intra_macroblock (picture, set, at) || !has_strengths (picture, at->mb_addr))
    return;
  place_on_walk (&place, at, picture->mbs, 0, 0);
  load_macroblock_alone (&self, picture, at->mb_addr);
#if HAS_HALVED_CHROMA
  if (set > 0) {
    set_chroma_edges (&edges, &self);
    if (has_edges (&edges))
      deblock_chroma (picture, &place, &edges);
    return;
  }
#endif
  set_luma_edges (&edges, &self, set);
  if (has_edges (&edges))
    deblock_luma_at (picture, set, &place, &edges);
}

/* ---- MBAFF frames ---- */

/* Levels of an edge to both macroblocks of a pair, [0] the upper one, of the planes in the lower and upper half of the lanes */
typedef struct
{
  Levels of[2][2];
} PairLevels;

INLINE void
derive_pair_levels (PairLevels *levels, const Macroblock *self, __global const GstGpuMb *pair, int low, int high)
{
#pragma unroll
  for (int lower = 0; lower < 2; lower++) {
    derive_levels_to (&levels->of[lower][0], self, pair + lower, low);
    derive_levels_to (&levels->of[lower][1], self, pair + lower, high);
  }
}

/* bS 4 stands in some values of the word */
INLINE bool
any_strong (uint strengths)
{
  return strengths & ALL_STRENGTHS (4);
}

/* A mixed left edge of 16 lanes, in two parts: lines of bS 4, and the others.  @s: as for filter_luma(); @is_lower: lanes next to the
 * lower macroblock of the left pair */
INLINE void
filter_mixed (Lanes *s, const PairLevels *levels, Arith is_lower, uint strengths, Shifts shifts, int bit_depth, bool chroma_style)
{
  Arith is_strong = LESS ((Arith) 3, STRENGTHS_OF (strengths, shifts));
  Edge edge, lower, strong;

  make_edge (&edge, &levels->of[0][0], &levels->of[0][1], bit_depth, strengths, shifts, 0);
  make_edge (&lower, &levels->of[1][0], &levels->of[1][1], bit_depth, strengths, shifts, 0);
  edge.alpha = CHOOSE (is_lower, lower.alpha, edge.alpha);
  edge.beta = CHOOSE (is_lower, lower.beta, edge.beta);
  edge.tc0 = CHOOSE (is_lower, lower.tc0, edge.tc0);
  strong = edge;
  strong.strong = 1;
  strong.alpha &= is_strong;
  edge.alpha &= ~is_strong;
  if (any_strong (strengths) && chroma_style)
    filter_chroma (s, &strong);
  else if (any_strong (strengths))
    filter_luma (s, &strong, bit_depth);
  if (strengths != ALL_STRENGTHS (4) && chroma_style)
    filter_chroma (s, &edge);
  else if (strengths != ALL_STRENGTHS (4))
    filter_luma (s, &edge, bit_depth);
}

/* Lanes of odd rows; of the upper half of the lanes; of rows 4 to 7 in both halves */
#define ODD_LANES (Arith) (0, -1, 0, -1, 0, -1, 0, -1, 0, -1, 0, -1, 0, -1, 0, -1)
#define HIGH_LANES (Arith) (0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1)
#define HIGH_LANES_OF_HALVES (Arith) (0, 0, 0, 0, -1, -1, -1, -1, 0, 0, 0, 0, -1, -1, -1, -1)

/* Strengths of a mixed left edge of a frame macroblock: of 16 rows; of 8 rows of 16, for two planes.  Else as above */
#define SHIFTS_16_MIXED (Shifts) (0, 4, 0, 4, 8, 12, 8, 12, 16, 20, 16, 20, 24, 28, 24, 28)
#define SHIFTS_8_MIXED (Shifts) (0, 4, 0, 4, 8, 12, 8, 12, 0, 4, 0, 4, 8, 12, 8, 12)

INLINE void
filter_mixed_luma (__global Sample *at, uint stride, const MbaffMacroblock *self, int plane)
{
  PairLevels levels;
  Lanes columns[8];

  derive_pair_levels (&levels, &self->self, self->left, plane, plane);
  load_columns (at - 4, stride, columns);
  filter_mixed (columns + 4, &levels, self->field ? HIGH_LANES : ODD_LANES, self->mixed_left, self->field ? SHIFTS_16 : SHIFTS_16_MIXED,
      plane ? GPU_DEPTH_CHROMA : GPU_DEPTH_LUMA, false);
  store_4_columns (at - 4, stride, columns);
  store_4_columns (at, stride, columns + 4);
}

/* @stride: from a line of the macroblock to the next */
INLINE void
filter_luma_top_in_fields (__global Sample *at, uint stride, const MbaffMacroblock *self, int plane)
{
  const Shifts shifts = (Shifts) (0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
  int bit_depth = plane ? GPU_DEPTH_CHROMA : GPU_DEPTH_LUMA;

  at -= 8 * stride;
  for (uint parity = 0; parity < 2; parity++, at += stride) {
    Levels levels;
    Edge edge;
    Lanes rows[8];

    derive_levels_to (&levels, &self->self, self->above + parity, plane);
    make_edge (&edge, &levels, &levels, bit_depth, self->top_in_fields >> 16 * parity & 0xffff, shifts, 0);
#pragma unroll
    for (int i = 0; i < 8; i++)
      rows[i] = load_row (at + 2 * i * stride);
    filter_luma (rows + 4, &edge, bit_depth);
#pragma unroll
    for (int i = 1; i < 7; i++)
      store_row (at + 2 * i * stride, rows[i]);
  }
}

#if HAS_HALVED_CHROMA

/* 8 rows of Cb and Cr */
INLINE void
filter_mixed_chroma_rows (__global Sample *cb, __global Sample *cr, uint2 stride, const PairLevels *levels, Arith is_lower, uint strengths,
    Shifts shifts)
{
  Lanes columns[8];

#pragma unroll
  for (int i = 0; i < 8; i++)
    columns[i] = load_halves (cb + i * stride.x - 4, cr + i * stride.y - 4);
  transpose (columns);
  filter_mixed (columns + 4, levels, is_lower, strengths, shifts, GPU_DEPTH_CHROMA, true);
#pragma unroll
  for (int i = 3; i < 5; i++) {
    store_half_column (cb + i - 4, stride.x, CONVERT_SAMPLE8 (columns[i].lo));
    store_half_column (cr + i - 4, stride.y, CONVERT_SAMPLE8 (columns[i].hi));
  }
}

INLINE void
filter_mixed_chroma (__global Sample *cb, __global Sample *cr, uint2 stride, const MbaffMacroblock *self)
{
  uint strengths = self->mixed_left;
  PairLevels levels;

  derive_pair_levels (&levels, &self->self, self->left, 1, 2);
#if GPU_CHROMA_ARRAY_TYPE == 1
  filter_mixed_chroma_rows (cb, cr, stride, &levels, self->field ? HIGH_LANES_OF_HALVES : ODD_LANES, strengths, SHIFTS_HALVED);
#else
  for (int part = 0; part < 2; part++)
    filter_mixed_chroma_rows (cb + 8 * part * stride.x, cr + 8 * part * stride.y, stride, &levels, self->field ? (Arith) -part : ODD_LANES,
        strengths, (self->field ? SHIFTS_8 : SHIFTS_8_MIXED) + (Shifts) (16 * part));
#endif
}

INLINE void
filter_chroma_top_in_fields (__global Sample *cb, __global Sample *cr, uint2 stride, const MbaffMacroblock *self)
{
  cb -= 4 * stride.x;
  cr -= 4 * stride.y;
  for (uint parity = 0; parity < 2; parity++, cb += stride.x, cr += stride.y) {
    Levels levels[2];
    Edge edge;
    Lanes rows[4];

    derive_levels_to (&levels[0], &self->self, self->above + parity, 1);
    derive_levels_to (&levels[1], &self->self, self->above + parity, 2);
    make_edge (&edge, &levels[0], &levels[1], GPU_DEPTH_CHROMA, self->top_in_fields >> 16 * parity & 0xffff, SHIFTS_8, 0);
#pragma unroll
    for (int i = 0; i < 4; i++)
      rows[i] = load_halves (cb + 2 * i * stride.x, cr + 2 * i * stride.y);
    filter_chroma (rows + 2, &edge);
#pragma unroll
    for (int i = 1; i < 3; i++)
      store_halves (cb + 2 * i * stride.x, cr + 2 * i * stride.y, rows[i]);
  }
}

#endif

/* The edges that other pictures have not, in the planes of a set: the mixed left edge; @top: the top edge in fields */
INLINE void
filter_mbaff_edge (const Picture *picture, uint set, const Place *place, const MbaffMacroblock *self, bool top)
{
  __global Sample *at;
  uint stride;

#if HAS_HALVED_CHROMA
  if (set > 0) {
    __global Sample *cb = samples_at (picture, 1, place, 8, CHROMA_HEIGHT), *cr = samples_at (picture, 2, place, 8, CHROMA_HEIGHT);
    uint2 strides = (uint2) (stride_at (picture, 1, place), stride_at (picture, 2, place));

    if (top)
      filter_chroma_top_in_fields (cb, cr, strides, self);
    else
      filter_mixed_chroma (cb, cr, strides, self);
    return;
  }
#endif
  at = samples_at (picture, set, place, 16, 16);
  stride = stride_at (picture, set, place);
  if (top)
    filter_luma_top_in_fields (at, stride, self, set);
  else
    filter_mixed_luma (at, stride, self, set);
}

/* The edges that all pictures have, in the planes of a set */
INLINE void
deblock_planes (const Picture *picture, uint set, const Place *place, const Edges *edges)
{
  if (!has_edges (edges))
    return;
#if HAS_HALVED_CHROMA
  if (set > 0) {
    deblock_chroma (picture, place, edges);
    return;
  }
#endif
  deblock_luma_at (picture, set, place, edges);
}

/* deblock_macroblock() in an MBAFF frame.  A top edge in fields comes after the vertical edges and before the horizontal ones inside, which
 * then have a pass of their own. */
INLINE void
deblock_mbaff_macroblock (const Picture *picture, uint set, const MbWalk *at)
{
  MbaffMacroblock self;
  Place place;
  Edges edges;

  if (!has_strengths (picture, at->mb_addr))
    return;
  place_on_walk (&place, at, picture->mbs, 0, 1);
  load_mbaff_macroblock (&self, picture, at->mb_addr);
  set_edges_in (&edges, &self.self, set);
  if (self.mixed_left)
    filter_mbaff_edge (picture, set, &place, &self, false);
  for (int pass = self.top_in_fields ? 0 : 1; pass < 2; pass++) {
    Edges part = edges;

    for (int edge = 0; self.top_in_fields && edge < 4; edge++)
      part.strengths[1 - pass][edge] = 0;
    if (self.top_in_fields && pass > 0)
      filter_mbaff_edge (picture, set, &place, &self, true);
    deblock_planes (picture, set, &place, &part);
  }
}
