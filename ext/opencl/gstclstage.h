/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gstgpustage.h"
#include "gstclcontext.h"
#include "gstclmemory.h"
#include "gstclpool.h"
#include "reference.h"

G_BEGIN_DECLS

/**
 * GstClBackend:
 * @GST_CL_BACKEND_OPENCL: kernels
 * @GST_CL_BACKEND_C: the plain C reference, so that any stage can be compared in place
 */
typedef enum
{
  GST_CL_BACKEND_OPENCL,
  GST_CL_BACKEND_C
} GstClBackend;

#define GST_TYPE_CL_BACKEND (gst_cl_backend_get_type ())
GType gst_cl_backend_get_type (void);

/**
 * GstClJob:
 * @params: the picture, with plane_offset and plane_stride of its surface
 * @colour_plane: which one of the coded picture's; with separate_colour_plane_flag a picture is three jobs
 * @segments: (nullable): the block lists in host memory, for the stage that asks for them (GstClStageClass.uses_segments)
 * @n_segments: entries
 * @first: segments of a kind are first[kind] to first[kind + 1] - 1 (GstCoeffMeta)
 * @picture: for kernels: buffers (backend OPENCL)
 * @reference: for C: pointers (backend C)
 *
 * One colour plane set of a coded picture, ready to be worked on.
 */
typedef struct
{
  const GpuPicture *params;
  guint colour_plane;
  const GpuSegment *segments;
  guint n_segments;
  const guint *first;
  GpuKernelPicture picture;
  GpuReferencePicture reference;
} GstClJob;

/**
 * GstClStage:
 * @context: (nullable): the device; NULL with backend C where no neighbour has one
 * @queue: the element's in-order queue; NULL without a context or with backend C
 * @backend: how this stage works, fixed from NULL to READY on
 * @stats: counters of this element
 *
 * Abstract base class of the decoding stages that run on OpenCL.  It has the properties backend, platform, device, devices and stats, finds the device, gives
 * surfaces and arenas, brings every picture's memories to where the stage works, chains the commands through events and makes raw output.  A subclass fills
 * in GstGpuStageClass.stage and the members of GstClStageClass.
 */
#define GST_TYPE_CL_STAGE (gst_cl_stage_get_type ())
G_DECLARE_DERIVABLE_TYPE (GstClStage, gst_cl_stage, GST, CL_STAGE, GstGpuStage)

typedef struct
{
  GstClContext *context;
  cl_command_queue queue;
  GstClBackend backend;
  GstClStats *stats;
} GstClStageDevice;

/* What the subclass may look at; valid from READY on. */
const GstClStageDevice *gst_cl_stage_get_device (GstClStage * stage);

/**
 * GstClStageClass:
 * @source: the program's text (gpu_X_source)
 * @uses_segments: the stage wants GstClJob.segments
 * @coeffs_access, @dc_access, @surface_access: how it uses them; 0: not at all.  The header arena is read.
 * @options: build options for pictures like @params (gpu_X_options)
 * @kernels_init: makes the kernels of a program; after kernels_clear() or at first
 * @kernels_clear: frees them
 * @enqueue: enqueues the stage on the element's queue, nothing blocking; @event: of the last command; returns a CL status.  @n_launches: counts kernels
 * @reference: the same in C
 */
struct _GstClStageClass
{
  GstGpuStageClass parent_class;

  const gchar *source;
  gboolean uses_segments;
  GstClAccess coeffs_access, dc_access, surface_access;
  int (*options) (const GpuKernelDevice * device, const GpuPicture * params, char *buf, size_t size);
  cl_int (*kernels_init) (GstClStage * stage, cl_program program, const GpuPicture * params);
  void (*kernels_clear) (GstClStage * stage);
  cl_int (*enqueue) (GstClStage * stage, const GstClJob * job, cl_uint n_wait, const cl_event * wait, cl_event * event, guint * n_launches);
  void (*reference) (GstClStage * stage, const GstClJob * job);
};

/* Says that the build options of the stage changed (a property of the subclass): kernels are made anew at the next picture. */
void gst_cl_stage_rebuild (GstClStage * stage);

G_END_DECLS
