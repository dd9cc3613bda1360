/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * How gpuh264dec is registered, by the devices that there may be.
 */
#include <gst/check/gstcheck.h>

#include "gstgpuh264dec.h"

/* The stages of the row, which are linked into this program; h264entropy is in a plugin. */
GST_ELEMENT_REGISTER_DECLARE (gpuidct);
GST_ELEMENT_REGISTER_DECLARE (gpuinterpred);
GST_ELEMENT_REGISTER_DECLARE (gpuintrapred);
GST_ELEMENT_REGISTER_DECLARE (gpudeblock);

static void
check_factory (const gchar *name, guint rank, const gchar *klass)
{
  GstElementFactory *factory = gst_element_factory_find (name);

  fail_unless (factory != NULL, "no %s", name);
  fail_unless_equals_int (gst_plugin_feature_get_rank (GST_PLUGIN_FEATURE (factory)), rank);
  fail_unless_equals_string (gst_element_factory_get_metadata (factory, GST_ELEMENT_METADATA_KLASS), klass);
  gst_object_unref (factory);
}

static void
check_absent (const gchar *name)
{
  GstElementFactory *factory = gst_element_factory_find (name);

  fail_unless (!factory, "%s is there", name);
}

GST_START_TEST (test_no_driver)
{
  const GstClDriverFiles files = { FALSE, 0 };

  fail_unless (gst_gpu_h264_dec_register (NULL, &files));
  check_factory ("gpuh264dec", GST_RANK_NONE, "Codec/Decoder/Video");
}

GST_END_TEST;

GST_START_TEST (test_cpu)
{
  const GstClDriverFiles files = { TRUE, 0 };

  fail_unless (gst_gpu_h264_dec_register (NULL, &files));
  check_factory ("gpuh264dec", GST_RANK_MARGINAL, "Codec/Decoder/Video");
  check_absent ("gpuh264device1dec");
}

GST_END_TEST;

GST_START_TEST (test_gpus)
{
  const GstClDriverFiles files = { TRUE, 40 };
  GstElement *element;
  gchar *device_name;

  fail_unless (GST_ELEMENT_REGISTER (gpuidct, NULL) && GST_ELEMENT_REGISTER (gpuinterpred, NULL)
      && GST_ELEMENT_REGISTER (gpuintrapred, NULL) && GST_ELEMENT_REGISTER (gpudeblock, NULL));
  fail_unless (gst_gpu_h264_dec_register (NULL, &files));
  check_factory ("gpuh264dec", GST_RANK_PRIMARY, "Codec/Decoder/Video/Hardware");
  check_factory ("gpuh264device1dec", GST_RANK_PRIMARY - 1, "Codec/Decoder/Video/Hardware");
  check_factory ("gpuh264device39dec", GST_RANK_PRIMARY - 1, "Codec/Decoder/Video/Hardware");
  check_absent ("gpuh264device40dec");
  element = gst_element_factory_make ("gpuh264device39dec", NULL);
  fail_unless (element != NULL);
  g_object_get (element, "device-name", &device_name, NULL);
  fail_unless_equals_string (device_name, "gpu:39");
  g_free (device_name);
  /* the guess was wrong: there are not as many */
  fail_unless_equals_int (gst_element_set_state (element, GST_STATE_READY), GST_STATE_CHANGE_FAILURE);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_object_unref (element);
}

GST_END_TEST;

static Suite *
gpuh264devices_suite (void)
{
  Suite *s = suite_create ("gpuh264devices");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_no_driver);
  tcase_add_test (tc, test_cpu);
  tcase_add_test (tc, test_gpus);
  return s;
}

GST_CHECK_MAIN (gpuh264devices);
