/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Not for applications: what this library and its plugins do with memory beside the public functions.
 */
#pragma once

#include <gst/gpuopencl/gstclmemory.h>
#include "gstclmemorystate.h"

G_BEGIN_DECLS

/* (transfer full): a memory of @size bytes, aligned to 64 at least.  @queue: (nullable): for maps, default that of the context.
 * @stats: (nullable): counts what maps do.  NULL where the device has no room (logged). */
GST_CL_API
GstMemory *gst_cl_memory_new (GstClContext *context, gsize size, GstClMemoryFlags flags, cl_command_queue queue, GstClStats *stats);

/* (transfer full): a memory with the bytes of @buffer's one, read-only: whoever wants to write it gets a copy.  It holds @buffer, whose own
 * memory stays its alone, so that its pool can take it back when the view goes. */
GstMemory *gst_cl_memory_new_view (GstBuffer *buffer);

/* NULL where @memory is not one of this device; of a view, the memory that it shows */
GST_CL_API
GstClMemory *gst_cl_memory_of (GstMemory *memory, GstClContext *context);

/* gst_cl_memory_begin() for a memory that is no view, where only @ranges (NULL: everything) have to go up; counts that in @stats
 * (nullable).  CL_INVALID_VALUE where a range is not inside the memory. */
GST_CL_API
cl_int gst_cl_memory_begin_ranges (GstClMemory *memory, cl_command_queue queue, GstClAccess access, const GstClRange *ranges,
    guint n_ranges, GstClWaitList *wait, GstClStats *stats);

/* Sets all bytes to 0 on the device, without waiting.  An error is a CL status. */
GST_CL_API
cl_int gst_cl_memory_clear (GstClMemory *memory);

/* TRUE where gst_cl_memory_begin() would bring bytes up. */
GST_CL_API
gboolean gst_cl_memory_needs_upload (GstClMemory *memory);

/* @queue and @stats take the place of those that gst_cl_memory_new() got.  An error is a CL status, and nothing has changed then. */
cl_int gst_cl_memory_set_owner (GstClMemory *memory, cl_command_queue queue, GstClStats *stats);

/* CL_COMPLETE where no command uses the memory any more; above it where one does yet, below where the bytes, or a command, are lost */
cl_int gst_cl_memory_get_status (GstClMemory *memory);

/* Brings @ranges (NULL: everything) to the CPU before a map that would bring everything.  A host wait. */
cl_int gst_cl_memory_fetch (GstClMemory *memory, const GstClRange *ranges, guint n_ranges);

/* Starts the map of a memory that will be mapped for writing later, without waiting; gst_memory_map() then waits for no more than what is
 * left. */
GST_CL_API
void gst_cl_memory_prefetch_map (GstClMemory *memory);

G_END_DECLS
