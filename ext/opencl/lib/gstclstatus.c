/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstclstatus-private.h"

GST_DEBUG_CATEGORY_STATIC (gst_cl_status_debug);

static const struct
{
  cl_int status;
  const gchar *name;
} status_names[] = {
#define STATUS(name) \
  {                  \
    name, #name      \
  }
  STATUS (CL_SUCCESS),
  STATUS (CL_DEVICE_NOT_FOUND),
  STATUS (CL_DEVICE_NOT_AVAILABLE),
  STATUS (CL_COMPILER_NOT_AVAILABLE),
  STATUS (CL_MEM_OBJECT_ALLOCATION_FAILURE),
  STATUS (CL_OUT_OF_RESOURCES),
  STATUS (CL_OUT_OF_HOST_MEMORY),
  STATUS (CL_PROFILING_INFO_NOT_AVAILABLE),
  STATUS (CL_MEM_COPY_OVERLAP),
  STATUS (CL_BUILD_PROGRAM_FAILURE),
  STATUS (CL_MAP_FAILURE),
  STATUS (CL_MISALIGNED_SUB_BUFFER_OFFSET),
  STATUS (CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
  STATUS (CL_COMPILE_PROGRAM_FAILURE),
  STATUS (CL_LINKER_NOT_AVAILABLE),
  STATUS (CL_LINK_PROGRAM_FAILURE),
  STATUS (CL_KERNEL_ARG_INFO_NOT_AVAILABLE),
  STATUS (CL_INVALID_VALUE),
  STATUS (CL_INVALID_DEVICE_TYPE),
  STATUS (CL_INVALID_PLATFORM),
  STATUS (CL_INVALID_DEVICE),
  STATUS (CL_INVALID_CONTEXT),
  STATUS (CL_INVALID_QUEUE_PROPERTIES),
  STATUS (CL_INVALID_COMMAND_QUEUE),
  STATUS (CL_INVALID_HOST_PTR),
  STATUS (CL_INVALID_MEM_OBJECT),
  STATUS (CL_INVALID_BINARY),
  STATUS (CL_INVALID_BUILD_OPTIONS),
  STATUS (CL_INVALID_PROGRAM),
  STATUS (CL_INVALID_PROGRAM_EXECUTABLE),
  STATUS (CL_INVALID_KERNEL_NAME),
  STATUS (CL_INVALID_KERNEL_DEFINITION),
  STATUS (CL_INVALID_KERNEL),
  STATUS (CL_INVALID_ARG_INDEX),
  STATUS (CL_INVALID_ARG_VALUE),
  STATUS (CL_INVALID_ARG_SIZE),
  STATUS (CL_INVALID_KERNEL_ARGS),
  STATUS (CL_INVALID_WORK_DIMENSION),
  STATUS (CL_INVALID_WORK_GROUP_SIZE),
  STATUS (CL_INVALID_WORK_ITEM_SIZE),
  STATUS (CL_INVALID_GLOBAL_OFFSET),
  STATUS (CL_INVALID_EVENT_WAIT_LIST),
  STATUS (CL_INVALID_EVENT),
  STATUS (CL_INVALID_OPERATION),
  STATUS (CL_INVALID_BUFFER_SIZE),
  STATUS (CL_INVALID_GLOBAL_WORK_SIZE),
  STATUS (CL_INVALID_PROPERTY),
  STATUS (CL_INVALID_COMPILER_OPTIONS),
  STATUS (CL_INVALID_LINKER_OPTIONS),
  STATUS (CL_INVALID_DEVICE_PARTITION_COUNT),
#undef STATUS
  { -1001, "CL_PLATFORM_NOT_FOUND_KHR" },
};

const gchar *
gst_cl_status_name (cl_int status)
{
  for (guint i = 0; i < G_N_ELEMENTS (status_names); i++)
    if (status_names[i].status == status)
      return status_names[i].name;

  return "unknown OpenCL status";
}

static gpointer
register_debug_category (gpointer unused)
{
  GST_DEBUG_CATEGORY_INIT (gst_cl_status_debug, "opencl", 0, "calls of OpenCL");

  return NULL;
}

cl_int
gst_cl_log_status (cl_int status, const gchar *call, const gchar *file, const gchar *function, gint line)
{
  static GOnce once = G_ONCE_INIT;

  if (G_UNLIKELY (status != CL_SUCCESS)) {
    g_once (&once, register_debug_category, NULL);
    gst_debug_log (gst_cl_status_debug, GST_LEVEL_WARNING, file, function, line, NULL, "%s (%d): %s", gst_cl_status_name (status), status,
        call);
  }

  return status;
}
