/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * GstGpuStage, the base class of the stages that rebuild coded pictures.
 */
#pragma once

#include "gstcodedpicture.h"
#include "gstcoeffmeta.h"
#include "gstarenapool.h"

G_BEGIN_DECLS

/**
 * GstGpuStage:
 *
 * Base class of the stages that rebuild coded pictures.  A stage takes a picture, rebuilds it as far as it goes
 * (#GstGpuStageClass.process) if its bit is pending, clears the bit and passes the picture on.  Its source pad negotiates either the
 * private type (another stage follows) or raw video: then this stage ends the decoding, keeps the frame stores that wait for output,
 * executes the output list (GstCodedAction), sets timestamps and flags, and pushes raw buffers.  Where pictures still need a stage at that
 * point, it posts an error that names the element to add.  So any prefix of the row that is enough for a stream is a whole decoder.
 *
 * A subclass fills in all members of its class but those that may be %NULL, and #GstGpuStageClass.codecs where it can do more than H.264.
 */
#define GST_TYPE_GPU_STAGE (gst_gpu_stage_get_type ())
/* gst_gpu_stage_get_type(): the type, which is abstract; and the casts GST_GPU_STAGE(), GST_IS_GPU_STAGE() and so on */
GST_GPU_CODEC_API
G_DECLARE_DERIVABLE_TYPE (GstGpuStage, gst_gpu_stage, GST, GPU_STAGE, GstElement)

/**
 * GstGpuStageClass:
 * @stage: the bit of this stage
 * @codecs: what codecs' pictures it can rebuild: bits 1 << GstCodedCodec; H.264 alone unless the subclass sets it.  Pictures of others
 *   pass, where they do not need the stage
 * @open: NULL to READY: finds what the stage computes on; posts its own error where it is missing
 * @close: READY to NULL
 * @get_raw_caps: caps without size that the source pad can end the decoding with, best first (device memory before system memory)
 * @set_format: new input format, nothing in flight
 * @create_surface_pool: pool for surfaces, called by the stage that meets a frame store without one; configured, not yet active, and
 *   without maximum (downstream may hold frames as long as it likes, and a pool that runs dry would stop the pipeline).  @n_surfaces: as
 *   many as the stream and downstream may hold, for pools that allocate ahead
 * @create_arena_pool: (nullable): pool that upstream may fill coded pictures into, for the ALLOCATION query; not configured
 * @decide_allocation: (nullable): raw video is negotiated and downstream has answered the ALLOCATION query (@query; empty where it did
 *   not): choose what create_output allocates from, and see whether downstream takes GstVideoMeta
 * @process: rebuilds @picture as far as the stage goes.  @buffer holds arenas and metas
 * @create_output: (transfer full): a raw buffer of @store as the negotiated caps (@info, features) say, cropped, without timestamps; may
 *   share the surface
 *
 * All but @open, @close and @get_raw_caps (any thread, any state) are called from the streaming thread.  A function that fails because
 * the pad is flushing posts nothing; any other failing function posts an element error itself.
 */
struct _GstGpuStageClass
{
  GstElementClass parent_class;

  GstCodedStages stage;
  guint codecs;
  gboolean (*open) (GstGpuStage *stage);
  void (*close) (GstGpuStage *stage);
  GstCaps *(*get_raw_caps) (GstGpuStage *stage);
  gboolean (*set_format) (GstGpuStage *stage, const GstCodedFormat *format);
  GstBufferPool *(*create_surface_pool) (GstGpuStage *stage, const GstCodedFormat *format, guint n_surfaces);
  GstBufferPool *(*create_arena_pool) (GstGpuStage *stage, const GstCodedFormat *format);
  gboolean (*decide_allocation) (GstGpuStage *stage, GstQuery *query, const GstVideoInfo *info, gboolean device_memory);
  GstFlowReturn (*process) (GstGpuStage *stage, GstCodedPicture *picture, GstBuffer *buffer);
  GstBuffer *(*create_output) (GstGpuStage *stage, GstFrameStore *store, const GstVideoInfo *info, gboolean device_memory);
};

G_END_DECLS
