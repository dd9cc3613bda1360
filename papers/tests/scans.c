/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * papersintrapred in the whole row, in the place of gpuintrapred: scan decodes, but flags every picture and warns once; what a scan cannot
 * do, and a back end that has none, end with an error that names it.
 */
#include <string.h>

#include "gstdecoderow.h"
#include "decoderun.h"
#include "streamlist.h"
#include "tap.h"

/* @refused: (nullable): what the error names; NULL: the stream decodes, approximately */
static const struct
{
  const gchar *stream, *settings, *refused;
} cases[] = {
  { "cavlc_420.264", "algorithm=scan", NULL },
  { "mono.264", "algorithm=scan", "Intra_8x8 prediction" },
  { "cavlc_420.264", "algorithm=scan-restricted", "other predictions than vertical and horizontal" },
  { "cabac_420.264", "algorithm=scan", "Intra_8x8 prediction" },
  { "cavlc_422_10.264", "algorithm=scan", "chroma format 4:2:2" },
  { "lossless_420.264", "algorithm=scan", "lossless macroblocks" },
  { "cavlc_420.264", "algorithm=scan backend=c", "need backend=opencl" },
};

/* (transfer full): @row with papersintrapred and its @settings in the place of gpuintrapred */
static gchar *
add_settings (const gchar *row, const gchar *settings)
{
  const gchar *start = strstr (row, "gpuintrapred"), *end = strstr (row, " ! gpudeblock");

  return g_strdup_printf ("%.*spapersintrapred %s%s", (int) (start - row), row, settings, end);
}

static const Stream *
find_stream (GPtrArray *streams, const gchar *name)
{
  for (guint i = 0; i < streams->len; i++) {
    const Stream *stream = g_ptr_array_index (streams, i);

    if (g_str_equal (stream->name, name))
      return stream;
  }
  g_error ("no stream %s", name);
}

static void
check_case (guint i, const Stream *stream, const gchar *row)
{
  gchar *changed = add_settings (row, cases[i].settings);
  DecodeResult result;
  gboolean ok;

  decode_file (stream->path, changed, "video/x-raw", &result);
  if (cases[i].refused)
    ok = result.error && strstr (result.error, cases[i].refused);
  else
    ok = !result.error && result.n_pictures > 0 && result.n_corrupted == result.n_pictures && result.n_warnings == 1;
  tap_check (ok && !result.timed_out, "%s %s%s%s", cases[i].settings, stream->name, cases[i].refused ? " refused: " : "",
      cases[i].refused ? cases[i].refused : "");
  if (!ok)
    tap_note ("  %u pictures, %u flagged, %u warnings, md5 %s, %s", result.n_pictures, result.n_corrupted, result.n_warnings, result.md5,
        result.error ? result.error : "no error");
  decode_result_clear (&result);
  g_free (changed);
}

int
main (int argc, char *argv[])
{
  GstDecodeRow row = GST_DECODE_ROW_INIT;
  GPtrArray *streams;
  gchar *elements;

  gst_init (&argc, &argv);
  streams = stream_list_own ();
  elements = gst_decode_row_describe (&row);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check_case (i, find_stream (streams, cases[i].stream), elements);
  g_free (elements);
  g_ptr_array_unref (streams);

  return tap_finish ();
}
