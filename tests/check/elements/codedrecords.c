/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include "codedrecords.h"

#define SLOT_SIZE 32

/* For each block: fail_unless () writes to a file every time. */
#define CHECK(condition)               \
  do {                                 \
    if (G_UNLIKELY (!(condition)))     \
      fail ("not so: %s", #condition); \
  } while (0)

typedef struct
{
  GstCodedPicture *picture;
  GstCoeffMeta *meta;
  GstMapInfo header, coeffs;
  guint n_mbs;
} View;

static void
view_open (View *v, GstBuffer *buffer)
{
  v->picture = gst_buffer_get_coded_picture (buffer);
  v->meta = gst_buffer_get_coeff_meta (buffer);
  fail_unless (v->picture && v->meta);
  fail_unless_equals_int (gst_buffer_n_memory (buffer), 2);
  fail_unless (gst_memory_map (gst_buffer_peek_memory (buffer, GST_CODED_MEMORY_HEADER), &v->header, GST_MAP_READ));
  fail_unless (gst_memory_map (gst_buffer_peek_memory (buffer, GST_CODED_MEMORY_COEFFS), &v->coeffs, GST_MAP_READ));
  v->n_mbs = v->picture->params[0].width_in_mbs * v->picture->params[0].height_in_mbs;
  fail_unless (v->n_mbs > 0);
}

static void
view_close (View *v)
{
  gst_memory_unmap (v->header.memory, &v->header);
  gst_memory_unmap (v->coeffs.memory, &v->coeffs);
}

/* Records inside the header arena, at a place where records may begin */
static const guint8 *
section (const View *v, gsize offset, gsize size)
{
  fail_unless (offset % GST_CODED_ARENA_ALIGNMENT == 0 && offset <= v->header.size && size <= v->header.size - offset);
  return v->header.data + offset;
}

static const GstGpuMb *
view_mbs (const View *v, guint plane)
{
  return (const GstGpuMb *) section (v, v->picture->layout[plane].mbs, v->n_mbs * sizeof (GstGpuMb));
}

static const GstGpuSegment *
view_segments (const View *v)
{
  return (const GstGpuSegment *) section (v, v->picture->layout[0].segments, v->meta->n_segments * sizeof (GstGpuSegment));
}

static gsize
block_size (const View *v, const GstGpuSegment *segment)
{
  static const guint n_levels[GST_GPU_KIND_PCM] = { 16, 64, 16, 4, 8, 16, 64 };
  static const guint n_samples[4] = { 256, 384, 512, 768 };
  const GstGpuPicture *params = &v->picture->params[0];
  const gsize sample_size = params->bit_depth_luma > 8 || params->bit_depth_chroma > 8 ? 2 : 1;

  if (segment->kind == GST_GPU_KIND_PCM)
    return n_samples[params->chroma_array_type] * sample_size;
  return n_levels[segment->kind] * (segment->wide ? 4 : 2);
}

static void
check_segment_table (const View *v)
{
  const GstGpuSegment *segments = view_segments (v);
  guint64 n_blocks = 0, coded_bytes = 0;

  for (guint i = 0; i < v->meta->n_segments; i++) {
    const GstGpuSegment *s = &segments[i];

    fail_unless (s->kind < GST_GPU_N_H264_KINDS && s->wide <= 1 && s->count > 0 && s->colour_plane < v->picture->n_colour_planes);
    fail_unless (i >= v->meta->first[s->kind] && i < v->meta->first[s->kind + 1], "segment %u of kind %u", i, s->kind);
    if (i > 0 && s[-1].kind == s->kind)
      fail_unless (s[-1].wide <= s->wide, "segment %u: 16 bits behind 32", i);
    fail_unless ((gsize) s->positions * 4 + (gsize) s->count * 4 <= v->coeffs.size);
    fail_unless ((gsize) s->coeffs * SLOT_SIZE + s->count * block_size (v, s) <= v->coeffs.size);
    n_blocks += s->count;
    coded_bytes += s->count * block_size (v, s);
  }
  fail_unless_equals_int (v->meta->first[0], 0);
  fail_unless_equals_int (v->meta->first[GST_GPU_N_KINDS], v->meta->n_segments);
  fail_unless_equals_uint64 (v->meta->n_blocks, n_blocks);
  fail_unless_equals_uint64 (v->meta->coded_bytes, coded_bytes);
}

/* No macroblock has more levels than samples, but for its DC groups, of 16 levels or 8 in each plane. */
static void
check_coded_bytes (const View *v)
{
  static const guint n_samples[4] = { 256, 384, 512, 768 };
  const guint n_levels = n_samples[v->picture->params[0].chroma_array_type] + 3 * 16;
  const guint level_size = v->picture->params[0].bit_depth_luma + v->picture->params[0].bit_depth_chroma > 16 ? 4 : 2;

  fail_unless (v->meta->coded_bytes <= (guint64) v->picture->n_colour_planes * v->n_mbs * n_levels * level_size);
}

/* Where block (@plane, @blk) of @mb must stand: behind those of its kind that come before */
static guint32
expected_slot (const GstGpuMb *mb, guint kind, guint plane, guint blk, guint chroma_array_type)
{
  const gboolean is_8x8 = kind == GST_GPU_KIND_8x8 || kind == GST_GPU_KIND_BYPASS8x8;
  const guint slots = (is_8x8 ? 4 : 1) * (mb->flags & GST_GPU_MB_WIDE ? 2 : 1);
  guint k = 0;

  for (guint p = 0; p <= plane; p++) {
    const gboolean plane_8x8 = (mb->flags & GST_GPU_MB_TRANSFORM_8x8) && (p == 0 || chroma_array_type == 3);

    if (plane_8x8 == is_8x8)
      k += __builtin_popcount (p < plane ? mb->coded[p] : mb->coded[p] & ((1u << blk) - 1));
  }
  return (is_8x8 ? mb->first_8x8 : mb->first_4x4) + k * slots;
}

static void
check_block (const View *v, const GstGpuSegment *s, guint i, const GstGpuMb *mb, guint32 position)
{
  const guint plane = GST_GPU_POSITION_PLANE (position), blk = GST_GPU_POSITION_BLK (position);
  const gsize size = block_size (v, s), offset = (gsize) s->coeffs * SLOT_SIZE + i * size;
  const guint8 *block = v->coeffs.data + offset;

  CHECK (!(mb->flags & GST_GPU_MB_WIDE) == !s->wide);
  switch (s->kind) {
    case GST_GPU_KIND_PCM:
      CHECK (mb->mb_class == GST_GPU_MB_IPCM && mb->first_4x4 * (gsize) SLOT_SIZE == offset);
      return;
    case GST_GPU_KIND_DC4x4:
    case GST_GPU_KIND_DC2x2:
    case GST_GPU_KIND_DC2x4:
      CHECK (mb->dc_coded & 1u << plane);
      break;
    default:
      CHECK (mb->coded[plane] & 1u << blk);
      CHECK ((s->kind < GST_GPU_KIND_BYPASS4x4) == !(mb->flags & GST_GPU_MB_BYPASS));
      CHECK (offset == (gsize) expected_slot (mb, s->kind, plane, blk, v->picture->params[0].chroma_array_type) * SLOT_SIZE);
      break;
  }
  for (gsize k = 0; k < size; k++)
    if (block[k] != 0)
      return;
  fail ("a block without coefficients: macroblock %u, plane %u, block %u", GST_GPU_POSITION_MB (position), plane, blk);
}

static guint
count_blocks (const View *v)
{
  guint n = 0;

  for (guint plane = 0; plane < v->picture->n_colour_planes; plane++) {
    const GstGpuMb *mbs = view_mbs (v, plane);

    for (guint mb = 0; mb < v->n_mbs; mb++) {
      n += mbs[mb].mb_class == GST_GPU_MB_IPCM;
      n += __builtin_popcount (mbs[mb].dc_coded);
      for (guint p = 0; p < 3; p++)
        n += __builtin_popcount (mbs[mb].coded[p]);
    }
  }
  return n;
}

/* A block, to be sorted by what it is */
typedef struct
{
  guint64 key;
  const guint8 *data;
  gsize size;
} Block;

static gint
compare_blocks (gconstpointer a, gconstpointer b)
{
  const Block *s = a, *t = b;

  return s->key < t->key ? -1 : s->key > t->key;
}

static GArray *
collect_blocks (const View *v)
{
  GArray *blocks = g_array_new (FALSE, FALSE, sizeof (Block));
  const GstGpuSegment *segments = view_segments (v);

  for (guint j = 0; j < v->meta->n_segments; j++) {
    const GstGpuSegment *s = &segments[j];
    const guint32 *positions = (const guint32 *) v->coeffs.data + s->positions;
    const GstGpuMb *mbs = view_mbs (v, s->colour_plane);

    for (guint i = 0; i < s->count; i++) {
      const Block block = { (guint64) s->colour_plane << 40 | (guint64) s->kind << 36 | positions[i],
        v->coeffs.data + (gsize) s->coeffs * SLOT_SIZE + i * block_size (v, s), block_size (v, s) };

      CHECK (GST_GPU_POSITION_MB (positions[i]) < v->n_mbs);
      check_block (v, s, i, &mbs[GST_GPU_POSITION_MB (positions[i])], positions[i]);
      g_array_append_val (blocks, block);
    }
  }
  g_array_sort (blocks, compare_blocks);
  for (guint i = 1; i < blocks->len; i++)
    CHECK (g_array_index (blocks, Block, i).key != g_array_index (blocks, Block, i - 1).key);
  return blocks;
}

/* The records but for the places of their blocks and partitions */
static void
checksum_records (const View *v, GChecksum *checksum)
{
  const guint n_slices = v->picture->n_slices;

  fail_unless (n_slices > 0 && n_slices == v->picture->params[0].n_slices);
  g_checksum_update (checksum, section (v, v->picture->layout[0].slices, n_slices * sizeof (GstGpuSlice)), n_slices * sizeof (GstGpuSlice));
  for (guint plane = 0; plane < v->picture->n_colour_planes; plane++) {
    const GstGpuMb *mbs = view_mbs (v, plane);

    for (guint i = 0; i < v->n_mbs; i++) {
      GstGpuMb mb = mbs[i];

      mb.first_4x4 = mb.first_8x8 = mb.first_motion = 0;
      g_checksum_update (checksum, (const guchar *) &mb, sizeof (mb));
    }
  }
}

/* The partitions of an inter macroblock cover it, each 4x4 block once, and refer to references that there are. */
static void
check_partitions (const View *v, const GstGpuMb *mb, guint mb_addr, const GstGpuPartition *partitions, const GstGpuInterSlice *slice)
{
  guint covered = 0;

  for (guint i = 0; i < mb->n_partitions; i++) {
    const GstGpuPartition *p = &partitions[mb->first_motion + i];
    const guint row = ((1u << GST_GPU_PARTITION_WIDTH (p->where)) - 1) << GST_GPU_PARTITION_X (p->where);

    CHECK (GST_GPU_PARTITION_MB (p->where) == mb_addr && p->slice == mb->slice);
    CHECK (GST_GPU_PARTITION_X (p->where) + GST_GPU_PARTITION_WIDTH (p->where) <= 4);
    CHECK (GST_GPU_PARTITION_Y (p->where) + GST_GPU_PARTITION_HEIGHT (p->where) <= 4);
    for (guint y = 0; y < GST_GPU_PARTITION_HEIGHT (p->where); y++) {
      const guint bits = row << (4 * (GST_GPU_PARTITION_Y (p->where) + y));

      CHECK ((covered & bits) == 0);
      covered |= bits;
    }
    CHECK (p->ref_idx[0] >= 0 || p->ref_idx[1] >= 0);
    for (guint list = 0; list < 2; list++)
      if (p->ref_idx[list] >= 0)
        CHECK (p->ref_idx[list] < 32 && (slice->reference[list][p->ref_idx[list]] & GST_GPU_REFERENCE_SURFACE) < v->picture->n_references);
  }
  CHECK (covered == 0xffff);
}

/* What pictures with P and B slices have beside the rest */
static void
check_motion (const View *v, GChecksum *checksum)
{
  const GstCodedPicture *picture = v->picture;
  const GstGpuInterSlice *slices =
      (const GstGpuInterSlice *) section (v, picture->layout[0].inter_slices, picture->n_slices * sizeof (GstGpuInterSlice));

  fail_unless (picture->n_references <= GST_GPU_MAX_REFERENCES);
  for (guint plane = 0; plane < picture->n_colour_planes; plane++) {
    const GstGpuMb *mbs = view_mbs (v, plane);
    const GstGpuPartition *partitions = (const GstGpuPartition *) section (v, picture->layout[plane].partitions,
        picture->layout[plane].n_partitions * sizeof (GstGpuPartition));
    guint n = 0;

    for (guint i = 0; i < v->n_mbs; i++) {
      const GstGpuMb *mb = &mbs[i];

      CHECK (mb->slice < picture->n_slices);
      CHECK ((mb->mb_class == GST_GPU_MB_INTER) == (mb->n_partitions > 0));
      if (mb->mb_class != GST_GPU_MB_INTER)
        continue;
      CHECK (mb->first_motion <= picture->layout[plane].n_partitions
          && mb->n_partitions <= picture->layout[plane].n_partitions - mb->first_motion);
      check_partitions (v, mb, i, partitions, &slices[mb->slice]);
      g_checksum_update (checksum, (const guchar *) &partitions[mb->first_motion], mb->n_partitions * sizeof (GstGpuPartition));
      n += mb->n_partitions;
    }
    CHECK (n == picture->layout[plane].n_partitions);
  }
}

gchar *
coded_records_check (GstBuffer *buffer)
{
  GChecksum *checksum = g_checksum_new (G_CHECKSUM_MD5);
  GArray *blocks;
  gchar *text;
  View v;

  view_open (&v, buffer);
  check_segment_table (&v);
  check_coded_bytes (&v);
  blocks = collect_blocks (&v);
  fail_unless_equals_int (blocks->len, count_blocks (&v));
  checksum_records (&v, checksum);
  if (v.picture->has_inter)
    check_motion (&v, checksum);
  for (guint i = 0; i < blocks->len; i++) {
    const Block *block = &g_array_index (blocks, Block, i);

    g_checksum_update (checksum, (const guchar *) &block->key, sizeof (block->key));
    g_checksum_update (checksum, block->data, block->size);
  }
  g_array_unref (blocks);
  view_close (&v);
  text = g_strdup (g_checksum_get_string (checksum));
  g_checksum_free (checksum);
  return text;
}

GstGpuMb *
coded_records_get_mbs (GstBuffer *buffer, guint plane, guint *n)
{
  GstGpuMb *mbs;
  View v;

  view_open (&v, buffer);
  fail_unless (plane < v.picture->n_colour_planes);
  mbs = g_memdup2 (view_mbs (&v, plane), v.n_mbs * sizeof (GstGpuMb));
  *n = v.n_mbs;
  view_close (&v);
  return mbs;
}

GstGpuSlice *
coded_records_get_slices (GstBuffer *buffer, guint *n)
{
  GstGpuSlice *slices;
  View v;

  view_open (&v, buffer);
  *n = v.picture->n_slices;
  slices = g_memdup2 (section (&v, v.picture->layout[0].slices, *n * sizeof (GstGpuSlice)), *n * sizeof (GstGpuSlice));
  view_close (&v);
  return slices;
}
