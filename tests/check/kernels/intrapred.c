/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The kernel of intra prediction against the C reference, on random pictures: every format, slice layout, class, mode and launch.
 *
 *   intrapred [arguments of kerneltest.h] [--repeat=N]
 * --repeat=N: the functions "repeat" and "repeat_impatient" on N random slice layouts (default 20; 8-bit 4:2:0); the latter's
 * work-groups give up and leave their rows to others after one look
 */
#include <stdio.h>

#include "intrapredkernel.h"
#include "kerneltest.h"
#include "reference.h"

/* Rows and columns around each plane that nobody may write */
#define GUARD 16

/* What random pictures are made of */
typedef struct
{
  const char *name;
  unsigned chroma_array_type, bit_depth_luma, bit_depth_chroma;
  int hostile;                  /* modes whatever neighbours there are, residuals and DC coefficients of any value */
  int lossless;                 /* TransformBypassModeFlag in half of the macroblocks */
  int field;                    /* every second line of a frame */
  /* one of the few that the GPU form is tried with where it is not at home and slow to build: on a CPU, and under oclgrind */
  int in_short;
} Format;

static const Format formats[] = {
  { "monochrome_8", 0, 8, 8, 0, 0, 0, 0 },
  { "420_8", 1, 8, 8, 0, 0, 0, 1 },
  { "420_8_hostile", 1, 8, 8, 1, 0, 0, 0 },
  { "420_8_luma_10_chroma", 1, 8, 10, 0, 0, 1, 0 },
  { "420_14_hostile", 1, 14, 14, 1, 1, 0, 0 },
  { "422_8_field", 2, 8, 8, 0, 0, 1, 0 },
  { "422_10", 2, 10, 10, 0, 0, 0, 0 },
  { "422_14_luma_9_chroma_lossless", 2, 14, 9, 0, 1, 0, 1 },
  { "444_8_lossless", 3, 8, 8, 0, 1, 0, 0 },
  { "444_12_luma_14_chroma", 3, 12, 14, 0, 0, 0, 0 },
  { "444_14_hostile", 3, 14, 14, 1, 1, 0, 1 },
};

/* A picture in host memory: records, arena, surface before and after */
typedef struct
{
  GpuPicture params;
  const Format *format;
  size_t n_mbs;
  GpuMb *mbs;
  int16_t *arena;
  size_t n_slots;
  int32_t *dc;
  uint8_t *before, *expected, *actual;
  size_t surface_size;
  unsigned sample_size;
  int constrained;              /* constrained_intra_pred_flag: inter neighbours are not available */
  int coded_percent;            /* of the blocks */
  int only_class;               /* -1: any */
} TestPicture;

static void *
allocate (size_t size)
{
  void *memory = aligned_alloc (64, (size + 63) / 64 * 64);

  if (!memory)
    kernel_test_check (CL_OUT_OF_HOST_MEMORY, "allocate");
  memset (memory, 0xA5, (size + 63) / 64 * 64);
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

static int
plane_max (const TestPicture *picture, unsigned plane)
{
  return (1 << (plane ? picture->params.bit_depth_chroma : picture->params.bit_depth_luma)) - 1;
}

/* Planes one behind the other, each with guard rows and columns around it; random samples */
static void
make_surface (KernelTest *test, TestPicture *picture)
{
  GpuPicture *params = &picture->params;
  size_t size = 0, i;
  unsigned plane, step = picture->format->field ? 2 : 1;

  picture->sample_size = params->bit_depth_luma == 8 && params->bit_depth_chroma == 8 ? 1 : 2;
  for (plane = 0; plane < n_planes (picture); plane++) {
    unsigned pitch = params->width_in_mbs * plane_mb_width (picture, plane) + 2 * GUARD;

    params->plane_stride[plane] = pitch * step;
    params->plane_offset[plane] = (unsigned) size + GUARD * pitch + GUARD + (step - 1) * pitch;
    size += (size_t) pitch * (params->height_in_mbs * plane_mb_height (picture, plane) * step + 2 * GUARD);
  }
  picture->surface_size = size * picture->sample_size;
  picture->before = allocate (picture->surface_size);
  picture->expected = allocate (picture->surface_size);
  picture->actual = allocate (picture->surface_size);
  for (i = 0; i < size; i++) {
    int value = kernel_test_range (test, 0, plane_max (picture, 0) < plane_max (picture, 2)
        ? plane_max (picture, 0) : plane_max (picture, 2));

    if (picture->sample_size == 1)
      picture->before[i] = (uint8_t) value;
    else
      ((uint16_t *) picture->before)[i] = (uint16_t) value;
  }
}

/* Slices: runs of macroblocks from random places on, or macroblocks dealt at random (FMO) */
static void
make_slices (KernelTest *test, TestPicture *picture, unsigned n_slices, int contiguous)
{
  size_t i;
  unsigned slice = 0;

  picture->params.n_slices = n_slices;
  picture->params.slices_contiguous = (unsigned) contiguous;
  for (i = 0; i < picture->n_mbs; i++) {
    if (contiguous && slice + 1 < n_slices && kernel_test_random (test) % picture->n_mbs < n_slices)
      slice++;
    if (!contiguous)
      slice = kernel_test_random (test) % n_slices;
    picture->mbs[i].slice = (gpu_u16) slice;
  }
}

static int
is_neighbour (const TestPicture *picture, size_t mb_addr, int dx, int dy)
{
  int width = (int) picture->params.width_in_mbs, x = (int) mb_addr % width + dx, y = (int) mb_addr / width + dy;
  const GpuMb *neighbour;

  if (x < 0 || x >= width || y < 0)
    return 0;
  neighbour = &picture->mbs[y * width + x];
  return neighbour->slice == picture->mbs[mb_addr].slice && !(picture->constrained && neighbour->mb_class == GPU_MB_INTER);
}

/* Neighbours of a block of Intra_NxN at (x, y), in blocks of n samples; written from the pictures of 6.4.11, not from what the kernel
 * does */
static unsigned
block_neighbours (unsigned available, unsigned n, unsigned x, unsigned y)
{
  unsigned last = 16 / n - 1, result = 0;
  int left_here = y * n < 8 ? available & GPU_AVAILABLE_A : available & GPU_AVAILABLE_A_LOWER;
  int left_above = y * n <= 8 ? available & GPU_AVAILABLE_A : available & GPU_AVAILABLE_A_LOWER;

  result |= x > 0 || left_here ? GPU_AVAILABLE_A : 0;
  result |= y > 0 || (available & GPU_AVAILABLE_B) ? GPU_AVAILABLE_B : 0;
  if (x > 0)
    result |= y > 0 || (available & GPU_AVAILABLE_B) ? GPU_AVAILABLE_D : 0;
  else
    result |= y > 0 ? (left_above ? GPU_AVAILABLE_D : 0) : available & GPU_AVAILABLE_D;
  if (y == 0)
    result |= available & (x == last ? GPU_AVAILABLE_C : GPU_AVAILABLE_B) ? GPU_AVAILABLE_C : 0;
  return result;
}

/* A mode of Table 8-2 that these neighbours permit */
static unsigned
random_nxn_mode (KernelTest *test, const TestPicture *picture, unsigned available)
{
  static const unsigned needed[9] = {
    GPU_AVAILABLE_B, GPU_AVAILABLE_A, 0, GPU_AVAILABLE_B, GPU_AVAILABLE_A | GPU_AVAILABLE_B | GPU_AVAILABLE_D,
    GPU_AVAILABLE_A | GPU_AVAILABLE_B | GPU_AVAILABLE_D, GPU_AVAILABLE_A | GPU_AVAILABLE_B | GPU_AVAILABLE_D, GPU_AVAILABLE_B,
        GPU_AVAILABLE_A
  };
  unsigned mode;

  if (picture->format->hostile)
    return kernel_test_random (test) & 15;
  do
    mode = kernel_test_random (test) % 9;
  while ((available & needed[mode]) != needed[mode]);
  return mode;
}

/* A mode numbered like Intra16x16PredMode */
static unsigned
random_whole_mode (KernelTest *test, const TestPicture *picture, unsigned available)
{
  const unsigned left = GPU_AVAILABLE_A | GPU_AVAILABLE_A_LOWER;
  const unsigned needed[4] = { GPU_AVAILABLE_B, left, 0, left | GPU_AVAILABLE_B | GPU_AVAILABLE_D };
  unsigned mode;

  do
    mode = kernel_test_random (test) % 4;
  while (!picture->format->hostile && (available & needed[mode]) != needed[mode]);
  return mode;
}

static void
make_modes (KernelTest *test, const TestPicture *picture, GpuMb *mb)
{
  static const gpu_u8 chroma_modes[4] = { 2, 1, 0, 3 };
  unsigned n = mb->mb_class == GPU_MB_I8x8 ? 8 : 4, i;

  mb->intra_chroma_pred_mode = chroma_modes[random_whole_mode (test, picture, mb->available)];
  if (mb->mb_class == GPU_MB_I16x16)
    mb->intra_modes[0] = (gpu_u8) random_whole_mode (test, picture, mb->available);
  if (mb->mb_class > GPU_MB_I8x8)
    return;
  for (i = 0; i < 256 / (n * n); i++) {
    unsigned x = n == 8 ? i & 1 : (i & 1) + (i & 4) / 2, y = n == 8 ? i / 2 : (i & 2) / 2 + (i & 8) / 4;
    unsigned mode = random_nxn_mode (test, picture, block_neighbours (mb->available, n, x, y));

    mb->intra_modes[i / 2] |= (gpu_u8) (mode << (i & 1) * 4);
  }
}

/* Residuals of a block: mostly small, sometimes the extremes that the depth or 16 bits have */
static void
fill_block (KernelTest *test, const TestPicture *picture, int16_t *block, unsigned n, int max)
{
  unsigned kind = kernel_test_random (test) % 8, i;

  for (i = 0; i < n; i++) {
    int limit = kind < 5 ? max / 16 : max;

    if (kind == 7)
      block[i] = (int16_t) (kernel_test_random (test) & 1 ? limit : -limit);
    else if (kind == 6 && picture->format->hostile)
      block[i] = (int16_t) (kernel_test_random (test) & 1 ? 32767 - (int) (kernel_test_random (test) & 1) * 16384 : -32768);
    else
      block[i] = (int16_t) kernel_test_range (test, -limit, limit);
  }
}

/* Blocks of a plane behind *next, an index in slots */
static void
make_blocks (KernelTest *test, TestPicture *picture, GpuMb *mb, unsigned plane, int is_8x8, size_t *next)
{
  unsigned n_blks = plane_mb_width (picture, plane) * plane_mb_height (picture, plane) / 16, blk;

  for (blk = 0; blk < n_blks; blk += is_8x8 ? 4 : 1) {
    if (kernel_test_range (test, 0, 99) >= picture->coded_percent)
      continue;
    mb->coded[plane] |= (gpu_u16) (1u << blk);
    fill_block (test, picture, picture->arena + *next * 16, is_8x8 ? 64 : 16, plane_max (picture, plane));
    *next += (is_8x8 ? 4 : 1) * (mb->flags & GPU_MB_WIDE ? 2 : 1);
  }
}

static void
make_pcm (KernelTest *test, TestPicture *picture, size_t *next)
{
  unsigned plane, i, n = 0;

  for (plane = 0; plane < n_planes (picture); plane++)
    for (i = 0; i < plane_mb_width (picture, plane) * plane_mb_height (picture, plane); i++, n++) {
      int value = kernel_test_range (test, 0, plane_max (picture, plane));

      if (picture->sample_size == 1)
        ((uint8_t *) (picture->arena + *next * 16))[n] = (uint8_t) value;
      else
        ((uint16_t *) (picture->arena + *next * 16))[n] = (uint16_t) value;
    }
  *next += (n * picture->sample_size + 31) / 32;
}

/* DC coefficients of the groups that the macroblock has */
static void
make_dc (KernelTest *test, TestPicture *picture, GpuMb *mb, size_t mb_addr)
{
  unsigned plane, i;

  for (plane = 0; plane < n_planes (picture); plane++) {
    int like_luma = plane == 0 || picture->params.chroma_array_type == 3;

    if ((like_luma && mb->mb_class != GPU_MB_I16x16) || mb->mb_class == GPU_MB_IPCM || kernel_test_random (test) % 4 == 0)
      continue;
    mb->dc_coded |= (gpu_u8) (1 << plane);
    for (i = 0; i < 16; i++)
      picture->dc[mb_addr * 48 + plane * 16 + i] = picture->format->hostile && kernel_test_random (test) % 4 == 0
          ? (int32_t) kernel_test_random (test)
          : kernel_test_range (test, -64 * plane_max (picture, plane), 64 * plane_max (picture, plane));
  }
}

static void
make_macroblock (KernelTest *test, TestPicture *picture, size_t mb_addr, size_t *next)
{
  GpuMb *mb = &picture->mbs[mb_addr];
  unsigned plane;

  if (is_neighbour (picture, mb_addr, -1, 0))
    mb->available = GPU_AVAILABLE_A | GPU_AVAILABLE_A_LOWER;
  mb->available |= is_neighbour (picture, mb_addr, 0, -1) ? GPU_AVAILABLE_B : 0;
  mb->available |= is_neighbour (picture, mb_addr, 1, -1) ? GPU_AVAILABLE_C : 0;
  mb->available |= is_neighbour (picture, mb_addr, -1, -1) ? GPU_AVAILABLE_D : 0;
  /* the halves differ as in MBAFF frames with constrained_intra_pred_flag */
  if (picture->constrained && kernel_test_random (test) % 8 == 0)
    mb->available &= kernel_test_random (test) & 1 ? ~GPU_AVAILABLE_A : ~GPU_AVAILABLE_A_LOWER;
  mb->flags = (gpu_u8) (kernel_test_random (test) % 4 ? 0 : GPU_MB_WIDE);
  if (mb->mb_class == GPU_MB_I8x8 || (mb->mb_class == GPU_MB_INTER && (kernel_test_random (test) & 1)))
    mb->flags |= GPU_MB_TRANSFORM_8x8;
  if (picture->format->lossless && (kernel_test_random (test) & 1))
    mb->flags |= GPU_MB_BYPASS;
  make_modes (test, picture, mb);
  mb->first_4x4 = (gpu_u32) *next;
  if (mb->mb_class == GPU_MB_IPCM) {
    make_pcm (test, picture, next);
    return;
  }
  for (plane = 0; plane < n_planes (picture); plane++)
    if (!(mb->flags & GPU_MB_TRANSFORM_8x8) || (plane > 0 && picture->params.chroma_array_type != 3))
      make_blocks (test, picture, mb, plane, 0, next);
  mb->first_8x8 = (gpu_u32) *next;
  for (plane = 0; plane < n_planes (picture); plane++)
    if ((mb->flags & GPU_MB_TRANSFORM_8x8) && (plane == 0 || picture->params.chroma_array_type == 3))
      make_blocks (test, picture, mb, plane, 1, next);
  make_dc (test, picture, mb, mb_addr);
}

static unsigned
random_class (KernelTest *test, const TestPicture *picture)
{
  static const gpu_u8 classes[16] = {
    GPU_MB_I4x4, GPU_MB_I4x4, GPU_MB_I4x4, GPU_MB_I4x4, GPU_MB_I4x4, GPU_MB_I8x8, GPU_MB_I8x8, GPU_MB_I8x8, GPU_MB_I8x8, GPU_MB_I8x8,
        GPU_MB_I16x16,
    GPU_MB_I16x16, GPU_MB_I16x16, GPU_MB_I16x16, GPU_MB_INTER, GPU_MB_IPCM
  };

  return picture->only_class >= 0 ? (unsigned) picture->only_class : classes[kernel_test_random (test) & 15];
}

/* Slots that a macroblock may need: all blocks with 32-bit levels */
#define MAX_SLOTS 96

static void
make_picture (KernelTest *test, TestPicture *picture, unsigned width_in_mbs, unsigned height_in_mbs, unsigned n_slices, int contiguous)
{
  const Format *format = picture->format;
  GpuPicture *params = &picture->params;
  size_t next = 1, i;           /* a picture whose first block is not at slot 0 */

  memset (params, 0, sizeof (*params));
  params->width_in_mbs = width_in_mbs;
  params->height_in_mbs = height_in_mbs;
  params->chroma_array_type = format->chroma_array_type;
  params->bit_depth_luma = format->bit_depth_luma;
  params->bit_depth_chroma = format->bit_depth_chroma;
  params->field_pic = (unsigned) format->field;
  picture->n_mbs = (size_t) width_in_mbs * height_in_mbs;
  picture->mbs = allocate (picture->n_mbs * sizeof (GpuMb));
  memset (picture->mbs, 0, picture->n_mbs * sizeof (GpuMb));
  picture->n_slots = picture->n_mbs * MAX_SLOTS + 1;
  picture->arena = allocate (picture->n_slots * 32);
  picture->dc = allocate (picture->n_mbs * 48 * 4);
  picture->constrained = picture->only_class < 0 && kernel_test_random (test) & 1;
  make_surface (test, picture);
  make_slices (test, picture, n_slices, contiguous);
  for (i = 0; i < picture->n_mbs; i++)
    picture->mbs[i].mb_class = (gpu_u8) random_class (test, picture);
  for (i = 0; i < picture->n_mbs; i++)
    make_macroblock (test, picture, i, &next);
}

static void
free_picture (TestPicture *picture)
{
  free (picture->mbs);
  free (picture->arena);
  free (picture->dc);
  free (picture->before);
  free (picture->expected);
  free (picture->actual);
}

static void
run_reference (TestPicture *picture)
{
  GpuReferencePicture reference = { &picture->params, picture->mbs, NULL, picture->arena, picture->dc, picture->expected };

  memcpy (picture->expected, picture->before, picture->surface_size);
  gpu_reference_intrapred (&reference);
}

/* The picture's buffers on the device */
static GpuKernelPicture
upload (KernelTest *test, const TestPicture *picture)
{
  GpuKernelPicture buffers;
  size_t mbs_size = picture->n_mbs * sizeof (GpuMb);
  uint8_t *header = allocate (mbs_size + 64);

  /* records that do not stand at the beginning of the header arena */
  memcpy (header + 64, picture->mbs, mbs_size);
  memset (&buffers, 0, sizeof (buffers));
  buffers.params = picture->params;
  buffers.mbs_offset = 64;
  buffers.header = kernel_test_buffer (test, header, mbs_size + 64);
  buffers.coeffs = kernel_test_buffer (test, picture->arena, picture->n_slots * 32);
  buffers.dc = kernel_test_buffer (test, picture->dc, picture->n_mbs * 48 * 4);
  buffers.surface = kernel_test_buffer (test, picture->before, picture->surface_size);
  free (header);
  return buffers;
}

static void
release (GpuKernelPicture *buffers)
{
  clReleaseMemObject (buffers->header);
  clReleaseMemObject (buffers->coeffs);
  clReleaseMemObject (buffers->dc);
  clReleaseMemObject (buffers->surface);
}

/* Runs one launch on fresh samples and compares; *ns: the shortest time of @n_runs more */
static int
run_launch (KernelTest *test, GpuIntrapredKernels *kernels, TestPicture *picture, GpuKernelPicture *buffers, GpuWavefront wavefront,
    unsigned n_runs, double *ns)
{
  unsigned i;

  kernel_test_write (test, buffers->surface, picture->before, picture->surface_size);
  kernel_test_check (gpu_intrapred_enqueue (kernels, test->queue, buffers, wavefront, 0, NULL, NULL, NULL), "gpu_intrapred_enqueue");
  kernel_test_read (test, buffers->surface, picture->actual, picture->surface_size);
  if (!kernel_test_equal ("surface", picture->expected, picture->actual, picture->surface_size, picture->sample_size))
    return 0;
  *ns = 0;
  for (i = 0; i < n_runs; i++) {
    double start = kernel_test_now (), elapsed;

    kernel_test_check (gpu_intrapred_enqueue (kernels, test->queue, buffers, wavefront, 0, NULL, NULL, NULL), "gpu_intrapred_enqueue");
    clFinish (test->queue);
    elapsed = kernel_test_now () - start;
    if (i == 0 || elapsed < *ns)
      *ns = elapsed;
  }
  return 1;
}

/* The launches: name, wavefront, work-groups */
static const struct
{
  const char *name;
  GpuWavefront wavefront;
  unsigned n_groups;
} launches[] = {
  { "in order", GPU_WAVEFRONT_IN_ORDER, 0 },
  { "tickets", GPU_WAVEFRONT_TICKETS, 0 },
  { "tickets 1", GPU_WAVEFRONT_TICKETS, 1 },
  { "tickets 4", GPU_WAVEFRONT_TICKETS, 4 },
  { "diagonals", GPU_WAVEFRONT_DIAGONALS, 0 },
};
#define N_LAUNCHES (sizeof (launches) / sizeof (launches[0]))

/* A form's kernels for a format */
typedef struct
{
  GpuKernelDevice device;
  const char *form;
  cl_program program;
  GpuIntrapredKernels kernels;
} Built;

/* @more_options: beside those of the launcher */
static int
build (KernelTest *test, Built *built, const Format *format, unsigned form, const char *more_options)
{
  GpuPicture params = { .chroma_array_type = format->chroma_array_type, .bit_depth_luma = format->bit_depth_luma,
    .bit_depth_chroma = format->bit_depth_chroma };
  char options[512];
  int length;

  if (!kernel_test_form (test, form, &built->device))
    return 0;
  built->form = form == KERNEL_TEST_CPU ? "cpu" : "gpu";
  length = gpu_intrapred_options (&built->device, &params, options, sizeof (options));
  snprintf (options + length, sizeof (options) - (size_t) length, "%s", more_options);
  built->program = kernel_test_build (test, gpu_intrapred_source, options);
  kernel_test_check (gpu_intrapred_kernels_init (&built->kernels, &built->device, test->context, built->program, &params),
      "gpu_intrapred_kernels_init");
  return 1;
}

static void
destroy (Built *built)
{
  gpu_intrapred_kernels_clear (&built->kernels);
  clReleaseProgram (built->program);
}

/* Every launch that the device has on one picture; counts into passed[] */
static void
test_launches (KernelTest *test, Built *built, TestPicture *picture, unsigned *failed)
{
  GpuKernelPicture buffers = upload (test, picture);
  double ns;
  size_t i;

  for (i = 0; i < N_LAUNCHES; i++) {
    if (launches[i].wavefront == GPU_WAVEFRONT_TICKETS && !built->device.device_atomics)
      continue;
    built->kernels.n_groups = launches[i].n_groups;
    if (!run_launch (test, &built->kernels, picture, &buffers, launches[i].wavefront, 0, &ns)) {
      printf ("  %s, %ux%u macroblocks, %u slices\n", launches[i].name, picture->params.width_in_mbs, picture->params.height_in_mbs,
          picture->params.n_slices);
      failed[i]++;
    }
  }
  release (&buffers);
}

static void
test_format (KernelTest *test, const Format *format, unsigned form)
{
  unsigned n_pictures = test->small ? 2 : 12, failed[N_LAUNCHES] = { 0 }, n, max_side = test->small ? 2 : 12;
  Built built;
  int is_abroad = form == KERNEL_TEST_GPU && (test->small || !(test->device.type & CL_DEVICE_TYPE_GPU));
  size_t i;

  if (!kernel_test_selected (test, format->name) || (is_abroad && !test->function && !format->in_short) || !build (test, &built, format,
      form, ""))
    return;
  for (n = 0; n < n_pictures; n++) {
    TestPicture picture = { .format = format, .coded_percent = n % 3 * 50, .only_class = -1 };
    unsigned width = (unsigned) kernel_test_range (test, 1, (int) max_side), height = (unsigned) kernel_test_range (test, 1,
        (int) max_side);

    make_picture (test, &picture, width, height, n % 4 ? (unsigned) kernel_test_range (test, 1, 6) : 1, (int) (n & 1));
    run_reference (&picture);
    test_launches (test, &built, &picture, failed);
    free_picture (&picture);
  }
  for (i = 0; i < N_LAUNCHES; i++)
    if (launches[i].wavefront != GPU_WAVEFRONT_TICKETS || built.device.device_atomics) {
      char name[64];

      snprintf (name, sizeof (name), "%s %s", format->name, launches[i].name);
      kernel_test_result (test, name, built.form, failed[i] == 0, 0, NULL);
    }
  destroy (&built);
}

/* The ticketed launch, and slices by work-group, again and again */
static void
test_repeat (KernelTest *test, const char *name, const char *options, unsigned form, unsigned n_repeats)
{
  const Format *format = &formats[1];
  unsigned n, n_failed = 0;
  Built built;

  if (!kernel_test_selected (test, name) || !build (test, &built, format, form, options))
    return;
  for (n = 0; n < n_repeats; n++) {
    TestPicture picture = { .format = format, .coded_percent = 30, .only_class = -1 };
    unsigned failed[N_LAUNCHES] = { 0 };
    unsigned width = (unsigned) kernel_test_range (test, 1, 20), height = (unsigned) kernel_test_range (test, 1, 20);
    size_t i;

    make_picture (test, &picture, width, height, (unsigned) kernel_test_range (test, 1, 12), (int) (n & 1));
    run_reference (&picture);
    test_launches (test, &built, &picture, failed);
    for (i = 0; i < N_LAUNCHES; i++)
      n_failed += failed[i];
    free_picture (&picture);
  }
  kernel_test_result (test, name, built.form, n_failed == 0, 0, NULL);
  destroy (&built);
}

/* Whole pictures of 1920x1088: macroblocks of one class or mixed */
typedef struct
{
  const char *name;
  int only_class, coded_percent;
  unsigned n_slices;
} Load;

static const Load loads[] = {
  { "8x8 all coded", GPU_MB_I8x8, 100, 1 },
  { "8x8 30 % coded", GPU_MB_I8x8, 30, 1 },
  { "8x8 all coded 10 slices", GPU_MB_I8x8, 100, 10 },
  { "4x4 all coded", GPU_MB_I4x4, 100, 1 },
  { "4x4 30 % coded", GPU_MB_I4x4, 30, 1 },
  { "16x16 30 % coded", GPU_MB_I16x16, 30, 1 },
  { "16x16 no AC", GPU_MB_I16x16, 0, 1 },
  { "mixed 30 % coded", -1, 30, 1 },
};

static void
bench_load (KernelTest *test, Built *built, const Format *format, const Load *load)
{
  TestPicture picture = { .format = format, .coded_percent = load->coded_percent, .only_class = load->only_class };
  GpuKernelPicture buffers;
  size_t i;

  make_picture (test, &picture, 120, 68, load->n_slices, 1);
  run_reference (&picture);
  buffers = upload (test, &picture);
  for (i = 0; i < N_LAUNCHES; i++) {
    char name[96];
    double ns = 0;
    int passed;

    if ((launches[i].wavefront == GPU_WAVEFRONT_TICKETS && !built->device.device_atomics) || launches[i].n_groups)
      continue;
    built->kernels.n_groups = 0;
    passed = run_launch (test, &built->kernels, &picture, &buffers, launches[i].wavefront, built->device.is_cpu ? 50 : 3, &ns);
    snprintf (name, sizeof (name), "%s, %s, %s", format->name, load->name, launches[i].name);
    kernel_test_result (test, name, built->form, passed, ns, "picture");
  }
  release (&buffers);
  free_picture (&picture);
}

static void
bench_format (KernelTest *test, const Format *format, unsigned form)
{
  Built built;
  char name[64];
  size_t i;

  snprintf (name, sizeof (name), "bench_%s", format->name);
  if (!kernel_test_selected (test, name) || !build (test, &built, format, form, ""))
    return;
  for (i = 0; i < sizeof (loads) / sizeof (loads[0]); i++)
    bench_load (test, &built, format, &loads[i]);
  destroy (&built);
}

/* Takes --repeat=N out of the arguments. */
static unsigned
parse_repeat (int *argc, char **argv)
{
  unsigned n_repeats = 20;
  int i, n = 1;

  for (i = 1; i < *argc; i++)
    if (strncmp (argv[i], "--repeat=", 9) == 0)
      n_repeats = (unsigned) strtoul (argv[i] + 9, NULL, 0);
    else
      argv[n++] = argv[i];
  *argc = n;
  return n_repeats;
}

int
main (int argc, char **argv)
{
  static const Format monochrome_10 = { "monochrome_10", 0, 10, 10, 0, 0, 0, 0 };
  unsigned n_repeats = parse_repeat (&argc, argv), form;
  KernelTest test;
  size_t i;

  kernel_test_init (&test, argc, argv);
  for (form = KERNEL_TEST_CPU; form <= KERNEL_TEST_GPU; form <<= 1) {
    for (i = 0; i < sizeof (formats) / sizeof (formats[0]); i++)
      test_format (&test, &formats[i], form);
    if (!test.small)
      test_repeat (&test, "repeat", "", form, n_repeats);
    if (!test.small && (form == KERNEL_TEST_CPU || test.function))
      test_repeat (&test, "repeat_impatient", " -DGPU_PATIENCE=1", form, n_repeats);
    if (!test.bench)
      continue;
    bench_format (&test, &formats[1], form);
    bench_format (&test, &formats[6], form);
    bench_format (&test, &monochrome_10, form);
  }
  return kernel_test_finish (&test);
}
