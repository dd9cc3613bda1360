/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A block is read by an automaton.  Its state, a row, is which bin comes next; a row has two ways on, for a bin of 0 and of 1, and a way is
 * all that follows from the bin:
 *   bits 63 to 48: the next row, as an offset in words of 64 bits
 *   bits 47 to 32: in levels: minus the magnitude of the level, 0 in a map
 *   bit 31: this level goes on with a suffix, which is not read here
 *   bit 27: the next row is one of a map
 *   bit 26: in levels: this one is complete but for its sign
 *   bit 24: in a map: there is a level
 *   bits 23 to 16: in a map: which of the block's levels it is
 *   bits 15 to 0: the context variable of the next bin, as an offset in bytes
 * So a bin costs no branch, whatever it decides, and none for its bits, which are filled in by several bins at a time.
 *
 * Where a block ends nothing foretells, and each loop that ends there, or where a map does, costs a wrong guess.  So a map leads into its
 * levels, and one loop reads both; bins of two maps have a shorter one, since long blocks have most of their bins there.
 */
#include "h264cabaclanes.h"
#include "h264cabacblock.h"
#include "h264cabactables.h"

#define WAY_SUFFIX (1u << 31)
#define WAY_MAP (1u << 27)
#define WAY_COMPLETE (1u << 26)
#define WAY_LEVEL (1u << 24)

/* Chroma DC blocks of 4:2:2: of the class H264_BLOCK_CHROMA_DC, but with eight levels, and with other ctxIdxInc */
#define KIND_CHROMA_DC_422 6
#define N_KINDS 7

typedef struct
{
  guint64 ways[2];
} Row;

/* Rows of a map: for each place, of significant_coeff_flag and of last_significant_coeff_flag */
#define MAP_ROWS (2 * 63)
/* Rows of levels: nodes (h264cabacblock.h) before the first bin, then for each node the magnitudes 2 to 14 before another bin */
#define N_NODES 9
#define OTHER_MAGNITUDES 13
#define LEVEL_ROWS (N_NODES * (1 + OTHER_MAGNITUDES))

typedef struct
{
  Row maps[2][MAP_ROWS]; /* of frame and field macroblocks */
  Row levels[LEVEL_ROWS];
} BlockRows;

static BlockRows block_rows[N_KINDS][3]; /* by plane */

/**
 * kinds:
 * @block_class: its class
 * @max_num_coeff: levels that it may have
 * @list: which of the slice decoder's lists of blocks it goes to (H264_BLOCKS_4x4...)
 * @size: bytes that it takes there
 * @width: 2 where it counts for 2x2 blocks of the caches, else 1
 * @clear: where to put four times eight bytes of 0 so that at least its first 32 bytes, and no byte behind it, become 0
 *
 * Which kind comes next nothing foretells, so what is done with a block is looked up, and no branch.
 */
static const struct
{
  guint8 block_class;
  guint8 max_num_coeff;
  guint8 list;
  guint8 size;
  guint8 width;
  guint8 clear[4];
} kinds[N_KINDS] = {
  [H264_BLOCK_DC] = { H264_BLOCK_DC, 16, H264_BLOCKS_DC, 32, 1, { 0, 8, 16, 24 } },
  [H264_BLOCK_AC] = { H264_BLOCK_AC, 15, H264_BLOCKS_4x4, 32, 1, { 0, 8, 16, 24 } },
  [H264_BLOCK_4x4] = { H264_BLOCK_4x4, 16, H264_BLOCKS_4x4, 32, 1, { 0, 8, 16, 24 } },
  [H264_BLOCK_CHROMA_DC] = { H264_BLOCK_CHROMA_DC, 4, H264_BLOCKS_CHROMA_DC, 8, 1, { 0, 0, 0, 0 } },
  [H264_BLOCK_CHROMA_AC] = { H264_BLOCK_CHROMA_AC, 15, H264_BLOCKS_4x4, 32, 1, { 0, 8, 16, 24 } },
  [H264_BLOCK_8x8] = { H264_BLOCK_8x8, 64, H264_BLOCKS_8x8, 128, 2, { 0, 8, 16, 24 } },
  [KIND_CHROMA_DC_422] = { H264_BLOCK_CHROMA_DC, 8, H264_BLOCKS_CHROMA_DC, 16, 1, { 0, 8, 8, 8 } },
};

/* A way to @row, whose bin has context variable @ctxIdx */
static guint64
make_way (const Row *row, guint ctxIdx, guint flags)
{
  const guint64 offset = (guint64) ((const guint64 *) row - (const guint64 *) block_rows);

  return offset << 48 | flags | ctxIdx * (guint) sizeof (H264CabacState);
}

/* That a map has level number @i of the scan */
static guint
level_at (const guint8 *scan, guint i)
{
  return WAY_LEVEL | (guint) scan[i] << 16;
}

/* Where levels go, in the order in which they come */
static const guint8 *
scan_of (guint kind, guint field)
{
  switch (kind) {
    case H264_BLOCK_8x8:
      return h264_scan_8x8_transposed[field];
    case H264_BLOCK_CHROMA_DC:
      return h264_scan_chroma_dc_2x2;
    case KIND_CHROMA_DC_422:
      return h264_scan_chroma_dc_2x4;
    default:
      /* level 0 of AC blocks stands elsewhere */
      return h264_scan_4x4_transposed[field] + (kinds[kind].max_num_coeff == 15);
  }
}

static guint64
map_begin (guint kind, guint plane, guint field)
{
  return make_way (block_rows[kind][plane].maps[field], h264_cabac_block_contexts[kinds[kind].block_class][plane].significant[field],
      WAY_MAP);
}

static guint64
levels_at_node (guint kind, guint plane, guint node, guint flags)
{
  const H264CabacBlockContexts *c = &h264_cabac_block_contexts[kinds[kind].block_class][plane];

  return make_way (&block_rows[kind][plane].levels[node], c->abs_level + h264_cabac_first_bin_inc[node], flags);
}

/* The same behind a level of @magnitude */
static guint64
levels_behind (guint kind, guint plane, guint node, guint magnitude)
{
  return levels_at_node (kind, plane, node, WAY_COMPLETE) | (guint64) (-magnitude & 0xffff) << 32;
}

static guint
significant_inc (guint kind, guint field, guint i)
{
  return kind == H264_BLOCK_8x8      ? h264_cabac_significant_8x8[field][i]
      : kind == H264_BLOCK_CHROMA_DC ? h264_cabac_dc_inc_2x2[i]
      : kind == KIND_CHROMA_DC_422   ? h264_cabac_dc_inc_2x4[i]
                                     : i;
}

static guint
last_inc (guint kind, guint i)
{
  return kind == H264_BLOCK_8x8 ? h264_cabac_last_8x8[i] : significant_inc (kind, 0, i);
}

/* significant_coeff_flag and last_significant_coeff_flag; the last place has neither, and where it is reached its level is not 0. */
static void
make_map_rows (guint kind, guint plane, guint field)
{
  const H264CabacBlockContexts *c = &h264_cabac_block_contexts[kinds[kind].block_class][plane];
  const guint last_place = kinds[kind].max_num_coeff - 1;
  const guint8 *scan = scan_of (kind, field);
  Row *rows = block_rows[kind][plane].maps[field];

  for (guint i = 0; i < last_place; i++) {
    Row *significant = &rows[2 * i], *last = &rows[2 * i + 1];
    guint64 next = levels_at_node (kind, plane, 0, level_at (scan, last_place));

    if (i + 1 < last_place)
      next = make_way (&rows[2 * i + 2], c->significant[field] + significant_inc (kind, field, i + 1), WAY_MAP);
    significant->ways[0] = last->ways[0] = next;
    significant->ways[1] = make_way (last, c->last[field] + last_inc (kind, i), WAY_MAP | level_at (scan, i));
    last->ways[1] = levels_at_node (kind, plane, 0, 0);
  }
}

/* coeff_abs_level_minus1: a first bin, then up to 13 others; a level that has them all goes on with a suffix, which is not read here. */
static void
make_level_rows (guint kind, guint plane)
{
  const H264CabacBlockContexts *c = &h264_cabac_block_contexts[kinds[kind].block_class][plane];
  const gboolean chroma_dc = kinds[kind].block_class == H264_BLOCK_CHROMA_DC;
  Row *rows = block_rows[kind][plane].levels;

  for (guint node = 0; node < N_NODES; node++) {
    const guint others = c->abs_level + h264_cabac_other_bins_inc[chroma_dc][node], after = h264_cabac_node_after_more[node];
    Row *other = &rows[N_NODES + node * OTHER_MAGNITUDES];

    rows[node].ways[0] = levels_behind (kind, plane, h264_cabac_node_after_one[node], 1);
    rows[node].ways[1] = make_way (other, others, 0);
    for (guint magnitude = 2; magnitude < 2 + OTHER_MAGNITUDES; magnitude++, other++) {
      other->ways[0] = levels_behind (kind, plane, after, magnitude);
      other->ways[1] = magnitude < 1 + OTHER_MAGNITUDES ? make_way (other + 1, others, 0) : levels_at_node (kind, plane, after, WAY_SUFFIX);
    }
  }
}

void
h264_cabac_lanes_init_tables (void)
{
  for (guint kind = 0; kind < N_KINDS; kind++)
    for (guint plane = 0; plane < 3; plane++) {
      make_map_rows (kind, plane, 0);
      make_map_rows (kind, plane, 1);
      make_level_rows (kind, plane);
    }
}

/* The engine (h264cabac.h) of a lane while bins are read, the way taken last, and what else of the lane changes with a bin: here no write
 * can change it behind the compiler's back */
typedef struct
{
  guint64 range, offset, way;
  gsize n;
} Engine;

/* Bits of a shifted context variable that are an LPS range; where rows and states are.  To the compiler they are variables: it would make
 * them anew for each bin. */
typedef struct
{
  guint64 lps_mask;
  const guint64 *rows;
  const H264CabacState *states;
} Constants;

H264_ALWAYS_INLINE Constants
hide_constants (void)
{
  Constants c = { (guint64) 255 << 55, (const guint64 *) block_rows, h264_cabac_states };

  __asm__("" : "+r"(c.lps_mask), "+r"(c.rows), "+r"(c.states));
  return c;
}

/* Decodes a bin (9.3.3.2.1) and takes its way. */
H264_ALWAYS_INLINE void
step (Engine *engine, const Constants *constants, H264SliceDecoder *dec)
{
  H264CabacState *context = (H264CabacState *) ((guint8 *) dec->contexts + (guint16) engine->way);
  const guint64 *ways = &constants->rows[engine->way >> 48];
  H264CabacState state = *context;
  /* rotations: they take a register to another one in one instruction */
  const guint64 lps = (state << ((engine->range >> 58 | engine->range << 6) & 24)) & constants->lps_mask;
  guint64 next = state >> 8 | state << 56, rest = engine->offset;
  guint shift;

  engine->range -= lps;
  engine->way = ways[0];
#ifdef __x86_64__
  /* compilers would make branches of it, and copies of what is not needed any more */
  __asm__("sub %[range], %[rest]\n\t"
          "cmovae %[rest], %[offset]\n\t"
          "cmovae %[lps], %[range]\n\t"
          "cmovb %[state], %[next]\n\t"
          "sbb %[rest], %[rest]\n\t" /* all ones: MPS */
          "sar $63, %[state]\n\t"    /* all ones: valMPS is 1 */
          "cmp %[state], %[rest]\n\t"
          "cmove %[way_of_1], %[way]"
          : [range] "+&r"(engine->range), [offset] "+&r"(engine->offset), [rest] "+&r"(rest), [next] "+&r"(next), [state] "+&r"(state),
          [way] "+&r"(engine->way)
          : [lps] "r"(lps), [way_of_1] "rm"(ways[1])
          : "cc");
#else
  {
    const guint64 is_lps = engine->offset >= engine->range, bin = state >> 63 ^ is_lps, mask = 0 - is_lps;

    rest -= engine->range;
    engine->offset ^= (engine->offset ^ rest) & mask;
    engine->range ^= (engine->range ^ lps) & mask;
    next ^= (next ^ state) & ~mask;
    engine->way ^= (engine->way ^ ways[1]) & (0 - bin);
  }
#endif
  *context = constants->states[next & 127];
  shift = (guint) __builtin_clzll (engine->range);
  engine->range <<= shift;
  engine->offset <<= shift;
}

/* A bypass bin (9.3.3.2.3) where @wanted is all ones; nothing where it is 0.  All ones: the bin is 0 */
H264_ALWAYS_INLINE guint64
read_sign (Engine *engine, guint64 wanted)
{
  guint64 half = (engine->range >> 1) & wanted, is_0;

#ifdef __x86_64__
  guint64 rest = engine->offset;

  __asm__("sub %[half], %[rest]\n\t"
          "cmovae %[rest], %[offset]\n\t"
          "sbb %[half], %[half]"
          : [half] "+&r"(half), [offset] "+&r"(engine->offset), [rest] "+&r"(rest)
          :
          : "cc");
  is_0 = half;
#else
  is_0 = 0 - (guint64) (engine->offset < half);
  engine->offset -= half & ~is_0;
#endif
  engine->offset += engine->offset & wanted;
  return is_0;
}

/* All ones where the way has WAY_COMPLETE, else 0 */
H264_ALWAYS_INLINE guint64
complete_mask (guint64 way)
{
  guint64 mask;

#ifdef __x86_64__
  __asm__("bt $26, %[way]\n\t"
          "sbb %[mask], %[mask]"
          : [mask] "=r"(mask)
          : [way] "r"(way)
          : "cc");
#else
  mask = 0 - (way >> 26 & 1);
#endif
  return mask;
}

/* @n, and one more where the way has WAY_LEVEL */
H264_ALWAYS_INLINE gsize
add_level (gsize n, guint64 way)
{
#ifdef __x86_64__
  __asm__("bt $24, %[way]\n\t"
          "adc $0, %[n]"
          : [n] "+r"(n)
          : [way] "r"(way)
          : "cc");
  return n;
#else
  return n + (way >> 24 & 1);
#endif
}

/* Bins that can be read behind fill_up(), which leaves room for a byte at most: 47 bits are there then, a bin takes six at most, and its
 * sign one. */
#define BINS_A_FILL 6

/* Fills in as many bytes as there is room for.  h264_cabac_refill() behind each bin is fewer instructions, but nothing foretells which bin
 * needs it. */
H264_ALWAYS_INLINE void
fill_up (Engine *engine, H264Cabac *cabac)
{
  const guint mark = (guint) __builtin_ctzll (engine->offset), n_bits = mark & 56;
  const guint8 *next = cabac->next + n_bits / 8;
  guint64 bytes;

  memcpy (&bytes, cabac->next, 8);
  /* with one bit more, which becomes the mark */
  bytes = GUINT64_FROM_BE (bytes) >> (63 - n_bits) | 1;
  engine->offset = (engine->offset & (engine->offset - 1)) | bytes << (mark & 7);
  cabac->next = next < cabac->limit ? next : cabac->limit;
}

/* A bin of a map.  A place is written behind those that count. */
H264_ALWAYS_INLINE void
step_map (Engine *engine, const Constants *constants, H264SliceDecoder *dec)
{
  step (engine, constants, dec);
  dec->lane.places[engine->n + 1] = (guint32) engine->way;
  engine->n = add_level (engine->n, engine->way);
}

/* Which level place number @n is */
H264_ALWAYS_INLINE guint
place_at (const H264SliceDecoder *dec, gsize n)
{
  return dec->lane.places[n] >> 16 & 255;
}

/* A bin of a map or of levels, whichever it is: what the other one would do changes nothing.  In a map 0 goes where the last level found
 * is, which is not read yet.  A level that is not complete is written, too, and once more when it is.  Negative where the block cannot go
 * on */
H264_ALWAYS_INLINE gint32
step_block (Engine *engine, const Constants *constants, H264SliceDecoder *dec)
{
  guint64 complete;
  gint32 positive, level;

  step (engine, constants, dec);
  complete = complete_mask (engine->way);
  positive = (gint32) read_sign (engine, complete);
  level = (gint32) (engine->way >> 32);
  dec->lane.out[place_at (dec, engine->n)] = (gint16) ((level ^ positive) - positive);
  dec->lane.places[engine->n + 1] = (guint32) engine->way;
  engine->n = add_level (engine->n, engine->way) + complete;
  return (gint32) (engine->n + complete) | (gint32) engine->way;
}

H264_ALWAYS_INLINE Engine
engine_of (const H264SliceDecoder *dec)
{
  return (Engine){ dec->cabac.range, dec->cabac.offset, dec->lane.way, dec->lane.n };
}

H264_ALWAYS_INLINE void
keep_engine (H264SliceDecoder *dec, const Engine *engine)
{
  dec->cabac.range = engine->range;
  dec->cabac.offset = engine->offset;
  dec->lane.way = engine->way;
  dec->lane.n = engine->n;
  h264_cabac_refill (&dec->cabac);
}

/* Whether the block ends, or goes on with a suffix */
H264_ALWAYS_INLINE gboolean
has_stopped (const Engine *engine)
{
  return (engine->way & WAY_SUFFIX) || ((engine->way & WAY_COMPLETE) && engine->n == 0);
}

/* Until one of two maps is at its end */
H264_CABAC_DISPATCHED static void
run_maps (H264SliceDecoder *a, H264SliceDecoder *b)
{
  const Constants constants = hide_constants ();
  Engine engine_a = engine_of (a), engine_b = engine_of (b);
  guint64 both;

  do {
    fill_up (&engine_a, &a->cabac);
    fill_up (&engine_b, &b->cabac);
    for (guint i = 0; i < BINS_A_FILL; i++) {
      step_map (&engine_a, &constants, a);
      step_map (&engine_b, &constants, b);
      both = engine_a.way & engine_b.way & WAY_MAP;
      if (!both)
        break;
    }
  } while (both);
  keep_engine (a, &engine_a);
  keep_engine (b, &engine_b);
}

/* Until one of them, or both, cannot go on: bits 0 and 1 */
H264_CABAC_DISPATCHED static guint
run_blocks (H264SliceDecoder *a, H264SliceDecoder *b)
{
  const Constants constants = hide_constants ();
  Engine engine_a = engine_of (a), engine_b = engine_of (b);
  gint32 going_on;

  do {
    fill_up (&engine_a, &a->cabac);
    fill_up (&engine_b, &b->cabac);
    for (guint i = 0; i < BINS_A_FILL; i++) {
      going_on = step_block (&engine_a, &constants, a) | step_block (&engine_b, &constants, b);
      if (going_on < 0)
        break;
    }
  } while (going_on >= 0);
  keep_engine (a, &engine_a);
  keep_engine (b, &engine_b);
  return (guint) has_stopped (&engine_a) | (guint) has_stopped (&engine_b) << 1;
}

static void
run_alone (H264SliceDecoder *dec)
{
  const Constants constants = hide_constants ();
  Engine engine = engine_of (dec);
  gint32 going_on;

  do {
    fill_up (&engine, &dec->cabac);
    for (guint i = 0; i < BINS_A_FILL; i++) {
      going_on = step_block (&engine, &constants, dec);
      if (going_on < 0)
        break;
    }
  } while (going_on >= 0);
  keep_engine (dec, &engine);
}

static void
add_block (H264SliceDecoder *dec, guint kind, guint plane, guint blk, guint at)
{
  dec->lane.blocks[dec->lane.n_blocks++] = (H264LaneBlock){ (guint8) kind, (guint8) plane, (guint8) blk, (guint8) at };
}

/* Where coded_block_flag of DC blocks stands in the caches of total_coeff, in columns that are free: beside those of the neighbours, as
 * with any other block */
#define DC_PLACE H264_CACHE (-2, 0)

static void
add_dc (H264SliceDecoder *dec, guint kind, guint plane)
{
  dec->total_coeff[plane][DC_PLACE - 1] = dec->left->dc_coded >> plane & 1;
  dec->total_coeff[plane][DC_PLACE - 8] = dec->above->dc_coded >> plane & 1;
  add_block (dec, kind, plane, 0, DC_PLACE);
}

/* residual_luma(), for Cb and Cr of 4:4:4 too */
static void
add_luma (H264SliceDecoder *dec, guint plane)
{
  const gboolean is_16x16 = dec->mb->mb_class == GST_GPU_MB_I16x16;

  if (is_16x16)
    add_dc (dec, H264_BLOCK_DC, plane);
  for (guint coded = dec->cbp & 15; coded != 0; coded &= coded - 1) {
    const guint first = 4 * (guint) __builtin_ctz (coded);

    if (dec->transform_size_8x8_flag)
      add_block (dec, H264_BLOCK_8x8, plane, first, h264_cache_4x4[first]);
    else
      for (guint blk = first; blk < first + 4; blk++)
        add_block (dec, is_16x16 ? H264_BLOCK_AC : H264_BLOCK_4x4, plane, blk, h264_cache_4x4[blk]);
  }
}

/* Chroma of 4:2:0 and 4:2:2 */
static void
add_chroma (H264SliceDecoder *dec)
{
  const guint kind = dec->ChromaArrayType == 1 ? H264_BLOCK_CHROMA_DC : KIND_CHROMA_DC_422, n_blocks = 4 * dec->ChromaArrayType;

  if (dec->cbp >> 4 == 0)
    return;
  add_dc (dec, kind, 1);
  add_dc (dec, kind, 2);
  if (!(dec->cbp & 0x20))
    return;
  for (guint plane = 1; plane < 3; plane++)
    for (guint blk = 0; blk < n_blocks; blk++)
      add_block (dec, H264_BLOCK_CHROMA_AC, plane, blk, H264_CACHE_CHROMA (blk));
}

/* coded_block_flag, where it is transmitted */
H264_ALWAYS_INLINE gboolean
read_coded_block_flag (H264SliceDecoder *dec, const H264LaneBlock *block)
{
  const guint8 *total_coeff = &dec->total_coeff[block->plane][block->at];
  const guint ctxIdxInc = (total_coeff[-1] != 0) + 2 * (total_coeff[-8] != 0);

  if (block->kind == H264_BLOCK_8x8)
    return h264_cabac_read_8x8_coded_block_flag (dec, &dec->cabac, block->plane, block->at);
  return h264_cabac_bin (&dec->cabac,
      &dec->contexts[h264_cabac_block_contexts[kinds[block->kind].block_class][block->plane].coded_block_flag + ctxIdxInc]);
}

/* Where the levels of @block go, all 0 so far */
H264_ALWAYS_INLINE void
open_block (H264SliceDecoder *dec, const H264LaneBlock *block)
{
  const guint field = dec->mb->flags & GST_GPU_MB_FIELD ? 1 : 0;
  guint8 *to = dec->blocks[kinds[block->kind].list].chunk->next;

  for (guint i = 0; i < 4; i++)
    memset (to + kinds[block->kind].clear[i], 0, 8);
  if (block->kind == H264_BLOCK_8x8)
    memset (to + 32, 0, 64 * sizeof (gint16) - 32);
  dec->lane.out = (gint16 *) to;
  dec->lane.way = map_begin (block->kind, block->plane, field);
  dec->lane.n = 0;
}

/* Goes on to the next block that has levels. */
H264_ALWAYS_INLINE void
begin_block (H264SliceDecoder *dec)
{
  while (dec->lane.next_block < dec->lane.n_blocks) {
    const H264LaneBlock *block = &dec->lane.blocks[dec->lane.next_block++];

    if (read_coded_block_flag (dec, block)) {
      open_block (dec, block);
      return;
    }
  }
  dec->lane.done = TRUE;
}

static void
end_block (H264SliceDecoder *dec, const H264LaneBlock *block)
{
  const guint kind = block->kind, is_dc = block->at == DC_PLACE, right = kinds[kind].width - 1u;
  guint8 *total_coeff = &dec->total_coeff[block->plane][block->at];

  /* whether there are any is all that counts (H264MbEdge) */
  total_coeff[0] = total_coeff[right] = total_coeff[8 * right] = total_coeff[9 * right] = 1;
  dec->mb->coded[block->plane] |= (guint16) ((1u - is_dc) << block->blk);
  dec->dc_coded |= is_dc << block->plane;
  dec->mb->dc_coded |= (guint8) (is_dc << block->plane);
  h264_open_chunk_append (dec->blocks[kinds[kind].list].chunk, kinds[kind].size,
      GST_GPU_POSITION (dec->place.mbAddr, block->plane, block->blk));
}

/* Goes on from the end of a block, or of what can be read here of a level. */
H264_CABAC_DISPATCHED static void
turn (H264SliceDecoder *dec)
{
  if (G_UNLIKELY (dec->lane.way & WAY_SUFFIX)) {
    dec->lane.way &= ~(guint64) WAY_SUFFIX;
    h264_cabac_read_long_level (dec, &dec->cabac, &dec->lane.out[place_at (dec, dec->lane.n)]);
    if (--dec->lane.n > 0)
      return;
  }
  end_block (dec, &dec->lane.blocks[dec->lane.next_block - 1]);
  begin_block (dec);
}

void
h264_cabac_lane_begin (H264SliceDecoder *dec)
{
  dec->lane.done = FALSE;
  dec->lane.places[0] = 0;
  dec->lane.n_blocks = dec->lane.next_block = 0;
  add_luma (dec, 0);
  if (dec->ChromaArrayType == 3) {
    add_luma (dec, 1);
    add_luma (dec, 2);
  } else if (dec->ChromaArrayType != 0) {
    add_chroma (dec);
  }
  begin_block (dec);
}

void
h264_cabac_lanes_run (H264SliceDecoder *a, H264SliceDecoder *b)
{
  while (!a->lane.done && !b->lane.done) {
    guint stopped;

    if (a->lane.way & b->lane.way & WAY_MAP)
      run_maps (a, b);
    stopped = run_blocks (a, b);

    if (stopped & 1)
      turn (a);
    if (stopped & 2)
      turn (b);
  }
}

void
h264_cabac_lane_finish (H264SliceDecoder *dec)
{
  while (!dec->lane.done) {
    run_alone (dec);
    turn (dec);
  }
}
