/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The stages of decoding behind the entropy stage, and the elements that do them.
 */
#pragma once

#include <gst/gst.h>
#include "gstgpucodec-prelude.h"

G_BEGIN_DECLS

/**
 * GstCodedStages:
 * @GST_CODED_STAGE_EXTRA: a stage that the row does not have: an element behind the entropy stage has changed records in a way of its own,
 *   and #GstCodedPicture.extra_stage has to work on them before gpuidct does
 * @GST_CODED_STAGE_IDCT: inverse quantisation and transforms
 * @GST_CODED_STAGE_INTERPRED: inter prediction
 * @GST_CODED_STAGE_INTRAPRED: intra prediction
 * @GST_CODED_STAGE_DEBLOCK: the deblocking filter
 *
 * The stages that a coded picture may still need, as bits of #GstCodedPicture.pending; the order of the bits is that in a pipeline.
 */
typedef enum
{
  GST_CODED_STAGE_EXTRA = 1 << 0,
  GST_CODED_STAGE_IDCT = 1 << 1,
  GST_CODED_STAGE_INTERPRED = 1 << 2,
  GST_CODED_STAGE_INTRAPRED = 1 << 3,
  GST_CODED_STAGE_DEBLOCK = 1 << 4,
} GstCodedStages;

/**
 * gst_coded_stages_get_element:
 * @index: number of a bit of #GstCodedStages
 *
 * Returns: (transfer none) (nullable): the element of the row that does the stage, "gpuidct"; %NULL for the extra one, and behind the last
 */
GST_GPU_CODEC_API
const gchar *gst_coded_stages_get_element (guint index);

/**
 * gst_coded_stages_name_elements:
 * @stages: some stages
 * @extra: (nullable): the element of the extra one
 *
 * Returns: (transfer full): the elements of @stages, as gst-launch-1.0 writes them: "gpuidct ! gpudeblock"
 */
GST_GPU_CODEC_API
gchar *gst_coded_stages_name_elements (GstCodedStages stages, const gchar *extra);

/**
 * gst_coded_stages_name_works:
 * @stages: some stages
 *
 * Returns: (transfer full): what they do, in words: "inverse transforms, deblocking"
 */
GST_GPU_CODEC_API
gchar *gst_coded_stages_name_works (GstCodedStages stages);

G_END_DECLS
