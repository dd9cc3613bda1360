/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstcldevicechoice.h"

#include <string.h>

#define UUID_DIGITS 32

void
gst_cl_device_names_init (GstClDeviceNames *names, const GstClDeviceEntry *entry)
{
  names->platform_index = entry->platform_index;
  names->device_index = entry->device_index;
  names->gpu_index = entry->gpu_index;
  names->name = gst_cl_device_string (entry->device, CL_DEVICE_NAME);
  names->uuid = gst_cl_device_uuid (entry->device);
}

void
gst_cl_device_names_clear (GstClDeviceNames *names)
{
  g_clear_pointer (&names->name, g_free);
  g_clear_pointer (&names->uuid, g_free);
}

/* Whether @text is the UUID @uuid, with hyphens or without */
static gboolean
is_uuid (const gchar *text, const gchar *uuid)
{
  guint n = 0;

  if (strlen (uuid) != UUID_DIGITS)
    return FALSE;
  for (; *text; text++) {
    if (*text == '-')
      continue;
    if (n == UUID_DIGITS || g_ascii_tolower (*text) != uuid[n])
      return FALSE;
    n++;
  }
  return n == UUID_DIGITS;
}

static gboolean
is_gpu (const gchar *text, gint gpu_index)
{
  gchar *name = g_strdup_printf ("gpu:%d", gpu_index);
  gboolean ret = gpu_index >= 0 && g_ascii_strcasecmp (text, name) == 0;

  g_free (name);
  return ret;
}

static gboolean
contains (const gchar *name, const gchar *part)
{
  gchar *folded_name = g_utf8_casefold (name, -1), *folded_part = g_utf8_casefold (part, -1);
  gboolean ret = strstr (folded_name, folded_part) != NULL;

  g_free (folded_name);
  g_free (folded_part);
  return ret;
}

gboolean
gst_cl_device_choice_takes (const GstClDeviceChoice *self, const GstClDeviceNames *names)
{
  if ((self->platform >= 0 && self->platform != names->platform_index) || (self->device >= 0 && self->device != names->device_index))
    return FALSE;
  return !self->name || !*self->name || is_uuid (self->name, names->uuid) || is_gpu (self->name, names->gpu_index)
      || contains (names->name, self->name);
}

gchar *
gst_cl_device_choice_describe (const GstClDeviceChoice *self)
{
  if (!self->name || !*self->name)
    return g_strdup_printf ("platform=%d device=%d", self->platform, self->device);
  return g_strdup_printf ("platform=%d device=%d device-name=%s", self->platform, self->device, self->name);
}
