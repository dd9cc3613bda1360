/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "interlacedstream.h"
#include "deblocking.h"
#include "h264cavlctables.h"
#include "randomslices.h"
#include "slicegroups.h"
#include "slicewriter.h"

/* What does not change within a stream */
typedef struct
{
  InterlacedStream *stream;
  GRand *rand;
  SpsValues sps;
  PpsValues pps;
  SliceGroups slice_groups;
  gboolean bottom_first;
} Coder;

static void
take_unit (Coder *c, GByteArray *unit)
{
  static const guint8 start_code[4] = { 0, 0, 0, 1 };

  g_byte_array_append (c->stream->bytes, start_code, 4);
  g_byte_array_append (c->stream->bytes, unit->data, unit->len);
  g_byte_array_unref (unit);
}

static void
choose_sets (Coder *c)
{
  const InterlacedKind *kind = &c->stream->kind;
  GRand *rand = c->rand;

  c->sps = default_sps;
  /* Extended, for slice groups, else High 4:4:4 Predictive */
  c->sps.profile_idc = kind->slice_group_map_type >= 0 && !kind->cabac ? 88 : 244;
  c->sps.chroma_format_idc = kind->chroma_format_idc;
  c->sps.separate_colour_plane_flag = (guint) kind->separate_colour_planes;
  c->sps.bit_depth_luma_minus8 = kind->bit_depth_luma - 8;
  c->sps.bit_depth_chroma_minus8 = kind->bit_depth_chroma - 8;
  c->sps.lossless = (guint) kind->lossless;
  c->sps.max_num_ref_frames = 2;
  c->sps.width_in_mbs = (guint) g_rand_int_range (rand, 2, 6);
  c->sps.height_in_map_units = (guint) g_rand_int_range (rand, 1, 5);
  c->sps.interlaced = 1;
  c->sps.mbaff = kind->structure == INTERLACED_MBAFF || kind->structure == INTERLACED_FIELDS_AND_MBAFF;
  c->pps = (PpsValues){ .cabac = (guint) kind->cabac,
    .deblocking_control = 1,
    .constrained_intra = (guint) g_rand_int_range (rand, 0, 2),
    .chroma_qp_index_offset = g_rand_int_range (rand, -12, 13),
    .extension = kind->transform_8x8,
    .transform_8x8 = kind->transform_8x8 };
  c->pps.second_chroma_qp_index_offset = kind->transform_8x8 ? g_rand_int_range (rand, -12, 13) : 0;
  if (kind->slice_group_map_type >= 0) {
    slice_groups_randomise (&c->slice_groups, rand, (guint) kind->slice_group_map_type, c->sps.width_in_mbs, c->sps.height_in_map_units);
    c->pps.num_slice_groups_minus1 = c->slice_groups.n - 1;
    c->pps.slice_groups = &c->slice_groups;
  }
  c->bottom_first = g_rand_boolean (rand);
}

static void
allocate_frame (Coder *c, ModelFrame *frame)
{
  const gint width = 16 * (gint) c->sps.width_in_mbs, height = 32 * (gint) c->sps.height_in_map_units;

  for (guint plane = 0; plane < (c->sps.chroma_format_idc == 0 ? 1 : 3); plane++) {
    ModelPlane *p = &frame->planes[plane];

    p->width = plane > 0 && c->sps.chroma_format_idc < 3 ? width / 2 : width;
    p->height = plane > 0 && c->sps.chroma_format_idc < 2 ? height / 2 : height;
    p->stride = p->width;
    p->samples = g_new0 (guint16, p->width * p->height);
  }
}

/* 8.2.4.2.5: fields of @frames, from the newest on, alternately from the parity that is decoded; the first frame may have its first field
 * only */
static guint
list_of_fields (ModelReference *list, const ModelFrame *const *frames, guint n_frames, gint parity, gboolean second_field)
{
  guint n = 0, next[2] = { 0, 0 };

  /* of the frame being decoded there is only the other parity */
  next[parity] = second_field;
  for (gint wanted = parity; next[0] < n_frames || next[1] < n_frames; wanted = 1 - wanted) {
    if (next[wanted] >= n_frames)
      continue;
    list[n++] = (ModelReference){ frames[next[wanted]++], wanted };
  }
  return n;
}

/* RefPicList0 of the picture, of frame number @index: two frames are references, the one being decoded counts where its first field is
 * there. */
static void
choose_references (Coder *c, PictureModel *picture, guint index, gboolean second_field)
{
  const ModelFrame *frames[2];
  guint n_frames = 0, n;

  for (guint back = second_field ? 0 : 1; back <= index && n_frames < 2; back++)
    frames[n_frames++] = &c->stream->frames[index - back];
  if (picture->field) {
    n = list_of_fields (picture->references, frames, n_frames, (gint) picture->bottom, second_field);
  } else {
    for (n = 0; n < n_frames; n++)
      picture->references[n] = (ModelReference){ frames[n], -1 };
  }
  picture->p_slices = n > 0 && g_rand_int_range (c->rand, 0, 5) > 0;
  picture->n_references = picture->p_slices ? (guint) g_rand_int_range (c->rand, 1, (gint) n + 1) : 0;
}

/* Slice groups of types 3 to 5: (7-34), (7-36) */
static guint
choose_slice_group_change_cycle (Coder *c, PictureModel *picture)
{
  const SliceGroups *groups = picture->pps.slice_groups;
  guint size, max_cycle;

  if (!groups || groups->type < 3 || groups->type > 5)
    return 0;
  size = groups->width * groups->height;
  max_cycle = (size + groups->change_rate - 1) / groups->change_rate;
  picture->slice_group_change_bits = g_bit_storage (max_cycle);
  picture->slice_group_change_cycle = (guint) g_rand_int_range (c->rand, 0, (gint) max_cycle + 1);
  return MIN (picture->slice_group_change_cycle * groups->change_rate, size);
}

static void
init_picture (Coder *c, PictureModel *picture, guint index, gint parity, gboolean second_field)
{
  const InterlacedKind *kind = &c->stream->kind;
  const gint offset = 6 * ((gint) kind->bit_depth_luma - 8);

  *picture = (PictureModel){ .sps = c->sps, .pps = c->pps };
  picture->ChromaArrayType = kind->separate_colour_planes ? 0 : kind->chroma_format_idc;
  picture->field = parity >= 0;
  picture->bottom = parity == 1;
  picture->mbaff = parity < 0 && c->sps.mbaff;
  picture->width = c->sps.width_in_mbs;
  picture->height = c->sps.height_in_map_units * (parity < 0 ? 2 : 1);
  picture->n_mbs = picture->width * picture->height;
  picture->idr = index == 0 && !second_field;
  picture->frame_num = index;
  picture->pic_order_cnt_lsb = 2 * index + (guint) second_field;
  picture->cabac_init_idc = (guint) g_rand_int_range (c->rand, 0, 3);
  picture->SliceQPY = kind->lossless ? -offset : g_rand_int_range (c->rand, -offset, 52);
}

/* One colour plane, or all */
static void
take_plane (PictureModel *picture, const PictureModel *common, ModelFrame *frame, gint parity, guint colour_plane_id)
{
  *picture = *common;
  picture->colour_plane_id = colour_plane_id;
  picture->mbs = g_new0 (ModelMb, picture->n_mbs);
  for (guint plane = 0; plane < model_n_planes (picture); plane++)
    picture->planes[plane] = model_plane_of_parity (&frame->planes[colour_plane_id + plane], parity);
}

/* Codes a field (@parity 0 or 1) or a frame (-1); slices of colour planes follow each other in turn. */
static void
code_picture (Coder *c, guint index, gint parity, gboolean second_field)
{
  PictureModel common, pictures[3];
  guint n_slices[3], MapUnitsInSliceGroup0;
  const guint n_pictures = c->sps.separate_colour_plane_flag ? 3 : 1;

  init_picture (c, &common, index, parity, second_field);
  choose_references (c, &common, index, second_field);
  MapUnitsInSliceGroup0 = choose_slice_group_change_cycle (c, &common);
  for (guint i = 0; i < n_pictures; i++) {
    take_plane (&pictures[i], &common, &c->stream->frames[index], parity, i);
    n_slices[i] = random_slices_cut (&pictures[i], c->rand, MapUnitsInSliceGroup0);
  }
  for (guint slice = 0; slice < MAX (n_slices[0], n_pictures == 3 ? MAX (n_slices[1], n_slices[2]) : 0); slice++)
    for (guint i = 0; i < n_pictures; i++)
      if (slice < n_slices[i]) {
        random_slices_fill (&pictures[i], c->rand, slice);
        take_unit (c, write_slice (&pictures[i], slice));
      }
  for (guint i = 0; i < n_pictures; i++) {
    deblock_picture (&pictures[i]);
    g_free (pictures[i].mbs);
  }
}

static void
code_frame (Coder *c, guint index)
{
  const InterlacedStructure structure = c->stream->kind.structure;

  allocate_frame (c, &c->stream->frames[index]);
  if (structure == INTERLACED_FIELDS || (structure != INTERLACED_MBAFF && g_rand_boolean (c->rand))) {
    code_picture (c, index, c->bottom_first, FALSE);
    code_picture (c, index, !c->bottom_first, TRUE);
  } else {
    code_picture (c, index, -1, FALSE);
  }
}

void
interlaced_stream_make (InterlacedStream *stream, const InterlacedKind *kind, guint32 seed)
{
  Coder c = { .stream = stream, .rand = g_rand_new_with_seed (seed) };

  memset (stream, 0, sizeof (*stream));
  h264_cavlc_tables_init (); /* of which the writer's codes are the inverse */
  stream->kind = *kind;
  stream->bytes = g_byte_array_new ();
  stream->n_frames = G_N_ELEMENTS (stream->frames);
  choose_sets (&c);
  take_unit (&c, make_sps (&c.sps));
  take_unit (&c, make_pps (&c.pps));
  for (guint i = 0; i < stream->n_frames; i++)
    code_frame (&c, i);
  g_rand_free (c.rand);
}

void
interlaced_stream_clear (InterlacedStream *stream)
{
  for (guint i = 0; i < stream->n_frames; i++)
    for (guint plane = 0; plane < 3; plane++)
      g_free (stream->frames[i].planes[plane].samples);
  g_byte_array_unref (stream->bytes);
}

static void
append_sample (GByteArray *samples, guint sample, guint size)
{
  const guint8 bytes[2] = { sample & 255, sample >> 8 };

  g_byte_array_append (samples, bytes, size);
}

GByteArray *
interlaced_stream_samples (const InterlacedStream *stream)
{
  const guint depth = MAX (stream->kind.bit_depth_luma, stream->kind.chroma_format_idc > 0 ? stream->kind.bit_depth_chroma : 0);
  const guint size = depth > 8 ? 2 : 1;
  GByteArray *samples = g_byte_array_new ();

  for (guint i = 0; i < stream->n_frames; i++) {
    const ModelPlane *luma = &stream->frames[i].planes[0];

    for (guint plane = 0; plane < 3; plane++) {
      const ModelPlane *p = &stream->frames[i].planes[plane];

      for (gint k = 0; k < p->width * p->height; k++)
        append_sample (samples, p->samples[k], size);
    }
    for (gint k = 0; stream->kind.chroma_format_idc == 0 && k < luma->width * luma->height / 2; k++)
      append_sample (samples, 1u << (depth - 1), size);
  }
  return samples;
}
