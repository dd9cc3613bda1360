/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "craftedstreams.h"

#include "h264writer.h"

/* Of crafted_large_pictures() */
#define SIDE 64
#define N_MBS (SIDE * SIDE)
#define N_PCM 12

/**
 * Slice:
 * @type: 'D' (I, of an IDR picture), 'I', 'P', 'B'
 * @frame_num: of 4 or 16 bits, as the SPS says
 * @poc: pic_order_cnt_lsb, of 8 bits
 */
typedef struct
{
  gchar type;
  guint first_mb, pps, frame_num_bits, frame_num, poc;
  gboolean no_reference;
} Slice;

/* Annex B; frees @unit */
static void
take_unit (GByteArray *stream, GByteArray *unit)
{
  static const guint8 start_code[4] = { 0, 0, 0, 1 };

  g_byte_array_append (stream, start_code, 4);
  g_byte_array_append (stream, unit->data, unit->len);
  g_byte_array_unref (unit);
}

static void
begin_slice (BitWriter *w, const Slice *slice)
{
  const gboolean is_intra = slice->type == 'D' || slice->type == 'I';

  bit_writer_init (w);
  put_ue (w, slice->first_mb);
  put_ue (w, slice->type == 'P' ? 5 : slice->type == 'B' ? 6 : 7);
  put_ue (w, slice->pps);
  put_u (w, slice->frame_num_bits, slice->frame_num);
  if (slice->type == 'D')
    put_ue (w, 0); /* idr_pic_id */
  put_u (w, 8, slice->poc);
  if (slice->type == 'B')
    put_u (w, 1, 1); /* direct_spatial_mv_pred_flag */
  if (!is_intra)
    put_u (w, 2, 0); /* num_ref_idx_active_override_flag, ref_pic_list_modification_flag_l0 */
  if (slice->type == 'B')
    put_u (w, 1, 0); /* ref_pic_list_modification_flag_l1 */
  if (slice->type == 'D')
    put_u (w, 1, 0); /* no_output_of_prior_pics_flag */
  if (!slice->no_reference)
    put_u (w, 1, 0); /* long_term_reference_flag, or adaptive_ref_pic_marking_mode_flag */
  put_se (w, 0);     /* slice_qp_delta */
}

static void
end_slice (GByteArray *stream, BitWriter *w, const Slice *slice)
{
  take_unit (stream, bit_writer_to_nal (w, slice->no_reference ? 0 : 2, slice->type == 'D' ? H264_NAL_IDR_SLICE : H264_NAL_SLICE));
}

static void
put_pcm (BitWriter *w, guint seed)
{
  put_ue (w, 25);
  while (w->n_bits % 8 != 0)
    put_u (w, 1, 0);
  for (guint i = 0; i < 384; i++)
    put_u (w, 8, 1 + (seed * 31 + i * 7) % 255);
}

typedef enum
{
  NO_COEFFS,
  NO_COEFFS_BESIDE_PCM, /* nC is 8 or more there (9.2.1) */
  DC_1,
  DC_MINUS_1
} Coeffs;

/* I_16x16_2_0_0 */
static void
put_intra (BitWriter *w, Coeffs coeffs)
{
  put_ue (w, 3);
  put_ue (w, 0); /* intra_chroma_pred_mode */
  put_se (w, 0); /* mb_qp_delta */
  if (coeffs == NO_COEFFS) {
    put_u (w, 1, 1); /* coeff_token */
  } else if (coeffs == NO_COEFFS_BESIDE_PCM) {
    put_u (w, 6, 3);
  } else {
    put_u (w, 2, 1); /* coeff_token: one, of 1 or -1 */
    put_u (w, 1, coeffs == DC_MINUS_1);
    put_u (w, 1, 1); /* total_zeros */
  }
}

/* I_PCM first, and DC coefficients; more than 4 KiB */
static GByteArray *
intra_picture (void)
{
  const Slice slice = { 'D', 0, 0, 4, 0, 0, FALSE };
  const PpsValues plain = { 0 };
  SpsValues sps = default_sps;
  GByteArray *stream = g_byte_array_new ();
  BitWriter w;

  sps.width_in_mbs = sps.height_in_map_units = SIDE;
  take_unit (stream, make_sps (&sps));
  take_unit (stream, make_pps (&plain));
  begin_slice (&w, &slice);
  for (guint i = 0; i < N_PCM; i++)
    put_pcm (&w, i);
  for (guint i = N_PCM; i < N_MBS; i++)
    put_intra (&w, i == N_PCM || (i >= SIDE && i < SIDE + N_PCM) ? NO_COEFFS_BESIDE_PCM : NO_COEFFS);
  end_slice (stream, &w, &slice);
  return stream;
}

static GByteArray *
dc_picture (void)
{
  const Slice slice = { 'I', 0, 0, 4, 1, 4, FALSE };
  GByteArray *stream = g_byte_array_new ();
  BitWriter w;

  begin_slice (&w, &slice);
  for (guint i = 0; i < N_MBS; i++)
    put_intra (&w, i % 7 < 3 ? DC_1 : DC_MINUS_1);
  end_slice (stream, &w, &slice);
  return stream;
}

/* A vector for each macroblock */
static GByteArray *
vector_picture (void)
{
  const Slice slice = { 'P', 0, 0, 4, 2, 12, FALSE };
  GByteArray *stream = g_byte_array_new ();
  BitWriter w;

  begin_slice (&w, &slice);
  for (guint i = 0; i < N_MBS; i++) {
    put_ue (&w, 0); /* mb_skip_run */
    put_ue (&w, 0); /* P_L0_16x16 */
    put_se (&w, i == 0 ? 3 : 0);
    put_se (&w, i == 0 ? -2 : i == N_MBS / 2 ? 9 : 0);
    put_ue (&w, 0); /* coded_block_pattern */
  }
  end_slice (stream, &w, &slice);
  return stream;
}

static GByteArray *
direct_picture (void)
{
  const Slice slice = { 'B', 0, 0, 4, 3, 8, TRUE };
  GByteArray *stream = g_byte_array_new ();
  BitWriter w;

  begin_slice (&w, &slice);
  put_ue (&w, N_MBS);
  end_slice (stream, &w, &slice);
  return stream;
}

/* slice_group_map_type 6: every second macroblock */
static void
put_slice_groups (BitWriter *w)
{
  put_ue (w, 6);
  put_ue (w, N_MBS - 1);
  for (guint i = 0; i < N_MBS; i++)
    put_u (w, 1, i & 1);
}

static GByteArray *
slice_group_picture (void)
{
  const PpsValues pps = { .id = 1, .num_slice_groups_minus1 = 1, .put_slice_groups = put_slice_groups };
  GByteArray *stream = g_byte_array_new ();

  take_unit (stream, make_pps (&pps));
  for (guint group = 0; group < 2; group++) {
    const Slice slice = { 'P', group, 1, 4, 3, 16, FALSE };
    BitWriter w;

    begin_slice (&w, &slice);
    put_ue (&w, N_MBS / 2);
    end_slice (stream, &w, &slice);
  }
  return stream;
}

GPtrArray *
crafted_large_pictures (void)
{
  GByteArray *(*const pictures[]) (void) = { intra_picture, dc_picture, vector_picture, direct_picture, slice_group_picture };
  GPtrArray *units = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);

  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++)
    g_ptr_array_add (units, g_byte_array_free_to_bytes (pictures[i]()));
  return units;
}

static void
put_hostile_picture (GByteArray *stream, CraftedKind kind, guint number)
{
  const gboolean is_first = number == 0;
  const gboolean is_inter = !is_first && (kind == CRAFTED_SKIPPED || kind == CRAFTED_GAP);
  Slice slice = { is_first ? 'D' : is_inter ? 'P' : 'I', 0, 0, 16, number, 2 * number % 256, FALSE };
  BitWriter w;

  if (kind == CRAFTED_GAP && !is_first)
    slice.frame_num = 65535 + number - 1;
  begin_slice (&w, &slice);
  if (is_inter)
    put_ue (&w, 512 * 272);
  else if (kind != CRAFTED_EMPTY)
    for (guint i = 0; i < 3; i++)
      put_intra (&w, NO_COEFFS);
  end_slice (stream, &w, &slice);
}

GBytes *
crafted_hostile (CraftedKind kind, guint n_pictures)
{
  const gboolean is_444 = kind == CRAFTED_444 || kind == CRAFTED_EMPTY;
  const PpsValues pps = { 0 };
  SpsValues sps = default_sps;
  GByteArray *stream = g_byte_array_new ();

  sps.level_idc = 62;
  sps.width_in_mbs = 512;
  sps.height_in_map_units = 272;
  sps.log2_max_frame_num_minus4 = 12;
  sps.gaps_allowed = kind == CRAFTED_GAP;
  if (is_444) {
    sps.profile_idc = 244;
    sps.chroma_format_idc = 3;
    sps.bit_depth_luma_minus8 = sps.bit_depth_chroma_minus8 = 2;
  }
  take_unit (stream, make_sps (&sps));
  take_unit (stream, make_pps (&pps));
  for (guint i = 0; i < n_pictures; i++)
    put_hostile_picture (stream, kind, i);
  return g_byte_array_free_to_bytes (stream);
}
