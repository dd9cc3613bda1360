/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Not for applications: how this library and its plugins call OpenCL.
 */
#pragma once

#include <gst/gpuopencl/gstclstatus.h>

G_BEGIN_DECLS

/* Every call of OpenCL goes through this: it evaluates to the status, and a status that is not CL_SUCCESS is logged with its name and
 * place. */
#define GST_CL_CALL(call) gst_cl_log_status ((call), #call, __FILE__, G_STRFUNC, __LINE__)
GST_CL_API
cl_int gst_cl_log_status (cl_int status, const gchar *call, const gchar *file, const gchar *function, gint line);

/* The same for calls that return their status through a pointer: GST_CL_CREATE (buffer = clCreateBuffer (..., &status), status) */
#define GST_CL_CREATE(call, status) ((void) (call), gst_cl_log_status ((status), #call, __FILE__, G_STRFUNC, __LINE__))

G_END_DECLS
