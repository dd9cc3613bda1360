/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The caps that gpucsc offers for those of the other side, and its choice among them.
 */
#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* (transfer full): what the other side of gpucsc can be for @caps: the same first, which is passed through, then every format, in the same
 * and in the other kind of memory.  With @device_memory FALSE the other side is memory of the device only where it is passed through. */
GstCaps *gst_csc_caps_transform (GstCaps *caps, gboolean device_memory);

/* (transfer full): one of @othercaps (transfer full) for input of @caps (fixed): the format that loses least, then the one that is nearest;
 * colorimetry and chroma site as the input has them, as far as the format has a use for them. */
GstCaps *gst_csc_caps_fixate (GstCaps *caps, GstCaps *othercaps);

G_END_DECLS
