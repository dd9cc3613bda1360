/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random residuals of every kind of block, written in CAVLC and in CABAC, come out of the slice decoder level by level; of two pictures
 * side by side, too.
 */
#include <gst/check/gstcheck.h>
#include "h264sets.h"
#include "h264cavlctables.h"
#include "h264coding.h"
#include "h264picturejob.h"
#include "h264scan.h"
#include "h264slicepair.h"
#include "islicemodel.h"
#include "slicewriter.h"

#define HEADER_SIZE 131072
#define COEFFS_SIZE (32 * H264_CHUNK_SIZE)

/* For each level: fail_unless () writes to a file every time. */
#define CHECK(condition, ...)      \
  do {                             \
    if (G_UNLIKELY (!(condition))) \
      fail (__VA_ARGS__);          \
  } while (0)

typedef struct
{
  PictureModel model;
  H264ParamSets *sets;
  H264SliceDecoder *dec;
  H264PictureJob *job;
  guint8 *header, *coeffs;
} Decoded;

/* Those of every picture, of two side by side: allocating them anew for each would take most of the time. */
static guint8 *arenas[2];

static void
parse_header (const Decoded *d, const GByteArray *unit, H264JobSlice *slice)
{
  const gchar *error = NULL;
  H264Nal nal;

  fail_unless (h264_nal_init (&nal, unit->data, unit->len, &error), "%s", error);
  h264_rbsp_set (&slice->rbsp, &nal);
  h264_rbsp_read (&slice->rbsp, &slice->bits);
  fail_unless (h264_slice_header_parse (&slice->header, &nal, &slice->bits, d->sets, &error), "%s", error);
}

/* Gives the slice's number. */
static guint
add_slice (Decoded *d, GByteArray *unit)
{
  H264JobSlice *slice = h264_job_slice_new ();
  const guint index = d->job->n_slices;
  const gchar *error;

  parse_header (d, unit, slice);
  if (index == 0)
    fail_unless (h264_picture_job_begin (d->job, &slice->header, d->header, HEADER_SIZE, d->coeffs, COEFFS_SIZE, &error));
  fail_unless (h264_picture_job_add_slice (d->job, &slice, &error));
  h264_job_slice_free (slice);
  g_byte_array_unref (unit);
  return index;
}

static H264SliceResult
read_slice (Decoded *d, GByteArray *unit)
{
  const guint index = add_slice (d, unit);

  h264_picture_job_decode_slice (d->job, index, d->dec);
  return h264_picture_job_slice (d->job, index)->result;
}

static void
decode_slice (Decoded *d, GByteArray *unit)
{
  const H264SliceResult result = read_slice (d, unit);

  fail_unless (!result.error, "macroblock %u: %s", result.n_mbs, result.error);
}

static void
begin (Decoded *d, GRand *rand, const IPictureKind *kind, guint arena)
{
  PictureModel *model = &d->model;

  i_picture_init (model, rand, kind);
  d->sets = make_param_sets (&model->sps, &model->pps);
  d->dec = h264_slice_decoder_new ();
  d->job = h264_picture_job_new ();
  d->header = arenas[arena];
  d->coeffs = arenas[arena] + HEADER_SIZE;
  /* what is not written must not be read */
  memset (arenas[arena], 0x55, HEADER_SIZE + COEFFS_SIZE);
}

static void
finish (Decoded *d)
{
  guint first[GST_GPU_N_KINDS + 1];

  fail_unless (h264_picture_job_is_complete (d->job));
  h264_picture_job_finish (d->job, first);
  fail_unless (!d->job->error, "%s", d->job->error);
}

static void
decode (Decoded *d, GRand *rand, const IPictureKind *kind)
{
  begin (d, rand, kind, 0);
  for (guint slice = 0; model_first_of_slice (&d->model, slice) < d->model.n_mbs; slice++)
    decode_slice (d, write_slice (&d->model, slice));
  finish (d);
}

static void
set_slice (H264SlicePair *pair, guint i, Decoded *d, guint index)
{
  fail_unless (h264_picture_job_begin_slice (d->job, index, d->dec));
  d->dec->leaves_residuals = TRUE;
  h264_slice_pair_set (pair, i, d->dec);
}

/* Two pictures, slice beside slice, and what is left of the longer one alone */
static void
decode_two (Decoded d[2], GRand *rand, const IPictureKind *kind)
{
  guint index[2] = { 0, 0 };
  H264SlicePair pair;

  for (guint i = 0; i < 2; i++) {
    begin (&d[i], rand, kind, i);
    for (guint slice = 0; model_first_of_slice (&d[i].model, slice) < d[i].model.n_mbs; slice++)
      add_slice (&d[i], write_slice (&d[i].model, slice));
    set_slice (&pair, i, &d[i], 0);
  }
  while (index[0] < d[0].job->n_slices || index[1] < d[1].job->n_slices) {
    const gboolean both = index[0] < d[0].job->n_slices && index[1] < d[1].job->n_slices;
    const guint i = both ? h264_slice_pair_run (&pair) : index[0] < d[0].job->n_slices ? 0 : 1;

    if (!both)
      /* as if others came and went */
      for (_Atomic guint n_waiting = 1; !h264_slice_pair_run_alone (&pair, i, &n_waiting); n_waiting = !n_waiting)
        ;
    h264_picture_job_end_slice (d[i].job, index[i], d[i].dec);
    if (++index[i] < d[i].job->n_slices)
      set_slice (&pair, i, &d[i], index[i]);
  }
  finish (&d[0]);
  finish (&d[1]);
}

static void
decoded_clear (Decoded *d)
{
  h264_picture_job_reset (d->job);
  h264_picture_job_free (d->job);
  h264_slice_decoder_free (d->dec);
  h264_param_sets_free (d->sets);
  i_picture_clear (&d->model);
}

static gboolean
is_16x16 (const ModelMb *mb)
{
  return mb->mb_type != MB_TYPE_I_NxN && mb->mb_type != MB_TYPE_I_PCM;
}

static gboolean
is_chroma (const Decoded *d, guint plane)
{
  return plane > 0 && d->model.ChromaArrayType != 3;
}

/* The DC level of a lossless block, which stands in the block itself (8.5.15) */
static gint32
lossless_dc (const Decoded *d, const ModelMb *mb, guint plane, guint blk)
{
  const guint n = model_chroma_blocks (&d->model), x = blk % 2 + blk / 4 % 2 * 2, y = blk / 2 % 2 + blk / 8 * 2;

  if (is_chroma (d, plane)) {
    const guint8 *scan = n == 4 ? h264_scan_chroma_dc_2x2 : h264_scan_chroma_dc_2x4;

    for (guint k = 0; mb->cbp >> 4 != 0 && k < n; k++)
      if (scan[k] == blk)
        return mb->dc[plane][k];
    return 0;
  }
  for (guint k = 0; is_16x16 (mb) && k < 16; k++)
    if (h264_scan_4x4_raster[d->model.field][k] == y * 4 + x)
      return mb->dc[plane][k];
  return 0;
}

/* The levels of a block as they must stand in the arena; FALSE where it is not there */
static gboolean
expect_block (const Decoded *d, const ModelMb *mb, guint plane, guint blk, gboolean is_8x8, gint32 levels[64])
{
  const gboolean bypass = model_is_bypass (&d->model, mb), chroma = is_chroma (d, plane);
  const gboolean coded = chroma ? mb->cbp >> 4 == 2 : mb->cbp >> (blk / 4) & 1;
  const guint8 *scan_4x4 = bypass ? h264_scan_4x4_raster[d->model.field] : h264_scan_4x4_transposed[d->model.field];
  const guint8 *scan_8x8 = bypass ? h264_scan_8x8_raster[d->model.field] : h264_scan_8x8_transposed[d->model.field];
  const guint n = is_8x8 ? 64 : 16;

  memset (levels, 0, 64 * sizeof (gint32));
  for (guint k = 0; coded && k < n; k++) {
    if (is_8x8)
      levels[scan_8x8[k]] = mb->blocks_8x8[plane][blk / 4][k];
    else if (k > 0 || !(chroma || is_16x16 (mb)))
      levels[scan_4x4[k]] = mb->blocks[plane][blk][k];
  }
  if (bypass && (chroma || is_16x16 (mb)))
    levels[0] = lossless_dc (d, mb, plane, blk);
  for (guint k = 0; k < n; k++)
    if (levels[k] != 0)
      return TRUE;
  return FALSE;
}

static void
check_levels (const Decoded *d, const guint8 *block, gboolean wide, const gint32 *expected, guint n, guint mb, guint plane, guint blk)
{
  for (guint k = 0; k < n; k++) {
    const gint32 level = wide ? ((const gint32 *) block)[k] : ((const gint16 *) block)[k];

    CHECK (level == expected[k], "macroblock %u of type %u, plane %u, block %u, level %u: %d, not %d", mb, d->model.mbs[mb].mb_type, plane,
        blk, k, level, expected[k]);
  }
}

/* The blocks of one size, each behind those before it (gpurecords.h) */
static guint
check_blocks (const Decoded *d, guint i, gboolean is_8x8)
{
  const ModelMb *model = &d->model.mbs[i];
  const GstGpuMb *mb = &((const GstGpuMb *) (d->header + d->job->layout[0].mbs))[i];
  const gboolean wide = (mb->flags & GST_GPU_MB_WIDE) != 0;
  const guint size = (is_8x8 ? 64 : 16) * (wide ? 4 : 2);
  const guint8 *block = d->coeffs + (gsize) (is_8x8 ? mb->first_8x8 : mb->first_4x4) * H264_SLOT_SIZE;
  gint32 expected[64];
  guint n = 0;

  for (guint plane = 0; plane < (d->model.ChromaArrayType == 0 ? 1 : 3); plane++) {
    const gboolean chroma = is_chroma (d, plane);

    if ((model->transform_size_8x8_flag && !chroma) != is_8x8)
      continue;
    for (guint blk = 0; blk < (chroma ? model_chroma_blocks (&d->model) : 16); blk += is_8x8 ? 4 : 1) {
      const gboolean coded = expect_block (d, model, plane, blk, is_8x8, expected);

      CHECK ((mb->coded[plane] >> blk & 1) == coded, "macroblock %u, plane %u, block %u: coded %#x", i, plane, blk, mb->coded[plane]);
      if (coded) {
        check_levels (d, block, wide, expected, is_8x8 ? 64 : 16, i, plane, blk);
        block += size;
        n++;
      }
    }
  }
  return n;
}

/* How many DC groups macroblock @i has */
static guint
check_dc_coded (const Decoded *d, guint i)
{
  const ModelMb *model = &d->model.mbs[i];
  const GstGpuMb *mb = &((const GstGpuMb *) (d->header + d->job->layout[0].mbs))[i];
  guint dc_coded = 0;

  for (guint plane = 0; plane < 3 && !model_is_bypass (&d->model, model); plane++) {
    gboolean any = FALSE;

    for (guint k = 0; k < 16; k++)
      any = any || model->dc[plane][k] != 0;
    dc_coded |= (guint) any << plane;
  }
  fail_unless_equals_int (mb->dc_coded, dc_coded);
  return __builtin_popcount (dc_coded);
}

static void
check_record (const Decoded *d, guint i)
{
  const ModelMb *model = &d->model.mbs[i];
  const GstGpuMb *mb = &((const GstGpuMb *) (d->header + d->job->layout[0].mbs))[i];
  const guint mb_class = is_16x16 (model) ? GST_GPU_MB_I16x16 : model->transform_size_8x8_flag ? GST_GPU_MB_I8x8 : GST_GPU_MB_I4x4;

  fail_unless_equals_int (mb->mb_class, mb_class);
  fail_unless_equals_int (mb->qp_scaled[0], model->QPY + 6 * (gint) d->model.sps.bit_depth_luma_minus8);
  fail_unless_equals_int (!!(mb->flags & GST_GPU_MB_BYPASS), model_is_bypass (&d->model, model));
  fail_unless_equals_int (!!(mb->flags & GST_GPU_MB_FIELD), d->model.field);
  for (guint blk = 0; blk < 16; blk++)
    CHECK ((mb->nonzero >> blk & 1) == (mb->coded[0] >> (model->transform_size_8x8_flag ? blk & ~3u : blk) & 1), "nonzero is %#x",
        mb->nonzero);
}

static void
check_pcm (const Decoded *d, guint i)
{
  static const guint n_samples[4] = { 256, 384, 512, 768 };
  const GstGpuMb *mb = &((const GstGpuMb *) (d->header + d->job->layout[0].mbs))[i];
  const guint8 *samples = d->coeffs + (gsize) mb->first_4x4 * H264_SLOT_SIZE;
  const gboolean bytes = d->model.sps.bit_depth_luma_minus8 + d->model.sps.bit_depth_chroma_minus8 == 0;

  fail_unless_equals_int (mb->mb_class, GST_GPU_MB_IPCM);
  for (guint k = 0; k < n_samples[d->model.ChromaArrayType]; k++)
    CHECK ((bytes ? samples[k] : ((const guint16 *) samples)[k]) == d->model.mbs[i].pcm[k], "macroblock %u, sample %u", i, k);
}

/* The DC groups stand in their segments only; gives the number of blocks in all segments. */
static guint
check_segments (const Decoded *d)
{
  guint n = 0;

  for (guint j = 0; j < d->job->arena.n_segments; j++) {
    const GstGpuSegment *s = &d->job->arena.segments[j];
    const guint n_levels = s->kind == GST_GPU_KIND_DC4x4 ? 16 : s->kind == GST_GPU_KIND_DC2x2 ? 4 : 8;

    n += s->count;
    if (s->kind < GST_GPU_KIND_DC4x4 || s->kind > GST_GPU_KIND_DC2x4)
      continue;
    for (guint i = 0; i < s->count; i++) {
      const guint32 position = ((const guint32 *) d->coeffs)[s->positions + i];
      const guint plane = GST_GPU_POSITION_PLANE (position);
      const guint8 *scan = n_levels == 16 ? h264_scan_4x4_transposed[d->model.field]
          : n_levels == 4                 ? h264_scan_chroma_dc_2x2
                                          : h264_scan_chroma_dc_2x4;
      gint32 expected[16];

      for (guint k = 0; k < n_levels; k++)
        expected[scan[k]] = d->model.mbs[GST_GPU_POSITION_MB (position)].dc[plane][k];
      check_levels (d, d->coeffs + (gsize) s->coeffs * H264_SLOT_SIZE + i * n_levels * (s->wide ? 4 : 2), s->wide, expected, n_levels,
          GST_GPU_POSITION_MB (position), plane, 0);
    }
  }
  return n;
}

static void
check_picture (const Decoded *d)
{
  guint n = 0;

  for (guint i = 0; i < d->model.n_mbs; i++) {
    if (d->model.mbs[i].mb_type == MB_TYPE_I_PCM) {
      check_pcm (d, i);
      n++;
    } else {
      check_record (d, i);
      n += check_blocks (d, i, FALSE) + check_blocks (d, i, TRUE) + check_dc_coded (d, i);
    }
  }
  fail_unless_equals_int (check_segments (d), n);
}

/* @two: two pictures side by side at a time */
static void
check_kind (IPictureKind kind, guint n_pictures, gboolean two)
{
  GRand *rand = g_rand_new_with_seed (kind.chroma_format_idc * 64 + kind.bit_depth_luma + (guint) kind.max_level);

  for (guint n = 0; n < n_pictures; n += 1 + two) {
    Decoded d[2];

    if (two)
      decode_two (d, rand, &kind);
    else
      decode (d, rand, &kind);
    for (guint i = 0; i < 1 + (guint) two; i++) {
      check_picture (&d[i]);
      decoded_clear (&d[i]);
    }
  }
  g_rand_free (rand);
}

/* The loop index: 4:0:0 to 4:4:4 in CAVLC, in CABAC, in CAVLC with vectors, and in CABAC two at a time; FALSE where the processor cannot do
 * that */
static gboolean
init (guint index)
{
  h264_cabac_tables_init ();
  h264_cabac_lanes_init_tables ();
  h264_cavlc_tables_init ();
  return h264_cavlc_choose_residual (index / 4 == 2);
}

GST_START_TEST (test_8_bits)
{
  if (!init ((guint) __i__))
    return;
  check_kind ((IPictureKind){ (guint) __i__ % 4, 8, 8, __i__ / 4 % 2 == 1, FALSE, FALSE, 32767 }, 60, __i__ / 4 == 3);
  /* levels of 1 mostly, as in quiet video */
  check_kind ((IPictureKind){ (guint) __i__ % 4, 8, 8, __i__ / 4 % 2 == 1, FALSE, FALSE, 2 }, 60, __i__ / 4 == 3);
  /* and about what a byte holds, which is the most that CAVLC reads several at a time of */
  check_kind ((IPictureKind){ (guint) __i__ % 4, 8, 8, __i__ / 4 % 2 == 1, FALSE, FALSE, 140 }, 10, __i__ / 4 == 3);
}

GST_END_TEST;

/* Levels that 16 bits cannot hold, in some macroblocks */
GST_START_TEST (test_wide_levels)
{
  if (!init ((guint) __i__))
    return;
  check_kind ((IPictureKind){ (guint) __i__ % 4, 14, 14, __i__ / 4 % 2 == 1, FALSE, FALSE, 1 << 20 }, 40, __i__ / 4 == 3);
  check_kind ((IPictureKind){ (guint) __i__ % 4, 10, 9, __i__ / 4 % 2 == 1, FALSE, FALSE, 40000 }, 40, __i__ / 4 == 3);
}

GST_END_TEST;

GST_START_TEST (test_fields)
{
  if (!init ((guint) __i__))
    return;
  check_kind ((IPictureKind){ (guint) __i__ % 4, 8, 8, __i__ / 4 % 2 == 1, TRUE, FALSE, 300 }, 60, __i__ / 4 == 3);
}

GST_END_TEST;

GST_START_TEST (test_lossless)
{
  if (!init ((guint) __i__))
    return;
  check_kind ((IPictureKind){ (guint) __i__ % 4, 8, 8, __i__ / 4 % 2 == 1, FALSE, TRUE, 255 }, 40, __i__ / 4 == 3);
  check_kind ((IPictureKind){ (guint) __i__ % 4, 12, 12, __i__ / 4 % 2 == 1, TRUE, TRUE, 4095 }, 40, __i__ / 4 == 3);
}

GST_END_TEST;

/* A slice NAL unit with @n_bytes random bytes behind its header; none is so low that it could be part of a start code */
static GByteArray *
random_slice (Decoded *d, GRand *rand, guint n_bytes)
{
  GByteArray *unit = write_slice (&d->model, 0);
  H264JobSlice *slice = h264_job_slice_new ();
  guint n_header_bytes;

  parse_header (d, unit, slice);
  n_header_bytes = 1 + (guint) (slice->bits.pos + 7) / 8;
  h264_job_slice_free (slice);
  g_byte_array_set_size (unit, n_header_bytes + n_bytes);
  for (guint i = n_header_bytes; i < unit->len; i++)
    unit->data[i] = (guint8) g_rand_int_range (rand, 4, 256);
  return unit;
}

/* Slices of a few bytes have no room for an I_PCM macroblock.  CABAC may have read on behind such data before it finds one. */
GST_START_TEST (test_no_room_for_pcm)
{
  const IPictureKind kind = { 3, 14, 14, __i__ == 1, FALSE, FALSE, 2 };
  GRand *rand = g_rand_new_with_seed (1);
  guint n_pcm = 0;

  init (0);
  for (guint n = 0; n < 3000; n++) {
    H264SliceResult result;
    Decoded d;

    begin (&d, rand, &kind, 0);
    result = read_slice (&d, random_slice (&d, rand, n % 3 ? 1 : 1 + n % 12));
    fail_unless (result.n_mbs <= d.model.n_mbs);
    if (result.error && d.job->target.mbs[0][result.n_mbs].mb_class == GST_GPU_MB_IPCM) {
      fail_unless_equals_string (result.error, "slice data ends inside an I_PCM macroblock");
      n_pcm++;
    }
    for (guint i = 0; i < result.n_mbs; i++)
      fail_if (d.job->target.mbs[0][i].mb_class == GST_GPU_MB_IPCM);
    decoded_clear (&d);
  }
  fail_unless (n_pcm > 0);
  g_rand_free (rand);
}

GST_END_TEST;

/* The first @n_bytes of the CAVLC slice that @seed gives; the number of bytes of all of it */
static guint
read_truncated (const IPictureKind *kind, guint seed, guint n_bytes, H264SliceResult *result)
{
  GRand *rand = g_rand_new_with_seed (seed);
  GByteArray *unit;
  guint size;
  Decoded d;

  begin (&d, rand, kind, 0);
  unit = write_slice (&d.model, 0);
  size = unit->len;
  g_byte_array_set_size (unit, n_bytes);
  /* any last byte but 0 has a stop bit */
  unit->data[n_bytes - 1] |= 1;
  *result = read_slice (&d, unit);
  fail_unless (result->n_mbs <= d.model.n_mbs);
  decoded_clear (&d);
  g_rand_free (rand);
  return size;
}

/* CAVLC slices that end early, at any byte: with vectors and without them as many macroblocks are whole, and never fewer than where the
 * data end sooner. */
GST_START_TEST (test_truncated)
{
  const IPictureKind kind = { (guint) __i__, 10, 10, FALSE, FALSE, FALSE, 300 };

  for (guint seed = 0; seed < 3; seed++) {
    guint size = G_MAXUINT, n_mbs = 0;

    for (guint n_bytes = 8; n_bytes < size; n_bytes++) {
      H264SliceResult portable, vectors;

      init (0);
      size = read_truncated (&kind, seed, n_bytes, &portable);
      fail_unless (portable.n_mbs >= n_mbs);
      n_mbs = portable.n_mbs;
      if (!init (8))
        continue;
      read_truncated (&kind, seed, n_bytes, &vectors);
      fail_unless_equals_int (vectors.n_mbs, portable.n_mbs);
      fail_unless_equals_string (vectors.error, portable.error);
    }
  }
}

GST_END_TEST;

static void
set_up (void)
{
  for (guint i = 0; i < 2; i++)
    arenas[i] = g_malloc (HEADER_SIZE + COEFFS_SIZE);
}

static void
tear_down (void)
{
  for (guint i = 0; i < 2; i++)
    g_clear_pointer (&arenas[i], g_free);
}

static Suite *
h264residual_suite (void)
{
  Suite *s = suite_create ("h264residual");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, set_up, tear_down);
  tcase_add_loop_test (tc, test_8_bits, 0, 16);
  tcase_add_loop_test (tc, test_wide_levels, 0, 16);
  tcase_add_loop_test (tc, test_fields, 0, 16);
  tcase_add_loop_test (tc, test_lossless, 0, 16);
  tcase_add_loop_test (tc, test_no_room_for_pcm, 0, 2);
  tcase_add_loop_test (tc, test_truncated, 0, 4);
  return s;
}

GST_CHECK_MAIN (h264residual);
