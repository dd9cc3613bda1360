/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What came out of a pipeline in which something failed: nothing that is wrong may look right.
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/**
 * FailingRun:
 * @md5s: (element-type utf8): of each picture that came; "" where it is flagged as corrupted or cannot be read
 * @error: (nullable): the first error message, or that a picture cannot be read
 * @timed_out: it hung
 */
typedef struct
{
  GPtrArray *md5s;
  gchar *error;
  gboolean timed_out;
} FailingRun;

/* Plays @pipeline, which has an appsink "sink" and stays the caller's, to its end, an error or a time-out, and then stops it. */
void failing_run_play (FailingRun *run, GstElement *pipeline);
void failing_run_clear (FailingRun *run);

/* Whether @run is what may become of a pipeline that gives the pictures of @right: those, or an error behind the first of them */
gboolean failing_run_is_honest (const FailingRun *run, const FailingRun *right);

G_END_DECLS
