/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cabacencoder.h"
#include "h264cabactables.h"

void
cabac_contexts_init (CabacContext contexts[N_CABAC_CONTEXTS], guint column, gint SliceQPY)
{
  for (guint i = 0; i < N_CABAC_CONTEXTS; i++) {
    const gint m = h264_cabac_context_init[column][i][0], n = h264_cabac_context_init[column][i][1];
    const gint preCtxState = CLAMP (((m * CLAMP (SliceQPY, 0, 51)) >> 4) + n, 1, 126);

    contexts[i].valMPS = preCtxState > 63;
    contexts[i].pStateIdx = preCtxState > 63 ? preCtxState - 64 : 63 - preCtxState;
  }
}

void
cabac_context_update (CabacContext *context, gboolean mps)
{
  if (mps) {
    if (context->pStateIdx < 62)
      context->pStateIdx++;
    return;
  }
  if (context->pStateIdx == 0)
    context->valMPS = !context->valMPS;
  context->pStateIdx = h264_cabac_trans_idx_lps[context->pStateIdx];
}

void
cabac_encoder_start (CabacEncoder *encoder, BitWriter *w)
{
  g_assert (w->n_bits % 8 == 0);
  encoder->w = w;
  encoder->codILow = 0;
  encoder->codIRange = 510;
  encoder->bitsOutstanding = 0;
  encoder->firstBitFlag = TRUE;
}

/* Figure 9-9 */
static void
put_bit (CabacEncoder *encoder, guint bit)
{
  if (encoder->firstBitFlag)
    encoder->firstBitFlag = FALSE;
  else
    put_u (encoder->w, 1, bit);
  for (; encoder->bitsOutstanding > 0; encoder->bitsOutstanding--)
    put_u (encoder->w, 1, !bit);
}

/* Figure 9-8 */
static void
renorm (CabacEncoder *encoder)
{
  while (encoder->codIRange < 256) {
    if (encoder->codILow < 256) {
      put_bit (encoder, 0);
    } else if (encoder->codILow >= 512) {
      encoder->codILow -= 512;
      put_bit (encoder, 1);
    } else {
      encoder->codILow -= 256;
      encoder->bitsOutstanding++;
    }
    encoder->codIRange <<= 1;
    encoder->codILow <<= 1;
  }
}

void
cabac_put (CabacEncoder *encoder, guint ctxIdx, guint bin)
{
  CabacContext *context = &encoder->contexts[ctxIdx];
  const guint codIRangeLPS = h264_cabac_range_lps[context->pStateIdx][(encoder->codIRange >> 6) & 3];
  const gboolean mps = bin == context->valMPS;

  encoder->codIRange -= codIRangeLPS;
  if (!mps) {
    encoder->codILow += encoder->codIRange;
    encoder->codIRange = codIRangeLPS;
  }
  cabac_context_update (context, mps);
  renorm (encoder);
}

/* Figure 9-10 */
void
cabac_put_bypass (CabacEncoder *encoder, guint bin)
{
  encoder->codILow <<= 1;
  if (bin)
    encoder->codILow += encoder->codIRange;
  if (encoder->codILow >= 1024) {
    put_bit (encoder, 1);
    encoder->codILow -= 1024;
  } else if (encoder->codILow < 512) {
    put_bit (encoder, 0);
  } else {
    encoder->codILow -= 512;
    encoder->bitsOutstanding++;
  }
}

/* Figures 9-11 and 9-12 */
void
cabac_put_terminate (CabacEncoder *encoder, guint bin)
{
  encoder->codIRange -= 2;
  if (bin) {
    encoder->codILow += encoder->codIRange;
    encoder->codIRange = 2;
    renorm (encoder);
    put_bit (encoder, (encoder->codILow >> 9) & 1);
    put_u (encoder->w, 2, ((encoder->codILow >> 7) & 3) | 1);
  } else {
    renorm (encoder);
  }
}
