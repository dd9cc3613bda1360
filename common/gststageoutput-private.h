/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * How the last stage shows frames: which of them, with what times and flags; inside this library.
 */
#pragma once

#include "gstframestore.h"

G_BEGIN_DECLS

/* Belongs to the streaming thread. */
typedef struct
{
  GstPad *srcpad;           /* not owned */
  gboolean discont;         /* of a picture that was outside of the segment, or left out: the next one has it */
  gboolean not_linked_said; /* once is enough */
} GstStageOutput;

G_GNUC_INTERNAL void gst_stage_output_init (GstStageOutput *self, GstPad *srcpad);

/* After a flush */
G_GNUC_INTERNAL void gst_stage_output_flush (GstStageOutput *self);

/* Back to how it began */
G_GNUC_INTERNAL void gst_stage_output_reset (GstStageOutput *self);

/* Makes @store ready to be shown: times cut to the segment, a missing field filled, flags set.  FALSE where it is not to be shown: outside
 * of the segment, or damaged where that is to be left out. */
G_GNUC_INTERNAL gboolean gst_stage_output_prepare (GstStageOutput *self, GstFrameStore *store);

/* Pushes @buffer (transfer full), the samples of @store, with the store's times, flags and metas. */
G_GNUC_INTERNAL GstFlowReturn gst_stage_output_push (GstStageOutput *self, GstBuffer *buffer, GstFrameStore *store);

G_END_DECLS
