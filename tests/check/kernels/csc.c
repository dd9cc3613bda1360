/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The colour conversion kernel against the formula in double precision: every pair of formats with the program for any pair, and the common
 * pairs with programs of their own; random sizes, strides, offsets, ranges, matrices and chroma sites.  Every sample is compared, and every
 * byte that belongs to no sample.
 */
#include <math.h>
#include <stdio.h>

#include "csc.h"
#include "csckernel.h"
#include "kerneltest.h"

/* How far a sample may be from the exact value: half a step for rounding, and what single precision loses.  The promise to users is 1. */
#define TOLERANCE 0.6
#define GUARD 256

typedef struct
{
  const char *name;
  GpuCscFormat format;
} Named;

/* clang-format off */
#define PLANAR(depth_, h, v) { .n_components = 3, .depth = depth_, .h_sub = h, .v_sub = v, .n_planes = 3, \
    .word_bytes = { 1 + (depth_ > 8), 1 + (depth_ > 8), 1 + (depth_ > 8) }, .plane = { 0, 1, 2 } }
#define GRAY(depth_) { .n_components = 1, .depth = depth_, .n_planes = 1, .word_bytes = { 1 + (depth_ > 8) } }
#define SEMI(depth_, low, v) { .n_components = 3, .depth = depth_, .h_sub = 1, .v_sub = v, .n_planes = 2, \
    .word_bytes = { 1 + (depth_ > 8), 2 + 2 * (depth_ > 8) }, .plane = { 0, 1, 1 }, .shift = { low, low, low + (depth_ > 8 ? 16 : 8) } }
#define GBR_PLANAR(depth_) { .rgb = 1, .n_components = 3, .depth = depth_, .n_planes = 3, \
    .word_bytes = { 1 + (depth_ > 8), 1 + (depth_ > 8), 1 + (depth_ > 8) }, .plane = { 2, 0, 1 } }
#define PACKED(depth_, r, g, b, a, kind) { .rgb = 1, .n_components = 3, .alpha = kind, .depth = depth_, .n_planes = 1, \
    .word_bytes = { depth_ / 2 }, .shift = { r * depth_, g * depth_, b * depth_, a * depth_ } }
/* clang-format on */

static const Named formats[] = {
  { "GRAY8", GRAY (8) },
  { "GRAY16", GRAY (16) },
  { "I420", PLANAR (8, 1, 1) },
  { "I420_10", PLANAR (10, 1, 1) },
  { "I420_12", PLANAR (12, 1, 1) },
  { "Y42B", PLANAR (8, 1, 0) },
  { "I422_10", PLANAR (10, 1, 0) },
  { "I422_12", PLANAR (12, 1, 0) },
  { "Y444", PLANAR (8, 0, 0) },
  { "Y444_10", PLANAR (10, 0, 0) },
  { "Y444_12", PLANAR (12, 0, 0) },
  { "Y444_16", PLANAR (16, 0, 0) },
  { "NV12", SEMI (8, 0, 1) },
  { "NV16", SEMI (8, 0, 0) },
  { "P010", SEMI (10, 6, 1) },
  { "P012", SEMI (12, 4, 1) },
  { "P016", SEMI (16, 0, 1) },
  { "GBR", GBR_PLANAR (8) },
  { "GBR_10", GBR_PLANAR (10) },
  { "GBR_12", GBR_PLANAR (12) },
  { "RGBA", PACKED (8, 0, 1, 2, 3, GPU_CSC_ALPHA) },
  { "BGRA", PACKED (8, 2, 1, 0, 3, GPU_CSC_ALPHA) },
  { "RGBx", PACKED (8, 0, 1, 2, 3, GPU_CSC_ALPHA_PADDING) },
  { "BGRx", PACKED (8, 2, 1, 0, 3, GPU_CSC_ALPHA_PADDING) },
  { "ARGB64", PACKED (16, 1, 2, 3, 0, GPU_CSC_ALPHA) },
};

#define N_FORMATS ((int) (sizeof (formats) / sizeof (formats[0])))

/* Pairs with a program of their own; those with bench are measured */
static const struct
{
  const char *in, *out;
} pairs[] = {
  { "I420", "RGBA" },
  { "I420", "BGRA" },
  { "I420", "NV12" },
  { "I420", "P010" },
  { "I420_10", "RGBA" },
  { "I420_10", "P010" },
  { "I420_10", "NV12" },
  { "Y42B", "RGBA" },
  { "Y42B", "NV12" },
  { "I422_10", "RGBA" },
  { "I422_10", "P010" },
  { "I422_10", "NV12" },
  { "NV12", "I420" },
  { "NV12", "RGBx" },
  { "P010", "BGRx" },
  { "RGBA", "I420" },
  { "BGRA", "NV12" },
  { "RGBA", "BGRA" },
};

/* A picture in memory: all planes in one allocation, guard bytes around each */
typedef struct
{
  GpuCscFormat format;
  size_t size;
  uint8_t *data;
  cl_mem buffer;
} Picture;

static const GpuCscFormat *
find_format (const char *name)
{
  for (int i = 0; i < N_FORMATS; i++)
    if (strcmp (formats[i].name, name) == 0)
      return &formats[i].format;
  abort ();
}

static int
is_chroma_plane (const GpuCscFormat *format, unsigned plane)
{
  return !format->rgb && plane > 0;
}

static unsigned
plane_width (const GpuCscFormat *format, unsigned plane)
{
  return is_chroma_plane (format, plane) ? (format->width + format->h_sub) >> format->h_sub : format->width;
}

static unsigned
plane_height (const GpuCscFormat *format, unsigned plane)
{
  return is_chroma_plane (format, plane) ? (format->height + format->v_sub) >> format->v_sub : format->height;
}

/* Random range, matrix and site; planes at random offsets and strides */
static void
format_randomise (KernelTest *test, GpuCscFormat *format, size_t *size)
{
  static const double constants[3][2] = { { 0.299, 0.114 }, { 0.2126, 0.0722 }, { 0.2627, 0.0593 } };
  int matrix = kernel_test_range (test, 0, 2);

  format->kr = constants[matrix][0];
  format->kb = constants[matrix][1];
  format->full_range = format->rgb ? kernel_test_range (test, 0, 3) > 0 : kernel_test_range (test, 0, 1);
  format->site_x = 2 * kernel_test_range (test, 0, 1);
  format->site_y = kernel_test_range (test, 0, 3);
  *size = GUARD;
  for (unsigned i = 0; i < format->n_planes; i++) {
    unsigned bytes = format->word_bytes[i];

    format->offset[i] = (*size + 7) / 8 * 8 + bytes * kernel_test_range (test, 0, 9);
    format->stride[i] = bytes * (plane_width (format, i) + kernel_test_range (test, 0, 20));
    *size = format->offset[i] + (size_t) format->stride[i] * plane_height (format, i) + GUARD;
  }
}

static void
picture_init (Picture *picture, const GpuCscFormat *format, size_t size)
{
  picture->format = *format;
  picture->size = size;
  picture->data = malloc (size);
  picture->buffer = NULL;
  if (!picture->data)
    kernel_test_check (CL_OUT_OF_HOST_MEMORY, "picture");
  memset (picture->data, 0xA5, size);
}

static void
picture_clear (Picture *picture)
{
  free (picture->data);
  if (picture->buffer)
    clReleaseMemObject (picture->buffer);
}

/* Noise, extremes only, or slow ramps */
static void
picture_fill (KernelTest *test, Picture *picture)
{
  int kind = kernel_test_range (test, 0, 3);
  unsigned step = kernel_test_range (test, 1, 255);

  for (size_t i = 0; i < picture->size; i++)
    picture->data[i] = kind <= 1 ? kernel_test_random (test) : kind == 2 ? (kernel_test_random (test) & 1) * 255 : i * step >> 4;
}

static void
planes_of (const Picture *picture, const uint8_t *planes[GPU_CSC_PLANES])
{
  for (unsigned i = 0; i < GPU_CSC_PLANES; i++)
    planes[i] = picture->data;
}

/* The farthest sample from the exact value; prints the first that is too far. */
static double
compare_samples (const char *name, const Picture *in, const Picture *out)
{
  const uint8_t *in_planes[GPU_CSC_PLANES], *out_planes[GPU_CSC_PLANES];
  unsigned n = out->format.n_components;
  double worst = 0;

  planes_of (in, in_planes);
  planes_of (out, out_planes);
  for (unsigned k = 0; k < 4; k++) {
    unsigned plane = out->format.plane[k];

    if (k >= n && !(k == 3 && out->format.alpha))
      continue;
    for (unsigned y = 0; y < plane_height (&out->format, plane); y++)
      for (unsigned x = 0; x < plane_width (&out->format, plane); x++) {
        double expected = gpu_reference_csc_value (&in->format, in_planes, &out->format, k, x, y);
        uint32_t actual = gpu_reference_csc_read (&out->format, out_planes, k, x, y);
        double error = fabs (actual - expected);

        if (error > TOLERANCE && worst <= TOLERANCE)
          printf ("  %s %ux%u: component %u at (%u, %u): expected %g, is %u\n", name, in->format.width, in->format.height, k, x, y,
              expected, actual);
        worst = error > worst ? error : worst;
      }
  }
  return worst;
}

/* Everything but the components, the unused bits of words included, is as it was or 0. */
static int
compare_rest (const char *name, const Picture *out)
{
  uint8_t *expected = malloc (out->size);
  const GpuCscFormat *format = &out->format;
  const uint8_t *planes[GPU_CSC_PLANES];
  int ok;

  planes_of (out, planes);
  memset (expected, 0xA5, out->size);
  for (unsigned i = 0; i < format->n_planes; i++)
    for (unsigned y = 0; y < plane_height (format, i); y++)
      memset (expected + format->offset[i] + (size_t) y * format->stride[i], 0, (size_t) plane_width (format, i) * format->word_bytes[i]);
  for (unsigned k = 0; k < 4; k++) {
    unsigned plane = format->plane[k];

    if (k >= format->n_components && !(k == 3 && format->alpha))
      continue;
    for (unsigned y = 0; y < plane_height (format, plane); y++)
      for (unsigned x = 0; x < plane_width (format, plane); x++) {
        uint8_t *word = expected + format->offset[plane] + (size_t) y * format->stride[plane] + (size_t) x * format->word_bytes[plane];
        uint64_t field = (uint64_t) gpu_reference_csc_read (format, planes, k, x, y) << format->shift[k];

        for (unsigned i = 0; i < format->word_bytes[plane]; i++)
          word[i] |= (uint8_t) (field >> 8 * i);
      }
  }
  ok = kernel_test_equal (name, expected, out->data, out->size, 1);
  free (expected);
  return ok;
}

static void
convert (KernelTest *test, GpuCscKernels *kernels, Picture *in, Picture *out)
{
  cl_mem in_planes[GPU_CSC_PLANES], out_planes[GPU_CSC_PLANES];

  in->buffer = kernel_test_buffer (test, in->data, in->size);
  out->buffer = kernel_test_buffer (test, out->data, out->size);
  for (unsigned i = 0; i < GPU_CSC_PLANES; i++) {
    in_planes[i] = in->buffer;
    out_planes[i] = out->buffer;
  }
  kernel_test_check (gpu_csc_enqueue (kernels, test->queue, &in->format, in_planes, &out->format, out_planes, 0, NULL, NULL, NULL),
      "gpu_csc_enqueue");
  kernel_test_read (test, out->buffer, out->data, out->size);
}

/* Random pictures of the two formats, which are complete.  1 where all is right; raises *@worst. */
static int
test_picture (KernelTest *test, const char *name, GpuCscKernels *kernels, const GpuCscFormat *in_format, size_t in_size,
    const GpuCscFormat *out_format, size_t out_size, double *worst)
{
  Picture in, out;
  double error;
  int ok;

  picture_init (&in, in_format, in_size);
  picture_init (&out, out_format, out_size);
  picture_fill (test, &in);
  convert (test, kernels, &in, &out);
  error = compare_samples (name, &in, &out);
  ok = error <= TOLERANCE && compare_rest (name, &out);
  *worst = error > *worst ? error : *worst;
  picture_clear (&in);
  picture_clear (&out);
  return ok;
}

static void
random_size (KernelTest *test, int i, GpuCscFormat *in, GpuCscFormat *out)
{
  static const int widths[] = { 1, 2, 3, 31, 32, 33, 34, 64, 65, 66 };
  int largest = test->small ? 40 : 130;

  in->width = i < 2 ? widths[kernel_test_range (test, 0, test->small ? 5 : 9)] : kernel_test_range (test, 1, largest);
  in->height = kernel_test_range (test, 1, i == 0 ? 3 : test->small ? 6 : 40);
  out->width = in->width;
  out->height = in->height;
}

static GpuCscKernels
kernels_new (KernelTest *test, const GpuKernelDevice *device, const GpuCscFormat *in, const GpuCscFormat *out)
{
  char options[512];
  cl_program program;
  GpuCscKernels kernels;

  gpu_csc_options (device, in, out, options, sizeof (options));
  program = kernel_test_build (test, gpu_csc_source, options);
  kernel_test_check (gpu_csc_kernels_init (&kernels, device, program), "gpu_csc_kernels_init");
  clReleaseProgram (program);
  return kernels;
}

/* One input format to every output format, by the program for any pair */
static void
test_any (KernelTest *test, GpuCscKernels *kernels, const char *form, int in)
{
  char name[64];
  double worst = 0;
  int ok = 1;

  snprintf (name, sizeof (name), "any/%s", formats[in].name);
  if (!kernel_test_selected (test, name))
    return;
  for (int out = test->small ? in % 6 : 0; out < N_FORMATS; out += test->small ? 6 : 1)
    for (int i = 0; i < (test->small ? 1 : 4); i++) {
      GpuCscFormat in_format = formats[in].format, out_format = formats[out].format;
      size_t in_size, out_size;
      char pair[64];

      random_size (test, i, &in_format, &out_format);
      format_randomise (test, &in_format, &in_size);
      format_randomise (test, &out_format, &out_size);
      if (i & 1) {
        out_format.kr = in_format.kr;
        out_format.kb = in_format.kb;
      }
      snprintf (pair, sizeof (pair), "%s to %s", formats[in].name, formats[out].name);
      ok &= test_picture (test, pair, kernels, &in_format, in_size, &out_format, out_size, &worst);
    }
  kernel_test_result (test, name, form, ok, 0, NULL);
}

/* HD material as usual: limited range BT.709, cosited across; RGB in full range */
static void
format_usual (GpuCscFormat *format, unsigned width, unsigned height, size_t *size)
{
  format->width = width;
  format->height = height;
  format->kr = 0.2126;
  format->kb = 0.0722;
  format->full_range = format->rgb;
  format->site_x = 0;
  format->site_y = 2;
  *size = 0;
  for (unsigned i = 0; i < format->n_planes; i++) {
    format->offset[i] = *size;
    format->stride[i] = (plane_width (format, i) * format->word_bytes[i] + 63) / 64 * 64;
    *size += (size_t) format->stride[i] * plane_height (format, i);
  }
}

static double
measure (KernelTest *test, GpuCscKernels *kernels, GpuCscFormat in_format, GpuCscFormat out_format)
{
  size_t in_size, out_size;
  Picture in, out;
  double best = 1e12;

  format_usual (&in_format, 1920, 1088, &in_size);
  format_usual (&out_format, 1920, 1088, &out_size);
  picture_init (&in, &in_format, in_size);
  picture_init (&out, &out_format, out_size);
  picture_fill (test, &in);
  convert (test, kernels, &in, &out);
  for (int round = 0; round < 20; round++) {
    cl_mem in_planes[GPU_CSC_PLANES] = { in.buffer, in.buffer, in.buffer, in.buffer };
    cl_mem out_planes[GPU_CSC_PLANES] = { out.buffer, out.buffer, out.buffer, out.buffer };
    double start = kernel_test_now (), ns;

    for (int i = 0; i < 3; i++)
      gpu_csc_enqueue (kernels, test->queue, &in_format, in_planes, &out_format, out_planes, 0, NULL, NULL, NULL);
    clFinish (test->queue);
    ns = (kernel_test_now () - start) / 3;
    best = ns < best ? ns : best;
  }
  picture_clear (&in);
  picture_clear (&out);
  return best;
}

/* A common pair by its own program: that of usual material, with other sizes, strides and pictures */
static void
test_pair (KernelTest *test, const GpuKernelDevice *device, const char *form, const char *in, const char *out)
{
  GpuCscFormat in_format = *find_format (in), out_format = *find_format (out);
  size_t in_size, out_size;
  GpuCscKernels kernels;
  double worst = 0;
  char name[64];
  int ok = 1;

  snprintf (name, sizeof (name), "%s_to_%s", in, out);
  if (!kernel_test_selected (test, name))
    return;
  format_usual (&in_format, 64, 64, &in_size);
  format_usual (&out_format, 64, 64, &out_size);
  if (!gpu_csc_is_common (&in_format, &out_format))
    ok = 0;
  kernels = kernels_new (test, device, &in_format, &out_format);
  for (int i = 0; i < (test->small ? 1 : 12); i++) {
    random_size (test, i, &in_format, &out_format);
    format_randomise (test, &in_format, &in_size);
    format_randomise (test, &out_format, &out_size);
    in_format.full_range = in_format.rgb;
    out_format.full_range = out_format.rgb;
    in_format.kr = out_format.kr;
    in_format.kb = out_format.kb;
    in_format.site_x = out_format.site_x = 0;
    in_format.site_y = out_format.site_y = 2;
    ok &= test_picture (test, name, &kernels, &in_format, in_size, &out_format, out_size, &worst);
  }
  kernel_test_result (test, name, form, ok, test->bench ? measure (test, &kernels, in_format, out_format) : 0, "picture");
  gpu_csc_kernels_clear (&kernels);
}

static void
test_form (KernelTest *test, unsigned form, const char *form_name)
{
  GpuKernelDevice storage;
  const GpuKernelDevice *device = kernel_test_form (test, form, &storage);
  GpuCscKernels any;

  if (!device)
    return;
  any = kernels_new (test, device, NULL, NULL);
  for (int in = 0; in < N_FORMATS; in++)
    test_any (test, &any, form_name, in);
  gpu_csc_kernels_clear (&any);
  for (size_t i = 0; i < sizeof (pairs) / sizeof (pairs[0]) && !(test->small && i > 3); i++)
    test_pair (test, device, form_name, pairs[i].in, pairs[i].out);
}

int
main (int argc, char **argv)
{
  KernelTest test;

  kernel_test_init (&test, argc, argv);
  test_form (&test, KERNEL_TEST_CPU, "cpu");
  test_form (&test, KERNEL_TEST_GPU, "gpu");
  return kernel_test_finish (&test);
}
