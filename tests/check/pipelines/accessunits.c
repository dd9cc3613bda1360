/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "accessunits.h"

#include <gst/app/app.h>
#include <stdlib.h>

#include "decoderun.h"

#define WAIT (60 * GST_SECOND)
/* Where times begin, so that decoding times can lie before them */
#define START GST_SECOND
#define SOURCE "appsrc name=src format=time max-bytes=0"

static void
access_unit_free (gpointer data)
{
  AccessUnit *unit = data;

  gst_buffer_unref (unit->buffer);
  gst_caps_unref (unit->caps);
  g_free (unit);
}

GPtrArray *
access_units_new (void)
{
  return g_ptr_array_new_with_free_func (access_unit_free);
}

static void
add_unit (GPtrArray *units, GstBuffer *buffer, GstCaps *caps, guint field)
{
  AccessUnit *unit = g_new (AccessUnit, 1);

  *unit = (AccessUnit){ gst_buffer_copy_deep (buffer), gst_caps_ref (caps), field };
  g_ptr_array_add (units, unit);
}

void
access_units_append (GPtrArray *self, GstBuffer *buffer, GstCaps *caps)
{
  add_unit (self, buffer, caps, 0);
}

static AccessUnit *
get_unit (GPtrArray *units, guint i)
{
  return g_ptr_array_index (units, i);
}

/* All that comes out of @pipeline, which ends here */
static GPtrArray *
read_units (GstElement *pipeline, guint max)
{
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GPtrArray *units = access_units_new ();
  GstSample *sample;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (units->len < max && (sample = gst_app_sink_try_pull_sample (GST_APP_SINK (sink), WAIT))) {
    add_unit (units, gst_sample_get_buffer (sample), gst_sample_get_caps (sample), 0);
    gst_sample_unref (sample);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
  return units;
}

static gchar *
unit_caps (const gchar *format)
{
  return g_strdup_printf ("video/x-h264,stream-format=%s,alignment=au", format);
}

GPtrArray *
access_units_read (const gchar *source, const gchar *format, guint max)
{
  gchar *caps = unit_caps (format);
  GstElement *pipeline = decode_pipeline_new (source, "h264parse", caps);

  g_free (caps);
  return read_units (pipeline, max);
}

void
access_units_push (GPtrArray *units, guint i, GstElement *appsrc)
{
  GstSample *sample = gst_sample_new (get_unit (units, i)->buffer, get_unit (units, i)->caps, NULL, NULL);

  gst_app_src_push_sample (GST_APP_SRC (appsrc), sample);
  gst_sample_unref (sample);
}

void
access_units_push_all (GPtrArray *units, GstElement *pipeline)
{
  GstElement *src = gst_bin_get_by_name (GST_BIN (pipeline), "src");

  for (guint i = 0; i < units->len; i++)
    access_units_push (units, i, src);
  gst_app_src_end_of_stream (GST_APP_SRC (src));
  gst_object_unref (src);
}

/* (element-type guint) (transfer full): numbers of the units that begin a frame, in the order in which @row outputs it */
static GArray *
find_output_order (GPtrArray *units, const gchar *row)
{
  GArray *order = g_array_new (FALSE, FALSE, sizeof (guint));
  GstElement *pipeline = decode_pipeline_new (SOURCE, row, "video/x-raw");
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GstSample *sample;

  for (guint i = 0; i < units->len; i++) {
    GstBuffer *buffer = get_unit (units, i)->buffer;

    /* a decoding time of its own says that the other one is of presentation */
    GST_BUFFER_PTS (buffer) = START + i * GST_MSECOND;
    GST_BUFFER_DTS (buffer) = GST_BUFFER_PTS (buffer) - 1;
  }
  access_units_push_all (units, pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while ((sample = gst_app_sink_try_pull_sample (GST_APP_SINK (sink), WAIT))) {
    const guint number = (guint) ((GST_BUFFER_PTS (gst_sample_get_buffer (sample)) - START) / GST_MSECOND);

    g_array_append_val (order, number);
    gst_sample_unref (sample);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
  return order;
}

/* Whether all units are a frame of @order or the one field behind it */
static gboolean
mark_second_fields (GPtrArray *units, const GArray *order)
{
  gboolean ok = order->len > 0;

  for (guint i = 0; i < units->len; i++)
    get_unit (units, i)->field = 1;
  for (guint i = 0; i < order->len; i++)
    get_unit (units, g_array_index (order, guint, i))->field = 0;
  for (guint i = 0; i < units->len; i++)
    ok &= get_unit (units, i)->field == 0 || (i > 0 && get_unit (units, i - 1)->field == 0);
  return ok;
}

static void
set_output_times (GPtrArray *units, const GArray *order)
{
  for (guint i = 0; i < order->len; i++) {
    const guint number = g_array_index (order, guint, i);
    const guint n_fields = number + 1 < units->len && get_unit (units, number + 1)->field == 1 ? 2 : 1;

    for (guint field = 0; field < n_fields; field++) {
      GstBuffer *buffer = get_unit (units, number + field)->buffer;

      GST_BUFFER_DURATION (buffer) = ACCESS_UNITS_FRAME_DURATION / n_fields;
      GST_BUFFER_PTS (buffer) = START + i * ACCESS_UNITS_FRAME_DURATION + field * GST_BUFFER_DURATION (buffer);
    }
  }
}

GPtrArray *
access_units_read_bytes (GBytes *bytes, const gchar *format, guint max, const gchar *row)
{
  gchar *caps = unit_caps (format);
  GstElement *pipeline =
      decode_pipeline_new ("appsrc name=src caps=video/x-h264,stream-format=byte-stream,framerate=25/1", "h264parse", caps);
  GstAppSrc *src = GST_APP_SRC (gst_bin_get_by_name (GST_BIN (pipeline), "src"));
  GPtrArray *units;
  GArray *order;

  gst_app_src_push_buffer (src, gst_buffer_new_wrapped_bytes (bytes));
  gst_app_src_end_of_stream (src);
  units = read_units (pipeline, max);
  order = find_output_order (units, row);
  if (mark_second_fields (units, order)) {
    set_output_times (units, order);
    access_units_set_decoding_times (units);
  } else {
    g_clear_pointer (&units, g_ptr_array_unref);
  }
  g_array_unref (order);
  gst_object_unref (src);
  g_free (caps);
  return units;
}

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  const GstClockTime x = *(const GstClockTime *) a, y = *(const GstClockTime *) b;

  return x < y ? -1 : x > y;
}

void
access_units_set_decoding_times (GPtrArray *units)
{
  GstClockTime *times = g_new (GstClockTime, units->len), delay = 0;

  for (guint i = 0; i < units->len; i++)
    times[i] = GST_BUFFER_PTS (get_unit (units, i)->buffer);
  qsort (times, units->len, sizeof (times[0]), compare_times);
  for (guint i = 0; i < units->len; i++) {
    const GstClockTime pts = GST_BUFFER_PTS (get_unit (units, i)->buffer);

    delay = MAX (delay, MAX (times[i], pts) - pts);
  }
  /* presentation is moved, not decoding: no time lies before 0 */
  for (guint i = 0; i < units->len; i++) {
    GST_BUFFER_PTS (get_unit (units, i)->buffer) += delay;
    GST_BUFFER_DTS (get_unit (units, i)->buffer) = times[i];
  }
  g_free (times);
}

static void
join_field (AccessUnit *first, const AccessUnit *second)
{
  first->buffer = gst_buffer_append (first->buffer, gst_buffer_copy_deep (second->buffer));
  GST_BUFFER_DURATION (first->buffer) += GST_BUFFER_DURATION (second->buffer);
}

void
access_units_add (GPtrArray *self, GPtrArray *units, guint begin, guint end, gboolean join)
{
  for (guint i = begin; i < end; i++) {
    const AccessUnit *unit = get_unit (units, i);

    if (join && unit->field == 1 && i > begin)
      join_field (get_unit (self, self->len - 1), unit);
    else
      add_unit (self, unit->buffer, unit->caps, unit->field);
  }
}

void
access_units_add_part (GPtrArray *self, GPtrArray *units)
{
  const guint n_before = self->len;
  GstClockTime end = 0;

  for (guint i = 0; i < n_before; i++)
    end = MAX (end, GST_BUFFER_PTS (get_unit (self, i)->buffer) + GST_BUFFER_DURATION (get_unit (self, i)->buffer));
  access_units_add (self, units, 0, units->len, FALSE);
  for (guint i = n_before; i < self->len; i++) {
    GST_BUFFER_PTS (get_unit (self, i)->buffer) += end;
    GST_BUFFER_DTS (get_unit (self, i)->buffer) += end;
  }
}

gboolean
access_units_mux (GPtrArray *units, const gchar *muxer, const gchar *path)
{
  gchar *description = g_strdup_printf (SOURCE " ! video/x-h264 ! %s ! filesink location=\"%s\"", muxer, path);
  GstElement *pipeline = gst_parse_launch (description, NULL);
  GstMessage *message;
  GstBus *bus;
  gboolean ok;

  g_assert_nonnull (pipeline);
  g_free (description);
  bus = gst_element_get_bus (pipeline);
  access_units_push_all (units, pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, WAIT, GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
  ok = message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;
  gst_clear_message (&message);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
  return ok;
}
