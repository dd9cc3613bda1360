/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <string.h>

#include "intrascankernel.h"

/* Joined so often 4x4 blocks are macroblocks; on other devices than CPUs the paper's number, with which launches are few and rows small */
#define MACROBLOCK_LEVEL 2
#define GPU_LEVELS 5

int
gpu_intra_scan_options (const GstGpuPicture *picture, int restricted, char *buf, size_t size)
{
  unsigned bytes = picture->bit_depth_luma == 8 && picture->bit_depth_chroma == 8 ? 1 : 2;

  return snprintf (buf, size,
      "-DGPU_EDGE_RECORDS -DGPU_SAMPLE_BYTES=%u -DGPU_DEPTH_LUMA=%u -DGPU_DEPTH_CHROMA=%u "
      "-DGPU_CHROMA_ARRAY_TYPE=%u %s",
      bytes, picture->bit_depth_luma, picture->bit_depth_chroma, picture->chroma_array_type, gpu_edge_scan_options (restricted));
}

const char *
gpu_intra_scan_refuses (const GstGpuPicture *picture)
{
  if (picture->mbaff)
    return "macroblock-adaptive frame and field coding";
  return picture->chroma_array_type == 2 ? "chroma format 4:2:2" : NULL;
}

static cl_int
make_scans (GpuIntraScanKernels *self, cl_context context, cl_program program, const GstGpuPicture *picture, unsigned n_levels)
{
  unsigned width = picture->width_in_mbs * 16, height = picture->height_in_mbs * 16, full = gpu_edge_scan_full_levels (width, height);
  cl_int err;

  if (n_levels == 0)
    n_levels = self->device.is_cpu ? MACROBLOCK_LEVEL : GPU_LEVELS;
  n_levels = n_levels < MACROBLOCK_LEVEL ? MACROBLOCK_LEVEL : n_levels > full ? full : n_levels;
  self->n_levels = n_levels;
  err = gpu_edge_scan_init_sides (&self->luma, context, program, self->restricted, width, height, n_levels, 4, 1);
  if (err == CL_SUCCESS && picture->chroma_array_type == 1)
    err = gpu_edge_scan_init_sides (&self->chroma, context, program, self->restricted, width / 2, height / 2, n_levels - MACROBLOCK_LEVEL,
        8, 0);
  return err;
}

static cl_int
make_memory (GpuIntraScanKernels *self, cl_context context, cl_program program)
{
  size_t size = ((size_t) self->luma.width + 1) * (self->luma.height + 1) * 4;
  cl_int err;

  self->find = clCreateKernel (program, "gpu_edge_find", &err);
  if (err == CL_SUCCESS)
    self->areas = clCreateKernel (program, "gpu_edge_areas", &err);
  if (err == CL_SUCCESS)
    self->plane = clCreateBuffer (context, CL_MEM_READ_WRITE, size, NULL, &err);
  if (err == CL_SUCCESS)
    self->found = clCreateBuffer (context, CL_MEM_READ_WRITE, sizeof (cl_int), NULL, &err);
  return err;
}

cl_int
gpu_intra_scan_kernels_init (GpuIntraScanKernels *self, const GpuKernelDevice *device, cl_context context, cl_program program,
    const GstGpuPicture *picture, int restricted, unsigned n_levels)
{
  cl_int err;

  memset (self, 0, sizeof (*self));
  self->device = *device;
  self->restricted = restricted;
  err = make_scans (self, context, program, picture, n_levels);
  if (err == CL_SUCCESS)
    err = make_memory (self, context, program);
  if (err != CL_SUCCESS)
    gpu_intra_scan_kernels_clear (self);
  return err;
}

void
gpu_intra_scan_kernels_clear (GpuIntraScanKernels *self)
{
  gpu_edge_scan_clear (&self->luma);
  gpu_edge_scan_clear (&self->chroma);
  if (self->find)
    clReleaseKernel (self->find);
  if (self->areas)
    clReleaseKernel (self->areas);
  if (self->plane)
    clReleaseMemObject (self->plane);
  if (self->found)
    clReleaseMemObject (self->found);
  memset (self, 0, sizeof (*self));
}

/* Arguments that all kernels on records begin or go on with: PICTURE_PARAMETERS */
#define PICTURE_ARGS(picture, offset)                                                                                               \
  GPU_ARG ((picture)->params), GPU_ARG ((picture)->header), GPU_ARG (offset), GPU_ARG ((picture)->coeffs), GPU_ARG ((picture)->dc), \
      GPU_ARG ((picture)->surface)
#define N_PICTURE_ARGS 6

static cl_int
read_found (GpuIntraScanKernels *self, cl_command_queue queue, unsigned *found)
{
  cl_int bits, err = clEnqueueReadBuffer (queue, self->found, CL_TRUE, 0, sizeof (bits), &bits, 0, NULL, NULL);

  *found = err == CL_SUCCESS ? (unsigned) bits : 0;
  return err;
}

/* What the picture has; the first command, which waits for what there is to wait for */
static cl_int
find (GpuIntraScanKernels *self, GpuLaunches *launches, const GpuKernelPicture *picture, cl_uint n_wait, const cl_event *wait,
    unsigned *found)
{
  size_t global[3] = { (size_t) picture->params.width_in_mbs * picture->params.height_in_mbs, 1, 1 };
  cl_ulong offset = picture->layout.mbs;
  cl_int zero = 0, err;

  err = clEnqueueFillBuffer (launches->queue, self->found, &zero, sizeof (zero), 0, sizeof (zero), n_wait, n_wait ? wait : NULL, NULL);
  if (err != CL_SUCCESS)
    return err;
  gpu_launches_add (launches, self->find, global, N_PICTURE_ARGS + 1, PICTURE_ARGS (picture, offset), GPU_ARG (self->found));
  return launches->err == CL_SUCCESS ? read_found (self, launches->queue, found) : launches->err;
}

static void
scan_plane (GpuIntraScanKernels *self, GpuEdgeScan *scan, GpuLaunches *launches, const GpuKernelPicture *picture, cl_uint plane)
{
  unsigned area_level = scan == &self->luma ? MACROBLOCK_LEVEL : 0;
  GpuEdgeLevel *bottom = &scan->levels[0], *areas = &scan->levels[area_level];
  cl_ulong offset = picture->layout.mbs;
  cl_uint width = scan->width, height = scan->height;
  size_t rows[3] = { 2 * bottom->side, bottom->width, bottom->height }, area_rows[3] = { 2 * areas->side, areas->width, areas->height };
  size_t blocks[3] = { width / 4, height / 4, 1 };

  if (area_level > 0)
    gpu_launches_add (launches, scan->blocks, rows, N_PICTURE_ARGS + 5, GPU_ARG (*bottom), PICTURE_ARGS (picture, offset), GPU_ARG (plane),
        GPU_ARG (scan->runs), GPU_ARG (scan->constants), GPU_ARG (scan->weights));
  gpu_edge_scan_sweep_up (scan, launches, 0, area_level);
  gpu_launches_add (launches, self->areas, area_rows, N_PICTURE_ARGS + 5, GPU_ARG (*areas), PICTURE_ARGS (picture, offset), GPU_ARG (plane),
      GPU_ARG (scan->runs), GPU_ARG (scan->constants), GPU_ARG (scan->weights));
  gpu_edge_scan_sweep_up (scan, launches, area_level, scan->n_levels);
  gpu_edge_scan_sweep_down (scan, launches, self->plane);
  gpu_launches_add (launches, scan->inner, blocks, N_PICTURE_ARGS + 5, PICTURE_ARGS (picture, offset), GPU_ARG (plane),
      GPU_ARG (self->plane), GPU_ARG (width), GPU_ARG (height), GPU_ARG (self->found));
}

/* The plane's zeros: planes of two sizes take turns in it */
static cl_int
clear_plane (GpuIntraScanKernels *self, const GpuEdgeScan *scan, GpuLaunches *launches)
{
  size_t size = ((size_t) scan->width + 1) * (scan->height + 1) * 4;
  cl_int zero = 0;

  return clEnqueueFillBuffer (launches->queue, self->plane, &zero, sizeof (zero), 0, size, 0, NULL, NULL);
}

static cl_int
scan_planes (GpuIntraScanKernels *self, GpuLaunches *launches, const GpuKernelPicture *picture, unsigned found)
{
  unsigned n_planes = picture->params.chroma_array_type ? 3 : 1, height = picture->params.height_in_mbs * 16;
  int above_right = found & GPU_INTRA_SCAN_ABOVE_RIGHT;

  gpu_edge_scan_set_height (&self->luma, height);
  if (picture->params.chroma_array_type == 1)
    gpu_edge_scan_set_height (&self->chroma, height / 2);
  self->luma.n_levels = above_right ? MACROBLOCK_LEVEL : self->n_levels;
  self->luma.slope = above_right ? 2 : 1;
  for (cl_uint plane = 0; plane < n_planes && launches->err == CL_SUCCESS; plane++) {
    GpuEdgeScan *scan = plane && picture->params.chroma_array_type == 1 ? &self->chroma : &self->luma;

    launches->err = clear_plane (self, scan, launches);
    if (launches->err == CL_SUCCESS)
      scan_plane (self, scan, launches, picture, plane);
  }
  return launches->err;
}

cl_int
gpu_intra_scan_enqueue (GpuIntraScanKernels *self, cl_command_queue queue, const GpuKernelPicture *picture, cl_uint n_wait,
    const cl_event *wait, cl_event *event, unsigned *n_launches, unsigned *found)
{
  GpuLaunches launches = { .queue = queue, .is_cpu = self->device.is_cpu };
  cl_int err;

  *found = 0;
  if (gpu_intra_scan_refuses (&picture->params))
    return CL_INVALID_OPERATION;
  err = find (self, &launches, picture, n_wait, wait, found);
  if (err == CL_SUCCESS && (*found & GPU_INTRA_SCAN_REFUSED))
    err = CL_INVALID_OPERATION;
  if (err == CL_SUCCESS && (*found & GPU_INTRA_SCAN_INTRA))
    err = scan_planes (self, &launches, picture, *found);
  if (err == CL_SUCCESS && self->restricted)
    err = read_found (self, queue, found);
  if (err == CL_SUCCESS)
    err = clEnqueueMarkerWithWaitList (queue, 0, NULL, event);
  if (n_launches)
    *n_launches = launches.n_launches;
  return err;
}
