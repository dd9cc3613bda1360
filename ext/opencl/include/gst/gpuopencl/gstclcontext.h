/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A device in use, shared by all elements of the process and the application.
 */
#pragma once

#include <gst/gpuopencl/gpuopencl-prelude.h>

G_BEGIN_DECLS

/**
 * GstClContext:
 *
 * A device in use, with its cl_context.  There is one per device in a process.  Nothing of it changes while it lives.
 */
#define GST_TYPE_CL_CONTEXT (gst_cl_context_get_type ())
GST_CL_API
G_DECLARE_FINAL_TYPE (GstClContext, gst_cl_context, GST, CL_CONTEXT, GstObject)

/**
 * gst_cl_context_new:
 * @platform: index of the enumeration (gst_cl_devices_enumerate()), -1: any
 * @device: index among the platform's devices, -1: any: a GPU, else an accelerator, else a CPU
 * @error: %GST_RESOURCE_ERROR: NOT_FOUND where there is no such device, FAILED where the driver refuses; the message says what to install
 *
 * Opens a device, or finds that it is open in this process already.
 *
 * Returns: (transfer full): its context; %NULL and @error on failure
 */
GST_CL_API
GstClContext *gst_cl_context_new (gint platform, gint device, GError **error);

/**
 * gst_cl_context_new_by_name:
 * @name: (nullable): a part of the device's name, capitals or not; its UUID (32 hexadecimal digits, with hyphens or without); "gpu:N": the
 *   GPU with N GPUs before it; %NULL: any
 * @error: as gst_cl_context_new()
 *
 * Opens a device, or finds that it is open in this process already.  Of several with the name, a GPU, else an accelerator, else a CPU.
 *
 * Returns: (transfer full): its context; %NULL and @error on failure
 */
GST_CL_API
GstClContext *gst_cl_context_new_by_name (const gchar *name, GError **error);

/**
 * gst_cl_context_get_name:
 * @context: a device
 *
 * Returns: (transfer none): CL_DEVICE_NAME
 */
GST_CL_API
const gchar *gst_cl_context_get_name (GstClContext *context);

/**
 * gst_cl_context_get_platform_index:
 * @context: a device
 *
 * Returns: the place of its platform in the enumeration: what the property "platform" of elements means
 */
GST_CL_API
gint gst_cl_context_get_platform_index (GstClContext *context);

/**
 * gst_cl_context_get_device_index:
 * @context: a device
 *
 * Returns: its place among the platform's devices: what the property "device" of elements means
 */
GST_CL_API
gint gst_cl_context_get_device_index (GstClContext *context);

#ifndef __GI_SCANNER__

/**
 * gst_cl_context_get_handle:
 * @context: a device
 *
 * Returns: (transfer none): the cl_context, which has this one device
 */
GST_CL_API
cl_context gst_cl_context_get_handle (GstClContext *context);

/**
 * gst_cl_context_get_device:
 * @context: a device
 *
 * Returns: (transfer none): the cl_device_id
 */
GST_CL_API
cl_device_id gst_cl_context_get_device (GstClContext *context);

/**
 * gst_cl_context_create_queue:
 * @context: a device
 * @error: %GST_RESOURCE_ERROR, FAILED, where the driver refuses
 *
 * Returns: (transfer full): an in-order queue, for clReleaseCommandQueue(); %NULL and @error on failure
 */
GST_CL_API
cl_command_queue gst_cl_context_create_queue (GstClContext *context, GError **error);

#endif

G_END_DECLS
