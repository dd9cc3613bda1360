/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstcodedstages.h"

/* In the order of the bits */
static const struct
{
  const gchar *element, *work;
} stage_names[] = {
  { "gpuqp", "QP" },
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

static gchar *
join_names (GstCodedStages stages, gboolean works, const gchar *separator)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (stage_names); i++)
    if (stages & (1u << i))
      g_string_append_printf (text, "%s%s", text->len ? separator : "", works ? stage_names[i].work : stage_names[i].element);
  return g_string_free (text, FALSE);
}

gchar *
gst_coded_stages_name_elements (GstCodedStages stages)
{
  return join_names (stages, FALSE, " ! ");
}

gchar *
gst_coded_stages_name_works (GstCodedStages stages)
{
  return join_names (stages, TRUE, ", ");
}
