/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The bit reader of CAVLC slice data, and residual blocks that are none.
 */
#include <gst/check/gstcheck.h>
#include "h264sets.h"
#include "h264cavlctables.h"
#include "h264cavlcwindow.h"
#include "h264coding.h"
#include "h264slicedecoder.h"
#include "cavlcencoder.h"

/* Ends the RBSP; what stands behind it is read as padding. */
static void
end_data (BitWriter *w, H264Bits *bits)
{
  static const guint8 padding[H264_RBSP_PADDING] = { 0 };

  put_u (w, 1, 1);
  h264_bits_init (bits, w->bytes->data, w->bytes->len);
  g_byte_array_append (w->bytes, padding, sizeof (padding));
  bits->data = w->bytes->data;
}

typedef enum
{
  READ_U,
  READ_UE,
  READ_SE,
  READ_SKIP,
  N_READS,
} Read;

typedef struct
{
  Read read;
  guint n;
  gint32 value;
} Element;

static Element
random_element (GRand *rand)
{
  Element e = { (Read) g_rand_int_range (rand, 0, N_READS), (guint) g_rand_int_range (rand, 1, 33), 0 };
  const gint32 magnitude = (gint32) (g_rand_int (rand) >> g_rand_int_range (rand, 12, 32));

  if (e.read == READ_U || e.read == READ_SKIP)
    e.value = (gint32) (g_rand_int (rand) >> (32 - e.n));
  else
    /* at most 20 leading zeros: any value of slice data has fewer */
    e.value = e.read == READ_SE && g_rand_boolean (rand) ? -(magnitude / 2) : magnitude / 2;
  return e;
}

static void
put_element (BitWriter *w, const Element *e)
{
  if (e->read == READ_UE)
    put_ue (w, (guint32) e->value);
  else if (e->read == READ_SE)
    put_se (w, e->value);
  else
    put_u (w, e->n, (guint32) e->value);
}

static void
check_element (H264CavlcWindow *window, const Element *e)
{
  switch (e->read) {
    case READ_UE:
      fail_unless_equals_int (h264_window_ue (window), e->value);
      break;
    case READ_SE:
      fail_unless_equals_int (h264_window_se (window), e->value);
      break;
    case READ_U:
      h264_window_need (window, e->n);
      fail_unless_equals_int ((gint32) h264_window_take (window, e->n), e->value);
      break;
    default:
      h264_window_need (window, e->n);
      h264_window_skip (window, e->n);
      break;
  }
}

/* Elements one behind the other, from any bit on; the position is right behind each. */
GST_START_TEST (test_elements)
{
  GRand *rand = g_rand_new_with_seed (4);

  for (guint run = 0; run < 100; run++) {
    const guint n = (guint) g_rand_int_range (rand, 0, 60), begin = (guint) g_rand_int_range (rand, 0, 30);
    Element elements[60];
    guint ends[60];
    H264CavlcWindow window;
    H264Bits bits;
    BitWriter w;

    bit_writer_init (&w);
    put_u (&w, begin, g_rand_int (rand));
    for (guint i = 0; i < n; i++) {
      elements[i] = random_element (rand);
      put_element (&w, &elements[i]);
      ends[i] = w.n_bits;
    }
    end_data (&w, &bits);
    bits.pos = begin;
    h264_window_init (&window, &bits);
    fail_unless_equals_int (h264_window_position (&window, bits.data), begin);
    for (guint i = 0; i < n; i++) {
      check_element (&window, &elements[i]);
      fail_unless_equals_int (h264_window_position (&window, bits.data), ends[i]);
    }
    g_byte_array_unref (w.bytes);
  }
  g_rand_free (rand);
}

GST_END_TEST;

/* The limits of ue(v) and se(v) */
GST_START_TEST (test_exp_golomb)
{
  static const gint32 values[] = { 0, 1, -1, 2, -2, 65535, -65535, (1 << 20) - 1, -(1 << 20) + 1 };
  H264CavlcWindow window;
  H264Bits bits;
  BitWriter w;

  bit_writer_init (&w);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    put_se (&w, values[i]);
  put_ue (&w, (1u << 21) - 2); /* 20 leading zeros */
  put_ue (&w, (1u << 21) - 1); /* 21: more than any element of slice data has */
  end_data (&w, &bits);
  h264_window_init (&window, &bits);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    fail_unless_equals_int (h264_window_se (&window), values[i]);
  fail_unless_equals_int (h264_window_ue (&window), (1u << 21) - 2);
  fail_unless (h264_window_ue (&window) > 1u << 24);
  g_byte_array_unref (w.bytes);
}

GST_END_TEST;

/* Behind the end zeros are read, the position says so, and no byte behind the padding is touched. */
GST_START_TEST (test_end_of_data)
{
  for (guint size = 1; size < 40; size++) {
    guint8 *data = g_malloc0 (size + H264_RBSP_PADDING);
    H264CavlcWindow window;
    H264Bits bits;

    memset (data, 0xff, size);
    h264_bits_init (&bits, data, size);
    h264_window_init (&window, &bits);
    for (guint i = 0; i < size; i++) {
      h264_window_need (&window, 8);
      fail_unless_equals_int (h264_window_take (&window, 8), 0xff);
    }
    fail_unless (h264_window_position (&window, data) > bits.end);
    for (guint i = 0; i < 1000; i++) {
      h264_window_need (&window, 32);
      fail_unless_equals_int (h264_window_take (&window, 32), 0);
      fail_unless (window.next + 8 <= data + size + H264_RBSP_PADDING);
      fail_unless (h264_window_position (&window, data) > bits.end);
    }
    g_free (data);
  }
}

GST_END_TEST;

/* prev_intraNxN_pred_mode_flag and rem_intraNxN_pred_mode (8.3.1.1, 8.3.2.1): all of them, for each predicted mode */
GST_START_TEST (test_nxn_modes)
{
  for (guint predicted = 0; predicted <= 8; predicted++) {
    H264CavlcWindow window;
    H264Bits bits;
    BitWriter w;

    bit_writer_init (&w);
    put_u (&w, 1, 1);
    for (guint rem = 0; rem < 8; rem++)
      put_u (&w, 4, rem);
    put_u (&w, 1, 1);
    end_data (&w, &bits);
    h264_window_init (&window, &bits);
    fail_unless_equals_int (h264_window_nxn_mode (&window, predicted), predicted);
    for (guint rem = 0; rem < 8; rem++) {
      fail_unless_equals_int (h264_window_nxn_mode (&window, predicted), rem < predicted ? rem : rem + 1);
      fail_unless_equals_int (h264_window_position (&window, bits.data), 1 + 4 * (rem + 1));
    }
    fail_unless_equals_int (h264_window_nxn_mode (&window, predicted), predicted);
    fail_unless_equals_int (h264_window_position (&window, bits.data), 34);
    g_byte_array_unref (w.bytes);
  }
}

GST_END_TEST;

/* Decodes the one macroblock of @w, Intra_16x16 up to its residual; the error. */
static const gchar *
decode_macroblock (BitWriter *w)
{
  SpsValues sps = default_sps;
  const PpsValues pps = { 0 };
  guint8 slice_start = 0, *coeffs = g_malloc0 (16 * H264_CHUNK_SIZE);
  guint16 mb_slice = H264_NO_SLICE;
  GstGpuMb mb;
  H264MbMotion motion;
  H264CoeffArena arena;
  H264BlockWriter writer;
  H264PictureTarget target = { .mbs = { &mb },
    .mb_slice = { &mb_slice },
    .slice_start = { &slice_start },
    .motion = { &motion },
    .width_in_mbs = 1,
    .height_in_mbs = 1,
    .arena = &arena };
  H264MvdList mvds = { NULL };
  H264SliceDecoder *dec = h264_slice_decoder_new ();
  H264SliceHeader sh = { .slice_type = H264_SLICE_I, .SliceQPY = 26 };
  H264ParamSets *sets;
  H264SliceResult result;
  H264Bits bits;
  const gchar *error = NULL;

  sps.width_in_mbs = sps.height_in_map_units = 1;
  sets = make_param_sets (&sps, &pps);
  sh.pps = h264_param_sets_get_pps (sets, 0, &error);
  h264_coeff_arena_init (&arena);
  h264_coeff_arena_begin (&arena, coeffs, 16 * H264_CHUNK_SIZE, 384);
  h264_block_writer_init (&writer, &arena);
  end_data (w, &bits);
  h264_slice_decoder_begin (dec, &sh, &target, 0, &bits, &writer, &mvds);
  h264_slice_decoder_go_on (dec);
  result = h264_slice_decoder_end (dec);
  fail_unless_equals_int (mb_slice, result.n_mbs == 1 ? 0 : H264_NO_SLICE);
  fail_unless (result.error || result.n_mbs == 1);
  h264_block_writer_flush (&writer);
  h264_block_writer_clear (&writer);
  h264_coeff_arena_clear (&arena);
  h264_slice_decoder_free (dec);
  h264_param_sets_free (sets);
  g_free (mvds.mvds);
  g_byte_array_unref (w->bytes);
  g_free (coeffs);
  return result.error;
}

static void
put_macroblock (BitWriter *w)
{
  bit_writer_init (w);
  put_ue (w, 3); /* I_16x16_2_0_0 */
  put_ue (w, 0); /* intra_chroma_pred_mode */
  put_se (w, 0); /* mb_qp_delta */
}

static void
put_coeff_token (BitWriter *w, guint total_coeff, guint trailing_ones)
{
  const CavlcCode code = cavlc_coeff_token_code (0, total_coeff, trailing_ones);

  put_u (w, code.length, code.bits);
}

static void
refuse (BitWriter *w, const gchar *text)
{
  const gchar *error = decode_macroblock (w);

  fail_unless (error && strstr (error, text), "error is: %s", error);
}

GST_START_TEST (test_damaged_blocks)
{
  CavlcCode code;
  BitWriter w;

  h264_cavlc_tables_init ();
  /* in portable C, then with vectors */
  if (!h264_cavlc_choose_residual (__i__ == 1))
    return;
  put_macroblock (&w);
  put_coeff_token (&w, 0, 0);
  fail_unless (!decode_macroblock (&w));

  /* coeff_token: 15 zeros and more */
  put_macroblock (&w);
  put_u (&w, 20, 0);
  refuse (&w, "no code");
  /* total_zeros: nine zeros with one level */
  put_macroblock (&w);
  put_coeff_token (&w, 1, 1);
  put_u (&w, 1, 0);
  put_u (&w, 9, 0);
  refuse (&w, "no code");
  /* level_prefix of 40 */
  put_macroblock (&w);
  put_coeff_token (&w, 1, 0);
  put_u (&w, 20, 0);
  put_u (&w, 21, 1);
  refuse (&w, "no code");
  /* level_prefix 19: a level beyond what 8-bit video has */
  put_macroblock (&w);
  put_coeff_token (&w, 16, 0);
  for (guint i = 0; i < 16; i++) {
    put_u (&w, 20, 1);
    put_u (&w, 16, 0xffff);
  }
  refuse (&w, "out of range");
  /* more zeros before the last level than there are left */
  put_macroblock (&w);
  put_coeff_token (&w, 2, 2);
  put_u (&w, 2, 0);
  code = cavlc_total_zeros_code (16, 2, 7);
  put_u (&w, code.length, code.bits);
  code = cavlc_run_before_code (7, 12);
  put_u (&w, code.length, code.bits);
  refuse (&w, "out of range");
  /* the data ends in the middle of a block, or goes on behind it */
  put_macroblock (&w);
  put_coeff_token (&w, 8, 3);
  refuse (&w, "");
  put_macroblock (&w);
  put_coeff_token (&w, 0, 0);
  put_u (&w, 1, 0);
  refuse (&w, "behind the last macroblock");
}

GST_END_TEST;

static Suite *
h264cavlc_suite (void)
{
  Suite *s = suite_create ("h264cavlc");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_elements);
  tcase_add_test (tc, test_exp_golomb);
  tcase_add_test (tc, test_end_of_data);
  tcase_add_test (tc, test_nxn_modes);
  tcase_add_loop_test (tc, test_damaged_blocks, 0, 2);
  return s;
}

GST_CHECK_MAIN (h264cavlc);
