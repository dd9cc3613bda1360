/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The output kernel against the C reference: every pair of sample sizes, one, two and four components, constants, repeated and shifted
 * samples, random sizes, strides and offsets.  Every byte of the raw picture is compared, those between rows and planes too.
 */
#include <stdio.h>

#include "kerneltest.h"
#include "outputkernel.h"
#include "reference.h"

#define GUARD 128

typedef struct
{
  const char *name;
  uint32_t surface_sample_size, raw_sample_size;
  uint32_t n_planes;
  uint32_t n_components[4];
  uint32_t h_sub, v_sub; /* of the planes behind the first, in the raw picture */
  int repeat;            /* chroma of the surface has half as many columns */
  int constant;          /* chroma, or alpha (component 0), is not in the surface */
  uint32_t shift;
} Case;

static const Case cases[] = {
  { "gray8", 1, 1, 1, { 1 } },
  { "i420", 1, 1, 3, { 1, 1, 1 }, 1, 1 },
  { "gray8_to_i420", 1, 1, 3, { 1, 1, 1 }, 1, 1, .constant = 1 },
  { "y42b", 1, 1, 3, { 1, 1, 1 }, 1, 0 },
  { "i420_10_of_9", 2, 2, 3, { 1, 1, 1 }, 1, 1, .shift = 1 },
  { "y444_12", 2, 2, 3, { 1, 1, 1 }, 0, 0 },
  { "p016_of_14", 2, 2, 2, { 1, 2 }, 1, 1, .shift = 2 },
  { "y444_16_of_422", 2, 2, 3, { 1, 1, 1 }, 0, 0, .repeat = 1, .shift = 2 },
  { "argb64_of_13", 2, 2, 1, { 4 }, .constant = 1, .shift = 3 },
  { "gray16_to_p016", 2, 2, 2, { 1, 2 }, 1, 1, .constant = 1, .shift = 3 },
  { "i420_10_of_bytes", 1, 2, 3, { 1, 1, 1 }, 1, 1, .shift = 2 },
  { "y444_16_of_bytes", 1, 2, 3, { 1, 1, 1 }, 0, 0, .repeat = 1, .shift = 8 },
};

/* Room in the surface for the samples of one component, at an odd place */
static void
component_init (KernelTest *test, GpuOutputComponent *component, const Case *c, uint32_t width, uint32_t height, int chroma,
    size_t *surface_samples)
{
  uint32_t repeat = chroma && c->repeat ? 1 : 0;
  uint32_t columns = (width + repeat) >> repeat;

  memset (component, 0, sizeof (*component));
  component->from_surface = 1;
  component->repeat_shift = repeat;
  component->shift = c->shift;
  component->offset = *surface_samples + kernel_test_range (test, 0, 40);
  component->stride = columns + kernel_test_range (test, 0, 40);
  *surface_samples = component->offset + (size_t) component->stride * height;
}

static void
output_init (KernelTest *test, GpuOutput *output, const Case *c, uint32_t width, uint32_t height, size_t *surface_size, size_t *raw_size)
{
  size_t surface_samples = GUARD;

  memset (output, 0, sizeof (*output));
  output->surface_sample_size = c->surface_sample_size;
  output->raw_sample_size = c->raw_sample_size;
  output->n_planes = c->n_planes;
  *raw_size = GUARD;
  for (uint32_t p = 0; p < c->n_planes; p++) {
    GpuOutputPlane *plane = &output->plane[p];
    uint32_t pixel_size = c->n_components[p] * c->raw_sample_size;

    plane->width = p ? (width + c->h_sub) >> c->h_sub : width;
    plane->height = p ? (height + c->v_sub) >> c->v_sub : height;
    plane->n_components = c->n_components[p];
    plane->offset = (*raw_size + 1) / 2 * 2 + c->raw_sample_size * kernel_test_range (test, 0, 20);
    plane->stride = plane->width * pixel_size + c->raw_sample_size * kernel_test_range (test, 0, 20);
    *raw_size = plane->offset + (size_t) plane->stride * plane->height + GUARD;
    for (uint32_t i = 0; i < plane->n_components; i++) {
      component_init (test, &plane->component[i], c, plane->width, plane->height, p > 0, &surface_samples);
      if (c->constant && (p > 0 || (plane->n_components == 4 && i == 0))) {
        plane->component[i].from_surface = 0;
        plane->component[i].value = kernel_test_random (test) & (c->raw_sample_size == 1 ? 0xff : 0xffff);
      }
    }
  }
  *surface_size = (surface_samples + GUARD) * c->surface_sample_size;
}

/* Time of one picture in nanoseconds */
static double
measure (KernelTest *test, GpuOutputKernels *kernels, const GpuOutput *output, cl_mem surface, cl_mem raw)
{
  const int n = 20;
  unsigned n_launches;
  double start = kernel_test_now ();

  for (int i = 0; i < n; i++)
    kernel_test_check (gpu_output_enqueue (kernels, test->queue, output, surface, raw, 0, NULL, NULL, &n_launches), "enqueue");
  clFinish (test->queue);

  return (kernel_test_now () - start) / n;
}

/* A launch makes planes one behind the other that are alike. */
static unsigned
count_launches (const Case *c)
{
  unsigned n = 1;

  for (uint32_t p = 1; p < c->n_planes; p++)
    n += c->n_components[p] != c->n_components[p - 1];
  return n;
}

/* 1 where kernel and reference agree */
static int
run (KernelTest *test, GpuOutputKernels *kernels, const Case *c, uint32_t width, uint32_t height, double *ns)
{
  GpuOutput output;
  size_t surface_size, raw_size;
  uint8_t *surface, *expected, *actual;
  cl_mem surface_buffer, raw_buffer;
  unsigned n_launches;
  int equal;

  output_init (test, &output, c, width, height, &surface_size, &raw_size);
  surface = malloc (surface_size);
  expected = malloc (raw_size);
  actual = malloc (raw_size);
  if (!surface || !expected || !actual)
    kernel_test_check (CL_OUT_OF_HOST_MEMORY, "pictures");
  for (size_t i = 0; i < surface_size; i++)
    surface[i] = kernel_test_random (test);
  memset (expected, 0xA5, raw_size);
  surface_buffer = kernel_test_buffer (test, surface, surface_size);
  raw_buffer = kernel_test_buffer (test, NULL, raw_size);

  kernel_test_check (gpu_output_enqueue (kernels, test->queue, &output, surface_buffer, raw_buffer, 0, NULL, NULL, &n_launches),
      "gpu_output_enqueue");
  kernel_test_read (test, raw_buffer, actual, raw_size);
  gpu_reference_output (&output, surface, expected);
  equal = n_launches == count_launches (c) && kernel_test_equal (c->name, expected, actual, raw_size, 1);
  if (ns)
    *ns = measure (test, kernels, &output, surface_buffer, raw_buffer);

  clReleaseMemObject (surface_buffer);
  clReleaseMemObject (raw_buffer);
  free (surface);
  free (expected);
  free (actual);

  return equal;
}

static void
run_case (KernelTest *test, const Case *c, unsigned form)
{
  const GpuOutput formats = { .surface_sample_size = c->surface_sample_size, .raw_sample_size = c->raw_sample_size };
  int max_size = test->small ? 20 : 150, n = test->small ? 2 : 12, passed = 1;
  GpuKernelDevice device;
  GpuOutputKernels kernels;
  cl_program program;
  char options[256];
  double ns = 0;

  if (!kernel_test_selected (test, c->name) || !kernel_test_form (test, form, &device))
    return;
  gpu_output_options (&device, &formats, options, sizeof (options));
  program = kernel_test_build (test, gpu_output_source, options);
  kernel_test_check (gpu_output_kernels_init (&kernels, &device, program), "gpu_output_kernels_init");
  for (int i = 0; i < n && passed; i++)
    passed = run (test, &kernels, c, kernel_test_range (test, 1, max_size), kernel_test_range (test, 1, max_size), NULL);
  if (passed && test->bench)
    passed = run (test, &kernels, c, 1920, 1080, &ns);
  kernel_test_result (test, c->name, form == KERNEL_TEST_CPU ? "cpu" : "gpu", passed, ns, "picture");
  gpu_output_kernels_clear (&kernels);
  clReleaseProgram (program);
}

int
main (int argc, char **argv)
{
  KernelTest test;

  kernel_test_init (&test, argc, argv);
  for (size_t i = 0; i < sizeof (cases) / sizeof (cases[0]); i++) {
    run_case (&test, &cases[i], KERNEL_TEST_CPU);
    run_case (&test, &cases[i], KERNEL_TEST_GPU);
  }

  return kernel_test_finish (&test);
}
