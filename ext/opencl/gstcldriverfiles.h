/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the files of OpenCL drivers tell of the devices: without loading a driver, since registering a plugin opens no device.
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/**
 * GstClDriverFiles:
 * @has_driver: a driver is installed
 * @n_gpus: device files of GPUs that an installed driver is for
 *
 * A guess: a driver may be broken, or the device file one that may not be opened.
 */
typedef struct
{
  gboolean has_driver;
  guint n_gpus;
} GstClDriverFiles;

/* Reads the files by which the ICD loader finds drivers (*.icd in etc/OpenCL/vendors below the folder @root; or where OCL_ICD_VENDORS,
 * OPENCL_VENDOR_PATH and OCL_ICD_FILENAMES say), and looks which device files there are (dev/ below @root). */
GstClDriverFiles gst_cl_driver_files_look (const gchar *root);

/* Has GStreamer's registry look at @plugin again when one of those files or variables changes. */
void gst_cl_driver_files_watch (GstPlugin *plugin);

G_END_DECLS
