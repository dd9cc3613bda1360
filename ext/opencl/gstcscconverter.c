/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "csc.h"
#include "gstclmemory-private.h"
#include "gstclpool.h"
#include "gstclprogram.h"
#include "gstcscconverter.h"
#include "gstthreadtime.h"

#define OPTIONS_SIZE 512
#define N_FIELDS 2

/* The planes of a buffer on the device */
typedef struct
{
  GpuCscFormat format; /* with the buffer's offsets and strides */
  GstClMemory *memories[GPU_CSC_PLANES];
  cl_mem handles[GPU_CSC_PLANES];
} DevicePlanes;

static gboolean
set_failed (GError **error, const gchar *what, cl_int status)
{
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED, "%s: %s", what, gst_cl_status_name (status));

  return FALSE;
}

static gboolean
init_kernels (GstCscConverter *self, GError **error)
{
  const GpuKernelDevice *device = &self->context->device;
  gboolean common = gpu_csc_is_common (&self->in, &self->out);
  gchar options[OPTIONS_SIZE];
  cl_program program;
  cl_int status;

  gpu_csc_options (device, common ? &self->in : NULL, common ? &self->out : NULL, options, sizeof (options));
  program = gst_cl_program_get (self->context, "csc", gpu_csc_source, options, error);
  if (!program)
    return FALSE;
  status = GST_CL_CALL (gpu_csc_kernels_init (&self->kernels, device, program));
  GST_CL_CALL (clReleaseProgram (program));
  if (status != CL_SUCCESS)
    return set_failed (error, "The kernel of the colour conversion cannot be made", status);

  return TRUE;
}

static gboolean
init_formats (GstCscConverter *self, GstCaps *in_caps, GstCaps *out_caps, GError **error)
{
  if (gst_csc_info_from_caps (&self->in_info, in_caps) && gst_csc_info_from_caps (&self->out_info, out_caps)
      && gst_csc_format_init (&self->in, &self->in_info) && gst_csc_format_init (&self->out, &self->out_info)
      && gpu_csc_supported (&self->in, &self->out))
    return TRUE;
  g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_NEGOTIATION, "There is no conversion between these formats");

  return FALSE;
}

gboolean
gst_csc_converter_init (GstCscConverter *self, GstClContext *context, cl_command_queue queue, GstClStats *stats, GstClTiming *timing,
    GstCaps *in_caps, GstCaps *out_caps, GError **error)
{
  memset (self, 0, sizeof (*self));
  if (!init_formats (self, in_caps, out_caps, error))
    return FALSE;
  self->context = context ? gst_object_ref (context) : NULL;
  self->queue = queue;
  self->stats = gst_cl_stats_ref (stats);
  self->timing = timing;
  self->in_caps = gst_caps_ref (in_caps);
  if (!queue || init_kernels (self, error))
    return TRUE;
  gst_csc_converter_clear (self);

  return FALSE;
}

void
gst_csc_converter_clear (GstCscConverter *self)
{
  if (self->uploads) {
    gst_buffer_pool_set_active (self->uploads, FALSE);
    gst_object_unref (self->uploads);
  }
  gpu_csc_kernels_clear (&self->kernels);
  gst_clear_caps (&self->in_caps);
  gst_clear_object (&self->context);
  if (self->stats)
    gst_cl_stats_unref (self->stats);
  memset (self, 0, sizeof (*self));
}

/* Whether a frame is two fields, each with chroma of its own */
static gboolean
is_two_fields (GstCscConverter *self, GstBuffer *in)
{
  if (GST_VIDEO_INFO_INTERLACE_MODE (&self->in_info) == GST_VIDEO_INTERLACE_MODE_PROGRESSIVE)
    return FALSE;
  if (GST_VIDEO_INFO_INTERLACE_MODE (&self->in_info) == GST_VIDEO_INTERLACE_MODE_MIXED
      && !GST_BUFFER_FLAG_IS_SET (in, GST_VIDEO_BUFFER_FLAG_INTERLACED))
    return FALSE;

  return gst_csc_format_has_field_chroma (&self->in) || gst_csc_format_has_field_chroma (&self->out);
}

/* Plane @i: in which memory it lies, and where.  FALSE where it is not (whole) in one memory of the device. */
static gboolean
find_plane (GstCscConverter *self, GstBuffer *buffer, DevicePlanes *planes, guint i, gsize offset, gint stride)
{
  GpuCscFormat *format = &planes->format;
  guint rows = gst_csc_format_plane_rows (format, i), row_bytes = gst_csc_format_row_bytes (format, i), index, length;
  gsize skip, end;

  if (stride < 0 || (guint) stride < row_bytes || !gst_buffer_find_memory (buffer, offset, 1, &index, &length, &skip))
    return FALSE;
  planes->memories[i] = gst_cl_memory_of (gst_buffer_peek_memory (buffer, index), self->context);
  if (!planes->memories[i])
    return FALSE;
  end = skip + (gsize) (rows - 1) * stride + row_bytes;
  skip += planes->memories[i]->mem.offset;
  if (end > planes->memories[i]->mem.size || skip + (gsize) rows * stride > G_MAXUINT32)
    return FALSE;
  planes->handles[i] = planes->memories[i]->handle;
  format->offset[i] = skip;
  format->stride[i] = stride;

  return TRUE;
}

static gboolean
find_planes (GstCscConverter *self, GstBuffer *buffer, const GstVideoInfo *info, const GpuCscFormat *format, DevicePlanes *planes)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);

  memset (planes, 0, sizeof (*planes));
  planes->format = *format;
  if (meta && (meta->n_planes < format->n_planes || meta->width < format->width || meta->height < format->height))
    return FALSE;
  for (guint i = 0; i < format->n_planes; i++)
    if (!find_plane (self, buffer, planes, i, meta ? meta->offset[i] : info->offset[i], meta ? meta->stride[i] : info->stride[i]))
      return FALSE;

  return gpu_csc_supported (&planes->format, &planes->format);
}

/* (transfer full): a copy of @in on the device */
static GstBuffer *
upload (GstCscConverter *self, GstBuffer *in, GError **error)
{
  GstBuffer *copy = NULL;
  GstVideoFrame from, to;
  gboolean ok = FALSE;

  if (!self->uploads) {
    self->uploads = gst_cl_video_pool_new (self->context, self->in_caps, self->stats);
    if (!self->uploads || !gst_buffer_pool_set_active (self->uploads, TRUE)) {
      g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT, "No pool for pictures of %" G_GSIZE_FORMAT " bytes",
          self->in_info.size);
      return NULL;
    }
  }
  if (gst_buffer_pool_acquire_buffer (self->uploads, &copy, NULL) != GST_FLOW_OK) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT, "No memory for a picture of %" G_GSIZE_FORMAT " bytes",
        self->in_info.size);
    return NULL;
  }
  if (gst_video_frame_map (&from, &self->in_info, in, GST_MAP_READ)) {
    if (gst_video_frame_map (&to, &self->in_info, copy, GST_MAP_WRITE)) {
      ok = gst_video_frame_copy (&to, &from);
      gst_video_frame_unmap (&to);
    }
    gst_video_frame_unmap (&from);
  }
  if (!ok) {
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "An input buffer does not hold a picture of its format");
    gst_clear_buffer (&copy);
  }

  return copy;
}

/* Memories of @planes, each once */
static guint
list_memories (const DevicePlanes *planes, GstClMemory *memories[GPU_CSC_PLANES])
{
  guint n = 0;

  for (guint i = 0; i < planes->format.n_planes; i++) {
    guint j = 0;

    while (j < n && memories[j] != planes->memories[i])
      j++;
    if (j == n)
      memories[n++] = planes->memories[i];
  }

  return n;
}

static cl_int
enqueue (GstCscConverter *self, const DevicePlanes *in, const DevicePlanes *out, gboolean two_fields, GstClWaitList *wait, cl_event *event)
{
  guint n_fields = two_fields ? N_FIELDS : 1, n_launches = 0;
  cl_int status = CL_SUCCESS;

  for (guint i = 0; i < n_fields && status == CL_SUCCESS; i++) {
    GpuCscFormat in_format = in->format, out_format = out->format;
    cl_uint n_wait = i == 0 ? gst_cl_wait_list_get_length (wait) : 0;

    if (two_fields) {
      gst_csc_format_select_field (&in_format, i);
      gst_csc_format_select_field (&out_format, i);
    }
    status = GST_CL_CALL (gpu_csc_enqueue (&self->kernels, self->queue, &in_format, in->handles, &out_format, out->handles, n_wait,
        n_wait ? gst_cl_wait_list_get_events (wait) : NULL, i + 1 == n_fields ? event : NULL, &n_launches));
  }
  gst_cl_stats_add (self->stats, GST_CL_LAUNCHES, n_launches);

  return status;
}

static cl_int
begin_all (GstCscConverter *self, GstClMemory **memories, guint n, GstClAccess access, GstClWaitList *wait)
{
  cl_int status = CL_SUCCESS;

  for (guint i = 0; i < n && status == CL_SUCCESS; i++)
    status = gst_cl_memory_begin_ranges (memories[i], self->queue, access, NULL, 0, wait, self->stats);

  return status;
}

static gboolean
run_kernels (GstCscConverter *self, const DevicePlanes *in, const DevicePlanes *out, gboolean two_fields, GError **error)
{
  GstClMemory *read[GPU_CSC_PLANES], *written[GPU_CSC_PLANES];
  guint n_read = list_memories (in, read), n_written = list_memories (out, written);
  GstClWaitList *wait = gst_cl_wait_list_new ();
  cl_event begin = NULL, event = NULL;
  cl_int status = begin_all (self, read, n_read, GST_CL_READ, wait);

  if (status == CL_SUCCESS)
    status = begin_all (self, written, n_written, GST_CL_WRITE, wait);
  if (status == CL_SUCCESS)
    begin = gst_cl_timing_begin (self->timing, self->queue, GST_CL_WAIT_LIST (wait));
  if (status == CL_SUCCESS)
    status = enqueue (self, in, out, two_fields, wait, &event);
  gst_cl_timing_end (self->timing, begin, event);
  gst_cl_wait_list_free (wait);
  if (status != CL_SUCCESS)
    return set_failed (error, "The kernel of the colour conversion does not run", status);
  for (guint i = 0; i < n_read; i++)
    gst_cl_memory_end (GST_MEMORY_CAST (read[i]), self->queue, GST_CL_READ, event);
  for (guint i = 0; i < n_written; i++)
    gst_cl_memory_end (GST_MEMORY_CAST (written[i]), self->queue, GST_CL_WRITE, event);
  GST_CL_CALL (clReleaseEvent (event));
  status = GST_CL_CALL (clFlush (self->queue));

  return status == CL_SUCCESS || set_failed (error, "The kernel of the colour conversion is not submitted", status);
}

static gboolean
run_on_device (GstCscConverter *self, GstBuffer *in, GstBuffer *out, GError **error)
{
  gboolean two_fields = is_two_fields (self, in), ok;
  DevicePlanes in_planes, out_planes;
  GstBuffer *copy = NULL;

  if (!find_planes (self, out, &self->out_info, &self->out, &out_planes)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED, "An output buffer is not of this device");
    return FALSE;
  }
  if (!find_planes (self, in, &self->in_info, &self->in, &in_planes)) {
    copy = upload (self, in, error);
    if (!copy)
      return FALSE;
    if (!find_planes (self, copy, &self->in_info, &self->in, &in_planes)) {
      g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED, "A copy of an input buffer is not of this device");
      gst_buffer_unref (copy);
      return FALSE;
    }
  }
  ok = run_kernels (self, &in_planes, &out_planes, two_fields, error);
  /* Its memory knows the kernel that reads it: the pool's next user waits. */
  gst_clear_buffer (&copy);

  return ok;
}

/* The format with the strides of a mapped frame, and pointers to its planes */
static void
describe_frame (const GpuCscFormat *format, const GstVideoFrame *frame, GpuCscFormat *described, guint8 *planes[GPU_CSC_PLANES])
{
  *described = *format;
  for (guint i = 0; i < format->n_planes; i++) {
    planes[i] = GST_VIDEO_FRAME_PLANE_DATA (frame, i);
    described->offset[i] = 0;
    described->stride[i] = GST_VIDEO_FRAME_PLANE_STRIDE (frame, i);
  }
}

static void
convert_frames (GstCscConverter *self, const GstVideoFrame *in, const GstVideoFrame *out, gboolean two_fields)
{
  guint8 *in_planes[GPU_CSC_PLANES] = { NULL, }, *out_planes[GPU_CSC_PLANES] = { NULL, };

  for (guint i = 0; i < (two_fields ? N_FIELDS : 1); i++) {
    GpuCscFormat in_format, out_format;

    describe_frame (&self->in, in, &in_format, in_planes);
    describe_frame (&self->out, out, &out_format, out_planes);
    if (two_fields) {
      gst_csc_format_select_field (&in_format, i);
      gst_csc_format_select_field (&out_format, i);
    }
    gpu_reference_csc (&in_format, (const uint8_t *const *) in_planes, &out_format, out_planes);
  }
}

static gboolean
run_in_c (GstCscConverter *self, GstBuffer *in, GstBuffer *out, GError **error)
{
  GstVideoFrame from, to;
  gboolean ok = FALSE;

  if (gst_video_frame_map (&from, &self->in_info, in, GST_MAP_READ)) {
    if (gst_video_frame_map (&to, &self->out_info, out, GST_MAP_WRITE)) {
      const guint64 begin = self->timing->enabled ? gst_thread_time () : 0;

      convert_frames (self, &from, &to, is_two_fields (self, in));
      if (self->timing->enabled)
        gst_cl_stats_add (self->stats, GST_CL_TIME, gst_thread_time () - begin);
      gst_video_frame_unmap (&to);
      ok = TRUE;
    }
    gst_video_frame_unmap (&from);
  }
  if (!ok)
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "A buffer does not hold a picture of its format");

  return ok;
}

gboolean
gst_csc_converter_run (GstCscConverter *self, GstBuffer *in, GstBuffer *out, GError **error)
{
  return self->queue ? run_on_device (self, in, out, error) : run_in_c (self, in, out, error);
}
