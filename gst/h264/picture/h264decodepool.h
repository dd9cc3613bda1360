/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The threads that decode slices.  Slices of one picture, and of several, decode at the same time: none needs anything of another.
 */
#pragma once

#include <stdatomic.h>

#include "h264picturejob.h"

G_BEGIN_DECLS

typedef struct _H264DecodePool H264DecodePool;

/**
 * H264DecodeCounters:
 * @measures_time: whether @time is measured; written before the pool is made
 * @n_slices: slices decoded
 * @time: nanoseconds of CPU time that decoding them and finishing pictures took, in all threads together
 *
 * What pools have done for an element, which keeps it; the counts may be read at any time.
 */
typedef struct
{
  gboolean measures_time;
  _Atomic guint64 n_slices;
  _Atomic guint64 time;
} H264DecodeCounters;

/* @n_threads: at least 1; each decodes two slices side by side, where there are enough (h264slicepair.h).  @counters outlives the pool. */
H264DecodePool *h264_decode_pool_new (guint n_threads, H264DecodeCounters *counters);
/* Waits for whatever is running. */
void h264_decode_pool_free (H264DecodePool *pool);

/* Slices that it may decode at the same time, each of which writes blocks */
guint h264_decode_pool_get_n_writers (const H264DecodePool *pool);

/**
 * H264DecodeState:
 * @n_submitted: slices given to the pool
 * @n_done: of these, decoded
 * @closed: no more slices come
 * @finishing: somebody finishes the picture
 * @finished: h264_picture_job_finish() has been run
 * @first: what that gave
 *
 * How far a picture has come, under the pool's lock but for @first; zero-initialise it.
 */
typedef struct
{
  guint n_submitted;
  guint n_done;
  gboolean closed;
  gboolean finishing;
  gboolean finished;
  guint first[GST_GPU_N_KINDS + 1];
} H264DecodeState;

/* Decodes the slices of @job that were added since the last call. */
void h264_decode_pool_run (H264DecodePool *pool, H264PictureJob *job, H264DecodeState *state);

/* The same, and no more slices come: whoever decodes the last one finishes the picture. */
void h264_decode_pool_close (H264DecodePool *pool, H264PictureJob *job, H264DecodeState *state);

/* Closes and finishes a picture whose slices are not to be decoded; none has been run. */
void h264_decode_pool_give_up (H264DecodePool *pool, H264PictureJob *job, H264DecodeState *state);

/* None of its slices has been run, as far as the pool knows; none may be decoding. */
void h264_decode_pool_forget (H264DecodePool *pool, H264DecodeState *state);

/* Waits until all slices that were run are decoded. */
void h264_decode_pool_wait (H264DecodePool *pool, H264DecodeState *state);

/* Waits until a closed picture is finished. */
void h264_decode_pool_wait_finished (H264DecodePool *pool, H264DecodeState *state);

/* Whether it is */
gboolean h264_decode_pool_is_finished (H264DecodePool *pool, H264DecodeState *state);

G_END_DECLS
