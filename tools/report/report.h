/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A report of a decoding: gathered while it runs, in bounded memory, and written as one HTML page.
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct _Report Report;

/* @frame: whose macroblocks are shown, by its place in decoding order from 0 on; -1: one that has much to show */
Report *report_new (gint64 frame);
void report_free (Report *self);

/* Watches the elements of @decoder, which is in state NULL and belongs to no pipeline yet, and the decoded pictures that pass @output. */
void report_watch_decoder (Report *self, GstBin *decoder, GstPad *output);

/* An error, a warning or an information of the pipeline */
void report_take_message (Report *self, GstMessage *message);

/* Any text */
void report_set_title (Report *self, const gchar *title);

/* A line of the page's head; @value: (nullable): any text; NULL: no line */
void report_add_fact (Report *self, const gchar *name, const gchar *value);

/* Writes the page to @path; the decoder has stopped.  FALSE with @error where the file cannot be written. */
gboolean report_write (Report *self, const gchar *path, GError **error);

/* (transfer full) (nullable): why the frame that was asked for is not shown */
gchar *report_explain_missing_frame (Report *self);

G_END_DECLS
