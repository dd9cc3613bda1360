/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A capture: coefficients and macroblock records of coded pictures in a file, as the entropy stage made them (scripts/capture writes it).
 *
 * The file is one or more pictures one behind the other, each a CaptureHeader, then header_size bytes, then coeffs_size bytes: a header
 * arena (GstGpuSlice, GstGpuMb and GstGpuSegment arrays) and a coefficient arena (positions and levels), laid out as gpurecords.h says.
 * All values are little endian.  Segments are sorted by kind.  Pictures have one colour plane set (not separate_colour_plane_flag).
 */
#ifndef CAPTURE_H
#define CAPTURE_H

#include "gpurecords.h"

#define CAPTURE_MAGIC "GPUCAP01"

typedef struct
{
  char magic[8];
  gst_gpu_u32 width_in_mbs, height_in_mbs;
  gst_gpu_u32 chroma_array_type, bit_depth_luma, bit_depth_chroma;
  gst_gpu_u32 mbs_offset, slices_offset, segments_offset; /* bytes, in the header arena */
  gst_gpu_u32 n_segments;
  gst_gpu_u32 first[GST_GPU_N_H264_KINDS + 1]; /* segments of a kind: first[kind] to first[kind + 1] - 1 */
  gst_gpu_u32 header_size, coeffs_size;        /* bytes */
} CaptureHeader;

#endif
