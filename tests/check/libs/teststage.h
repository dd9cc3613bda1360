/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Stages that compute nothing and remember what was asked of them, and the pictures to feed them.
 */
#pragma once

#include "gstgpustage.h"

#define TEST_TYPE_STAGE (test_stage_get_type ())
G_DECLARE_DERIVABLE_TYPE (TestStage, test_stage, TEST, STAGE, GstGpuStage)

struct _TestStageClass
{
  GstGpuStageClass parent_class;
};

/* What a stage has been asked, and what it shall answer */
typedef struct
{
  guint n_open, n_close, n_set_format, n_surface_pools, n_arena_pools, n_decided;
  guint n_surfaces;  /* of the last surface pool */
  GArray *processed; /* guint32: numbers of the frames */
  guint n_outputs;
  gboolean device_memory; /* of the last output */
  GstCodedFormat format;
  gboolean has_video_meta; /* downstream takes GstVideoMeta */

  gboolean fail_open, fail_output;
  GstFlowReturn process_result;
} TestStageLog;

TestStageLog *test_stage_log (gpointer stage);

/* Stages with the bits of the real ones */
GType test_idct_get_type (void);
GType test_intrapred_get_type (void);
GType test_deblock_get_type (void);

/* (transfer full): floating: an element of the type, in raw formats video/x-raw(memory:OpenCL) and video/x-raw */
GstElement *test_stage_new (GType type, const gchar *name);

/* (transfer full): caps of 8-bit 4:2:0 of this cropped size */
GstCaps *test_coded_caps (gint width, gint height);

/* (transfer full): a coded picture of a new frame with pts @number seconds, or of @store */
GstBuffer *test_picture_new (guint32 number, guint pending);
GstBuffer *test_picture_of_store (GstFrameStore *store, guint pending);

/* Adds an action to the picture in @buffer. */
void test_picture_act (GstBuffer *buffer, gboolean output, guint32 number);
