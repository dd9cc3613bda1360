/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oddstream.h"

#include "h264nal.h"

#define MS GST_MSECOND
#define PCM_BYTES 384

void
odd_raw (OddStream *s, const guint8 *data, gsize size)
{
  g_byte_array_append (s->unit_data, data, size);
}

void
odd_unit (OddStream *s, GByteArray *unit)
{
  for (guint i = 0; i < s->length_size; i++) {
    const guint8 byte = (guint8) (unit->len >> 8 * (s->length_size - 1 - i));

    odd_raw (s, &byte, 1);
  }
  for (guint i = s->start_code; s->length_size == 0 && i > 0; i--)
    odd_raw (s, (const guint8[]){ i == 1 }, 1);
  odd_raw (s, unit->data, unit->len);
  g_byte_array_unref (unit);
}

void
odd_bytes (OddStream *s, guint n, ...)
{
  GByteArray *unit = g_byte_array_new ();
  va_list args;

  va_start (args, n);
  for (guint i = 0; i < n; i++) {
    const guint8 byte = (guint8) va_arg (args, gint);

    g_byte_array_append (unit, &byte, 1);
  }
  va_end (args);
  odd_unit (s, unit);
}

void
odd_sets (OddStream *s)
{
  odd_unit (s, make_sps (&s->sps));
  odd_unit (s, make_pps (&s->pps));
}

static void
put_poc (BitWriter *w, const OddStream *s, guint poc)
{
  const guint n_bits = s->sps.log2_max_pic_order_cnt_lsb_minus4 + 4;

  if (s->sps.pic_order_cnt_type == 0)
    put_u (w, n_bits, poc & ((1u << n_bits) - 1));
  if (s->sps.pic_order_cnt_type == 0 && s->pps.bottom_field_pic_order)
    put_se (w, 0); /* delta_pic_order_cnt_bottom */
}

static void
put_marking (BitWriter *w, const OddSlice *slice)
{
  if (slice->type == 'D') {
    put_u (w, 2, 0); /* no_output_of_prior_pics_flag, long_term_reference_flag */
    return;
  }
  put_u (w, 1, slice->n_marking > 0);
  for (guint i = 0; i < slice->n_marking; i++)
    put_ue (w, slice->marking[i]);
  if (slice->n_marking > 0)
    put_ue (w, 0);
}

static void
put_header (BitWriter *w, const OddStream *s, const OddSlice *slice)
{
  const gboolean inter = slice->type == 'P' || slice->type == 'B';
  const guint n_bits = s->sps.log2_max_frame_num_minus4 + 4;

  put_ue (w, slice->first_mb);
  put_ue (w, slice->type == 'P' ? 0 : slice->type == 'B' ? 1 : 2);
  put_ue (w, s->pps.id);
  put_u (w, n_bits, slice->frame_num & ((1u << n_bits) - 1));
  if (s->sps.interlaced)
    put_u (w, 1, 0); /* field_pic_flag */
  if (slice->type == 'D')
    put_ue (w, slice->idr_pic_id);
  put_poc (w, s, slice->poc);
  if (slice->type == 'B')
    put_u (w, 1, 1); /* direct_spatial_mv_pred_flag */
  if (inter)
    put_u (w, 1, slice->n_active > 0); /* num_ref_idx_active_override_flag */
  for (guint i = 0; slice->n_active > 0 && i < (slice->type == 'B' ? 2 : 1); i++)
    put_ue (w, slice->n_active - 1);
  if (inter)
    put_u (w, slice->type == 'B' ? 2 : 1, 0); /* ref_pic_list_modification_flag_lX */
  if (!slice->no_reference)
    put_marking (w, slice);
  put_se (w, 0); /* slice_qp_delta */
}

static void
put_pcm (BitWriter *w, guint8 value)
{
  while (w->n_bits % 8 != 0)
    put_u (w, 1, 0);
  for (guint i = 0; i < PCM_BYTES; i++)
    put_u (w, 8, value);
}

/* P_L0_16x16 without residual; the vectors behind the first one are predicted */
static void
put_moving (BitWriter *w, gint moves, guint n_mbs)
{
  for (guint i = 0; i < n_mbs; i++) {
    put_ue (w, 0); /* mb_skip_run */
    put_ue (w, 0); /* mb_type */
    put_se (w, i == 0 ? moves : 0);
    put_se (w, 0);
    put_ue (w, 0); /* coded_block_pattern */
  }
}

/* Of intra pictures all macroblocks are samples, of others the first one; the rest is skipped. */
static void
put_macroblocks (BitWriter *w, const OddStream *s, const OddSlice *slice, guint n_mbs)
{
  const guint8 value = (guint8) (16 + s->n_slices * 37 % 200);

  if (slice->moves != 0) {
    put_moving (w, slice->moves, n_mbs);
    return;
  }
  if (slice->type == 'P' || slice->type == 'B') {
    put_ue (w, 0);
    put_ue (w, 25 + (slice->type == 'P' ? 5 : 23)); /* I_PCM */
    put_pcm (w, value);
    if (n_mbs > 1)
      put_ue (w, n_mbs - 1);
    return;
  }
  for (guint i = 0; i < n_mbs; i++) {
    put_ue (w, s->plain ? 3 : 25); /* I_16x16_2_0_0, or I_PCM */
    if (s->plain) {
      put_ue (w, 0);   /* intra_chroma_pred_mode */
      put_se (w, 0);   /* mb_qp_delta */
      put_u (w, 1, 1); /* coeff_token */
    } else {
      put_pcm (w, value);
    }
  }
}

GByteArray *
odd_slice_unit (OddStream *s, const OddSlice *slice)
{
  const guint size = s->sps.width_in_mbs * s->sps.height_in_map_units * (s->sps.interlaced ? 2 : 1);
  const guint8 junk = 0x55;
  GByteArray *unit;
  BitWriter w;

  bit_writer_init (&w);
  put_header (&w, s, slice);
  put_macroblocks (&w, s, slice, slice->n_mbs > 0 ? slice->n_mbs : size - slice->first_mb);
  s->n_slices++;
  unit = bit_writer_to_nal (&w, slice->no_reference ? 0 : 2, slice->type == 'D' ? H264_NAL_IDR_SLICE : H264_NAL_SLICE);
  for (guint i = 0; i < slice->junk; i++)
    g_byte_array_append (unit, &junk, 1);
  g_byte_array_set_size (unit, unit->len - slice->cut);
  return unit;
}

void
odd_slice (OddStream *s, const OddSlice *slice)
{
  odd_unit (s, odd_slice_unit (s, slice));
}

void
odd_end (OddStream *s, gint pts)
{
  const gsize size = s->unit_data->len;
  GstBuffer *buffer = gst_buffer_new_wrapped (g_byte_array_free (s->unit_data, FALSE), size);

  GST_BUFFER_PTS (buffer) = pts >= 0 ? (GstClockTime) pts * MS : GST_CLOCK_TIME_NONE;
  g_ptr_array_add (s->buffers, buffer);
  s->unit_data = g_byte_array_new ();
}

void
odd_events (OddStream *s)
{
  g_ptr_array_add (s->buffers, NULL);
}

void
odd_picture (OddStream *s, gchar type, guint frame_num, guint poc, gint pts)
{
  odd_slice (s, &(OddSlice){ type, frame_num, poc });
  odd_end (s, pts);
}

void
odd_plain_pictures (OddStream *s, guint first, guint n)
{
  for (guint i = first; i < first + n; i++)
    odd_picture (s, i == 0 ? 'D' : 'P', i, 2 * i, i * ODD_STEP);
}

static void
append_set (GByteArray *record, const GByteArray *set, guint8 count_bits)
{
  const guint8 count = count_bits | (set != NULL);

  g_byte_array_append (record, &count, 1);
  if (!set)
    return;
  g_byte_array_append (record, (const guint8[]){ (guint8) (set->len >> 8), (guint8) set->len }, 2);
  g_byte_array_append (record, set->data, set->len);
}

GByteArray *
odd_record (guint length_size, const GByteArray *sps, const GByteArray *pps)
{
  const guint8 front[] = { 1, sps ? sps->data[1] : 100, sps ? sps->data[2] : 0, sps ? sps->data[3] : 40,
    (guint8) (0xfc | (length_size - 1)) };
  GByteArray *record = g_byte_array_new ();

  g_byte_array_append (record, front, sizeof (front));
  append_set (record, sps, 0xe0);
  append_set (record, pps, 0);
  return record;
}

static void
put_vui (BitWriter *w)
{
  put_u (w, 4, 0); /* no aspect ratio, overscan, signal type, chroma location */
  put_u (w, 1, 1);
  put_u (w, 32, 1);
  put_u (w, 32, 50);
  put_u (w, 1, 1);
  put_u (w, 3, 0); /* no HRD, no pic_struct */
  put_u (w, 2, 3); /* bitstream_restriction_flag */
  put_ue (w, 0);
  put_ue (w, 0);
  put_ue (w, 10);
  put_ue (w, 10);
  put_ue (w, 0); /* max_num_reorder_frames */
  put_ue (w, 4);
}

static void
free_buffer (gpointer buffer)
{
  if (buffer)
    gst_buffer_unref (buffer);
}

void
odd_stream_init (OddStream *s)
{
  *s = (OddStream){ .sps = default_sps,
    .start_code = 4,
    .caps_format = "byte-stream",
    .unit_data = g_byte_array_new (),
    .buffers = g_ptr_array_new_with_free_func (free_buffer) };
  s->sps.put_vui = put_vui;
}

void
odd_stream_clear (OddStream *s)
{
  if (s->codec_data)
    g_byte_array_unref (s->codec_data);
  g_byte_array_unref (s->unit_data);
  g_ptr_array_unref (s->buffers);
}
