/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A frame in the decoder: its surface, its times, and who waits for it.
 */
#pragma once

#include <gst/video/video.h>
#include "gstgpucodec-prelude.h"

G_BEGIN_DECLS

typedef struct _GstFrameStore GstFrameStore;

GST_GPU_CODEC_API
GType gst_frame_store_get_type (void);
#define GST_TYPE_FRAME_STORE (gst_frame_store_get_type ())

/**
 * GstFrameFields:
 * @GST_FRAME_TOP_FIELD: lines 0, 2, 4...
 * @GST_FRAME_BOTTOM_FIELD: lines 1, 3, 5...
 *
 * The fields of a frame.
 */
typedef enum
{
  GST_FRAME_TOP_FIELD = 1,
  GST_FRAME_BOTTOM_FIELD = 2,
} GstFrameFields;

/**
 * GST_FRAME_BOTH_FIELDS:
 *
 * All fields of a frame, as #GstFrameFields.
 */
#define GST_FRAME_BOTH_FIELDS (GST_FRAME_TOP_FIELD | GST_FRAME_BOTTOM_FIELD)

/**
 * GstFrameStore:
 * @number: names the frame in the output list; unique within a stream, counts up in decoding order
 * @surface: (nullable): the samples, given by the first GPU stage; one GstMemory, planes one behind the other, with a GstVideoMeta
 * @poc: TopFieldOrderCnt, BottomFieldOrderCnt (of those fields it has)
 * @fields: those that have come, #GstFrameFields; a frame that is output with one of them only shows it in the lines of the other, too
 * @pts: of the frame
 * @duration: of the frame
 * @buffer_flags: GST_VIDEO_BUFFER_FLAG_* and GST_BUFFER_FLAG_CORRUPTED, DISCONT... for the output buffer
 * @output_flags: more of them that say nothing of the samples, so that they do not spread to what is predicted from the frame
 * @discard_corrupted: it is not wanted where it is flagged as corrupted
 * @metas: (nullable): a buffer without memory that holds the metas of the input which the output shall carry
 *
 * One frame in the decoder: shared by both fields of the frame.  Refers to no other frame store: a chain of references would keep every
 * ancestor alive.
 * @number is written once; everything else is written before the frame is output, by one thread at a time; completion has its own lock.
 */
struct _GstFrameStore
{
  GstMiniObject mini_object;

  guint32 number;
  GstBuffer *surface;
  gint32 poc[2];
  guint fields;
  GstClockTime pts, duration;
  guint buffer_flags;
  guint output_flags;
  gboolean discard_corrupted;
  GstBuffer *metas;

  /*< private > */
  GMutex lock;
  GCond cond;
  guint n_unsubmitted; /* coded pictures (one frame or two fields) whose last stage has not been submitted */
  gboolean failed;     /* a picture of it was dropped or a stage failed: dependants conceal */
  gboolean flushing;
  GMutex fill_lock;
  gboolean filled; /* under @fill_lock: the lines of the field that did not come */
};

GST_GPU_CODEC_API
GstFrameStore *gst_frame_store_new (guint32 number);

static inline GstFrameStore *
gst_frame_store_ref (GstFrameStore *store)
{
  return (GstFrameStore *) gst_mini_object_ref (GST_MINI_OBJECT_CAST (store));
}

static inline void
gst_frame_store_unref (GstFrameStore *store)
{
  gst_mini_object_unref (GST_MINI_OBJECT_CAST (store));
}

/* Waits until the last stage of every picture of the frame is submitted, so that the surface's events tell when it is complete.  FALSE
 * where it failed or was flushed: the frame is not to be relied on. */
GST_GPU_CODEC_API
gboolean gst_frame_store_wait_submitted (GstFrameStore *store);

/* The same for the first field of the frame, for whoever works on the second. */
GST_GPU_CODEC_API
gboolean gst_frame_store_wait_first_field (GstFrameStore *store);

/* Where one field only has come, and no other one will, copies its lines to those of the other, once, from any thread.  FALSE where the
 * surface cannot be mapped. */
GST_GPU_CODEC_API
gboolean gst_frame_store_fill_missing_field (GstFrameStore *store);

/* Wakes all waiters, for FLUSH_START, errors and state changes: the frame counts as flushed from now on. */
GST_GPU_CODEC_API
void gst_frame_store_flush (GstFrameStore *store);

G_END_DECLS
