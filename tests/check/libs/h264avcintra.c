/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * AVC-Intra without parameter sets: what a picture is, by its slices, and the sets that it does without.
 */
#include <gst/check/gstcheck.h>

#include "h264avcintra.h"
#include "h264sets.h"

typedef struct
{
  H264AvcIntra format;
  guint slice_size; /* between two first_mb_in_slice: a tenth of the macroblocks, or of their pairs */
  guint profile_idc, chroma_format_idc;
  gboolean cabac;
  gint chroma_qp_index_offset;
  guint8 last_8x8[2]; /* the last two entries of the scaling list of Intra_8x8 */
  guint8 last_4x4;    /* of that of chroma */
} Expected;

static const Expected expected[] = {
  { { 50, 960, 720, FALSE }, 270, 110, 1, TRUE, 4, { 93, 96 }, 60 },
  { { 50, 1440, 1080, FALSE }, 612, 110, 1, TRUE, 4, { 93, 96 }, 60 },
  { { 50, 1440, 1080, TRUE }, 306, 110, 1, TRUE, 4, { 87, 96 }, 60 },
  { { 100, 1280, 720, FALSE }, 360, 122, 2, FALSE, 4, { 38, 42 }, 54 },
  { { 100, 1920, 1080, FALSE }, 816, 122, 2, FALSE, 3, { 68, 72 }, 50 },
  { { 100, 1920, 1080, TRUE }, 408, 122, 2, FALSE, 3, { 59, 72 }, 50 },
};

static void
append_nal (GByteArray *stream, GByteArray *nal)
{
  static const guint8 start_code[] = { 0, 0, 1 };

  g_byte_array_append (stream, start_code, sizeof (start_code));
  g_byte_array_append (stream, nal->data, nal->len);
  g_byte_array_unref (nal);
}

/* The front of a slice header, which is all that is looked at */
static void
append_slice (GByteArray *stream, guint first_mb_in_slice, guint slice_type, guint nal_unit_type)
{
  BitWriter w;

  bit_writer_init (&w);
  put_ue (&w, first_mb_in_slice);
  put_ue (&w, slice_type);
  put_ue (&w, 0);
  put_u (&w, 32, 0x12345678);
  append_nal (stream, bit_writer_to_nal (&w, 3, nal_unit_type));
}

static GByteArray *
make_picture (guint n_slices, guint slice_size)
{
  static const guint8 delimiter[] = { 0, 0, 1, 9, 0x10 };
  GByteArray *stream = g_byte_array_new ();

  g_byte_array_append (stream, delimiter, sizeof (delimiter));
  for (guint i = 0; i < n_slices; i++)
    append_slice (stream, i * slice_size, 7, H264_NAL_IDR_SLICE);
  return stream;
}

/* Frees @stream. */
static const H264AvcIntra *
recognise (GByteArray *stream)
{
  const H264AvcIntra *format = h264_avc_intra_recognise (stream->data, stream->len, 0);

  g_byte_array_unref (stream);
  return format;
}

GST_START_TEST (test_recognise)
{
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    const H264AvcIntra *format = recognise (make_picture (10, expected[i].slice_size));

    fail_unless (format != NULL);
    fail_unless_equals_int (format->avc_intra_class, expected[i].format.avc_intra_class);
    fail_unless_equals_int (format->width, expected[i].format.width);
    fail_unless_equals_int (format->height, expected[i].format.height);
    fail_unless_equals_int (format->interlaced, expected[i].format.interlaced);
  }
}

GST_END_TEST;

/* Slices are lost or come twice, of another size, of another kind; there are sets; nothing at all. */
GST_START_TEST (test_something_else)
{
  GByteArray *stream;

  fail_unless (recognise (make_picture (9, 816)) == NULL);
  fail_unless (recognise (make_picture (11, 816)) == NULL);
  fail_unless (recognise (make_picture (10, 815)) == NULL);
  fail_unless (recognise (make_picture (10, 0)) == NULL);
  fail_unless (recognise (make_picture (0, 0)) == NULL);
  stream = make_picture (9, 816);
  append_slice (stream, 9 * 816, 5, H264_NAL_IDR_SLICE);
  fail_unless (recognise (stream) == NULL);
  stream = make_picture (9, 816);
  append_slice (stream, 9 * 816, 7, H264_NAL_SLICE);
  fail_unless (recognise (stream) == NULL);
  stream = make_picture (10, 816);
  append_nal (stream, make_sps (&default_sps));
  fail_unless (recognise (stream) == NULL);
}

GST_END_TEST;

/* Facts of SMPTE RP 2027 */
GST_START_TEST (test_sets)
{
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    const Expected *e = &expected[i];
    H264ParamSets *sets = h264_param_sets_new ();
    const gchar *error = NULL;
    const H264Pps *pps;

    add_set (sets, h264_avc_intra_make_sps (&e->format));
    add_set (sets, h264_avc_intra_make_pps (&e->format));
    pps = h264_param_sets_get_pps (sets, 0, &error);
    fail_unless (pps != NULL, "%s", error);
    fail_unless_equals_int (pps->sps->profile_idc, e->profile_idc);
    fail_unless (h264_sps_is_intra_only (pps->sps));
    fail_unless_equals_int (pps->sps->chroma_format_idc, e->chroma_format_idc);
    fail_unless_equals_int (pps->sps->bit_depth_luma, 10);
    fail_unless_equals_int (pps->sps->bit_depth_chroma, 10);
    fail_unless_equals_int (pps->sps->width, e->format.width);
    fail_unless_equals_int (pps->sps->height, e->format.height);
    fail_unless_equals_int (pps->sps->crop_x, 0);
    fail_unless_equals_int (pps->sps->crop_y, 0);
    fail_unless_equals_int (!pps->sps->frame_mbs_only_flag, e->format.interlaced);
    fail_unless_equals_int (pps->sps->mb_adaptive_frame_field_flag, e->format.interlaced);
    fail_unless_equals_int (pps->sps->max_dec_frame_buffering, 0);
    fail_unless (!pps->sps->vui_damaged);
    fail_unless_equals_int (pps->sps->vui.par_n * 3, pps->sps->vui.par_d * (e->format.avc_intra_class == 50 ? 4 : 3));
    fail_unless_equals_int (pps->sps->scaling.list_8x8[0][62], e->last_8x8[0]);
    fail_unless_equals_int (pps->sps->scaling.list_8x8[0][63], e->last_8x8[1]);
    fail_unless_equals_int (pps->sps->scaling.list_4x4[1][15], e->last_4x4);
    fail_unless_equals_int (pps->sps->scaling.list_4x4[2][15], e->last_4x4);
    fail_unless_equals_int (pps->sps->scaling.list_4x4[0][15], 42); /* Default_4x4_Intra */
    fail_unless_equals_int (pps->entropy_coding_mode_flag, e->cabac);
    fail_unless (pps->transform_8x8_mode_flag && pps->deblocking_filter_control_present_flag);
    fail_unless_equals_int (pps->chroma_qp_index_offset[0], e->chroma_qp_index_offset);
    fail_unless_equals_int (pps->chroma_qp_index_offset[1], e->chroma_qp_index_offset);
    h264_param_sets_free (sets);
  }
}

GST_END_TEST;

static Suite *
h264avcintra_suite (void)
{
  Suite *suite = suite_create ("h264avcintra");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_recognise);
  tcase_add_test (tcase, test_something_else);
  tcase_add_test (tcase, test_sets);
  return suite;
}

GST_CHECK_MAIN (h264avcintra);
