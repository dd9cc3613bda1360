/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Makes raw video buffers of the surfaces of frames (gstcloutput.h says how): shared, or written by a kernel.
 */
#pragma once

#include "gstcloutput.h"

G_BEGIN_DECLS

/**
 * GstClRawOutput:
 *
 * Makes raw video buffers of the surfaces of frames: where nothing but strides and cropping differs and downstream can do with that, or
 * not even those differ, the surface itself, in a new buffer that keeps it and lets nobody write to it; else a fresh buffer, filled by a
 * kernel, or in C.
 */
typedef struct
{
  GstClContext *context;  /* NULL: surfaces are system memory */
  cl_command_queue queue; /* NULL: conversion in C */
  GstClStats *stats;
  gboolean share;
  GstVideoInfo info;
  gsize offset[GST_VIDEO_MAX_PLANES]; /* of a shared surface */
  gint stride[GST_VIDEO_MAX_PLANES];
  GpuOutput output;
  GpuOutputKernels kernels;
  GstBufferPool *pool;
} GstClRawOutput;

/* @context, @queue: (nullable), as above.  @caps: of the raw video.  @video_meta: downstream understands GstVideoMeta.  FALSE and @error
 * where it cannot be; then nothing needs to be cleared. */
GST_CL_API
gboolean gst_cl_raw_output_init (GstClRawOutput *self, GstClContext *context, cl_command_queue queue, GstClStats *stats,
    const GstCodedFormat *format, GstCaps *caps, gboolean video_meta, GError **error);

/* Zeroed, or cleared, is fine. */
GST_CL_API
void gst_cl_raw_output_clear (GstClRawOutput *self);

/* (transfer full): without timestamps.  Waits for nothing where @queue is not NULL.  NULL and @error on failure. */
GST_CL_API
GstBuffer *gst_cl_raw_output_make (GstClRawOutput *self, GstBuffer *surface, GError **error);

G_END_DECLS
