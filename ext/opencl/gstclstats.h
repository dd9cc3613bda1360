/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/**
 * GstClCounter:
 * @GST_CL_LAUNCHES: kernel launches
 * @GST_CL_TRANSFERS_UP: runs of bytes that the CPU wrote and the device took over
 * @GST_CL_BYTES_UP: their bytes
 * @GST_CL_TRANSFERS_DOWN: memories that the device wrote and the CPU took over
 * @GST_CL_BYTES_DOWN: their bytes
 * @GST_CL_WAITS: host waits: the CPU waited for a command of the device
 *
 * What an element makes the device and the CPU do.  A transfer counts where memory is shared too, and nothing moves: it is the handing over that is
 * counted, so that the figures are the same for every device.
 */
typedef enum
{
  GST_CL_LAUNCHES,
  GST_CL_TRANSFERS_UP,
  GST_CL_BYTES_UP,
  GST_CL_TRANSFERS_DOWN,
  GST_CL_BYTES_DOWN,
  GST_CL_WAITS,
  GST_CL_N_COUNTERS
} GstClCounter;

/* A set of counters, shared by an element and the memories of its pools; counts from any thread. */
typedef struct _GstClStats GstClStats;

GstClStats *gst_cl_stats_new (void);
GstClStats *gst_cl_stats_ref (GstClStats * stats);
void gst_cl_stats_unref (GstClStats * stats);

/* @stats may be NULL: then nothing is counted. */
void gst_cl_stats_add (GstClStats * stats, GstClCounter counter, guint64 n);
guint64 gst_cl_stats_get (GstClStats * stats, GstClCounter counter);

/* (transfer full): "opencl-stats" with a guint64 each: launches, transfers-up, bytes-up, transfers-down, bytes-down, waits */
GstStructure *gst_cl_stats_to_structure (GstClStats * stats);

G_END_DECLS
