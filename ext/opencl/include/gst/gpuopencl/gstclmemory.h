/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * GstMemory on the device, which host and device hand to each other: its events stand in for waiting.
 *
 * The side that wrote last owns the bytes.  The CPU gets them by gst_memory_map(), which waits for the device.  A command on the device
 * gets them so, and nobody waits:
 *
 * |[
 *   GstClWaitList *wait = gst_cl_wait_list_new ();
 *
 *   status = gst_cl_memory_begin (memory, queue, GST_CL_READ, wait);    (for each memory that the command uses; each status to be checked)
 *   status = clEnqueueNDRangeKernel (queue, ..., GST_CL_WAIT_LIST (wait), &event);
 *   gst_cl_wait_list_free (wait);
 *   gst_cl_memory_end (memory, queue, GST_CL_READ, event);              (for each memory)
 *   clReleaseEvent (event);
 *   clFlush (queue);
 * ]|
 *
 * From then on the memory itself may be given back: whoever uses it next waits for the event.
 */
#pragma once

#include <gst/gpuopencl/gstclcontext.h>
#include <gst/gpuopencl/gstclwaitlist.h>

G_BEGIN_DECLS

/**
 * GST_CL_MEMORY_NAME:
 *
 * The type of memory of its allocator, for gst_memory_is_type()
 */
#define GST_CL_MEMORY_NAME "OpenCLMemory"

/**
 * GST_CAPS_FEATURE_MEMORY_OPENCL:
 *
 * The caps feature of buffers in such memory: video/x-raw(memory:OpenCL)
 */
#define GST_CAPS_FEATURE_MEMORY_OPENCL "memory:OpenCL"

/**
 * GstClAccess:
 * @GST_CL_READ: it is read
 * @GST_CL_WRITE: all of it is written
 * @GST_CL_READWRITE: it is read and written, or written in part
 *
 * How a command uses a memory
 */
typedef enum
{
  GST_CL_READ = 1 << 0,
  GST_CL_WRITE = 1 << 1,
  GST_CL_READWRITE = GST_CL_READ | GST_CL_WRITE
} GstClAccess;

/**
 * gst_is_cl_memory:
 * @memory: (nullable): any memory
 *
 * Returns: whether it is memory of an OpenCL device: what the other functions here take
 */
GST_CL_API
gboolean gst_is_cl_memory (GstMemory *memory);

/**
 * gst_cl_memory_alloc:
 * @context: a device
 * @size: bytes
 *
 * Returns: (transfer full) (nullable): a memory, not written yet; %NULL where the device has no room (logged)
 */
GST_CL_API
GstMemory *gst_cl_memory_alloc (GstClContext *context, gsize size);

/**
 * gst_cl_memory_get_context:
 * @memory: memory of a device
 *
 * Returns: (transfer none): the device, which lives as long as @memory at least
 */
GST_CL_API
GstClContext *gst_cl_memory_get_context (GstMemory *memory);

#ifndef __GI_SCANNER__

/**
 * gst_cl_memory_get_handle:
 * @memory: memory of a device
 *
 * The bytes of @memory begin in it at the offset that gst_memory_get_sizes() tells.  A plane of a picture begins behind that by the plane's
 * offset in the #GstVideoMeta of its buffer.  The cl_mem may be larger than the picture, and belongs to @memory: enqueue commands that use
 * it between gst_cl_memory_begin() and gst_cl_memory_end() only.
 *
 * Returns: (transfer none): the cl_mem
 */
GST_CL_API
cl_mem gst_cl_memory_get_handle (GstMemory *memory);

/**
 * gst_cl_memory_begin:
 * @memory: memory of a device
 * @queue: an in-order queue of that device (gst_cl_context_create_queue()).  To be finished (clFinish()) before it is released.
 * @access: how the command will use it
 * @wait: takes the events that the command has to wait for
 *
 * Before a command is enqueued on @queue: where the CPU wrote last, enqueues there what brings the bytes to the device.  Waits for nothing.
 * A command that then cannot be enqueued needs no gst_cl_memory_end(); what it should have written is undefined.
 *
 * Returns: CL_SUCCESS; CL_INVALID_OPERATION where @access writes and @memory is read-only, as decoded pictures are, which later ones may
 * refer to (gst_memory_copy() gives a copy that may be written, on the device); another status where the driver fails
 */
GST_CL_API
cl_int gst_cl_memory_begin (GstMemory *memory, cl_command_queue queue, GstClAccess access, GstClWaitList *wait);

/**
 * gst_cl_memory_end:
 * @memory: memory of a device
 * @queue: as for gst_cl_memory_begin()
 * @access: as for gst_cl_memory_begin()
 * @event: the command's; a reference is taken
 *
 * After the command is enqueued: whoever uses @memory next waits for @event.  @queue has to be flushed before the memory goes on to others.
 */
GST_CL_API
void gst_cl_memory_end (GstMemory *memory, cl_command_queue queue, GstClAccess access, cl_event event);

#endif

G_END_DECLS
