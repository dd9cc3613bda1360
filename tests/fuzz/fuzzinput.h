/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Bytes that a fuzzer made, as the input of an element: the first two bytes choose how they come, the others are the stream.
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/**
 * FuzzInput:
 * @caps: of the stream
 * @buffers: its buffers, with times
 * @n_threads: for the entropy stage
 * @flush_after: a flush comes behind so many buffers; 0: none
 * @strict, @output_corrupt: properties
 * @output_delay: nick of the property's value
 */
typedef struct
{
  GstCaps *caps;
  GPtrArray *buffers; /* GstBuffer */
  guint n_threads;
  guint flush_after;
  gboolean strict, output_corrupt;
  const gchar *output_delay;
} FuzzInput;

/* FALSE where @data is too short to be one */
gboolean fuzz_input_read (FuzzInput *input, const guint8 *data, gsize size);
void fuzz_input_clear (FuzzInput *input);

G_END_DECLS
