/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Damage of pictures, and how it spreads to those that are predicted from them.
 */
#pragma once

#include "gsth264picture.h"

G_BEGIN_DECLS

/* @picture is finished; those before it in decoding order have been noted.  Flags its store where it is damaged, or predicted from what is;
 * then warns, and asks upstream for a key unit. */
void gst_h264_damage_note (GstH264Picture *picture, H264Recovery *recovery, GstH264Reports *reports);

G_END_DECLS
