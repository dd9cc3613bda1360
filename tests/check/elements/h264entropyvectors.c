/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Every stream of the vectors through h264entropy: sound records, nothing damaged; or refused by name.
 */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <string.h>
#include "codedrecords.h"
#include "h264nal.h"

static gchar *
vectors (void)
{
  const gchar *folder = g_getenv ("GST_GPU_VECTORS");

  return g_strdup (folder ? folder : DEFAULT_STREAMS);
}

typedef struct
{
  const gchar *name;
  GstHarness *h;
  GstBus *bus;
  guint n_pictures;
  guint32 last_number;
} Stream;

static void
stream_open (Stream *s, const gchar *name)
{
  GstElement *element = gst_element_factory_make ("h264entropy", NULL);

  fail_unless (element != NULL, "the plugin is not in GST_PLUGIN_PATH");
  *s = (Stream){ .name = name, .bus = gst_bus_new () };
  gst_element_set_bus (element, s->bus);
  g_object_set (element, "n-threads", 2, NULL);
  /* the harness is live */
  gst_util_set_object_arg (G_OBJECT (element), "output-delay", "conforming");
  s->h = gst_harness_new_with_element (element, "sink", "src");
  gst_object_unref (element);
  gst_harness_set_src_caps_str (s->h, "video/x-h264, stream-format=byte-stream, alignment=nal");
}

static void
stream_close (Stream *s)
{
  gst_element_set_bus (s->h->element, NULL);
  gst_harness_teardown (s->h);
  gst_object_unref (s->bus);
}

/* Whether it has been refused */
static gboolean
read_messages (Stream *s)
{
  GstMessage *message;
  gboolean refused = FALSE;

  while ((message = gst_bus_pop_filtered (s->bus, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING))) {
    GError *error = NULL;

    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
      gst_message_parse_error (message, &error, NULL);
    else
      gst_message_parse_warning (message, &error, NULL);
    fail_unless (g_error_matches (error, GST_STREAM_ERROR, GST_STREAM_ERROR_NOT_IMPLEMENTED), "%s: %s", s->name, error->message);
    GST_INFO ("%s: %s", s->name, error->message);
    refused = TRUE;
    g_error_free (error);
    gst_message_unref (message);
  }
  return refused;
}

static void
check_pictures (Stream *s)
{
  GstBuffer *buffer;

  while ((buffer = gst_harness_try_pull (s->h))) {
    const GstFrameStore *store = gst_buffer_get_coded_picture (buffer)->store;

    fail_if (store->buffer_flags & GST_BUFFER_FLAG_CORRUPTED, "%s: picture %u is damaged", s->name, s->n_pictures);
    g_free (coded_records_check (buffer));
    /* in decoding order, both fields of a frame one behind the other */
    fail_unless (store->number == s->last_number || store->number == s->last_number + 1 || s->n_pictures == 0);
    s->last_number = store->number;
    s->n_pictures++;
    gst_buffer_unref (buffer);
  }
}

static gboolean
push_nal (Stream *s, const H264Nal *nal)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, nal->size + 3, NULL);
  GstFlowReturn ret;

  gst_buffer_fill (buffer, 0, "\0\0\1", 3);
  gst_buffer_fill (buffer, 3, nal->data, nal->size);
  ret = gst_harness_push (s->h, buffer);
  if (ret != GST_FLOW_OK)
    fail_unless (read_messages (s), "%s: %s without a message", s->name, gst_flow_get_name (ret));
  check_pictures (s);
  return ret == GST_FLOW_OK;
}

static gboolean
decode_stream (const gchar *folder, const gchar *name)
{
  gchar *path = g_build_filename (folder, name, NULL), *data = NULL;
  const gchar *error = NULL;
  gboolean ok = TRUE;
  H264NalReader reader;
  H264Nal nal;
  Stream s;
  gsize size;

  fail_unless (g_file_get_contents (path, &data, &size, NULL), "%s is missing", path);
  stream_open (&s, name);
  h264_nal_reader_init (&reader, (const guint8 *) data, size, 0);
  while (ok && h264_nal_reader_next (&reader, &nal, &error) == H264_NAL_FOUND)
    ok = push_nal (&s, &nal);
  if (ok) {
    fail_unless (gst_harness_push_event (s.h, gst_event_new_eos ()));
    check_pictures (&s);
    fail_if (read_messages (&s));
    fail_unless (s.n_pictures > 0);
  }
  stream_close (&s);
  g_free (data);
  g_free (path);
  return ok;
}

static void
decode_manifest (const gchar *manifest)
{
  gchar *folder = vectors (), *path = g_build_filename (folder, manifest, NULL), *text = NULL;
  guint n_decoded = 0;

  fail_unless (g_file_get_contents (path, &text, NULL, NULL), "%s is missing", path);
  for (gchar *line = strtok (text, "\n"); line != NULL; line = strtok (NULL, "\n")) {
    if (line[0] == '#')
      continue;
    line[strcspn (line, "\t")] = '\0';
    n_decoded += decode_stream (folder, line);
  }
  fail_unless (n_decoded > 0, "no stream of %s is decoded", path);
  g_free (text);
  g_free (path);
  g_free (folder);
}

GST_START_TEST (test_conformance_streams)
{
  decode_manifest ("manifest.tsv");
}

GST_END_TEST;

GST_START_TEST (test_made_streams)
{
  decode_manifest ("made" G_DIR_SEPARATOR_S "manifest.tsv");
}

GST_END_TEST;

static Suite *
h264entropyvectors_suite (void)
{
  Suite *s = suite_create ("h264entropyvectors");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_conformance_streams);
  tcase_add_test (tc, test_made_streams);
  return s;
}

int
main (int argc, char **argv)
{
  gchar *folder = vectors ();
  gboolean there = g_file_test (folder, G_FILE_TEST_IS_DIR);

  if (!there)
    g_print ("SKIP: no streams at %s (GST_GPU_VECTORS)\n", folder);
  g_free (folder);
  if (!there)
    return 77;
  gst_check_init (&argc, &argv);
  return gst_check_run_suite (h264entropyvectors_suite (), "h264entropyvectors", __FILE__);
}
