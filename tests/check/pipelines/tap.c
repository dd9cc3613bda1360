/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tap.h"

#include <stdio.h>

static guint n_results, n_failed;

static void
tap_print (const gchar *before, const gchar *format, va_list args, const gchar *after)
{
  gchar *text = g_strdup_vprintf (format, args);

  /* '#' starts a directive */
  g_strdelimit (text, "#\n", ' ');
  printf ("%s%s%s\n", before, text, after);
  fflush (stdout);
  g_free (text);
}

gboolean
tap_check (gboolean ok, const gchar *format, ...)
{
  gchar *before = g_strdup_printf ("%sok %u - ", ok ? "" : "not ", ++n_results);
  va_list args;

  if (!ok)
    n_failed++;
  va_start (args, format);
  tap_print (before, format, args, "");
  va_end (args);
  g_free (before);
  return ok;
}

void
tap_skip (const gchar *reason, const gchar *format, ...)
{
  gchar *before = g_strdup_printf ("ok %u - ", ++n_results);
  gchar *after = g_strdup_printf (" # SKIP %s", reason);
  va_list args;

  va_start (args, format);
  tap_print (before, format, args, after);
  va_end (args);
  g_free (before);
  g_free (after);
}

void
tap_note (const gchar *format, ...)
{
  va_list args;

  va_start (args, format);
  tap_print ("# ", format, args, "");
  va_end (args);
}

int
tap_finish (void)
{
  printf ("1..%u\n", n_results);
  return n_failed ? 1 : 0;
}
