/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * encodefields WIDTH HEIGHT BYTES: reads frames of yuv422p10le on the standard input, upper field first, and writes them as cameras of the
 * AVC-Intra 100 kind do, to the standard output: field pictures of I slices, High 4:2:2 Intra, 10 bits, CAVLC, 8x8 transform, eight slices
 * a field.  BYTES: about so many a field.
 */
#include <stdio.h>
#include <stdlib.h>

#include "h264cavlctables.h"
#include "intracoder.h"
#include "slicewriter.h"

#define N_SLICES 8

typedef struct
{
  SpsValues sps;
  PpsValues pps;
  gint width, height; /* of the input */
  gsize bytes_wanted;
  gint QPY;
  guint n_frames;
  ModelFrame source, frame;
} FieldCoder;

static void
init_sets (FieldCoder *c)
{
  c->sps = default_sps;
  c->sps.profile_idc = 122;
  c->sps.constraint_set_flags = 0x10; /* constraint_set3_flag: intra */
  c->sps.level_idc = 41;
  c->sps.chroma_format_idc = 2;
  c->sps.bit_depth_luma_minus8 = c->sps.bit_depth_chroma_minus8 = 2;
  c->sps.max_num_ref_frames = 1;
  c->sps.width_in_mbs = (guint) (c->width + 15) / 16;
  c->sps.height_in_map_units = (guint) (c->height + 31) / 32;
  c->sps.interlaced = 1;
  c->sps.crop[1] = (16 * c->sps.width_in_mbs - (guint) c->width) / 2;
  c->sps.crop[3] = (32 * c->sps.height_in_map_units - (guint) c->height) / 2;
  c->pps = (PpsValues){ .deblocking_control = 1, .extension = 1, .transform_8x8 = 1 };
}

static void
allocate_frame (const FieldCoder *c, ModelFrame *frame)
{
  for (guint plane = 0; plane < 3; plane++) {
    ModelPlane *p = &frame->planes[plane];

    p->width = p->stride = (plane > 0 ? 8 : 16) * (gint) c->sps.width_in_mbs;
    p->height = 32 * (gint) c->sps.height_in_map_units;
    p->samples = g_new0 (guint16, (gsize) p->width * (gsize) p->height);
  }
}

/* A frame of the input; what lies outside of it repeats its last samples, and the last lines of each field. */
static gboolean
read_frame (FieldCoder *c)
{
  for (guint plane = 0; plane < 3; plane++) {
    ModelPlane *p = &c->source.planes[plane];
    const gint width = plane > 0 ? c->width / 2 : c->width;

    for (gint y = 0; y < p->height; y++) {
      guint16 *line = p->samples + y * p->stride;

      if (y >= c->height)
        memcpy (line, line - 2 * p->stride, sizeof (*line) * (gsize) p->stride);
      else if (fread (line, sizeof (*line), (gsize) width, stdin) != (gsize) width)
        return FALSE;
      for (gint x = width; x < p->width; x++)
        line[x] = line[width - 1];
    }
  }
  return TRUE;
}

static void
append_unit (GByteArray *stream, GByteArray *unit)
{
  static const guint8 start_code[4] = { 0, 0, 0, 1 };

  g_byte_array_append (stream, start_code, 4);
  g_byte_array_append (stream, unit->data, unit->len);
  g_byte_array_unref (unit);
}

static GByteArray *
access_unit_delimiter (void)
{
  BitWriter w;

  bit_writer_init (&w);
  put_u (&w, 3, 0); /* primary_pic_type: I */
  return bit_writer_to_nal (&w, 0, H264_NAL_AUD);
}

static void
init_picture (const FieldCoder *c, PictureModel *picture, ModelPlane source[3], gboolean bottom)
{
  *picture = (PictureModel){ .sps = c->sps,
    .pps = c->pps,
    .ChromaArrayType = 2,
    .field = TRUE,
    .bottom = bottom,
    .idr = !bottom,
    .nal_ref_idc = 3 };
  picture->width = c->sps.width_in_mbs;
  picture->height = c->sps.height_in_map_units;
  picture->n_mbs = picture->width * picture->height;
  picture->idr_pic_id = c->n_frames % 2;
  picture->pic_order_cnt_lsb = (guint) bottom;
  picture->mbs = g_new0 (ModelMb, picture->n_mbs);
  for (guint i = 0; i < picture->n_mbs; i++)
    picture->mbs[i].slice = i / picture->width * N_SLICES / picture->height;
  for (guint i = 0; i < N_SLICES; i++)
    picture->slices[i].disable_deblocking_filter_idc = 1;
  for (guint plane = 0; plane < 3; plane++) {
    picture->planes[plane] = model_plane_of_parity (&c->frame.planes[plane], bottom);
    source[plane] = model_plane_of_parity (&c->source.planes[plane], bottom);
  }
}

/* (transfer full): the field's NAL units at QPY */
static GByteArray *
code_field (const FieldCoder *c, gboolean bottom)
{
  GByteArray *stream = g_byte_array_new ();
  PictureModel picture;
  ModelPlane source[3];

  init_picture (c, &picture, source, bottom);
  picture.SliceQPY = c->QPY;
  append_unit (stream, access_unit_delimiter ());
  if (!bottom) {
    append_unit (stream, make_sps (&c->sps));
    append_unit (stream, make_pps (&c->pps));
  }
  for (guint slice = 0; slice < N_SLICES; slice++) {
    intra_coder_code (&picture, source, slice);
    append_unit (stream, write_slice (&picture, slice));
  }
  g_free (picture.mbs);
  return stream;
}

/* Fields of a stream are alike: the first one looks for its QP, the others follow. */
static void
write_field (FieldCoder *c, gboolean bottom)
{
  const guint n_tries = c->n_frames == 0 && !bottom ? 12 : 1;
  GByteArray *stream = NULL;

  for (guint i = 0; i < n_tries; i++) {
    g_clear_pointer (&stream, g_byte_array_unref);
    stream = code_field (c, bottom);
    if (stream->len > c->bytes_wanted * 21 / 20)
      c->QPY += stream->len > c->bytes_wanted * 3 / 2 ? 4 : 1;
    else if (stream->len < c->bytes_wanted * 19 / 20)
      c->QPY -= stream->len < c->bytes_wanted * 2 / 3 ? 4 : 1;
    else
      break;
    c->QPY = CLAMP (c->QPY, -12, 51);
  }
  if (fwrite (stream->data, 1, stream->len, stdout) != stream->len) {
    perror ("encodefields");
    exit (1);
  }
  g_byte_array_unref (stream);
}

int
main (int argc, char *argv[])
{
  FieldCoder c = { .QPY = 20 };

  if (argc == 4) {
    c.width = atoi (argv[1]);
    c.height = atoi (argv[2]);
    c.bytes_wanted = (gsize) atoi (argv[3]);
  }
  if (c.width < 16 || c.height < 32 || c.width > 4096 || c.height > 4096 || c.width % 2 || c.height % 2 || c.bytes_wanted < 1) {
    fprintf (stderr, "usage: %s WIDTH HEIGHT BYTES\n", argv[0]);
    return 2;
  }
  h264_cavlc_tables_init ();
  init_sets (&c);
  allocate_frame (&c, &c.source);
  allocate_frame (&c, &c.frame);
  for (; read_frame (&c); c.n_frames++)
    for (guint bottom = 0; bottom < 2; bottom++)
      write_field (&c, (gboolean) bottom);
  for (guint plane = 0; plane < 3; plane++) {
    g_free (c.source.planes[plane].samples);
    g_free (c.frame.planes[plane].samples);
  }
  return 0;
}
