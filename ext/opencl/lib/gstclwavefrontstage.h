/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * GstClWavefrontStage, the base class of stages whose macroblocks depend on each other (intra prediction, deblocking).
 */
#pragma once

#include "gstclstage.h"
#include "wavefront.h"

G_BEGIN_DECLS

/**
 * GstClWavefront:
 * @GST_CL_WAVEFRONT_AUTO: what suits the device best
 * @GST_CL_WAVEFRONT_IN_ORDER: GPU_WAVEFRONT_IN_ORDER
 * @GST_CL_WAVEFRONT_TICKETS: GPU_WAVEFRONT_TICKETS
 * @GST_CL_WAVEFRONT_DIAGONALS: GPU_WAVEFRONT_DIAGONALS
 */
typedef enum
{
  GST_CL_WAVEFRONT_AUTO,
  GST_CL_WAVEFRONT_IN_ORDER,
  GST_CL_WAVEFRONT_TICKETS,
  GST_CL_WAVEFRONT_DIAGONALS
} GstClWavefront;

#define GST_TYPE_CL_WAVEFRONT (gst_cl_wavefront_get_type ())
GST_CL_API
GType gst_cl_wavefront_get_type (void);

/**
 * GstClWavefrontStage:
 *
 * Abstract base class of the stages whose macroblocks depend on each other: has the property wavefront, and finds out from NULL to READY
 * whether the device can do what it says.
 */
#define GST_TYPE_CL_WAVEFRONT_STAGE (gst_cl_wavefront_stage_get_type ())
GST_CL_API
G_DECLARE_DERIVABLE_TYPE (GstClWavefrontStage, gst_cl_wavefront_stage, GST, CL_WAVEFRONT_STAGE, GstClStage)

struct _GstClWavefrontStageClass
{
  GstClStageClass parent_class;
};

/* The launch to use; valid from READY on, with backend OPENCL. */
GST_CL_API
GpuWavefront gst_cl_wavefront_stage_get_wavefront (GstClWavefrontStage *stage);

G_END_DECLS
