/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Fields however they are delivered: in buffers of their own, two in one buffer, as NAL units; between progressive parts of other sizes;
 * and where a flushing seek ends at a second field.  The pictures are those of a decoding from the beginning, or flagged, or left out.
 *
 * Where a field is lost, what its lines hold is never seen: pictures depend on the stream alone.
 *
 *   fields [--backend=opencl|c]
 */
#include <gst/app/app.h>
#include <gst/video/video.h>
#include <malloc.h>
#include <string.h>

#include "accessunits.h"
#include "decoderun.h"
#include "picturelist.h"
#include "streamlist.h"
#include "rowtest.h"
#include "tap.h"

#define N_UNITS 24
#define N_SEEKS 4
#define N_LOST 10u

/**
 * Delivery:
 * @format: stream-format
 * @joined: both fields of a frame in one buffer
 * @parser: elements in front of the row
 */
typedef struct
{
  const gchar *name, *format;
  gboolean joined;
  const gchar *parser;
} Delivery;

static const Delivery deliveries[] = {
  { "fields in buffers", "byte-stream", FALSE, "identity" },
  { "fields in buffers (avc)", "avc", FALSE, "identity" },
  { "pairs in buffers", "byte-stream", TRUE, "identity" },
  { "pairs in buffers (avc)", "avc", TRUE, "identity" },
  { "pairs in buffers (avc), h264parse", "avc", TRUE, "h264parse" },
  { "fields by h264parse", "byte-stream", TRUE, "h264parse" },
  { "NAL units by h264parse", "byte-stream", FALSE, "h264parse ! video/x-h264,alignment=nal" },
  { "NAL units by h264parse (avc)", "avc", TRUE, "h264parse ! video/x-h264,alignment=nal" },
};

/**
 * Feeder:
 * @next: unit to be pushed
 * @target: and that of the next seek
 */
typedef struct
{
  GPtrArray *units;
  guint next, target;
} Feeder;

static void
on_need_data (GstAppSrc *src, guint size, gpointer user_data)
{
  Feeder *feeder = user_data;

  if (feeder->next < feeder->units->len)
    access_units_push (feeder->units, feeder->next++, GST_ELEMENT (src));
  else
    gst_app_src_end_of_stream (src);
}

static gboolean
on_seek_data (GstAppSrc *src, guint64 time, gpointer user_data)
{
  Feeder *feeder = user_data;

  feeder->next = feeder->target;
  return TRUE;
}

/* @feeder gives its units when they are asked for, and can be seeked in. */
static GstElement *
pipeline_new (Feeder *feeder, const Delivery *delivery, const gchar *row)
{
  GstAppSrcCallbacks callbacks = { .need_data = on_need_data, .seek_data = on_seek_data };
  gchar *source = g_strdup_printf ("appsrc name=src format=time stream-type=seekable max-bytes=1 ! %s", delivery->parser);
  GstElement *pipeline = decode_pipeline_new (source, row, "video/x-raw");
  GstElement *src = gst_bin_get_by_name (GST_BIN (pipeline), "src");

  gst_app_src_set_callbacks (GST_APP_SRC (src), &callbacks, feeder, NULL);
  gst_object_unref (src);
  g_free (source);
  return pipeline;
}

/* All pictures of @units; with @seek above 0 those behind a flushing seek to that unit, which comes once some have come out */
static GPtrArray *
decode_units (GPtrArray *units, const Delivery *delivery, const gchar *row, guint seek)
{
  Feeder feeder = { access_units_new () };
  GstElement *pipeline = pipeline_new (&feeder, delivery, row), *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  const AccessUnit *unit = g_ptr_array_index (units, seek);
  GPtrArray *list;
  guint target;

  access_units_add (feeder.units, units, 0, seek, delivery->joined);
  target = feeder.units->len;
  access_units_add (feeder.units, units, seek, units->len, delivery->joined);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  if (seek > 0) {
    g_ptr_array_unref (picture_list_pull (sink, 2));
    feeder.target = target;
    if (!gst_element_seek_simple (pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, (gint64) GST_BUFFER_PTS (unit->buffer)))
      tap_note ("  the seek was refused");
  }
  list = picture_list_pull (sink, G_MAXUINT);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  g_ptr_array_unref (feeder.units);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
  return list;
}

/* Size, caps of fields, and all flags, but not the rate, which h264parse may know or not */
static gchar *
describe_whole (const ListedPicture *picture)
{
  gchar **words = g_strsplit (picture->caps, " ", -1);
  gchar *text = g_strdup_printf ("%s %sx%s %s flags %x %s", words[0], words[1], words[2], words[5], picture->flags, picture->md5);

  g_strfreev (words);
  return text;
}

static gboolean
is_same (const ListedPicture *a, const ListedPicture *b)
{
  gchar *text_a = describe_whole (a), *text_b = describe_whole (b);
  const gboolean same = strcmp (text_a, text_b) == 0;

  if (!same)
    tap_note ("  %s, expected %s", text_a, text_b);
  g_free (text_a);
  g_free (text_b);
  return same;
}

/* The picture of @list with the time of @picture, to a millisecond */
static const ListedPicture *
find_picture (GPtrArray *list, const ListedPicture *picture)
{
  for (guint i = 0; i < list->len; i++) {
    const ListedPicture *other = g_ptr_array_index (list, i);

    if (ABS (GST_CLOCK_DIFF (other->pts, picture->pts)) < (GstClockTimeDiff) GST_MSECOND)
      return other;
  }
  return NULL;
}

static gboolean
is_corrupted (const ListedPicture *picture)
{
  return (picture->flags & GST_BUFFER_FLAG_CORRUPTED) != 0;
}

/* A field that shows itself twice */
static gboolean
is_alone (const ListedPicture *picture)
{
  return (picture->flags & GST_VIDEO_BUFFER_FLAG_ONEFIELD) != 0 && is_corrupted (picture);
}

/* Behind a seek each picture of @list is that of @whole, or flagged; and all from @key on are there. */
static gboolean
check_behind_seek (GPtrArray *list, GPtrArray *whole, guint key, guint *n_corrupted)
{
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < list->len; i++) {
    const ListedPicture *picture = g_ptr_array_index (list, i), *expected = find_picture (whole, picture);

    *n_corrupted += is_corrupted (picture);
    ok = is_corrupted (picture) || (expected && is_same (picture, expected));
  }
  for (guint i = key; ok && i < whole->len; i++) {
    const ListedPicture *picture = find_picture (list, g_ptr_array_index (whole, i));

    ok = picture && !is_corrupted (picture);
  }
  return ok;
}

/* Seeks to second fields of a stream that comes twice: where the second one begins is a place to begin at.  The field that comes first is
 * left out, or, where damaged pictures are shown, comes alone. */
static void
check_seeks (const gchar *name, GPtrArray *part, const Delivery *delivery, const gchar *row, gboolean shows_corrupt)
{
  GPtrArray *units = access_units_new (), *alone = decode_units (part, delivery, row, 0), *whole;
  guint n_right = 0, n_seeks = 0, n_corrupted = 0, n_alone = 0;

  access_units_add_part (units, part);
  access_units_add_part (units, part);
  whole = decode_units (units, delivery, row, 0);
  for (guint i = 1; i < part->len && n_seeks < N_SEEKS; i++) {
    const AccessUnit *unit = g_ptr_array_index (units, i);
    GPtrArray *list;

    if (unit->field == 0)
      continue;
    n_seeks++;
    list = decode_units (units, delivery, row, i);
    n_right += check_behind_seek (list, whole, whole->len - alone->len, &n_corrupted);
    n_alone += list->len > 0 && is_alone (g_ptr_array_index (list, 0));
    g_ptr_array_unref (list);
  }
  if (!tap_check (n_right == N_SEEKS && n_seeks == N_SEEKS && (n_alone > 0) == shows_corrupt, "%s, %s: seeks to second fields%s", name,
          delivery->name, shows_corrupt ? ", damaged pictures shown" : ""))
    tap_note ("  %u of %u, %u flagged pictures, %u times the field alone", n_right, n_seeks, n_corrupted, n_alone);
  g_ptr_array_unref (whole);
  g_ptr_array_unref (alone);
  g_ptr_array_unref (units);
}

static const gchar *const field_streams[] = { "JVT-AVC_V1/CABREF3_Sand_D.264", "JVT-AVC_V1/CVPA1_TOSHIBA_B.264",
  "JVT-AVC_V1/CAPAMA3_Sand_F.264" };

static GPtrArray *
read_stream (const gchar *name, const Delivery *delivery, const gchar *row)
{
  GBytes *bytes = stream_vector_read (name);
  GPtrArray *units = bytes ? access_units_read_bytes (bytes, delivery->format, N_UNITS, row) : NULL;

  g_clear_pointer (&bytes, g_bytes_unref);
  return units;
}

static void
check_all_seeks (const gchar *row, const gchar *corrupt_row)
{
  for (guint i = 0; i < G_N_ELEMENTS (field_streams); i++) {
    for (guint j = 0; j < G_N_ELEMENTS (deliveries); j++) {
      GPtrArray *units = read_stream (field_streams[i], &deliveries[j], row);

      if (!units) {
        tap_skip (STREAMS_SKIP_REASON, "%s, %s", field_streams[i], deliveries[j].name);
        continue;
      }
      check_seeks (field_streams[i], units, &deliveries[j], row, FALSE);
      check_seeks (field_streams[i], units, &deliveries[j], corrupt_row, TRUE);
      g_ptr_array_unref (units);
    }
  }
}

/* Fields and MBAFF frames among progressive pictures, of other sizes too.  The first one begins with no_output_of_prior_pics_flag. */
static const gchar *const mixed_streams[] = { "JVT-AVC_V1/CVPA1_TOSHIBA_B.264", "made/x264_main_cabac_bframes.264",
  "JVT-AVC_V1/CABREF3_Sand_D.264", "JVT-AVC_V1/CVSE3_Sony_H.264", "JVT-AVC_V1/BA1_FT_C.264", "made/x264_interlaced_mbaff.264",
  "JVT-AVC_V1/CAFI1_SVA_C.264", "JVT-AVC_V1/CAPAMA3_Sand_F.264", "JVT-AVC_V1/BA_MW_D.264" };

/* Parts behind each other give what each gives alone, in whole access units. */
static void
check_mixed (const Delivery *delivery, const gchar *row)
{
  const Delivery plain = { "alone", delivery->format, TRUE, "identity" };
  GPtrArray *units = access_units_new (), *expected = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref), *list;
  guint n = 0, n_right = 0;

  for (guint i = 0; i < G_N_ELEMENTS (mixed_streams); i++) {
    GPtrArray *part = read_stream (mixed_streams[i], delivery, row);

    if (!part)
      continue;
    access_units_add_part (units, part);
    g_ptr_array_add (expected, decode_units (part, &plain, row, 0));
    g_ptr_array_unref (part);
  }
  list = units->len > 0 ? decode_units (units, delivery, row, 0) : NULL;
  for (guint i = 0; i < expected->len; i++) {
    GPtrArray *alone = g_ptr_array_index (expected, i);

    for (guint j = 0; j < alone->len; j++, n++)
      n_right += n < list->len && is_same (g_ptr_array_index (list, n), g_ptr_array_index (alone, j))
          && !is_corrupted (g_ptr_array_index (alone, j));
  }
  if (!list)
    tap_skip (STREAMS_SKIP_REASON, "%s: streams behind each other", delivery->name);
  else
    tap_check (n == list->len && n_right == n && expected->len == G_N_ELEMENTS (mixed_streams), "%s: %u of %u pictures of %u streams",
        delivery->name, n_right, n, expected->len);
  g_clear_pointer (&list, g_ptr_array_unref);
  g_ptr_array_unref (expected);
  g_ptr_array_unref (units);
}

/* Without unit @lost, where new memory holds bytes made of @fill */
static GPtrArray *
decode_without (GPtrArray *units, guint lost, const gchar *row, int fill)
{
  GPtrArray *left = access_units_new (), *list;

  access_units_add (left, units, 0, lost, FALSE);
  access_units_add (left, units, lost + 1, units->len, FALSE);
#ifdef M_PERTURB
  mallopt (M_PERTURB, fill);
#endif
  list = decode_units (left, &deliveries[0], row, 0);
#ifdef M_PERTURB
  mallopt (M_PERTURB, 0);
#endif
  g_ptr_array_unref (left);
  return list;
}

static gboolean
are_same (GPtrArray *a, GPtrArray *b)
{
  gboolean same = a->len == b->len;

  for (guint i = 0; same && i < a->len; i++)
    same = is_same (g_ptr_array_index (a, i), g_ptr_array_index (b, i));
  return same;
}

static void
check_lost_fields (const gchar *name, const gchar *row)
{
  GPtrArray *units = read_stream (name, &deliveries[0], row);
  guint n_same = 0;

  if (!units) {
    tap_skip (STREAMS_SKIP_REASON, "%s: a field is lost", name);
    return;
  }
  /* the first has the parameter sets */
  for (guint lost = 1; lost <= N_LOST; lost++) {
    GPtrArray *a = decode_without (units, lost, row, 1), *b = decode_without (units, lost, row, 85);

    n_same += a->len > 0 && are_same (a, b);
    g_ptr_array_unref (a);
    g_ptr_array_unref (b);
  }
  tap_check (n_same == N_LOST, "%s: a field is lost: %u of %u decode the same whatever memory held", name, n_same, N_LOST);
  g_ptr_array_unref (units);
}

int
main (int argc, char *argv[])
{
  RowTest test = ROW_TEST_INIT;
  gchar *corrupt;

  test.settings.n_threads = 2;
  row_test_begin (&test, NULL, &argc, &argv);
  corrupt = row_test_with (test.elements, "output-corrupt=true");
  check_all_seeks (test.elements, corrupt);
  for (guint i = 0; i < G_N_ELEMENTS (deliveries); i++)
    check_mixed (&deliveries[i], test.elements);
  check_lost_fields ("made/jm_field_only_cavlc.264", corrupt);
  check_lost_fields ("JVT-AVC_V1/CVPA1_TOSHIBA_B.264", corrupt);
  g_free (corrupt);
  return row_test_end (&test);
}
