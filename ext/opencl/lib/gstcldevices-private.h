/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Not for applications: the enumeration of OpenCL devices as OpenCL has it.
 */
#pragma once

#include <gst/gpuopencl/gstcldevices.h>

G_BEGIN_DECLS

/* One device of the enumeration */
typedef struct
{
  gint platform_index, device_index;
  gint gpu_index; /* GPUs before it, of all platforms; -1: it is none */
  cl_platform_id platform;
  cl_device_id device;
  cl_device_type type;
} GstClDeviceEntry;

/* All devices of all platforms, in the drivers' order: GArray of GstClDeviceEntry.  @status: why it is empty. */
GArray *gst_cl_devices_list (cl_int *status);

/* (transfer full): for people: a line a device, "platform=0 device=0: ..."; "" where there is none */
gchar *gst_cl_devices_describe (void);

/* Whether PoCL, the driver for CPUs, is installed.  It may have no device. */
gboolean gst_cl_devices_have_pocl (void);

/* (transfer full): CL_DEVICE_UUID_KHR in 32 small hexadecimal digits; "" where the driver tells none */
gchar *gst_cl_device_uuid (cl_device_id device);

/* (transfer full): a string of the device, "" where it has none */
gchar *gst_cl_device_string (cl_device_id device, cl_device_info info);

G_END_DECLS
