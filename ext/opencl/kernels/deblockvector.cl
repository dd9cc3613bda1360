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

/* Where the strengths of lines 0 to 15 stand in a word of GstGpuBoundary; of every second line, for two planes; of 8 lines, for two planes */
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
deblock_chroma (const Picture *picture, uint x, uint y, const Edges *edges)
{
  __global Sample *cb = samples_at (picture, 1, x * 8, y * CHROMA_HEIGHT), *cr = samples_at (picture, 2, x * 8, y * CHROMA_HEIGHT);
  uint2 stride = (uint2) (picture->params->plane_stride[1], picture->params->plane_stride[2]);
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

/* A macroblock in the planes of a set */
INLINE void
deblock_macroblock (const Picture *picture, uint set, const MbWalk *at)
{
  uint x = at->x, y = at->y;
  Macroblock self;
  Edges edges;

  if (!has_strengths (picture, at->mb_addr))
    return;
  load_macroblock (&self, picture, at->mb_addr);
#if HAS_HALVED_CHROMA
  if (set > 0) {
    set_chroma_edges (&edges, &self);
    if (has_edges (&edges))
      deblock_chroma (picture, x, y, &edges);
    return;
  }
#endif
  set_luma_edges (&edges, &self, set);
  if (has_edges (&edges))
    deblock_luma (samples_at (picture, set, x * 16, y * 16), picture->params->plane_stride[set], &edges,
        set ? GPU_DEPTH_CHROMA : GPU_DEPTH_LUMA);
}
