/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Not for applications: the members of a context, for this library and its plugins.
 */
#pragma once

#include <gst/gpuopencl/gstclcontext.h>
#include "gstcldevicechoice.h"
#include "gstclstatus-private.h"
#include "kernelpicture.h"

G_BEGIN_DECLS

/*
 * @handle: the context, on this one device
 * @device: what kernels and launchers ask about the device
 * @names: what elements ask for it by
 * @version: platform, device and driver versions, one string: what a program binary depends on
 * @shared_memory: host and device use the same memory, so that mapping moves nothing
 * @max_alloc: CL_DEVICE_MAX_MEM_ALLOC_SIZE
 * @queue: in-order queue for maps by the CPU of memory that no pool owns
 * @programs: those built so far, and NULL for those that somebody is building, by cache key, with @programs_lock (gstclprogram.c)
 * @programs_cond: one is built, or cannot be
 *
 * All but @programs is written once.
 */
struct _GstClContext
{
  GstObject parent;

  cl_context handle;
  GpuKernelDevice device;
  GstClDeviceNames names;
  gchar *version;
  gboolean shared_memory;
  guint64 max_alloc;
  cl_command_queue queue;

  GMutex programs_lock;
  GCond programs_cond;
  GHashTable *programs;
};

/* (transfer full) (nullable): as gst_cl_context_new(), by a choice */
GstClContext *gst_cl_context_new_chosen (const GstClDeviceChoice *choice, GError **error);

/* (transfer full) (nullable): as gst_cl_context_create_queue(); @profiling: the events of its commands tell their times */
cl_command_queue gst_cl_context_create_queue_for (GstClContext *context, gboolean profiling, GError **error);

G_END_DECLS
