/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Large blocks of memory, on huge pages where the system has them to give (Linux, transparent_hugepage other than "never"): a block's first
 * use costs a page fault for each 2 MiB, not for each 4 KiB, and every use fewer misses in the TLB.
 */
#pragma once

#include <stdlib.h>
#include <glib.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

G_BEGIN_DECLS

#define GST_HUGE_PAGE_SIZE ((gsize) 2 << 20)

/* Blocks from this size on are worth the room that their last page may leave unused. */
#define GST_HUGE_PAGES_FROM (GST_HUGE_PAGE_SIZE / 2)

/* (nullable): @size bytes, aligned to 64 at the least, for free().  Small blocks are as good as any. */
static inline gpointer
gst_huge_pages_alloc (gsize size)
{
  gsize alignment = 64;
  gpointer block;

  if (size >= GST_HUGE_PAGES_FROM && size <= G_MAXSIZE - GST_HUGE_PAGE_SIZE) {
    alignment = GST_HUGE_PAGE_SIZE;
    size = (size + alignment - 1) & ~(alignment - 1);
  }
  if (posix_memalign (&block, alignment, size) != 0)
    return NULL;
#ifdef MADV_HUGEPAGE
  if (alignment == GST_HUGE_PAGE_SIZE)
    (void) madvise (block, size, MADV_HUGEPAGE);
#endif
  return block;
}

G_END_DECLS
