/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Damaged streams: the row neither crashes nor hangs; where its output is not the clean stream's, it says so (GST_BUFFER_FLAG_CORRUPTED, a
 * warning or an error message), or the damaged stream is one that decodes to just that, as the row of the C references confirms.
 * Built with sanitizers, it finds leaks and bad accesses too.
 *
 *   mutations [--count=N] [--seed=FIRST] [--interlaced] [--row=ELEMENTS]
 *
 * Stream number N comes from seed N alone.  A crash is looked into with --seed=N --count=1.  --interlaced: streams of fields and of MBAFF
 * frames only, those of the tests' own encoder too.
 */
#include <unistd.h>

#include "gstdecoderow.h"
#include "decoderun.h"
#include "interlacedstream.h"
#include "mutate.h"
#include "streamlist.h"
#include "rowtest.h"
#include "tap.h"

/* A picture or a few of each stream: the faults matter, not the pictures */
#define MAX_BYTES 40000
/* Streams whose first pictures are larger are left out */
#define MAX_FIRST_BYTES 120000
/* Streams of our own encoder */
#define N_ENCODED 96u
/* A state change that never returns cannot be waited for any longer: SIGALRM ends the program. */
#define HANG_SECONDS 600

typedef struct
{
  gchar *name;
  GBytes *bytes;
  gchar *md5; /* of the clean stream */
} Base;

static const gchar *any_format = "video/x-raw";
static gboolean interlaced;

static void
base_free (gpointer data)
{
  Base *base = data;

  g_bytes_unref (base->bytes);
  g_free (base->name);
  g_free (base->md5);
  g_free (base);
}

/* Decodes @bytes as they are. */
static void
add_base (GPtrArray *bases, const gchar *name, GBytes *bytes, const gchar *row)
{
  DecodeResult result;
  Base *base;

  decode_bytes (bytes, row, any_format, &result);
  if (tap_check (!result.error && !result.timed_out && result.n_pictures > 0, "%s, clean, %u pictures", name, result.n_pictures)) {
    base = g_new0 (Base, 1);
    base->name = g_strdup (name);
    base->bytes = g_bytes_ref (bytes);
    base->md5 = g_strdup (result.md5);
    g_ptr_array_add (bases, base);
  } else if (result.error) {
    tap_note ("  %s", result.error);
  }
  decode_result_clear (&result);
}

static void
add_stream (GPtrArray *bases, const Stream *stream, const gchar *row)
{
  GBytes *whole, *cut;
  gchar *data;
  gsize size;

  if (stream->kind != STREAM_DECODES || (interlaced && !stream->is_interlaced) || g_str_has_suffix (stream->path, ".mp4")
      || !g_file_get_contents (stream->path, &data, &size, NULL))
    return;
  whole = g_bytes_new_take (data, size);
  cut = mutate_cut (whole, MAX_BYTES);
  g_bytes_unref (whole);
  if (g_bytes_get_size (cut) <= MAX_FIRST_BYTES)
    add_base (bases, stream->name, cut, row);
  g_bytes_unref (cut);
}

/* Every structure, format and coding, with slice groups of every type, lossless macroblocks and separate planes */
static void
add_encoded (GPtrArray *bases, guint seed, const gchar *row)
{
  const guint structure = seed % 4, format = seed / 4 % 4, special = seed / 32 % 3;
  const gboolean cabac = seed / 16 % 2;
  const InterlacedKind kind = { structure, format, 8, 8, format == 3 && special == 2, cabac, TRUE, special == 1,
    cabac || format != 1 ? -1 : (gint) (seed / 32 + structure) % 7 };
  gchar *name = g_strdup_printf ("interlaced stream of seed %u", seed);
  InterlacedStream stream;
  GBytes *bytes;

  interlaced_stream_make (&stream, &kind, seed);
  bytes = g_bytes_new (stream.bytes->data, stream.bytes->len);
  add_base (bases, name, bytes, row);
  g_bytes_unref (bytes);
  interlaced_stream_clear (&stream);
  g_free (name);
}

static void
note_mutation (guint32 seed, const Base *base, const gchar *description, const DecodeResult *result, const DecodeResult *in_c)
{
  tap_note ("  seed %u of %s:%s", seed, base->name, description);
  tap_note ("  %u pictures, %u flagged, %u warnings, md5 %s%s%s%s", result->n_pictures, result->n_corrupted, result->n_warnings,
      result->md5, result->timed_out ? ", TIMED OUT" : "", result->error ? ", " : "", result->error ? result->error : "");
  if (in_c->md5)
    tap_note ("  in C: %u pictures, md5 %s%s%s", in_c->n_pictures, in_c->md5, in_c->error ? ", " : "", in_c->error ? in_c->error : "");
}

static void
check_mutation (const Base *base, guint32 seed, const gchar *row, const gchar *row_in_c)
{
  DecodeResult result, in_c = { NULL };
  gchar *description;
  GBytes *mutated = mutate_stream (base->bytes, seed, &description);
  gboolean ok, said_so;

  alarm (HANG_SECONDS);
  decode_bytes (mutated, row, any_format, &result);
  said_so = result.error || result.n_warnings || result.n_corrupted;
  ok = !result.timed_out;
  if (ok && !said_so && !g_str_equal (result.md5, base->md5)) {
    decode_bytes (mutated, row_in_c, any_format, &in_c);
    ok = !in_c.timed_out && g_str_equal (result.md5, in_c.md5);
  }
  if (!tap_check (ok, "%u %s%s", seed, base->name, said_so ? " (said so)" : ""))
    note_mutation (seed, base, description, &result, &in_c);
  alarm (0);

  decode_result_clear (&result);
  decode_result_clear (&in_c);
  g_bytes_unref (mutated);
  g_free (description);
}

static void
add_bases (GPtrArray *bases, GPtrArray *streams, const gchar *row)
{
  for (guint i = 0; i < streams->len; i++)
    add_stream (bases, g_ptr_array_index (streams, i), row);
}

static void
check_mutations (guint32 first, guint count, const gchar *row, const gchar *row_in_c)
{
  GPtrArray *own = stream_list_own (), *vectors = stream_list_vectors ();
  GPtrArray *bases = g_ptr_array_new_with_free_func (base_free);

  add_bases (bases, own, row);
  for (guint i = 0; interlaced && i < N_ENCODED; i++)
    add_encoded (bases, i, row);
  if (vectors)
    add_bases (bases, vectors, row);
  else
    tap_skip (STREAMS_SKIP_REASON, "mutated test streams");
  for (guint32 seed = first; bases->len > 0 && seed - first < count; seed++)
    check_mutation (g_ptr_array_index (bases, seed % bases->len), seed, row, row_in_c);
  g_ptr_array_unref (bases);
  g_clear_pointer (&vectors, g_ptr_array_unref);
  g_ptr_array_unref (own);
}

int
main (int argc, char *argv[])
{
  RowTest test = ROW_TEST_INIT;
  GstDecodeRow settings_in_c = GST_DECODE_ROW_INIT;
  gchar *elements_in_c;
  gint count = 200, seed = 1;
  const GOptionEntry entries[] = {
    { "count", 0, 0, G_OPTION_ARG_INT, &count, "Number of damaged streams (default 200)", "N" },
    { "seed", 0, 0, G_OPTION_ARG_INT, &seed, "The first seed (default 1)", "SEED" },
    { "interlaced", 0, 0, G_OPTION_ARG_NONE, &interlaced, "Fields and MBAFF frames only", NULL },
    { NULL },
  };
  int status;

  row_test_begin (&test, entries, &argc, &argv);
  settings_in_c.backend = "c";
  elements_in_c = test.given ? g_strdup (test.elements) : gst_decode_row_describe (&settings_in_c);
  check_mutations (seed, count, test.elements, elements_in_c);
  g_free (elements_in_c);
  status = row_test_end (&test);
  gst_deinit ();
  return status;
}
