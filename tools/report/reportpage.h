/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The page of a report: the template with its style, its script and the data, in one file.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @title: any text; @json: as JsonWriter writes it, what the script draws.  FALSE with @error where @path cannot be written. */
gboolean report_page_write (const gchar *path, const gchar *title, const gchar *json, GError **error);

G_END_DECLS
