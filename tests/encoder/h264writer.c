/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264writer.h"

const SpsValues default_sps = {
  .profile_idc = 100,
  .level_idc = 40,
  .chroma_format_idc = 1,
  .log2_max_pic_order_cnt_lsb_minus4 = 4,
  .max_num_ref_frames = 4,
  .width_in_mbs = 4,
  .height_in_map_units = 3,
};

void
bit_writer_init (BitWriter *w)
{
  w->bytes = g_byte_array_new ();
  w->n_bits = 0;
}

void
put_u (BitWriter *w, guint n, guint32 value)
{
  while (n-- > 0) {
    guint8 zero = 0;

    if (w->n_bits % 8 == 0)
      g_byte_array_append (w->bytes, &zero, 1);
    if (value >> n & 1)
      w->bytes->data[w->n_bits / 8] |= 0x80 >> w->n_bits % 8;
    w->n_bits++;
  }
}

void
put_ue (BitWriter *w, guint32 value)
{
  guint length = g_bit_storage (value + 1);

  put_u (w, length - 1, 0);
  put_u (w, length, value + 1);
}

void
put_se (BitWriter *w, gint32 value)
{
  put_ue (w, value > 0 ? 2 * (guint32) value - 1 : 2 * (guint32) (-value));
}

GByteArray *
bit_writer_to_nal (BitWriter *w, guint nal_ref_idc, guint nal_unit_type)
{
  GByteArray *nal = g_byte_array_new ();
  guint8 header = nal_ref_idc << 5 | nal_unit_type, three = 3;
  guint zeros = 0;

  put_u (w, 1, 1);
  g_byte_array_append (nal, &header, 1);
  for (guint i = 0; i < w->bytes->len; i++) {
    guint8 byte = w->bytes->data[i];

    if (zeros >= 2 && byte <= 3) {
      g_byte_array_append (nal, &three, 1);
      zeros = 0;
    }
    g_byte_array_append (nal, &byte, 1);
    zeros = byte == 0 ? zeros + 1 : 0;
  }
  g_byte_array_unref (w->bytes);
  return nal;
}

static gboolean
has_chroma_format (guint profile_idc)
{
  return profile_idc >= 100 || profile_idc == 44;
}

void
put_full_vui (BitWriter *w)
{
  put_u (w, 1, 1);
  put_u (w, 8, 255); /* Extended_SAR */
  put_u (w, 16, 40);
  put_u (w, 16, 33);
  put_u (w, 2, 3); /* overscan */
  put_u (w, 1, 1);
  put_u (w, 3, 2); /* video_format */
  put_u (w, 1, 1); /* full range */
  put_u (w, 1, 1);
  put_u (w, 8, 9);
  put_u (w, 8, 16);
  put_u (w, 8, 10);
  put_u (w, 1, 1);
  put_ue (w, 2);
  put_ue (w, 3);
  put_u (w, 1, 1);
  put_u (w, 32, 1001);
  put_u (w, 32, 60000);
  put_u (w, 1, 1);
  put_u (w, 1, 1); /* nal_hrd */
  put_ue (w, 1);
  put_u (w, 8, 0x43);
  for (guint i = 0; i < 2; i++) {
    put_ue (w, 99999);
    put_ue (w, 88888);
    put_u (w, 1, 0);
  }
  put_u (w, 20, 0xba638); /* lengths 24, 10, 18, 24 */
  put_u (w, 1, 0);        /* vcl_hrd */
  put_u (w, 1, 1);        /* low_delay */
  put_u (w, 1, 1);        /* pic_struct */
  put_u (w, 1, 1);
  put_u (w, 1, 0);
  put_ue (w, 1);
  put_ue (w, 2);
  put_ue (w, 10);
  put_ue (w, 11);
  put_ue (w, 1); /* max_num_reorder_frames */
  put_ue (w, 6); /* max_dec_frame_buffering */
}

GByteArray *
make_sps (const SpsValues *v)
{
  BitWriter w;
  gboolean crop = v->crop[0] || v->crop[1] || v->crop[2] || v->crop[3];

  bit_writer_init (&w);
  put_u (&w, 8, v->profile_idc);
  put_u (&w, 8, v->constraint_set_flags);
  put_u (&w, 8, v->level_idc);
  put_ue (&w, v->id);
  if (has_chroma_format (v->profile_idc)) {
    put_ue (&w, v->chroma_format_idc);
    if (v->chroma_format_idc == 3)
      put_u (&w, 1, v->separate_colour_plane_flag);
    put_ue (&w, v->bit_depth_luma_minus8);
    put_ue (&w, v->bit_depth_chroma_minus8);
    put_u (&w, 1, v->lossless);
    put_u (&w, 1, v->put_scaling_lists != NULL);
    if (v->put_scaling_lists)
      v->put_scaling_lists (&w);
  }
  put_ue (&w, v->log2_max_frame_num_minus4);
  put_ue (&w, v->pic_order_cnt_type);
  if (v->pic_order_cnt_type == 0)
    put_ue (&w, v->log2_max_pic_order_cnt_lsb_minus4);
  else if (v->pic_order_cnt_type == 1)
    v->put_poc_type_1 (&w);
  put_ue (&w, v->max_num_ref_frames);
  put_u (&w, 1, v->gaps_allowed);
  put_ue (&w, v->width_in_mbs - 1);
  put_ue (&w, v->height_in_map_units - 1);
  put_u (&w, 1, !v->interlaced);
  if (v->interlaced)
    put_u (&w, 1, v->mbaff);
  put_u (&w, 1, !v->no_direct_8x8_inference);
  put_u (&w, 1, crop);
  for (guint i = 0; crop && i < 4; i++)
    put_ue (&w, v->crop[i]);
  put_u (&w, 1, v->put_vui != NULL);
  if (v->put_vui)
    v->put_vui (&w);
  return bit_writer_to_nal (&w, 3, H264_NAL_SPS);
}

GByteArray *
make_pps (const PpsValues *v)
{
  BitWriter w;

  bit_writer_init (&w);
  put_ue (&w, v->id);
  put_ue (&w, v->sps_id);
  put_u (&w, 1, v->cabac);
  put_u (&w, 1, v->bottom_field_pic_order);
  put_ue (&w, v->num_slice_groups_minus1);
  if (v->slice_groups)
    put_slice_group_elements (&w, v->slice_groups);
  else if (v->num_slice_groups_minus1 > 0)
    v->put_slice_groups (&w);
  put_ue (&w, v->num_ref_idx_minus1[0]);
  put_ue (&w, v->num_ref_idx_minus1[1]);
  put_u (&w, 1, v->weighted_pred_flag);
  put_u (&w, 2, v->weighted_bipred_idc);
  put_se (&w, v->pic_init_qp_minus26);
  put_se (&w, v->pic_init_qs_minus26);
  put_se (&w, v->chroma_qp_index_offset);
  put_u (&w, 1, v->deblocking_control);
  put_u (&w, 1, v->constrained_intra);
  put_u (&w, 1, v->redundant);
  if (v->extension) {
    put_u (&w, 1, v->transform_8x8);
    put_u (&w, 1, v->put_scaling_lists != NULL);
    if (v->put_scaling_lists)
      v->put_scaling_lists (&w);
    put_se (&w, v->second_chroma_qp_index_offset);
  }
  return bit_writer_to_nal (&w, 3, H264_NAL_PPS);
}
