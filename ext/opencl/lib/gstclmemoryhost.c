/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstclmemoryhost.h"

/* (transfer full) (nullable) */
static cl_event
retain_event (GstClMemory *self, cl_event event)
{
  return gst_cl_memory_note_failure (self, GST_CL_CALL (clRetainEvent (event))) == CL_SUCCESS ? event : NULL;
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
  gst_cl_memory_note_failure (self, status);
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
  GstClWaitList *wait = gst_cl_wait_list_new ();
  cl_event event = NULL;
  cl_int status;

  if (self->mapping) {
    gst_cl_wait_list_add (wait, self->mapping);
    GST_CL_CALL (clReleaseEvent (self->mapping));
    self->mapping = NULL;
  }
  gst_cl_uses_wait (&self->uses, queue, self->host_writes, wait);
  status = gst_cl_wait_list_get_status (wait);
  if (status == CL_SUCCESS)
    status = GST_CL_CALL (clEnqueueUnmapMemObject (queue, self->handle, self->host, GST_CL_WAIT_LIST (wait), &event));
  gst_cl_wait_list_free (wait);
  if (status != CL_SUCCESS)
    return gst_cl_memory_note_failure (self, status);
  gst_cl_memory_note_failure (self, gst_cl_uses_note (&self->uses, queue, self->host_writes, event));
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

  gst_cl_uses_wait (&self->uses, self->queue, writes, wait);
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

  return gst_cl_memory_note_failure (self, GST_CL_CALL (clFlush (self->queue)));
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

  gst_cl_uses_wait (&self->uses, self->queue, FALSE, wait);
  gst_cl_use_wait (&self->staging_use, self->queue, wait);
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
    gst_cl_memory_note_failure (self, gst_cl_uses_note (&self->uses, self->queue, FALSE, event));
    gst_cl_memory_note_failure (self, gst_cl_use_set (&self->staging_use, self->queue, event));
    if (self->mapping)
      GST_CL_CALL (clReleaseEvent (self->mapping));
    self->mapping = event;
    status = GST_CL_CALL (clFlush (self->queue));
  }
  gst_cl_memory_note_failure (self, status);
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

  gst_cl_uses_wait (&self->uses, queue, TRUE, wait);
  gst_cl_use_wait (&self->staging_use, queue, wait);
  status = gst_cl_wait_list_get_status (wait);
  for (guint i = 0; i < n_ranges && status == CL_SUCCESS; i++) {
    cl_event *last = i + 1 == n_ranges ? &event : NULL;

    status = GST_CL_CALL (clEnqueueWriteBuffer (queue, self->handle, CL_FALSE, ranges[i].offset, ranges[i].size,
        (const guint8 *) self->host + ranges[i].offset, GST_CL_WAIT_LIST (wait), last));
  }
  gst_cl_wait_list_free (wait);
  if (event) {
    gst_cl_memory_note_failure (self, gst_cl_uses_note (&self->uses, queue, TRUE, event));
    gst_cl_memory_note_failure (self, gst_cl_use_set (&self->staging_use, queue, event));
    GST_CL_CALL (clReleaseEvent (event));
  }

  return gst_cl_memory_note_failure (self, status);
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

/* Either way */

cl_int
gst_cl_memory_host_map (GstClMemory *self, GstMapFlags flags)
{
  const cl_int status = self->context->shared_memory ? shared_to_host (self, flags) : staging_to_host (self, flags);

  return status == CL_SUCCESS ? wait_for_host_bytes (self) : status;
}

void
gst_cl_memory_host_prefetch (GstClMemory *self)
{
  if (self->context->shared_memory && !self->host_valid && !self->host)
    shared_map (self, shared_map_flags (self, GST_MAP_WRITE));
}

cl_int
gst_cl_memory_host_download (GstClMemory *self, const GstClRange *ranges, guint n_ranges)
{
  cl_int status;

  if (self->context->shared_memory)
    return CL_SUCCESS;
  status = staging_alloc (self);
  return status == CL_SUCCESS ? staging_download (self, ranges, n_ranges) : status;
}

cl_int
gst_cl_memory_host_upload (GstClMemory *self, cl_command_queue queue, const GstClRange *ranges, guint n_ranges)
{
  return self->context->shared_memory ? CL_SUCCESS : staging_upload (self, queue, ranges, n_ranges);
}

cl_int
gst_cl_memory_host_release (GstClMemory *self, cl_command_queue queue, gboolean writes)
{
  /* a map for reading may stay while kernels read */
  if (!self->context->shared_memory || !self->host_valid || (!self->host_writes && !writes))
    return CL_SUCCESS;
  return shared_unmap (self, queue);
}

void
gst_cl_memory_host_free (GstClMemory *self)
{
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
  gst_cl_use_clear (&self->staging_use);
}
