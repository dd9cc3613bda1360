/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Values that change from frame to frame, of any number of frames in bounded memory.
 */
#pragma once

#include "jsonwriter.h"

G_BEGIN_DECLS

/* Points of a series: where there are more frames, a point stands for 2, 4, 8 ... of them. */
#define REPORT_SERIES_MAX_POINTS 2000

/**
 * ReportColumnKind:
 * @REPORT_SUM: a point is the sum of its frames' values
 * @REPORT_FIRST: a point is the value of its first frame
 */
typedef enum
{
  REPORT_SUM,
  REPORT_FIRST,
} ReportColumnKind;

typedef struct _ReportSeries ReportSeries;

ReportSeries *report_series_new (void);
void report_series_free (ReportSeries *self);

/* A new column of zeros (REPORT_FIRST: of unknown values), and its number */
guint report_series_add_column (ReportSeries *self, ReportColumnKind kind);

/* Adds @value to that of @frame, counted from 0; of REPORT_FIRST columns the first value of a frame counts. */
void report_series_add (ReportSeries *self, guint column, guint64 frame, gdouble value);

/* Frames that a point stands for, and the number of points */
guint64 report_series_get_step (const ReportSeries *self);
guint report_series_get_length (const ReportSeries *self);

/* A point of a column; NaN where it is unknown */
gdouble report_series_get (const ReportSeries *self, guint column, guint point);

/* The column as an array, a number a point */
void report_series_write (const ReportSeries *self, guint column, const gchar *name, JsonWriter *json);

G_END_DECLS
