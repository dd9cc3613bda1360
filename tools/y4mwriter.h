/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdio.h>
#include "planarpicture.h"

G_BEGIN_DECLS

/* Writes YUV4MPEG2 in every chroma format and depth of H.264 (GStreamer's own y4menc knows 8 bits only). */
typedef struct _Y4mWriter Y4mWriter;

Y4mWriter *y4m_writer_new (const gchar *path, GError **error);

/* Writes one picture.  All pictures of a file have one format: FALSE with @error where @format differs from that of the first, or is RGB,
 * which the file format does not have. */
gboolean y4m_writer_add (Y4mWriter *self, const PlanarFormat *format, GstBuffer *buffer, GError **error);

/* Closes the file and frees the writer; FALSE with @error where the last bytes could not be written. */
gboolean y4m_writer_finish (Y4mWriter *self, GError **error);

G_END_DECLS
