/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * One coded picture in the entropy stage: its slices with their data, the arenas they are decoded into, and what became of each.
 *
 * Life: h264_picture_job_begin() when its first slice arrives; h264_picture_job_add_slice() for each slice; h264_picture_job_decode_slice()
 * for each of them, from any thread; h264_picture_job_finish() when all are there and done; h264_picture_job_reset() before the next
 * picture.
 */
#pragma once

#include "h264motionslice.h"
#include "h264slicedecoder.h"
#include "h264slicerecord.h"

G_BEGIN_DECLS

/**
 * H264JobSlice:
 * @nal_size: bytes of the NAL unit it came in
 * @pps: a reference on the header's PPS
 * @rbsp: the data of the slice
 * @bits: where slice_data() begins in it
 * @mvds: vector differences
 * @motion: of P and B slices; the caller fills in lists and colocated (a reference) before h264_picture_job_add_slice()
 * @duplicate: another slice begins at the same macroblock: not decoded
 *
 * A slice, and memory for its data that is used again for later ones.
 */
typedef struct
{
  H264SliceHeader header;
  gsize nal_size;
  H264Pps *pps;
  H264Rbsp rbsp;
  H264Bits bits;
  H264MvdList mvds;
  H264MotionSlice motion;
  gboolean duplicate;
  H264SliceResult result;
} H264JobSlice;

/**
 * H264PictureJob:
 * @slices: in order of arrival; the first @n_slices are of this picture, the rest keep their memory for later ones
 * @n_colour_planes: 1, or 3 with separate_colour_plane_flag
 * @layout: where the records of each colour plane lie in the header arena; partitions and segments once finished
 * @has_inter: a slice is P or B
 * @references: frames that it refers to
 * @motion_map: (nullable): its motion, for pictures that later ones may refer to; set before
 *   h264_picture_job_finish(), which drops it
 * @current: what the picture would be in a list: its structure and POCs
 * @max_slices: slices that the header arena has room for
 * @n_concealed: macroblocks that no slice gave, once finished
 * @error: (nullable): what was wrong with the picture, once finished
 */
typedef struct
{
  H264JobSlice **slices;
  guint n_slices;
  guint n_colour_planes;
  H264PictureTarget target;
  H264CoeffArena arena;
  guint8 *header;
  gsize header_capacity;
  GstGpuLayout layout[3];
  gboolean has_inter;
  H264References references;
  H264MotionMap *motion_map;
  H264RefPic current;
  guint max_slices;
  guint n_concealed;
  const gchar *error;

  /*< private > */
  gsize n_allocated_slices, slices_room;
  H264MotionSlice **motion_slices; /* of the slices, for the second pass */
  gsize motion_slices_room;
  gsize n_target_mbs;
  gsize header_end; /* of what is laid out in the header arena */
  GMutex lock;
  GPtrArray *idle_writers; /* of H264BlockWriter */
  GPtrArray *writers;
} H264PictureJob;

H264PictureJob *h264_picture_job_new (void);
void h264_picture_job_free (H264PictureJob *job);

/* (nullable): a slice to be filled, NULL where there is no memory; it becomes part of a picture by h264_picture_job_add_slice(). */
H264JobSlice *h264_job_slice_new (void);
void h264_job_slice_free (H264JobSlice *slice);

/* Lays out the header arena of @header_capacity bytes, and prepares decoding the picture of @sh into @coeffs.  FALSE and @error
 * where the arenas are too small, or there is no memory for what else it takes (h264_no_memory). */
gboolean h264_picture_job_begin (H264PictureJob *job, const H264SliceHeader *sh, guint8 *header, gsize header_capacity, guint8 *coeffs,
    gsize coeffs_size, const gchar **error);

/* Whether the picture may have another slice, and its header arena has no room for it */
gboolean h264_picture_job_needs_room (const H264PictureJob *job);

/* Goes on in a larger header arena, which gets what is in the one before; nothing of the job may be decoding meanwhile.  FALSE where it is
 * too small. */
gboolean h264_picture_job_move_header (H264PictureJob *job, guint8 *header, gsize capacity);

/* Takes in *@slice, whose header is parsed, and gives another one to be filled for it.  No slice of the job may be decoding meanwhile.
 * FALSE and @error where the picture cannot have so many slices, or there is no memory for them (h264_no_memory): then it is not taken. */
gboolean h264_picture_job_add_slice (H264PictureJob *job, H264JobSlice **slice, const gchar **error);

/* Has @dec begin slice number @index, and ends it, once @dec has decoded it.  FALSE: it is not to be decoded. */
gboolean h264_picture_job_begin_slice (H264PictureJob *job, guint index, H264SliceDecoder *dec);
void h264_picture_job_end_slice (H264PictureJob *job, guint index, H264SliceDecoder *dec);

/* Decodes slice number @index. */
void h264_picture_job_decode_slice (H264PictureJob *job, guint index, H264SliceDecoder *dec);

/* (nullable): the slice of the picture that begins where that of @sh does */
const H264JobSlice *h264_picture_job_find_slice_at (const H264PictureJob *job, const H264SliceHeader *sh);

/* Whether slice data decoded so far have gone on behind the beginning of the slice of @sh, which was not known then */
gboolean h264_picture_job_has_run_into (const H264PictureJob *job, const H264SliceHeader *sh);

/* All slices are to be decoded once more.  None may be decoding. */
void h264_picture_job_restart (H264PictureJob *job);

/* Whether the slices decoded so far make up the whole picture, without an error */
gboolean h264_picture_job_is_complete (const H264PictureJob *job);

/* Whether the motion that finishing the picture needs is there; its slices are decoded */
gboolean h264_picture_job_can_finish (const H264PictureJob *job);

/* Conceals what is missing, and writes the segment table (sorted by kind, 16 before 32 bits); @first gets the first segment of each
 * kind. */
void h264_picture_job_finish (H264PictureJob *job, guint first[GST_GPU_N_KINDS + 1]);

/* Whether every slice is one run of macroblock addresses, and none of them was concealed */
gboolean h264_picture_job_slices_contiguous (const H264PictureJob *job);

/* Drops the slices. */
void h264_picture_job_reset (H264PictureJob *job);

static inline H264JobSlice *
h264_picture_job_slice (const H264PictureJob *job, guint index)
{
  return job->slices[index];
}

G_END_DECLS
