/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "testdevice.h"

gboolean
test_device_exists (const gchar *factory)
{
  GstElement *element = gst_element_factory_make (factory, NULL);
  gchar *devices;
  gboolean exists;

  if (!element)
    g_error ("no %s: the plugin is not in GST_PLUGIN_PATH", factory);
  g_object_get (element, "devices", &devices, NULL);
  exists = *devices != '\0';
  g_free (devices);
  gst_object_unref (element);

  return exists;
}
