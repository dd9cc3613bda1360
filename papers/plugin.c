/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gst.h>

GST_ELEMENT_REGISTER_DECLARE (gpuqp);
GST_ELEMENT_REGISTER_DECLARE (gpuqpdelta);
GST_ELEMENT_REGISTER_DECLARE (paperscsc);
GST_ELEMENT_REGISTER_DECLARE (papersidct);
GST_ELEMENT_REGISTER_DECLARE (papersintrapred);

static gboolean
plugin_init (GstPlugin *plugin)
{
  gboolean ret = TRUE;

  ret &= GST_ELEMENT_REGISTER (gpuqp, plugin);
  ret &= GST_ELEMENT_REGISTER (gpuqpdelta, plugin);
  ret &= GST_ELEMENT_REGISTER (paperscsc, plugin);
  ret &= GST_ELEMENT_REGISTER (papersidct, plugin);
  ret &= GST_ELEMENT_REGISTER (papersintrapred, plugin);

  return ret;
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, gpupapers,
    "Published algorithms in the place of video decoding stages, to be compared", plugin_init, PACKAGE_VERSION, GST_LICENSE,
    GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
