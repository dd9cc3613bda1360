/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A device in use, shared by all elements of the process, and how they come to the same one (GstContext).
 */
#pragma once

#include <gst/gst.h>
#include "gstclstatus.h"
#include "kernelpicture.h"

G_BEGIN_DECLS

/* The type of the GstContext that carries a GstClContext, in the field "context" */
#define GST_CL_CONTEXT_TYPE "gst.opencl.context"

#define GST_TYPE_CL_CONTEXT (gst_cl_context_get_type ())
G_DECLARE_FINAL_TYPE (GstClContext, gst_cl_context, GST, CL_CONTEXT, GstObject)

/**
 * GstClContext:
 * @handle: the context, on this one device
 * @device: what kernels and launchers ask about the device
 * @platform_index: its place in the enumeration (the property "platform" of elements)
 * @device_index: its place among the platform's devices (the property "device")
 * @name: CL_DEVICE_NAME
 * @version: platform, device and driver versions, one string: what a program binary depends on
 * @shared_memory: host and device use the same memory, so that mapping moves nothing
 * @max_alloc: CL_DEVICE_MAX_MEM_ALLOC_SIZE
 * @queue: in-order queue for maps by the CPU of memory that no pool owns
 *
 * A device in use.  There is one per device in a process.  Everything is written once.
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

  /*< private > */
  GMutex programs_lock;
  GHashTable *programs;         /* cache key: cl_program */
};

/* (transfer full): the context of a device.  @platform and @device are indices of the enumeration, -1: any; any device means a GPU, else an
 * accelerator, else a CPU.  Error domain GST_RESOURCE_ERROR: NOT_FOUND where there is no such device, FAILED where the driver refuses; the
 * message says what to install. */
GstClContext *gst_cl_context_new (gint platform, gint device, GError **error);

/* An in-order queue; NULL and @error on failure */
cl_command_queue gst_cl_context_create_queue (GstClContext *context, GError **error);

/* Discovery, for the change NULL to READY, in three steps: the context that @element has, one that a neighbour or the application has, a
 * new one, which is announced to them.  With @create FALSE the third is left out, and a missing context is no error.  Posts its own element
 * error.
 * @platform, @device: as the properties; a context of another device is not taken. */
gboolean gst_cl_context_ensure (GstElement *element, gint platform, gint device, gboolean create, GstClContext **context);

/* For GstElementClass::set_context: takes the context into *@context if it is of the type and device asked for. */
void gst_cl_context_handle_set_context (GstElement *element, GstContext *new_context, gint platform, gint device, GstClContext **context);

/* For the pads' query functions: TRUE where @query asks for this type and was answered. */
gboolean gst_cl_context_handle_query (GstElement *element, GstQuery *query, GstClContext *context);

G_END_DECLS
