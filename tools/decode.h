/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the parts of gst-gpu-decode share: gst-gpu-decode.c builds the pipeline and runs it, decodeoutput.c knows the file that is written,
 * decodemessages.c says how it goes.
 */
#pragma once

#include <glib/gstdio.h>

#include "gstdecoderow.h"
#include "report.h"
#include "y4mwriter.h"

G_BEGIN_DECLS

typedef struct
{
  /* what was asked for */
  gchar *file;
  gchar *out;          /* NULL: a display */
  GStatBuf out_before; /* OUT as this program found it; st_nlink is 0 where there was none */
  gchar *report_file;  /* (nullable) */
  gchar *row;
  gboolean output_corrupt;
  GstDecodeRow stages; /* where gpucsc computes too */

  GMainLoop *loop;
  GstElement *pipeline;
  GstElement *decoder; /* from h264parse to the picture; in the pipeline once there is video */
  gboolean found_video;
  GString *other_streams;
  Report *report; /* (nullable) */

  /* written by the streaming thread */
  Y4mWriter *y4m;
  gchar *refusal;        /* (nullable): how the video has changed in a way that the output cannot hold, which has ended it */
  gboolean is_untimed;   /* pictures have no times but those that they are given */
  GstClockTime next_pts; /* at which the last picture ends */
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

/* @ending: with its dot; OUT may have it in capitals */
static inline gboolean
decode_output_ends (const Decode *self, const gchar *ending)
{
  gsize n_out = self->out ? strlen (self->out) : 0, n_ending = strlen (ending);

  return n_out >= n_ending && g_ascii_strcasecmp (self->out + n_out - n_ending, ending) == 0;
}

G_END_DECLS
