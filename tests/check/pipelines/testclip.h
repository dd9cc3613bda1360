/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Clips that tests encode at run time, and their pictures by time.
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define TEST_CLIP_FPS 25
#define TEST_CLIP_FRAME_MS (1000 / TEST_CLIP_FPS)

/* Writes @n_pictures of 160x112, encoded with @x264 (its own options), into @path, whose suffix tells the container.  FALSE where there is
 * no ffmpeg with libx264. */
gboolean test_clip_make (const gchar *path, const gchar *x264, guint n_pictures);

/* In the clip: MP4 shifts buffers by an edit list, so that decoding times begin at 0.  In milliseconds, to which Matroska rounds times */
guint test_clip_time (GstSample *sample);

gboolean test_clip_is_corrupted (GstSample *sample);

G_END_DECLS
