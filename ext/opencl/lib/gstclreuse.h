/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Memory that is used again, by any stream of the process: surfaces, raw video, and what one stage of a picture leaves for the next one.  A
 * stream does not need all that it has at the same time, so fewer blocks serve many streams, the one used last first.
 */
#pragma once

#include "gstclmemory-private.h"

G_BEGIN_DECLS

/* Blocks that nobody has are kept for later pictures from here on, until as many calls of gst_cl_reuse_release().  @context: (nullable):
 * the device, NULL: system memory. */
GST_CL_API
void gst_cl_reuse_hold (GstClContext *context);
GST_CL_API
void gst_cl_reuse_release (GstClContext *context);

/* (transfer full) (nullable): a block of @size bytes, which hold anything: of those that were given back and that no command of the device
 * uses any more, the one used last.  Where commands use all of them yet, a new block, as long as those are fewer than N; from N on the one
 * that commands will be done with first, for which commands to come wait.  N is 1, but for memory that the host never waits for
 * (GST_CL_MEMORY_DEVICE_ONLY) the number of the device's compute units and one, from 3 to 16.  So where a command fails, those of another
 * stream that waits for the same block fail with it: streams of a device share what befalls it.
 * @context, and @flags, @queue and @stats, which only count for a device: as in gst_cl_memory_new().  NULL where there is not so much
 * memory.  A block that has not been taken for a while goes back to the system. */
GST_CL_API
GstMemory *gst_cl_reuse_take (GstClContext *context, gsize size, GstClMemoryFlags flags, cl_command_queue queue, GstClStats *stats);

/* @memory: (transfer full): of gst_cl_reuse_take(), from any thread, while commands of the device may still use it */
GST_CL_API
void gst_cl_reuse_give_back (GstMemory *memory);

/* Gives back the memories of @buffer, which has none then, but for those that somebody else has, too. */
void gst_cl_reuse_give_back_buffer (GstBuffer *buffer);

G_END_DECLS
