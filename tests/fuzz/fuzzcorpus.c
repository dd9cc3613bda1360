/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   fuzzcorpus FILE|FOLDER...
 *
 * Runs the fuzzer's harness once over each file: those that a fuzzer kept, without the fuzzer.  A file whose name ends in .packed holds
 * many (pack.py).
 */
#include <glib.h>

#include "fuzz.h"

/* A copy of its own for each, so that a sanitizer sees what is read behind its end.  Where a length is wrong there are no more. */
static guint
run_packed (const guint8 *data, gsize size)
{
  guint n = 0;

  while (size >= 4) {
    const gsize length = (gsize) data[0] << 24 | data[1] << 16 | data[2] << 8 | data[3];
    guint8 *input;

    if (length > size - 4)
      return 0;
    input = g_memdup2 (data + 4, length);
    LLVMFuzzerTestOneInput (input, length);
    g_free (input);
    data += 4 + length;
    size -= 4 + length;
    n++;
  }
  return n;
}

static guint
run_file (const gchar *path)
{
  gchar *data;
  gsize size;
  guint n = 1;

  if (!g_file_get_contents (path, &data, &size, NULL))
    return 0;
  if (g_str_has_suffix (path, ".packed"))
    n = run_packed ((const guint8 *) data, size);
  else
    LLVMFuzzerTestOneInput ((const uint8_t *) data, size);
  g_free (data);
  return n;
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
