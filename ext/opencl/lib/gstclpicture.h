/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A coded picture as buffers of the device: what comes from outside is checked here, once.
 */
#pragma once

#include "gstcodedpicture.h"
#include "gstcoeffmeta.h"
#include "gstclmemory-private.h"
#include "reference.h"

G_BEGIN_DECLS

#define GST_CL_MAX_PLANE_SETS 3

/**
 * GstClRanges:
 * @ranges: the @n ranges that are used, in order; never NULL, for no ranges (a picture without coefficients) are something else than no
 *   array, which means the whole memory
 */
typedef struct
{
  GstClRange *ranges;
  guint n;
} GstClRanges;

/**
 * GstClPicture:
 * @picture: the coded picture
 * @coeff_meta: its block lists
 * @codec: what records and block lists it has
 * @n_planes: colour plane sets
 * @params: of each, with plane_offset and plane_stride of the surface
 * @header, @coeffs, @surface: the memories, not owned
 * @dc: one a plane set, not owned; NULL but for what gst_cl_picture_find_dc() found
 * @references: surfaces by number, not owned; NULL but for what gst_cl_picture_find_references() found
 * @header_ranges, @coeffs_ranges: the bytes that are used
 *
 * Where everything of a coded picture lies.
 */
typedef struct
{
  GstCodedPicture *picture;
  GstCoeffMeta *coeff_meta;
  GstCodedCodec codec;
  guint n_planes;
  GstGpuPicture params[GST_CL_MAX_PLANE_SETS];
  GstMemory *header, *coeffs, *surface;
  GstMemory *dc[GST_CL_MAX_PLANE_SETS];
  GstMemory *references[GST_GPU_MAX_REFERENCES];
  GstClRanges header_ranges, coeffs_ranges;
} GstClPicture;

/* Looks at everything in @buffer that comes from outside, and checks that it fits together and is a picture of @codec.  Where @context is
 * not NULL, arenas that are not of this device are replaced in the buffer by copies that are.  FALSE and @error (GST_STREAM_ERROR or
 * GST_RESOURCE_ERROR) otherwise; then nothing needs to be cleared. */
gboolean gst_cl_picture_init (GstClPicture *self, GstCodedPicture *picture, GstBuffer *buffer, GstCodedCodec codec, GstClContext *context,
    GstClStats *stats, GError **error);

void gst_cl_picture_clear (GstClPicture *self);

/* Finds the memories for the results of the DC transforms, which go with the picture from stage to stage; the first call takes them
 * (gstclreuse.h).  @context: (nullable): whose they have to be.  FALSE and @error (GST_RESOURCE_ERROR) where there is no memory. */
gboolean gst_cl_picture_find_dc (GstClPicture *self, GstClContext *context, GError **error);

/* @planes: buffers of each plane set; all memories have to be of the device */
void gst_cl_picture_get_kernel_pictures (const GstClPicture *self, GpuKernelPicture planes[GST_CL_MAX_PLANE_SETS]);

/**
 * GstClMappedPicture:
 * @references: pointers of each plane set
 * @segments: the block lists
 *
 * The memories of a picture, mapped.
 */
typedef struct
{
  GpuReferencePicture references[GST_CL_MAX_PLANE_SETS];
  const GstGpuSegment *segments;

  /*< private > */
  GstMapInfo header, coeffs, surface, dc[GST_CL_MAX_PLANE_SETS], reference_maps[GST_GPU_MAX_REFERENCES];
} GstClMappedPicture;

/* Maps what the accesses name (0: not at all).  FALSE and @error where a memory does not map; then nothing is
 * mapped. */
gboolean gst_cl_picture_map (const GstClPicture *self, GstClAccess header, GstClAccess coeffs, GstClAccess dc, GstClAccess surface,
    GstClMappedPicture *mapped, GError **error);

void gst_cl_mapped_picture_unmap (GstClMappedPicture *mapped);

G_END_DECLS
