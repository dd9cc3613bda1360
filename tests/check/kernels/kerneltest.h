/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The frame of the kernel tests: arguments, device, random numbers, buffers, comparison, and the table of results.  Links the C library,
 * the maths library and the OpenCL loader only, so that the tests run on a bare machine.
 *
 *   STAGE [--seed=N] [--function=PATTERN] [--form=cpu|gpu] [--bench] [--repeat=N] [--device=N] [--oclgrind]
 *   oclgrind --data-races --uninitialized STAGE --oclgrind --form=gpu
 *   oclgrind --data-races STAGE --oclgrind --form=cpu
 *
 * oclgrind 21.10 takes what __builtin_shufflevector gives for uninitialised, so --uninitialized is for kernels without it.
 */
#ifndef KERNEL_TEST_H
#define KERNEL_TEST_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernelpicture.h"

/* Exit code of a test that could not run: Meson's and automake's */
#define KERNEL_TEST_SKIP 77

/* The two shapes in which a stage's kernels are built: bits of KernelTest.forms */
#define KERNEL_TEST_CPU 1
#define KERNEL_TEST_GPU 2

typedef struct
{
  /* arguments */
  uint64_t seed;
  const char *function; /* shell pattern of the functions to run; NULL: all */
  int bench;            /* measure too, after each comparison */
  unsigned repeat;      /* --repeat=N: times that launches whose order varies are compared, on new data each time; 1 by default */
  int small;            /* --oclgrind: pictures of a few macroblocks, few repetitions, OpenCL C 1.2 */
  unsigned forms;       /* KERNEL_TEST_CPU, KERNEL_TEST_GPU */

  /* the device */
  cl_platform_id platform;
  GpuKernelDevice device;
  cl_context context;
  cl_command_queue queue; /* in order */

  /*< private > */
  uint64_t state;
  unsigned n_passed, n_failed;
} KernelTest;

/* Reads the arguments and opens the device.  Ends the process: with 77 where there is no device, with 2 where an argument is wrong. */
void kernel_test_init (KernelTest *test, int argc, char **argv);

/* Prints the totals and closes the device.  Returns the exit code: 0 where all passed and at least one function ran. */
int kernel_test_finish (KernelTest *test);

/* The device as a launcher sees it in @form (KERNEL_TEST_CPU or KERNEL_TEST_GPU); with --oclgrind without device-scope atomics.  NULL where
 * --form excludes it. */
const GpuKernelDevice *kernel_test_form (KernelTest *test, unsigned form, GpuKernelDevice *device);

/* Whether --function selects @name.  Restarts the random numbers from the seed and the name, so a function gets the same data alone and
 * among others. */
int kernel_test_selected (KernelTest *test, const char *name);

uint32_t kernel_test_random (KernelTest *test);

/* Uniform in @min to @max, both included */
int kernel_test_range (KernelTest *test, int min, int max);

/* Builds a program for the device; prints the log and ends the process where that fails. */
cl_program kernel_test_build (KernelTest *test, const char *source, const char *options);

/* Ends the process with a message where @err is not CL_SUCCESS. */
void kernel_test_check (cl_int err, const char *what);

/* A buffer of @size bytes holding @data (NULL: bytes of 0xA5) */
cl_mem kernel_test_buffer (KernelTest *test, const void *data, size_t size);

/* Blocking read of the whole buffer */
void kernel_test_read (KernelTest *test, cl_mem buffer, void *data, size_t size);

/* Blocking write of the whole buffer */
void kernel_test_write (KernelTest *test, cl_mem buffer, const void *data, size_t size);

/* 1 where @size bytes are equal; else prints @what, the first difference and the number of differing elements of @element bytes (1, 2 or
 * 4), and returns 0. Compare whole allocations, guard bytes included. */
int kernel_test_equal (const char *what, const void *expected, const void *actual, size_t size, unsigned element);

/* Monotonic time in nanoseconds */
double kernel_test_now (void);

/* A line of the table.  @ns: of one @unit ("block", "picture"...), or 0 where not measured */
void kernel_test_result (KernelTest *test, const char *name, const char *form, int passed, double ns, const char *unit);

#endif
