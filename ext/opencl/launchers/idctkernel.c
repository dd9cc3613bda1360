/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <string.h>

#include "idctkernel.h"

/* GPU form: work-items of a group, and groups that share a segment.  A segment has up to 2048 4x4 blocks or 4096 lines of 8x8 blocks. */
#define GROUP_SIZE 64
#define GROUPS_PER_SEGMENT 16

/* Launches and what each waits for.  The queue is in order: only the first one needs the wait list. */
typedef struct
{
  cl_command_queue queue;
  const GpuKernelPicture *planes;
  unsigned n_planes;
  cl_uint n_wait;
  const cl_event *wait;
  cl_event event; /* of the last launch */
  unsigned n;     /* kernels enqueued */
} Launches;

int
gpu_idct_options (const GpuKernelDevice *device, const GstGpuPicture *picture, char *buf, size_t size)
{
  if (device->is_cpu)
    return snprintf (buf, size, "-DGPU_CPU%s", device->builtin_prefetch ? " -DGPU_BUILTIN_PREFETCH" : "");
  return snprintf (buf, size, "-DGPU_GROUP_SIZE=%d", GROUP_SIZE);
}

cl_int
gpu_idct_kernels_init (GpuIdctKernels *self, const GpuKernelDevice *device, cl_context context, cl_program program,
    const GstGpuPicture *picture)
{
  cl_int err;

  memset (self, 0, sizeof (*self));
  self->group_size = device->is_cpu ? 1 : GROUP_SIZE;
  self->groups_dc = self->groups_4x4 = self->groups_8x8 = device->is_cpu ? 1 : GROUPS_PER_SEGMENT;
  self->dc = clCreateKernel (program, "gpu_idct_dc", &err);
  if (err == CL_SUCCESS && device->is_cpu)
    self->blocks = clCreateKernel (program, "gpu_idct_blocks", &err);
  if (err == CL_SUCCESS && !device->is_cpu)
    self->blocks_4x4 = clCreateKernel (program, "gpu_idct_4x4", &err);
  if (err == CL_SUCCESS && !device->is_cpu)
    self->blocks_8x8 = clCreateKernel (program, "gpu_idct_8x8", &err);
  if (err != CL_SUCCESS)
    gpu_idct_kernels_clear (self);
  return err;
}

void
gpu_idct_kernels_clear (GpuIdctKernels *self)
{
  cl_kernel kernels[] = { self->dc, self->blocks, self->blocks_4x4, self->blocks_8x8 };

  for (unsigned i = 0; i < sizeof (kernels) / sizeof (kernels[0]); i++)
    if (kernels[i])
      clReleaseKernel (kernels[i]);
  for (unsigned i = 0; i < GPU_IDCT_N_HEVC; i++)
    if (self->hevc[i])
      clReleaseKernel (self->hevc[i]);
  memset (self, 0, sizeof (*self));
}

/* Of the kernels of H.264 */
static cl_int
set_args (cl_kernel kernel, const GpuKernelPicture *planes, unsigned n_planes, cl_uint first_segment)
{
  const GpuKernelPicture *plane_1 = n_planes == 3 ? &planes[1] : planes, *plane_2 = n_planes == 3 ? &planes[2] : planes;
  cl_uint4 mbs_offset = { .s = { (cl_uint) planes->layout.mbs, (cl_uint) plane_1->layout.mbs, (cl_uint) plane_2->layout.mbs, 0 } };
  cl_uint slices_offset = (cl_uint) planes->layout.slices, segments_offset = (cl_uint) planes->layout.segments;
  cl_uint chroma_array_type = planes->params.chroma_array_type;
  const GpuKernelArg args[] = {
    { sizeof (cl_mem), &planes->header },
    { sizeof (cl_uint4), &mbs_offset },
    { sizeof (cl_uint), &slices_offset },
    { sizeof (cl_uint), &segments_offset },
    { sizeof (cl_uint), &first_segment },
    { sizeof (cl_uint), &chroma_array_type },
    { sizeof (cl_mem), &planes->coeffs },
    { sizeof (cl_mem), &planes->dc },
    { sizeof (cl_mem), &plane_1->dc },
    { sizeof (cl_mem), &plane_2->dc },
  };

  return gpu_kernel_set_args (kernel, args, sizeof (args) / sizeof (args[0]));
}

/* Of those of H.265 */
static cl_int
set_hevc_args (cl_kernel kernel, const GpuKernelPicture *picture, cl_uint first_segment)
{
  cl_uint2 bit_depth = { .s = { picture->params.bit_depth_luma, picture->params.bit_depth_chroma } };
  cl_uint segments_offset = (cl_uint) picture->layout.segments;
  const GpuKernelArg args[] = {
    { sizeof (cl_mem), &picture->header },
    { sizeof (cl_uint), &segments_offset },
    { sizeof (cl_uint), &first_segment },
    { sizeof (cl_uint2), &bit_depth },
    { sizeof (cl_mem), &picture->coeffs },
  };

  return gpu_kernel_set_args (kernel, args, sizeof (args) / sizeof (args[0]));
}

/* Enqueues @kernel, whose arguments are set, over segments @first to @end - 1. */
static cl_int
enqueue (Launches *launches, cl_kernel kernel, cl_uint first, cl_uint end, size_t group_size, size_t groups_per_segment)
{
  size_t local[2] = { group_size, 1 }, global[2] = { group_size * groups_per_segment, end - first };
  cl_event event;
  cl_int err;

  err = clEnqueueNDRangeKernel (launches->queue, kernel, 2, NULL, global, local, launches->n_wait, launches->wait, &event);
  if (err != CL_SUCCESS)
    return err;
  if (launches->event)
    clReleaseEvent (launches->event);
  launches->event = event;
  launches->n++;
  launches->n_wait = 0;
  launches->wait = NULL;
  return CL_SUCCESS;
}

static cl_int
launch (Launches *launches, cl_kernel kernel, cl_uint first, cl_uint end, size_t group_size, size_t groups_per_segment)
{
  cl_int err;

  if (first == end)
    return CL_SUCCESS;
  err = set_args (kernel, launches->planes, launches->n_planes, first);
  return err == CL_SUCCESS ? enqueue (launches, kernel, first, end, group_size, groups_per_segment) : err;
}

/* A launch for each kind that the picture has */
static cl_int
launch_hevc (const GpuIdctKernels *self, Launches *launches, const cl_uint *first)
{
  cl_int err = CL_SUCCESS;

  for (unsigned i = 0; i < GPU_IDCT_N_HEVC && err == CL_SUCCESS; i++) {
    cl_uint start = first[GST_GPU_N_H264_KINDS + i], end = first[GST_GPU_N_H264_KINDS + i + 1];

    if (start == end)
      continue;
    err = set_hevc_args (self->hevc[i], launches->planes, start);
    if (err == CL_SUCCESS)
      err = enqueue (launches, self->hevc[i], start, end, self->group_size, self->groups_hevc);
  }
  return err;
}

static cl_int
launch_h264 (const GpuIdctKernels *self, Launches *launches, const cl_uint *first)
{
  size_t group_size = self->group_size;
  /* the kinds of DC groups stand side by side, and so do 4x4 and 8x8: one launch covers them */
  cl_int err = launch (launches, self->dc, first[GST_GPU_KIND_DC4x4], first[GST_GPU_KIND_DC2x4 + 1], group_size, self->groups_dc);

  if (err == CL_SUCCESS && self->blocks)
    err = launch (launches, self->blocks, first[GST_GPU_KIND_4x4], first[GST_GPU_KIND_8x8 + 1], group_size, self->groups_4x4);
  if (err == CL_SUCCESS && self->blocks_4x4)
    err = launch (launches, self->blocks_4x4, first[GST_GPU_KIND_4x4], first[GST_GPU_KIND_4x4 + 1], group_size, self->groups_4x4);
  if (err == CL_SUCCESS && self->blocks_8x8)
    err = launch (launches, self->blocks_8x8, first[GST_GPU_KIND_8x8], first[GST_GPU_KIND_8x8 + 1], group_size, self->groups_8x8);
  return err;
}

/* Whether everything that the kernels take as 32 bits fits, and @first is a table of segments of @n_kinds kinds */
static int
is_valid (const GpuKernelPicture *planes, unsigned n_planes, const cl_uint *first, unsigned n_kinds)
{
  if ((n_planes != 1 && n_planes != 3) || planes->layout.slices > CL_UINT_MAX || planes->layout.segments > CL_UINT_MAX)
    return 0;
  for (unsigned i = 0; i < n_planes; i++)
    if (planes[i].layout.mbs > CL_UINT_MAX)
      return 0;
  for (unsigned kind = 0; kind < n_kinds; kind++)
    if (first[kind] > first[kind + 1])
      return 0;
  return 1;
}

cl_int
gpu_idct_enqueue (GpuIdctKernels *self, cl_command_queue queue, const GpuKernelPicture *planes, unsigned n_planes, const cl_uint *first,
    cl_uint n_wait, const cl_event *wait, cl_event *event, unsigned *n_launches)
{
  Launches launches = { queue, planes, n_planes, n_wait, wait, NULL, 0 };
  int hevc = self->hevc[0] != NULL;
  cl_int err;

  if (!is_valid (planes, n_planes, first, hevc ? GST_GPU_N_KINDS : GST_GPU_N_H264_KINDS))
    return CL_INVALID_VALUE;
  err = hevc ? launch_hevc (self, &launches, first) : launch_h264 (self, &launches, first);
  if (err == CL_SUCCESS && event && !launches.event)
    err = clEnqueueMarkerWithWaitList (queue, n_wait, wait, &launches.event);
  if (err == CL_SUCCESS && event)
    *event = launches.event;
  else if (launches.event)
    clReleaseEvent (launches.event);
  if (n_launches)
    *n_launches = launches.n;
  return err;
}
