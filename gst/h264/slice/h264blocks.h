/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Compaction: blocks with coefficients, and nothing else, go into dense runs of one kind each in the picture's coefficient arena
 * (gpurecords.h).
 *
 * The arena is cut into chunks of 64 KiB: room for some positions, then for as many blocks.  A writer, owned by one thread at a time, keeps
 * one chunk of each kind open; writers meet only when they take a chunk.
 */
#pragma once

#include <glib.h>
#include "gpurecords.h"

G_BEGIN_DECLS

#define H264_CHUNK_SIZE 65536
#define H264_SLOT_SIZE 32

/* The most blocks of one kind that a macroblock has: sixteen 4x4 blocks in each of three planes */
#define H264_MAX_MB_BLOCKS 48

/**
 * H264CoeffArena:
 * @base: the coefficient arena, mapped for writing
 * @n_chunks: whole chunks in it
 * @pcm_size: bytes of the I_PCM samples of a macroblock, in whole slots
 * @segments: the @n_segments closed so far, in the order of closing; there is room for one a chunk
 *
 * Shared by the writers of a picture.
 */
typedef struct
{
  guint8 *base;
  guint n_chunks;
  gsize pcm_size;
  gint next_chunk; /* atomic */
  GMutex lock;
  GstGpuSegment *segments;
  guint n_segments;
  guint64 coded_bytes;
  guint64 n_blocks;

  /*< private > */
  gsize segments_room;
} H264CoeffArena;

/**
 * H264OpenChunk:
 * @next: where the next block goes
 * @position: where its position goes
 * @room: blocks that still fit
 * @wasted: the arena had no chunk left: what is written here is lost
 * @segment: the run so far, but for its count
 */
typedef struct
{
  guint8 *next;
  guint32 *position;
  guint room;
  gboolean wasted;
  GstGpuSegment segment;
} H264OpenChunk;

typedef struct
{
  H264CoeffArena *arena;
  guint8 colour_plane;
  gboolean exhausted;                          /* blocks were lost, since the arena had no chunk left */
  guint8 *waste;                               /* a chunk of its own to write to then */
  H264OpenChunk open[GST_GPU_N_H264_KINDS][2]; /* [kind][wide] */
} H264BlockWriter;

void h264_coeff_arena_init (H264CoeffArena *arena);
void h264_coeff_arena_clear (H264CoeffArena *arena);
/* Begins a picture: @size bytes at @base.  FALSE: there is no memory for its segments. */
gboolean h264_coeff_arena_begin (H264CoeffArena *arena, guint8 *base, gsize size, gsize pcm_size);

/* Writes the segment table, sorted by kind, 16 before 32 bits, to @to, which has room for @room of them; all writers are flushed.
 * @first gets the first segment of each kind, and behind the last one the number of segments, which is *@n_segments too.  FALSE where
 * some had no room. */
gboolean h264_coeff_arena_write_segments (H264CoeffArena *arena, GstGpuSegment *to, gsize room, guint first[GST_GPU_N_KINDS + 1],
    guint *n_segments);

void h264_block_writer_init (H264BlockWriter *writer, H264CoeffArena *arena);
/* Closes all open chunks.  To be called before the next picture, and when the colour plane changes. */
void h264_block_writer_flush (H264BlockWriter *writer);
void h264_block_writer_clear (H264BlockWriter *writer);

/* Bytes of a block of @kind with levels of 16 bits, or of 32 if @wide */
gsize h264_block_size (const H264CoeffArena *arena, guint kind, gboolean wide);

void h264_block_writer_open_chunk (H264BlockWriter *writer, guint kind, gboolean wide);

/* The open chunk of @kind, with room for @n_blocks more */
static inline H264OpenChunk *
h264_block_writer_reserve (H264BlockWriter *writer, guint kind, gboolean wide, guint n_blocks)
{
  H264OpenChunk *chunk = &writer->open[kind][wide];

  if (G_UNLIKELY (chunk->room < n_blocks))
    h264_block_writer_open_chunk (writer, kind, wide);
  return chunk;
}

/* Slot where the next block of @chunk goes */
static inline guint32
h264_open_chunk_slot (const H264BlockWriter *writer, const H264OpenChunk *chunk)
{
  return (guint32) ((gsize) (chunk->next - writer->arena->base) / H264_SLOT_SIZE);
}

/* Makes the block at chunk->next, of @size bytes, part of the run. */
static inline void
h264_open_chunk_append (H264OpenChunk *chunk, gsize size, guint32 position)
{
  *chunk->position++ = position;
  chunk->next += size;
  chunk->room--;
}

G_END_DECLS
