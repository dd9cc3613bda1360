/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gsth264entropy.h"

static gboolean
plugin_init (GstPlugin *plugin)
{
  return GST_ELEMENT_REGISTER (h264entropy, plugin);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, h264entropy, "The serial part of H.264 decoding", plugin_init, PACKAGE_VERSION,
    GST_LICENSE, GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
