/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The file that gst-gpu-decode writes: its kind, what it can hold, and what becomes of it.
 */
#pragma once

#include "decode.h"

G_BEGIN_DECLS

/* Chooses an output where none was named; FALSE, with the error told, where it is none to write. */
gboolean decode_check_output (Decode *self);
/* (transfer full): what follows the decoder, as gst-launch-1.0 writes it */
gchar *decode_describe_output (Decode *self);
/* Connects the elements of that description, which are in the decoder now. */
void decode_attach_output (Decode *self);
/* (transfer full) (nullable): what of @caps is a change that the output cannot hold: mp4mux would go on and write what no player reads.
 * (The writer of y4m checks for itself.) */
gchar *decode_refuse_change (Decode *self, const GstCaps *caps);
/* (nullable): what a file of this kind has the pictures converted to, where they are not that already */
const gchar *decode_get_conversion (Decode *self);
/* Ends the file; after an error leaves one without a picture away. */
void decode_close_output (Decode *self);

/* FALSE, which is told, where the report's file is one that is read or written otherwise */
gboolean decode_check_report (Decode *self);

G_END_DECLS
