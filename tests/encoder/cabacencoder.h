/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The CABAC encoding engine as ITU-T H.264, 9.3.4 draws it: a bit at a time.  It makes the data of the CABAC tests.
 */
#pragma once

#include "h264writer.h"

#define N_CABAC_CONTEXTS 1024

/* A context variable (9.3.1.1) */
typedef struct
{
  guint8 pStateIdx, valMPS;
} CabacContext;

typedef struct
{
  BitWriter *w;
  guint codILow, codIRange, bitsOutstanding;
  gboolean firstBitFlag;
  CabacContext contexts[N_CABAC_CONTEXTS];
} CabacEncoder;

/* 9.3.1.1; @column: 0 for I slices, else 1 + cabac_init_idc */
void cabac_contexts_init (CabacContext contexts[N_CABAC_CONTEXTS], guint column, gint SliceQPY);
/* The transition after a bin (9.3.3.2.1.1) */
void cabac_context_update (CabacContext *context, gboolean mps);

/* Begins at a byte of @w (9.3.4.1). */
void cabac_encoder_start (CabacEncoder *encoder, BitWriter *w);
void cabac_put (CabacEncoder *encoder, guint ctxIdx, guint bin);
void cabac_put_bypass (CabacEncoder *encoder, guint bin);
/* A 1 flushes the engine: the last bit written is the rbsp_stop_one_bit, or the one before pcm_alignment_zero_bits. */
void cabac_put_terminate (CabacEncoder *encoder, guint bin);
