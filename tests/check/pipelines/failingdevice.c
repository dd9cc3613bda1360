/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A device that fails: each call of OpenCL that decoding a small stream takes fails in turn, alone or with all behind it.  Whatever fails,
 * the row ends with an error message or with the right pictures, and gives no wrong picture before.
 */
#include <unistd.h>
#include <gst/app/app.h>

#include "decoderun.h"
#include "failingcalls.h"
#include "failingrun.h"
#include "gstdecoderow.h"
#include "tap.h"

#define HANG_SECONDS 120

static gchar *row;

static void
decode (FailingRun *run)
{
  gchar *source = decode_source_describe (TEST_DATA "/inter.264");
  GstElement *pipeline = decode_pipeline_new (source, row, "video/x-raw");

  failing_run_play (run, pipeline);
  gst_object_unref (pipeline);
  g_free (source);
}

static void
check_failure (FailingMode mode, gint number, const FailingRun *right)
{
  const gchar *name;
  FailingRun run;

  alarm (HANG_SECONDS);
  failing_calls_begin (mode, number);
  decode (&run);
  (void) failing_calls_end (&name);
  alarm (0);
  if (!tap_check (failing_run_is_honest (&run, right), "call %d, %s, fails%s: %s", number, name ? name : "not reached",
          mode == FAILING_ALL ? ", and all behind it" : "", run.error ? run.error : "the right pictures"))
    tap_note ("  %u pictures%s", run.md5s->len, run.timed_out ? ", TIMED OUT" : "");
  failing_run_clear (&run);
}

int
main (int argc, char *argv[])
{
  GstDecodeRow description = GST_DECODE_ROW_INIT;
  gint n_calls;
  FailingRun right;
  const gchar *name;

  gst_init (&argc, &argv);
  description.n_threads = 2;
  row = gst_decode_row_describe (&description);
  /* once, so that there are programs in the cache */
  decode (&right);
  failing_run_clear (&right);
  failing_calls_begin (FAILING_NONE, 0);
  decode (&right);
  n_calls = failing_calls_end (&name);
  if (tap_check (!right.error && right.md5s->len >= 3 && n_calls > 100, "without a failure: %u pictures, %d calls%s%s", right.md5s->len,
          n_calls, right.error ? ", " : "", right.error ? right.error : ""))
    for (gint i = 0; i < n_calls; i++) {
      check_failure (FAILING_ONE, i, &right);
      check_failure (FAILING_ALL, i, &right);
    }
  failing_run_clear (&right);
  g_free (row);
  gst_deinit ();
  return tap_finish ();
}
