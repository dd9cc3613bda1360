/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Not for applications: the members of a context, for this library and its plugins.
 */
#pragma once

#include <gst/gpuopencl/gstclcontext.h>
#include "gstclstatus-private.h"
#include "kernelpicture.h"

G_BEGIN_DECLS

/*
 * @handle: the context, on this one device
 * @device: what kernels and launchers ask about the device
 * @platform_index: its place in the enumeration (the property "platform" of elements)
 * @device_index: its place among the platform's devices (the property "device")
 * @name: CL_DEVICE_NAME
 * @version: platform, device and driver versions, one string: what a program binary depends on
 * @shared_memory: host and device use the same memory, so that mapping moves nothing
 * @max_alloc: CL_DEVICE_MAX_MEM_ALLOC_SIZE
 * @queue: in-order queue for maps by the CPU of memory that no pool owns
 * @programs: those built so far, by cache key, with @programs_lock (gstclprogram.c)
 *
 * All but @programs is written once.
 */
struct _GstClContext
{
  GstObject parent;

  cl_context handle;
  GpuKernelDevice device;
  gint platform_index, device_index;
  gchar *name, *version;
  gboolean shared_memory;
  guint64 max_alloc;
  cl_command_queue queue;

  GMutex programs_lock;
  GHashTable *programs;
};

G_END_DECLS
