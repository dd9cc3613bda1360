/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The surfaces that an inter picture refers to, found and, where they are missing, concealed.
 */
#pragma once

#include "gstclpicture.h"

G_BEGIN_DECLS

/* Sets the references of a picture of gst_cl_picture_init(): waits until the last stage of each is submitted, so that the events of its
 * surface tell when it is complete.  @context: (nullable): whose memories they have to be.
 * A reference that is missing, has failed or is of another size is concealed by the one that is shown nearest to it in time, or where
 * there is none by *@grey, (nullable) and made when it is needed: keep it for pictures of the same format.  The frame, and every one that
 * is predicted from it, is then flagged GST_BUFFER_FLAG_CORRUPTED.
 * FALSE and @error where the picture has no records of inter macroblocks, or there is no memory for *@grey. */
gboolean gst_cl_picture_find_references (GstClPicture *self, GstClContext *context, GstMemory **grey, GError **error);

G_END_DECLS
