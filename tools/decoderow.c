/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decoderow.h"

static const gchar *const stages[DECODE_ROW_N_STAGES] = { "gpuidct", "gpuintrapred", "gpudeblock" };

static void
decode_row_append_property (GString * row, const gchar * name, const gchar * value)
{
  gchar *escaped;

  if (!value)
    return;
  escaped = g_strescape (value, NULL);
  g_string_append_printf (row, " %s=\"%s\"", name, escaped);
  g_free (escaped);
}

gchar *
decode_row_describe (const DecodeRow * self)
{
  GString *row = g_string_new (NULL);

  g_string_append_printf (row, "h264entropy n-threads=%u", self->n_threads);
  for (guint i = 0; i < MIN (self->n_stages, DECODE_ROW_N_STAGES); i++) {
    g_string_append_printf (row, self->queues ? " ! queue ! %s" : " ! %s", stages[i]);
    decode_row_append_property (row, "backend", self->backend);
    decode_row_append_property (row, "platform", self->platform);
    decode_row_append_property (row, "device", self->device);
  }
  return g_string_free (row, FALSE);
}

/* Ends the iteration at the first element whose `stats` name a device. */
static gint
decode_row_compare_device (gconstpointer item, gconstpointer name)
{
  GObject *element = g_value_get_object (item);
  GstStructure *stats = NULL;

  if (!g_object_class_find_property (G_OBJECT_GET_CLASS (element), "stats"))
    return 1;
  g_object_get (element, "stats", &stats, NULL);
  if (!stats)
    return 1;
  *(gchar **) name = g_strdup (gst_structure_get_string (stats, "device"));
  gst_structure_free (stats);

  return *(gchar **) name ? 0 : 1;
}

gchar *
decode_row_get_device_name (GstBin * bin)
{
  GstIterator *elements = gst_bin_iterate_recurse (bin);
  GValue item = G_VALUE_INIT;
  gchar *name = NULL;

  if (gst_iterator_find_custom (elements, decode_row_compare_device, &item, &name))
    g_value_unset (&item);
  gst_iterator_free (elements);

  return name;
}
