/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The kernel of inter prediction against the C reference, on random pictures: every format, partition, fraction, weighting, frames, fields
 * and MBAFF frames, vectors that point anywhere.
 */
#include <stdio.h>

#include "interpredkernel.h"
#include "kerneltest.h"
#include "reference.h"

/* Rows and columns around each plane that nobody may write, nor read in a reference: the guards of all surfaces differ */
#define GUARD 16
#define N_SURFACES 4
#define N_SLICES 4

/* What random pictures are made of */
typedef struct
{
  const char *name;
  unsigned chroma_array_type, bit_depth_luma, bit_depth_chroma;
  int hostile;    /* vectors of any 16 bits, extreme samples, residuals and DC coefficients of any value */
  int lossless;   /* TransformBypassModeFlag in half of the macroblocks */
  unsigned field; /* GstGpuPicture.field_pic */
  int mbaff;
} Format;

static const Format formats[] = {
  { "monochrome_8", 0, 8, 8, 0, 0, 0, 0 },
  { "420_8", 1, 8, 8, 0, 0, 0, 0 },
  { "420_8_hostile", 1, 8, 8, 1, 0, 0, 0 },
  { "420_8_top_field", 1, 8, 8, 0, 0, 1, 0 },
  { "420_8_bottom_field_hostile", 1, 8, 8, 1, 0, 2, 0 },
  { "420_8_mbaff_hostile", 1, 8, 8, 1, 0, 0, 1 },
  { "420_8_luma_10_chroma_bottom_field", 1, 8, 10, 0, 0, 2, 0 },
  { "420_10_hostile", 1, 10, 10, 1, 0, 0, 0 },
  { "420_14_hostile", 1, 14, 14, 1, 1, 0, 0 },
  { "422_8_bottom_field", 2, 8, 8, 0, 0, 2, 0 },
  { "422_10", 2, 10, 10, 0, 0, 0, 0 },
  { "422_10_mbaff", 2, 10, 10, 0, 0, 0, 1 },
  { "422_14_luma_9_chroma_lossless", 2, 14, 9, 1, 1, 0, 0 },
  { "444_8_lossless", 3, 8, 8, 1, 1, 0, 0 },
  { "444_12_luma_14_chroma_mbaff", 3, 12, 14, 0, 0, 0, 1 },
  { "444_14_hostile", 3, 14, 14, 1, 1, 0, 0 },
};

/* The motion of a picture */
typedef struct
{
  const char *name;
  unsigned smallest;   /* luma columns of the narrowest partition: 16, 8, 4 */
  int both_percent;    /* of the partitions */
  int weighting;       /* of every slice; -1: each its own */
  int intra_percent;   /* of the macroblocks */
  int coded_percent;   /* of the blocks */
  int vector_range;    /* quarter samples */
  unsigned n_surfaces; /* references that differ */
  int run_percent;     /* of the macroblocks, to have the motion of the one at the left; vectors are mostly of whole samples then */
} Motion;

/* A picture in host memory: records, arena, surfaces before and after */
typedef struct
{
  GstGpuPicture params;
  const Format *format;
  const Motion *motion;
  size_t n_mbs;
  uint8_t *header; /* of which the following are sections */
  size_t header_size;
  GstGpuLayout layout;
  GstGpuMb *mbs;
  GstGpuPartition *partitions;
  size_t n_partitions;
  GstGpuInterSlice *slices;
  int16_t *arena;
  size_t n_slots;
  int32_t *dc;
  uint8_t *references[N_SURFACES];
  uint8_t *before, *expected, *actual;
  size_t surface_size;
  unsigned sample_size;
} TestPicture;

static void *
allocate (size_t size)
{
  void *memory = aligned_alloc (64, (size + 63) / 64 * 64);

  if (!memory)
    kernel_test_check (CL_OUT_OF_HOST_MEMORY, "allocate");
  memset (memory, 0, (size + 63) / 64 * 64);
  return memory;
}

static unsigned
n_planes (const TestPicture *picture)
{
  return picture->params.chroma_array_type ? 3 : 1;
}

static unsigned
plane_mb_width (const TestPicture *picture, unsigned plane)
{
  return plane && picture->params.chroma_array_type != 3 ? 8 : 16;
}

static unsigned
plane_mb_height (const TestPicture *picture, unsigned plane)
{
  return plane && picture->params.chroma_array_type == 1 ? 8 : 16;
}

static unsigned
plane_depth (const TestPicture *picture, unsigned plane)
{
  return plane ? picture->params.bit_depth_chroma : picture->params.bit_depth_luma;
}

static int
percent (KernelTest *test, int n)
{
  return kernel_test_range (test, 0, 99) < n;
}

static void
put (const TestPicture *picture, uint8_t *surface, size_t i, unsigned value)
{
  if (picture->sample_size == 1)
    surface[i] = (uint8_t) value;
  else
    ((uint16_t *) surface)[i] = (uint16_t) value;
}

/* The lines of the frame that a plane lies in, without its guards */
static void
fill_plane (KernelTest *test, const TestPicture *picture, uint8_t *surface, unsigned plane)
{
  const GstGpuPicture *params = &picture->params;
  unsigned step = params->field_pic ? 2 : 1, pitch = params->plane_stride[plane] / step, max = (1u << plane_depth (picture, plane)) - 1;
  unsigned width = params->width_in_mbs * plane_mb_width (picture, plane),
           height = params->height_in_mbs * plane_mb_height (picture, plane) * step;
  size_t first = params->plane_offset[plane] - (params->field_pic == 2 ? pitch : 0);

  for (unsigned y = 0; y < height; y++)
    for (unsigned x = 0; x < width; x++) {
      unsigned value = kernel_test_random (test);

      /* noise, or the two extremes */
      value = picture->format->hostile && (x / 64 + y / 64) % 2 ? (value & 1 ? max : 0) : value & max;
      put (picture, surface, first + (size_t) y * pitch + x, value);
    }
}

static uint8_t *
make_surface (KernelTest *test, const TestPicture *picture, int guard)
{
  uint8_t *surface = allocate (picture->surface_size);

  memset (surface, guard, picture->surface_size);
  for (unsigned plane = 0; plane < n_planes (picture); plane++)
    fill_plane (test, picture, surface, plane);
  return surface;
}

/* Planes one behind the other, each with guard rows and columns around it; random samples */
static void
make_surfaces (KernelTest *test, TestPicture *picture)
{
  GstGpuPicture *params = &picture->params;
  unsigned step = params->field_pic ? 2 : 1;
  size_t size = 0;

  picture->sample_size = params->bit_depth_luma == 8 && params->bit_depth_chroma == 8 ? 1 : 2;
  for (unsigned plane = 0; plane < n_planes (picture); plane++) {
    unsigned pitch = params->width_in_mbs * plane_mb_width (picture, plane) + 2 * GUARD;

    params->plane_stride[plane] = pitch * step;
    params->plane_offset[plane] = (unsigned) size + GUARD * pitch + GUARD + (params->field_pic == 2 ? pitch : 0);
    size += (size_t) pitch * (params->height_in_mbs * plane_mb_height (picture, plane) * step + 2 * GUARD);
  }
  picture->surface_size = size * picture->sample_size;
  picture->before = make_surface (test, picture, 0xA5);
  picture->expected = allocate (picture->surface_size);
  picture->actual = allocate (picture->surface_size);
  for (unsigned i = 0; i < N_SURFACES; i++)
    picture->references[i] = make_surface (test, picture, (int) (0x10 + 0x31 * i));
}

/* Indices of reference pictures that partitions may have: in field macroblocks of MBAFF frames twice as many */
#define N_REFERENCES 6

static void
make_slice (KernelTest *test, TestPicture *picture, unsigned number, GstGpuInterSlice *slice)
{
  slice->weighting =
      (gst_gpu_u8) (picture->motion->weighting >= 0 ? (unsigned) picture->motion->weighting : (number + kernel_test_random (test) % 2) % 3);
  slice->luma_log2_weight_denom = (gst_gpu_u8) kernel_test_range (test, 0, 7);
  slice->chroma_log2_weight_denom = (gst_gpu_u8) kernel_test_range (test, 0, 7);
  for (unsigned list = 0; list < 2; list++)
    for (unsigned i = 0; i < 32; i++) {
      slice->reference[list][i] = (gst_gpu_u8) (kernel_test_random (test) % picture->motion->n_surfaces);
      if (picture->params.field_pic)
        slice->reference[list][i] |= kernel_test_random (test) & 1 ? GST_GPU_REFERENCE_TOP : GST_GPU_REFERENCE_BOTTOM;
      for (unsigned plane = 0; plane < 3; plane++) {
        unsigned denom = plane ? slice->chroma_log2_weight_denom : slice->luma_log2_weight_denom;
        int flag = (int) (kernel_test_random (test) % 4), scale = 1 << (plane_depth (picture, plane) - 8);

        slice->weight[list][i][plane] = (gst_gpu_i16) (flag ? kernel_test_range (test, -128, 127) : 1 << denom);
        slice->offset[list][i][plane] = (gst_gpu_i16) (flag ? kernel_test_range (test, -128, 127) * scale : 0);
      }
    }
  for (unsigned i = 0; i < 3 * 32 * 32; i++)
    slice->implicit_weight[i / 1024][i / 32 % 32][i % 32] =
        (gst_gpu_i8) (kernel_test_random (test) % 4 ? kernel_test_range (test, -96, 96) : 0);
}

static int
random_vector (KernelTest *test, const TestPicture *picture)
{
  int range = picture->motion->vector_range;

  if (picture->format->hostile && kernel_test_random (test) % 8 == 0)
    return kernel_test_random (test) & 1 ? kernel_test_range (test, -32768, 32767) : kernel_test_random (test) & 1 ? -32768 : 32767;
  if (picture->motion->run_percent && kernel_test_random (test) % 16)
    return kernel_test_range (test, -range / 8, range / 8) * 8;
  return kernel_test_range (test, -range, range);
}

/* The macroblock at the left has its motion once more, or almost: one element in which it differs has to end a run. */
static int
add_run_partition (KernelTest *test, TestPicture *picture, GstGpuMb *mb, size_t mb_addr)
{
  GstGpuPartition *partition = &picture->partitions[picture->n_partitions];
  unsigned change = kernel_test_random (test) % 64, list;

  if (!percent (test, picture->motion->run_percent) || mb_addr % picture->params.width_in_mbs == 0 || mb[-1].n_partitions != 1)
    return 0;
  *partition = partition[-1];
  partition->where = GST_GPU_PARTITION ((gst_gpu_u32) mb_addr, 0, 0, 4, 4);
  partition->slice = mb->slice;
  list = partition->ref_idx[0] < 0;
  if (change < 2)
    partition->mv[list][change] = (gst_gpu_i16) (partition->mv[list][change] ^ 8);
  else if (change == 2)
    partition->ref_idx[list] = (gst_gpu_i8) ((partition->ref_idx[list] + 1) % N_REFERENCES);
  else if (change == 3)
    partition->ref_idx[!list] = partition->ref_idx[!list] < 0 ? 0 : -1;
  picture->n_partitions++;
  mb->n_partitions = 1;
  return 1;
}

static void
add_partition (KernelTest *test, TestPicture *picture, GstGpuMb *mb, size_t mb_addr, unsigned x, unsigned y, unsigned width,
    unsigned height)
{
  GstGpuPartition *partition = &picture->partitions[picture->n_partitions++];
  int n = picture->params.mbaff && (mb->flags & GST_GPU_MB_FIELD) ? 2 * N_REFERENCES : N_REFERENCES,
      both = percent (test, picture->motion->both_percent);
  unsigned list = kernel_test_random (test) & 1;

  partition->where = GST_GPU_PARTITION ((gst_gpu_u32) mb_addr, x, y, width, height);
  partition->slice = mb->slice;
  for (unsigned i = 0; i < 2; i++) {
    partition->ref_idx[i] = (gst_gpu_i8) (both || i == list ? kernel_test_range (test, 0, n - 1) : -1);
    partition->mv[i][0] = (gst_gpu_i16) random_vector (test, picture);
    partition->mv[i][1] = (gst_gpu_i16) random_vector (test, picture);
  }
  mb->n_partitions++;
}

/* Cuts a rectangle, in units of 4 samples: not at all, in two either way, in four */
static void
cut (KernelTest *test, TestPicture *picture, GstGpuMb *mb, size_t mb_addr, unsigned x0, unsigned y0, unsigned side)
{
  unsigned shape = side * 4 > picture->motion->smallest ? kernel_test_random (test) % 4 : 0;
  unsigned width = shape & 1 ? side / 2 : side, height = shape & 2 ? side / 2 : side;

  for (unsigned y = 0; y < side; y += height)
    for (unsigned x = 0; x < side; x += width)
      if (shape == 3 && side == 4)
        cut (test, picture, mb, mb_addr, x0 + x, y0 + y, 2);
      else
        add_partition (test, picture, mb, mb_addr, x0 + x, y0 + y, width, height);
}

/* Residuals of a block: mostly small, sometimes the extremes that the depth or 16 bits have */
static void
fill_block (KernelTest *test, const TestPicture *picture, int16_t *block, unsigned n, int max)
{
  unsigned kind = kernel_test_random (test) % 8;

  for (unsigned i = 0; i < n; i++) {
    int limit = kind < 5 ? max / 16 : max;

    if (kind == 7 && picture->format->hostile)
      block[i] = (int16_t) (kernel_test_random (test) & 1 ? 32767 - (int) (kernel_test_random (test) & 1) * 16384 : -32768);
    else
      block[i] = (int16_t) kernel_test_range (test, -limit, limit);
  }
}

/* Blocks of a plane behind *next, an index in slots */
static void
make_blocks (KernelTest *test, TestPicture *picture, GstGpuMb *mb, unsigned plane, int is_8x8, size_t *next)
{
  unsigned n_blks = plane_mb_width (picture, plane) * plane_mb_height (picture, plane) / 16;

  for (unsigned blk = 0; blk < n_blks; blk += is_8x8 ? 4 : 1) {
    if (!percent (test, picture->motion->coded_percent))
      continue;
    mb->coded[plane] |= (gst_gpu_u16) (1u << blk);
    fill_block (test, picture, picture->arena + *next * 16, is_8x8 ? 64 : 16, (1 << plane_depth (picture, plane)) - 1);
    *next += (is_8x8 ? 4 : 1) * (mb->flags & GST_GPU_MB_WIDE ? 2 : 1);
  }
}

/* All 4x4 blocks of a macroblock, then all 8x8 blocks; DC coefficients of chroma */
static void
make_residual (KernelTest *test, TestPicture *picture, GstGpuMb *mb, size_t mb_addr, size_t *next)
{
  for (int is_8x8 = 0; is_8x8 < 2; is_8x8++) {
    *(is_8x8 ? &mb->first_8x8 : &mb->first_4x4) = (gst_gpu_u32) *next;
    for (unsigned plane = 0; plane < n_planes (picture); plane++)
      if (is_8x8 == ((mb->flags & GST_GPU_MB_TRANSFORM_8x8) && (plane == 0 || picture->params.chroma_array_type == 3)))
        make_blocks (test, picture, mb, plane, is_8x8, next);
  }
  for (unsigned plane = 1; plane < n_planes (picture) && picture->params.chroma_array_type != 3; plane++) {
    int limit = 64 << plane_depth (picture, plane);

    if (!percent (test, picture->motion->coded_percent))
      continue;
    mb->dc_coded |= (gst_gpu_u8) (1 << plane);
    for (unsigned i = 0; i < 16; i++)
      picture->dc[mb_addr * 48 + plane * 16 + i] =
          picture->format->hostile && percent (test, 25) ? (int32_t) kernel_test_random (test) : kernel_test_range (test, -limit, limit);
  }
}

static void
make_macroblock (KernelTest *test, TestPicture *picture, size_t mb_addr, size_t *next)
{
  GstGpuMb *mb = &picture->mbs[mb_addr];

  mb->slice = (gst_gpu_u16) (mb_addr * N_SLICES / picture->n_mbs);
  mb->mb_class = percent (test, picture->motion->intra_percent) ? GST_GPU_MB_I16x16 : GST_GPU_MB_INTER;
  mb->flags = kernel_test_random (test) % 4 ? 0 : GST_GPU_MB_WIDE;
  mb->flags |= kernel_test_random (test) & 1 ? GST_GPU_MB_TRANSFORM_8x8 : 0;
  if (picture->format->lossless && (kernel_test_random (test) & 1))
    mb->flags |= GST_GPU_MB_BYPASS;
  if (picture->params.field_pic)
    mb->flags |= GST_GPU_MB_FIELD;
  if (picture->params.mbaff && (mb_addr & 1 ? picture->mbs[mb_addr - 1].flags & GST_GPU_MB_FIELD : kernel_test_random (test) & 1))
    mb->flags |= GST_GPU_MB_FIELD;
  mb->first_motion = (gst_gpu_u32) picture->n_partitions;
  if (mb->mb_class == GST_GPU_MB_INTER && !(picture->motion->run_percent && add_run_partition (test, picture, mb, mb_addr)))
    cut (test, picture, mb, mb_addr, 0, 0, 4);
  make_residual (test, picture, mb, mb_addr, next);
}

/* Slots that a macroblock may need: all blocks with 32-bit levels */
#define MAX_SLOTS 96

static size_t
align (size_t size)
{
  return (size + 63) / 64 * 64;
}

static void
lay_out_header (TestPicture *picture)
{
  GstGpuLayout *layout = &picture->layout;

  layout->mbs = 64;
  layout->partitions = layout->mbs + align (picture->n_mbs * sizeof (GstGpuMb));
  layout->inter_slices = layout->partitions + align (picture->n_mbs * 16 * sizeof (GstGpuPartition));
  picture->header_size = layout->inter_slices + N_SLICES * sizeof (GstGpuInterSlice);
  picture->header = allocate (picture->header_size);
  picture->mbs = (GstGpuMb *) (picture->header + layout->mbs);
  picture->partitions = (GstGpuPartition *) (picture->header + layout->partitions);
  picture->slices = (GstGpuInterSlice *) (picture->header + layout->inter_slices);
}

static void
make_picture (KernelTest *test, TestPicture *picture, unsigned width_in_mbs, unsigned height_in_mbs)
{
  const Format *format = picture->format;
  GstGpuPicture *params = &picture->params;
  size_t next = 1; /* a picture whose first block is not at slot 0 */

  memset (params, 0, sizeof (*params));
  params->width_in_mbs = width_in_mbs;
  params->height_in_mbs = format->mbaff ? height_in_mbs * 2 : height_in_mbs;
  params->chroma_array_type = format->chroma_array_type;
  params->bit_depth_luma = format->bit_depth_luma;
  params->bit_depth_chroma = format->bit_depth_chroma;
  params->field_pic = format->field;
  params->mbaff = (unsigned) format->mbaff;
  params->n_slices = N_SLICES;
  picture->n_mbs = (size_t) params->width_in_mbs * params->height_in_mbs;
  lay_out_header (picture);
  picture->n_slots = picture->n_mbs * MAX_SLOTS + 1;
  picture->arena = allocate (picture->n_slots * 32);
  picture->dc = allocate (picture->n_mbs * 48 * 4);
  make_surfaces (test, picture);
  for (unsigned i = 0; i < N_SLICES; i++)
    make_slice (test, picture, i, &picture->slices[i]);
  for (size_t i = 0; i < picture->n_mbs; i++)
    make_macroblock (test, picture, i, &next);
}

static void
free_picture (TestPicture *picture)
{
  free (picture->header);
  free (picture->arena);
  free (picture->dc);
  for (unsigned i = 0; i < N_SURFACES; i++)
    free (picture->references[i]);
  free (picture->before);
  free (picture->expected);
  free (picture->actual);
}

static void
run_reference (TestPicture *picture)
{
  GpuReferencePicture reference = { .params = &picture->params,
    .header = picture->header,
    .layout = picture->layout,
    .has_inter = 1,
    .coeffs = picture->arena,
    .dc = picture->dc,
    .samples = picture->expected };

  for (unsigned i = 0; i < N_SURFACES; i++)
    reference.references[i] = picture->references[i];
  memcpy (picture->expected, picture->before, picture->surface_size);
  gpu_reference_interpred (&reference);
}

/* The picture's buffers on the device */
static GpuKernelPicture
upload (KernelTest *test, const TestPicture *picture)
{
  GpuKernelPicture buffers;

  memset (&buffers, 0, sizeof (buffers));
  buffers.params = picture->params;
  buffers.layout = picture->layout;
  buffers.header = kernel_test_buffer (test, picture->header, picture->header_size);
  buffers.coeffs = kernel_test_buffer (test, picture->arena, picture->n_slots * 32);
  buffers.dc = kernel_test_buffer (test, picture->dc, picture->n_mbs * 48 * 4);
  buffers.surface = kernel_test_buffer (test, picture->before, picture->surface_size);
  for (unsigned i = 0; i < N_SURFACES; i++)
    buffers.references[i] = kernel_test_buffer (test, picture->references[i], picture->surface_size);
  return buffers;
}

static void
release (GpuKernelPicture *buffers)
{
  clReleaseMemObject (buffers->header);
  clReleaseMemObject (buffers->coeffs);
  clReleaseMemObject (buffers->dc);
  clReleaseMemObject (buffers->surface);
  for (unsigned i = 0; i < N_SURFACES; i++)
    clReleaseMemObject (buffers->references[i]);
}

/* Runs on fresh samples and compares; *ns: the shortest time of @n_runs more, none of which needs fresh samples */
static int
run_kernel (KernelTest *test, GpuInterpredKernels *kernels, TestPicture *picture, unsigned n_runs, double *ns)
{
  GpuKernelPicture buffers = upload (test, picture);
  int passed;

  run_reference (picture);
  kernel_test_check (gpu_interpred_enqueue (kernels, test->queue, &buffers, 0, NULL, NULL), "gpu_interpred_enqueue");
  kernel_test_read (test, buffers.surface, picture->actual, picture->surface_size);
  passed = kernel_test_equal ("surface", picture->expected, picture->actual, picture->surface_size, picture->sample_size);
  *ns = 0;
  for (unsigned i = 0; i < n_runs; i++) {
    double start = kernel_test_now (), elapsed;

    kernel_test_check (gpu_interpred_enqueue (kernels, test->queue, &buffers, 0, NULL, NULL), "gpu_interpred_enqueue");
    clFinish (test->queue);
    elapsed = kernel_test_now () - start;
    if (i == 0 || elapsed < *ns)
      *ns = elapsed;
  }
  release (&buffers);
  return passed;
}

/* A form's kernels for a format */
typedef struct
{
  GpuKernelDevice device;
  const char *form;
  cl_program program;
  GpuInterpredKernels kernels;
} Built;

static int
build (KernelTest *test, Built *built, const Format *format, unsigned form)
{
  GstGpuPicture params = { .chroma_array_type = format->chroma_array_type,
    .bit_depth_luma = format->bit_depth_luma,
    .bit_depth_chroma = format->bit_depth_chroma };
  char options[512];

  if (!kernel_test_form (test, form, &built->device))
    return 0;
  built->form = form == KERNEL_TEST_CPU ? "cpu" : "gpu";
  gpu_interpred_options (&built->device, &params, options, sizeof (options));
  built->program = kernel_test_build (test, gpu_interpred_source, options);
  kernel_test_check (gpu_interpred_kernels_init (&built->kernels, &built->device, test->context, built->program, &params),
      "gpu_interpred_kernels_init");
  return 1;
}

static void
destroy (Built *built)
{
  gpu_interpred_kernels_clear (&built->kernels);
  clReleaseProgram (built->program);
}

static const Motion motions[] = {
  { "16x16", 16, 30, GST_GPU_WEIGHT_DEFAULT, 10, 0, 120, N_SURFACES, 0 },
  { "8x8", 8, 30, GST_GPU_WEIGHT_DEFAULT, 10, 30, 120, N_SURFACES, 0 },
  { "4x4", 4, 50, GST_GPU_WEIGHT_DEFAULT, 10, 30, 60, N_SURFACES, 0 },
  { "explicit", 4, 50, GST_GPU_WEIGHT_EXPLICIT, 10, 10, 60, N_SURFACES, 0 },
  { "implicit", 4, 80, GST_GPU_WEIGHT_IMPLICIT, 10, 10, 60, N_SURFACES, 0 },
  { "mixed", 4, 50, -1, 20, 60, 400, N_SURFACES, 0 },
  { "small vectors", 8, 50, -1, 0, 100, 3, N_SURFACES, 0 },
  { "runs", 16, 50, GST_GPU_WEIGHT_DEFAULT, 2, 10, 96, N_SURFACES, 90 },
  { "explicit runs", 16, 50, GST_GPU_WEIGHT_EXPLICIT, 2, 10, 96, N_SURFACES, 90 },
  { "implicit runs", 16, 80, GST_GPU_WEIGHT_IMPLICIT, 2, 10, 96, N_SURFACES, 90 },
};
#define N_MOTIONS (sizeof (motions) / sizeof (motions[0]))

static void
test_format (KernelTest *test, const Format *format, unsigned form)
{
  unsigned n_pictures = test->small ? 1 : 3, max_side = test->small ? 2 : 10;
  Built built;

  if (!kernel_test_selected (test, format->name) || !build (test, &built, format, form))
    return;
  /* the first ones are parts of what the others have */
  for (size_t m = test->small ? 2 : 0; m < N_MOTIONS; m++) {
    unsigned n_failed = 0;
    char name[96];

    for (unsigned n = 0; n < n_pictures * test->repeat; n++) {
      TestPicture picture = { .format = format, .motion = &motions[m] };
      double ns;

      make_picture (test, &picture, (unsigned) kernel_test_range (test, 1, (int) (motions[m].run_percent ? 2 * max_side : max_side)),
          (unsigned) kernel_test_range (test, 1, (int) max_side));
      n_failed += !run_kernel (test, &built.kernels, &picture, 0, &ns);
      free_picture (&picture);
    }
    snprintf (name, sizeof (name), "%s %s", format->name, motions[m].name);
    kernel_test_result (test, name, built.form, n_failed == 0, 0, NULL);
  }
  destroy (&built);
}

/* Whole pictures of 1920x1088 */
static const Motion loads[] = {
  { "16x16 P no residual", 16, 0, GST_GPU_WEIGHT_DEFAULT, 0, 0, 60, 2, 0 },
  { "16x16 P", 16, 0, GST_GPU_WEIGHT_DEFAULT, 0, 20, 60, 2, 0 },
  { "8x8 P", 8, 0, GST_GPU_WEIGHT_DEFAULT, 0, 20, 60, 2, 0 },
  { "4x4 P", 4, 0, GST_GPU_WEIGHT_DEFAULT, 0, 20, 60, 2, 0 },
  { "16x16 B both", 16, 100, GST_GPU_WEIGHT_DEFAULT, 0, 20, 60, 2, 0 },
  { "8x8 B both", 8, 100, GST_GPU_WEIGHT_DEFAULT, 0, 20, 60, 2, 0 },
  { "8x8 B half both", 8, 50, GST_GPU_WEIGHT_DEFAULT, 0, 20, 60, 2, 0 },
  { "8x8 B both implicit", 8, 100, GST_GPU_WEIGHT_IMPLICIT, 0, 20, 60, 2, 0 },
  { "8x8 B both explicit", 8, 100, GST_GPU_WEIGHT_EXPLICIT, 0, 20, 60, 2, 0 },
  { "16x16 P still", 16, 0, GST_GPU_WEIGHT_DEFAULT, 0, 0, 0, 2, 0 },
  { "16x16 B both, runs", 16, 100, GST_GPU_WEIGHT_DEFAULT, 0, 2, 96, 2, 90 },
  { "16x16 B both implicit, runs", 16, 100, GST_GPU_WEIGHT_IMPLICIT, 0, 2, 96, 2, 90 },
};

static void
bench_format (KernelTest *test, const Format *format, unsigned form)
{
  Built built;
  char name[128];

  snprintf (name, sizeof (name), "bench_%s", format->name);
  if (!kernel_test_selected (test, name) || !build (test, &built, format, form))
    return;
  for (size_t i = 0; i < sizeof (loads) / sizeof (loads[0]); i++) {
    TestPicture picture = { .format = format, .motion = &loads[i] };
    double ns;
    int passed;

    make_picture (test, &picture, 120, 68);
    passed = run_kernel (test, &built.kernels, &picture, built.device.is_cpu ? 50 : 3, &ns);
    snprintf (name, sizeof (name), "%s, %s", format->name, loads[i].name);
    kernel_test_result (test, name, built.form, passed, ns, "picture");
    free_picture (&picture);
  }
  destroy (&built);
}

int
main (int argc, char **argv)
{
  KernelTest test;

  kernel_test_init (&test, argc, argv);
  for (unsigned form = KERNEL_TEST_CPU; form <= KERNEL_TEST_GPU; form <<= 1) {
    for (size_t i = 0; i < sizeof (formats) / sizeof (formats[0]); i++)
      test_format (&test, &formats[i], form);
    if (!test.bench)
      continue;
    bench_format (&test, &formats[1], form);
    bench_format (&test, &formats[10], form);
  }
  return kernel_test_finish (&test);
}
