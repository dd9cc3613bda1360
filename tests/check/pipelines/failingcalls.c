/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <dlfcn.h>
#include <CL/cl.h>

#include "failingcalls.h"

static gint n_calls; /* atomic */
static FailingMode mode;
static gint failing_number;
static const gchar *first_failed;

void
failing_calls_begin (FailingMode new_mode, gint number)
{
  mode = new_mode;
  failing_number = number;
  first_failed = NULL;
  g_atomic_int_set (&n_calls, 0);
}

gint
failing_calls_end (const gchar **name)
{
  mode = FAILING_NONE;
  *name = first_failed;
  return g_atomic_int_get (&n_calls);
}

/* CL_SUCCESS, or what this call of function @name fails with */
static cl_int
next_status (const gchar *name)
{
  const gint number = g_atomic_int_add (&n_calls, 1);

  if (mode == FAILING_NONE || number < failing_number || (mode == FAILING_ONE && number > failing_number))
    return CL_SUCCESS;
  if (number == failing_number)
    first_failed = name;
  return mode == FAILING_ONE ? CL_OUT_OF_RESOURCES : CL_DEVICE_NOT_AVAILABLE;
}

/* The function of the library */
#define NEXT(name) ((__typeof__ (&name)) dlsym (RTLD_NEXT, #name))

#define RETURNS_STATUS(name, parameters, arguments)               \
  cl_int CL_API_CALL name parameters                              \
  {                                                               \
    const cl_int status = next_status (#name);                    \
                                                                  \
    return status == CL_SUCCESS ? NEXT (name) arguments : status; \
  }

#define RELEASES(name, type)                         \
  cl_int CL_API_CALL name (type object)              \
  {                                                  \
    const cl_int status = next_status (#name);       \
    const cl_int released = NEXT (name) (object);    \
                                                     \
    return status == CL_SUCCESS ? released : status; \
  }

#define CREATES(type, name, parameters, arguments) \
  type CL_API_CALL name parameters                 \
  {                                                \
    const cl_int status = next_status (#name);     \
                                                   \
    if (status == CL_SUCCESS)                      \
      return NEXT (name) arguments;                \
    if (errcode_ret)                               \
      *errcode_ret = status;                       \
    return NULL;                                   \
  }

#define WAIT cl_uint n_wait, const cl_event *wait, cl_event *event
#define INFO size_t size, void *value, size_t *size_ret

RETURNS_STATUS (clGetPlatformIDs, (cl_uint n, cl_platform_id *platforms, cl_uint *n_ret), (n, platforms, n_ret))
RETURNS_STATUS (clGetPlatformInfo, (cl_platform_id platform, cl_platform_info name, INFO), (platform, name, size, value, size_ret))
RETURNS_STATUS (clGetDeviceIDs, (cl_platform_id platform, cl_device_type type, cl_uint n, cl_device_id *devices, cl_uint *n_ret),
    (platform, type, n, devices, n_ret))
RETURNS_STATUS (clGetDeviceInfo, (cl_device_id device, cl_device_info name, INFO), (device, name, size, value, size_ret))
RETURNS_STATUS (clRetainCommandQueue, (cl_command_queue queue), (queue))
RETURNS_STATUS (clRetainProgram, (cl_program program), (program))
RETURNS_STATUS (clRetainEvent, (cl_event event), (event))
RETURNS_STATUS (clSetMemObjectDestructorCallback, (cl_mem memory, void (CL_CALLBACK *notify) (cl_mem, void *), void *data),
    (memory, notify, data))
RETURNS_STATUS (clBuildProgram,
    (cl_program program, cl_uint n, const cl_device_id *devices, const char *options, void (CL_CALLBACK *notify) (cl_program, void *),
        void *data),
    (program, n, devices, options, notify, data))
RETURNS_STATUS (clGetProgramInfo, (cl_program program, cl_program_info name, INFO), (program, name, size, value, size_ret))
RETURNS_STATUS (clGetProgramBuildInfo, (cl_program program, cl_device_id device, cl_program_build_info name, INFO),
    (program, device, name, size, value, size_ret))
RETURNS_STATUS (clSetKernelArg, (cl_kernel kernel, cl_uint index, size_t size, const void *value), (kernel, index, size, value))
RETURNS_STATUS (clWaitForEvents, (cl_uint n, const cl_event *events), (n, events))
RETURNS_STATUS (clGetEventInfo, (cl_event event, cl_event_info name, INFO), (event, name, size, value, size_ret))
RETURNS_STATUS (clGetEventProfilingInfo, (cl_event event, cl_profiling_info name, INFO), (event, name, size, value, size_ret))
RETURNS_STATUS (clFlush, (cl_command_queue queue), (queue))
RETURNS_STATUS (clFinish, (cl_command_queue queue), (queue))
RETURNS_STATUS (clEnqueueReadBuffer,
    (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, void *host, WAIT),
    (queue, buffer, blocking, offset, size, host, n_wait, wait, event))
RETURNS_STATUS (clEnqueueWriteBuffer,
    (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, const void *host, WAIT),
    (queue, buffer, blocking, offset, size, host, n_wait, wait, event))
RETURNS_STATUS (clEnqueueCopyBuffer,
    (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t size, WAIT),
    (queue, from, to, from_offset, to_offset, size, n_wait, wait, event))
RETURNS_STATUS (clEnqueueFillBuffer,
    (cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_size, size_t offset, size_t size, WAIT),
    (queue, buffer, pattern, pattern_size, offset, size, n_wait, wait, event))
RETURNS_STATUS (clEnqueueUnmapMemObject, (cl_command_queue queue, cl_mem memory, void *host, WAIT),
    (queue, memory, host, n_wait, wait, event))
RETURNS_STATUS (clEnqueueNDRangeKernel,
    (cl_command_queue queue, cl_kernel kernel, cl_uint n_dimensions, const size_t *offset, const size_t *global, const size_t *local, WAIT),
    (queue, kernel, n_dimensions, offset, global, local, n_wait, wait, event))
RETURNS_STATUS (clEnqueueMarkerWithWaitList, (cl_command_queue queue, WAIT), (queue, n_wait, wait, event))

RELEASES (clReleaseCommandQueue, cl_command_queue)
RELEASES (clReleaseContext, cl_context)
RELEASES (clReleaseEvent, cl_event)
RELEASES (clReleaseKernel, cl_kernel)
RELEASES (clReleaseMemObject, cl_mem)
RELEASES (clReleaseProgram, cl_program)

CREATES (cl_context, clCreateContext,
    (const cl_context_properties *properties, cl_uint n, const cl_device_id *devices,
        void (CL_CALLBACK *notify) (const char *, const void *, size_t, void *), void *data, cl_int *errcode_ret),
    (properties, n, devices, notify, data, errcode_ret))
CREATES (cl_command_queue, clCreateCommandQueue,
    (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *errcode_ret),
    (context, device, properties, errcode_ret))
CREATES (cl_mem, clCreateBuffer, (cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *errcode_ret),
    (context, flags, size, host, errcode_ret))
CREATES (cl_program, clCreateProgramWithSource,
    (cl_context context, cl_uint n, const char **strings, const size_t *lengths, cl_int *errcode_ret),
    (context, n, strings, lengths, errcode_ret))
CREATES (cl_program, clCreateProgramWithBinary,
    (cl_context context, cl_uint n, const cl_device_id *devices, const size_t *lengths, const unsigned char **binaries, cl_int *status_ret,
        cl_int *errcode_ret),
    (context, n, devices, lengths, binaries, status_ret, errcode_ret))
CREATES (cl_kernel, clCreateKernel, (cl_program program, const char *name, cl_int *errcode_ret), (program, name, errcode_ret))
CREATES (void *, clEnqueueMapBuffer,
    (cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags, size_t offset, size_t size, WAIT, cl_int *errcode_ret),
    (queue, buffer, blocking, flags, offset, size, n_wait, wait, event, errcode_ret))
