/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The frames that wait for their output; inside this library.
 */
#pragma once

#include "gstframestore.h"

G_BEGIN_DECLS

/* The frame stores that wait for the entropy stage to say whether they are shown, by number.  Belongs to the streaming thread, but
 * for gst_output_list_flush(). */
typedef struct
{
  GMutex lock;
  GHashTable *stores;
} GstOutputList;

G_GNUC_INTERNAL void gst_output_list_init (GstOutputList *self);
G_GNUC_INTERNAL void gst_output_list_clear (GstOutputList *self);

/* Takes a reference on @store.  Does nothing where it is in the list already (the second field of a frame). */
G_GNUC_INTERNAL void gst_output_list_add (GstOutputList *self, GstFrameStore *store);

/* (transfer full) (nullable): takes the store out of the list */
G_GNUC_INTERNAL GstFrameStore *gst_output_list_take (GstOutputList *self, guint32 number);

/* Forgets all stores, and returns how many there were. */
G_GNUC_INTERNAL guint gst_output_list_forget (GstOutputList *self);

/* From any thread: wakes whoever waits for a store in the list. */
G_GNUC_INTERNAL void gst_output_list_flush (GstOutputList *self);

G_END_DECLS
