/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <stdio.h>

#include "edges.h"
#include "paperdintrapicture.h"

static const uint8_t raster_of_block[16] = { 0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15 };

/* Record and residual of a macroblock; all blocks with a residual stand in the arena */
static void
fill_macroblock (const PaperDIntraPicture *intra, unsigned mb_x, unsigned mb_y, GstGpuMb *mb, int16_t *arena, gst_gpu_u32 *next)
{
  mb->available = (mb_x ? GST_GPU_AVAILABLE_A | GST_GPU_AVAILABLE_A_LOWER : 0) | (mb_y ? GST_GPU_AVAILABLE_B : 0)
      | (mb_x && mb_y ? GST_GPU_AVAILABLE_D : 0) | (mb_y && mb_x + 1 < intra->width / 16 ? GST_GPU_AVAILABLE_C : 0);
  mb->first_4x4 = *next;
  for (unsigned blk = 0; blk < 16; blk++) {
    unsigned x = mb_x * 4 + raster_of_block[blk] % 4, y = mb_y * 4 + raster_of_block[blk] / 4;
    int16_t *block = arena + (size_t) *next * 16, any = 0;

    mb->intra_modes[blk / 2] |= (gst_gpu_u8) (intra->modes[y * (intra->width / 4) + x] << blk % 2 * 4);
    for (unsigned i = 0; i < 16; i++)
      any |= block[i] = intra->residual[(size_t) (y * 4 + i / 4) * intra->width + x * 4 + i % 4];
    if (!any)
      continue;
    mb->coded[0] |= (gst_gpu_u16) (1 << blk);
    *next += 1;
  }
}

static void
make_records (Papers *papers, PaperDIntraPicture *intra)
{
  unsigned across = intra->width / 16, down = intra->height / 16;
  size_t n = (size_t) across * down;
  GstGpuMb *mbs = papers_alloc (n * sizeof (*mbs));
  int16_t *arena = papers_alloc ((n * 16 + 1) * 32);
  gst_gpu_u32 next = 0;

  for (size_t i = 0; i < n; i++)
    fill_macroblock (intra, (unsigned) (i % across), (unsigned) (i / across), &mbs[i], arena, &next);
  memset (&intra->records, 0, sizeof (intra->records));
  intra->records.params = (GstGpuPicture){ .width_in_mbs = across,
    .height_in_mbs = down,
    .bit_depth_luma = 8,
    .bit_depth_chroma = 8,
    .n_slices = 1,
    .slices_contiguous = 1,
    .plane_stride = { intra->width } };
  intra->records.header = kernel_test_buffer (&papers->test, mbs, n * sizeof (*mbs));
  intra->records.coeffs = kernel_test_buffer (&papers->test, arena, (n * 16 + 1) * 32);
  intra->records.dc = kernel_test_buffer (&papers->test, NULL, n * 48 * 4);
  intra->records.surface = intra->picture_buffer;
  free (mbs);
  free (arena);
}

static void
free_records (PaperDIntraPicture *intra)
{
  clReleaseMemObject (intra->records.header);
  clReleaseMemObject (intra->records.coeffs);
  clReleaseMemObject (intra->records.dc);
}

static void
make_memory (PaperDIntraPicture *intra, EdgePictureKind kind, unsigned width, unsigned height)
{
  size_t n = (size_t) width * height;

  intra->width = width;
  intra->height = height;
  intra->kind = kind;
  intra->plane_size = (size_t) (width + 1) * (height + 1) * sizeof (float);
  intra->modes = papers_alloc (n / 16);
  intra->conformant = papers_alloc (n);
  intra->actual = papers_alloc (n);
  intra->residual = papers_alloc (n * 2);
  intra->unclipped = papers_alloc (n * sizeof (*intra->unclipped));
  intra->plane = papers_alloc (intra->plane_size);
}

/* What has to come out of modes and residual, and both on the device */
static void
complete (Papers *papers, PaperDIntraPicture *intra)
{
  size_t n = (size_t) intra->width * intra->height;

  gpu_reference_edges_unclipped (intra->modes, intra->residual, intra->width, intra->height, intra->unclipped);
  gpu_reference_edges (intra->modes, intra->residual, intra->width, intra->height, intra->conformant);
  intra->modes_buffer = kernel_test_buffer (&papers->test, intra->modes, n / 16);
  intra->residual_buffer = kernel_test_buffer (&papers->test, intra->residual, n * 2);
  intra->picture_buffer = kernel_test_buffer (&papers->test, NULL, n);
  intra->plane_buffer = kernel_test_buffer (&papers->test, intra->plane, intra->plane_size);
  make_records (papers, intra);
}

void
paper_d_intra_picture_make (Papers *papers, PaperDIntraPicture *intra, EdgePictureKind kind, const PaperDSize *size)
{
  make_memory (intra, kind, size->width, size->height);
  edge_picture_make (&papers->test, kind, size->width, size->height, 4, intra->modes, intra->residual);
  complete (papers, intra);
}

void
paper_d_intra_picture_take (Papers *papers, PaperDIntraPicture *intra, const LumaCapture *luma)
{
  size_t n = (size_t) luma->width * luma->height;

  make_memory (intra, luma->restricted ? EDGE_PICTURE_RESTRICTED : EDGE_PICTURE_TYPICAL, luma->width, luma->height);
  memcpy (intra->modes, luma->modes, n / 16);
  memcpy (intra->residual, luma->residual, n * 2);
  complete (papers, intra);
}

void
paper_d_intra_picture_clear (PaperDIntraPicture *intra)
{
  free (intra->modes);
  free (intra->conformant);
  free (intra->actual);
  free (intra->residual);
  free (intra->unclipped);
  free (intra->plane);
  clReleaseMemObject (intra->modes_buffer);
  clReleaseMemObject (intra->residual_buffer);
  clReleaseMemObject (intra->picture_buffer);
  clReleaseMemObject (intra->plane_buffer);
  free_records (intra);
}

void
paper_d_intra_picture_verify (Papers *papers, PaperDIntraPicture *intra, const char *what)
{
  size_t size = (size_t) intra->width * intra->height;

  kernel_test_read (&papers->test, intra->picture_buffer, intra->actual, size);
  papers_verify (papers, what, intra->conformant, intra->actual, size, 1);
}

double
paper_d_intra_picture_verify_scan (Papers *papers, PaperDIntraPicture *intra, const char *what, unsigned n_levels)
{
  size_t n = (size_t) intra->width * intra->height;
  int restricted = intra->kind == EDGE_PICTURE_RESTRICTED;
  double largest = 0, worst = 0, bound;

  kernel_test_read (&papers->test, intra->plane_buffer, intra->plane, intra->plane_size);
  for (size_t i = 0; i < n; i++) {
    size_t at = (i / intra->width + 1) * (intra->width + 1) + i % intra->width + 1;
    double value = restricted ? ((int32_t *) intra->plane)[at] : intra->plane[at];

    largest = fmax (largest, fabs (intra->unclipped[i]));
    worst = fmax (worst, fabs (value - intra->unclipped[i]));
  }
  bound = restricted ? 0 : fmin (1.0 / 32, edge_picture_bound (intra->width, intra->height, n_levels, largest));
  if (worst > bound) {
    fprintf (stderr, "%s, %s: error %g, more than %g; nothing is measured\n", what, edge_picture_kinds[intra->kind], worst, bound);
    exit (1);
  }
  return worst;
}
