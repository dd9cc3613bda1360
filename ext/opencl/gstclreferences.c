/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstclreferences.h"

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

/* Reference number i; FALSE: it is not what the stream meant. */
static gboolean
find_reference (GstClPicture *self, guint i, GstClContext *context)
{
  GstFrameStore *own = self->picture->store, *store = self->picture->references[i];
  gboolean usable, is_damaged;

  if (!store)
    return FALSE;
  usable = store == own ? gst_frame_store_wait_first_field (store) : gst_frame_store_wait_submitted (store);
  self->references[i] = find_surface (self, store, context);

  is_damaged = (store->buffer_flags & GST_BUFFER_FLAG_CORRUPTED) && store->number >= self->picture->first_sound;

  return usable && self->references[i] && !is_damaged;
}

/* Of those found, the one nearest to the picture in output order */
static GstMemory *
find_substitute (const GstClPicture *self, GstMemory *const found[GPU_MAX_REFERENCES])
{
  const GstCodedPicture *picture = self->picture;
  GstMemory *nearest = self->surface;
  guint64 least = G_MAXUINT64;

  for (guint i = 0; i < picture->n_references; i++) {
    guint64 distance;

    if (!found[i] || found[i] == self->surface)
      continue;
    distance = (guint64) ABS ((gint64) picture->references[i]->poc[0] - picture->store->poc[0]);
    if (distance < least) {
      least = distance;
      nearest = found[i];
    }
  }

  return nearest;
}

gboolean
gst_cl_picture_find_references (GstClPicture *self, GstClContext *context, GError **error)
{
  GstCodedPicture *picture = self->picture;
  GstMemory *found[GPU_MAX_REFERENCES];
  gboolean intact = TRUE;

  if (!picture->has_inter) {
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
        "A coded picture contradicts itself: it needs inter prediction and has no records of it");
    return FALSE;
  }

  for (guint i = 0; i < picture->n_references; i++)
    intact &= find_reference (self, i, context);
  memcpy (found, self->references, sizeof (found));
  for (guint i = 0; i < picture->n_references; i++)
    if (!self->references[i])
      self->references[i] = find_substitute (self, found);
  if (!intact) {
    GST_DEBUG ("frame %u is predicted from frames that are missing or damaged", picture->store->number);
    picture->store->buffer_flags |= GST_BUFFER_FLAG_CORRUPTED;
  }

  return TRUE;
}
