/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstcldevices-private.h"
#include "gstcldiscovery-private.h"
#include "gstclelement.h"
#include "gstclreuse.h"

GType
gst_cl_backend_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    { GST_CL_BACKEND_OPENCL, "Kernels on an OpenCL device", "opencl" },
    { GST_CL_BACKEND_C, "The plain C reference on the CPU", "c" },
    { 0, NULL, NULL },
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstClBackend", values));

  return type;
}

void
gst_cl_element_post_error (GstElement *element, GError *error)
{
  gst_element_message_full (element, GST_MESSAGE_ERROR, error->domain, error->code, g_strdup (error->message), NULL, __FILE__, G_STRFUNC,
      __LINE__);
  g_error_free (error);
}

/* Properties */

static GParamSpec *
new_index_spec (const gchar *name, const gchar *nick, const gchar *blurb)
{
  return g_param_spec_int (name, nick, blurb, -1, G_MAXINT, -1, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY);
}

void
gst_cl_element_install_choice (GObjectClass *klass)
{
  g_object_class_install_property (klass, GST_CL_PROP_BACKEND,
      g_param_spec_enum ("backend", "Backend", "What the element runs on", GST_TYPE_CL_BACKEND, GST_CL_BACKEND_OPENCL,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY));
  g_object_class_install_property (klass, GST_CL_PROP_PLATFORM,
      new_index_spec ("platform", "Platform", "OpenCL platform by its place in the list of gpuidct's \"devices\" (-1: any)"));
  g_object_class_install_property (klass, GST_CL_PROP_DEVICE,
      new_index_spec ("device", "Device", "OpenCL device by its place in its platform (-1: a GPU, else an accelerator, else a CPU)"));
  g_object_class_install_property (klass, GST_CL_PROP_DEVICE_NAME,
      g_param_spec_string ("device-name", "Device name",
          "OpenCL device by a part of its name, by its UUID, or gpu:N for the N-th GPU from 0 on", NULL,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY));
  gst_type_mark_as_plugin_api (GST_TYPE_CL_BACKEND, 0);
}

void
gst_cl_element_install_properties (GObjectClass *klass)
{
  const GParamFlags read_only = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  gst_cl_element_install_choice (klass);
  g_object_class_install_property (klass, GST_CL_PROP_DEVICES,
      g_param_spec_string ("devices", "Devices", "The OpenCL devices that exist, a line each", NULL, read_only));
  g_object_class_install_property (klass, GST_CL_PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics", "Launches, transfers, bytes and host waits so far; time where measure-time is true",
          GST_TYPE_STRUCTURE, read_only));
  g_object_class_install_property (klass, GST_CL_PROP_MEASURE_TIME,
      g_param_spec_boolean ("measure-time", "Measure time", "Measure how long the work takes on the device, for stats", FALSE,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY));
}

void
gst_cl_element_set_property (GstClElement *self, GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GST_OBJECT_LOCK (object);
  switch (id) {
    case GST_CL_PROP_BACKEND:
      self->wanted_backend = g_value_get_enum (value);
      break;
    case GST_CL_PROP_PLATFORM:
      self->choice.platform = g_value_get_int (value);
      break;
    case GST_CL_PROP_DEVICE:
      self->choice.device = g_value_get_int (value);
      break;
    case GST_CL_PROP_DEVICE_NAME:
      g_free (self->choice.name);
      self->choice.name = g_value_dup_string (value);
      break;
    case GST_CL_PROP_MEASURE_TIME:
      self->measure_time = g_value_get_boolean (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
  GST_OBJECT_UNLOCK (object);
}

void
gst_cl_element_get_property (GstClElement *self, GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  switch (id) {
    case GST_CL_PROP_BACKEND:
      g_value_set_enum (value, self->wanted_backend);
      break;
    case GST_CL_PROP_PLATFORM:
      g_value_set_int (value, self->choice.platform);
      break;
    case GST_CL_PROP_DEVICE:
      g_value_set_int (value, self->choice.device);
      break;
    case GST_CL_PROP_DEVICE_NAME:
      GST_OBJECT_LOCK (object);
      g_value_set_string (value, self->choice.name);
      GST_OBJECT_UNLOCK (object);
      break;
    case GST_CL_PROP_DEVICES:
      g_value_take_string (value, gst_cl_devices_describe ());
      break;
    case GST_CL_PROP_MEASURE_TIME:
      g_value_set_boolean (value, self->measure_time);
      break;
    case GST_CL_PROP_STATS:
      gst_cl_timing_collect (&self->timing);
      g_value_take_boxed (value, gst_cl_stats_to_structure (self->stats));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

/* The device */

void
gst_cl_element_init (GstClElement *self)
{
  self->choice = (GstClDeviceChoice) GST_CL_DEVICE_CHOICE_ANY;
  self->stats = gst_cl_stats_new ();
  gst_cl_timing_init (&self->timing, self->stats);
}

void
gst_cl_element_clear (GstClElement *self)
{
  g_clear_pointer (&self->choice.name, g_free);
  gst_cl_timing_clear (&self->timing);
  gst_cl_stats_unref (self->stats);
  self->stats = NULL;
}

static void
release_memory (GstClElement *self)
{
  if (self->holds)
    gst_cl_reuse_release (self->held);
  self->holds = FALSE;
  self->held = NULL;
}

/* From here on memory of the device stays for later pictures, of this element or another one. */
static void
hold_memory (GstClElement *self, GstElement *element)
{
  GstClContext *context;

  GST_OBJECT_LOCK (element);
  context = self->context;
  GST_OBJECT_UNLOCK (element);
  if (self->holds && self->held == context)
    return;
  release_memory (self);
  self->holds = TRUE;
  self->held = context;
  gst_cl_reuse_hold (self->held);
}

static gboolean
ensure_context (GstClElement *self, GstElement *element, gboolean create)
{
  GstClDeviceChoice choice;
  gboolean ret;

  GST_OBJECT_LOCK (element);
  choice = self->choice;
  choice.name = g_strdup (choice.name);
  GST_OBJECT_UNLOCK (element);
  ret = gst_cl_context_ensure (element, &choice, create, &self->context);
  if (ret)
    hold_memory (self, element);
  g_free (choice.name);
  return ret;
}

gboolean
gst_cl_element_open (GstClElement *self, GstElement *element)
{
  GError *error = NULL;

  GST_OBJECT_LOCK (element);
  self->backend = self->wanted_backend;
  self->timing.enabled = self->measure_time;
  GST_OBJECT_UNLOCK (element);
  if (!ensure_context (self, element, self->backend == GST_CL_BACKEND_OPENCL))
    return FALSE;
  if (self->backend == GST_CL_BACKEND_C)
    return TRUE;
  self->queue = gst_cl_context_create_queue_for (self->context, self->timing.enabled, &error);
  if (!self->queue)
    gst_cl_element_post_error (element, error);

  return self->queue != NULL;
}

void
gst_cl_element_close (GstClElement *self, GstElement *element)
{
  GstClContext *context;

  if (self->queue) {
    GST_CL_CALL (clFinish (self->queue));
    gst_cl_timing_collect (&self->timing);
    GST_CL_CALL (clReleaseCommandQueue (self->queue));
    self->queue = NULL;
  }
  release_memory (self);
  GST_OBJECT_LOCK (element);
  context = g_steal_pointer (&self->context);
  GST_OBJECT_UNLOCK (element);
  gst_clear_object (&context);
}

gboolean
gst_cl_element_find_context (GstClElement *self, GstElement *element)
{
  return self->backend != GST_CL_BACKEND_C || ensure_context (self, element, FALSE);
}

GstClContext *
gst_cl_element_get_context (GstClElement *self, GstElement *element)
{
  GstClContext *context;

  GST_OBJECT_LOCK (element);
  context = self->context ? gst_object_ref (self->context) : NULL;
  GST_OBJECT_UNLOCK (element);

  return context;
}

void
gst_cl_element_set_context (GstClElement *self, GstElement *element, GstContext *context)
{
  gst_cl_context_handle_set_context (element, context, &self->choice, &self->context);
}

gboolean
gst_cl_element_query (GstClElement *self, GstElement *element, GstQuery *query)
{
  GstClContext *context;
  gboolean answered;

  if (GST_QUERY_TYPE (query) != GST_QUERY_CONTEXT)
    return FALSE;
  context = gst_cl_element_get_context (self, element);
  answered = gst_cl_context_handle_query (element, query, context);
  gst_clear_object (&context);

  return answered;
}
