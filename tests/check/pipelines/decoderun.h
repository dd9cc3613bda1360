/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/**
 * DecodeResult:
 * @md5: of all pictures, planar and without padding, samples of their true depth, monochrome as 4:2:0 with chroma at half scale
 * @n_pictures: pictures that came out
 * @n_corrupted: those of them with GST_BUFFER_FLAG_CORRUPTED
 * @n_warnings: warning messages
 * @monochrome: some pictures came as luma alone
 * @error: (nullable): the first error message, with its details
 * @timed_out: nothing happened for DECODE_TIMEOUT
 */
typedef struct
{
  gchar *md5;
  guint n_pictures, n_corrupted, n_warnings;
  gboolean monochrome;
  gchar *error;
  gboolean timed_out;
} DecodeResult;

/* A device may have to compile its kernels first, for minutes on a busy machine with sanitizers */
#define DECODE_TIMEOUT (180 * GST_SECOND)

/* Reads the program's options and GStreamer's, and initialises it; aborts where one is wrong. */
void decode_parse_options (const GOptionEntry *entries, gint *argc, gchar ***argv);

/* (transfer full): source elements for @path, as gst-launch-1.0 writes them, up to and with h264parse */
gchar *decode_source_describe (const gchar *path);

/* (transfer full): "SOURCE ! ROW ! CAPS ! appsink name=sink" as a pipeline; aborts where an element is missing */
GstElement *decode_pipeline_new (const gchar *source, const gchar *row, const gchar *caps);

/* (transfer full) (nullable): md5 of one picture, planar and without padding; NULL where it cannot be read */
gchar *decode_sample_md5 (GstSample *sample);

/* Plays @pipeline, which stays the caller's, to its end, an error or a time-out, and then stops it. */
void decode_pipeline_run (GstElement *pipeline, DecodeResult *result);

/* The same for a file */
void decode_file (const gchar *path, const gchar *row, const gchar *caps, DecodeResult *result);

/* The same for an elementary stream in memory, which is handed over in one piece */
void decode_bytes (GBytes *bytes, const gchar *row, const gchar *caps, DecodeResult *result);

void decode_result_clear (DecodeResult *result);

G_END_DECLS
