/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Converts raw video buffers from one format to another, on the device or in C.
 */
#pragma once

#include <gst/video/video.h>
#include <gst/gpuopencl/gstclcontext.h>
#include "csckernel.h"
#include "gstclstats.h"
#include "gstcltiming.h"
#include "gstcscformat.h"

G_BEGIN_DECLS

/**
 * GstCscConverter:
 * @context: (nullable): the device
 * @queue: the queue that kernels go to; NULL: conversion in C
 * @timing: how long the conversions take; its owner outlives the converter
 * @in, @out: the formats
 *
 * Converts buffers from one raw format to another.  Buffers lie in memory of the device or in system memory: that of the input is copied to
 * the device, and the output comes from a pool of the device, whose memory the CPU can map.
 */
typedef struct
{
  GstClContext *context;
  cl_command_queue queue;
  GstClStats *stats;
  GstClTiming *timing;
  GstVideoInfo in_info, out_info;
  GpuCscFormat in, out;
  GpuCscKernels kernels;
  GstCaps *in_caps;
  GstBufferPool *uploads; /* for input in system memory; made when the first comes */
} GstCscConverter;

/* FALSE and @error where a format is not supported, or the device's compiler refuses the program; then nothing needs to be cleared. */
gboolean gst_csc_converter_init (GstCscConverter *self, GstClContext *context, cl_command_queue queue, GstClStats *stats,
    GstClTiming *timing, GstCaps *in_caps, GstCaps *out_caps, GError **error);

/* Zeroed, or cleared, is fine. */
void gst_csc_converter_clear (GstCscConverter *self);

/* Fills @out from @in.  With a queue it waits for nothing: whoever uses @out waits.  Strides and offsets are those of each buffer's
 * GstVideoMeta. */
gboolean gst_csc_converter_run (GstCscConverter *self, GstBuffer *in, GstBuffer *out, GError **error);

G_END_DECLS
