/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstcodedstages.h"

/* In the order of the bits */
static const struct
{
  const gchar *element, *work;
} stage_names[] = {
  { NULL, "an extra stage" },
  { "gpuidct", "inverse transforms" },
  { "gpuinterpred", "inter prediction" },
  { "gpuintrapred", "intra prediction" },
  { "gpudeblock", "deblocking" },
};

const gchar *
gst_coded_stages_get_element (guint index)
{
  return index < G_N_ELEMENTS (stage_names) ? stage_names[index].element : NULL;
}

static void
add_name (GString *text, const gchar *separator, const gchar *name)
{
  g_string_append_printf (text, "%s%s", text->len ? separator : "", name);
}

gchar *
gst_coded_stages_name_elements (GstCodedStages stages, const gchar *extra)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (stage_names); i++)
    if (stages & (1u << i))
      add_name (text, " ! ", stage_names[i].element ? stage_names[i].element : extra ? extra : stage_names[i].work);
  return g_string_free (text, FALSE);
}

gchar *
gst_coded_stages_name_works (GstCodedStages stages)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (stage_names); i++)
    if (stages & (1u << i))
      add_name (text, ", ", stage_names[i].work);
  return g_string_free (text, FALSE);
}
