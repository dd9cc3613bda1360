/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Streams that nobody has tried: x264 encodes pictures with options that a seed chooses; the row gives the encoder's own reconstruction,
 * all pictures, in order, none flagged, and says nothing.
 *
 *   encoded [--count=N] [--seed=FIRST] [--backend=opencl|c] [--keep=FOLDER]
 *
 * Stream number N comes from seed N alone.
 */

#include "decoderun.h"
#include "randomstream.h"
#include "rowtest.h"
#include "tap.h"

static void
keep_stream (const RandomStream *stream, guint32 seed, const gchar *keep)
{
  gchar *path = g_strdup_printf ("%s/%u.264", keep, seed);
  gsize size;
  const gchar *data = g_bytes_get_data (stream->bytes, &size);

  if (!g_file_set_contents (path, data, (gssize) size, NULL))
    tap_note ("  %s cannot be written", path);
  g_free (path);
}

static void
check_stream (const RandomStream *stream, guint32 seed, const gchar *row)
{
  DecodeResult result;
  gboolean ok;

  decode_bytes (stream->bytes, row, "video/x-raw", &result);
  ok = !result.error && !result.timed_out && result.n_corrupted == 0 && result.n_warnings == 0 && result.n_pictures == stream->n_pictures
      && g_str_equal (result.md5, stream->md5);
  if (!tap_check (ok, "seed %u, %u pictures", seed, stream->n_pictures)) {
    tap_note ("  %u pictures, %u flagged, %u warnings, md5 %s, expected %s%s%s", result.n_pictures, result.n_corrupted, result.n_warnings,
        result.md5, stream->md5, result.timed_out ? ", TIMED OUT, " : ", ", result.error ? result.error : "no error");
    tap_note ("%s", stream->description);
  }
  decode_result_clear (&result);
}

static void
check_seed (guint32 seed, const gchar *row, const gchar *folder, const gchar *keep)
{
  RandomStream stream;

  random_stream_make (&stream, seed, folder);
  if (!stream.bytes) {
    tap_check (FALSE, "seed %u", seed);
    tap_note ("%s", stream.description);
  } else {
    if (keep)
      keep_stream (&stream, seed, keep);
    check_stream (&stream, seed, row);
  }
  random_stream_clear (&stream);
}

int
main (int argc, char *argv[])
{
  RowTest test = ROW_TEST_INIT;
  gchar *keep = NULL;
  gint count = 100, seed = 1;
  const GOptionEntry entries[] = {
    { "count", 0, 0, G_OPTION_ARG_INT, &count, "Number of streams (default 100)", "N" },
    { "seed", 0, 0, G_OPTION_ARG_INT, &seed, "The first seed (default 1)", "SEED" },
    { "keep", 0, 0, G_OPTION_ARG_STRING, &keep, "Leave the streams in FOLDER", "FOLDER" },
    { NULL },
  };

  row_test_begin (&test, entries, &argc, &argv);
  row_test_make_folder (&test);
  if (!random_stream_is_possible ())
    tap_skip ("there is no x264", "encoded streams");
  for (gint i = 0; random_stream_is_possible () && i < count; i++)
    check_seed ((guint32) (seed + i), test.elements, test.folder, keep);
  g_free (keep);
  return row_test_end (&test);
}
