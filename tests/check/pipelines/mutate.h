/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The NAL units at the start of an Annex B byte stream that make at most @max_size bytes, but at least one picture */
GBytes *mutate_cut (GBytes *stream, gsize max_size);

/* (transfer full): @stream with one to three faults: flipped bits, overwritten bytes, NAL units cut short, doubled, exchanged or missing.
 * The same @seed gives the same faults.  @description: (out) (transfer full): what was done */
GBytes *mutate_stream (GBytes *stream, guint32 seed, gchar **description);

G_END_DECLS
