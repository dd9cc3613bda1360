/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * AVC-Intra without parameter sets, as cameras and editors write it into MXF and QuickTime files: the same pictures as with them.
 *
 *   avcintra [--backend=opencl|c]
 */
#include <glib/gstdio.h>
#include <gst/app/app.h>

#include "decoderun.h"
#include "rowtest.h"
#include "tap.h"

#define N_PICTURES "3"

typedef struct
{
  const gchar *avc_intra_class, *size, *pix_fmt;
  const gchar *rate;
  gboolean interlaced;
  const gchar *fourcc; /* in QuickTime files */
} Case;

static const Case cases[] = {
  { "50", "960x720", "yuv420p10le", "50", FALSE, "ai5q" },
  { "50", "1440x1080", "yuv420p10le", "25", FALSE, "ai52" },
  { "50", "1440x1080", "yuv420p10le", "30000/1001", TRUE, "ai56" },
  { "100", "1280x720", "yuv422p10le", "60000/1001", FALSE, "ai1p" },
  { "100", "1920x1080", "yuv422p10le", "24000/1001", FALSE, "ai13" },
  { "100", "1920x1080", "yuv422p10le", "25", TRUE, "ai15" },
  { "200", "1920x1080", "yuv422p10le", "25", TRUE, "AVin" },
};

static gboolean
run (gchar **argv)
{
  gint status = 1;

  return g_spawn_sync (NULL, argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL, NULL, NULL, &status, NULL)
      && g_spawn_check_wait_status (status, NULL);
}

static gboolean
encode (const Case *c, const gchar *path)
{
  gchar *input = g_strdup_printf ("testsrc2=size=%s:rate=%s", c->size, c->rate);
  gchar *argv[] = { "ffmpeg", "-v", "error", "-f", "lavfi", "-i", input, "-frames:v", N_PICTURES, "-c:v", "libx264", "-pix_fmt",
    (gchar *) c->pix_fmt, "-avcintra-class", (gchar *) c->avc_intra_class, "-flags", c->interlaced ? "+ildct" : "-ildct", "-y",
    (gchar *) path, NULL };
  const gboolean ok = run (argv);

  g_free (input);
  return ok;
}

static gboolean
mux (const Case *c, const gchar *stream, const gchar *path)
{
  const gboolean is_mov = g_str_has_suffix (path, ".mov");
  gchar *argv[] = { "ffmpeg", "-v", "error", "-i", (gchar *) stream, "-c", "copy", "-y", is_mov ? "-tag:v" : (gchar *) path,
    (gchar *) c->fourcc, (gchar *) path, NULL };

  if (!is_mov)
    argv[9] = NULL;
  return run (argv);
}

/* SPS and PPS become filler data, so that all else in a file stays where it is.  The number of sets */
static guint
remove_sets (guint8 *data, gsize size)
{
  guint n = 0;

  for (gsize i = 0; i + 3 < size; i++) {
    if (data[i] == 0 && data[i + 1] == 0 && data[i + 2] == 1 && (data[i + 3] == 0x67 || data[i + 3] == 0x68)) {
      data[i + 3] = 12;
      n++;
    }
  }
  return n;
}

static gboolean
remove_sets_of_file (const gchar *path)
{
  gchar *data;
  gsize size;
  gboolean ok;

  if (!g_file_get_contents (path, &data, &size, NULL))
    return FALSE;
  ok = remove_sets ((guint8 *) data, size) > 0 && g_file_set_contents (path, data, (gssize) size, NULL);
  g_free (data);
  return ok;
}

static void
check_result (const DecodeResult *result, const DecodeResult *expected, const Case *c, const gchar *what)
{
  const gboolean ok = !result->error && !result->timed_out && result->n_warnings == 0 && result->n_corrupted == 0
      && result->n_pictures == expected->n_pictures && g_strcmp0 (result->md5, expected->md5) == 0;

  if (!tap_check (ok, "class %s, %s%s, %s", c->avc_intra_class, c->size, c->interlaced ? " interlaced" : "", what))
    tap_note ("  %u pictures, %u flagged, %u warnings, md5 %s, expected %s; %s", result->n_pictures, result->n_corrupted,
        result->n_warnings, result->md5, expected->md5, result->error ? result->error : "no error");
}

/* A file through its demuxer, without h264parse, which drops pictures without sets */
static void
check_file (const Case *c, const gchar *stream, const gchar *suffix, const gchar *demuxer, const gchar *row, const DecodeResult *expected)
{
  gchar *path = g_strconcat (stream, suffix, NULL), *source = g_strdup_printf ("filesrc location=\"%s\" ! %s", path, demuxer);

  if (mux (c, stream, path) && remove_sets_of_file (path)) {
    GstElement *pipeline = decode_pipeline_new (source, row, "video/x-raw");
    DecodeResult result;

    decode_pipeline_run (pipeline, &result);
    gst_object_unref (pipeline);
    check_result (&result, expected, c, demuxer);
    decode_result_clear (&result);
  } else {
    tap_check (FALSE, "class %s, %s: %s cannot be made", c->avc_intra_class, c->size, path);
  }
  g_unlink (path);
  g_free (source);
  g_free (path);
}

/* Where the unit with the header byte @header begins behind @from: its start code; @size: there is none */
static gsize
find_unit (const guint8 *data, gsize size, gsize from, guint8 header)
{
  for (gsize i = from; i + 3 < size; i++)
    if (data[i] == 0 && data[i + 1] == 0 && data[i + 2] == 1 && data[i + 3] == header)
      return i;
  return size;
}

/* The access units of @data, each behind its delimiter, in buffers of their own.  @damage_first: of the first one the first slice alone */
static void
push_units (GstAppSrc *src, const guint8 *data, gsize size, gboolean damage_first)
{
  gsize begin = 0;

  while (begin < size) {
    const gsize end = find_unit (data, size, begin + 4, 9), slice = find_unit (data, size, begin, 0x65);
    const gsize used = begin == 0 && damage_first ? find_unit (data, size, slice + 1, 0x65) : end;

    gst_app_src_push_buffer (src, gst_buffer_new_memdup (data + begin, used - begin));
    begin = end;
  }
  gst_app_src_end_of_stream (src);
}

static void
decode_units (const gchar *stream, const gchar *row, gboolean damage_first, DecodeResult *result)
{
  GstElement *pipeline =
      decode_pipeline_new ("appsrc name=src max-bytes=0 caps=video/x-h264,stream-format=byte-stream,alignment=au,framerate=25/1", row,
          "video/x-raw");
  GstAppSrc *src = GST_APP_SRC (gst_bin_get_by_name (GST_BIN (pipeline), "src"));
  gchar *data;
  gsize size;

  if (!g_file_get_contents (stream, &data, &size, NULL))
    g_error ("%s cannot be read", stream);
  remove_sets ((guint8 *) data, size);
  push_units (src, (const guint8 *) data, size, damage_first);
  decode_pipeline_run (pipeline, result);
  g_free (data);
  gst_object_unref (src);
  gst_object_unref (pipeline);
}

/* Access units without a container; and the first of them cut off: what it is shows in the next one. */
static void
check_units (const Case *c, const gchar *stream, const gchar *row, const DecodeResult *expected)
{
  DecodeResult result;

  decode_units (stream, row, FALSE, &result);
  check_result (&result, expected, c, "access units");
  decode_result_clear (&result);
  decode_units (stream, row, TRUE, &result);
  tap_check (!result.error && result.n_pictures == expected->n_pictures - 1 && result.n_corrupted == 0,
      "class %s, %s%s, the first picture cut off: %u pictures", c->avc_intra_class, c->size, c->interlaced ? " interlaced" : "",
      result.n_pictures);
  decode_result_clear (&result);
}

static void
check_case (const Case *c, const gchar *stream, const gchar *row)
{
  DecodeResult expected;

  if (!encode (c, stream)) {
    tap_skip ("there is no ffmpeg with libx264 to make it", "class %s, %s", c->avc_intra_class, c->size);
    return;
  }
  decode_file (stream, row, "video/x-raw", &expected);
  check_file (c, stream, ".mxf", "mxfdemux", row, &expected);
  check_file (c, stream, ".mov", "qtdemux", row, &expected);
  check_units (c, stream, row, &expected);
  decode_result_clear (&expected);
  g_unlink (stream);
}

int
main (int argc, char *argv[])
{
  RowTest test = ROW_TEST_INIT;
  gchar *stream;

  row_test_begin (&test, NULL, &argc, &argv);
  row_test_make_folder (&test);
  stream = g_build_filename (test.folder, "stream.264", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check_case (&cases[i], stream, test.elements);
  g_free (stream);
  return row_test_end (&test);
}
