/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What ThreadSanitizer has to know of GLib and GStreamer, which are not built with it: GLib's mutexes wait by futex(2) and its counters are
 * atomic instructions, and the sanitizer sees neither.  These functions stand before those of the libraries for all that the program
 * loads; each calls the one it stands for, and says what that one orders.  What the libraries call inside of themselves, they call
 * directly.
 *
 * What else GLib does by itself is not looked at (called_from_lib in tests/threads.supp), and so its mutexes of pthreads (GRecMutex,
 * GRWLock) are told, too.
 */
#include <dlfcn.h>
#include <gst/gst.h>
#include <sanitizer/tsan_interface.h>

/* The functions here are no part of what is tested. */
#pragma clang attribute push(__attribute__((no_sanitize("thread"))), apply_to = function)

/* The function of the library that the one it is used in stands before */
#define REAL(name) ((__typeof__ (&name)) find_real (&real, #name))

static gpointer
find_real (gpointer *real, const gchar *name)
{
  gpointer found = __atomic_load_n (real, __ATOMIC_RELAXED);

  if (!found) {
    found = dlsym (RTLD_NEXT, name);
    __atomic_store_n (real, found, __ATOMIC_RELAXED);
  }
  return found;
}

/* Mutexes and conditions */

void
g_mutex_clear (GMutex *mutex)
{
  static gpointer real;

  __tsan_mutex_destroy (mutex, __tsan_mutex_linker_init);
  REAL (g_mutex_clear) (mutex);
}

void
g_mutex_lock (GMutex *mutex)
{
  static gpointer real;

  __tsan_mutex_pre_lock (mutex, __tsan_mutex_linker_init);
  REAL (g_mutex_lock) (mutex);
  __tsan_mutex_post_lock (mutex, __tsan_mutex_linker_init, 0);
}

gboolean
g_mutex_trylock (GMutex *mutex)
{
  static gpointer real;
  gboolean locked;

  __tsan_mutex_pre_lock (mutex, __tsan_mutex_linker_init | __tsan_mutex_try_lock);
  locked = REAL (g_mutex_trylock) (mutex);
  __tsan_mutex_post_lock (mutex, __tsan_mutex_linker_init | __tsan_mutex_try_lock | (locked ? 0 : __tsan_mutex_try_lock_failed), 0);
  return locked;
}

void
g_mutex_unlock (GMutex *mutex)
{
  static gpointer real;

  __tsan_mutex_pre_unlock (mutex, 0);
  REAL (g_mutex_unlock) (mutex);
  __tsan_mutex_post_unlock (mutex, 0);
}

/* A condition orders nothing that its mutex does not. */
void
g_cond_wait (GCond *cond, GMutex *mutex)
{
  static gpointer real;

  __tsan_mutex_pre_unlock (mutex, 0);
  __tsan_mutex_post_unlock (mutex, 0);
  REAL (g_cond_wait) (cond, mutex);
  __tsan_mutex_pre_lock (mutex, __tsan_mutex_linker_init);
  __tsan_mutex_post_lock (mutex, __tsan_mutex_linker_init, 0);
}

gboolean
g_cond_wait_until (GCond *cond, GMutex *mutex, gint64 end_time)
{
  static gpointer real;
  gboolean signalled;

  __tsan_mutex_pre_unlock (mutex, 0);
  __tsan_mutex_post_unlock (mutex, 0);
  signalled = REAL (g_cond_wait_until) (cond, mutex, end_time);
  __tsan_mutex_pre_lock (mutex, __tsan_mutex_linker_init);
  __tsan_mutex_post_lock (mutex, __tsan_mutex_linker_init, 0);
  return signalled;
}

void
g_rec_mutex_clear (GRecMutex *mutex)
{
  static gpointer real;

  __tsan_mutex_destroy (mutex, __tsan_mutex_linker_init);
  REAL (g_rec_mutex_clear) (mutex);
}

#define RECURSIVE (__tsan_mutex_linker_init | __tsan_mutex_write_reentrant)

void
g_rec_mutex_lock (GRecMutex *mutex)
{
  static gpointer real;

  __tsan_mutex_pre_lock (mutex, RECURSIVE);
  REAL (g_rec_mutex_lock) (mutex);
  __tsan_mutex_post_lock (mutex, RECURSIVE, 1);
}

gboolean
g_rec_mutex_trylock (GRecMutex *mutex)
{
  static gpointer real;
  gboolean locked;

  __tsan_mutex_pre_lock (mutex, RECURSIVE | __tsan_mutex_try_lock);
  locked = REAL (g_rec_mutex_trylock) (mutex);
  __tsan_mutex_post_lock (mutex, RECURSIVE | __tsan_mutex_try_lock | (locked ? 0 : __tsan_mutex_try_lock_failed), 1);
  return locked;
}

void
g_rec_mutex_unlock (GRecMutex *mutex)
{
  static gpointer real;

  __tsan_mutex_pre_unlock (mutex, 0);
  REAL (g_rec_mutex_unlock) (mutex);
  __tsan_mutex_post_unlock (mutex, 0);
}

void
g_rw_lock_clear (GRWLock *lock)
{
  static gpointer real;

  __tsan_mutex_destroy (lock, __tsan_mutex_linker_init);
  REAL (g_rw_lock_clear) (lock);
}

void
g_rw_lock_writer_lock (GRWLock *lock)
{
  static gpointer real;

  __tsan_mutex_pre_lock (lock, __tsan_mutex_linker_init);
  REAL (g_rw_lock_writer_lock) (lock);
  __tsan_mutex_post_lock (lock, __tsan_mutex_linker_init, 0);
}

void
g_rw_lock_writer_unlock (GRWLock *lock)
{
  static gpointer real;

  __tsan_mutex_pre_unlock (lock, 0);
  REAL (g_rw_lock_writer_unlock) (lock);
  __tsan_mutex_post_unlock (lock, 0);
}

void
g_rw_lock_reader_lock (GRWLock *lock)
{
  static gpointer real;

  __tsan_mutex_pre_lock (lock, __tsan_mutex_linker_init | __tsan_mutex_read_lock);
  REAL (g_rw_lock_reader_lock) (lock);
  __tsan_mutex_post_lock (lock, __tsan_mutex_linker_init | __tsan_mutex_read_lock, 0);
}

void
g_rw_lock_reader_unlock (GRWLock *lock)
{
  static gpointer real;

  __tsan_mutex_pre_unlock (lock, __tsan_mutex_read_lock);
  REAL (g_rw_lock_reader_unlock) (lock);
  __tsan_mutex_post_unlock (lock, __tsan_mutex_read_lock);
}

/* What is done once */

typedef struct
{
  GOnce *once;
  GThreadFunc func;
  gpointer arg;
} OnceCall;

/* Before GLib says that it is done */
static gpointer
call_once (gpointer data)
{
  const OnceCall *call = data;
  gpointer retval = call->func (call->arg);

  __tsan_release ((gpointer) &call->once->status);
  return retval;
}

gpointer
g_once_impl (GOnce *once, GThreadFunc func, gpointer arg)
{
  static gpointer real;
  OnceCall call = { once, func, arg };
  gpointer retval = REAL (g_once_impl) (once, call_once, &call);

  __tsan_acquire ((gpointer) &once->status);
  return retval;
}

/* GLib defines macros of these names. */
#undef g_once_init_enter
#undef g_once_init_leave

gboolean
g_once_init_enter (volatile void *location)
{
  static gpointer real;
  const gboolean enter = REAL (g_once_init_enter) (location);

  __tsan_acquire ((gpointer) location);
  return enter;
}

void
g_once_init_leave (volatile void *location, gsize result)
{
  static gpointer real;

  __tsan_release ((gpointer) location);
  REAL (g_once_init_leave) (location, result);
}

/* References: who drops the last one comes behind all others that dropped one. */

static void
drop (gpointer counted)
{
  __tsan_release (counted);
  __tsan_acquire (counted);
}

#undef g_atomic_rc_box_release
#undef g_atomic_rc_box_release_full

void
g_atomic_rc_box_release (gpointer mem_block)
{
  static gpointer real;

  drop (mem_block);
  REAL (g_atomic_rc_box_release) (mem_block);
}

void
g_atomic_rc_box_release_full (gpointer mem_block, GDestroyNotify clear_func)
{
  static gpointer real;

  drop (mem_block);
  REAL (g_atomic_rc_box_release_full) (mem_block, clear_func);
}

void
g_object_unref (gpointer object)
{
  static gpointer real;

  drop (object);
  REAL (g_object_unref) (object);
}

void
gst_object_unref (gpointer object)
{
  static gpointer real;

  drop (object);
  REAL (gst_object_unref) (object);
}

/* A sample drops its buffer inside of GStreamer. */
void
gst_mini_object_unref (GstMiniObject *object)
{
  static gpointer real;

  drop (object);
  if (GST_IS_SAMPLE (object) && gst_sample_get_buffer (GST_SAMPLE_CAST (object)))
    __tsan_release (gst_sample_get_buffer (GST_SAMPLE_CAST (object)));
  REAL (gst_mini_object_unref) (object);
}

/* A buffer that comes back to its pool, and goes out again */
GstFlowReturn
gst_buffer_pool_acquire_buffer (GstBufferPool *pool, GstBuffer **buffer, GstBufferPoolAcquireParams *params)
{
  static gpointer real;
  const GstFlowReturn ret = REAL (gst_buffer_pool_acquire_buffer) (pool, buffer, params);

  if (ret == GST_FLOW_OK)
    __tsan_acquire (*buffer);
  return ret;
}

/* Pools of threads */

typedef struct
{
  GFunc func;
  gpointer user_data;
} PoolCall;

/* Whoever frees the pool waits for all that it does. */
static void
call_in_pool (gpointer data, gpointer user_data)
{
  PoolCall *call = user_data;

  __tsan_acquire (data);
  call->func (data, call->user_data);
  __tsan_release (call);
}

GThreadPool *
g_thread_pool_new (GFunc func, gpointer user_data, gint max_threads, gboolean exclusive, GError **error)
{
  static gpointer real;
  PoolCall *call = g_new (PoolCall, 1);

  *call = (PoolCall){ func, user_data };
  return REAL (g_thread_pool_new) (call_in_pool, call, max_threads, exclusive, error);
}

gboolean
g_thread_pool_push (GThreadPool *pool, gpointer data, GError **error)
{
  static gpointer real;

  __tsan_release (data);
  return REAL (g_thread_pool_push) (pool, data, error);
}

void
g_thread_pool_free (GThreadPool *pool, gboolean immediate, gboolean wait_)
{
  static gpointer real;
  PoolCall *call = pool->user_data;

  REAL (g_thread_pool_free) (pool, immediate, wait_);
  if (!wait_)
    return;
  __tsan_acquire (call);
  g_free (call);
}

#pragma clang attribute pop
