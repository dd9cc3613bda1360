/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * How long a device works for an element: the times of its commands, read when they have ended, without waiting for them.
 */
#pragma once

#include <gst/gpuopencl/gpuopencl-prelude.h>
#include "gstclstats.h"

G_BEGIN_DECLS

/**
 * GstClTiming:
 * @enabled: else nothing is measured; fixed while the element is open
 * @stats: where it is counted
 *
 * A member of what measures.  Nothing of it fails: what a driver cannot tell the time of is left out.
 */
typedef struct
{
  gboolean enabled;
  GstClStats *stats;

  /*< private > */
  GMutex lock;
  GArray *spans; /* (nullable): of those not yet read */
} GstClTiming;

/* @stats outlives it. */
void gst_cl_timing_init (GstClTiming *self, GstClStats *stats);
/* Forgets what has not been read. */
void gst_cl_timing_clear (GstClTiming *self);

/* (transfer full) (nullable): the event of a command on @queue, which profiles, that ends when the next one may begin: where @wait is over;
 * for gst_cl_timing_end() */
GST_CL_API
cl_event gst_cl_timing_begin (GstClTiming *self, cl_command_queue queue, cl_uint n_wait, const cl_event *wait);

/* The work that began with @begin (transfer full) (nullable) ends with @end (transfer none). */
GST_CL_API
void gst_cl_timing_end (GstClTiming *self, cl_event begin, cl_event end);

/* Counts the time of all work that has ended, from any thread. */
void gst_cl_timing_collect (GstClTiming *self);

G_END_DECLS
