/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The status of OpenCL calls: names, and a log line for each that fails.
 */
#pragma once

#include <gst/gst.h>
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

G_BEGIN_DECLS

/* The name of an OpenCL status, "CL_OUT_OF_RESOURCES" */
const gchar *gst_cl_status_name (cl_int status);

/* Every call of OpenCL goes through this: it evaluates to the status, and a status that is not CL_SUCCESS is logged with its name and
 * place. */
#define GST_CL_CALL(call) gst_cl_log_status ((call), #call, __FILE__, G_STRFUNC, __LINE__)
cl_int gst_cl_log_status (cl_int status, const gchar *call, const gchar *file, const gchar *function, gint line);

/* The same for calls that return their status through a pointer: GST_CL_CREATE (buffer = clCreateBuffer (..., &status), status) */
#define GST_CL_CREATE(call, status) ((void) (call), gst_cl_log_status ((status), #call, __FILE__, G_STRFUNC, __LINE__))

G_END_DECLS
