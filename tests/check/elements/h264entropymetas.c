/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * SEI messages as GStreamer's metas, without a parser before h264entropy: on the right frame, none twice, and none of what is damaged.
 */
#include <gst/check/gstcheck.h>
#include <gst/video/video-sei.h>
#include <gst/video/video.h>

#include "handmade.h"

#define PIC_TIMING 1
#define REGISTERED 4
#define UNREGISTERED 5
#define STEREO 21
#define PACKING 45

static const HandmadeSps one_reordered = { .reorder = 1, .fps = 25 }, no_reordering = { .fps = 25 },
                         interlaced = { .fps = 25, .interlaced = TRUE };

static void
open_with (Handmade *t, const HandmadeSps *sps)
{
  handmade_open (t, 1, TRUE);
  handmade_push_sps (t, sps);
}

/* A caption whose second byte is @tag */
static void
add_caption (GByteArray *data, guint tag)
{
  const guint8 payload[] = { 0xb5, 0, 0x31, 'G', 'A', '9', '4', 3, 0xc1, 0xff, 0xfc, 0x80, (guint8) tag, 0xff };

  handmade_add_message (data, REGISTERED, payload, sizeof (payload));
}

static void
add_afd (GByteArray *data, guint active_format)
{
  const guint8 payload[] = { 0xb5, 0, 0x31, 'D', 'T', 'G', '1', 0x41, (guint8) (0xf0 | active_format) };

  handmade_add_message (data, REGISTERED, payload, sizeof (payload));
}

static void
add_bars (GByteArray *data, guint8 top, guint8 bottom)
{
  const guint8 payload[] = { 0xb5, 0, 0x31, 'G', 'A', '9', '4', 6, 0xcf, 0xc0, top, 0xc0, bottom };

  handmade_add_message (data, REGISTERED, payload, sizeof (payload));
}

static void
add_picture (GByteArray *data, const HandmadePicture *picture)
{
  GByteArray *coded = handmade_picture_data (picture);

  g_byte_array_append (data, coded->data, coded->len);
  g_byte_array_unref (coded);
}

/* A picture with a caption whose tag is its POC, in a buffer without a time */
static GstBuffer *
captioned (const HandmadePicture *picture)
{
  GByteArray *data = g_byte_array_new ();

  add_caption (data, picture->poc);
  add_picture (data, picture);
  return handmade_wrap (data, GST_CLOCK_TIME_NONE);
}

/* The metas of frame @i of kind @api */
static guint
count_metas (const Handmade *t, guint i, GType api)
{
  return gst_buffer_get_n_meta (handmade_output (t, i)->metas, api);
}

/* Frame @i has captions with @tags, as text: a decimal number each, in order. */
static void
check_captions (const Handmade *t, guint i, const gchar *tags)
{
  GString *text = g_string_new (NULL);
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (handmade_output (t, i)->metas, &state, GST_VIDEO_CAPTION_META_API_TYPE))) {
    const GstVideoCaptionMeta *caption = (GstVideoCaptionMeta *) meta;

    fail_unless (caption->caption_type == GST_VIDEO_CAPTION_TYPE_CEA708_RAW && caption->size == 3 && caption->data[0] == 0xfc);
    g_string_append_printf (text, text->len > 0 ? " %u" : "%u", caption->data[2]);
  }
  fail_unless_equals_string (text->str, tags);
  g_string_free (text, TRUE);
}

static const HandmadePicture reordered[] = { { 'D', 0, 0 }, { 'P', 1, 4 }, { 'B', 2, 2, TRUE }, { 'P', 2, 8 }, { 'B', 3, 6, TRUE } };

/* Captions come out with their picture, in another order than they came, whether buffers are access units or NAL units. */
GST_START_TEST (test_reordered)
{
  static const gchar *const tags[] = { "0", "2", "4", "6", "8" };
  Handmade t;

  for (guint nal = 0; nal < 2; nal++) {
    open_with (&t, &one_reordered);
    if (nal)
      gst_harness_set_src_caps_str (t.h, "video/x-h264, stream-format=byte-stream, alignment=nal");
    for (guint i = 0; i < G_N_ELEMENTS (reordered); i++) {
      if (nal) {
        GByteArray *data = g_byte_array_new ();

        add_caption (data, reordered[i].poc);
        handmade_push (&t, handmade_wrap (data, i));
        handmade_push_picture (&t, &reordered[i], i);
      } else {
        handmade_push (&t, captioned (&reordered[i]));
      }
    }
    handmade_finish (&t);
    fail_unless_equals_int (t.output->len, 5);
    for (guint i = 0; i < 5; i++)
      check_captions (&t, i, tags[i]);
    handmade_close (&t);
  }
}

GST_END_TEST;

/* A frame has what both of its fields have, whether they come in one buffer or two; AFD and bars say of which. */
GST_START_TEST (test_fields)
{
  static const HandmadePicture fields[] = { { .type = 'D', .field = 1 }, { .type = 'P', .poc = 1, .field = 2 },
    { .type = 'I', .frame_num = 1, .poc = 2, .field = 1 }, { .type = 'I', .frame_num = 1, .poc = 3, .field = 2 } };
  Handmade t;

  for (guint together = 0; together < 2; together++) {
    GByteArray *data = g_byte_array_new ();

    open_with (&t, &interlaced);
    for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
      add_caption (data, i);
      add_afd (data, 8 + i);
      add_bars (data, (guint8) (10 + i), 40);
      add_picture (data, &fields[i]);
      if (!together || i % 2 == 1) {
        handmade_push (&t, handmade_wrap (data, i));
        data = g_byte_array_new ();
      }
    }
    g_byte_array_unref (data);
    handmade_finish (&t);
    fail_unless_equals_int (t.output->len, 2);
    check_captions (&t, 0, "0 1");
    check_captions (&t, 1, "2 3");
    for (guint i = 0; i < 2; i++) {
      gpointer afd_state = NULL, bar_state = NULL;

      fail_unless_equals_int (count_metas (&t, i, GST_VIDEO_AFD_META_API_TYPE), 2);
      fail_unless_equals_int (count_metas (&t, i, GST_VIDEO_BAR_META_API_TYPE), 2);
      for (guint field = 0; field < 2; field++) {
        GstBuffer *metas = handmade_output (&t, i)->metas;
        const GstVideoAFDMeta *afd = (GstVideoAFDMeta *) gst_buffer_iterate_meta_filtered (metas, &afd_state, GST_VIDEO_AFD_META_API_TYPE);
        const GstVideoBarMeta *bar = (GstVideoBarMeta *) gst_buffer_iterate_meta_filtered (metas, &bar_state, GST_VIDEO_BAR_META_API_TYPE);

        fail_unless (afd->field == field && afd->spec == GST_VIDEO_AFD_SPEC_ATSC_A53 && afd->afd == 8 + 2 * i + field);
        fail_unless (bar->field == field && bar->is_letterbox && bar->bar_data1 == 10 + 2 * i + field && bar->bar_data2 == 40);
      }
    }
    handmade_close (&t);
  }
}

GST_END_TEST;

/* What a parser upstream has made is not made again, kind by kind; the second field's buffer counts, too. */
GST_START_TEST (test_input_has_some)
{
  static const HandmadePicture fields[] = { { .type = 'D', .field = 1 }, { .type = 'P', .poc = 1, .field = 2 } };
  Handmade t;

  open_with (&t, &interlaced);
  for (guint i = 0; i < 2; i++) {
    const guint8 caption[3] = { 0xfc, 0x80, (guint8) (100 + i) };
    GByteArray *data = g_byte_array_new ();
    GstBuffer *buffer;

    add_caption (data, i);
    add_afd (data, 9);
    add_picture (data, &fields[i]);
    buffer = handmade_wrap (data, i);
    gst_buffer_add_video_caption_meta (buffer, GST_VIDEO_CAPTION_TYPE_CEA708_RAW, caption, 3);
    gst_buffer_add_video_region_of_interest_meta (buffer, "face", 1, 2, 3, 4);
    handmade_push (&t, buffer);
  }
  handmade_finish (&t);
  check_captions (&t, 0, "100 101");
  fail_unless_equals_int (count_metas (&t, 0, GST_VIDEO_AFD_META_API_TYPE), 2);
  /* of others, those of the buffer that the frame began in */
  fail_unless_equals_int (count_metas (&t, 0, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE), 1);
  handmade_close (&t);
}

GST_END_TEST;

/* Pictures that are left out, or lost, take what belongs to them along. */
GST_START_TEST (test_lost)
{
  static const HandmadePicture lost = { 'P', 5, 20 }, key = { 'D', 0, 0 }, second = { 'P', 1, 2 }, third = { 'P', 2, 4 },
                               fourth = { 'P', 3, 6 };
  static const guint8 broken_slice[] = { 0, 0, 0, 1, 0x41, 0, 0, 0x80 }, delimiter[] = { 0, 0, 0, 1, 9, 0xf0 };
  GByteArray *data;
  Handmade t;

  open_with (&t, &no_reordering);
  /* before the first key picture */
  handmade_push (&t, captioned (&lost));
  handmade_push_picture (&t, &key, 0);
  /* a slice that cannot be read, alone in its access unit */
  data = g_byte_array_new ();
  add_caption (data, 50);
  g_byte_array_append (data, broken_slice, sizeof (broken_slice));
  handmade_push (&t, handmade_wrap (data, 1));
  handmade_push_picture (&t, &second, 2);
  /* with a good one behind it */
  data = g_byte_array_new ();
  add_caption (data, 51);
  g_byte_array_append (data, broken_slice, sizeof (broken_slice));
  add_picture (data, &third);
  handmade_push (&t, handmade_wrap (data, 3));
  /* nothing but the message came */
  data = g_byte_array_new ();
  add_caption (data, 52);
  g_byte_array_append (data, delimiter, sizeof (delimiter));
  add_caption (data, 53);
  add_picture (data, &fourth);
  handmade_push (&t, handmade_wrap (data, 4));
  handmade_finish (&t);
  fail_unless_equals_int (t.output->len, 4);
  check_captions (&t, 0, "");
  check_captions (&t, 1, "");
  check_captions (&t, 2, "51");
  check_captions (&t, 3, "53");
  handmade_close (&t);
}

GST_END_TEST;

/* What is cut off is left out, and a picture has a limit. */
GST_START_TEST (test_damaged)
{
  static const guint8 too_many[] = { 0xb5, 0, 0x31, 'G', 'A', '9', '4', 3, 0xdf, 0xff, 0xfc, 0x80, 0x80, 0xff };
  static const guint8 uuid_only[16] = { 1 };
  static const HandmadePicture key = { 'D', 0, 0 }, second = { 'P', 1, 2 };
  GByteArray *data = g_byte_array_new ();
  Handmade t;

  open_with (&t, &no_reordering);
  handmade_add_message (data, REGISTERED, too_many, sizeof (too_many));
  handmade_add_message (data, REGISTERED, too_many, 1);
  handmade_add_message (data, UNREGISTERED, uuid_only, 5);
  handmade_add_message (data, UNREGISTERED, uuid_only, 16);
  add_picture (data, &key);
  handmade_push (&t, handmade_wrap (data, 0));
  data = g_byte_array_new ();
  for (guint i = 0; i < 1000; i++)
    add_caption (data, 7);
  add_picture (data, &second);
  handmade_push (&t, handmade_wrap (data, 1));
  handmade_finish (&t);
  fail_unless_equals_int (t.output->len, 2);
  fail_unless_equals_int (count_metas (&t, 0, GST_VIDEO_CAPTION_META_API_TYPE), 0);
  fail_unless_equals_int (count_metas (&t, 0, GST_VIDEO_SEI_USER_DATA_UNREGISTERED_META_API_TYPE), 0);
  fail_unless_equals_int (count_metas (&t, 1, GST_VIDEO_CAPTION_META_API_TYPE), 32);
  handmade_close (&t);
}

GST_END_TEST;

GST_START_TEST (test_unregistered)
{
  static const HandmadePicture key = { 'D', 0, 0 };
  guint8 payload[16 + 300];
  GByteArray *data = g_byte_array_new ();
  GstVideoSEIUserDataUnregisteredMeta *meta;
  Handmade t;

  for (guint i = 0; i < sizeof (payload); i++)
    payload[i] = (guint8) (i % 3);
  open_with (&t, &no_reordering);
  handmade_add_message (data, UNREGISTERED, payload, sizeof (payload));
  handmade_add_message (data, UNREGISTERED, payload, 17);
  add_picture (data, &key);
  handmade_push (&t, handmade_wrap (data, 0));
  handmade_finish (&t);
  fail_unless_equals_int (count_metas (&t, 0, GST_VIDEO_SEI_USER_DATA_UNREGISTERED_META_API_TYPE), 2);
  meta = gst_buffer_get_video_sei_user_data_unregistered_meta (handmade_output (&t, 0)->metas);
  fail_unless (memcmp (meta->uuid, payload, 16) == 0 && meta->size == 300 && memcmp (meta->data, payload + 16, 300) == 0);
  handmade_close (&t);
}

GST_END_TEST;

/* A clock timestamp: hours, minutes, seconds; those below 0 are not there. */
typedef struct
{
  guint ct_type, nuit_field_based_flag, counting_type, n_frames;
  gint hours, minutes, seconds;
} Clock;

static void
put_clock (BitWriter *w, const Clock *clock)
{
  const gboolean full = clock->hours >= 0 && clock->counting_type == 4;

  put_u (w, 1, 1);
  put_u (w, 2, clock->ct_type);
  put_u (w, 1, clock->nuit_field_based_flag);
  put_u (w, 5, clock->counting_type);
  put_u (w, 1, full);
  put_u (w, 2, 0);
  put_u (w, 8, clock->n_frames);
  if (full) {
    put_u (w, 6, (guint) clock->seconds);
    put_u (w, 6, (guint) clock->minutes);
    put_u (w, 5, (guint) clock->hours);
  } else {
    const gint values[] = { clock->seconds, clock->minutes, clock->hours };
    guint i;

    for (i = 0; i < 3 && values[i] >= 0; i++) {
      put_u (w, 1, 1);
      put_u (w, i < 2 ? 6 : 5, (guint) values[i]);
    }
    if (i < 3)
      put_u (w, 1, 0);
  }
  put_u (w, 24, 0x5a5a5a); /* time_offset, of 24 bits without HRD parameters */
}

/* pic_timing () without delays, @n_less bytes shorter than it is */
static void
add_timing (GByteArray *data, guint pic_struct, const Clock *clocks, guint n, guint n_less)
{
  BitWriter w;

  bit_writer_init (&w);
  put_u (&w, 4, pic_struct);
  for (guint i = 0; i < n; i++)
    put_clock (&w, &clocks[i]);
  put_u (&w, 1, 1);
  put_u (&w, (8 - w.n_bits % 8) % 8, 0);
  handmade_add_message (data, PIC_TIMING, w.bytes->data, w.bytes->len - n_less);
  g_byte_array_unref (w.bytes);
}

/* The timecodes of frame @i, as texts with their field_count and flags */
static void
check_time_codes (const Handmade *t, guint i, const gchar *expected)
{
  GString *text = g_string_new (NULL);
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (handmade_output (t, i)->metas, &state, GST_VIDEO_TIME_CODE_META_API_TYPE))) {
    const GstVideoTimeCode *tc = &((GstVideoTimeCodeMeta *) meta)->tc;
    gchar *code = gst_video_time_code_to_string (tc);

    g_string_append_printf (text, "%s%s/%u/%u", text->len > 0 ? " " : "", code, tc->field_count, tc->config.flags);
    g_free (code);
  }
  fail_unless_equals_string (text->str, expected);
  g_string_free (text, TRUE);
}

GST_START_TEST (test_time_codes)
{
  static const HandmadeSps timed = { .fps = 25, .pic_struct = TRUE };
  static const struct
  {
    guint pic_struct;
    Clock clocks[3];
    guint n, n_less;
    const gchar *expected;
  } cases[] = {
    { 0, { { 0, 1, 4, 24, 23, 59, 58 } }, 1, 0, "23:59:58:24/0/0" },
    /* units of half a frame; what is not there is as before */
    { 0, { { 0, 0, 0, 7, -1, -1, -1 } }, 1, 0, "23:59:58:03/0/0" },
    { 0, { { 0, 1, 0, 4, -1, 0, 1 } }, 1, 0, "23:00:01:04/0/0" },
    { 0, { { 0, 1, 0, 4, 1, 2, 3 } }, 1, 0, "01:02:03:04/0/0" },
    /* fields of a frame */
    { 3, { { 1, 1, 0, 5, 1, 2, 3 }, { 1, 1, 0, 5, 1, 2, 3 } }, 2, 0, "01:02:03.05/1/2 01:02:03:05/2/2" },
    { 4, { { 1, 1, 0, 6, 1, 2, 3 }, { 1, 1, 0, 6, -1, -1, -1 } }, 2, 0, "01:02:03:06/2/2 01:02:03.06/1/2" },
    { 5, { { 0, 1, 0, 7, 1, 2, 3 }, { 0, 1, 0, 7, 1, 2, 3 }, { 0, 1, 0, 7, 1, 2, 3 } }, 3, 0,
        "01:02:03:07/1/0 01:02:03:07/2/0 01:02:03:07/1/0" },
    /* a count that 25 frames a second do not have; seconds, minutes, hours out of range */
    { 0, { { 0, 1, 0, 25, 1, 2, 3 } }, 1, 0, "" },
    { 0, { { 0, 1, 0, 1, 1, 2, 60 } }, 1, 0, "" },
    { 0, { { 0, 1, 0, 1, 1, 60, 3 } }, 1, 0, "" },
    { 0, { { 0, 1, 0, 1, 24, 2, 3 } }, 1, 0, "" },
    /* the second one is cut off */
    { 3, { { 1, 1, 0, 9, 1, 2, 3 }, { 1, 1, 0, 9, 1, 2, 3 } }, 2, 4, "01:02:03.09/1/2" },
  };
  Handmade t;

  open_with (&t, &timed);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const HandmadePicture picture = { .type = i > 0 ? 'P' : 'D', .frame_num = i, .poc = 2 * i };
    GByteArray *data = g_byte_array_new ();

    add_timing (data, cases[i].pic_struct, cases[i].clocks, cases[i].n, cases[i].n_less);
    add_picture (data, &picture);
    handmade_push (&t, handmade_wrap (data, i * GST_SECOND / 25));
  }
  handmade_finish (&t);
  fail_unless_equals_int (t.output->len, G_N_ELEMENTS (cases));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check_time_codes (&t, i, cases[i].expected);
  handmade_close (&t);
}

GST_END_TEST;

/* Counts are dropped at 30000/1001 frames a second, which the container says here; a timecode of the input is the only one. */
GST_START_TEST (test_drop_frame)
{
  static const HandmadeSps timed = { .fps = 30, .pic_struct = TRUE };
  static const HandmadePicture key = { 'D', 0, 0 }, second = { 'P', 1, 2 };
  static const Clock clock = { 0, 1, 4, 29, 10, 9, 59 };
  GByteArray *data;
  GstBuffer *buffer;
  Handmade t;

  handmade_open (&t, 1, TRUE);
  gst_harness_set_src_caps_str (t.h, "video/x-h264, stream-format=byte-stream, alignment=au, framerate=30000/1001");
  handmade_push_sps (&t, &timed);
  data = g_byte_array_new ();
  add_timing (data, 0, &clock, 1, 0);
  add_picture (data, &key);
  handmade_push (&t, handmade_wrap (data, 0));
  data = g_byte_array_new ();
  add_timing (data, 0, &clock, 1, 0);
  add_picture (data, &second);
  buffer = handmade_wrap (data, 1);
  gst_buffer_add_video_time_code_meta_full (buffer, 30, 1, NULL, GST_VIDEO_TIME_CODE_FLAGS_NONE, 1, 1, 1, 1, 0);
  handmade_push (&t, buffer);
  handmade_finish (&t);
  check_time_codes (&t, 0, "10:09:59;29/0/1");
  check_time_codes (&t, 1, "01:01:01:01/0/0");
  handmade_close (&t);
}

GST_END_TEST;

/* frame_packing_arrangement () */
static void
add_packing (GByteArray *data, gboolean cancel, guint type, gboolean quincunx, guint content_interpretation_type, guint flipping)
{
  BitWriter w;

  bit_writer_init (&w);
  put_ue (&w, 0);
  put_u (&w, 1, cancel);
  if (!cancel) {
    put_u (&w, 7, type);
    put_u (&w, 1, quincunx);
    put_u (&w, 6, content_interpretation_type);
    put_u (&w, 2, flipping); /* spatial_flipping_flag, frame0_flipped_flag */
    put_u (&w, 4, 0);
    if (!quincunx && type != 5)
      put_u (&w, 16, 0);
    put_u (&w, 8, 0);
    put_ue (&w, 1);
  }
  put_u (&w, 1, 0);
  put_u (&w, 1, 1);
  put_u (&w, (8 - w.n_bits % 8) % 8, 0);
  handmade_add_message (data, PACKING, w.bytes->data, w.bytes->len);
  g_byte_array_unref (w.bytes);
}

static void
check_multiview (Handmade *t, const gchar *mode, guint flags)
{
  GstCaps *caps = gst_pad_get_current_caps (t->h->sinkpad);
  const GstStructure *s = gst_caps_get_structure (caps, 0);
  guint is = 0;

  fail_unless_equals_string (gst_structure_get_string (s, "multiview-mode"), mode);
  if (mode && gst_structure_has_field (s, "multiview-flags"))
    fail_unless (gst_structure_get_flagset (s, "multiview-flags", &is, NULL));
  fail_unless_equals_int (is & ~(guint) GST_VIDEO_MULTIVIEW_FLAGS_HALF_ASPECT, flags);
  gst_caps_unref (caps);
}

#define RIGHT_FIRST GST_VIDEO_MULTIVIEW_FLAGS_RIGHT_VIEW_FIRST

/* Caps follow the messages, wherever they come; what they said last holds. */
GST_START_TEST (test_frame_packing)
{
  static const struct
  {
    guint type;
    gboolean quincunx;
    guint content_interpretation_type, flipping;
    const gchar *mode;
    guint flags;
  } cases[] = {
    { 3, FALSE, 1, 0, "side-by-side", 0 },
    { 3, FALSE, 2, 0, "side-by-side", RIGHT_FIRST },
    { 3, TRUE, 1, 0, "side-by-side-quincunx", 0 },
    { 3, FALSE, 1, 2, "side-by-side", GST_VIDEO_MULTIVIEW_FLAGS_RIGHT_FLOPPED },
    { 3, FALSE, 2, 2, "side-by-side", RIGHT_FIRST | GST_VIDEO_MULTIVIEW_FLAGS_LEFT_FLOPPED },
    { 4, FALSE, 1, 3, "top-bottom", GST_VIDEO_MULTIVIEW_FLAGS_LEFT_FLIPPED },
    { 4, FALSE, 2, 3, "top-bottom", RIGHT_FIRST | GST_VIDEO_MULTIVIEW_FLAGS_RIGHT_FLIPPED },
    { 0, FALSE, 1, 0, "checkerboard", 0 },
    { 1, FALSE, 1, 0, "column-interleaved", 0 },
    { 2, FALSE, 1, 0, "row-interleaved", 0 },
    { 5, FALSE, 1, 0, "frame-by-frame", 0 },
    { 5, FALSE, 0, 0, "multiview-frame-by-frame", 0 },
  };
  static const guint8 stereo[] = { 0xa0 }; /* field_views_flag 1, top_field_is_left_view_flag 0 */
  HandmadePicture picture = { .type = 'D' };
  Handmade t;

  open_with (&t, &no_reordering);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GByteArray *data = g_byte_array_new ();

    add_packing (data, FALSE, cases[i].type, cases[i].quincunx, cases[i].content_interpretation_type, cases[i].flipping);
    add_picture (data, &picture);
    handmade_push (&t, handmade_wrap (data, i));
    check_multiview (&t, cases[i].mode, cases[i].flags);
    picture = (HandmadePicture){ .type = 'P', .frame_num = i + 1, .poc = 2 * i + 2 };
  }
  handmade_push_picture (&t, &picture, 100);
  check_multiview (&t, "multiview-frame-by-frame", 0);
  for (guint i = 0; i < 2; i++) {
    GByteArray *data = g_byte_array_new ();

    if (i == 0)
      add_packing (data, TRUE, 0, FALSE, 0, 0);
    else
      handmade_add_message (data, STEREO, stereo, sizeof (stereo));
    picture.frame_num++;
    picture.poc += 2;
    add_picture (data, &picture);
    handmade_push (&t, handmade_wrap (data, 101 + i));
    check_multiview (&t, i == 0 ? NULL : "row-interleaved", i == 0 ? 0 : RIGHT_FIRST);
  }
  handmade_finish (&t);
  fail_unless_equals_int (t.output->len, G_N_ELEMENTS (cases) + 3);
  for (guint i = 0; i < t.output->len; i++)
    fail_if (handmade_is_corrupted (&t, i));
  handmade_close (&t);
}

GST_END_TEST;

/* What upstream says of the views wins. */
GST_START_TEST (test_upstream_multiview)
{
  static const HandmadePicture key = { 'D', 0, 0 };
  GByteArray *data = g_byte_array_new ();
  Handmade t;

  handmade_open (&t, 1, TRUE);
  gst_harness_set_src_caps_str (t.h, "video/x-h264, stream-format=byte-stream, alignment=au, multiview-mode=(string)top-bottom");
  handmade_push_sps (&t, &no_reordering);
  add_packing (data, FALSE, 3, FALSE, 2, 0);
  add_picture (data, &key);
  handmade_push (&t, handmade_wrap (data, 0));
  check_multiview (&t, "top-bottom", 0);
  handmade_finish (&t);
  handmade_close (&t);
}

GST_END_TEST;

/* What the messages of one stream said does not hold for the next one. */
GST_START_TEST (test_next_stream)
{
  static const HandmadePicture key = { 'D', 0, 0 };
  GByteArray *data = g_byte_array_new ();
  Handmade t;

  open_with (&t, &no_reordering);
  add_packing (data, FALSE, 3, FALSE, 1, 0);
  add_picture (data, &key);
  handmade_push (&t, handmade_wrap (data, 0));
  check_multiview (&t, "side-by-side", 0);
  gst_harness_set_src_caps_str (t.h, "video/x-h264, stream-format=byte-stream, alignment=au, framerate=50/1");
  handmade_push_picture (&t, &key, 1);
  check_multiview (&t, NULL, 0);
  handmade_finish (&t);
  fail_unless_equals_int (t.output->len, 2);
  handmade_close (&t);
}

GST_END_TEST;

static Suite *
h264entropymetas_suite (void)
{
  Suite *s = suite_create ("h264entropymetas");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_reordered);
  tcase_add_test (tc, test_fields);
  tcase_add_test (tc, test_input_has_some);
  tcase_add_test (tc, test_lost);
  tcase_add_test (tc, test_damaged);
  tcase_add_test (tc, test_unregistered);
  tcase_add_test (tc, test_time_codes);
  tcase_add_test (tc, test_drop_frame);
  tcase_add_test (tc, test_frame_packing);
  tcase_add_test (tc, test_upstream_multiview);
  tcase_add_test (tc, test_next_stream);
  return s;
}

GST_CHECK_MAIN (h264entropymetas);
