/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * h264entropy between test pads: what goes in, in every form; caps, records, messages and events that come out.
 */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <string.h>
#include <sys/resource.h>
#include "codedrecords.h"
#include "h264nal.h"
#include "h264sps.h"
#include "h264writer.h"

typedef struct
{
  GstHarness *h;
  GstBus *bus;
} Test;

static void
test_open (Test *t, guint n_threads, const gchar *caps)
{
  GstElement *element = gst_element_factory_make ("h264entropy", NULL);

  fail_unless (element != NULL, "the plugin is not in GST_PLUGIN_PATH");
  t->bus = gst_bus_new ();
  gst_element_set_bus (element, t->bus);
  g_object_set (element, "n-threads", n_threads, NULL);
  t->h = gst_harness_new_with_element (element, "sink", "src");
  gst_object_unref (element);
  if (caps)
    gst_harness_set_src_caps_str (t->h, caps);
}

static void
test_close (Test *t)
{
  gst_element_set_bus (t->h->element, NULL);
  gst_harness_teardown (t->h);
  gst_object_unref (t->bus);
}

#define BYTE_STREAM "video/x-h264, stream-format=byte-stream, alignment="

static guint
count_messages (Test *t, GstMessageType type, const gchar *text)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (t->bus, type))) {
    GError *error = NULL;

    if (type == GST_MESSAGE_ERROR)
      gst_message_parse_error (message, &error, NULL);
    else
      gst_message_parse_warning (message, &error, NULL);
    fail_unless (!text || strstr (error->message, text), "message is: %s", error->message);
    g_error_free (error);
    gst_message_unref (message);
    n++;
  }
  return n;
}

/* Nothing was wrong. */
static void
test_close_clean (Test *t)
{
  fail_unless_equals_int (count_messages (t, GST_MESSAGE_ERROR, NULL), 0);
  fail_unless_equals_int (count_messages (t, GST_MESSAGE_WARNING, NULL), 0);
  test_close (t);
}

/* Annex B */
static void
append_unit (GByteArray *stream, const guint8 *data, gsize size)
{
  static const guint8 start_code[4] = { 0, 0, 0, 1 };

  g_byte_array_append (stream, start_code, 4);
  g_byte_array_append (stream, data, size);
}

static void
take_unit (GByteArray *stream, GByteArray *unit)
{
  append_unit (stream, unit->data, unit->len);
  g_byte_array_unref (unit);
}

static GByteArray *
parameter_sets (const SpsValues *sps, const PpsValues *pps)
{
  GByteArray *stream = g_byte_array_new ();

  take_unit (stream, make_sps (sps));
  take_unit (stream, make_pps (pps));
  return stream;
}

/* A slice header of a frame, up to slice_data (); default_sps, no deblocking control */
static void
put_slice_header (BitWriter *w, guint slice_type, guint first_mb, guint pps_id, guint idr_pic_id, gint slice_qp_delta)
{
  bit_writer_init (w);
  put_ue (w, first_mb);
  put_ue (w, slice_type);
  put_ue (w, pps_id);
  put_u (w, 4, 0); /* frame_num */
  put_ue (w, idr_pic_id);
  put_u (w, 8, 0); /* pic_order_cnt_lsb */
  put_u (w, 2, 0); /* dec_ref_pic_marking () */
  put_se (w, slice_qp_delta);
}

/* Intra_16x16, predicted from the mean, nothing coded */
static void
put_plain_macroblock (BitWriter *w)
{
  put_ue (w, 3);   /* I_16x16_2_0_0 */
  put_ue (w, 0);   /* intra_chroma_pred_mode */
  put_se (w, 0);   /* mb_qp_delta */
  put_u (w, 1, 1); /* coeff_token */
}

static void
take_slice (GByteArray *stream, guint first_mb, guint n_mbs, guint pps_id, guint idr_pic_id)
{
  BitWriter w;

  put_slice_header (&w, 7, first_mb, pps_id, idr_pic_id, 0);
  while (n_mbs-- > 0)
    put_plain_macroblock (&w);
  take_unit (stream, bit_writer_to_nal (&w, 3, H264_NAL_IDR_SLICE));
}

/* Pushes @stream as a buffer; frees it. */
static GstFlowReturn
push (Test *t, GByteArray *stream, GstClockTime pts)
{
  const gsize size = stream->len;
  GstBuffer *buffer = gst_buffer_new_wrapped (g_byte_array_free (stream, FALSE), size);

  GST_BUFFER_PTS (buffer) = pts;
  return gst_harness_push (t->h, buffer);
}

static GstCodedFormat
current_format (Test *t)
{
  GstCaps *caps = gst_pad_get_current_caps (t->h->sinkpad);
  GstCodedFormat format;

  fail_unless (caps && gst_coded_format_from_caps (&format, caps));
  gst_caps_unref (caps);
  return format;
}

static gboolean
is_corrupted (GstBuffer *buffer)
{
  return (gst_buffer_get_coded_picture (buffer)->store->buffer_flags & GST_BUFFER_FLAG_CORRUPTED) != 0;
}

/* The next picture must be there; checks its records. */
static GstBuffer *
pull (Test *t)
{
  GstBuffer *buffer = gst_harness_try_pull (t->h);

  fail_unless (buffer != NULL, "a picture is missing");
  g_free (coded_records_check (buffer));
  return buffer;
}

static void
put_vui (BitWriter *w)
{
  put_u (w, 1, 1);
  put_u (w, 8, 255); /* Extended_SAR */
  put_u (w, 16, 40);
  put_u (w, 16, 33);
  put_u (w, 1, 0); /* overscan_info_present_flag */
  put_u (w, 1, 1);
  put_u (w, 3, 5);
  put_u (w, 1, 1); /* video_full_range_flag */
  put_u (w, 1, 1);
  put_u (w, 8, 1); /* BT.709 thrice */
  put_u (w, 8, 1);
  put_u (w, 8, 1);
  put_u (w, 1, 1);
  put_ue (w, 2); /* chroma_sample_loc_type: co-sited */
  put_ue (w, 2);
  put_u (w, 1, 1);
  put_u (w, 32, 1001);
  put_u (w, 32, 60000);
  put_u (w, 1, 1);
  put_u (w, 2, 0); /* no HRD */
  put_u (w, 1, 0);
  put_u (w, 1, 0); /* bitstream_restriction_flag */
}

static GstCodedFormat
format_of (const SpsValues *sps, const gchar *caps)
{
  const PpsValues pps = { 0 };
  GByteArray *stream = parameter_sets (sps, &pps);
  GstCodedFormat format;
  Test t;

  test_open (&t, 1, caps);
  take_slice (stream, 0, sps->width_in_mbs * sps->height_in_map_units, 0, 0);
  fail_unless_equals_int (push (&t, stream, 0), GST_FLOW_OK);
  gst_buffer_unref (pull (&t));
  format = current_format (&t);
  test_close_clean (&t);
  return format;
}

GST_START_TEST (test_caps)
{
  SpsValues sps = default_sps;
  GstVideoColorimetry bt709;
  GstCodedFormat format;

  sps.put_vui = put_vui;
  sps.crop[0] = 3;
  sps.crop[1] = 1;
  sps.crop[2] = 2;
  sps.crop[3] = 4;
  format = format_of (&sps, BYTE_STREAM "au");
  fail_unless_equals_int (format.coded_width, 64);
  fail_unless_equals_int (format.coded_height, 48);
  fail_unless_equals_int (format.width, 64 - 2 * 4);
  fail_unless_equals_int (format.height, 48 - 2 * 6);
  fail_unless_equals_int (format.crop_x, 6);
  fail_unless_equals_int (format.crop_y, 4);
  fail_unless_equals_int (format.chroma_format_idc, 1);
  fail_unless_equals_int (format.bit_depth_luma, 8);
  fail_unless (format.par_n == 40 && format.par_d == 33);
  fail_unless (format.fps_n == 30000 && format.fps_d == 1001);
  fail_unless_equals_int (format.chroma_site, GST_VIDEO_CHROMA_SITE_COSITED);
  fail_unless_equals_int (format.interlace_mode, GST_VIDEO_INTERLACE_MODE_PROGRESSIVE);
  gst_video_colorimetry_from_string (&bt709, GST_VIDEO_COLORIMETRY_BT709);
  bt709.range = GST_VIDEO_COLOR_RANGE_0_255;
  fail_unless (gst_video_colorimetry_is_equal (&format.colorimetry, &bt709));
  fail_unless (format.n_surfaces >= 2);

  /* the container knows better */
  format = format_of (&sps, BYTE_STREAM "au, framerate=25/1, pixel-aspect-ratio=2/1");
  fail_unless (format.fps_n == 25 && format.fps_d == 1);
  fail_unless (format.par_n == 2 && format.par_d == 1);
  sps.put_vui = NULL;
  format = format_of (&sps, BYTE_STREAM "nal, pixel-aspect-ratio=2/1");
  fail_unless (format.par_n == 2 && format.par_d == 1);
  fail_unless_equals_int (format.fps_n, 0);
  fail_unless_equals_int (format.colorimetry.matrix, GST_VIDEO_COLOR_MATRIX_UNKNOWN);
  /* where the stream says nothing, it is sited at the left */
  fail_unless_equals_int (format.chroma_site, GST_VIDEO_CHROMA_SITE_MPEG2);
  sps.profile_idc = 122;
  sps.chroma_format_idc = 2;
  format = format_of (&sps, BYTE_STREAM "nal");
  fail_unless_equals_int (format.chroma_site, GST_VIDEO_CHROMA_SITE_MPEG2);
}

GST_END_TEST;

/* Two macroblocks: Intra_16x16 with a DC level, and I_PCM */
GST_START_TEST (test_records)
{
  SpsValues sps = default_sps;
  const PpsValues pps = { .pic_init_qp_minus26 = 2, .deblocking_control = 1 };
  GByteArray *stream;
  GstBuffer *buffer;
  GstGpuSlice *slices;
  GstGpuMb *mbs;
  guint n;
  BitWriter w;
  Test t;

  sps.width_in_mbs = 2;
  sps.height_in_map_units = 1;
  stream = parameter_sets (&sps, &pps);
  put_slice_header (&w, 7, 0, 0, 0, 0);
  put_ue (&w, 2); /* disable_deblocking_filter_idc */
  put_se (&w, -3);
  put_se (&w, 2);
  put_ue (&w, 3);
  put_ue (&w, 0);
  put_se (&w, -4);  /* QPY 24 */
  put_u (&w, 2, 1); /* coeff_token: one trailing one, */
  put_u (&w, 1, 1); /* negative, */
  put_u (&w, 1, 1); /* no zeros before it */
  put_ue (&w, 25);  /* I_PCM */
  put_u (&w, 7 - (w.n_bits + 7) % 8, 0);
  for (guint i = 0; i < 384; i++)
    put_u (&w, 8, i & 0xff);
  take_unit (stream, bit_writer_to_nal (&w, 3, H264_NAL_IDR_SLICE));

  test_open (&t, 1, BYTE_STREAM "au");
  fail_unless_equals_int (push (&t, stream, 7 * GST_SECOND), GST_FLOW_OK);
  buffer = pull (&t);
  fail_unless_equals_uint64 (GST_BUFFER_PTS (buffer), 7 * GST_SECOND);
  fail_unless_equals_int (gst_buffer_get_coded_picture (buffer)->pending & (GST_CODED_STAGE_INTRAPRED | GST_CODED_STAGE_DEBLOCK),
      GST_CODED_STAGE_INTRAPRED | GST_CODED_STAGE_DEBLOCK);
  fail_unless_equals_uint64 (gst_buffer_get_coeff_meta (buffer)->n_blocks, 2);
  fail_unless_equals_uint64 (gst_buffer_get_coeff_meta (buffer)->coded_bytes, 32 + 384);
  slices = coded_records_get_slices (buffer, &n);
  fail_unless_equals_int (n, 1);
  fail_unless (slices[0].first_mb == 0 && slices[0].n_mbs == 2 && slices[0].slice_type == GST_GPU_SLICE_I);
  fail_unless_equals_int (slices[0].disable_deblocking_filter_idc, 2);
  fail_unless (slices[0].filter_offset_a == -6 && slices[0].filter_offset_b == 4);
  fail_unless (slices[0].weight_scale_4x4[0][0] == 16 && slices[0].weight_scale_8x8[5][63] == 16);
  mbs = coded_records_get_mbs (buffer, 0, &n);
  fail_unless_equals_int (n, 2);
  fail_unless (mbs[0].mb_class == GST_GPU_MB_I16x16 && mbs[0].intra_modes[0] == 2 && mbs[0].dc_coded == 1 && mbs[0].nonzero == 0);
  fail_unless (mbs[0].available == 0 && mbs[0].filter == GST_GPU_FILTER_INTERNAL);
  fail_unless (mbs[0].qp_scaled[0] == 24 && mbs[0].qp_filter[0] == 24 && mbs[0].qp_scaled[1] == 24);
  fail_unless (mbs[1].mb_class == GST_GPU_MB_IPCM && mbs[1].qp_filter[0] == 0 && mbs[1].nonzero == 0xffff);
  fail_unless (mbs[1].filter == (GST_GPU_FILTER_INTERNAL | GST_GPU_FILTER_LEFT));
  g_free (slices);
  g_free (mbs);
  gst_buffer_unref (buffer);
  test_close_clean (&t);
}

GST_END_TEST;

/* All pictures have the same size; pictures come in the order of their data. */
GST_START_TEST (test_parameter_sets_change)
{
  static const gint qp[4] = { 26, 31, 40, 31 };
  SpsValues sps = default_sps;
  PpsValues pps = { 0 };
  GByteArray *stream = parameter_sets (&sps, &pps);
  GstBuffer *buffer;
  Test t;

  /* PPS 1 beside PPS 0, then another PPS 0, each without a slice's knowledge of it before */
  pps = (PpsValues){ .id = 1, .pic_init_qp_minus26 = 5 };
  take_unit (stream, make_pps (&pps));
  take_slice (stream, 0, 12, 0, 0);
  take_slice (stream, 0, 12, 1, 1);
  pps = (PpsValues){ .pic_init_qp_minus26 = 14 };
  take_unit (stream, make_pps (&pps));
  take_slice (stream, 0, 12, 0, 2);
  take_slice (stream, 0, 12, 1, 3);
  test_open (&t, 2, BYTE_STREAM "nal");
  fail_unless_equals_int (push (&t, stream, 0), GST_FLOW_OK);
  fail_unless (gst_harness_push_event (t.h, gst_event_new_eos ()));
  for (guint i = 0; i < 4; i++) {
    GstGpuMb *mbs;
    guint n;

    buffer = pull (&t);
    mbs = coded_records_get_mbs (buffer, 0, &n);
    fail_unless_equals_int (mbs[n - 1].qp_scaled[0], qp[i]);
    g_free (mbs);
    gst_buffer_unref (buffer);
  }
  fail_unless (!gst_harness_try_pull (t.h));
  test_close_clean (&t);
}

GST_END_TEST;

GST_START_TEST (test_new_sps)
{
  SpsValues sps = default_sps;
  const PpsValues pps = { 0 };
  GByteArray *stream = parameter_sets (&sps, &pps);
  Test t;

  take_slice (stream, 0, 12, 0, 0);
  test_open (&t, 2, BYTE_STREAM "au");
  fail_unless_equals_int (push (&t, stream, 0), GST_FLOW_OK);
  sps.width_in_mbs = 5;
  stream = parameter_sets (&sps, &pps);
  take_slice (stream, 0, 15, 0, 1);
  fail_unless_equals_int (push (&t, stream, 1), GST_FLOW_OK);
  fail_unless (gst_harness_push_event (t.h, gst_event_new_eos ()));
  for (guint width = 4; width < 6; width++) {
    GstBuffer *buffer = pull (&t);

    fail_unless_equals_int (gst_buffer_get_coded_picture (buffer)->params[0].width_in_mbs, width);
    gst_buffer_unref (buffer);
  }
  fail_unless_equals_int (current_format (&t).coded_width, 80);
  test_close_clean (&t);
}

GST_END_TEST;

/* The slices of a picture in buffers of their own: the picture has the time of the first. */
GST_START_TEST (test_slices_in_buffers)
{
  const PpsValues pps = { 0 };
  GstBuffer *buffer;
  GstGpuSlice *slices;
  GstGpuMb *mbs;
  guint n;
  Test t;

  test_open (&t, 1, BYTE_STREAM "nal");
  fail_unless_equals_int (push (&t, parameter_sets (&default_sps, &pps), GST_CLOCK_TIME_NONE), GST_FLOW_OK);
  for (guint i = 0; i < 3; i++) {
    GByteArray *stream = g_byte_array_new ();

    fail_unless_equals_int (gst_harness_buffers_in_queue (t.h), 0);
    take_slice (stream, 4 * i, 4, 0, 0);
    fail_unless_equals_int (push (&t, stream, 5 + i), GST_FLOW_OK);
  }
  /* nothing more is needed to know that it is complete */
  buffer = pull (&t);
  fail_unless_equals_uint64 (GST_BUFFER_PTS (buffer), 5);
  fail_if (is_corrupted (buffer));
  slices = coded_records_get_slices (buffer, &n);
  fail_unless_equals_int (n, 3);
  fail_unless (slices[2].first_mb == 8 && slices[2].n_mbs == 4);
  mbs = coded_records_get_mbs (buffer, 0, &n);
  fail_unless (mbs[4].slice == 1 && !(mbs[4].available & GST_GPU_AVAILABLE_B) && (mbs[4].filter & GST_GPU_FILTER_TOP));
  g_free (slices);
  g_free (mbs);
  gst_buffer_unref (buffer);
  test_close_clean (&t);
}

GST_END_TEST;

/* Times that this thread has gone to sleep to wait for something */
static glong
count_waits (void)
{
  struct rusage usage;

  fail_unless_equals_int (getrusage (RUSAGE_THREAD, &usage), 0);
  return usage.ru_nvcsw;
}

/* Pushes @n pictures of one slice, with nothing between them, from @pts on; gives how often that waited for something. */
static glong
push_pictures (Test *t, guint n, guint n_mbs, GstClockTime pts)
{
  GPtrArray *pictures = g_ptr_array_new ();
  glong waits;

  for (guint i = 0; i < n; i++) {
    g_ptr_array_add (pictures, g_byte_array_new ());
    take_slice (g_ptr_array_index (pictures, i), 0, n_mbs, 0, i & 1);
  }
  waits = count_waits ();
  for (guint i = 0; i < n; i++)
    fail_unless_equals_int (push (t, g_ptr_array_index (pictures, i), pts + i), GST_FLOW_OK);
  waits = count_waits () - waits;
  g_ptr_array_unref (pictures);
  return waits;
}

/* Whoever pushes pictures does not wait for one to be decoded before the next is begun. */
GST_START_TEST (test_pictures_decode_at_once)
{
  enum
  {
    N = 12
  };
  const PpsValues pps = { 0 };
  SpsValues sps = default_sps;
  glong waits;
  Test t;

  sps.width_in_mbs = 120;
  sps.height_in_map_units = 68;
  /* one thread for each, so that none has to be finished before another can be begun; that they start is waited for, once */
  g_thread_pool_set_max_unused_threads (N);
  test_open (&t, N, NULL);
  gst_harness_set_live (t.h, FALSE);
  gst_harness_set_src_caps_str (t.h, BYTE_STREAM "au");
  fail_unless_equals_int (push (&t, parameter_sets (&sps, &pps), 0), GST_FLOW_OK);
  push_pictures (&t, N, 120 * 68, 0);
  fail_unless (gst_harness_push_event (t.h, gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM, gst_structure_new_empty ("drain"))));
  waits = push_pictures (&t, N, 120 * 68, N);
  /* a lock may be held by another now and then */
  fail_unless (waits < N / 2, "%ld waits", waits);
  fail_unless (gst_harness_push_event (t.h, gst_event_new_eos ()));
  for (guint i = 0; i < 2 * N; i++) {
    GstBuffer *buffer = gst_harness_pull (t.h);

    fail_unless_equals_uint64 (GST_BUFFER_PTS (buffer), i);
    fail_if (is_corrupted (buffer));
    gst_buffer_unref (buffer);
  }
  test_close_clean (&t);
}

GST_END_TEST;

/* A slice that ends early, one that does not come */
GST_START_TEST (test_damage)
{
  const PpsValues pps = { 0 };

  for (guint damage = 0; damage < 2; damage++) {
    GByteArray *stream = parameter_sets (&default_sps, &pps);
    GstBuffer *buffer;
    GstGpuMb *mbs;
    guint n;
    Test t;

    take_slice (stream, 0, 4, 0, 0);
    take_slice (stream, 4, damage == 0 ? 3 : 4, 0, 0);
    if (damage == 0)
      take_slice (stream, 8, 4, 0, 0);
    take_slice (stream, 0, 12, 0, 1);
    test_open (&t, 1, BYTE_STREAM "au");
    fail_unless_equals_int (push (&t, stream, 0), GST_FLOW_OK);
    buffer = pull (&t);
    fail_unless (is_corrupted (buffer));
    /* what is missing has records all the same */
    mbs = coded_records_get_mbs (buffer, 0, &n);
    fail_unless (mbs[7 + 4 * damage].mb_class == GST_GPU_MB_I16x16 && mbs[7 + 4 * damage].filter == 0);
    g_free (mbs);
    gst_buffer_unref (buffer);
    fail_unless_equals_int (count_messages (&t, GST_MESSAGE_WARNING, "damaged"), 1);
    buffer = pull (&t);
    fail_if (is_corrupted (buffer));
    gst_buffer_unref (buffer);
    test_close_clean (&t);
  }
}

GST_END_TEST;

/* A slice that goes on behind the beginning of the next ends there, whether the next one is known by then or not. */
GST_START_TEST (test_slice_runs_on)
{
  const PpsValues pps = { 0 };

  for (guint way = 0; way < 4; way++) {
    const gboolean nal = way % 2;
    GByteArray *stream = parameter_sets (&default_sps, &pps);
    GstBuffer *buffer;
    GstGpuMb *mbs;
    guint n;
    Test t;

    test_open (&t, way < 2 ? 1 : 4, nal ? BYTE_STREAM "nal" : BYTE_STREAM "au");
    for (guint i = 0; i < 3; i++) {
      /* the first slice has the macroblocks of the second too */
      take_slice (stream, 4 * i, i == 0 ? 8 : 4, 0, 0);
      if (!nal && i < 2)
        continue;
      fail_unless_equals_int (push (&t, stream, 0), GST_FLOW_OK);
      stream = i < 2 ? g_byte_array_new () : NULL;
    }
    fail_unless (gst_harness_push_event (t.h, gst_event_new_eos ()));
    buffer = pull (&t);
    fail_unless (is_corrupted (buffer));
    mbs = coded_records_get_mbs (buffer, 0, &n);
    for (guint i = 0; i < n; i++)
      fail_unless_equals_int (mbs[i].slice, i / 4);
    g_free (mbs);
    gst_buffer_unref (buffer);
    fail_unless (!gst_harness_try_pull (t.h));
    fail_unless_equals_int (count_messages (&t, GST_MESSAGE_WARNING, "damaged"), 1);
    test_close_clean (&t);
  }
}

GST_END_TEST;

GST_START_TEST (test_eos_without_pictures)
{
  const PpsValues pps = { 0 };

  for (guint i = 0; i < 3; i++) {
    GByteArray *stream = i == 2 ? g_byte_array_new () : parameter_sets (&default_sps, &pps);
    Test t;

    test_open (&t, 1, BYTE_STREAM "au");
    /* no slice; a slice of a PPS that is not there; nothing but zeros */
    if (i == 1)
      take_slice (stream, 0, 12, 3, 0);
    if (i == 2)
      g_byte_array_append (stream, (const guint8 *) "\0\0\0\0\0\0\0\0\0\0", 10);
    fail_unless_equals_int (push (&t, stream, 0), GST_FLOW_OK);
    fail_unless_equals_int (count_messages (&t, GST_MESSAGE_ERROR, NULL), 0);
    gst_harness_push_event (t.h, gst_event_new_eos ());
    fail_unless_equals_int (count_messages (&t, GST_MESSAGE_ERROR, "No picture"), 1);
    fail_unless (!gst_harness_try_pull (t.h));
    test_close (&t);
  }
}

GST_END_TEST;

/* The error names @feature, and @detail how it shows. */
static void
check_refused (const SpsValues *sps, BitWriter *slice, guint nal_unit_type, const gchar *feature, const gchar *detail)
{
  const PpsValues pps = { 0 };
  GByteArray *stream = parameter_sets (sps, &pps);
  GError *error = NULL;
  GstMessage *message;
  gchar *debug;
  Test t;

  take_unit (stream, bit_writer_to_nal (slice, 3, nal_unit_type));
  test_open (&t, 1, BYTE_STREAM "au");
  fail_unless_equals_int (push (&t, stream, 0), GST_FLOW_ERROR);
  message = gst_bus_pop_filtered (t.bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, &debug);
  fail_unless (g_error_matches (error, GST_STREAM_ERROR, GST_STREAM_ERROR_NOT_IMPLEMENTED));
  fail_unless (strstr (error->message, feature) != NULL, "%s", error->message);
  fail_unless (strstr (debug, detail) != NULL, "%s", debug);
  g_error_free (error);
  g_free (debug);
  gst_message_unref (message);
  /* and nothing else is said of it */
  gst_harness_push_event (t.h, gst_event_new_eos ());
  test_close_clean (&t);
}

GST_START_TEST (test_refused)
{
  SpsValues sps = default_sps;
  BitWriter w;

  sps.profile_idc = H264_PROFILE_EXTENDED;
  put_slice_header (&w, 7, 0, 0, 0, 0);
  put_plain_macroblock (&w);
  check_refused (&sps, &w, H264_NAL_PARTITION_A, "data partitioning", "types 2 to 4");
  put_slice_header (&w, 9, 0, 0, 0, 0);
  put_se (&w, 0); /* slice_qs_delta */
  check_refused (&sps, &w, H264_NAL_IDR_SLICE, "SP and SI slices", "types I, P and B");
}

GST_END_TEST;

/* In other profiles it is damage: a bit that was flipped ends nothing. */
GST_START_TEST (test_extended_in_other_profile)
{
  static const guint types[] = { H264_NAL_PARTITION_A, H264_NAL_IDR_SLICE };
  const PpsValues pps = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    GByteArray *stream = parameter_sets (&default_sps, &pps);
    BitWriter w;
    Test t;

    test_open (&t, 1, BYTE_STREAM "au");
    put_slice_header (&w, i == 0 ? 7 : 9, 0, 0, 0, 0);
    put_plain_macroblock (&w);
    take_unit (stream, bit_writer_to_nal (&w, 3, types[i]));
    take_slice (stream, 0, 12, 0, 0);
    fail_unless_equals_int (push (&t, stream, 0), GST_FLOW_OK);
    gst_harness_push_event (t.h, gst_event_new_eos ());
    gst_buffer_unref (pull (&t));
    fail_unless_equals_int (count_messages (&t, GST_MESSAGE_WARNING, "the profile does not have"), 1);
    test_close_clean (&t);
  }
}

GST_END_TEST;

/* What came before something that is refused comes out, whatever the number of threads. */
GST_START_TEST (test_refused_later)
{
  const PpsValues pps = { 0 };

  for (guint n_threads = 1; n_threads < 6; n_threads += 2) {
    SpsValues sps = default_sps;
    GByteArray *stream;
    BitWriter w;
    Test t;

    sps.profile_idc = H264_PROFILE_EXTENDED;
    stream = parameter_sets (&sps, &pps);
    test_open (&t, n_threads, NULL);
    gst_harness_set_live (t.h, FALSE);
    gst_harness_set_src_caps_str (t.h, BYTE_STREAM "au");
    take_slice (stream, 0, 12, 0, 0);
    take_slice (stream, 0, 12, 0, 1);
    put_slice_header (&w, 7, 0, 0, 0, 0);
    take_unit (stream, bit_writer_to_nal (&w, 3, H264_NAL_PARTITION_A));
    fail_unless_equals_int (push (&t, stream, 0), GST_FLOW_ERROR);
    gst_buffer_unref (pull (&t));
    gst_buffer_unref (pull (&t));
    fail_unless_equals_int (count_messages (&t, GST_MESSAGE_ERROR, "data partitioning"), 1);
    test_close (&t);
  }
}

GST_END_TEST;

/* Views, layers and auxiliary pictures beside the picture: said once, and no harm to it */
GST_START_TEST (test_left_out)
{
  static const guint8 view[] = { 0x74, 0x40, 0, 0x07, 0x88 }, layer[] = { 0x74, 0xc0, 0, 0x07, 0x88 }, alpha[] = { 0x73, 0x88 };
  static const guint8 depth[] = { 0x75, 0x40, 0, 0x07, 0x88 };
  static const struct
  {
    const guint8 *unit;
    gsize size;
    const gchar *text;
  } units[] = {
    { view, sizeof (view), "further views (MVC" },
    { layer, sizeof (layer), "enhancement layers (SVC" },
    { alpha, sizeof (alpha), "auxiliary pictures" },
    { depth, sizeof (depth), "depth" },
  };
  const PpsValues pps = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++) {
    GByteArray *stream = parameter_sets (&default_sps, &pps);
    GstMessage *message;
    GError *error = NULL;
    GstBuffer *buffer;
    Test t;

    for (guint idr_pic_id = 0; idr_pic_id < 2; idr_pic_id++) {
      take_slice (stream, 0, 12, 0, idr_pic_id);
      append_unit (stream, units[i].unit, units[i].size);
    }
    test_open (&t, 1, BYTE_STREAM "au");
    fail_unless_equals_int (push (&t, stream, 0), GST_FLOW_OK);
    fail_unless (gst_harness_push_event (t.h, gst_event_new_eos ()));
    for (guint picture = 0; picture < 2; picture++) {
      buffer = pull (&t);
      fail_if (is_corrupted (buffer));
      gst_buffer_unref (buffer);
    }
    message = gst_bus_pop_filtered (t.bus, GST_MESSAGE_INFO);
    fail_unless (message != NULL);
    gst_message_parse_info (message, &error, NULL);
    fail_unless (strstr (error->message, units[i].text) != NULL, "%s", error->message);
    g_error_free (error);
    gst_message_unref (message);
    fail_unless (!gst_bus_pop_filtered (t.bus, GST_MESSAGE_INFO));
    test_close_clean (&t);
  }
}

GST_END_TEST;

/* A damaged subset SPS, which GStreamer 1.22's own parser crashes on, is nothing to this element: it belongs to other views. */
GST_START_TEST (test_damaged_subset_sps)
{
  static const guint8 subset_sps[] = { 0x6f, 0x76, 0x04, 0x1e, 0x4b, 0x0d, 0x31, 0xe0, 0xa0, 0x3d, 0x95, 0x63, 0x5c, 0x7e, 0x95, 0xa2 };
  const PpsValues pps = { 0 };
  GByteArray *stream = parameter_sets (&default_sps, &pps);
  GstBuffer *buffer;
  Test t;

  append_unit (stream, subset_sps, sizeof (subset_sps));
  take_slice (stream, 0, 12, 0, 0);
  append_unit (stream, subset_sps, sizeof (subset_sps));
  take_slice (stream, 0, 12, 0, 1);
  test_open (&t, 1, BYTE_STREAM "au");
  fail_unless_equals_int (push (&t, stream, 0), GST_FLOW_OK);
  fail_unless (gst_harness_push_event (t.h, gst_event_new_eos ()));
  for (guint picture = 0; picture < 2; picture++) {
    buffer = pull (&t);
    fail_if (is_corrupted (buffer));
    gst_buffer_unref (buffer);
  }
  test_close_clean (&t);
}

GST_END_TEST;

GST_START_TEST (test_bad_caps)
{
  GstCaps *caps = gst_caps_from_string ("video/x-h264, stream-format=avc, alignment=au");
  GstSegment segment;
  GstPad *sinkpad;
  Test t;

  /* a file's bytes as they are */
  test_open (&t, 1, NULL);
  gst_segment_init (&segment, GST_FORMAT_BYTES);
  fail_unless (gst_harness_push_event (t.h, gst_event_new_stream_start ("bytes")));
  fail_unless (gst_harness_push_event (t.h, gst_event_new_segment (&segment)));
  fail_unless_equals_int (push (&t, g_byte_array_append (g_byte_array_new (), (const guint8 *) "\0\0\1", 3), 0), GST_FLOW_NOT_NEGOTIATED);
  fail_unless_equals_int (count_messages (&t, GST_MESSAGE_ERROR, "h264parse"), 1);
  test_close (&t);

  /* avc, but not the parameter sets that it has in its caps: strictly, that is an error */
  test_open (&t, 1, NULL);
  gst_element_set_state (t.h->element, GST_STATE_READY);
  g_object_set (t.h->element, "strict", TRUE, NULL);
  gst_element_set_state (t.h->element, GST_STATE_PLAYING);
  sinkpad = gst_pad_get_peer (t.h->srcpad);
  fail_if (gst_pad_send_event (sinkpad, gst_event_new_caps (caps)));
  gst_object_unref (sinkpad);
  gst_caps_unref (caps);
  fail_unless_equals_int (count_messages (&t, GST_MESSAGE_ERROR, "codec_data"), 1);
  /* and what comes behind such caps is not taken for something else */
  fail_unless (gst_harness_push_event (t.h, gst_event_new_stream_start ("avc")));
  fail_unless (gst_harness_push_event (t.h, gst_event_new_segment (&segment)));
  fail_unless_equals_int (push (&t, g_byte_array_append (g_byte_array_new (), (const guint8 *) "\0\0\1", 3), 0), GST_FLOW_NOT_NEGOTIATED);
  test_close (&t);
}

GST_END_TEST;

/* What came before a flush never comes out. */
GST_START_TEST (test_flush)
{
  const PpsValues pps = { 0 };

  for (guint n_threads = 1; n_threads < 5; n_threads += 3) {
    GByteArray *stream = parameter_sets (&default_sps, &pps);
    GstSegment segment;
    GstBuffer *buffer;
    Test t;

    test_open (&t, n_threads, BYTE_STREAM "nal");
    take_slice (stream, 0, 5, 0, 0);
    fail_unless_equals_int (push (&t, stream, 1), GST_FLOW_OK);
    fail_unless (gst_harness_push_event (t.h, gst_event_new_flush_start ()));
    fail_unless (gst_harness_push_event (t.h, gst_event_new_flush_stop (TRUE)));
    gst_segment_init (&segment, GST_FORMAT_TIME);
    fail_unless (gst_harness_push_event (t.h, gst_event_new_segment (&segment)));
    stream = g_byte_array_new ();
    take_slice (stream, 0, 12, 0, 0);
    fail_unless_equals_int (push (&t, stream, 2), GST_FLOW_OK);
    fail_unless (gst_harness_push_event (t.h, gst_event_new_eos ()));
    buffer = pull (&t);
    fail_unless_equals_uint64 (GST_BUFFER_PTS (buffer), 2);
    fail_if (is_corrupted (buffer));
    gst_buffer_unref (buffer);
    fail_unless (!gst_harness_try_pull (t.h));
    test_close_clean (&t);
  }
}

GST_END_TEST;

static Suite *
h264entropy_suite (void)
{
  Suite *s = suite_create ("h264entropy");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_caps);
  tcase_add_test (tc, test_records);
  tcase_add_test (tc, test_parameter_sets_change);
  tcase_add_test (tc, test_new_sps);
  tcase_add_test (tc, test_slices_in_buffers);
  tcase_add_test (tc, test_pictures_decode_at_once);
  tcase_add_test (tc, test_damage);
  tcase_add_test (tc, test_slice_runs_on);
  tcase_add_test (tc, test_eos_without_pictures);
  tcase_add_test (tc, test_refused);
  tcase_add_test (tc, test_extended_in_other_profile);
  tcase_add_test (tc, test_refused_later);
  tcase_add_test (tc, test_left_out);
  tcase_add_test (tc, test_damaged_subset_sps);
  tcase_add_test (tc, test_bad_caps);
  tcase_add_test (tc, test_flush);
  return s;
}

GST_CHECK_MAIN (h264entropy);
