/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <fnmatch.h>
#include <stdio.h>
#include <time.h>

#include "kerneltest.h"

void
kernel_test_check (cl_int err, const char *what)
{
  if (err == CL_SUCCESS)
    return;
  fprintf (stderr, "%s: OpenCL error %d\n", what, err);
  exit (1);
}

static void
usage (const char *program)
{
  fprintf (stderr, "usage: %s [--seed=N] [--function=PATTERN] [--form=cpu|gpu] [--bench] [--repeat=N] [--device=N] [--oclgrind]\n",
      program);
  exit (2);
}

/* @device: number of the device, counted over all platforms */
static void
parse_arguments (KernelTest *test, int argc, char **argv, unsigned *device)
{
  for (int i = 1; i < argc; i++) {
    const char *arg = argv[i];

    if (strncmp (arg, "--seed=", 7) == 0)
      test->seed = strtoull (arg + 7, NULL, 0);
    else if (strncmp (arg, "--repeat=", 9) == 0)
      test->repeat = (unsigned) strtoul (arg + 9, NULL, 0);
    else if (strncmp (arg, "--function=", 11) == 0)
      test->function = arg + 11;
    else if (strncmp (arg, "--device=", 9) == 0)
      *device = (unsigned) strtoul (arg + 9, NULL, 0);
    else if (strcmp (arg, "--form=cpu") == 0)
      test->forms = KERNEL_TEST_CPU;
    else if (strcmp (arg, "--form=gpu") == 0)
      test->forms = KERNEL_TEST_GPU;
    else if (strcmp (arg, "--bench") == 0)
      test->bench = 1;
    else if (strcmp (arg, "--oclgrind") == 0)
      test->small = 1;
    else
      usage (argv[0]);
  }
}

/* Device number @number over all platforms; NULL where there are fewer */
static cl_device_id
find_device (unsigned number, cl_platform_id *platform)
{
  cl_platform_id platforms[16];
  cl_device_id devices[64];
  cl_uint n_platforms = 0, n_devices = 0;

  if (clGetPlatformIDs (16, platforms, &n_platforms) != CL_SUCCESS)
    return NULL;
  for (cl_uint p = 0; p < n_platforms && p < 16; p++) {
    if (clGetDeviceIDs (platforms[p], CL_DEVICE_TYPE_ALL, 64, devices, &n_devices) != CL_SUCCESS)
      continue;
    if (number < n_devices) {
      *platform = platforms[p];
      return devices[number];
    }
    number -= n_devices;
  }
  return NULL;
}

void
kernel_test_init (KernelTest *test, int argc, char **argv)
{
  unsigned number = 0;
  cl_device_id device;
  char name[128] = "";
  cl_int err;

  memset (test, 0, sizeof (*test));
  test->seed = 1;
  test->repeat = 1;
  test->forms = KERNEL_TEST_CPU | KERNEL_TEST_GPU;
  parse_arguments (test, argc, argv, &number);
  device = find_device (number, &test->platform);
  if (!device) {
    printf ("SKIP: no OpenCL device %u\n", number);
    exit (KERNEL_TEST_SKIP);
  }
  kernel_test_check (gpu_kernel_device_init (&test->device, device), "device");
  test->context = clCreateContext (NULL, 1, &device, NULL, NULL, &err);
  kernel_test_check (err, "clCreateContext");
  test->queue = clCreateCommandQueue (test->context, device, 0, &err);
  kernel_test_check (err, "clCreateCommandQueue");
  clGetDeviceInfo (device, CL_DEVICE_NAME, sizeof (name), name, NULL);
  printf ("%s: seed %llu, device %s\n", argv[0], (unsigned long long) test->seed, name);
}

int
kernel_test_finish (KernelTest *test)
{
  clReleaseCommandQueue (test->queue);
  clReleaseContext (test->context);
  printf ("%u passed, %u failed\n", test->n_passed, test->n_failed);
  return test->n_failed > 0 || test->n_passed == 0;
}

const GpuKernelDevice *
kernel_test_form (KernelTest *test, unsigned form, GpuKernelDevice *device)
{
  if (!(test->forms & form))
    return NULL;
  *device = test->device;
  device->is_cpu = form == KERNEL_TEST_CPU;
  if (test->small)
    device->device_atomics = 0;
  return device;
}

int
kernel_test_selected (KernelTest *test, const char *name)
{
  if (test->function && fnmatch (test->function, name, 0) != 0)
    return 0;
  test->state = test->seed;
  for (const char *c = name; *c; c++)
    test->state = (test->state ^ (uint8_t) *c) * UINT64_C (0x100000001b3);
  return 1;
}

uint32_t
kernel_test_random (KernelTest *test)
{
  uint64_t z = test->state += UINT64_C (0x9e3779b97f4a7c15);

  z = (z ^ z >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C (0x94d049bb133111eb);
  return (uint32_t) (z >> 32);
}

int
kernel_test_range (KernelTest *test, int min, int max)
{
  return min + (int) (kernel_test_random (test) % ((uint32_t) max - (uint32_t) min + 1));
}

cl_program
kernel_test_build (KernelTest *test, const char *source, const char *options)
{
  static char log[65536], all_options[4096];
  cl_int err;
  cl_program program = clCreateProgramWithSource (test->context, 1, &source, NULL, &err);

  kernel_test_check (err, "clCreateProgramWithSource");
  /* oclgrind's watch over uninitialised memory does not know the instruction freeze, which LLVM's optimiser emits */
  snprintf (all_options, sizeof (all_options), "%s%s", options, test->small ? " -cl-std=CL1.2 -cl-opt-disable" : "");
  err = clBuildProgram (program, 1, &test->device.device, all_options, NULL, NULL);
  if (err != CL_SUCCESS) {
    clGetProgramBuildInfo (program, test->device.device, CL_PROGRAM_BUILD_LOG, sizeof (log), log, NULL);
    fprintf (stderr, "options: %s\n%s\n", all_options, log);
  }
  kernel_test_check (err, "clBuildProgram");
  return program;
}

cl_mem
kernel_test_buffer (KernelTest *test, const void *data, size_t size)
{
  cl_int err;
  cl_mem buffer = clCreateBuffer (test->context, CL_MEM_READ_WRITE, size, NULL, &err);
  void *fill = NULL;

  kernel_test_check (err, "clCreateBuffer");
  if (!data) {
    fill = malloc (size);
    if (!fill)
      kernel_test_check (CL_OUT_OF_HOST_MEMORY, "kernel_test_buffer");
    memset (fill, 0xA5, size);
  }
  kernel_test_write (test, buffer, data ? data : fill, size);
  free (fill);
  return buffer;
}

void
kernel_test_read (KernelTest *test, cl_mem buffer, void *data, size_t size)
{
  kernel_test_check (clEnqueueReadBuffer (test->queue, buffer, CL_TRUE, 0, size, data, 0, NULL, NULL), "clEnqueueReadBuffer");
}

void
kernel_test_write (KernelTest *test, cl_mem buffer, const void *data, size_t size)
{
  kernel_test_check (clEnqueueWriteBuffer (test->queue, buffer, CL_TRUE, 0, size, data, 0, NULL, NULL), "clEnqueueWriteBuffer");
}

static long
element_at (const void *data, size_t i, unsigned element)
{
  if (element == 4)
    return ((const int32_t *) data)[i];
  return element == 2 ? ((const int16_t *) data)[i] : ((const uint8_t *) data)[i];
}

int
kernel_test_equal (const char *what, const void *expected, const void *actual, size_t size, unsigned element)
{
  size_t n = size / element, first = n, n_differ = 0;

  if (memcmp (expected, actual, size) == 0)
    return 1;
  for (size_t i = 0; i < n; i++) {
    if (element_at (expected, i, element) == element_at (actual, i, element))
      continue;
    if (n_differ++ == 0)
      first = i;
  }
  if (n_differ > 0)
    printf ("  %s: %zu of %zu differ, first at %zu: expected %ld, is %ld\n", what, n_differ, n, first,
        element_at (expected, first, element), element_at (actual, first, element));
  else
    printf ("  %s: the last bytes differ\n", what);
  return 0;
}

double
kernel_test_now (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e9 + now.tv_nsec;
}

void
kernel_test_result (KernelTest *test, const char *name, const char *form, int passed, double ns, const char *unit)
{
  if (passed)
    test->n_passed++;
  else
    test->n_failed++;
  printf ("%-36s %-10s %-6s", name, form, passed ? "ok" : "FAILED");
  if (ns >= 1e5)
    printf (" %10.3f ms/%s", ns / 1e6, unit);
  else if (ns > 0)
    printf (" %10.2f ns/%s", ns, unit);
  printf ("\n");
  fflush (stdout);
}
