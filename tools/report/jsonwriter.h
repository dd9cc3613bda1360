/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Writes JSON (RFC 8259) that may stand in an HTML page: what HTML gives a meaning to is escaped.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * JsonWriter:
 * @text: what has been written
 *
 * Each function writes one value.  @name: (nullable): of the member, in an object; NULL in an array and for the whole.
 */
typedef struct
{
  GString *text;
} JsonWriter;

void json_writer_init (JsonWriter *self);
void json_writer_clear (JsonWriter *self);

void json_begin_object (JsonWriter *self, const gchar *name);
void json_end_object (JsonWriter *self);
void json_begin_array (JsonWriter *self, const gchar *name);
void json_end_array (JsonWriter *self);

/* @value: (nullable): any bytes; what is no UTF-8 becomes U+FFFD.  NULL is written as null. */
void json_add_string (JsonWriter *self, const gchar *name, const gchar *value);
/* Infinite values, and NaN, are written as null; whole numbers up to 2^53 exactly, others with six digits. */
void json_add_number (JsonWriter *self, const gchar *name, gdouble value);
void json_add_boolean (JsonWriter *self, const gchar *name, gboolean value);

G_END_DECLS
