/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A picture on its way through the element: from its first slice to the buffer that goes downstream.
 */
#pragma once

#include "gstcodedpicture.h"
#include "gsth264frames.h"
#include "gsth264reports.h"
#include "h264decodepool.h"
#include "h264recovery.h"

G_BEGIN_DECLS

/**
 * GstH264Picture:
 * @job: its slices
 * @state: how far the decode pool is with them
 * @buffer: from the arena pool, its memories mapped
 * @store: its frame
 * @references: (nullable): frames that its slices refer to, as job->references counts them; NULL: missing
 * @actions: (nullable): what the DPB decided with it
 * @damage: (nullable): what was wrong above the slice data
 * @dts: of the buffer it began in
 * @recovery: what the beginning of decoding, and losses, mean for it
 * @ran_on: a slice ran into one that came later: none is decoded before all are there
 * @skipped: it is not decoded, and nobody gets it: only what the DPB decided with it
 */
typedef struct
{
  H264PictureJob *job;
  H264DecodeState state;
  GstBuffer *buffer;
  GstMapInfo header, coeffs;
  GstFrameStore *store;
  GstFrameStore *references[GST_GPU_MAX_REFERENCES];
  GArray *actions;
  const gchar *damage;
  GstClockTime dts;
  H264PictureRecovery recovery;
  gboolean ran_on, skipped;
} GstH264Picture;

GstH264Picture *gst_h264_picture_new (void);
void gst_h264_picture_free (GstH264Picture *picture);

/* Begins the empty @picture of @sh with a buffer of @arena_pool; posts an error where it cannot. */
GstFlowReturn gst_h264_picture_begin (GstH264Picture *picture, const H264SliceHeader *sh, GstBufferPool *arena_pool,
    GstH264Reports *reports);

/* Gives @picture, none of whose slices may be decoding, room for @n_slices slices; posts an error where there is no memory for it. */
GstFlowReturn gst_h264_picture_grow (GstH264Picture *picture, GstBufferPool *arena_pool, guint n_slices, GstH264Reports *reports);

/* The header of the first slice */
const H264SliceHeader *gst_h264_picture_header (const GstH264Picture *picture);

/* Takes the frames that the slices refer to, before the DPB forgets them. */
void gst_h264_picture_set_references (GstH264Picture *picture, const GstH264Frames *frames);

/* (transfer full): the buffer of a finished @picture, with its metas */
GstBuffer *gst_h264_picture_take_buffer (GstH264Picture *picture);

/* Empties @picture; nothing of it may be decoding. */
void gst_h264_picture_clear (GstH264Picture *picture);

G_END_DECLS
