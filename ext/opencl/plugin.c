/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gst.h>

#ifdef HAVE_GPUIDCT
GST_ELEMENT_REGISTER_DECLARE (gpuidct);
#endif
#ifdef HAVE_GPUINTRAPRED
GST_ELEMENT_REGISTER_DECLARE (gpuintrapred);
#endif
#ifdef HAVE_GPUDEBLOCK
GST_ELEMENT_REGISTER_DECLARE (gpudeblock);
#endif
#ifdef HAVE_GPUCSC
GST_ELEMENT_REGISTER_DECLARE (gpucsc);
#endif

/* The elements are always registered, and look for a device when they are opened: the registry would remember their absence. */
static gboolean
plugin_init (GstPlugin * plugin)
{
  gboolean ret = TRUE;

#ifdef HAVE_GPUIDCT
  ret &= GST_ELEMENT_REGISTER (gpuidct, plugin);
#endif
#ifdef HAVE_GPUINTRAPRED
  ret &= GST_ELEMENT_REGISTER (gpuintrapred, plugin);
#endif
#ifdef HAVE_GPUDEBLOCK
  ret &= GST_ELEMENT_REGISTER (gpudeblock, plugin);
#endif
#ifdef HAVE_GPUCSC
  ret &= GST_ELEMENT_REGISTER (gpucsc, plugin);
#endif

  return ret;
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, opencl, "Video decoding stages on OpenCL devices", plugin_init, PACKAGE_VERSION, GST_LICENSE,
    GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
