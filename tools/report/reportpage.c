/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reportpage.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

/* Made of page/ by the build */
extern const char report_page_html[], report_page_css[], report_page_js[];

/* In the template stands @NAME@ where a part belongs. */
typedef struct
{
  const gchar *name, *text;
} Part;

static void
write_parts (FILE *file, const Part *parts, guint n_parts)
{
  const gchar *at = report_page_html;

  while (*at) {
    const gchar *next = strchr (at, '@');
    const Part *found = NULL;

    for (guint i = 0; next && i < n_parts && !found; i++)
      if (g_str_has_prefix (next, parts[i].name))
        found = &parts[i];
    if (!found) {
      const gsize n = next ? (gsize) (next - at) + 1 : strlen (at);

      fwrite (at, 1, n, file);
      at += n;
      continue;
    }
    fwrite (at, 1, (gsize) (next - at), file);
    fputs (found->text, file);
    at = next + strlen (found->name);
  }
}

gboolean
report_page_write (const gchar *path, const gchar *title, const gchar *json, GError **error)
{
  gchar *valid = g_utf8_make_valid (title, -1), *escaped = g_markup_escape_text (valid, -1);
  const Part parts[] = { { "@TITLE@", escaped }, { "@STYLE@", report_page_css }, { "@SCRIPT@", report_page_js }, { "@DATA@", json } };
  FILE *file = g_fopen (path, "wb");
  gboolean ok = file != NULL;

  if (file) {
    write_parts (file, parts, G_N_ELEMENTS (parts));
    ok = !ferror (file);
    ok = fclose (file) == 0 && ok;
  }
  if (!ok)
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s cannot be written: %s", path, g_strerror (errno));
  g_free (escaped);
  g_free (valid);
  return ok;
}
