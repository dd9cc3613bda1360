/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <stdio.h>

#include "idctpicture.h"
#include "reference.h"

#define SLOT_SIZE 32
#define MAX_CHUNK 65536 /* bytes of a segment */

const IdctFormat idct_formats[IDCT_N_FORMATS] = {
  { "idct_400_8", 0, 1, 8, 8 },
  { "idct_420_8", 1, 1, 8, 8 },
  { "idct_422_10", 2, 1, 10, 10 },
  { "idct_444_8", 3, 1, 8, 8 },
  { "idct_420_12_9", 1, 1, 12, 9 },
  { "idct_422_14", 2, 1, 14, 14 },
  { "idct_444_14", 3, 1, 14, 14 },
  { "idct_planes_10", 0, 3, 10, 10 },
};

GstGpuMb *
idct_picture_mb (const IdctPicture *p, unsigned plane_set, unsigned mb_addr)
{
  return (GstGpuMb *) (p->header + p->layout[plane_set].mbs) + mb_addr;
}

/* Plane @plane of a macroblock is made of luma-like 4x4 or 8x8 blocks */
static int
is_luma_like (const IdctPicture *p, unsigned plane)
{
  return plane == 0 || p->params.chroma_array_type == 3;
}

static unsigned
n_blocks_4x4 (const IdctPicture *p, unsigned plane)
{
  return is_luma_like (p, plane) ? 16 : 4 * p->params.chroma_array_type;
}

static int
has_8x8 (const IdctPicture *p, const GstGpuMb *mb, unsigned plane)
{
  return (mb->flags & GST_GPU_MB_TRANSFORM_8x8) && is_luma_like (p, plane);
}

static int
has_dc_group (const IdctPicture *p, const GstGpuMb *mb, unsigned plane)
{
  return !(mb->flags & GST_GPU_MB_BYPASS) && mb->mb_class != GST_GPU_MB_IPCM
      && (!is_luma_like (p, plane) || mb->mb_class == GST_GPU_MB_I16x16);
}

/* ---- macroblocks ---- */

static void
set_class (KernelTest *test, GstGpuMb *mb, IdctContent content)
{
  mb->mb_class = kernel_test_range (test, GST_GPU_MB_I4x4, GST_GPU_MB_INTER);
  if (content == CONTENT_8x8 || content == CONTENT_INTRA_8x8)
    mb->mb_class = GST_GPU_MB_I8x8;
  else if (content == CONTENT_DC4x4)
    mb->mb_class = GST_GPU_MB_I16x16;
  else if (content != CONTENT_MIXED)
    mb->mb_class = GST_GPU_MB_I4x4;
  if (mb->mb_class == GST_GPU_MB_I8x8 || (mb->mb_class == GST_GPU_MB_INTER && kernel_test_range (test, 0, 1)))
    mb->flags |= GST_GPU_MB_TRANSFORM_8x8;
  if (content == CONTENT_MIXED && mb->mb_class != GST_GPU_MB_IPCM && kernel_test_range (test, 0, 15) == 0)
    mb->flags |= GST_GPU_MB_BYPASS;
}

static void
set_coded (KernelTest *test, const IdctPicture *p, GstGpuMb *mb, unsigned plane, IdctContent content)
{
  unsigned all = (1u << n_blocks_4x4 (p, plane)) - 1;
  int dc = content == CONTENT_DC4x4 || content == CONTENT_CHROMA_DC, chroma = !is_luma_like (p, plane);

  if (mb->mb_class == GST_GPU_MB_IPCM)
    return;
  mb->coded[plane] = content == CONTENT_MIXED ? kernel_test_random (test) & all : dc ? 0 : all;
  if (chroma && content != CONTENT_MIXED && content != CONTENT_INTRA_8x8)
    mb->coded[plane] = 0;
  if (!chroma && content == CONTENT_CHROMA_DC)
    mb->coded[plane] = 0;
  if (has_8x8 (p, mb, plane))
    mb->coded[plane] &= 0x1111;
  if (has_dc_group (p, mb, plane))
    mb->dc_coded |= (content == CONTENT_MIXED ? kernel_test_range (test, 0, 1) : dc || content == CONTENT_INTRA_8x8) << plane;
}

/* @wide: chance in 16 of 32-bit levels.  @steady: QP changes with the slice only */
static void
make_mbs (KernelTest *test, IdctPicture *p, unsigned plane_set, IdctContent content, int wide, int steady)
{
  unsigned n_planes = p->params.chroma_array_type == 0 ? 1 : 3;
  unsigned slice = 0, until = 0;
  uint8_t qp[3] = { 0 };

  for (unsigned n = 0; n < p->n_mbs; n++) {
    GstGpuMb *mb = idct_picture_mb (p, plane_set, n);

    if (n == until && n > 0)
      slice = kernel_test_range (test, 0, (int) p->n_slices - 1);
    if (n == until)
      until = n + (steady ? p->n_mbs / 4 + 1 : (unsigned) kernel_test_range (test, 1, 40));
    for (unsigned plane = 0; plane < 3; plane++)
      if (n == 0 || !steady || kernel_test_range (test, 0, 4000) == 0)
        qp[plane] = kernel_test_range (test, 0, 51 + 6 * ((plane ? p->params.bit_depth_chroma : p->params.bit_depth_luma) - 8));
    memset (mb, 0, sizeof (*mb));
    mb->slice = slice;
    memcpy (mb->qp_scaled, qp, 3);
    if (kernel_test_range (test, 0, 15) < wide)
      mb->flags |= GST_GPU_MB_WIDE;
    set_class (test, mb, content);
    for (unsigned plane = 0; plane < n_planes; plane++)
      set_coded (test, p, mb, plane, content);
  }
}

static void
make_slices (KernelTest *test, IdctPicture *p)
{
  GstGpuSlice *slices = (GstGpuSlice *) (p->header + p->layout[0].slices);

  memset (slices, 0, p->n_slices * sizeof (GstGpuSlice));
  for (unsigned s = 0; s < p->n_slices; s++) {
    int flat = kernel_test_range (test, 0, 3) == 0;

    for (unsigned k = 0; k < 6 * 16; k++)
      slices[s].weight_scale_4x4[k / 16][k % 16] = flat ? 16 : kernel_test_range (test, 1, 255);
    for (unsigned k = 0; k < 6 * 64; k++)
      slices[s].weight_scale_8x8[k / 64][k % 64] = flat ? 16 : kernel_test_range (test, 1, 255);
  }
}

/* ---- levels ---- */

/* A row of the orthonormal DCT-II of @n samples, which the transforms of 8.5 approximate */
static double
dct_basis (unsigned n, unsigned k, unsigned x)
{
  return sqrt ((k == 0 ? 1. : 2.) / n) * cos (M_PI * (2 * x + 1) * k / (2 * n));
}

/* Quantised forward transform of a random residual (an edge and noise), in diagonal order cut behind @end coefficients */
static void
forward_levels (KernelTest *test, int32_t *levels, unsigned n, unsigned qp, unsigned depth, unsigned end)
{
  double residual[64], rows[64], step = 0.625 * pow (2, qp / 6.);
  int amplitude = kernel_test_range (test, 1, (1 << depth) - 1), edge = kernel_test_range (test, 0, 2 * (int) n);

  for (unsigned k = 0; k < n * n; k++)
    residual[k] = ((int) (k % n + k / n) < edge ? amplitude : -amplitude) + kernel_test_range (test, -amplitude, amplitude) / 8;
  for (unsigned y = 0; y < n; y++)
    for (unsigned k = 0; k < n; k++) {
      rows[y * n + k] = 0;
      for (unsigned x = 0; x < n; x++)
        rows[y * n + k] += residual[y * n + x] * dct_basis (n, k, x);
    }
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < n; j++) {
      double sum = 0;

      for (unsigned y = 0; y < n; y++)
        sum += rows[y * n + j] * dct_basis (n, i, y);
      levels[j * n + i] = (i + j) * (i + j + 1) / 2 + i < end ? (int32_t) lrint (sum / step) : 0;
    }
}

/* Levels of one block: of a forward transform, or extremes, or anything */
static void
make_levels (KernelTest *test, int32_t *levels, unsigned n_levels, unsigned qp, unsigned depth, int wide)
{
  unsigned way = kernel_test_range (test, 0, 7);
  int max = wide ? INT32_MAX : INT16_MAX, min = -max - 1, n_coded = kernel_test_range (test, 1, (int) n_levels);

  memset (levels, 0, n_levels * sizeof (levels[0]));
  if (way < 5 && (n_levels == 16 || n_levels == 64)) {
    forward_levels (test, levels, n_levels == 16 ? 4 : 8, qp, depth, (unsigned) n_coded);
  } else if (way < 6) {
    for (unsigned k = 0; k < n_levels; k++)
      levels[k] = kernel_test_range (test, 0, 1) ? max : min;
  } else {
    for (int k = 0; k < n_coded; k++)
      levels[kernel_test_range (test, 0, (int) n_levels - 1)] =
          way == 6 ? kernel_test_range (test, -20, 20) : (int) kernel_test_random (test);
  }
}

static void
store_levels (uint8_t *data, const int32_t *levels, unsigned n_levels, int wide)
{
  for (unsigned k = 0; k < n_levels; k++) {
    int16_t narrow = levels[k] < INT16_MIN ? INT16_MIN : levels[k] > INT16_MAX ? INT16_MAX : levels[k];

    if (wide)
      memcpy (data + 4 * k, &levels[k], 4);
    else
      memcpy (data + 2 * k, &narrow, 2);
  }
}

/* ---- segments ---- */

static unsigned
entry_size (const IdctPicture *p, unsigned kind, int wide)
{
  static const uint16_t n_levels[GST_GPU_N_H264_KINDS] = { 16, 64, 16, 4, 8, 16, 64, 0 };

  if (kind == GST_GPU_KIND_PCM)
    return 256 + 2 * 16 * (p->params.chroma_array_type ? n_blocks_4x4 (p, 1) : 0);
  return n_levels[kind] * (wide ? 4 : 2);
}

static unsigned
kind_of_dc (const IdctPicture *p, unsigned plane)
{
  return is_luma_like (p, plane) ? GST_GPU_KIND_DC4x4 : p->params.chroma_array_type == 1 ? GST_GPU_KIND_DC2x2 : GST_GPU_KIND_DC2x4;
}

/* Positions of the entries of @kind in a macroblock.  Returns their number, 48 at most. */
static unsigned
mb_positions (const IdctPicture *p, const GstGpuMb *mb, unsigned mb_addr, unsigned kind, uint32_t *positions)
{
  unsigned n = 0, bypass = kind == GST_GPU_KIND_BYPASS4x4 || kind == GST_GPU_KIND_BYPASS8x8;

  if (mb->mb_class == GST_GPU_MB_IPCM && kind == GST_GPU_KIND_PCM)
    positions[n++] = GST_GPU_POSITION (mb_addr, 0, 0);
  for (unsigned plane = 0; plane < 3; plane++) {
    if (kind >= GST_GPU_KIND_DC4x4 && kind <= GST_GPU_KIND_DC2x4) {
      if ((mb->dc_coded >> plane & 1) && kind == kind_of_dc (p, plane))
        positions[n++] = GST_GPU_POSITION (mb_addr, plane, 0);
      continue;
    }
    if (kind == GST_GPU_KIND_PCM || bypass != !!(mb->flags & GST_GPU_MB_BYPASS)
        || has_8x8 (p, mb, plane) != (kind == GST_GPU_KIND_8x8 || kind == GST_GPU_KIND_BYPASS8x8))
      continue;
    for (unsigned blk = 0; blk < 16; blk++)
      if (mb->coded[plane] >> blk & 1)
        positions[n++] = GST_GPU_POSITION (mb_addr, plane, blk);
  }
  return n;
}

/* Whole slots of the arena, with a gap before the next */
static size_t
take_slots (IdctPicture *p, size_t size)
{
  size_t at = p->coeffs_used;

  p->coeffs_used += (size + 2 * SLOT_SIZE - 1) / SLOT_SIZE * SLOT_SIZE;
  if (p->coeffs_used > p->coeffs_size) {
    fprintf (stderr, "the arena of the test is too small\n");
    exit (1);
  }
  return at;
}

static void
add_segment (KernelTest *test, IdctPicture *p, unsigned kind, int wide, unsigned plane_set, const uint32_t *positions, unsigned count)
{
  GstGpuSegment *segment = (GstGpuSegment *) (p->header + p->layout[0].segments) + p->n_segments++;
  unsigned size = entry_size (p, kind, wide), n_levels = size / (wide ? 4 : 2);
  size_t data = take_slots (p, count * size), list = take_slots (p, count * sizeof (positions[0]));
  int32_t levels[64];

  *segment = (GstGpuSegment){ .coeffs = data / SLOT_SIZE,
    .positions = list / 4,
    .count = count,
    .kind = kind,
    .wide = wide,
    .colour_plane = plane_set };
  memcpy (p->coeffs + list, positions, count * sizeof (positions[0]));
  for (unsigned n = 0; n < count && kind != GST_GPU_KIND_PCM; n++) {
    const GstGpuMb *mb = idct_picture_mb (p, plane_set, GST_GPU_POSITION_MB (positions[n]));
    unsigned plane = GST_GPU_POSITION_PLANE (positions[n]);

    make_levels (test, levels, n_levels, mb->qp_scaled[plane], plane ? p->params.bit_depth_chroma : p->params.bit_depth_luma, wide);
    store_levels (p->coeffs + data + n * size, levels, n_levels, wide);
  }
  if (kind < GST_GPU_KIND_BYPASS4x4)
    p->n_blocks += count;
}

/* All segments of a kind, width and colour plane set; a macroblock is never split */
static void
make_segments (KernelTest *test, IdctPicture *p, unsigned kind, int wide, unsigned plane_set)
{
  static uint32_t positions[MAX_CHUNK / 8];
  unsigned count = 0, size = entry_size (p, kind, wide), max = p->max_chunk;

  for (unsigned n = 0; n < p->n_mbs; n++) {
    const GstGpuMb *mb = idct_picture_mb (p, plane_set, n);

    if (!!(mb->flags & GST_GPU_MB_WIDE) == wide)
      count += mb_positions (p, mb, n, kind, positions + count);
    if (count > 0 && ((count + 48) * size > max || n + 1 == p->n_mbs)) {
      add_segment (test, p, kind, wide, plane_set, positions, count);
      count = 0;
      if (p->max_chunk < MAX_CHUNK)
        max = (unsigned) kernel_test_range (test, 1, (int) p->max_chunk);
    }
  }
}

/* ---- pictures ---- */

static size_t
align (size_t offset)
{
  return (offset + 63) / 64 * 64;
}

static void
lay_out_header (IdctPicture *p)
{
  size_t slices = 64, segments = align (slices + p->n_slices * sizeof (GstGpuSlice));

  p->header_size = align (segments + (size_t) p->n_planes * p->n_mbs * GST_GPU_N_H264_KINDS * sizeof (GstGpuSegment));
  for (unsigned plane_set = 0; plane_set < p->n_planes; plane_set++) {
    p->layout[plane_set] = (GstGpuLayout){ .mbs = p->header_size, .slices = slices, .segments = segments };
    p->header_size = align (p->header_size + p->n_mbs * sizeof (GstGpuMb));
  }
}

void
idct_picture_make (KernelTest *test, IdctPicture *p, const IdctFormat *format, IdctContent content, unsigned width, unsigned height,
    int wide, int steady)
{
  memset (p, 0, sizeof (*p));
  p->params = (GstGpuPicture){ .width_in_mbs = width,
    .height_in_mbs = height,
    .chroma_array_type = format->chroma_array_type,
    .bit_depth_luma = format->bit_depth_luma,
    .bit_depth_chroma = format->bit_depth_chroma };
  p->n_planes = format->n_planes;
  p->n_mbs = width * height;
  p->n_slices = steady ? 1 : 5;
  p->max_chunk = steady ? MAX_CHUNK : 4096;
  p->dc_size = p->n_mbs * 48 * sizeof (int32_t);
  lay_out_header (p);
  p->coeffs_size = (size_t) p->n_planes * p->n_mbs * (768 * 4 + 3 * SLOT_SIZE + 1024) + MAX_CHUNK;
  p->header = aligned_alloc (64, p->header_size);
  p->coeffs = aligned_alloc (64, align (p->coeffs_size));
  if (!p->header || !p->coeffs)
    kernel_test_check (CL_OUT_OF_HOST_MEMORY, "make_picture");
  memset (p->header, 0, p->header_size);
  memset (p->coeffs, 0xA5, p->coeffs_size);
  p->coeffs_used = 64;
  make_slices (test, p);
  for (unsigned plane_set = 0; plane_set < p->n_planes; plane_set++)
    make_mbs (test, p, plane_set, content, wide, steady);
  for (unsigned kind = 0; kind < GST_GPU_N_H264_KINDS; kind++) {
    p->first[kind] = p->n_segments;
    for (unsigned w = 0; w < 2 * p->n_planes; w++)
      make_segments (test, p, kind, w >= p->n_planes, w % p->n_planes);
  }
  p->first[GST_GPU_N_H264_KINDS] = p->n_segments;
}

void
idct_picture_free (IdctPicture *p)
{
  free (p->header);
  free (p->coeffs);
}

/* The picture through the C reference; @dc: of all colour plane sets, one behind the other */
static void
run_reference (const IdctPicture *p, uint8_t *coeffs, uint8_t *dc)
{
  for (unsigned plane_set = 0; plane_set < p->n_planes; plane_set++) {
    GpuReferencePicture reference = { .params = &p->params,
      .header = p->header,
      .layout = p->layout[plane_set],
      .coeffs = coeffs,
      .dc = (int32_t *) (dc + plane_set * p->dc_size) };

    gpu_reference_idct (&reference, (const GstGpuSegment *) (p->header + p->layout[0].segments), p->n_segments, plane_set);
  }
}

/* ---- the device ---- */

/* The buffers of a picture on the device */
static void
upload (KernelTest *test, const IdctPicture *p, GpuKernelPicture planes[3])
{
  cl_mem header = kernel_test_buffer (test, p->header, p->header_size), coeffs = kernel_test_buffer (test, p->coeffs, p->coeffs_size);

  for (unsigned plane_set = 0; plane_set < p->n_planes; plane_set++)
    planes[plane_set] = (GpuKernelPicture){ .params = p->params,
      .header = header,
      .layout = p->layout[plane_set],
      .coeffs = coeffs,
      .dc = kernel_test_buffer (test, NULL, p->dc_size) };
}

static void
release (const IdctPicture *p, GpuKernelPicture planes[3])
{
  clReleaseMemObject (planes[0].header);
  clReleaseMemObject (planes[0].coeffs);
  for (unsigned plane_set = 0; plane_set < p->n_planes; plane_set++)
    clReleaseMemObject (planes[plane_set].dc);
}

static int
compare (KernelTest *test, const IdctPicture *p, GpuIdctKernels *kernels, const uint8_t *expected, const uint8_t *expected_dc)
{
  GpuKernelPicture planes[3];
  uint8_t *coeffs = malloc (p->coeffs_size), *dc = malloc (p->dc_size);
  cl_event event;
  int equal;

  if (!coeffs || !dc)
    kernel_test_check (CL_OUT_OF_HOST_MEMORY, "compare");
  upload (test, p, planes);
  kernel_test_check (gpu_idct_enqueue (kernels, test->queue, planes, p->n_planes, p->first, 0, NULL, &event, NULL), "gpu_idct_enqueue");
  kernel_test_check (clWaitForEvents (1, &event), "clWaitForEvents");
  clReleaseEvent (event);
  kernel_test_read (test, planes[0].coeffs, coeffs, p->coeffs_size);
  equal = kernel_test_equal ("coefficient arena", expected, coeffs, p->coeffs_size, 2);
  for (unsigned plane_set = 0; plane_set < p->n_planes; plane_set++) {
    kernel_test_read (test, planes[plane_set].dc, dc, p->dc_size);
    equal &= kernel_test_equal ("dc", expected_dc + plane_set * p->dc_size, dc, p->dc_size, 4);
  }
  release (p, planes);
  free (coeffs);
  free (dc);
  return equal;
}

int
idct_picture_test (KernelTest *test, const IdctPicture *p, GpuIdctKernels *kernels)
{
  uint8_t *expected = aligned_alloc (64, align (p->coeffs_size)), *dc = aligned_alloc (64, p->n_planes * p->dc_size);
  int equal;

  if (!expected || !dc)
    kernel_test_check (CL_OUT_OF_HOST_MEMORY, "test_picture");
  memcpy (expected, p->coeffs, p->coeffs_size);
  memset (dc, 0xA5, p->n_planes * p->dc_size);
  run_reference (p, expected, dc);
  equal = compare (test, p, kernels, expected, dc);
  free (expected);
  free (dc);
  return equal;
}

double
idct_picture_bench (KernelTest *test, const IdctPicture *p, GpuIdctKernels *kernels)
{
  GpuKernelPicture planes[3];
  double best = 0;

  upload (test, p, planes);
  for (unsigned run = 0; run < 12; run++) {
    double start = kernel_test_now (), ns;

    for (unsigned i = 0; i < 4; i++)
      kernel_test_check (gpu_idct_enqueue (kernels, test->queue, planes, p->n_planes, p->first, 0, NULL, NULL, NULL), "gpu_idct_enqueue");
    clFinish (test->queue);
    ns = (kernel_test_now () - start) / 4;
    if (run == 1 || ns < best)
      best = ns;
  }
  release (p, planes);
  return best;
}

void
idct_test_format (KernelTest *test, const IdctFormat *format, GpuIdctKernels *kernels, const char *form)
{
  int passed = 1;

  if (!kernel_test_selected (test, format->name))
    return;
  for (int i = 0; i < (test->small ? 2 : 30); i++) {
    unsigned width = kernel_test_range (test, 1, test->small ? 2 : 20), height = kernel_test_range (test, 1, test->small ? 2 : 12);
    static const int wide[] = { 0, 4, 16 };
    IdctPicture p;

    idct_picture_make (test, &p, format, CONTENT_MIXED, width, height, wide[i % 3], 0);
    passed &= idct_picture_test (test, &p, kernels);
    idct_picture_free (&p);
  }
  kernel_test_result (test, format->name, form, passed, 0, NULL);
}
