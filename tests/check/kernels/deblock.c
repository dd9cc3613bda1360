/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The kernels of the deblocking filter against the C reference, over random pictures: boundary strengths, and every sample with all bytes
 * between and around the planes.
 */
#include <stdio.h>

#include "boundary.h"
#include "deblockkernel.h"
#include "kerneltest.h"
#include "reference.h"

#define GUARD 256 /* bytes before, between and after the planes */

typedef struct
{
  const char *name;
  unsigned chroma_array_type, bit_depth_luma, bit_depth_chroma;
  int everywhere; /* the GPU form on a CPU too, where it takes long to compile and shows little */
} Format;

/* What a picture is like */
typedef struct
{
  unsigned width, height; /* in macroblocks */
  int field;              /* every second line */
  int mbaff;              /* pairs of frame and of field macroblocks */
  int inter;              /* most macroblocks are inter, not all intra */
  int steady;             /* for measuring: one QP, a slice, nothing left out */
} Layout;

typedef struct
{
  GstGpuPicture params;
  unsigned n_mbs, sample_bytes;
  uint8_t *header; /* slices, macroblock records, of inter macroblocks slices and partitions */
  size_t header_size;
  GstGpuLayout layout;
  int has_inter;
  uint8_t *surface;
  size_t surface_size;
} TestPicture;

static GstGpuMb *
mbs_of (const TestPicture *p)
{
  return (GstGpuMb *) (p->header + p->layout.mbs);
}

static GstGpuSlice *
slices_of (const TestPicture *p)
{
  return (GstGpuSlice *) (p->header + p->layout.slices);
}

static GstGpuInterSlice *
inter_slices_of (const TestPicture *p)
{
  return (GstGpuInterSlice *) (p->header + p->layout.inter_slices);
}

static GstGpuPartition *
partitions_of (const TestPicture *p)
{
  return (GstGpuPartition *) (p->header + p->layout.partitions);
}

static unsigned
depth_of (const TestPicture *p, unsigned plane)
{
  return plane ? p->params.bit_depth_chroma : p->params.bit_depth_luma;
}

static size_t
align (size_t n)
{
  return (n + 63) / 64 * 64;
}

/* ---- records ---- */

static void
make_slices (KernelTest *test, TestPicture *p, const Layout *layout)
{
  for (unsigned s = 0; s < p->params.n_slices; s++) {
    slices_of (p)[s] = (GstGpuSlice){ .slice_type = GST_GPU_SLICE_I };
    if (layout->steady)
      continue;
    slices_of (p)[s].filter_offset_a = 2 * kernel_test_range (test, -6, 6);
    slices_of (p)[s].filter_offset_b = 2 * kernel_test_range (test, -6, 6);
  }
}

/* Of a frame or a field: all edges but those of the picture */
static unsigned
edges_in_picture (const TestPicture *p, unsigned mb_addr)
{
  unsigned x = mb_addr % p->params.width_in_mbs, y = mb_addr / p->params.width_in_mbs;

  return (x > 0 ? GST_GPU_FILTER_LEFT : 0) | (y > 0 ? GST_GPU_FILTER_TOP : 0) | GST_GPU_FILTER_INTERNAL;
}

/* Of an MBAFF frame, where field macroblocks have no edge between those of their pair.  Both of a pair are of one kind, which the upper one
 * chooses. */
static void
make_mbaff_mb (KernelTest *test, TestPicture *p, unsigned mb_addr)
{
  GstGpuMb *mb = mbs_of (p) + mb_addr;
  unsigned pair = mb_addr / 2, lower = mb_addr & 1;

  mb->flags |= lower ? mb[-1].flags & GST_GPU_MB_FIELD : kernel_test_random (test) & GST_GPU_MB_FIELD;
  if (lower && !(mb->flags & GST_GPU_MB_FIELD))
    mb->filter &= edges_in_picture (p, pair) | GST_GPU_FILTER_TOP;
  else
    mb->filter &= edges_in_picture (p, pair);
}

/* QP and slice change after runs of random length. */
static void
make_mbs (KernelTest *test, TestPicture *p, const Layout *layout)
{
  unsigned until = 0, slice = 0;
  int qp[3] = { 0 };

  for (unsigned n = 0; n < p->n_mbs; n++) {
    GstGpuMb *mb = mbs_of (p) + n;

    if (n == until) {
      until = n + (unsigned) kernel_test_range (test, 1, 20);
      slice = (unsigned) kernel_test_range (test, 0, (int) p->params.n_slices - 1);
      for (unsigned plane = 0; plane < 3; plane++)
        qp[plane] = kernel_test_range (test, kernel_test_range (test, 0, 3) ? 15 : -6 * ((int) depth_of (p, plane) - 8), 51);
    }
    *mb = (GstGpuMb){ .slice = slice, .mb_class = kernel_test_range (test, GST_GPU_MB_I4x4, GST_GPU_MB_IPCM) };
    mb->flags = kernel_test_random (test) & (GST_GPU_MB_TRANSFORM_8x8 | GST_GPU_MB_BYPASS);
    mb->filter = kernel_test_range (test, 0, 2) ? 7 : kernel_test_random (test) & 7;
    for (unsigned plane = 0; plane < 3; plane++)
      mb->qp_filter[plane] = kernel_test_range (test, 0, 7) ? qp[plane] : kernel_test_range (test, 0, 51);
    if (layout->steady)
      *mb = (GstGpuMb){ .qp_filter = { 34, 34, 34 }, .filter = 7 };
    if (p->params.field_pic)
      mb->flags |= GST_GPU_MB_FIELD;
    if (p->params.mbaff)
      make_mbaff_mb (test, p, n);
    else
      mb->filter &= edges_in_picture (p, n);
  }
}

/* Few pictures, so that the lists of slices have the same ones in other places */
static void
make_inter_slices (KernelTest *test, TestPicture *p)
{
  for (unsigned s = 0; s < p->params.n_slices; s++)
    for (unsigned k = 0; k < 64; k++) {
      unsigned number = (unsigned) kernel_test_range (test, 0, 2);

      if (p->params.field_pic)
        number |= kernel_test_range (test, 0, 1) ? GST_GPU_REFERENCE_TOP : GST_GPU_REFERENCE_BOTTOM;
      inter_slices_of (p)[s].reference[k / 32][k % 32] = (gst_gpu_u8) number;
    }
}

/* A vector component: mostly near the limits where vectors are a sample apart; some are extremes */
static gst_gpu_i16
make_component (KernelTest *test)
{
  static const gst_gpu_i16 extremes[4] = { -32768, 32767, -32766, 32764 };

  if (kernel_test_range (test, 0, 30) == 0)
    return extremes[kernel_test_range (test, 0, 3)];
  return (gst_gpu_i16) (kernel_test_range (test, 0, 2) ? 0 : kernel_test_range (test, -4, 4));
}

/* One or both lists */
static void
add_partition (KernelTest *test, TestPicture *p, unsigned mb_addr, unsigned x, unsigned y, unsigned width, unsigned height)
{
  GstGpuMb *mb = &mbs_of (p)[mb_addr];
  GstGpuPartition *partition = &partitions_of (p)[mb->first_motion + mb->n_partitions++];
  unsigned lists = (unsigned) kernel_test_range (test, 1, 3);

  *partition = (GstGpuPartition){ .where = GST_GPU_PARTITION (mb_addr, x, y, width, height), .ref_idx = { -1, -1 }, .slice = mb->slice };
  for (unsigned list = 0; list < 2; list++)
    if (lists >> list & 1) {
      partition->ref_idx[list] = (gst_gpu_i8) (kernel_test_range (test, 0, 15) ? kernel_test_range (test, 0, 3) : 31);
      for (unsigned c = 0; c < 2; c++)
        partition->mv[list][c] = make_component (test);
    }
}

/* A square of partitions: whole, in halves, in quarters, which are squares again */
static void
add_square (KernelTest *test, TestPicture *p, unsigned mb_addr, unsigned x, unsigned y, unsigned side)
{
  int shape = side > 1 ? kernel_test_range (test, 0, 3) : 0;
  unsigned half = side / 2;

  if (shape == 0)
    add_partition (test, p, mb_addr, x, y, side, side);
  for (unsigned k = 0; shape == 1 && k < 2; k++)
    add_partition (test, p, mb_addr, x, y + k * half, side, half);
  for (unsigned k = 0; shape == 2 && k < 2; k++)
    add_partition (test, p, mb_addr, x + k * half, y, half, side);
  for (unsigned k = 0; shape == 3 && k < 4; k++)
    add_square (test, p, mb_addr, x + k % 2 * half, y + k / 2 * half, half);
}

static gst_gpu_u16
make_nonzero (KernelTest *test, const GstGpuMb *mb)
{
  unsigned bits = 0, all = mb->flags & GST_GPU_MB_TRANSFORM_8x8 ? 0xfu : 0x1u, n = mb->flags & GST_GPU_MB_TRANSFORM_8x8 ? 4 : 16;

  if (kernel_test_range (test, 0, 1))
    return 0;
  for (unsigned k = 0; k < n; k++)
    if (kernel_test_range (test, 0, 2) == 0)
      bits |= all << k * (16 / n);
  return (gst_gpu_u16) bits;
}

/* Of most macroblocks; some have the motion of the one before, as most do in real pictures. */
static void
make_motion (KernelTest *test, TestPicture *p)
{
  unsigned n_partitions = 0;

  make_inter_slices (test, p);
  for (unsigned n = 0; n < p->n_mbs; n++) {
    GstGpuMb *mb = &mbs_of (p)[n];

    mb->nonzero = make_nonzero (test, mb);
    mb->first_motion = kernel_test_random (test); /* of no meaning but in inter macroblocks */
    if (kernel_test_range (test, 0, 7) == 0)
      continue;
    mb->mb_class = GST_GPU_MB_INTER;
    mb->first_motion = n_partitions;
    if (n_partitions > 0 && kernel_test_range (test, 0, 2)) {
      partitions_of (p)[n_partitions] = partitions_of (p)[n_partitions - 1];
      partitions_of (p)[n_partitions].where = GST_GPU_PARTITION (n, 0, 0, 4, 4);
      partitions_of (p)[n_partitions].slice = mb->slice;
      mb->n_partitions = 1;
    } else {
      add_square (test, p, n, 0, 0, 4);
    }
    n_partitions += mb->n_partitions;
  }
  p->layout.n_partitions = n_partitions;
}

/* ---- samples ---- */

static void
put_sample (TestPicture *p, size_t at, int value)
{
  if (p->sample_bytes == 1)
    p->surface[at] = value;
  else
    ((uint16_t *) p->surface)[at] = value;
}

/* Blocks of 4x4 samples whose level differs by about as much as the filters take for an artefact, with some noise; some are of extremes. */
static void
fill_block (KernelTest *test, TestPicture *p, unsigned plane, size_t at, int level, int contrast, int noise)
{
  int max = (1 << depth_of (p, plane)) - 1, extreme = contrast > 0 && kernel_test_range (test, 0, 31) == 0;

  level += kernel_test_range (test, -contrast, contrast);
  for (unsigned k = 0; k < 16; k++) {
    int value = level + kernel_test_range (test, -noise, noise);

    if (extreme)
      value = kernel_test_range (test, 0, 3) ? max : 0;
    put_sample (p, at + k / 4 * p->params.plane_stride[plane] + k % 4, value < 0 ? 0 : value > max ? max : value);
  }
}

static void
fill_plane (KernelTest *test, TestPicture *p, unsigned plane, unsigned width, unsigned height, const Layout *layout)
{
  unsigned shift = depth_of (p, plane) - 8;
  int level = 0, contrast = 0, noise = 0;

  for (unsigned y = 0; y < height; y += 4)
    for (unsigned x = 0; x < width; x += 4) {
      if (x % 16 == 0) {
        int way = kernel_test_range (test, 0, 7);

        level = way == 0 ? 0 : way == 1 ? 255 << shift : kernel_test_range (test, 100, 140) << shift;
        contrast = kernel_test_range (test, 1, 30 << shift);
        noise = kernel_test_range (test, 0, 6 << shift);
      }
      if (layout->steady)
        level = 128 << shift, contrast = 8 << shift, noise = 2 << shift;
      fill_block (test, p, plane, p->params.plane_offset[plane] + (size_t) y * p->params.plane_stride[plane] + x, level, contrast, noise);
    }
}

/* Planes one behind the other, with guards between; of a field, every second line from the second one on */
static void
make_surface (KernelTest *test, TestPicture *p, const Layout *layout)
{
  unsigned type = p->params.chroma_array_type, n_planes = type ? 3 : 1;
  unsigned width[3], height[3];
  size_t size = GUARD;

  for (unsigned plane = 0; plane < n_planes; plane++) {
    size_t pitch;

    width[plane] = layout->width * (plane && type < 3 ? 8 : 16);
    height[plane] = layout->height * (plane && type < 2 ? 8 : 16);
    pitch = align (width[plane] * p->sample_bytes) / p->sample_bytes;
    p->params.plane_stride[plane] = pitch << layout->field;
    p->params.plane_offset[plane] = size / p->sample_bytes + (layout->field ? pitch : 0);
    size += ((pitch * height[plane]) << layout->field) * p->sample_bytes + GUARD;
  }
  p->surface_size = size;
  p->surface = aligned_alloc (64, align (size));
  if (!p->surface)
    kernel_test_check (CL_OUT_OF_HOST_MEMORY, "make_surface");
  for (size_t i = 0; i < size; i++)
    p->surface[i] = (uint8_t) (i * 7);
  for (unsigned plane = 0; plane < n_planes; plane++)
    fill_plane (test, p, plane, width[plane], height[plane], layout);
}

/* ---- pictures ---- */

static void
make_picture (KernelTest *test, TestPicture *p, const Format *format, const Layout *layout)
{
  memset (p, 0, sizeof (*p));
  p->params = (GstGpuPicture){ .width_in_mbs = layout->width,
    .height_in_mbs = layout->height,
    .chroma_array_type = format->chroma_array_type,
    .bit_depth_luma = format->bit_depth_luma,
    .bit_depth_chroma = format->bit_depth_chroma,
    .field_pic = layout->field,
    .mbaff = layout->mbaff,
    .n_slices = layout->steady ? 1 : 6 };
  p->n_mbs = layout->width * layout->height;
  p->sample_bytes = format->bit_depth_luma > 8 || format->bit_depth_chroma > 8 ? 2 : 1;
  p->has_inter = layout->inter;
  p->layout.slices = 64;
  p->layout.mbs = align (p->layout.slices + p->params.n_slices * sizeof (GstGpuSlice));
  p->layout.inter_slices = align (p->layout.mbs + p->n_mbs * sizeof (GstGpuMb));
  p->layout.partitions = align (p->layout.inter_slices + p->params.n_slices * sizeof (GstGpuInterSlice));
  p->header_size = p->has_inter ? p->layout.partitions + p->n_mbs * 16 * sizeof (GstGpuPartition) : p->layout.inter_slices;
  p->header = aligned_alloc (64, align (p->header_size));
  if (!p->header)
    kernel_test_check (CL_OUT_OF_HOST_MEMORY, "make_picture");
  memset (p->header, 0, p->header_size);
  make_slices (test, p, layout);
  make_mbs (test, p, layout);
  make_surface (test, p, layout);
  if (p->has_inter)
    make_motion (test, p);
}

static void
free_picture (TestPicture *p)
{
  free (p->header);
  free (p->surface);
}

static GpuReferencePicture
reference_picture (const TestPicture *p, void *samples)
{
  return (
      GpuReferencePicture){ .params = &p->params, .header = p->header, .layout = p->layout, .has_inter = p->has_inter, .samples = samples };
}

static void
run_reference (const TestPicture *p, void *samples)
{
  GpuReferencePicture reference = reference_picture (p, samples);

  gpu_reference_deblock (&reference);
}

/* ---- the device ---- */

typedef struct
{
  cl_program program;
  GpuDeblockKernels kernels;
} Built;

/* The kernels for a format in pictures up to 68 macroblocks high */
static Built
build (KernelTest *test, const GpuKernelDevice *device, const Format *format)
{
  GstGpuPicture params = { .chroma_array_type = format->chroma_array_type,
    .bit_depth_luma = format->bit_depth_luma,
    .bit_depth_chroma = format->bit_depth_chroma,
    .height_in_mbs = 68 };
  char options[256];
  Built built;

  gpu_deblock_options (device, &params, options, sizeof (options));
  built.program = kernel_test_build (test, gpu_deblock_source, options);
  kernel_test_check (gpu_deblock_kernels_init (&built.kernels, device, test->context, built.program, &params), "gpu_deblock_kernels_init");
  return built;
}

/* Under oclgrind kernels are kept: where a buffer that a kernel fills gets the number of a smaller one that is gone, oclgrind 21.10
 * takes what is in it for uninitialised. */
static void
clear (const KernelTest *test, Built *built)
{
  if (test->small)
    return;
  gpu_deblock_kernels_clear (&built->kernels);
  clReleaseProgram (built->program);
}

/* Runs a picture and reads the surface back to @samples.  Returns the time of the filter alone, the best of up to @rounds within a second
 * or two. */
static double
run_device (KernelTest *test, Built *built, const TestPicture *p, GpuWavefront wavefront, void *samples, unsigned rounds)
{
  GpuKernelPicture picture = { .params = p->params, .layout = p->layout };
  double best = 1e18, end = 0;

  picture.header = kernel_test_buffer (test, p->header, p->header_size);
  picture.surface = kernel_test_buffer (test, p->surface, p->surface_size);
  for (unsigned round = 0; round < 2 || (round < rounds && kernel_test_now () < end); round++) {
    double start;

    kernel_test_write (test, picture.surface, p->surface, p->surface_size);
    start = kernel_test_now ();
    kernel_test_check (gpu_deblock_enqueue (&built->kernels, test->queue, &picture, p->has_inter, wavefront, 0, NULL, NULL, NULL),
        "gpu_deblock_enqueue");
    kernel_test_check (clFinish (test->queue), "clFinish");
    start = kernel_test_now () - start;
    best = start < best ? start : best;
    if (rounds == 1)
      break;
    if (round == 0) /* which may have compiled */
      end = kernel_test_now () + 1e9;
  }
  kernel_test_read (test, picture.surface, samples, p->surface_size);
  clReleaseMemObject (picture.header);
  clReleaseMemObject (picture.surface);
  return best;
}

/* The strengths that the device has derived of a picture, and the reference's */
static int
compare_boundaries (KernelTest *test, const Built *built, const TestPicture *p)
{
  GpuReferencePicture reference = reference_picture (p, NULL);
  size_t size = p->n_mbs * sizeof (GstGpuBoundary);
  GstGpuBoundary *expected = malloc (size), *actual = malloc (size);
  int equal;

  if (!expected || !actual)
    kernel_test_check (CL_OUT_OF_HOST_MEMORY, "compare_boundaries");
  for (unsigned n = 0; n < p->n_mbs; n++)
    gpu_reference_boundary (&reference, n, &expected[n]);
  kernel_test_read (test, built->kernels.boundaries, actual, size);
  equal = kernel_test_equal ("boundary strengths", (uint8_t *) expected, (uint8_t *) actual, size, 1);
  free (expected);
  free (actual);
  return equal;
}

/* One picture by the device and by the reference */
static int
compare (KernelTest *test, Built *built, const Format *format, const Layout *layout, GpuWavefront wavefront)
{
  TestPicture p;
  uint8_t *expected, *actual;
  int equal;

  make_picture (test, &p, format, layout);
  expected = malloc (p.surface_size);
  actual = malloc (p.surface_size);
  if (!expected || !actual)
    kernel_test_check (CL_OUT_OF_HOST_MEMORY, "compare");
  memcpy (expected, p.surface, p.surface_size);
  run_reference (&p, expected);
  run_device (test, built, &p, wavefront, actual, 1);
  equal = kernel_test_equal (format->name, expected, actual, p.surface_size, p.sample_bytes);
  if (p.has_inter)
    equal &= compare_boundaries (test, built, &p);
  if (!equal)
    printf ("  %u x %u macroblocks%s%s\n", layout->width, layout->height,
        layout->mbaff       ? ", MBAFF"
            : layout->field ? ", field"
                            : "",
        layout->inter ? ", inter" : "");
  free (expected);
  free (actual);
  free_picture (&p);
  return equal;
}

/* Pictures of all small sizes, frames, fields and MBAFF frames, of intra macroblocks and of both */
static int
compare_layouts (KernelTest *test, Built *built, const Format *format, GpuWavefront wavefront)
{
  unsigned n = test->small ? 4 : 40;
  int equal = 1;

  for (unsigned i = 0; i < n; i++) {
    Layout layout = { .width = (unsigned) kernel_test_range (test, 1, test->small ? 3 : 9),
      .height = (unsigned) kernel_test_range (test, 1, test->small ? 3 : 8),
      .field = i % 4 == 1,
      .mbaff = i % 4 > 1,
      .inter = (i + i / 4) % 2 };

    if (layout.mbaff)
      layout.height = 2 * ((layout.height + 1) / 2);
    equal &= compare (test, built, format, &layout, wavefront);
  }
  return equal;
}

/* ---- functions ---- */

static const Format formats[] = { { "420_8", 1, 8, 8, 1 }, { "422_10", 2, 10, 10, 1 }, { "400_8", 0, 8, 8, 0 }, { "444_8", 3, 8, 8, 1 },
  { "420_10", 1, 10, 10, 0 }, { "422_8", 2, 8, 8, 0 }, { "422_12", 2, 12, 12, 0 }, { "444_14", 3, 14, 14, 1 }, { "420_9_13", 1, 9, 13, 0 },
  { "422_14_8", 2, 14, 8, 0 }, { "444_8_12", 3, 8, 12, 0 }, { "400_14", 0, 14, 14, 1 } };

static const struct
{
  GpuWavefront wavefront;
  const char *name;
} wavefronts[] = { { GPU_WAVEFRONT_IN_ORDER, "in_order" }, { GPU_WAVEFRONT_TICKETS, "tickets" }, { GPU_WAVEFRONT_DIAGONALS, "diagonals" } };

static const struct
{
  unsigned form;
  const char *name;
} forms[] = { { KERNEL_TEST_CPU, "cpu" }, { KERNEL_TEST_GPU, "gpu" } };

/* Best time of a 1920x1088 picture by the device; by the reference where @built is NULL */
static double
measure (KernelTest *test, Built *built, const Format *format, GpuWavefront wavefront)
{
  Layout layout = { .width = 120, .height = 68, .steady = 1 };
  TestPicture p;
  double ns;
  void *samples;

  make_picture (test, &p, format, &layout);
  samples = malloc (p.surface_size);
  if (!samples)
    kernel_test_check (CL_OUT_OF_HOST_MEMORY, "measure");
  memcpy (samples, p.surface, p.surface_size);
  if (built) {
    ns = run_device (test, built, &p, wavefront, samples, 40);
  } else {
    ns = kernel_test_now ();
    run_reference (&p, samples);
    ns = kernel_test_now () - ns;
  }
  free (samples);
  free_picture (&p);
  return ns;
}

/* A format in a form: every launch that the device has */
static void
test_form (KernelTest *test, const Format *format, unsigned form)
{
  GpuKernelDevice device;
  Built built = { NULL };

  for (unsigned w = 0; w < 3; w++) {
    char name[64];

    snprintf (name, sizeof (name), "deblock_%s_%s", format->name, wavefronts[w].name);
    if (!kernel_test_selected (test, name) || !kernel_test_form (test, forms[form].form, &device)
        || (forms[form].form == KERNEL_TEST_GPU && test->device.is_cpu && !format->everywhere)
        || (wavefronts[w].wavefront == GPU_WAVEFRONT_TICKETS && !device.device_atomics))
      continue;
    if (!built.program)
      built = build (test, &device, format);
    kernel_test_result (test, name, forms[form].name, compare_layouts (test, &built, format, wavefronts[w].wavefront),
        test->bench ? measure (test, &built, format, wavefronts[w].wavefront) : 0, "picture");
  }
  if (built.program)
    clear (test, &built);
}

/* Tickets --repeat times, on layouts large enough for work-groups to meet */
static void
test_repeated (KernelTest *test, unsigned form)
{
  const Format *format = &formats[0];
  GpuKernelDevice device;
  Built built;
  int equal = 1;

  if (!kernel_test_selected (test, "deblock_repeated") || !kernel_test_form (test, forms[form].form, &device) || !device.device_atomics)
    return;
  built = build (test, &device, format);
  for (unsigned i = 0; i < test->repeat && equal; i++) {
    Layout layout = { .width = (unsigned) kernel_test_range (test, 1, 24),
      .height = (unsigned) kernel_test_range (test, 1, 16),
      .mbaff = kernel_test_range (test, 0, 2) == 0,
      .inter = kernel_test_range (test, 0, 3) == 0 };

    if (layout.mbaff)
      layout.height = 2 * ((layout.height + 1) / 2);
    equal = compare (test, &built, format, &layout, GPU_WAVEFRONT_TICKETS);
  }
  kernel_test_result (test, "deblock_repeated", forms[form].name, equal, 0, NULL);
  clear (test, &built);
}

int
main (int argc, char **argv)
{
  KernelTest test;

  kernel_test_init (&test, argc, argv);
  for (unsigned f = 0; f < sizeof (formats) / sizeof (formats[0]); f++) {
    for (unsigned form = 0; form < 2; form++)
      test_form (&test, &formats[f], form);
    if (test.bench && kernel_test_selected (&test, "deblock_c"))
      printf ("%-36s %-10s        %10.3f ms/picture\n", formats[f].name, "C", measure (&test, NULL, &formats[f], 0) / 1e6);
  }
  for (unsigned form = 0; form < 2; form++)
    test_repeated (&test, form);
  return kernel_test_finish (&test);
}
