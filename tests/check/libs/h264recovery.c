/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The states of recovery (D.2.8), on sequences of headers whose results are written down
 */
#include <gst/check/gstcheck.h>
#include "h264recovery.h"
#include "h264sim.h"

#define NO_MESSAGE (-1)
#define BROKEN_LINK 0x100

typedef struct
{
  Sim sim;
  H264Recovery recovery;
  H264PictureRecovery picture;
} Stream;

/* A picture: its kind, D (IDR), I, P, or B (no reference); frame_num; PicOrderCnt; recovery_frame_cnt of a message before it, with
 * BROKEN_LINK or without, or NO_MESSAGE; and what is expected: the state, then the letters of what H264PictureRecovery has */
typedef struct
{
  gchar kind;
  guint frame_num, poc;
  gint message;
  H264RecoveryState state;
  const gchar *picture;
  gboolean lost;
} Step;

static void
stream_open (Stream *stream)
{
  memset (stream, 0, sizeof (*stream));
  sim_init (&stream->sim, &default_sps);
  h264_recovery_reset (&stream->recovery);
  fail_unless_equals_int (stream->recovery.state, H264_RECOVERY_NOT_STARTED);
}

static void
stream_begin (Stream *stream, const Step *step)
{
  Sim *sim = &stream->sim;

  if (step->message != NO_MESSAGE) {
    const H264Sei sei = { .has_recovery_point = TRUE,
      .recovery_frame_cnt = step->message & 0xff,
      .broken_link_flag = (step->message & BROKEN_LINK) != 0 };

    h264_recovery_take_message (&stream->recovery, &sei);
  }
  if (step->kind == 'D')
    sim_idr (sim);
  else
    sim_frame (sim,
        step->kind == 'I'       ? H264_SLICE_I
            : step->kind == 'B' ? H264_SLICE_B
                                : H264_SLICE_P,
        step->kind != 'B', step->frame_num, step->poc);
  sim_begin (sim);
  h264_recovery_begin_picture (&stream->recovery, &sim->sh, &sim->picture, &stream->picture);
}

static void
stream_end (Stream *stream, gboolean lost)
{
  sim_end (&stream->sim);
  h264_recovery_end_picture (&stream->recovery, &stream->picture, stream->sim.picture.number, lost);
}

/* In the order of the struct: announces, is_point, hidden, joined, before_point, unsure */
static gchar *
describe (const H264PictureRecovery *picture)
{
  return g_strdup_printf ("%s%s%s%s%s%s", picture->announces ? "a" : "", picture->is_point ? "p" : "", picture->hidden ? "h" : "",
      picture->joined ? "j" : "", picture->before_point ? "b" : "", picture->unsure ? "u" : "");
}

static void
run_steps (Stream *stream, const Step *steps, guint n)
{
  for (guint i = 0; i < n; i++) {
    gchar *text;

    stream_begin (stream, &steps[i]);
    text = describe (&stream->picture);
    fail_unless (stream->recovery.state == steps[i].state && g_str_equal (text, steps[i].picture),
        "picture %u: state %d, not %d; %s, not %s", i, stream->recovery.state, steps[i].state, text, steps[i].picture);
    g_free (text);
    stream_end (stream, steps[i].lost);
  }
}

static void
run_stream (const Step *steps, guint n)
{
  Stream stream;

  stream_open (&stream);
  run_steps (&stream, steps, n);
  sim_clear (&stream.sim);
}

#define run(...)                              \
  G_STMT_START                                \
  {                                           \
    const Step steps[] = { __VA_ARGS__ };     \
    run_stream (steps, G_N_ELEMENTS (steps)); \
  }                                           \
  G_STMT_END

#define SOUND H264_RECOVERY_SOUND
#define WAITING H264_RECOVERY_WAITING
#define RECOVERING H264_RECOVERY_RECOVERING
#define RECOVERED H264_RECOVERY_RECOVERED

GST_START_TEST (test_can_begin)
{
  const H264Sei sei = { .has_recovery_point = TRUE, .recovery_frame_cnt = 0 };
  Stream stream;

  stream_open (&stream);
  sim_frame (&stream.sim, H264_SLICE_P, 1, 3, 6);
  fail_if (h264_recovery_can_begin_with (&stream.recovery, &stream.sim.sh));
  h264_recovery_take_message (&stream.recovery, &sei);
  fail_unless (h264_recovery_can_begin_with (&stream.recovery, &stream.sim.sh));
  h264_recovery_reset (&stream.recovery);
  sim_frame (&stream.sim, H264_SLICE_I, 1, 3, 6);
  fail_unless (h264_recovery_can_begin_with (&stream.recovery, &stream.sim.sh));
  sim_idr (&stream.sim);
  fail_unless (h264_recovery_can_begin_with (&stream.recovery, &stream.sim.sh));
  sim_clear (&stream.sim);
}

GST_END_TEST;

GST_START_TEST (test_idr)
{
  run ({ 'D', 0, 0, NO_MESSAGE, SOUND, "ap" }, { 'P', 1, 2, NO_MESSAGE, SOUND, "" }, { 'I', 2, 4, NO_MESSAGE, SOUND, "" },
      { 'D', 0, 0, NO_MESSAGE, SOUND, "ap" });
}

GST_END_TEST;

/* Pictures are hidden until the recovery point, by increments of frame_num, which wraps; leading ones behind it, too; an IDR picture ends
 * everything. */
GST_START_TEST (test_recovery_point)
{
  run ({ 'P', 14, 2, 3, RECOVERING, "ahj" }, { 'P', 15, 4, NO_MESSAGE, RECOVERING, "hj" }, { 'P', 0, 6, NO_MESSAGE, RECOVERING, "hj" },
      { 'P', 1, 10, NO_MESSAGE, RECOVERED, "pj" }, { 'B', 2, 8, NO_MESSAGE, RECOVERED, "hjb" }, { 'P', 2, 12, NO_MESSAGE, RECOVERED, "j" },
      { 'D', 0, 0, NO_MESSAGE, SOUND, "ap" }, { 'P', 1, 2, NO_MESSAGE, SOUND, "" });
}

GST_END_TEST;

/* Without a message, an I picture is where pictures become right; with one it is not. */
GST_START_TEST (test_intra_picture)
{
  run ({ 'P', 3, 2, NO_MESSAGE, WAITING, "hj" }, { 'I', 4, 8, NO_MESSAGE, RECOVERED, "j" }, { 'B', 5, 6, NO_MESSAGE, RECOVERED, "hj" },
      { 'P', 5, 10, NO_MESSAGE, RECOVERED, "j" });
  run ({ 'I', 3, 2, 2, RECOVERING, "ahj" }, { 'I', 4, 4, NO_MESSAGE, RECOVERING, "hj" }, { 'P', 5, 6, NO_MESSAGE, RECOVERED, "pj" });
  /* recovery_frame_cnt 0: at once */
  run ({ 'I', 3, 8, 0, RECOVERED, "apj" }, { 'B', 4, 6, NO_MESSAGE, RECOVERED, "hjb" }, { 'P', 4, 10, NO_MESSAGE, RECOVERED, "j" });
}

GST_END_TEST;

/* The next recovery point is announced before the last one is reached, which counts all the same; a nearer one counts, too, and any behind
 * a loss. */
GST_START_TEST (test_overlapping_points)
{
  run ({ 'P', 2, 2, 4, RECOVERING, "ahj" }, { 'P', 3, 4, NO_MESSAGE, RECOVERING, "hj" }, { 'P', 4, 6, 4, RECOVERING, "hj" },
      { 'P', 5, 8, NO_MESSAGE, RECOVERING, "hj" }, { 'P', 6, 10, 4, RECOVERED, "pj" });
  run ({ 'P', 2, 2, 9, RECOVERING, "ahj" }, { 'P', 3, 4, 2, RECOVERING, "ahj" }, { 'P', 4, 6, NO_MESSAGE, RECOVERING, "hj" },
      { 'P', 5, 8, NO_MESSAGE, RECOVERED, "pj" });
  run ({ 'P', 2, 2, 4, RECOVERING, "ahj" }, { 'P', 4, 6, 4, RECOVERING, "ahju" }, { 'P', 5, 8, NO_MESSAGE, RECOVERING, "hju" },
      { 'P', 6, 10, NO_MESSAGE, RECOVERING, "hju" });
}

GST_END_TEST;

/* Pictures before a broken link in output order may be wrong, wherever decoding began. */
GST_START_TEST (test_broken_link)
{
  run ({ 'D', 0, 0, NO_MESSAGE, SOUND, "ap" }, { 'I', 1, 8, 0, SOUND, "ap" }, { 'B', 2, 6, NO_MESSAGE, SOUND, "b" },
      { 'I', 2, 16, 0 | BROKEN_LINK, SOUND, "ap" }, { 'B', 3, 14, NO_MESSAGE, SOUND, "hb" }, { 'P', 3, 18, NO_MESSAGE, SOUND, "" });
}

GST_END_TEST;

/* Picture order counts that start again end what is leading. */
GST_START_TEST (test_restart)
{
  const Step step = { 'B', 6, 4, NO_MESSAGE };
  Stream stream;

  stream_open (&stream);
  stream_begin (&stream, &(const Step){ 'I', 5, 20, NO_MESSAGE });
  stream_end (&stream, FALSE);
  stream_begin (&stream, &step);
  fail_unless (stream.picture.hidden);
  stream_end (&stream, FALSE);
  h264_recovery_restart_poc (&stream.recovery);
  stream_begin (&stream, &step);
  fail_if (stream.picture.hidden);
  fail_unless_equals_int (stream.recovery.state, H264_RECOVERY_RECOVERED);
  stream_end (&stream, FALSE);
  sim_clear (&stream.sim);
}

GST_END_TEST;

/* Behind a loss, pictures are unsure as long as there are references from before it, unless they follow a recovery point that was announced
 * since. */
GST_START_TEST (test_loss)
{
  Stream stream;
  static const Step steps[] = { { 'D', 0, 0, NO_MESSAGE, SOUND, "ap" }, { 'P', 2, 4, NO_MESSAGE, SOUND, "u" },
    { 'P', 3, 6, 1, SOUND, "au" }, { 'P', 4, 10, NO_MESSAGE, SOUND, "p" }, { 'B', 5, 8, NO_MESSAGE, SOUND, "bu" },
    { 'B', 5, 12, NO_MESSAGE, SOUND, "" } };

  stream_open (&stream);
  run_steps (&stream, steps, 2);
  fail_unless_equals_int (stream.recovery.loss, H264_LOSS_OPEN);
  run_steps (&stream, steps + 2, 1);
  fail_unless_equals_int (stream.recovery.loss, H264_LOSS_NONE);
  run_steps (&stream, steps + 3, 3);
  fail_unless_equals_int (stream.recovery.loss, H264_LOSS_PASSED);
  sim_clear (&stream.sim);
  /* a point that was announced before the loss says nothing of it */
  run ({ 'D', 0, 0, NO_MESSAGE, SOUND, "ap" }, { 'P', 1, 2, 2, SOUND, "a" }, { 'P', 3, 6, NO_MESSAGE, SOUND, "pu" },
      { 'P', 4, 8, NO_MESSAGE, SOUND, "u" });
}

GST_END_TEST;

/* Damaged frames before a recovery point count as sound references, if nothing was lost on the way to it. */
GST_START_TEST (test_first_sound)
{
  static const Step steps[] = {
    { 'D', 0, 0, NO_MESSAGE, SOUND, "ap" },
    { 'P', 1, 2, NO_MESSAGE, SOUND, "", TRUE },
    { 'P', 2, 4, 1, SOUND, "a" },
    { 'P', 3, 6, NO_MESSAGE, SOUND, "p" },
    { 'P', 4, 8, 1, SOUND, "a" },
    { 'P', 5, 10, NO_MESSAGE, SOUND, "p", TRUE },
  };
  Stream stream;

  stream_open (&stream);
  run_steps (&stream, steps, 3);
  fail_unless_equals_int (stream.recovery.first_sound, 0);
  run_steps (&stream, steps + 3, 1);
  fail_unless_equals_int (stream.recovery.first_sound, 3);
  run_steps (&stream, steps + 4, 2);
  fail_unless_equals_int (stream.recovery.first_sound, 3);
  /* frames go on counting */
  h264_recovery_reset (&stream.recovery);
  fail_unless_equals_int (stream.recovery.first_sound, 3);
  sim_clear (&stream.sim);
}

GST_END_TEST;

/* A recovery point makes damage before it good for what follows in output order, and not for pictures before it. */
GST_START_TEST (test_sound_by_order)
{
  Stream stream;

  stream_open (&stream);
  stream_begin (&stream, &(const Step){ 'D', 0, 0, NO_MESSAGE });
  stream_end (&stream, TRUE);
  stream_begin (&stream, &(const Step){ 'I', 1, 8, 0 });
  stream_end (&stream, FALSE);
  fail_unless (stream.picture.first_sound > 0);
  stream_begin (&stream, &(const Step){ 'B', 2, 6, NO_MESSAGE });
  stream_end (&stream, FALSE);
  fail_unless_equals_int (stream.picture.first_sound, 0);
  stream_begin (&stream, &(const Step){ 'P', 2, 10, NO_MESSAGE });
  stream_end (&stream, FALSE);
  fail_unless (stream.picture.first_sound > 0);
  sim_clear (&stream.sim);
}

GST_END_TEST;

static Suite *
h264recovery_suite (void)
{
  Suite *s = suite_create ("h264recovery");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_can_begin);
  tcase_add_test (tc, test_idr);
  tcase_add_test (tc, test_recovery_point);
  tcase_add_test (tc, test_intra_picture);
  tcase_add_test (tc, test_overlapping_points);
  tcase_add_test (tc, test_broken_link);
  tcase_add_test (tc, test_restart);
  tcase_add_test (tc, test_loss);
  tcase_add_test (tc, test_first_sound);
  tcase_add_test (tc, test_sound_by_order);
  return s;
}

GST_CHECK_MAIN (h264recovery);
