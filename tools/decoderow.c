/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decoderow.h"

static const gchar *const stages[DECODE_ROW_N_STAGES] = { "gpuidct", "gpuinterpred", "gpuintrapred", "gpudeblock" };

gchar *
decode_row_describe (const DecodeRow *self)
{
  GString *row = g_string_new (NULL);

  g_string_append_printf (row, "h264entropy n-threads=%u", self->n_threads);
  for (guint i = 0; i < MIN (self->n_stages, DECODE_ROW_N_STAGES); i++) {
    g_string_append_printf (row, self->queues ? " ! queue ! %s" : " ! %s", stages[i]);
    g_string_append_printf (row, " backend=%s platform=%d device=%d", self->backend ? self->backend : "opencl", self->platform,
        self->device);
  }
  return g_string_free (row, FALSE);
}

gchar *
decode_row_remove (const gchar *row, const gchar *stage)
{
  gchar **elements = g_strsplit (row, " ! ", -1);
  GString *rest = g_string_new (NULL);

  for (guint i = 0; elements[i]; i++)
    if (!g_str_has_prefix (elements[i], stage))
      g_string_append_printf (rest, "%s%s", rest->len ? " ! " : "", elements[i]);
  g_strfreev (elements);
  return g_string_free (rest, FALSE);
}

gchar *
decode_row_get_device_name (GstElement *bin)
{
  GstContext *context = gst_element_get_context (bin, "gst.opencl.context");
  gchar *name;

  if (!context)
    return NULL;
  name = g_strdup (gst_structure_get_string (gst_context_get_structure (context), "device-name"));
  gst_context_unref (context);

  return name;
}
