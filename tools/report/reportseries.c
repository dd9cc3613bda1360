/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reportseries.h"

#include <math.h>

typedef struct
{
  ReportColumnKind kind;
  GArray *values; /* of gdouble; those behind its end are like empty_value() */
} Column;

struct _ReportSeries
{
  GArray *columns; /* of Column */
  guint64 step;
  guint length;
};

static void
column_clear (gpointer item)
{
  g_array_unref (((Column *) item)->values);
}

ReportSeries *
report_series_new (void)
{
  ReportSeries *self = g_new0 (ReportSeries, 1);

  self->columns = g_array_new (FALSE, FALSE, sizeof (Column));
  g_array_set_clear_func (self->columns, column_clear);
  self->step = 1;
  return self;
}

void
report_series_free (ReportSeries *self)
{
  g_array_unref (self->columns);
  g_free (self);
}

guint
report_series_add_column (ReportSeries *self, ReportColumnKind kind)
{
  Column column = { kind, g_array_new (FALSE, FALSE, sizeof (gdouble)) };

  g_array_append_val (self->columns, column);
  return self->columns->len - 1;
}

static gdouble
empty_value (const Column *column)
{
  return column->kind == REPORT_SUM ? 0 : NAN;
}

static gdouble
get_value (const Column *column, guint point)
{
  return point < column->values->len ? g_array_index (column->values, gdouble, point) : empty_value (column);
}

static gdouble
join (const Column *column, gdouble a, gdouble b)
{
  if (column->kind == REPORT_SUM)
    return a + b;
  return isnan (a) ? b : a;
}

/* Two points become one. */
static void
halve (Column *column)
{
  const guint n = (column->values->len + 1) / 2;

  for (guint i = 0; i < n; i++)
    g_array_index (column->values, gdouble, i) = join (column, get_value (column, 2 * i), get_value (column, 2 * i + 1));
  g_array_set_size (column->values, n);
}

void
report_series_add (ReportSeries *self, guint column, guint64 frame, gdouble value)
{
  Column *c = &g_array_index (self->columns, Column, column);
  guint point;

  while (frame / self->step >= REPORT_SERIES_MAX_POINTS) {
    for (guint i = 0; i < self->columns->len; i++)
      halve (&g_array_index (self->columns, Column, i));
    self->step *= 2;
    self->length = (self->length + 1) / 2;
  }
  point = (guint) (frame / self->step);
  self->length = MAX (self->length, point + 1);
  while (c->values->len <= point) {
    const gdouble empty = empty_value (c);

    g_array_append_val (c->values, empty);
  }
  g_array_index (c->values, gdouble, point) = join (c, g_array_index (c->values, gdouble, point), value);
}

guint64
report_series_get_step (const ReportSeries *self)
{
  return self->step;
}

guint
report_series_get_length (const ReportSeries *self)
{
  return self->length;
}

gdouble
report_series_get (const ReportSeries *self, guint column, guint point)
{
  return get_value (&g_array_index (self->columns, Column, column), point);
}

void
report_series_write (const ReportSeries *self, guint column, const gchar *name, JsonWriter *json)
{
  json_begin_array (json, name);
  for (guint i = 0; i < self->length; i++)
    json_add_number (json, NULL, report_series_get (self, column, i));
  json_end_array (json);
}
