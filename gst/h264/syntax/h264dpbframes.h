/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The frames of a decoded picture buffer: what h264dpb keeps, h264marking marks, and h264reflists makes lists of.
 */
#pragma once

#include "h264poc.h"

G_BEGIN_DECLS

/* max_dec_frame_buffering is 16 at most; the current frame comes on top */
#define H264_DPB_MAX_FRAMES 16

/* The number of a frame that does not exist */
#define H264_NO_FRAME G_MAXUINT32

/**
 * H264OutputDelay:
 * @H264_OUTPUT_DELAY_CONFORMING: frames wait for as many others as the SPS says, or allows where it does not say (C.4.5.3)
 * @H264_OUTPUT_DELAY_OBSERVED: where the SPS does not say, as many as frames have needed so far
 * @H264_OUTPUT_DELAY_NONE: they do not wait: output is in decoding order
 */
typedef enum
{
  H264_OUTPUT_DELAY_CONFORMING,
  H264_OUTPUT_DELAY_OBSERVED,
  H264_OUTPUT_DELAY_NONE,
} H264OutputDelay;

/* What was wrong with a picture: the stream is damaged or lies; decoding goes on. */
typedef enum
{
  H264_DPB_NO_IDR = 1 << 0,              /* begins without an IDR picture: references may be missing (a recovery point, a joined stream) */
  H264_DPB_FRAME_NUM_GAP = 1 << 1,       /* frames are missing before it (a gap that the SPS does not allow) */
  H264_DPB_BAD_MARKING = 1 << 2,         /* a marking operation names a picture that is not there */
  H264_DPB_TOO_MANY_REFERENCES = 1 << 3, /* more reference frames than max_num_ref_frames; the oldest went */
  H264_DPB_LATE = 1 << 4,                /* it should have been output before one that is out already: the VUI lies about reordering */
  H264_DPB_UNPAIRED_FIELD = 1 << 5,      /* the frame before it has one field only */
  H264_DPB_RESTART = 1 << 6,            /* nothing wrong: picture order counts begin anew with it (memory_management_control_operation 5) */
  H264_DPB_REPEATED_FRAME_NUM = 1 << 7, /* a reference picture with the frame_num of the one before it (7.4.3): it came twice, or an IDR
                                         * picture is missing */
  H264_DPB_FIELD_LOST = 1 << 9,         /* the same of a reference, where all fields had a partner so far */
  H264_DPB_UNSURE = 1 << 8, /* what the lists hold may not be what the encoder's held: there are references from before a loss */
} H264DpbFlags;

/**
 * H264DpbFrame:
 * @number: its name, or H264_NO_FRAME for a frame inferred in a gap ("non-existing")
 * @shown: of a frame inferred in a gap: the number of the frame that stands in for it, the last reference picture before the gap,
 *   which has @shown_fields
 * @has_poc: @poc is known, or estimated: not so for a frame inferred in a gap that the SPS allows
 * @fields: which fields are there (H264_TOP_FIELD, H264_BOTTOM_FIELD)
 * @coded_as_fields: a field or a pair of fields, not a frame
 * @is_reference: a reference picture when it was coded
 * @begins_with_i: its first slice is an I slice
 * @short_term: fields marked "used for short-term reference"
 * @long_term: fields marked "used for long-term reference"
 * @FrameNum: frame_num (0 after memory_management_control_operation 5)
 * @poc: TopFieldOrderCnt, BottomFieldOrderCnt
 * @waiting: to be output
 * @direct: to be output as soon as it is complete, without waiting (C.4.5.2)
 */
typedef struct
{
  guint32 number;
  guint32 shown;
  guint8 shown_fields;
  gboolean has_poc;
  guint8 fields;
  gboolean coded_as_fields;
  gboolean is_reference, begins_with_i;
  guint8 short_term, long_term;
  guint32 FrameNum;
  gint32 FrameNumWrap;
  guint32 LongTermFrameIdx;
  gint32 poc[2];
  gboolean waiting;
  gboolean direct;
} H264DpbFrame;

/* Which field of a frame comes first in output order */
typedef enum
{
  H264_ANY_ORDER,
  H264_TOP_FIRST,
  H264_BOTTOM_FIRST,
} H264FieldOrder;

/**
 * H264Dpb:
 * @frames: frames in decoding order; the current one is the last
 * @current: (nullable): between begin and end, and between the fields of a frame
 * @open: between h264_dpb_begin_picture() and h264_dpb_end_picture()
 * @structure: of the current picture
 * @last_reference: number of the reference picture decoded last, which stands in for what is missing; H264_NO_FRAME where there is none
 * @output_delay: how long frames wait for others
 * @last_reference_fields: those that its frame has
 * @last_reference_poc: PicOrderCnt of that picture
 * @has_pairs: fields have had partners, and none was without
 * @field_distance: the greatest difference of PicOrderCnt between the fields of a frame so far
 * @field_order: which of them came first in output order in the last pair; any, where a frame or an IDR picture came since
 * @strict: rules that senders break are kept
 * @has_constant_frame_num: a reference picture had the frame_num of the one before it, and there is one reference only: what must tell
 *   pictures apart does not
 * @has_idr_frame_num: the last reference picture is an IDR picture with a frame_num that is not 0
 * @MaxLongTermFrameIdx_plus1: 0: "no long-term frame indices"
 * @has_loss: reference pictures were lost, last before frame @first_after_loss.  The marking in them is unknown, and so is their place in
 *   lists that go by PicOrderCnt.  It matters as long as there are references older than that.
 */
typedef struct
{
  H264Sps *sps;
  H264PocState poc;
  H264DpbFrame frames[H264_DPB_MAX_FRAMES + 2];
  guint n_frames;
  H264DpbFrame *current;
  gboolean open;
  guint structure;
  guint32 PrevRefFrameNum;
  guint32 last_reference;
  guint8 last_reference_fields;
  gint32 last_reference_poc;
  gboolean has_pairs;
  gint64 field_distance;
  H264FieldOrder field_order;
  H264OutputDelay output_delay;
  gboolean strict;
  gboolean has_constant_frame_num, has_idr_frame_num;
  guint MaxLongTermFrameIdx_plus1;
  gboolean has_loss;
  guint32 first_after_loss;
  guint capacity;
  guint reorder_depth;
  gboolean started;
  gboolean has_output;
  gint32 last_output_poc;
  guint32 next_number;
  guint flags;
  GArray *actions;
} H264Dpb;

/* PicOrderCnt() (8.2.1) of the fields @structure of a frame */
static inline gint32
h264_dpb_frame_poc (const H264DpbFrame *frame, guint structure)
{
  return structure == H264_FRAME ? MIN (frame->poc[0], frame->poc[1]) : frame->poc[structure == H264_BOTTOM_FIELD];
}

G_END_DECLS
