/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reportwatch.h"

static const gchar *const counters[] = { "time", "slices", "launches", "waits", "map-waits", "bytes-up", "bytes-down", "map-bytes-down" };
G_STATIC_ASSERT (G_N_ELEMENTS (counters) <= REPORT_WATCH_MAX_COUNTERS);

gboolean
report_watch_is_stage (GstElement *element)
{
  GObjectClass *klass = G_OBJECT_GET_CLASS (element);

  /* a bin tells what those in it tell */
  return !GST_IS_BIN (element) && g_object_class_find_property (klass, "measure-time") && g_object_class_find_property (klass, "stats");
}

static GstStructure *
get_stats (GstElement *element)
{
  GstStructure *stats = NULL;

  g_object_get (element, "stats", &stats, NULL);
  return stats ? stats : gst_structure_new_empty ("nothing");
}

ReportWatch *
report_watch_new (GstElement *element, ReportSeries *series)
{
  ReportWatch *self = g_new0 (ReportWatch, 1);
  GstStructure *stats = get_stats (element);

  self->element = gst_object_ref (element);
  self->series = series;
  self->frame = -1;
  g_object_set (element, "measure-time", TRUE, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (counters); i++)
    if (gst_structure_has_field_typed (stats, counters[i], G_TYPE_UINT64)) {
      self->names[self->n_counters] = counters[i];
      self->columns[self->n_counters++] = report_series_add_column (series, REPORT_SUM);
    }
  gst_structure_free (stats);
  return self;
}

void
report_watch_free (ReportWatch *self)
{
  gst_object_unref (self->element);
  g_free (self);
}

void
report_watch_read (ReportWatch *self)
{
  GstStructure *stats = get_stats (self->element);

  for (guint i = 0; i < self->n_counters; i++) {
    guint64 value = self->values[i];

    gst_structure_get_uint64 (stats, self->names[i], &value);
    if (value > self->values[i])
      report_series_add (self->series, self->columns[i], (guint64) MAX (self->frame, 0), (gdouble) (value - self->values[i]));
    self->values[i] = value;
  }
  gst_structure_free (stats);
}

gboolean
report_watch_advance (ReportWatch *self, const GstCodedPicture *picture)
{
  if (picture && self->frame >= 0 && picture->store->number == self->store_number)
    return FALSE;
  if (picture)
    self->store_number = picture->store->number;
  self->frame++;
  return TRUE;
}

void
report_watch_write (const ReportWatch *self, JsonWriter *json)
{
  GstElementFactory *factory = gst_element_get_factory (self->element);

  json_begin_object (json, NULL);
  json_add_string (json, "element", factory ? GST_OBJECT_NAME (factory) : G_OBJECT_TYPE_NAME (self->element));
  json_begin_object (json, "totals");
  for (guint i = 0; i < self->n_counters; i++)
    json_add_number (json, self->names[i], (gdouble) self->values[i]);
  json_end_object (json);
  json_begin_object (json, "series");
  for (guint i = 0; i < self->n_counters; i++)
    report_series_write (self->series, self->columns[i], self->names[i], json);
  json_end_object (json);
  json_end_object (json);
}
