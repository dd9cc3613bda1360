/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A coded picture as it goes from stage to stage: its meta, what it needs yet, what it refers to.
 */
#pragma once

#include "gstcodedformat.h"
#include "gstcodedstages.h"
#include "gstframestore.h"
#include "gpurecords.h"

G_BEGIN_DECLS

/**
 * GstCodedAction:
 * @output: %TRUE: show frame @number; %FALSE: discard it (nobody will ask for it again)
 * @number: #GstFrameStore.number
 *
 * A decision of the one DPB model, which lives in the entropy stage.  The last stage executes them in order.
 */
typedef struct
{
  gboolean output;
  guint32 number;
} GstCodedAction;

typedef struct _GstCodedPicture GstCodedPicture;

GST_GPU_CODEC_API
GType gst_coded_picture_get_type (void);
#define GST_TYPE_CODED_PICTURE (gst_coded_picture_get_type ())

/**
 * GstCodedPicture:
 * @store: the frame it belongs to
 * @pending: stages it still needs
 * @extra_stage: (nullable): with GST_CODED_STAGE_EXTRA the element that it needs; a string that is never freed
 * @n_colour_planes: 1, or 3 with separate_colour_plane_flag: then each is a monochrome picture of its own
 * @params: one a colour plane
 * @layout: where the records of each colour plane lie in the header arena
 * @n_slices: slice records of all colour planes
 * @slice_bytes: bytes of the NAL units of its slices; 0 where nobody told
 * @has_inter: some slice is P or B: there are records of inter macroblocks, too
 * @references: (nullable): frames that GstGpuInterSlice.reference counts; references, dropped when the last pending bit clears; %NULL:
 *   missing
 * @n_references: entries in it
 * @first_sound: references with a lower number count as sound even where they are flagged as corrupted: a recovery point has been passed,
 *   which says that their damage is not referred to
 * @actions: array of GstCodedAction, to be executed by the last stage after this picture is submitted
 *
 * One coded frame or field on its way through the stages.  A buffer on a private link is one coded picture in decoding order: a
 * GstCodedPictureMeta with the picture, a GstCoeffMeta with the block lists, and two memories: [0] the header arena, [1] the coefficient
 * arena.  No sample, no coefficient lies here: offsets only.
 */
struct _GstCodedPicture
{
  GstMiniObject mini_object;

  GstFrameStore *store;
  guint pending;
  const gchar *extra_stage;
  guint n_colour_planes;
  GstGpuPicture params[3];
  GstGpuLayout layout[3];
  guint n_slices;
  guint64 slice_bytes;
  gboolean has_inter;
  GstFrameStore *references[GST_GPU_MAX_REFERENCES];
  guint n_references;
  guint32 first_sound;
  GArray *actions;
};

/**
 * GST_CODED_MEMORY_HEADER:
 *
 * The number of the memory of a buffer of coded pictures that is the header arena.
 */
#define GST_CODED_MEMORY_HEADER 0

/**
 * GST_CODED_MEMORY_COEFFS:
 *
 * The number of the one that is the coefficient arena.
 */
#define GST_CODED_MEMORY_COEFFS 1

/* Takes a reference on @store and counts the picture among those that the store waits for. */
GST_GPU_CODEC_API
GstCodedPicture *gst_coded_picture_new (GstFrameStore *store);

static inline GstCodedPicture *
gst_coded_picture_ref (GstCodedPicture *picture)
{
  return (GstCodedPicture *) gst_mini_object_ref (GST_MINI_OBJECT_CAST (picture));
}

static inline void
gst_coded_picture_unref (GstCodedPicture *picture)
{
  gst_mini_object_unref (GST_MINI_OBJECT_CAST (picture));
}

/* (transfer none): what a kernel needs to know of colour plane @plane, 0 to n_colour_planes - 1, and where its records lie.  NULL where
 * there is no such plane. */
GST_GPU_CODEC_API
const GstGpuPicture *gst_coded_picture_get_params (const GstCodedPicture *picture, guint plane);

GST_GPU_CODEC_API
const GstGpuLayout *gst_coded_picture_get_layout (const GstCodedPicture *picture, guint plane);

/* Clears @stage in pending.  When the last bit clears, the frame store counts the picture as submitted.  A picture freed before that
 * counts as failed. */
GST_GPU_CODEC_API
void gst_coded_picture_stage_done (GstCodedPicture *picture, GstCodedStages stage);

/**
 * GstCodedPictureMeta:
 * @meta: the common part
 * @picture: the coded picture of this buffer
 *
 * What makes a buffer a coded picture.
 */
typedef struct
{
  GstMeta meta;
  GstCodedPicture *picture;
} GstCodedPictureMeta;

/**
 * gst_coded_picture_meta_api_get_type:
 *
 * Returns: the type of the meta's API, for gst_buffer_get_meta()
 */
GST_GPU_CODEC_API
GType gst_coded_picture_meta_api_get_type (void);
#define GST_CODED_PICTURE_META_API_TYPE (gst_coded_picture_meta_api_get_type ())

/**
 * gst_coded_picture_meta_get_info:
 *
 * Returns: (transfer none): the meta's functions, for gst_buffer_add_meta()
 */
GST_GPU_CODEC_API
const GstMetaInfo *gst_coded_picture_meta_get_info (void);

/* Takes a reference on @picture. */
GST_GPU_CODEC_API
GstCodedPictureMeta *gst_buffer_add_coded_picture_meta (GstBuffer *buffer, GstCodedPicture *picture);

GST_GPU_CODEC_API
GstCodedPicture *gst_buffer_get_coded_picture (GstBuffer *buffer);

/* A serialised custom event with actions, for places where no picture follows (end of stream, drain, caps change, end of sequence). */
GST_GPU_CODEC_API
GstEvent *gst_coded_actions_event_new (const GstCodedAction *actions, guint n_actions);

/* (transfer full): NULL where @event is no such event; else an array of GstCodedAction */
GST_GPU_CODEC_API
GArray *gst_coded_actions_event_parse (GstEvent *event);

G_END_DECLS
