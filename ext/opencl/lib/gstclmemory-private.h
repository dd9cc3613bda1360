/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Not for applications: what this library and its plugins do with memory beside the public functions.
 */
#pragma once

#include <gst/gpuopencl/gstclmemory.h>
#include "gstclcontext-private.h"
#include "gstclstats.h"

G_BEGIN_DECLS

/**
 * GstClMemoryFlags:
 * @GST_CL_MEMORY_REWRITTEN: a map for writing (and not reading) starts afresh: what the device has is not kept.  Arenas, of
 *   which most pictures use the beginning only.
 * @GST_CL_MEMORY_DEVICE_ONLY: seldom mapped: no room on the host before the first map
 */
typedef enum
{
  GST_CL_MEMORY_REWRITTEN = 1,
  GST_CL_MEMORY_DEVICE_ONLY = 2
} GstClMemoryFlags;

/* A run of bytes of a memory */
typedef struct
{
  gsize offset, size;
} GstClRange;

/* A command that uses a memory */
typedef struct
{
  cl_event event;
  cl_command_queue queue; /* not owned, only compared */
} GstClUse;

/**
 * GstClMemory:
 * @handle: the buffer
 * @context: its device
 *
 * A buffer of the device that the CPU can map.  The side that wrote last owns the bytes; the other side gets them when it asks: through a
 * map where memory is shared, through a staging copy otherwise.  It knows the commands that use it, so whoever comes next waits for them:
 * kernels on the device, through the wait list; the CPU in gst_memory_map(), which is a host wait.  Cannot be shared in part
 * (GST_MEMORY_FLAG_NO_SHARE); gst_memory_copy() gives a new one, copied on the device.
 */
typedef struct
{
  GstMemory mem;
  cl_mem handle;
  GstClContext *context;

  /*< private > */
  GstBuffer *viewed; /* of a view: has the memory whose bytes these are; all else but @handle and @context is unused */
  GstClMemoryFlags flags;
  GstClStats *stats;
  cl_command_queue queue; /* for maps and staging by the CPU */
  GMutex lock;
  GstClUse writer;                   /* the last command that writes it */
  GArray *readers;                   /* GstClUse: commands after it that read it */
  gpointer host;                     /* where the CPU sees it, while it does */
  cl_mem staging;                    /* holds @host where memory is not shared */
  GstClUse staging_use;              /* the last command that uses @staging */
  gboolean host_valid, device_valid; /* who has the bytes.  Shared memory: host_valid: it is mapped */
  gboolean host_writes;              /* shared memory: it is mapped for writing */
  cl_event mapping;                  /* the command that brings the bytes to @host, until somebody waited for it */
  cl_int failure;                    /* not CL_SUCCESS: nobody knows any more what the bytes are, or when they are there */
} GstClMemory;

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

/* Brings @ranges (NULL: everything) to the CPU before a map that would bring everything.  A host wait. */
cl_int gst_cl_memory_fetch (GstClMemory *memory, const GstClRange *ranges, guint n_ranges);

/* Starts the map of a memory that will be mapped for writing later, without waiting; gst_memory_map() then waits for no more than what is
 * left. */
GST_CL_API
void gst_cl_memory_prefetch_map (GstClMemory *memory);

G_END_DECLS
