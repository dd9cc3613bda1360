/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A harness of libFuzzer: the input is a stream (fuzzinput.h), which goes through the elements of the pipeline that FUZZ_ROW names in the
 * environment: h264entropy alone, or a whole row.  What is looked for are crashes, hangs, findings of sanitizers, and more memory than the
 * limit; whether pictures are right the other tests ask.
 *
 * Built with -Dfuzz=true as a fuzzer; the tests `fuzzcorpus` run the same code over stored inputs.
 */
#include <dlfcn.h>
#include <gst/check/gstharness.h>
#include <stdint.h>
#include <stdlib.h>

#include "fuzz.h"
#include "fuzzinput.h"

static const gchar *row;

/* libFuzzer counts in every module that was ever loaded: GStreamer loads plugins to look at them, and unloads them. */
static void
keep_plugins_loaded (void)
{
  gchar **folders = g_strsplit (g_getenv ("GST_PLUGIN_PATH") ? g_getenv ("GST_PLUGIN_PATH") : "", ":", -1);

  for (guint i = 0; folders[i]; i++) {
    GDir *dir = g_dir_open (folders[i], 0, NULL);
    const gchar *name;

    while (dir && (name = g_dir_read_name (dir))) {
      gchar *path = g_build_filename (folders[i], name, NULL);

      if (g_str_has_suffix (name, ".so"))
        dlopen (path, RTLD_LAZY | RTLD_NODELETE);
      g_free (path);
    }
    g_clear_pointer (&dir, g_dir_close);
  }
  g_strfreev (folders);
}

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  keep_plugins_loaded ();
  row = g_getenv ("FUZZ_ROW");
  if (!row)
    row = "h264entropy";
  gst_init (argc, argv);
  gst_debug_set_default_threshold (GST_LEVEL_NONE);
  return 0;
}

static void
set_properties (GstElement *element, const FuzzInput *input)
{
  g_object_set (element, "n-threads", input->n_threads, "strict", input->strict, "output-corrupt", input->output_corrupt, NULL);
  gst_util_set_object_arg (G_OBJECT (element), "output-delay", input->output_delay);
}

static void
flush (GstHarness *h)
{
  GstSegment segment;

  gst_harness_push_event (h, gst_event_new_flush_start ());
  gst_harness_push_event (h, gst_event_new_flush_stop (TRUE));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (h, gst_event_new_segment (&segment));
}

/* What came out goes: pictures that nobody takes would be held */
static void
drop_output (GstHarness *h)
{
  GstBuffer *buffer;

  while ((buffer = gst_harness_try_pull (h)))
    gst_buffer_unref (buffer);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  FuzzInput input;
  GstElement *entropy;
  GstHarness *h;

  if (!fuzz_input_read (&input, data, size))
    return 0;
  h = gst_harness_new_parse (row);
  entropy = gst_harness_find_element (h, "h264entropy");
  if (!entropy)
    abort (); /* the plugin is not in GST_PLUGIN_PATH */
  set_properties (entropy, &input);
  gst_object_unref (entropy);
  gst_harness_set_src_caps (h, gst_caps_ref (input.caps));
  for (guint i = 0; i < input.buffers->len; i++) {
    if (input.flush_after > 0 && i == input.flush_after)
      flush (h);
    if (gst_harness_push (h, gst_buffer_ref (g_ptr_array_index (input.buffers, i))) < GST_FLOW_OK)
      break;
    drop_output (h);
  }
  gst_harness_push_event (h, gst_event_new_eos ());
  gst_harness_teardown (h);
  fuzz_input_clear (&input);
  return 0;
}
