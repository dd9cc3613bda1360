/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the parts of gst-gpu-decode share: gst-gpu-decode.c builds the pipeline and runs it, decodeoutput.c knows the file that is written,
 * decodereport.c says how it goes.
 */
#pragma once

#include <glib/gstdio.h>

#include "gstdecoderow.h"
#include "y4mwriter.h"

G_BEGIN_DECLS

typedef struct
{
  /* what was asked for */
  gchar *file;
  gchar *out;          /* NULL: a display */
  GStatBuf out_before; /* OUT as this program found it; st_nlink is 0 where there was none */
  gchar *row;
  GstDecodeRow stages; /* where gpucsc computes too */

  GMainLoop *loop;
  GstElement *pipeline;
  GstElement *decoder; /* from h264parse to the picture; in the pipeline once there is video */
  gboolean found_video;
  GString *other_streams;

  /* written by the streaming thread */
  Y4mWriter *y4m;
  gchar *refusal; /* (nullable): how the video has changed in a way that the output cannot hold, which has ended it */
  GMutex lock;
  gboolean stopping;
  GstCaps *caps;
  guint n_pictures, n_corrupted;
  gint64 first_time, last_time;

  guint interrupt;  /* the source of SIGINT, until the first one */
  gboolean started; /* from here on the output may be opened */
  gboolean failed;
  gboolean interrupted;
} Decode;

/* The output */

/* @ending: with its dot; OUT may have it in capitals */
gboolean decode_output_ends (const Decode *self, const gchar *ending);
/* Chooses an output where none was named; FALSE, with the error told, where it is none to write. */
gboolean decode_check_output (Decode *self);
/* (transfer full): what follows the decoder, as gst-launch-1.0 writes it */
gchar *decode_describe_output (Decode *self);
/* Connects the elements of that description, which are in the decoder now. */
void decode_attach_output (Decode *self);
/* (transfer full) (nullable): what of @caps is a change that the output cannot hold: mp4mux would go on and write what no player reads.  (The
 * writer of y4m checks for itself.) */
gchar *decode_refuse_change (Decode *self, const GstCaps *caps);
/* (nullable): what a file of this kind has the pictures converted to, where they are not that already */
const gchar *decode_get_conversion (Decode *self);
/* Ends the file; after an error leaves one without a picture away. */
void decode_close_output (Decode *self);

/* Reports */

/* What a message begins with, so that it takes the place of the line that shows progress */
const gchar *decode_over_progress (void);
/* The first error is told, and ends the main loop. */
void decode_fail (Decode *self, const gchar *format, ...) G_GNUC_PRINTF (2, 3);
void decode_on_error_message (Decode *self, GstMessage *message);
/* A warning or an information, which ends nothing */
void decode_on_remark (GstMessage *message);
void decode_print_summary (Decode *self);
/* Timeouts: the line that shows progress; a device's first picture waits for its compiler: whoever watches shall know. */
gboolean decode_on_progress (gpointer user_data);
gboolean decode_on_slow_start (gpointer user_data);

G_END_DECLS
