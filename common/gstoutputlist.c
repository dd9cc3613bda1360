/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstoutputlist-private.h"

void
gst_output_list_init (GstOutputList *self)
{
  g_mutex_init (&self->lock);
  self->stores = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) gst_frame_store_unref);
}

void
gst_output_list_clear (GstOutputList *self)
{
  g_hash_table_unref (self->stores);
  g_mutex_clear (&self->lock);
}

void
gst_output_list_add (GstOutputList *self, GstFrameStore *store)
{
  gpointer key = GUINT_TO_POINTER (store->number);

  g_mutex_lock (&self->lock);
  if (g_hash_table_lookup (self->stores, key) != store)
    g_hash_table_insert (self->stores, key, gst_frame_store_ref (store));
  g_mutex_unlock (&self->lock);
}

GstFrameStore *
gst_output_list_take (GstOutputList *self, guint32 number)
{
  gpointer store = NULL;

  g_mutex_lock (&self->lock);
  g_hash_table_steal_extended (self->stores, GUINT_TO_POINTER (number), NULL, &store);
  g_mutex_unlock (&self->lock);

  return store;
}

guint
gst_output_list_forget (GstOutputList *self)
{
  guint n_stores;

  g_mutex_lock (&self->lock);
  n_stores = g_hash_table_size (self->stores);
  g_hash_table_remove_all (self->stores);
  g_mutex_unlock (&self->lock);

  return n_stores;
}

void
gst_output_list_flush (GstOutputList *self)
{
  GHashTableIter iter;
  gpointer store;

  g_mutex_lock (&self->lock);
  g_hash_table_iter_init (&iter, self->stores);
  while (g_hash_table_iter_next (&iter, NULL, &store))
    gst_frame_store_flush (store);
  g_mutex_unlock (&self->lock);
}
