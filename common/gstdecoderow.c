/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstcodedstages.h"
#include "gstdecoderow.h"

/* The extra stage is not one of the row */
#define FIRST_STAGE 1

guint
gst_decode_row_get_n_stages (void)
{
  guint n = 0;

  while (gst_decode_row_get_stage (n))
    n++;
  return n;
}

/**
 * gst_decode_row_get_stage:
 * @index: place of a stage behind the entropy stage, the first one is 0
 *
 * Returns: (nullable): the name of its element; %NULL behind the last
 */
const gchar *
gst_decode_row_get_stage (guint index)
{
  return gst_coded_stages_get_element (FIRST_STAGE + index);
}

gchar *
gst_decode_row_describe (const GstDecodeRow *self)
{
  GString *row = g_string_new (NULL);
  const gchar *stage;

  g_string_append_printf (row, "h264entropy n-threads=%u", self->n_threads);
  for (guint i = 0; i < self->n_stages && (stage = gst_decode_row_get_stage (i)); i++) {
    g_string_append_printf (row, self->queues ? " ! queue ! %s" : " ! %s", stage);
    g_string_append_printf (row, " backend=%s platform=%d device=%d", self->backend ? self->backend : "opencl", self->platform,
        self->device);
  }
  return g_string_free (row, FALSE);
}

gchar *
gst_decode_row_remove (const gchar *row, const gchar *stage)
{
  gchar **elements = g_strsplit (row, " ! ", -1);
  GString *rest = g_string_new (NULL);

  for (guint i = 0; elements[i]; i++)
    if (!g_str_has_prefix (elements[i], stage))
      g_string_append_printf (rest, "%s%s", rest->len ? " ! " : "", elements[i]);
  g_strfreev (elements);
  return g_string_free (rest, FALSE);
}

/**
 * gst_decode_row_make_bin:
 * @self: how the row is to be made
 * @error: %GST_PARSE_ERROR
 *
 * Returns: (transfer floating) (nullable): the row as a bin with pads "sink" and "src"; %NULL and @error where an element is not there
 */
GstElement *
gst_decode_row_make_bin (const GstDecodeRow *self, GError **error)
{
  gchar *description = gst_decode_row_describe (self);
  GstElement *bin = gst_parse_bin_from_description_full (description, TRUE, NULL, GST_PARSE_FLAG_FATAL_ERRORS, error);

  g_free (description);
  return bin;
}

/**
 * gst_decode_row_find:
 * @bin: a #GstBin
 * @stage: the name of an element's kind, as gst_decode_row_get_stage() gives it
 *
 * Returns: (transfer full) (nullable): the first element of that kind in @bin or a bin in it
 */
GstElement *
gst_decode_row_find (GstBin *bin, const gchar *stage)
{
  GstIterator *elements = gst_bin_iterate_all_by_element_factory_name (bin, stage);
  GValue value = G_VALUE_INIT;
  GstElement *found = NULL;

  if (gst_iterator_next (elements, &value) == GST_ITERATOR_OK) {
    found = g_value_dup_object (&value);
    g_value_unset (&value);
  }
  gst_iterator_free (elements);
  return found;
}
