/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What coded pictures tell their frame; inside this library.
 */
#pragma once

#include "gstframestore.h"

G_BEGIN_DECLS

/* What a coded picture tells the frame store it belongs to; each takes the store's lock. */
G_GNUC_INTERNAL void gst_frame_store_picture_added (GstFrameStore *store);
G_GNUC_INTERNAL void gst_frame_store_picture_submitted (GstFrameStore *store);
G_GNUC_INTERNAL void gst_frame_store_picture_failed (GstFrameStore *store);

/* Whether a picture of the frame was dropped before its last stage */
G_GNUC_INTERNAL gboolean gst_frame_store_has_failed (GstFrameStore *store);

G_END_DECLS
