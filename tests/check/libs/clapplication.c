/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The library as an application sees it: the installed headers only.
 */
#include <gst/check/gstcheck.h>
#include <gst/gpuopencl/gpuopencl.h>

#define SIZE 1000

static GstClContext *
open_context (void)
{
  GError *error = NULL;
  GstClContext *context = gst_cl_context_new (-1, -1, &error);

  fail_unless (context != NULL, "%s", error ? error->message : "");

  return context;
}

GST_START_TEST (test_version)
{
  fail_unless (GST_CL_CHECK_VERSION (0, 1, 0));
  fail_unless (GST_CL_CHECK_VERSION (GST_CL_VERSION_MAJOR, GST_CL_VERSION_MINOR, GST_CL_VERSION_MICRO));
  fail_if (GST_CL_CHECK_VERSION (GST_CL_VERSION_MAJOR, GST_CL_VERSION_MINOR, GST_CL_VERSION_MICRO + 1));
  fail_if (GST_CL_CHECK_VERSION (GST_CL_VERSION_MAJOR + 1, 0, 0));
}

GST_END_TEST;

GST_START_TEST (test_context)
{
  GstClContext *context = open_context (), *found;
  GstContext *gst_context = gst_cl_context_to_gst_context (context), *other = gst_context_new ("gst.test.context", TRUE);
  GstElement *pipeline = gst_pipeline_new (NULL);
  GstQuery *query = gst_query_new_context (GST_CL_CONTEXT_TYPE);
  cl_device_id device = NULL;

  fail_unless_equals_int (clGetContextInfo (gst_cl_context_get_handle (context), CL_CONTEXT_DEVICES, sizeof (device), &device, NULL),
      CL_SUCCESS);
  fail_unless (device == gst_cl_context_get_device (context));
  fail_unless (gst_cl_context_get_name (context)[0] != '\0');
  found = gst_cl_context_new (gst_cl_context_get_platform_index (context), gst_cl_context_get_device_index (context), NULL);
  fail_unless (found == context);
  gst_object_unref (found);

  fail_unless (!gst_cl_context_from_gst_context (other));
  found = gst_cl_context_from_gst_context (gst_context);
  fail_unless (found == context);
  gst_object_unref (found);

  fail_unless (!gst_cl_context_from_query (query));
  gst_query_set_context (query, gst_context);
  found = gst_cl_context_from_query (query);
  fail_unless (found == context);
  gst_object_unref (found);

  fail_unless (!gst_cl_context_from_element (pipeline));
  gst_element_set_context (pipeline, gst_context);
  found = gst_cl_context_from_element (pipeline);
  fail_unless (found == context);
  gst_object_unref (found);

  gst_query_unref (query);
  gst_object_unref (pipeline);
  gst_context_unref (other);
  gst_context_unref (gst_context);
  ASSERT_OBJECT_REFCOUNT (context, "context", 1);
  gst_object_unref (context);
}

GST_END_TEST;

/* The last element of a pipeline knows nothing of devices: its neighbour does. */
GST_START_TEST (test_context_of_neighbour)
{
  GstElement *pipeline = gst_parse_launch ("gpucsc name=csc ! fakesink name=sink", NULL), *csc, *sink;
  GstClContext *of_csc, *of_sink;

  fail_unless (pipeline != NULL);
  csc = gst_bin_get_by_name (GST_BIN (pipeline), "csc");
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  fail_unless_equals_int (gst_element_set_state (pipeline, GST_STATE_READY), GST_STATE_CHANGE_SUCCESS);
  of_csc = gst_cl_context_from_element (csc);
  of_sink = gst_cl_context_from_element (sink);
  fail_unless (of_csc && of_sink == of_csc);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (of_csc);
  gst_object_unref (of_sink);
  gst_object_unref (csc);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* Four commands, each on a queue of its own, that copy a quarter each */
static void
copy_on_device (GstMemory *from, GstMemory *to)
{
  GstClContext *context = gst_cl_memory_get_context (from);

  for (guint i = 0; i < 4; i++) {
    cl_command_queue queue = gst_cl_context_create_queue (context, NULL);
    g_autoptr (GstClWaitList) wait = gst_cl_wait_list_new ();
    cl_event event;

    fail_unless_equals_int (gst_cl_memory_begin (from, queue, GST_CL_READ, wait), CL_SUCCESS);
    fail_unless_equals_int (gst_cl_memory_begin (to, queue, GST_CL_READWRITE, wait), CL_SUCCESS);
    fail_unless (gst_cl_wait_list_get_length (wait) > 0 || i == 0);
    fail_unless_equals_int (clEnqueueCopyBuffer (queue, gst_cl_memory_get_handle (from), gst_cl_memory_get_handle (to), i * SIZE / 4,
                                i * SIZE / 4, SIZE / 4, GST_CL_WAIT_LIST (wait), &event),
        CL_SUCCESS);
    gst_cl_memory_end (from, queue, GST_CL_READ, event);
    gst_cl_memory_end (to, queue, GST_CL_READWRITE, event);
    clReleaseEvent (event);
    clFinish (queue);
    clReleaseCommandQueue (queue);
  }
}

GST_START_TEST (test_memory)
{
  GstClContext *context = open_context ();
  GstMemory *from = gst_cl_memory_alloc (context, SIZE), *to = gst_cl_memory_alloc (context, SIZE);
  GstMapInfo info;
  guint n_wrong = 0;

  fail_unless (gst_is_cl_memory (from) && gst_memory_is_type (from, GST_CL_MEMORY_NAME));
  fail_unless (gst_cl_memory_get_context (from) == context);
  fail_unless (gst_memory_map (from, &info, GST_MAP_WRITE));
  for (guint i = 0; i < SIZE; i++)
    info.data[i] = i * 7;
  gst_memory_unmap (from, &info);
  fail_unless (gst_memory_map (to, &info, GST_MAP_WRITE));
  memset (info.data, 0, SIZE);
  gst_memory_unmap (to, &info);

  copy_on_device (from, to);
  fail_unless (gst_memory_map (to, &info, GST_MAP_READ));
  for (guint i = 0; i < SIZE; i++)
    n_wrong += info.data[i] != (guint8) (i * 7);
  fail_unless_equals_int (n_wrong, 0);
  gst_memory_unmap (to, &info);

  gst_memory_unref (from);
  gst_memory_unref (to);
  gst_object_unref (context);
}

GST_END_TEST;

GST_START_TEST (test_what_is_refused)
{
  GstClContext *context = open_context ();
  GstMemory *memory = gst_cl_memory_alloc (context, SIZE), *foreign = gst_allocator_alloc (NULL, SIZE, NULL);
  GstClWaitList *wait = gst_cl_wait_list_new ();
  cl_command_queue queue = gst_cl_context_create_queue (context, NULL);

  fail_if (gst_is_cl_memory (NULL));
  fail_if (gst_is_cl_memory (foreign));

  GST_MINI_OBJECT_FLAG_SET (memory, GST_MEMORY_FLAG_READONLY);
  fail_unless_equals_int (gst_cl_memory_begin (memory, queue, GST_CL_READWRITE, wait), CL_INVALID_OPERATION);
  fail_unless_equals_int (gst_cl_memory_begin (memory, queue, GST_CL_READ, wait), CL_SUCCESS);
  fail_unless_equals_int (gst_cl_wait_list_get_length (wait), 0);
  fail_unless (!gst_cl_wait_list_get_events (wait));

  clReleaseCommandQueue (queue);
  gst_cl_wait_list_free (wait);
  gst_memory_unref (memory);
  gst_memory_unref (foreign);
  gst_object_unref (context);
}

GST_END_TEST;

/* More events than a list has room for at first */
GST_START_TEST (test_long_wait_list)
{
  GstClContext *context = open_context ();
  GstClWaitList *wait = gst_cl_wait_list_new ();
  cl_event event = clCreateUserEvent (gst_cl_context_get_handle (context), NULL);
  cl_uint n_references = 0;

  for (guint i = 0; i < 100; i++)
    gst_cl_wait_list_add (wait, event);
  fail_unless_equals_int (gst_cl_wait_list_get_length (wait), 100);
  for (guint i = 0; i < 100; i++)
    fail_unless (gst_cl_wait_list_get_events (wait)[i] == event);
  gst_cl_wait_list_free (wait);
  fail_unless_equals_int (clGetEventInfo (event, CL_EVENT_REFERENCE_COUNT, sizeof (n_references), &n_references, NULL), CL_SUCCESS);
  fail_unless_equals_int (n_references, 1);
  clSetUserEventStatus (event, CL_COMPLETE);
  clReleaseEvent (event);
  gst_object_unref (context);
}

GST_END_TEST;

static Suite *
clapplication_suite (void)
{
  Suite *suite = suite_create ("clapplication");
  TCase *tests = tcase_create ("general");

  suite_add_tcase (suite, tests);
  tcase_add_test (tests, test_version);
  tcase_add_test (tests, test_context);
  tcase_add_test (tests, test_context_of_neighbour);
  tcase_add_test (tests, test_memory);
  tcase_add_test (tests, test_what_is_refused);
  tcase_add_test (tests, test_long_wait_list);

  return suite;
}

int
main (int argc, char **argv)
{
  GstClContext *context;
  GError *error = NULL;

  /* a driver's threads do not live on in a fork */
  g_setenv ("CK_FORK", "no", TRUE);
  gst_check_init (&argc, &argv);
  context = gst_cl_context_new (-1, -1, &error);
  if (!context) {
    g_printerr ("SKIP: %s\n", error->message);
    g_error_free (error);
    return 77;
  }
  gst_object_unref (context);

  return gst_check_run_suite (clapplication_suite (), "clapplication", __FILE__);
}
