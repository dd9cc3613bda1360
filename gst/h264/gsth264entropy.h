/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gstarenapool.h"
#include "gstcodedpicture.h"
#include "h264decodepool.h"
#include "h264dpb.h"

G_BEGIN_DECLS

#define GST_TYPE_H264_ENTROPY (gst_h264_entropy_get_type ())
G_DECLARE_FINAL_TYPE (GstH264Entropy, gst_h264_entropy, GST, H264_ENTROPY, GstElement)

/**
 * GstH264Picture:
 * @job: its slices
 * @state: how far the decode pool is with them
 * @buffer: from the arena pool, its memories mapped
 * @store: its frame
 * @references: (nullable): frames that its slices refer to, as job->references counts them; NULL: missing
 * @actions: (nullable): what the DPB decided with it
 * @damage: (nullable): what was wrong above the slice data
 *
 * A picture on its way through the element.
 */
typedef struct
{
  H264PictureJob *job;
  H264DecodeState state;
  GstBuffer *buffer;
  GstMapInfo header, coeffs;
  GstFrameStore *store;
  GstFrameStore *references[GPU_MAX_REFERENCES];
  GArray *actions;
  const gchar *damage;
} GstH264Picture;

/**
 * GstH264Frame:
 * @store: its surface
 * @field: its motion
 *
 * A frame of the DPB.
 */
typedef struct
{
  GstFrameStore *store;
  H264MotionField *field;
} GstH264Frame;

struct _GstH264Entropy
{
  GstElement parent;

  GstPad *sinkpad, *srcpad;

  /* properties, under the object lock */
  guint n_threads;

  /* streaming thread only */
  H264ParamSets *sets;
  H264Dpb *dpb;
  H264DecodePool *pool;
  guint pool_threads;
  guint length_size;            /* bytes of NAL unit lengths; 0: byte stream */
  gboolean live;
  GstCaps *upstream_caps;
  GQueue held_events;           /* serialised ones that came before there were caps */

  H264Sps *sps;                 /* the one that the caps tell of */
  GstCodedFormat format;
  GstBufferPool *arena_pool;
  gsize coeffs_size;

  GstH264Picture *current;      /* the one that takes slices */
  GQueue pending;               /* closed ones in decoding order, and the current one at the end */
  GQueue idle;                  /* to be used again */
  H264DpbPicture dpb_picture;
  H264SliceHeader closed;       /* of the picture closed last; its pps is a reference, NULL where no slice can belong to that picture any more */
  GHashTable *frames;           /* GstH264Frame by number: those that may be referred to, and the last one begun */

  GstBuffer *input;             /* the one whose NAL units are being read */
  gboolean discont;
  const gchar *lost;            /* (nullable): why slices were lost since the last picture */
  guint n_pictures, n_warnings;
  gboolean late_warned;

  /* under the object lock */
  guint latency_frames;
  GstClockTime frame_duration;
};

/* Takes in one NAL unit with slice data, or ends the current picture before another kind of unit (7.4.1.2.3). */
GstFlowReturn gst_h264_entropy_take_slice (GstH264Entropy * self, const H264Nal * nal);
GstFlowReturn gst_h264_entropy_close_picture (GstH264Entropy * self);

/* A unit has come between pictures: the next slice begins one, whatever its header is. */
void gst_h264_entropy_forget_closed_picture (GstH264Entropy * self);

/* The buffer is at its end: decodes what has come, and pushes what is ready. */
GstFlowReturn gst_h264_entropy_run (GstH264Entropy * self);

/* Pushes all pictures that are complete or can be completed now; with @end, frames that wait for output go too. */
GstFlowReturn gst_h264_entropy_drain (GstH264Entropy * self, gboolean end);

/* Pushes the events that waited for the first caps. */
void gst_h264_entropy_release_events (GstH264Entropy * self);

/* Drops all pictures. */
void gst_h264_entropy_flush (GstH264Entropy * self);
void gst_h264_picture_free (GstH264Picture * picture);
void gst_h264_frame_free (GstH264Frame * frame);

/* Says that something of the stream was damaged: a log line, and a message, though not for ever. */
void gst_h264_entropy_warn (GstH264Entropy * self, const gchar * what);

GST_DEBUG_CATEGORY_EXTERN (gst_h264_entropy_debug);

GST_ELEMENT_REGISTER_DECLARE (h264entropy);

G_END_DECLS
