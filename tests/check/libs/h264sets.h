/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Written parameter sets, handed to the parser
 */
#pragma once

#include "h264writer.h"

/* Adds a unit that must be accepted; frees it. */
void add_set (H264ParamSets *sets, GByteArray *unit);
/* Adds a unit that must be refused, with an error that contains @text; frees it. */
void refuse_set (H264ParamSets *sets, GByteArray *unit, const gchar *text);
/* Parameter sets with these two */
H264ParamSets *make_param_sets (const SpsValues *sps, const PpsValues *pps);
