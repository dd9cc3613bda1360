/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What gst-gpu-decode tells.
 */
#pragma once

#include "decode.h"

G_BEGIN_DECLS

/* What a message begins with, so that it takes the place of the line that shows progress */
const gchar *decode_over_progress (void);
/* The first error is told, and ends the main loop. */
void decode_fail (Decode *self, const gchar *format, ...) G_GNUC_PRINTF (2, 3);
void decode_on_error_message (Decode *self, GstMessage *message);
/* A warning or an information, which ends nothing */
void decode_on_remark (GstMessage *message);
/* (transfer full): size, chroma format and depth of the pictures, in words */
gchar *decode_describe_format (Decode *self);
/* (transfer full) (nullable): what the row's stages compute on; NULL where it has none, as one that is another decoder */
gchar *decode_get_device (Decode *self);
/* @conversion: (nullable): what the pictures were converted to */
void decode_print_summary (Decode *self, const gchar *conversion);
/* Timeouts: the line that shows progress; a device's first picture waits for its compiler: whoever watches shall know. */
gboolean decode_on_progress (gpointer user_data);
gboolean decode_on_slow_start (gpointer user_data);

G_END_DECLS
