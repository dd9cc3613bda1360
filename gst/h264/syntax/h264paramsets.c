/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264memory.h"
#include "h264paramsets.h"

#define N_SPS 32
#define N_PPS 256

const gchar h264_pps_is_missing[] = "the PPS is missing", h264_sps_is_missing[] = "the SPS is missing";

struct _H264ParamSets
{
  GBytes *raw_sps[N_SPS];
  H264Sps *sps[N_SPS];
  GBytes *raw_pps[N_PPS];
  H264Pps *pps[N_PPS]; /* parsed when activated */
  H264Rbsp rbsp;
};

H264ParamSets *
h264_param_sets_new (void)
{
  return g_new0 (H264ParamSets, 1);
}

void
h264_param_sets_free (H264ParamSets *sets)
{
  for (guint i = 0; i < N_SPS; i++) {
    g_clear_pointer (&sets->raw_sps[i], g_bytes_unref);
    g_clear_pointer (&sets->sps[i], h264_sps_unref);
  }
  for (guint i = 0; i < N_PPS; i++) {
    g_clear_pointer (&sets->raw_pps[i], g_bytes_unref);
    g_clear_pointer (&sets->pps[i], h264_pps_unref);
  }
  h264_rbsp_clear (&sets->rbsp);
  g_free (sets);
}

static gboolean
is_repetition (GBytes *raw, const H264Nal *nal)
{
  gsize size;
  gconstpointer data;

  if (!raw)
    return FALSE;
  data = g_bytes_get_data (raw, &size);
  return size == nal->size && memcmp (data, nal->data, size) == 0;
}

/* (transfer full) (nullable): a copy */
static GBytes *
copy_unit (const H264Nal *nal, const gchar **error)
{
  guint8 *data = g_try_malloc (nal->size);

  if (!data) {
    *error = h264_no_memory;
    return NULL;
  }
  memcpy (data, nal->data, nal->size);
  return g_bytes_new_take (data, nal->size);
}

static gboolean
add_sps (H264ParamSets *sets, const H264Nal *nal, const gchar **error)
{
  H264Sps *sps = h264_sps_new (nal, error);
  GBytes *raw;
  guint id;

  if (!sps)
    return FALSE;
  id = sps->seq_parameter_set_id;
  if (is_repetition (sets->raw_sps[id], nal)) {
    h264_sps_unref (sps);
    return TRUE;
  }
  raw = copy_unit (nal, error);
  if (!raw) {
    h264_sps_unref (sps);
    return FALSE;
  }
  g_clear_pointer (&sets->raw_sps[id], g_bytes_unref);
  g_clear_pointer (&sets->sps[id], h264_sps_unref);
  sets->raw_sps[id] = raw;
  sets->sps[id] = sps;
  return TRUE;
}

static gboolean
add_pps (H264ParamSets *sets, const H264Nal *nal, const gchar **error)
{
  H264Bits bits;
  GBytes *raw;
  guint id;

  if (!h264_rbsp_set (&sets->rbsp, nal)) {
    *error = h264_no_memory;
    return FALSE;
  }
  h264_rbsp_read (&sets->rbsp, &bits);
  id = h264_bits_ue_max (&bits, N_PPS - 1, "pic_parameter_set_id is out of range");
  (void) h264_bits_ue_max (&bits, N_SPS - 1, "seq_parameter_set_id is out of range");
  if (bits.error) {
    *error = bits.error;
    return FALSE;
  }
  if (is_repetition (sets->raw_pps[id], nal))
    return TRUE;
  raw = copy_unit (nal, error);
  if (!raw)
    return FALSE;
  g_clear_pointer (&sets->raw_pps[id], g_bytes_unref);
  g_clear_pointer (&sets->pps[id], h264_pps_unref);
  sets->raw_pps[id] = raw;
  return TRUE;
}

gboolean
h264_param_sets_add (H264ParamSets *sets, const H264Nal *nal, const gchar **error)
{
  /* of auxiliary pictures, and of other views and layers, which containers list beside those of the base view */
  if (nal->nal_unit_type == H264_NAL_SPS_EXTENSION || nal->nal_unit_type == H264_NAL_SUBSET_SPS)
    return TRUE;
  if (nal->nal_unit_type == H264_NAL_SPS)
    return add_sps (sets, nal, error);
  if (nal->nal_unit_type == H264_NAL_PPS)
    return add_pps (sets, nal, error);
  *error = "no parameter set";
  return FALSE;
}

void
h264_param_sets_add_byte_stream (H264ParamSets *sets, const guint8 *data, gsize size, const gchar **error)
{
  H264NalReader reader;
  H264NalResult result;
  H264Nal nal;

  h264_nal_reader_init (&reader, data, size, 0);
  while ((result = h264_nal_reader_next (&reader, &nal, error)) != H264_NAL_END)
    if (result == H264_NAL_FOUND && (nal.nal_unit_type == H264_NAL_SPS || nal.nal_unit_type == H264_NAL_PPS)
        && !h264_param_sets_add (sets, &nal, error) && *error == h264_no_memory)
      return;
}

/* A set of a record, which writers are known to give with its start code */
static void
add_avcc_set (H264ParamSets *sets, const guint8 *data, gsize size, const gchar **error)
{
  H264Nal nal;

  if (h264_nal_has_start_code (data, size))
    h264_param_sets_add_byte_stream (sets, data, size, error);
  else if (h264_nal_init (&nal, data, size, error))
    (void) h264_param_sets_add (sets, &nal, error);
}

/* @n sets with a 16-bit length each.  Gives what follows them, or NULL where the record ends before. */
static const guint8 *
add_avcc_sets (H264ParamSets *sets, const guint8 *p, const guint8 *end, guint n, const gchar **error)
{
  for (guint i = 0; i < n; i++) {
    gsize length;

    if (end - p < 2)
      return NULL;
    length = p[0] << 8 | p[1];
    p += 2;
    if ((gsize) (end - p) < length)
      return NULL;
    add_avcc_set (sets, p, length, error);
    if (*error == h264_no_memory)
      return NULL;
    p += length;
  }
  return p;
}

gboolean
h264_param_sets_add_avcc (H264ParamSets *sets, const guint8 *data, gsize size, guint *length_size, const gchar **error)
{
  const guint8 *p, *end;

  *error = NULL;
  if (size < 7 || data[0] != 1) {
    *error = "codec_data is no AVCDecoderConfigurationRecord of version 1";
    return FALSE;
  }
  *length_size = 1 + (data[4] & 3);
  end = data + size;
  p = add_avcc_sets (sets, data + 6, end, data[5] & 31, error);
  if (p && p < end)
    p = add_avcc_sets (sets, p + 1, end, p[0], error);
  else
    p = NULL;
  if (!p && *error != h264_no_memory)
    /* those that are missing may come in band */
    *error = "codec_data ends within its parameter sets";
  /* profile_idc 100 and above: formats, which the SPS has too, and SPS extensions, which decoding of primary pictures does not use */
  return TRUE;
}

H264Sps *
h264_param_sets_get_sps (const H264ParamSets *sets, guint id)
{
  return id < N_SPS ? sets->sps[id] : NULL;
}

gboolean
h264_param_sets_may_be (const H264ParamSets *sets, guint profile_idc)
{
  guint n = 0;

  for (guint i = 0; i < N_SPS; i++) {
    n += sets->sps[i] != NULL;
    if (sets->sps[i] && sets->sps[i]->profile_idc == profile_idc)
      return TRUE;
  }
  return n == 0;
}

/* The SPS that the raw PPS @id names */
static H264Sps *
find_sps_of_pps (H264ParamSets *sets, guint id, const gchar **error)
{
  H264Bits bits;
  H264Nal nal;
  gsize size;
  const guint8 *data = g_bytes_get_data (sets->raw_pps[id], &size);

  *error = h264_sps_is_missing;
  if (!h264_nal_init (&nal, data, size, error))
    return NULL;
  if (!h264_rbsp_set (&sets->rbsp, &nal)) {
    *error = h264_no_memory;
    return NULL;
  }
  h264_rbsp_read (&sets->rbsp, &bits);
  (void) h264_bits_ue (&bits);
  return h264_param_sets_get_sps (sets, h264_bits_ue (&bits));
}

H264Pps *
h264_param_sets_get_pps (H264ParamSets *sets, guint id, const gchar **error)
{
  H264Sps *sps;

  if (id >= N_PPS || !sets->raw_pps[id]) {
    *error = h264_pps_is_missing;
    return NULL;
  }
  if (sets->pps[id] && sets->pps[id]->sps == sets->sps[sets->pps[id]->seq_parameter_set_id])
    return sets->pps[id];
  sps = find_sps_of_pps (sets, id, error);
  if (!sps)
    return NULL;
  g_clear_pointer (&sets->pps[id], h264_pps_unref);
  sets->pps[id] = h264_pps_new (&sets->rbsp, sps, error);
  return sets->pps[id];
}
