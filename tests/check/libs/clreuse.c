/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Memory that is used again: which block a picture gets.
 */
#include "cltest.h"
#include "gstclreuse.h"

#define SIZE 4096
/* More blocks than the device uses at a time, and more takings than a block is kept for */
#define MANY 20
#define LONG 11000

/* Memory of the device alone, as what is between two stages */
static GstMemory *
take (GstClContext *context, gsize size)
{
  GstMemory *memory = gst_cl_reuse_take (context, size, GST_CL_MEMORY_DEVICE_ONLY, NULL, NULL);

  fail_unless (memory != NULL);
  assert_equals_uint64 (memory->size, size);
  return memory;
}

/* Gives @memory back while a command writes it, until the status of the event that is returned is set. */
static cl_event
give_back_busy (GstClContext *context, GstMemory *memory)
{
  cl_int status;
  cl_event event = clCreateUserEvent (context->handle, &status);

  fail_unless_equals_int (status, CL_SUCCESS);
  gst_cl_memory_end (memory, context->queue, GST_CL_WRITE, event);
  gst_cl_reuse_give_back (memory);
  return event;
}

static void
end (cl_event event, cl_int status)
{
  fail_unless_equals_int (clSetUserEventStatus (event, status), CL_SUCCESS);
  clReleaseEvent (event);
}

static gboolean
is_freed (const gpointer *memory)
{
  return *memory == NULL;
}

static void
note_freed (gpointer data, GstMiniObject *memory)
{
  *(gpointer *) data = NULL;
}

/* @place becomes NULL when @memory is freed. */
static void
watch (GstMemory *memory, gpointer *place)
{
  *place = memory;
  gst_mini_object_weak_ref (GST_MINI_OBJECT_CAST (memory), note_freed, place);
}

static void
check_last_used_first (GstClContext *context)
{
  GstMemory *a, *b, *c;

  gst_cl_reuse_hold (context);
  a = take (context, SIZE);
  b = take (context, SIZE);
  c = take (context, 2 * SIZE);
  fail_unless (a != b);
  fail_unless_equals_int (gst_is_cl_memory (a), context != NULL);
  gst_cl_reuse_give_back (a);
  gst_cl_reuse_give_back (b);
  gst_cl_reuse_give_back (c);
  fail_unless (take (context, SIZE) == b);
  fail_unless (take (context, SIZE) == a);
  fail_unless (take (context, 2 * SIZE) == c);
  gst_cl_reuse_give_back (a);
  gst_cl_reuse_give_back (b);
  gst_cl_reuse_give_back (c);
  gst_cl_reuse_release (context);
}

GST_START_TEST (test_last_used_first)
{
  GstClContext *context = cl_test_context ();

  check_last_used_first (context);
  check_last_used_first (NULL);
  gst_object_unref (context);
}

GST_END_TEST;

/* What is free is taken before what is in use, and nothing that is in use while there are few of them. */
GST_START_TEST (test_in_use)
{
  GstClContext *context = cl_test_context ();
  GstMemory *a, *b, *c;
  cl_event event;

  gst_cl_reuse_hold (context);
  a = take (context, SIZE);
  b = take (context, SIZE);
  gst_cl_reuse_give_back (b);
  event = give_back_busy (context, a);
  fail_unless (take (context, SIZE) == b);
  c = take (context, SIZE);
  fail_unless (c != a);
  end (event, CL_COMPLETE);
  fail_unless (take (context, SIZE) == a);
  gst_cl_reuse_give_back (a);
  gst_cl_reuse_give_back (b);
  gst_cl_reuse_give_back (c);
  gst_cl_reuse_release (context);
  gst_object_unref (context);
}

GST_END_TEST;

/* However many pictures are on their way, the device uses a few blocks, each in its turn; whoever takes one waits on the device for its
 * last command. */
GST_START_TEST (test_few)
{
  GstClContext *context = cl_test_context ();
  GstClWaitList *wait = gst_cl_wait_list_new ();
  GstMemory *taken[MANY];
  cl_event events[MANY];
  guint n = 0;

  gst_cl_reuse_hold (context);
  for (guint i = 0; i < MANY; i++) {
    taken[i] = take (context, SIZE);
    for (guint k = 0; k < i && n == 0; k++)
      if (taken[k] == taken[i])
        n = i;
    if (n > 0)
      fail_unless (taken[i] == taken[i - n]);
    events[i] = give_back_busy (context, taken[i]);
  }
  fail_unless (n >= 3 && n < MANY);
  fail_unless_equals_int (gst_cl_memory_begin (taken[MANY - n], NULL, GST_CL_WRITE, wait), CL_SUCCESS);
  assert_equals_int (gst_cl_wait_list_get_length (wait), 1);
  fail_unless (gst_cl_wait_list_get_events (wait)[0] == events[MANY - n]);
  gst_cl_wait_list_free (wait);
  for (guint i = 0; i < MANY; i++)
    end (events[i], CL_COMPLETE);
  gst_cl_reuse_release (context);
  gst_object_unref (context);
}

GST_END_TEST;

/* A block whose last command has failed is nobody's any more: the next picture may be of another stream. */
GST_START_TEST (test_failed)
{
  GstClContext *context = cl_test_context ();
  GstMemory *memory;
  gpointer alive;

  gst_cl_reuse_hold (context);
  memory = take (context, SIZE);
  watch (memory, &alive);
  end (give_back_busy (context, memory), -1);
  memory = take (context, SIZE);
  fail_unless (is_freed (&alive));
  gst_cl_reuse_give_back (memory);
  gst_cl_reuse_release (context);
  gst_object_unref (context);
}

GST_END_TEST;

/* A block that is not taken goes when others have been for long, and all go when nobody holds them any more. */
GST_START_TEST (test_goes_back)
{
  GstClContext *context = cl_test_context ();
  gpointer small, large, second;
  GstMemory *a, *b, *c;

  gst_cl_reuse_hold (context);
  gst_cl_reuse_hold (context);
  a = take (context, SIZE);
  b = take (context, SIZE);
  c = take (context, 2 * SIZE);
  watch (a, &small);
  watch (b, &second);
  watch (c, &large);
  gst_cl_reuse_give_back (c);
  gst_cl_reuse_give_back (b);
  gst_cl_reuse_give_back (a);
  for (guint i = 0; i < LONG; i++)
    gst_cl_reuse_give_back (take (context, SIZE));
  fail_unless (is_freed (&large));
  fail_unless (is_freed (&second));
  fail_if (is_freed (&small));
  gst_cl_reuse_release (context);
  fail_if (is_freed (&small));
  gst_cl_reuse_release (context);
  fail_unless (is_freed (&small));
  gst_object_unref (context);
}

GST_END_TEST;

/* Without a holder nothing is kept; a block that comes back late is freed. */
GST_START_TEST (test_nobody_holds)
{
  GstClContext *context = cl_test_context ();
  gpointer alive;
  GstMemory *memory;

  gst_cl_reuse_hold (context);
  memory = take (context, SIZE);
  watch (memory, &alive);
  gst_cl_reuse_release (context);
  fail_if (is_freed (&alive));
  gst_cl_reuse_give_back (memory);
  fail_unless (is_freed (&alive));
  ASSERT_OBJECT_REFCOUNT (context, "context", 1);
  gst_object_unref (context);
}

GST_END_TEST;

static Suite *
clreuse_suite (void)
{
  Suite *suite = suite_create ("clreuse");
  TCase *tests = tcase_create ("general");

  suite_add_tcase (suite, tests);
  tcase_add_test (tests, test_last_used_first);
  tcase_add_test (tests, test_in_use);
  tcase_add_test (tests, test_few);
  tcase_add_test (tests, test_failed);
  tcase_add_test (tests, test_goes_back);
  tcase_add_test (tests, test_nobody_holds);
  return suite;
}

CL_TEST_MAIN (clreuse_suite);
