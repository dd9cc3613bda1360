/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The element h264entropy: its state, and what its files (gsth264entropy*.c) call of each other.
 */
#pragma once

#include "gstarenapool.h"
#include "gstcodedpicture.h"
#include "h264decodepool.h"
#include "h264dpb.h"
#include "h264recovery.h"

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
 * @dts: of the buffer it began in
 * @recovery: what the beginning of decoding, and losses, mean for it
 * @ran_on: a slice ran into one that came later: none is decoded before all are there
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
  GstFrameStore *references[GST_GPU_MAX_REFERENCES];
  GArray *actions;
  const gchar *damage;
  GstClockTime dts;
  H264PictureRecovery recovery;
  gboolean ran_on;
} GstH264Picture;

/**
 * GstH264Frame:
 * @store: its surface
 * @motion_map: its motion
 * @hidden: never to be output
 * @n_fields: times of fields for which it is shown: 2, or what pic_struct says
 *
 * A frame of the DPB.
 */
typedef struct
{
  GstFrameStore *store;
  H264MotionMap *motion_map;
  gboolean hidden;
  guint n_fields;
} GstH264Frame;

/**
 * GstH264Timing:
 * @last_pts: of the frame output last
 * @last_duration: of that frame
 * @last_step: time between the last two whose times were known
 */
typedef struct
{
  GstClockTime last_pts, last_duration, last_step;
} GstH264Timing;

/**
 * GstH264Display:
 * @has_sei: @sei.pic_timing belongs to the next picture
 * @has_fields: pictures of this SPS are shown as two or three fields
 * @caps_have_fields: and the caps say so
 * @n_since_repeat: pictures since one that repeats a field
 *
 * What pic_timing SEI messages have said of the fields of frames.
 */
typedef struct
{
  gboolean has_sei;
  H264Sei sei;
  gboolean has_fields, caps_have_fields;
  guint n_since_repeat;
} GstH264Display;

typedef enum
{
  GST_H264_DRAIN_PICTURES,      /* coded pictures go downstream */
  GST_H264_DRAIN_OUTPUT,        /* and frames that wait for output are output */
  GST_H264_DRAIN_SEQUENCE,      /* and nothing that comes later refers to them */
} GstH264Drain;

struct _GstH264Entropy
{
  GstElement parent;

  GstPad *sinkpad, *srcpad;

  /* properties, under the object lock */
  guint n_threads;
  gboolean output_corrupt;

  /* streaming thread only */
  H264ParamSets *sets;
  H264Dpb *dpb;
  H264DecodePool *pool;
  guint pool_threads;
  guint length_size;            /* bytes of NAL unit lengths; 0: byte stream */
  gboolean live;
  GstCaps *upstream_caps;
  GQueue held_events;           /* serialised ones that came before there were caps, or behind a segment that waits for its first buffer */

  H264Sps *sps;                 /* the one that the caps tell of */
  guint pictures_ahead;         /* that may be on their way besides one for each thread */
  GstCodedFormat format;
  GstBufferPool *arena_pool;
  gsize coeffs_size;

  H264JobSlice *slice;          /* the one being read, which belongs to no picture yet */
  GstH264Picture *current;      /* the one that takes slices */
  GQueue pending;               /* closed ones in decoding order, and the current one at the end */
  GQueue idle;                  /* to be used again */
  H264DpbPicture dpb_picture;
  H264SliceHeader closed;       /* of the picture closed last; its pps is a reference, NULL where no slice can belong to that picture any
                                 * more */
  H264MotionMapPool *motion_maps;
  GHashTable *frames;           /* GstH264Frame by number: those that may be referred to, and the last one begun */

  GstBuffer *input;             /* the one whose NAL units are being read */
  GstBuffer *last_input;        /* (nullable): the one before, which nobody reads any more */
  gboolean input_time_used;     /* a picture has its time */
  gboolean discont;
  gboolean new_segment;         /* and no buffer of it yet */
  GstSegment segment;
  GstH264Timing timing;
  H264Recovery recovery;
  guint n_key_units;            /* asked for; the last time at asked_at */
  gint64 asked_at;
  guint n_left_out;             /* pictures, since the last one that was not */
  guint n_notes;                /* messages that told of such */
  GstH264Display display;
  H264SeiReader sei_reader;
  H264Sei sei;                  /* what SEI messages have said of the video */
  const gchar *lost;            /* (nullable): why slices were lost since the last picture */
  guint n_pictures, n_warnings;
  gboolean has_output;          /* a frame that is not hidden */
  gboolean failed;              /* an error has been posted, by this element or one behind it */
  gboolean left_out_said;
  gboolean late_warned;

  /* under the object lock */
  guint latency_frames;
  GstClockTime frame_duration;
};

/* Takes in one NAL unit with slice data. */
GstFlowReturn gst_h264_entropy_take_slice (GstH264Entropy *self, const H264Nal *nal);
/* Ends the current picture, if there is one: before another kind of unit, which begins the next one (7.4.1.2.3). */
GstFlowReturn gst_h264_entropy_close_picture (GstH264Entropy *self);

/* Posts an error, behind the pictures before it: the stream has @feature, which no stage can do; @detail says how that shows, and what can be
 * done. */
GstFlowReturn gst_h264_entropy_refuse (GstH264Entropy *self, const gchar *feature, const gchar *detail);

/* A unit has come between pictures: the next slice begins one, whatever its header is. */
void gst_h264_entropy_forget_closed_picture (GstH264Entropy *self);

/* The buffer is at its end: decodes what has come, and pushes what is ready. */
GstFlowReturn gst_h264_entropy_run (GstH264Entropy *self);

/* Pushes all pictures that are complete or can be completed now, and more as @drain says. */
GstFlowReturn gst_h264_entropy_drain (GstH264Entropy *self, GstH264Drain drain);

/* Pictures that may be decoding at the same time */
guint gst_h264_entropy_max_in_flight (const GstH264Entropy *self);

/* New caps, and another pool, where the SPS of @sh or a neighbour say something new */
GstFlowReturn gst_h264_entropy_negotiate (GstH264Entropy *self, const H264SliceHeader *sh);
void gst_h264_entropy_update_latency (GstH264Entropy *self, guint reorder_depth);
/* Takes what tells of the video in @sei, for the caps. */
void gst_h264_entropy_take_video_sei (GstH264Entropy *self, const H264Sei *sei);

/* pic_timing SEI messages: what one says of the next picture; before the caps of the picture of @sh; its frame's flags and duration;
 * nothing is known. */
void gst_h264_entropy_take_pic_timing (GstH264Entropy *self, const H264Sei *sei);
void gst_h264_entropy_begin_display (GstH264Entropy *self, const H264SliceHeader *sh, H264PicTiming *timing);
void gst_h264_entropy_set_display (GstH264Entropy *self, GstH264Frame *frame, const H264PicTiming *timing);
void gst_h264_entropy_reset_display (GstH264Entropy *self);

/* (transfer none) (nullable) */
GstH264Frame *gst_h264_entropy_find_frame (GstH264Entropy *self, guint32 number);
/* (transfer none): a frame for the picture of @sh that the DPB has begun; those that nothing can refer to any more are forgotten. */
GstH264Frame *gst_h264_entropy_begin_frame (GstH264Entropy *self, const H264SliceHeader *sh, const H264PicTiming *timing);

/* Appends what the DPB has decided to *@taken (NULL: empty), when frames that are output get their final times and hidden ones are
 * discarded instead. */
void gst_h264_entropy_take_actions (GstH264Entropy *self, GArray **taken);
void gst_h264_entropy_reset_timing (GstH264Entropy *self);

/* Whether the picture of @sh can be decoded, where none has been before */
gboolean gst_h264_entropy_can_start (GstH264Entropy *self, const H264SliceHeader *sh);
/* The DPB has begun the picture of @sh: how far it, and its @frame, are from being right. */
void gst_h264_entropy_begin_recovery (GstH264Entropy *self, GstH264Picture *picture, GstH264Frame *frame, const H264SliceHeader *sh);
/* A finished picture, in decoding order: flags its store where it is damaged, or predicted from what is, and asks upstream for a key
 * unit. */
void gst_h264_entropy_note_damage (GstH264Entropy *self, GstH264Picture *picture);
/* Posts how many pictures were left out since the last one that was not. */
void gst_h264_entropy_tell_left_out (GstH264Entropy *self);
void gst_h264_entropy_reset_recovery (GstH264Entropy *self);

/* Pushes the events that waited for the first caps. */
void gst_h264_entropy_release_events (GstH264Entropy *self);

/* Drops all pictures. */
void gst_h264_entropy_flush (GstH264Entropy *self);
void gst_h264_picture_free (GstH264Picture *picture);
/* (transfer full): the buffer of a finished @picture, with its metas */
GstBuffer *gst_h264_entropy_make_buffer (GstH264Entropy *self, GstH264Picture *picture);
void gst_h264_frame_free (GstH264Frame *frame);

/* Says that something of the stream was damaged: a log line, and a message, though not for ever. */
void gst_h264_entropy_warn (GstH264Entropy *self, const gchar *what);

GST_DEBUG_CATEGORY_EXTERN (gst_h264_entropy_debug);

GST_ELEMENT_REGISTER_DECLARE (h264entropy);

G_END_DECLS
