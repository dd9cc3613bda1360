/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The decoded picture buffer without its samples: picture order counts (8.2.1), reference marking and gaps of frame_num (8.2.5), and the
 * order of output (C.4).  Frames are named by number; nobody else decides about order or lifetime.
 *
 * For each picture: h264_dpb_begin_picture() at its first slice, h264_dpb_get_ref_lists() for each P or B slice, h264_dpb_end_picture()
 * when the headers of all its slices are read (its samples need not be decoded), h264_dpb_take_actions().
 */
#pragma once

#include "gstcodedpicture.h"
#include "h264dpbframes.h"

G_BEGIN_DECLS

/**
 * H264DpbPicture:
 * @number: of its frame
 * @structure: H264_TOP_FIELD, H264_BOTTOM_FIELD or H264_FRAME
 * @second_field: the frame is that of the picture before
 * @poc: TopFieldOrderCnt and BottomFieldOrderCnt, of the fields decoded so far
 * @PicOrderCnt: of the picture
 * @flags: H264DpbFlags known at its beginning
 * @unpaired: number of the frame before that has one field, the other one being lost; or H264_NO_FRAME
 * @first_after_loss: with H264_DPB_UNSURE: frames before this number are from before the loss
 */
typedef struct
{
  guint32 number;
  guint structure;
  gboolean second_field;
  gint32 poc[2];
  gint32 PicOrderCnt;
  guint flags;
  guint32 unpaired;
  guint32 first_after_loss;
} H264DpbPicture;

H264Dpb *h264_dpb_new (void);
void h264_dpb_free (H264Dpb *dpb);

/* Whether the sequence goes on with the picture of @sh, even with another SPS: one that differs in what does not touch the pictures that
 * are there. */
gboolean h264_dpb_goes_on_with (const H264Dpb *dpb, const H264SliceHeader *sh);

/* Frames that one of @sps waits for before it is output, as long as none has needed more */
guint h264_dpb_get_reorder_depth (const H264Dpb *dpb, const H264Sps *sps);

/* Begins the picture of @sh, its first slice.  A new SPS ends the sequence before; whoever has to tell downstream first calls
 * h264_dpb_end_sequence(). */
void h264_dpb_begin_picture (H264Dpb *dpb, const H264SliceHeader *sh, H264DpbPicture *picture);

/* Marks and stores the picture; @sh is any of its slices.  Gives the H264DpbFlags of the whole picture. */
guint h264_dpb_end_picture (H264Dpb *dpb, const H264SliceHeader *sh);

/* Outputs what waits and keeps the references: a drain in the middle of a sequence. */
void h264_dpb_drain (H264Dpb *dpb);

/* Empties the buffer: outputs what waits, or discards it.  For an end of stream or sequence, and before a change of caps (then with the
 * no_output_of_prior_pics_flag of the IDR picture that follows). */
void h264_dpb_end_sequence (H264Dpb *dpb, gboolean no_output_of_prior_pics);

/* Whether pictures to come may refer to frame @number, or it is to be output */
gboolean h264_dpb_needs_frame (const H264Dpb *dpb, guint32 number);

/* Forgets everything without any action (a flush: whoever holds the frames empties itself).  Numbers go on counting. */
void h264_dpb_flush (H264Dpb *dpb);

/* (transfer full) (nullable) (element-type GstCodedAction): the decisions since the last call, in order.  Each frame is output or discarded
 * exactly once. */
GArray *h264_dpb_take_actions (H264Dpb *dpb);

G_END_DECLS
