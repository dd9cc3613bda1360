/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264picturejob.h"
#include "gstcodedformat.h"
#include "h264conceal.h"
#include "h264fmo.h"
#include "h264memory.h"
#include "h264motion.h"
#include <string.h>

/* Sections of the header arena begin at multiples of this. */
#define ALIGNMENT 64

H264JobSlice *
h264_job_slice_new (void)
{
  return g_try_new0 (H264JobSlice, 1);
}

void
h264_job_slice_free (H264JobSlice *slice)
{
  if (slice->pps)
    h264_pps_unref (slice->pps);
  h264_rbsp_clear (&slice->rbsp);
  g_free (slice->mvds.mvds);
  g_free (slice);
}

static void
writer_free (gpointer data)
{
  h264_block_writer_clear (data);
  g_free (data);
}

H264PictureJob *
h264_picture_job_new (void)
{
  H264PictureJob *job = g_new0 (H264PictureJob, 1);

  job->writers = g_ptr_array_new_with_free_func (writer_free);
  job->idle_writers = g_ptr_array_new ();
  g_mutex_init (&job->lock);
  h264_coeff_arena_init (&job->arena);
  return job;
}

static void
free_target (H264PictureJob *job)
{
  for (guint plane = 0; plane < 3; plane++) {
    /* the others are in the same block */
    g_clear_pointer (&job->target.motion[plane], g_free);
    job->target.mb_slice[plane] = NULL;
    job->target.slice_start[plane] = NULL;
  }
}

void
h264_picture_job_free (H264PictureJob *job)
{
  free_target (job);
  g_free (job->target.mb_to_slice_group);
  for (gsize i = 0; i < job->n_allocated_slices; i++)
    h264_job_slice_free (job->slices[i]);
  g_free (job->slices);
  g_free (job->motion_slices);
  g_ptr_array_unref (job->idle_writers);
  g_ptr_array_unref (job->writers);
  g_mutex_clear (&job->lock);
  h264_coeff_arena_clear (&job->arena);
  g_free (job);
}

void
h264_picture_job_reset (H264PictureJob *job)
{
  /* chunks that a picture dropped by a flush has left open lie in an arena that is no longer ours */
  for (guint i = 0; i < job->writers->len; i++)
    h264_block_writer_flush (g_ptr_array_index (job->writers, i));
  for (guint i = 0; i < job->n_slices; i++) {
    g_clear_pointer (&h264_picture_job_slice (job, i)->pps, h264_pps_unref);
    h264_motion_slice_clear_colocated (&h264_picture_job_slice (job, i)->motion);
  }
  if (job->motion_map)
    /* whoever waits for the motion of a picture that is given up goes on */
    h264_motion_map_complete (job->motion_map);
  g_clear_pointer (&job->motion_map, h264_motion_map_unref);
  job->has_inter = FALSE;
  job->references.n = 0;
  job->n_slices = 0;
  job->error = NULL;
  job->n_concealed = 0;
}

static gsize
n_mbs (const H264PictureJob *job)
{
  return (gsize) job->target.width_in_mbs * job->target.height_in_mbs;
}

/* A block of memory for each plane; by alignment: H264MbMotion, then guint16, then guint8 */
static gboolean
alloc_target_plane (H264PictureTarget *target, guint plane, gsize n)
{
  target->motion[plane] = g_try_malloc (n * (sizeof (H264MbMotion) + sizeof (guint16)) + (n + 7) / 8);
  if (!target->motion[plane])
    return FALSE;
  target->mb_slice[plane] = (guint16 *) (target->motion[plane] + n);
  target->slice_start[plane] = (guint8 *) (target->mb_slice[plane] + n);
  return TRUE;
}

static gboolean
map_slice_groups (H264PictureTarget *target, const H264SliceHeader *sh)
{
  const gsize n = (gsize) target->width_in_mbs * target->height_in_mbs;
  guint8 *map_units;

  g_clear_pointer (&target->mb_to_slice_group, g_free);
  if (sh->pps->num_slice_groups == 1)
    return TRUE;
  map_units = g_try_malloc (sh->pps->sps->PicSizeInMapUnits);
  target->mb_to_slice_group = g_try_malloc (n);
  if (map_units && target->mb_to_slice_group) {
    h264_fmo_map_units (sh, map_units);
    h264_fmo_map_mbs (sh, map_units, target->mb_to_slice_group);
  }
  g_free (map_units);
  return map_units && target->mb_to_slice_group;
}

/* FALSE: there is no memory. */
static gboolean
prepare_target (H264PictureJob *job, const H264SliceHeader *sh)
{
  H264PictureTarget *target = &job->target;
  gsize n;

  target->width_in_mbs = sh->pps->sps->pic_width_in_mbs;
  target->height_in_mbs = sh->PicHeightInMbs;
  target->mbaff = sh->MbaffFrameFlag;
  target->arena = &job->arena;
  n = n_mbs (job);
  if (n != job->n_target_mbs) {
    free_target (job);
    job->n_target_mbs = n;
  }
  for (guint plane = 0; plane < job->n_colour_planes; plane++) {
    if (!target->motion[plane] && !alloc_target_plane (target, plane, n))
      return FALSE;
    memset (target->mb_slice[plane], 0xff, n * sizeof (guint16));
    memset (target->slice_start[plane], 0, (n + 7) / 8);
  }
  return map_slice_groups (target, sh);
}

/* Every slice has a macroblock of its own. */
static gsize
most_slices (const H264PictureJob *job)
{
  return MIN (n_mbs (job) * job->n_colour_planes, GST_CODED_MAX_SLICES);
}

static gsize
add_section (gsize *end, gsize size)
{
  const gsize offset = (*end + ALIGNMENT - 1) & ~(gsize) (ALIGNMENT - 1);

  *end = offset + size;
  return offset;
}

/* Lays out what is there before slices decode, with room for @max_slices slices; what comes behind it gets its place as it comes.  Bytes
 * of the header arena that the picture may need then: 16 partitions a macroblock, and a segment a chunk. */
static gsize
lay_out_header (H264PictureJob *job, gsize max_slices)
{
  gsize end = 0, slices, inter_slices;

  for (guint plane = 0; plane < job->n_colour_planes; plane++)
    job->layout[plane].mbs = add_section (&end, n_mbs (job) * sizeof (GstGpuMb));
  slices = add_section (&end, max_slices * sizeof (GstGpuSlice));
  inter_slices = add_section (&end, max_slices * sizeof (GstGpuInterSlice));
  for (guint plane = 0; plane < job->n_colour_planes; plane++) {
    job->layout[plane].slices = slices;
    job->layout[plane].inter_slices = inter_slices;
  }
  job->header_end = end;
  for (guint plane = 0; plane < job->n_colour_planes; plane++) {
    job->layout[plane].partitions = end;
    job->layout[plane].n_partitions = 0;
  }
  for (guint plane = 0; plane < job->n_colour_planes; plane++)
    (void) add_section (&end, n_mbs (job) * 16 * sizeof (GstGpuPartition));
  (void) add_section (&end, job->arena.n_chunks * sizeof (GstGpuSegment));
  return end;
}

/* Takes @header of @capacity bytes, for as many slices as it has room for besides all that a picture may have.  FALSE where there is room
 * for none. */
static gboolean
use_header (H264PictureJob *job, guint8 *header, gsize capacity)
{
  const gsize size = lay_out_header (job, 0) + 2 * ALIGNMENT;

  if (size + sizeof (GstGpuSlice) + sizeof (GstGpuInterSlice) > capacity)
    return FALSE;
  job->header = header;
  job->header_capacity = capacity;
  job->max_slices = (guint) MIN ((capacity - size) / (sizeof (GstGpuSlice) + sizeof (GstGpuInterSlice)), most_slices (job));
  lay_out_header (job, job->max_slices);
  for (guint plane = 0; plane < job->n_colour_planes; plane++)
    job->target.mbs[plane] = (GstGpuMb *) (header + job->layout[plane].mbs);
  return TRUE;
}

/* Makes room for one more slice.  FALSE: there is no memory. */
static gboolean
reserve_slice (H264PictureJob *job)
{
  const gsize n = job->n_slices + 1 > job->slices_room ? 2 * (gsize) job->n_slices + 16 : 0;

  if (!h264_try_reserve ((gpointer *) &job->slices, &job->slices_room, n, sizeof (H264JobSlice *))
      || !h264_try_reserve ((gpointer *) &job->motion_slices, &job->motion_slices_room, job->slices_room, sizeof (H264MotionSlice *)))
    return FALSE;
  if (job->n_slices < job->n_allocated_slices)
    return TRUE;
  job->slices[job->n_slices] = h264_job_slice_new ();
  if (!job->slices[job->n_slices])
    return FALSE;
  job->n_allocated_slices++;
  return TRUE;
}

gboolean
h264_picture_job_begin (H264PictureJob *job, const H264SliceHeader *sh, guint8 *header, gsize header_capacity, guint8 *coeffs,
    gsize coeffs_size, const gchar **error)
{
  const H264Sps *sps = sh->pps->sps;
  const gsize sample_size = sps->bit_depth_luma > 8 || sps->bit_depth_chroma > 8 ? 2 : 1;
  const gsize n_samples = 256 + (sps->ChromaArrayType == 0 ? 0 : (gsize) 64 << sps->ChromaArrayType);

  job->n_colour_planes = sps->separate_colour_plane_flag ? 3 : 1;
  *error = h264_no_memory;
  if (!prepare_target (job, sh))
    return FALSE;
  if (!h264_coeff_arena_begin (&job->arena, coeffs, coeffs_size, n_samples * sample_size))
    return FALSE;
  if (!use_header (job, header, header_capacity)) {
    *error = "the memory of a coded picture is too small";
    return FALSE;
  }
  /* a picture that has begun has a slice */
  return reserve_slice (job);
}

gboolean
h264_picture_job_needs_room (const H264PictureJob *job)
{
  return job->n_slices == job->max_slices && job->max_slices < most_slices (job);
}

gboolean
h264_picture_job_move_header (H264PictureJob *job, guint8 *header, gsize capacity)
{
  const guint8 *old = job->header;
  const GstGpuLayout from = job->layout[0];

  if (!use_header (job, header, capacity))
    return FALSE;
  /* the records of all planes are one run */
  memcpy (header, old, from.slices);
  memcpy (header + job->layout[0].slices, old + from.slices, job->n_slices * sizeof (GstGpuSlice));
  memcpy (header + job->layout[0].inter_slices, old + from.inter_slices, job->n_slices * sizeof (GstGpuInterSlice));
  return TRUE;
}

static void
add_inter_slice (H264PictureJob *job, H264JobSlice *slice)
{
  const H264SliceHeader *sh = &slice->header;
  H264MotionSlice *motion = &slice->motion;
  GstGpuInterSlice *record = (GstGpuInterSlice *) (job->header + job->layout[0].inter_slices) + job->n_slices;

  job->has_inter = TRUE;
  motion->is_b = sh->slice_type == H264_SLICE_B;
  motion->direct_spatial = sh->direct_spatial_mv_pred_flag;
  motion->missing_used = FALSE;
  motion->colocated_is_short_term = motion->is_b && !motion->lists.list[1][0].long_term;
  h264_motion_slice_set_lists (motion, &job->current, sh->MbaffFrameFlag);
  if (!h264_inter_slice_fill (record, sh, &motion->lists, &job->current, &job->references))
    motion->missing_used = TRUE;
}

/* Puts *@slice behind the slices of the picture; what stood there is free for the next one. */
static void
exchange_slice (H264PictureJob *job, H264JobSlice **slice)
{
  H264JobSlice **place = &job->slices[job->n_slices], *taken = *slice;

  *slice = *place;
  *place = taken;
}

gboolean
h264_picture_job_add_slice (H264PictureJob *job, H264JobSlice **next, const gchar **error)
{
  H264JobSlice *slice = *next;
  const H264SliceHeader *sh = &slice->header;
  const guint plane = job->n_colour_planes > 1 ? sh->colour_plane_id : 0;
  const guint first_mb = h264_slice_first_mb (sh);
  guint8 *byte = &job->target.slice_start[plane][first_mb / 8];
  const guint8 bit = (guint8) (1u << first_mb % 8);

  if (job->n_slices == job->max_slices) {
    *error = "a picture has more slices than it can have";
    return FALSE;
  }
  if (!reserve_slice (job)) {
    *error = h264_no_memory;
    return FALSE;
  }
  exchange_slice (job, next);
  slice->pps = h264_pps_ref (sh->pps);
  slice->result = (H264SliceResult){ 0, NULL };
  /* no slice may run into another one, and of two that begin at the same macroblock the first one counts */
  slice->duplicate = (*byte & bit) != 0;
  *byte |= bit;
  h264_slice_record_fill ((GstGpuSlice *) (job->header + job->layout[0].slices) + job->n_slices, sh);
  if (!h264_slice_type_is_intra (sh->slice_type))
    add_inter_slice (job, slice);
  job->n_slices++;
  return TRUE;
}

static H264BlockWriter *
take_writer (H264PictureJob *job)
{
  H264BlockWriter *writer;

  g_mutex_lock (&job->lock);
  if (job->idle_writers->len > 0) {
    writer = g_ptr_array_remove_index_fast (job->idle_writers, job->idle_writers->len - 1);
  } else {
    writer = g_new (H264BlockWriter, 1);
    h264_block_writer_init (writer, &job->arena);
    g_ptr_array_add (job->writers, writer);
  }
  g_mutex_unlock (&job->lock);
  return writer;
}

static void
give_writer_back (H264PictureJob *job, H264BlockWriter *writer)
{
  g_mutex_lock (&job->lock);
  g_ptr_array_add (job->idle_writers, writer);
  g_mutex_unlock (&job->lock);
}

gboolean
h264_picture_job_begin_slice (H264PictureJob *job, guint index, H264SliceDecoder *dec)
{
  H264JobSlice *slice = h264_picture_job_slice (job, index);

  if (slice->duplicate) {
    slice->result.error = "two slices begin at the same macroblock";
    return FALSE;
  }
  h264_slice_decoder_begin (dec, &slice->header, &job->target, (guint16) index, &slice->bits, take_writer (job), &slice->mvds);
  return TRUE;
}

void
h264_picture_job_end_slice (H264PictureJob *job, guint index, H264SliceDecoder *dec)
{
  h264_picture_job_slice (job, index)->result = h264_slice_decoder_end (dec);
  give_writer_back (job, dec->writer);
}

void
h264_picture_job_decode_slice (H264PictureJob *job, guint index, H264SliceDecoder *dec)
{
  if (!h264_picture_job_begin_slice (job, index, dec))
    return;
  h264_slice_decoder_go_on (dec);
  h264_picture_job_end_slice (job, index, dec);
}

gboolean
h264_picture_job_has_run_into (const H264PictureJob *job, const H264SliceHeader *sh)
{
  const guint plane = job->n_colour_planes > 1 ? sh->colour_plane_id : 0, mbAddr = h264_slice_first_mb (sh);
  const gboolean begins_one = job->target.slice_start[plane][mbAddr / 8] & 1u << mbAddr % 8;

  return !begins_one && job->target.mb_slice[plane][mbAddr] != H264_NO_SLICE;
}

const H264JobSlice *
h264_picture_job_find_slice_at (const H264PictureJob *job, const H264SliceHeader *sh)
{
  const guint plane = job->n_colour_planes > 1 ? sh->colour_plane_id : 0, first_mb = h264_slice_first_mb (sh);

  if (!(job->target.slice_start[plane][first_mb / 8] & 1u << first_mb % 8))
    return NULL;
  for (guint i = 0; i < job->n_slices; i++) {
    const H264JobSlice *slice = h264_picture_job_slice (job, i);

    if (slice->header.first_mb_in_slice == sh->first_mb_in_slice && slice->header.colour_plane_id == sh->colour_plane_id)
      return slice;
  }
  return NULL;
}

void
h264_picture_job_restart (H264PictureJob *job)
{
  H264CoeffArena *arena = &job->arena;

  for (guint i = 0; i < job->writers->len; i++)
    h264_block_writer_flush (g_ptr_array_index (job->writers, i));
  /* as large as before: it has its memory */
  (void) h264_coeff_arena_begin (arena, arena->base, (gsize) arena->n_chunks * H264_CHUNK_SIZE, arena->pcm_size);
  for (guint i = 0; i < job->n_colour_planes; i++)
    memset (job->target.mb_slice[i], 0xff, n_mbs (job) * sizeof (guint16));
  for (guint i = 0; i < job->n_slices; i++)
    h264_picture_job_slice (job, i)->result = (H264SliceResult){ 0, NULL };
}

gboolean
h264_picture_job_is_complete (const H264PictureJob *job)
{
  gsize n = 0;

  for (guint i = 0; i < job->n_slices; i++) {
    const H264SliceResult *result = &h264_picture_job_slice (job, i)->result;

    if (result->error)
      return FALSE;
    n += result->n_mbs;
  }
  return n == n_mbs (job) * job->n_colour_planes;
}

/* The slice whose tables concealed macroblocks use */
static guint
find_concealing_slice (const H264PictureJob *job)
{
  for (guint i = 0; i < job->n_slices; i++)
    if (!h264_slice_type_is_intra (h264_picture_job_slice (job, i)->header.slice_type))
      return i;
  return 0;
}

/* Those of a slice whose macroblocks are all skipped or direct */
static const H264Mvd no_mvds[1];

/* Whether the second pass needs the motion of the co-located picture: P slices do only to guess at what is lost. */
static gboolean
needs_colocated (const H264JobSlice *slice, gboolean lost)
{
  return slice->header.slice_type == H264_SLICE_B || (slice->header.slice_type == H264_SLICE_P && lost);
}

gboolean
h264_picture_job_can_finish (const H264PictureJob *job)
{
  const gboolean lost = !h264_picture_job_is_complete (job);

  for (guint i = 0; i < job->n_slices; i++) {
    const H264JobSlice *slice = h264_picture_job_slice (job, i);

    if (needs_colocated (slice, lost) && !h264_motion_slice_has_colocated (&slice->motion))
      return FALSE;
  }
  return TRUE;
}

/* The second pass over a picture with P or B slices */
static void
derive_motion (H264PictureJob *job)
{
  const H264SliceHeader *sh = &h264_picture_job_slice (job, 0)->header;
  H264MotionSlice **slices = job->motion_slices;

  for (guint i = 0; i < job->n_slices; i++) {
    H264JobSlice *slice = h264_picture_job_slice (job, i);

    slices[i] = &slice->motion;
    slice->motion.mvds = slice->mvds.mvds ? slice->mvds.mvds : no_mvds;
  }
  if (!h264_motion_map_reserve (job->motion_map)) {
    job->error = h264_no_memory;
    return;
  }
  for (guint plane = 0; plane < job->n_colour_planes; plane++) {
    GstGpuLayout *layout = &job->layout[plane];
    const gsize partitions = add_section (&job->header_end, 0);
    H264MotionPass pass = {
      .slices = slices,
      .mb_slice = job->target.mb_slice[plane],
      .mbs = job->target.mbs[plane],
      .motion = job->target.motion[plane],
      .map = job->motion_map->planes[plane],
      .still = job->motion_map->still[plane],
      .plane = plane,
      .partitions = (GstGpuPartition *) (job->header + partitions),
      .width_in_mbs = job->target.width_in_mbs,
      .height_in_mbs = job->target.height_in_mbs,
      .direct_8x8_inference = sh->pps->sps->direct_8x8_inference_flag,
      .structure = h264_slice_structure (sh),
      .mbaff = sh->MbaffFrameFlag,
      .is_field = job->motion_map->is_field[plane],
    };

    h264_motion_derive (&pass);
    layout->n_partitions = pass.n_partitions;
    layout->partitions = partitions;
    job->header_end += pass.n_partitions * sizeof (GstGpuPartition);
  }
  for (guint i = 0; i < job->n_slices; i++)
    if (!h264_slice_type_is_intra (h264_picture_job_slice (job, i)->header.slice_type) && slices[i]->missing_used && !job->error)
      job->error = "a reference picture is missing";
}

/* Behind all else: now it is known how many there are. */
static void
write_segments (H264PictureJob *job, guint first[GST_GPU_N_KINDS + 1])
{
  const gsize at = add_section (&job->header_end, 0), room = (job->header_capacity - at) / sizeof (GstGpuSegment);
  guint n_segments = 0;

  if (!h264_coeff_arena_write_segments (&job->arena, (GstGpuSegment *) (job->header + at), room, first, &n_segments))
    job->error = "too many segments";
  for (guint plane = 0; plane < job->n_colour_planes; plane++)
    job->layout[plane].segments = at;
}

void
h264_picture_job_finish (H264PictureJob *job, guint first[GST_GPU_N_KINDS + 1])
{
  for (guint i = 0; i < job->writers->len; i++)
    h264_block_writer_flush (g_ptr_array_index (job->writers, i));
  for (guint i = 0; i < job->n_slices; i++) {
    const H264JobSlice *slice = h264_picture_job_slice (job, i);

    ((GstGpuSlice *) (job->header + job->layout[0].slices))[i].n_mbs = slice->result.n_mbs;
    if (slice->result.error && (!job->error || slice->result.error == h264_no_memory))
      job->error = slice->result.error;
  }
  job->n_concealed = h264_conceal (&job->target, job->n_colour_planes, find_concealing_slice (job), job->has_inter);
  if (job->n_concealed > 0 && !job->error)
    job->error = "macroblocks are missing";
  if (job->has_inter)
    derive_motion (job);
  write_segments (job, first);
  if (job->motion_map)
    h264_motion_map_complete (job->motion_map);
  /* it is held by those that may refer to the picture */
  g_clear_pointer (&job->motion_map, h264_motion_map_unref);
}

gboolean
h264_picture_job_slices_contiguous (const H264PictureJob *job)
{
  return job->n_concealed == 0 && !job->target.mb_to_slice_group;
}
