/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Large blocks: whole, apart from each other, and gone when they are free.
 */
#include <stdio.h>
#include <string.h>
#include <gst/check/gstcheck.h>
#include "gsthugepages.h"

#define MIB ((gsize) 1 << 20)

/* Under the address sanitizer, which has memory of its own for each block, what is resident says nothing, and a size that cannot be ends
 * the program. */
#if defined(__SANITIZE_ADDRESS__)
#define MEASURES FALSE
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MEASURES FALSE
#endif
#endif
#ifndef MEASURES
#define MEASURES TRUE
#endif

/* Bytes of memory of its own that this process holds.  What is mapped from files comes and goes with the libraries' pages, and the counters
 * of /proc/self/statm lag behind: this one is counted page by page when it is asked for. */
static gsize
read_anonymous (void)
{
  gchar *text;
  const gchar *line;
  gulong kib;

  fail_unless (g_file_get_contents ("/proc/self/smaps_rollup", &text, NULL, NULL));
  line = strstr (text, "\nAnonymous:");
  fail_unless (line && sscanf (line, "\nAnonymous: %lu kB", &kib) == 1);
  g_free (text);
  return (gsize) kib * 1024;
}

typedef struct
{
  guint8 *bytes;
  gsize size;
  guint8 value;
} Block;

static void
fill (Block *block, gsize size, guint8 value)
{
  *block = (Block){ gst_huge_pages_alloc (size), size, value };
  fail_unless (block->bytes);
  assert_equals_uint64 ((gsize) block->bytes % 64, 0);
  memset (block->bytes, value, size);
}

static void
check_and_free (Block *block)
{
  if (!block->bytes)
    return;
  for (gsize i = 0; i < block->size; i++)
    if (block->bytes[i] != block->value)
      fail ("byte %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " is of another block", i, block->size);
  gst_huge_pages_free (block->bytes);
  block->bytes = NULL;
}

/* Blocks of all sizes come and go in any order, and each keeps its bytes. */
GST_START_TEST (test_apart)
{
  static const gsize sizes[] = { 1, 4095, MIB - 1, MIB, MIB + 1, 1397760, 2 * MIB, 3133504, 8 * MIB, 8 * MIB + 1, 17 * MIB };
  GRand *rand = g_rand_new_with_seed (1);
  Block blocks[12] = { 0 };

  for (guint i = 0; i < 200; i++) {
    Block *block = &blocks[g_rand_int_range (rand, 0, G_N_ELEMENTS (blocks))];

    check_and_free (block);
    fill (block, sizes[g_rand_int_range (rand, 0, G_N_ELEMENTS (sizes))], (guint8) i);
  }
  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    check_and_free (&blocks[i]);
  gst_huge_pages_free (NULL);
  g_rand_free (rand);
}

GST_END_TEST;

/* Twenty surfaces of 1080p take their own size, and not that of whole huge pages each. */
GST_START_TEST (test_resident)
{
  const gsize before = read_anonymous ();
  Block blocks[20];

  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    fill (&blocks[i], 3133504, (guint8) i);
  fail_unless (read_anonymous () - before < 20 * (gsize) 3133504 + 7 * MIB);
  /* a freed one's place is taken again */
  check_and_free (&blocks[3]);
  fill (&blocks[3], 3133504, 3);
  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    check_and_free (&blocks[i]);
  fail_unless (read_anonymous () < before + MIB);
}

GST_END_TEST;

/* Of a sparse block the pages that are touched are there, and no others. */
GST_START_TEST (test_sparse)
{
  const gsize before = read_anonymous ();
  guint8 *block = gst_huge_pages_alloc_sparse (64 * MIB);

  fail_unless (block);
  memset (block, 1, MIB / 2);
  fail_unless (read_anonymous () - before < MIB);
  block[64 * MIB - 1] = 1;
  fail_unless (read_anonymous () - before < 4 * MIB);
  gst_huge_pages_free (block);
}

GST_END_TEST;

/* Sizes that cannot be are refused. */
GST_START_TEST (test_refuses)
{
  fail_if (gst_huge_pages_alloc (G_MAXSIZE - 1));
  fail_if (gst_huge_pages_alloc (G_MAXSIZE / 2));
  fail_if (gst_huge_pages_alloc_sparse (G_MAXSIZE / 2));
}

GST_END_TEST;

static Suite *
hugepages_suite (void)
{
  Suite *s = suite_create ("hugepages");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_apart);
  if (MEASURES) {
    tcase_add_test (tc, test_resident);
    tcase_add_test (tc, test_sparse);
    tcase_add_test (tc, test_refuses);
  }

  return s;
}

GST_CHECK_MAIN (hugepages);
