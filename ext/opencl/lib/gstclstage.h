/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * GstClStage, the base class of the decoding stages on OpenCL: everything but their kernels.
 */
#pragma once

#include "gstgpustage.h"
#include "gstclelement.h"
#include "gstclmemory-private.h"
#include "gstclpool.h"
#include "reference.h"

G_BEGIN_DECLS

/**
 * GstClJob:
 * @params: the colour plane sets: with plane_offset and plane_stride of their surface
 * @n_planes: how many: 1; 3 with separate_colour_plane_flag, where the stage takes them together
 * @colour_plane: number of the first of them in the coded picture
 * @first: segments of a kind are first[kind] to first[kind + 1] - 1 (GstCoeffMeta)
 * @has_inter: GstCodedPicture.has_inter: the header arena has partitions and inter slices
 * @segments: the block lists in host memory (backend C)
 * @n_segments: entries
 * @planes: buffers of each plane set (backend OPENCL)
 * @references: pointers of each plane set (backend C)
 *
 * Colour plane sets of a coded picture, ready to be worked on.
 */
typedef struct
{
  const GstGpuPicture *params;
  guint n_planes;
  guint colour_plane;
  const guint *first;
  gboolean has_inter;
  const GstGpuSegment *segments;
  guint n_segments;
  const GpuKernelPicture *planes;
  const GpuReferencePicture *references;
} GstClJob;

/**
 * GstClStage:
 *
 * Abstract base class of the decoding stages that run on OpenCL.  It has the properties backend, platform, device, device-name,
 * devices, measure-time and stats, finds the device, gives surfaces and arenas, brings every picture's memories to where the stage works,
 * chains the commands through events and makes raw output.  A subclass fills in GstGpuStageClass.stage and the members of GstClStageClass.
 */
#define GST_TYPE_CL_STAGE (gst_cl_stage_get_type ())
GST_CL_API
G_DECLARE_DERIVABLE_TYPE (GstClStage, gst_cl_stage, GST, CL_STAGE, GstGpuStage)

/* What the subclass may look at; valid from READY on. */
GST_CL_API
const GstClElement *gst_cl_stage_get_device (GstClStage *stage);

/**
 * GstClStageClass:
 * @name: of the program, for messages
 * @source: the program's text (gpu_X_source)
 * @planes_together: one call for all colour plane sets of a picture, else one for each
 * @coeffs_access, @dc_access, @surface_access: how it uses them; 0: not at all.  The header arena is read.
 * @writes_header: and written
 * @reads_references: it reads the surfaces that the picture refers to
 * @options: build options for pictures like @params (gpu_X_options)
 * @variant: (nullable): in place of source and options, for a stage whose program depends on a property: sets @source, writes build options
 * as snprintf() does
 * @kernels_init: makes the kernels of a program; after kernels_clear() or at first
 * @kernels_clear: frees them
 * @enqueue: enqueues the stage on the element's queue, nothing blocking; @event: of the last command; @n_launches: kernels enqueued.  A CL
 * status.
 * @explain: (nullable): after @enqueue failed: what it is in @picture that the stage cannot do; %NULL: it is not the picture
 * @reference: the same in C
 */
struct _GstClStageClass
{
  GstGpuStageClass parent_class;

  const gchar *name;
  const gchar *source;
  gboolean planes_together;
  GstClAccess coeffs_access, dc_access, surface_access;
  gboolean writes_header;
  gboolean reads_references;
  int (*options) (const GpuKernelDevice *device, const GstGpuPicture *params, char *buf, size_t size);
  int (*variant) (GstClStage *stage, const GstGpuPicture *params, const gchar **source, char *buf, size_t size);
  cl_int (*kernels_init) (GstClStage *stage, cl_program program, const GstGpuPicture *params);
  void (*kernels_clear) (GstClStage *stage);
  cl_int (*enqueue) (GstClStage *stage, const GstClJob *job, cl_uint n_wait, const cl_event *wait, cl_event *event, guint *n_launches);
  const gchar *(*explain) (GstClStage *stage, const GstCodedPicture *picture);
  void (*reference) (GstClStage *stage, const GstClJob *job);
};

G_END_DECLS
