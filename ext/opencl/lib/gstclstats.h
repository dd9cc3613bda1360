/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Counters behind the property stats: launches, transfers, bytes and host waits.
 */
#pragma once

#include <gst/gpuopencl/gpuopencl-prelude.h>

G_BEGIN_DECLS

/**
 * GstClCounter:
 * @GST_CL_LAUNCHES: kernel launches
 * @GST_CL_TRANSFERS_UP: runs of bytes that the CPU wrote and the device took over
 * @GST_CL_BYTES_UP: their bytes
 * @GST_CL_TRANSFERS_DOWN: memories that the device wrote and the CPU took over while the element worked on a picture
 * @GST_CL_BYTES_DOWN: their bytes
 * @GST_CL_WAITS: host waits while the element worked on a picture: the CPU waited for a command of the device
 * @GST_CL_MAP_TRANSFERS_DOWN: as TRANSFERS_DOWN, by anybody else who maps memory of the element's pools: downstream, which looks at the
 * output
 * @GST_CL_MAP_BYTES_DOWN: their bytes
 * @GST_CL_MAP_WAITS: as WAITS, by anybody else who maps memory of the element's pools: upstream, which gets an arena; downstream
 * @GST_CL_TIME: nanoseconds that the work took, where measure-time is true: from when its first command may begin until its last has ended,
 * by the device's clock; CPU time of the thread with back end C
 *
 * What an element makes the device and the CPU do.  A transfer counts where memory is shared too, and nothing moves: it is the handing over
 * that is counted, so that the figures are the same for every device.
 */
typedef enum
{
  GST_CL_LAUNCHES,
  GST_CL_TRANSFERS_UP,
  GST_CL_BYTES_UP,
  GST_CL_TRANSFERS_DOWN,
  GST_CL_BYTES_DOWN,
  GST_CL_WAITS,
  GST_CL_MAP_TRANSFERS_DOWN,
  GST_CL_MAP_BYTES_DOWN,
  GST_CL_MAP_WAITS,
  GST_CL_TIME,
  GST_CL_N_COUNTERS
} GstClCounter;

/* A set of counters, shared by an element and the memories of its pools; counts from any thread. */
typedef struct _GstClStats GstClStats;

GST_CL_API
GstClStats *gst_cl_stats_new (void);
GST_CL_API
GstClStats *gst_cl_stats_ref (GstClStats *stats);
GST_CL_API
void gst_cl_stats_unref (GstClStats *stats);

/* @stats may be NULL: then nothing is counted. */
GST_CL_API
void gst_cl_stats_add (GstClStats *stats, GstClCounter counter, guint64 n);
GST_CL_API
guint64 gst_cl_stats_get (GstClStats *stats, GstClCounter counter);

/* From here to the end this thread works on a picture for the element of @stats. */
GST_CL_API
void gst_cl_stats_begin_picture (GstClStats *stats);
GST_CL_API
void gst_cl_stats_end_picture (void);

/* Counts what the CPU does with a memory: @counter (TRANSFERS_DOWN, BYTES_DOWN, WAITS) of the element that this thread works for, else its
 * MAP_ counterpart of @owner (nullable), the element whose memory it is. */
void gst_cl_stats_add_map (GstClStats *owner, GstClCounter counter, guint64 n);

/* (transfer full): "opencl-stats" with a guint64 each: launches, transfers-up, bytes-up, transfers-down, bytes-down, waits,
 * map-transfers-down, map-bytes-down, map-waits, time */
GST_CL_API
GstStructure *gst_cl_stats_to_structure (GstClStats *stats);

G_END_DECLS
