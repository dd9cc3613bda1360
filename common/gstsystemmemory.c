/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstsystemmemory.h"

#include "gstcodedformat.h"
#include "gsthugepages.h"

/**
 * gst_system_memory_new:
 * @size: bytes, at least 1
 *
 * GStreamer's own allocator ends the process where there is not enough memory.
 *
 * Returns: (transfer full) (nullable): memory that is aligned to 64 bytes at the least and holds anything; %NULL where there is not so much
 */
GstMemory *
gst_system_memory_new (gsize size)
{
  gpointer block = gst_huge_pages_alloc (size);
  GstMemory *memory;

  if (!block)
    return NULL;
  memory = gst_memory_new_wrapped (0, block, size, 0, size, block, free);
  /* for copies */
  G_STATIC_ASSERT (GST_CODED_ARENA_ALIGNMENT <= 64);
  memory->align = GST_CODED_ARENA_ALIGNMENT - 1;
  return memory;
}
