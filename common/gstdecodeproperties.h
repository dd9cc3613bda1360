/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The properties of the entropy stage, which a decoder made of the row has too: names, ranges and defaults in one place.
 */
#pragma once

#include <gst/gst.h>
#include "gstgpucodec-prelude.h"

G_BEGIN_DECLS

/**
 * GstOutputDelay:
 * @GST_OUTPUT_DELAY_AUTO: @GST_OUTPUT_DELAY_OBSERVED in a live pipeline, else @GST_OUTPUT_DELAY_CONFORMING
 * @GST_OUTPUT_DELAY_CONFORMING: as many as the stream says, or its level allows where it does not say
 * @GST_OUTPUT_DELAY_OBSERVED: where it does not say, as many as pictures have needed so far
 * @GST_OUTPUT_DELAY_NONE: none: pictures come out in decoding order
 *
 * How many pictures that are decoded later one waits for, since they may be shown before it.
 */
typedef enum
{
  GST_OUTPUT_DELAY_AUTO = -1,
  GST_OUTPUT_DELAY_CONFORMING,
  GST_OUTPUT_DELAY_OBSERVED,
  GST_OUTPUT_DELAY_NONE,
} GstOutputDelay;

GST_GPU_CODEC_API
GType gst_output_delay_get_type (void);
#define GST_TYPE_OUTPUT_DELAY (gst_output_delay_get_type ())

/**
 * GstDecodeProperties:
 * @GST_DECODE_PROPERTY_N_THREADS: n-threads, unsigned integer
 * @GST_DECODE_PROPERTY_OUTPUT_CORRUPT: output-corrupt, boolean
 * @GST_DECODE_PROPERTY_STRICT: strict, boolean
 * @GST_DECODE_PROPERTY_OUTPUT_DELAY: output-delay, #GstOutputDelay
 * @GST_DECODE_PROPERTY_REVERSE_MEMORY: reverse-memory, unsigned integer, MiB
 * @GST_DECODE_PROPERTY_QOS: qos, boolean
 * @GST_DECODE_PROPERTY_MAX_ERRORS: max-errors, integer; -1: any number
 * @GST_DECODE_PROPERTY_DISCARD_CORRUPTED_FRAMES: discard-corrupted-frames, boolean
 * @GST_DECODE_PROPERTY_REQUEST_SYNC_POINTS: automatic-request-sync-points, boolean
 * @GST_DECODE_PROPERTY_KEY_UNIT_INTERVAL: min-force-key-unit-interval, unsigned 64-bit integer, nanoseconds
 * @GST_DECODE_PROPERTY_MEASURE_TIME: measure-time, boolean
 * @GST_DECODE_PROPERTY_STATS: stats, #GstStructure
 *
 * The properties, from the number on that gst_decode_properties_install() is given.
 */
typedef enum
{
  GST_DECODE_PROPERTY_N_THREADS,
  GST_DECODE_PROPERTY_OUTPUT_CORRUPT,
  GST_DECODE_PROPERTY_STRICT,
  GST_DECODE_PROPERTY_OUTPUT_DELAY,
  GST_DECODE_PROPERTY_REVERSE_MEMORY,
  GST_DECODE_PROPERTY_QOS,
  GST_DECODE_PROPERTY_MAX_ERRORS,
  GST_DECODE_PROPERTY_DISCARD_CORRUPTED_FRAMES,
  GST_DECODE_PROPERTY_REQUEST_SYNC_POINTS,
  GST_DECODE_PROPERTY_KEY_UNIT_INTERVAL,
  GST_DECODE_PROPERTY_MEASURE_TIME,
  GST_DECODE_PROPERTY_STATS,
} GstDecodeProperties;

/**
 * GST_DECODE_MAX_THREADS:
 *
 * Most threads that n-threads may ask for.
 */
#define GST_DECODE_MAX_THREADS 64

/**
 * gst_decode_properties_install:
 * @klass: a class
 * @first: the number of the first one, #GstDecodeProperties.GST_DECODE_PROPERTY_N_THREADS
 *
 * Gives all properties of the entropy stage to @klass.  They are set to their defaults when an object is made.
 */
GST_GPU_CODEC_API
void gst_decode_properties_install (GObjectClass *klass, guint first);

G_END_DECLS
