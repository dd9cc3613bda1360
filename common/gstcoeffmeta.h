/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The meta that says where the block lists of a coded picture are.
 */
#pragma once

#include "gstgpucodec-prelude.h"
#include "gpurecords.h"

G_BEGIN_DECLS

/**
 * GstCoeffMeta:
 * @n_segments: segments of the picture (GstGpuLayout.segments says where they lie)
 * @first: first[kind] is the first segment of that kind, first[kind + 1] is one past the last
 * @coded_bytes: bytes of levels and I_PCM samples in all segments, without any padding
 * @n_blocks: blocks in all segments
 *
 * The compacted and separated coefficients of a coded picture: a block without coefficients does not exist; each kind of block is a list
 * of dense runs (GstGpuSegment), so that threads fill them without meeting.  The bulk lies in the coefficient arena.
 */
typedef struct
{
  GstMeta meta;
  guint n_segments;
  guint first[GST_GPU_N_KINDS + 1];
  guint64 coded_bytes;
  guint64 n_blocks;
} GstCoeffMeta;

/**
 * gst_coeff_meta_api_get_type:
 *
 * Returns: the type of the meta's API, for gst_buffer_get_meta()
 */
GST_GPU_CODEC_API
GType gst_coeff_meta_api_get_type (void);
#define GST_COEFF_META_API_TYPE (gst_coeff_meta_api_get_type ())

/**
 * gst_coeff_meta_get_info:
 *
 * Returns: (transfer none): the meta's functions, for gst_buffer_add_meta()
 */
GST_GPU_CODEC_API
const GstMetaInfo *gst_coeff_meta_get_info (void);

/* (transfer none) (nullable) */
GST_GPU_CODEC_API
GstCoeffMeta *gst_buffer_get_coeff_meta (GstBuffer *buffer);

/* (transfer none): an empty one, to be filled in */
GST_GPU_CODEC_API
GstCoeffMeta *gst_buffer_add_coeff_meta (GstBuffer *buffer);

G_END_DECLS
