/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The Test Anything Protocol: each call prints one result line, counted and numbered. */

/* Passed where @ok; returns @ok. */
gboolean tap_check (gboolean ok, const gchar *format, ...) G_GNUC_PRINTF (2, 3);

/* One result that could not be had, and why */
void tap_skip (const gchar *reason, const gchar *format, ...) G_GNUC_PRINTF (2, 3);

/* A remark that belongs to the last result */
void tap_note (const gchar *format, ...) G_GNUC_PRINTF (1, 2);

/* Prints the plan; the program's exit status */
int tap_finish (void);

G_END_DECLS
