/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the caps of coded pictures say, and the sizes that follow from it.
 */
#pragma once

#include <gst/video/video.h>
#include "gstgpucodec-prelude.h"

G_BEGIN_DECLS

/**
 * GST_CODED_PICTURE_MEDIA_TYPE:
 *
 * The private media type on the links between the entropy stage and the GPU stages.  No autoplugger takes it.
 */
#define GST_CODED_PICTURE_MEDIA_TYPE "video/x-coded-picture"

/**
 * GST_CODED_ARENA_ALIGNMENT:
 *
 * Sections of an arena start at multiples of this, in bytes.
 */
#define GST_CODED_ARENA_ALIGNMENT 64

/**
 * GST_CODED_CHUNK_SIZE:
 *
 * Bytes that a writer thread takes from the coefficient arena at a time, for one kind and width of block.  The blocks of one kind of a
 * macroblock never lie in two chunks.
 */
#define GST_CODED_CHUNK_SIZE 65536

/**
 * GST_CODED_MAX_SLICES:
 *
 * More slices than this a picture cannot have: their records have room in the header arena.
 */
#define GST_CODED_MAX_SLICES 4096

/**
 * GST_CODED_PICTURE_CAPS:
 *
 * Caps of coded pictures of every codec: a stage passes on what it has nothing to do with.
 */
#define GST_CODED_PICTURE_CAPS GST_CODED_PICTURE_MEDIA_TYPE ", codec=(string){ h264, h265 }"

/**
 * GstCodedCodec:
 * @GST_CODED_CODEC_H264: ITU-T H.264
 * @GST_CODED_CODEC_H265: ITU-T H.265: block lists for gpuidct; no stage predicts such pictures yet
 *
 * The standard that a coded picture follows, which says what records and kinds of blocks (gpurecords.h) it has.
 */
typedef enum
{
  GST_CODED_CODEC_H264,
  GST_CODED_CODEC_H265
} GstCodedCodec;

/**
 * GstCodedFormat:
 * @codec: the standard
 * @width: columns of the cropped picture
 * @height: rows of the cropped frame
 * @coded_width: columns of the surface, PicWidthInMbs * 16 (H.265: pic_width_in_luma_samples, up to a multiple of 16)
 * @coded_height: rows of the surface, FrameHeightInMbs * 16
 * @crop_x: first column of the cropped picture
 * @crop_y: first row of the cropped picture
 * @chroma_format_idc: 0 to 3 (4:0:0, 4:2:0, 4:2:2, 4:4:4)
 * @separate_colour_planes: separate_colour_plane_flag
 * @bit_depth_luma: 8 to 14
 * @bit_depth_chroma: 8 to 14
 * @interlace_mode: what the stream says of its fields
 * @colorimetry: range, matrix, transfer and primaries; UNKNOWN where the stream does not say.  Matrix RGB: planes are G, B, R
 * @chroma_site: GST_VIDEO_CHROMA_SITE_UNKNOWN where the stream does not say
 * @fps_n: 0 where unknown
 * @fps_d: 1 where unknown
 * @par_n: pixel aspect ratio
 * @par_d: pixel aspect ratio
 * @n_surfaces: frame stores that the entropy stage may have in use at once: max_dec_frame_buffering + 2 + pictures in flight
 *
 * Everything about a coded video that stays the same from one caps event to the next; a value type.  Fields of mastering-display-info,
 * content-light-level, multiview-mode and multiview-flags travel in the caps beside it.
 */
typedef struct
{
  GstCodedCodec codec;
  gint width, height;
  gint coded_width, coded_height;
  gint crop_x, crop_y;
  guint chroma_format_idc;
  gboolean separate_colour_planes;
  guint bit_depth_luma, bit_depth_chroma;
  GstVideoInterlaceMode interlace_mode;
  GstVideoColorimetry colorimetry;
  GstVideoChromaSite chroma_site;
  gint fps_n, fps_d;
  gint par_n, par_d;
  guint n_surfaces;
} GstCodedFormat;

/* "H.264", "H.265": for messages */
GST_GPU_CODEC_API
const gchar *gst_coded_codec_get_name (GstCodedCodec codec);

GST_GPU_CODEC_API
void gst_coded_format_init (GstCodedFormat *format);

GST_GPU_CODEC_API
GstCaps *gst_coded_format_to_caps (const GstCodedFormat *format);

/* Whether any level has pictures of @width by @height luma samples (level 6.2 has the largest) */
GST_GPU_CODEC_API
gboolean gst_coded_format_allows_size (gint width, gint height);

/* FALSE where a field is missing, out of range, or does not agree with another (crop outside the surface, coded size no multiple of 16,
 * more than 139264 macroblocks (level 6.2)): caps come from outside and are not trusted. */
GST_GPU_CODEC_API
gboolean gst_coded_format_from_caps (GstCodedFormat *format, const GstCaps *caps);

/**
 * gst_coded_format_sample_size:
 * @format: a format
 *
 * Returns: bytes of a sample of a surface: 1 where both depths are 8, else 2 (values in the low bits)
 */
GST_GPU_CODEC_API
guint gst_coded_format_sample_size (const GstCodedFormat *format);

/* Sizes of the two arenas of a picture at the legal maximum of this format (see GstArenaPool).  @n_writers: slices that fill the
 * coefficient arena at once. */
GST_GPU_CODEC_API
gsize gst_coded_format_header_size (const GstCodedFormat *format);

/* The first of them for pictures of up to @n_slices slices */
GST_GPU_CODEC_API
gsize gst_coded_format_header_size_for (const GstCodedFormat *format, guint n_slices);

GST_GPU_CODEC_API
gsize gst_coded_format_coeffs_size (const GstCodedFormat *format, guint n_writers);

/* The raw formats in which such video can be offered, best first (the smallest format that holds the depths), as GstVideoFormats
 * ending with GST_VIDEO_FORMAT_UNKNOWN; 4:0:0 is GRAY8 or GRAY16_LE first, then the 4:2:0 format. */
GST_GPU_CODEC_API
guint gst_coded_format_get_raw_formats (const GstCodedFormat *format, GstVideoFormat formats[4]);

G_END_DECLS
