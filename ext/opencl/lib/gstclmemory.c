/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "gstclbuffer.h"
#include "gstclmemory-private.h"

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

/* More readers than this are waited for on the device through one marker's event. */
#define MAX_READERS 8

/* Commands that use a memory */

static void
clear_use (gpointer item)
{
  GstClUse *use = item;

  if (use->event)
    GST_CL_CALL (clReleaseEvent (use->event));
  use->event = NULL;
  use->queue = NULL;
}

/* What cannot be reported where it happens: whoever uses the memory next is told. */
static cl_int
note_failure (GstClMemory *self, cl_int status)
{
  if (status != CL_SUCCESS && self->failure == CL_SUCCESS)
    self->failure = status;

  return status;
}

/* (transfer full) (nullable) */
static cl_event
retain_event (GstClMemory *self, cl_event event)
{
  return note_failure (self, GST_CL_CALL (clRetainEvent (event))) == CL_SUCCESS ? event : NULL;
}

static void
set_use (GstClMemory *self, GstClUse *use, cl_command_queue queue, cl_event event)
{
  cl_event retained = retain_event (self, event);

  clear_use (use);
  use->event = retained;
  use->queue = queue;
}

/* TRUE too where the command failed: nothing waits for it any more. */
static gboolean
is_complete (cl_event event)
{
  cl_int status;

  return GST_CL_CALL (clGetEventInfo (event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof (status), &status, NULL)) == CL_SUCCESS
      && status <= CL_COMPLETE;
}

static void
wait_for_use (const GstClUse *use, cl_command_queue queue, GstClWaitList *wait)
{
  /* Queues are in order: commands of the same one need no event. */
  if (!use->event || use->queue == queue)
    return;
  gst_cl_wait_list_add (wait, use->event);
}

static void
wait_for_uses (GstClMemory *self, cl_command_queue queue, GstClAccess access, GstClWaitList *wait)
{
  wait_for_use (&self->writer, queue, wait);
  if (!(access & GST_CL_WRITE))
    return;
  for (guint i = 0; i < self->readers->len; i++)
    wait_for_use (&g_array_index (self->readers, GstClUse, i), queue, wait);
}

/* Room for one more: the readers that are done go; what is left becomes one. */
static void
collect_readers (GstClMemory *self, cl_command_queue queue)
{
  GstClWaitList *wait;
  cl_event marker;

  for (guint i = self->readers->len; i-- > 0;)
    if (is_complete (g_array_index (self->readers, GstClUse, i).event))
      g_array_remove_index_fast (self->readers, i);
  if (self->readers->len < MAX_READERS)
    return;

  wait = gst_cl_wait_list_new ();
  for (guint i = 0; i < self->readers->len; i++)
    wait_for_use (&g_array_index (self->readers, GstClUse, i), NULL, wait);
  if (note_failure (self, gst_cl_wait_list_get_status (wait)) == CL_SUCCESS
      && GST_CL_CALL (clEnqueueMarkerWithWaitList (queue, GST_CL_WAIT_LIST (wait), &marker)) == CL_SUCCESS) {
    GstClUse use = { marker, queue };

    g_array_set_size (self->readers, 0);
    g_array_append_val (self->readers, use);
    note_failure (self, GST_CL_CALL (clFlush (queue)));
  }
  gst_cl_wait_list_free (wait);
}

static void
add_reader (GstClMemory *self, cl_command_queue queue, cl_event event)
{
  GstClUse use = { NULL, NULL };

  for (guint i = 0; i < self->readers->len; i++) {
    if (g_array_index (self->readers, GstClUse, i).queue == queue) {
      set_use (self, &g_array_index (self->readers, GstClUse, i), queue, event);
      return;
    }
  }
  if (self->readers->len >= MAX_READERS)
    collect_readers (self, queue);
  set_use (self, &use, queue, event);
  if (use.event)
    g_array_append_val (self->readers, use);
}

static void
note_use (GstClMemory *self, cl_command_queue queue, GstClAccess access, cl_event event)
{
  if (access & GST_CL_WRITE) {
    set_use (self, &self->writer, queue, event);
    g_array_set_size (self->readers, 0);
  } else {
    add_reader (self, queue, event);
  }
}

/* A host wait; counted where there is something to wait for.  The status of a command that failed. */
static cl_int
wait_on_host (GstClMemory *self, cl_event event)
{
  cl_int status;

  /* where it cannot be asked, it is waited for */
  if (GST_CL_CALL (clGetEventInfo (event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof (status), &status, NULL)) == CL_SUCCESS
      && status <= CL_COMPLETE)
    return status;
  gst_cl_stats_add_map (self->stats, GST_CL_WAITS, 1);

  return GST_CL_CALL (clWaitForEvents (1, &event));
}

/* Waits until what brings the bytes to the CPU is done.  Called with the lock, waits without it: a stage may enqueue commands on this
 * memory meanwhile. */
static cl_int
wait_for_host_bytes (GstClMemory *self)
{
  cl_event event;
  cl_int status;

  if (!self->mapping)
    return CL_SUCCESS;
  event = retain_event (self, self->mapping);
  if (!event)
    return self->failure;
  g_mutex_unlock (&self->lock);
  status = wait_on_host (self, event);
  g_mutex_lock (&self->lock);
  note_failure (self, status);
  if (self->mapping == event) {
    GST_CL_CALL (clReleaseEvent (event));
    self->mapping = NULL;
  }
  GST_CL_CALL (clReleaseEvent (event));

  return status;
}

/* Memory that host and device share: who has it is who may touch the buffer.  The CPU has it while it is mapped. */

static cl_map_flags
shared_map_flags (GstClMemory *self, GstMapFlags flags)
{
  if (!(flags & GST_MAP_WRITE))
    return CL_MAP_READ;
  if ((self->flags & GST_CL_MEMORY_REWRITTEN) && !(flags & GST_MAP_READ))
    return CL_MAP_WRITE_INVALIDATE_REGION;

  return CL_MAP_READ | CL_MAP_WRITE;
}

/* Gives the buffer back to the device, behind everything on @queue. */
static cl_int
shared_unmap (GstClMemory *self, cl_command_queue queue)
{
  GstClAccess access = self->host_writes ? GST_CL_READWRITE : GST_CL_READ;
  GstClWaitList *wait = gst_cl_wait_list_new ();
  cl_event event = NULL;
  cl_int status;

  if (self->mapping) {
    gst_cl_wait_list_add (wait, self->mapping);
    GST_CL_CALL (clReleaseEvent (self->mapping));
    self->mapping = NULL;
  }
  wait_for_uses (self, queue, access, wait);
  status = gst_cl_wait_list_get_status (wait);
  if (status == CL_SUCCESS)
    status = GST_CL_CALL (clEnqueueUnmapMemObject (queue, self->handle, self->host, GST_CL_WAIT_LIST (wait), &event));
  gst_cl_wait_list_free (wait);
  if (status != CL_SUCCESS)
    return note_failure (self, status);
  note_use (self, queue, access, event);
  GST_CL_CALL (clReleaseEvent (event));
  self->host = NULL;
  self->host_valid = self->host_writes = FALSE;

  return CL_SUCCESS;
}

/* Enqueues a map behind the commands that use the buffer. */
static cl_int
shared_map (GstClMemory *self, cl_map_flags map_flags)
{
  gboolean writes = (map_flags & ~(cl_map_flags) CL_MAP_READ) != 0;
  GstClWaitList *wait = gst_cl_wait_list_new ();
  cl_int status;

  wait_for_uses (self, self->queue, writes ? GST_CL_READWRITE : GST_CL_READ, wait);
  status = gst_cl_wait_list_get_status (wait);
  if (status == CL_SUCCESS)
    GST_CL_CREATE (self->host = clEnqueueMapBuffer (self->queue, self->handle, CL_FALSE, map_flags, 0, self->mem.maxsize,
                       GST_CL_WAIT_LIST (wait), &self->mapping, &status),
        status);
  gst_cl_wait_list_free (wait);
  if (status != CL_SUCCESS) {
    self->host = NULL;
    self->mapping = NULL;
    return status;
  }
  self->host_valid = TRUE;
  self->host_writes = writes;

  return note_failure (self, GST_CL_CALL (clFlush (self->queue)));
}

static cl_int
shared_to_host (GstClMemory *self, GstMapFlags flags)
{
  cl_map_flags map_flags = shared_map_flags (self, flags);
  gboolean from_device = self->device_valid && !self->host_valid && !(map_flags & CL_MAP_WRITE_INVALIDATE_REGION);
  cl_int status = CL_SUCCESS;

  if (self->host_valid && (flags & GST_MAP_WRITE) && !self->host_writes)
    status = shared_unmap (self, self->queue);
  if (status == CL_SUCCESS && !self->host_valid) {
    status = shared_map (self, map_flags);
    if (from_device) {
      gst_cl_stats_add_map (self->stats, GST_CL_TRANSFERS_DOWN, 1);
      gst_cl_stats_add_map (self->stats, GST_CL_BYTES_DOWN, self->mem.size);
    }
  }

  return status;
}

/* Memory that is not shared: the CPU has a staging buffer, pinned by the driver, mapped for good. */

static cl_int
staging_alloc (GstClMemory *self)
{
  cl_int status;

  if (self->staging)
    return CL_SUCCESS;
  GST_CL_CREATE (self->staging =
                     clCreateBuffer (self->context->handle, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, self->mem.maxsize, NULL, &status),
      status);
  if (status != CL_SUCCESS)
    return status;
  /* A wait for nothing but the allocation, once in the life of a memory */
  gst_cl_stats_add_map (self->stats, GST_CL_WAITS, 1);
  GST_CL_CREATE (self->host = clEnqueueMapBuffer (self->queue, self->staging, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, self->mem.maxsize, 0,
                     NULL, NULL, &status),
      status);
  if (status != CL_SUCCESS) {
    GST_CL_CALL (clReleaseMemObject (self->staging));
    self->staging = NULL;
    self->host = NULL;
  }

  return status;
}

/* Enqueues it: whoever wants the bytes waits for @mapping. */
static cl_int
staging_download (GstClMemory *self, const GstClRange *ranges, guint n_ranges)
{
  GstClWaitList *wait = gst_cl_wait_list_new ();
  cl_event event = NULL;
  cl_int status = CL_SUCCESS;

  wait_for_uses (self, self->queue, GST_CL_READ, wait);
  wait_for_use (&self->staging_use, self->queue, wait);
  status = gst_cl_wait_list_get_status (wait);
  for (guint i = 0; i < n_ranges && status == CL_SUCCESS; i++) {
    cl_event *last = i + 1 == n_ranges ? &event : NULL;

    status = GST_CL_CALL (clEnqueueReadBuffer (self->queue, self->handle, CL_FALSE, ranges[i].offset, ranges[i].size,
        (guint8 *) self->host + ranges[i].offset, GST_CL_WAIT_LIST (wait), last));
    gst_cl_stats_add_map (self->stats, GST_CL_TRANSFERS_DOWN, 1);
    gst_cl_stats_add_map (self->stats, GST_CL_BYTES_DOWN, ranges[i].size);
  }
  gst_cl_wait_list_free (wait);
  if (event) {
    note_use (self, self->queue, GST_CL_READ, event);
    set_use (self, &self->staging_use, self->queue, event);
    if (self->mapping)
      GST_CL_CALL (clReleaseEvent (self->mapping));
    self->mapping = event;
    status = GST_CL_CALL (clFlush (self->queue));
  }
  note_failure (self, status);
  if (status == CL_SUCCESS)
    self->host_valid = TRUE;

  return status;
}

/* The queue goes on to read the staging buffer after this returned: staging_use says until when. */
static cl_int
staging_upload (GstClMemory *self, cl_command_queue queue, const GstClRange *ranges, guint n_ranges)
{
  GstClWaitList *wait = gst_cl_wait_list_new ();
  cl_event event = NULL;
  cl_int status = CL_SUCCESS;

  wait_for_uses (self, queue, GST_CL_READWRITE, wait);
  wait_for_use (&self->staging_use, queue, wait);
  status = gst_cl_wait_list_get_status (wait);
  for (guint i = 0; i < n_ranges && status == CL_SUCCESS; i++) {
    cl_event *last = i + 1 == n_ranges ? &event : NULL;

    status = GST_CL_CALL (clEnqueueWriteBuffer (queue, self->handle, CL_FALSE, ranges[i].offset, ranges[i].size,
        (const guint8 *) self->host + ranges[i].offset, GST_CL_WAIT_LIST (wait), last));
  }
  gst_cl_wait_list_free (wait);
  if (event) {
    note_use (self, queue, GST_CL_READWRITE, event);
    set_use (self, &self->staging_use, queue, event);
    GST_CL_CALL (clReleaseEvent (event));
  }

  return note_failure (self, status);
}

static cl_int
staging_to_host (GstClMemory *self, GstMapFlags flags)
{
  GstClRange everything = { 0, self->mem.maxsize };
  gboolean afresh = (self->flags & GST_CL_MEMORY_REWRITTEN) && !(flags & GST_MAP_READ);
  cl_int status = staging_alloc (self);

  /* The CPU may not write what the device still reads. */
  if (status == CL_SUCCESS && (flags & GST_MAP_WRITE) && self->staging_use.event && !self->mapping) {
    self->mapping = retain_event (self, self->staging_use.event);
    status = self->mapping ? CL_SUCCESS : self->failure;
  }
  if (status == CL_SUCCESS && !self->host_valid && self->device_valid && !afresh)
    status = staging_download (self, &everything, 1);
  if (status == CL_SUCCESS)
    self->host_valid = TRUE;

  return status;
}

/* The allocator's functions */

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
  if (status == CL_SUCCESS && self->context->shared_memory)
    status = shared_to_host (self, info->flags);
  else if (status == CL_SUCCESS)
    status = staging_to_host (self, info->flags);
  if (status == CL_SUCCESS)
    status = wait_for_host_bytes (self);
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
  note_failure (copy, GST_CL_CALL (clFlush (copy->queue)));
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
  if (self->staging) {
    if (self->staging_use.event)
      (void) wait_on_host (self, self->staging_use.event);
    GST_CL_CALL (clEnqueueUnmapMemObject (self->queue, self->staging, self->host, 0, NULL, NULL));
    GST_CL_CALL (clReleaseMemObject (self->staging));
  } else if (self->host) {
    shared_unmap (self, self->queue);
  }
  if (self->mapping)
    GST_CL_CALL (clReleaseEvent (self->mapping));
  clear_use (&self->writer);
  clear_use (&self->staging_use);
  g_array_unref (self->readers);
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
  self->readers = g_array_new (FALSE, FALSE, sizeof (GstClUse));
  g_array_set_clear_func (self->readers, clear_use);

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
    if (!self->context->shared_memory)
      status = staging_upload (self, queue, ranges, n_ranges);
  }
  /* A map for reading may stay while kernels read. */
  if (status == CL_SUCCESS && self->context->shared_memory && self->host_valid && (self->host_writes || (access & GST_CL_WRITE)))
    status = shared_unmap (self, queue);
  if (status == CL_SUCCESS) {
    wait_for_uses (self, queue, access, wait);
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
  note_use (self, queue, access, event);
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
  note_failure (self, status);
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
  if (status == CL_SUCCESS && !self->context->shared_memory && !self->host_valid && self->device_valid) {
    status = staging_alloc (self);
    if (status == CL_SUCCESS)
      status = staging_download (self, ranges, n_ranges);
  }
  g_mutex_unlock (&self->lock);

  return status;
}

void
gst_cl_memory_prefetch_map (GstClMemory *self)
{
  g_mutex_lock (&self->lock);
  if (self->context->shared_memory && !self->host_valid && !self->host)
    shared_map (self, shared_map_flags (self, GST_MAP_WRITE));
  g_mutex_unlock (&self->lock);
}
