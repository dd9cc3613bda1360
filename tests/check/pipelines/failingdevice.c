/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A device that fails: each call of OpenCL that decoding a small stream takes fails in turn, alone or with all behind it.  Whatever
 * fails, the row ends with an error message or with the right pictures, and gives no wrong picture before.
 *
 *   failingdevice [--converted] [--every=N]
 *
 * --converted: streams whose pictures are no raw video as they are, or are converted, and whose commands are timed
 * --every: each N-th call alone
 */
#include <unistd.h>
#include <gst/app/app.h>

#include "decoderun.h"
#include "failingcalls.h"
#include "failingrun.h"
#include "gstdecoderow.h"
#include "tap.h"

#define HANG_SECONDS 120

/**
 * Case:
 * @file: in tests/data
 * @behind: properties of the last stage, and elements behind it
 * @output: caps behind these
 */
typedef struct
{
  const gchar *name, *file, *behind, *output;
} Case;

static const Case plain_cases[] = { { "P and B pictures", "inter.264", "", "video/x-raw" } };
static const Case converted_cases[] = {
  { "grey made 4:2:0", "mono.264", "", "video/x-raw,format=I420" },
  { "10 bits, converted and timed", "cavlc_422_10.264", " measure-time=true ! gpucsc measure-time=true", "video/x-raw,format=BGRA" },
};

static void
decode (const Case *c, FailingRun *run)
{
  GstDecodeRow description = GST_DECODE_ROW_INIT;
  gchar *path = g_build_filename (TEST_DATA, c->file, NULL), *source = decode_source_describe (path), *stages, *row;
  GstElement *pipeline;

  description.n_threads = 2;
  stages = gst_decode_row_describe (&description);
  row = g_strconcat (stages, c->behind, NULL);
  pipeline = decode_pipeline_new (source, row, c->output);
  failing_run_play (run, pipeline);
  gst_object_unref (pipeline);
  g_free (row);
  g_free (stages);
  g_free (source);
  g_free (path);
}

static void
check_failure (const Case *c, FailingMode mode, gint number, const FailingRun *right)
{
  const gchar *name;
  FailingRun run;

  alarm (HANG_SECONDS);
  failing_calls_begin (mode, number);
  decode (c, &run);
  (void) failing_calls_end (&name);
  alarm (0);
  if (!tap_check (failing_run_is_honest (&run, right), "%s: call %d, %s, fails%s: %s", c->name, number, name ? name : "not reached",
          mode == FAILING_ALL ? ", and all behind it" : "", run.error ? run.error : "the right pictures"))
    tap_note ("  %u pictures%s", run.md5s->len, run.timed_out ? ", TIMED OUT" : "");
  failing_run_clear (&run);
}

static void
check_case (const Case *c, gint every)
{
  FailingRun right;
  const gchar *name;
  gint n_calls;

  /* once, so that there are programs in the cache */
  decode (c, &right);
  failing_run_clear (&right);
  failing_calls_begin (FAILING_NONE, 0);
  decode (c, &right);
  n_calls = failing_calls_end (&name);
  if (tap_check (!right.error && right.md5s->len >= 3 && n_calls > 100, "%s, without a failure: %u pictures, %d calls%s%s", c->name,
          right.md5s->len, n_calls, right.error ? ", " : "", right.error ? right.error : ""))
    for (gint i = 0; i < n_calls; i += every) {
      check_failure (c, FAILING_ONE, i, &right);
      check_failure (c, FAILING_ALL, i, &right);
    }
  failing_run_clear (&right);
}

int
main (int argc, char *argv[])
{
  gboolean converted = FALSE;
  gint every = 1;
  GOptionEntry entries[] = {
    { "converted", 0, 0, G_OPTION_ARG_NONE, &converted, "Streams whose pictures are converted", NULL },
    { "every", 0, 0, G_OPTION_ARG_INT, &every, "Each N-th call alone (default 1)", "N" },
    { NULL },
  };
  const Case *cases;
  guint n_cases;

  decode_parse_options (entries, &argc, &argv);
  cases = converted ? converted_cases : plain_cases;
  n_cases = converted ? G_N_ELEMENTS (converted_cases) : G_N_ELEMENTS (plain_cases);
  for (guint i = 0; i < n_cases; i++)
    check_case (&cases[i], MAX (every, 1));
  gst_deinit ();
  return tap_finish ();
}
