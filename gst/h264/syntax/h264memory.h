/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Memory whose size follows from the stream.  It is tried, not demanded: where there is not so much, decoding ends with an error message,
 * and not the process.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The error, among those constant texts that say what is wrong with a stream, that is no fault of the stream.  Compared by its address. */
extern const gchar h264_no_memory[];

/**
 * h264_try_reserve:
 * @block: (inout): memory from here or NULL, for g_free()
 * @room: (inout): elements it has room for
 * @n: elements wanted
 * @size: bytes of an element
 *
 * Makes room for @n elements; what is in the block stays.  FALSE: there is no memory, and nothing has changed.
 */
gboolean h264_try_reserve (gpointer *block, gsize *room, gsize n, gsize size);

G_END_DECLS
