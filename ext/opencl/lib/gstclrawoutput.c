/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "gstclprogram.h"
#include "gstclrawoutput.h"
#include "reference.h"

#define OPTIONS_SIZE 256

static gboolean
set_failed (GError **error, const gchar *what, cl_int status)
{
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED, "%s: %s", what, gst_cl_status_name (status));

  return FALSE;
}

static gboolean
init_kernels (GstClRawOutput *self, GError **error)
{
  gchar options[OPTIONS_SIZE];
  cl_program program;
  cl_int status;

  gpu_output_options (&self->context->device, &self->output, options, sizeof (options));
  program = gst_cl_program_get (self->context, "output", gpu_output_source, options, error);
  if (!program)
    return FALSE;
  status = GST_CL_CALL (gpu_output_kernels_init (&self->kernels, &self->context->device, program));
  GST_CL_CALL (clReleaseProgram (program));
  if (status != CL_SUCCESS)
    return set_failed (error, "The output kernels cannot be made", status);

  return TRUE;
}

static gboolean
init_conversion (GstClRawOutput *self, GstCaps *caps, GError **error)
{
  self->pool = gst_cl_video_pool_new (self->context, caps, self->stats);
  if (!self->pool || !gst_buffer_pool_set_active (self->pool, TRUE)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT, "No pool for raw video of %" G_GSIZE_FORMAT " bytes",
        self->info.size);
    return FALSE;
  }

  return !self->queue || init_kernels (self, error);
}

gboolean
gst_cl_raw_output_init (GstClRawOutput *self, GstClContext *context, cl_command_queue queue, GstClStats *stats,
    const GstCodedFormat *format, GstCaps *caps, gboolean video_meta, GError **error)
{
  memset (self, 0, sizeof (*self));
  if (!gst_video_info_from_caps (&self->info, caps) || !gst_cl_output_init (&self->output, format, &self->info)) {
    g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_NEGOTIATION, "Raw video of this format cannot be made of the pictures");
    return FALSE;
  }
  self->context = context ? gst_object_ref (context) : NULL;
  self->queue = queue;
  self->stats = gst_cl_stats_ref (stats);
  self->share = gst_cl_output_can_share (format, &self->info, self->offset, self->stride)
      && (video_meta || gst_cl_output_is_plain (&self->info, self->offset, self->stride));
  if (self->share || init_conversion (self, caps, error))
    return TRUE;
  gst_cl_raw_output_clear (self);

  return FALSE;
}

void
gst_cl_raw_output_clear (GstClRawOutput *self)
{
  if (self->pool) {
    gst_buffer_pool_set_active (self->pool, FALSE);
    gst_clear_object (&self->pool);
  }
  gpu_output_kernels_clear (&self->kernels);
  gst_clear_object (&self->context);
  if (self->stats)
    gst_cl_stats_unref (self->stats);
  memset (self, 0, sizeof (*self));
}

/* The bytes of a surface in system memory; the surface goes back to its pool with them.  %NULL: it does not map. */
static GstMemory *
wrap_system_memory (GstBuffer *surface)
{
  GstMemory *memory = gst_buffer_peek_memory (surface, 0);
  GstMapInfo map;

  if (!gst_memory_map (memory, &map, GST_MAP_READ))
    return NULL;
  /* such memory stays where it is */
  gst_memory_unmap (memory, &map);

  return gst_memory_new_wrapped (GST_MEMORY_FLAG_READONLY, map.data, map.size, 0, map.size, gst_buffer_ref (surface),
      (GDestroyNotify) gst_buffer_unref);
}

/* Not the surface's own memory, which pools take back only from those who have it alone */
static GstBuffer *
share_surface (GstClRawOutput *self, GstBuffer *surface)
{
  gboolean on_device = gst_is_cl_memory (gst_buffer_peek_memory (surface, 0));
  GstMemory *memory = on_device ? gst_cl_memory_new_view (surface) : wrap_system_memory (surface);
  GstBuffer *buffer;

  if (!memory)
    return NULL;
  /* those who know nothing of GstVideoMeta take all bytes for samples */
  if (gst_cl_output_is_plain (&self->info, self->offset, self->stride))
    gst_memory_resize (memory, 0, self->info.size);
  buffer = gst_buffer_new ();
  gst_buffer_append_memory (buffer, memory);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_INFO_FORMAT (&self->info),
      GST_VIDEO_INFO_WIDTH (&self->info), GST_VIDEO_INFO_HEIGHT (&self->info), GST_VIDEO_INFO_N_PLANES (&self->info), self->offset,
      self->stride);

  return buffer;
}

static gboolean
convert_with_kernels (GstClRawOutput *self, GstMemory *surface, GstMemory *raw, GError **error)
{
  GstClMemory *from = gst_cl_memory_of (surface, self->context), *to = gst_cl_memory_of (raw, self->context);
  GstClWaitList *wait = gst_cl_wait_list_new ();
  cl_event event = NULL;
  guint n_launches = 0;
  cl_int status = from && to ? CL_SUCCESS : CL_INVALID_MEM_OBJECT;

  if (status == CL_SUCCESS)
    status = gst_cl_memory_begin_ranges (from, self->queue, GST_CL_READ, NULL, 0, wait, self->stats);
  if (status == CL_SUCCESS)
    status = gst_cl_memory_begin_ranges (to, self->queue, GST_CL_WRITE, NULL, 0, wait, self->stats);
  if (status == CL_SUCCESS)
    status = GST_CL_CALL (gpu_output_enqueue (&self->kernels, self->queue, &self->output, from->handle, to->handle, GST_CL_WAIT_LIST (wait),
        &event, &n_launches));
  gst_cl_wait_list_free (wait);
  if (status != CL_SUCCESS)
    return set_failed (error, "The output kernels do not run", status);
  gst_cl_memory_end (GST_MEMORY_CAST (from), self->queue, GST_CL_READ, event);
  gst_cl_memory_end (GST_MEMORY_CAST (to), self->queue, GST_CL_WRITE, event);
  GST_CL_CALL (clReleaseEvent (event));
  gst_cl_stats_add (self->stats, GST_CL_LAUNCHES, n_launches);
  status = GST_CL_CALL (clFlush (self->queue));

  return status == CL_SUCCESS || set_failed (error, "The output kernels are not submitted", status);
}

static gboolean
convert_in_c (GstClRawOutput *self, GstMemory *surface, GstMemory *raw, GError **error)
{
  GstMapInfo from, to;
  gboolean mapped = FALSE;

  if (gst_memory_map (surface, &from, GST_MAP_READ)) {
    mapped = gst_memory_map (raw, &to, GST_MAP_WRITE);
    if (mapped) {
      gpu_reference_output (&self->output, from.data, to.data);
      gst_memory_unmap (raw, &to);
    }
    gst_memory_unmap (surface, &from);
  }

  return mapped || set_failed (error, "A surface or a raw buffer does not map", CL_MAP_FAILURE);
}

GstBuffer *
gst_cl_raw_output_make (GstClRawOutput *self, GstBuffer *surface, GError **error)
{
  GstBuffer *buffer = NULL;
  GstMemory *from, *to;
  gboolean ok;

  if (self->share) {
    buffer = share_surface (self, surface);
    if (!buffer)
      set_failed (error, "A surface does not map", CL_MAP_FAILURE);
    return buffer;
  }
  if (gst_buffer_pool_acquire_buffer (self->pool, &buffer, NULL) != GST_FLOW_OK) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT, "No memory for raw video of %" G_GSIZE_FORMAT " bytes",
        self->info.size);
    return NULL;
  }
  from = gst_buffer_peek_memory (surface, 0);
  to = gst_buffer_peek_memory (buffer, 0);
  ok = self->queue ? convert_with_kernels (self, from, to, error) : convert_in_c (self, from, to, error);
  if (!ok)
    gst_clear_buffer (&buffer);

  return buffer;
}
