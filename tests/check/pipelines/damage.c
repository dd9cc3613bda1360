/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A stream with an IDR picture every tenth of a few hundred, any access unit of which is damaged: bits flipped, cut off, lost, overwritten
 * with zeros, and with foreign bytes in it or in another's place.  From the next IDR picture on all pictures come, right, at their times,
 * none of them flagged; so do all before the GOP that is damaged.
 * Where GOPs are open (I pictures with recovery points, and B pictures before them that refer across), wrong pictures are flagged.
 *
 *   damage [--every=N] [--unit=I] [--backend=opencl|c] [--row=ELEMENTS]
 *
 * What is damaged comes from the number of the unit alone.  Units come as a byte stream through h264parse, as one without it, and with
 * lengths.
 */
#include <glib/gstdio.h>
#include <gst/app/app.h>
#include <unistd.h>

#include "accessunits.h"
#include "picturelist.h"
#include "decoderun.h"
#include "rowtest.h"
#include "tap.h"
#include "testclip.h"

#define N_UNITS 300
#define GOP 10
#define N_OPEN_UNITS 60
#define HANG_SECONDS 240

typedef struct
{
  const gchar *name;
  const gchar *x264;
} Stream;

static const Stream streams[] = {
  { "progressive", "keyint=10:min-keyint=10:scenecut=0:bframes=2:b-pyramid=normal:ref=3:slices=2" },
  { "interlaced", "keyint=10:min-keyint=10:scenecut=0:bframes=1:tff=1:ref=2:cabac=0" },
};

#define OPEN_GOPS "keyint=10:min-keyint=10:scenecut=0:bframes=3:b-adapt=0:b-pyramid=none:open-gop=1"

typedef enum
{
  DAMAGE_FLIP,
  DAMAGE_CUT,
  DAMAGE_LOSE,
  DAMAGE_ZERO,
  DAMAGE_MIX,
  N_DAMAGES
} Damage;

static const gchar *const damage_names[] = { "bits flipped", "cut off", "lost", "zeros", "exchanged or foreign bytes" };

/* Parameter sets come with every IDR picture. */
#define SOURCE "filesrc location=\"%s\" ! qtdemux ! h264parse config-interval=-1 ! video/x-h264,stream-format=%s,alignment=au"

/* How units come: the elements before the row */
static const gchar *const deliveries[] = { "h264parse ! ", "", "" };
static const gchar *const formats[] = { "byte-stream", "byte-stream", "avc" };

typedef struct
{
  const gchar *name;
  GPtrArray *units[G_N_ELEMENTS (formats)]; /* AccessUnit */
  GPtrArray *pictures;                      /* ListedPicture: all of them, undamaged */
  const gchar *row;
} Source;

static GPtrArray *
read_units (const gchar *path, const gchar *format)
{
  gchar *source = g_strdup_printf (SOURCE, path, format);
  GPtrArray *units = access_units_read (source, format, G_MAXUINT);

  g_free (source);
  return units;
}

static void
note_error (GstElement *pipeline)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);

  if (message) {
    GError *error = NULL;

    gst_message_parse_error (message, &error, NULL);
    tap_note ("  %s: %s", GST_MESSAGE_SRC_NAME (message), error->message);
    g_error_free (error);
    gst_message_unref (message);
  }
  gst_object_unref (bus);
}

/* (transfer full): what comes of @units */
static GPtrArray *
decode (const Source *source, guint delivery, GPtrArray *units)
{
  gchar *elements = g_strdup_printf ("appsrc name=src format=time max-bytes=0 max-buffers=0");
  gchar *row = g_strconcat (deliveries[delivery], source->row, NULL);
  GstElement *pipeline = decode_pipeline_new (elements, row, "video/x-raw");
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GPtrArray *pictures;

  access_units_push_all (units, pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  pictures = picture_list_pull (sink, G_MAXUINT);
  note_error (pipeline);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
  g_free (elements);
  g_free (row);
  return pictures;
}

/* Whose data may be written */
static guint8 *
copy_data (AccessUnit *unit, gsize extra, gsize *size)
{
  GstBuffer *buffer = gst_buffer_new ();
  guint8 *data;

  *size = gst_buffer_get_size (unit->buffer);
  data = g_malloc0 (*size + extra);
  gst_buffer_extract (unit->buffer, 0, data, *size);
  gst_buffer_copy_into (buffer, unit->buffer, GST_BUFFER_COPY_METADATA, 0, -1);
  gst_buffer_append_memory (buffer, gst_memory_new_wrapped (0, data, *size + extra, 0, *size + extra, data, g_free));
  gst_buffer_unref (unit->buffer);
  unit->buffer = buffer;
  return data;
}

static guint
choose (GRand *random, gsize n)
{
  return (guint) g_rand_int_range (random, 0, (gint32) MAX (n, 1));
}

static void
flip (AccessUnit *unit, GRand *random)
{
  gsize size;
  guint8 *data = copy_data (unit, 0, &size);

  for (guint n = 1 + choose (random, 8); n > 0; n--)
    data[choose (random, size)] ^= (guint8) (1u << choose (random, 8));
}

static void
cut (AccessUnit *unit, GRand *random)
{
  gsize size;

  copy_data (unit, 0, &size);
  gst_buffer_set_size (unit->buffer, 1 + choose (random, size - 1));
}

static void
zero (AccessUnit *unit, GRand *random)
{
  gsize size;
  guint8 *data = copy_data (unit, 0, &size);
  const gsize at = choose (random, size);

  memset (data + at, 0, 1 + choose (random, size - at));
}

static void
insert_foreign (AccessUnit *unit, GRand *random)
{
  const gsize n = 1 + choose (random, 200);
  gsize size;
  guint8 *data = copy_data (unit, n, &size);
  const gsize at = choose (random, size);

  memmove (data + at + n, data + at, size - at);
  for (gsize i = 0; i < n; i++)
    data[at + i] = (guint8) choose (random, 256);
}

/* Each has the other's data, and its own time */
static void
exchange (AccessUnit *a, AccessUnit *b)
{
  GstBuffer *of_a = gst_buffer_copy (b->buffer), *of_b = gst_buffer_copy (a->buffer);

  GST_BUFFER_PTS (of_a) = GST_BUFFER_PTS (a->buffer);
  GST_BUFFER_DTS (of_a) = GST_BUFFER_DTS (a->buffer);
  GST_BUFFER_PTS (of_b) = GST_BUFFER_PTS (b->buffer);
  GST_BUFFER_DTS (of_b) = GST_BUFFER_DTS (b->buffer);
  gst_buffer_replace (&a->buffer, of_a);
  gst_buffer_replace (&b->buffer, of_b);
  gst_buffer_unref (of_a);
  gst_buffer_unref (of_b);
}

/* Damages unit @i of @units.  Returns the last one that is. */
static guint
damage_unit (GPtrArray *units, guint i, Damage damage, GRand *random)
{
  AccessUnit *unit = g_ptr_array_index (units, i);

  switch (damage) {
    case DAMAGE_FLIP:
      flip (unit, random);
      break;
    case DAMAGE_CUT:
      cut (unit, random);
      break;
    case DAMAGE_LOSE:
      g_ptr_array_remove_index (units, i);
      break;
    case DAMAGE_ZERO:
      zero (unit, random);
      break;
    default:
      if (i + 1 < units->len && g_rand_boolean (random)) {
        exchange (unit, g_ptr_array_index (units, i + 1));
        return i + 1;
      }
      insert_foreign (unit, random);
      break;
  }
  return i;
}

/* Whether a frame is shown as fields, messages say, and those before count for some pictures (telecine); they have no checksum. */
static gboolean
is_same (const ListedPicture *a, const ListedPicture *b)
{
  return a->pts == b->pts && a->duration == b->duration && ((a->flags ^ b->flags) & GST_BUFFER_FLAG_CORRUPTED) == 0
      && g_strcmp0 (a->md5, b->md5) == 0 && g_str_equal (a->caps, b->caps);
}

/* Whether @pictures end with those of the whole stream from number @first to @end - 1 */
static gboolean
ends_with (const Source *source, GPtrArray *pictures, guint first, guint end)
{
  const guint n = end - first;
  gboolean same = pictures->len >= n;

  for (guint i = 0; i < n && same; i++)
    same = is_same (g_ptr_array_index (pictures, pictures->len - n + i), g_ptr_array_index (source->pictures, first + i));
  return same;
}

/* And begin with those from number @first to @end - 1 */
static gboolean
begins_with (const Source *source, GPtrArray *pictures, guint first, guint end)
{
  gboolean same = pictures->len >= end - first;

  for (guint i = first; i < end && same; i++)
    same = is_same (g_ptr_array_index (pictures, i - first), g_ptr_array_index (source->pictures, i));
  return same;
}

static void
note_pictures (const Source *source, GPtrArray *pictures, guint first)
{
  for (guint i = 0; i < pictures->len; i++) {
    gchar *text = listed_picture_describe (g_ptr_array_index (pictures, i));

    tap_note ("  %s", text);
    g_free (text);
  }
  for (guint i = first; i < MIN (first + 2, source->pictures->len); i++) {
    gchar *text = listed_picture_describe (g_ptr_array_index (source->pictures, i));

    tap_note ("  expected: %s", text);
    g_free (text);
  }
}

static void
check_unit (const Source *source, guint i, Damage damage)
{
  const guint delivery = (i + damage) % G_N_ELEMENTS (formats);
  /* a GOP before the one that is damaged and one behind it; the last unit of one may be exchanged with the first of the next */
  const guint gop = i / GOP * GOP, first = gop >= GOP ? gop - GOP : 0;
  const guint end = MIN (gop + (i % GOP == GOP - 1 ? 3 : 2) * GOP, N_UNITS);
  GRand *random = g_rand_new_with_seed (i * N_DAMAGES + damage);
  GPtrArray *units = access_units_new (), *pictures;
  guint next, last;

  alarm (HANG_SECONDS);
  access_units_add (units, source->units[delivery], first, end, FALSE);
  last = first + damage_unit (units, i - first, damage, random);
  next = MIN (last / GOP * GOP + GOP, end);
  pictures = decode (source, delivery, units);
  if (!tap_check (begins_with (source, pictures, first, gop) && ends_with (source, pictures, next, end), "%s, unit %u, %s, %s%s",
          source->name, i, damage_names[damage], formats[delivery], *deliveries[delivery] ? " and h264parse" : ""))
    note_pictures (source, pictures, next);
  alarm (0);
  g_ptr_array_unref (pictures);
  g_ptr_array_unref (units);
  g_rand_free (random);
}

/* Pictures of @pictures that are others than those of @whole with their times, and not flagged */
static guint
count_silently_wrong (GPtrArray *pictures, GPtrArray *whole)
{
  guint n = 0;

  for (guint i = 0; i < pictures->len; i++) {
    const ListedPicture *picture = g_ptr_array_index (pictures, i), *expected = NULL;

    for (guint k = 0; k < whole->len && !expected; k++)
      if (((const ListedPicture *) g_ptr_array_index (whole, k))->pts == picture->pts)
        expected = g_ptr_array_index (whole, k);
    n += !(picture->flags & GST_BUFFER_FLAG_CORRUPTED) && (!expected || g_strcmp0 (picture->md5, expected->md5) != 0);
  }
  return n;
}

/* A unit is cut off in the midst of open GOPs: wrong pictures are flagged, and the last GOP is right. */
static void
check_open_unit (const Source *source, guint i)
{
  GRand *random = g_rand_new_with_seed (i);
  GPtrArray *units = access_units_new (), *pictures;
  guint n_wrong;

  alarm (HANG_SECONDS);
  access_units_add (units, source->units[0], 0, source->units[0]->len, FALSE);
  damage_unit (units, i, DAMAGE_CUT, random);
  pictures = decode (source, 0, units);
  n_wrong = count_silently_wrong (pictures, source->pictures);
  if (!tap_check (n_wrong == 0 && ends_with (source, pictures, N_OPEN_UNITS - GOP, N_OPEN_UNITS), "%s, unit %u cut off", source->name, i)) {
    tap_note ("  %u pictures are wrong and not flagged", n_wrong);
    note_pictures (source, pictures, 0);
  }
  alarm (0);
  g_ptr_array_unref (pictures);
  g_ptr_array_unref (units);
  g_rand_free (random);
}

static gboolean
has_flagged (GPtrArray *pictures)
{
  for (guint i = 0; i < pictures->len; i++)
    if (((const ListedPicture *) g_ptr_array_index (pictures, i))->flags & GST_BUFFER_FLAG_CORRUPTED)
      return TRUE;
  return FALSE;
}

static void
check_stream (const Stream *stream, const gchar *path, const gchar *row, guint begin, guint end, guint every)
{
  Source source = { .name = stream->name, .row = row };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    source.units[i] = read_units (path, formats[i]);
  source.pictures = decode (&source, 0, source.units[0]);
  if (tap_check (source.units[0]->len == N_UNITS && source.pictures->len == N_UNITS && !has_flagged (source.pictures), "%s: %u pictures",
          stream->name, source.pictures->len))
    for (guint i = begin; i < end; i += every)
      for (guint damage = 0; damage < N_DAMAGES; damage++)
        check_unit (&source, i, damage);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    g_ptr_array_unref (source.units[i]);
  g_ptr_array_unref (source.pictures);
}

static void
check_open_gops (const gchar *path, const gchar *row)
{
  Source source = { .name = "open GOPs", .row = row };

  source.units[0] = read_units (path, formats[0]);
  source.pictures = decode (&source, 0, source.units[0]);
  if (tap_check (source.units[0]->len == N_OPEN_UNITS && source.pictures->len == N_OPEN_UNITS && !has_flagged (source.pictures),
          "open GOPs: %u pictures", source.pictures->len))
    for (guint i = 1; i < N_OPEN_UNITS - 2 * GOP; i++)
      check_open_unit (&source, i);
  g_ptr_array_unref (source.units[0]);
  g_ptr_array_unref (source.pictures);
}

int
main (int argc, char *argv[])
{
  RowTest test = ROW_TEST_INIT;
  gint every = 1, unit = -1;
  const GOptionEntry entries[] = {
    { "every", 0, 0, G_OPTION_ARG_INT, &every, "Damage every N-th unit (default 1)", "N" },
    { "unit", 0, 0, G_OPTION_ARG_INT, &unit, "Damage this one alone", "I" },
    { NULL },
  };

  test.settings.n_threads = 2;
  row_test_begin (&test, entries, &argc, &argv);
  row_test_make_folder (&test);
  for (guint i = 0; i < G_N_ELEMENTS (streams); i++) {
    gchar *path = g_build_filename (test.folder, "clip.mp4", NULL);

    if (test_clip_make (path, streams[i].x264, N_UNITS))
      check_stream (&streams[i], path, test.elements, unit < 0 ? 0 : (guint) unit, unit < 0 ? N_UNITS : (guint) unit + 1, (guint) every);
    else
      tap_skip ("there is no ffmpeg with libx264 to make it", "%s", streams[i].name);
    if (i == 0 && unit < 0) {
      if (test_clip_make (path, OPEN_GOPS, N_OPEN_UNITS))
        check_open_gops (path, test.elements);
    }
    g_unlink (path);
    g_free (path);
  }
  return row_test_end (&test);
}
