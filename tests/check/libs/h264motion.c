/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random motion syntax: the short ways of the derivation give what the way block by block gives, partitions say what the motion map says,
 * and boundary strengths that follow from the records are those of the standard's text (ITU-T H.264, 8.7.2.1).
 */
#include <gst/check/gstcheck.h>
#include <string.h>
#include "h264motion.h"
#include "h264slicedecoder.h"
#include "boundary.h"

#define WIDTH 9
#define HEIGHT 7
#define N_MBS (WIDTH * HEIGHT)
#define N_SLICES 4
#define N_REFS 4
#define N_MVDS 256

/* For each block: fail_unless () writes to a file every time. */
#define CHECK(condition, ...)      \
  do {                             \
    if (G_UNLIKELY (!(condition))) \
      fail (__VA_ARGS__);          \
  } while (0)

/* What the parsing pass leaves of a picture */
typedef struct
{
  H264MotionSlice slices[N_SLICES];
  H264Mvd mvds[N_MVDS];
  guint16 mb_slice[N_MBS];
  GstGpuMb mbs[N_MBS];
  H264MbMotion motion[N_MBS];
  gboolean direct_8x8_inference, field_pic;
} Syntax;

/* What the derivation makes of it, and the references of its slices */
typedef struct
{
  GstGpuMb mbs[N_MBS];
  GstGpuPartition partitions[N_MBS * 16];
  GstGpuInterSlice inter_slices[N_SLICES];
  guint n_partitions;
  gboolean missing_used[N_SLICES];
  H264MotionMap *map;
} Result;

static gboolean
one_in (GRand *rand, gint n)
{
  return g_rand_int_range (rand, 0, n) == 0;
}

/* Mostly small, so that vectors come out equal, and near the limits of boundaries; some wrap round. */
static gint16
random_mvd (GRand *rand)
{
  if (one_in (rand, 40))
    return (gint16) g_rand_int_range (rand, -16384, 16384);
  return (gint16) (one_in (rand, 2) ? 0 : g_rand_int_range (rand, -5, 6));
}

static void
make_slice (GRand *rand, H264MotionSlice *slice, const Syntax *syntax, H264MotionMap *colocated)
{
  memset (slice, 0, sizeof (*slice));
  slice->is_b = !one_in (rand, 3);
  slice->direct_spatial = !one_in (rand, 3);
  slice->mvds = syntax->mvds;
  slice->colocated[0] = one_in (rand, 8) ? NULL : colocated;
  for (guint list = 0; list < 2; list++) {
    slice->lists.n[list] = N_REFS;
    for (guint i = 0; i < N_REFS; i++)
      /* the lists share pictures, and repeat some */
      slice->lists.list[list][i] = (H264RefPic){ .number = (guint) g_rand_int_range (rand, 0, 3),
        .structure = H264_FRAME,
        .long_term = one_in (rand, 8),
        .missing = one_in (rand, 30),
        .poc = { g_rand_int_range (rand, -8, 8), 8 } };
  }
  slice->colocated_is_short_term = !slice->lists.list[1][0].long_term;
  h264_motion_slice_set_lists (slice, &(H264RefPic){ .structure = H264_FRAME }, FALSE);
}

static void
make_quadrants (GRand *rand, H264MbMotion *motion, gboolean is_b)
{
  for (guint quadrant = 0; quadrant < 4; quadrant++) {
    const guint same_as = motion->shape == H264_SHAPE_16x16 ? 0
        : motion->shape == H264_SHAPE_16x8                  ? quadrant & 2
        : motion->shape == H264_SHAPE_8x16                  ? quadrant & 1
                                                            : quadrant;

    if (same_as != quadrant) {
      motion->pred[quadrant] = motion->pred[same_as];
    } else if (is_b && motion->shape == H264_SHAPE_8x8 && one_in (rand, 3)) {
      motion->pred[quadrant] = H264_PRED_DIRECT;
    } else {
      motion->pred[quadrant] = (guint8) (is_b ? g_rand_int_range (rand, 1, 4) : H264_PRED_L0);
      motion->sub_shape[quadrant] = (guint8) (motion->shape == H264_SHAPE_8x8 && one_in (rand, 2) ? g_rand_int_range (rand, 0, 4) : 0);
    }
    for (guint list = 0; list < 2; list++) {
      if (same_as != quadrant)
        motion->ref_idx[list][quadrant] = motion->ref_idx[list][same_as];
      else if (motion->pred[quadrant] & H264_PRED_L0 << list)
        motion->ref_idx[list][quadrant] = (gint8) (one_in (rand, 2) ? 0 : g_rand_int_range (rand, 0, N_REFS));
    }
  }
}

static void
make_inter (GRand *rand, H264MbMotion *motion, gboolean is_b)
{
  memset (motion, 0, sizeof (*motion));
  memset (motion->ref_idx, -1, sizeof (motion->ref_idx));
  motion->kind = H264_MOTION_INTER;
  motion->first_mvd = (guint32) g_rand_int_range (rand, 0, N_MVDS - 32);
  if (!is_b && one_in (rand, 3)) {
    motion->kind = H264_MOTION_P_SKIP;
    memset (motion->pred, H264_PRED_L0, 4);
    memset (motion->ref_idx[0], 0, 4);
  } else if (is_b && one_in (rand, 3)) {
    motion->shape = H264_SHAPE_8x8;
    memset (motion->pred, H264_PRED_DIRECT, 4);
  } else {
    motion->shape = (guint8) g_rand_int_range (rand, 0, 4);
    make_quadrants (rand, motion, is_b);
  }
}

/* Neighbours of macroblock @i that its slice has decoded (6.4.9) */
static guint8
find_available (const guint16 *mb_slice, guint i)
{
  const gboolean has_left = i % WIDTH > 0, has_above = i >= WIDTH, has_right = i % WIDTH < WIDTH - 1;
  guint8 available = 0;

  if (has_left && mb_slice[i - 1] == mb_slice[i])
    available |= GST_GPU_AVAILABLE_A;
  if (has_above && mb_slice[i - WIDTH] == mb_slice[i])
    available |= GST_GPU_AVAILABLE_B;
  if (has_above && has_right && mb_slice[i - WIDTH + 1] == mb_slice[i])
    available |= GST_GPU_AVAILABLE_C;
  if (has_above && has_left && mb_slice[i - WIDTH - 1] == mb_slice[i])
    available |= GST_GPU_AVAILABLE_D;
  return available;
}

static void
make_syntax (GRand *rand, Syntax *syntax, H264MotionMap *colocated)
{
  guint i, slice = 0;

  memset (syntax, 0, sizeof (*syntax));
  syntax->direct_8x8_inference = one_in (rand, 2);
  syntax->field_pic = one_in (rand, 3);
  for (i = 0; i < N_MVDS; i++)
    syntax->mvds[i] = (H264Mvd){ { random_mvd (rand), random_mvd (rand) } };
  for (i = 0; i < N_SLICES; i++)
    make_slice (rand, &syntax->slices[i], syntax, colocated);
  for (i = 0; i < N_MBS; i++) {
    GstGpuMb *mb = &syntax->mbs[i];

    if (slice + 1 < N_SLICES && one_in (rand, N_MBS / 3))
      slice++;
    syntax->mb_slice[i] = one_in (rand, 30) ? H264_NO_SLICE : (guint16) slice;
    mb->slice = (gst_gpu_u16) slice;
    mb->flags = syntax->field_pic ? GST_GPU_MB_FIELD : 0;
    mb->mb_class = syntax->mb_slice[i] != H264_NO_SLICE && one_in (rand, 8) ? GST_GPU_MB_I4x4 : GST_GPU_MB_INTER;
    mb->filter = (gst_gpu_u8) ((i % WIDTH > 0 ? GST_GPU_FILTER_LEFT : 0) | (i >= WIDTH ? GST_GPU_FILTER_TOP : 0) | GST_GPU_FILTER_INTERNAL);
    if (one_in (rand, 10))
      mb->filter &= (gst_gpu_u8) g_rand_int_range (rand, 0, 8);
    mb->nonzero = (gst_gpu_u16) (one_in (rand, 2) ? 0 : one_in (rand, 4) ? 0xffff : g_rand_int_range (rand, 0, 65536));
    if (mb->mb_class == GST_GPU_MB_INTER)
      make_inter (rand, &syntax->motion[i], syntax->slices[slice].is_b);
    syntax->motion[i].available = find_available (syntax->mb_slice, i);
  }
}

static void
derive (Syntax *syntax, Result *result, H264MotionMapPool *pool, gboolean by_blocks)
{
  H264MotionSlice *slices[N_SLICES];
  H264MotionPass pass = {
    .slices = slices,
    .mb_slice = syntax->mb_slice,
    .mbs = result->mbs,
    .motion = syntax->motion,
    .partitions = result->partitions,
    .width_in_mbs = WIDTH,
    .height_in_mbs = HEIGHT,
    .direct_8x8_inference = syntax->direct_8x8_inference,
    .structure = syntax->field_pic ? H264_TOP_FIELD : H264_FRAME,
  };

  for (guint i = 0; i < N_SLICES; i++) {
    slices[i] = &syntax->slices[i];
    slices[i]->missing_used = FALSE;
  }
  result->map = h264_motion_map_new (pool, N_MBS, N_MBS, 1);
  fail_unless (h264_motion_map_reserve (result->map));
  result->map->structure = pass.structure;
  result->map->width_in_mbs = WIDTH;
  pass.map = result->map->planes[0];
  pass.still = result->map->still[0];
  memcpy (result->mbs, syntax->mbs, sizeof (result->mbs));
  if (by_blocks)
    h264_motion_derive_by_blocks (&pass);
  else
    h264_motion_derive (&pass);
  result->n_partitions = pass.n_partitions;
  for (guint i = 0; i < N_SLICES; i++) {
    result->missing_used[i] = slices[i]->missing_used;
    for (guint list = 0; list < 2; list++)
      for (guint k = 0; k < N_REFS; k++)
        result->inter_slices[i].reference[list][k] = (gst_gpu_u8) slices[i]->lists.list[list][k].number;
  }
  h264_motion_map_complete (result->map);
}

/* The motion of a block as the map has it */
static H264Motion
block_motion (const H264MapMb *mb, guint x, guint y)
{
  const guint quadrant = (y >> 1) * 2 + (x >> 1), block = y * 4 + x;

  return (H264Motion){ { mb->ref_idx[0][quadrant], mb->ref_idx[1][quadrant] }, { mb->mv[0][block], mb->mv[1][block] } };
}

static void
compare_results (const Result *a, const Result *b)
{
  const H264MapMb *p = a->map->planes[0], *q = b->map->planes[0];

  fail_unless_equals_int (a->n_partitions, b->n_partitions);
  fail_unless (memcmp (a->partitions, b->partitions, a->n_partitions * sizeof (GstGpuPartition)) == 0);
  fail_unless (memcmp (a->mbs, b->mbs, sizeof (a->mbs)) == 0);
  for (guint i = 0; i < N_SLICES; i++)
    fail_unless (!a->missing_used[i] == !b->missing_used[i]);
  for (guint i = 0; i < N_MBS; i++, p++, q++)
    CHECK (memcmp (p->mv, q->mv, sizeof (p->mv)) == 0 && memcmp (p->ref_idx, q->ref_idx, sizeof (p->ref_idx)) == 0
            && memcmp (p->ref_pic, q->ref_pic, sizeof (p->ref_pic)) == 0 && a->map->still[0][i] == b->map->still[0][i],
        "macroblock %u", i);
}

/* The partitions of a macroblock cover it, each with the motion of all of its blocks. */
static void
check_partitions (const Syntax *syntax, const Result *result, guint mbAddr)
{
  const GstGpuMb *mb = &result->mbs[mbAddr];
  guint covered = 0, i, x, y;

  for (i = mb->first_motion; i < mb->first_motion + mb->n_partitions; i++) {
    const GstGpuPartition *partition = &result->partitions[i];
    const guint x0 = GST_GPU_PARTITION_X (partition->where), y0 = GST_GPU_PARTITION_Y (partition->where);

    CHECK (GST_GPU_PARTITION_MB (partition->where) == mbAddr && partition->slice == syntax->mbs[mbAddr].slice, "partition %u", i);
    for (y = y0; y < y0 + GST_GPU_PARTITION_HEIGHT (partition->where); y++)
      for (x = x0; x < x0 + GST_GPU_PARTITION_WIDTH (partition->where); x++) {
        const H264Motion motion = block_motion (&result->map->planes[0][mbAddr], x, y);

        CHECK (memcmp (partition->mv, motion.mv, sizeof (motion.mv)) == 0 && memcmp (partition->ref_idx, motion.ref_idx, 2) == 0,
            "partition %u", i);
        covered += 1u << (y * 4 + x);
      }
  }
  CHECK (covered == 0xffff, "macroblock %u: its partitions cover %04x", mbAddr, covered);
}

/* H264MotionMap.still is colZeroFlag without what depends on the reference (8.4.1.2.2). */
static void
check_still (const Result *result, guint mbAddr)
{
  const H264MapMb *map = &result->map->planes[0][mbAddr];

  for (guint block = 0; block < 16; block++) {
    const H264Motion motion = block_motion (map, block & 3, block >> 2);
    const guint list = motion.ref_idx[0] >= 0 ? 0 : 1;
    const gboolean still = motion.ref_idx[list] == 0 && ABS (motion.mv[list].comp[0]) <= 1 && ABS (motion.mv[list].comp[1]) <= 1;

    CHECK ((result->map->still[0][mbAddr] >> block & 1u) == (guint) still, "macroblock %u, block %u", mbAddr, block);
  }
}

static gboolean
are_apart (H264Mv p, H264Mv q, gint limit)
{
  return ABS (p.comp[0] - q.comp[0]) >= 4 || ABS (p.comp[1] - q.comp[1]) >= limit;
}

/* Whether "mixedModeEdgeFlag is equal to 0 and ..." gives bS 1 (8.7.2.1) */
static gboolean
motion_differs (const Syntax *syntax, const Result *result, const guint mb[2], const guint x[2], const guint y[2])
{
  const gint limit = syntax->field_pic ? 2 : 4;
  H264Mv mv[2][2];
  H264RefPicId pic[2][2];
  guint side, list, n[2] = { 0, 0 };

  for (side = 0; side < 2; side++) {
    const H264Motion motion = block_motion (&result->map->planes[0][mb[side]], x[side], y[side]);

    for (list = 0; list < 2; list++)
      if (motion.ref_idx[list] >= 0) {
        pic[side][n[side]] = syntax->slices[syntax->mbs[mb[side]].slice].ref_ids[list][motion.ref_idx[list]];
        mv[side][n[side]++] = motion.mv[list];
      }
  }
  if (n[0] != n[1])
    return TRUE;
  if (n[0] == 1)
    return pic[0][0] != pic[1][0] || are_apart (mv[0][0], mv[1][0], limit);
  if (!(pic[0][0] == pic[1][0] && pic[0][1] == pic[1][1]) && !(pic[0][0] == pic[1][1] && pic[0][1] == pic[1][0]))
    return TRUE;
  if (pic[0][0] != pic[0][1]) {
    const guint other = pic[0][0] == pic[1][0] ? 0 : 1;

    return are_apart (mv[0][0], mv[1][other], limit) || are_apart (mv[0][1], mv[1][!other], limit);
  }
  return (are_apart (mv[0][0], mv[1][0], limit) || are_apart (mv[0][1], mv[1][1], limit))
      && (are_apart (mv[0][0], mv[1][1], limit) || are_apart (mv[0][1], mv[1][0], limit));
}

static gboolean
has_coefficients (const GstGpuMb *mb, guint x, guint y)
{
  return mb->nonzero >> ((y >> 1) * 8 + (x >> 1) * 4 + (y & 1) * 2 + (x & 1)) & 1;
}

/* bS of block (@x, @y) at its left (@vertical) or upper edge */
static guint
expect_strength (const Syntax *syntax, const Result *result, guint mbAddr, guint x, guint y, gboolean vertical)
{
  const gboolean outer = vertical ? x == 0 : y == 0;
  const guint other = !outer ? mbAddr : vertical ? mbAddr - 1 : mbAddr - WIDTH;
  const guint mbs[2] = { other, mbAddr }, xs[2] = { vertical ? (x + 3) & 3 : x, x }, ys[2] = { vertical ? y : (y + 3) & 3, y };
  const GstGpuMb *p = &syntax->mbs[other], *q = &syntax->mbs[mbAddr];

  if (p->mb_class != GST_GPU_MB_INTER || q->mb_class != GST_GPU_MB_INTER)
    return outer && (vertical || !syntax->field_pic) ? 4 : 3;
  if (has_coefficients (p, xs[0], ys[0]) || has_coefficients (q, x, y))
    return 2;
  return motion_differs (syntax, result, mbs, xs, ys);
}

/* A picture of these records */
static GpuReferencePicture
records_of (Result *result, const GstGpuPicture *params)
{
  return (GpuReferencePicture){ .params = params,
    .header = result,
    .layout = { .mbs = offsetof (Result, mbs),
        .partitions = offsetof (Result, partitions),
        .inter_slices = offsetof (Result, inter_slices) },
    .has_inter = TRUE };
}

static void
check_boundary (const Syntax *syntax, Result *result, guint mbAddr)
{
  const GstGpuPicture params = { .width_in_mbs = WIDTH, .height_in_mbs = HEIGHT, .field_pic = syntax->field_pic ? 1 : 0 };
  const GpuReferencePicture records = records_of (result, &params);
  const guint filter = syntax->mbs[mbAddr].filter;
  GstGpuBoundary boundary;

  gpu_reference_boundary (&records, mbAddr, &boundary);
  for (guint direction = 0; direction < 2; direction++)
    for (guint edge = 0; edge < 4; edge++)
      for (guint k = 0; k < 8; k++) {
        const guint along = k / 2, bS = boundary.bs[direction][edge] >> 4 * k & 15;
        const guint flag = edge > 0 ? GST_GPU_FILTER_INTERNAL : direction == 0 ? GST_GPU_FILTER_LEFT : GST_GPU_FILTER_TOP;

        if (filter & flag)
          CHECK (bS
                  == expect_strength (syntax, result, mbAddr, direction == 0 ? edge : along, direction == 0 ? along : edge, direction == 0),
              "macroblock %u, direction %u, edge %u, line %u: bS %u", mbAddr, direction, edge, k, bS);
      }
}

/* A chain of pictures, each co-located with the one before */
GST_START_TEST (test_random_pictures)
{
  GRand *rand = g_rand_new_with_seed (4);
  H264MotionMapPool *pool = h264_motion_map_pool_new ();
  H264MotionMap *colocated = NULL;
  Syntax *syntax = g_new (Syntax, 1);
  Result *result = g_new (Result, 2);

  for (guint i = 0; i < 400; i++) {
    make_syntax (rand, syntax, colocated);
    derive (syntax, &result[0], pool, FALSE);
    derive (syntax, &result[1], pool, TRUE);
    compare_results (&result[0], &result[1]);
    for (guint mbAddr = 0; mbAddr < N_MBS; mbAddr++) {
      if (syntax->mbs[mbAddr].mb_class == GST_GPU_MB_INTER)
        check_partitions (syntax, &result[0], mbAddr);
      check_still (&result[0], mbAddr);
      check_boundary (syntax, &result[0], mbAddr);
    }
    g_clear_pointer (&colocated, h264_motion_map_unref);
    colocated = result[0].map;
    h264_motion_map_unref (result[1].map);
  }
  h264_motion_map_unref (colocated);
  h264_motion_map_pool_unref (pool);
  g_free (syntax);
  g_free (result);
  g_rand_free (rand);
}

GST_END_TEST;

/* Vectors that differ by exactly the limit, and one less: the comparison is not off by one, and does not wrap at 16 bits. */
GST_START_TEST (test_limits)
{
  static const struct
  {
    gint16 p[2], q[2];
    gboolean field;
    guint bS;
  } cases[] = {
    { { 0, 0 }, { 3, 3 }, FALSE, 0 },
    { { 0, 0 }, { 4, 0 }, FALSE, 1 },
    { { 0, 0 }, { -4, 0 }, FALSE, 1 },
    { { 0, 0 }, { 0, 4 }, FALSE, 1 },
    { { 0, 0 }, { 0, -3 }, FALSE, 0 },
    { { 0, 0 }, { 3, 1 }, TRUE, 0 },
    { { 0, 0 }, { 0, 2 }, TRUE, 1 },
    { { 0, -2 }, { 0, 0 }, TRUE, 1 },
    { { -32768, 0 }, { 32767, 0 }, FALSE, 1 },
    { { 0, 32767 }, { 0, -32767 }, FALSE, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const GstGpuPicture params = { .width_in_mbs = 2, .height_in_mbs = 1, .field_pic = cases[i].field ? 1 : 0 };
    const GstGpuMb mb = { .mb_class = GST_GPU_MB_INTER, .n_partitions = 1, .flags = cases[i].field ? GST_GPU_MB_FIELD : 0 };
    Result *result = g_new0 (Result, 1);
    const GpuReferencePicture records = records_of (result, &params);
    GstGpuBoundary boundary;

    for (guint n = 0; n < 2; n++) {
      result->mbs[n] = mb;
      result->mbs[n].first_motion = n;
      result->partitions[n] = (GstGpuPartition){ .where = GST_GPU_PARTITION (n, 0, 0, 4, 4), .ref_idx = { 0, -1 } };
      memcpy (result->partitions[n].mv[0], n == 0 ? cases[i].p : cases[i].q, sizeof (cases[i].p));
    }
    result->mbs[1].filter = GST_GPU_FILTER_LEFT;
    gpu_reference_boundary (&records, 1, &boundary);
    fail_unless_equals_int (boundary.bs[0][0], cases[i].bS * 0x11111111);
    g_free (result);
  }
}

GST_END_TEST;

static Suite *
h264motion_suite (void)
{
  Suite *s = suite_create ("h264motion");
  TCase *tc = tcase_create ("motion");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_random_pictures);
  tcase_add_test (tc, test_limits);
  return s;
}

GST_CHECK_MAIN (h264motion);
