/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib/gstdio.h>
#include <unistd.h>

#include "gstclpoclcache.h"

/* As PoCL chooses it */
static gchar *
pocl_cache_path (void)
{
  const gchar *folder;

  if ((folder = g_getenv ("POCL_CACHE_DIR")))
    return g_strdup (folder);
  if ((folder = g_getenv ("XDG_CACHE_HOME")))
    return g_build_filename (folder, "pocl", "kcache", NULL);
  if ((folder = g_getenv ("HOME")))
    return g_build_filename (folder, ".cache", "pocl", "kcache", NULL);

  return g_strdup ("/tmp/pocl/kcache");
}

/* Whether @path is a folder to write to, or can be made one */
static gboolean
can_write (const gchar *path)
{
  gchar *folder = g_strdup (path);
  gboolean ret;

  /* where the path does not exist, the first folder above it that does */
  while (g_access (folder, F_OK) != 0) {
    gchar *parent = g_path_get_dirname (folder);
    gboolean is_top = g_str_equal (parent, folder);

    g_free (folder);
    folder = parent;
    if (is_top)
      break;
  }
  ret = g_file_test (folder, G_FILE_TEST_IS_DIR) && g_access (folder, W_OK | X_OK) == 0;
  g_free (folder);

  return ret;
}

gchar *
gst_cl_pocl_cache_describe_trouble (void)
{
  gchar *path = pocl_cache_path ();
  gchar *trouble = NULL;

  if (!can_write (path))
    trouble = g_strdup_printf (
        "PoCL, the OpenCL driver for CPUs, cannot write its cache %s: set POCL_CACHE_DIR to a folder that can be written to", path);
  g_free (path);

  return trouble;
}
