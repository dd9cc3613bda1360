/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What was said while a stream was decoded, and how its frames were flagged: in bounded memory, however often it happens.
 */
#pragma once

#include <gst/gst.h>
#include "jsonwriter.h"

G_BEGIN_DECLS

typedef struct _ReportLog ReportLog;

ReportLog *report_log_new (void);
void report_log_free (ReportLog *self);

/* @kind: "error", "warning" or "note"; @source: who says it; @seconds: since decoding began; @frame: decoded so far.  What is said again
 * counts with the first time. */
void report_log_add_message (ReportLog *self, const gchar *kind, const gchar *source, const gchar *text, gdouble seconds, guint64 frame);

/* @frame: in the order of output, from 0 on, without gaps; @flags: of its buffer */
void report_log_add_frame (ReportLog *self, guint64 frame, GstClockTime pts, guint flags);

/* Frames that came out so far with GST_BUFFER_FLAG_CORRUPTED */
guint64 report_log_count_corrupted (const ReportLog *self);

/* The members "messages", "more_messages" and "flags" of an object */
void report_log_write (const ReportLog *self, JsonWriter *json);

G_END_DECLS
