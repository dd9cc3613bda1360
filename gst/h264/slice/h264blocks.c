/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264blocks.h"
#include "h264memory.h"
#include <stdlib.h>
#include <string.h>

void
h264_coeff_arena_init (H264CoeffArena *arena)
{
  memset (arena, 0, sizeof (*arena));
  g_mutex_init (&arena->lock);
}

void
h264_coeff_arena_clear (H264CoeffArena *arena)
{
  g_mutex_clear (&arena->lock);
  g_clear_pointer (&arena->segments, g_free);
  arena->segments_room = 0;
}

gboolean
h264_coeff_arena_begin (H264CoeffArena *arena, guint8 *base, gsize size, gsize pcm_size)
{
  arena->base = base;
  arena->pcm_size = pcm_size;
  arena->n_chunks = (guint) MIN (size / H264_CHUNK_SIZE, G_MAXINT / 2);
  g_atomic_int_set (&arena->next_chunk, 0);
  arena->n_segments = 0;
  arena->coded_bytes = 0;
  arena->n_blocks = 0;
  return h264_try_reserve ((gpointer *) &arena->segments, &arena->segments_room, arena->n_chunks, sizeof (GstGpuSegment));
}

gsize
h264_block_size (const H264CoeffArena *arena, guint kind, gboolean wide)
{
  static const guint16 n_levels[GST_GPU_N_KINDS] = GST_GPU_KIND_LEVELS;

  if (kind == GST_GPU_KIND_PCM)
    return arena->pcm_size;
  return (gsize) n_levels[kind] * (wide ? 4 : 2);
}

void
h264_block_writer_init (H264BlockWriter *writer, H264CoeffArena *arena)
{
  memset (writer, 0, sizeof (*writer));
  writer->arena = arena;
}

void
h264_block_writer_clear (H264BlockWriter *writer)
{
  g_free (writer->waste);
  writer->waste = NULL;
}

static guint
chunk_capacity (const H264CoeffArena *arena, guint kind, gboolean wide)
{
  /* the blocks begin at the next multiple of 64 bytes behind the positions */
  return (guint) ((H264_CHUNK_SIZE - 64) / (h264_block_size (arena, kind, wide) + sizeof (guint32)));
}

static void
close_chunk (H264BlockWriter *writer, guint kind, gboolean wide)
{
  H264OpenChunk *chunk = &writer->open[kind][wide];
  H264CoeffArena *arena = writer->arena;
  GstGpuSegment *segment = &chunk->segment;

  if (!chunk->next)
    return;
  segment->count = chunk_capacity (arena, kind, wide) - chunk->room;
  if (segment->count > 0 && !chunk->wasted) {
    g_mutex_lock (&arena->lock);
    arena->segments[arena->n_segments++] = *segment;
    arena->n_blocks += segment->count;
    arena->coded_bytes += segment->count * h264_block_size (arena, kind, wide);
    g_mutex_unlock (&arena->lock);
  }
  memset (chunk, 0, sizeof (*chunk));
}

void
h264_block_writer_flush (H264BlockWriter *writer)
{
  for (guint kind = 0; kind < GST_GPU_N_H264_KINDS; kind++) {
    close_chunk (writer, kind, FALSE);
    close_chunk (writer, kind, TRUE);
  }
  writer->exhausted = FALSE;
}

void
h264_block_writer_open_chunk (H264BlockWriter *writer, guint kind, gboolean wide)
{
  H264OpenChunk *chunk = &writer->open[kind][wide];
  const guint capacity = chunk_capacity (writer->arena, kind, wide);
  const gsize blocks_offset = (capacity * sizeof (guint32) + 63) & ~(gsize) 63;
  guint index;
  guint8 *base;

  close_chunk (writer, kind, wide);
  index = (guint) g_atomic_int_add (&writer->arena->next_chunk, 1);
  if (G_UNLIKELY (index >= writer->arena->n_chunks)) {
    /* the arena holds the legal maximum of a picture, so its slices overlap: it is damaged */
    g_atomic_int_add (&writer->arena->next_chunk, -1);
    writer->exhausted = TRUE;
    if (!writer->waste)
      writer->waste = g_malloc (H264_CHUNK_SIZE);
    base = writer->waste;
    index = 0;
  } else {
    base = writer->arena->base + (gsize) index * H264_CHUNK_SIZE;
  }
  chunk->wasted = base == writer->waste;
  chunk->position = (guint32 *) base;
  chunk->next = base + blocks_offset;
  chunk->room = capacity;
  chunk->segment = (GstGpuSegment){
    .coeffs = (guint32) (((gsize) index * H264_CHUNK_SIZE + blocks_offset) / H264_SLOT_SIZE),
    .positions = (guint32) ((gsize) index * H264_CHUNK_SIZE / sizeof (guint32)),
    .kind = (guint8) kind,
    .wide = wide,
    .colour_plane = writer->colour_plane,
  };
}

static gint
compare_segments (gconstpointer a, gconstpointer b)
{
  const GstGpuSegment *s = a, *t = b;

  if (s->kind != t->kind)
    return s->kind < t->kind ? -1 : 1;
  if (s->wide != t->wide)
    return s->wide < t->wide ? -1 : 1;
  return s->coeffs < t->coeffs ? -1 : s->coeffs > t->coeffs;
}

gboolean
h264_coeff_arena_write_segments (H264CoeffArena *arena, GstGpuSegment *to, gsize room, guint first[GST_GPU_N_KINDS + 1], guint *n_segments)
{
  const gboolean fits = arena->n_segments <= room;
  const guint n = fits ? arena->n_segments : (guint) room;
  guint i, kind = 0;

  /* GLib's sort would demand memory */
  if (arena->n_segments > 0)
    qsort (arena->segments, arena->n_segments, sizeof (GstGpuSegment), compare_segments);
  if (n > 0)
    memcpy (to, arena->segments, n * sizeof (GstGpuSegment));
  for (i = 0; i < n; i++)
    while (kind <= arena->segments[i].kind)
      first[kind++] = i;
  while (kind <= GST_GPU_N_KINDS)
    first[kind++] = n;
  *n_segments = n;
  return fits;
}
