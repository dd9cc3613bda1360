/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Which kinds of memory a neighbour takes.
 */
#pragma once

#include <gst/gst.h>
#include "gstgpucodec-prelude.h"

G_BEGIN_DECLS

/**
 * gst_gpu_caps_for_peer:
 * @pad: a source pad
 * @possible: (transfer full): caps with several kinds of memory
 *
 * Returns: (transfer full): those of @possible that may go to the peer of @pad: all of them where it names a kind of memory, else system
 * memory alone: who takes anything, as filesink does, reads a buffer's bytes, padding and all
 */
GST_GPU_CODEC_API
GstCaps *gst_gpu_caps_for_peer (GstPad *pad, GstCaps *possible);

G_END_DECLS
