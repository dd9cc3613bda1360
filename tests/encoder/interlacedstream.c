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
  DecodedFrames decoded;
  guint n_reference_frames; /* so far: frame_num */
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
  c->sps.level_idc = 30; /* above, small blocks of B slices are not allowed */
  c->sps.profile_idc = kind->slice_group_map_type >= 0 && !kind->cabac ? 88 : 244;
  c->sps.chroma_format_idc = kind->chroma_format_idc;
  c->sps.separate_colour_plane_flag = (guint) kind->separate_colour_planes;
  c->sps.bit_depth_luma_minus8 = kind->bit_depth_luma - 8;
  c->sps.bit_depth_chroma_minus8 = kind->bit_depth_chroma - 8;
  c->sps.lossless = (guint) kind->lossless;
  c->sps.max_num_ref_frames = MAX_DECODED_FRAMES;
  c->sps.width_in_mbs = (guint) g_rand_int_range (rand, 2, 6);
  c->sps.height_in_map_units = (guint) g_rand_int_range (rand, 1, 5);
  c->sps.interlaced = 1;
  c->sps.mbaff = kind->structure == INTERLACED_MBAFF || kind->structure == INTERLACED_FIELDS_AND_MBAFF;
  c->pps = (PpsValues){ .cabac = (guint) kind->cabac,
    .bottom_field_pic_order = (guint) g_rand_int_range (rand, 0, 2),
    .weighted_pred_flag = (guint) g_rand_int_range (rand, 0, 2),
    .weighted_bipred_idc = (guint) g_rand_int_range (rand, 0, 3),
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
  const ModelFrame *frame = &c->stream->frames[index];
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
  picture->frame = frame;
  picture->frame_num = frame->frame_num;
  picture->poc = parity < 0 ? MIN (frame->poc[0], frame->poc[1]) : frame->poc[parity];
  picture->pic_order_cnt_lsb = (guint) frame->poc[parity < 0 ? 0 : parity];
  picture->delta_pic_order_cnt_bottom = frame->poc[1] - frame->poc[0];
  picture->cabac_init_idc = (guint) g_rand_int_range (c->rand, 0, 3);
  picture->SliceQPY = kind->lossless ? -offset : g_rand_int_range (c->rand, -offset, 52);
}

/* One colour plane, or all; the frame keeps its macroblocks. */
static void
take_plane (PictureModel *picture, const PictureModel *common, ModelFrame *frame, gint parity, guint colour_plane_id)
{
  *picture = *common;
  picture->colour_plane_id = colour_plane_id;
  picture->mbs = frame->mbs[colour_plane_id][MAX (parity, 0)] = g_new0 (ModelMb, picture->n_mbs);
  for (guint plane = 0; plane < model_n_planes (picture); plane++)
    picture->planes[plane] = model_plane_of_parity (&frame->planes[colour_plane_id + plane], parity);
}

/* Codes a field (@parity 0 or 1) or a frame (-1); slices of colour planes follow each other in turn. */
static void
code_picture (Coder *c, guint index, gint parity, gboolean second_field, gboolean is_reference)
{
  PictureModel *common = g_new0 (PictureModel, 4), *pictures = common + 1;
  guint n_slices[3], MapUnitsInSliceGroup0;
  const guint n_pictures = c->sps.separate_colour_plane_flag ? 3 : 1;

  init_picture (c, common, index, parity, second_field);
  common->nal_ref_idc = is_reference ? 3 : 0;
  MapUnitsInSliceGroup0 = choose_slice_group_change_cycle (c, common);
  for (guint i = 0; i < n_pictures; i++) {
    take_plane (&pictures[i], common, &c->stream->frames[index], parity, i);
    n_slices[i] = random_slices_cut (&pictures[i], c->rand, MapUnitsInSliceGroup0, &c->decoded);
  }
  for (guint slice = 0; slice < MAX (n_slices[0], n_pictures == 3 ? MAX (n_slices[1], n_slices[2]) : 0); slice++)
    for (guint i = 0; i < n_pictures; i++)
      if (slice < n_slices[i]) {
        random_slices_fill (&pictures[i], c->rand, slice);
        take_unit (c, write_slice (&pictures[i], slice));
      }
  for (guint i = 0; i < n_pictures; i++)
    deblock_picture (&pictures[i]);
  g_free (common);
}

/* 8.2.5.3: what a reference frame, or its first field, does to the frames before */
static void
mark_as_reference (Coder *c, const ModelFrame *frame)
{
  DecodedFrames *decoded = &c->decoded;

  decoded->n = MIN (decoded->n + 1, MAX_DECODED_FRAMES);
  for (guint i = decoded->n - 1; i > 0; i--)
    decoded->frames[i] = decoded->frames[i - 1];
  decoded->frames[0] = frame;
  c->n_reference_frames++;
}

static void
code_fields (Coder *c, guint index, gboolean is_reference)
{
  ModelFrame *frame = &c->stream->frames[index];

  frame->in_fields = TRUE;
  frame->poc[!c->bottom_first] = frame->poc[c->bottom_first] + 1;
  code_picture (c, index, c->bottom_first, FALSE, is_reference);
  if (is_reference) {
    mark_as_reference (c, frame);
    c->decoded.first_field = c->bottom_first;
  }
  code_picture (c, index, !c->bottom_first, TRUE, is_reference);
  c->decoded.first_field = -1;
}

/* Frame @index of the output, whose lower picture order count is @poc */
static void
code_frame (Coder *c, guint index, gint poc, gboolean is_reference)
{
  const InterlacedStructure structure = c->stream->kind.structure;
  ModelFrame *frame = &c->stream->frames[index];

  allocate_frame (c, frame);
  frame->frame_num = c->n_reference_frames;
  frame->poc[0] = frame->poc[1] = poc;
  if (structure == INTERLACED_FIELDS || (structure != INTERLACED_MBAFF && g_rand_boolean (c->rand))) {
    code_fields (c, index, is_reference);
    return;
  }
  if (c->pps.bottom_field_pic_order)
    frame->poc[g_rand_int_range (c->rand, 0, 2)] += g_rand_int_range (c->rand, 0, 3);
  code_picture (c, index, -1, FALSE, is_reference);
  if (is_reference)
    mark_as_reference (c, frame);
}

/* In order of output, or as a pyramid; frames that no other needs may be no references. */
static void
code_frames (Coder *c)
{
  static const guint8 orders[2][5] = { { 0, 1, 2, 3, 4 }, { 0, 4, 2, 1, 3 } };
  const guint8 *order = orders[g_rand_int_range (c->rand, 0, 2)];
  gint poc[5] = { 0 };

  for (guint i = 1; i < c->stream->n_frames; i++)
    poc[i] = poc[i - 1] + g_rand_int_range (c->rand, 4, 11);
  for (guint i = 0; i < c->stream->n_frames; i++)
    code_frame (c, order[i], poc[order[i]], i == 0 || g_rand_int_range (c->rand, 0, 4) > 0);
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
  c.decoded.first_field = -1;
  code_frames (&c);
  g_rand_free (c.rand);
}

void
interlaced_stream_clear (InterlacedStream *stream)
{
  for (guint i = 0; i < stream->n_frames; i++)
    for (guint plane = 0; plane < 3; plane++) {
      g_free (stream->frames[i].planes[plane].samples);
      for (guint parity = 0; parity < 2; parity++)
        g_free (stream->frames[i].mbs[plane][parity]);
    }
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
