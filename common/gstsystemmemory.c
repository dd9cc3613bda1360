/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstsystemmemory.h"

#include "gstcodedformat.h"
#include "gsthugepages.h"

static GstMemory *
wrap (gpointer block, gsize size)
{
  GstMemory *memory;

  if (!block)
    return NULL;
  memory = gst_memory_new_wrapped (0, block, size, 0, size, block, gst_huge_pages_free);
  /* for copies */
  G_STATIC_ASSERT (GST_CODED_ARENA_ALIGNMENT <= 64);
  memory->align = GST_CODED_ARENA_ALIGNMENT - 1;
  return memory;
}

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
  return wrap (gst_huge_pages_alloc (size), size);
}

/**
 * gst_system_memory_new_sparse:
 * @size: bytes, at least 1
 *
 * What is never touched is never there: for memory that is as large as the largest picture needs.
 *
 * Returns: (transfer full) (nullable): memory as gst_system_memory_new() gives it
 */
GstMemory *
gst_system_memory_new_sparse (gsize size)
{
  return wrap (gst_huge_pages_alloc_sparse (size), size);
}
