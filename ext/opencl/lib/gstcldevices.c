/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstcldevices-private.h"

#include <CL/cl_ext.h>
#include <string.h>

#include "gstclstatus-private.h"

static gint
count_gpus (const GArray *entries)
{
  gint n = 0;

  for (guint i = 0; i < entries->len; i++)
    n += g_array_index (entries, GstClDeviceEntry, i).gpu_index >= 0;
  return n;
}

static void
append_devices (GArray *entries, cl_platform_id platform, gint platform_index)
{
  cl_uint n = 0;
  cl_device_id *devices;

  /* A platform without a device answers CL_DEVICE_NOT_FOUND, which is no error here. */
  if (clGetDeviceIDs (platform, CL_DEVICE_TYPE_ALL, 0, NULL, &n) != CL_SUCCESS || n == 0)
    return;
  devices = g_new0 (cl_device_id, n);
  if (GST_CL_CALL (clGetDeviceIDs (platform, CL_DEVICE_TYPE_ALL, n, devices, NULL)) == CL_SUCCESS) {
    for (cl_uint i = 0; i < n; i++) {
      GstClDeviceEntry entry = { platform_index, (gint) i, -1, platform, devices[i], 0 };

      if (GST_CL_CALL (clGetDeviceInfo (devices[i], CL_DEVICE_TYPE, sizeof (entry.type), &entry.type, NULL)) != CL_SUCCESS)
        continue;
      if (entry.type & CL_DEVICE_TYPE_GPU)
        entry.gpu_index = count_gpus (entries);
      g_array_append_val (entries, entry);
    }
  }
  g_free (devices);
}

/* (transfer full): *n platforms; with a @status that is not CL_SUCCESS none */
static cl_platform_id *
get_platforms (cl_uint *n, cl_int *status)
{
  cl_platform_id *platforms = NULL;

  *n = 0;
  *status = GST_CL_CALL (clGetPlatformIDs (0, NULL, n));
  if (*status == CL_SUCCESS && *n > 0) {
    platforms = g_new0 (cl_platform_id, *n);
    *status = GST_CL_CALL (clGetPlatformIDs (*n, platforms, NULL));
  }
  if (*status != CL_SUCCESS)
    *n = 0;

  return platforms;
}

GArray *
gst_cl_devices_list (cl_int *status)
{
  GArray *entries = g_array_new (FALSE, TRUE, sizeof (GstClDeviceEntry));
  cl_uint n;
  cl_platform_id *platforms = get_platforms (&n, status);

  for (cl_uint i = 0; i < n; i++)
    append_devices (entries, platforms[i], i);
  g_free (platforms);

  return entries;
}

gchar *
gst_cl_device_string (cl_device_id device, cl_device_info info)
{
  size_t size = 0;
  gchar *string;

  if (GST_CL_CALL (clGetDeviceInfo (device, info, 0, NULL, &size)) != CL_SUCCESS)
    return g_strdup ("");
  string = g_malloc0 (size + 1);
  if (GST_CL_CALL (clGetDeviceInfo (device, info, size, string, NULL)) != CL_SUCCESS)
    string[0] = '\0';

  return string;
}

gchar *
gst_cl_device_uuid (cl_device_id device)
{
  gchar *extensions = gst_cl_device_string (device, CL_DEVICE_EXTENSIONS);
  gboolean has_uuid = strstr (extensions, "cl_khr_device_uuid") != NULL;
  cl_uchar bytes[CL_UUID_SIZE_KHR];
  GString *digits = g_string_new (NULL);

  g_free (extensions);
  if (has_uuid && GST_CL_CALL (clGetDeviceInfo (device, CL_DEVICE_UUID_KHR, sizeof (bytes), bytes, NULL)) == CL_SUCCESS)
    for (guint i = 0; i < sizeof (bytes); i++)
      g_string_append_printf (digits, "%02x", bytes[i]);
  return g_string_free (digits, FALSE);
}

static gchar *
platform_string (cl_platform_id platform, cl_platform_info info)
{
  gchar string[256] = "";

  if (GST_CL_CALL (clGetPlatformInfo (platform, info, sizeof (string) - 1, string, NULL)) != CL_SUCCESS)
    string[0] = '\0';

  return g_strdup (string);
}

gboolean
gst_cl_devices_have_pocl (void)
{
  cl_int status;
  cl_uint n;
  cl_platform_id *platforms = get_platforms (&n, &status);
  gboolean found = FALSE;

  for (cl_uint i = 0; i < n && !found; i++) {
    gchar *name = platform_string (platforms[i], CL_PLATFORM_NAME);

    found = g_str_equal (name, "Portable Computing Language");
    g_free (name);
  }
  g_free (platforms);

  return found;
}

static const gchar *
type_name (cl_device_type type)
{
  if (type & CL_DEVICE_TYPE_GPU)
    return "GPU";
  if (type & CL_DEVICE_TYPE_ACCELERATOR)
    return "accelerator";

  return type & CL_DEVICE_TYPE_CPU ? "CPU" : "other";
}

static void
take_string (GstStructure *structure, const gchar *field, gchar *string)
{
  gst_structure_set (structure, field, G_TYPE_STRING, string, NULL);
  g_free (string);
}

void
gst_cl_devices_enumerate (GValue *value)
{
  cl_int status;
  GArray *entries = gst_cl_devices_list (&status);

  for (guint i = 0; i < entries->len; i++) {
    const GstClDeviceEntry *entry = &g_array_index (entries, GstClDeviceEntry, i);
    GstStructure *structure = gst_structure_new ("device", "platform", G_TYPE_INT, entry->platform_index, "device", G_TYPE_INT,
        entry->device_index, "type", G_TYPE_STRING, type_name (entry->type), NULL);
    GValue item = G_VALUE_INIT;

    take_string (structure, "name", gst_cl_device_string (entry->device, CL_DEVICE_NAME));
    take_string (structure, "version", gst_cl_device_string (entry->device, CL_DEVICE_VERSION));
    take_string (structure, "driver", gst_cl_device_string (entry->device, CL_DRIVER_VERSION));
    take_string (structure, "uuid", gst_cl_device_uuid (entry->device));
    take_string (structure, "platform-name", platform_string (entry->platform, CL_PLATFORM_NAME));
    g_value_init (&item, GST_TYPE_STRUCTURE);
    g_value_take_boxed (&item, structure);
    gst_value_array_append_and_take_value (value, &item);
  }
  g_array_unref (entries);
}

gchar *
gst_cl_devices_describe (void)
{
  GString *text = g_string_new (NULL);
  GValue devices = G_VALUE_INIT;

  g_value_init (&devices, GST_TYPE_ARRAY);
  gst_cl_devices_enumerate (&devices);
  for (guint i = 0; i < gst_value_array_get_size (&devices); i++) {
    const GstStructure *entry = gst_value_get_structure (gst_value_array_get_value (&devices, i));
    const gchar *uuid = gst_structure_get_string (entry, "uuid");
    gint platform = 0, device = 0;

    gst_structure_get (entry, "platform", G_TYPE_INT, &platform, "device", G_TYPE_INT, &device, NULL);
    g_string_append_printf (text, "%splatform=%d device=%d: %s, %s (%s), driver %s, of %s%s%s", i > 0 ? "\n" : "", platform, device,
        gst_structure_get_string (entry, "name"), gst_structure_get_string (entry, "type"), gst_structure_get_string (entry, "version"),
        gst_structure_get_string (entry, "driver"), gst_structure_get_string (entry, "platform-name"), *uuid ? ", UUID " : "", uuid);
  }
  g_value_unset (&devices);

  return g_string_free (text, FALSE);
}
