/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstclreferences.h"
#include "gstsystemmemory.h"

/* The samples of @store, if they lie as those of the picture do */
static GstMemory *
find_surface (const GstClPicture *self, GstFrameStore *store, GstClContext *context)
{
  GstMemory *memory;

  if (!store->surface || gst_buffer_n_memory (store->surface) != 1)
    return NULL;
  memory = gst_buffer_peek_memory (store->surface, 0);
  if (memory->size != self->surface->size || (context && !gst_cl_memory_of (memory, context)))
    return NULL;

  return memory;
}

/* A frame refers to frames of two fields (8.2.1), so what has one is there in place of something lost, and its other lines are nobody's. */
static gboolean
has_all_lines (const GstClPicture *self, GstFrameStore *store)
{
  return self->params[0].field_pic || gst_frame_store_fill_missing_field (store);
}

/* Reference number i; FALSE: it is not what the stream meant. */
static gboolean
find_reference (GstClPicture *self, guint i, GstClContext *context)
{
  GstFrameStore *own = self->picture->store, *store = self->picture->references[i];
  gboolean usable, is_damaged;

  if (!store)
    return FALSE;
  usable = store == own ? gst_frame_store_wait_first_field (store) : gst_frame_store_wait_submitted (store);
  if (has_all_lines (self, store))
    self->references[i] = find_surface (self, store, context);

  is_damaged = (store->buffer_flags & GST_BUFFER_FLAG_CORRUPTED) && store->number >= self->picture->first_sound;

  return usable && self->references[i] && !is_damaged;
}

/* Of those found, the one nearest to the picture in output order, with the lines of both fields; NULL where there is none */
static GstMemory *
find_substitute (const GstClPicture *self, GstMemory *const found[GST_GPU_MAX_REFERENCES])
{
  const GstCodedPicture *picture = self->picture;
  GstFrameStore *nearest = NULL;
  GstMemory *surface = NULL;
  guint64 least = G_MAXUINT64;

  for (guint i = 0; i < picture->n_references; i++) {
    guint64 distance;

    if (!found[i] || found[i] == self->surface)
      continue;
    distance = (guint64) ABS ((gint64) picture->references[i]->poc[0] - picture->store->poc[0]);
    if (distance < least) {
      least = distance;
      nearest = picture->references[i];
      surface = found[i];
    }
  }

  return nearest && gst_frame_store_fill_missing_field (nearest) ? surface : NULL;
}

/* A surface of the middle value of every sample, or of the component with fewer bits */
static gboolean
make_grey (const GstClPicture *self, GstClContext *context, GstMemory **grey, GError **error)
{
  const GstGpuPicture *params = &self->params[0];
  const guint16 value = (guint16) (1u << (MIN (params->bit_depth_luma, params->bit_depth_chroma) - 1));
  const gsize size = self->surface->size;
  GstMemory *memory = context ? gst_cl_memory_new (context, size, 0, NULL, NULL) : gst_system_memory_new (size);
  GstMapInfo map;

  if (!memory || !gst_memory_map (memory, &map, GST_MAP_WRITE)) {
    g_clear_pointer (&memory, gst_memory_unref);
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT, "There is no memory for a missing reference picture");
    return FALSE;
  }
  if (params->bit_depth_luma > 8 || params->bit_depth_chroma > 8)
    for (gsize i = 0; i < size / 2; i++)
      ((guint16 *) map.data)[i] = value;
  else
    memset (map.data, value, size);
  gst_memory_unmap (memory, &map);
  *grey = memory;

  return TRUE;
}

/* Puts others in the place of references that were not found. */
static gboolean
conceal_references (GstClPicture *self, GstClContext *context, GstMemory **grey, GError **error)
{
  GstMemory *found[GST_GPU_MAX_REFERENCES];

  memcpy (found, self->references, sizeof (found));
  for (guint i = 0; i < self->picture->n_references; i++) {
    if (self->references[i])
      continue;
    self->references[i] = find_substitute (self, found);
    if (self->references[i])
      continue;
    /* not what the picture's own surface holds: that is of another stream, or nobody's */
    if (!*grey && !make_grey (self, context, grey, error))
      return FALSE;
    self->references[i] = *grey;
  }

  return TRUE;
}

gboolean
gst_cl_picture_find_references (GstClPicture *self, GstClContext *context, GstMemory **grey, GError **error)
{
  GstCodedPicture *picture = self->picture;
  gboolean intact = TRUE;

  if (!picture->has_inter) {
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
        "A coded picture contradicts itself: it needs inter prediction and has no records of it");
    return FALSE;
  }

  for (guint i = 0; i < picture->n_references; i++)
    intact &= find_reference (self, i, context);
  if (!intact) {
    GST_DEBUG ("frame %u is predicted from frames that are missing or damaged", picture->store->number);
    picture->store->buffer_flags |= GST_BUFFER_FLAG_CORRUPTED;
  }

  return intact || conceal_references (self, context, grey, error);
}
