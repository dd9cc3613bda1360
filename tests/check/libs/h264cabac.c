/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The CABAC decoding engine against the flow charts of ITU-T H.264, 9.3.3.2, on data of the encoder of 9.3.4.
 */
#include <gst/check/gstcheck.h>
#include "cabacencoder.h"
#include "h264cabac.h"
#include "h264cabactables.h"

/* The engine as the standard draws it */
typedef struct
{
  const guint8 *data;
  gsize pos; /* bits read */
  guint codIRange, codIOffset;
  CabacContext contexts[N_CABAC_CONTEXTS];
} PlainDecoder;

static guint
read_bit (PlainDecoder *plain)
{
  const guint bit = plain->data[plain->pos / 8] >> (7 - plain->pos % 8) & 1;

  plain->pos++;
  return bit;
}

static void
plain_start (PlainDecoder *plain, const guint8 *data, gsize byte)
{
  plain->data = data;
  plain->pos = 8 * byte;
  plain->codIRange = 510;
  plain->codIOffset = 0;
  for (guint i = 0; i < 9; i++)
    plain->codIOffset = plain->codIOffset << 1 | read_bit (plain);
}

static void
plain_renorm (PlainDecoder *plain)
{
  while (plain->codIRange < 256) {
    plain->codIRange <<= 1;
    plain->codIOffset = plain->codIOffset << 1 | read_bit (plain);
  }
}

static guint
plain_bin (PlainDecoder *plain, guint ctxIdx)
{
  CabacContext *context = &plain->contexts[ctxIdx];
  const guint codIRangeLPS = h264_cabac_range_lps[context->pStateIdx][(plain->codIRange >> 6) & 3];
  guint bin = context->valMPS;

  plain->codIRange -= codIRangeLPS;
  if (plain->codIOffset >= plain->codIRange) {
    bin = !bin;
    plain->codIOffset -= plain->codIRange;
    plain->codIRange = codIRangeLPS;
    cabac_context_update (context, FALSE);
  } else {
    cabac_context_update (context, TRUE);
  }
  plain_renorm (plain);
  return bin;
}

static guint
plain_bypass (PlainDecoder *plain)
{
  plain->codIOffset = plain->codIOffset << 1 | read_bit (plain);
  if (plain->codIOffset < plain->codIRange)
    return 0;
  plain->codIOffset -= plain->codIRange;
  return 1;
}

static guint
plain_terminate (PlainDecoder *plain)
{
  plain->codIRange -= 2;
  if (plain->codIOffset >= plain->codIRange)
    return 1;
  plain_renorm (plain);
  return 0;
}

/* A bin to be decoded */
typedef enum
{
  BIN_CONTEXT,
  BIN_BYPASS,
  BIN_TERMINATE,
} BinKind;

typedef struct
{
  BinKind kind;
  guint ctxIdx;
  guint bin;
} Bin;

static Bin
random_bin (GRand *rand)
{
  const guint32 kind = g_rand_int_range (rand, 0, 20);
  /* few contexts, that they leave their first states */
  Bin bin = { BIN_CONTEXT, (guint) g_rand_int_range (rand, 0, 40) * 25, g_rand_boolean (rand) };

  if (kind < 6)
    bin.kind = BIN_BYPASS;
  else if (kind == 6)
    bin = (Bin){ BIN_TERMINATE, 0, 0 };
  else if (bin.ctxIdx % 2 == 0)
    /* some contexts run into the states of great probability */
    bin.bin = g_rand_int_range (rand, 0, 50) == 0;
  return bin;
}

static void
put_bin (CabacEncoder *encoder, const Bin *bin)
{
  if (bin->kind == BIN_CONTEXT)
    cabac_put (encoder, bin->ctxIdx, bin->bin);
  else if (bin->kind == BIN_BYPASS)
    cabac_put_bypass (encoder, bin->bin);
  else
    cabac_put_terminate (encoder, bin->bin);
}

/* @refill: of a bin with a context: or the next one does it */
static guint
decode_bin (H264Cabac *cabac, H264CabacState *contexts, const Bin *bin, gboolean refill)
{
  if (bin->kind == BIN_CONTEXT)
    return refill ? h264_cabac_bin (cabac, &contexts[bin->ctxIdx]) : h264_cabac_bin_unfilled (cabac, &contexts[bin->ctxIdx]);
  return bin->kind == BIN_BYPASS ? h264_cabac_bypass (cabac) : h264_cabac_terminate (cabac);
}

static guint
plain_decode_bin (PlainDecoder *plain, const Bin *bin)
{
  if (bin->kind == BIN_CONTEXT)
    return plain_bin (plain, bin->ctxIdx);
  return bin->kind == BIN_BYPASS ? plain_bypass (plain) : plain_terminate (plain);
}

static void
check_context (H264CabacState state, const CabacContext *context)
{
  if (state != h264_cabac_states[2 * context->pStateIdx + context->valMPS])
    fail ("state %#" G_GINT64_MODIFIER "x, not of %u, %u", state, context->pStateIdx, context->valMPS);
}

/* Data with @padding zero bytes behind it: those that the engine may read but not need */
static guint8 *
pad (const BitWriter *w, guint padding)
{
  guint8 *data = g_malloc0 (w->bytes->len + padding);

  memcpy (data, w->bytes->data, w->bytes->len);
  return data;
}

/* @n_bins bins and a terminating one, in a buffer that ends 8 bytes behind the limit, which is the data's end */
static void
check_bins (GRand *rand, guint n_bins)
{
  static CabacEncoder encoder;
  static PlainDecoder plain;
  static H264CabacState contexts[H264_N_CABAC_CONTEXTS];
  const guint column = g_rand_int_range (rand, 0, 4);
  const gint SliceQPY = g_rand_int_range (rand, -12, 60);
  const Bin last = { BIN_TERMINATE, 0, 1 };
  Bin *bins = g_new (Bin, n_bins + 1);
  H264Cabac cabac;
  BitWriter w;
  guint8 *data;

  bit_writer_init (&w);
  cabac_contexts_init (encoder.contexts, column, SliceQPY);
  cabac_contexts_init (plain.contexts, column, SliceQPY);
  h264_cabac_contexts_init (contexts, column, SliceQPY);
  cabac_encoder_start (&encoder, &w);
  for (guint i = 0; i < n_bins; i++) {
    bins[i] = random_bin (rand);
    put_bin (&encoder, &bins[i]);
  }
  bins[n_bins] = last;
  put_bin (&encoder, &last);
  data = pad (&w, 16);

  plain_start (&plain, data, 0);
  h264_cabac_start (&cabac, data, data + w.bytes->len + 8);
  for (guint i = 0; i <= n_bins; i++) {
    const gboolean refill = i % 2 == 1 || i == n_bins || bins[i + 1].kind == BIN_TERMINATE;
    const guint bin = decode_bin (&cabac, contexts, &bins[i], refill);

    if (plain_decode_bin (&plain, &bins[i]) != bins[i].bin || bin != bins[i].bin)
      fail ("bin %u of %u", i, n_bins);
    if (cabac.range >> 55 != plain.codIRange || cabac.offset >> 55 != plain.codIOffset)
      fail ("engine after bin %u of %u", i, n_bins);
    if (bins[i].kind == BIN_CONTEXT)
      check_context (contexts[bins[i].ctxIdx], &plain.contexts[bins[i].ctxIdx]);
  }
  /* 9.3.1.2: all bits are taken, the last one is the stop bit */
  fail_unless_equals_int (plain.pos, w.n_bits);
  fail_unless_equals_int (h264_cabac_end (&cabac) - data, w.bytes->len);
  g_byte_array_unref (w.bytes);
  g_free (data);
  g_free (bins);
}

GST_START_TEST (test_bins)
{
  GRand *rand = g_rand_new_with_seed (1);

  h264_cabac_tables_init ();
  for (guint n = 0; n < 120; n++)
    check_bins (rand, n);
  for (guint i = 0; i < 40; i++)
    check_bins (rand, (guint) g_rand_int_range (rand, 500, 20000));
  g_rand_free (rand);
}

GST_END_TEST;

/* Data that no encoder wrote: both engines read the same from it, up to a terminating bin. */
GST_START_TEST (test_random_data)
{
  static PlainDecoder plain;
  static H264CabacState contexts[H264_N_CABAC_CONTEXTS];
  GRand *rand = g_rand_new_with_seed (2);
  guint8 data[4096];

  h264_cabac_tables_init ();
  for (guint i = 0; i < sizeof (data); i++)
    data[i] = (guint8) g_rand_int (rand);
  for (guint run = 0; run < 200; run++) {
    const guint8 *begin = data + run;
    guint terminate = 0;
    H264Cabac cabac;

    cabac_contexts_init (plain.contexts, 0, 26);
    h264_cabac_contexts_init (contexts, 0, 26);
    plain_start (&plain, begin, 0);
    h264_cabac_start (&cabac, begin, data + sizeof (data) - 8);
    /* codIOffset begins below 510 (9.3.1.2) */
    while (plain.codIOffset < 510 && !terminate && plain.pos < 20000) {
      const Bin bin = random_bin (rand);
      const guint value = plain_decode_bin (&plain, &bin);

      if (decode_bin (&cabac, contexts, &bin, TRUE) != value)
        fail ("bit %" G_GSIZE_FORMAT " of run %u", plain.pos, run);
      terminate = bin.kind == BIN_TERMINATE && value;
    }
    if (terminate)
      fail_unless_equals_int (h264_cabac_end (&cabac) - begin, (plain.pos + 7) / 8);
  }
  g_rand_free (rand);
}

GST_END_TEST;

/* I_PCM: a terminating bin, zeros up to a byte, the samples, and the engine starts again; at every number of bins before it */
GST_START_TEST (test_pcm_restart)
{
  static CabacEncoder encoder;
  static H264CabacState contexts[H264_N_CABAC_CONTEXTS];
  GRand *rand = g_rand_new_with_seed (3);

  h264_cabac_tables_init ();
  for (guint n = 0; n < 300; n++) {
    H264Cabac cabac;
    const guint8 *pcm;
    gsize pcm_offset, end;
    BitWriter w;
    guint8 *data;

    bit_writer_init (&w);
    cabac_contexts_init (encoder.contexts, 0, 30);
    cabac_encoder_start (&encoder, &w);
    for (guint i = 0; i < n; i++)
      cabac_put (&encoder, i % 7 + 3, i * i / 5 % 3 == 0);
    cabac_put_terminate (&encoder, 1);
    put_u (&w, 7 - (w.n_bits + 7) % 8, 0);
    pcm_offset = w.bytes->len;
    for (guint i = 0; i < 384; i++)
      put_u (&w, 8, g_rand_int (rand) & 0xff);
    cabac_encoder_start (&encoder, &w);
    for (guint i = 0; i < n; i++)
      cabac_put (&encoder, i % 7 + 3, i % 3 == 0);
    cabac_put_terminate (&encoder, 1);
    end = w.bytes->len;
    data = pad (&w, 24);

    h264_cabac_contexts_init (contexts, 0, 30);
    h264_cabac_start (&cabac, data, data + end + 16);
    for (guint i = 0; i < n; i++)
      fail_unless_equals_int (h264_cabac_bin (&cabac, &contexts[i % 7 + 3]), i * i / 5 % 3 == 0);
    fail_unless_equals_int (h264_cabac_terminate (&cabac), 1);
    pcm = h264_cabac_end (&cabac);
    fail_unless_equals_int (pcm - data, pcm_offset);
    h264_cabac_start (&cabac, pcm + 384, data + end + 16);
    for (guint i = 0; i < n; i++)
      fail_unless_equals_int (h264_cabac_bin (&cabac, &contexts[i % 7 + 3]), i % 3 == 0);
    fail_unless_equals_int (h264_cabac_terminate (&cabac), 1);
    fail_unless_equals_int (h264_cabac_end (&cabac) - data, end);
    g_free (data);
    g_byte_array_unref (w.bytes);
  }
  g_rand_free (rand);
}

GST_END_TEST;

/* However long it goes on, the engine never passes its limit. */
GST_START_TEST (test_limit)
{
  static H264CabacState contexts[H264_N_CABAC_CONTEXTS];
  guint8 *data = g_malloc (64 + 8);
  H264Cabac cabac;

  h264_cabac_tables_init ();
  for (guint size = 8; size <= 64; size++) {
    memset (data, 0x5a, 64 + 8);
    h264_cabac_contexts_init (contexts, 2, 20);
    h264_cabac_start (&cabac, data, data + size);
    for (guint i = 0; i < 5000; i++) {
      (void) h264_cabac_bypass (&cabac);
      (void) h264_cabac_bin (&cabac, &contexts[i % H264_N_CABAC_CONTEXTS]);
      if (cabac.next > cabac.limit)
        fail ("read behind byte %u", size);
    }
    fail_unless (cabac.next == data + size);
  }
  g_free (data);
}

GST_END_TEST;

static Suite *
h264cabac_suite (void)
{
  Suite *s = suite_create ("h264cabac");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_bins);
  tcase_add_test (tc, test_random_data);
  tcase_add_test (tc, test_pcm_restart);
  tcase_add_test (tc, test_limit);
  return s;
}

GST_CHECK_MAIN (h264cabac);
