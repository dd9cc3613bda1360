/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The commands that use a memory: whoever comes next waits for them on the device.
 */
#pragma once

#include <gst/gpuopencl/gstclwaitlist.h>

G_BEGIN_DECLS

/**
 * GstClUse:
 * @event: (nullable): of the command
 * @queue: which it is on; not owned, only compared: queues are in order, so commands of the same one need no event
 *
 * A command.
 */
typedef struct
{
  cl_event event;
  cl_command_queue queue;
} GstClUse;

/**
 * GstClUses:
 * @writer: the last command that writes the memory
 * @readers: (element-type GstClUse): commands after it that read it
 */
typedef struct
{
  GstClUse writer;
  GArray *readers;
} GstClUses;

/* The command of @event takes the place of the one before.  A status other than CL_SUCCESS: there is none now. */
cl_int gst_cl_use_set (GstClUse *use, cl_command_queue queue, cl_event event);

/* @use: a #GstClUse */
void gst_cl_use_clear (gpointer use);

/* A command that is to go to @queue waits for @use. */
void gst_cl_use_wait (const GstClUse *use, cl_command_queue queue, GstClWaitList *wait);

void gst_cl_uses_init (GstClUses *uses);
void gst_cl_uses_clear (GstClUses *uses);

/* A command that is to go to @queue, and @writes the memory or reads it, waits for those that it may not run beside. */
void gst_cl_uses_wait (const GstClUses *uses, cl_command_queue queue, gboolean writes, GstClWaitList *wait);

/* A command that @writes the memory or reads it has gone to @queue.  A status other than CL_SUCCESS: whoever uses the memory next would not
 * wait for it. */
cl_int gst_cl_uses_note (GstClUses *uses, cl_command_queue queue, gboolean writes, cl_event event);

/* CL_COMPLETE where all commands are done; above it where one of them is not, below where one has failed */
cl_int gst_cl_uses_get_status (const GstClUses *uses);

G_END_DECLS
