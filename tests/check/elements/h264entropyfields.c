/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Field pictures through h264entropy: which of them make a frame, in which order its fields are shown, and what becomes of a field that
 * stays alone.
 */
#include <gst/check/gstcheck.h>
#include <gst/video/video.h>

#include "handmade.h"

#define TOP 1
#define BOTTOM 2
#define BOTH GST_FRAME_BOTH_FIELDS

static const HandmadeSps interlaced = { .fps = 25, .interlaced = TRUE };

static void
decode (Handmade *t, const HandmadePicture *pictures, guint n)
{
  handmade_open (t, 1, TRUE);
  handmade_push_sps (t, &interlaced);
  for (guint i = 0; i < n; i++)
    handmade_push_picture (t, &pictures[i], i * 20 * GST_MSECOND);
  handmade_finish (t);
}

static guint
flags_of (const Handmade *t, guint i)
{
  const GstFrameStore *store = handmade_output (t, i);

  return (store->buffer_flags | store->output_flags)
      & (GST_VIDEO_BUFFER_FLAG_INTERLACED | GST_VIDEO_BUFFER_FLAG_TFF | GST_BUFFER_FLAG_CORRUPTED);
}

/* A second field of an IDR picture may be P; the time of a frame is that of its first field. */
GST_START_TEST (test_pairs)
{
  static const HandmadePicture pictures[] = {
    { .type = 'D', .field = TOP },
    { .type = 'P', .poc = 1, .field = BOTTOM },
    { .type = 'I', .frame_num = 1, .poc = 2, .field = TOP },
    { .type = 'I', .frame_num = 1, .poc = 3, .field = BOTTOM },
    { .type = 'P', .frame_num = 2, .poc = 4, .field = TOP, .no_reference = TRUE },
    { .type = 'P', .frame_num = 2, .poc = 5, .field = BOTTOM, .no_reference = TRUE },
  };
  Handmade t;

  decode (&t, pictures, G_N_ELEMENTS (pictures));
  fail_unless_equals_int (t.n_coded, 6);
  fail_unless_equals_int (t.output->len, 3);
  for (guint i = 0; i < 3; i++) {
    fail_unless_equals_int (handmade_output (&t, i)->fields, BOTH);
    fail_unless_equals_int (flags_of (&t, i), GST_VIDEO_BUFFER_FLAG_INTERLACED | GST_VIDEO_BUFFER_FLAG_TFF);
    fail_unless_equals_int (handmade_output (&t, i)->poc[0], 2 * (gint) i);
    fail_unless_equals_int (handmade_output (&t, i)->poc[1], 2 * (gint) i + 1);
    fail_unless_equals_uint64 (handmade_output (&t, i)->pts, i * 40 * GST_MSECOND);
  }
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR, NULL), 0);
  handmade_close (&t);
}

GST_END_TEST;

GST_START_TEST (test_bottom_first)
{
  static const HandmadePicture pictures[] = {
    { .type = 'D', .field = BOTTOM },
    { .type = 'P', .poc = 1, .field = TOP },
    { .type = 'P', .frame_num = 1, .poc = 2, .field = BOTTOM },
    { .type = 'P', .frame_num = 1, .poc = 3, .field = TOP },
  };
  Handmade t;

  decode (&t, pictures, G_N_ELEMENTS (pictures));
  fail_unless_equals_int (t.output->len, 2);
  for (guint i = 0; i < 2; i++)
    fail_unless_equals_int (flags_of (&t, i), GST_VIDEO_BUFFER_FLAG_INTERLACED);
  handmade_close (&t);
}

GST_END_TEST;

/* Frames between pairs of fields; both are references of each other. */
GST_START_TEST (test_mixed_with_frames)
{
  static const HandmadePicture pictures[] = {
    { .type = 'D', .field = TOP },
    { .type = 'P', .poc = 1, .field = BOTTOM },
    { .type = 'P', .frame_num = 1, .poc = 2 },
    { .type = 'P', .frame_num = 2, .poc = 4, .field = TOP },
    { .type = 'P', .frame_num = 2, .poc = 5, .field = BOTTOM },
  };
  Handmade t;

  decode (&t, pictures, G_N_ELEMENTS (pictures));
  fail_unless_equals_int (t.output->len, 3);
  fail_unless_equals_int (handmade_output (&t, 1)->fields, BOTH);
  fail_unless_equals_int (flags_of (&t, 0), GST_VIDEO_BUFFER_FLAG_INTERLACED | GST_VIDEO_BUFFER_FLAG_TFF);
  fail_unless_equals_int (flags_of (&t, 1), 0);
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR, NULL), 0);
  handmade_close (&t);
}

GST_END_TEST;

/* What makes no pair: the same parity again; a field behind which a frame follows; another frame_num; the end of the stream */
GST_START_TEST (test_alone)
{
  static const HandmadePicture pictures[] = {
    { .type = 'D', .field = TOP },
    { .type = 'P', .frame_num = 1, .poc = 2, .field = TOP },
    { .type = 'P', .frame_num = 2, .poc = 5, .field = BOTTOM },
    { .type = 'P', .frame_num = 3, .poc = 6 },
    { .type = 'P', .frame_num = 4, .poc = 8, .field = TOP },
  };
  static const guint fields[] = { TOP, TOP, BOTTOM, BOTH, TOP };
  Handmade t;

  decode (&t, pictures, G_N_ELEMENTS (pictures));
  fail_unless_equals_int (t.output->len, G_N_ELEMENTS (fields));
  for (guint i = 0; i < t.output->len; i++)
    fail_unless_equals_int (handmade_output (&t, i)->fields, fields[i]);
  handmade_close (&t);
}

GST_END_TEST;

/* Which fields the frames have that come out of @pictures, and which are corrupted: @n_frames of them */
static void
check_lost (const HandmadePicture *pictures, guint n_pictures, const guint *fields, const gboolean *corrupted, guint n_frames)
{
  static const HandmadeSps sps = { .fps = 25, .interlaced = TRUE, .reorder = 2 };
  Handmade t;

  handmade_open (&t, 1, TRUE);
  handmade_push_sps (&t, &sps);
  for (guint i = 0; i < n_pictures; i++)
    handmade_push_picture (&t, &pictures[i], i * 20 * GST_MSECOND);
  handmade_finish (&t);
  fail_unless_equals_int (t.output->len, n_frames);
  for (guint i = 0; i < n_frames; i++) {
    fail_unless_equals_int (handmade_output (&t, i)->fields, fields[i]);
    fail_unless_equals_int (handmade_is_corrupted (&t, i), corrupted[i]);
  }
  handmade_close (&t);
}

/* Where fields have had partners, one without is damage: of a reference until the next recovery, else of its frame alone.  Fields of two
 * frames whose partners are lost are no pair, though they have parity and frame_num for it. */
GST_START_TEST (test_lost_fields)
{
  static const HandmadePicture pictures[] = {
    { .type = 'D', .field = TOP },
    { .type = 'P', .poc = 1, .field = BOTTOM },
    { .type = 'P', .frame_num = 1, .poc = 8, .field = TOP },
    { .type = 'P', .frame_num = 1, .poc = 9, .field = BOTTOM },
    { .type = 'B', .frame_num = 2, .poc = 2, .field = TOP, .no_reference = TRUE },
    /* its bottom field is lost, and the top one of this */
    { .type = 'B', .frame_num = 2, .poc = 5, .field = BOTTOM, .no_reference = TRUE },
    { .type = 'P', .frame_num = 2, .poc = 12, .field = TOP },
    { .type = 'P', .frame_num = 2, .poc = 13, .field = BOTTOM },
    { .type = 'P', .frame_num = 3, .poc = 14, .field = TOP },
    /* and here one that is referred to */
    { .type = 'P', .frame_num = 4, .poc = 16, .field = TOP },
    { .type = 'P', .frame_num = 4, .poc = 17, .field = BOTTOM },
  };
  static const guint fields[] = { BOTH, TOP, BOTTOM, BOTH, BOTH, TOP, BOTH };
  static const gboolean corrupted[] = { FALSE, TRUE, TRUE, FALSE, FALSE, TRUE, TRUE };

  check_lost (pictures, G_N_ELEMENTS (pictures), fields, corrupted, G_N_ELEMENTS (fields));
}

GST_END_TEST;

/* Only the first field of a non-reference frame is lost: the other one and the first field of the next frame have parity, frame_num and
 * distance for a pair, but come out in the order that no frame has.  Behind a frame that was not parted, fields may turn round. */
GST_START_TEST (test_lost_first_field)
{
  static const HandmadePicture pictures[] = {
    { .type = 'D', .field = TOP },
    { .type = 'P', .poc = 1, .field = BOTTOM },
    { .type = 'P', .frame_num = 1, .poc = 12, .field = TOP },
    { .type = 'P', .frame_num = 1, .poc = 13, .field = BOTTOM },
    /* its top field is lost */
    { .type = 'B', .frame_num = 2, .poc = 3, .field = BOTTOM, .no_reference = TRUE },
    { .type = 'B', .frame_num = 2, .poc = 4, .field = TOP, .no_reference = TRUE },
    { .type = 'B', .frame_num = 2, .poc = 5, .field = BOTTOM, .no_reference = TRUE },
    /* the order of output counts, not that of decoding */
    { .type = 'B', .frame_num = 2, .poc = 7, .field = BOTTOM, .no_reference = TRUE },
    { .type = 'B', .frame_num = 2, .poc = 6, .field = TOP, .no_reference = TRUE },
    { .type = 'B', .frame_num = 2, .poc = 8, .no_reference = TRUE },
    { .type = 'B', .frame_num = 2, .poc = 10, .field = BOTTOM, .no_reference = TRUE },
    { .type = 'B', .frame_num = 2, .poc = 11, .field = TOP, .no_reference = TRUE },
  };
  static const guint fields[] = { BOTH, BOTTOM, BOTH, BOTH, BOTH, BOTH, BOTH };
  static const gboolean corrupted[] = { FALSE, TRUE, FALSE, FALSE, FALSE, FALSE, FALSE };

  check_lost (pictures, G_N_ELEMENTS (pictures), fields, corrupted, G_N_ELEMENTS (fields));
}

GST_END_TEST;

/* A parser that parts an access unit behind a gap marks each part: the frame is not parted by that, and the next one is none behind a
 * gap. */
GST_START_TEST (test_discont_parts)
{
  static const HandmadePicture pictures[] = {
    { .type = 'D', .field = TOP },
    { .type = 'P', .poc = 1, .field = BOTTOM },
    { .type = 'P', .frame_num = 1, .poc = 2, .field = TOP },
    { .type = 'P', .frame_num = 1, .poc = 3, .field = BOTTOM },
    { .type = 'P', .frame_num = 2, .poc = 4, .field = TOP },
    { .type = 'P', .frame_num = 2, .poc = 5, .field = BOTTOM },
  };
  Handmade t;

  handmade_open (&t, 1, TRUE);
  handmade_push_sps (&t, &interlaced);
  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++) {
    GstBuffer *buffer = handmade_picture (&pictures[i], i * 20 * GST_MSECOND);

    if (i / 2 == 1)
      GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DISCONT);
    handmade_push (&t, buffer);
  }
  handmade_finish (&t);
  fail_unless_equals_int (t.output->len, 3);
  for (guint i = 0; i < 3; i++) {
    fail_unless_equals_int (handmade_output (&t, i)->fields, BOTH);
    fail_unless_equals_int ((handmade_flags (&t, i) & GST_BUFFER_FLAG_DISCONT) != 0, i == 1);
  }
  handmade_close (&t);
}

GST_END_TEST;

/* A demuxer gives both fields of a frame in one buffer. */
GST_START_TEST (test_one_buffer)
{
  static const HandmadePicture first = { .type = 'D', .field = TOP }, second = { .type = 'P', .poc = 1, .field = BOTTOM };
  GByteArray *data, *rest;
  GstBuffer *buffer;
  Handmade t;

  handmade_open (&t, 1, TRUE);
  handmade_push_sps (&t, &interlaced);
  data = handmade_picture_data (&first);
  rest = handmade_picture_data (&second);
  g_byte_array_append (data, rest->data, rest->len);
  g_byte_array_unref (rest);
  buffer = gst_buffer_new_wrapped (g_memdup2 (data->data, data->len), data->len);
  g_byte_array_unref (data);
  GST_BUFFER_PTS (buffer) = GST_SECOND;
  GST_BUFFER_DURATION (buffer) = 40 * GST_MSECOND;
  handmade_push (&t, buffer);
  handmade_finish (&t);
  fail_unless_equals_int (t.n_coded, 2);
  fail_unless_equals_int (t.output->len, 1);
  fail_unless_equals_int (handmade_output (&t, 0)->fields, BOTH);
  fail_unless_equals_uint64 (handmade_output (&t, 0)->pts, GST_SECOND);
  fail_unless_equals_uint64 (handmade_output (&t, 0)->duration, 40 * GST_MSECOND);
  handmade_close (&t);
}

GST_END_TEST;

/* An unpaired field shows its lines twice: of every plane, and of an odd line at the end nothing. */
GST_START_TEST (test_missing_field)
{
  for (guint fields = TOP; fields <= BOTTOM; fields++) {
    GstFrameStore *store = gst_frame_store_new (0);
    GstVideoFrame frame;
    GstVideoInfo info;

    gst_video_info_set_format (&info, GST_VIDEO_FORMAT_I420_10LE, 16, 8);
    store->surface = gst_buffer_new_allocate (NULL, info.size, NULL);
    gst_buffer_add_video_meta_full (store->surface, 0, GST_VIDEO_FORMAT_I420_10LE, 16, 8, 3, info.offset, info.stride);
    fail_unless (gst_video_frame_map (&frame, &info, store->surface, GST_MAP_WRITE));
    for (guint plane = 0; plane < 3; plane++)
      for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, plane); y++)
        memset ((guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, plane) + y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, plane),
            16 * (gint) plane + y, (gsize) GST_VIDEO_FRAME_PLANE_STRIDE (&frame, plane));
    gst_video_frame_unmap (&frame);
    store->fields = fields;
    fail_unless (gst_frame_store_fill_missing_field (store));
    fail_unless (gst_video_frame_map (&frame, &info, store->surface, GST_MAP_READ));
    for (guint plane = 0; plane < 3; plane++)
      for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, plane); y++)
        fail_unless_equals_int (((guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame,
                                    plane))[y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, plane) + 3],
            16 * (gint) plane + (y & ~1) + (fields == BOTTOM));
    gst_video_frame_unmap (&frame);
    gst_frame_store_unref (store);
  }
}

GST_END_TEST;

static Suite *
h264entropyfields_suite (void)
{
  Suite *suite = suite_create ("h264entropyfields");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_pairs);
  tcase_add_test (tcase, test_bottom_first);
  tcase_add_test (tcase, test_mixed_with_frames);
  tcase_add_test (tcase, test_alone);
  tcase_add_test (tcase, test_lost_fields);
  tcase_add_test (tcase, test_lost_first_field);
  tcase_add_test (tcase, test_discont_parts);
  tcase_add_test (tcase, test_one_buffer);
  tcase_add_test (tcase, test_missing_field);
  return suite;
}

GST_CHECK_MAIN (h264entropyfields);
