/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Why PPS, slice headers and subset SPS are not read by GStreamer's library codecparsers: what it does with legal ones, and what is done
 * here.  Of GStreamer 1.22 the former is checked, too; a later one may do better.
 */
#include <gst/check/gstcheck.h>
#include <gst/codecparsers/gsth264parser.h>
#include "h264sliceheader.h"
#include "h264sets.h"

typedef struct
{
  GstH264NalParser *library;
  H264ParamSets *own;
} Parsers;

static gboolean
is_as_in_1_22 (void)
{
  guint major, minor, micro, nano;

  gst_version (&major, &minor, &micro, &nano);
  return major == 1 && minor == 22;
}

static GstH264NalUnit
make_unit (GByteArray *unit)
{
  return (GstH264NalUnit){ .ref_idc = unit->data[0] >> 5,
    .type = unit->data[0] & 31,
    .data = unit->data,
    .size = unit->len,
    .header_bytes = 1,
    .valid = TRUE };
}

/* Both read @unit, an SPS or PPS. */
static void
add_to_both (Parsers *parsers, GByteArray *unit)
{
  GstH264NalUnit nal = make_unit (unit);

  fail_unless_equals_int (gst_h264_parser_parse_nal (parsers->library, &nal), GST_H264_PARSER_OK);
  add_set (parsers->own, unit);
}

static Parsers
make_parsers (const SpsValues *sps, const PpsValues *pps)
{
  Parsers parsers = { .library = gst_h264_nal_parser_new (), .own = h264_param_sets_new () };

  add_to_both (&parsers, make_sps (sps));
  add_to_both (&parsers, make_pps (pps));
  return parsers;
}

static void
free_parsers (Parsers *parsers)
{
  gst_h264_nal_parser_free (parsers->library);
  h264_param_sets_free (parsers->own);
}

/* Reads a slice of a P picture that is referred to with both.  Gives whether the library can. */
static gboolean
read_slice (Parsers *parsers, BitWriter *w, H264SliceHeader *sh)
{
  GByteArray *unit = bit_writer_to_nal (w, 1, H264_NAL_SLICE);
  GstH264NalUnit library_unit = make_unit (unit);
  GstH264ParserResult result;
  const gchar *error = NULL;
  GstH264SliceHdr slice;
  H264Rbsp rbsp = { NULL };
  H264Bits bits;
  H264Nal nal;

  fail_unless (h264_nal_init (&nal, unit->data, unit->len, &error));
  h264_rbsp_set (&rbsp, &nal);
  h264_rbsp_read (&rbsp, &bits);
  fail_unless (h264_slice_header_parse (sh, &nal, &bits, parsers->own, &error), "%s", error);
  result = gst_h264_parser_parse_slice_hdr (parsers->library, &library_unit, &slice, TRUE, TRUE);
  h264_rbsp_clear (&rbsp);
  g_byte_array_unref (unit);
  return result == GST_H264_PARSER_OK;
}

/* first_mb_in_slice, slice_type, pic_parameter_set_id, frame_num of 4 bits */
static void
put_beginning (BitWriter *w)
{
  bit_writer_init (w);
  put_ue (w, 0);
  put_ue (w, 5);
  put_ue (w, 0);
  put_u (w, 4, 9);
}

static gboolean
read_mmcos (guint n, guint *n_mmco)
{
  PpsValues pps = { .id = 0 };
  Parsers parsers = make_parsers (&default_sps, &pps);
  H264SliceHeader sh;
  BitWriter w;
  gboolean library_can;

  put_beginning (&w);
  put_u (&w, 8, 0); /* pic_order_cnt_lsb */
  put_u (&w, 2, 0); /* num_ref_idx_active_override_flag, ref_pic_list_modification_flag_l0 */
  put_u (&w, 1, 1); /* adaptive_ref_pic_marking_mode_flag */
  for (guint i = 0; i < n; i++) {
    put_ue (&w, 1);
    put_ue (&w, i);
  }
  put_ue (&w, 0);
  put_se (&w, 0);
  library_can = read_slice (&parsers, &w, &sh);
  *n_mmco = sh.n_mmco;
  free_parsers (&parsers);
  return library_can;
}

/* Up to 16 frames can be marked, and each needs an operation of its own; the library has room for 10. */
GST_START_TEST (test_memory_management)
{
  guint n_mmco;

  fail_unless (read_mmcos (10, &n_mmco));
  fail_unless_equals_int (n_mmco, 10);
  fail_unless (!read_mmcos (11, &n_mmco) || !is_as_in_1_22 ());
  fail_unless_equals_int (n_mmco, 11);
}

GST_END_TEST;

static gboolean
read_modifications (guint n, guint *n_modifications)
{
  SpsValues sps = default_sps;
  PpsValues pps = { .num_ref_idx_minus1 = { 31, 0 } };
  Parsers parsers;
  H264SliceHeader sh;
  BitWriter w;
  gboolean library_can;

  sps.interlaced = 1;
  parsers = make_parsers (&sps, &pps);
  put_beginning (&w);
  put_u (&w, 2, 2); /* field_pic_flag, bottom_field_flag */
  put_u (&w, 8, 7); /* pic_order_cnt_lsb */
  put_u (&w, 2, 1); /* num_ref_idx_active_override_flag, ref_pic_list_modification_flag_l0 */
  for (guint i = 0; i < n; i++) {
    put_ue (&w, 0);
    put_ue (&w, i % 32);
  }
  put_ue (&w, 3);
  put_u (&w, 1, 0); /* adaptive_ref_pic_marking_mode_flag */
  put_se (&w, 0);
  library_can = read_slice (&parsers, &w, &sh);
  *n_modifications = sh.n_modifications[0];
  free_parsers (&parsers);
  return library_can;
}

/* A list of a field has up to 32 entries, and each can be changed; the library has room for 31 changes and the end. */
GST_START_TEST (test_list_modifications)
{
  guint n_modifications;

  fail_unless (read_modifications (31, &n_modifications));
  fail_unless_equals_int (n_modifications, 31);
  fail_unless (!read_modifications (32, &n_modifications) || !is_as_in_1_22 ());
  fail_unless_equals_int (n_modifications, 32);
}

GST_END_TEST;

static void
put_lists_of_20 (BitWriter *w)
{
  for (guint i = 0; i < 8; i++) {
    put_u (w, 1, 1);
    put_se (w, 20 - 8);
    for (guint j = 1; j < (i < 6 ? 16 : 64); j++)
      put_se (w, 0);
  }
}

/* A PPS without lists of its own has those of the SPS that is activated with it (7.4.2.2), which may come, or come anew, behind the PPS;
 * the library copies them when the PPS comes, and refuses a PPS without an SPS. */
GST_START_TEST (test_scaling_lists)
{
  SpsValues sps = default_sps;
  PpsValues pps = { .id = 0 }, early = { .id = 1, .sps_id = 1 };
  Parsers parsers = make_parsers (&sps, &pps);
  GByteArray *unit = make_pps (&early);
  GstH264NalUnit nal = make_unit (unit);
  const gchar *error = NULL;

  sps.put_scaling_lists = put_lists_of_20;
  add_to_both (&parsers, make_sps (&sps));
  fail_unless (parsers.library->pps[0].scaling_lists_4x4[0][0] == 16 || !is_as_in_1_22 ());
  fail_unless_equals_int (h264_param_sets_get_pps (parsers.own, 0, &error)->scales.weight_scale_4x4[0][0], 20);
  fail_unless (gst_h264_parser_parse_nal (parsers.library, &nal) != GST_H264_PARSER_OK || !is_as_in_1_22 ());
  add_set (parsers.own, unit);
  sps.id = 1;
  add_to_both (&parsers, make_sps (&sps));
  fail_unless_equals_int (h264_param_sets_get_pps (parsers.own, 1, &error)->scales.weight_scale_4x4[0][0], 20);
  free_parsers (&parsers);
}

GST_END_TEST;

/* Damaged subset SPS, the first of which makes the library of 1.22 read from a null pointer.  Here they are accepted and left
 * out, and the library never sees them: the SPS with the same id stays. */
GST_START_TEST (test_subset_sps)
{
  static const guint8 crashing[] = { 0x6f, 0x76, 0x04, 0x1e, 0x4b, 0x0d, 0x31, 0xe0, 0xa0, 0x3d, 0x95, 0x63, 0x5c, 0x7e, 0x95, 0xa2 };
  H264ParamSets *sets = h264_param_sets_new ();
  H264Sps *sps;

  add_set (sets, make_sps (&default_sps));
  sps = h264_param_sets_get_sps (sets, 0);
  for (guint i = 0; i < sizeof (crashing); i++) {
    for (guint bit = 0; bit < 8; bit++) {
      GByteArray *unit = g_byte_array_new_take (g_memdup2 (crashing, sizeof (crashing)), sizeof (crashing));

      if (i > 0)
        unit->data[i] ^= 1 << bit;
      add_set (sets, unit);
    }
  }
  fail_unless (h264_param_sets_get_sps (sets, 0) == sps);
  h264_param_sets_free (sets);
}

GST_END_TEST;

static Suite *
h264codecparsers_suite (void)
{
  Suite *s = suite_create ("h264codecparsers");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_memory_management);
  tcase_add_test (tc, test_list_modifications);
  tcase_add_test (tc, test_scaling_lists);
  tcase_add_test (tc, test_subset_sps);
  return s;
}

GST_CHECK_MAIN (h264codecparsers);
