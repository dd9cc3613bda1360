/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The base class of the OpenCL stages, with a stage that paints each macroblock in the number that its record and its first block say:
 * where memories come from, what moves, what waits, and pictures that contradict themselves.
 */
#include <stddef.h>
#include <string.h>

#include <gst/check/gstharness.h>
#include <gst/gpuopencl/gstcldiscovery.h>
#include "cltest.h"
#include "gstclstage.h"

#define WIDTH_IN_MBS 5
#define HEIGHT_IN_MBS 3
#define N_MBS (WIDTH_IN_MBS * HEIGHT_IN_MBS)
#define COEFFS_SIZE 65536
/* Where things lie in the arenas of the pictures here */
#define SEGMENTS_AT 64
#define SLICES_AT 128
#define MBS_AT 1024
#define POSITIONS_AT 256
#define BLOCKS_AT 1024

static const gchar paint_source[] = "__kernel void paint (__global const uchar *header, uint mbs, uint mb_size, __global const short "
                                    "*coeffs, uint blocks, __global uchar *surface, uint offset,\n"
                                    "  uint stride, uint width_in_mbs) {\n"
                                    "  uint mb = get_global_id (0);\n"
                                    "  uchar value = header[mbs + mb * mb_size] + coeffs[blocks + mb * 16];\n"
                                    "  for (uint y = 0; y < 16; y++)\n"
                                    "    for (uint x = 0; x < 16; x++)\n"
                                    "      surface[offset + (mb / width_in_mbs * 16 + y) * stride + mb % width_in_mbs * 16 + x] = value;\n"
                                    "}\n";

typedef struct
{
  GstClStage parent;
  cl_kernel kernel;
  guint n_calls;
} Paint;
typedef GstClStageClass PaintClass;
GType paint_get_type (void);
G_DEFINE_TYPE (Paint, paint, GST_TYPE_CL_STAGE);

static int
paint_options (const GpuKernelDevice *device, const GstGpuPicture *params, char *buf, size_t size)
{
  return g_snprintf (buf, size, "-DPAINT");
}

static cl_int
paint_kernels_init (GstClStage *stage, cl_program program, const GstGpuPicture *params)
{
  cl_int status;

  ((Paint *) stage)->kernel = clCreateKernel (program, "paint", &status);

  return status;
}

static void
paint_kernels_clear (GstClStage *stage)
{
  clReleaseKernel (((Paint *) stage)->kernel);
}

static cl_int
paint_enqueue (GstClStage *stage, const GstClJob *job, cl_uint n_wait, const cl_event *wait, cl_event *event, guint *n_launches)
{
  Paint *self = (Paint *) stage;
  const GpuKernelPicture *picture = job->planes;
  size_t global = N_MBS;
  cl_uint mbs = picture->layout.mbs + offsetof (GstGpuMb, qp_scaled), mb_size = sizeof (GstGpuMb), blocks = BLOCKS_AT / 2;

  self->n_calls++;
  *n_launches = 1;
  clSetKernelArg (self->kernel, 0, sizeof (cl_mem), &picture->header);
  clSetKernelArg (self->kernel, 1, sizeof (cl_uint), &mbs);
  clSetKernelArg (self->kernel, 2, sizeof (cl_uint), &mb_size);
  clSetKernelArg (self->kernel, 3, sizeof (cl_mem), &picture->coeffs);
  clSetKernelArg (self->kernel, 4, sizeof (cl_uint), &blocks);
  clSetKernelArg (self->kernel, 5, sizeof (cl_mem), &picture->surface);
  clSetKernelArg (self->kernel, 6, sizeof (cl_uint), &picture->params.plane_offset[0]);
  clSetKernelArg (self->kernel, 7, sizeof (cl_uint), &picture->params.plane_stride[0]);
  clSetKernelArg (self->kernel, 8, sizeof (cl_uint), &picture->params.width_in_mbs);

  return clEnqueueNDRangeKernel (gst_cl_stage_get_device (stage)->queue, self->kernel, 1, NULL, &global, NULL, n_wait, wait, event);
}

static void
paint_reference (GstClStage *stage, const GstClJob *job)
{
  const GpuReferencePicture *picture = job->references;
  const gint16 *blocks = (const gint16 *) ((const guint8 *) picture->coeffs + BLOCKS_AT);

  ((Paint *) stage)->n_calls++;
  for (guint mb = 0; mb < N_MBS; mb++)
    for (guint y = 0; y < 16; y++)
      memset ((guint8 *) picture->samples + job->params->plane_offset[0] + (mb / WIDTH_IN_MBS * 16 + y) * job->params->plane_stride[0]
              + mb % WIDTH_IN_MBS * 16,
          gpu_reference_mbs (picture)[mb].qp_scaled[0] + blocks[mb * 16], 16);
}

static void
paint_class_init (PaintClass *klass)
{
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), "Paint", "Test", "Paints macroblocks", "nobody");
  GST_GPU_STAGE_CLASS (klass)->stage = GST_CODED_STAGE_IDCT;
  klass->name = "paint";
  klass->source = paint_source;
  klass->coeffs_access = GST_CL_READ;
  klass->dc_access = GST_CL_WRITE;
  klass->surface_access = GST_CL_READWRITE;
  klass->options = paint_options;
  klass->kernels_init = paint_kernels_init;
  klass->kernels_clear = paint_kernels_clear;
  klass->enqueue = paint_enqueue;
  klass->reference = paint_reference;
}

static void
paint_init (Paint *self)
{
}

/* Pictures */

static GstCaps *
new_caps (gboolean separate_planes)
{
  GstCodedFormat format;

  gst_coded_format_init (&format);
  format.width = format.coded_width = WIDTH_IN_MBS * 16;
  format.height = format.coded_height = HEIGHT_IN_MBS * 16;
  format.chroma_format_idc = separate_planes ? 3 : 0;
  format.separate_colour_planes = separate_planes;
  format.n_surfaces = 2;

  return gst_coded_format_to_caps (&format);
}

static guint8
value_of (guint number, guint plane, guint mb)
{
  return (number * 3 + plane * 5 + mb) % 100;
}

static void
fill_arenas (GstBuffer *buffer, guint number, guint n_planes)
{
  GstMapInfo header, coeffs;

  fail_unless (gst_memory_map (gst_buffer_peek_memory (buffer, 0), &header, GST_MAP_WRITE));
  fail_unless (gst_memory_map (gst_buffer_peek_memory (buffer, 1), &coeffs, GST_MAP_WRITE));
  *(GstGpuSegment *) (header.data + SEGMENTS_AT) =
      (GstGpuSegment){ .coeffs = BLOCKS_AT / 32, .positions = POSITIONS_AT / 4, .count = N_MBS, .kind = GST_GPU_KIND_4x4 };
  for (guint i = 0; i < n_planes * N_MBS; i++)
    ((GstGpuMb *) (header.data + MBS_AT))[i].qp_scaled[0] = value_of (number, i / N_MBS, i % N_MBS);
  for (guint i = 0; i < N_MBS * 16; i++)
    ((gint16 *) (coeffs.data + BLOCKS_AT))[i] = 100;
  gst_memory_unmap (gst_buffer_peek_memory (buffer, 0), &header);
  gst_memory_unmap (gst_buffer_peek_memory (buffer, 1), &coeffs);
}

/* @pool: (nullable): arenas of system memory otherwise */
static GstBuffer *
new_picture (GstBufferPool *pool, guint number, guint n_planes)
{
  GstFrameStore *store = gst_frame_store_new (number);
  GstCodedPicture *picture = gst_coded_picture_new (store);
  GstCodedAction action = { TRUE, number };
  GstBuffer *buffer = NULL;
  GstCoeffMeta *meta;

  if (pool) {
    fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), GST_FLOW_OK);
  } else {
    buffer = gst_buffer_new ();
    gst_buffer_append_memory (buffer, gst_allocator_alloc (NULL, 8192, NULL));
    gst_buffer_append_memory (buffer, gst_allocator_alloc (NULL, COEFFS_SIZE, NULL));
  }
  fill_arenas (buffer, number, n_planes);
  picture->pending = GST_CODED_STAGE_IDCT;
  picture->n_colour_planes = n_planes;
  for (guint i = 0; i < n_planes; i++) {
    picture->params[i] = (GstGpuPicture){ .width_in_mbs = WIDTH_IN_MBS,
      .height_in_mbs = HEIGHT_IN_MBS,
      .bit_depth_luma = 8,
      .bit_depth_chroma = 8,
      .n_slices = 1 };
    picture->layout[i] = (GstGpuLayout){ .mbs = MBS_AT + i * N_MBS * sizeof (GstGpuMb), .slices = SLICES_AT, .segments = SEGMENTS_AT };
  }
  picture->n_slices = 1;
  g_array_append_val (picture->actions, action);
  gst_buffer_add_coded_picture_meta (buffer, picture);
  meta = gst_buffer_add_coeff_meta (buffer);
  meta->n_segments = 1;
  for (guint kind = 1; kind <= GST_GPU_N_KINDS; kind++)
    meta->first[kind] = 1;
  gst_coded_picture_unref (picture);
  gst_frame_store_unref (store);

  return buffer;
}

/* The fixture */

typedef struct
{
  GstElement *stage;
  GstHarness *h;
  GstBus *bus;
} Fixture;

static void
fixture_init_measuring (Fixture *f, const gchar *backend, gboolean separate_planes, gboolean measure_time)
{
  f->stage = gst_object_ref_sink (g_object_new (paint_get_type (), "measure-time", measure_time, NULL));
  gst_util_set_object_arg (G_OBJECT (f->stage), "backend", backend);
  f->bus = gst_bus_new ();
  gst_element_set_bus (f->stage, f->bus);
  f->h = gst_harness_new_with_element (f->stage, "sink", "src");
  gst_harness_set_sink_caps_str (f->h, separate_planes ? "video/x-raw, format=Y444" : "video/x-raw, format=GRAY8");
  gst_harness_set_src_caps (f->h, new_caps (separate_planes));
}

static void
fixture_init (Fixture *f, const gchar *backend, gboolean separate_planes)
{
  fixture_init_measuring (f, backend, separate_planes, FALSE);
}

static void
fixture_clear (Fixture *f)
{
  gst_harness_teardown (f->h);
  gst_element_set_bus (f->stage, NULL);
  gst_object_unref (f->bus);
  gst_object_unref (f->stage);
}

static guint64
get_counter (Fixture *f, const gchar *name)
{
  GstStructure *stats;
  guint64 value;

  g_object_get (f->stage, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, name, &value));
  gst_structure_free (stats);

  return value;
}

static void
check_output (Fixture *f, guint number, guint n_planes)
{
  GstBuffer *output = gst_harness_try_pull (f->h);
  const guint width = WIDTH_IN_MBS * 16, height = HEIGHT_IN_MBS * 16;
  GstMapInfo info;

  fail_unless (output != NULL);
  fail_unless (gst_buffer_map (output, &info, GST_MAP_READ));
  fail_unless_equals_int (info.size, n_planes * width * height);
  for (guint p = 0; p < n_planes; p++)
    for (guint i = 0; i < width * height; i++)
      fail_unless_equals_int (info.data[p * width * height + i],
          100 + value_of (number, p, i / width / 16 * WIDTH_IN_MBS + i % width / 16));
  gst_buffer_unmap (output, &info);
  gst_buffer_unref (output);
}

/* What the stage offers upstream, configured */
static GstBufferPool *
get_pool (Fixture *f)
{
  GstCaps *caps = new_caps (FALSE);
  GstQuery *query = gst_query_new_allocation (caps, TRUE);
  GstPad *pad = gst_element_get_static_pad (f->stage, "sink");
  GstStructure *config;
  GstBufferPool *pool;

  fail_unless (gst_pad_query (pad, query));
  fail_unless (gst_query_get_n_allocation_pools (query) > 0);
  gst_query_parse_nth_allocation_pool (query, 0, &pool, NULL, NULL, NULL);
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, COEFFS_SIZE, 0, 0);
  fail_unless (gst_buffer_pool_set_config (pool, config));
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  gst_object_unref (pad);
  gst_query_unref (query);
  gst_caps_unref (caps);

  return pool;
}

GST_START_TEST (test_pool_arenas)
{
  Fixture f;
  GstBufferPool *pool;

  fixture_init (&f, "opencl", FALSE);
  pool = get_pool (&f);
  for (guint i = 0; i < 20; i++)
    fail_unless_equals_int (gst_harness_push (f.h, new_picture (pool, i, 1)), GST_FLOW_OK);
  for (guint i = 0; i < 20; i++)
    check_output (&f, i, 1);
  /* one for the picture, one for the output */
  fail_unless_equals_uint64 (get_counter (&f, "launches"), 40);
  fail_unless_equals_uint64 (get_counter (&f, "waits"), 0);
  fail_unless_equals_uint64 (get_counter (&f, "bytes-down"), 0);
  fail_unless (get_counter (&f, "bytes-up") >= 20 * (N_MBS * (sizeof (GstGpuMb) + 32 + 4) + sizeof (GstGpuSlice) + sizeof (GstGpuSegment)));
  fail_unless (
      get_counter (&f, "bytes-up") <= 20 * (N_MBS * (sizeof (GstGpuMb) + 32 + 4) + sizeof (GstGpuSlice) + sizeof (GstGpuSegment) + 64));
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  fixture_clear (&f);
}

GST_END_TEST;

GST_START_TEST (test_system_arenas)
{
  Fixture f;

  fixture_init (&f, "opencl", FALSE);
  for (guint i = 0; i < 5; i++)
    fail_unless_equals_int (gst_harness_push (f.h, new_picture (NULL, i, 1)), GST_FLOW_OK);
  for (guint i = 0; i < 5; i++)
    check_output (&f, i, 1);
  fixture_clear (&f);
}

GST_END_TEST;

GST_START_TEST (test_backend_c)
{
  Fixture f;

  fixture_init (&f, "c", FALSE);
  fail_unless (!gst_cl_stage_get_device (GST_CL_STAGE (f.stage))->context);
  for (guint i = 0; i < 5; i++)
    fail_unless_equals_int (gst_harness_push (f.h, new_picture (NULL, i, 1)), GST_FLOW_OK);
  for (guint i = 0; i < 5; i++)
    check_output (&f, i, 1);
  fail_unless_equals_uint64 (get_counter (&f, "launches"), 0);
  fixture_clear (&f);
}

GST_END_TEST;

/* Time is counted where it is asked for, by both back ends, and all of it once the pictures are there. */
GST_START_TEST (test_measure_time)
{
  static const gchar *const backends[] = { "opencl", "c" };
  const gboolean measure_time = __i__ & 1;
  Fixture f;
  guint64 time, elapsed;

  fixture_init_measuring (&f, backends[__i__ >> 1], FALSE, measure_time);
  elapsed = g_get_monotonic_time ();
  for (guint i = 0; i < 5; i++) {
    fail_unless_equals_int (gst_harness_push (f.h, new_picture (NULL, i, 1)), GST_FLOW_OK);
    check_output (&f, i, 1);
  }
  elapsed = g_get_monotonic_time () - elapsed;
  time = get_counter (&f, "time");
  if (measure_time)
    fail_unless (time > 0 && time <= elapsed * 1000, "%" G_GUINT64_FORMAT " ns", time);
  else
    fail_unless_equals_uint64 (time, 0);
  fail_unless_equals_uint64 (get_counter (&f, "time"), time);
  fixture_clear (&f);
}

GST_END_TEST;

/* A C stage beside a neighbour with a device works on that device's memory. */
GST_START_TEST (test_backend_c_on_a_device)
{
  Fixture f;
  GstClContext *context = cl_test_context ();
  GstContext *gst_context = gst_context_new (GST_CL_CONTEXT_TYPE, TRUE);
  GstBufferPool *pool;

  gst_structure_set (gst_context_writable_structure (gst_context), "context", GST_TYPE_CL_CONTEXT, context, NULL);
  fixture_init (&f, "c", FALSE);
  gst_element_set_context (f.stage, gst_context);
  fail_unless (gst_cl_stage_get_device (GST_CL_STAGE (f.stage))->context == context);
  pool = get_pool (&f);
  fail_unless (GST_IS_CL_ARENA_POOL (pool));
  for (guint i = 0; i < 5; i++) {
    fail_unless_equals_int (gst_harness_push (f.h, new_picture (pool, i, 1)), GST_FLOW_OK);
    check_output (&f, i, 1);
  }
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  fixture_clear (&f);
  gst_context_unref (gst_context);
  gst_object_unref (context);
}

GST_END_TEST;

static void
check_colour_planes (const gchar *backend)
{
  Fixture f;

  fixture_init (&f, backend, TRUE);
  for (guint i = 0; i < 3; i++) {
    fail_unless_equals_int (gst_harness_push (f.h, new_picture (NULL, i, 3)), GST_FLOW_OK);
    check_output (&f, i, 3);
  }
  fail_unless_equals_int (((Paint *) f.stage)->n_calls, 9);
  fixture_clear (&f);
}

GST_START_TEST (test_colour_planes)
{
  check_colour_planes ("opencl");
  check_colour_planes ("c");
}

GST_END_TEST;

/* Pictures that contradict themselves */

static GstGpuSegment *
map_segment (GstBuffer *buffer, GstMapInfo *info)
{
  fail_unless (gst_memory_map (gst_buffer_peek_memory (buffer, 0), info, GST_MAP_WRITE));

  return (GstGpuSegment *) (info->data + SEGMENTS_AT);
}

static void
damage (GstBuffer *buffer, guint how)
{
  GstCodedPicture *picture = gst_buffer_get_coded_picture (buffer);
  GstMapInfo info;
  GstGpuSegment *segment = map_segment (buffer, &info);

  switch (how) {
    case 0:
      picture->layout[0].mbs = G_MAXUINT64 - 8;
      break;
    case 1:
      picture->layout[0].slices = G_MAXUINT64 - 64;
      break;
    case 2:
      gst_buffer_get_coeff_meta (buffer)->n_segments = G_MAXUINT;
      break;
    case 3:
      segment->kind = GST_GPU_N_KINDS;
      break;
    case 4:
      segment->coeffs = COEFFS_SIZE / 32 - N_MBS + 1;
      break;
    case 5:
      segment->count = G_MAXUINT32;
      break;
    case 6:
      segment->positions = COEFFS_SIZE / 4;
      break;
    case 7:
      segment->colour_plane = 1;
      break;
    case 8:
      picture->params[0].width_in_mbs++;
      break;
    case 9:
      picture->params[0].chroma_array_type = 1;
      break;
    case 10:
      picture->n_colour_planes = 4;
      break;
    case 11:
      picture->params[0].chroma_array_type = 1000;
      break;
  }
  gst_memory_unmap (gst_buffer_peek_memory (buffer, 0), &info);
}

#define N_DAMAGES 12

/* First in memory of the device, then in system memory, which backend=c reads */
GST_START_TEST (test_contradictions)
{
  const gboolean is_c = __i__ >= N_DAMAGES;
  Fixture f;
  GstBufferPool *pool;
  GstBuffer *buffer;
  GstMessage *message;

  fixture_init (&f, is_c ? "c" : "opencl", FALSE);
  pool = is_c ? NULL : get_pool (&f);
  buffer = new_picture (pool, 0, 1);
  damage (buffer, __i__ % N_DAMAGES);
  fail_unless_equals_int (gst_harness_push (f.h, buffer), GST_FLOW_ERROR);
  message = gst_bus_pop_filtered (f.bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_unref (message);
  if (pool)
    gst_buffer_pool_set_active (pool, FALSE);
  gst_clear_object (&pool);
  fixture_clear (&f);
}

GST_END_TEST;

static Suite *
clstage_suite (void)
{
  Suite *suite = suite_create ("clstage");
  TCase *tests = tcase_create ("general");

  suite_add_tcase (suite, tests);
  tcase_add_test (tests, test_pool_arenas);
  tcase_add_test (tests, test_system_arenas);
  tcase_add_test (tests, test_backend_c);
  tcase_add_test (tests, test_backend_c_on_a_device);
  tcase_add_loop_test (tests, test_measure_time, 0, 4);
  tcase_add_test (tests, test_colour_planes);
  tcase_add_loop_test (tests, test_contradictions, 0, 2 * N_DAMAGES);

  return suite;
}

CL_TEST_MAIN (clstage_suite);
