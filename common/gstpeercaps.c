/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstpeercaps.h"

static gboolean
is_system_memory (const GstCapsFeatures *features)
{
  return gst_caps_features_is_equal (features, GST_CAPS_FEATURES_MEMORY_SYSTEM_MEMORY);
}

static gboolean
caps_name_other_memory (const GstCaps *caps)
{
  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    const GstCapsFeatures *features = gst_caps_get_features (caps, i);

    if (!gst_caps_features_is_any (features) && !is_system_memory (features))
      return TRUE;
  }
  return FALSE;
}

static gboolean
keep_system_memory (GstCapsFeatures *features, GstStructure *structure, gpointer user_data)
{
  return is_system_memory (features);
}

GstCaps *
gst_gpu_caps_for_peer (GstPad *pad, GstCaps *possible)
{
  GstCaps *taken = gst_pad_peer_query_caps (pad, NULL);

  if (!caps_name_other_memory (taken)) {
    possible = gst_caps_make_writable (possible);
    gst_caps_filter_and_map_in_place (possible, keep_system_memory, NULL);
  }
  gst_caps_unref (taken);

  return possible;
}
