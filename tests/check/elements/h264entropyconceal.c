/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What a lost slice of a moving picture is concealed with: the motion of the macroblocks that nobody sent.
 */
#include <gst/check/gstcheck.h>

#include "gpurecords.h"
#include "handmade.h"
#include "oddstream.h"

/* Pictures of 4x3 macroblocks; a slice for the first row, and one for the others */
#define ROW 4
#define N_MBS 12

/**
 * Picture:
 * @slice: its slices; @moves of both
 * @lost: the second one is
 */
typedef struct
{
  OddSlice slice;
  gboolean lost;
} Picture;

static void
write_picture (OddStream *s, const Picture *picture)
{
  OddSlice first = picture->slice, second = picture->slice;

  first.n_mbs = ROW;
  second.first_mb = ROW;
  odd_slice (s, &first);
  if (!picture->lost)
    odd_slice (s, &second);
  odd_end (s, -1);
}

/* The vectors of all lost macroblocks of @buffer are these; list 1 is used where @l1 is not 0. */
static void
check_motion (GstBuffer *buffer, gint l0, gint l1)
{
  const GstCodedPicture *coded = gst_buffer_get_coded_picture (buffer);
  GstMemory *memory = gst_buffer_peek_memory (buffer, GST_CODED_MEMORY_HEADER);
  GstMapInfo map;

  fail_unless (gst_memory_map (memory, &map, GST_MAP_READ));
  for (guint i = ROW; i < N_MBS; i++) {
    const GstGpuMb *mb = (const GstGpuMb *) (map.data + coded->layout[0].mbs) + i;
    const GstGpuPartition *p = (const GstGpuPartition *) (map.data + coded->layout[0].partitions) + mb->first_motion;

    fail_unless_equals_int (mb->mb_class, GST_GPU_MB_INTER);
    fail_unless_equals_int (mb->n_partitions, 1);
    fail_unless_equals_int (p->ref_idx[0], 0);
    fail_unless_equals_int (p->mv[0][0], l0);
    fail_unless_equals_int (p->mv[0][1], 0);
    fail_unless_equals_int (p->ref_idx[1], l1 != 0 ? 0 : -1);
    fail_unless_equals_int (p->mv[1][0], l1);
  }
  gst_memory_unmap (memory, &map);
}

/* The last one of @pictures is the one with a loss. */
static void
check_pictures (const Picture *pictures, guint n, gint l0, gint l1)
{
  OddStream s;
  GstBuffer *buffer, *last = NULL;
  Handmade t;

  odd_stream_init (&s);
  odd_sets (&s);
  for (guint i = 0; i < n; i++)
    write_picture (&s, &pictures[i]);
  handmade_open (&t, 2, FALSE);
  for (guint i = 0; i < s.buffers->len; i++)
    fail_unless_equals_int (gst_harness_push (t.h, gst_buffer_ref (g_ptr_array_index (s.buffers, i))), GST_FLOW_OK);
  gst_harness_push_event (t.h, gst_event_new_eos ());
  while ((buffer = gst_harness_try_pull (t.h))) {
    gst_clear_buffer (&last);
    last = buffer;
  }
  check_motion (last, l0, l1);
  fail_unless (gst_buffer_get_coded_picture (last)->store->buffer_flags & GST_BUFFER_FLAG_CORRUPTED);
  gst_buffer_unref (last);
  handmade_close (&t);
  odd_stream_clear (&s);
}

/* What moved goes on moving. */
GST_START_TEST (test_p)
{
  static const Picture pictures[] = { { { 'D' } }, { { 'P', 1, 2, .moves = 32 } }, { { 'P', 2, 4 }, TRUE } };

  check_pictures (pictures, G_N_ELEMENTS (pictures), 32, 0);
}

GST_END_TEST;

/* Half-way between its neighbours */
GST_START_TEST (test_b)
{
  static const Picture pictures[] = { { { 'D' } }, { { 'P', 1, 8, .moves = 32 } }, { { 'B', 2, 4, TRUE }, TRUE } };

  check_pictures (pictures, G_N_ELEMENTS (pictures), 16, -16);
}

GST_END_TEST;

/* Behind an intra picture the neighbours tell, of whatever slice. */
GST_START_TEST (test_behind_intra)
{
  static const Picture pictures[] = { { { 'D' } }, { { 'P', 1, 2, .moves = 24 }, TRUE } };

  check_pictures (pictures, G_N_ELEMENTS (pictures), 24, 0);
}

GST_END_TEST;

static Suite *
h264entropyconceal_suite (void)
{
  Suite *suite = suite_create ("h264entropyconceal");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_p);
  tcase_add_test (tcase, test_b);
  tcase_add_test (tcase, test_behind_intra);
  return suite;
}

GST_CHECK_MAIN (h264entropyconceal);
