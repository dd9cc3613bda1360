/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What a coded picture makes each element read and write, in bytes, counted from its records.
 */
#pragma once

#include "recordview.h"

G_BEGIN_DECLS

/* The elements of the row, and what makes raw video of a surface behind the last one */
typedef enum
{
  TRAFFIC_ENTROPY,
  TRAFFIC_IDCT,
  TRAFFIC_INTERPRED,
  TRAFFIC_INTRAPRED,
  TRAFFIC_DEBLOCK,
  TRAFFIC_OUTPUT,
  TRAFFIC_N_ELEMENTS
} TrafficElement;

/* Bytes: @records are those of macroblocks, partitions, boundary strengths and positions, read or written; @coeffs levels and residuals;
 * @samples those of surfaces and raw video.  Each access counts once, whether a cache answers it or the memory. */
typedef struct
{
  guint64 records, coeffs, samples;
} Traffic;

/* Adds the picture's to @elements[TrafficElement].  Not counted, for being small: slices' records, the samples beside a macroblock that
 * intra prediction reads; for staying with the CPU: motion of other pictures. */
void traffic_add (Traffic elements[TRAFFIC_N_ELEMENTS], const RecordView *view);

const gchar *traffic_get_name (TrafficElement element);

/* Bytes a second that one thread copies, each counted twice (read and written): blocks much larger than the caches */
gdouble traffic_measure_copy (void);

G_END_DECLS
