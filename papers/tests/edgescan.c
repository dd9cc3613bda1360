/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The 2-D scan of intra edges, with all its mappings, against unclipped prediction block after block, and the wavefronts against the
 * standard's prediction, on random pictures of the paper's cases.
 */
#include <math.h>
#include <stdio.h>

#include "blockwavekernel.h"
#include "edgemappingkernel.h"
#include "edgepicture.h"
#include "edges.h"
#include "edgescankernel.h"

/* Beyond any error of single precision that was seen */
#define TOLERANCE (1.0 / 32)

typedef struct
{
  unsigned width, height;
  EdgePictureKind kind;
  uint8_t *modes, *conformant, *actual;
  int16_t *residual;
  double *unclipped;
  float *plane; /* as the device has it: float, or int where restricted */
  size_t plane_size;
  cl_mem modes_buffer, residual_buffer;
} Picture;

static void
make_picture (KernelTest *test, Picture *picture, EdgePictureKind kind, unsigned width, unsigned height)
{
  size_t n = (size_t) width * height;

  picture->width = width;
  picture->height = height;
  picture->kind = kind;
  picture->plane_size = (size_t) (width + 1) * (height + 1) * 4;
  picture->modes = malloc (n / 16);
  picture->conformant = malloc (n);
  picture->actual = malloc (n);
  picture->residual = malloc (n * 2);
  picture->unclipped = malloc (n * sizeof (double));
  picture->plane = calloc (1, picture->plane_size);
  if (!picture->modes || !picture->conformant || !picture->actual || !picture->residual || !picture->unclipped || !picture->plane)
    kernel_test_check (CL_OUT_OF_HOST_MEMORY, "picture");
  edge_picture_make (test, kind, width, height, 1 + (int) (kernel_test_random (test) % 40), picture->modes, picture->residual);
  gpu_reference_edges (picture->modes, picture->residual, width, height, picture->conformant);
  gpu_reference_edges_unclipped (picture->modes, picture->residual, width, height, picture->unclipped);
  picture->modes_buffer = kernel_test_buffer (test, picture->modes, n / 16);
  picture->residual_buffer = kernel_test_buffer (test, picture->residual, n * 2);
}

static void
free_picture (Picture *picture)
{
  free (picture->modes);
  free (picture->conformant);
  free (picture->actual);
  free (picture->residual);
  free (picture->unclipped);
  free (picture->plane);
  clReleaseMemObject (picture->modes_buffer);
  clReleaseMemObject (picture->residual_buffer);
}

static double
clip (double value)
{
  return value < 0 ? 0 : value > 255 ? 255 : value;
}

/* The plane and the picture that the device made; *worst: the largest error */
static int
compare_scan (Picture *picture, double bound, double *worst)
{
  double before = *worst;
  int passed = 1;

  for (unsigned y = 0; y < picture->height; y++)
    for (unsigned x = 0; x < picture->width; x++) {
      size_t i = (size_t) y * picture->width + x, at = (size_t) (y + 1) * (picture->width + 1) + x + 1;
      double value = picture->kind == EDGE_PICTURE_RESTRICTED ? ((int32_t *) picture->plane)[at] : picture->plane[at];
      double error = fabs (value - picture->unclipped[i]);

      if (!(error <= *worst))
        *worst = error;
      passed &= error <= bound && picture->actual[i] == (uint8_t) clip (floor (value + 0.5));
    }
  if (!passed)
    printf ("  %ux%u, %s: error %g (before: %g), bound %g\n", picture->width, picture->height, edge_picture_kinds[picture->kind], *worst,
        before, bound);
  return passed;
}

/* @mappings: (nullable) */
static int
check_scan (KernelTest *test, cl_program program, Picture *picture, unsigned n_levels, GpuEdgeMappings *mappings, double *worst)
{
  int restricted = picture->kind == EDGE_PICTURE_RESTRICTED, passed;
  GpuLaunches launches = { .queue = test->queue, .is_cpu = test->device.is_cpu };
  double largest = 0, bound;
  GpuEdgeScan scan;
  cl_mem plane, result;

  memset (picture->plane, 0, picture->plane_size);
  plane = kernel_test_buffer (test, picture->plane, picture->plane_size);
  result = kernel_test_buffer (test, NULL, (size_t) picture->width * picture->height);
  kernel_test_check (gpu_edge_scan_init (&scan, test->context, program, restricted, picture->width, picture->height, n_levels),
      "gpu_edge_scan_init");
  if (mappings)
    gpu_edge_mappings_enqueue (mappings, &scan, &launches, picture->modes_buffer, picture->residual_buffer, plane, result);
  else
    gpu_edge_scan_enqueue (&scan, &launches, picture->modes_buffer, picture->residual_buffer, plane, result);
  kernel_test_check (launches.err, "gpu_edge_scan_enqueue");
  kernel_test_read (test, plane, picture->plane, picture->plane_size);
  kernel_test_read (test, result, picture->actual, (size_t) picture->width * picture->height);
  for (size_t i = 0; i < (size_t) picture->width * picture->height; i++)
    largest = fmax (largest, fabs (picture->unclipped[i]));
  bound = restricted ? 0 : fmin (TOLERANCE, edge_picture_bound (picture->width, picture->height, n_levels, largest));
  passed = compare_scan (picture, bound, worst);
  if (!mappings)
    passed &= launches.n_launches == gpu_edge_scan_n_launches (&scan);
  gpu_edge_scan_clear (&scan);
  clReleaseMemObject (plane);
  clReleaseMemObject (result);
  return passed;
}

/* Every number of levels on small pictures of any size; the paper's on a larger one */
static void
test_scan (KernelTest *test, EdgePictureKind kind)
{
  cl_program program;
  double worst = 0;
  int passed = 1;
  char name[64];

  /* what inlining makes of returned structures oclgrind 21.10 does not know */
  snprintf (name, sizeof (name), "%s%s", gpu_edge_scan_options (kind == EDGE_PICTURE_RESTRICTED), test->small ? " -DINLINE=static" : "");
  program = kernel_test_build (test, gpu_edgescan_source, name);
  for (unsigned i = 0; i < (test->small ? 2 : 6); i++) {
    Picture picture;
    unsigned levels;

    make_picture (test, &picture, kind, 4 + kernel_test_random (test) % (test->small ? 6 : 24) * 4,
        4 + kernel_test_random (test) % (test->small ? 6 : 24) * 4);
    levels = gpu_edge_scan_full_levels (picture.width, picture.height);
    for (unsigned n_levels = 0; n_levels <= levels; n_levels++)
      passed &= check_scan (test, program, &picture, n_levels, NULL, &worst);
    free_picture (&picture);
  }
  if (!test->small) {
    Picture picture;

    make_picture (test, &picture, kind, 352, 288);
    passed &= check_scan (test, program, &picture, kind == EDGE_PICTURE_RESTRICTED ? 7 : 3, NULL, &worst);
    free_picture (&picture);
  }
  clReleaseProgram (program);
  snprintf (name, sizeof (name), "scan %s, error %.2g", edge_picture_kinds[kind], worst);
  kernel_test_result (test, name, kind == EDGE_PICTURE_RESTRICTED ? "int" : "float", passed, 0, NULL);
}

/* The paper's numbers of launches a sweep, of its five sizes */
static int
check_mapping_launches (GpuEdgeMappings *mappings)
{
  static const unsigned sizes[5][3] = { { 352, 288, 9 }, { 720, 480, 12 }, { 1280, 720, 15 }, { 1920, 1088, 15 }, { 3840, 2160, 18 } };
  int passed = 1;

  gpu_edge_mappings_set_paper (mappings, 0);
  for (unsigned i = 0; i < 5; i++)
    passed &= gpu_edge_mappings_n_launches (mappings, gpu_edge_scan_full_levels (sizes[i][0], sizes[i][1])) == sizes[i][2];
  return passed;
}

/* The paper's mappings: each alone, and all together on a picture of six levels; 0 to 3: GpuEdgeMapping, 4 and 5: the paper's */
static void
test_mappings (KernelTest *test, EdgePictureKind kind)
{
  static const char *const names[6] = { "unit", "group", "grid", "lanes", "paper", "paper, lanes" };
  int restricted = kind == EDGE_PICTURE_RESTRICTED;
  GpuEdgeMappings mappings;
  cl_program program;
  Picture picture;
  char text[96];

  snprintf (text, sizeof (text), "%s%s", gpu_edge_mappings_options (restricted), test->small ? " -DINLINE=static" : "");
  program = kernel_test_build (test, gpu_edgescan_source, text);
  kernel_test_check (gpu_edge_mappings_init (&mappings, program, restricted), "gpu_edge_mappings_init");
  for (unsigned i = 0; i < 6; i++) {
    int large = i >= 4 && !test->small, passed = 1;
    double worst = 0;

    if (restricted && (i == 3 || i == 5))
      continue;
    if (i < 4)
      gpu_edge_mappings_set_all (&mappings, (GpuEdgeMapping) i);
    else
      gpu_edge_mappings_set_paper (&mappings, i == 5);
    make_picture (test, &picture, kind, large ? 180 : test->small ? 20 : 52, large ? 132 : 28);
    passed &= check_scan (test, program, &picture, gpu_edge_scan_full_levels (picture.width, picture.height), &mappings, &worst);
    free_picture (&picture);
    snprintf (text, sizeof (text), "%s, %s, error %.2g", names[i], edge_picture_kinds[kind], worst);
    kernel_test_result (test, text, restricted ? "int" : "float", passed, 0, NULL);
  }
  if (restricted)
    kernel_test_result (test, "launches of the paper's mappings", "c", check_mapping_launches (&mappings), 0, NULL);
  gpu_edge_mappings_clear (&mappings);
  clReleaseProgram (program);
}

/* @samples: waves of samples, not of blocks */
static int
check_wave (KernelTest *test, cl_kernel kernel, Picture *picture, GpuBlockWave direction, int samples)
{
  size_t size = (size_t) picture->width * picture->height;
  GpuLaunches launches = { .queue = test->queue, .is_cpu = test->device.is_cpu };
  cl_mem result = kernel_test_buffer (test, NULL, size);

  (samples ? gpu_sample_wave_enqueue : gpu_block_wave_enqueue) (kernel, &launches, picture->modes_buffer, picture->residual_buffer, result,
      picture->width, picture->height, direction);
  kernel_test_check (launches.err, "gpu_block_wave_enqueue");
  kernel_test_read (test, result, picture->actual, size);
  clReleaseMemObject (result);
  return kernel_test_equal ("picture", picture->conformant, picture->actual, size, 1);
}

static void
test_waves (KernelTest *test)
{
  cl_program program = kernel_test_build (test, gpu_blockwave_source, "");
  cl_int err;
  cl_kernel kernel = clCreateKernel (program, "gpu_block_wave", &err), sample_kernel;
  int passed[3] = { 0, 1, 1 }, passed_samples = 1;

  kernel_test_check (err, "clCreateKernel");
  sample_kernel = clCreateKernel (program, "gpu_sample_wave", &err);
  kernel_test_check (err, "clCreateKernel");
  for (unsigned i = 0; i < (test->small ? 3 : 12); i++) {
    Picture picture;

    make_picture (test, &picture, (EdgePictureKind) (i % 3), 4 + kernel_test_random (test) % 12 * 4,
        4 + kernel_test_random (test) % 12 * 4);
    for (GpuBlockWave direction = GPU_BLOCK_WAVE_NORTH_WEST; direction <= GPU_BLOCK_WAVE_NORTH_NORTH_WEST; direction++)
      passed[direction] &= check_wave (test, kernel, &picture, direction, 0);
    if (picture.kind == EDGE_PICTURE_RESTRICTED)
      passed_samples &= check_wave (test, sample_kernel, &picture, GPU_BLOCK_WAVE_NORTH_WEST, 1)
          & check_wave (test, sample_kernel, &picture, GPU_BLOCK_WAVE_NORTH_NORTH_WEST, 1);
    free_picture (&picture);
  }
  kernel_test_result (test, "wave north-west", "int", passed[GPU_BLOCK_WAVE_NORTH_WEST], 0, NULL);
  kernel_test_result (test, "wave north-north-west", "int", passed[GPU_BLOCK_WAVE_NORTH_NORTH_WEST], 0, NULL);
  kernel_test_result (test, "waves of samples", "int", passed_samples, 0, NULL);
  clReleaseKernel (kernel);
  clReleaseKernel (sample_kernel);
  clReleaseProgram (program);
}

/* ---- repair ---- */

/* Repairs @before, in the form of @is_cpu; a second check then finds nothing. @right: nothing is to be repaired */
static int
check_repair (KernelTest *test, cl_program program, Picture *picture, const uint8_t *before, int is_cpu, int right)
{
  size_t size = (size_t) picture->width * picture->height;
  GpuLaunches launches = { .queue = test->queue, .is_cpu = is_cpu };
  cl_mem buffer = kernel_test_buffer (test, before, size);
  cl_uint first[2], second[2];
  GpuBlockRepair repair;
  int passed;

  kernel_test_check (gpu_block_repair_init (&repair, test->context, program, picture->width, picture->height), "gpu_block_repair_init");
  gpu_block_repair_enqueue (&repair, &launches, picture->modes_buffer, picture->residual_buffer, buffer);
  kernel_test_check (launches.err, "gpu_block_repair_enqueue");
  kernel_test_check (gpu_block_repair_read_totals (&repair, test->queue, first), "gpu_block_repair_read_totals");
  kernel_test_read (test, buffer, picture->actual, size);
  passed = kernel_test_equal ("repaired", picture->conformant, picture->actual, size, 1);
  gpu_block_repair_enqueue (&repair, &launches, picture->modes_buffer, picture->residual_buffer, buffer);
  kernel_test_check (launches.err, "gpu_block_repair_enqueue");
  kernel_test_check (gpu_block_repair_read_totals (&repair, test->queue, second), "gpu_block_repair_read_totals");
  if (right != (first[0] == 0) || first[1] < first[0] || first[1] > size / 16 || second[0] || second[1]) {
    printf ("  %ux%u: %u blocks marked, %u rebuilt; then %u, %u\n", picture->width, picture->height, first[0], first[1], second[0],
        second[1]);
    passed = 0;
  }
  gpu_block_repair_clear (&repair);
  clReleaseMemObject (buffer);
  return passed;
}

/* What a scan makes of the picture */
static void
make_scanned (Picture *picture, uint8_t *scanned)
{
  for (size_t i = 0; i < (size_t) picture->width * picture->height; i++)
    scanned[i] = (uint8_t) clip (floor (picture->unclipped[i] + 0.5));
}

/* One block that is wrong, where all others follow from it as they should */
static void
make_one_wrong (KernelTest *test, Picture *picture, uint8_t *wrong)
{
  size_t x = kernel_test_random (test) % picture->width, y = kernel_test_random (test) % picture->height;

  memcpy (wrong, picture->conformant, (size_t) picture->width * picture->height);
  wrong[y * picture->width + x] ^= 1;
}

static void
test_repair (KernelTest *test)
{
  cl_program program = kernel_test_build (test, gpu_blockwave_source, "");
  static const char *const names[4] = { "repair of scans", "repair of noise", "repair of one block", "repair of nothing" };
  int passed[4] = { 1, 1, 1, 1 };

  for (unsigned i = 0; i < (test->small ? 3 : 24); i++) {
    int is_cpu = i / 3 & 1 && !test->small;
    uint8_t *before;
    Picture picture;
    size_t size;

    make_picture (test, &picture, (EdgePictureKind) (i % 3), 4 + kernel_test_random (test) % (test->small ? 6 : 24) * 4,
        4 + kernel_test_random (test) % (test->small ? 6 : 24) * 4);
    size = (size_t) picture.width * picture.height;
    before = malloc (size);
    kernel_test_check (before ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, "before");
    make_scanned (&picture, before);
    passed[0] &= check_repair (test, program, &picture, before, is_cpu, memcmp (before, picture.conformant, size) == 0);
    for (size_t k = 0; k < size; k++)
      before[k] = (uint8_t) kernel_test_random (test);
    passed[1] &= check_repair (test, program, &picture, before, is_cpu, 0);
    make_one_wrong (test, &picture, before);
    passed[2] &= check_repair (test, program, &picture, before, is_cpu, 0);
    passed[3] &= check_repair (test, program, &picture, picture.conformant, is_cpu, 1);
    free (before);
    free_picture (&picture);
  }
  for (unsigned i = 0; i < 4; i++)
    kernel_test_result (test, names[i], "int", passed[i], 0, NULL);
  clReleaseProgram (program);
}

int
main (int argc, char **argv)
{
  KernelTest test;

  kernel_test_init (&test, argc, argv);
  for (EdgePictureKind kind = 0; kind < EDGE_PICTURE_N_KINDS; kind++)
    if (kernel_test_selected (&test, edge_picture_kinds[kind]))
      test_scan (&test, kind);
  for (EdgePictureKind kind = 0; kind < EDGE_PICTURE_N_KINDS; kind++)
    if (kernel_test_selected (&test, "mappings"))
      test_mappings (&test, kind);
  if (kernel_test_selected (&test, "waves"))
    test_waves (&test);
  if (kernel_test_selected (&test, "repair"))
    test_repair (&test);
  return kernel_test_finish (&test);
}
