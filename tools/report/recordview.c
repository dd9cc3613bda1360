/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "recordview.h"

#define SLOT_SIZE 32

static gboolean
fits (const GstMapInfo *arena, guint64 offset, guint64 n, guint64 size)
{
  return offset <= arena->size && n <= (arena->size - offset) / size;
}

static gboolean
has_records (const RecordView *self, guint plane)
{
  const GstCodedPicture *picture = self->picture;
  const GstGpuLayout *layout = &picture->layout[plane];

  return fits (&self->header, layout->mbs, record_view_count_mbs (self, plane), sizeof (GstGpuMb))
      && fits (&self->header, layout->slices, picture->n_slices, sizeof (GstGpuSlice))
      && fits (&self->header, layout->segments, self->blocks->n_segments, sizeof (GstGpuSegment))
      && (!picture->has_inter
          || (fits (&self->header, layout->partitions, layout->n_partitions, sizeof (GstGpuPartition))
              && fits (&self->header, layout->inter_slices, picture->n_slices, sizeof (GstGpuInterSlice))));
}

static gboolean
map_arenas (RecordView *self)
{
  GstMemory *header = gst_buffer_peek_memory (self->buffer, GST_CODED_MEMORY_HEADER);

  if (!gst_memory_map (header, &self->header, GST_MAP_READ))
    return FALSE;
  if (gst_memory_map (gst_buffer_peek_memory (self->buffer, GST_CODED_MEMORY_COEFFS), &self->coeffs, GST_MAP_READ))
    return TRUE;
  gst_memory_unmap (header, &self->header);
  return FALSE;
}

gboolean
record_view_init (RecordView *self, GstBuffer *buffer)
{
  *self = (RecordView){ .picture = gst_buffer_get_coded_picture (buffer), .blocks = gst_buffer_get_coeff_meta (buffer), .buffer = buffer };
  if (!self->picture || !self->blocks || gst_buffer_n_memory (buffer) <= GST_CODED_MEMORY_COEFFS || !map_arenas (self))
    return FALSE;
  for (guint plane = 0; plane < self->picture->n_colour_planes; plane++)
    if (!has_records (self, plane)) {
      record_view_clear (self);
      return FALSE;
    }
  return TRUE;
}

void
record_view_clear (RecordView *self)
{
  gst_memory_unmap (gst_buffer_peek_memory (self->buffer, GST_CODED_MEMORY_COEFFS), &self->coeffs);
  gst_memory_unmap (gst_buffer_peek_memory (self->buffer, GST_CODED_MEMORY_HEADER), &self->header);
}

guint
record_view_count_mbs (const RecordView *self, guint plane)
{
  return self->picture->params[plane].width_in_mbs * self->picture->params[plane].height_in_mbs;
}

const GstGpuMb *
record_view_get_mbs (const RecordView *self, guint plane)
{
  return (const GstGpuMb *) (self->header.data + self->picture->layout[plane].mbs);
}

const GstGpuSlice *
record_view_get_slices (const RecordView *self)
{
  return (const GstGpuSlice *) (self->header.data + self->picture->layout[0].slices);
}

const GstGpuInterSlice *
record_view_get_inter_slices (const RecordView *self)
{
  return self->picture->has_inter ? (const GstGpuInterSlice *) (self->header.data + self->picture->layout[0].inter_slices) : NULL;
}

const GstGpuPartition *
record_view_get_partitions (const RecordView *self, guint plane)
{
  return self->picture->has_inter ? (const GstGpuPartition *) (self->header.data + self->picture->layout[plane].partitions) : NULL;
}

/* Levels of a block; 0: it has none */
static guint
count_block_levels (guint kind)
{
  static const guint16 n_levels[GST_GPU_N_KINDS] = GST_GPU_KIND_LEVELS;

  return kind < GST_GPU_N_H264_KINDS ? n_levels[kind] : 0;
}

static guint
count_nonzero (const guint8 *block, guint n, gboolean wide)
{
  guint count = 0;

  if (wide)
    for (guint i = 0; i < n; i++)
      count += ((const gint32 *) block)[i] != 0;
  else
    for (guint i = 0; i < n; i++)
      count += ((const gint16 *) block)[i] != 0;
  return count;
}

static guint64
count_segment_levels (const RecordView *self, const GstGpuSegment *segment, guint32 *levels)
{
  const guint n = count_block_levels (segment->kind), size = n * (segment->wide ? 4 : 2), n_mbs = record_view_count_mbs (self, 0);
  const guint8 *block = self->coeffs.data + (gsize) segment->coeffs * SLOT_SIZE;
  const guint32 *positions = (const guint32 *) self->coeffs.data + segment->positions;
  guint64 sum = 0;

  if (n == 0 || !fits (&self->coeffs, (guint64) segment->coeffs * SLOT_SIZE, segment->count, size)
      || !fits (&self->coeffs, (guint64) segment->positions * 4, segment->count, 4))
    return 0;
  for (guint i = 0; i < segment->count; i++, block += size) {
    const guint count = count_nonzero (block, n, segment->wide), mb_addr = GST_GPU_POSITION_MB (positions[i]);

    sum += count;
    if (levels && mb_addr < n_mbs)
      levels[mb_addr] += count;
  }
  return sum;
}

guint64
record_view_count_levels (const RecordView *self, guint32 *levels[3])
{
  const GstGpuSegment *segments = (const GstGpuSegment *) (self->header.data + self->picture->layout[0].segments);
  guint64 sum = 0;

  for (guint i = 0; i < self->blocks->n_segments; i++)
    if (segments[i].colour_plane < 3)
      sum += count_segment_levels (self, &segments[i], levels ? levels[segments[i].colour_plane] : NULL);
  return sum;
}
