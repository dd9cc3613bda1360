/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Every stream of the manifests through the whole row: those that it can decode give the manifest's md5, the others end with an error
 * message.  One result a stream.
 *
 *   streams [--backend=opencl|c] [--row=ELEMENTS] [--match=TEXT] [--refused]
 */
#include "decoderun.h"
#include "streamlist.h"
#include "rowtest.h"
#include "tap.h"

static const gchar *any_format = "video/x-raw";
/* what monochrome video can be asked for as, too */
static const gchar *with_chroma = "video/x-raw,format={I420,I420_10LE,I420_12LE,P016_LE}";

static gboolean
result_is_clean (const DecodeResult *result, const Stream *stream)
{
  return !result->error && !result->timed_out && result->n_corrupted == 0 && g_str_equal (result->md5, stream->md5);
}

static void
note_result (const DecodeResult *result, const Stream *stream)
{
  tap_note ("  %u pictures, %u flagged as corrupted, md5 %s, expected %s%s", result->n_pictures, result->n_corrupted, result->md5,
      stream->md5, result->timed_out ? ", TIMED OUT" : "");
  if (result->error)
    tap_note ("  %s", result->error);
}

static gboolean
is_refused (const DecodeResult *result)
{
  return result->error && !result->timed_out;
}

/* Monochrome video is offered as luma alone first; asked for, with chroma. */
static void
check_with_chroma (const Stream *stream, const gchar *row)
{
  DecodeResult result;

  decode_file (stream->path, row, with_chroma, &result);
  if (!tap_check (result_is_clean (&result, stream) && !result.monochrome, "%s as 4:2:0", stream->name))
    note_result (&result, stream);
  decode_result_clear (&result);
}

static void
check_decoded (const Stream *stream, const gchar *row)
{
  gboolean monochrome, ok;
  DecodeResult result;

  decode_file (stream->path, row, any_format, &result);
  monochrome = result.monochrome;
  ok = result_is_clean (&result, stream) || (stream->kind == STREAM_MAY_DECODE && is_refused (&result));
  if (!tap_check (ok, "%s (%s)%s", stream->name, stream->format, is_refused (&result) && ok ? " refused" : ""))
    note_result (&result, stream);
  decode_result_clear (&result);
  if (monochrome)
    check_with_chroma (stream, row);
}

static void
check_refused (const Stream *stream, const gchar *row)
{
  DecodeResult result;

  decode_file (stream->path, row, any_format, &result);
  if (tap_check (is_refused (&result), "%s is refused", stream->name))
    tap_note ("  %s", result.error);
  else
    note_result (&result, stream);
  decode_result_clear (&result);
}

static void
check_streams (GPtrArray *streams, const gchar *row, const gchar *match, gboolean refused)
{
  for (guint i = 0; i < streams->len; i++) {
    const Stream *stream = g_ptr_array_index (streams, i);

    if ((stream->kind == STREAM_REFUSED) != refused || (match && !strstr (stream->name, match)))
      continue;
    if (refused)
      check_refused (stream, row);
    else
      check_decoded (stream, row);
  }
  g_ptr_array_unref (streams);
}

int
main (int argc, char *argv[])
{
  RowTest test = ROW_TEST_INIT;
  gchar *match = NULL;
  gboolean refused = FALSE;
  const GOptionEntry entries[] = {
    { "match", 0, 0, G_OPTION_ARG_STRING, &match, "Only streams with TEXT in their name", "TEXT" },
    { "refused", 0, 0, G_OPTION_ARG_NONE, &refused, "Streams that are to be refused, instead of the others", NULL },
    { NULL },
  };
  GPtrArray *vectors;

  row_test_begin (&test, entries, &argc, &argv);
  check_streams (stream_list_own (), test.elements, match, refused);
  if ((vectors = stream_list_vectors ()))
    check_streams (vectors, test.elements, match, refused);
  else
    tap_skip (STREAMS_SKIP_REASON, "test streams");
  g_free (match);
  return row_test_end (&test);
}
