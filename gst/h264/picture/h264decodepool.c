/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264decodepool.h"
#include "h264cavlctables.h"
#include "h264coding.h"
#include "h264slicepair.h"

#include "gstthreadtime.h"

/* A slice to be decoded, number @index; or a picture to be finished */
typedef struct
{
  H264PictureJob *job;
  H264DecodeState *state;
  guint index;
} Task;

/**
 * H264DecodePool:
 * @threads: each of its tasks takes one of @tasks, if one is left
 * @tasks: slices, in decoding order
 * @second_waits: the next one may be decoded beside another one
 * @unfinished: of Task: pictures that are decoded; some need the motion of another one to be finished
 * @n_threads: and of them, @n_busy at work
 * @idle_decoders: of H264SliceDecoder, two for each thread
 *
 * @tasks to @idle_decoders are under @lock.  No thread waits for another picture, of which it may have a slice half decoded itself.
 */
struct _H264DecodePool
{
  GThreadPool *threads;
  GMutex lock;
  GCond done;
  GQueue tasks;
  _Atomic guint second_waits; /* may be read without the lock */
  GPtrArray *unfinished;
  guint n_threads, n_busy;
  GPtrArray *idle_decoders;
  H264DecodeCounters *counters;
};

static Task *
task_new (H264PictureJob *job, guint index, H264DecodeState *state)
{
  Task *task = g_new (Task, 1);

  *task = (Task){ job, state, index };
  return task;
}

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

/* (nullable): a picture that can be finished now; with the pool's lock */
static Task *
take_unfinished (H264DecodePool *pool)
{
  for (guint i = 0; i < pool->unfinished->len; i++) {
    const Task *task = g_ptr_array_index (pool->unfinished, i);

    if (h264_picture_job_can_finish (task->job))
      return g_ptr_array_steal_index (pool->unfinished, i);
  }
  return NULL;
}

/* Finishes the pictures that can be, one after the other: each may be what another one needs. */
static void
finish_pictures (H264DecodePool *pool)
{
  Task *task;

  g_mutex_lock (&pool->lock);
  while ((task = take_unfinished (pool))) {
    guint64 begin;

    g_mutex_unlock (&pool->lock);
    begin = begin_time (pool);
    h264_picture_job_finish (task->job, task->state->first);
    count_time (pool, begin);
    g_mutex_lock (&pool->lock);
    task->state->finished = TRUE;
    g_cond_broadcast (&pool->done);
    g_free (task);
  }
  g_mutex_unlock (&pool->lock);
}

/* A slice has been decoded, by @dec: its picture, and others that wait to be finished, may be complete now. */
static void
end_slice (H264DecodePool *pool, Task *task, H264SliceDecoder *dec)
{
  atomic_fetch_add_explicit (&pool->counters->n_slices, 1, memory_order_relaxed);
  g_mutex_lock (&pool->lock);
  g_ptr_array_add (pool->idle_decoders, dec);
  task->state->n_done++;
  if (may_finish (task->state))
    g_ptr_array_add (pool->unfinished, g_steal_pointer (&task));
  g_cond_broadcast (&pool->done);
  g_mutex_unlock (&pool->lock);
  g_free (task);
  finish_pictures (pool);
}

static void
decode_slice (H264DecodePool *pool, Task *task)
{
  H264SliceDecoder *dec = take_decoder (pool);
  const guint64 begin = begin_time (pool);

  h264_picture_job_decode_slice (task->job, task->index, dec);
  count_time (pool, begin);
  end_slice (pool, task, dec);
}

static gboolean
can_be_one_of_two (const Task *task)
{
  const H264JobSlice *slice = h264_picture_job_slice (task->job, task->index);

  return !slice->duplicate && h264_slice_pair_takes (&slice->header);
}

/* What the next slice and the threads are has changed; with the pool's lock.  Threads that have nothing to do come first: one slice each is
 * faster. */
static void
look_for_second (H264DecodePool *pool)
{
  const guint n_idle = pool->n_threads - pool->n_busy;
  const gboolean waits = pool->tasks.length > n_idle && can_be_one_of_two (g_queue_peek_head (&pool->tasks));

  atomic_store_explicit (&pool->second_waits, waits, memory_order_relaxed);
}

/* (nullable): a slice to be decoded beside another one */
static Task *
take_second (H264DecodePool *pool)
{
  Task *task = NULL;

  g_mutex_lock (&pool->lock);
  if (atomic_load_explicit (&pool->second_waits, memory_order_relaxed))
    task = g_queue_pop_head (&pool->tasks);
  look_for_second (pool);
  g_mutex_unlock (&pool->lock);
  return task;
}

static void
set_slice (H264DecodePool *pool, H264SlicePair *pair, guint i, const Task *task)
{
  H264SliceDecoder *dec = take_decoder (pool);

  /* duplicates are no pair's */
  (void) h264_picture_job_begin_slice (task->job, task->index, dec);
  dec->leaves_residuals = TRUE;
  h264_slice_pair_set (pair, i, dec);
}

/* Decodes @task, and beside it, or in the place of the one that ends first, other slices as they come. */
static void
decode_slices (H264DecodePool *pool, Task *task)
{
  Task *tasks[2] = { NULL, NULL };
  H264SlicePair pair;
  guint i = 0;

  do {
    guint64 begin;

    /* number i is free */
    if (!task)
      task = take_second (pool);
    begin = begin_time (pool);
    if (task)
      set_slice (pool, &pair, i, task);
    tasks[i] = g_steal_pointer (&task);
    if (tasks[0] && tasks[1])
      i = h264_slice_pair_run (&pair);
    else
      i = tasks[0] ? 0 : 1;
    if (h264_slice_pair_run_alone (&pair, i, &pool->second_waits)) {
      h264_picture_job_end_slice (tasks[i]->job, tasks[i]->index, pair.decs[i]);
      count_time (pool, begin);
      end_slice (pool, g_steal_pointer (&tasks[i]), pair.decs[i]);
    } else {
      count_time (pool, begin);
      i = !i;
    }
  } while (tasks[0] || tasks[1]);
}

/* A thread's work: a slice, and what can be done beside; or pictures that wait to be finished */
static void
work (gpointer unused, gpointer user_data)
{
  H264DecodePool *pool = user_data;
  Task *task;

  g_mutex_lock (&pool->lock);
  task = g_queue_pop_head (&pool->tasks);
  pool->n_busy++;
  look_for_second (pool);
  g_mutex_unlock (&pool->lock);
  if (!task)
    finish_pictures (pool);
  else if (can_be_one_of_two (task))
    decode_slices (pool, task);
  else
    decode_slice (pool, task);
  g_mutex_lock (&pool->lock);
  pool->n_busy--;
  look_for_second (pool);
  g_mutex_unlock (&pool->lock);
}

static gpointer
init_tables (gpointer unused)
{
  h264_cabac_tables_init ();
  h264_cabac_lanes_init_tables ();
  h264_cavlc_tables_init ();
  h264_cavlc_choose_residual (TRUE);
  return NULL;
}

static GThreadPool *
threads_new (H264DecodePool *pool)
{
  return g_thread_pool_new (work, pool, (gint) pool->n_threads, FALSE, NULL);
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
  for (guint i = 0; i < 2 * n_threads; i++)
    g_ptr_array_add (pool->idle_decoders, h264_slice_decoder_new ());
  g_queue_init (&pool->tasks);
  pool->unfinished = g_ptr_array_new ();
  pool->n_threads = n_threads;
  pool->threads = threads_new (pool);
  return pool;
}

void
h264_decode_pool_free (H264DecodePool *pool)
{
  g_thread_pool_free (pool->threads, FALSE, TRUE);
  g_ptr_array_unref (pool->unfinished);
  g_ptr_array_unref (pool->idle_decoders);
  g_mutex_clear (&pool->lock);
  g_cond_clear (&pool->done);
  g_free (pool);
}

/* Where no thread can be started and none is there, the caller does the work: what the threads' queue holds would be left to nobody, and is
 * left out. */
static void
wake_thread (H264DecodePool *pool)
{
  if (g_thread_pool_push (pool->threads, pool, NULL) || g_thread_pool_get_num_threads (pool->threads) > 0)
    return;
  g_thread_pool_free (pool->threads, TRUE, FALSE);
  work (NULL, pool);
  pool->threads = threads_new (pool);
}

guint
h264_decode_pool_get_n_writers (const H264DecodePool *pool)
{
  return 2 * pool->n_threads;
}

void
h264_decode_pool_run (H264DecodePool *pool, H264PictureJob *job, H264DecodeState *state)
{
  guint n = 0;

  g_mutex_lock (&pool->lock);
  for (; state->n_submitted < job->n_slices; n++)
    g_queue_push_tail (&pool->tasks, task_new (job, state->n_submitted++, state));
  look_for_second (pool);
  g_mutex_unlock (&pool->lock);
  while (n-- > 0)
    wake_thread (pool);
}

void
h264_decode_pool_close (H264DecodePool *pool, H264PictureJob *job, H264DecodeState *state)
{
  gboolean to_finish;

  h264_decode_pool_run (pool, job, state);
  g_mutex_lock (&pool->lock);
  state->closed = TRUE;
  to_finish = may_finish (state);
  if (to_finish)
    g_ptr_array_add (pool->unfinished, task_new (job, 0, state));
  g_mutex_unlock (&pool->lock);
  if (to_finish)
    wake_thread (pool);
}

void
h264_decode_pool_give_up (H264DecodePool *pool, H264PictureJob *job, H264DecodeState *state)
{
  if (job->motion_map)
    h264_motion_map_complete (job->motion_map);
  g_mutex_lock (&pool->lock);
  state->closed = state->finishing = state->finished = TRUE;
  g_mutex_unlock (&pool->lock);
  finish_pictures (pool);
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
