/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The row of elements that decodes H.264: the one place that says which elements those are, and in which order.
 */
#pragma once

#include <gst/gst.h>
#include "gstgpucodec-prelude.h"

G_BEGIN_DECLS

/**
 * GstDecodeRow:
 * @backend: (nullable): property `backend` of every stage: "opencl" or "c"; %NULL: "opencl"
 * @platform: property of every stage: place in its list `devices`; -1: any
 * @device: likewise
 * @n_threads: property `n-threads` of the entropy stage; 0: one a core
 * @n_stages: stages behind the entropy stage, 0 to gst_decode_row_get_n_stages(); fewer than all only to measure a part
 * @queues: a queue between every pair
 *
 * How the row is to be made.  The same row decodes every stream: a stage passes on what does not need it.
 */
typedef struct
{
  const gchar *backend;
  gint platform;
  gint device;
  guint n_threads;
  guint n_stages;
  gboolean queues;
} GstDecodeRow;

#define GST_DECODE_ROW_INIT                             \
  {                                                     \
    .platform = -1, .device = -1, .n_stages = G_MAXUINT \
  }

/**
 * gst_decode_row_get_n_stages:
 *
 * Returns: how many stages stand behind the entropy stage
 */
GST_GPU_CODEC_API
guint gst_decode_row_get_n_stages (void);

/* (nullable): the element of a stage behind the entropy stage, the first one is 0: "gpuidct"; NULL behind the last */
GST_GPU_CODEC_API
const gchar *gst_decode_row_get_stage (guint index);

/**
 * gst_decode_row_describe:
 * @self: how it is to be made
 *
 * Returns: (transfer full): the row as gst-launch-1.0 writes it, from h264entropy on.  It takes what h264parse gives.
 */
GST_GPU_CODEC_API
gchar *gst_decode_row_describe (const GstDecodeRow *self);

/**
 * gst_decode_row_remove:
 * @row: a row as gst_decode_row_describe() gives it
 * @stage: an element in it, "gpuidct"
 *
 * Returns: (transfer full): @row without @stage
 */
GST_GPU_CODEC_API
gchar *gst_decode_row_remove (const gchar *row, const gchar *stage);

/* (transfer floating) (nullable): the row as a bin with pads "sink" and "src".  NULL and @error (GST_PARSE_ERROR) where an element is not
 * there. */
GST_GPU_CODEC_API
GstElement *gst_decode_row_make_bin (const GstDecodeRow *self, GError **error);

/* (transfer full) (nullable): the element of the kind @stage in @bin or a bin in it: the first one found */
GST_GPU_CODEC_API
GstElement *gst_decode_row_find (GstBin *bin, const gchar *stage);

G_END_DECLS
