/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "handmade.h"

#include <gst/check/gstcheck.h>
#include <string.h>

/* Of default_sps: in a frame of a progressive sequence, and in a field */
#define N_MBS 12

static gboolean
answer_not_live (GstPad *pad, GstObject *parent, GstQuery *query)
{
  if (GST_QUERY_TYPE (query) != GST_QUERY_LATENCY)
    return gst_pad_query_default (pad, parent, query);
  gst_query_set_latency (query, FALSE, 0, GST_CLOCK_TIME_NONE);
  return TRUE;
}

void
handmade_open_element (Handmade *t, GstElement *element, gboolean live)
{
  fail_unless (element != NULL, "the plugin is not in GST_PLUGIN_PATH");
  memset (t, 0, sizeof (*t));
  t->bus = gst_bus_new ();
  t->stores = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) gst_frame_store_unref);
  t->output = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_frame_store_unref);
  gst_element_set_bus (element, t->bus);
  t->h = gst_harness_new_with_element (element, "sink", "src");
  gst_object_unref (element);
  if (!live)
    gst_pad_set_query_function (t->h->srcpad, answer_not_live);
}

void
handmade_open (Handmade *t, guint n_threads, gboolean live)
{
  GstElement *element = gst_element_factory_make ("h264entropy", NULL);

  if (element)
    g_object_set (element, "n-threads", n_threads, NULL);
  handmade_open_element (t, element, live);
  gst_harness_set_src_caps_str (t->h, "video/x-h264, stream-format=byte-stream, alignment=au");
}

void
handmade_close (Handmade *t)
{
  gst_element_set_bus (t->h->element, NULL);
  gst_harness_teardown (t->h);
  gst_object_unref (t->bus);
  g_hash_table_unref (t->stores);
  g_ptr_array_unref (t->output);
}

/* Annex B; frees @unit */
static void
take_unit (GByteArray *stream, GByteArray *unit)
{
  static const guint8 start_code[4] = { 0, 0, 0, 1 };

  g_byte_array_append (stream, start_code, 4);
  g_byte_array_append (stream, unit->data, unit->len);
  g_byte_array_unref (unit);
}

/* What put_vui() writes: it has no argument for it */
static HandmadeSps vui_values;

static void
put_vui (BitWriter *w)
{
  put_u (w, 4, 0); /* no aspect ratio, overscan, signal type, chroma location */
  put_u (w, 1, vui_values.fps > 0);
  if (vui_values.fps > 0) {
    put_u (w, 32, 1);
    put_u (w, 32, 2 * vui_values.fps);
    put_u (w, 1, 1);
  }
  put_u (w, 2, 0); /* no HRD */
  put_u (w, 1, vui_values.pic_struct);
  put_u (w, 1, 1); /* bitstream_restriction_flag */
  put_u (w, 1, 1);
  put_ue (w, 0);
  put_ue (w, 0);
  put_ue (w, 10);
  put_ue (w, 10);
  put_ue (w, vui_values.reorder);
  put_ue (w, 4);
}

GstBuffer *
handmade_wrap (GByteArray *data, GstClockTime pts)
{
  const gsize size = data->len;
  GstBuffer *buffer = gst_buffer_new_wrapped (g_byte_array_free (data, FALSE), size);

  GST_BUFFER_PTS (buffer) = pts;
  return buffer;
}

GstBuffer *
handmade_sets (const HandmadeSps *values)
{
  const PpsValues pps = { 0 };
  SpsValues sps = default_sps;
  GByteArray *stream = g_byte_array_new ();

  vui_values = *values;
  sps.put_vui = values->silent ? NULL : put_vui;
  sps.interlaced = values->interlaced;
  sps.gaps_allowed = values->gaps_allowed;
  if (values->one_reference)
    sps.max_num_ref_frames = 1;
  take_unit (stream, make_sps (&sps));
  take_unit (stream, make_pps (&pps));
  return handmade_wrap (stream, GST_CLOCK_TIME_NONE);
}

void
handmade_push_sps (Handmade *t, const HandmadeSps *sps)
{
  handmade_push (t, handmade_sets (sps));
}

static void
put_header (BitWriter *w, const HandmadePicture *picture)
{
  put_ue (w, 0);
  put_ue (w, picture->type == 'P' ? 5 : picture->type == 'B' ? 6 : 7);
  put_ue (w, 0);
  put_u (w, 4, picture->frame_num & 15);
  if (vui_values.interlaced)
    put_u (w, picture->field > 0 ? 2 : 1, picture->field > 0 ? 1 + picture->field : 0); /* field_pic_flag, bottom_field_flag */
  if (picture->type == 'D')
    put_ue (w, picture->poc / 2 % 16); /* idr_pic_id */
  put_u (w, 8, picture->type == 'D' ? 0 : picture->poc & 255);
  if (picture->type == 'B')
    put_u (w, 1, 1); /* direct_spatial_mv_pred_flag */
  if (picture->type == 'P' || picture->type == 'B')
    put_u (w, 2, picture->refers_back > 0); /* num_ref_idx_active_override_flag, ref_pic_list_modification_flag_l0 */
  if (picture->refers_back > 0) {
    put_ue (w, 0); /* modification_of_pic_nums_idc: a smaller picNum */
    put_ue (w, picture->refers_back - 1);
    put_ue (w, 3);
  }
  if (picture->type == 'B')
    put_u (w, 1, 0); /* ref_pic_list_modification_flag_l1 */
  if (picture->type == 'D')
    put_u (w, 1, 0); /* no_output_of_prior_pics_flag */
  if (!picture->no_reference)
    put_u (w, 1, 0); /* long_term_reference_flag, or adaptive_ref_pic_marking_mode_flag */
  put_se (w, 0);
}

static void
put_macroblocks (BitWriter *w, const HandmadePicture *picture)
{
  const guint n_mbs = vui_values.interlaced && picture->field == 0 ? 2 * N_MBS : N_MBS;

  if (picture->type == 'P' || picture->type == 'B') {
    put_ue (w, n_mbs); /* mb_skip_run */
    return;
  }
  for (guint i = 0; i < n_mbs; i++) {
    put_ue (w, 3);   /* I_16x16_2_0_0 */
    put_ue (w, 0);   /* intra_chroma_pred_mode */
    put_se (w, 0);   /* mb_qp_delta */
    put_u (w, 1, 1); /* coeff_token */
  }
}

void
handmade_add_message (GByteArray *data, guint payloadType, const guint8 *payload, guint payloadSize)
{
  guint rest = payloadSize;
  BitWriter w;

  bit_writer_init (&w);
  put_u (&w, 8, payloadType);
  for (; rest >= 255; rest -= 255)
    put_u (&w, 8, 255);
  put_u (&w, 8, rest);
  for (guint i = 0; i < payloadSize; i++)
    put_u (&w, 8, payload[i]);
  take_unit (data, bit_writer_to_nal (&w, 0, H264_NAL_SEI));
}

static GByteArray *
recovery_point (guint recovery_frame_cnt)
{
  BitWriter payload, w;
  guint n_bytes;

  bit_writer_init (&payload);
  put_ue (&payload, recovery_frame_cnt);
  put_u (&payload, 4, 8); /* exact_match_flag, not broken */
  put_u (&payload, 1, 1);
  n_bytes = (payload.n_bits + 7) / 8;
  put_u (&payload, 8 * n_bytes - payload.n_bits, 0);
  bit_writer_init (&w);
  put_u (&w, 8, 6);
  put_u (&w, 8, n_bytes);
  for (guint i = 0; i < n_bytes; i++)
    put_u (&w, 8, payload.bytes->data[i]);
  g_byte_array_unref (payload.bytes);
  return bit_writer_to_nal (&w, 0, H264_NAL_SEI);
}

/* Cut off behind ct_type, which is as far as anybody reads */
static GByteArray *
pic_timing (const HandmadePicture *picture)
{
  BitWriter w;

  bit_writer_init (&w);
  put_u (&w, 8, 1);
  put_u (&w, 8, 1);
  put_u (&w, 4, picture->pic_struct_plus1 - 1);
  put_u (&w, 1, picture->ct_type_plus1 > 0);
  put_u (&w, 2, picture->ct_type_plus1 > 0 ? picture->ct_type_plus1 - 1 : 0);
  put_u (&w, 1, 0);
  return bit_writer_to_nal (&w, 0, H264_NAL_SEI);
}

GByteArray *
handmade_picture_data (const HandmadePicture *picture)
{
  GByteArray *stream = g_byte_array_new ();
  BitWriter w;

  if (picture->recovery_frame_cnt_plus1 > 0)
    take_unit (stream, recovery_point (picture->recovery_frame_cnt_plus1 - 1));
  if (picture->pic_struct_plus1 > 0)
    take_unit (stream, pic_timing (picture));
  bit_writer_init (&w);
  put_header (&w, picture);
  put_macroblocks (&w, picture);
  take_unit (stream, bit_writer_to_nal (&w, picture->no_reference ? 0 : 2, picture->type == 'D' ? H264_NAL_IDR_SLICE : H264_NAL_SLICE));
  return stream;
}

GstBuffer *
handmade_picture (const HandmadePicture *picture, GstClockTime pts)
{
  return handmade_wrap (handmade_picture_data (picture), pts);
}

static void
execute (Handmade *t, const GArray *actions)
{
  for (guint i = 0; i < actions->len; i++) {
    const GstCodedAction *action = &g_array_index (actions, GstCodedAction, i);
    GstFrameStore *store = g_hash_table_lookup (t->stores, GUINT_TO_POINTER (action->number));

    fail_unless (store != NULL, "frame %u is named twice, or never came", action->number);
    if (action->output)
      g_ptr_array_add (t->output, gst_frame_store_ref (store));
    g_hash_table_remove (t->stores, GUINT_TO_POINTER (action->number));
  }
}

void
handmade_take (Handmade *t)
{
  GstBuffer *buffer;
  GstEvent *event;

  while ((buffer = gst_harness_try_pull (t->h))) {
    GstCodedPicture *coded = gst_buffer_get_coded_picture (buffer);

    g_hash_table_insert (t->stores, GUINT_TO_POINTER (coded->store->number), gst_frame_store_ref (coded->store));
    execute (t, coded->actions);
    t->n_coded++;
    gst_buffer_unref (buffer);
  }
  while ((event = gst_harness_try_pull_event (t->h))) {
    GArray *actions = gst_coded_actions_event_parse (event);

    if (actions) {
      execute (t, actions);
      g_array_unref (actions);
    }
    gst_event_unref (event);
  }
}

void
handmade_push (Handmade *t, GstBuffer *buffer)
{
  fail_unless_equals_int (gst_harness_push (t->h, buffer), GST_FLOW_OK);
  handmade_take (t);
}

void
handmade_push_picture (Handmade *t, const HandmadePicture *picture, GstClockTime pts)
{
  handmade_push (t, handmade_picture (picture, pts));
}

void
handmade_finish (Handmade *t)
{
  gst_harness_push_event (t->h, gst_event_new_eos ());
  handmade_take (t);
}

guint
handmade_count_messages (Handmade *t, GstMessageType type, const gchar *text)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (t->bus, type))) {
    GError *error = NULL;

    if (type == GST_MESSAGE_ERROR)
      gst_message_parse_error (message, &error, NULL);
    else if (type == GST_MESSAGE_INFO)
      gst_message_parse_info (message, &error, NULL);
    else
      gst_message_parse_warning (message, &error, NULL);
    n += !text || strstr (error->message, text);
    g_error_free (error);
    gst_message_unref (message);
  }
  return n;
}

guint
handmade_count_key_unit_requests (Handmade *t)
{
  GstEvent *event;
  guint n = 0;

  while ((event = gst_harness_try_pull_upstream_event (t->h))) {
    const GstStructure *s = gst_event_get_structure (event);

    n += s && gst_structure_has_name (s, "GstForceKeyUnit");
    gst_event_unref (event);
  }
  return n;
}
