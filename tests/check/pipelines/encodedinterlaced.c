/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Fields, pairs of MBAFF frames and frames among fields, with what few encoders can do: slice groups, separate colour planes, lossless
 * macroblocks, 14 bits, and P and B slices that differ in lists, weights and direct prediction.  Streams of the tests' own encoder, which
 * reconstructs them by itself, from the standard's text; the row gives every sample of it, in order, none flagged, and says nothing.
 *
 *   encodedinterlaced [--count=N] [--seed=FIRST] [--backend=opencl|c] [--match=TEXT] [--keep=FOLDER]
 *
 * Each kind of stream has N streams; what they hold comes from their seeds alone.
 */
#include "decoderun.h"
#include "interlacedstream.h"
#include "rowtest.h"
#include "tap.h"

static gchar *match, *keep;
static gint count = 2, first_seed = 1;
/* Samples of 14 bits in every format: with OpenCL only in long runs, since those need programs of their own, which take 40 s to build */
static gboolean with_14_bits;

static const gchar *const structures[] = { "fields", "MBAFF", "fields and frames", "fields and MBAFF" };
static const gchar *const formats[] = { "4:0:0", "4:2:0", "4:2:2", "4:4:4" };

static gchar *
kind_describe (const InterlacedKind *kind)
{
  GString *text = g_string_new (structures[kind->structure]);

  g_string_append_printf (text, ", %s, %s", formats[kind->chroma_format_idc], kind->cabac ? "CABAC" : "CAVLC");
  if (kind->bit_depth_luma > 8 || kind->bit_depth_chroma > 8)
    g_string_append_printf (text, ", %u and %u bits", kind->bit_depth_luma, kind->bit_depth_chroma);
  if (kind->separate_colour_planes)
    g_string_append (text, ", separate planes");
  if (kind->lossless)
    g_string_append (text, ", lossless");
  if (kind->slice_group_map_type >= 0)
    g_string_append_printf (text, ", slice groups of type %d", kind->slice_group_map_type);
  return g_string_free (text, FALSE);
}

static void
keep_stream (const InterlacedStream *stream, const GByteArray *samples, const gchar *name, guint32 seed)
{
  gchar *safe = g_strdelimit (g_strdup (name), " ,:", '_'), *path = g_strdup_printf ("%s/%s_%u.264", keep, safe, seed);
  gchar *samples_path = g_strdup_printf ("%s/%s_%u.yuv", keep, safe, seed);

  if (!g_file_set_contents (path, (const gchar *) stream->bytes->data, stream->bytes->len, NULL)
      || !g_file_set_contents (samples_path, (const gchar *) samples->data, samples->len, NULL))
    tap_note ("  %s cannot be written", path);
  g_free (samples_path);
  g_free (path);
  g_free (safe);
}

static void
check_stream (const InterlacedKind *kind, const gchar *name, guint32 seed, const gchar *row)
{
  InterlacedStream stream;
  GByteArray *samples;
  GBytes *bytes;
  DecodeResult result;
  gchar *md5;
  gboolean ok;

  interlaced_stream_make (&stream, kind, seed);
  samples = interlaced_stream_samples (&stream);
  if (keep)
    keep_stream (&stream, samples, name, seed);
  md5 = g_compute_checksum_for_data (G_CHECKSUM_MD5, samples->data, samples->len);
  bytes = g_bytes_new (stream.bytes->data, stream.bytes->len);
  decode_bytes (bytes, row, "video/x-raw", &result);
  ok = !result.error && !result.timed_out && result.n_corrupted == 0 && result.n_warnings == 0 && result.n_pictures == stream.n_frames
      && g_str_equal (result.md5, md5);
  if (!tap_check (ok, "%s, seed %u", name, seed))
    tap_note ("  %u pictures, %u flagged, %u warnings, md5 %s, expected %s%s%s", result.n_pictures, result.n_corrupted, result.n_warnings,
        result.md5, md5, result.timed_out ? ", TIMED OUT, " : ", ", result.error ? result.error : "no error");
  decode_result_clear (&result);
  g_bytes_unref (bytes);
  g_free (md5);
  g_byte_array_unref (samples);
  interlaced_stream_clear (&stream);
}

static void
check_kind (const InterlacedKind *kind, const gchar *row)
{
  gchar *name = kind_describe (kind);

  for (gint i = 0; i < count && (!match || strstr (name, match)); i++)
    check_stream (kind, name, (guint32) (first_seed + i), row);
  g_free (name);
}

/* What streams of others have too: so that the encoder is known to be right about the rest */
static void
check_plain (InterlacedStructure structure, const gchar *row)
{
  for (guint cabac = 0; cabac < 2; cabac++)
    for (guint format = 0; format < 4; format++) {
      const InterlacedKind kind = { structure, format, 8, 8, FALSE, (gboolean) cabac, TRUE, FALSE, -1 };
      const InterlacedKind deep = { structure, format, 14, 14, FALSE, (gboolean) cabac, TRUE, FALSE, -1 };

      check_kind (&kind, row);
      if (with_14_bits)
        check_kind (&deep, row);
    }
}

static void
check_slice_groups (InterlacedStructure structure, const gchar *row)
{
  for (gint type = 0; type <= 6; type++) {
    const InterlacedKind kind = { structure, 1, 8, 8, FALSE, FALSE, FALSE, FALSE, type };

    check_kind (&kind, row);
  }
}

static void
check_lossless (InterlacedStructure structure, const gchar *row)
{
  for (guint cabac = 0; cabac < 2; cabac++)
    for (guint format = 0; format < 4; format++) {
      const InterlacedKind kind = { structure, format, 8, 8, FALSE, (gboolean) cabac, TRUE, TRUE, -1 };
      const InterlacedKind deep = { structure, format, 10, 9, FALSE, (gboolean) cabac, TRUE, TRUE, -1 };

      check_kind (&kind, row);
      check_kind (&deep, row);
    }
}

static void
check_separate_planes (InterlacedStructure structure, const gchar *row)
{
  for (guint i = 0; i < 4; i++) {
    const gboolean cabac = i & 1, lossless = i >> 1 & 1;
    const InterlacedKind kind = { structure, 3, 8, 8, TRUE, cabac, TRUE, lossless, -1 };
    const InterlacedKind deep = { structure, 3, 12, 12, TRUE, cabac, TRUE, lossless, -1 };

    check_kind (&kind, row);
    check_kind (&deep, row);
  }
}

int
main (int argc, char *argv[])
{
  RowTest test = ROW_TEST_INIT;
  const GOptionEntry entries[] = {
    { "count", 0, 0, G_OPTION_ARG_INT, &count, "Streams of each kind (default 2)", "N" },
    { "seed", 0, 0, G_OPTION_ARG_INT, &first_seed, "The first seed (default 1)", "SEED" },
    { "match", 0, 0, G_OPTION_ARG_STRING, &match, "Kinds whose names contain TEXT", "TEXT" },
    { "keep", 0, 0, G_OPTION_ARG_STRING, &keep, "Leave the streams and their samples in FOLDER", "FOLDER" },
    { NULL },
  };

  row_test_begin (&test, entries, &argc, &argv);
  with_14_bits = g_strcmp0 (test.backend, "c") == 0 || g_getenv ("GST_GPU_TEST_LONG");
  for (guint structure = 0; structure < G_N_ELEMENTS (structures); structure++) {
    check_plain (structure, test.elements);
    check_slice_groups (structure, test.elements);
    check_lossless (structure, test.elements);
    check_separate_planes (structure, test.elements);
  }
  return row_test_end (&test);
}
