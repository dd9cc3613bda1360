/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * How the bytes of a memory come to the CPU and back: by maps, where host and device share memory, else through a copy on the host.  For
 * gstclmemory.c alone: all with the memory's lock, which is given up only while the CPU waits.  An error is a CL status.
 */
#pragma once

#include "gstclmemorystate.h"
#include "gstclstatus-private.h"

G_BEGIN_DECLS

/* What cannot be reported where it happens: whoever uses the memory next is told.  Gives @status back. */
static inline cl_int
gst_cl_memory_note_failure (GstClMemory *self, cl_int status)
{
  if (status != CL_SUCCESS && self->failure == CL_SUCCESS)
    self->failure = status;
  return status;
}

/* Brings the bytes to @host for a map with @flags, and waits for them. */
cl_int gst_cl_memory_host_map (GstClMemory *self, GstMapFlags flags);

/* Begins a map for writing, without waiting. */
void gst_cl_memory_host_prefetch (GstClMemory *self);

/* Begins to bring @ranges down, where host and device do not share memory; whoever maps waits. */
cl_int gst_cl_memory_host_download (GstClMemory *self, const GstClRange *ranges, guint n_ranges);

/* Brings @ranges up, on @queue, where host and device do not share memory. */
cl_int gst_cl_memory_host_upload (GstClMemory *self, cl_command_queue queue, const GstClRange *ranges, guint n_ranges);

/* A command on @queue will read the memory, or @writes it: the CPU no longer has it, where the two cannot have it at once. */
cl_int gst_cl_memory_host_release (GstClMemory *self, cl_command_queue queue, gboolean writes);

/* Frees what the CPU had. */
void gst_cl_memory_host_free (GstClMemory *self);

G_END_DECLS
