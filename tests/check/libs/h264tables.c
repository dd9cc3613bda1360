/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The tables of the parser against those of the standard, which stand beside the vectors as text.
 */
#include <gst/check/gstcheck.h>
#include "h264sets.h"
#include "cavlcencoder.h"
#include "h264cabactables.h"
#include "h264cavlctables.h"
#include "h264scan.h"
#include "h264coding.h"
#include "h264slicedecoder.h"

static gchar *
tables_folder (void)
{
  const gchar *vectors = g_getenv ("GST_GPU_VECTORS");

  return g_build_filename (vectors ? vectors : DEFAULT_STREAMS, "..", "tables", NULL);
}

typedef void (*RowFunc) (gchar **values);

/* Calls @func with the fields of each row of table @name. */
static void
for_rows (const gchar *name, guint n_rows, guint n_columns, RowFunc func)
{
  gchar *folder = tables_folder (), *path = g_build_filename (folder, name, NULL), *text = NULL, **lines;
  guint n = 0;

  fail_unless (g_file_get_contents (path, &text, NULL, NULL), "%s is missing", path);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    gchar **values = g_strsplit (lines[i], "\t", -1);

    if (lines[i][0] != '#' && lines[i][0] != '\0') {
      fail_unless_equals_int (g_strv_length (values), n_columns);
      func (values);
      n++;
    }
    g_strfreev (values);
  }
  fail_unless_equals_int (n, n_rows);
  g_strfreev (lines);
  g_free (text);
  g_free (path);
  g_free (folder);
}

static void
check_context_init (gchar **values)
{
  const gint ctxIdx = atoi (values[0]);

  for (guint column = 0; column < 4; column++)
    for (guint i = 0; i < 2; i++)
      fail_unless (h264_cabac_context_init[column][ctxIdx][i] == atoi (values[1 + 2 * column + i]), "ctxIdx %d, column %u", ctxIdx, column);
}

GST_START_TEST (test_context_init)
{
  for_rows ("cabac_context_init.tsv", 1024, 9, check_context_init);
}

GST_END_TEST;

static void
check_significance (gchar **values)
{
  const gint levelListIdx = atoi (values[0]);

  fail_unless_equals_int (h264_cabac_significant_8x8[0][levelListIdx], atoi (values[1]));
  fail_unless_equals_int (h264_cabac_significant_8x8[1][levelListIdx], atoi (values[2]));
  fail_unless_equals_int (h264_cabac_last_8x8[levelListIdx], atoi (values[3]));
}

GST_START_TEST (test_significance_8x8)
{
  for_rows ("cabac_ctxidxinc_8x8.tsv", 63, 4, check_significance);
}

GST_END_TEST;

/* The states that decoding runs on (h264cabac.h) carry the table's row */
static void
check_range_lps (gchar **values)
{
  const gint pStateIdx = atoi (values[0]), after_lps = atoi (values[5]), after_mps = atoi (values[6]);

  fail_unless_equals_int (h264_cabac_trans_idx_lps[pStateIdx], after_lps);
  for (gint valMPS = 0; valMPS < 2; valMPS++) {
    const H264CabacState state = h264_cabac_states[2 * pStateIdx + valMPS];
    const gint mps_after_lps = pStateIdx == 0 ? !valMPS : valMPS;

    fail_unless_equals_int (state >> 63, valMPS);
    fail_unless_equals_int (state >> 8 & 0xff, 2 * after_lps + mps_after_lps);
    fail_unless_equals_int (state & 0xff, 2 * after_mps + valMPS);
    for (gint i = 0; i < 4; i++) {
      fail_unless_equals_int (h264_cabac_range_lps[pStateIdx][i], atoi (values[1 + i]));
      fail_unless_equals_int (state << (8 * i) >> 55 & 0xff, atoi (values[1 + i]));
    }
  }
}

GST_START_TEST (test_range_lps)
{
  h264_cabac_tables_init ();
  for_rows ("cabac_range_lps.tsv", 64, 7, check_range_lps);
}

GST_END_TEST;

static void
check_code (CavlcCode code, const gchar *word, const gchar *what, gchar **values)
{
  fail_unless (code.length == strlen (word) && code.bits == g_ascii_strtoull (word, NULL, 2), "%s %s %s %s: %u bits, %#x", what, values[0],
      values[1], values[2], code.length, code.bits);
}

/* The code word, and @tail behind it, left-justified in 32 bits */
static guint32
word_and_tail (const gchar *word, guint32 tail)
{
  const guint length = strlen (word);

  return (guint32) (g_ascii_strtoull (word, NULL, 2) << (32 - length)) | tail >> length;
}

static guint n_token_codes[H264_N_TOKEN_TABLES], n_short_tokens[H264_N_TOKEN_TABLES];

static void
check_token (H264CoeffTokenEntry entry, gchar **values)
{
  const guint total_coeff = (guint) atoi (values[1]), trailing_ones = (guint) atoi (values[2]);

  fail_unless (entry.length == strlen (values[3]) && entry.total_coeff == total_coeff && entry.trailing_ones == trailing_ones,
      "coeff_token %s %u %u", values[0], total_coeff, trailing_ones);
  /* 9.2.2: suffixLength of the first level, and whether its levelCode is 2 more (9.2.2.1) */
  fail_unless_equals_int (h264_level_suffix_length (entry.level_state), total_coeff > 10 && trailing_ones < 3);
  fail_unless_equals_int (h264_level_least (entry.level_state), trailing_ones < 3 ? 2 : 1);
}

static void
check_coeff_token (gchar **values)
{
  static const gchar *const classes[] = { "0<=nC<2", "2<=nC<4", "4<=nC<8", "nC==-1", "nC==-2", "8<=nC" };
  static const gint nC[] = { 1, 3, 7, NC_CHROMA_DC_2x2, NC_CHROMA_DC_2x4, 8 };
  const guint length = strlen (values[3]);
  guint table = 0;

  while (!g_str_equal (classes[table], values[0]))
    fail_unless (++table < G_N_ELEMENTS (classes), "class %s", values[0]);
  check_code (cavlc_coeff_token_code (nC[table], (guint) atoi (values[1]), (guint) atoi (values[2])), values[3], "coeff_token", values);
  n_token_codes[table]++;
  if (length <= H264_TOKEN_BITS)
    n_short_tokens[table] += 1u << (H264_TOKEN_BITS - length);
  for (guint i = 0; i < 1u << H264_TOKEN_BITS; i++) {
    const guint32 window = word_and_tail (values[3], i == 0 ? 0 : g_random_int ());

    check_token (h264_coeff_token_at (table, (guint64) window << 32), values);
    if (length <= H264_TOKEN_BITS)
      check_token (h264_short_coeff_token[table][window >> (32 - H264_TOKEN_BITS)], values);
    else
      fail_unless_equals_int (h264_short_coeff_token[table][window >> (32 - H264_TOKEN_BITS)].length, 0);
  }
}

GST_START_TEST (test_coeff_token)
{
  static const guint8 max_num_coeff[H264_N_TOKEN_TABLES] = { 16, 16, 16, 4, 8, 16 };

  h264_cavlc_tables_init ();
  for_rows ("cavlc_coeff_token.tsv", 292, 4, check_coeff_token);
  for (guint table = 0; table < H264_N_TOKEN_TABLES; table++) {
    guint n = 0;

    fail_unless_equals_int (n_token_codes[table], 4 * max_num_coeff[table] - 2);
    for (guint i = 0; i < 16 * 8; i++)
      fail_unless (h264_coeff_token[table][i].total_coeff <= max_num_coeff[table]);
    /* what is no code stays out */
    for (guint i = 0; i < 1u << H264_TOKEN_BITS; i++)
      n += h264_short_coeff_token[table][i].length != 0;
    fail_unless_equals_int (n, n_short_tokens[table]);
  }
}

GST_END_TEST;

/* 9.2.1: nC of nA and nB, and of one of them where the other block is not available, and its column of Table 9-5 */
GST_START_TEST (test_token_column)
{
  h264_cavlc_tables_init ();
  for (guint nA = 0; nA <= 17; nA++)
    for (guint nB = 0; nB <= 17; nB++) {
      const gboolean has_a = nA <= 16, has_b = nB <= 16;
      const guint nC = has_a && has_b ? (nA + nB + 1) >> 1 : has_a ? nA : has_b ? nB : 0;

      fail_unless_equals_int (h264_token_column[(has_a ? nA : 64) + (has_b ? nB : 64)],
          nC < 2       ? 0
              : nC < 4 ? 1
              : nC < 8 ? 2
                       : H264_TOKEN_FROM_8);
    }
}

GST_END_TEST;

/* Whether a level that cannot be told of @n bits, or not in a byte, stands at @rest; @suffixLength, @least: as it is read */
static gboolean
level_is_long (guint rest, guint n, guint suffixLength, guint least)
{
  const guint level_prefix = rest != 0 ? n - g_bit_storage (rest) : n;
  guint levelCode;

  if (level_prefix + 1 + suffixLength > n)
    return TRUE;
  levelCode = (level_prefix << suffixLength) + (rest >> (n - level_prefix - 1 - suffixLength) & ((1u << suffixLength) - 1)) + 2 * least - 2;
  return levelCode > 255 || levelCode / 2 + 1 > 127 + levelCode % 2;
}

/* Several levels at a time are what one after the other gives. */
static void
check_several_levels (guint state, guint bits)
{
  const H264Levels *levels = &h264_levels[state][bits];
  /* in the order of their states: three first levels, then those with a suffixLength of 1 and of 2 */
  static const guint8 suffix_lengths[H264_N_LEVEL_TABLES] = { 0, 0, 1, 1, 2 }, leasts[H264_N_LEVEL_TABLES] = { 2, 1, 2, 1, 1 };
  guint suffixLength = suffix_lengths[state], least = leasts[state];
  BitWriter w;

  bit_writer_init (&w);
  fail_unless_equals_int (h264_levels_length (levels, 0), 0);
  fail_unless (levels->n <= H264_MAX_LEVELS);
  for (guint i = 0; i < levels->n; i++) {
    const gint level = levels->levels[H264_MAX_LEVELS - 1 - i];

    cavlc_put_level (&w, level, least == 2, suffixLength);
    fail_unless_equals_int (h264_levels_length (levels, i + 1), w.n_bits);
    least = 1;
    /* 9.2.2, the steps behind a level */
    if (suffixLength == 0)
      suffixLength = 1;
    if (ABS (level) > 3 << (suffixLength - 1) && suffixLength < 6)
      suffixLength++;
  }
  fail_unless (w.n_bits <= H264_LEVELS_BITS);
  if (levels->n > 0) {
    guint written = 0;

    for (guint i = 0; i < w.n_bits; i++)
      written = written << 1 | (w.bytes->data[i / 8] >> (7 - i % 8) & 1);
    fail_unless_equals_int (written, bits >> (H264_LEVELS_BITS - w.n_bits));
    fail_unless_equals_int (levels->next_state, H264_LEVEL_STATE (suffixLength) | (suffixLength > 2 ? H264_LEVEL_ALONE : 0));
  } else {
    fail_unless_equals_int (levels->next_state, state | H264_LEVEL_ALONE);
  }
  if (levels->n < H264_MAX_LEVELS)
    fail_unless (level_is_long (bits & ((1u << (H264_LEVELS_BITS - w.n_bits)) - 1), H264_LEVELS_BITS - w.n_bits, suffixLength, least));
  g_byte_array_unref (w.bytes);
}

GST_START_TEST (test_several_levels)
{
  h264_cavlc_tables_init ();
  for (guint state = 0; state < H264_N_LEVEL_TABLES; state++)
    for (guint bits = 0; bits < 1u << H264_LEVELS_BITS; bits++)
      check_several_levels (state, bits);
}

GST_END_TEST;

/* 7.3.5.3.3: trailing_ones_sign_flag, the one of the highest frequency first */
GST_START_TEST (test_trailing_ones)
{
  for (guint signs = 0; signs < 8; signs++)
    for (guint i = 0; i < 3; i++)
      fail_unless_equals_int (h264_trailing_ones[signs][3 - i], signs >> (2 - i) & 1 ? -1 : 1);
}

GST_END_TEST;

/* How many look-ups the codes of the table take; what is no code must stay out */
static guint n_lookups;

static void
check_row (const guint8 *row, guint n_bits, const gchar *word, guint value)
{
  const guint length = strlen (word), free_bits = n_bits - length;

  n_lookups += 1u << free_bits;
  for (guint i = 0; i < 1u << free_bits; i++)
    fail_unless_equals_int (row[(guint) g_ascii_strtoull (word, NULL, 2) << free_bits | i], length << 4 | value);
}

static void
check_total_zeros (gchar **values)
{
  const guint tzVlcIndex = (guint) atoi (values[1]), total_zeros = (guint) atoi (values[2]);
  const guint max_num_coeff = g_str_equal (values[0], "4x4") ? 16 : g_str_equal (values[0], "chroma DC 2x2") ? 4 : 8;

  check_code (cavlc_total_zeros_code (max_num_coeff, tzVlcIndex, total_zeros), values[3], "total_zeros", values);
  if (max_num_coeff == 4)
    check_row (h264_total_zeros_2x2[tzVlcIndex], 3, values[3], total_zeros);
  else if (max_num_coeff == 8)
    check_row (h264_total_zeros_2x4[tzVlcIndex], 5, values[3], total_zeros);
  else
    check_row (h264_total_zeros_4x4[tzVlcIndex], 9, values[3], total_zeros);
}

static guint
count_codes (const guint8 *table, gsize size)
{
  guint n = 0;

  for (gsize i = 0; i < size; i++)
    n += table[i] != 0;
  return n;
}

GST_START_TEST (test_total_zeros)
{
  h264_cavlc_tables_init ();
  n_lookups = 0;
  for_rows ("cavlc_total_zeros.tsv", 179, 4, check_total_zeros);
  fail_unless_equals_int (n_lookups,
      count_codes (h264_total_zeros_4x4[0], sizeof (h264_total_zeros_4x4))
          + count_codes (h264_total_zeros_2x2[0], sizeof (h264_total_zeros_2x2))
          + count_codes (h264_total_zeros_2x4[0], sizeof (h264_total_zeros_2x4)));
}

GST_END_TEST;

static void
check_run_before (gchar **values)
{
  const guint zerosLeft = (guint) atoi (values[0]), run_before = (guint) atoi (values[1]);

  check_code (cavlc_run_before_code (zerosLeft, run_before), values[2], "run_before", values);
  /* "above 6" (7 in the table) is a row for each zerosLeft; longer codes are none of the look-up's */
  for (guint row = zerosLeft; row < (zerosLeft < 7 ? zerosLeft + 1 : 16) && strlen (values[2]) <= 3; row++)
    check_row (h264_run_before[row], 3, values[2], run_before);
}

GST_START_TEST (test_run_before)
{
  h264_cavlc_tables_init ();
  n_lookups = 0;
  for_rows ("cavlc_run_before.tsv", 42, 3, check_run_before);
  fail_unless_equals_int (n_lookups, count_codes (h264_run_before[0], sizeof (h264_run_before)));
}

GST_END_TEST;

/* Several runs at a time are what one after the other gives. */
static void
check_several_runs (guint zerosLeft, guint max_runs, guint bits)
{
  const guint32 runs = h264_runs[zerosLeft][max_runs - 1][bits];
  guint n_bits = 0, zeros = 0, pattern = 0;

  for (guint i = 0; i < H264_RUNS_COUNT (runs); i++) {
    const guint left = zerosLeft - zeros, rest = bits << n_bits & ((1u << H264_RUNS_BITS) - 1);
    guint run_before = 0;
    CavlcCode code = cavlc_run_before_code (left, 0);

    while (rest >> (H264_RUNS_BITS - code.length) != code.bits) {
      fail_unless (++run_before <= left);
      code = cavlc_run_before_code (left, run_before);
      fail_unless (code.length <= H264_RUNS_BITS - n_bits);
    }
    n_bits += code.length;
    zeros += run_before;
    pattern |= 0x8000 >> (zeros + i);
  }
  fail_unless (n_bits <= H264_RUNS_BITS && zeros <= zerosLeft && H264_RUNS_COUNT (runs) <= max_runs);
  fail_unless_equals_int (H264_RUNS_LENGTH (runs), n_bits);
  fail_unless_equals_int (H264_RUNS_ZEROS (runs), zeros);
  fail_unless_equals_int (H264_RUNS_PATTERN (runs), pattern);
  /* every code of three bits is there, so something was read */
  if (zerosLeft + max_runs < 16 && bits >= 1u << (H264_RUNS_BITS - 3))
    fail_unless (runs != 0);
}

GST_START_TEST (test_several_runs)
{
  h264_cavlc_tables_init ();
  for (guint zerosLeft = 1; zerosLeft < 16; zerosLeft++)
    for (guint max_runs = 1; max_runs <= H264_MAX_RUNS; max_runs++)
      for (guint bits = 0; bits < 1u << H264_RUNS_BITS; bits++)
        check_several_runs (zerosLeft, max_runs, bits);
}

GST_END_TEST;

/* The code that the @n bits @bits begin with, of those that @code_of gives for values up to @max; length 0: none, or not all of it */
typedef CavlcCode (*CodeOf) (guint index, guint value);

static CavlcCode
find_code (CodeOf code_of, guint index, guint max, guint bits, guint n, guint *value)
{
  for (*value = 0; *value <= max; (*value)++) {
    const CavlcCode code = code_of (index, *value);

    if (code.length > 0 && code.length <= n && bits >> (n - code.length) == code.bits)
      return code;
  }
  return (CavlcCode){ 0, 0 };
}

static CavlcCode
total_zeros_4x4 (guint total_coeff, guint total_zeros)
{
  return cavlc_total_zeros_code (16, total_coeff, total_zeros);
}

static CavlcCode
total_zeros_2x2 (guint total_coeff, guint total_zeros)
{
  return cavlc_total_zeros_code (4, total_coeff, total_zeros);
}

static CavlcCode
total_zeros_2x4 (guint total_coeff, guint total_zeros)
{
  return cavlc_total_zeros_code (8, total_coeff, total_zeros);
}

/* total_zeros and runs at a time are what one after the other gives. */
static void
check_places (guint32 places, CodeOf total_zeros, guint max_num_coeff, guint total_coeff, guint bits)
{
  guint n = H264_PLACES_BITS, zerosLeft = 0, runs = total_coeff - 1, mask, run_before;

  if (total_coeff < max_num_coeff) {
    const CavlcCode code = find_code (total_zeros, total_coeff, max_num_coeff - total_coeff, bits, n, &zerosLeft);

    if (code.length == 0) {
      fail_unless_equals_int (places, H264_NO_PLACES);
      return;
    }
    n -= code.length;
  }
  mask = 1u << (runs + zerosLeft);
  while (runs > 0 && zerosLeft > 0) {
    const CavlcCode code = find_code (cavlc_run_before_code, zerosLeft, zerosLeft, bits & ((1u << n) - 1), n, &run_before);

    if (code.length == 0)
      break;
    n -= code.length;
    zerosLeft -= run_before;
    mask |= 1u << (--runs + zerosLeft);
  }
  if (zerosLeft == 0)
    mask |= (1u << runs) - 1;
  fail_unless_equals_int (H264_PLACES_MASK (places), mask);
  fail_unless_equals_int (H264_PLACES_LENGTH (places), H264_PLACES_BITS - n);
  fail_unless_equals_int (H264_PLACES_UNFINISHED (places), runs > 0 && zerosLeft > 0);
  if (H264_PLACES_UNFINISHED (places)) {
    fail_unless_equals_int (H264_PLACES_RUNS (places), runs);
    fail_unless_equals_int (H264_PLACES_ZEROS (places), zerosLeft);
  }
}

GST_START_TEST (test_places)
{
  h264_cavlc_tables_init ();
  for (guint bits = 0; bits < 1u << H264_PLACES_BITS; bits++) {
    for (guint total_coeff = 1; total_coeff <= 16; total_coeff++)
      check_places (h264_places_4x4[total_coeff][bits], total_zeros_4x4, 16, total_coeff, bits);
    for (guint total_coeff = 1; total_coeff <= 4; total_coeff++)
      check_places (h264_places_2x2[total_coeff][bits], total_zeros_2x2, 4, total_coeff, bits);
    for (guint total_coeff = 1; total_coeff <= 8; total_coeff++)
      check_places (h264_places_2x4[total_coeff][bits], total_zeros_2x4, 8, total_coeff, bits);
  }
}

GST_END_TEST;

/* Ends the RBSP, and reads it from its beginning. */
static void
read_back (BitWriter *w, H264Bits *bits)
{
  static const guint8 padding[H264_RBSP_PADDING] = { 0 };

  put_u (w, 1, 1);
  h264_bits_init (bits, w->bytes->data, w->bytes->len);
  g_byte_array_append (w->bytes, padding, sizeof (padding));
  bits->data = w->bytes->data;
}

/* coded_block_pattern as the CAVLC reader gives it for @codeNum; G_MAXUINT where it refuses */
static guint
read_coded_block_pattern (guint codeNum, guint ChromaArrayType, gboolean intra)
{
  H264SliceDecoder *dec = h264_slice_decoder_new ();
  BitWriter w;
  H264Bits bits;
  guint cbp;

  bit_writer_init (&w);
  put_ue (&w, codeNum);
  read_back (&w, &bits);
  dec->ChromaArrayType = ChromaArrayType;
  h264_window_init (&dec->window, &bits);
  cbp = h264_cavlc.coded_block_pattern (dec, intra);
  if (dec->error)
    cbp = G_MAXUINT;
  else
    fail_unless_equals_int (h264_window_position (&dec->window, w.bytes->data), w.n_bits - 1);
  g_byte_array_unref (w.bytes);
  h264_slice_decoder_free (dec);
  return cbp;
}

static void
check_coded_block_pattern (gchar **values)
{
  const guint codeNum = (guint) atoi (values[0]);

  for (guint i = 0; i < 8; i++) {
    /* ChromaArrayType 1 and 2, then 0 and 3 */
    static const guint types[4] = { 1, 2, 0, 3 };
    const gchar *value = values[1 + i / 4 * 2 + i % 2];
    const guint expected = value[0] == '-' ? G_MAXUINT : (guint) atoi (value);
    const guint cbp = read_coded_block_pattern (codeNum, types[i / 2], i % 2 == 0);

    fail_unless (cbp == expected, "codeNum %u, ChromaArrayType %u: %u, not %u", codeNum, types[i / 2], cbp, expected);
  }
}

GST_START_TEST (test_coded_block_pattern)
{
  for_rows ("coded_block_pattern_me.tsv", 48, 5, check_coded_block_pattern);
  fail_unless_equals_int (read_coded_block_pattern (48, 1, TRUE), G_MAXUINT);
}

GST_END_TEST;

static void
check_scan_4x4 (gchar **values)
{
  const gint idx = atoi (values[0]);

  for (guint field = 0; field < 2; field++) {
    const gint x = atoi (values[1 + 2 * field]), y = atoi (values[2 + 2 * field]);

    fail_unless_equals_int (h264_scan_4x4_transposed[field][idx], 4 * x + y);
    fail_unless_equals_int (h264_scan_4x4_raster[field][idx], 4 * y + x);
  }
}

static void
check_scan_8x8 (gchar **values)
{
  const gint idx = atoi (values[0]);

  for (guint field = 0; field < 2; field++) {
    const gint x = atoi (values[1 + 2 * field]), y = atoi (values[2 + 2 * field]);

    fail_unless_equals_int (h264_scan_8x8_transposed[field][idx], 8 * x + y);
    fail_unless_equals_int (h264_scan_8x8_raster[field][idx], 8 * y + x);
    /* 7.3.5.3.2: level 4 * k + i of the block is level k of list i */
    fail_unless_equals_int (h264_scan_8x8_cavlc_transposed[field][idx % 4 * 16 + idx / 4], 8 * x + y);
    fail_unless_equals_int (h264_scan_8x8_cavlc_raster[field][idx % 4 * 16 + idx / 4], 8 * y + x);
  }
}

GST_START_TEST (test_scans)
{
  /* 8.5.11.1: c of 4:2:2, two wide and four high, filled in this order */
  static const guint8 c_of_2x4[4][2] = { { 0, 2 }, { 1, 5 }, { 3, 6 }, { 4, 7 } };

  for_rows ("scan_4x4.tsv", 16, 5, check_scan_4x4);
  for_rows ("scan_8x8.tsv", 64, 5, check_scan_8x8);
  for (guint i = 0; i < 8; i++)
    fail_unless_equals_int (c_of_2x4[h264_scan_chroma_dc_2x4[i] / 2][h264_scan_chroma_dc_2x4[i] % 2], i);
  for (guint i = 0; i < 4; i++)
    fail_unless_equals_int (h264_scan_chroma_dc_2x2[i], i);
}

GST_END_TEST;

/* A default scaling list, as a matrix of raster order: a matrix without any list has them all. */
static void
check_default_scaling (gchar **values)
{
  static const struct
  {
    const gchar *name;
    guint list;
  } lists_by_name[] = { { "Default_4x4_Intra", 0 }, { "Default_4x4_Inter", 5 }, { "Default_8x8_Intra", 0 }, { "Default_8x8_Inter", 5 } };
  const guint8 no_lists[1 + H264_RBSP_PADDING + 1] = { 0, 1 };
  gchar **weights = g_strsplit (values[1], " ", -1);
  const guint size = g_strv_length (weights) == 16 ? 4 : 8;
  H264ScalingLists lists;
  H264WeightScales scales;
  H264Bits bits;
  guint row = 0;

  while (!g_str_equal (values[0], lists_by_name[row].name))
    fail_unless (++row < G_N_ELEMENTS (lists_by_name), "no such list: %s", values[0]);
  fail_unless_equals_int (g_strv_length (weights), size * size);
  h264_bits_init (&bits, no_lists, 2);
  h264_scaling_lists_parse (&lists, &bits, 2, NULL);
  h264_weight_scales_set (&scales, &lists);
  for (guint i = 0; i < size * size; i++) {
    const guint transposed = i % size * size + i / size, list = lists_by_name[row].list;

    fail_unless_equals_int (size == 4 ? scales.weight_scale_4x4[list][transposed] : scales.weight_scale_8x8[list][transposed],
        atoi (weights[i]));
  }
  g_strfreev (weights);
}

GST_START_TEST (test_default_scaling)
{
  for_rows ("scaling_default_raster.tsv", 4, 2, check_default_scaling);
}

GST_END_TEST;

static gint qp_c[52];

static void
take_qp_c (gchar **values)
{
  qp_c[atoi (values[0])] = atoi (values[1]);
}

/* Decodes a slice of one Intra_16x16 macroblock without AC levels, whose chroma QP tables stand in the decoder behind it. */
static void
decode_macroblock (H264SliceDecoder *dec, const H264SliceHeader *sh, GstGpuMb *mb)
{
  guint8 slice_start = 0, *coeffs = g_malloc0 (16 * H264_CHUNK_SIZE);
  guint16 mb_slice = H264_NO_SLICE;
  H264MbMotion motion;
  H264CoeffArena arena;
  H264BlockWriter writer;
  H264PictureTarget target = { .mbs = { mb },
    .mb_slice = { &mb_slice },
    .slice_start = { &slice_start },
    .motion = { &motion },
    .width_in_mbs = 1,
    .height_in_mbs = 1,
    .arena = &arena };
  H264MvdList mvds = { NULL };
  H264SliceResult result;
  H264Bits bits;
  BitWriter w;

  h264_coeff_arena_init (&arena);
  h264_coeff_arena_begin (&arena, coeffs, 16 * H264_CHUNK_SIZE, 1536);
  h264_block_writer_init (&writer, &arena);
  bit_writer_init (&w);
  put_ue (&w, 3);   /* I_16x16_2_0_0 */
  put_ue (&w, 0);   /* intra_chroma_pred_mode */
  put_se (&w, 0);   /* mb_qp_delta */
  put_u (&w, 1, 1); /* coeff_token: none */
  read_back (&w, &bits);
  h264_slice_decoder_begin (dec, sh, &target, 0, &bits, &writer, &mvds);
  h264_slice_decoder_go_on (dec);
  result = h264_slice_decoder_end (dec);
  fail_unless (!result.error && result.n_mbs == 1, "%s", result.error);
  h264_block_writer_flush (&writer);
  h264_block_writer_clear (&writer);
  h264_coeff_arena_clear (&arena);
  g_free (mvds.mvds);
  g_byte_array_unref (w.bytes);
  g_free (coeffs);
}

static void
check_chroma_qp (guint depth_luma, guint depth_chroma, gint offset_cb, gint offset_cr)
{
  SpsValues sps_values = default_sps;
  PpsValues pps_values = { .extension = 1, .chroma_qp_index_offset = offset_cb, .second_chroma_qp_index_offset = offset_cr };
  const gint QpBdOffsetY = 6 * ((gint) depth_luma - 8), QpBdOffsetC = 6 * ((gint) depth_chroma - 8), offsets[2] = { offset_cb, offset_cr };
  H264SliceDecoder *dec = h264_slice_decoder_new ();
  H264ParamSets *sets;
  H264SliceHeader sh = { 0 };
  GstGpuMb mb;
  const gchar *error = NULL;

  sps_values.profile_idc = 244;
  sps_values.bit_depth_luma_minus8 = depth_luma - 8;
  sps_values.bit_depth_chroma_minus8 = depth_chroma - 8;
  sets = make_param_sets (&sps_values, &pps_values);
  sh.pps = h264_param_sets_get_pps (sets, 0, &error);
  sh.slice_type = H264_SLICE_I;
  for (gint QPY = -QpBdOffsetY; QPY <= 51; QPY++) {
    sh.SliceQPY = (gint8) QPY;
    decode_macroblock (dec, &sh, &mb);
    fail_unless_equals_int (mb.qp_scaled[0], QPY + QpBdOffsetY);
    fail_unless_equals_int (mb.qp_filter[0], QPY);
    for (guint i = 0; i < 2; i++) {
      const gint qPI = CLAMP (QPY + offsets[i], -QpBdOffsetC, 51), QPC = qPI < 0 ? qPI : qp_c[qPI];

      fail_unless_equals_int (mb.qp_filter[1 + i], QPC);
      fail_unless_equals_int (mb.qp_scaled[1 + i], QPC + QpBdOffsetC);
    }
  }
  h264_param_sets_free (sets);
  h264_slice_decoder_free (dec);
}

GST_START_TEST (test_chroma_qp)
{
  h264_cavlc_tables_init ();
  for_rows ("qp_chroma.tsv", 52, 2, take_qp_c);
  check_chroma_qp (8, 8, 0, 0);
  check_chroma_qp (8, 8, 12, -12);
  check_chroma_qp (10, 14, -5, 3);
  check_chroma_qp (14, 9, -12, 12);
}

GST_END_TEST;

static Suite *
h264tables_suite (void)
{
  Suite *s = suite_create ("h264tables");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_context_init);
  tcase_add_test (tc, test_significance_8x8);
  tcase_add_test (tc, test_range_lps);
  tcase_add_test (tc, test_coeff_token);
  tcase_add_test (tc, test_total_zeros);
  tcase_add_test (tc, test_run_before);
  tcase_add_test (tc, test_several_runs);
  tcase_add_test (tc, test_token_column);
  tcase_add_test (tc, test_several_levels);
  tcase_add_test (tc, test_trailing_ones);
  tcase_add_test (tc, test_places);
  tcase_add_test (tc, test_coded_block_pattern);
  tcase_add_test (tc, test_scans);
  tcase_add_test (tc, test_default_scaling);
  tcase_add_test (tc, test_chroma_qp);
  return s;
}

int
main (int argc, char **argv)
{
  gchar *folder = tables_folder ();
  gboolean there = g_file_test (folder, G_FILE_TEST_IS_DIR);

  if (!there)
    g_print ("SKIP: no tables of the standard at %s (GST_GPU_VECTORS)\n", folder);
  g_free (folder);
  if (!there)
    return 77;
  gst_check_init (&argc, &argv);
  return gst_check_run_suite (h264tables_suite (), "h264tables", __FILE__);
}
