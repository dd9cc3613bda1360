/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The element h264entropy: pads, events, properties.
 */
#pragma once

#include "gsth264feed.h"

G_BEGIN_DECLS

#define GST_TYPE_H264_ENTROPY (gst_h264_entropy_get_type ())
G_DECLARE_FINAL_TYPE (GstH264Entropy, gst_h264_entropy, GST, H264_ENTROPY, GstElement)

struct _GstH264Entropy
{
  GstElement parent;

  GstPad *sinkpad, *srcpad;

  guint n_threads; /* the properties, under the object lock */
  gboolean strict, measure_time;
  gint output_delay;
  guint reverse_memory; /* MiB */

  /* streaming thread only */
  GstH264Decoding decoding;
  GstH264Feed feed;
  GstCaps *caps;   /* (nullable): of the sink pad: the last ones, where they can be used */
  gboolean failed; /* an error has been posted, by this element or one behind it */
  gboolean too_large_said;
  GstFlowReturn refusal; /* NOT_LINKED or EOS, where downstream has said so: no pictures for now; else OK */
  gboolean not_linked_said;
};

GST_ELEMENT_REGISTER_DECLARE (h264entropy);

G_END_DECLS
