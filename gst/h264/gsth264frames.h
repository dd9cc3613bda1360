/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The frames of a view: those that the DPB knows, by the numbers that it gives them.
 */
#pragma once

#include "gstframestore.h"
#include "h264dpb.h"
#include "h264motionmap.h"

G_BEGIN_DECLS

/**
 * GstH264Input:
 * @buffer: the one whose NAL units are being read
 * @time_used: a picture has its times
 * @discont: something is missing before the frame that begins next
 * @frame_discont: and of the frame that began last.  Where a parser parts an access unit, each part is marked
 * @begins_unit: no slice has been taken in yet of what may be an access unit: the buffer (alignment=au), or what follows a delimiter or SEI
 * @unit_pts: of what came before the first slice of an access unit, in a buffer of its own
 * @hidden: frames that begin in it are not to be output
 * @left_out: set where a picture in it is left out, since what it refers to is missing
 *
 * Where the times of a frame come from: the buffer that its first slice came in, or, where that one has none, the buffers of parameter
 * sets, delimiters and SEI messages before it.
 */
typedef struct
{
  GstBuffer *buffer;
  gboolean time_used;
  gboolean discont, frame_discont;
  gboolean begins_unit;
  GstClockTime unit_pts;
  gboolean hidden;
  gboolean left_out;
} GstH264Input;

/* Time of the picture that begins in the buffer */
static inline GstClockTime
gst_h264_input_get_pts (const GstH264Input *input)
{
  if (input->time_used)
    return GST_CLOCK_TIME_NONE;
  return GST_BUFFER_PTS_IS_VALID (input->buffer) ? GST_BUFFER_PTS (input->buffer) : input->unit_pts;
}

/**
 * GstH264Frame:
 * @store: its surface
 * @motion_maps: (nullable): its motion: of the frame, or of the top and of the bottom field
 * @hidden: never to be output
 * @skipped: it comes too late and nothing refers to it, so it is not decoded
 * @has_decoding_time: the time of its input is its decoding time, or nobody says that it is not
 * @n_fields: times of fields for which it is shown: 2, or what pic_struct says
 *
 * A frame of the DPB.
 */
typedef struct
{
  GstFrameStore *store;
  H264MotionMap *motion_maps[2];
  gboolean hidden, skipped;
  gboolean has_decoding_time;
  guint n_fields;
} GstH264Frame;

/**
 * GstH264Frames:
 * @dpb: decides about their order and life
 * @discont_number: something is missing before this frame was decoded, and nothing from there on is output yet; or
 *   H264_NO_FRAME
 * @by_number: GstH264Frame by number: those that may be referred to or are to be output, and the last one begun
 */
typedef struct
{
  H264Dpb *dpb;
  H264MotionMapPool *motion_maps;
  GHashTable *by_number;
  guint32 discont_number;
} GstH264Frames;

void gst_h264_frames_init (GstH264Frames *frames);
void gst_h264_frames_clear (GstH264Frames *frames);

/* Forgets all of them, and so does the DPB. */
void gst_h264_frames_flush (GstH264Frames *frames);

/* Whether frame @number, the next one out, is the first behind something missing.  Says so once. */
gboolean gst_h264_frames_take_discont (GstH264Frames *frames, guint32 number);

/* (transfer none) (nullable) */
GstH264Frame *gst_h264_frames_find (const GstH264Frames *frames, guint32 number);

/* (transfer none) (nullable): the frame whose second field is @picture, which the DPB has begun */
GstH264Frame *gst_h264_frames_find_first_field (const GstH264Frames *frames, const H264DpbPicture *picture);

/* (transfer full): a map for the motion of the picture of @sh, which is not there yet */
H264MotionMap *gst_h264_frames_new_motion_map (GstH264Frames *frames, const H264SliceHeader *sh);

/* @map has the motion of @frame, or of that of its fields which it is of. */
void gst_h264_frames_set_motion_map (GstH264Frame *frame, H264MotionMap *map);

/* (transfer none): a frame for @picture, which the DPB has begun; those that nothing can refer to any more are forgotten. */
GstH264Frame *gst_h264_frames_add (GstH264Frames *frames, const H264DpbPicture *picture, GstH264Input *input);

G_END_DECLS
