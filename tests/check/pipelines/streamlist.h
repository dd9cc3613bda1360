/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * StreamKind:
 * @STREAM_DECODES: progressive: the output is the md5's
 * @STREAM_MAY_DECODE: slices unknown, slice groups, Extended profile, or frames of an interlaced sequence: the output is the md5's, or the
 * stream is refused
 * @STREAM_REFUSED: needs what is missing: ends with an error message
 */
typedef enum
{
  STREAM_DECODES,
  STREAM_MAY_DECODE,
  STREAM_REFUSED
} StreamKind;

/**
 * Stream:
 * @name: as the manifest names it
 * @path: the file
 * @md5: of the whole output
 * @format: FFmpeg's name of the output format
 * @has_inter: it has, or may have, P or B slices
 * @is_interlaced: it has fields or MBAFF frames
 */
typedef struct
{
  gchar *name;
  gchar *path;
  gchar *md5;
  gchar *format;
  gboolean has_inter, is_interlaced;
  StreamKind kind;
} Stream;

/* Name of the environment variable with the folder of test streams, which are no part of the repository */
#define STREAMS_VARIABLE "GST_GPU_VECTORS"

/* Why streams are skipped */
#define STREAMS_SKIP_REASON STREAMS_VARIABLE " names no folder of test streams"

/* (element-type Stream) (transfer full): the streams of this repository, all STREAM_DECODES.  Aborts where there are none. */
GPtrArray *stream_list_own (void);

/* (element-type Stream) (transfer full): those of the folder that GST_GPU_VECTORS names (default: shared/streams beside the
 * repository), as its manifests and its features.tsv list them; NULL where it is absent */
GPtrArray *stream_list_vectors (void);

/* (transfer full): the stream that these manifests call @name; NULL where it is absent */
GBytes *stream_vector_read (const gchar *name);

G_END_DECLS
