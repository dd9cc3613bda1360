/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A machine without an OpenCL driver.
 */
#include <gst/check/gstcheck.h>
#include <gst/gpuopencl/gstcldevices.h>

#include "gstclstage.h"

/* A stage that does nothing */
typedef GstClStage TestStage;
typedef GstClStageClass TestStageClass;
GType test_stage_get_type (void);
G_DEFINE_TYPE (TestStage, test_stage, GST_TYPE_CL_STAGE);

static void
test_stage_class_init (TestStageClass *klass)
{
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), "Test stage", "Test", "Does nothing", "nobody");
  GST_GPU_STAGE_CLASS (klass)->stage = GST_CODED_STAGE_DEBLOCK;
  klass->name = "teststage";
}

static void
test_stage_init (TestStage *self)
{
}

GST_START_TEST (test_context)
{
  GError *error = NULL;
  GValue devices = G_VALUE_INIT;

  fail_unless (!gst_cl_context_new (-1, -1, &error));
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND));
  fail_unless (strstr (error->message, "pocl-opencl-icd") != NULL, "%s", error->message);
  g_clear_error (&error);

  g_value_init (&devices, GST_TYPE_ARRAY);
  gst_cl_devices_enumerate (&devices);
  fail_unless_equals_int (gst_value_array_get_size (&devices), 0);
  g_value_unset (&devices);
}

GST_END_TEST;

GST_START_TEST (test_stage)
{
  GstElement *pipeline = gst_pipeline_new (NULL), *stage = g_object_new (test_stage_get_type (), NULL);
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;
  GError *error = NULL;

  gst_bin_add (GST_BIN (pipeline), stage);
  fail_unless_equals_int (gst_element_set_state (pipeline, GST_STATE_READY), GST_STATE_CHANGE_FAILURE);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND));
  fail_unless (strstr (error->message, "pocl-opencl-icd") != NULL, "%s", error->message);
  g_clear_error (&error);
  gst_message_unref (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);

  /* C needs no device, and offers system memory only */
  gst_util_set_object_arg (G_OBJECT (stage), "backend", "c");
  fail_unless_equals_int (gst_element_set_state (pipeline, GST_STATE_READY), GST_STATE_CHANGE_SUCCESS);
  fail_unless (!gst_cl_stage_get_device (GST_CL_STAGE (stage))->context);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
}

GST_END_TEST;

static Suite *
clnodevice_suite (void)
{
  Suite *suite = suite_create ("clnodevice");
  TCase *tests = tcase_create ("general");

  suite_add_tcase (suite, tests);
  tcase_add_test (tests, test_context);
  tcase_add_test (tests, test_stage);

  return suite;
}

int
main (int argc, char **argv)
{
  g_setenv ("OCL_ICD_VENDORS", "/nonexistent", TRUE);
  gst_check_init (&argc, &argv);

  return gst_check_run_suite (clnodevice_suite (), "clnodevice", __FILE__);
}
