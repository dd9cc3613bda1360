/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Devices: enumeration, choice, sharing inside the process and through GstContext.
 */
#include <gst/gpuopencl/gstcldevices.h>

#include "cltest.h"
#include "gstcldiscovery-private.h"

GST_START_TEST (test_shared_in_process)
{
  GstClContext *first = cl_test_context (), *second = cl_test_context ();

  fail_unless (first == second);
  fail_unless (first->handle && first->queue);
  gst_object_unref (first);
  gst_object_unref (second);

  /* gone with its last user, and made anew */
  first = cl_test_context ();
  fail_unless (first->handle != NULL);
  ASSERT_OBJECT_REFCOUNT (first, "context", 1);
  gst_object_unref (first);
}

GST_END_TEST;

GST_START_TEST (test_enumeration)
{
  GstClContext *context = cl_test_context ();
  GValue devices = G_VALUE_INIT;
  gboolean found = FALSE;

  g_value_init (&devices, GST_TYPE_ARRAY);
  gst_cl_devices_enumerate (&devices);
  fail_unless (gst_value_array_get_size (&devices) > 0);
  for (guint i = 0; i < gst_value_array_get_size (&devices); i++) {
    const GstStructure *device = g_value_get_boxed (gst_value_array_get_value (&devices, i));
    gint platform_index, device_index;

    fail_unless (gst_structure_get_int (device, "platform", &platform_index));
    fail_unless (gst_structure_get_int (device, "device", &device_index));
    fail_unless (gst_structure_get_string (device, "type") != NULL);
    if (platform_index == context->names.platform_index && device_index == context->names.device_index) {
      fail_unless_equals_string (gst_structure_get_string (device, "name"), gst_cl_context_get_name (context));
      found = TRUE;
    }
  }
  fail_unless (found);
  g_value_unset (&devices);
  gst_object_unref (context);
}

GST_END_TEST;

GST_START_TEST (test_device_that_does_not_exist)
{
  GError *error = NULL;

  fail_unless (!gst_cl_context_new (1000, -1, &error));
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND));
  fail_unless (strstr (error->message, "platform=1000") != NULL);
  g_clear_error (&error);
}

GST_END_TEST;

GST_START_TEST (test_device_by_name)
{
  GstClContext *context = cl_test_context (), *found;
  gchar *name = g_ascii_strup (gst_cl_context_get_name (context), -1);
  GError *error = NULL;

  found = gst_cl_context_new_by_name (name, &error);
  fail_unless (found == context);
  gst_object_unref (found);
  fail_unless (!gst_cl_context_new_by_name ("no such device", &error));
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND));
  fail_unless (strstr (error->message, "device-name=no such device") != NULL);
  g_clear_error (&error);
  g_free (name);
  gst_object_unref (context);
}

GST_END_TEST;

GST_START_TEST (test_choices)
{
  gchar uuid[] = "00112233445566778899aabbccddeeff", gpu_name[] = "Some Radeon 9", cpu_name[] = "cpu-x";
  GstClDeviceNames gpu = { 1, 0, 2, gpu_name, uuid }, cpu = { 0, 1, -1, cpu_name, uuid + 32 };
  static const struct
  {
    gint platform, device;
    const gchar *name;
    gboolean takes_gpu, takes_cpu;
  } choices[] = {
    { -1, -1, NULL, TRUE, TRUE }, { -1, -1, "", TRUE, TRUE }, { 1, -1, NULL, TRUE, FALSE }, { -1, 1, NULL, FALSE, TRUE },
    { -1, -1, "radeon", TRUE, FALSE }, { 0, -1, "radeon", FALSE, FALSE }, { -1, -1, "GPU:2", TRUE, FALSE },
    { -1, -1, "gpu:1", FALSE, FALSE }, { -1, -1, "gpu:-1", FALSE, FALSE }, { -1, -1, "00112233445566778899AABBCCDDEEFF", TRUE, FALSE },
    { -1, -1, "00112233-4455-6677-8899-aabbccddeeff", TRUE, FALSE }, { -1, -1, "00112233445566778899aabbccddeef", FALSE, FALSE },
    { -1, -1, "00112233445566778899aabbccddeeff0", FALSE, FALSE }, { -1, -1, "-", FALSE, TRUE }, /* a part of the name, no UUID */
  };

  for (guint i = 0; i < G_N_ELEMENTS (choices); i++) {
    gchar *name = g_strdup (choices[i].name);
    const GstClDeviceChoice choice = { choices[i].platform, choices[i].device, name };

    fail_unless_equals_int (gst_cl_device_choice_takes (&choice, &gpu), choices[i].takes_gpu);
    fail_unless_equals_int (gst_cl_device_choice_takes (&choice, &cpu), choices[i].takes_cpu);
    g_free (name);
  }
}

GST_END_TEST;

GST_START_TEST (test_query_and_set_context)
{
  GstClContext *context = cl_test_context (), *taken = NULL, *other = NULL;
  GstElement *element = gst_element_factory_make ("fakesink", NULL);
  GstQuery *query = gst_query_new_context (GST_CL_CONTEXT_TYPE), *foreign = gst_query_new_context ("gst.test.context");
  GstContext *answer = NULL;
  const GstClDeviceChoice any = GST_CL_DEVICE_CHOICE_ANY, another = { context->names.platform_index + 1, -1, NULL };

  fail_if (gst_cl_context_handle_query (element, query, NULL));
  fail_if (gst_cl_context_handle_query (element, foreign, context));
  fail_unless (gst_cl_context_handle_query (element, query, context));
  gst_query_parse_context (query, &answer);
  fail_unless (answer != NULL);

  gst_cl_context_handle_set_context (element, answer, &any, &taken);
  fail_unless (taken == context);
  /* not the device that was asked for */
  gst_cl_context_handle_set_context (element, answer, &another, &other);
  fail_unless (!other);

  gst_query_unref (query);
  gst_query_unref (foreign);
  gst_object_unref (taken);
  gst_object_unref (context);
  gst_object_unref (element);
}

GST_END_TEST;

GST_START_TEST (test_ensure_announces)
{
  GstElement *pipeline = gst_pipeline_new (NULL), *element = gst_element_factory_make ("identity", NULL);
  const GstClDeviceChoice any = GST_CL_DEVICE_CHOICE_ANY;
  GstClContext *context = NULL;
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;

  gst_bin_add (GST_BIN (pipeline), element);
  fail_unless (gst_cl_context_ensure (element, &any, FALSE, &context));
  fail_unless (!context);

  /* identity has no set_context of ours: the handler is called by hand, as an element's does */
  context = cl_test_context ();
  fail_unless (gst_cl_context_ensure (element, &any, TRUE, &context));
  fail_unless (context != NULL);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_NEED_CONTEXT);
  fail_unless (message != NULL);
  gst_message_unref (message);
  gst_object_unref (context);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
}

GST_END_TEST;

GST_START_TEST (test_status_names)
{
  fail_unless_equals_string (gst_cl_status_name (CL_OUT_OF_RESOURCES), "CL_OUT_OF_RESOURCES");
  fail_unless_equals_string (gst_cl_status_name (-1001), "CL_PLATFORM_NOT_FOUND_KHR");
  fail_unless_equals_string (gst_cl_status_name (-12345), "unknown OpenCL status");
}

GST_END_TEST;

static Suite *
clcontext_suite (void)
{
  Suite *suite = suite_create ("clcontext");
  TCase *tests = tcase_create ("general");

  suite_add_tcase (suite, tests);
  tcase_add_test (tests, test_shared_in_process);
  tcase_add_test (tests, test_enumeration);
  tcase_add_test (tests, test_device_that_does_not_exist);
  tcase_add_test (tests, test_device_by_name);
  tcase_add_test (tests, test_choices);
  tcase_add_test (tests, test_query_and_set_context);
  tcase_add_test (tests, test_ensure_announces);
  tcase_add_test (tests, test_status_names);

  return suite;
}

CL_TEST_MAIN (clcontext_suite);
