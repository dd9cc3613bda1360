/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gst.h>
#include "gstgpuh264dec.h"

GST_ELEMENT_REGISTER_DECLARE (gpuidct);
GST_ELEMENT_REGISTER_DECLARE (gpuinterpred);
GST_ELEMENT_REGISTER_DECLARE (gpuintrapred);
GST_ELEMENT_REGISTER_DECLARE (gpudeblock);
GST_ELEMENT_REGISTER_DECLARE (gpucsc);

/* The stages are always registered, and look for a device when they are opened.  How the decoder stands among others depends on what is
 * installed, which the registry looks at again when it changes. */
static gboolean
plugin_init (GstPlugin *plugin)
{
  GstClDriverFiles files = gst_cl_driver_files_look ("/");
  gboolean ret = TRUE;

  ret &= GST_ELEMENT_REGISTER (gpuidct, plugin);
  ret &= GST_ELEMENT_REGISTER (gpuinterpred, plugin);
  ret &= GST_ELEMENT_REGISTER (gpuintrapred, plugin);
  ret &= GST_ELEMENT_REGISTER (gpudeblock, plugin);
  ret &= GST_ELEMENT_REGISTER (gpucsc, plugin);
  ret &= gst_gpu_h264_dec_register (plugin, &files);
  gst_cl_driver_files_watch (plugin);

  return ret;
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, opencl, "H.264 decoder, its stages and colour conversion on OpenCL devices",
    plugin_init, PACKAGE_VERSION, GST_LICENSE, GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
