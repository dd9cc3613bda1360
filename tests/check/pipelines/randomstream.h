/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * RandomStream:
 * @bytes: an elementary stream
 * @md5: of the encoder's own reconstruction in output order, in the form of DecodeResult's md5
 * @n_pictures: pictures in it
 * @description: how each part of it was made
 *
 * What x264 makes of pictures and options that a seed chooses: one to three parts, one behind the other, each with a format, a size and
 * parameter sets of its own.
 */
typedef struct
{
  GBytes *bytes;
  gchar *md5;
  guint n_pictures;
  gchar *description;
} RandomStream;

/* FALSE where there is no x264 */
gboolean random_stream_is_possible (void);

/* Files that the encoder needs go into @folder.  Where the encoder fails, @bytes is NULL and @description says more. */
void random_stream_make (RandomStream *self, guint32 seed, const gchar *folder);

void random_stream_clear (RandomStream *self);

G_END_DECLS
