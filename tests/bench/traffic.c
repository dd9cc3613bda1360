/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "traffic.h"

#include <string.h>

/* Samples of a macroblock of colour plane @plane's picture, all planes together */
static guint
count_mb_samples (const GstGpuPicture *params)
{
  static const guint chroma[4] = { 0, 128, 256, 512 };

  return 256 + chroma[params->chroma_array_type & 3];
}

static guint
get_sample_size (const GstGpuPicture *params)
{
  return params->bit_depth_luma > 8 || params->bit_depth_chroma > 8 ? 2 : 1;
}

/* Samples that list X of a partition reads (8.4.2.2): the block, with 5 more rows or columns of luma where the vector has a fraction, and
 * one of chroma */
static guint64
count_reference_samples (const GstGpuPartition *partition, const gint16 mv[2], guint chroma_array_type)
{
  const guint width = 4 * GST_GPU_PARTITION_WIDTH (partition->where), height = 4 * GST_GPU_PARTITION_HEIGHT (partition->where);
  const guint width_shift = chroma_array_type == 1 || chroma_array_type == 2, height_shift = chroma_array_type == 1;
  const guint64 luma = (guint64) (width + (mv[0] & 3 ? 5 : 0)) * (height + (mv[1] & 3 ? 5 : 0));
  const guint x_fraction = mv[0] & (width_shift ? 7 : 3), y_fraction = mv[1] & (height_shift ? 7 : 3);

  if (chroma_array_type == 0)
    return luma;
  if (chroma_array_type == 3)
    return 3 * luma;
  return luma + 2 * (guint64) ((width >> width_shift) + (x_fraction ? 1 : 0)) * ((height >> height_shift) + (y_fraction ? 1 : 0));
}

static void
add_partitions (Traffic *traffic, const RecordView *view, guint plane)
{
  const GstGpuPartition *partitions = record_view_get_partitions (view, plane);
  const GstGpuPicture *params = &view->picture->params[plane];
  const guint32 n_partitions = partitions ? view->picture->layout[plane].n_partitions : 0;

  traffic->records += n_partitions * sizeof (GstGpuPartition);
  for (guint32 i = 0; i < n_partitions; i++)
    for (guint list = 0; list < 2; list++)
      if (partitions[i].ref_idx[list] >= 0)
        traffic->samples +=
            count_reference_samples (&partitions[i], partitions[i].mv[list], params->chroma_array_type) * get_sample_size (params);
}

/* Bytes of the blocks of a macroblock once they are residuals, 16 bits each, or of its I_PCM samples */
static guint64
count_residual_bytes (const GstGpuMb *mb, const GstGpuPicture *params)
{
  guint64 bytes = 0;

  if (mb->mb_class == GST_GPU_MB_IPCM)
    return (guint64) count_mb_samples (params) * get_sample_size (params);
  for (guint plane = 0; plane < 3; plane++) {
    const gboolean is_8x8 = mb->flags & GST_GPU_MB_TRANSFORM_8x8 && (plane == 0 || params->chroma_array_type == 3);

    bytes += (guint64) __builtin_popcount (mb->coded[plane]) * (is_8x8 ? 128 : 32);
  }
  return bytes;
}

/* Prediction: each macroblock's record is read, its residual added, its samples written, by one of the two elements. */
static void
add_macroblocks (Traffic elements[TRAFFIC_N_ELEMENTS], const RecordView *view, guint plane)
{
  const GstGpuPicture *params = &view->picture->params[plane];
  const GstGpuMb *mbs = record_view_get_mbs (view, plane);
  const guint n_mbs = record_view_count_mbs (view, plane);
  const guint64 mb_bytes = (guint64) count_mb_samples (params) * get_sample_size (params);
  guint64 n_inter = 0;

  for (guint i = 0; i < n_mbs; i++) {
    const gboolean is_inter = mbs[i].mb_class == GST_GPU_MB_INTER;
    Traffic *traffic = &elements[is_inter ? TRAFFIC_INTERPRED : TRAFFIC_INTRAPRED];

    n_inter += is_inter;
    traffic->coeffs += count_residual_bytes (&mbs[i], params);
    traffic->samples += mb_bytes;
    if (mbs[i].filter)
      elements[TRAFFIC_DEBLOCK].samples += 2 * mb_bytes;
  }
  elements[TRAFFIC_INTERPRED].records += n_inter * sizeof (GstGpuMb);
  elements[TRAFFIC_INTRAPRED].records += n_mbs > n_inter ? n_mbs * sizeof (GstGpuMb) : 0;
  elements[TRAFFIC_DEBLOCK].records += n_mbs * sizeof (GstGpuMb);
  if (view->picture->has_inter) /* to derive boundary strengths, which are written and read there */
    elements[TRAFFIC_DEBLOCK].records +=
        n_mbs * (sizeof (GstGpuMb) + 2 * sizeof (GstGpuBoundary)) + view->picture->layout[plane].n_partitions * sizeof (GstGpuPartition);
  elements[TRAFFIC_ENTROPY].records += n_mbs * sizeof (GstGpuMb);
  elements[TRAFFIC_OUTPUT].samples += 2 * n_mbs * mb_bytes;
}

/* Levels are written once, then read and written in place by the transform, with a position and a macroblock's record for each block. */
static void
add_blocks (Traffic elements[TRAFFIC_N_ELEMENTS], const GstCoeffMeta *blocks)
{
  const guint64 positions = blocks->n_blocks * sizeof (guint32);

  elements[TRAFFIC_ENTROPY].coeffs += blocks->coded_bytes;
  elements[TRAFFIC_ENTROPY].records += positions;
  elements[TRAFFIC_IDCT].coeffs += 2 * blocks->coded_bytes;
  elements[TRAFFIC_IDCT].records += positions + blocks->n_blocks * sizeof (GstGpuMb);
}

void
traffic_add (Traffic elements[TRAFFIC_N_ELEMENTS], const RecordView *view)
{
  add_blocks (elements, view->blocks);
  for (guint plane = 0; plane < view->picture->n_colour_planes; plane++) {
    add_macroblocks (elements, view, plane);
    add_partitions (&elements[TRAFFIC_INTERPRED], view, plane);
    if (view->picture->has_inter)
      elements[TRAFFIC_ENTROPY].records += view->picture->layout[plane].n_partitions * sizeof (GstGpuPartition);
  }
}

const gchar *
traffic_get_name (TrafficElement element)
{
  static const gchar *names[TRAFFIC_N_ELEMENTS] = { "h264entropy", "gpuidct", "gpuinterpred", "gpuintrapred", "gpudeblock", "output" };

  return names[element];
}

gdouble
traffic_measure_copy (void)
{
  const gsize size = (gsize) 256 << 20;
  guint8 *from = g_malloc (size), *to = g_malloc (size);
  gint64 least = G_MAXINT64;

  memset (from, 1, size);
  memset (to, 2, size);
  for (guint i = 0; i < 5; i++) {
    const gint64 start = g_get_monotonic_time ();

    memcpy (to, from, size);
    least = MIN (least, MAX (g_get_monotonic_time () - start, 1));
    from[to[size - 1]] = (guint8) i;
  }
  g_free (from);
  g_free (to);
  return 2.0 * (gdouble) size / ((gdouble) least / 1e6);
}
