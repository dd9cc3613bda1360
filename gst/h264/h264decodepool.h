/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The threads that decode slices.  Slices of one picture, and of several, decode at the same time: none needs anything of another.
 */
#pragma once

#include "h264picturejob.h"

G_BEGIN_DECLS

typedef struct _H264DecodePool H264DecodePool;

/* @n_threads: at least 1; 1: slices are decoded by the caller of h264_decode_pool_run() */
H264DecodePool *h264_decode_pool_new (guint n_threads);
/* Waits for whatever is running. */
void h264_decode_pool_free (H264DecodePool * pool);

/**
 * H264DecodeState:
 * @n_submitted: slices given to the pool; the submitting thread's
 * @n_done: of these, decoded; under the pool's lock
 *
 * How far a picture has come; zero-initialise it.
 */
typedef struct
{
  guint n_submitted;
  guint n_done;
} H264DecodeState;

/* Decodes the slices of @job that were added since the last call. */
void h264_decode_pool_run (H264DecodePool * pool, H264PictureJob * job, H264DecodeState * state);

/* Waits until all slices that were run are decoded. */
void h264_decode_pool_wait (H264DecodePool * pool, H264DecodeState * state);

/* Whether they are */
gboolean h264_decode_pool_is_done (H264DecodePool * pool, H264DecodeState * state);

G_END_DECLS
