/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Streams through RTP and MPEG transport streams that lose packets, exchange them, repeat them, miscount them, or go over into another
 * stream.  What is lost nowhere is right, and not flagged; what is not flagged is right; from the next IDR picture on all is right.
 *
 *   transports [--backend=opencl|c]
 */
#include <glib/gstdio.h>
#include <gst/app/app.h>
#include <string.h>

#include "bigendian.h"
#include "decoderun.h"
#include "picturelist.h"
#include "rowtest.h"
#include "tap.h"

#define N_PICTURES 60
#define GOP 10

#define TS_PACKET 188

typedef struct
{
  const gchar *name, *x264;
} Stream;

#define COMMON "keyint=10:min-keyint=10:scenecut=0:b-adapt=0:"

static const Stream streams[] = {
  { "P", COMMON "bframes=0:ref=1:slices=3" },
  { "B", COMMON "bframes=2:b-pyramid=none:ref=2" },
  { "pyramid", COMMON "bframes=3:b-pyramid=normal:ref=3:slices=2" },
};

/**
 * Carrier:
 * @packets: (element-type GBytes): as sent
 * @units: (element-type guint): which access unit each belongs to, in decoding order; G_MAXUINT: none
 * @caps: (nullable): of RTP packets; %NULL: of a transport stream
 *
 * A stream as it is carried.
 */
typedef struct
{
  GPtrArray *packets;
  GArray *units;
  GstCaps *caps;
} Carrier;

/**
 * Source:
 * @place: in output order of each access unit
 * @is_reference: nal_ref_idc is not 0
 */
typedef struct
{
  guint place[N_PICTURES];
  gboolean is_reference[N_PICTURES];
} Source;

/* Packets that arrive, by number, in their order */
typedef void (*Channel) (const Carrier *carrier, GArray *arrived);

static gboolean
run (const gchar *const *argv)
{
  gint status = 1;

  return g_spawn_sync (NULL, (gchar **) argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL, NULL, NULL, &status,
             NULL)
      && g_spawn_check_wait_status (status, NULL);
}

static gboolean
encode (const Stream *stream, const gchar *size, const gchar *path)
{
  gchar *input = g_strdup_printf ("testsrc2=size=%s:rate=25", size), *frames = g_strdup_printf ("%u", N_PICTURES);
  const gchar *argv[] = { "ffmpeg", "-v", "error", "-f", "lavfi", "-i", input, "-frames:v", frames, "-c:v", "libx264", "-threads", "1",
    "-pix_fmt", "yuv420p", "-crf", "30", "-x264-params", stream->x264, "-y", path, NULL };
  const gboolean ok = run (argv);

  g_free (frames);
  g_free (input);
  return ok;
}

/* (transfer full): all that "SOURCE ! appsink" gives */
static GPtrArray *
read_buffers (const gchar *source, GstCaps **caps)
{
  gchar *description = g_strdup_printf ("%s ! appsink name=sink sync=false", source);
  GstElement *pipeline = gst_parse_launch (description, NULL), *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GPtrArray *buffers = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
  GstSample *sample;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while ((sample = gst_app_sink_try_pull_sample (GST_APP_SINK (sink), 20 * GST_SECOND))) {
    g_ptr_array_add (buffers, gst_buffer_ref (gst_sample_get_buffer (sample)));
    if (caps)
      gst_caps_replace (caps, gst_sample_get_caps (sample));
    gst_sample_unref (sample);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
  g_free (description);
  return buffers;
}

/* nal_ref_idc of the first slice of an access unit in length-prefixed form is not 0 */
static gboolean
refers (GstBuffer *buffer)
{
  GstMapInfo map;
  guint type = 0, nal_ref_idc = 0;

  gst_buffer_map (buffer, &map, GST_MAP_READ);
  for (gsize i = 0; i + 4 < map.size && type != 1 && type != 5; i += 4 + read_u32be (map.data + i)) {
    type = map.data[i + 4] & 31;
    nal_ref_idc = map.data[i + 4] >> 5;
  }
  gst_buffer_unmap (buffer, &map);
  return nal_ref_idc != 0;
}

static gboolean
source_read (Source *source, const gchar *path)
{
  gchar *text = g_strdup_printf ("filesrc location=\"%s\" ! matroskademux ! video/x-h264,stream-format=avc", path);
  GPtrArray *buffers = read_buffers (text, NULL);
  const gboolean ok = buffers->len == N_PICTURES;

  for (guint i = 0; ok && i < N_PICTURES; i++) {
    source->place[i] = 0;
    for (guint k = 0; k < N_PICTURES; k++)
      source->place[i] += GST_BUFFER_PTS (g_ptr_array_index (buffers, k)) < GST_BUFFER_PTS (g_ptr_array_index (buffers, i));
    source->is_reference[i] = refers (g_ptr_array_index (buffers, i));
  }
  g_ptr_array_unref (buffers);
  g_free (text);
  return ok;
}

static void
carrier_add (Carrier *carrier, gpointer packet, guint unit)
{
  g_ptr_array_add (carrier->packets, packet);
  g_array_append_val (carrier->units, unit);
}

static void
carrier_init (Carrier *carrier, GDestroyNotify free_packet)
{
  carrier->packets = g_ptr_array_new_with_free_func (free_packet);
  carrier->units = g_array_new (FALSE, FALSE, sizeof (guint));
  carrier->caps = NULL;
}

static void
carrier_clear (Carrier *carrier)
{
  g_ptr_array_unref (carrier->packets);
  g_array_unref (carrier->units);
  gst_clear_caps (&carrier->caps);
}

static guint
unit_of (const Carrier *carrier, guint packet)
{
  return g_array_index (carrier->units, guint, packet);
}

/* RTP packets as buffers; a new time is a new access unit */
static void
carry_by_rtp (Carrier *carrier, const gchar *path)
{
  gchar *source = g_strdup_printf ("filesrc location=\"%s\" ! matroskademux ! h264parse ! rtph264pay mtu=300 config-interval=-1 "
                                   "timestamp-offset=0 seqnum-offset=100",
      path);
  GPtrArray *buffers;
  guint unit = G_MAXUINT;
  GstClockTime last = GST_CLOCK_TIME_NONE;

  carrier_init (carrier, (GDestroyNotify) gst_buffer_unref);
  buffers = read_buffers (source, &carrier->caps);
  for (guint i = 0; i < buffers->len; i++) {
    GstBuffer *buffer = g_ptr_array_index (buffers, i);

    unit += GST_BUFFER_PTS (buffer) != last;
    last = GST_BUFFER_PTS (buffer);
    carrier_add (carrier, gst_buffer_ref (buffer), unit);
  }
  g_ptr_array_unref (buffers);
  g_free (source);
}

/* What of a packet is no payload: header and adaptation field */
static guint
ts_header_size (const guint8 *packet)
{
  return packet[3] & 0x20 ? 5 + packet[4] : 4;
}

/* Whether a PES packet of video begins in @packet */
static gboolean
ts_begins_video (const guint8 *packet)
{
  const guint payload = ts_header_size (packet);

  return (packet[1] & 0x40) && payload + 4 <= TS_PACKET && memcmp (packet + payload, "\0\0\1\xe0", 4) == 0;
}

static guint
ts_pid (const guint8 *packet)
{
  return (packet[1] & 0x1f) << 8 | packet[2];
}

static gboolean
carry_by_ts (Carrier *carrier, const gchar *path, const gchar *offset)
{
  gchar *ts = g_strconcat (path, ".ts", NULL), *data = NULL;
  const gchar *argv[] = { "ffmpeg", "-v", "error", "-i", path, "-c", "copy", "-output_ts_offset", offset, "-y", ts, NULL };
  gsize size = 0;
  guint unit = G_MAXUINT, pid = G_MAXUINT;
  const gboolean ok = run (argv) && g_file_get_contents (ts, &data, &size, NULL);

  carrier_init (carrier, g_free);
  for (gsize i = 0; i + TS_PACKET <= size; i += TS_PACKET) {
    const guint8 *packet = (const guint8 *) data + i;

    if (ts_begins_video (packet)) {
      pid = ts_pid (packet);
      unit++;
    }
    carrier_add (carrier, g_memdup2 (packet, TS_PACKET), ts_pid (packet) == pid ? unit : G_MAXUINT);
  }
  g_unlink (ts);
  g_free (data);
  g_free (ts);
  return ok;
}

/* (transfer full): what comes out where @buffers come into the appsrc of @source */
static GPtrArray *
play (const gchar *source, GPtrArray *buffers, GstCaps *caps, const gchar *row)
{
  GstElement *pipeline = decode_pipeline_new (source, row, "video/x-raw");
  GstElement *src = gst_bin_get_by_name (GST_BIN (pipeline), "src"), *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GPtrArray *list;

  if (caps)
    gst_app_src_set_caps (GST_APP_SRC (src), caps);
  for (guint i = 0; i < buffers->len; i++)
    gst_app_src_push_buffer (GST_APP_SRC (src), gst_buffer_ref (g_ptr_array_index (buffers, i)));
  gst_app_src_end_of_stream (GST_APP_SRC (src));
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  list = picture_list_pull (sink, G_MAXUINT);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (src);
  gst_object_unref (pipeline);
  return list;
}

static GPtrArray *
play_rtp (const Carrier *carrier, const GArray *arrived, const gchar *form, const gchar *row)
{
  /* times by the packets alone, so that they are the same in each run */
  gchar *source = g_strdup_printf ("appsrc name=src format=time max-bytes=0 ! rtpjitterbuffer mode=none latency=100 do-lost=true ! "
                                   "rtph264depay ! %s",
      form);
  GPtrArray *buffers = g_ptr_array_new (), *list;

  for (guint i = 0; i < arrived->len; i++)
    g_ptr_array_add (buffers, g_ptr_array_index (carrier->packets, g_array_index (arrived, guint, i)));
  list = play (source, buffers, carrier->caps, row);
  g_ptr_array_unref (buffers);
  g_free (source);
  return list;
}

static void
append_packets (GByteArray *bytes, const Carrier *carrier, const GArray *arrived)
{
  for (guint i = 0; i < arrived->len; i++)
    g_byte_array_append (bytes, g_ptr_array_index (carrier->packets, g_array_index (arrived, guint, i)), TS_PACKET);
}

/* Takes @bytes. */
static GPtrArray *
play_ts_bytes (GByteArray *bytes, const gchar *row)
{
  GBytes *data = g_byte_array_free_to_bytes (bytes);
  GPtrArray *buffers = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref), *list;

  for (gsize i = 0; i < g_bytes_get_size (data); i += 7 * TS_PACKET)
    g_ptr_array_add (buffers,
        gst_buffer_new_memdup ((const guint8 *) g_bytes_get_data (data, NULL) + i, MIN (7 * TS_PACKET, g_bytes_get_size (data) - i)));
  list = play ("appsrc name=src max-bytes=0 caps=video/mpegts,systemstream=true,packetsize=188 ! tsdemux ! h264parse", buffers, NULL, row);
  g_ptr_array_unref (buffers);
  g_bytes_unref (data);
  return list;
}

static GPtrArray *
play_ts (const Carrier *carrier, const GArray *arrived, const gchar *form, const gchar *row)
{
  GByteArray *bytes = g_byte_array_new ();

  (void) form;
  append_packets (bytes, carrier, arrived);
  return play_ts_bytes (bytes, row);
}

static void
arrive (GArray *arrived, guint packet)
{
  g_array_append_val (arrived, packet);
}

/* The first packet of access unit @unit */
static guint
find_unit (const Carrier *carrier, guint unit)
{
  for (guint i = 0; i < carrier->packets->len; i++)
    if (unit_of (carrier, i) == unit)
      return i;
  g_assert_not_reached ();
}

static void
send_all (const Carrier *carrier, GArray *arrived)
{
  for (guint i = 0; i < carrier->packets->len; i++)
    arrive (arrived, i);
}

/* Neighbours change places, and now and then a packet comes five later. */
static void
reorder (const Carrier *carrier, GArray *arrived)
{
  send_all (carrier, arrived);
  for (guint i = 2; i + 1 < arrived->len; i += 2) {
    const guint other = i % 16 == 0 && i + 5 < arrived->len ? i + 5 : i + 1;
    const guint packet = g_array_index (arrived, guint, i);

    g_array_remove_index (arrived, i);
    g_array_insert_val (arrived, other, packet);
  }
}

/* Every third one comes again at once, every fifth one four packets later. */
static void
repeat (const Carrier *carrier, GArray *arrived)
{
  for (guint i = 0; i < carrier->packets->len; i++) {
    arrive (arrived, i);
    if (i % 3 == 0)
      arrive (arrived, i);
    if (i >= 4 && i % 5 == 0)
      arrive (arrived, i - 4);
  }
}

static void
lose (const Carrier *carrier, GArray *arrived, guint begin, guint n)
{
  for (guint i = 0; i < carrier->packets->len; i++)
    if (i < begin || i >= begin + n)
      arrive (arrived, i);
}

static void
lose_one_packet (const Carrier *carrier, GArray *arrived)
{
  lose (carrier, arrived, find_unit (carrier, 13) + 1, 1);
}

static void
lose_end_of_picture (const Carrier *carrier, GArray *arrived)
{
  lose (carrier, arrived, find_unit (carrier, 14) - 1, 1);
}

static void
lose_picture (const Carrier *carrier, GArray *arrived)
{
  lose (carrier, arrived, find_unit (carrier, 23), find_unit (carrier, 24) - find_unit (carrier, 23));
}

static void
lose_idr_picture (const Carrier *carrier, GArray *arrived)
{
  lose (carrier, arrived, find_unit (carrier, 30), find_unit (carrier, 31) - find_unit (carrier, 30));
}

static void
lose_gop (const Carrier *carrier, GArray *arrived)
{
  lose (carrier, arrived, find_unit (carrier, 20), find_unit (carrier, 30) - find_unit (carrier, 20));
}

static void
lose_beginning (const Carrier *carrier, GArray *arrived)
{
  lose (carrier, arrived, 0, find_unit (carrier, 4));
}

static void
lose_amid_idr_picture (const Carrier *carrier, GArray *arrived)
{
  lose (carrier, arrived, find_unit (carrier, 31) - 8, 1);
}

/* One in @n, and none at the ends */
static void
lose_at_random (const Carrier *carrier, GArray *arrived, gint n, guint32 seed)
{
  GRand *rand = g_rand_new_with_seed (seed);
  const guint begin = find_unit (carrier, GOP), end = find_unit (carrier, N_PICTURES - GOP);

  for (guint i = 0; i < carrier->packets->len; i++)
    if (g_rand_int_range (rand, 0, n) != 0 || i < begin || i >= end)
      arrive (arrived, i);
  g_rand_free (rand);
}

static void
lose_some (const Carrier *carrier, GArray *arrived)
{
  lose_at_random (carrier, arrived, 50, 1);
}

static void
lose_many (const Carrier *carrier, GArray *arrived)
{
  lose_at_random (carrier, arrived, 10, 6);
}

typedef struct
{
  const gchar *name;
  Channel channel;
} Loss;

static const Loss harmless[] = { { "packets change places", reorder }, { "packets come twice", repeat } };

static const Loss losses[] = {
  { "a packet is lost", lose_one_packet },
  { "the last packet of a picture is lost", lose_end_of_picture },
  { "a picture is lost", lose_picture },
  { "an IDR picture is lost", lose_idr_picture },
  { "a GOP is lost", lose_gop },
  { "the beginning is lost", lose_beginning },
  { "a packet amid an IDR picture is lost", lose_amid_idr_picture },
  { "2 % of the packets are lost", lose_some },
  { "a tenth of the packets is lost", lose_many },
};

static gboolean
is_flagged (const ListedPicture *picture)
{
  return (picture->flags & GST_BUFFER_FLAG_CORRUPTED) != 0;
}

static gboolean
is_same (const ListedPicture *a, const ListedPicture *b)
{
  return a->pts == b->pts && a->flags == b->flags && g_strcmp0 (a->md5, b->md5) == 0;
}

static gboolean
are_same (const GPtrArray *a, const GPtrArray *b)
{
  gboolean same = a->len == b->len;

  for (guint i = 0; same && i < a->len; i++)
    same = is_same (g_ptr_array_index (a, i), g_ptr_array_index (b, i));
  return same;
}

static const ListedPicture *
find_picture (const GPtrArray *list, const gchar *md5)
{
  for (guint i = 0; i < list->len; i++)
    if (g_strcmp0 (((const ListedPicture *) g_ptr_array_index (list, i))->md5, md5) == 0)
      return g_ptr_array_index (list, i);
  return NULL;
}

/* Which access units are whole, and all references before them in their GOP: @sound, in decoding order */
static void
find_sound_units (const Carrier *carrier, const GArray *arrived, const Source *source, gboolean *sound)
{
  guint8 *has_arrived = g_new0 (guint8, carrier->packets->len);
  gboolean is_whole[N_PICTURES], references_are_whole = TRUE;

  for (guint i = 0; i < arrived->len; i++)
    has_arrived[g_array_index (arrived, guint, i)] = 1;
  for (guint i = 0; i < N_PICTURES; i++)
    is_whole[i] = TRUE;
  for (guint i = 0; i < carrier->packets->len; i++)
    if (!has_arrived[i] && unit_of (carrier, i) < N_PICTURES) {
      is_whole[unit_of (carrier, i)] = FALSE;
      /* tsdemux drops what it has gathered where it sees a gap */
      if (!carrier->caps && unit_of (carrier, i) > 0 && unit_of (carrier, i - 1) != unit_of (carrier, i))
        is_whole[unit_of (carrier, i) - 1] = FALSE;
    }
  for (guint i = 0; i < N_PICTURES; i++) {
    references_are_whole |= i % GOP == 0;
    sound[i] = is_whole[i] && references_are_whole;
    references_are_whole &= is_whole[i] || !source->is_reference[i];
  }
  g_free (has_arrived);
}

/* Pictures of sound access units that are missing or flagged */
static guint
count_missing (const GPtrArray *list, const GPtrArray *whole, const Source *source, const gboolean *sound)
{
  guint n = 0;

  for (guint i = 0; i < N_PICTURES; i++) {
    const ListedPicture *expected = g_ptr_array_index (whole, source->place[i]), *picture = find_picture (list, expected->md5);

    n += sound[i] && (!picture || is_flagged (picture));
  }
  return n;
}

/* Flags, and pictures that are not there */
static guint
count_noticed (const GPtrArray *list)
{
  guint n = N_PICTURES - list->len;

  for (guint i = 0; i < list->len; i++)
    n += is_flagged (g_ptr_array_index (list, i));
  return n;
}

/* Pictures that are not flagged, but none of the whole list, or at another time than there */
static guint
count_silently_wrong (const GPtrArray *list, const GPtrArray *whole, GstClockTimeDiff *offset)
{
  guint n = 0;

  for (guint i = 0; i < list->len; i++) {
    const ListedPicture *picture = g_ptr_array_index (list, i), *expected = find_picture (whole, picture->md5);

    if (is_flagged (picture))
      continue;
    if (expected && *offset == G_MAXINT64)
      *offset = GST_CLOCK_DIFF (expected->pts, picture->pts);
    n += !expected || ABS (GST_CLOCK_DIFF (expected->pts, picture->pts) - *offset) > GST_MSECOND;
  }
  return n;
}

static void
note_list (const GPtrArray *list)
{
  for (guint i = 0; i < list->len; i++) {
    gchar *text = listed_picture_describe (g_ptr_array_index (list, i));

    tap_note ("  %s", text);
    g_free (text);
  }
}

typedef GPtrArray *(*Play) (const Carrier *carrier, const GArray *arrived, const gchar *form, const gchar *row);

static void
check_loss (const Carrier *carrier, const Source *source, const Loss *loss, Play play_carrier, const gchar *form, const gchar *row,
    const GPtrArray *whole, const gchar *name)
{
  GArray *arrived = g_array_new (FALSE, FALSE, sizeof (guint));
  gboolean sound[N_PICTURES];
  GstClockTimeDiff offset = G_MAXINT64;
  GPtrArray *list;
  guint n_missing, n_wrong;

  loss->channel (carrier, arrived);
  find_sound_units (carrier, arrived, source, sound);
  list = play_carrier (carrier, arrived, form, row);
  n_missing = count_missing (list, whole, source, sound);
  n_wrong = count_silently_wrong (list, whole, &offset);
  if (!tap_check (n_missing == 0 && n_wrong == 0 && list->len <= N_PICTURES && count_noticed (list) > 0,
          "%s, %s: %u of %u pictures are missing or flagged, %u of them should not, %u are wrong without a flag", name, loss->name,
          count_noticed (list), N_PICTURES, n_missing, n_wrong))
    note_list (list);
  g_ptr_array_unref (list);
  g_array_unref (arrived);
}

static void
check_harmless (const Carrier *carrier, const Loss *loss, const gchar *form, const gchar *row, const GPtrArray *whole, const gchar *name)
{
  GArray *arrived = g_array_new (FALSE, FALSE, sizeof (guint));
  GPtrArray *list;

  loss->channel (carrier, arrived);
  list = play_rtp (carrier, arrived, form, row);
  if (!tap_check (are_same (list, whole), "%s, %s", name, loss->name))
    note_list (list);
  g_ptr_array_unref (list);
  g_array_unref (arrived);
}

/* Whether @list is what the file gives directly; times may begin elsewhere */
static gboolean
is_whole (const GPtrArray *list, const GPtrArray *direct)
{
  gboolean same = list->len == N_PICTURES && direct->len == N_PICTURES;

  for (guint i = 0; same && i < list->len; i++) {
    const ListedPicture *picture = g_ptr_array_index (list, i), *expected = g_ptr_array_index (direct, i);

    same = !is_flagged (picture) && g_strcmp0 (picture->md5, expected->md5) == 0;
  }
  return same;
}

static void
check_rtp (const Stream *stream, const Source *source, const gchar *path, const gchar *row, const GPtrArray *direct)
{
  static const gchar *const forms[][2] = {
    { "au", "video/x-h264,stream-format=byte-stream,alignment=au" },
    { "nal", "video/x-h264,stream-format=byte-stream,alignment=nal" },
    { "avc", "video/x-h264,stream-format=avc,alignment=au" },
    { "h264parse", "h264parse ! video/x-h264,stream-format=byte-stream,alignment=nal" },
  };
  GArray *all = g_array_new (FALSE, FALSE, sizeof (guint));
  Carrier carrier;

  carry_by_rtp (&carrier, path);
  send_all (&carrier, all);
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++) {
    GPtrArray *whole = play_rtp (&carrier, all, forms[i][1], row);
    gchar *name = g_strdup_printf ("RTP, %s, %s", stream->name, forms[i][0]);

    if (!tap_check (is_whole (whole, direct), "%s: %u pictures", name, whole->len))
      note_list (whole);
    for (guint k = 0; k < G_N_ELEMENTS (harmless); k++)
      check_harmless (&carrier, &harmless[k], forms[i][1], row, whole, name);
    /* h264parse gives what is left of a picture another time, so it may come out as two */
    for (guint k = 0; k < G_N_ELEMENTS (losses) && !g_str_has_prefix (forms[i][1], "h264parse"); k++)
      check_loss (&carrier, source, &losses[k], play_rtp, forms[i][1], row, whole, name);
    g_free (name);
    g_ptr_array_unref (whole);
  }
  g_array_unref (all);
  carrier_clear (&carrier);
}

/* The continuity counter jumps where a picture begins, and nothing is lost. */
static void
check_continuity (const Carrier *carrier, const gchar *row, const GPtrArray *direct, const gchar *name)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (guint));
  GByteArray *bytes = g_byte_array_new ();
  GPtrArray *list;

  send_all (carrier, all);
  append_packets (bytes, carrier, all);
  for (guint i = find_unit (carrier, 14); i < carrier->packets->len; i++) {
    guint8 *packet = bytes->data + i * TS_PACKET;

    packet[3] = (packet[3] & 0xf0) | ((packet[3] + 5) & 15);
  }
  list = play_ts_bytes (bytes, row);
  if (!tap_check (is_whole (list, direct), "%s, continuity counters jump between two pictures: %u pictures", name, list->len))
    note_list (list);
  g_ptr_array_unref (list);
  g_array_unref (all);
}

/* Behind the stream comes another one, with other times and of another size. */
static void
check_joined (const Carrier *carrier, const Stream *stream, const gchar *folder, const gchar *row, const GPtrArray *direct,
    const gchar *name)
{
  gchar *path = g_build_filename (folder, "other.mkv", NULL);
  gchar *source = g_strdup_printf ("filesrc location=\"%s\" ! matroskademux ! h264parse", path), *error = NULL;
  static const gchar *const offsets[] = { "0", "1000" };

  encode (stream, "128x96", path);
  for (guint i = 0; i < G_N_ELEMENTS (offsets); i++) {
    GPtrArray *other = picture_list_of (source, row, &error), *list;
    GArray *all = g_array_new (FALSE, FALSE, sizeof (guint));
    GByteArray *bytes = g_byte_array_new ();
    Carrier second;
    guint n_right = 0;

    send_all (carrier, all);
    append_packets (bytes, carrier, all);
    carry_by_ts (&second, path, offsets[i]);
    g_array_set_size (all, 0);
    send_all (&second, all);
    append_packets (bytes, &second, all);
    list = play_ts_bytes (bytes, row);
    for (guint k = 0; k < list->len && k < 2 * N_PICTURES; k++) {
      const ListedPicture *picture = g_ptr_array_index (list, k);
      const GPtrArray *part = k < N_PICTURES ? direct : other;

      n_right += !is_flagged (picture) && g_strcmp0 (picture->md5, ((ListedPicture *) g_ptr_array_index (part, k % N_PICTURES))->md5) == 0;
    }
    if (!tap_check (list->len == 2 * N_PICTURES && n_right == 2 * N_PICTURES,
            "%s, another stream behind it, times from %s s: %u pictures, %u right", name, offsets[i], list->len, n_right))
      note_list (list);
    carrier_clear (&second);
    g_array_unref (all);
    g_ptr_array_unref (list);
    g_ptr_array_unref (other);
    g_clear_pointer (&error, g_free);
  }
  g_unlink (path);
  g_free (source);
  g_free (path);
}

static void
check_ts (const Stream *stream, const Source *source, const gchar *path, const gchar *folder, const gchar *row, const GPtrArray *direct)
{
  gchar *name = g_strdup_printf ("TS, %s", stream->name);
  GArray *all = g_array_new (FALSE, FALSE, sizeof (guint));
  GPtrArray *whole;
  Carrier carrier;

  tap_check (carry_by_ts (&carrier, path, "10"), "%s: made", name);
  send_all (&carrier, all);
  whole = play_ts (&carrier, all, NULL, row);
  if (!tap_check (is_whole (whole, direct), "%s: %u pictures", name, whole->len))
    note_list (whole);
  for (guint k = 0; k < G_N_ELEMENTS (losses); k++)
    check_loss (&carrier, source, &losses[k], play_ts, NULL, row, whole, name);
  check_continuity (&carrier, row, direct, name);
  check_joined (&carrier, stream, folder, row, direct, name);
  g_ptr_array_unref (whole);
  g_array_unref (all);
  carrier_clear (&carrier);
  g_free (name);
}

static void
check_stream (const Stream *stream, const gchar *folder, const gchar *row)
{
  gchar *path = g_build_filename (folder, "stream.mkv", NULL);
  gchar *source = g_strdup_printf ("filesrc location=\"%s\" ! matroskademux ! h264parse", path), *error = NULL;
  Source units;

  if (encode (stream, "176x144", path)) {
    GPtrArray *direct = picture_list_of (source, row, &error);

    tap_check (source_read (&units, path) && !error && direct->len == N_PICTURES, "%s: %u pictures", stream->name, direct->len);
    check_rtp (stream, &units, path, row, direct);
    check_ts (stream, &units, path, folder, row, direct);
    g_ptr_array_unref (direct);
    g_free (error);
  } else {
    tap_skip ("there is no ffmpeg with libx264 to make it", "%s", stream->name);
  }
  g_unlink (path);
  g_free (source);
  g_free (path);
}

int
main (int argc, char *argv[])
{
  RowTest test = ROW_TEST_INIT;

  row_test_begin (&test, NULL, &argc, &argv);
  row_test_make_folder (&test);
  for (guint i = 0; i < G_N_ELEMENTS (streams); i++)
    check_stream (&streams[i], test.folder, test.elements);
  return row_test_end (&test);
}
