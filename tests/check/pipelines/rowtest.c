/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rowtest.h"

#include <glib/gstdio.h>
#include <string.h>

#include "decoderun.h"
#include "tap.h"

void
row_test_begin (RowTest *self, const GOptionEntry *entries, gint *argc, gchar ***argv)
{
  const GOptionEntry own[] = {
    { "backend", 0, 0, G_OPTION_ARG_STRING, &self->backend, "opencl or c", "NAME" },
    { "row", 0, 0, G_OPTION_ARG_STRING, &self->elements, "Decode with these elements instead", "ELEMENTS" },
  };
  GArray *all = g_array_new (TRUE, FALSE, sizeof (GOptionEntry));

  g_array_append_vals (all, own, G_N_ELEMENTS (own));
  for (guint i = 0; entries && entries[i].long_name; i++)
    g_array_append_val (all, entries[i]);
  decode_parse_options ((const GOptionEntry *) all->data, argc, argv);
  g_array_unref (all);

  self->settings.backend = self->backend;
  self->given = self->elements != NULL;
  if (!self->given)
    self->elements = gst_decode_row_describe (&self->settings);
}

gchar *
row_test_describe (const RowTest *self, gboolean queues)
{
  GstDecodeRow settings = self->settings;

  settings.queues = queues;
  return self->given ? g_strdup (self->elements) : gst_decode_row_describe (&settings);
}

gchar *
row_test_with (const gchar *row, const gchar *properties)
{
  const gsize n = strcspn (row, " ");

  return g_strdup_printf ("%.*s %s%s", (int) n, row, properties, row + n);
}

void
row_test_make_folder (RowTest *self)
{
  self->folder = g_dir_make_tmp ("gst-gpu-codec-XXXXXX", NULL);
  g_assert_nonnull (self->folder);
}

void
row_test_clear (RowTest *self)
{
  if (self->folder)
    g_rmdir (self->folder);
  g_free (self->folder);
  g_free (self->elements);
  g_free (self->backend);
}

int
row_test_end (RowTest *self)
{
  row_test_clear (self);
  return tap_finish ();
}
