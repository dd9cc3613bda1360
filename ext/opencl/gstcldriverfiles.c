/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstcldriverfiles.h"

#include <string.h>

#define VENDORS "etc/OpenCL/vendors"

/* Drivers by the beginning of their library's name: those for CPUs alone, and one with device files of its own */
static const gchar *const cpu_drivers[] = { "libpocl", "libintelocl" };
#define NVIDIA_DRIVER "libnvidia-opencl"

/* Device files by the beginning of their names: of a GPU each */
static const struct
{
  const gchar *folder, *name;
  gboolean is_nvidia;
} gpu_files[] = {
  { "dev/dri", "renderD", FALSE },
  { "dev", "mali", FALSE },
  { "dev", "kgsl-3d", FALSE },
  { "dev", "dxg", FALSE },
  { "dev", "nvidia", TRUE },
};

/* Files of @folder whose names are @begin and a number, or @begin alone */
static guint
count_files (const gchar *root, const gchar *folder, const gchar *begin)
{
  gchar *path = g_build_filename (root, folder, NULL);
  GDir *dir = g_dir_open (path, 0, NULL);
  const gchar *name;
  guint n = 0;

  while (dir && (name = g_dir_read_name (dir)))
    n += g_str_has_prefix (name, begin) && strspn (name + strlen (begin), "0123456789") == strlen (name + strlen (begin));
  g_clear_pointer (&dir, g_dir_close);
  g_free (path);
  return n;
}

/* GPUs that the driver in @library is for: several kinds of files may stand for the same one */
static guint
count_gpus (const gchar *root, const gchar *library)
{
  guint most = 0;

  for (guint i = 0; i < G_N_ELEMENTS (cpu_drivers); i++)
    if (g_str_has_prefix (library, cpu_drivers[i]))
      return 0;
  for (guint i = 0; i < G_N_ELEMENTS (gpu_files); i++)
    if (gpu_files[i].is_nvidia == g_str_has_prefix (library, NVIDIA_DRIVER))
      most = MAX (most, count_files (root, gpu_files[i].folder, gpu_files[i].name));
  return most;
}

static void
take_library (GstClDriverFiles *self, const gchar *root, const gchar *path)
{
  gchar *library = g_path_get_basename (path);

  self->has_driver = TRUE;
  self->n_gpus = MAX (self->n_gpus, count_gpus (root, library));
  g_free (library);
}

/* @path: a file that has the library's name in its first line, or the library */
static void
take_file (GstClDriverFiles *self, const gchar *root, const gchar *path)
{
  gchar *text = NULL;

  if (!g_str_has_suffix (path, ".icd")) {
    take_library (self, root, path);
  } else if (g_file_get_contents (path, &text, NULL, NULL)) {
    text[strcspn (text, "\r\n")] = '\0';
    if (*g_strstrip (text))
      take_library (self, root, text);
  }
  g_free (text);
}

static void
take_folder (GstClDriverFiles *self, const gchar *root, const gchar *folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const gchar *name;

  while (dir && (name = g_dir_read_name (dir)))
    if (g_str_has_suffix (name, ".icd")) {
      gchar *path = g_build_filename (folder, name, NULL);

      take_file (self, root, path);
      g_free (path);
    }
  g_clear_pointer (&dir, g_dir_close);
}

/* Where the loader looks: (transfer full) */
static gchar *
find_vendors (const gchar *root)
{
  const gchar *said = g_getenv ("OCL_ICD_VENDORS");

  if (!said || !*said)
    said = g_getenv ("OPENCL_VENDOR_PATH");
  return said && *said ? g_strdup (said) : g_build_filename (root, VENDORS, NULL);
}

GstClDriverFiles
gst_cl_driver_files_look (const gchar *root)
{
  GstClDriverFiles self = { FALSE, 0 };
  gchar *vendors = find_vendors (root);
  const gchar *names = g_getenv ("OCL_ICD_FILENAMES");
  gchar **further = g_strsplit (names ? names : "", ":", -1);

  if (g_file_test (vendors, G_FILE_TEST_IS_DIR))
    take_folder (&self, root, vendors);
  else if (g_file_test (vendors, G_FILE_TEST_EXISTS) || strstr (vendors, ".so"))
    take_file (&self, root, vendors);
  for (guint i = 0; further[i]; i++)
    if (*further[i])
      take_file (&self, root, further[i]);
  g_strfreev (further);
  g_free (vendors);
  return self;
}

void
gst_cl_driver_files_watch (GstPlugin *plugin)
{
  static const gchar *const variables[] = { "OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH", "OCL_ICD_FILENAMES", NULL };
  static const gchar *const vendors[] = { "/" VENDORS, NULL }, *const endings[] = { ".icd", NULL };
  static const gchar *const folders[] = { "/dev", "/dev/dri", NULL },
                            *const devices[] = { "renderD", "mali", "kgsl-3d", "dxg", "nvidia", NULL };

  gst_plugin_add_dependency (plugin, (const gchar **) variables, (const gchar **) vendors, (const gchar **) endings,
      GST_PLUGIN_DEPENDENCY_FLAG_FILE_NAME_IS_SUFFIX);
  gst_plugin_add_dependency (plugin, NULL, (const gchar **) folders, (const gchar **) devices,
      GST_PLUGIN_DEPENDENCY_FLAG_FILE_NAME_IS_PREFIX);
}
