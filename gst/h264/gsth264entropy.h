/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The element h264entropy: its state, and what its files (gsth264entropy*.c) call of each other.
 */
#pragma once

#include "gstarenapool.h"
#include "gstcodedpicture.h"
#include "h264decodepool.h"
#include "h264dpb.h"
#include "h264sei.h"

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
 * @starts_recovery: an IDR picture, or one with a recovery point SEI message
 * @recovered: at its recovery point: right, unless something was lost since
 * @hidden: not to be relied on, and known to be so: before the recovery point, or leading
 * @ran_on: a slice ran into one that came later: none is decoded before all are there
 * @joined: no IDR picture has come since the beginning: lists and marking may name pictures from before it
 * @unsure: its lists may not be the encoder's: something was lost before frame @first_after_loss
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
  gboolean starts_recovery, recovered, hidden, joined, ran_on, unsure;
  guint32 first_after_loss;
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

/**
 * GstH264Recovery:
 * @has_sei: a recovery point SEI message came for the next picture
 * @wrong: decoding began in the middle of the stream, and pictures are not right yet
 * @recovering: on the way to a recovery point, @frame_cnt increments of frame_num behind @frame_num
 * @has_leading: inter pictures whose PicOrderCnt is below @start_poc refer to pictures from before the beginning
 * @joined: no IDR picture since the beginning
 * @holed: frames are missing since the last recovery point began
 * @trusted: pictures whose PicOrderCnt is @trusted_poc or above do not depend on frames that were lost: a recovery point was reached since
 * @damaged: something was lost since the last recovery point began; in the order of pushing, as @first_sound is
 * @first_sound: frames before this number count as sound references: the recovery point says that their damage is not referred to
 * @n_asked: key units asked for; the last time at @asked_at
 * @n_left_out: pictures left out since the last one that was not
 * @n_notes: messages that told of such
 */
typedef struct
{
  gboolean has_sei, sei_broken_link;
  guint sei_frame_cnt;
  gboolean wrong, recovering, has_leading, joined;
  guint32 frame_num;
  guint frame_cnt;
  gint32 start_poc;
  gboolean holed, trusted;
  gint32 trusted_poc;
  gboolean damaged;
  guint32 first_sound;
  gboolean has_asked;
  gint64 asked_at;
  guint n_asked;
  guint n_left_out, n_notes;
} GstH264Recovery;

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
  GstH264Recovery recovery;
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
void gst_h264_entropy_take_recovery_point (GstH264Entropy *self, const H264Sei *sei);
/* The DPB has begun the picture of @sh: how far it, and its @frame, are from being right. */
void gst_h264_entropy_begin_recovery (GstH264Entropy *self, GstH264Picture *picture, GstH264Frame *frame, const H264SliceHeader *sh);
void gst_h264_entropy_end_leading (GstH264Entropy *self);
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
