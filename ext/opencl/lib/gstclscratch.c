/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstclscratch.h"

#include "gstsystemmemory.h"

/* So many blocks may be taken, and none of them this one, before it goes back to the system: several pictures of each of many streams */
#define MAX_PASSED 128

/* Bounds of how many blocks of a size the device uses at the same time, else one for each compute unit, and one.  More would take memory,
 * and what is in them would be out of the caches by the time it is read. */
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
  guint max_busy; /* of a size, blocks that commands use: so many pictures are enough for the device to do */
  GQueue blocks;  /* of Block, the one that was used last first */
} Scratch;

static GMutex lock;
static GPtrArray *scratches; /* (nullable): of Scratch that somebody holds */

static void
block_free (gpointer data)
{
  Block *block = data;

  gst_memory_unref (block->memory);
  g_free (block);
}

/* (nullable): with the lock */
static Scratch *
find_scratch (const GstClContext *context)
{
  for (guint i = 0; scratches && i < scratches->len; i++) {
    Scratch *scratch = g_ptr_array_index (scratches, i);

    if (scratch->context == context)
      return scratch;
  }
  return NULL;
}

/* With the lock */
static Scratch *
add_scratch (GstClContext *context)
{
  Scratch *scratch = g_new0 (Scratch, 1);

  scratch->context = context ? gst_object_ref (context) : NULL;
  scratch->max_busy = context ? CLAMP (context->device.compute_units + 1, MIN_BUSY, MAX_BUSY) : MIN_BUSY;
  if (!scratches)
    scratches = g_ptr_array_new ();
  g_ptr_array_add (scratches, scratch);
  return scratch;
}

void
gst_cl_scratch_hold (GstClContext *context)
{
  Scratch *scratch;

  g_mutex_lock (&lock);
  scratch = find_scratch (context);
  if (!scratch)
    scratch = add_scratch (context);
  scratch->n_holders++;
  g_mutex_unlock (&lock);
}

/* (nullable): what nobody holds any more is out of the list.  With the lock */
static Scratch *
drop_holder (const GstClContext *context)
{
  Scratch *scratch = find_scratch (context);

  if (!scratch || --scratch->n_holders > 0)
    return NULL;
  g_ptr_array_remove_fast (scratches, scratch);
  /* nothing of it stays when the last stream ends */
  if (scratches->len == 0)
    g_clear_pointer (&scratches, g_ptr_array_unref);
  return scratch;
}

void
gst_cl_scratch_release (GstClContext *context)
{
  Scratch *scratch;

  g_mutex_lock (&lock);
  scratch = drop_holder (context);
  g_mutex_unlock (&lock);
  if (!scratch)
    return;
  g_queue_clear_full (&scratch->blocks, block_free);
  gst_clear_object (&scratch->context);
  g_free (scratch);
}

/* A CL status: whether commands use the block yet (above CL_COMPLETE), or something went wrong with it (below) */
static cl_int
get_status (const Block *block)
{
  return gst_is_cl_memory (block->memory) ? gst_cl_memory_get_status ((GstClMemory *) block->memory) : CL_COMPLETE;
}

static Block *
take_out (Scratch *scratch, GList *link)
{
  Block *block = link->data;

  g_queue_delete_link (&scratch->blocks, link);
  return block;
}

/* (nullable): a block to be used now; those that are bad, or were passed over for long, go to @old.  With the lock. */
static Block *
search (Scratch *scratch, gsize size, GQueue *old)
{
  GList *oldest = NULL;
  Block *found = NULL;
  guint n_busy = 0;

  for (GList *link = scratch->blocks.head, *next; link; link = next) {
    Block *block = link->data;
    const gboolean fits = !found && block->memory->size == size;
    const cl_int status = fits ? get_status (block) : CL_QUEUED;

    next = link->next;
    if (status == CL_COMPLETE) {
      found = take_out (scratch, link);
    } else if (status < CL_COMPLETE || ++block->n_passed > MAX_PASSED) {
      g_queue_push_tail (old, take_out (scratch, link));
    } else if (fits) {
      oldest = link;
      n_busy++;
    }
  }
  return found || n_busy < scratch->max_busy ? found : take_out (scratch, oldest);
}

GstMemory *
gst_cl_scratch_take (GstClContext *context, gsize size)
{
  GQueue old = G_QUEUE_INIT;
  Block *block = NULL;
  GstMemory *memory;
  Scratch *scratch;

  g_mutex_lock (&lock);
  scratch = find_scratch (context);
  if (scratch)
    block = search (scratch, size, &old);
  g_mutex_unlock (&lock);
  g_queue_clear_full (&old, block_free);
  if (!block)
    return context ? gst_cl_memory_new (context, size, GST_CL_MEMORY_DEVICE_ONLY, NULL, NULL) : gst_system_memory_new (size);
  memory = block->memory;
  g_free (block);
  return memory;
}

void
gst_cl_scratch_give_back (GstMemory *memory)
{
  const GstClContext *context = gst_is_cl_memory (memory) ? ((GstClMemory *) memory)->context : NULL;
  Block *block = g_new (Block, 1);
  Scratch *scratch;

  *block = (Block){ memory, 0 };
  g_mutex_lock (&lock);
  scratch = find_scratch (context);
  if (scratch)
    g_queue_push_head (&scratch->blocks, block);
  g_mutex_unlock (&lock);
  if (!scratch)
    block_free (block);
}
