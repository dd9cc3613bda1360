/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Pictures in memory of an OpenCL device, for applications: all public headers.
 */
#pragma once

#include <gst/gpuopencl/gpuopencl-prelude.h>
#include <gst/gpuopencl/gstclcontext.h>
#include <gst/gpuopencl/gstcldevices.h>
#include <gst/gpuopencl/gstcldiscovery.h>
#include <gst/gpuopencl/gstclmemory.h>
#include <gst/gpuopencl/gstclstatus.h>
#include <gst/gpuopencl/gstclwaitlist.h>
