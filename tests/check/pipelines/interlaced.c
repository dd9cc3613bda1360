/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Interlaced video in Matroska, MP4 and MPEG transport streams, decoded by the row and by avdec_h264 side by side, alone and with
 * deinterlace and interlace behind them: size, aspect ratio, rate, times, pictures and the flags of interlaced frames are the same, and
 * what differs is what docs/using.md says: interlace-mode, and the flags of frames that are not interlaced.
 *
 *   interlaced [--backend=opencl|c]
 */
#include <glib/gstdio.h>
#include <gst/video/video.h>
#include <string.h>

#include "accessunits.h"
#include "picturelist.h"
#include "streamlist.h"
#include "rowtest.h"
#include "tap.h"

#define INTERLACED GST_VIDEO_BUFFER_FLAG_INTERLACED
#define TFF GST_VIDEO_BUFFER_FLAG_TFF
#define RFF GST_VIDEO_BUFFER_FLAG_RFF

#define N_UNITS 40

/**
 * Clip:
 * @source: pictures, as FFmpeg's lavfi names them
 * @x264: how they are coded
 * @stream: (nullable): or the test stream that it is
 * @flags: those of the first frames, which come again and again, @n_flags of them; 0: whatever avdec_h264 says
 * @changes: frames are interlaced here and not there, and avdec_h264 changes caps with that, where deinterlace begins anew
 */
typedef struct
{
  const gchar *name;
  const gchar *source;
  const gchar *x264;
  const gchar *stream;
  guint flags[4], n_flags;
  gboolean changes;
} Clip;

#define FIELDS(order) "testsrc2=size=176x144:rate=50:duration=1.2,tinterlace=interleave_" order
#define FRAMES "testsrc2=size=176x144:rate=25:duration=1.2"
#define FILM "testsrc2=size=176x144:rate=24000/1001:duration=1.2"

static const Clip clips[] = {
  { "mbaff-tff", FIELDS ("top"), "--tff", NULL, { INTERLACED | TFF }, 1 },
  { "mbaff-bff", FIELDS ("bottom"), "--bff --slices 3 --no-cabac", NULL, { INTERLACED }, 1 },
  { "fake", FRAMES, "--fake-interlaced", NULL, { 0 }, 1 },
  { "fake-pic-struct", FRAMES, "--fake-interlaced --pic-struct", NULL, { 0 }, 1 },
  /* three fields, two, three, two (3:2 pull-down) */
  { "film", FILM, "--pulldown 32", NULL, { TFF | RFF, 0, RFF, TFF }, 4 },
  { "film-fake", FILM, "--pulldown 32 --fake-interlaced", NULL, { TFF | RFF, 0, RFF, TFF }, 4 },
  { "paff", NULL, NULL, "JVT-AVC_V1/CVPA1_TOSHIBA_B.264", { 0 }, 0, TRUE },
  { "paff-mbaff", NULL, NULL, "JVT-AVC_V1/CAPAMA3_Sand_F.264", { INTERLACED | TFF }, 1 },
  { "fields", NULL, NULL, "JVT-AVC_V1/CABREF3_Sand_D.264", { INTERLACED | TFF }, 1 },
  { "fields-sei", NULL, NULL, "JVT-AVC_V1/CVSE3_Sony_H.264", { 0 }, 0 },
};

typedef struct
{
  const gchar *name, *muxer, *demuxer;
} Container;

static const Container containers[] = {
  { "mkv", "matroskamux", "matroskademux" },
  { "mp4", "mp4mux", "qtdemux" },
  { "ts", "h264parse ! mpegtsmux", "tsdemux" },
};

/**
 * Filter:
 * @name: the last of its elements, with the properties
 * @forced: it takes all frames for interlaced, in an order that avdec_h264 does not tell where they are not
 * @looks_back: it needs frames from before
 */
typedef struct
{
  const gchar *name, *before;
  gboolean forced, looks_back;
} Filter;

/* greedyh of GStreamer 1.22 also reads what lies between rows, which is not the same in two decoders: here nothing lies there. */
#define PACKED "videoconvert ! video/x-raw,format=NV12 ! videoconvert ! video/x-raw,format=I420 ! "

static const Filter filters[] = {
  { "deinterlace", "" },
  { "deinterlace fields=top", "" },
  { "deinterlace mode=interlaced", "", .forced = TRUE },
  { "deinterlace method=greedyh", PACKED, .looks_back = TRUE },
  /* which takes progressive video only */
  { "interlace field-pattern=2:2", "deinterlace ! " },
};

static gboolean
run_program (gchar **argv)
{
  const GSpawnFlags flags = G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL | G_SPAWN_STDOUT_TO_DEV_NULL;
  gint status = 1;

  return g_spawn_sync (NULL, argv, NULL, flags, NULL, NULL, NULL, NULL, &status, NULL) && g_spawn_check_wait_status (status, NULL);
}

/* x264 writes Matroska, with the times of pull-down. */
static gboolean
encode (const Clip *clip, const gchar *folder, const gchar *path)
{
  gchar *raw = g_build_filename (folder, "clip.y4m", NULL);
  const gchar *ffmpeg[] = { "ffmpeg", "-v", "error", "-f", "lavfi", "-i", clip->source, "-pix_fmt", "yuv420p", "-f", "yuv4mpegpipe", "-y",
    raw, NULL };
  gchar *command = g_strdup_printf ("x264 --quiet --threads 1 --keyint 15 --crf 30 %s -o %s %s", clip->x264, path, raw);
  gchar **x264 = g_strsplit (command, " ", -1);
  const gboolean ok = run_program ((gchar **) ffmpeg) && run_program (x264);

  g_unlink (raw);
  g_strfreev (x264);
  g_free (command);
  g_free (raw);
  return ok;
}

static GPtrArray *
read_encoded (const RowTest *t, const Clip *clip)
{
  gchar *path = g_strdup_printf ("%s/x264.mkv", t->folder);
  gchar *source = g_strdup_printf ("filesrc location=\"%s\" ! matroskademux", path);
  GPtrArray *units = NULL;

  if (encode (clip, t->folder, path)) {
    units = access_units_read (source, "avc", G_MAXUINT);
    access_units_set_decoding_times (units);
  }
  g_unlink (path);
  g_free (source);
  g_free (path);
  return units;
}

static GPtrArray *
read_stream (const RowTest *t, const Clip *clip)
{
  GBytes *bytes = stream_vector_read (clip->stream);
  GPtrArray *units = bytes ? access_units_read_bytes (bytes, "avc", N_UNITS, t->elements) : NULL;

  g_clear_pointer (&bytes, g_bytes_unref);
  return units;
}

/* What has to be the same in both; flags that say nothing of frames that are not interlaced are left out. */
static gchar *
describe_common (const ListedPicture *picture, gboolean with_samples)
{
  const guint flags = picture->flags & INTERLACED ? picture->flags : picture->flags & ~(guint) (TFF | RFF);
  gchar **words = g_strsplit (picture->caps, " ", -1);
  gchar *text = g_strdup_printf ("%" GST_TIME_FORMAT " + %" GST_TIME_FORMAT " flags %x, %sx%s %s %s %s", GST_TIME_ARGS (picture->pts),
      GST_TIME_ARGS (picture->duration), flags, words[1], words[2], words[3], words[4], with_samples ? picture->md5 : "");

  g_strfreev (words);
  return text;
}

/* The same, of pictures of a filter: its rate is twice that of caps which may be interlaced. */
static gchar *
describe_filtered (const ListedPicture *picture, gboolean with_samples)
{
  gchar **words = g_strsplit (picture->caps, " ", -1);
  gchar *text = g_strdup_printf ("%" GST_TIME_FORMAT ", %sx%s %s %s", GST_TIME_ARGS (picture->pts), words[1], words[2], words[3],
      with_samples ? picture->md5 : "");

  g_strfreev (words);
  return text;
}

/* Whether @own is as @other; else notes the first difference. */
static gboolean
are_alike (GPtrArray *own, GPtrArray *other, gchar *(*describe) (const ListedPicture *, gboolean), gboolean with_samples)
{
  for (guint i = 0; i < MAX (own->len, other->len); i++) {
    gchar *a = i < own->len ? describe (g_ptr_array_index (own, i), with_samples) : g_strdup ("none");
    gchar *b = i < other->len ? describe (g_ptr_array_index (other, i), with_samples) : g_strdup ("none");
    const gboolean same = strcmp (a, b) == 0;

    if (!same)
      tap_note ("  picture %u: %s, avdec_h264: %s", i, a, b);
    g_free (a);
    g_free (b);
    if (!same)
      return FALSE;
  }
  return own->len > 0;
}

/* Caps never change, and say that each frame says it itself; flags are those of @clip. */
static gboolean
are_as_expected (GPtrArray *list, const Clip *clip)
{
  for (guint i = 0; i < list->len; i++) {
    const ListedPicture *picture = g_ptr_array_index (list, i);
    const ListedPicture *first = g_ptr_array_index (list, 0);
    /* what an edit list cuts off does not begin the pattern */
    const guint expected = clip->n_flags > 0 ? clip->flags[i % clip->n_flags] : picture->flags;

    if (!g_str_has_suffix (picture->caps, " mixed -") || !g_str_equal (picture->caps, first->caps) || picture->flags != expected) {
      tap_note ("  picture %u: [%s], flags %x, expected %x", i, picture->caps, picture->flags, expected);
      return FALSE;
    }
  }
  return TRUE;
}

static void
check_decoders (const RowTest *t, const Clip *clip, const gchar *name, const gchar *source)
{
  gchar *errors[2];
  GPtrArray *own = picture_list_of (source, t->elements, &errors[0]),
            *other = picture_list_of (source, "avdec_h264 max-threads=1", &errors[1]);
  const gboolean alike = are_alike (own, other, describe_common, TRUE), expected = are_as_expected (own, clip);

  if (!tap_check (!errors[0] && !errors[1] && alike && expected, "%s: %u pictures", name, own->len))
    tap_note ("  %s, avdec_h264: %s", errors[0] ? errors[0] : "no error", errors[1] ? errors[1] : "no error");
  g_ptr_array_unref (own);
  g_ptr_array_unref (other);
  g_free (errors[0]);
  g_free (errors[1]);
}

static void
check_filter (const RowTest *t, const Clip *clip, const gchar *name, const gchar *source, const Filter *filter)
{
  const gboolean with_samples = !clip->changes && !(filter->forced && !(clip->flags[0] & INTERLACED));
  gchar *descriptions[2] = { g_strdup_printf ("%s ! %s%s", t->elements, filter->before, filter->name),
    g_strdup_printf ("avdec_h264 max-threads=1 ! %s%s", filter->before, filter->name) };
  gchar *errors[2];
  GPtrArray *own = picture_list_of (source, descriptions[0], &errors[0]), *other = picture_list_of (source, descriptions[1], &errors[1]);
  const gboolean alike = are_alike (own, other, describe_filtered, with_samples);

  if (!tap_check (!errors[0] && !errors[1] && alike, "%s ! %s: %u pictures", name, filter->name, own->len))
    tap_note ("  %s, avdec_h264: %s", errors[0] ? errors[0] : "no error", errors[1] ? errors[1] : "no error");
  g_ptr_array_unref (own);
  g_ptr_array_unref (other);
  for (guint i = 0; i < 2; i++) {
    g_free (descriptions[i]);
    g_free (errors[i]);
  }
}

/* By the flags of film deinterlace takes pull-down back: all pictures at the rate of film. */
static void
check_film (const RowTest *t, const gchar *name, const gchar *source)
{
  gchar *description = g_strdup_printf ("%s ! deinterlace locking=active", t->elements), *error;
  GPtrArray *list = picture_list_of (source, description, &error);
  gboolean ok = !error && list->len > 20;

  for (guint i = 1; i < list->len; i++) {
    const ListedPicture *before = g_ptr_array_index (list, i - 1), *picture = g_ptr_array_index (list, i);
    const GstClockTimeDiff step = GST_CLOCK_DIFF (before->pts, picture->pts);

    ok &= ABS (step - (GstClockTimeDiff) (GST_SECOND * 1001 / 24000)) <= (GstClockTimeDiff) GST_MSECOND;
    ok &= !(picture->flags & INTERLACED) && strstr (picture->caps, " 24000/1001 progressive ");
  }
  tap_check (ok, "%s ! deinterlace locking=active: %u pictures", name, list->len);
  g_ptr_array_unref (list);
  g_free (description);
  g_free (error);
}

/* @parted: fields in buffers of their own */
static void
check_container (const RowTest *t, const Clip *clip, GPtrArray *units, const Container *container, gboolean parted)
{
  gchar *path = g_strdup_printf ("%s/clip.%s", t->folder, container->name);
  gchar *source = g_strdup_printf ("filesrc location=\"%s\" ! %s ! h264parse", path, container->demuxer);
  gchar *name = g_strdup_printf ("%s.%s%s", clip->name, container->name, parted ? ", fields in samples of their own" : "");

  if (access_units_mux (units, container->muxer, path)) {
    check_decoders (t, clip, name, source);
    for (guint i = 0; container == &containers[0] && !parted && i < G_N_ELEMENTS (filters); i++)
      if (!(clip->changes && filters[i].looks_back))
        check_filter (t, clip, name, source, &filters[i]);
    if (container == &containers[0] && clip->n_flags == G_N_ELEMENTS (clip->flags))
      check_film (t, name, source);
  } else {
    tap_check (FALSE, "%s is written", name);
  }
  g_unlink (path);
  g_free (name);
  g_free (source);
  g_free (path);
}

static void
check_clip (const RowTest *t, const Clip *clip)
{
  GPtrArray *units = clip->stream ? read_stream (t, clip) : read_encoded (t, clip), *joined;

  if (!units) {
    tap_skip (clip->stream ? STREAMS_SKIP_REASON : "there is no ffmpeg or no x264 that makes it", "%s", clip->name);
    return;
  }
  joined = access_units_new ();
  access_units_add (joined, units, 0, units->len, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (containers); i++) {
    check_container (t, clip, joined, &containers[i], FALSE);
    if (units->len > joined->len)
      check_container (t, clip, units, &containers[i], TRUE);
  }
  g_ptr_array_unref (joined);
  g_ptr_array_unref (units);
}

int
main (int argc, char *argv[])
{
  RowTest test = ROW_TEST_INIT;
  GstElementFactory *other;

  row_test_begin (&test, NULL, &argc, &argv);
  row_test_make_folder (&test);
  other = gst_element_factory_find ("avdec_h264");
  if (!other)
    tap_skip ("there is no avdec_h264", "side by side");
  for (guint i = 0; other && i < G_N_ELEMENTS (clips); i++)
    check_clip (&test, &clips[i]);
  gst_clear_object (&other);
  return row_test_end (&test);
}
