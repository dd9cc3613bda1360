/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pcmpictures.h"
#include <string.h>

#define SLOT_SIZE 32

/* A macroblock of a plane: columns and rows */
static void
mb_plane_size (const GstCodedFormat *format, guint plane, guint *width, guint *height)
{
  *width = plane && format->chroma_format_idc < 3 ? 8 : 16;
  *height = plane && format->chroma_format_idc == 1 ? 8 : 16;
}

guint
pcm_picture_sample (const GstCodedFormat *format, guint32 number, guint plane, guint x, guint y)
{
  guint depth = plane ? format->bit_depth_chroma : format->bit_depth_luma;
  guint32 hash = (number * 4 + plane + 1) * 2654435761u ^ (x * 40503u + y * 2246822519u);

  hash = (hash ^ hash >> 15) * 2246822519u;
  return (hash ^ hash >> 13) & ((1u << depth) - 1);
}

typedef struct
{
  const GstCodedFormat *format;
  guint32 number;
  guint n_sets; /* colour plane sets */
  guint n_mbs;
  gsize mb_size;           /* bytes of the samples of a macroblock of one set, in whole slots */
  GstGpuLayout records[3]; /* of each set */
} Layout;

static void
layout_init (Layout *l, const GstCodedFormat *format, guint32 number)
{
  static const guint mb_samples[4] = { 256, 384, 512, 768 };

  memset (l, 0, sizeof (*l));
  l->format = format;
  l->number = number;
  l->n_sets = format->separate_colour_planes ? 3 : 1;
  l->n_mbs = format->coded_width / 16 * (format->coded_height / 16);
  l->mb_size = (format->separate_colour_planes ? 256 : mb_samples[format->chroma_format_idc]) * gst_coded_format_sample_size (format);
  for (guint i = 0; i < l->n_sets; i++) {
    l->records[i].slices = 0;
    l->records[i].segments = GST_ROUND_UP_64 (l->n_sets * sizeof (GstGpuSlice));
    l->records[i].mbs =
        GST_ROUND_UP_64 (l->records[i].segments + l->n_sets * sizeof (GstGpuSegment)) + GST_ROUND_UP_64 (l->n_mbs * sizeof (GstGpuMb)) * i;
  }
}

static guint8 *
write_plane (const Layout *l, guint8 *out, guint plane, guint mb)
{
  guint width, height, width_in_mbs = l->format->coded_width / 16;

  mb_plane_size (l->format, plane, &width, &height);
  for (guint y = 0; y < height; y++) {
    for (guint x = 0; x < width; x++) {
      guint16 sample = pcm_picture_sample (l->format, l->number, plane, mb % width_in_mbs * width + x, mb / width_in_mbs * height + y);
      gsize size = gst_coded_format_sample_size (l->format);

      memcpy (out, &sample, size); /* little endian */
      out += size;
    }
  }
  return out;
}

/* The positions of a set stand in front, its macroblocks behind those of all sets. */
static void
write_coeffs (const Layout *l, guint8 *coeffs)
{
  gsize samples = GST_ROUND_UP_64 (l->n_sets * l->n_mbs * 4);
  guint n_planes = l->format->chroma_format_idc == 0 || l->n_sets == 3 ? 1 : 3;

  for (guint set = 0; set < l->n_sets; set++) {
    for (guint mb = 0; mb < l->n_mbs; mb++) {
      guint8 *out = coeffs + samples + (set * l->n_mbs + mb) * l->mb_size;

      ((guint32 *) coeffs)[set * l->n_mbs + mb] = GST_GPU_POSITION (mb, 0, 0);
      for (guint plane = 0; plane < n_planes; plane++)
        out = write_plane (l, out, set + plane, mb);
    }
  }
}

static void
write_header (const Layout *l, guint8 *header)
{
  GstGpuSlice *slices = (GstGpuSlice *) (header + l->records[0].slices);
  GstGpuSegment *segments = (GstGpuSegment *) (header + l->records[0].segments);
  gsize samples = GST_ROUND_UP_64 (l->n_sets * l->n_mbs * 4);

  for (guint set = 0; set < l->n_sets; set++) {
    GstGpuMb *mbs = (GstGpuMb *) (header + l->records[set].mbs);

    slices[set] =
        (GstGpuSlice){ .n_mbs = l->n_mbs, .slice_type = GST_GPU_SLICE_I, .disable_deblocking_filter_idc = 1, .colour_plane_id = set };
    segments[set] = (GstGpuSegment){ .coeffs = (samples + set * l->n_mbs * l->mb_size) / SLOT_SIZE,
      .positions = set * l->n_mbs,
      .count = l->n_mbs,
      .kind = GST_GPU_KIND_PCM,
      .colour_plane = set };
    for (guint mb = 0; mb < l->n_mbs; mb++)
      mbs[mb] = (GstGpuMb){ .slice = set,
        .mb_class = GST_GPU_MB_IPCM,
        .nonzero = 0xffff,
        .first_4x4 = segments[set].coeffs + mb * l->mb_size / SLOT_SIZE };
  }
}

static GstCodedPicture *
picture_new (const Layout *l)
{
  GstFrameStore *store = gst_frame_store_new (l->number);
  GstCodedPicture *picture = gst_coded_picture_new (store);
  GstCodedAction action = { TRUE, l->number };

  store->pts = l->number * GST_SECOND;
  gst_frame_store_unref (store);
  picture->pending = GST_CODED_STAGE_INTRAPRED;
  picture->n_colour_planes = l->n_sets;
  picture->n_slices = l->n_sets;
  for (guint set = 0; set < l->n_sets; set++) {
    GstGpuPicture *params = &picture->params[set];

    picture->layout[set] = l->records[set];
    params->width_in_mbs = l->format->coded_width / 16;
    params->height_in_mbs = l->format->coded_height / 16;
    params->chroma_array_type = l->n_sets == 3 ? 0 : l->format->chroma_format_idc;
    params->bit_depth_luma = l->format->bit_depth_luma;
    params->bit_depth_chroma = l->format->bit_depth_chroma;
    params->n_slices = l->n_sets;
    params->slices_contiguous = 1;
  }
  g_array_append_val (picture->actions, action);

  return picture;
}

static GstBuffer *
buffer_new (const GstCodedFormat *format, GstBufferPool *pool)
{
  GstBuffer *buffer = NULL;

  if (pool) {
    GstFlowReturn ret = gst_buffer_pool_acquire_buffer (pool, &buffer, NULL);

    g_assert_cmpint (ret, ==, GST_FLOW_OK);
    return buffer;
  }
  buffer = gst_buffer_new ();
  gst_buffer_append_memory (buffer, gst_allocator_alloc (NULL, gst_coded_format_header_size (format), NULL));
  gst_buffer_append_memory (buffer, gst_allocator_alloc (NULL, gst_coded_format_coeffs_size (format, 1), NULL));
  return buffer;
}

GstBuffer *
pcm_picture_new (const GstCodedFormat *format, guint32 number, GstBufferPool *pool)
{
  GstBuffer *buffer = buffer_new (format, pool);
  GstCodedPicture *picture;
  GstCoeffMeta *meta;
  GstMapInfo map;
  Layout l;

  layout_init (&l, format, number);
  gst_memory_map (gst_buffer_peek_memory (buffer, GST_CODED_MEMORY_HEADER), &map, GST_MAP_WRITE);
  write_header (&l, map.data);
  gst_memory_unmap (map.memory, &map);
  gst_memory_map (gst_buffer_peek_memory (buffer, GST_CODED_MEMORY_COEFFS), &map, GST_MAP_WRITE);
  write_coeffs (&l, map.data);
  gst_memory_unmap (map.memory, &map);

  picture = picture_new (&l);
  gst_buffer_add_coded_picture_meta (buffer, picture);
  gst_coded_picture_unref (picture);
  meta = gst_buffer_add_coeff_meta (buffer);
  meta->n_segments = l.n_sets;
  for (guint kind = GST_GPU_KIND_PCM + 1; kind <= GST_GPU_N_KINDS; kind++)
    meta->first[kind] = l.n_sets;
  meta->coded_bytes = l.n_sets * l.n_mbs * l.mb_size;
  meta->n_blocks = l.n_sets * l.n_mbs;

  return buffer;
}
