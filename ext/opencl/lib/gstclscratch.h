/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Memory for what one stage of a picture leaves for the next one, shared by all streams of a device in the process.  A picture has such
 * memory for a small part of its way only, so a few blocks serve all of them, and stay in the caches.
 */
#pragma once

#include "gstclmemory-private.h"

G_BEGIN_DECLS

/* Blocks that nobody has are kept for later pictures from here on, until as many calls of gst_cl_scratch_release().  @context: (nullable):
 * the device, NULL: system memory. */
GST_CL_API
void gst_cl_scratch_hold (GstClContext *context);
GST_CL_API
void gst_cl_scratch_release (GstClContext *context);

/* (transfer full) (nullable): a block of @size bytes, which hold anything: the one used last, of those that no command of the device uses
 * any more; else, where there are few, a new one; else the one that commands will be done with first, for which those to come wait on the
 * device.  NULL where there is not so much memory.  A block that has not been taken for a while goes back to the system. */
GST_CL_API
GstMemory *gst_cl_scratch_take (GstClContext *context, gsize size);

/* @memory: (transfer full): of gst_cl_scratch_take(), from any thread, while commands of the device may still use it */
GST_CL_API
void gst_cl_scratch_give_back (GstMemory *memory);

G_END_DECLS
