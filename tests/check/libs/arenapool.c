/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The pool of coded pictures: two arenas a buffer, recycled.
 */
#include <gst/check/gstcheck.h>
#include "gstarenapool.h"
#include "gstcodedpicture.h"
#include "gstcoeffmeta.h"

#define COEFFS_SIZE 100032

static GstCaps *
coded_caps (void)
{
  GstCodedFormat format;

  gst_coded_format_init (&format);
  format.width = format.coded_width = 64;
  format.height = format.coded_height = 48;
  return gst_coded_format_to_caps (&format);
}

static gboolean
configure (GstBufferPool *pool, GstCaps *caps, guint size, guint max)
{
  GstStructure *config = gst_buffer_pool_get_config (pool);

  gst_buffer_pool_config_set_params (config, caps, size, 0, max);
  return gst_buffer_pool_set_config (pool, config);
}

GST_START_TEST (test_buffers)
{
  GstCaps *caps = coded_caps ();
  GstBufferPool *pool = gst_arena_pool_new ();
  GstCodedFormat format;
  GstStructure *config;
  GstBuffer *buffer;
  guint size;

  fail_unless (gst_coded_format_from_caps (&format, caps));
  fail_unless (configure (pool, caps, COEFFS_SIZE, 0));
  config = gst_buffer_pool_get_config (pool);
  fail_unless (gst_buffer_pool_config_get_params (config, NULL, &size, NULL, NULL));
  assert_equals_int (size, COEFFS_SIZE);
  gst_structure_free (config);

  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), GST_FLOW_OK);
  assert_equals_int (gst_buffer_n_memory (buffer), 2);
  assert_equals_uint64 (gst_buffer_peek_memory (buffer, GST_CODED_MEMORY_HEADER)->size, gst_coded_format_header_size (&format));
  assert_equals_uint64 (gst_buffer_peek_memory (buffer, GST_CODED_MEMORY_COEFFS)->size, COEFFS_SIZE);
  for (guint i = 0; i < 2; i++) {
    GstMapInfo map;

    fail_unless (gst_memory_map (gst_buffer_peek_memory (buffer, i), &map, GST_MAP_WRITE));
    assert_equals_uint64 ((gsize) map.data % GST_CODED_ARENA_ALIGNMENT, 0);
    memset (map.data, 0xa5, map.size);
    gst_memory_unmap (gst_buffer_peek_memory (buffer, i), &map);
  }
  gst_buffer_unref (buffer);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  gst_caps_unref (caps);
}

GST_END_TEST;

/* Header arenas for few slices, and a larger one for a picture that has more: its buffer does not come back. */
GST_START_TEST (test_slices)
{
  GstCaps *caps = coded_caps ();
  GstBufferPool *pool = gst_arena_pool_new ();
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstCodedFormat format;
  GstBuffer *buffer;
  GstMemory *header;

  fail_unless (gst_coded_format_from_caps (&format, caps));
  gst_buffer_pool_config_set_params (config, caps, COEFFS_SIZE, 0, 0);
  gst_arena_pool_config_set_slices (config, 2);
  fail_unless (gst_buffer_pool_set_config (pool, config));
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  for (guint i = 0; i < 2; i++) {
    fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), GST_FLOW_OK);
    assert_equals_uint64 (gst_buffer_peek_memory (buffer, GST_CODED_MEMORY_HEADER)->size, gst_coded_format_header_size_for (&format, 2));
    assert_equals_uint64 (gst_buffer_peek_memory (buffer, GST_CODED_MEMORY_COEFFS)->size, COEFFS_SIZE);
    header = gst_arena_pool_alloc_header (GST_ARENA_POOL (pool), 8);
    fail_unless (header);
    assert_equals_uint64 (header->size, gst_coded_format_header_size_for (&format, 8));
    gst_buffer_replace_memory (buffer, GST_CODED_MEMORY_HEADER, header);
    gst_buffer_unref (buffer);
  }
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  gst_caps_unref (caps);
}

GST_END_TEST;

/* The second buffer is the first one, with its memories and without its metas. */
GST_START_TEST (test_recycles)
{
  GstCaps *caps = coded_caps ();
  GstBufferPool *pool = gst_arena_pool_new ();
  GstFrameStore *store = gst_frame_store_new (0);
  GstCodedPicture *picture = gst_coded_picture_new (store);
  GstBuffer *buffer, *again;
  GstMemory *memories[2];

  fail_unless (configure (pool, caps, COEFFS_SIZE, 1));
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), GST_FLOW_OK);
  memories[0] = gst_buffer_peek_memory (buffer, 0);
  memories[1] = gst_buffer_peek_memory (buffer, 1);
  gst_buffer_add_coded_picture_meta (buffer, picture);
  gst_buffer_add_coeff_meta (buffer);
  gst_buffer_unref (buffer);
  ASSERT_MINI_OBJECT_REFCOUNT (picture, "picture", 1);

  fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &again, NULL), GST_FLOW_OK);
  fail_unless (again == buffer);
  fail_unless (gst_buffer_peek_memory (again, 0) == memories[0]);
  fail_unless (gst_buffer_peek_memory (again, 1) == memories[1]);
  assert_equals_int (gst_buffer_n_memory (again), 2);
  fail_unless (!gst_buffer_get_coded_picture (again));
  fail_unless (!gst_buffer_get_coeff_meta (again));
  gst_buffer_unref (again);

  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  gst_coded_picture_unref (picture);
  gst_frame_store_unref (store);
  gst_caps_unref (caps);
}

GST_END_TEST;

GST_START_TEST (test_refuses)
{
  GstCaps *caps = coded_caps (), *raw = gst_caps_from_string ("video/x-raw, format=I420, width=64, height=48");
  GstBufferPool *pool = gst_arena_pool_new ();

  fail_if (configure (pool, NULL, COEFFS_SIZE, 0));
  fail_if (configure (pool, raw, COEFFS_SIZE, 0));
  fail_if (configure (pool, caps, 0, 0));
  fail_if (configure (pool, caps, G_MAXUINT, 0));
  fail_if (gst_buffer_pool_set_active (pool, TRUE));
  fail_unless (configure (pool, caps, COEFFS_SIZE, 0));
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  gst_buffer_pool_set_active (pool, FALSE);

  gst_object_unref (pool);
  gst_caps_unref (raw);
  gst_caps_unref (caps);
}

GST_END_TEST;

static Suite *
arenapool_suite (void)
{
  Suite *s = suite_create ("arenapool");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_buffers);
  tcase_add_test (tc, test_slices);
  tcase_add_test (tc, test_recycles);
  tcase_add_test (tc, test_refuses);

  return s;
}

GST_CHECK_MAIN (arenapool);
