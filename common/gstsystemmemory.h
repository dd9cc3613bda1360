/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * System memory whose size follows from a stream.
 */
#pragma once

#include <gst/gst.h>
#include "gstgpucodec-prelude.h"

G_BEGIN_DECLS

GST_GPU_CODEC_API
GstMemory *gst_system_memory_new (gsize size);

G_END_DECLS
