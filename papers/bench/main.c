/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <stdio.h>

#include "papers.h"

static const struct
{
  char name;
  int (*run) (Papers *papers);
} papers_list[] = {
  { 'A', paper_a_run },
  { 'B', paper_b_run },
  { 'C', paper_c_run },
  { 'D', paper_d_run },
  { 0, NULL },
};

static void
usage (const char *program)
{
  fprintf (stderr,
      "usage: %s [--paper=A..D] [--table=NAME] [--size=NAME] [--quick] [--verify] [--device=N] [--seed=N] [--results=FOLDER] "
      "[--captures=FOLDER]\n",
      program);
  exit (2);
}

/* @wanted: letters of the papers to run, or NULL for all */
static void
parse_arguments (Papers *papers, int argc, char **argv, char **device_args, int *n_device_args, const char **wanted)
{
  for (int i = 1; i < argc; i++) {
    if (strncmp (argv[i], "--paper=", 8) == 0 && argv[i][8] && !argv[i][9])
      *wanted = argv[i] + 8;
    else if (strncmp (argv[i], "--table=", 8) == 0)
      papers->table = argv[i] + 8;
    else if (strncmp (argv[i], "--size=", 7) == 0)
      papers->size = argv[i] + 7;
    else if (strcmp (argv[i], "--quick") == 0)
      papers->quick = 1;
    else if (strcmp (argv[i], "--verify") == 0)
      papers->verify = 1;
    else if (strncmp (argv[i], "--results=", 10) == 0)
      papers->results = argv[i] + 10;
    else if (strncmp (argv[i], "--captures=", 11) == 0)
      papers->captures = argv[i] + 11;
    else if ((strncmp (argv[i], "--device=", 9) == 0 || strncmp (argv[i], "--seed=", 7) == 0) && *n_device_args < 4)
      device_args[(*n_device_args)++] = argv[i];
    else
      usage (argv[0]);
  }
}

/* Queues with profiling take the place of the one without. */
static void
open_queues (Papers *papers)
{
  KernelTest *test = &papers->test;
  char name[256] = "", version[256] = "", driver[256] = "";
  cl_int err;

  clReleaseCommandQueue (test->queue);
  for (unsigned i = 0; i < 2; i++) {
    papers->queues[i] = clCreateCommandQueue (test->context, test->device.device, CL_QUEUE_PROFILING_ENABLE, &err);
    kernel_test_check (err, "clCreateCommandQueue");
  }
  test->queue = papers->queues[0];
  clGetDeviceInfo (test->device.device, CL_DEVICE_NAME, sizeof (name) - 1, name, NULL);
  clGetDeviceInfo (test->device.device, CL_DEVICE_VERSION, sizeof (version) - 1, version, NULL);
  clGetDeviceInfo (test->device.device, CL_DRIVER_VERSION, sizeof (driver) - 1, driver, NULL);
  snprintf (papers->device_name, sizeof (papers->device_name), "%s; %s; driver %s; %u compute units", name, version, driver,
      test->device.compute_units);
}

int
main (int argc, char **argv)
{
  Papers papers = { .results = "results" };
  char *device_args[5] = { argv[0] };
  const char *wanted = NULL;
  int n_device_args = 1, n_run = 0, result = 0;

  parse_arguments (&papers, argc, argv, device_args, &n_device_args, &wanted);
  kernel_test_init (&papers.test, n_device_args, device_args);
  open_queues (&papers);
  papers.n_runs = papers.quick ? 10 : 20;
  for (unsigned i = 0; papers_list[i].run && result == 0; i++)
    if (!wanted || (wanted[0] & ~0x20) == papers_list[i].name) {
      result = papers_list[i].run (&papers);
      n_run++;
    }
  if (n_run == 0)
    usage (argv[0]);
  for (unsigned i = 0; i < 2; i++)
    clReleaseCommandQueue (papers.queues[i]);
  clReleaseContext (papers.test.context);
  free (papers.events);
  return result;
}
