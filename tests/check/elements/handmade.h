/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Hand-made streams of tiny pictures through h264entropy, and what it decides to output: each frame in output order, with times
 * and flags.
 */
#pragma once

#include <gst/check/gstharness.h>
#include "gstcodedpicture.h"
#include "h264writer.h"

/* A test of h264entropy between pads */
typedef struct
{
  GstHarness *h;
  GstBus *bus;
  GHashTable *stores; /* that wait for output, by number */
  GPtrArray *output;  /* GstFrameStore in output order */
  guint n_coded;      /* pictures that came */
} Handmade;

/**
 * HandmadeSps:
 * @reorder: max_num_reorder_frames
 * @fps: frames in a second; 0: no timing information
 * @pic_struct: pic_struct_present_flag
 * @interlaced: frame_mbs_only_flag is 0
 * @silent: no VUI
 * @one_reference: max_num_ref_frames is 1
 * @gaps_allowed: gaps_in_frame_num_value_allowed_flag
 */
typedef struct
{
  guint reorder, fps;
  gboolean pic_struct;
  gboolean interlaced;
  gboolean silent;
  gboolean one_reference;
  gboolean gaps_allowed;
} HandmadeSps;

/**
 * HandmadePicture:
 * @type: 'D' (IDR), 'I', 'P', 'B', all macroblocks plain or skipped
 * @frame_num: modulo 16
 * @poc: pic_order_cnt_lsb, modulo 256
 * @no_reference: nal_ref_idc 0
 * @recovery_frame_cnt_plus1: a recovery point SEI message before it
 * @pic_struct_plus1: a picture timing SEI message before it
 * @ct_type_plus1: with a clock timestamp that begins so
 * @refers_back: of a P picture: it refers to the frame whose frame_num is smaller by so much; 0: to the first one of its list
 * @field: of an interlaced sequence: 0: a frame, 1: a top field, 2: a bottom field
 */
typedef struct
{
  gchar type;
  guint frame_num, poc;
  gboolean no_reference;
  guint recovery_frame_cnt_plus1;
  guint pic_struct_plus1, ct_type_plus1;
  guint field;
  guint refers_back;
} HandmadePicture;

/* In the harness upstream is live; else @live tells. */
void handmade_open (Handmade *t, guint n_threads, gboolean live);
/* The same with @element, h264entropy or a bin that ends with it, which becomes the test's; without caps yet */
void handmade_open_element (Handmade *t, GstElement *element, gboolean live);
void handmade_close (Handmade *t);

/* Parameter sets in a buffer of their own, which pictures made from now on are written for */
GstBuffer *handmade_sets (const HandmadeSps *sps);
void handmade_push_sps (Handmade *t, const HandmadeSps *sps);
/* Appends an SEI message in a NAL unit of its own; payloadType below 255. */
void handmade_add_message (GByteArray *data, guint payloadType, const guint8 *payload, guint payloadSize);
/* (transfer full): a buffer of @data, which is freed */
GstBuffer *handmade_wrap (GByteArray *data, GstClockTime pts);
GByteArray *handmade_picture_data (const HandmadePicture *picture);
GstBuffer *handmade_picture (const HandmadePicture *picture, GstClockTime pts);
/* Pushes @buffer, and takes what came out. */
void handmade_push (Handmade *t, GstBuffer *buffer);
void handmade_push_picture (Handmade *t, const HandmadePicture *picture, GstClockTime pts);
/* All that is left comes out. */
void handmade_finish (Handmade *t);
void handmade_take (Handmade *t);

/* Messages that have @text, or any; an error fails the test where it has not. */
guint handmade_count_messages (Handmade *t, GstMessageType type, const gchar *text);
/* Key units asked for since the last call */
guint handmade_count_key_unit_requests (Handmade *t);

static inline const GstFrameStore *
handmade_output (const Handmade *t, guint i)
{
  return (const GstFrameStore *) g_ptr_array_index (t->output, i);
}

/* Of the buffer that frame @i comes out in */
static inline guint
handmade_flags (const Handmade *t, guint i)
{
  return handmade_output (t, i)->buffer_flags | handmade_output (t, i)->output_flags;
}

static inline gboolean
handmade_is_corrupted (const Handmade *t, guint i)
{
  return (handmade_flags (t, i) & GST_BUFFER_FLAG_CORRUPTED) != 0;
}
