/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/**
 * DecodeRow:
 * @backend: (nullable): property `backend` of every stage: "opencl" or "c"
 * @platform, @device: properties of every stage: places in its list `devices`; -1: any
 * @n_threads: property `n-threads` of the entropy stage; 0: one a core
 * @n_stages: stages after the entropy stage, 0 to DECODE_ROW_N_STAGES
 * @queues: a queue between every pair
 *
 * The row of elements that decodes what h264parse gives.
 */
typedef struct
{
  const gchar *backend;
  gint platform;
  gint device;
  guint n_threads;
  guint n_stages;
  gboolean queues;
} DecodeRow;

#define DECODE_ROW_N_STAGES 4
#define DECODE_ROW_INIT { .platform = -1, .device = -1, .n_stages = DECODE_ROW_N_STAGES }

/* (transfer full): the row as gst-launch-1.0 writes it, from h264entropy on */
gchar *decode_row_describe (const DecodeRow *self);

/* (transfer full): @row without element @stage */
gchar *decode_row_remove (const gchar *row, const gchar *stage);

/* (transfer full) (nullable): name of the OpenCL device that elements of @bin have found; NULL where none looked for one */
gchar *decode_row_get_device_name (GstElement *bin);

G_END_DECLS
