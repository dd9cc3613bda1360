/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What a stage asks of a coded picture that comes; inside this library.  Each posts an element error where the answer is no.
 */
#pragma once

#include "gstcodedpicture.h"

G_BEGIN_DECLS

/* A stage works on what the earlier ones left, and nobody comes after the one that negotiated raw video. */
G_GNUC_INTERNAL gboolean gst_stage_check_earlier (GstElement *element, GstCodedStages stage, const GstCodedPicture *picture);

/* Levels become residuals where they lie, and the picture's pending stages are counted down: nobody else may hold the buffer. */
G_GNUC_INTERNAL gboolean gst_stage_check_unshared (GstElement *element, GstBuffer *buffer);

/* Whether pictures of @codec are among those that @stage rebuilds; @codecs: bits 1 << GstCodedCodec */
G_GNUC_INTERNAL gboolean gst_stage_check_codec (GstElement *element, GstCodedStages stage, guint codecs, GstCodedCodec codec);

/* Whether no stage is pending, where this one ends the decoding */
G_GNUC_INTERNAL gboolean gst_stage_check_complete (GstElement *element, GstCodedCodec codec, const GstCodedPicture *picture);

G_END_DECLS
