/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * AVC-Intra without parameter sets.
 *
 * Cameras and editors leave the SPS and the PPS out of AVC-Intra in MXF and QuickTime files: all that they say follows from the class and
 * the size (SMPTE RP 2027).  Class 200 has the sets of class 100, at twice the bit rate.  A picture has ten slices with the same number of
 * macroblocks, frames of interlaced video are MBAFF frames, and so the slices' first_mb_in_slice tell which class and size it is.
 */
#pragma once

#include "h264paramsets.h"

G_BEGIN_DECLS

/**
 * H264AvcIntra:
 * @avc_intra_class: 50 or 100 (200 too)
 * @width, @height: of the frame in luma samples, without what is cropped
 * @interlaced: frame_mbs_only_flag is 0
 */
typedef struct
{
  guint avc_intra_class;
  guint width, height;
  gboolean interlaced;
} H264AvcIntra;

/* (transfer none) (nullable): what the picture in the @size bytes at @data is, NAL units behind lengths of @length_size bytes or start
 * codes (0).  NULL where it is no whole picture of AVC-Intra, or has parameter sets. */
const H264AvcIntra *h264_avc_intra_recognise (const guint8 *data, gsize size, guint length_size);

/* (transfer full): the SPS and the PPS of @format as NAL units, header byte first; both have the id 0.  Of the VUI there is the aspect
 * ratio alone: the container knows the frame rate and the colours.  Defined are 1920x1080 and 1280x720 of class 100, 1440x1080 and 960x720
 * of class 50, interlaced at 1080 lines only. */
GByteArray *h264_avc_intra_make_sps (const H264AvcIntra *format);
GByteArray *h264_avc_intra_make_pps (const H264AvcIntra *format);

G_END_DECLS
