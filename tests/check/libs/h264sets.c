/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include "h264sets.h"

void
add_set (H264ParamSets *sets, GByteArray *unit)
{
  H264Nal nal;
  const gchar *error = NULL;

  fail_unless (h264_nal_init (&nal, unit->data, unit->len, &error), "%s", error);
  fail_unless (h264_param_sets_add (sets, &nal, &error), "%s", error);
  g_byte_array_unref (unit);
}

void
refuse_set (H264ParamSets *sets, GByteArray *unit, const gchar *text)
{
  H264Nal nal;
  const gchar *error = NULL;

  fail_unless (h264_nal_init (&nal, unit->data, unit->len, &error), "%s", error);
  fail_if (h264_param_sets_add (sets, &nal, &error));
  fail_unless (error && strstr (error, text), "error is: %s", error);
  g_byte_array_unref (unit);
}

H264ParamSets *
make_param_sets (const SpsValues *sps, const PpsValues *pps)
{
  H264ParamSets *sets = h264_param_sets_new ();

  add_set (sets, make_sps (sps));
  add_set (sets, make_pps (pps));
  return sets;
}
