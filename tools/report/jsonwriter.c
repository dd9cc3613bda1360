/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "jsonwriter.h"

#include <math.h>
#include <string.h>

#define MAX_EXACT 9007199254740992.0

void
json_writer_init (JsonWriter *self)
{
  self->text = g_string_new (NULL);
}

void
json_writer_clear (JsonWriter *self)
{
  g_string_free (self->text, TRUE);
  self->text = NULL;
}

static void
append_quoted (JsonWriter *self, const gchar *value)
{
  gchar *valid = g_utf8_make_valid (value, -1);

  g_string_append_c (self->text, '"');
  for (const gchar *p = valid; *p; p++) {
    if ((guchar) *p < 0x20 || strchr ("\"\\<>&", *p))
      g_string_append_printf (self->text, "\\u%04x", (guint) (guchar) *p);
    else
      g_string_append_c (self->text, *p);
  }
  g_string_append_c (self->text, '"');
  g_free (valid);
}

/* The comma behind the value before, and the name */
static void
begin_value (JsonWriter *self, const gchar *name)
{
  if (self->text->len > 0 && !strchr ("{[", self->text->str[self->text->len - 1]))
    g_string_append_c (self->text, ',');
  if (!name)
    return;
  append_quoted (self, name);
  g_string_append_c (self->text, ':');
}

void
json_begin_object (JsonWriter *self, const gchar *name)
{
  begin_value (self, name);
  g_string_append_c (self->text, '{');
}

void
json_end_object (JsonWriter *self)
{
  g_string_append_c (self->text, '}');
}

void
json_begin_array (JsonWriter *self, const gchar *name)
{
  begin_value (self, name);
  g_string_append_c (self->text, '[');
}

void
json_end_array (JsonWriter *self)
{
  g_string_append_c (self->text, ']');
}

void
json_add_string (JsonWriter *self, const gchar *name, const gchar *value)
{
  begin_value (self, name);
  if (value)
    append_quoted (self, value);
  else
    g_string_append (self->text, "null");
}

void
json_add_number (JsonWriter *self, const gchar *name, gdouble value)
{
  gchar digits[G_ASCII_DTOSTR_BUF_SIZE];

  begin_value (self, name);
  if (!isfinite (value))
    g_string_append (self->text, "null");
  else
    g_string_append (self->text,
        g_ascii_formatd (digits, sizeof (digits), value == floor (value) && fabs (value) <= MAX_EXACT ? "%.0f" : "%.6g", value));
}

void
json_add_boolean (JsonWriter *self, const gchar *name, gboolean value)
{
  begin_value (self, name);
  g_string_append (self->text, value ? "true" : "false");
}
