/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What a memory of a device is made of.
 */
#pragma once

#include "gstclcontext-private.h"
#include "gstclstats.h"
#include "gstcluses.h"

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
  GstClUses uses;
  gpointer host;                     /* where the CPU sees it, while it does */
  cl_mem staging;                    /* holds @host where memory is not shared */
  GstClUse staging_use;              /* the last command that uses @staging */
  gboolean host_valid, device_valid; /* who has the bytes.  Shared memory: host_valid: it is mapped */
  gboolean host_writes;              /* shared memory: it is mapped for writing */
  cl_event mapping;                  /* the command that brings the bytes to @host, until somebody waited for it */
  cl_int failure;                    /* not CL_SUCCESS: nobody knows any more what the bytes are, or when they are there */
} GstClMemory;

G_END_DECLS
