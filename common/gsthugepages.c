/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gsthugepages.h"

#include <stdlib.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#define HUGE_PAGE_SIZE ((gsize) 2 << 20)
#define PAGE_SIZE ((gsize) 4096)

/* Blocks from this size on stand in regions, which hold several of the sizes that pictures of up to 2560x1440 have.  A larger one has a
 * region of its own. */
#define REGIONS_FROM ((gsize) 1 << 20)
#define REGION_SIZE ((gsize) 16 << 20)

/* Bytes of a sparse block before its first huge page: a block stands on a huge page's boundary, and the first one would be as long */
#define SPARSE_BEGINNING HUGE_PAGE_SIZE

/* Where the address sanitizer watches, each block is one of its own, or it could not see what is written behind its end. */
#if defined(__SANITIZE_ADDRESS__) || !defined(__linux__)
#define HAS_REGIONS FALSE
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_REGIONS FALSE
#endif
#endif
#ifndef HAS_REGIONS
#define HAS_REGIONS TRUE
#endif

/* A block in a region: bytes from its start */
typedef struct
{
  gsize begin, end;
} Extent;

/* Memory from the system, which it goes back to as soon as nothing is in it: malloc() would keep it, and is not asked */
typedef struct
{
  gpointer mapping;
  gsize mapping_size;
  guint8 *base; /* on a huge page's boundary */
  gsize size;
  gboolean sparse; /* for one block alone */
  GArray *extents; /* Extent, in their order */
} Region;

static GMutex lock;
static GPtrArray *regions; /* of Region */

static gsize
round_up (gsize value, gsize multiple)
{
  return (value + multiple - 1) / multiple * multiple;
}

#ifdef __linux__
static gpointer
map_memory (gsize size)
{
  gpointer mapping = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  return mapping == MAP_FAILED ? NULL : mapping;
}

static void
unmap_memory (gpointer mapping, gsize size)
{
  (void) munmap (mapping, size);
}

/* Tells the system about the whole huge pages from @begin to @end. */
static void
advise (guint8 *base, gsize begin, gsize end, int advice)
{
  guint8 *from = base + round_up (begin, HUGE_PAGE_SIZE), *to = base + end / HUGE_PAGE_SIZE * HUGE_PAGE_SIZE;

  if (from < to)
    (void) madvise (from, (gsize) (to - from), advice);
}

/* A sparse block's beginning stands on small pages even where the system gives huge ones unasked (transparent_hugepage "always"). */
static void
ask_for_huge_pages (guint8 *base, gsize size, gboolean sparse)
{
#ifdef MADV_HUGEPAGE
  if (sparse)
    advise (base, 0, SPARSE_BEGINNING, MADV_NOHUGEPAGE);
  advise (base, sparse ? SPARSE_BEGINNING : 0, size, MADV_HUGEPAGE);
#endif
}

static void
drop_pages (guint8 *base, gsize begin, gsize end)
{
  advise (base, begin, end, MADV_DONTNEED);
}
#else
static gpointer
map_memory (gsize size)
{
  return NULL;
}

static void
unmap_memory (gpointer mapping, gsize size)
{
}

static void
ask_for_huge_pages (guint8 *base, gsize size, gboolean sparse)
{
}

static void
drop_pages (guint8 *base, gsize begin, gsize end)
{
}
#endif

/* Where the gap before extent @i begins and ends, or the last one behind all of them */
static Extent
get_gap (const Region *region, guint i)
{
  const Extent *extents = (const Extent *) (gpointer) region->extents->data;

  return (Extent){ i > 0 ? extents[i - 1].end : 0, i < region->extents->len ? extents[i].begin : region->size };
}

static gpointer
take_from (Region *region, gsize size)
{
  for (guint i = 0; i <= region->extents->len; i++) {
    const Extent gap = get_gap (region, i);

    if (gap.end - gap.begin >= size) {
      const Extent taken = { gap.begin, gap.begin + size };

      g_array_insert_val (region->extents, i, taken);
      return region->base + taken.begin;
    }
  }
  return NULL;
}

/* (nullable) */
static Region *
add_region (gsize size, gboolean sparse)
{
  const gsize mapping_size = round_up (size, PAGE_SIZE) + HUGE_PAGE_SIZE;
  gpointer mapping = map_memory (mapping_size);
  Region *region;

  if (!mapping)
    return NULL;
  region = g_new (Region, 1);
  *region = (Region){ .mapping = mapping,
    .mapping_size = mapping_size,
    .base = (guint8 *) round_up ((gsize) mapping, HUGE_PAGE_SIZE),
    .size = size,
    .sparse = sparse,
    .extents = g_array_new (FALSE, FALSE, sizeof (Extent)) };
  ask_for_huge_pages (region->base, size, sparse);
  if (!regions)
    regions = g_ptr_array_new ();
  g_ptr_array_add (regions, region);
  return region;
}

/* With the lock */
static gpointer
take_from_regions (gsize size, gboolean sparse)
{
  gpointer block = NULL;
  Region *region;

  for (guint i = 0; !sparse && regions && i < regions->len && !block; i++) {
    region = g_ptr_array_index (regions, i);
    if (!region->sparse)
      block = take_from (region, size);
  }
  if (block)
    return block;
  region = add_region (sparse || size > REGION_SIZE / 2 ? size : REGION_SIZE, sparse);
  return region ? take_from (region, size) : NULL;
}

static gpointer
take_block (gsize size, gboolean sparse)
{
  gpointer block;

  if (!HAS_REGIONS || size < REGIONS_FROM)
    return posix_memalign (&block, 64, size) == 0 ? block : NULL;
  if (size > G_MAXSIZE - 2 * HUGE_PAGE_SIZE)
    return NULL;
  g_mutex_lock (&lock);
  block = take_from_regions (round_up (size, PAGE_SIZE), sparse);
  g_mutex_unlock (&lock);
  return block;
}

gpointer
gst_huge_pages_alloc (gsize size)
{
  return take_block (size, FALSE);
}

gpointer
gst_huge_pages_alloc_sparse (gsize size)
{
  return take_block (size, TRUE);
}

/* Takes extent @i out of @region number @number, with the lock. */
static void
give_back (guint number, guint i)
{
  Region *region = g_ptr_array_index (regions, number);
  Extent gap;

  g_array_remove_index (region->extents, i);
  if (region->extents->len > 0) {
    gap = get_gap (region, i);
    drop_pages (region->base, gap.begin, gap.end);
    return;
  }
  unmap_memory (region->mapping, region->mapping_size);
  g_array_unref (region->extents);
  g_free (region);
  g_ptr_array_remove_index_fast (regions, number);
  /* nothing of it stays when the last block goes */
  if (regions->len == 0)
    g_clear_pointer (&regions, g_ptr_array_unref);
}

/* FALSE where @block stands in none */
static gboolean
give_back_to_regions (const guint8 *block)
{
  for (guint number = 0; regions && number < regions->len; number++) {
    const Region *region = g_ptr_array_index (regions, number);

    if (block < region->base || block >= region->base + region->size)
      continue;
    for (guint i = 0; i < region->extents->len; i++)
      if (region->base + g_array_index (region->extents, Extent, i).begin == block) {
        give_back (number, i);
        return TRUE;
      }
    g_return_val_if_reached (TRUE);
  }
  return FALSE;
}

void
gst_huge_pages_free (gpointer block)
{
  gboolean found;

  if (!block)
    return;
  g_mutex_lock (&lock);
  found = give_back_to_regions (block);
  g_mutex_unlock (&lock);
  if (!found)
    free (block);
}
