/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What all headers of this library begin with: OpenCL's own header, and the export of symbols.
 */
#pragma once

#include <gst/gst.h>

/* Bindings have no types of OpenCL: functions that use them are left out of the introspection data, and so is OpenCL's header, which the
 * scanner cannot read. */
#ifndef __GI_SCANNER__
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>
#endif

#include <gst/gpuopencl/gstclversion.h>

#ifdef BUILDING_GST_GPU_OPENCL
#define GST_CL_API GST_API_EXPORT
#else
#define GST_CL_API GST_API_IMPORT
#endif
