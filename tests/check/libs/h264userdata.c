/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Registered user data: each form with its values, cut off anywhere, and bytes from a seed.  Payloads are allocated to their size, so that
 * the address sanitizer sees what is read beyond.
 */
#include <gst/check/gstcheck.h>
#include <string.h>
#include "h264userdata.h"

#define N_RANDOM 200000

/* The bytes of a text of hexadecimal digits and blanks */
static guint8 *
make_payload (const gchar *text, gsize *size)
{
  GByteArray *bytes = g_byte_array_new ();

  for (; *text; text++)
    if (*text != ' ') {
      const guint8 byte = (guint8) (g_ascii_xdigit_value (text[0]) << 4 | g_ascii_xdigit_value (text[1]));

      g_byte_array_append (bytes, &byte, 1);
      text++;
    }
  *size = bytes->len;
  return g_byte_array_free (bytes, FALSE);
}

/* The first @size bytes of @payload, in memory of that size */
static gboolean
read_part (const guint8 *payload, gsize size, H264UserData *data)
{
  guint8 *part = g_malloc (size);
  gboolean ok;

  if (size > 0)
    memcpy (part, payload, size);
  ok = h264_user_data_read (part, size, data);
  if (ok && data->kind == H264_USER_DATA_CAPTIONS)
    fail_unless (data->cc_size > 0 && data->cc_size % 3 == 0 && data->cc_size <= 93 && data->cc_data >= part
        && data->cc_data + data->cc_size <= part + size);
  g_free (part);
  return ok;
}

/* @text with one byte less is nothing any more; gives what it says. */
static H264UserData
read_whole (const gchar *text, gsize n_behind)
{
  H264UserData data, less;
  gsize size;
  guint8 *payload = make_payload (text, &size);

  fail_unless (read_part (payload, size, &data), "%s", text);
  for (gsize n = 0; n < size - n_behind; n++)
    fail_if (read_part (payload, n, &less), "%s, %" G_GSIZE_FORMAT " bytes", text, n);
  for (gsize n = size - n_behind; n < size; n++)
    fail_unless (read_part (payload, n, &less), "%s, %" G_GSIZE_FORMAT " bytes", text, n);
  g_free (payload);
  return data;
}

static void
refuse (const gchar *text)
{
  H264UserData data;
  gsize size;
  guint8 *payload = make_payload (text, &size);

  fail_if (read_part (payload, size, &data), "%s", text);
  g_free (payload);
}

static void
check_captions (const gchar *text, const gchar *cc_data, gsize n_behind)
{
  H264UserData data;
  gsize size, cc_size;
  guint8 *payload = make_payload (text, &size), *expected = make_payload (cc_data, &cc_size);

  (void) read_whole (text, n_behind);
  fail_unless (h264_user_data_read (payload, size, &data) && data.kind == H264_USER_DATA_CAPTIONS);
  fail_unless (data.cc_size == cc_size && memcmp (data.cc_data, expected, cc_size) == 0);
  g_free (payload);
  g_free (expected);
}

GST_START_TEST (test_captions)
{
  check_captions ("b5 0031 47413934 03 c1 ff fc942c ff", "fc942c", 1);
  check_captions ("b4 0031 47413934 03 42 00 fc942c fd8080", "fc942c fd8080", 0);
  check_captions ("b5 002f 03 09 c2 ff fc942c fd8080 ff", "fc942c fd8080", 1);
  /* no packets; more than there are; process_cc_data_flag 0 */
  refuse ("b5 0031 47413934 03 c0 ff ff");
  refuse ("b5 0031 47413934 03 c2 ff fc942c ff");
  refuse ("b5 0031 47413934 03 df ff fc942c fc942c ff");
  refuse ("b5 0031 47413934 03 81 ff fc942c ff");
  refuse ("b5 002f 03 09 c3 ff fc942c fd8080 ff");
  /* another country, provider, identifier; types that are no captions; SCTE 20, which is for MPEG-2 */
  refuse ("b6 0031 47413934 03 c1 ff fc942c ff");
  refuse ("b5 0032 47413934 03 c1 ff fc942c ff");
  refuse ("b5 0031 47413935 03 c1 ff fc942c ff");
  refuse ("b5 0031 47413934 04 c1 ff fc942c ff");
  refuse ("b5 002f 04 09 c2 ff fc942c fd8080 ff");
  refuse ("b5 0031 03 c1 ff fc942c ff ff ff ff");
}

GST_END_TEST;

GST_START_TEST (test_afd)
{
  static const gboolean has_meaning[16] = { 1, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 0, 1, 1, 1 };

  for (guint i = 0; i < 16; i++) {
    gchar *text = g_strdup_printf ("b5 0031 44544731 41 f%x", i);

    if (has_meaning[i]) {
      const H264UserData data = read_whole (text, 0);

      fail_unless_equals_int (data.kind, H264_USER_DATA_AFD);
      fail_unless_equals_int (data.active_format, i);
    } else {
      refuse (text);
    }
    g_free (text);
  }
  refuse ("b5 0031 44544731 01 fa"); /* active_format_flag 0 */
}

GST_END_TEST;

GST_START_TEST (test_bars)
{
  H264UserData data = read_whole ("b5 0031 47413934 06 cf c083 c3b4", 0);

  fail_unless (data.kind == H264_USER_DATA_BARS && data.is_letterbox && data.bars[0] == 131 && data.bars[1] == 948);
  data = read_whole ("b5 0031 47413934 06 3f c0ef ffff ff", 1);
  fail_unless (data.kind == H264_USER_DATA_BARS && !data.is_letterbox && data.bars[0] == 239 && data.bars[1] == 16383);
  data = read_whole ("b5 002f 06 05 cf c083 c3b4", 0);
  fail_unless (data.kind == H264_USER_DATA_BARS && data.is_letterbox && data.bars[0] == 131 && data.bars[1] == 948);
  /* none, one alone, both pairs; markers that are wrong */
  refuse ("b5 0031 47413934 06 0f c083 c3b4");
  refuse ("b5 0031 47413934 06 8f c083 c3b4");
  refuse ("b5 0031 47413934 06 ff c083 c3b4 c083 c3b4");
  refuse ("b5 0031 47413934 06 c0 c083 c3b4");
  refuse ("b5 0031 47413934 06 cf 4083 c3b4");
  refuse ("b5 0031 47413934 06 cf c083 83b4");
}

GST_END_TEST;

/* Random bytes behind a beginning that leads to each form */
GST_START_TEST (test_random)
{
  static const gchar *const beginnings[] = { "", "b5", "b50031", "b5003147413934", "b500314741393403", "b500314741393406", "b5003144544731",
    "b5002f", "b5002f03", "b5002f06" };
  GRand *rand = g_rand_new_with_seed (12);
  guint n_read[3] = { 0, 0, 0 };

  for (guint i = 0; i < N_RANDOM; i++) {
    H264UserData data;
    gsize size, n = (gsize) g_rand_int_range (rand, 0, 110);
    guint8 *beginning = make_payload (beginnings[i % G_N_ELEMENTS (beginnings)], &size);
    guint8 *payload = g_malloc (size + n);

    if (size > 0)
      memcpy (payload, beginning, size);
    for (gsize k = size; k < size + n; k++)
      payload[k] = (guint8) g_rand_int (rand);
    if (read_part (payload, size + n, &data))
      n_read[data.kind]++;
    g_free (beginning);
    g_free (payload);
  }
  for (guint i = 0; i < G_N_ELEMENTS (n_read); i++)
    fail_unless (n_read[i] > 0, "none of kind %u", i);
  g_rand_free (rand);
}

GST_END_TEST;

static Suite *
h264userdata_suite (void)
{
  Suite *s = suite_create ("h264userdata");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_captions);
  tcase_add_test (tc, test_afd);
  tcase_add_test (tc, test_bars);
  tcase_add_test (tc, test_random);
  return s;
}

GST_CHECK_MAIN (h264userdata);
