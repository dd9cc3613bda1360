/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "gstclbuffer.h"
#include "gstclmemory-private.h"
#include "gstclmemoryhost.h"

GST_DEBUG_CATEGORY_STATIC (gst_cl_memory_debug);
#define GST_CAT_DEFAULT gst_cl_memory_debug

#define GST_TYPE_CL_ALLOCATOR (gst_cl_allocator_get_type ())
G_DECLARE_FINAL_TYPE (GstClAllocator, gst_cl_allocator, GST, CL_ALLOCATOR, GstAllocator)

/* What the memories have in common; it allocates only through gst_cl_memory_new(). */
struct _GstClAllocator
{
  GstAllocator parent;
};

G_DEFINE_TYPE_WITH_CODE (GstClAllocator, gst_cl_allocator, GST_TYPE_ALLOCATOR,
    GST_DEBUG_CATEGORY_INIT (gst_cl_memory_debug, "clmemory", 0, "memory of OpenCL devices"));

/* What stands behind a view */
static GstClMemory *
find_viewed (GstMemory *memory)
{
  GstClMemory *self = (GstClMemory *) memory;

  return self->viewed ? (GstClMemory *) gst_buffer_peek_memory (self->viewed, 0) : self;
}

static gpointer
gst_cl_memory_map_full (GstMemory *memory, GstMapInfo *info, gsize maxsize)
{
  GstClMemory *self = find_viewed (memory);
  gpointer host = NULL;
  cl_int status;

  g_mutex_lock (&self->lock);
  status = self->failure;
  if (status == CL_SUCCESS)
    status = gst_cl_memory_host_map (self, info->flags);
  if (status == CL_SUCCESS) {
    if (info->flags & GST_MAP_WRITE)
      self->device_valid = FALSE;
    host = self->host;
  }
  g_mutex_unlock (&self->lock);

  return host;
}

/* The bytes stay with the CPU until the device asks for them. */
static void
gst_cl_memory_unmap_full (GstMemory *memory, GstMapInfo *info)
{
}

static GstMemory *
gst_cl_memory_copy (GstMemory *memory, gssize offset, gssize size)
{
  GstClMemory *self = find_viewed (memory);
  GstClMemory *copy;
  GstClWaitList *wait;
  cl_event event;
  cl_int status;

  if (size < 0)
    size = (gssize) memory->size - offset;
  if (size <= 0)
    return NULL;
  copy = (GstClMemory *) gst_cl_memory_new (self->context, size, self->flags & ~GST_CL_MEMORY_REWRITTEN, NULL, self->stats);
  if (!copy)
    return NULL;
  wait = gst_cl_wait_list_new ();
  status = gst_cl_memory_begin_ranges (self, copy->queue, GST_CL_READ, NULL, 0, wait, self->stats);
  if (status == CL_SUCCESS)
    status = GST_CL_CALL (
        clEnqueueCopyBuffer (copy->queue, self->handle, copy->handle, memory->offset + offset, 0, size, GST_CL_WAIT_LIST (wait), &event));
  gst_cl_wait_list_free (wait);
  if (status != CL_SUCCESS) {
    gst_memory_unref (GST_MEMORY_CAST (copy));
    return NULL;
  }
  gst_cl_memory_end (GST_MEMORY_CAST (self), copy->queue, GST_CL_READ, event);
  gst_cl_memory_end (GST_MEMORY_CAST (copy), copy->queue, GST_CL_WRITE, event);
  copy->device_valid = TRUE;
  gst_cl_memory_note_failure (copy, GST_CL_CALL (clFlush (copy->queue)));
  GST_CL_CALL (clReleaseEvent (event));

  return GST_MEMORY_CAST (copy);
}

static void
gst_cl_allocator_free (GstAllocator *allocator, GstMemory *memory)
{
  GstClMemory *self = (GstClMemory *) memory;

  if (self->viewed) {
    gst_buffer_unref (self->viewed);
    g_free (self);
    return;
  }
  gst_cl_memory_host_free (self);
  gst_cl_uses_clear (&self->uses);
  if (self->handle)
    GST_CL_CALL (clReleaseMemObject (self->handle));
  GST_CL_CALL (clReleaseCommandQueue (self->queue));
  g_mutex_clear (&self->lock);
  if (self->stats)
    gst_cl_stats_unref (self->stats);
  gst_object_unref (self->context);
  g_free (self);
}

static GstMemory *
gst_cl_allocator_alloc (GstAllocator *allocator, gsize size, GstAllocationParams *params)
{
  g_return_val_if_reached (NULL);
}

static void
gst_cl_allocator_class_init (GstClAllocatorClass *klass)
{
  GST_ALLOCATOR_CLASS (klass)->alloc = gst_cl_allocator_alloc;
  GST_ALLOCATOR_CLASS (klass)->free = gst_cl_allocator_free;
}

static void
gst_cl_allocator_init (GstClAllocator *self)
{
  GstAllocator *allocator = GST_ALLOCATOR_CAST (self);

  allocator->mem_type = GST_CL_MEMORY_NAME;
  allocator->mem_map_full = gst_cl_memory_map_full;
  allocator->mem_unmap_full = gst_cl_memory_unmap_full;
  allocator->mem_copy = gst_cl_memory_copy;
  GST_OBJECT_FLAG_SET (allocator, GST_ALLOCATOR_FLAG_CUSTOM_ALLOC);
}

static gpointer
make_allocator (gpointer unused)
{
  GstAllocator *allocator = g_object_ref_sink (g_object_new (GST_TYPE_CL_ALLOCATOR, NULL));

  GST_OBJECT_FLAG_SET (allocator, GST_OBJECT_FLAG_MAY_BE_LEAKED);

  return allocator;
}

static GstAllocator *
get_allocator (void)
{
  static GOnce once = G_ONCE_INIT;

  return g_once (&once, make_allocator, NULL);
}

/* What elements and applications call */

GstMemory *
gst_cl_memory_new (GstClContext *context, gsize size, GstClMemoryFlags flags, cl_command_queue queue, GstClStats *stats)
{
  GstClMemory *self;
  cl_mem handle;
  cl_int status;

  if (size == 0 || size > context->max_alloc) {
    GST_WARNING ("%" G_GSIZE_FORMAT " bytes are not possible: %s gives at most %" G_GUINT64_FORMAT, size, gst_cl_context_get_name (context),
        context->max_alloc);
    return NULL;
  }
  handle = gst_cl_buffer_new (context, size, (flags & GST_CL_MEMORY_REWRITTEN) != 0, &status);
  if (status != CL_SUCCESS)
    return NULL;
  if (!queue)
    queue = context->queue;
  if (GST_CL_CALL (clRetainCommandQueue (queue)) != CL_SUCCESS) {
    GST_CL_CALL (clReleaseMemObject (handle));
    return NULL;
  }

  self = g_new0 (GstClMemory, 1);
  gst_memory_init (GST_MEMORY_CAST (self), GST_MEMORY_FLAG_NO_SHARE, get_allocator (), NULL, size, 63, 0, size);
  self->handle = handle;
  self->context = gst_object_ref (context);
  self->flags = flags;
  self->queue = queue;
  self->stats = stats ? gst_cl_stats_ref (stats) : NULL;
  g_mutex_init (&self->lock);
  gst_cl_uses_init (&self->uses);

  return GST_MEMORY_CAST (self);
}

GstMemory *
gst_cl_memory_alloc (GstClContext *context, gsize size)
{
  g_return_val_if_fail (GST_IS_CL_CONTEXT (context), NULL);

  return gst_cl_memory_new (context, size, 0, NULL, NULL);
}

GstMemory *
gst_cl_memory_new_view (GstBuffer *buffer)
{
  const GstClMemory *viewed = (const GstClMemory *) gst_buffer_peek_memory (buffer, 0);
  GstClMemory *self = g_new0 (GstClMemory, 1);

  gst_memory_init (GST_MEMORY_CAST (self), GST_MEMORY_FLAG_NO_SHARE | GST_MEMORY_FLAG_READONLY, get_allocator (), NULL, viewed->mem.maxsize,
      63, viewed->mem.offset, viewed->mem.size);
  self->handle = viewed->handle;
  self->context = viewed->context;
  self->viewed = gst_buffer_ref (buffer);

  return GST_MEMORY_CAST (self);
}

gboolean
gst_is_cl_memory (GstMemory *memory)
{
  return memory && memory->allocator && GST_IS_CL_ALLOCATOR (memory->allocator);
}

GstClContext *
gst_cl_memory_get_context (GstMemory *memory)
{
  g_return_val_if_fail (gst_is_cl_memory (memory), NULL);

  return ((GstClMemory *) memory)->context;
}

cl_mem
gst_cl_memory_get_handle (GstMemory *memory)
{
  g_return_val_if_fail (gst_is_cl_memory (memory), NULL);

  return ((GstClMemory *) memory)->handle;
}

GstClMemory *
gst_cl_memory_of (GstMemory *memory, GstClContext *context)
{
  if (!gst_is_cl_memory (memory) || ((GstClMemory *) memory)->context != context)
    return NULL;

  return find_viewed (memory);
}

static void
count_upload (GstClStats *stats, const GstClRange *ranges, guint n_ranges)
{
  gst_cl_stats_add (stats, GST_CL_TRANSFERS_UP, n_ranges);
  for (guint i = 0; i < n_ranges; i++)
    gst_cl_stats_add (stats, GST_CL_BYTES_UP, ranges[i].size);
}

/* Whether all of @ranges lie inside the memory: they follow from records of a coded picture, which another element has written. */
static gboolean
ranges_are_inside (GstClMemory *self, const GstClRange *ranges, guint n_ranges)
{
  for (guint i = 0; i < n_ranges; i++)
    if (ranges[i].offset > self->mem.maxsize || ranges[i].size > self->mem.maxsize - ranges[i].offset)
      return FALSE;

  return TRUE;
}

cl_int
gst_cl_memory_begin_ranges (GstClMemory *self, cl_command_queue queue, GstClAccess access, const GstClRange *ranges, guint n_ranges,
    GstClWaitList *wait, GstClStats *stats)
{
  GstClRange everything = { 0, self->mem.maxsize };
  cl_int status = CL_SUCCESS;

  if (!ranges) {
    ranges = &everything;
    n_ranges = 1;
  }
  if (!ranges_are_inside (self, ranges, n_ranges))
    return GST_CL_CALL (CL_INVALID_VALUE);

  g_mutex_lock (&self->lock);
  status = self->failure;
  if (status == CL_SUCCESS && self->host_valid && !self->device_valid) {
    count_upload (stats, ranges, n_ranges);
    status = gst_cl_memory_host_upload (self, queue, ranges, n_ranges);
  }
  if (status == CL_SUCCESS)
    status = gst_cl_memory_host_release (self, queue, (access & GST_CL_WRITE) != 0);
  if (status == CL_SUCCESS) {
    gst_cl_uses_wait (&self->uses, queue, (access & GST_CL_WRITE) != 0, wait);
    status = gst_cl_wait_list_get_status (wait);
  }
  if (status == CL_SUCCESS) {
    self->device_valid = TRUE;
    if (access & GST_CL_WRITE)
      self->host_valid = FALSE;
  }
  g_mutex_unlock (&self->lock);

  return status;
}

cl_int
gst_cl_memory_begin (GstMemory *memory, cl_command_queue queue, GstClAccess access, GstClWaitList *wait)
{
  g_return_val_if_fail (gst_is_cl_memory (memory), CL_INVALID_MEM_OBJECT);
  if ((access & GST_CL_WRITE) && GST_MEMORY_IS_READONLY (memory))
    return GST_CL_CALL (CL_INVALID_OPERATION);

  return gst_cl_memory_begin_ranges (find_viewed (memory), queue, access, NULL, 0, wait, NULL);
}

void
gst_cl_memory_end (GstMemory *memory, cl_command_queue queue, GstClAccess access, cl_event event)
{
  GstClMemory *self;

  g_return_if_fail (gst_is_cl_memory (memory));
  self = find_viewed (memory);
  g_mutex_lock (&self->lock);
  gst_cl_memory_note_failure (self, gst_cl_uses_note (&self->uses, queue, (access & GST_CL_WRITE) != 0, event));
  g_mutex_unlock (&self->lock);
}

cl_int
gst_cl_memory_clear (GstClMemory *self)
{
  const guint8 zero = 0;
  GstClWaitList *wait = gst_cl_wait_list_new ();
  cl_event event = NULL;
  cl_int status = gst_cl_memory_begin_ranges (self, self->queue, GST_CL_WRITE, NULL, 0, wait, self->stats);

  if (status == CL_SUCCESS)
    status = GST_CL_CALL (clEnqueueFillBuffer (self->queue, self->handle, &zero, 1, 0, self->mem.maxsize, GST_CL_WAIT_LIST (wait), &event));
  gst_cl_wait_list_free (wait);
  if (status == CL_SUCCESS) {
    gst_cl_memory_end (GST_MEMORY_CAST (self), self->queue, GST_CL_WRITE, event);
    GST_CL_CALL (clReleaseEvent (event));
    status = GST_CL_CALL (clFlush (self->queue));
  }
  g_mutex_lock (&self->lock);
  gst_cl_memory_note_failure (self, status);
  g_mutex_unlock (&self->lock);

  return status;
}

gboolean
gst_cl_memory_needs_upload (GstClMemory *self)
{
  gboolean ret;

  g_mutex_lock (&self->lock);
  ret = self->host_valid && !self->device_valid;
  g_mutex_unlock (&self->lock);

  return ret;
}

cl_int
gst_cl_memory_set_owner (GstClMemory *self, cl_command_queue queue, GstClStats *stats)
{
  cl_int status;

  if (!queue)
    queue = self->context->queue;
  status = GST_CL_CALL (clRetainCommandQueue (queue));
  if (status != CL_SUCCESS)
    return status;
  g_mutex_lock (&self->lock);
  GST_CL_CALL (clReleaseCommandQueue (self->queue));
  self->queue = queue;
  if (self->stats)
    gst_cl_stats_unref (self->stats);
  self->stats = stats ? gst_cl_stats_ref (stats) : NULL;
  g_mutex_unlock (&self->lock);

  return CL_SUCCESS;
}

cl_int
gst_cl_memory_get_status (GstClMemory *self)
{
  cl_int status;

  g_mutex_lock (&self->lock);
  status = self->failure != CL_SUCCESS ? self->failure : gst_cl_uses_get_status (&self->uses);
  g_mutex_unlock (&self->lock);

  return status;
}

cl_int
gst_cl_memory_fetch (GstClMemory *self, const GstClRange *ranges, guint n_ranges)
{
  GstClRange everything = { 0, self->mem.maxsize };
  cl_int status = CL_SUCCESS;

  if (!ranges) {
    ranges = &everything;
    n_ranges = 1;
  }
  if (!ranges_are_inside (self, ranges, n_ranges))
    return GST_CL_CALL (CL_INVALID_VALUE);

  g_mutex_lock (&self->lock);
  status = self->failure;
  if (status == CL_SUCCESS && !self->host_valid && self->device_valid)
    status = gst_cl_memory_host_download (self, ranges, n_ranges);
  g_mutex_unlock (&self->lock);

  return status;
}

void
gst_cl_memory_prefetch_map (GstClMemory *self)
{
  g_mutex_lock (&self->lock);
  gst_cl_memory_host_prefetch (self);
  g_mutex_unlock (&self->lock);
}
