/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Sequence parameter sets (7.3.2.1, Annex E).  Members have the names of the syntax elements; those written _minus are stored as the value
 * meant.
 */
#pragma once

#include <gst/codecparsers/gsth264parser.h>
#include "h264nal.h"
#include "h264scaling.h"

G_BEGIN_DECLS

/* MaxFS of level 6.2 (Table A-1), and Sqrt (MaxFS * 8), which bounds each side (A.3.1) */
#define H264_MAX_FS 139264
#define H264_MAX_SIDE_IN_MBS 1055

/* profile_idc (A.2.3) */
#define H264_PROFILE_EXTENDED 88

/**
 * H264Sps:
 * @constraint_set_flags: constraint_set0_flag is the top bit (0x80)
 * @bit_depth_luma: BitDepthY, 8 to 14
 * @bit_depth_chroma: BitDepthC
 * @log2_max_frame_num: 4 to 16
 * @pic_width_in_mbs: PicWidthInMbs
 * @pic_height_in_map_units: PicHeightInMapUnits
 * @scaling: the sequence's lists, flat where it has none
 * @vui: vui_parameters () (E.1.1), as the library has it: 0 where an element is absent, but colour descriptions and video_format as
 *   inferred
 *     (E.2.1); par_n and par_d are the sample aspect ratio, by Table E-1 too, 0 where it is unspecified
 * @vui_damaged: the VUI is cut off or out of range; it has the values from before there, and no bitstream_restriction_flag; the rest of the
 *     SPS is good
 * @ChromaArrayType: 0 with separate_colour_plane_flag, else chroma_format_idc
 * @FrameHeightInMbs: rows of macroblocks of a frame
 * @crop_x: cropping rectangle in luma samples of the frame
 * @max_dec_frame_buffering: from the VUI, or inferred (E.2.1); at least max_num_ref_frames and 0 to 16
 * @max_num_reorder_frames: likewise
 *
 * Reference counted, and never changed once parsed.
 */
typedef struct
{
  guint8 profile_idc;
  guint8 constraint_set_flags;
  guint8 level_idc;
  guint8 seq_parameter_set_id;
  guint8 chroma_format_idc;
  gboolean separate_colour_plane_flag;
  guint8 bit_depth_luma, bit_depth_chroma;
  gboolean qpprime_y_zero_transform_bypass_flag;
  gboolean seq_scaling_matrix_present_flag;
  H264ScalingLists scaling;
  guint8 log2_max_frame_num;
  guint8 pic_order_cnt_type;
  guint8 log2_max_pic_order_cnt_lsb;
  gboolean delta_pic_order_always_zero_flag;
  gint32 offset_for_non_ref_pic;
  gint32 offset_for_top_to_bottom_field;
  guint8 num_ref_frames_in_pic_order_cnt_cycle;
  gint32 offset_for_ref_frame[255];
  guint8 max_num_ref_frames;
  gboolean gaps_in_frame_num_value_allowed_flag;
  guint pic_width_in_mbs;
  guint pic_height_in_map_units;
  gboolean frame_mbs_only_flag;
  gboolean mb_adaptive_frame_field_flag;
  gboolean direct_8x8_inference_flag;
  gboolean frame_cropping_flag;
  gboolean vui_parameters_present_flag;
  gboolean vui_damaged;
  GstH264VUIParams vui;

  guint8 ChromaArrayType;
  guint FrameHeightInMbs;
  guint PicSizeInMapUnits;
  guint32 MaxFrameNum;
  guint crop_x, crop_y, width, height;
  guint max_dec_frame_buffering;
  guint max_num_reorder_frames;
} H264Sps;

/* (transfer full) (nullable): the SPS of @nal; NULL and @error where it is broken or beyond what can be decoded. */
H264Sps *h264_sps_new (const H264Nal *nal, const gchar **error);
H264Sps *h264_sps_ref (H264Sps *sps);
void h264_sps_unref (H264Sps *sps);

/* MaxDpbFrames of the level (A.3.1 h), A.3.2 f)): 1 to 16 */
guint h264_sps_get_max_dpb_frames (const H264Sps *sps);

/* Whether the profile allows no picture but intra ones: constraint_set3_flag with one of the profiles of A.2, or CAVLC 4:4:4 Intra */
gboolean h264_sps_is_intra_only (const H264Sps *sps);

G_END_DECLS
