/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The encoder's side of residual_block_cavlc (ITU-T H.264, 9.2).  Its code words are the inverse of the decoder's look-ups; that these
 * are the standard's is for another test to say.
 */
#pragma once

#include "h264writer.h"

typedef struct
{
  guint32 bits;
  guint length;
} CavlcCode;

/* nC of the chroma DC blocks of 4:2:0 and 4:2:2 */
#define NC_CHROMA_DC_2x2 -1
#define NC_CHROMA_DC_2x4 -2

/* Tables 9-5, 9-7 to 9-9, 9-10; length 0 where there is no such code.  @max_num_coeff: 4, 8, or 15 and 16 */
CavlcCode cavlc_coeff_token_code (gint nC, guint total_coeff, guint trailing_ones);
CavlcCode cavlc_total_zeros_code (guint max_num_coeff, guint total_coeff, guint total_zeros);
CavlcCode cavlc_run_before_code (guint zerosLeft, guint run_before);

/* Writes level_prefix and level_suffix (9.2.2.1, the other way round); @not_one: the magnitude cannot be 1, and is coded one less. */
void cavlc_put_level (BitWriter *w, gint32 level, gboolean not_one, guint suffixLength);

/* Writes residual_block_cavlc () of the @max_num_coeff levels, lowest frequency first; gives total_coeff. */
guint put_residual_block_cavlc (BitWriter *w, gint nC, const gint32 *levels, guint max_num_coeff);
