/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   fuzzcorpus FILE|FOLDER...
 *
 * Runs the fuzzer's harness once over each file: those that a fuzzer kept, without the fuzzer.
 */
#include <glib.h>

#include "fuzz.h"

static guint
run_file (const gchar *path)
{
  gchar *data;
  gsize size;

  if (!g_file_get_contents (path, &data, &size, NULL))
    return 0;
  LLVMFuzzerTestOneInput ((const uint8_t *) data, size);
  g_free (data);
  return 1;
}

static guint
run_folder (const gchar *path)
{
  GDir *dir = g_dir_open (path, 0, NULL);
  const gchar *name;
  guint n = 0;

  if (!dir)
    return run_file (path);
  while ((name = g_dir_read_name (dir))) {
    gchar *file = g_build_filename (path, name, NULL);

    n += run_file (file);
    g_free (file);
  }
  g_dir_close (dir);
  return n;
}

int
main (int argc, char **argv)
{
  guint n = 0;

  LLVMFuzzerInitialize (&argc, &argv);
  for (int i = 1; i < argc; i++)
    n += run_folder (argv[i]);
  g_print ("%u inputs\n", n);
  return n > 0 ? 0 : 1;
}
