/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * System memory whose size follows from a stream.
 */
#pragma once

#include <gst/gst.h>
#include "gstgpucodec-prelude.h"

G_BEGIN_DECLS

/* (transfer full) (nullable): memory of @size bytes, at least 1, aligned to 64 bytes at the least, which holds anything; NULL where there
 * is not so much: GStreamer's own allocator would end the process. */
GST_GPU_CODEC_API
GstMemory *gst_system_memory_new (gsize size);

/* (transfer full) (nullable): the same, for memory of which most pictures use the beginning only: what is never touched is never there. */
GST_GPU_CODEC_API
GstMemory *gst_system_memory_new_sparse (gsize size);

G_END_DECLS
