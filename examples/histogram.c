/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * An application with a kernel of its own: counts how often each value of luma (of the first component, in RGB) occurs in a video.
 * Pictures stay on the device where they were decoded, are not copied, and nobody waits for them; what comes back at the end is 256
 * numbers.
 *
 *     histogram ELEMENT ... ! ELEMENT
 *
 * The pipeline is written as for gst-launch-1.0, without a sink; its last element has to have video/x-raw(memory:OpenCL).  Samples of more
 * than 8 bits are counted by their upper 8.
 */
#include <gst/app/app.h>
#include <gst/gpuopencl/gpuopencl.h>
#include <gst/video/video.h>

#define N_BINS 256

/* Work-items of a work-group, which counts one row in local memory before it adds its counts to those of all */
#define GROUP_SIZE 64

static const gchar *const kernel_source =
    "kernel void\n"
    "histogram (global const uchar *samples, ulong offset, uint width, uint stride, uint step, uint sample_size, uint shift,\n"
    "           global uint *bins)\n"
    "{\n"
    "  local uint counts[256];\n"
    "  global const uchar *row = samples + offset + get_global_id (1) * (ulong) stride;\n"
    "  uint item = get_local_id (0), n_items = get_local_size (0);\n"
    "\n"
    "  for (uint i = item; i < 256; i += n_items)\n"
    "    counts[i] = 0;\n"
    "  barrier (CLK_LOCAL_MEM_FENCE);\n"
    "  for (uint x = item; x < width; x += n_items) {\n"
    "    global const uchar *sample = row + x * step;\n"
    "    uint value = sample_size == 2 ? sample[0] | sample[1] << 8 : sample[0];\n"
    "\n"
    "    atomic_inc (&counts[value >> shift & 255]);\n"
    "  }\n"
    "  barrier (CLK_LOCAL_MEM_FENCE);\n"
    "  for (uint i = item; i < 256; i += n_items)\n"
    "    if (counts[i])\n"
    "      atomic_add (&bins[i], counts[i]);\n"
    "}\n";

/* What is counted, and where */
typedef struct
{
  GstClContext *context;
  cl_command_queue queue;
  cl_program program;
  cl_kernel kernel;
  cl_mem bins;            /* 32-bit counts of the last pictures */
  guint64 n_samples;      /* that are counted in them: less than 2^32 */
  guint64 totals[N_BINS]; /* counts of the pictures before */
  guint n_pictures;
} Histogram;

/* Where the samples of a picture lie */
typedef struct
{
  cl_ulong offset; /* of the first, in the cl_mem */
  cl_uint width, height;
  cl_uint stride, step; /* bytes from row to row, from sample to sample */
  cl_uint sample_size;  /* bytes: 1 or 2 */
  cl_uint shift;        /* to the right, leaves the upper 8 bits */
} Samples;

static void
check (cl_int status, const gchar *what)
{
  if (status == CL_SUCCESS)
    return;
  g_printerr ("histogram: %s: %s\n", what, gst_cl_status_name (status));
  exit (1);
}

static void
clear_bins (Histogram *self)
{
  const cl_uint zero = 0;

  check (clEnqueueFillBuffer (self->queue, self->bins, &zero, sizeof (zero), 0, N_BINS * sizeof (cl_uint), 0, NULL, NULL), "clear");
  self->n_samples = 0;
}

static void
histogram_init (Histogram *self, GstClContext *context)
{
  cl_context handle = gst_cl_context_get_handle (context);
  GError *error = NULL;
  cl_int status;

  self->context = gst_object_ref (context);
  self->queue = gst_cl_context_create_queue (context, &error);
  if (!self->queue) {
    g_printerr ("histogram: %s\n", error->message);
    exit (1);
  }
  self->program = clCreateProgramWithSource (handle, 1, (const char **) &kernel_source, NULL, &status);
  check (status, "program");
  check (clBuildProgram (self->program, 0, NULL, "", NULL, NULL), "build");
  self->kernel = clCreateKernel (self->program, "histogram", &status);
  check (status, "kernel");
  self->bins = clCreateBuffer (handle, CL_MEM_READ_WRITE, N_BINS * sizeof (cl_uint), NULL, &status);
  check (status, "buffer");
  clear_bins (self);
}

static void
histogram_clear (Histogram *self)
{
  if (!self->context)
    return;
  clReleaseMemObject (self->bins);
  clReleaseKernel (self->kernel);
  clReleaseProgram (self->program);
  clReleaseCommandQueue (self->queue);
  gst_object_unref (self->context);
}

/* The one place where the CPU waits for the device */
static void
collect (Histogram *self)
{
  cl_uint counts[N_BINS];

  check (clEnqueueReadBuffer (self->queue, self->bins, CL_TRUE, 0, sizeof (counts), counts, 0, NULL, NULL), "read");
  for (guint i = 0; i < N_BINS; i++)
    self->totals[i] += counts[i];
  clear_bins (self);
}

/* FALSE where @sample has no format that the kernel can read */
static gboolean
find_samples (GstSample *sample, Samples *samples)
{
  GstBuffer *buffer = gst_sample_get_buffer (sample);
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  GstVideoInfo info;
  gsize memory_offset, plane_offset;
  guint plane, depth;

  if (!gst_video_info_from_caps (&info, gst_sample_get_caps (sample)) || GST_VIDEO_FORMAT_INFO_IS_COMPLEX (info.finfo))
    return FALSE;
  depth = GST_VIDEO_INFO_COMP_DEPTH (&info, 0);
  if (depth < 8 || depth > 16 || (depth > 8 && !GST_VIDEO_FORMAT_INFO_IS_LE (info.finfo)))
    return FALSE;

  plane = GST_VIDEO_INFO_COMP_PLANE (&info, 0);
  /* the memory may begin in the middle of the cl_mem, and the picture in the middle of the memory */
  gst_memory_get_sizes (gst_buffer_peek_memory (buffer, 0), &memory_offset, NULL);
  plane_offset = meta ? meta->offset[plane] : GST_VIDEO_INFO_PLANE_OFFSET (&info, plane);
  samples->offset = memory_offset + plane_offset + GST_VIDEO_INFO_COMP_POFFSET (&info, 0);
  samples->stride = meta ? meta->stride[plane] : GST_VIDEO_INFO_PLANE_STRIDE (&info, plane);
  samples->width = GST_VIDEO_INFO_COMP_WIDTH (&info, 0);
  samples->height = GST_VIDEO_INFO_COMP_HEIGHT (&info, 0);
  samples->step = GST_VIDEO_INFO_COMP_PSTRIDE (&info, 0);
  samples->sample_size = depth > 8 ? 2 : 1;
  samples->shift = GST_VIDEO_FORMAT_INFO_SHIFT (info.finfo, 0) + depth - 8;

  return TRUE;
}

static void
set_arguments (Histogram *self, cl_mem handle, const Samples *samples)
{
  check (clSetKernelArg (self->kernel, 0, sizeof (handle), &handle), "argument");
  check (clSetKernelArg (self->kernel, 1, sizeof (samples->offset), &samples->offset), "argument");
  check (clSetKernelArg (self->kernel, 2, sizeof (samples->width), &samples->width), "argument");
  check (clSetKernelArg (self->kernel, 3, sizeof (samples->stride), &samples->stride), "argument");
  check (clSetKernelArg (self->kernel, 4, sizeof (samples->step), &samples->step), "argument");
  check (clSetKernelArg (self->kernel, 5, sizeof (samples->sample_size), &samples->sample_size), "argument");
  check (clSetKernelArg (self->kernel, 6, sizeof (samples->shift), &samples->shift), "argument");
  check (clSetKernelArg (self->kernel, 7, sizeof (self->bins), &self->bins), "argument");
}

/* Enqueues the kernel behind what still writes the picture; whoever writes the same memory next waits for the kernel.  So the sample can be
 * given up at once. */
static void
count (Histogram *self, GstMemory *memory, const Samples *samples)
{
  const size_t global[2] = { GROUP_SIZE, samples->height }, local[2] = { GROUP_SIZE, 1 };
  GstClWaitList *wait = gst_cl_wait_list_new ();
  cl_event event;

  check (gst_cl_memory_begin (memory, self->queue, GST_CL_READ, wait), "begin");
  set_arguments (self, gst_cl_memory_get_handle (memory), samples);
  check (clEnqueueNDRangeKernel (self->queue, self->kernel, 2, NULL, global, local, GST_CL_WAIT_LIST (wait), &event), "enqueue");
  gst_cl_wait_list_free (wait);
  gst_cl_memory_end (memory, self->queue, GST_CL_READ, event);
  clReleaseEvent (event);
  check (clFlush (self->queue), "flush");
}

static void
histogram_add (Histogram *self, GstSample *sample)
{
  GstMemory *memory = gst_buffer_peek_memory (gst_sample_get_buffer (sample), 0);
  Samples samples;
  guint64 n_samples;

  if (!gst_is_cl_memory (memory) || !find_samples (sample, &samples)) {
    g_printerr ("histogram: pictures of a kind that this example cannot read\n");
    exit (1);
  }
  if (!self->context)
    histogram_init (self, gst_cl_memory_get_context (memory));
  n_samples = (guint64) samples.width * samples.height;
  if (self->n_samples + n_samples > G_MAXUINT32)
    collect (self);
  count (self, memory, &samples);
  self->n_samples += n_samples;
  self->n_pictures++;
}

static GstElement *
make_pipeline (gchar **arguments, GstElement **sink)
{
  gchar *elements = g_strjoinv (" ", arguments);
  gchar *description =
      g_strdup_printf ("%s ! video/x-raw(" GST_CAPS_FEATURE_MEMORY_OPENCL ") ! appsink name=sink sync=false max-buffers=4", elements);
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch_full (description, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &error);

  if (!pipeline) {
    g_printerr ("histogram: %s\n", error->message);
    exit (1);
  }
  *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_free (description);
  g_free (elements);

  return pipeline;
}

/* TRUE, and a message, where the pipeline has failed */
static gboolean
has_failed (GstBus *bus)
{
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  GError *error = NULL;

  if (!message)
    return FALSE;
  gst_message_parse_error (message, &error, NULL);
  g_printerr ("histogram: %s\n", error->message);
  g_error_free (error);
  gst_message_unref (message);

  return TRUE;
}

/* Counts all pictures, up to the end or an error.  FALSE: an error. */
static gboolean
run (GstElement *pipeline, GstAppSink *sink, Histogram *histogram)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  gboolean failed = FALSE;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (!failed && !gst_app_sink_is_eos (sink)) {
    GstSample *sample = gst_app_sink_try_pull_sample (sink, GST_SECOND / 10);

    if (sample) {
      histogram_add (histogram, sample);
      gst_sample_unref (sample);
    } else {
      failed = has_failed (bus);
    }
  }
  failed = failed || has_failed (bus);
  gst_object_unref (bus);

  return !failed;
}

static void
print_histogram (Histogram *self)
{
  collect (self);
  g_print ("# %u pictures on %s\n# value, how often\n", self->n_pictures, gst_cl_context_get_name (self->context));
  for (guint i = 0; i < N_BINS; i++)
    g_print ("%u %" G_GUINT64_FORMAT "\n", i, self->totals[i]);
}

int
main (int argc, char *argv[])
{
  Histogram histogram = { 0 };
  GstElement *pipeline, *sink;
  gboolean ok;

  gst_init (&argc, &argv);
  if (argc < 2) {
    g_printerr ("Usage: histogram ELEMENT ... ! ELEMENT\n");
    return 1;
  }
  pipeline = make_pipeline (argv + 1, &sink);
  ok = run (pipeline, GST_APP_SINK (sink), &histogram);
  if (ok && histogram.context)
    print_histogram (&histogram);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  histogram_clear (&histogram);
  gst_object_unref (sink);
  gst_object_unref (pipeline);

  return ok ? 0 : 1;
}
