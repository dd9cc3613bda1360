/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Short interlaced streams, all of whose elements a seed chooses, and the frames that they decode to.
 */
#pragma once

#include "picturemodel.h"

/* How frames are coded: as two fields; as MBAFF frames; as fields or frames, in which a slice group map unit is a pair; as fields or MBAFF
 * frames */
typedef enum
{
  INTERLACED_FIELDS,
  INTERLACED_MBAFF,
  INTERLACED_FIELDS_AND_FRAMES,
  INTERLACED_FIELDS_AND_MBAFF,
} InterlacedStructure;

/**
 * InterlacedKind:
 * @slice_group_map_type: -1: one slice group
 */
typedef struct
{
  InterlacedStructure structure;
  guint chroma_format_idc, bit_depth_luma, bit_depth_chroma;
  gboolean separate_colour_planes, cabac, transform_8x8, lossless;
  gint slice_group_map_type;
} InterlacedKind;

/**
 * InterlacedStream:
 * @bytes: Annex B
 * @width, @height: of @frames, in luma samples
 * @frames: in output order, each with the planes of the format
 */
typedef struct
{
  InterlacedKind kind;
  GByteArray *bytes;
  guint n_frames;
  ModelFrame frames[5];
} InterlacedStream;

void interlaced_stream_make (InterlacedStream *stream, const InterlacedKind *kind, guint32 seed);
void interlaced_stream_clear (InterlacedStream *stream);
/* All frames, plane by plane, samples of 8 bits as bytes, else as 16 bits, little endian.  4:0:0 as 4:2:0 with chroma at half scale */
GByteArray *interlaced_stream_samples (const InterlacedStream *stream);
