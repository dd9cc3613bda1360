/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Intra prediction (ITU-T H.264, 8.3) and picture construction (8.5.14) in plain C.
 */
#include "area.h"

#include <string.h>

/* The neighbouring samples of a block of n columns: p[x, -1] = above[x], p[-1, y] = left[y], p[-1, -1] = corner. */
typedef struct
{
  unsigned n;
  unsigned available; /* GST_GPU_AVAILABLE_A, B, C, D, A_LOWER */
  int grey;           /* 1 << (bit_depth - 1): DC without neighbours, and what samples that are not available read as */
  int above[16];
  int left[16];
  int corner;
} Edge;

/* Where those above right are not available, the last one above stands in for them (8.3.1.2, 8.3.2.2). */
static void
read_above (Edge *edge, const GpuArea *area, int x0, int y0, unsigned n_above)
{
  const int has_above = edge->available & GST_GPU_AVAILABLE_B;
  const unsigned n_there = !has_above ? 0 : edge->available & GST_GPU_AVAILABLE_C ? n_above : edge->n;

  gpu_area_get_row (area, x0, y0 - 1, n_there, edge->above);
  for (unsigned x = n_there; x < n_above; x++)
    edge->above[x] = has_above ? edge->above[edge->n - 1] : edge->grey;
}

/* The upper and the lower half of the macroblock have a neighbour each in MBAFF frames. */
static void
read_left (Edge *edge, const GpuArea *area, int x0, int y0, unsigned n_left)
{
  const unsigned n = n_left / 2;

  for (unsigned y = 0; y < n_left; y += n) {
    unsigned half = (y0 + y) * 2 < area->height ? GST_GPU_AVAILABLE_A : GST_GPU_AVAILABLE_A_LOWER;

    if (edge->available & half)
      gpu_area_get_column (area, x0 - 1, y0 + (int) y, n, &edge->left[y]);
    else
      for (unsigned i = 0; i < n; i++)
        edge->left[y + i] = edge->grey;
  }
}

/* Neighbouring samples of the block at (x0, y0) of n columns and n_left rows; @n_above samples above are wanted (2n with those above
 * right). */
static void
edge_init (Edge *edge, const GpuArea *area, unsigned available, int x0, int y0, unsigned n, unsigned n_above, unsigned n_left)
{
  edge->n = n;
  edge->available = available;
  edge->grey = 1 << (area->bit_depth - 1);
  read_above (edge, area, x0, y0, n_above);
  read_left (edge, area, x0, y0, n_left);
  edge->corner = available & GST_GPU_AVAILABLE_D ? gpu_area_get (area, x0 - 1, y0 - 1) : edge->grey;
}

/* Availability of the neighbours of a block of Intra_NxN within and around its macroblock (6.4.11.2, 6.4.11.4, 8.3.1.2): blkIdx at
 * column bx and row by, counted in blocks, of which n_blocks (4 or 2) make a row.  A means the block's whole left side. */
static unsigned
block_available (const GstGpuMb *mb, unsigned bx, unsigned by, unsigned n_blocks)
{
  unsigned half = by * 2 < n_blocks ? GST_GPU_AVAILABLE_A : GST_GPU_AVAILABLE_A_LOWER;
  unsigned half_above = by * 2 <= n_blocks ? GST_GPU_AVAILABLE_A : GST_GPU_AVAILABLE_A_LOWER;
  unsigned result = 0;
  /* the block above right comes later in decoding order (4x4: blkIdx 3, 7, 11, 13, 15; 8x8: 3) */
  int later = bx == n_blocks - 1 || (bx & by & 1);

  if (bx || (mb->available & half))
    result |= GST_GPU_AVAILABLE_A | GST_GPU_AVAILABLE_A_LOWER;
  if (by || (mb->available & GST_GPU_AVAILABLE_B))
    result |= GST_GPU_AVAILABLE_B;
  if (bx && by)
    result |= GST_GPU_AVAILABLE_D;
  else if (bx)
    result |= mb->available & GST_GPU_AVAILABLE_B ? GST_GPU_AVAILABLE_D : 0;
  else if (by)
    result |= mb->available & (half_above | (n_blocks == 2 ? GST_GPU_AVAILABLE_ROW_7 : 0)) ? GST_GPU_AVAILABLE_D : 0;
  else
    result |= mb->available & GST_GPU_AVAILABLE_D;
  if (by)
    result |= later ? 0 : GST_GPU_AVAILABLE_C;
  else
    result |= mb->available & (bx == n_blocks - 1 ? GST_GPU_AVAILABLE_C : GST_GPU_AVAILABLE_B) ? GST_GPU_AVAILABLE_C : 0;
  return result;
}

static int
filter_2 (int a, int b)
{
  return (a + b + 1) >> 1;
}

static int
filter_3 (int a, int b, int c)
{
  return (a + 2 * b + c + 2) >> 2;
}

/* Reference sample filtering of Intra_8x8 (8.3.2.2.1) */
static void
filter_edge (Edge *edge)
{
  const Edge p = *edge;
  int has_corner = p.available & GST_GPU_AVAILABLE_D, has_above = p.available & GST_GPU_AVAILABLE_B,
      has_left = p.available & GST_GPU_AVAILABLE_A;

  edge->above[0] = filter_3 (has_corner ? p.corner : p.above[0], p.above[0], p.above[1]);
  for (unsigned i = 1; i < 15; i++)
    edge->above[i] = filter_3 (p.above[i - 1], p.above[i], p.above[i + 1]);
  edge->above[15] = filter_3 (p.above[14], p.above[15], p.above[15]);
  edge->corner = filter_3 (has_above ? p.above[0] : p.corner, p.corner, has_left ? p.left[0] : p.corner);
  edge->left[0] = filter_3 (has_corner ? p.corner : p.left[0], p.left[0], p.left[1]);
  for (unsigned i = 1; i < 7; i++)
    edge->left[i] = filter_3 (p.left[i - 1], p.left[i], p.left[i + 1]);
  edge->left[7] = filter_3 (p.left[6], p.left[7], p.left[7]);
}

/* The mean of those sides that are wanted and there; n a power of two */
static int
dc_value (const Edge *edge, unsigned n, int use_above, int use_left, unsigned x0, unsigned y0)
{
  unsigned i, count = (use_above ? n : 0) + (use_left ? n : 0);
  int sum = (int) count / 2;

  if (count == 0)
    return edge->grey;
  for (i = 0; use_above && i < n; i++)
    sum += edge->above[x0 + i];
  for (i = 0; use_left && i < n; i++)
    sum += edge->left[y0 + i];
  return sum >> __builtin_ctz (count);
}

/* p[-1, y] for y >= 0, p[-1, -1] for y = -1, then p[x, -1] with x = -2 - y: one line around the corner, as the diagonal modes see it */
static int
around (const Edge *edge, int y)
{
  return y >= 0 ? edge->left[y] : y == -1 ? edge->corner : edge->above[-2 - y];
}

static int
diagonal_3 (const Edge *edge, int y)
{
  return filter_3 (around (edge, y - 1), around (edge, y), around (edge, y + 1));
}

/* Intra_NxN_Diagonal_Down_Left, Vertical_Left and Horizontal_Up (8.3.1.2.4, .8, .9; 8.3.2.2.5, .9, .10) */
static int
predict_from_one_side (const Edge *edge, unsigned mode, int x, int y)
{
  const int *p = edge->above;
  int n = (int) edge->n, i;

  if (mode == 3)
    return x == n - 1 && y == n - 1 ? filter_3 (p[2 * n - 2], p[2 * n - 1], p[2 * n - 1]) : filter_3 (p[x + y], p[x + y + 1], p[x + y + 2]);
  if (mode == 7) {
    i = x + (y >> 1);
    return y & 1 ? filter_3 (p[i], p[i + 1], p[i + 2]) : filter_2 (p[i], p[i + 1]);
  }
  p = edge->left;
  i = y + (x >> 1);
  if (x + 2 * y > 2 * n - 3)
    return p[n - 1];
  if (x + 2 * y == 2 * n - 3)
    return filter_3 (p[n - 2], p[n - 1], p[n - 1]);
  return x & 1 ? filter_3 (p[i], p[i + 1], p[i + 2]) : filter_2 (p[i], p[i + 1]);
}

/* Intra_NxN_Diagonal_Down_Right, Vertical_Right and Horizontal_Down (8.3.1.2.5 to .7; 8.3.2.2.6 to .8) */
static int
predict_around_corner (const Edge *edge, unsigned mode, int x, int y)
{
  int z;

  if (mode == 4)
    return diagonal_3 (edge, y - x - 1);
  if (mode == 5) {
    z = 2 * x - y;
    if (z < 0)
      return diagonal_3 (edge, -z - 2);
    return z & 1 ? diagonal_3 (edge, -1 - (x - (y >> 1)))
                 : filter_2 (around (edge, -1 - (x - (y >> 1))), around (edge, -2 - (x - (y >> 1))));
  }
  z = 2 * y - x;
  if (z < 0)
    return diagonal_3 (edge, z);
  return z & 1 ? diagonal_3 (edge, y - (x >> 1) - 1) : filter_2 (around (edge, y - (x >> 1) - 1), around (edge, y - (x >> 1)));
}

/* Intra4x4PredMode and Intra8x8PredMode (Tables 8-2, 8-3).  Values that the tables do not have count as DC. */
static void
predict_nxn (const Edge *edge, unsigned mode, int *pred)
{
  int n = (int) edge->n, x, y;
  int dc = dc_value (edge, edge->n, edge->available & GST_GPU_AVAILABLE_B, edge->available & GST_GPU_AVAILABLE_A, 0, 0);

  for (y = 0; y < n; y++)
    for (x = 0; x < n; x++) {
      int *sample = &pred[y * n + x];

      if (mode == 0)
        *sample = edge->above[x];
      else if (mode == 1)
        *sample = edge->left[y];
      else if (mode == 3 || mode == 7 || mode == 8)
        *sample = predict_from_one_side (edge, mode, x, y);
      else if (mode >= 4 && mode <= 6)
        *sample = predict_around_corner (edge, mode, x, y);
      else
        *sample = dc;
    }
}

/* Plane prediction of luma (8.3.3.4) and chroma (8.3.4.4): 34 and 3 (xCF 0) for a side of 8 samples, 5 and 7 for 16 */
static void
predict_plane (const GpuArea *area, const Edge *edge, int *pred)
{
  int half_w = (int) area->width / 2, half_h = (int) area->height / 2, h = 0, v = 0, a, b, c, i, x, y;

  for (i = 0; i < half_w; i++)
    h += (i + 1) * (edge->above[half_w + i] - (i == half_w - 1 ? edge->corner : edge->above[half_w - 2 - i]));
  for (i = 0; i < half_h; i++)
    v += (i + 1) * (edge->left[half_h + i] - (i == half_h - 1 ? edge->corner : edge->left[half_h - 2 - i]));
  a = 16 * (edge->left[area->height - 1] + edge->above[area->width - 1]);
  b = ((area->width == 8 ? 34 : 5) * h + 32) >> 6;
  c = ((area->height == 8 ? 34 : 5) * v + 32) >> 6;
  for (y = 0; y < 2 * half_h; y++)
    for (x = 0; x < 2 * half_w; x++)
      pred[y * 2 * half_w + x] = gpu_area_clip1 (area, (a + b * (x - half_w + 1) + c * (y - half_h + 1) + 16) >> 5);
}

/* DC prediction of a chroma block (8.3.4.1 to 8.3.4.3): the sides it prefers depend on where it lies */
static int
chroma_dc_value (const GpuArea *area, const Edge *edge, unsigned x0, unsigned y0)
{
  int above = edge->available & GST_GPU_AVAILABLE_B;
  int left = edge->available & (y0 * 2 < area->height ? GST_GPU_AVAILABLE_A : GST_GPU_AVAILABLE_A_LOWER);

  if (x0 > 0 && y0 == 0 && above)
    left = 0;
  if (x0 == 0 && y0 > 0 && left)
    above = 0;
  return dc_value (edge, 4, above, left, x0, y0);
}

static void
predict_chroma_dc (const GpuArea *area, const Edge *edge, int *pred)
{
  for (unsigned y0 = 0; y0 < area->height; y0 += 4)
    for (unsigned x0 = 0; x0 < area->width; x0 += 4) {
      const int dc = chroma_dc_value (area, edge, x0, y0);

      for (unsigned i = 0; i < 16; i++)
        pred[(y0 + i / 4) * area->width + x0 + i % 4] = dc;
    }
}

/* DC prediction of luma (8.3.3.3) */
static int
luma_dc_value (const Edge *edge)
{
  const unsigned left = GST_GPU_AVAILABLE_A | GST_GPU_AVAILABLE_A_LOWER;

  return dc_value (edge, 16, edge->available & GST_GPU_AVAILABLE_B, (edge->available & left) == left, 0, 0);
}

/* A macroblock of DC prediction without residual, which lost ones become: blocks whose samples are all alike, straight into the picture */
static void
put_dc (const GpuArea *area, const Edge *edge, int is_chroma)
{
  if (!is_chroma) {
    gpu_area_fill (area, 0, 0, 16, luma_dc_value (edge));
    return;
  }
  for (unsigned y0 = 0; y0 < area->height; y0 += 4)
    for (unsigned x0 = 0; x0 < area->width; x0 += 4)
      gpu_area_fill (area, x0, y0, 4, chroma_dc_value (area, edge, x0, y0));
}

/* Intra residual transform-bypass decoding (8.5.15) */
static void
accumulate_residual (int *residual, unsigned width, unsigned height, int horizontal)
{
  for (unsigned y = 0; y < height; y++)
    for (unsigned x = 0; x < width; x++)
      if (horizontal ? x > 0 : y > 0)
        residual[y * width + x] += residual[y * width + x - (horizontal ? 1 : width)];
}

/* Intra_4x4 (8.3.1) and Intra_8x8 (8.3.2) */
static void
rebuild_nxn (const GpuArea *area, unsigned n)
{
  unsigned n_blocks = 16 / n, i;
  int pred[64], residual[64];

  for (i = 0; i < n_blocks * n_blocks; i++) {
    /* 6.4.3 and 6.4.5 */
    unsigned bx = n == 4 ? (i & 1) | (i >> 1 & 2) : i & 1, by = n == 4 ? (i >> 1 & 1) | (i >> 2 & 2) : i >> 1;
    unsigned mode = area->mb->intra_modes[i / 2] >> (i & 1) * 4 & 15;
    Edge edge;

    edge_init (&edge, area, block_available (area->mb, bx, by, n_blocks), (int) (bx * n), (int) (by * n), n, 2 * n, n);
    if (n == 8)
      filter_edge (&edge);
    predict_nxn (&edge, mode, pred);
    gpu_area_read_residual (area, n == 4 ? i : 4 * i, n, residual, n);
    if ((area->mb->flags & GST_GPU_MB_BYPASS) && mode <= 1)
      accumulate_residual (residual, n, n, mode == 1);
    gpu_area_put_block (area, bx * n, by * n, n, n, pred, residual);
  }
}

#define WHOLE_VERTICAL 0
#define WHOLE_HORIZONTAL 1
#define WHOLE_DC 2
#define WHOLE_PLANE 3

/* 8.3.3.1, 8.3.3.2, 8.3.3.3: rows alike, or samples of a row alike */
static void
predict_rows (const GpuArea *area, const Edge *edge, unsigned mode, int dc, int *pred)
{
  for (unsigned y = 0; y < area->height; y++) {
    int *row = pred + y * area->width;
    const int value = mode == WHOLE_DC ? dc : edge->left[y];

    if (mode == WHOLE_VERTICAL)
      memcpy (row, edge->above, area->width * sizeof (*row));
    else
      for (unsigned x = 0; x < area->width; x++)
        row[x] = value;
  }
}

/* Intra_16x16 (8.3.3) and chroma (8.3.4): one mode, numbered like Intra16x16PredMode (Table 8-4), for the whole area */
static void
rebuild_whole (const GpuArea *area, unsigned mode, int is_chroma)
{
  int pred[256], residual[256];
  Edge edge;

  edge_init (&edge, area, area->mb->available, 0, 0, area->width, area->width, area->height);
  if (mode == WHOLE_DC && !gpu_area_has_residual (area)) {
    put_dc (area, &edge, is_chroma);
    return;
  }
  if (mode == WHOLE_PLANE)
    predict_plane (area, &edge, pred);
  else if (mode == WHOLE_DC && is_chroma)
    predict_chroma_dc (area, &edge, pred);
  else
    predict_rows (area, &edge, mode, mode == WHOLE_DC ? luma_dc_value (&edge) : 0, pred);
  if (!gpu_area_has_residual (area)) {
    gpu_area_put_block (area, 0, 0, area->width, area->height, pred, NULL);
    return;
  }
  gpu_area_read_all_residual (area, residual);
  if ((area->mb->flags & GST_GPU_MB_BYPASS) && mode <= WHOLE_HORIZONTAL)
    accumulate_residual (residual, area->width, area->height, mode == WHOLE_HORIZONTAL);
  gpu_area_put_block (area, 0, 0, area->width, area->height, pred, residual);
}

/* I_PCM (8.3.5) */
static void
rebuild_pcm (const GpuArea *area)
{
  const GstGpuPicture *params = area->picture->params;
  const uint8_t *samples = (const uint8_t *) area->picture->coeffs + (size_t) area->mb->first_4x4 * 32;
  size_t first = area->plane == 0 ? 0 : 256 + (area->plane - 1) * area->width * area->height;

  for (unsigned y = 0; y < area->height; y++)
    for (unsigned x = 0; x < area->width; x++) {
      size_t i = first + y * area->width + x;

      if (params->bit_depth_luma == 8 && params->bit_depth_chroma == 8)
        gpu_area_put (area, x, y, samples[i]);
      else
        gpu_area_put (area, x, y, ((const uint16_t *) samples)[i]);
    }
}

static void
rebuild_area (const GpuArea *area)
{
  /* Table 7-16 against Table 8-4 */
  static const unsigned whole_modes[4] = { WHOLE_DC, WHOLE_HORIZONTAL, WHOLE_VERTICAL, WHOLE_PLANE };
  const GstGpuMb *mb = area->mb;

  if (mb->mb_class == GST_GPU_MB_IPCM)
    rebuild_pcm (area);
  else if (area->plane > 0 && area->picture->params->chroma_array_type != 3)
    rebuild_whole (area, whole_modes[mb->intra_chroma_pred_mode & 3], 1);
  else if (mb->mb_class == GST_GPU_MB_I16x16)
    rebuild_whole (area, mb->intra_modes[0] & 3, 0);
  else
    rebuild_nxn (area, mb->mb_class == GST_GPU_MB_I8x8 ? 8 : 4);
}

void
gpu_reference_intrapred (const GpuReferencePicture *picture)
{
  const GstGpuPicture *params = picture->params;
  size_t mb_addr, n_mbs = (size_t) params->width_in_mbs * params->height_in_mbs;
  unsigned plane, n_planes = params->chroma_array_type ? 3 : 1;

  /* Neighbours that are available have lower addresses, whatever the order of slices was (6.4.9). */
  for (mb_addr = 0; mb_addr < n_mbs; mb_addr++)
    for (plane = 0; plane < n_planes; plane++)
      if (gpu_reference_mbs (picture)[mb_addr].mb_class < GST_GPU_MB_INTER) {
        GpuArea area;

        gpu_area_init (&area, picture, mb_addr, plane);
        rebuild_area (&area);
      }
}
