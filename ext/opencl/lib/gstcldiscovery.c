/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstclcontext-private.h"
#include "gstcldiscovery-private.h"

GST_DEBUG_CATEGORY_STATIC (gst_cl_discovery_debug);
#define GST_CAT_DEFAULT gst_cl_discovery_debug

static gpointer
register_debug_category (gpointer unused)
{
  GST_DEBUG_CATEGORY_INIT (gst_cl_discovery_debug, "cldiscovery", 0, "search for the OpenCL context");

  return NULL;
}

static void
init_debug_category (void)
{
  static GOnce once = G_ONCE_INIT;

  g_once (&once, register_debug_category, NULL);
}

GstContext *
gst_cl_context_to_gst_context (GstClContext *context)
{
  GstContext *gst_context;

  g_return_val_if_fail (GST_IS_CL_CONTEXT (context), NULL);
  gst_context = gst_context_new (GST_CL_CONTEXT_TYPE, TRUE);
  gst_structure_set (gst_context_writable_structure (gst_context), "context", GST_TYPE_CL_CONTEXT, context, "device-name", G_TYPE_STRING,
      gst_cl_context_get_name (context), NULL);

  return gst_context;
}

GstClContext *
gst_cl_context_from_gst_context (GstContext *gst_context)
{
  GstClContext *found = NULL;

  g_return_val_if_fail (GST_IS_CONTEXT (gst_context), NULL);
  if (gst_context_has_context_type (gst_context, GST_CL_CONTEXT_TYPE))
    gst_structure_get (gst_context_get_structure (gst_context), "context", GST_TYPE_CL_CONTEXT, &found, NULL);

  return found;
}

GstClContext *
gst_cl_context_from_query (GstQuery *query)
{
  GstContext *gst_context = NULL;

  g_return_val_if_fail (GST_QUERY_TYPE (query) == GST_QUERY_CONTEXT, NULL);
  gst_query_parse_context (query, &gst_context);

  return gst_context ? gst_cl_context_from_gst_context (gst_context) : NULL;
}

void
gst_cl_context_handle_set_context (GstElement *element, GstContext *new_context, const GstClDeviceChoice *choice, GstClContext **context)
{
  GstClContext *found = new_context ? gst_cl_context_from_gst_context (new_context) : NULL;

  init_debug_category ();
  if (!found)
    return;
  GST_OBJECT_LOCK (element);
  /* A context in use stays: the memories of the element belong to it. */
  if (!*context && gst_cl_device_choice_takes (choice, &found->names)) {
    GST_INFO ("%s uses %s", GST_OBJECT_NAME (element), gst_cl_context_get_name (found));
    *context = gst_object_ref (found);
  }
  GST_OBJECT_UNLOCK (element);
  gst_object_unref (found);
}

gboolean
gst_cl_context_handle_query (GstElement *element, GstQuery *query, GstClContext *context)
{
  const gchar *type = NULL;
  GstContext *gst_context;

  if (GST_QUERY_TYPE (query) != GST_QUERY_CONTEXT || !context)
    return FALSE;
  gst_query_parse_context_type (query, &type);
  if (g_strcmp0 (type, GST_CL_CONTEXT_TYPE) != 0)
    return FALSE;
  gst_context = gst_cl_context_to_gst_context (context);
  gst_query_set_context (query, gst_context);
  gst_context_unref (gst_context);

  return TRUE;
}

static gboolean
query_pad (const GValue *item, GValue *value, gpointer query)
{
  GstPad *pad = g_value_get_object (item);

  if (!gst_pad_peer_query (pad, query))
    return TRUE;
  g_value_set_boolean (value, TRUE);

  return FALSE;
}

/* FALSE where nobody on the other side of the pads has one */
static gboolean
query_neighbours (GstElement *element, GstIterator *pads, GstQuery *query)
{
  GValue value = G_VALUE_INIT;
  gboolean found;

  g_value_init (&value, G_TYPE_BOOLEAN);
  while (gst_iterator_fold (pads, query_pad, &value, query) == GST_ITERATOR_RESYNC)
    gst_iterator_resync (pads);
  gst_iterator_free (pads);
  found = g_value_get_boolean (&value);
  g_value_unset (&value);

  return found;
}

GstClContext *
gst_cl_context_from_element (GstElement *element)
{
  GstContext *gst_context;
  GstClContext *found = NULL;
  GstQuery *query;

  g_return_val_if_fail (GST_IS_ELEMENT (element), NULL);
  gst_context = gst_element_get_context (element, GST_CL_CONTEXT_TYPE);
  if (gst_context) {
    found = gst_cl_context_from_gst_context (gst_context);
    gst_context_unref (gst_context);
  }
  if (found)
    return found;

  query = gst_query_new_context (GST_CL_CONTEXT_TYPE);
  if (query_neighbours (element, gst_element_iterate_src_pads (element), query)
      || query_neighbours (element, gst_element_iterate_sink_pads (element), query))
    found = gst_cl_context_from_query (query);
  gst_query_unref (query);

  return found;
}

/* The second step: neighbours, then bin and application, who answer through set_context(). */
static void
ask_others (GstElement *element)
{
  GstQuery *query = gst_query_new_context (GST_CL_CONTEXT_TYPE);
  GstContext *gst_context = NULL;

  if (query_neighbours (element, gst_element_iterate_src_pads (element), query)
      || query_neighbours (element, gst_element_iterate_sink_pads (element), query)) {
    gst_query_parse_context (query, &gst_context);
    gst_element_set_context (element, gst_context);
  } else {
    gst_element_post_message (element, gst_message_new_need_context (GST_OBJECT (element), GST_CL_CONTEXT_TYPE));
  }
  gst_query_unref (query);
}

static gboolean
has_context (GstElement *element, GstClContext **context)
{
  gboolean ret;

  GST_OBJECT_LOCK (element);
  ret = *context != NULL;
  GST_OBJECT_UNLOCK (element);

  return ret;
}

gboolean
gst_cl_context_ensure (GstElement *element, const GstClDeviceChoice *choice, gboolean create, GstClContext **context)
{
  GError *error = NULL;
  GstClContext *created;
  GstContext *gst_context;

  init_debug_category ();
  if (*context && !gst_cl_device_choice_takes (choice, &(*context)->names))
    gst_clear_object (context);
  if (has_context (element, context))
    return TRUE;
  ask_others (element);
  if (has_context (element, context) || !create)
    return TRUE;

  created = gst_cl_context_new_chosen (choice, &error);
  if (!created) {
    gst_element_message_full (element, GST_MESSAGE_ERROR, error->domain, error->code, g_strdup (error->message),
        g_strdup ("backend=c, where an element has it, needs no device"), __FILE__, G_STRFUNC, __LINE__);
    g_error_free (error);
    return FALSE;
  }
  gst_context = gst_cl_context_to_gst_context (created);
  gst_element_set_context (element, gst_context);
  gst_object_unref (created);
  gst_element_post_message (element, gst_message_new_have_context (GST_OBJECT (element), gst_context));

  return has_context (element, context);
}
