/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * When frames come out of h264entropy, and the times on them.
 */
#include <gst/check/gstcheck.h>
#include "handmade.h"

#define MS GST_MSECOND

/* Decoding order I0 P4 B2 of each group, in pictures; POC counts fields. */
static const HandmadePicture reordered[] = {
  { 'D', 0, 0 },
  { 'P', 1, 4 },
  { 'B', 2, 2, TRUE },
  { 'P', 2, 8 },
  { 'B', 3, 6, TRUE },
  { 'P', 3, 12 },
  { 'B', 4, 10, TRUE },
};

/* Places in output order */
static const guint places[] = { 0, 2, 1, 4, 3, 6, 5 };

static void
push_all (Handmade *t, const GstClockTime *pts)
{
  for (guint i = 0; i < G_N_ELEMENTS (reordered); i++)
    handmade_push_picture (t, &reordered[i], pts[i]);
  handmade_finish (t);
  fail_unless_equals_int (t->output->len, G_N_ELEMENTS (reordered));
  fail_unless_equals_int (handmade_count_messages (t, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR, NULL), 0);
}

static void
check_times (const HandmadeSps *sps, const GstClockTime *pts, const GstClockTime *expected)
{
  Handmade t;

  handmade_open (&t, 1, TRUE);
  handmade_push_sps (&t, sps);
  push_all (&t, pts);
  for (guint i = 0; i < G_N_ELEMENTS (reordered); i++) {
    fail_unless_equals_uint64 (handmade_output (&t, i)->pts, expected[i]);
    fail_unless_equals_uint64 (handmade_output (&t, i)->duration, sps->fps > 0 ? GST_SECOND / sps->fps : GST_CLOCK_TIME_NONE);
  }
  handmade_close (&t);
}

/* Frames carry the times of their buffers, whatever the frame rate. */
GST_START_TEST (test_given_times)
{
  static const HandmadeSps sps = { 1, 25 };
  GstClockTime pts[7], expected[7];

  for (guint i = 0; i < 7; i++) {
    expected[i] = 1000 * MS + i * 33 * MS;
    pts[i] = 1000 * MS + places[i] * 33 * MS;
  }
  check_times (&sps, pts, expected);
}

GST_END_TEST;

GST_START_TEST (test_missing_times)
{
  static const HandmadeSps with_rate = { 1, 25 }, without_rate = { 1, 0 };
  static const GstClockTime none = GST_CLOCK_TIME_NONE;
  const GstClockTime first_only[7] = { 500 * MS, none, none, none, none, none, none };
  const GstClockTime all_missing[7] = { none, none, none, none, none, none, none };
  const GstClockTime second_only[7] = { none, 580 * MS, none, none, none, none, none };
  const GstClockTime no_b[7] = { 500 * MS, 560 * MS, none, 640 * MS, none, 720 * MS, none };
  const GstClockTime at_25[7] = { 500 * MS, 540 * MS, 580 * MS, 620 * MS, 660 * MS, 700 * MS, 740 * MS };
  /* how many frames come before the one with a time is not known yet when the first goes */
  const GstClockTime up_to_second[7] = { 540 * MS, 560 * MS, 580 * MS, 620 * MS, 660 * MS, 700 * MS, 740 * MS };
  const GstClockTime at_25_from_0[7] = { 0, 40 * MS, 80 * MS, 120 * MS, 160 * MS, 200 * MS, 240 * MS };
  const GstClockTime halves[7] = { 500 * MS, 530 * MS, 560 * MS, 600 * MS, 640 * MS, 680 * MS, 720 * MS };

  check_times (&with_rate, first_only, at_25);
  check_times (&with_rate, all_missing, at_25_from_0);
  check_times (&with_rate, second_only, up_to_second);
  /* between neighbours */
  check_times (&without_rate, no_b, halves);
  /* nothing to tell from */
  check_times (&without_rate, all_missing, all_missing);
}

GST_END_TEST;

/* A container that has decoding times only: frames that are output in another order exchange them. */
GST_START_TEST (test_wrong_times)
{
  static const HandmadeSps sps = { 1, 25 };
  Handmade t;
  GstClockTime pts[7];

  for (guint i = 0; i < 7; i++)
    pts[i] = i * 40 * MS;
  handmade_open (&t, 1, TRUE);
  handmade_push_sps (&t, &sps);
  push_all (&t, pts);
  fail_unless_equals_uint64 (handmade_output (&t, 0)->pts, 0);
  for (guint i = 1; i < 7; i++)
    fail_unless_equals_uint64 (handmade_output (&t, i)->pts, i * 40 * MS);
  handmade_close (&t);
}

GST_END_TEST;

/* What is wrong with the time of one picture ends with it, and a clock that steps is followed. */
GST_START_TEST (test_steps)
{
  static const HandmadeSps sps = { 1, 25 };
  GstClockTime pts[7], expected[7];

  /* each is wrong in its turn: ahead, behind */
  for (guint wrong = 0; wrong < 7; wrong++) {
    const GstClockTime times[] = { 10 * GST_SECOND, 0 };

    for (guint k = 0; k < G_N_ELEMENTS (times); k++) {
      for (guint i = 0; i < 7; i++)
        pts[i] = expected[places[i]] = i == wrong ? times[k] : (GstClockTime) (1000 + 40 * places[i]) * MS;
      check_times (&sps, pts, expected);
    }
  }
  /* from the fourth picture on the clock is half a second behind */
  for (guint i = 0; i < 7; i++)
    pts[i] = expected[places[i]] = 1000 * MS + places[i] * 40 * MS - (i >= 3 ? 500u : 0u) * MS;
  check_times (&sps, pts, expected);
}

GST_END_TEST;

/* Two pictures in one buffer: its time is that of the first. */
GST_START_TEST (test_two_in_a_buffer)
{
  static const HandmadeSps sps = { 0, 25 };
  static const HandmadePicture pictures[2] = { { 'D', 0, 0 }, { 'P', 1, 2 } };
  GByteArray *second = handmade_picture_data (&pictures[1]), *data = handmade_picture_data (&pictures[0]);
  GstBuffer *buffer;
  Handmade t;
  gsize size;

  g_byte_array_append (data, second->data, second->len);
  g_byte_array_unref (second);
  size = data->len;
  buffer = gst_buffer_new_wrapped (g_byte_array_free (data, FALSE), size);
  GST_BUFFER_PTS (buffer) = 3 * GST_SECOND;
  handmade_open (&t, 1, TRUE);
  handmade_push_sps (&t, &sps);
  handmade_push (&t, buffer);
  handmade_finish (&t);
  fail_unless_equals_int (t.output->len, 2);
  fail_unless_equals_uint64 (handmade_output (&t, 0)->pts, 3 * GST_SECOND);
  fail_unless_equals_uint64 (handmade_output (&t, 1)->pts, 3 * GST_SECOND + 40 * MS);
  handmade_close (&t);
}

GST_END_TEST;

/* A frame comes out after as many inputs as the stream reorders, and one. */
GST_START_TEST (test_delay)
{
  for (guint reorder = 0; reorder < 4; reorder++) {
    const HandmadeSps sps = { reorder, 25 };

    for (guint n_threads = 1; n_threads < 5; n_threads += 3) {
      Handmade t;
      guint n_inputs = 0;

      /* upstream is live where there are more threads */
      handmade_open (&t, n_threads, n_threads > 1);
      handmade_push_sps (&t, &sps);
      while (t.output->len == 0 && n_inputs < 10) {
        const HandmadePicture picture = { n_inputs == 0 ? 'D' : 'P', n_inputs, 2 * n_inputs };

        handmade_push_picture (&t, &picture, n_inputs * 40 * MS);
        n_inputs++;
      }
      fail_unless_equals_int (n_inputs, reorder + 1);
      fail_unless_equals_uint64 (gst_harness_query_latency (t.h), reorder * 40 * MS);
      handmade_close (&t);
    }
  }
}

GST_END_TEST;

/* Without a VUI the level allows four frames to be reordered, which a live pipeline does not wait for: the depth grows as it is needed. */
GST_START_TEST (test_output_delay)
{
  static const struct
  {
    const gchar *mode;
    gboolean live;
    guint held;
  } cases[] = {
    { "auto", FALSE, 16 },
    { "auto", TRUE, 0 },
    { "conforming", TRUE, 16 },
    { "observed", FALSE, 0 },
    { "none", FALSE, 0 },
  };

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++) {
    const HandmadeSps sps = { .silent = TRUE };
    Handmade t;
    guint n_inputs = 0;

    handmade_open (&t, 1, cases[k].live);
    gst_util_set_object_arg (G_OBJECT (t.h->element), "output-delay", cases[k].mode);
    gst_harness_set_src_caps_str (t.h, "video/x-h264, stream-format=byte-stream, alignment=au, framerate=25/1");
    handmade_push_sps (&t, &sps);
    while (t.output->len == 0 && n_inputs < 20) {
      const HandmadePicture picture = { n_inputs == 0 ? 'D' : 'P', n_inputs, 2 * n_inputs };

      handmade_push_picture (&t, &picture, n_inputs * 40 * MS);
      n_inputs++;
    }
    fail_unless_equals_int (n_inputs, cases[k].held + 1);
    handmade_close (&t);
  }
}

GST_END_TEST;

/* The first B picture comes too late for its place and is output at once; from then on frames wait. */
GST_START_TEST (test_observed_delay)
{
  const HandmadeSps sps = { .silent = TRUE };
  static const gint expected_poc[] = { 0, 4, 2, 6, 8, 10, 12 };
  Handmade t;

  handmade_open (&t, 1, TRUE);
  handmade_push_sps (&t, &sps);
  for (guint i = 0; i < G_N_ELEMENTS (reordered); i++)
    handmade_push_picture (&t, &reordered[i], places[i] * 40 * MS);
  handmade_finish (&t);
  fail_unless_equals_int (t.output->len, G_N_ELEMENTS (reordered));
  for (guint i = 0; i < G_N_ELEMENTS (reordered); i++) {
    fail_unless_equals_int (handmade_output (&t, i)->poc[0], expected_poc[i]);
    fail_unless_equals_int (handmade_is_corrupted (&t, i), i == 2);
  }
  handmade_close (&t);
}

GST_END_TEST;

/* Pictures decode at the same time where nobody waits for them, and the latency tells. */
GST_START_TEST (test_latency_of_threads)
{
  static const HandmadeSps sps = { 2, 25 };
  static const HandmadePicture picture = { 'D', 0, 0 };
  Handmade t;

  handmade_open (&t, 3, FALSE);
  handmade_push_sps (&t, &sps);
  handmade_push_picture (&t, &picture, 0);
  fail_unless_equals_uint64 (gst_harness_query_latency (t.h), (2 + 6) * 40 * MS);
  handmade_close (&t);
}

GST_END_TEST;

/* The VUI says that nothing is reordered, and lies: one frame comes late, which does no harm to those that refer to it. */
GST_START_TEST (test_late)
{
  static const HandmadeSps sps = { 0, 25 };
  static const guint expected_poc[] = { 0, 4, 2, 6, 8, 10, 12 };
  HandmadePicture pictures[G_N_ELEMENTS (reordered)];
  Handmade t;

  handmade_open (&t, 1, TRUE);
  handmade_push_sps (&t, &sps);
  for (guint i = 0; i < G_N_ELEMENTS (reordered); i++)
    pictures[i] = reordered[i];
  /* the first B picture is a reference, the nearest before the next P picture */
  pictures[2].no_reference = FALSE;
  for (guint i = 3; i < G_N_ELEMENTS (reordered); i++)
    pictures[i].frame_num++;
  for (guint i = 0; i < G_N_ELEMENTS (reordered); i++)
    handmade_push_picture (&t, &pictures[i], places[i] * 40 * MS);
  handmade_finish (&t);
  fail_unless_equals_int (t.output->len, G_N_ELEMENTS (reordered));
  for (guint i = 0; i < G_N_ELEMENTS (reordered); i++) {
    fail_unless_equals_int (handmade_output (&t, i)->poc[0], expected_poc[i]);
    fail_unless_equals_int (handmade_is_corrupted (&t, i), i == 2);
    /* each has its own time, the late one too */
    fail_unless_equals_uint64 (handmade_output (&t, i)->pts, expected_poc[i] / 2 * 40 * MS);
  }
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_WARNING, "reorders"), 1);
  fail_unless_equals_uint64 (gst_harness_query_latency (t.h), 40 * MS);
  handmade_close (&t);
}

GST_END_TEST;

#define INTERLACED GST_VIDEO_BUFFER_FLAG_INTERLACED
#define TFF GST_VIDEO_BUFFER_FLAG_TFF
#define RFF GST_VIDEO_BUFFER_FLAG_RFF

typedef struct
{
  guint pic_struct_plus1, ct_type_plus1;
  guint flags, n_fields;
} Shown;

/* A frame a picture, without times: each is shown as long as pic_struct says. */
static void
check_shown (const Shown *shown, guint n, const gchar *interlace_mode)
{
  static const HandmadeSps sps = { 0, 25, TRUE };
  GstClockTime pts = 0;
  GstCaps *caps;
  Handmade t;

  handmade_open (&t, 1, TRUE);
  handmade_push_sps (&t, &sps);
  for (guint i = 0; i < n; i++) {
    const HandmadePicture picture = { i == 0 ? 'D' : 'P', i, 2 * i, .pic_struct_plus1 = shown[i].pic_struct_plus1,
      .ct_type_plus1 = shown[i].ct_type_plus1 };

    handmade_push_picture (&t, &picture, GST_CLOCK_TIME_NONE);
  }
  caps = gst_pad_get_current_caps (t.h->sinkpad);
  assert_equals_string (gst_structure_get_string (gst_caps_get_structure (caps, 0), "interlace-mode"), interlace_mode);
  gst_caps_unref (caps);
  handmade_finish (&t);
  fail_unless_equals_int (t.output->len, n);
  for (guint i = 0; i < n; i++) {
    fail_unless_equals_int (handmade_output (&t, i)->buffer_flags & (INTERLACED | TFF | RFF), shown[i].flags);
    fail_unless_equals_uint64 (handmade_output (&t, i)->duration, shown[i].n_fields * 20 * MS);
    fail_unless_equals_uint64 (handmade_output (&t, i)->pts, pts);
    pts += shown[i].n_fields * 20 * MS;
  }
  handmade_close (&t);
}

GST_START_TEST (test_pic_struct)
{
  static const Shown frames[] = { { 1, 0, 0, 2 }, { 0, 0, 0, 2 }, { 8, 0, 0, 4 }, { 9, 0, 0, 6 }, { 1, 1, 0, 2 } };
  /* the last two of these are said to be progressive, and damaged */
  static const Shown fields[] = { { 4, 0, INTERLACED | TFF, 2 }, { 5, 0, INTERLACED, 2 }, { 1, 0, 0, 2 }, { 4, 2, INTERLACED | TFF, 2 },
    { 4, 1, TFF, 2 }, { 11, 0, 0, 2 } };
  /* 2:3 pulldown of film */
  static const Shown telecine[] = { { 6, 0, TFF | RFF, 3 }, { 5, 0, 0, 2 }, { 7, 0, RFF, 3 }, { 4, 0, TFF, 2 }, { 6, 0, TFF | RFF, 3 },
    { 5, 2, INTERLACED, 2 } };

  check_shown (frames, G_N_ELEMENTS (frames), "progressive");
  check_shown (fields, G_N_ELEMENTS (fields), "mixed");
  check_shown (telecine, G_N_ELEMENTS (telecine), "mixed");
}

GST_END_TEST;

/* Fields that begin in the middle of a sequence: the caps wait for the next one. */
GST_START_TEST (test_pic_struct_changes)
{
  static const HandmadeSps sps = { 0, 25, TRUE };
  static const struct
  {
    HandmadePicture picture;
    const gchar *interlace_mode;
  } steps[] = {
    { { 'D', 0, 0, .pic_struct_plus1 = 1 }, "progressive" },
    { { 'P', 1, 2, .pic_struct_plus1 = 4 }, "progressive" },
    { { 'D', 0, 6, .pic_struct_plus1 = 1 }, "mixed" },
    { { 'P', 1, 2, .pic_struct_plus1 = 1 }, "mixed" },
  };
  Handmade t;

  handmade_open (&t, 1, TRUE);
  handmade_push_sps (&t, &sps);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    GstCaps *caps;

    handmade_push_picture (&t, &steps[i].picture, i * 40 * MS);
    caps = gst_pad_get_current_caps (t.h->sinkpad);
    assert_equals_string (gst_structure_get_string (gst_caps_get_structure (caps, 0), "interlace-mode"), steps[i].interlace_mode);
    gst_caps_unref (caps);
  }
  handmade_finish (&t);
  fail_unless_equals_int (t.output->len, G_N_ELEMENTS (steps));
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR, NULL), 0);
  handmade_close (&t);
}

GST_END_TEST;

/* A unit in a buffer of its own */
static void
push_unit (Handmade *t, guint8 nal_unit_type, GstClockTime pts)
{
  const guint8 unit[] = { 0, 0, 1, nal_unit_type, 0x80 };
  GstBuffer *buffer = gst_buffer_new_memdup (unit, sizeof (unit));

  GST_BUFFER_PTS (buffer) = pts;
  handmade_push (t, buffer);
}

/* The time of an access unit is on its delimiter, and not on its slices; that of filler data behind them is of no other picture. */
GST_START_TEST (test_time_before_slices)
{
  static const HandmadeSps sps = { 0, 25 };
  static const HandmadePicture pictures[] = { { 'D', 0, 0 }, { 'P', 1, 2 }, { 'P', 2, 4 }, { 'P', 3, 6 }, { 'P', 4, 8 } };
  static const GstClockTime expected[] = { 500 * MS, 540 * MS, 700 * MS, 740 * MS, 800 * MS };
  Handmade t;

  handmade_open (&t, 1, TRUE);
  handmade_push_sps (&t, &sps);
  push_unit (&t, H264_NAL_AUD, 500 * MS);
  handmade_push_picture (&t, &pictures[0], GST_CLOCK_TIME_NONE);
  push_unit (&t, H264_NAL_FILLER_DATA, 500 * MS);
  handmade_push_picture (&t, &pictures[1], GST_CLOCK_TIME_NONE);
  push_unit (&t, H264_NAL_AUD, 700 * MS);
  handmade_push_picture (&t, &pictures[2], GST_CLOCK_TIME_NONE);
  handmade_push_picture (&t, &pictures[3], GST_CLOCK_TIME_NONE);
  /* one that has a time of its own keeps it */
  push_unit (&t, H264_NAL_AUD, 780 * MS);
  handmade_push_picture (&t, &pictures[4], 800 * MS);
  handmade_finish (&t);
  fail_unless_equals_int (t.output->len, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    fail_unless_equals_uint64 (handmade_output (&t, i)->pts, expected[i]);
  handmade_close (&t);
}

GST_END_TEST;

/* An IDR picture is lost, so that what follows it comes out before a frame that waits: each keeps its time, though that looks as if times
 * were those of decoding. */
GST_START_TEST (test_times_across_a_loss)
{
  static const HandmadeSps sps = { 1, 25 };
  Handmade t;

  handmade_open (&t, 1, TRUE);
  handmade_push_sps (&t, &sps);
  handmade_push_picture (&t, &(HandmadePicture){ 'D', 0, 0 }, 0);
  handmade_push_picture (&t, &(HandmadePicture){ 'P', 1, 12 }, 240 * MS);
  handmade_push_picture (&t, &(HandmadePicture){ 'P', 4, 4 }, 480 * MS);
  handmade_finish (&t);
  fail_unless_equals_int (t.output->len, 3);
  fail_unless_equals_int (handmade_output (&t, 1)->poc[0], 4);
  fail_unless_equals_uint64 (handmade_output (&t, 1)->pts, 480 * MS);
  fail_unless_equals_uint64 (handmade_output (&t, 2)->pts, 240 * MS);
  handmade_close (&t);
}

GST_END_TEST;

static Suite *
h264entropytimestamps_suite (void)
{
  Suite *s = suite_create ("h264entropytimestamps");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_given_times);
  tcase_add_test (tc, test_missing_times);
  tcase_add_test (tc, test_time_before_slices);
  tcase_add_test (tc, test_times_across_a_loss);
  tcase_add_test (tc, test_wrong_times);
  tcase_add_test (tc, test_steps);
  tcase_add_test (tc, test_two_in_a_buffer);
  tcase_add_test (tc, test_delay);
  tcase_add_test (tc, test_output_delay);
  tcase_add_test (tc, test_observed_delay);
  tcase_add_test (tc, test_latency_of_threads);
  tcase_add_test (tc, test_late);
  tcase_add_test (tc, test_pic_struct);
  tcase_add_test (tc, test_pic_struct_changes);
  return s;
}

GST_CHECK_MAIN (h264entropytimestamps);
