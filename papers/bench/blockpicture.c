/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stddef.h>

#include "blockpicture.h"
#include "idcthostscalar.h"
#include "reference.h"

#define SLOT_SIZE 32
#define BLOCKS_A_SEGMENT 1024 /* 4x4; a quarter of it of 8x8 */

/* Where the block (plane, blk) stands among the levels of its macroblock */
static unsigned
first_level (unsigned plane, unsigned blk)
{
  return (plane == 0 ? 0 : 192 + plane * 64) + blk * 16;
}

/* ---- synthetic ---- */

/* Levels as a stream has them: the low frequencies, getting rarer and smaller */
static void
make_levels (Papers *papers, int16_t *levels, unsigned n)
{
  unsigned end = (unsigned) kernel_test_range (&papers->test, 1, n == 4 ? 8 : 20);

  memset (levels, 0, n * n * sizeof (levels[0]));
  for (unsigned i = 0; i < end; i++) {
    int x = kernel_test_range (&papers->test, 0, (int) n - 1), y = kernel_test_range (&papers->test, 0, (int) n - 1 - x);
    int size = 24 / (1 + x + y);

    levels[x * (int) n + y] = (int16_t) kernel_test_range (&papers->test, -size, size);
  }
  if (levels[0] == 0)
    levels[0] = 1;
}

static void
make_mbs (Papers *papers, BlockPicture *self, double non_zero)
{
  GstGpuMb *mbs = (GstGpuMb *) block_picture_mbs (self);
  int of_1000 = (int) (non_zero * 1000 + 0.5);

  for (unsigned n = 0; n < self->n_mbs; n++) {
    int is_8x8 = n / 8 % 2;

    mbs[n].mb_class = is_8x8 ? GST_GPU_MB_I8x8 : GST_GPU_MB_I4x4;
    mbs[n].flags = is_8x8 ? GST_GPU_MB_TRANSFORM_8x8 : 0;
    mbs[n].dc_coded = 6;
    for (unsigned plane = 0; plane < 3; plane++) {
      mbs[n].qp_scaled[plane] = 18 + n / 512 % 4;
      for (unsigned blk = 0; blk < (plane ? 4 : 16); blk += is_8x8 && !plane ? 4 : 1)
        if (kernel_test_range (&papers->test, 0, 999) < of_1000)
          mbs[n].coded[plane] |= 1 << blk;
    }
  }
}

/* Coded blocks of a kind of a macroblock, in the order of the arena */
static unsigned
mb_positions (const GstGpuMb *mb, unsigned mb_addr, unsigned kind, gst_gpu_u32 *positions)
{
  unsigned n = 0;

  for (unsigned plane = 0; plane < 3; plane++)
    for (unsigned blk = 0; blk < 16; blk++)
      if (mb->coded[plane] >> blk & 1 && (kind == GST_GPU_KIND_8x8) == (plane == 0 && (mb->flags & GST_GPU_MB_TRANSFORM_8x8)))
        positions[n++] = GST_GPU_POSITION (mb_addr, plane, blk);
  return n;
}

/* Closes a segment of @count blocks, whose positions and levels follow each other in the arena. */
static void
add_segment (Papers *papers, BlockPicture *self, unsigned kind, const gst_gpu_u32 *positions, unsigned count)
{
  GstGpuSegment *segment = (GstGpuSegment *) block_picture_segments (self) + self->head.n_segments++;
  unsigned n = kind == GST_GPU_KIND_4x4 ? 4 : 8, list = self->head.coeffs_size;
  unsigned data = (list + count * 4 + SLOT_SIZE - 1) / SLOT_SIZE * SLOT_SIZE;

  *segment = (GstGpuSegment){ .coeffs = data / SLOT_SIZE, .positions = list / 4, .count = count, .kind = (gst_gpu_u8) kind };
  memcpy (self->coeffs + list, positions, count * 4);
  for (unsigned i = 0; i < count; i++)
    make_levels (papers, (int16_t *) (self->coeffs + data) + i * n * n, n);
  self->head.coeffs_size = data + count * n * n * 2;
}

static void
make_segments (Papers *papers, BlockPicture *self, unsigned kind)
{
  static gst_gpu_u32 positions[BLOCKS_A_SEGMENT + 64];
  unsigned max = kind == GST_GPU_KIND_4x4 ? BLOCKS_A_SEGMENT : BLOCKS_A_SEGMENT / 4, count = 0;

  self->head.first[kind] = self->head.n_segments;
  for (unsigned n = 0; n < self->n_mbs; n++) {
    count += mb_positions (&block_picture_mbs (self)[n], n, kind, positions + count);
    if (count >= max || (count > 0 && n + 1 == self->n_mbs)) {
      add_segment (papers, self, kind, positions, count);
      count = 0;
    }
  }
}

/* ---- both ---- */

static void
run_reference (const BlockPicture *self, uint8_t *coeffs, const GstGpuSegment *segments, unsigned n_segments)
{
  GstGpuPicture params = { .width_in_mbs = self->head.width_in_mbs,
    .height_in_mbs = self->head.height_in_mbs,
    .chroma_array_type = 1,
    .bit_depth_luma = 8,
    .bit_depth_chroma = 8 };
  GpuReferencePicture reference = { .params = &params,
    .header = self->header,
    .layout = block_picture_layout (self),
    .coeffs = coeffs,
    .dc = self->dc };

  gpu_reference_idct (&reference, segments, n_segments, 0);
}

/* ---- what Wang et al. start from ---- */

/* The blocks of a kind from @coeffs, lists of the arena */
static void
gather (const BlockPicture *self, const uint8_t *coeffs, unsigned kind, int16_t *blocks)
{
  const GstGpuSegment *segments = block_picture_segments (self);
  size_t size = kind == GST_GPU_KIND_4x4 ? 32 : 128;

  for (unsigned s = self->head.first[kind]; s < self->head.first[kind + 1]; s++) {
    memcpy (blocks, coeffs + (size_t) segments[s].coeffs * SLOT_SIZE, segments[s].count * size);
    blocks += segments[s].count * size / 2;
  }
}

/* Levels become coefficients. */
static void
scale (const BlockPicture *self, unsigned kind, int16_t *blocks)
{
  const GstGpuSegment *segments = block_picture_segments (self);
  IdctHost host = { self->header, block_picture_layout (self), self->dc, self->coeffs };
  unsigned n = kind == GST_GPU_KIND_4x4 ? 4 : 8;

  for (unsigned s = self->head.first[kind]; s < self->head.first[kind + 1]; s++) {
    idct_host_scalar ()->scale (&host, (const uint32_t *) self->coeffs + segments[s].positions, blocks, segments[s].count, n);
    blocks += segments[s].count * n * n;
  }
}

/* The blocks of a kind at their places in a frame */
static void
spread (const BlockPicture *self, unsigned kind, const int16_t *blocks, int16_t *frame)
{
  const GstGpuSegment *segments = block_picture_segments (self);
  unsigned n = kind == GST_GPU_KIND_4x4 ? 16 : 64;

  for (unsigned s = self->head.first[kind]; s < self->head.first[kind + 1]; s++)
    for (unsigned i = 0; i < segments[s].count; i++, blocks += n) {
      uint32_t position = ((const uint32_t *) self->coeffs)[segments[s].positions + i];
      unsigned first = first_level (GST_GPU_POSITION_PLANE (position), GST_GPU_POSITION_BLK (position));

      memcpy (frame + (size_t) GST_GPU_POSITION_MB (position) * BLOCK_PICTURE_MB + first, blocks, n * 2);
      self->kinds[GST_GPU_POSITION_MB (position)] |= 1u << first / 16;
    }
}

static void
make_dense (BlockPicture *self, unsigned kind)
{
  unsigned n = kind == GST_GPU_KIND_4x4 ? 4 : 8;
  size_t size = self->n_blocks[kind] * n * n * 2;

  self->transposed[kind] = papers_alloc (size);
  self->scaled[kind] = papers_alloc (size);
  self->residual[kind] = papers_alloc (size);
  gather (self, self->coeffs, kind, self->transposed[kind]);
  gather (self, self->expected, kind, self->residual[kind]);
  scale (self, kind, self->transposed[kind]);
  for (size_t i = 0; i < self->n_blocks[kind]; i++)
    for (unsigned y = 0; y < n; y++)
      for (unsigned x = 0; x < n; x++)
        self->scaled[kind][(i * n + y) * n + x] = self->transposed[kind][(i * n + x) * n + y];
  spread (self, kind, self->scaled[kind], self->frame);
  spread (self, kind, self->residual[kind], self->frame_residual);
}

/* What the kernels get beside the lists, and what they are to give */
static void
complete (BlockPicture *self)
{
  const GstGpuSegment *segments = block_picture_segments (self);
  unsigned first_dc = self->head.first[GST_GPU_KIND_DC4x4], n_dc = self->head.first[GST_GPU_KIND_DC2x4 + 1] - first_dc;

  self->expected = papers_alloc (self->head.coeffs_size);
  self->frame = papers_alloc ((size_t) self->n_mbs * BLOCK_PICTURE_MB * 2);
  self->frame_residual = papers_alloc ((size_t) self->n_mbs * BLOCK_PICTURE_MB * 2);
  self->kinds = papers_alloc ((size_t) self->n_mbs * 4);
  for (unsigned s = self->head.first[GST_GPU_KIND_4x4]; s < self->head.first[GST_GPU_KIND_8x8 + 1]; s++)
    self->n_blocks[segments[s].kind] += segments[s].count;
  self->non_zero = (16. * (double) self->n_blocks[0] + 64. * (double) self->n_blocks[1]) / ((double) self->n_mbs * BLOCK_PICTURE_MB);
  self->type = GST_GPU_SLICE_I;
  for (unsigned n = 0; n < self->n_mbs; n++) {
    const GstGpuMb *mb = &block_picture_mbs (self)[n];
    unsigned type = ((const GstGpuSlice *) (self->header + self->head.slices_offset))[mb->slice].slice_type;

    self->kinds[n] = mb->flags & GST_GPU_MB_TRANSFORM_8x8 ? 1u << 31 : 0;
    if (type == GST_GPU_SLICE_B || (type == GST_GPU_SLICE_P && self->type == GST_GPU_SLICE_I))
      self->type = type;
  }
  memcpy (self->expected, self->coeffs, self->head.coeffs_size);
  run_reference (self, self->expected, segments + first_dc, n_dc);
  run_reference (self, self->expected, segments + self->head.first[GST_GPU_KIND_4x4],
      self->head.first[GST_GPU_KIND_8x8 + 1] - self->head.first[GST_GPU_KIND_4x4]);
  make_dense (self, GST_GPU_KIND_4x4);
  make_dense (self, GST_GPU_KIND_8x8);
}

void
block_picture_make (Papers *papers, BlockPicture *self, unsigned width_in_mbs, unsigned height_in_mbs, double non_zero)
{
  unsigned n_mbs = width_in_mbs * height_in_mbs;

  memset (self, 0, sizeof (*self));
  self->n_mbs = n_mbs;
  self->head = (CaptureHeader){ .magic = CAPTURE_MAGIC,
    .width_in_mbs = width_in_mbs,
    .height_in_mbs = height_in_mbs,
    .chroma_array_type = 1,
    .bit_depth_luma = 8,
    .bit_depth_chroma = 8,
    .slices_offset = 64,
    .mbs_offset = (64 + sizeof (GstGpuSlice) + 63) / 64 * 64,
    .coeffs_size = 64 };
  self->head.segments_offset = (gst_gpu_u32) (self->head.mbs_offset + (n_mbs * sizeof (GstGpuMb) + 63) / 64 * 64);
  self->head.header_size = (gst_gpu_u32) (self->head.segments_offset + (n_mbs / 8 + 16) * sizeof (GstGpuSegment));
  self->header = papers_alloc (self->head.header_size);
  self->coeffs = papers_alloc ((size_t) n_mbs * (BLOCK_PICTURE_MB * 2 + 24 * 4 + 64) + 4096);
  self->dc = papers_alloc ((size_t) n_mbs * 48 * 4);
  ((GstGpuSlice *) (self->header + 64))->slice_type = GST_GPU_SLICE_I;
  memset (((GstGpuSlice *) (self->header + 64))->weight_scale_4x4, 16, sizeof (GstGpuSlice) - offsetof (GstGpuSlice, weight_scale_4x4));
  for (size_t i = 0; i < (size_t) n_mbs * 48; i++)
    self->dc[i] = kernel_test_range (&papers->test, -2000, 2000);
  make_mbs (papers, self, non_zero);
  make_segments (papers, self, GST_GPU_KIND_4x4);
  make_segments (papers, self, GST_GPU_KIND_8x8);
  for (unsigned kind = GST_GPU_KIND_DC4x4; kind <= GST_GPU_N_H264_KINDS; kind++)
    self->head.first[kind] = self->head.n_segments;
  complete (self);
}

/* ---- captures ---- */

/* Sizes that a picture may have, and offsets within them */
static int
head_is_valid (const CaptureHeader *head)
{
  size_t n_mbs = (size_t) head->width_in_mbs * head->height_in_mbs;

  if (memcmp (head->magic, CAPTURE_MAGIC, 8) != 0 || head->width_in_mbs == 0 || head->width_in_mbs > 1024 || head->height_in_mbs == 0
      || head->height_in_mbs > 1024 || head->chroma_array_type != 1 || head->bit_depth_luma != 8 || head->bit_depth_chroma != 8)
    return 0;
  for (unsigned kind = 0; kind < GST_GPU_N_H264_KINDS; kind++)
    if (head->first[kind] > head->first[kind + 1])
      return 0;
  return head->header_size < 1u << 30 && head->coeffs_size < 1u << 30 && head->first[GST_GPU_N_H264_KINDS] <= head->n_segments
      && head->mbs_offset + n_mbs * sizeof (GstGpuMb) <= head->header_size
      && (size_t) head->slices_offset + sizeof (GstGpuSlice) <= head->header_size
      && head->segments_offset + (size_t) head->n_segments * sizeof (GstGpuSegment) <= head->header_size;
}

/* Every block lies in the arena and belongs to a macroblock; 16-bit levels only. */
static int
segments_are_valid (const BlockPicture *self)
{
  static const uint8_t n_levels[GST_GPU_N_H264_KINDS] = { 16, 64, 16, 4, 8, 16, 64, 0 };
  const GstGpuSegment *segments = block_picture_segments (self);
  const GstGpuMb *mbs = block_picture_mbs (self);

  for (unsigned n = 0; n < self->n_mbs; n++)
    if (self->head.slices_offset + ((size_t) mbs[n].slice + 1) * sizeof (GstGpuSlice) > self->head.header_size)
      return 0;
  for (unsigned s = 0; s < self->head.n_segments; s++) {
    size_t end = (size_t) segments[s].coeffs * SLOT_SIZE, list = (size_t) segments[s].positions * 4;

    if (segments[s].kind >= GST_GPU_N_H264_KINDS || segments[s].wide || segments[s].colour_plane
        || end + (size_t) segments[s].count * n_levels[segments[s].kind] * 2 > self->head.coeffs_size
        || list + (size_t) segments[s].count * 4 > self->head.coeffs_size)
      return 0;
    for (unsigned i = 0; i < segments[s].count; i++) {
      gst_gpu_u32 position = ((const gst_gpu_u32 *) self->coeffs)[segments[s].positions + i];

      if (GST_GPU_POSITION_MB (position) >= self->n_mbs || GST_GPU_POSITION_PLANE (position) > 2)
        return 0;
    }
  }
  return 1;
}

int
block_picture_read (BlockPicture *self, FILE *file)
{
  memset (self, 0, sizeof (*self));
  if (fread (&self->head, sizeof (self->head), 1, file) != 1 || !head_is_valid (&self->head))
    return 0;
  self->n_mbs = self->head.width_in_mbs * self->head.height_in_mbs;
  self->header = papers_alloc (self->head.header_size);
  self->coeffs = papers_alloc (self->head.coeffs_size);
  self->dc = papers_alloc ((size_t) self->n_mbs * 48 * 4);
  if (fread (self->header, 1, self->head.header_size, file) == self->head.header_size
      && fread (self->coeffs, 1, self->head.coeffs_size, file) == self->head.coeffs_size && segments_are_valid (self)) {
    complete (self);
    return 1;
  }
  block_picture_clear (self);
  return 0;
}

void
block_picture_clear (BlockPicture *self)
{
  free (self->header);
  free (self->coeffs);
  free (self->dc);
  free (self->expected);
  for (unsigned i = 0; i < 2; i++) {
    free (self->transposed[i]);
    free (self->scaled[i]);
    free (self->residual[i]);
  }
  free (self->frame);
  free (self->frame_residual);
  free (self->kinds);
  memset (self, 0, sizeof (*self));
}
