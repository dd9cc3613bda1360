/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The inverse transforms of Wang et al. as their paper lists them, of scaled coefficients, in all mappings and steps, against the C
 * reference: lists of blocks whose number fills no group evenly, and whole frames.
 */
#include <stdio.h>

#include "idctscaledkernel.h"
#include "idctvariants.h"
#include "kerneltest.h"
#include "lumablocks.h"

#define MAX_BLOCKS 1000
#define MAX_MBS 40
#define MB_SAMPLES 384

/* Coefficients and what becomes of them */
typedef struct
{
  unsigned n, n_blocks;
  int16_t coeffs[MAX_BLOCKS * 64], residual[MAX_BLOCKS * 64];
} Blocks;

static Blocks blocks_4x4, blocks_8x8;

/* Levels of a block whose sums stay within 16 bits, which streams of 8 bits grant: a coefficient counts for up to 9/4 of its value in 8x8
 * blocks, for its value in 4x4 blocks */
static void
make_levels (KernelTest *test, const LumaBlocks *luma, int16_t *levels)
{
  unsigned size = luma->n * luma->n, n_coded = (unsigned) kernel_test_range (test, 1, (int) size);
  int largest = (luma->n == 4 ? 30000 : 13000) / (int) n_coded, scale = luma->weight * (luma->n == 4 ? 29 : 58);

  largest = (largest << (luma->n == 4 ? 4 : 6)) / scale;
  largest = largest < 1 ? 1 : largest > INT16_MAX ? INT16_MAX : largest;
  memset (levels, 0, size * sizeof (levels[0]));
  for (unsigned i = 0; i < n_coded; i++)
    levels[kernel_test_random (test) % size] =
        (int16_t) (kernel_test_random (test) % 2 ? kernel_test_range (test, -largest, largest) : largest);
}

/* A QP of 0 to 5, and weights that leave coefficients of every value */
static void
make_blocks (KernelTest *test, Blocks *blocks, unsigned n, unsigned n_blocks)
{
  static uint8_t qp[MAX_BLOCKS];
  static int16_t levels[MAX_BLOCKS * 64];
  static int32_t coeffs[MAX_BLOCKS * 64];
  LumaBlocks luma = { n, n_blocks, (uint8_t) kernel_test_range (test, 1, 16), qp };

  blocks->n = n;
  blocks->n_blocks = n_blocks;
  for (unsigned b = 0; b < n_blocks; b++) {
    qp[b] = (uint8_t) kernel_test_range (test, 0, 5);
    make_levels (test, &luma, levels + b * n * n);
  }
  luma_blocks_scale (&luma, levels, coeffs);
  luma_blocks_transform (&luma, levels, blocks->residual);
  for (unsigned k = 0; k < n_blocks * n * n; k++)
    blocks->coeffs[k] = (int16_t) coeffs[k];
}

/* A list, padded to whole groups with empty blocks, which stay empty */
static int
compare_list (KernelTest *test, const GpuIdctScaledKernels *kernels, const Blocks *blocks)
{
  unsigned is_8x8 = blocks->n == 8;
  size_t used = blocks->n_blocks * blocks->n * blocks->n * 2;
  size_t size = gpu_idct_scaled_padded (kernels, is_8x8, blocks->n_blocks) * blocks->n * blocks->n * 2;
  int16_t *expected = calloc (1, size), *actual = calloc (1, size);
  cl_event event;
  cl_mem buffer;
  int equal;

  kernel_test_check (expected && actual ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, "compare_list");
  memcpy (actual, blocks->coeffs, used);
  memcpy (expected, blocks->residual, used);
  buffer = kernel_test_buffer (test, actual, size);
  kernel_test_check (gpu_idct_scaled_enqueue (kernels, test->queue, is_8x8, buffer, blocks->n_blocks, &event), "gpu_idct_scaled_enqueue");
  clReleaseEvent (event);
  kernel_test_read (test, buffer, actual, size);
  equal = kernel_test_equal (is_8x8 ? "8x8" : "4x4", expected, actual, size, 2);
  clReleaseMemObject (buffer);
  free (expected);
  free (actual);
  return equal;
}

/* The next block of a kind goes to @place of a frame before and after. */
static void
place_block (const Blocks *blocks, unsigned *next, int16_t *before, int16_t *after, size_t place)
{
  size_t size = blocks->n * blocks->n, block = (*next)++ % blocks->n_blocks;

  memcpy (before + place, blocks->coeffs + block * size, size * 2);
  memcpy (after + place, blocks->residual + block * size, size * 2);
}

/* Macroblocks of both kinds, where half of the blocks have no coefficients and keep what stands there */
static int
compare_frame (KernelTest *test, const GpuIdctScaledKernels *kernels, unsigned n_mbs)
{
  static int16_t before[MAX_MBS * MB_SAMPLES], after[MAX_MBS * MB_SAMPLES];
  unsigned kinds[MAX_MBS], next_4x4 = 0, next_8x8 = 0;
  size_t size = n_mbs * MB_SAMPLES * sizeof (before[0]);
  cl_event event = NULL;
  cl_mem frame, kinds_buffer;
  int equal;

  for (size_t i = 0; i < n_mbs * MB_SAMPLES; i++)
    before[i] = after[i] = (int16_t) kernel_test_random (test);
  for (unsigned mb = 0; mb < n_mbs; mb++) {
    unsigned is_8x8 = kernel_test_random (test) % 2;

    kinds[mb] = is_8x8 << 31;
    for (unsigned blk = 0; blk < 24; blk += is_8x8 && blk < 16 ? 4 : 1) {
      if (kernel_test_random (test) % 2)
        continue;
      kinds[mb] |= 1u << blk;
      if (is_8x8 && blk < 16)
        place_block (&blocks_8x8, &next_8x8, before, after, mb * MB_SAMPLES + blk * 16);
      else
        place_block (&blocks_4x4, &next_4x4, before, after, mb * MB_SAMPLES + blk * 16);
    }
  }
  frame = kernel_test_buffer (test, before, size);
  kinds_buffer = kernel_test_buffer (test, kinds, n_mbs * sizeof (kinds[0]));
  kernel_test_check (gpu_idct_scaled_frame_enqueue (kernels, test->queue, frame, kinds_buffer, n_mbs, &event),
      "gpu_idct_scaled_frame_enqueue");
  clReleaseEvent (event);
  kernel_test_read (test, frame, before, size);
  equal = kernel_test_equal ("frame", after, before, size, 2);
  clReleaseMemObject (frame);
  clReleaseMemObject (kinds_buffer);
  return equal;
}

static void
test_variant (KernelTest *test, const char *name, const GpuIdctVariant *variant)
{
  GpuIdctScaledKernels kernels;
  cl_program program;
  char options[256];
  int passed = 1;

  gpu_idct_scaled_options (&test->device, variant, options, sizeof (options));
  program = kernel_test_build (test, gpu_idctscaled_source, options);
  kernel_test_check (gpu_idct_scaled_kernels_init (&kernels, &test->device, program, variant), "gpu_idct_scaled_kernels_init");
  for (unsigned run = 0; run < (test->small ? 1 : 8); run++) {
    make_blocks (test, &blocks_4x4, 4, (unsigned) (test->small ? 53 : kernel_test_range (test, 1, MAX_BLOCKS)));
    make_blocks (test, &blocks_8x8, 8, (unsigned) (test->small ? 27 : kernel_test_range (test, 1, MAX_BLOCKS)));
    passed &= compare_list (test, &kernels, &blocks_4x4) & compare_list (test, &kernels, &blocks_8x8);
    passed &= compare_frame (test, &kernels, test->small ? 3 : MAX_MBS);
  }
  kernel_test_result (test, name, "short", passed, 0, NULL);
  gpu_idct_scaled_kernels_clear (&kernels);
  clReleaseProgram (program);
}

int
main (int argc, char **argv)
{
  KernelTest test;

  kernel_test_init (&test, argc, argv);
  for (unsigned i = 0; i < N_IDCT_VARIANTS; i++)
    if (!kernel_test_selected (&test, idct_variants[i].name))
      continue;
    else if (gpu_idct_compacted_supported (&test.device, &idct_variants[i].variant))
      test_variant (&test, idct_variants[i].name, &idct_variants[i].variant);
    else
      printf ("%-36s the device has no sub-groups\n", idct_variants[i].name);
  return kernel_test_finish (&test);
}
