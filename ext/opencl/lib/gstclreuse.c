/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstclreuse.h"

#include "gstsystemmemory.h"

/* So many blocks may be taken, and none of them this one, before it goes back to the system: two minutes of one stream, seconds of many */
#define MAX_PASSED 10000

/* Bounds of how many blocks of a size in memory of the device alone may be in use at the same time, else one for each compute unit, and
 * one.  More would take memory, and what is in them would be out of the caches by the time it is read. */
#define MIN_BUSY 3
#define MAX_BUSY 16

/* A block that nobody has */
typedef struct
{
  GstMemory *memory;
  guint n_passed; /* others that have been taken since it was given back */
} Block;

/* The blocks of a device, or of system memory */
typedef struct
{
  GstClContext *context; /* (nullable) */
  guint n_holders;
  guint max_busy; /* of a size, blocks of the device alone that commands use: so many pictures are enough for it to do */
  GQueue blocks;  /* of Block, the one that was used last first */
} Reuse;

static GMutex lock;
static GPtrArray *reuses; /* (nullable): of Reuse that somebody holds */

static void
block_free (gpointer data)
{
  Block *block = data;

  gst_memory_unref (block->memory);
  g_free (block);
}

/* (nullable): with the lock */
static Reuse *
find_reuse (const GstClContext *context)
{
  for (guint i = 0; reuses && i < reuses->len; i++) {
    Reuse *reuse = g_ptr_array_index (reuses, i);

    if (reuse->context == context)
      return reuse;
  }
  return NULL;
}

/* With the lock */
static Reuse *
add_reuse (GstClContext *context)
{
  Reuse *reuse = g_new0 (Reuse, 1);

  reuse->context = context ? gst_object_ref (context) : NULL;
  reuse->max_busy = context ? CLAMP (context->device.compute_units + 1, MIN_BUSY, MAX_BUSY) : MIN_BUSY;
  if (!reuses)
    reuses = g_ptr_array_new ();
  g_ptr_array_add (reuses, reuse);
  return reuse;
}

void
gst_cl_reuse_hold (GstClContext *context)
{
  Reuse *reuse;

  g_mutex_lock (&lock);
  reuse = find_reuse (context);
  if (!reuse)
    reuse = add_reuse (context);
  reuse->n_holders++;
  g_mutex_unlock (&lock);
}

/* (nullable): what nobody holds any more is out of the list.  With the lock */
static Reuse *
drop_holder (const GstClContext *context)
{
  Reuse *reuse = find_reuse (context);

  if (!reuse || --reuse->n_holders > 0)
    return NULL;
  g_ptr_array_remove_fast (reuses, reuse);
  /* nothing of it stays when the last stream ends */
  if (reuses->len == 0)
    g_clear_pointer (&reuses, g_ptr_array_unref);
  return reuse;
}

void
gst_cl_reuse_release (GstClContext *context)
{
  Reuse *reuse;

  g_mutex_lock (&lock);
  reuse = drop_holder (context);
  g_mutex_unlock (&lock);
  if (!reuse)
    return;
  g_queue_clear_full (&reuse->blocks, block_free);
  gst_clear_object (&reuse->context);
  g_free (reuse);
}

static GstClMemoryFlags
get_flags (const Block *block)
{
  return gst_is_cl_memory (block->memory) ? ((const GstClMemory *) block->memory)->flags : GST_CL_MEMORY_DEVICE_ONLY;
}

/* A CL status: whether commands use the block yet (above CL_COMPLETE), or something went wrong with it (below) */
static cl_int
get_status (const Block *block)
{
  return gst_is_cl_memory (block->memory) ? gst_cl_memory_get_status ((GstClMemory *) block->memory) : CL_COMPLETE;
}

static Block *
take_out (Reuse *reuse, GList *link)
{
  Block *block = link->data;

  g_queue_delete_link (&reuse->blocks, link);
  return block;
}

/* (nullable): a block to be used now; those that are bad, or were passed over for long, go to @old.  With the lock. */
static Block *
search (Reuse *reuse, gsize size, GstClMemoryFlags flags, GQueue *old)
{
  const guint max_busy = (flags & GST_CL_MEMORY_DEVICE_ONLY) ? reuse->max_busy : 1;
  GList *oldest = NULL;
  Block *found = NULL;
  guint n_busy = 0;

  for (GList *link = reuse->blocks.head, *next; link; link = next) {
    Block *block = link->data;
    const gboolean fits = !found && block->memory->size == size && get_flags (block) == flags;
    const cl_int status = fits ? get_status (block) : CL_QUEUED;

    next = link->next;
    if (status == CL_COMPLETE) {
      found = take_out (reuse, link);
    } else if (status < CL_COMPLETE || ++block->n_passed > MAX_PASSED) {
      g_queue_push_tail (old, take_out (reuse, link));
    } else if (fits) {
      oldest = link;
      n_busy++;
    }
  }
  return found || n_busy < max_busy ? found : take_out (reuse, oldest);
}

/* (transfer full) (nullable) */
static GstMemory *
find_memory (GstClContext *context, gsize size, GstClMemoryFlags flags)
{
  GQueue old = G_QUEUE_INIT;
  Block *block = NULL;
  GstMemory *memory = NULL;
  Reuse *reuse;

  g_mutex_lock (&lock);
  reuse = find_reuse (context);
  if (reuse)
    block = search (reuse, size, context ? flags : GST_CL_MEMORY_DEVICE_ONLY, &old);
  g_mutex_unlock (&lock);
  g_queue_clear_full (&old, block_free);
  if (block)
    memory = block->memory;
  g_free (block);
  return memory;
}

GstMemory *
gst_cl_reuse_take (GstClContext *context, gsize size, GstClMemoryFlags flags, cl_command_queue queue, GstClStats *stats)
{
  GstMemory *memory = find_memory (context, size, flags);

  if (!context)
    return memory ? memory : gst_system_memory_new (size);
  if (memory && gst_cl_memory_set_owner ((GstClMemory *) memory, queue, stats) == CL_SUCCESS)
    return memory;
  g_clear_pointer (&memory, gst_memory_unref);
  return gst_cl_memory_new (context, size, flags, queue, stats);
}

void
gst_cl_reuse_give_back (GstMemory *memory)
{
  const GstClContext *context = gst_is_cl_memory (memory) ? ((GstClMemory *) memory)->context : NULL;
  Block *block = g_new (Block, 1);
  Reuse *reuse;

  *block = (Block){ memory, 0 };
  g_mutex_lock (&lock);
  reuse = find_reuse (context);
  if (reuse)
    g_queue_push_head (&reuse->blocks, block);
  g_mutex_unlock (&lock);
  if (!reuse)
    block_free (block);
}

void
gst_cl_reuse_give_back_buffer (GstBuffer *buffer)
{
  while (gst_buffer_n_memory (buffer) > 0) {
    GstMemory *memory = gst_buffer_get_memory (buffer, 0);

    gst_buffer_remove_memory (buffer, 0);
    /* what somebody has kept is his, and what somebody has cut is not whole */
    if (GST_MINI_OBJECT_REFCOUNT_VALUE (memory) > 1 || memory->size != memory->maxsize)
      gst_memory_unref (memory);
    else
      gst_cl_reuse_give_back (memory);
  }
}
