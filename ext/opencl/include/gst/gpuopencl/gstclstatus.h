/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <gst/gpuopencl/gpuopencl-prelude.h>

G_BEGIN_DECLS

#ifndef __GI_SCANNER__

/**
 * gst_cl_status_name:
 * @status: what a call of OpenCL returned
 *
 * Returns: its name, "CL_OUT_OF_RESOURCES"; "unknown OpenCL status" where it has none
 */
GST_CL_API
const gchar *gst_cl_status_name (cl_int status);

#endif

G_END_DECLS
