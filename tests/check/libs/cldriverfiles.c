/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What is guessed from the files of drivers: on folders made for it.
 */
#include <glib/gstdio.h>
#include <gst/check/gstcheck.h>
#include <string.h>

#include "gstcldriverfiles.h"

static gchar *root;

static void
make_root (void)
{
  root = g_dir_make_tmp ("driverfiles-XXXXXX", NULL);
  fail_unless (root != NULL);
  g_unsetenv ("OCL_ICD_VENDORS");
  g_unsetenv ("OPENCL_VENDOR_PATH");
  g_unsetenv ("OCL_ICD_FILENAMES");
}

static void
remove_tree (const gchar *path)
{
  GDir *dir = g_dir_open (path, 0, NULL);
  const gchar *name;

  while (dir && (name = g_dir_read_name (dir))) {
    gchar *entry = g_build_filename (path, name, NULL);

    remove_tree (entry);
    g_free (entry);
  }
  g_clear_pointer (&dir, g_dir_close);
  g_remove (path);
}

static void
remove_root (void)
{
  remove_tree (root);
  g_clear_pointer (&root, g_free);
}

static void
make_file (const gchar *name, const gchar *text)
{
  gchar *path = g_build_filename (root, name, NULL), *folder = g_path_get_dirname (path);

  fail_unless_equals_int (g_mkdir_with_parents (folder, 0700), 0);
  fail_unless (g_file_set_contents (path, text, -1, NULL));
  g_free (folder);
  g_free (path);
}

static void
check_files (gboolean has_driver, guint n_gpus)
{
  GstClDriverFiles files = gst_cl_driver_files_look (root);

  fail_unless_equals_int (files.has_driver, has_driver);
  fail_unless_equals_int (files.n_gpus, n_gpus);
}

GST_START_TEST (test_none)
{
  check_files (FALSE, 0);
  make_file ("dev/dri/renderD128", "");
  check_files (FALSE, 0);
  make_file ("etc/OpenCL/vendors/README", "libfoo.so\n");
  make_file ("etc/OpenCL/vendors/empty.icd", "\n");
  check_files (FALSE, 0);
}

GST_END_TEST;

GST_START_TEST (test_drivers)
{
  make_file ("etc/OpenCL/vendors/pocl.icd", "libpocl.so.2.10.0");
  check_files (TRUE, 0);
  /* a graphics card whose driver is not installed */
  make_file ("dev/dri/renderD128", "");
  make_file ("dev/dri/card0", "");
  check_files (TRUE, 0);
  make_file ("etc/OpenCL/vendors/mesa.icd", "libMesaOpenCL.so.1\r\n");
  check_files (TRUE, 1);
  make_file ("dev/dri/renderD129", "");
  check_files (TRUE, 2);
}

GST_END_TEST;

GST_START_TEST (test_nvidia)
{
  make_file ("etc/OpenCL/vendors/nvidia.icd", "/usr/lib/libnvidia-opencl.so.1\n");
  make_file ("dev/nvidiactl", "");
  make_file ("dev/nvidia-uvm", "");
  /* of another card */
  make_file ("dev/dri/renderD128", "");
  check_files (TRUE, 0);
  make_file ("dev/nvidia0", "");
  make_file ("dev/nvidia1", "");
  make_file ("dev/nvidia10", "");
  check_files (TRUE, 3);
}

GST_END_TEST;

GST_START_TEST (test_variables)
{
  gchar *folder = g_build_filename (root, "other", NULL), *file = g_build_filename (folder, "x.icd", NULL);

  make_file ("other/x.icd", "libigdrcl.so");
  make_file ("dev/dri/renderD128", "");
  check_files (FALSE, 0);
  g_setenv ("OPENCL_VENDOR_PATH", folder, TRUE);
  check_files (TRUE, 1);
  g_unsetenv ("OPENCL_VENDOR_PATH");
  g_setenv ("OCL_ICD_VENDORS", file, TRUE);
  check_files (TRUE, 1);
  g_setenv ("OCL_ICD_VENDORS", "libpocl.so.2", TRUE);
  check_files (TRUE, 0);
  g_setenv ("OCL_ICD_FILENAMES", "libpocl.so.2::libigdrcl.so", TRUE);
  check_files (TRUE, 1);
  g_free (file);
  g_free (folder);
}

GST_END_TEST;

static Suite *
cldriverfiles_suite (void)
{
  Suite *s = suite_create ("cldriverfiles");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, make_root, remove_root);
  tcase_add_test (tc, test_none);
  tcase_add_test (tc, test_drivers);
  tcase_add_test (tc, test_nvidia);
  tcase_add_test (tc, test_variables);
  return s;
}

GST_CHECK_MAIN (cldriverfiles);
