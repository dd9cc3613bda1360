/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Which device somebody asks for: by its place in the enumeration, by its name, or both.
 */
#pragma once

#include "gstcldevices-private.h"

G_BEGIN_DECLS

/**
 * GstClDeviceChoice:
 * @platform: place of its platform; -1: any
 * @device: its place in its platform; -1: any
 * @name: (nullable): %NULL or "": any; a part of its name (CL_DEVICE_NAME), capitals or not; its UUID (CL_DEVICE_UUID_KHR: 32 hexadecimal
 *   digits, with hyphens or without); or "gpu:N": the GPU with N GPUs before it in the enumeration of all platforms
 */
typedef struct
{
  gint platform;
  gint device;
  gchar *name;
} GstClDeviceChoice;

#define GST_CL_DEVICE_CHOICE_ANY \
  {                              \
    .platform = -1, .device = -1 \
  }

/* What of a device is compared */
typedef struct
{
  gint platform_index, device_index;
  gint gpu_index; /* GPUs before it; -1: it is none */
  gchar *name;
  gchar *uuid; /* 32 small hexadecimal digits; "": the driver tells none */
} GstClDeviceNames;

void gst_cl_device_names_init (GstClDeviceNames *names, const GstClDeviceEntry *entry);
void gst_cl_device_names_clear (GstClDeviceNames *names);

/* Whether the device is one of those that are asked for */
GST_CL_API
gboolean gst_cl_device_choice_takes (const GstClDeviceChoice *self, const GstClDeviceNames *names);

/* (transfer full): as one writes the properties: "platform=0 device=-1 device-name=radeon" */
gchar *gst_cl_device_choice_describe (const GstClDeviceChoice *self);

G_END_DECLS
