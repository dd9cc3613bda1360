/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The enumeration of OpenCL devices: what the properties platform, device and devices of elements count.
 */
#pragma once

#include <gst/gpuopencl/gpuopencl-prelude.h>

G_BEGIN_DECLS

/**
 * gst_cl_devices_enumerate:
 * @value: a value of %GST_TYPE_ARRAY, filled with a #GstStructure a device: "device", platform and device (indices, int), name, type (CPU,
 * GPU, accelerator), version, driver, uuid ("" where the driver tells none) and platform-name.  Empty where there is none.
 *
 * Lists the OpenCL devices, in the order that indices count.
 */
GST_CL_API
void gst_cl_devices_enumerate (GValue *value);

G_END_DECLS
