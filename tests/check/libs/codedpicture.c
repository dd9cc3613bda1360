/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Coded pictures, their frame stores, metas and actions.
 */
#include <gst/check/gstcheck.h>
#include "gstcodedpicture.h"
#include "gstcoeffmeta.h"

#define ALL_STAGES (GST_CODED_STAGE_IDCT | GST_CODED_STAGE_INTERPRED | GST_CODED_STAGE_INTRAPRED | GST_CODED_STAGE_DEBLOCK)

GST_START_TEST (test_new)
{
  GstFrameStore *store = gst_frame_store_new (7);
  GstCodedPicture *picture = gst_coded_picture_new (store);

  assert_equals_int (store->number, 7);
  fail_unless (!store->surface);
  fail_if (GST_CLOCK_TIME_IS_VALID (store->pts));
  fail_if (GST_CLOCK_TIME_IS_VALID (store->duration));
  fail_unless (picture->store == store);
  assert_equals_int (picture->pending, ALL_STAGES);
  assert_equals_int (picture->n_colour_planes, 1);
  assert_equals_int (picture->actions->len, 0);
  ASSERT_MINI_OBJECT_REFCOUNT (store, "store", 2);
  gst_coded_picture_unref (picture);
  ASSERT_MINI_OBJECT_REFCOUNT (store, "store", 1);
  gst_frame_store_unref (store);
}

GST_END_TEST;

static gpointer
wait_submitted (gpointer store)
{
  return GINT_TO_POINTER (gst_frame_store_wait_submitted (store));
}

/* A frame is submitted when the last stage of both its fields is, in any order of stages. */
GST_START_TEST (test_submitted)
{
  GstFrameStore *store = gst_frame_store_new (0);
  GstCodedPicture *top = gst_coded_picture_new (store), *bottom = gst_coded_picture_new (store);
  GThread *thread = g_thread_new ("waiter", wait_submitted, store);

  top->pending = GST_CODED_STAGE_IDCT | GST_CODED_STAGE_DEBLOCK;
  bottom->pending = GST_CODED_STAGE_DEBLOCK;
  gst_coded_picture_stage_done (bottom, GST_CODED_STAGE_DEBLOCK);
  assert_equals_int (bottom->pending, 0);
  assert_equals_int (store->n_unsubmitted, 1);
  /* not pending: nothing happens, and nothing is counted twice */
  gst_coded_picture_stage_done (bottom, GST_CODED_STAGE_DEBLOCK);
  gst_coded_picture_stage_done (top, GST_CODED_STAGE_INTRAPRED);
  assert_equals_int (store->n_unsubmitted, 1);
  gst_coded_picture_stage_done (top, GST_CODED_STAGE_DEBLOCK);
  assert_equals_int (store->n_unsubmitted, 1);
  gst_coded_picture_stage_done (top, GST_CODED_STAGE_IDCT);
  assert_equals_int (store->n_unsubmitted, 0);

  fail_unless (GPOINTER_TO_INT (g_thread_join (thread)));
  gst_coded_picture_unref (top);
  gst_coded_picture_unref (bottom);
  fail_unless (gst_frame_store_wait_submitted (store));
  gst_frame_store_unref (store);
}

GST_END_TEST;

GST_START_TEST (test_dropped_picture_fails)
{
  GstFrameStore *store = gst_frame_store_new (0);
  GstCodedPicture *picture = gst_coded_picture_new (store);
  GThread *thread = g_thread_new ("waiter", wait_submitted, store);

  gst_coded_picture_stage_done (picture, GST_CODED_STAGE_IDCT);
  gst_coded_picture_unref (picture);
  fail_if (GPOINTER_TO_INT (g_thread_join (thread)));
  fail_if (gst_frame_store_wait_submitted (store));
  gst_frame_store_unref (store);
}

GST_END_TEST;

GST_START_TEST (test_flush_wakes)
{
  GstFrameStore *store = gst_frame_store_new (0);
  GstCodedPicture *picture = gst_coded_picture_new (store);
  GThread *thread = g_thread_new ("waiter", wait_submitted, store);

  gst_frame_store_flush (store);
  fail_if (GPOINTER_TO_INT (g_thread_join (thread)));
  fail_if (gst_frame_store_wait_submitted (store));
  gst_coded_picture_unref (picture);
  gst_frame_store_unref (store);
}

GST_END_TEST;

static GstBuffer *
buffer_new_two_memories (void)
{
  GstBuffer *buffer = gst_buffer_new ();

  gst_buffer_append_memory (buffer, gst_allocator_alloc (NULL, 64, NULL));
  gst_buffer_append_memory (buffer, gst_allocator_alloc (NULL, 128, NULL));
  return buffer;
}

/* Copies carry the same picture; a region of the bytes is no picture. */
GST_START_TEST (test_metas_copy)
{
  GstFrameStore *store = gst_frame_store_new (0);
  GstCodedPicture *picture = gst_coded_picture_new (store);
  GstBuffer *buffer = buffer_new_two_memories (), *copy;
  GstCoeffMeta *coeffs = gst_buffer_add_coeff_meta (buffer), *copied;

  fail_unless (!gst_buffer_get_coded_picture (buffer));
  fail_unless (gst_buffer_add_coded_picture_meta (buffer, picture) != NULL);
  fail_unless (gst_buffer_get_coded_picture (buffer) == picture);
  assert_equals_int (coeffs->n_segments, 0);
  assert_equals_uint64 (coeffs->n_blocks, 0);
  coeffs->n_segments = 3;
  for (guint i = 0; i <= GST_GPU_N_KINDS; i++)
    coeffs->first[i] = i / 3;
  coeffs->coded_bytes = 1000;
  coeffs->n_blocks = 40;

  copy = gst_buffer_copy (buffer);
  fail_unless (gst_buffer_get_coded_picture (copy) == picture);
  copied = gst_buffer_get_coeff_meta (copy);
  fail_unless (copied && copied != coeffs);
  assert_equals_int (copied->n_segments, 3);
  for (guint i = 0; i <= GST_GPU_N_KINDS; i++)
    assert_equals_int (copied->first[i], i / 3);
  assert_equals_uint64 (copied->coded_bytes, 1000);
  assert_equals_uint64 (copied->n_blocks, 40);
  gst_buffer_unref (copy);

  copy = gst_buffer_copy_region (buffer, GST_BUFFER_COPY_ALL, 0, 64);
  fail_unless (!gst_buffer_get_coded_picture (copy));
  fail_unless (!gst_buffer_get_coeff_meta (copy));
  gst_buffer_unref (copy);

  ASSERT_MINI_OBJECT_REFCOUNT (picture, "picture", 2);
  gst_buffer_unref (buffer);
  ASSERT_MINI_OBJECT_REFCOUNT (picture, "picture", 1);
  gst_coded_picture_unref (picture);
  gst_frame_store_unref (store);
}

GST_END_TEST;

GST_START_TEST (test_actions_event)
{
  const GstCodedAction actions[] = { { TRUE, 3 }, { FALSE, 0 }, { TRUE, G_MAXUINT32 } };
  GstEvent *event = gst_coded_actions_event_new (actions, G_N_ELEMENTS (actions));
  GArray *parsed = gst_coded_actions_event_parse (event);

  fail_unless (GST_EVENT_IS_SERIALIZED (event));
  fail_unless (GST_EVENT_IS_DOWNSTREAM (event));
  fail_unless (parsed != NULL);
  assert_equals_int (parsed->len, 3);
  for (guint i = 0; i < parsed->len; i++) {
    assert_equals_int (g_array_index (parsed, GstCodedAction, i).output, actions[i].output);
    assert_equals_uint64 (g_array_index (parsed, GstCodedAction, i).number, actions[i].number);
  }
  gst_event_unref (event);
  g_array_unref (parsed);

  event = gst_coded_actions_event_new (NULL, 0);
  parsed = gst_coded_actions_event_parse (event);
  fail_unless (parsed != NULL);
  assert_equals_int (parsed->len, 0);
  g_array_unref (parsed);
  gst_event_unref (event);
}

GST_END_TEST;

GST_START_TEST (test_other_events)
{
  GArray *bytes = g_array_new (FALSE, FALSE, 1);
  GstEvent *events[] = {
    gst_event_new_eos (),
    gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM, NULL),
    gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM, gst_structure_new_empty ("other")),
    gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM, gst_structure_new_empty ("GstCodedActions")),
    gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM, gst_structure_new ("GstCodedActions", "actions", G_TYPE_INT, 1, NULL)),
    gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM, gst_structure_new ("GstCodedActions", "actions", G_TYPE_ARRAY, bytes, NULL)),
  };

  for (guint i = 0; i < G_N_ELEMENTS (events); i++) {
    fail_unless (!gst_coded_actions_event_parse (events[i]));
    gst_event_unref (events[i]);
  }
  g_array_unref (bytes);
}

GST_END_TEST;

static Suite *
codedpicture_suite (void)
{
  Suite *s = suite_create ("codedpicture");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_new);
  tcase_add_test (tc, test_submitted);
  tcase_add_test (tc, test_dropped_picture_fails);
  tcase_add_test (tc, test_flush_wakes);
  tcase_add_test (tc, test_metas_copy);
  tcase_add_test (tc, test_actions_event);
  tcase_add_test (tc, test_other_events);

  return s;
}

GST_CHECK_MAIN (codedpicture);
