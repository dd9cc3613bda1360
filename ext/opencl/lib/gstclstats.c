/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdatomic.h>

#include "gstclstats.h"

struct _GstClStats
{
  _Atomic guint64 counters[GST_CL_N_COUNTERS];
};

GstClStats *
gst_cl_stats_new (void)
{
  return g_atomic_rc_box_new0 (GstClStats);
}

GstClStats *
gst_cl_stats_ref (GstClStats *stats)
{
  return g_atomic_rc_box_acquire (stats);
}

void
gst_cl_stats_unref (GstClStats *stats)
{
  g_atomic_rc_box_release (stats);
}

void
gst_cl_stats_add (GstClStats *stats, GstClCounter counter, guint64 n)
{
  if (stats)
    atomic_fetch_add_explicit (&stats->counters[counter], n, memory_order_relaxed);
}

guint64
gst_cl_stats_get (GstClStats *stats, GstClCounter counter)
{
  return atomic_load_explicit (&stats->counters[counter], memory_order_relaxed);
}

/* The element that this thread works for */
static __thread GstClStats *current;

void
gst_cl_stats_begin_picture (GstClStats *stats)
{
  current = stats;
}

void
gst_cl_stats_end_picture (void)
{
  current = NULL;
}

void
gst_cl_stats_add_map (GstClStats *owner, GstClCounter counter, guint64 n)
{
  if (current)
    gst_cl_stats_add (current, counter, n);
  else
    gst_cl_stats_add (owner, counter + (GST_CL_MAP_TRANSFERS_DOWN - GST_CL_TRANSFERS_DOWN), n);
}

GstStructure *
gst_cl_stats_to_structure (GstClStats *stats)
{
  static const gchar *const names[GST_CL_N_COUNTERS] = {
    [GST_CL_LAUNCHES] = "launches",
    [GST_CL_TRANSFERS_UP] = "transfers-up",
    [GST_CL_BYTES_UP] = "bytes-up",
    [GST_CL_TRANSFERS_DOWN] = "transfers-down",
    [GST_CL_BYTES_DOWN] = "bytes-down",
    [GST_CL_WAITS] = "waits",
    [GST_CL_MAP_TRANSFERS_DOWN] = "map-transfers-down",
    [GST_CL_MAP_BYTES_DOWN] = "map-bytes-down",
    [GST_CL_MAP_WAITS] = "map-waits",
    [GST_CL_TIME] = "time",
  };
  GstStructure *structure = gst_structure_new_empty ("opencl-stats");

  for (guint i = 0; i < GST_CL_N_COUNTERS; i++)
    gst_structure_set (structure, names[i], G_TYPE_UINT64, gst_cl_stats_get (stats, i), NULL);

  return structure;
}
