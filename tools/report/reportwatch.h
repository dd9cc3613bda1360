/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What a stage tells of itself: its property stats, read once a picture, as columns of a series.
 */
#pragma once

#include "recordview.h"
#include "reportseries.h"

G_BEGIN_DECLS

/* Counters that a stage may have */
#define REPORT_WATCH_MAX_COUNTERS 9

/**
 * ReportWatch:
 * @element: the stage
 * @frame: the frame that it works on, in decoding order from 0 on; -1 before the first one
 *
 * A stage under watch.  Not locked: its owner does that.
 */
typedef struct
{
  GstElement *element;
  gint64 frame;

  /*< private > */
  ReportSeries *series;
  guint32 store_number;
  guint n_counters;
  const gchar *names[REPORT_WATCH_MAX_COUNTERS];
  guint columns[REPORT_WATCH_MAX_COUNTERS];
  guint64 values[REPORT_WATCH_MAX_COUNTERS];
} ReportWatch;

/* Whether @element tells how long it works */
gboolean report_watch_is_stage (GstElement *element);

/* Makes @element, which is a stage in state NULL, measure its time. */
ReportWatch *report_watch_new (GstElement *element, ReportSeries *series);
void report_watch_free (ReportWatch *self);

/* What has been counted since the last time belongs to the frame that the stage works on. */
void report_watch_read (ReportWatch *self);

/* The next buffer is @picture (nullable: raw video, a frame each).  TRUE where a frame begins with it. */
gboolean report_watch_advance (ReportWatch *self, const GstCodedPicture *picture);

/* The stage as an object */
void report_watch_write (const ReportWatch *self, JsonWriter *json);

G_END_DECLS
