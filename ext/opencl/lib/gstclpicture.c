/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <string.h>

#include <gst/video/video.h>
#include "gstclpicture.h"
#include "gstclreuse.h"
#include "gstsystemmemory.h"

#define SLOT_SIZE 32
/* Bytes between ranges that go up as one */
#define MAX_GAP 2048

/* In the header arena: sections of each plane set */
#define MAX_HEADER_RANGES (5 * GST_CL_MAX_PLANE_SETS)

/* Bytes of an entry of a segment */
static gsize
entry_size (const GstGpuSegment *segment, const GstGpuPicture *params, guint sample_size)
{
  static const guint16 n_levels[GST_GPU_N_KINDS] = GST_GPU_KIND_LEVELS;
  static const guint n_samples[4] = { 256, 384, 512, 768 };

  if (segment->kind == GST_GPU_KIND_PCM)
    return GST_ROUND_UP_N ((gsize) n_samples[params->chroma_array_type] * sample_size, SLOT_SIZE);

  return (gsize) n_levels[segment->kind] * (segment->wide ? 4 : 2);
}

static int
compare_ranges (const void *a, const void *b)
{
  const GstClRange *x = a, *y = b;

  return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* What may lie between @range and the next one where they go up as one: a call costs more than some bytes, of which there are to be a
 * sixteenth more at most.  So full chunks (h264blocks.h) go up in one piece: a chunk is full when there is no room for all blocks that a
 * macroblock may have, which is up to 1.5 kB. */
static gsize
allowed_gap (const GstClRange *range)
{
  return CLAMP (range->size / 16, SLOT_SIZE, MAX_GAP);
}

/* Ranges that leave little between them become one. */
static void
join_ranges (GstClRanges *ranges)
{
  guint n = 0;

  /* GLib's sort would demand memory */
  qsort (ranges->ranges, ranges->n, sizeof (GstClRange), compare_ranges);
  for (guint i = 0; i < ranges->n; i++) {
    const GstClRange range = ranges->ranges[i];
    GstClRange *last = n ? &ranges->ranges[n - 1] : NULL;

    if (last && range.offset <= last->offset + last->size + allowed_gap (last))
      last->size = MAX (last->size, range.offset + range.size - last->offset);
    else
      ranges->ranges[n++] = range;
  }
  ranges->n = n;
}

static void
add_range (GstClRanges *ranges, gsize offset, gsize size)
{
  if (size > 0)
    ranges->ranges[ranges->n++] = (GstClRange){ offset, size };
}

static gsize
n_mbs (const GstGpuPicture *params)
{
  return (gsize) params->width_in_mbs * params->height_in_mbs;
}

static gboolean
set_broken (GError **error, const gchar *what)
{
  g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "A coded picture contradicts itself: %s", what);

  return FALSE;
}

static gboolean
fits (gsize offset, gsize count, gsize size, const GstMemory *memory)
{
  return offset <= memory->size && count <= (memory->size - offset) / size;
}

/* The section of @count records of @size bytes at @offset of the header arena is used.  FALSE where it does not fit in. */
static gboolean
add_section (GstClPicture *self, guint64 offset, gsize count, gsize size)
{
  if (offset > G_MAXSIZE || !fits ((gsize) offset, count, size, self->header))
    return FALSE;
  add_range (&self->header_ranges, (gsize) offset, count * size);

  return TRUE;
}

/* Those of its inter macroblocks */
static gboolean
collect_inter_ranges (GstClPicture *self, GError **error)
{
  const GstCodedPicture *picture = self->picture;

  if (picture->n_references > GST_GPU_MAX_REFERENCES)
    return set_broken (error, "it has more references than there can be");
  for (guint i = 0; i < self->n_planes; i++) {
    const GstGpuLayout *layout = &picture->layout[i];

    if (!add_section (self, layout->partitions, layout->n_partitions, sizeof (GstGpuPartition)))
      return set_broken (error, "partitions outside the header arena");
    if (!add_section (self, layout->inter_slices, picture->n_slices, sizeof (GstGpuInterSlice)))
      return set_broken (error, "records of inter slices outside the header arena");
  }

  return TRUE;
}

/* Macroblocks, slices, and what the inter ones have beside: records of H.264 pictures */
static gboolean
collect_record_ranges (GstClPicture *self, GError **error)
{
  const GstCodedPicture *picture = self->picture;

  for (guint i = 0; i < self->n_planes; i++) {
    if (!add_section (self, picture->layout[i].mbs, n_mbs (&self->params[i]), sizeof (GstGpuMb)))
      return set_broken (error, "macroblock records outside the header arena");
    if (!add_section (self, picture->layout[i].slices, picture->n_slices, sizeof (GstGpuSlice)))
      return set_broken (error, "slice records outside the header arena");
  }

  return !picture->has_inter || collect_inter_ranges (self, error);
}

/* The bytes that the picture uses of its header arena */
static gboolean
collect_header_ranges (GstClPicture *self, GError **error)
{
  if (self->codec == GST_CODED_CODEC_H264 && !collect_record_ranges (self, error))
    return FALSE;
  for (guint i = 0; i < self->n_planes; i++)
    if (!add_section (self, self->picture->layout[i].segments, self->coeff_meta->n_segments, sizeof (GstGpuSegment)))
      return set_broken (error, "block lists outside the header arena");
  join_ranges (&self->header_ranges);

  return TRUE;
}

/* Those of its coefficient arena */
static gboolean
collect_coeffs_ranges (GstClPicture *self, const GstGpuSegment *segments, guint sample_size, GError **error)
{
  /* positions and blocks */
  GstClRange *ranges = g_try_renew (GstClRange, self->coeffs_ranges.ranges, 2 * (gsize) self->coeff_meta->n_segments + 1);

  if (!ranges) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT, "No memory for a list of %u blocks of coefficients",
        self->coeff_meta->n_segments);
    return FALSE;
  }
  self->coeffs_ranges.ranges = ranges;
  for (guint i = 0; i < self->coeff_meta->n_segments; i++) {
    const GstGpuSegment *segment = &segments[i];
    gsize positions = (gsize) segment->positions * 4, coeffs = (gsize) segment->coeffs * SLOT_SIZE, size;

    if (segment->kind >= GST_GPU_N_KINDS || segment->colour_plane >= self->n_planes)
      return set_broken (error, "a block list of no kind");
    if (segment->kind >= GST_GPU_N_H264_KINDS && segment->wide)
      return set_broken (error, "H.265 blocks of 32 bits");
    size = entry_size (segment, &self->params[0], sample_size);
    if (!fits (positions, segment->count, 4, self->coeffs) || !fits (coeffs, segment->count, size, self->coeffs))
      return set_broken (error, "blocks outside the coefficient arena");
    add_range (&self->coeffs_ranges, positions, (gsize) segment->count * 4);
    add_range (&self->coeffs_ranges, coeffs, segment->count * size);
  }
  join_ranges (&self->coeffs_ranges);

  return TRUE;
}

/* The ranges matter where bytes move, or the CPU reads them; a look into a header that the device has already would be a host wait. */
static gboolean
ranges_are_needed (GstMemory *memory, GstClContext *context)
{
  GstClMemory *cl_memory = context ? gst_cl_memory_of (memory, context) : NULL;

  return !cl_memory || !cl_memory->context->shared_memory || gst_cl_memory_needs_upload (cl_memory);
}

static gboolean
collect_ranges (GstClPicture *self, guint sample_size, GstClContext *context, GError **error)
{
  GstMapInfo info;
  gboolean ret;

  if (!collect_header_ranges (self, error))
    return FALSE;
  if (!ranges_are_needed (self->header, context) && !ranges_are_needed (self->coeffs, context))
    return TRUE;
  if (!gst_memory_map (self->header, &info, GST_MAP_READ)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ, "The header arena of a coded picture does not map");
    return FALSE;
  }
  ret = collect_coeffs_ranges (self, (const GstGpuSegment *) (info.data + self->picture->layout[0].segments), sample_size, error);
  gst_memory_unmap (self->header, &info);

  return ret;
}

/* The surface's strides go into the parameters; a colour plane of its own is plane 0 of its set. */
static gboolean
set_plane_params (GstClPicture *self, const GstVideoMeta *meta, guint sample_size, GError **error)
{
  for (guint i = 0; i < self->n_planes; i++) {
    GstGpuPicture *params = &self->params[i];
    guint height_in_mbs = params->height_in_mbs * (params->field_pic ? 2 : 1);
    guint n_planes = params->chroma_array_type == 0 ? 1 : 3;
    gboolean second_line = params->field_pic == 2;

    if (params->width_in_mbs * 16 != meta->width || height_in_mbs * 16 != meta->height || params->chroma_array_type > 3)
      return set_broken (error, "its size is not that of the frame");
    if (i + n_planes > meta->n_planes)
      return set_broken (error, "it has more planes than the frame");
    for (guint p = 0; p < n_planes; p++) {
      params->plane_stride[p] = meta->stride[i + p] / sample_size;
      params->plane_offset[p] = meta->offset[i + p] / sample_size + (second_line ? params->plane_stride[p] : 0);
      if (params->field_pic)
        params->plane_stride[p] *= 2;
    }
  }

  return TRUE;
}

/* A copy of an arena in memory of the device, of the bytes that are used */
static GstMemory *
import_memory (GstMemory *memory, const GstClRanges *ranges, GstClContext *context, GstClStats *stats)
{
  GstMemory *copy = gst_cl_memory_new (context, memory->size, GST_CL_MEMORY_REWRITTEN, NULL, stats);
  GstMapInfo from, to;

  if (!copy)
    return NULL;
  if (!gst_memory_map (memory, &from, GST_MAP_READ)) {
    gst_memory_unref (copy);
    return NULL;
  }
  if (gst_memory_map (copy, &to, GST_MAP_WRITE)) {
    for (guint i = 0; i < ranges->n; i++) {
      const GstClRange *range = &ranges->ranges[i];

      memcpy (to.data + range->offset, from.data + range->offset, range->size);
    }
    gst_memory_unmap (copy, &to);
  } else {
    gst_memory_unref (copy);
    copy = NULL;
  }
  gst_memory_unmap (memory, &from);

  return copy;
}

/* For upstream elements that did not take the pool that was offered */
static gboolean
import_arena (GstBuffer *buffer, guint i, GstMemory **memory, const GstClRanges *ranges, GstClContext *context, GstClStats *stats,
    GError **error)
{
  GstMemory *copy;

  if (gst_cl_memory_of (*memory, context))
    return TRUE;
  copy = gst_buffer_is_writable (buffer) ? import_memory (*memory, ranges, context, stats) : NULL;
  if (!copy) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT, "No memory of %s for an arena of %" G_GSIZE_FORMAT " bytes",
        gst_cl_context_get_name (context), (*memory)->size);
    return FALSE;
  }
  GST_DEBUG ("arena %u of a coded picture is copied: it does not come from the pool of the stage", i);
  gst_buffer_replace_memory (buffer, i, copy);
  *memory = copy;

  return TRUE;
}

static GQuark
dc_quark (guint plane)
{
  static const gchar *const names[GST_CL_MAX_PLANE_SETS] = { "gst-cl-dc-0", "gst-cl-dc-1", "gst-cl-dc-2" };

  return g_quark_from_static_string (names[plane]);
}

/* (nullable): the results of the DC transforms of a plane set, which belong to the picture.  Where the stages before are in C, and their
 * arenas not of the device, neither are these. */
static GstMemory *
get_dc (GstClPicture *self, guint plane, gsize size, GstClContext *context)
{
  GstMiniObject *owner = GST_MINI_OBJECT_CAST (self->picture);
  GstMemory *dc = gst_mini_object_get_qdata (owner, dc_quark (plane)), *found = dc;
  const GstClRange everything = { 0, size };

  if (!dc)
    dc = gst_cl_reuse_take (context, size, GST_CL_MEMORY_DEVICE_ONLY, NULL, NULL);
  else if (context && !gst_cl_memory_of (dc, context))
    dc = import_memory (dc, &(const GstClRanges){ (GstClRange *) &everything, 1 }, context, NULL);
  if (dc && dc != found)
    gst_mini_object_set_qdata (owner, dc_quark (plane), dc, (GDestroyNotify) gst_cl_reuse_give_back);
  return dc;
}

gboolean
gst_cl_picture_find_dc (GstClPicture *self, GstClContext *context, GError **error)
{
  /* of the device, even for a stage in C, where others work on it */
  if (!context && gst_is_cl_memory (self->coeffs))
    context = ((GstClMemory *) self->coeffs)->context;
  for (guint i = 0; i < self->n_planes; i++) {
    const gsize size = n_mbs (&self->params[i]) * 48 * sizeof (gint32);

    self->dc[i] = get_dc (self, i, size, context);
    if (!self->dc[i]) {
      g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
          "No memory for %" G_GSIZE_FORMAT " bytes of DC coefficients", size);
      return FALSE;
    }
  }

  return TRUE;
}

/* Whether a picture of @codec may have blocks of @kind */
static gboolean
kind_is_of_codec (guint kind, GstCodedCodec codec)
{
  if (codec == GST_CODED_CODEC_H264)
    return kind < GST_GPU_N_H264_KINDS;

  return kind >= GST_GPU_N_H264_KINDS || kind == GST_GPU_KIND_BYPASS4x4 || kind == GST_GPU_KIND_BYPASS8x8;
}

/* Kinds of another codec would stay as they are, coefficients that the next stage takes for residuals. */
static gboolean
check_kinds (const GstClPicture *self, GError **error)
{
  const guint *first = self->coeff_meta->first;

  for (guint kind = 0; kind < GST_GPU_N_KINDS; kind++) {
    if (first[kind] > first[kind + 1])
      return set_broken (error, "the kinds of its block lists are not in order");
    if (first[kind] != first[kind + 1] && !kind_is_of_codec (kind, self->codec))
      return set_broken (error, "it has blocks that do not belong to its codec");
  }
  if (first[GST_GPU_N_KINDS] > self->coeff_meta->n_segments)
    return set_broken (error, "it has fewer block lists than its kinds say");

  return TRUE;
}

/* The memories that the buffer and the frame store hold */
static gboolean
find_memories (GstClPicture *self, GstBuffer *buffer, GError **error)
{
  const GstCodedPicture *picture = self->picture;

  self->coeff_meta = gst_buffer_get_coeff_meta (buffer);
  if (!self->coeff_meta || gst_buffer_n_memory (buffer) != 2)
    return set_broken (error, "its buffer has no block lists or not two arenas");
  if (picture->n_colour_planes < 1 || picture->n_colour_planes > GST_CL_MAX_PLANE_SETS)
    return set_broken (error, "number of colour planes");
  if (!picture->store->surface || gst_buffer_n_memory (picture->store->surface) != 1)
    return set_broken (error, "its frame has no surface");
  self->n_planes = picture->n_colour_planes;
  memcpy (self->params, picture->params, sizeof (self->params));
  self->header = gst_buffer_peek_memory (buffer, GST_CODED_MEMORY_HEADER);
  self->coeffs = gst_buffer_peek_memory (buffer, GST_CODED_MEMORY_COEFFS);
  self->surface = gst_buffer_peek_memory (picture->store->surface, 0);

  return TRUE;
}

static gboolean
check_surface_memory (GstClPicture *self, GstClContext *context, GError **error)
{
  if (!context || gst_cl_memory_of (self->surface, context))
    return TRUE;
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
      "The stages of a decoder must use the same OpenCL device: the frames are not in memory of %s", gst_cl_context_get_name (context));

  return FALSE;
}

static gboolean
init_parts (GstClPicture *self, GstBuffer *buffer, GstClContext *context, GstClStats *stats, GError **error)
{
  GstVideoMeta *meta;
  guint sample_size;

  if (!find_memories (self, buffer, error))
    return FALSE;
  meta = gst_buffer_get_video_meta (self->picture->store->surface);
  if (!meta)
    return set_broken (error, "its frame has no layout");
  sample_size = GST_VIDEO_FORMAT_INFO_PSTRIDE (gst_video_format_get_info (meta->format), 0);

  return check_kinds (self, error) && set_plane_params (self, meta, sample_size, error) && check_surface_memory (self, context, error)
      && collect_ranges (self, sample_size, context, error)
      && (!context
          || (import_arena (buffer, GST_CODED_MEMORY_HEADER, &self->header, &self->header_ranges, context, stats, error)
              && import_arena (buffer, GST_CODED_MEMORY_COEFFS, &self->coeffs, &self->coeffs_ranges, context, stats, error)));
}

gboolean
gst_cl_picture_init (GstClPicture *self, GstCodedPicture *picture, GstBuffer *buffer, GstCodedCodec codec, GstClContext *context,
    GstClStats *stats, GError **error)
{
  memset (self, 0, sizeof (*self));
  self->picture = picture;
  self->codec = codec;
  self->header_ranges.ranges = g_new (GstClRange, MAX_HEADER_RANGES);
  self->coeffs_ranges.ranges = g_new (GstClRange, 1);
  if (init_parts (self, buffer, context, stats, error))
    return TRUE;
  gst_cl_picture_clear (self);

  return FALSE;
}

void
gst_cl_picture_clear (GstClPicture *self)
{
  g_clear_pointer (&self->header_ranges.ranges, g_free);
  g_clear_pointer (&self->coeffs_ranges.ranges, g_free);
}

void
gst_cl_picture_get_kernel_pictures (const GstClPicture *self, GpuKernelPicture planes[GST_CL_MAX_PLANE_SETS])
{
  for (guint i = 0; i < self->n_planes; i++) {
    memset (&planes[i], 0, sizeof (planes[i]));
    planes[i].params = self->params[i];
    planes[i].header = ((GstClMemory *) self->header)->handle;
    planes[i].layout = self->picture->layout[i];
    planes[i].coeffs = ((GstClMemory *) self->coeffs)->handle;
    planes[i].dc = self->dc[i] ? ((GstClMemory *) self->dc[i])->handle : NULL;
    planes[i].surface = ((GstClMemory *) self->surface)->handle;
    for (guint k = 0; k < GST_GPU_MAX_REFERENCES; k++)
      planes[i].references[k] = self->references[k] ? ((GstClMemory *) self->references[k])->handle : NULL;
  }
}

static GstMapFlags
map_flags (GstClAccess access)
{
  return (access & GST_CL_READ ? GST_MAP_READ : 0) | (access & GST_CL_WRITE ? GST_MAP_WRITE : 0);
}

static gboolean
map_memory (GstMemory *memory, GstClAccess access, const GstClRanges *ranges, GstMapInfo *info, GError **error)
{
  if (!access)
    return TRUE;
  if (ranges && ranges->n && gst_is_cl_memory (memory))
    gst_cl_memory_fetch ((GstClMemory *) memory, ranges->ranges, ranges->n);
  if (gst_memory_map (memory, info, map_flags (access)))
    return TRUE;
  info->memory = NULL;
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED, "A memory of a coded picture does not map");

  return FALSE;
}

static void
unmap_memory (GstMapInfo *info)
{
  if (info->memory)
    gst_memory_unmap (info->memory, info);
}

void
gst_cl_mapped_picture_unmap (GstClMappedPicture *mapped)
{
  unmap_memory (&mapped->header);
  unmap_memory (&mapped->coeffs);
  unmap_memory (&mapped->surface);
  for (guint i = 0; i < GST_CL_MAX_PLANE_SETS; i++)
    unmap_memory (&mapped->dc[i]);
  for (guint i = 0; i < GST_GPU_MAX_REFERENCES; i++)
    unmap_memory (&mapped->reference_maps[i]);
}

/* Those that are not the surface itself, which is mapped already */
static gboolean
map_references (const GstClPicture *self, GstClMappedPicture *mapped, GError **error)
{
  for (guint i = 0; i < GST_GPU_MAX_REFERENCES; i++)
    if (self->references[i] && self->references[i] != self->surface
        && !map_memory (self->references[i], GST_CL_READ, NULL, &mapped->reference_maps[i], error))
      return FALSE;

  return TRUE;
}

/* Samples for every number that a record may say */
static void
set_reference_samples (const GstClMappedPicture *mapped, GpuReferencePicture *reference)
{
  for (guint i = 0; i < GST_GPU_MAX_REFERENCES; i++)
    reference->references[i] = mapped->reference_maps[i].memory ? mapped->reference_maps[i].data : mapped->surface.data;
}

gboolean
gst_cl_picture_map (const GstClPicture *self, GstClAccess header, GstClAccess coeffs, GstClAccess dc, GstClAccess surface,
    GstClMappedPicture *mapped, GError **error)
{
  gboolean ok;

  memset (mapped, 0, sizeof (*mapped));
  ok = map_memory (self->header, header, &self->header_ranges, &mapped->header, error)
      && map_memory (self->coeffs, coeffs, &self->coeffs_ranges, &mapped->coeffs, error)
      && map_memory (self->surface, surface, NULL, &mapped->surface, error) && map_references (self, mapped, error);
  for (guint i = 0; ok && i < self->n_planes; i++)
    ok = map_memory (self->dc[i], dc, NULL, &mapped->dc[i], error);
  if (!ok) {
    gst_cl_mapped_picture_unmap (mapped);
    return FALSE;
  }

  mapped->segments = (const GstGpuSegment *) (mapped->header.data + self->picture->layout[0].segments);
  for (guint i = 0; i < self->n_planes; i++) {
    GpuReferencePicture *reference = &mapped->references[i];

    reference->params = &self->params[i];
    reference->header = mapped->header.data;
    reference->layout = self->picture->layout[i];
    reference->has_inter = self->picture->has_inter;
    reference->coeffs = mapped->coeffs.data;
    reference->dc = (int32_t *) mapped->dc[i].data;
    reference->samples = mapped->surface.data;
    if (self->picture->has_inter)
      set_reference_samples (mapped, reference);
  }

  return TRUE;
}
