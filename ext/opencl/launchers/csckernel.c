/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "csckernel.h"
#include "cscparams.h"

/* An affine map of three components */
typedef struct
{
  double m[3][3];
  double offset[3];
} Affine;

static int
has_chroma_grid (const GpuCscFormat *format)
{
  return !format->rgb && format->n_components == 3 && format->h_sub;
}

static int
format_supported (const GpuCscFormat *format)
{
  if (format->width < 1 || format->width > GPU_CSC_MAX_SIZE || format->height < 1 || format->height > GPU_CSC_MAX_SIZE)
    return 0;
  if (format->depth < 8 || format->depth > 16 || format->n_planes < 1 || format->n_planes > GPU_CSC_PLANES)
    return 0;
  if (format->h_sub > 1 || format->v_sub > format->h_sub || (format->rgb && format->h_sub) || format->site_x > 4 || format->site_y > 4)
    return 0;
  if (!format->rgb && !(format->kr > 0 && format->kb > 0 && format->kr + format->kb < 1))
    return 0;
  for (unsigned i = 0; i < format->n_planes; i++) {
    unsigned bytes = format->word_bytes[i];

    if ((bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) || format->offset[i] % bytes || format->stride[i] % bytes)
      return 0;
  }
  for (unsigned k = 0; k < 4; k++)
    if (format->plane[k] >= format->n_planes && (k < format->n_components || (k == 3 && format->alpha)))
      return 0;
  return format->n_components == 1 || format->n_components == 3;
}

int
gpu_csc_supported (const GpuCscFormat *in, const GpuCscFormat *out)
{
  return format_supported (in) && format_supported (out) && in->width == out->width && in->height == out->height;
}

/* Sample values of 0, and of the distance from 0 to 1 (ITU-T H.273, 8.3) */
static void
levels (const GpuCscFormat *format, unsigned k, double *zero, double *one)
{
  unsigned unit = 1u << (format->depth - 8);
  int chroma = !format->rgb && k > 0;

  *zero = chroma ? 128.0 * unit : format->full_range ? 0 : 16.0 * unit;
  *one = format->full_range ? 256.0 * unit - 1 : chroma ? 224.0 * unit : 219.0 * unit;
}

static void
matrix_to_rgb (const GpuCscFormat *format, double m[3][3])
{
  double kr = format->kr, kb = format->kb, kg = 1 - kr - kb;
  double to_rgb[3][3] = {
    { 1, 0, 2 * (1 - kr) },
    { 1, -2 * (1 - kb) * kb / kg, -2 * (1 - kr) * kr / kg },
    { 1, 2 * (1 - kb), 0 },
  };

  memcpy (m, to_rgb, sizeof (to_rgb));
}

static void
matrix_from_rgb (const GpuCscFormat *format, double m[3][3])
{
  double kr = format->kr, kb = format->kb, kg = 1 - kr - kb, db = 2 * (1 - kb), dr = 2 * (1 - kr);
  double from_rgb[3][3] = {
    { kr, kg, kb },
    { -kr / db, -kg / db, 0.5 },
    { 0.5, -kg / dr, -kb / dr },
  };

  memcpy (m, from_rgb, sizeof (from_rgb));
}

static void
multiply (double product[3][3], double a[3][3], double b[3][3])
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      product[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
}

/* Luma alone has no matrix: it takes the other side's. */
static int
is_diagonal (const GpuCscFormat *in, const GpuCscFormat *out)
{
  if (in->rgb || out->rgb)
    return in->rgb == out->rgb;
  return in->n_components == 1 || out->n_components == 1 || (in->kr == out->kr && in->kb == out->kb);
}

/* The matrix of normalised components */
static void
normalised_matrix (const GpuCscFormat *in, const GpuCscFormat *out, double m[3][3])
{
  static const double identity[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  double to_rgb[3][3], from_rgb[3][3];

  memcpy (m, identity, sizeof (identity));
  if (is_diagonal (in, out))
    return;
  if (out->rgb) {
    matrix_to_rgb (in, m);
  } else if (in->rgb) {
    matrix_from_rgb (out, m);
  } else {
    matrix_to_rgb (in, to_rgb);
    matrix_from_rgb (out, from_rgb);
    multiply (m, from_rgb, to_rgb);
  }
}

/* The map from sample values to sample values.  The chroma of luma alone is neutral: no columns for it. */
static void
sample_map (const GpuCscFormat *in, const GpuCscFormat *out, Affine *map)
{
  double m[3][3], zero_in, one_in, zero_out, one_out;

  normalised_matrix (in, out, m);
  for (unsigned k = 0; k < 3; k++) {
    levels (out, k, &zero_out, &one_out);
    map->offset[k] = zero_out;
    for (unsigned j = 0; j < 3; j++) {
      levels (in, j, &zero_in, &one_in);
      map->m[k][j] = j < in->n_components ? m[k][j] * one_out / one_in : 0;
      map->offset[k] -= map->m[k][j] * zero_in;
    }
  }
}

static int
same_chroma_grid (const GpuCscFormat *in, const GpuCscFormat *out)
{
  if (in->rgb || (in->h_sub == 0 && out->h_sub == 0))
    return 1;
  return in->h_sub == out->h_sub && in->v_sub == out->v_sub && in->site_x == out->site_x && (!in->v_sub || in->site_y == out->site_y);
}

/* CSC_MAP_COPY: every component keeps its value, but for a power of two */
static int
is_copy (const GpuCscFormat *in, const GpuCscFormat *out)
{
  double scale = ldexp (1, out->depth - in->depth);
  Affine map;

  if (!is_diagonal (in, out) || (out->n_components == 3 && (in->n_components == 1 || !same_chroma_grid (in, out))))
    return 0;
  sample_map (in, out, &map);
  for (unsigned k = 0; k < out->n_components; k++)
    if (fabs (map.m[k][k] - scale) > 1e-12 || fabs (map.offset[k]) > 1e-9)
      return 0;
  return 1;
}

int
gpu_csc_same (const GpuCscFormat *in, const GpuCscFormat *out)
{
  if (!is_copy (in, out) || in->depth != out->depth || in->n_planes != out->n_planes || in->n_components != out->n_components)
    return 0;
  if (in->alpha != out->alpha || memcmp (in->word_bytes, out->word_bytes, in->n_planes) != 0)
    return 0;
  for (unsigned k = 0; k < 4; k++)
    if ((k < in->n_components || (k == 3 && in->alpha)) && (in->plane[k] != out->plane[k] || in->shift[k] != out->shift[k]))
      return 0;
  return 1;
}

static void
layout_init (CscLayout *layout, const GpuCscFormat *format)
{
  memset (layout, 0, sizeof (*layout));
  layout->rgb = format->rgb;
  layout->n_components = format->n_components;
  layout->alpha = format->alpha;
  layout->depth = format->depth;
  layout->h_sub = has_chroma_grid (format) ? format->h_sub : 0;
  layout->v_sub = has_chroma_grid (format) ? format->v_sub : 0;
  for (unsigned i = 0; i < 4; i++) {
    layout->word_bytes[i] = i < format->n_planes ? format->word_bytes[i] : 1;
    layout->plane[i] = i < format->n_components || (i == 3 && format->alpha) ? format->plane[i] : 0;
    layout->shift[i] = i < format->n_components || (i == 3 && format->alpha) ? format->shift[i] : 0;
  }
}

static void
mode_init (CscMode *mode, const GpuCscFormat *in, const GpuCscFormat *out)
{
  if (is_copy (in, out))
    mode->map = CSC_MAP_COPY;
  else if (is_diagonal (in, out))
    mode->map = CSC_MAP_DIAGONAL;
  else
    mode->map = out->rgb ? CSC_MAP_YUV_TO_RGB : CSC_MAP_FULL;
  mode->in_site_x = has_chroma_grid (in) ? in->site_x : 0;
  mode->out_site_x = has_chroma_grid (out) ? out->site_x : 0;
}

static int
print_layout (char *buf, size_t size, const char *name, const GpuCscFormat *format)
{
  CscLayout l;

  layout_init (&l, format);
  return snprintf (buf, size, " -D%s=%u,%u,%u,%u,%u,%u,{%u,%u,%u,%u},{%u,%u,%u,%u},{%u,%u,%u,%u}", name, l.rgb, l.n_components, l.alpha,
      l.depth, l.h_sub, l.v_sub, l.word_bytes[0], l.word_bytes[1], l.word_bytes[2], l.word_bytes[3], l.plane[0], l.plane[1], l.plane[2],
      l.plane[3], l.shift[0], l.shift[1], l.shift[2], l.shift[3]);
}

int
gpu_csc_options (const GpuKernelDevice *device, const GpuCscFormat *in, const GpuCscFormat *out, char *buf, size_t size)
{
  char in_layout[160], out_layout[160], mode_option[64];
  CscMode mode;

  if (!in || !out)
    return snprintf (buf, size, "%s", device->is_cpu ? "-DCSC_CPU" : "");
  mode_init (&mode, in, out);
  print_layout (in_layout, sizeof (in_layout), "CSC_IN", in);
  print_layout (out_layout, sizeof (out_layout), "CSC_OUT", out);
  snprintf (mode_option, sizeof (mode_option), " -DCSC_MODE=%u,%u,%u", mode.map, mode.in_site_x, mode.out_site_x);
  return snprintf (buf, size, "%s%s%s%s", device->is_cpu ? "-DCSC_CPU" : "", in_layout, out_layout, mode_option);
}

/* RGBA, BGRA, RGBx, BGRx */
static int
is_common_rgb (const GpuCscFormat *format)
{
  return format->rgb && format->n_planes == 1 && format->depth == 8 && format->shift[3] == 24;
}

/* 8 or 10 bits, Cb before Cr */
static int
is_common_yuv (const GpuCscFormat *format)
{
  return has_chroma_grid (format) && (format->depth == 8 || format->depth == 10)
      && (format->n_planes == 3 ? format->plane[1] == 1 : format->shift[1] < format->shift[2]);
}

int
gpu_csc_is_common (const GpuCscFormat *in, const GpuCscFormat *out)
{
  return (is_common_rgb (in) || is_common_yuv (in)) && (is_common_rgb (out) || (is_common_yuv (out) && out->v_sub));
}

static void
params_init (CscParams *params, const GpuCscFormat *in, const GpuCscFormat *out)
{
  Affine map;

  memset (params, 0, sizeof (*params));
  params->width = in->width;
  params->height = in->height;
  params->in_site_y = in->v_sub ? in->site_y : 0;
  params->out_site_y = out->v_sub ? out->site_y : 0;
  for (unsigned i = 0; i < 4; i++) {
    params->in_offset[i] = in->offset[i];
    params->in_stride[i] = in->stride[i];
    params->out_offset[i] = out->offset[i];
    params->out_stride[i] = out->stride[i];
  }
  sample_map (in, out, &map);
  for (unsigned k = 0; k < 3; k++) {
    params->offset[k] = (float) (map.offset[k] + 0.5);
    for (unsigned j = 0; j < 3; j++)
      params->matrix[3 * k + j] = (float) map.m[k][j];
  }
  params->alpha_scale = (float) (((1u << out->depth) - 1) / (double) ((1u << in->depth) - 1));
  layout_init (&params->in, in);
  layout_init (&params->out, out);
  mode_init (&params->mode, in, out);
}

cl_int
gpu_csc_kernels_init (GpuCscKernels *self, const GpuKernelDevice *device, cl_program program)
{
  cl_int err;

  memset (self, 0, sizeof (*self));
  self->is_cpu = device->is_cpu;
  self->compute_units = device->compute_units > 0 ? device->compute_units : 1;
  self->kernel = clCreateKernel (program, "csc", &err);
  return err;
}

static cl_int
set_arguments (GpuCscKernels *self, const GpuCscFormat *in, const cl_mem in_planes[GPU_CSC_PLANES], const GpuCscFormat *out,
    const cl_mem out_planes[GPU_CSC_PLANES], const CscParams *params)
{
  cl_int err = CL_SUCCESS;

  for (cl_uint i = 0; i < GPU_CSC_PLANES && err == CL_SUCCESS; i++)
    err = clSetKernelArg (self->kernel, i, sizeof (cl_mem), &in_planes[i < in->n_planes ? i : 0]);
  for (cl_uint i = 0; i < GPU_CSC_PLANES && err == CL_SUCCESS; i++)
    err = clSetKernelArg (self->kernel, GPU_CSC_PLANES + i, sizeof (cl_mem), &out_planes[i < out->n_planes ? i : 0]);
  if (err == CL_SUCCESS)
    err = clSetKernelArg (self->kernel, 2 * GPU_CSC_PLANES, sizeof (*params), params);
  return err;
}

/* CPU form: bands of rows, four for each compute unit, so that a slower core takes fewer */
static cl_int
enqueue_rows (GpuCscKernels *self, cl_command_queue queue, const CscParams *params, cl_uint n_wait, const cl_event *wait, cl_event *event)
{
  size_t local = 1, global = (params->height + params->rows - 1) / params->rows;

  return clEnqueueNDRangeKernel (queue, self->kernel, 1, NULL, &global, &local, n_wait, wait, event);
}

/* One pixel a work-item: the luma grid, or the chroma grid */
static cl_int
enqueue_pixels (GpuCscKernels *self, cl_command_queue queue, const GpuCscFormat *out, cl_int grid, cl_uint n_wait, const cl_event *wait,
    cl_event *event)
{
  size_t local[2] = { 32, 4 }, global[2];
  cl_int err = clSetKernelArg (self->kernel, 2 * GPU_CSC_PLANES + 1, sizeof (grid), &grid);

  if (err != CL_SUCCESS)
    return err;
  global[0] = grid ? (out->width + out->h_sub) >> out->h_sub : out->width;
  global[1] = grid ? (out->height + out->v_sub) >> out->v_sub : out->height;
  for (unsigned i = 0; i < 2; i++)
    global[i] = (global[i] + local[i] - 1) / local[i] * local[i];
  return clEnqueueNDRangeKernel (queue, self->kernel, 2, NULL, global, local, n_wait, wait, event);
}

cl_int
gpu_csc_enqueue (GpuCscKernels *self, cl_command_queue queue, const GpuCscFormat *in, const cl_mem in_planes[GPU_CSC_PLANES],
    const GpuCscFormat *out, const cl_mem out_planes[GPU_CSC_PLANES], cl_uint n_wait, const cl_event *wait, cl_event *event,
    unsigned *n_launches)
{
  int two_grids = has_chroma_grid (out) && !self->is_cpu;
  CscParams params;
  cl_int err;

  if (!gpu_csc_supported (in, out))
    return CL_INVALID_VALUE;
  params_init (&params, in, out);
  params.rows = (in->height / (4 * self->compute_units) + 15) & ~15u;
  if (params.rows == 0)
    params.rows = 16;
  err = set_arguments (self, in, in_planes, out, out_planes, &params);
  if (err != CL_SUCCESS)
    return err;
  if (n_launches)
    *n_launches += two_grids ? 2 : 1;
  if (self->is_cpu)
    return enqueue_rows (self, queue, &params, n_wait, wait, event);
  err = enqueue_pixels (self, queue, out, 0, n_wait, wait, two_grids ? NULL : event);
  if (err == CL_SUCCESS && two_grids)
    err = enqueue_pixels (self, queue, out, 1, n_wait, wait, event);
  return err;
}

void
gpu_csc_kernels_clear (GpuCscKernels *self)
{
  if (self->kernel)
    clReleaseKernel (self->kernel);
  memset (self, 0, sizeof (*self));
}
