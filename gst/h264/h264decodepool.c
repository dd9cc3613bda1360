/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264decodepool.h"
#include "h264cavlctables.h"
#include "h264coding.h"

#include "gstthreadtime.h"

typedef struct
{
  H264PictureJob *job;
  H264DecodeState *state;
  guint index;
} Task;

/* Task.index of a task that finishes the picture */
#define FINISH G_MAXUINT

struct _H264DecodePool
{
  GThreadPool *threads; /* NULL: the caller decodes */
  GMutex lock;
  GCond done;
  GPtrArray *idle_decoders; /* of H264SliceDecoder, one for each thread; under the lock */
  H264DecodeCounters *counters;
};

static H264SliceDecoder *
take_decoder (H264DecodePool *pool)
{
  H264SliceDecoder *dec;

  g_mutex_lock (&pool->lock);
  dec = g_ptr_array_steal_index_fast (pool->idle_decoders, pool->idle_decoders->len - 1);
  g_mutex_unlock (&pool->lock);
  return dec;
}

/* What is given to count_time() behind the work */
static guint64
begin_time (const H264DecodePool *pool)
{
  return pool->counters->measures_time ? gst_thread_time () : 0;
}

static void
count_time (H264DecodePool *pool, guint64 begin)
{
  if (pool->counters->measures_time)
    atomic_fetch_add_explicit (&pool->counters->time, gst_thread_time () - begin, memory_order_relaxed);
}

/* Whether the caller is to finish the picture; with the pool's lock */
static gboolean
may_finish (H264DecodeState *state)
{
  if (!state->closed || state->finishing || state->n_done < state->n_submitted)
    return FALSE;
  state->finishing = TRUE;
  return TRUE;
}

static void
finish (H264DecodePool *pool, H264PictureJob *job, H264DecodeState *state)
{
  const guint64 begin = begin_time (pool);

  h264_picture_job_finish (job, state->first);
  count_time (pool, begin);
  g_mutex_lock (&pool->lock);
  state->finished = TRUE;
  g_cond_broadcast (&pool->done);
  g_mutex_unlock (&pool->lock);
}

static void
decode_slice (H264DecodePool *pool, H264PictureJob *job, guint index, H264DecodeState *state)
{
  H264SliceDecoder *dec = take_decoder (pool);
  const guint64 begin = begin_time (pool);
  gboolean last;

  h264_picture_job_decode_slice (job, index, dec);
  count_time (pool, begin);
  atomic_fetch_add_explicit (&pool->counters->n_slices, 1, memory_order_relaxed);
  g_mutex_lock (&pool->lock);
  g_ptr_array_add (pool->idle_decoders, dec);
  state->n_done++;
  last = may_finish (state);
  g_cond_broadcast (&pool->done);
  g_mutex_unlock (&pool->lock);
  if (last)
    finish (pool, job, state);
}

static void
run_task (gpointer data, gpointer user_data)
{
  Task *task = data;

  if (task->index == FINISH)
    finish (user_data, task->job, task->state);
  else
    decode_slice (user_data, task->job, task->index, task->state);
  g_free (task);
}

static gpointer
init_tables (gpointer unused)
{
  h264_cabac_tables_init ();
  h264_cavlc_tables_init ();
  h264_cavlc_choose_residual (TRUE);
  return NULL;
}

H264DecodePool *
h264_decode_pool_new (guint n_threads, H264DecodeCounters *counters)
{
  static GOnce tables = G_ONCE_INIT;
  H264DecodePool *pool = g_new0 (H264DecodePool, 1);

  g_once (&tables, init_tables, NULL);
  pool->counters = counters;
  g_mutex_init (&pool->lock);
  g_cond_init (&pool->done);
  pool->idle_decoders = g_ptr_array_new_with_free_func ((GDestroyNotify) h264_slice_decoder_free);
  for (guint i = 0; i < MAX (n_threads, 1); i++)
    g_ptr_array_add (pool->idle_decoders, h264_slice_decoder_new ());
  if (n_threads > 1)
    pool->threads = g_thread_pool_new (run_task, pool, (gint) n_threads, FALSE, NULL);
  return pool;
}

void
h264_decode_pool_free (H264DecodePool *pool)
{
  if (pool->threads)
    g_thread_pool_free (pool->threads, FALSE, TRUE);
  g_ptr_array_unref (pool->idle_decoders);
  g_mutex_clear (&pool->lock);
  g_cond_clear (&pool->done);
  g_free (pool);
}

static void
push_task (H264DecodePool *pool, H264PictureJob *job, guint index, H264DecodeState *state)
{
  Task *task = g_new (Task, 1);

  *task = (Task){ job, state, index };
  g_thread_pool_push (pool->threads, task, NULL);
}

void
h264_decode_pool_run (H264DecodePool *pool, H264PictureJob *job, H264DecodeState *state)
{
  guint index;

  /* counted before any of them ends, so that none but the last takes itself for the last */
  g_mutex_lock (&pool->lock);
  index = state->n_submitted;
  state->n_submitted = job->n_slices;
  g_mutex_unlock (&pool->lock);
  for (; index < job->n_slices; index++) {
    if (!pool->threads)
      decode_slice (pool, job, index, state);
    else
      push_task (pool, job, index, state);
  }
}

void
h264_decode_pool_close (H264DecodePool *pool, H264PictureJob *job, H264DecodeState *state)
{
  gboolean last;

  h264_decode_pool_run (pool, job, state);
  g_mutex_lock (&pool->lock);
  state->closed = TRUE;
  last = may_finish (state);
  g_mutex_unlock (&pool->lock);
  if (last && !pool->threads)
    finish (pool, job, state);
  else if (last)
    push_task (pool, job, FINISH, state);
}

void
h264_decode_pool_give_up (H264DecodePool *pool, H264DecodeState *state)
{
  g_mutex_lock (&pool->lock);
  state->closed = state->finishing = state->finished = TRUE;
  g_mutex_unlock (&pool->lock);
}

void
h264_decode_pool_forget (H264DecodePool *pool, H264DecodeState *state)
{
  g_mutex_lock (&pool->lock);
  state->n_submitted = state->n_done = 0;
  g_mutex_unlock (&pool->lock);
}

void
h264_decode_pool_wait (H264DecodePool *pool, H264DecodeState *state)
{
  g_mutex_lock (&pool->lock);
  while (state->n_done < state->n_submitted)
    g_cond_wait (&pool->done, &pool->lock);
  g_mutex_unlock (&pool->lock);
}

void
h264_decode_pool_wait_finished (H264DecodePool *pool, H264DecodeState *state)
{
  g_mutex_lock (&pool->lock);
  while (!state->finished)
    g_cond_wait (&pool->done, &pool->lock);
  g_mutex_unlock (&pool->lock);
}

gboolean
h264_decode_pool_is_finished (H264DecodePool *pool, H264DecodeState *state)
{
  gboolean finished;

  g_mutex_lock (&pool->lock);
  finished = state->finished;
  g_mutex_unlock (&pool->lock);
  return finished;
}
