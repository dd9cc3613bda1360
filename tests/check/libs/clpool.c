/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Pools of surfaces, raw video and arenas, and the layout of surfaces.
 */
#include "cltest.h"
#include "gstclpool.h"
#include "gstclreuse.h"
#include "gstcodedpicture.h"

static void
format_init (GstCodedFormat *format, guint chroma_format_idc, guint depth_luma, guint depth_chroma)
{
  gst_coded_format_init (format);
  format->coded_width = 80;
  format->coded_height = 48;
  format->width = 70;
  format->height = 40;
  format->crop_x = 2;
  format->crop_y = 4;
  format->chroma_format_idc = chroma_format_idc;
  format->bit_depth_luma = depth_luma;
  format->bit_depth_chroma = depth_chroma;
}

GST_START_TEST (test_layout)
{
  GstClSurfaceLayout layout;
  GstCodedFormat format;

  format_init (&format, 1, 8, 8);
  gst_cl_surface_layout_init (&layout, &format);
  assert_equals_int (layout.sample_size, 1);
  assert_equals_int (layout.n_planes, 3);
  assert_equals_int (layout.stride[0], 128);
  assert_equals_int (layout.stride[1], 64);
  assert_equals_uint64 (layout.offset[1], 128 * 48);
  assert_equals_uint64 (layout.offset[2], 128 * 48 + 64 * 24);
  fail_unless (layout.size >= 128 * 48 + 2 * 64 * 24);

  /* one depth above 8: two bytes for all planes */
  format_init (&format, 2, 8, 10);
  gst_cl_surface_layout_init (&layout, &format);
  assert_equals_int (layout.sample_size, 2);
  assert_equals_int (layout.stride[0], 192);
  assert_equals_int (layout.stride[1], 128);
  assert_equals_uint64 (layout.offset[2], 192 * 48 + 128 * 48);

  format_init (&format, 0, 8, 8);
  gst_cl_surface_layout_init (&layout, &format);
  assert_equals_int (layout.n_planes, 1);
}

GST_END_TEST;

static void
check_surfaces (GstClContext *context)
{
  GstCodedFormat format;
  GstClStats *stats = gst_cl_stats_new ();
  GstBufferPool *pool;
  GstBuffer *buffers[6];
  GstVideoFrame frame;
  GstVideoInfo info;

  format_init (&format, 1, 8, 8);
  pool = gst_cl_surface_pool_new (context, &format, stats);
  fail_unless (pool != NULL);
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  /* more than were asked for: downstream may hold many */
  for (guint i = 0; i < G_N_ELEMENTS (buffers); i++) {
    fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &buffers[i], NULL), GST_FLOW_OK);
    assert_equals_int (gst_buffer_n_memory (buffers[i]), 1);
    fail_unless_equals_int (gst_is_cl_memory (gst_buffer_peek_memory (buffers[i], 0)), context != NULL);
  }
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_I420, 80, 48);
  fail_unless (gst_video_frame_map (&frame, &info, buffers[0], GST_MAP_WRITE));
  assert_equals_int (GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0), 128);
  assert_equals_int (GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 2), 64);
  gst_video_frame_unmap (&frame);
  for (guint i = 0; i < G_N_ELEMENTS (buffers); i++)
    gst_buffer_unref (buffers[i]);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  gst_cl_stats_unref (stats);
}

GST_START_TEST (test_surfaces)
{
  GstClContext *context = cl_test_context ();

  check_surfaces (context);
  check_surfaces (NULL);
  gst_object_unref (context);
}

GST_END_TEST;

GST_START_TEST (test_raw_video)
{
  GstClContext *context = cl_test_context ();
  GstCaps *caps = gst_caps_from_string ("video/x-raw, format=P016_LE, width=51, height=33, framerate=25/1");
  GstBufferPool *pool = gst_cl_video_pool_new (context, caps, NULL);
  GstVideoInfo info;
  GstBuffer *buffer;

  fail_unless (gst_video_info_from_caps (&info, caps));
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), GST_FLOW_OK);
  assert_equals_uint64 (gst_buffer_get_size (buffer), info.size);
  gst_buffer_unref (buffer);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  gst_caps_unref (caps);
  gst_object_unref (context);
}

GST_END_TEST;

/* What a stage does with an arena: reads it on the device */
static void
use_on_device (GstClContext *context, cl_command_queue queue, GstMemory *memory, GstMemory *target, GstClStats *stats)
{
  GstClMemory *from = gst_cl_memory_of (memory, context), *to = gst_cl_memory_of (target, context);
  GstClWaitList *wait = gst_cl_wait_list_new ();
  cl_event event;

  fail_unless (from && to);
  fail_unless_equals_int (gst_cl_memory_begin_ranges (from, queue, GST_CL_READ, NULL, 0, wait, stats), CL_SUCCESS);
  fail_unless_equals_int (gst_cl_memory_begin_ranges (to, queue, GST_CL_WRITE, NULL, 0, wait, stats), CL_SUCCESS);
  fail_unless_equals_int (clEnqueueCopyBuffer (queue, from->handle, to->handle, 0, 0, to->mem.size, GST_CL_WAIT_LIST (wait), &event),
      CL_SUCCESS);
  gst_cl_memory_end (GST_MEMORY_CAST (from), queue, GST_CL_READ, event);
  gst_cl_memory_end (GST_MEMORY_CAST (to), queue, GST_CL_WRITE, event);
  clReleaseEvent (event);
  clFlush (queue);
  gst_cl_wait_list_free (wait);
}

static void
fill (GstMemory *memory, gint value)
{
  GstMapInfo info;

  fail_unless (gst_memory_map (memory, &info, GST_MAP_WRITE));
  memset (info.data, value, info.size);
  gst_memory_unmap (memory, &info);
}

/* Pictures follow each other through two arenas without anybody waiting by hand; each arrives whole. */
GST_START_TEST (test_arenas)
{
  GstClContext *context = cl_test_context ();
  GstClStats *stats = gst_cl_stats_new ();
  GstBufferPool *pool = gst_cl_arena_pool_new (context, stats);
  cl_command_queue queue = gst_cl_context_create_queue (context, NULL);
  GstMemory *targets[20];
  GstStructure *config;
  GstCodedFormat format;
  GstCaps *caps;

  format_init (&format, 1, 8, 8);
  caps = gst_coded_format_to_caps (&format);
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, 1 << 16, 2, 2);
  fail_unless (gst_buffer_pool_set_config (pool, config));
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  for (guint i = 0; i < G_N_ELEMENTS (targets); i++) {
    GstBuffer *buffer;

    fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), GST_FLOW_OK);
    assert_equals_int (gst_buffer_n_memory (buffer), 2);
    fill (gst_buffer_peek_memory (buffer, GST_CODED_MEMORY_COEFFS), i + 1);
    targets[i] = gst_cl_memory_new (context, 1 << 16, 0, NULL, NULL);
    use_on_device (context, queue, gst_buffer_peek_memory (buffer, GST_CODED_MEMORY_COEFFS), targets[i], stats);
    gst_buffer_unref (buffer);
  }
  for (guint i = 0; i < G_N_ELEMENTS (targets); i++) {
    GstMapInfo info;

    fail_unless (gst_memory_map (targets[i], &info, GST_MAP_READ));
    for (gsize j = 0; j < info.size; j++)
      fail_unless_equals_int (info.data[j], i + 1);
    gst_memory_unmap (targets[i], &info);
    gst_memory_unref (targets[i]);
  }
  assert_equals_uint64 (gst_cl_stats_get (stats, GST_CL_MAP_BYTES_DOWN), 0);
  assert_equals_uint64 (gst_cl_stats_get (stats, GST_CL_BYTES_UP), (guint64) G_N_ELEMENTS (targets) << 16);
  gst_caps_unref (caps);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  clReleaseCommandQueue (queue);
  gst_cl_stats_unref (stats);
  gst_object_unref (context);
}

GST_END_TEST;

/* (transfer full): a surface of @pool, with its memory in *@memory */
static GstBuffer *
acquire (GstBufferPool *pool, GstMemory **memory)
{
  GstBuffer *buffer;

  fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), GST_FLOW_OK);
  assert_equals_int (gst_buffer_n_memory (buffer), 1);
  fail_unless (gst_buffer_get_video_meta (buffer) != NULL);
  *memory = gst_buffer_peek_memory (buffer, 0);
  return buffer;
}

/* What one stream gives back is the next one's, which counts its own maps; what somebody has yet is not. */
GST_START_TEST (test_streams_share)
{
  GstClContext *context = cl_test_context ();
  GstClStats *stats[2] = { gst_cl_stats_new (), gst_cl_stats_new () };
  GstBufferPool *pools[2];
  GstBuffer *buffer;
  GstMemory *memory, *again, *kept;
  GstCodedFormat format;
  GstMapInfo info;

  gst_cl_reuse_hold (context);
  format_init (&format, 1, 8, 8);
  for (guint i = 0; i < 2; i++) {
    pools[i] = gst_cl_surface_pool_new (context, &format, stats[i]);
    fail_unless (pools[i] && gst_buffer_pool_set_active (pools[i], TRUE));
  }
  buffer = acquire (pools[0], &memory);
  gst_buffer_unref (buffer);
  buffer = acquire (pools[1], &again);
  fail_unless (again == memory);
  fail_unless_equals_int (gst_cl_memory_clear ((GstClMemory *) again), CL_SUCCESS);
  fail_unless (gst_memory_map (again, &info, GST_MAP_READ));
  gst_memory_unmap (again, &info);
  assert_equals_uint64 (gst_cl_stats_get (stats[0], GST_CL_MAP_BYTES_DOWN), 0);
  assert_equals_uint64 (gst_cl_stats_get (stats[1], GST_CL_MAP_BYTES_DOWN), again->size);

  kept = gst_memory_ref (again);
  gst_buffer_unref (buffer);
  buffer = acquire (pools[0], &memory);
  fail_unless (memory != kept);
  gst_memory_unref (kept);

  /* a buffer that comes back when its pool is done with is for others, too */
  gst_buffer_pool_set_active (pools[0], FALSE);
  gst_object_unref (pools[0]);
  gst_buffer_unref (buffer);
  buffer = acquire (pools[1], &again);
  fail_unless (again == memory);
  gst_buffer_unref (buffer);
  gst_buffer_pool_set_active (pools[1], FALSE);
  gst_object_unref (pools[1]);
  gst_cl_reuse_release (context);
  for (guint i = 0; i < 2; i++)
    gst_cl_stats_unref (stats[i]);
  ASSERT_OBJECT_REFCOUNT (context, "context", 1);
  gst_object_unref (context);
}

GST_END_TEST;

static Suite *
clpool_suite (void)
{
  Suite *suite = suite_create ("clpool");
  TCase *tests = tcase_create ("general");

  suite_add_tcase (suite, tests);
  tcase_add_test (tests, test_layout);
  tcase_add_test (tests, test_surfaces);
  tcase_add_test (tests, test_raw_video);
  tcase_add_test (tests, test_arenas);
  tcase_add_test (tests, test_streams_share);

  return suite;
}

CL_TEST_MAIN (clpool_suite);
