/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Whole streams through h264entropy, cut in every way that caps allow and decoded by any number of threads: always the same records.
 */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include "codedrecords.h"
#include "h264bits.h"
#include "h264nal.h"

static const gchar *const files[] = {
  "cabac_420.264",
  "cavlc_420.264",
  "lossless_420.264",
  "cavlc_422_10.264",
  "cabac_444.264",
  "cabac_rgb.264",
  "mono.264",
  "cabac_420_10_crop.264",
  "inter.264",
};

/* With several slices a picture, and one with P and B slices */
static const gchar *const damaged_files[] = { "cabac_420.264", "cavlc_420.264", "cavlc_422_10.264", "inter.264" };

typedef enum
{
  BYTE_STREAM_AU,
  BYTE_STREAM_NAL,
  BYTE_STREAM_WHOLE, /* all in one buffer, which says alignment=au and lies */
  AVC_AU,
  AVC_NAL,
  AVC3_AU, /* parameter sets in the data */
  N_FORMS,
} Form;

static gboolean
form_has_lengths (Form form)
{
  return form == AVC_AU || form == AVC_NAL || form == AVC3_AU;
}

static gboolean
is_parameter_set (const H264Nal *nal)
{
  return nal->nal_unit_type == H264_NAL_SPS || nal->nal_unit_type == H264_NAL_PPS;
}

/* first_mb_in_slice is 0: ue(v) of a single 1 */
static gboolean
begins_picture (const H264Nal *nal)
{
  return (nal->data[nal->header_bytes] & 0x80) != 0;
}

/* With @junk bytes behind slices */
static void
append_nal (GByteArray *buffer, const H264Nal *nal, gboolean lengths, guint junk)
{
  static const guint8 byte = 0x80;
  const guint n_junk = h264_nal_type_is_vcl (nal->nal_unit_type) ? junk : 0;
  /* a length, or a start code */
  const guint32 prefix = GUINT32_TO_BE (lengths ? nal->size + n_junk : 1);

  g_byte_array_append (buffer, (const guint8 *) &prefix, 4);
  g_byte_array_append (buffer, nal->data, nal->size);
  for (guint i = 0; i < n_junk; i++)
    g_byte_array_append (buffer, &byte, 1);
}

static GArray *
read_nals (const gchar *data, gsize size)
{
  GArray *nals = g_array_new (FALSE, FALSE, sizeof (H264Nal));
  H264NalReader reader;
  const gchar *error = NULL;
  H264Nal nal;

  h264_nal_reader_init (&reader, (const guint8 *) data, size, 0);
  while (h264_nal_reader_next (&reader, &nal, &error) == H264_NAL_FOUND)
    g_array_append_val (nals, nal);
  return nals;
}

/* AVCDecoderConfigurationRecord with the first SPS and the first PPS; lengths of 4 bytes */
static GstBuffer *
make_codec_data (const GArray *nals)
{
  GByteArray *data = g_byte_array_new ();
  const guint8 types[2] = { H264_NAL_SPS, H264_NAL_PPS };
  gsize size;

  for (guint i = 0; i < 2; i++) {
    const H264Nal *nal = &g_array_index (nals, H264Nal, 0);
    guint8 count[3] = { i == 0 ? 0xe1 : 1 };

    while (nal->nal_unit_type != types[i])
      nal++;
    if (i == 0) {
      const guint8 front[5] = { 1, nal->data[1], nal->data[2], nal->data[3], 0xff };

      g_byte_array_append (data, front, 5);
    }
    count[1] = (guint8) (nal->size >> 8);
    count[2] = (guint8) nal->size;
    g_byte_array_append (data, count, 3);
    g_byte_array_append (data, nal->data, nal->size);
  }
  size = data->len;
  return gst_buffer_new_wrapped (g_byte_array_free (data, FALSE), size);
}

static GstCaps *
make_caps (Form form, const GArray *nals)
{
  static const gchar *const formats[N_FORMS] = { "byte-stream", "byte-stream", "byte-stream", "avc", "avc", "avc3" };
  GstCaps *caps = gst_caps_new_simple ("video/x-h264", "stream-format", G_TYPE_STRING, formats[form], "alignment", G_TYPE_STRING,
      form == BYTE_STREAM_NAL || form == AVC_NAL ? "nal" : "au", NULL);

  if (form_has_lengths (form)) {
    GstBuffer *codec_data = make_codec_data (nals);

    gst_caps_set_simple (caps, "codec_data", GST_TYPE_BUFFER, codec_data, NULL);
    gst_buffer_unref (codec_data);
  }
  return caps;
}

static void
push (GstHarness *h, GByteArray **data)
{
  const gsize size = (*data)->len;

  if (size == 0)
    return;
  fail_unless_equals_int (gst_harness_push (h, gst_buffer_new_wrapped (g_byte_array_free (*data, FALSE), size)), GST_FLOW_OK);
  *data = g_byte_array_new ();
}

static void
push_stream (GstHarness *h, Form form, const GArray *nals, guint junk)
{
  GByteArray *data = g_byte_array_new ();
  gboolean slices = FALSE; /* of the access unit in data */

  for (guint i = 0; i < nals->len; i++) {
    const H264Nal *nal = &g_array_index (nals, H264Nal, i);
    const gboolean vcl = h264_nal_type_is_vcl (nal->nal_unit_type);

    if (form == BYTE_STREAM_NAL || form == AVC_NAL || (slices && form != BYTE_STREAM_WHOLE && (!vcl || begins_picture (nal)))) {
      push (h, &data);
      slices = FALSE;
    }
    slices = slices || vcl;
    if (!(is_parameter_set (nal) && (form == AVC_AU || form == AVC_NAL)))
      append_nal (data, nal, form_has_lengths (form), junk);
  }
  push (h, &data);
  g_byte_array_unref (data);
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
}

/* Flips a bit in the data of every other slice; no start code comes of it. */
static void
damage (const GArray *nals, guint32 seed)
{
  GRand *random = g_rand_new_with_seed (seed);

  for (guint i = 0; i < nals->len; i++) {
    const H264Nal *nal = &g_array_index (nals, H264Nal, i);
    guint8 *byte = (guint8 *) nal->data + 12;

    if (!h264_nal_type_is_vcl (nal->nal_unit_type) || nal->size < 20 || g_rand_boolean (random))
      continue;
    byte += g_rand_int_range (random, 0, nal->size - 16);
    if (*byte > 7)
      *byte ^= 1 << g_rand_int_range (random, 0, 3);
  }
  g_rand_free (random);
}

/* In the harness upstream is live; here a picture may wait for the next one. */
static gboolean
answer_not_live (GstPad *pad, GstObject *parent, GstQuery *query)
{
  if (GST_QUERY_TYPE (query) != GST_QUERY_LATENCY)
    return gst_pad_query_default (pad, parent, query);
  gst_query_set_latency (query, FALSE, 0, GST_CLOCK_TIME_NONE);
  return TRUE;
}

typedef struct
{
  Form form;
  guint n_threads;
  gboolean live;
  guint32 seed; /* of the damage; 0: none */
  guint junk;   /* bytes behind each slice */
} Way;

static gchar *
checksum_picture (GstBuffer *buffer)
{
  const gboolean corrupted = (gst_buffer_get_coded_picture (buffer)->store->buffer_flags & GST_BUFFER_FLAG_CORRUPTED) != 0;
  gchar *records = coded_records_check (buffer), *text = g_strconcat (records, corrupted ? " damaged" : "", NULL);

  g_free (records);
  return text;
}

/* Checksums of all pictures' records */
static GPtrArray *
decode_way (const gchar *file, const Way *way)
{
  gchar *path = g_build_filename (TEST_DATA, file, NULL), *text = NULL;
  GPtrArray *checksums = g_ptr_array_new_with_free_func (g_free);
  GstElement *element = gst_element_factory_make ("h264entropy", NULL);
  GstBus *bus = gst_bus_new ();
  GstMessage *message;
  GstBuffer *buffer;
  GArray *nals;
  GstHarness *h;
  gsize size;
  guint n_inter = 0, n_messages = 0;

  fail_unless (element != NULL, "the plugin is not in GST_PLUGIN_PATH");
  fail_unless (g_file_get_contents (path, &text, &size, NULL), "%s is missing", path);
  nals = read_nals (text, size);
  if (way->seed > 0)
    damage (nals, way->seed);
  gst_element_set_bus (element, bus);
  g_object_set (element, "n-threads", way->n_threads, NULL);
  h = gst_harness_new_with_element (element, "sink", "src");
  if (!way->live)
    gst_pad_set_query_function (h->srcpad, answer_not_live);
  gst_harness_set_src_caps (h, make_caps (way->form, nals));
  push_stream (h, way->form, nals, way->junk);
  while ((buffer = gst_harness_try_pull (h))) {
    n_inter += gst_buffer_get_coded_picture (buffer)->has_inter;
    g_ptr_array_add (checksums, checksum_picture (buffer));
    gst_buffer_unref (buffer);
  }
  fail_unless ((n_inter > 0) == g_str_equal (file, "inter.264"), "%s: %u pictures with P or B slices", file, n_inter);
  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING))) {
    n_messages++;
    gst_message_unref (message);
  }
  fail_unless (way->seed > 0 || way->junk > 0 || n_messages == 0, "%s: %u messages", file, n_messages);
  gst_element_set_bus (element, NULL);
  gst_object_unref (bus);
  gst_object_unref (element);
  gst_harness_teardown (h);
  g_array_unref (nals);
  g_free (text);
  g_free (path);
  return checksums;
}

static GPtrArray *
decode (const gchar *file, Form form)
{
  const Way way = { form, 1, TRUE, 0 };

  return decode_way (file, &way);
}

static void
check_same (GPtrArray *a, GPtrArray *b, const gchar *file, const gchar *what, guint number)
{
  fail_unless (a->len > 0 && a->len == b->len, "%s, %s %u: %u pictures, not %u", file, what, number, b->len, a->len);
  for (guint i = 0; i < a->len; i++)
    fail_unless (g_str_equal (g_ptr_array_index (a, i), g_ptr_array_index (b, i)), "%s, %s %u: picture %u differs", file, what, number, i);
  g_ptr_array_unref (b);
}

GST_START_TEST (test_forms)
{
  GPtrArray *checksums = decode (files[__i__], BYTE_STREAM_AU);

  for (guint form = BYTE_STREAM_AU + 1; form < N_FORMS; form++)
    check_same (checksums, decode (files[__i__], form), files[__i__], "form", form);
  g_ptr_array_unref (checksums);
}

GST_END_TEST;

GST_START_TEST (test_threads)
{
  static const guint n_threads[] = { 2, 4, 7 };
  GPtrArray *checksums = decode (files[__i__], BYTE_STREAM_AU);

  for (guint i = 0; i < G_N_ELEMENTS (n_threads); i++)
    for (guint live = 0; live < 2; live++) {
      const Way way = { i % 2 ? BYTE_STREAM_NAL : AVC_AU, n_threads[i], live != 0, 0 };

      check_same (checksums, decode_way (files[__i__], &way), files[__i__], "threads", n_threads[i]);
    }
  g_ptr_array_unref (checksums);
}

GST_END_TEST;

/* Damaged slices that run into later ones: what comes of them does not depend on when those are known, nor on threads. */
GST_START_TEST (test_damaged)
{
  static const Way ways[] = { { BYTE_STREAM_NAL, 1, FALSE }, { BYTE_STREAM_NAL, 4, FALSE }, { AVC_NAL, 2, TRUE },
    { BYTE_STREAM_AU, 4, FALSE } };
  guint n_damaged = 0;

  for (guint32 seed = 1; seed <= 6; seed++) {
    Way way = { BYTE_STREAM_AU, 1, FALSE, seed };
    GPtrArray *checksums = decode_way (damaged_files[__i__], &way);

    for (guint i = 0; i < checksums->len; i++)
      n_damaged += g_str_has_suffix (g_ptr_array_index (checksums, i), "damaged");
    for (guint i = 0; i < G_N_ELEMENTS (ways); i++) {
      way = ways[i];
      way.seed = seed;
      check_same (checksums, decode_way (damaged_files[__i__], &way), damaged_files[__i__], "way", 100 * seed + i);
    }
    g_ptr_array_unref (checksums);
  }
  fail_unless (n_damaged > 0);
}

GST_END_TEST;

/* Encoders leave bytes behind the end of slices: the pictures are whole, though flagged. */
GST_START_TEST (test_junk)
{
  static const Way ways[] = { { BYTE_STREAM_AU, 1, FALSE, 0, 1 }, { BYTE_STREAM_NAL, 2, FALSE, 0, 3 }, { AVC_AU, 1, TRUE, 0, 2 } };
  GPtrArray *checksums = decode (files[__i__], BYTE_STREAM_AU);

  for (guint i = 0; i < checksums->len; i++) {
    gchar *whole = g_ptr_array_index (checksums, i);

    g_ptr_array_index (checksums, i) = g_strconcat (whole, " damaged", NULL);
    g_free (whole);
  }
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    check_same (checksums, decode_way (files[__i__], &ways[i]), files[__i__], "way", i);
  g_ptr_array_unref (checksums);
}

GST_END_TEST;

static Suite *
h264entropystreams_suite (void)
{
  Suite *s = suite_create ("h264entropystreams");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_forms, 0, G_N_ELEMENTS (files));
  tcase_add_loop_test (tc, test_threads, 0, G_N_ELEMENTS (files));
  tcase_add_loop_test (tc, test_junk, 0, G_N_ELEMENTS (files));
  tcase_add_loop_test (tc, test_damaged, 0, G_N_ELEMENTS (damaged_files));
  return s;
}

GST_CHECK_MAIN (h264entropystreams);
