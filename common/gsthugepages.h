/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Large blocks of memory, on huge pages where the system has them to give (Linux, transparent_hugepage other than "never"): a block's first
 * use costs a page fault for each 2 MiB, not for each 4 KiB, and every use fewer misses in the TLB.
 *
 * Each library or plugin that links this has its own.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* (nullable): @size bytes, aligned to 64 at the least, of which all will be used: surfaces, maps.  Large blocks stand one behind the other
 * on huge pages that they share, so that none is held for the sake of a block's last bytes.  For gst_huge_pages_free(), from any
 * thread. */
gpointer gst_huge_pages_alloc (gsize size);

/* (nullable): the same for blocks that are as large as the largest picture needs, while most pictures use their beginning only: what is
 * never used never takes memory, and huge pages begin behind the first 2 MiB. */
gpointer gst_huge_pages_alloc_sparse (gsize size);

/* @block: (nullable): of either.  What no other block is on goes back to the system at once. */
void gst_huge_pages_free (gpointer block);

G_END_DECLS
