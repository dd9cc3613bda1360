/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>

#include "intrapicture.h"
#include "reference.h"

/* Rows and columns around each plane that nobody may write */
#define GUARD 16

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
n_planes (const IntraPicture *picture)
{
  return picture->params.chroma_array_type ? 3 : 1;
}

static unsigned
plane_mb_width (const IntraPicture *picture, unsigned plane)
{
  return plane && picture->params.chroma_array_type != 3 ? 8 : 16;
}

static unsigned
plane_mb_height (const IntraPicture *picture, unsigned plane)
{
  return plane && picture->params.chroma_array_type == 1 ? 8 : 16;
}

static int
plane_max (const IntraPicture *picture, unsigned plane)
{
  return (1 << (plane ? picture->params.bit_depth_chroma : picture->params.bit_depth_luma)) - 1;
}

static int
random_sample (KernelTest *test, const IntraPicture *picture, unsigned plane)
{
  int max = plane_max (picture, plane), grey = (max + 1) / 2;

  return picture->format->mild ? kernel_test_range (test, grey - max / 64, grey + max / 64) : kernel_test_range (test, 0, max);
}

/* Planes one behind the other, each with guard rows and columns around it; random samples */
static void
make_surface (KernelTest *test, IntraPicture *picture)
{
  GstGpuPicture *params = &picture->params;
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
    int value = random_sample (test, picture, plane_max (picture, 0) < plane_max (picture, 2) ? 0 : 2);

    if (picture->sample_size == 1)
      picture->before[i] = (uint8_t) value;
    else
      ((uint16_t *) picture->before)[i] = (uint16_t) value;
  }
}

/* Slices: runs of macroblocks from random places on, or macroblocks dealt at random (FMO); both macroblocks of a pair are in the same
 * one */
static void
make_slices (KernelTest *test, IntraPicture *picture, unsigned n_slices, int contiguous)
{
  unsigned slice = 0;

  picture->params.n_slices = n_slices;
  picture->params.slices_contiguous = (unsigned) contiguous;
  for (size_t i = 0; i < picture->n_mbs; i++) {
    if (picture->mbaff && i & 1) {
      picture->mbs[i].slice = (gst_gpu_u16) slice;
      continue;
    }
    if (contiguous && slice + 1 < n_slices && kernel_test_random (test) % picture->n_mbs < n_slices)
      slice++;
    if (!contiguous)
      slice = kernel_test_random (test) % n_slices;
    picture->mbs[i].slice = (gst_gpu_u16) slice;
  }
}

/* The macroblock, or pair, beside that of number @unit; -1 outside the picture */
static int
unit_beside (const IntraPicture *picture, int unit, int dx, int dy)
{
  int width = (int) picture->params.width_in_mbs, x = unit % width + dx, y = unit / width + dy;

  return x < 0 || x >= width || y < 0 ? -1 : y * width + x;
}

static int
is_field (const IntraPicture *picture, int mb_addr)
{
  return (picture->mbs[mb_addr].flags & GST_GPU_MB_FIELD) != 0;
}

/* Line of the frame, counted from the upper edge of a row of pairs, of line @y of a macroblock there */
static int
line_in_pair (const IntraPicture *picture, int mb_addr, int y)
{
  return is_field (picture, mb_addr) ? 2 * y + (mb_addr & 1) : 16 * (mb_addr & 1) + y;
}

/* Table 6-4 for yN < 0: *line: yM */
static int
mbaff_neighbour_above (const IntraPicture *picture, int mb_addr, int dx, int *line)
{
  int field = is_field (picture, mb_addr), lower = mb_addr & 1, pair;

  *line = 15;
  if (lower && !field && dx >= 0)
    return dx ? -1 : mb_addr - 1;
  pair = unit_beside (picture, mb_addr / 2, dx, lower && !field ? 0 : -1);
  if (pair < 0)
    return -1;
  if (lower && !field) {
    *line = is_field (picture, 2 * pair) ? 7 : 15;
    return 2 * pair + is_field (picture, 2 * pair);
  }
  if (!field || lower)
    return 2 * pair + 1;
  *line = is_field (picture, 2 * pair) ? 15 : 14;
  return 2 * pair + !is_field (picture, 2 * pair);
}

/* The same for xN < 0, yN >= 0 */
static int
mbaff_neighbour_left (const IntraPicture *picture, int mb_addr, int y, int *line)
{
  int field = is_field (picture, mb_addr), lower = mb_addr & 1, pair = unit_beside (picture, mb_addr / 2, -1, 0);

  *line = y;
  if (pair < 0)
    return -1;
  if (field == is_field (picture, 2 * pair))
    return 2 * pair + lower;
  if (field) {
    *line = (2 * y + lower) % 16;
    return 2 * pair + (y >= 8);
  }
  *line = (16 * lower + y) / 2;
  return 2 * pair + y % 2;
}

/* The macroblock that covers luma location (x, y) outside macroblock mb_addr (6.4.12); -1 outside the picture.  What the kernels rely on
 * in MBAFF frames is looked at too: the location is the one beside the macroblock in the macroblock's own lines. */
static int
find_neighbour (const IntraPicture *picture, int mb_addr, int x, int y)
{
  int dx = x < 0 ? -1 : x > 15, line, neighbour;

  if (!picture->mbaff)
    return unit_beside (picture, mb_addr, dx, y < 0 ? -1 : 0);
  neighbour = y < 0 ? mbaff_neighbour_above (picture, mb_addr, dx, &line) : mbaff_neighbour_left (picture, mb_addr, y, &line);
  /* lines of the pair above end with number -1 */
  if (neighbour >= 0 && (line_in_pair (picture, neighbour, line) - line_in_pair (picture, mb_addr, y)) % 32) {
    fprintf (stderr, "location (%d, %d) of macroblock %d is not in its own lines\n", x, y, mb_addr);
    exit (1);
  }
  return neighbour;
}

/* Whether the sample at luma location (x, y) outside macroblock mb_addr may be predicted from */
static int
is_available (const IntraPicture *picture, size_t mb_addr, int x, int y)
{
  int n = find_neighbour (picture, (int) mb_addr, x, y);

  return n >= 0 && picture->mbs[n].slice == picture->mbs[mb_addr].slice
      && !(picture->constrained && picture->mbs[n].mb_class == GST_GPU_MB_INTER);
}

static unsigned
find_available (const IntraPicture *picture, size_t mb_addr)
{
  unsigned result = GST_GPU_AVAILABLE_A | GST_GPU_AVAILABLE_A_LOWER;

  for (int y = 0; y < 16; y++)
    if (!is_available (picture, mb_addr, -1, y))
      result &= y < 8 ? ~(unsigned) GST_GPU_AVAILABLE_A : ~(unsigned) GST_GPU_AVAILABLE_A_LOWER;
  /* modes without their neighbours may read that sample as something else: nothing says what they read */
  if (!picture->format->hostile && !(result & GST_GPU_AVAILABLE_A) && is_available (picture, mb_addr, -1, 7))
    result |= GST_GPU_AVAILABLE_ROW_7;
  result |= is_available (picture, mb_addr, 0, -1) ? GST_GPU_AVAILABLE_B : 0;
  result |= is_available (picture, mb_addr, 16, -1) ? GST_GPU_AVAILABLE_C : 0;
  result |= is_available (picture, mb_addr, -1, -1) ? GST_GPU_AVAILABLE_D : 0;
  return result;
}

/* Neighbours of a block of Intra_NxN at (x, y), in blocks of n samples; written from the pictures of 6.4.11, not from what the kernel
 * does */
static unsigned
block_neighbours (unsigned available, unsigned n, unsigned x, unsigned y)
{
  unsigned last = 16 / n - 1, result = 0;
  int left_here = y * n < 8 ? available & GST_GPU_AVAILABLE_A : available & GST_GPU_AVAILABLE_A_LOWER;
  int left_above = y * n <= 8 ? available & GST_GPU_AVAILABLE_A : available & GST_GPU_AVAILABLE_A_LOWER;

  result |= x > 0 || left_here ? GST_GPU_AVAILABLE_A : 0;
  result |= y > 0 || (available & GST_GPU_AVAILABLE_B) ? GST_GPU_AVAILABLE_B : 0;
  if (x > 0)
    result |= y > 0 || (available & GST_GPU_AVAILABLE_B) ? GST_GPU_AVAILABLE_D : 0;
  else
    result |= y > 0 ? (left_above ? GST_GPU_AVAILABLE_D : 0) : available & GST_GPU_AVAILABLE_D;
  if (y == 0)
    result |= available & (x == last ? GST_GPU_AVAILABLE_C : GST_GPU_AVAILABLE_B) ? GST_GPU_AVAILABLE_C : 0;
  return result;
}

/* A mode of Table 8-2 that these neighbours permit */
static unsigned
random_nxn_mode (KernelTest *test, const IntraPicture *picture, unsigned available)
{
  static const unsigned needed[9] = { GST_GPU_AVAILABLE_B, GST_GPU_AVAILABLE_A, 0, GST_GPU_AVAILABLE_B,
    GST_GPU_AVAILABLE_A | GST_GPU_AVAILABLE_B | GST_GPU_AVAILABLE_D, GST_GPU_AVAILABLE_A | GST_GPU_AVAILABLE_B | GST_GPU_AVAILABLE_D,
    GST_GPU_AVAILABLE_A | GST_GPU_AVAILABLE_B | GST_GPU_AVAILABLE_D, GST_GPU_AVAILABLE_B, GST_GPU_AVAILABLE_A };
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
random_whole_mode (KernelTest *test, const IntraPicture *picture, unsigned available)
{
  const unsigned left = GST_GPU_AVAILABLE_A | GST_GPU_AVAILABLE_A_LOWER;
  const unsigned needed[4] = { GST_GPU_AVAILABLE_B, left, 0, left | GST_GPU_AVAILABLE_B | GST_GPU_AVAILABLE_D };
  unsigned mode;

  do
    mode = kernel_test_random (test) % 4;
  while (!picture->format->hostile && (available & needed[mode]) != needed[mode]);
  return mode;
}

static void
make_modes (KernelTest *test, const IntraPicture *picture, GstGpuMb *mb)
{
  static const gst_gpu_u8 chroma_modes[4] = { 2, 1, 0, 3 };
  unsigned n = mb->mb_class == GST_GPU_MB_I8x8 ? 8 : 4, i;

  mb->intra_chroma_pred_mode = chroma_modes[random_whole_mode (test, picture, mb->available)];
  if (mb->mb_class == GST_GPU_MB_I16x16)
    mb->intra_modes[0] = (gst_gpu_u8) random_whole_mode (test, picture, mb->available);
  if (mb->mb_class > GST_GPU_MB_I8x8)
    return;
  for (i = 0; i < 256 / (n * n); i++) {
    unsigned x = n == 8 ? i & 1 : (i & 1) + (i & 4) / 2, y = n == 8 ? i / 2 : (i & 2) / 2 + (i & 8) / 4;
    unsigned mode = random_nxn_mode (test, picture, block_neighbours (mb->available, n, x, y));

    mb->intra_modes[i / 2] |= (gst_gpu_u8) (mode << (i & 1) * 4);
  }
}

/* The largest difference from grey of a value that is random */
static int
spread (const IntraPicture *picture, unsigned plane)
{
  return picture->format->mild ? plane_max (picture, plane) / 64 : plane_max (picture, plane);
}

/* Residuals of a block: mostly small, sometimes the extremes that the depth or 16 bits have */
static void
fill_block (KernelTest *test, const IntraPicture *picture, int16_t *block, unsigned n, int max)
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
make_blocks (KernelTest *test, IntraPicture *picture, GstGpuMb *mb, unsigned plane, int is_8x8, size_t *next)
{
  unsigned n_blks = plane_mb_width (picture, plane) * plane_mb_height (picture, plane) / 16, blk;

  for (blk = 0; blk < n_blks; blk += is_8x8 ? 4 : 1) {
    if (kernel_test_range (test, 0, 99) >= picture->coded_percent)
      continue;
    mb->coded[plane] |= (gst_gpu_u16) (1u << blk);
    fill_block (test, picture, picture->arena + *next * 16, is_8x8 ? 64 : 16, spread (picture, plane));
    *next += (is_8x8 ? 4 : 1) * (mb->flags & GST_GPU_MB_WIDE ? 2 : 1);
  }
}

static void
make_pcm (KernelTest *test, IntraPicture *picture, size_t *next)
{
  unsigned plane, i, n = 0;

  for (plane = 0; plane < n_planes (picture); plane++)
    for (i = 0; i < plane_mb_width (picture, plane) * plane_mb_height (picture, plane); i++, n++) {
      int value = random_sample (test, picture, plane);

      if (picture->sample_size == 1)
        ((uint8_t *) (picture->arena + *next * 16))[n] = (uint8_t) value;
      else
        ((uint16_t *) (picture->arena + *next * 16))[n] = (uint16_t) value;
    }
  *next += (n * picture->sample_size + 31) / 32;
}

/* DC coefficients of the groups that the macroblock has */
static void
make_dc (KernelTest *test, IntraPicture *picture, GstGpuMb *mb, size_t mb_addr)
{
  for (unsigned plane = 0; plane < n_planes (picture); plane++) {
    int like_luma = plane == 0 || picture->params.chroma_array_type == 3;

    if ((like_luma && mb->mb_class != GST_GPU_MB_I16x16) || mb->mb_class == GST_GPU_MB_IPCM || kernel_test_random (test) % 4 == 0)
      continue;
    mb->dc_coded |= (gst_gpu_u8) (1 << plane);
    for (unsigned i = 0; i < 16; i++)
      picture->dc[mb_addr * 48 + plane * 16 + i] = picture->format->hostile && kernel_test_random (test) % 4 == 0
          ? (int32_t) kernel_test_random (test)
          : kernel_test_range (test, -64 * spread (picture, plane), 64 * spread (picture, plane));
  }
}

static void
make_macroblock (KernelTest *test, IntraPicture *picture, size_t mb_addr, size_t *next)
{
  GstGpuMb *mb = &picture->mbs[mb_addr];

  mb->available = (gst_gpu_u8) find_available (picture, mb_addr);
  /* the halves differ as in MBAFF frames with constrained_intra_pred_flag, more often than there */
  if (picture->constrained && !picture->format->mild && kernel_test_random (test) % 8 == 0)
    mb->available &= kernel_test_random (test) & 1 ? ~GST_GPU_AVAILABLE_A : ~GST_GPU_AVAILABLE_A_LOWER;
  mb->flags |= (gst_gpu_u8) (kernel_test_random (test) % 4 ? 0 : GST_GPU_MB_WIDE);
  if (mb->mb_class == GST_GPU_MB_I8x8 || (mb->mb_class == GST_GPU_MB_INTER && (kernel_test_random (test) & 1)))
    mb->flags |= GST_GPU_MB_TRANSFORM_8x8;
  if (picture->format->lossless && (kernel_test_random (test) & 1))
    mb->flags |= GST_GPU_MB_BYPASS;
  make_modes (test, picture, mb);
  mb->first_4x4 = (gst_gpu_u32) *next;
  if (mb->mb_class == GST_GPU_MB_IPCM) {
    make_pcm (test, picture, next);
    return;
  }
  for (unsigned plane = 0; plane < n_planes (picture); plane++)
    if (!(mb->flags & GST_GPU_MB_TRANSFORM_8x8) || (plane > 0 && picture->params.chroma_array_type != 3))
      make_blocks (test, picture, mb, plane, 0, next);
  mb->first_8x8 = (gst_gpu_u32) *next;
  for (unsigned plane = 0; plane < n_planes (picture); plane++)
    if ((mb->flags & GST_GPU_MB_TRANSFORM_8x8) && (plane == 0 || picture->params.chroma_array_type == 3))
      make_blocks (test, picture, mb, plane, 1, next);
  make_dc (test, picture, mb, mb_addr);
}

static unsigned
random_class (KernelTest *test, const IntraPicture *picture)
{
  static const gst_gpu_u8 classes[16] = { GST_GPU_MB_I4x4, GST_GPU_MB_I4x4, GST_GPU_MB_I4x4, GST_GPU_MB_I4x4, GST_GPU_MB_I4x4,
    GST_GPU_MB_I8x8, GST_GPU_MB_I8x8, GST_GPU_MB_I8x8, GST_GPU_MB_I8x8, GST_GPU_MB_I8x8, GST_GPU_MB_I16x16, GST_GPU_MB_I16x16,
    GST_GPU_MB_I16x16, GST_GPU_MB_I16x16, GST_GPU_MB_INTER, GST_GPU_MB_IPCM };

  unsigned mb_class = picture->only_class >= 0 ? (unsigned) picture->only_class : classes[kernel_test_random (test) & 15];

  return picture->format->mild && mb_class == GST_GPU_MB_I8x8 ? GST_GPU_MB_I4x4 : mb_class;
}

/* Slots that a macroblock may need: all blocks with 32-bit levels */
#define MAX_SLOTS 96

void
intra_picture_make (KernelTest *test, IntraPicture *picture, unsigned width_in_mbs, unsigned height_in_mbs, unsigned n_slices,
    int contiguous)
{
  const IntraFormat *format = picture->format;
  GstGpuPicture *params = &picture->params;
  size_t next = 1, i; /* a picture whose first block is not at slot 0 */

  memset (params, 0, sizeof (*params));
  params->width_in_mbs = width_in_mbs;
  params->height_in_mbs = height_in_mbs;
  params->chroma_array_type = format->chroma_array_type;
  params->bit_depth_luma = format->bit_depth_luma;
  params->bit_depth_chroma = format->bit_depth_chroma;
  params->field_pic = (unsigned) format->field;
  params->mbaff = (unsigned) picture->mbaff;
  picture->n_mbs = (size_t) width_in_mbs * height_in_mbs;
  /* records that do not stand at the beginning of the header arena */
  picture->layout = (GstGpuLayout){ .mbs = 64 };
  picture->header = allocate (picture->layout.mbs + picture->n_mbs * sizeof (GstGpuMb));
  picture->mbs = (GstGpuMb *) (picture->header + picture->layout.mbs);
  memset (picture->mbs, 0, picture->n_mbs * sizeof (GstGpuMb));
  picture->n_slots = picture->n_mbs * MAX_SLOTS + 1;
  picture->arena = allocate (picture->n_slots * 32);
  picture->dc = allocate (picture->n_mbs * 48 * 4);
  picture->constrained = picture->only_class < 0 && kernel_test_random (test) & 1;
  make_surface (test, picture);
  make_slices (test, picture, n_slices, contiguous);
  for (i = 0; i < picture->n_mbs; i++)
    picture->mbs[i].mb_class = (gst_gpu_u8) random_class (test, picture);
  for (i = 0; picture->mbaff && i < picture->n_mbs; i += 2)
    picture->mbs[i].flags = picture->mbs[i + 1].flags = kernel_test_random (test) & 1 ? GST_GPU_MB_FIELD : 0;
  for (i = 0; i < picture->n_mbs; i++)
    make_macroblock (test, picture, i, &next);
}

void
intra_picture_free (IntraPicture *picture)
{
  free (picture->header);
  free (picture->arena);
  free (picture->dc);
  free (picture->before);
  free (picture->expected);
  free (picture->actual);
}

void
intra_picture_run_reference (IntraPicture *picture)
{
  GpuReferencePicture reference = { .params = &picture->params,
    .header = picture->header,
    .layout = picture->layout,
    .coeffs = picture->arena,
    .dc = picture->dc,
    .samples = picture->expected };

  memcpy (picture->expected, picture->before, picture->surface_size);
  gpu_reference_intrapred (&reference);
}

/* The picture's buffers on the device */
GpuKernelPicture
intra_picture_upload (KernelTest *test, const IntraPicture *picture)
{
  GpuKernelPicture buffers;

  memset (&buffers, 0, sizeof (buffers));
  buffers.params = picture->params;
  buffers.layout = picture->layout;
  buffers.header = kernel_test_buffer (test, picture->header, picture->layout.mbs + picture->n_mbs * sizeof (GstGpuMb));
  buffers.coeffs = kernel_test_buffer (test, picture->arena, picture->n_slots * 32);
  buffers.dc = kernel_test_buffer (test, picture->dc, picture->n_mbs * 48 * 4);
  buffers.surface = kernel_test_buffer (test, picture->before, picture->surface_size);
  return buffers;
}

void
intra_picture_release (GpuKernelPicture *buffers)
{
  clReleaseMemObject (buffers->header);
  clReleaseMemObject (buffers->coeffs);
  clReleaseMemObject (buffers->dc);
  clReleaseMemObject (buffers->surface);
}
