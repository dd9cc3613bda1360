/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264avcintra.h"

#include <gst/base/gstbitwriter.h>

#define N_SLICES 10
#define N_DIAGONALS 15

/* profile_idc */
#define HIGH_10 110
#define HIGH_422 122

/* aspect_ratio_idc (Table E-1) */
#define SQUARE 1
#define FOUR_TO_THREE 14

static const H264AvcIntra formats[] = {
  { 100, 1920, 1080, FALSE },
  { 100, 1920, 1080, TRUE },
  { 100, 1280, 720, FALSE },
  { 50, 1440, 1080, FALSE },
  { 50, 1440, 1080, TRUE },
  { 50, 960, 720, FALSE },
};

/* Scaling lists of intra macroblocks.  Those of chroma, and of luma in progressive video of 1080 lines and class 50, have one value a
 * diagonal; the others are here as transmitted. */
static const guint8 chroma_50[] = { 16, 22, 28, 40, 44, 48, 60 };
static const guint8 chroma_100_720[] = { 16, 21, 27, 34, 41, 46, 54 };
static const guint8 chroma_100_1080[] = { 16, 20, 26, 32, 38, 44, 50 };
static const guint8 luma_50_progressive[N_DIAGONALS] = { 16, 18, 19, 21, 24, 27, 30, 33, 78, 81, 84, 87, 90, 93, 96 };
static const guint8 luma_100_1080_progressive[N_DIAGONALS] = { 16, 18, 19, 20, 22, 23, 24, 26, 32, 36, 42, 59, 63, 68, 72 };
static const guint8 luma_50_interlaced[64] = { 16, 18, 18, 19, 19, 19, 21, 21, 21, 21, 24, 24, 24, 24, 27, 33, 30, 27, 27, 27, 24, 27, 27,
  30, 30, 30, 33, 81, 87, 81, 78, 33, 33, 30, 30, 30, 33, 33, 33, 78, 78, 84, 87, 90, 84, 81, 78, 78, 33, 78, 78, 81, 84, 90, 90, 84, 81,
  81, 84, 87, 93, 93, 87, 96 };
static const guint8 luma_100_interlaced[64] = { 16, 19, 18, 18, 19, 20, 23, 22, 20, 19, 20, 20, 23, 24, 24, 26, 26, 24, 23, 22, 22, 22, 23,
  24, 26, 26, 32, 32, 42, 36, 32, 32, 26, 24, 23, 22, 23, 24, 26, 32, 36, 36, 42, 63, 42, 36, 32, 26, 24, 26, 32, 36, 59, 63, 63, 59, 42,
  36, 42, 59, 68, 68, 59, 72 };
static const guint8 luma_100_720[64] = { 16, 18, 18, 19, 19, 19, 21, 19, 19, 21, 22, 21, 21, 21, 22, 24, 22, 22, 22, 22, 24, 26, 24, 22, 22,
  22, 24, 26, 32, 26, 24, 23, 23, 24, 26, 32, 32, 26, 24, 24, 24, 26, 32, 32, 26, 25, 25, 26, 32, 34, 26, 26, 26, 34, 34, 34, 34, 34, 36,
  36, 36, 38, 38, 42 };

/* PicWidthInMbs and FrameHeightInMbs; fields have whole macroblocks too */
static guint
get_width_in_mbs (const H264AvcIntra *format)
{
  return format->width / 16;
}

static guint
get_height_in_mbs (const H264AvcIntra *format)
{
  return format->interlaced ? (format->height + 31) / 32 * 2 : (format->height + 15) / 16;
}

/* In units of first_mb_in_slice: pairs of macroblocks in MBAFF frames */
static guint
get_slice_size (const H264AvcIntra *format)
{
  return get_width_in_mbs (format) * get_height_in_mbs (format) / (format->interlaced ? 2 : 1) / N_SLICES;
}

/* first_mb_in_slice of an IDR slice that is an I slice with PPS 0; FALSE where it is another one */
static gboolean
read_slice (const H264Nal *nal, H264Rbsp *rbsp, guint *first_mb_in_slice)
{
  H264Nal beginning = *nal;
  H264Bits bits;
  guint slice_type, pic_parameter_set_id;

  beginning.size = MIN (nal->size, 16);
  if (!h264_rbsp_set (rbsp, &beginning))
    return FALSE;
  /* what follows is no trailing bits: none of its zeros may be taken for such */
  bits = (H264Bits){ .data = rbsp->data, .end = rbsp->size * 8 };
  *first_mb_in_slice = h264_bits_ue (&bits);
  slice_type = h264_bits_ue (&bits);
  pic_parameter_set_id = h264_bits_ue (&bits);
  return !bits.error && (slice_type == 2 || slice_type == 7) && pic_parameter_set_id == 0;
}

/* The distance between ten slices that begin at equal distances; 0: there are others, or parameter sets */
static guint
find_slice_size (const guint8 *data, gsize size, guint length_size)
{
  H264NalReader reader;
  H264NalResult result;
  H264Rbsp rbsp = { NULL };
  H264Nal nal;
  const gchar *error = NULL;
  guint n_slices = 0, slice_size = 0, first_mb = 0;
  gboolean fits = TRUE;

  h264_nal_reader_init (&reader, data, size, length_size);
  while (fits && (result = h264_nal_reader_next (&reader, &nal, &error)) != H264_NAL_END) {
    if (result == H264_NAL_BROKEN)
      continue;
    fits = nal.nal_unit_type >= H264_NAL_IDR_SLICE && nal.nal_unit_type != H264_NAL_SPS && nal.nal_unit_type != H264_NAL_PPS;
    if (nal.nal_unit_type != H264_NAL_IDR_SLICE)
      continue;
    fits = read_slice (&nal, &rbsp, &first_mb);
    if (n_slices == 1)
      slice_size = first_mb;
    fits &= first_mb == n_slices * slice_size;
    n_slices++;
  }
  h264_rbsp_clear (&rbsp);
  return fits && n_slices == N_SLICES ? slice_size : 0;
}

const H264AvcIntra *
h264_avc_intra_recognise (const guint8 *data, gsize size, guint length_size)
{
  const guint slice_size = find_slice_size (data, size, length_size);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (get_slice_size (&formats[i]) == slice_size)
      return &formats[i];
  return NULL;
}

static void
put_u (GstBitWriter *w, guint n, guint32 value)
{
  (void) gst_bit_writer_put_bits_uint32 (w, value, n);
}

/* 9.1, of values below 2^16 - 1 */
static void
put_ue (GstBitWriter *w, guint32 value)
{
  put_u (w, 2 * g_bit_storage (value + 1) - 1, value + 1);
}

/* 9.1.1 */
static void
put_se (GstBitWriter *w, gint32 value)
{
  put_ue (w, value > 0 ? 2 * (guint32) value - 1 : 2 * (guint32) -value);
}

/* A list that is transmitted (7.3.2.1.1.1) */
static void
put_list (GstBitWriter *w, const guint8 *list, guint n)
{
  guint8 last = 8;

  put_u (w, 1, 1);
  for (guint i = 0; i < n; i++) {
    put_se (w, list[i] - last);
    last = list[i];
  }
}

/* A list of @n x @n with one value a diagonal: the zig-zag scan (8.5.6) takes one after the other. */
static void
put_diagonals (GstBitWriter *w, const guint8 *diagonals, guint n)
{
  guint8 list[64], *next = list;

  for (guint i = 0; i < 2 * n - 1; i++)
    for (guint k = 0; k < MIN (i + 1, 2 * n - 1 - i); k++)
      *next++ = diagonals[i];
  put_list (w, list, n * n);
}

/* Intra_4x4 of Y is the default list, Cb and Cr are alike; those of inter macroblocks are never used. */
static void
put_scaling_matrix (GstBitWriter *w, const H264AvcIntra *format)
{
  const gboolean is_100 = format->avc_intra_class == 100;
  const guint8 *chroma = !is_100 ? chroma_50 : format->height == 720 ? chroma_100_720 : chroma_100_1080;

  put_u (w, 1, 0);
  put_diagonals (w, chroma, 4);
  put_diagonals (w, chroma, 4);
  put_u (w, 3, 0);
  if (format->interlaced)
    put_list (w, is_100 ? luma_100_interlaced : luma_50_interlaced, 64);
  else if (is_100 && format->height == 720)
    put_list (w, luma_100_720, 64);
  else
    put_diagonals (w, is_100 ? luma_100_1080_progressive : luma_50_progressive, 8);
  put_u (w, 1, 0);
}

/* frame_cropping_flag and what follows: lines at the bottom, in CropUnitY (7-20, 7-22) */
static void
put_cropping (GstBitWriter *w, const H264AvcIntra *format)
{
  const guint crop_unit_y = (format->avc_intra_class == 50 ? 2 : 1) * (format->interlaced ? 2 : 1);
  const guint lines = get_height_in_mbs (format) * 16 - format->height;

  put_u (w, 1, lines > 0);
  if (lines == 0)
    return;
  for (guint i = 0; i < 3; i++)
    put_ue (w, 0);
  put_ue (w, lines / crop_unit_y);
}

/* vui_parameters () (E.1.1): samples of class 50 are wider than high */
static void
put_vui (GstBitWriter *w, const H264AvcIntra *format)
{
  put_u (w, 1, 1);
  put_u (w, 8, format->avc_intra_class == 50 ? FOUR_TO_THREE : SQUARE);
  /* overscan, video signal type, chroma location, timing, both HRDs, pic_struct, restrictions: none */
  put_u (w, 8, 0);
}

/* (transfer full): the RBSP in @w, which it ends, as a NAL unit with emulation prevention (7.3.1) */
static GByteArray *
finish_nal (GstBitWriter *w, guint8 header)
{
  GByteArray *nal = g_byte_array_new ();
  const guint8 *rbsp, emulation_prevention = 3;
  guint n_zeros = 0;

  put_u (w, 1, 1);
  (void) gst_bit_writer_align_bytes (w, 0);
  rbsp = gst_bit_writer_get_data (w);
  g_byte_array_append (nal, &header, 1);
  for (guint i = 0; i < gst_bit_writer_get_size (w) / 8; i++) {
    if (n_zeros == 2 && rbsp[i] <= 3) {
      g_byte_array_append (nal, &emulation_prevention, 1);
      n_zeros = 0;
    }
    g_byte_array_append (nal, &rbsp[i], 1);
    n_zeros = rbsp[i] == 0 ? n_zeros + 1 : 0;
  }
  gst_bit_writer_reset (w);
  return nal;
}

GByteArray *
h264_avc_intra_make_sps (const H264AvcIntra *format)
{
  const gboolean is_100 = format->avc_intra_class == 100;
  GstBitWriter w;

  gst_bit_writer_init (&w);
  put_u (&w, 8, is_100 ? HIGH_422 : HIGH_10);
  put_u (&w, 8, 0x10); /* constraint_set3_flag: intra only */
  put_u (&w, 8, is_100 ? 41 : format->height == 720 ? 32 : 40);
  put_ue (&w, 0);              /* seq_parameter_set_id */
  put_ue (&w, is_100 ? 2 : 1); /* chroma_format_idc */
  put_ue (&w, 2);              /* bit_depth_luma_minus8 */
  put_ue (&w, 2);              /* bit_depth_chroma_minus8 */
  put_u (&w, 1, 0);            /* qpprime_y_zero_transform_bypass_flag */
  put_u (&w, 1, 1);            /* seq_scaling_matrix_present_flag */
  put_scaling_matrix (&w, format);
  put_ue (&w, 0);   /* log2_max_frame_num_minus4 */
  put_ue (&w, 0);   /* pic_order_cnt_type */
  put_ue (&w, 0);   /* log2_max_pic_order_cnt_lsb_minus4 */
  put_ue (&w, 0);   /* max_num_ref_frames */
  put_u (&w, 1, 0); /* gaps_in_frame_num_value_allowed_flag */
  put_ue (&w, get_width_in_mbs (format) - 1);
  put_ue (&w, get_height_in_mbs (format) / (format->interlaced ? 2 : 1) - 1);
  put_u (&w, 1, !format->interlaced); /* frame_mbs_only_flag */
  if (format->interlaced)
    put_u (&w, 1, 1); /* mb_adaptive_frame_field_flag */
  put_u (&w, 1, 1);   /* direct_8x8_inference_flag */
  put_cropping (&w, format);
  put_u (&w, 1, 1); /* vui_parameters_present_flag */
  put_vui (&w, format);
  return finish_nal (&w, 3 << 5 | H264_NAL_SPS);
}

GByteArray *
h264_avc_intra_make_pps (const H264AvcIntra *format)
{
  const gint chroma_qp_index_offset = format->avc_intra_class == 100 && format->height == 1080 ? 3 : 4;
  GstBitWriter w;

  gst_bit_writer_init (&w);
  put_ue (&w, 0);                               /* pic_parameter_set_id */
  put_ue (&w, 0);                               /* seq_parameter_set_id */
  put_u (&w, 1, format->avc_intra_class == 50); /* entropy_coding_mode_flag */
  put_u (&w, 1, 0);                             /* bottom_field_pic_order_in_frame_present_flag */
  put_ue (&w, 0);                               /* num_slice_groups_minus1 */
  put_ue (&w, 0);                               /* num_ref_idx_l0_default_active_minus1 */
  put_ue (&w, 0);                               /* num_ref_idx_l1_default_active_minus1 */
  put_u (&w, 3, 0);                             /* weighted_pred_flag, weighted_bipred_idc */
  put_se (&w, 0);                               /* pic_init_qp_minus26 */
  put_se (&w, 0);                               /* pic_init_qs_minus26 */
  put_se (&w, chroma_qp_index_offset);
  put_u (&w, 1, 1); /* deblocking_filter_control_present_flag */
  put_u (&w, 2, 0); /* constrained_intra_pred_flag, redundant_pic_cnt_present_flag */
  put_u (&w, 1, 1); /* transform_8x8_mode_flag */
  put_u (&w, 1, 0); /* pic_scaling_matrix_present_flag */
  put_se (&w, chroma_qp_index_offset);
  return finish_nal (&w, 3 << 5 | H264_NAL_PPS);
}
