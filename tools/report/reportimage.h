/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The samples of a decoded frame as a small image that a page can hold.
 */
#pragma once

#include "gstcodedformat.h"
#include "gstframestore.h"

G_BEGIN_DECLS

/* (transfer full) (nullable): the cropped frame as a PNG in a data: URI, smaller by a whole factor where it has more than 1280 columns or
 * rows; NULL where its samples are not there, or pngenc is not.  Nothing may be on its way to the frame any more. */
gchar *report_image_make (GstFrameStore *store, const GstCodedFormat *format);

G_END_DECLS
