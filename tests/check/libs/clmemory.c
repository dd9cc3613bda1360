/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Memory between CPU and device: who has the bytes, who waits, what is counted.  Run with GST_CL_STAGING=1 too, where the device gets a
 * copy.
 */
#include "cltest.h"
#include "gstclmemory-private.h"

#define SIZE 4096

typedef struct
{
  GstClContext *context;
  GstClStats *stats;
  cl_command_queue queue;
} Fixture;

static void
fixture_init (Fixture *f)
{
  f->context = cl_test_context ();
  f->stats = gst_cl_stats_new ();
  f->queue = gst_cl_context_create_queue (f->context, NULL);
  fail_unless (f->queue != NULL);
}

static void
fixture_clear (Fixture *f)
{
  clReleaseCommandQueue (f->queue);
  gst_cl_stats_unref (f->stats);
  gst_object_unref (f->context);
}

static GstMemory *
new_memory (Fixture *f, GstClMemoryFlags flags)
{
  GstMemory *memory = gst_cl_memory_new (f->context, SIZE, flags, NULL, f->stats);

  fail_unless (memory != NULL);

  return memory;
}

static void
fill_on_cpu (GstMemory *memory, guint8 base)
{
  GstMapInfo info;

  fail_unless (gst_memory_map (memory, &info, GST_MAP_WRITE));
  for (guint i = 0; i < info.size; i++)
    info.data[i] = base + i % 100;
  gst_memory_unmap (memory, &info);
}

/* As an element does it; never waits */
static void
fill_on_device (Fixture *f, GstMemory *memory, guint8 value, gsize offset, gsize size)
{
  GstClMemory *cl_memory = (GstClMemory *) memory;
  GstClWaitList *wait = gst_cl_wait_list_new ();
  cl_event event;

  fail_unless_equals_int (gst_cl_memory_begin_ranges (cl_memory, f->queue, GST_CL_READWRITE, NULL, 0, wait, f->stats), CL_SUCCESS);
  fail_unless_equals_int (clEnqueueFillBuffer (f->queue, cl_memory->handle, &value, 1, offset, size, GST_CL_WAIT_LIST (wait), &event),
      CL_SUCCESS);
  gst_cl_memory_end (GST_MEMORY_CAST (cl_memory), f->queue, GST_CL_READWRITE, event);
  clReleaseEvent (event);
  clFlush (f->queue);
  gst_cl_wait_list_free (wait);
}

static void
check_on_cpu (GstMemory *memory, guint8 base, guint8 value, gsize offset, gsize size)
{
  GstMapInfo info;
  guint n_wrong = 0;

  fail_unless (gst_memory_map (memory, &info, GST_MAP_READ));
  fail_unless_equals_int ((gsize) info.data % 64, 0);
  for (guint i = 0; i < info.size; i++)
    n_wrong += info.data[i] != (i >= offset && i < offset + size ? value : (guint8) (base + i % 100));
  fail_unless_equals_int (n_wrong, 0);
  gst_memory_unmap (memory, &info);
}

GST_START_TEST (test_there_and_back)
{
  Fixture f;
  GstMemory *memory;

  fixture_init (&f);
  memory = new_memory (&f, 0);
  for (guint i = 0; i < 5; i++) {
    fill_on_cpu (memory, i);
    fill_on_device (&f, memory, 200, 64, 1000);
    fill_on_device (&f, memory, 201, 64, 1000);
    check_on_cpu (memory, i, 201, 64, 1000);
    /* already here: nothing moves */
    check_on_cpu (memory, i, 201, 64, 1000);
  }
  fail_unless_equals_uint64 (gst_cl_stats_get (f.stats, GST_CL_TRANSFERS_UP), 5);
  fail_unless_equals_uint64 (gst_cl_stats_get (f.stats, GST_CL_BYTES_UP), 5 * SIZE);
  /* a map for writing keeps what the device wrote */
  fail_unless_equals_uint64 (gst_cl_stats_get (f.stats, GST_CL_MAP_TRANSFERS_DOWN), 5);
  fail_unless_equals_uint64 (gst_cl_stats_get (f.stats, GST_CL_MAP_BYTES_DOWN), 5 * SIZE);
  gst_memory_unref (memory);
  fixture_clear (&f);
}

GST_END_TEST;

/* A wait and a transfer count for the element that works on a picture, else for the owner of the memory. */
GST_START_TEST (test_who_waits)
{
  Fixture f;
  GstClStats *element = gst_cl_stats_new ();
  GstMemory *memory;
  guint64 owner_bytes;

  fixture_init (&f);
  memory = new_memory (&f, 0);
  fill_on_cpu (memory, 0);
  fill_on_device (&f, memory, 1, 0, SIZE);
  check_on_cpu (memory, 0, 1, 0, SIZE);
  owner_bytes = gst_cl_stats_get (f.stats, GST_CL_MAP_BYTES_DOWN);
  fail_unless_equals_uint64 (owner_bytes, SIZE);
  fill_on_device (&f, memory, 2, 0, SIZE);
  gst_cl_stats_begin_picture (element);
  check_on_cpu (memory, 0, 2, 0, SIZE);
  gst_cl_stats_end_picture ();
  fail_unless_equals_uint64 (gst_cl_stats_get (element, GST_CL_BYTES_DOWN), SIZE);
  fail_unless_equals_uint64 (gst_cl_stats_get (element, GST_CL_TRANSFERS_DOWN), 1);
  fail_unless_equals_uint64 (gst_cl_stats_get (element, GST_CL_MAP_BYTES_DOWN), 0);
  fail_unless_equals_uint64 (gst_cl_stats_get (f.stats, GST_CL_MAP_BYTES_DOWN), owner_bytes);
  gst_memory_unref (memory);
  gst_cl_stats_unref (element);
  fixture_clear (&f);
}

GST_END_TEST;

GST_START_TEST (test_ranges)
{
  const GstClRange ranges[] = { { 0, 100 }, { 1024, 64 } }, outside[] = { { SIZE - 10, 11 } };
  Fixture f;
  GstMemory *memory;
  GstClWaitList *wait = gst_cl_wait_list_new ();
  guint8 device[SIZE];

  fixture_init (&f);
  memory = new_memory (&f, GST_CL_MEMORY_REWRITTEN);
  fill_on_cpu (memory, 3);
  fail_unless_equals_int (gst_cl_memory_begin_ranges ((GstClMemory *) memory, f.queue, GST_CL_READ, outside, 1, wait, f.stats),
      CL_INVALID_VALUE);
  fail_unless (gst_cl_memory_needs_upload ((GstClMemory *) memory));
  fail_unless_equals_int (gst_cl_memory_begin_ranges ((GstClMemory *) memory, f.queue, GST_CL_READ, ranges, 2, wait, f.stats), CL_SUCCESS);
  fail_if (gst_cl_memory_needs_upload ((GstClMemory *) memory));
  fail_unless_equals_int (clEnqueueReadBuffer (f.queue, ((GstClMemory *) memory)->handle, CL_TRUE, 0, SIZE, device, GST_CL_WAIT_LIST (wait),
                              NULL),
      CL_SUCCESS);
  for (guint r = 0; r < 2; r++)
    for (gsize i = ranges[r].offset; i < ranges[r].offset + ranges[r].size; i++)
      fail_unless_equals_int (device[i], 3 + i % 100);
  fail_unless_equals_uint64 (gst_cl_stats_get (f.stats, GST_CL_TRANSFERS_UP), 2);
  fail_unless_equals_uint64 (gst_cl_stats_get (f.stats, GST_CL_BYTES_UP), 164);
  gst_cl_wait_list_free (wait);
  gst_memory_unref (memory);
  fixture_clear (&f);
}

GST_END_TEST;

GST_START_TEST (test_recycled_arena_moves_nothing_down)
{
  Fixture f;
  GstMemory *memory;

  fixture_init (&f);
  memory = new_memory (&f, GST_CL_MEMORY_REWRITTEN);
  for (guint i = 0; i < 5; i++) {
    fill_on_cpu (memory, i);
    fill_on_device (&f, memory, 9, 0, 10);
    gst_cl_memory_prefetch_map ((GstClMemory *) memory);
  }
  fail_unless_equals_uint64 (gst_cl_stats_get (f.stats, GST_CL_MAP_BYTES_DOWN), 0);
  gst_memory_unref (memory);
  fixture_clear (&f);
}

GST_END_TEST;

/* Two queues take turns on one memory: the events keep the order. */
GST_START_TEST (test_two_queues)
{
  Fixture f, g;
  GstMemory *memory;

  fixture_init (&f);
  fixture_init (&g);
  memory = new_memory (&f, 0);
  fill_on_cpu (memory, 0);
  for (guint i = 0; i < 100; i++) {
    fill_on_device (&f, memory, 255, 0, SIZE);
    fill_on_device (&g, memory, i, 0, SIZE);
  }
  check_on_cpu (memory, 0, 99, 0, SIZE);
  gst_memory_unref (memory);
  fixture_clear (&f);
  fixture_clear (&g);
}

GST_END_TEST;

/* Many readers on many queues, then a writer */
GST_START_TEST (test_many_readers)
{
  Fixture f;
  cl_command_queue queues[20];
  GstMemory *memory, *copies[20];

  fixture_init (&f);
  memory = new_memory (&f, 0);
  fill_on_cpu (memory, 7);
  for (guint i = 0; i < G_N_ELEMENTS (queues); i++) {
    GstClWaitList *wait = gst_cl_wait_list_new ();
    GstClMemory *from = (GstClMemory *) memory, *to;
    cl_event event;

    queues[i] = gst_cl_context_create_queue (f.context, NULL);
    copies[i] = new_memory (&f, 0);
    to = (GstClMemory *) copies[i];
    fail_unless_equals_int (gst_cl_memory_begin_ranges (from, queues[i], GST_CL_READ, NULL, 0, wait, f.stats), CL_SUCCESS);
    fail_unless_equals_int (gst_cl_memory_begin_ranges (to, queues[i], GST_CL_WRITE, NULL, 0, wait, f.stats), CL_SUCCESS);
    fail_unless_equals_int (clEnqueueCopyBuffer (queues[i], from->handle, to->handle, 0, 0, SIZE, GST_CL_WAIT_LIST (wait), &event),
        CL_SUCCESS);
    gst_cl_memory_end (GST_MEMORY_CAST (from), queues[i], GST_CL_READ, event);
    gst_cl_memory_end (GST_MEMORY_CAST (to), queues[i], GST_CL_WRITE, event);
    clReleaseEvent (event);
    clFlush (queues[i]);
    gst_cl_wait_list_free (wait);
  }
  fill_on_device (&f, memory, 1, 0, SIZE);
  for (guint i = 0; i < G_N_ELEMENTS (queues); i++) {
    check_on_cpu (copies[i], 7, 0, 0, 0);
    gst_memory_unref (copies[i]);
    clReleaseCommandQueue (queues[i]);
  }
  gst_memory_unref (memory);
  fixture_clear (&f);
}

GST_END_TEST;

GST_START_TEST (test_copy)
{
  Fixture f;
  GstMemory *memory, *copy;

  fixture_init (&f);
  memory = new_memory (&f, 0);
  fill_on_cpu (memory, 1);
  fill_on_device (&f, memory, 222, 100, 100);
  copy = gst_memory_copy (memory, 0, -1);
  fail_unless (gst_is_cl_memory (copy));
  fill_on_device (&f, memory, 111, 0, SIZE);
  check_on_cpu (copy, 1, 222, 100, 100);
  check_on_cpu (memory, 1, 111, 0, SIZE);
  gst_memory_unref (copy);
  gst_memory_unref (memory);
  fixture_clear (&f);
}

GST_END_TEST;

GST_START_TEST (test_clear)
{
  Fixture f;
  GstMemory *memory;
  GstMapInfo info;

  fixture_init (&f);
  memory = new_memory (&f, 0);
  fill_on_device (&f, memory, 5, 0, SIZE);
  fail_unless_equals_int (gst_cl_memory_clear ((GstClMemory *) memory), CL_SUCCESS);
  fail_unless (gst_memory_map (memory, &info, GST_MAP_READ));
  for (guint i = 0; i < info.size; i++)
    fail_unless_equals_int (info.data[i], 0);
  gst_memory_unmap (memory, &info);
  fail_unless_equals_uint64 (gst_cl_stats_get (f.stats, GST_CL_BYTES_UP), 0);
  gst_memory_unref (memory);
  fixture_clear (&f);
}

GST_END_TEST;

/* A memory in two buffers is nobody's to write. */
GST_START_TEST (test_writer_gets_a_copy)
{
  Fixture f;
  GstBuffer *surface = gst_buffer_new (), *output = gst_buffer_new ();
  GstMapInfo info;
  GstMemory *memory;

  fixture_init (&f);
  memory = new_memory (&f, 0);
  fill_on_cpu (memory, 1);
  gst_buffer_append_memory (surface, gst_memory_ref (memory));
  gst_buffer_append_memory (output, gst_memory_ref (memory));
  fail_unless (gst_buffer_map (output, &info, GST_MAP_READWRITE));
  memset (info.data, 77, info.size);
  gst_buffer_unmap (output, &info);
  fail_if (gst_buffer_peek_memory (output, 0) == memory);
  check_on_cpu (memory, 1, 0, 0, 0);
  check_on_cpu (gst_buffer_peek_memory (output, 0), 0, 77, 0, SIZE);
  gst_buffer_unref (output);
  gst_buffer_unref (surface);
  gst_memory_unref (memory);
  fixture_clear (&f);
}

GST_END_TEST;

/* Large enough for huge pages, and no multiple of them; given up while a command still writes it */
GST_START_TEST (test_large)
{
  const gsize size = ((gsize) 3 << 20) + 100;
  Fixture f;
  GstMemory *memory;

  fixture_init (&f);
  memory = gst_cl_memory_new (f.context, size, 0, NULL, f.stats);
  fail_unless (memory != NULL);
  fill_on_cpu (memory, 1);
  fill_on_device (&f, memory, 200, size - 1000, 1000);
  check_on_cpu (memory, 1, 200, size - 1000, 1000);
  fill_on_device (&f, memory, 201, 0, size);
  gst_memory_unref (memory);
  fail_unless_equals_int (clFinish (f.queue), CL_SUCCESS);
  fixture_clear (&f);
}

GST_END_TEST;

GST_START_TEST (test_sizes_that_are_not_possible)
{
  Fixture f;

  fixture_init (&f);
  fail_unless (!gst_cl_memory_new (f.context, 0, 0, NULL, f.stats));
  fail_unless (!gst_cl_memory_new (f.context, f.context->max_alloc + 1, 0, NULL, f.stats));
  fail_unless (!gst_cl_memory_of (NULL, f.context));
  fixture_clear (&f);
}

GST_END_TEST;

static Suite *
clmemory_suite (void)
{
  Suite *suite = suite_create ("clmemory");
  TCase *tests = tcase_create ("general");

  suite_add_tcase (suite, tests);
  tcase_add_test (tests, test_there_and_back);
  tcase_add_test (tests, test_who_waits);
  tcase_add_test (tests, test_ranges);
  tcase_add_test (tests, test_recycled_arena_moves_nothing_down);
  tcase_add_test (tests, test_two_queues);
  tcase_add_test (tests, test_many_readers);
  tcase_add_test (tests, test_copy);
  tcase_add_test (tests, test_clear);
  tcase_add_test (tests, test_writer_gets_a_copy);
  tcase_add_test (tests, test_large);
  tcase_add_test (tests, test_sizes_that_are_not_possible);

  return suite;
}

CL_TEST_MAIN (clmemory_suite);
