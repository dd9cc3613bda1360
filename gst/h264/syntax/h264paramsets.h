/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The parameter sets a stream has sent so far, by id.
 *
 * A PPS cannot be read without its SPS, may arrive before it, and changes its meaning when its SPS does.  So the units are kept raw, and a
 * PPS is parsed when a slice activates it (7.4.1.2.1).  A unit that repeats what is there changes nothing: equal pointers mean equal
 * content.
 */
#pragma once

#include "h264pps.h"

G_BEGIN_DECLS

typedef struct _H264ParamSets H264ParamSets;

/* The errors of h264_param_sets_get_pps() where a set has not come, or was broken */
extern const gchar h264_pps_is_missing[], h264_sps_is_missing[];

H264ParamSets *h264_param_sets_new (void);
void h264_param_sets_free (H264ParamSets *sets);

/* Takes in a NAL unit of type SPS or PPS (an SPS extension or a subset SPS, which are about auxiliary pictures and other views only, is
 * accepted and left out).  FALSE and @error where it is broken; what was there under its id stays then. */
gboolean h264_param_sets_add (H264ParamSets *sets, const H264Nal *nal, const gchar **error);

/* Takes in the sets of an AVCDecoderConfigurationRecord (ISO/IEC 14496-15, 5.3.3.1: codec_data of stream-format=avc) and gives the bytes of
 * the length before each NAL unit.  A set that is broken is passed over: @error tells of the last one.  FALSE where the record itself is
 * broken. */
gboolean h264_param_sets_add_avcc (H264ParamSets *sets, const guint8 *data, gsize size, guint *length_size, const gchar **error);

/* Takes in the sets of a byte stream (Annex B); @error as above. */
void h264_param_sets_add_byte_stream (H264ParamSets *sets, const guint8 *data, gsize size, const gchar **error);

/* (transfer none) (nullable): the PPS @id as it stands now, with its SPS; NULL and @error where one of them is missing or broken.  Take a
 * reference to keep it beyond the next call that adds a set. */
H264Pps *h264_param_sets_get_pps (H264ParamSets *sets, guint id, const gchar **error);

/* (transfer none) (nullable) */
H264Sps *h264_param_sets_get_sps (const H264ParamSets *sets, guint id);

/* Whether the stream may be of @profile_idc: an SPS says so, or none has come */
gboolean h264_param_sets_may_be (const H264ParamSets *sets, guint profile_idc);

G_END_DECLS
