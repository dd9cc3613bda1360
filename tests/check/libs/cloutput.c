/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Raw video from surfaces: every chroma format and depth, in kernels and in C, shared and converted.
 */
#include "cltest.h"
#include "gstclrawoutput.h"
#include "gstclreuse.h"

#define WIDTH 42
#define HEIGHT 26
#define CROP_X 6
#define CROP_Y 10

typedef struct
{
  GstCodedFormat format;
  GstVideoFormat raw;
  guint shift[2];  /* luma, chroma */
  gboolean shares; /* with GstVideoMeta */
  gboolean plain;  /* without it too */
} Case;

static void
format_init (GstCodedFormat *format, guint chroma_format_idc, guint depth_luma, guint depth_chroma, gboolean rgb)
{
  gst_coded_format_init (format);
  format->coded_width = 64;
  format->coded_height = 48;
  format->width = WIDTH;
  format->height = HEIGHT;
  format->crop_x = CROP_X;
  format->crop_y = CROP_Y;
  format->chroma_format_idc = chroma_format_idc;
  format->bit_depth_luma = depth_luma;
  format->bit_depth_chroma = depth_chroma;
  if (rgb)
    format->colorimetry.matrix = GST_VIDEO_COLOR_MATRIX_RGB;
}

/* The sample of column @x, row @y of plane @plane of every surface here */
static guint
sample (const GstCodedFormat *format, guint plane, guint x, guint y)
{
  guint depth = plane ? format->bit_depth_chroma : format->bit_depth_luma;

  return (x * 7 + y * 131 + plane * 57 + (x * y) % 11) & ((1u << depth) - 1);
}

static void
fill_surface (GstBuffer *surface, const GstCodedFormat *format)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (surface);
  guint size = gst_coded_format_sample_size (format);
  GstMapInfo info;

  fail_unless (gst_buffer_map (surface, &info, GST_MAP_WRITE));
  for (guint p = 0; p < meta->n_planes; p++) {
    guint sub_width = p && (format->chroma_format_idc == 1 || format->chroma_format_idc == 2),
          sub_height = p && format->chroma_format_idc == 1;

    for (guint y = 0; y < meta->height >> sub_height; y++) {
      for (guint x = 0; x < meta->width >> sub_width; x++) {
        guint8 *at = info.data + meta->offset[p] + y * meta->stride[p] + x * size;

        if (size == 1)
          *at = sample (format, p, x, y);
        else
          GST_WRITE_UINT16_LE (at, sample (format, p, x, y));
      }
    }
  }
  gst_buffer_unmap (surface, &info);
}

/* What component @i of the raw picture is at column @x, row @y of its own grid */
static guint
expected (const Case *c, const GstVideoFormatInfo *finfo, guint i, guint x, guint y)
{
  static const guint rgb_planes[] = { 2, 0, 1 };
  const GstCodedFormat *f = &c->format;
  guint depth = GST_VIDEO_FORMAT_INFO_DEPTH (finfo, i);
  guint plane = GST_VIDEO_FORMAT_INFO_IS_RGB (finfo) && i < 3 ? rgb_planes[i] : i;
  guint sub_width = plane && (f->chroma_format_idc == 1 || f->chroma_format_idc == 2), sub_height = plane && f->chroma_format_idc == 1;

  if (i == 3)
    return (1u << depth) - 1;
  if (plane && f->chroma_format_idc == 0)
    return 1u << (depth - 1);
  /* from the grid of the raw format over full columns to that of the surface */
  x = ((x << GST_VIDEO_FORMAT_INFO_W_SUB (finfo, i)) + f->crop_x) >> sub_width;
  y = ((y << GST_VIDEO_FORMAT_INFO_H_SUB (finfo, i)) + f->crop_y) >> sub_height;

  return sample (f, plane, x, y) << c->shift[plane > 0];
}

static void
check_output (GstBuffer *output, const Case *c, const GstVideoInfo *info)
{
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, info, output, GST_MAP_READ));
  for (guint i = 0; i < GST_VIDEO_FRAME_N_COMPONENTS (&frame); i++) {
    for (guint y = 0; y < (guint) GST_VIDEO_FRAME_COMP_HEIGHT (&frame, i); y++) {
      for (guint x = 0; x < (guint) GST_VIDEO_FRAME_COMP_WIDTH (&frame, i); x++) {
        const guint8 *at = GST_VIDEO_FRAME_COMP_DATA (&frame, i) + y * GST_VIDEO_FRAME_COMP_STRIDE (&frame, i)
            + x * GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, i);
        guint wanted, value;

        /* GStreamer's table has byte 1 for the second of two 16-bit components. */
        if (c->raw == GST_VIDEO_FORMAT_P016_LE && i == 2)
          at++;
        value = GST_VIDEO_FRAME_COMP_DEPTH (&frame, i) > 8 ? GST_READ_UINT16_LE (at) : *at;
        wanted = expected (c, frame.info.finfo, i, x, y);

        fail_unless (value == wanted, "%s component %u column %u row %u: %u, not %u", GST_VIDEO_INFO_NAME (info), i, x, y, value, wanted);
      }
    }
  }
  gst_video_frame_unmap (&frame);
}

static void
remove_video_meta (GstBuffer *buffer)
{
  fail_unless (gst_buffer_remove_meta (buffer, GST_META_CAST (gst_buffer_get_video_meta (buffer))));
}

/* @kernels: with the device's queue, else in C.  @context: (nullable) */
static void
check_case (const Case *c, GstClContext *context, gboolean kernels, gboolean video_meta)
{
  GstClStats *stats = gst_cl_stats_new ();
  GstBufferPool *pool = gst_cl_surface_pool_new (context, &c->format, stats);
  cl_command_queue queue = kernels ? gst_cl_context_create_queue (context, NULL) : NULL;
  GstClRawOutput raw_output = { 0 };
  GError *error = NULL;
  GstBuffer *surface, *output, *again;
  GstMemory *memory;
  GstVideoInfo info;
  GstCaps *caps;

  gst_video_info_set_format (&info, c->raw, c->format.width, c->format.height);
  caps = gst_video_info_to_caps (&info);
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &surface, NULL), GST_FLOW_OK);
  fill_surface (surface, &c->format);
  fail_unless (gst_cl_raw_output_init (&raw_output, context, queue, stats, &c->format, caps, video_meta, &error), "%s",
      error ? error->message : "");
  fail_unless_equals_int (raw_output.share, c->shares && (video_meta || c->plain));
  output = gst_cl_raw_output_make (&raw_output, surface, &error);
  fail_unless (output != NULL, "%s", error ? error->message : "");
  fail_unless_equals_int (gst_cl_stats_get (stats, GST_CL_WAITS), 0);
  if (!raw_output.share)
    fail_unless_equals_int (gst_cl_stats_get (stats, GST_CL_LAUNCHES) > 0, kernels);
  if (!raw_output.share || c->plain)
    fail_unless_equals_uint64 (gst_buffer_get_size (output), info.size);
  /* the rest sees what downstream sees; a pool keeps its metas, which say nothing new */
  if (raw_output.share && !video_meta)
    remove_video_meta (output);
  check_output (output, c, &info);

  /* The surface stays as it is whatever happens to the output. */
  if (raw_output.share) {
    GstMapInfo map;

    fail_unless (gst_buffer_map (output, &map, GST_MAP_WRITE));
    memset (map.data, 0, map.size);
    gst_buffer_unmap (output, &map);
    gst_buffer_unref (output);
    output = gst_cl_raw_output_make (&raw_output, surface, &error);
    if (!video_meta)
      remove_video_meta (output);
    check_output (output, c, &info);
  }
  /* Downstream gives its picture back last, and the pool has the surface's memory again: it does not take more. */
  memory = gst_buffer_peek_memory (surface, 0);
  gst_buffer_unref (surface);
  gst_buffer_unref (output);
  fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &again, NULL), GST_FLOW_OK);
  fail_unless (gst_buffer_peek_memory (again, 0) == memory);
  gst_buffer_unref (again);
  gst_cl_raw_output_clear (&raw_output);
  if (queue)
    clReleaseCommandQueue (queue);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  gst_caps_unref (caps);
  gst_cl_stats_unref (stats);
}

static void
check_everywhere (const Case *c)
{
  GstClContext *context = cl_test_context ();

  gst_cl_reuse_hold (context);
  for (guint video_meta = 0; video_meta < 2; video_meta++) {
    check_case (c, context, TRUE, video_meta);
    check_case (c, context, FALSE, video_meta);
    check_case (c, NULL, FALSE, video_meta);
  }
  gst_cl_reuse_release (context);
  gst_object_unref (context);
}

static const struct
{
  guint chroma_format_idc, depth_luma, depth_chroma;
  gboolean rgb;
  guint n_format; /* which of gst_coded_format_get_raw_formats() */
  GstVideoFormat raw;
  guint shift[2];
  gboolean shares;
} cases[] = {
  { 0, 8, 8, FALSE, 0, GST_VIDEO_FORMAT_GRAY8, { 0, 0 }, TRUE },
  { 0, 8, 8, FALSE, 1, GST_VIDEO_FORMAT_I420, { 0, 0 }, FALSE },
  { 0, 12, 12, FALSE, 0, GST_VIDEO_FORMAT_GRAY16_LE, { 4, 4 }, FALSE },
  { 0, 14, 14, FALSE, 1, GST_VIDEO_FORMAT_P016_LE, { 2, 2 }, FALSE },
  { 1, 8, 8, FALSE, 0, GST_VIDEO_FORMAT_I420, { 0, 0 }, TRUE },
  { 1, 9, 9, FALSE, 0, GST_VIDEO_FORMAT_I420_10LE, { 1, 1 }, FALSE },
  { 1, 10, 10, FALSE, 0, GST_VIDEO_FORMAT_I420_10LE, { 0, 0 }, TRUE },
  { 1, 8, 10, FALSE, 0, GST_VIDEO_FORMAT_I420_10LE, { 2, 0 }, FALSE },
  { 1, 11, 8, FALSE, 0, GST_VIDEO_FORMAT_I420_12LE, { 1, 4 }, FALSE },
  { 1, 14, 13, FALSE, 0, GST_VIDEO_FORMAT_P016_LE, { 2, 3 }, FALSE },
  { 2, 8, 8, FALSE, 0, GST_VIDEO_FORMAT_Y42B, { 0, 0 }, TRUE },
  { 2, 10, 10, FALSE, 0, GST_VIDEO_FORMAT_I422_10LE, { 0, 0 }, TRUE },
  { 2, 14, 14, FALSE, 0, GST_VIDEO_FORMAT_Y444_16LE, { 2, 2 }, FALSE },
  { 3, 8, 8, FALSE, 0, GST_VIDEO_FORMAT_Y444, { 0, 0 }, TRUE },
  { 3, 12, 12, FALSE, 0, GST_VIDEO_FORMAT_Y444_12LE, { 0, 0 }, TRUE },
  { 3, 13, 14, FALSE, 0, GST_VIDEO_FORMAT_Y444_16LE, { 3, 2 }, FALSE },
  { 3, 8, 8, TRUE, 0, GST_VIDEO_FORMAT_GBR, { 0, 0 }, TRUE },
  { 3, 10, 10, TRUE, 0, GST_VIDEO_FORMAT_GBR_10LE, { 0, 0 }, TRUE },
  { 3, 14, 14, TRUE, 0, GST_VIDEO_FORMAT_ARGB64, { 2, 2 }, FALSE },
};

GST_START_TEST (test_case)
{
  GstVideoFormat formats[4];
  Case c;

  format_init (&c.format, cases[__i__].chroma_format_idc, cases[__i__].depth_luma, cases[__i__].depth_chroma, cases[__i__].rgb);
  c.raw = cases[__i__].raw;
  memcpy (c.shift, cases[__i__].shift, sizeof (c.shift));
  c.shares = cases[__i__].shares;
  c.plain = FALSE;
  gst_coded_format_get_raw_formats (&c.format, formats);
  fail_unless_equals_string (gst_video_format_to_string (formats[cases[__i__].n_format]), gst_video_format_to_string (c.raw));
  check_everywhere (&c);
}

GST_END_TEST;

/* Surfaces of which all rows and planes stand directly behind each other, and those that miss it by one thing.  Rows of surfaces are
 * multiples of 64 bytes. */
static const struct
{
  guint chroma_format_idc, depth;
  gboolean rgb;
  GstVideoFormat raw;
  gint coded_width, coded_height, width, height, crop_x, crop_y;
  gboolean plain;
} plain_cases[] = {
  { 1, 8, FALSE, GST_VIDEO_FORMAT_I420, 128, 48, 128, 48, 0, 0, TRUE },
  { 1, 8, FALSE, GST_VIDEO_FORMAT_I420, 192, 48, 192, 48, 0, 0, FALSE }, /* 96 bytes of chroma */
  { 1, 10, FALSE, GST_VIDEO_FORMAT_I420_10LE, 64, 48, 64, 48, 0, 0, TRUE },
  { 2, 10, FALSE, GST_VIDEO_FORMAT_I422_10LE, 64, 48, 64, 48, 0, 0, TRUE },
  { 3, 8, FALSE, GST_VIDEO_FORMAT_Y444, 64, 48, 64, 48, 0, 0, TRUE }, { 3, 8, TRUE, GST_VIDEO_FORMAT_GBR, 64, 48, 64, 48, 0, 0, TRUE },
  { 1, 8, FALSE, GST_VIDEO_FORMAT_I420, 128, 48, 128, 40, 0, 0, FALSE }, /* lines between the planes */
  { 1, 8, FALSE, GST_VIDEO_FORMAT_I420, 128, 48, 128, 40, 0, 8, FALSE },
  { 1, 8, FALSE, GST_VIDEO_FORMAT_I420, 128, 48, 124, 48, 0, 0, FALSE },
  { 1, 8, FALSE, GST_VIDEO_FORMAT_I420, 128, 48, 126, 48, 2, 0, FALSE },
  { 0, 8, FALSE, GST_VIDEO_FORMAT_GRAY8, 64, 48, 64, 40, 0, 0, TRUE }, /* lines behind all of them */
  { 0, 8, FALSE, GST_VIDEO_FORMAT_GRAY8, 64, 48, 64, 40, 0, 8, FALSE },
  { 0, 8, FALSE, GST_VIDEO_FORMAT_GRAY8, 64, 48, 62, 48, 0, 0, FALSE }, /* the raw format has rows of 64 bytes, too */
};

GST_START_TEST (test_plain)
{
  Case c;

  format_init (&c.format, plain_cases[__i__].chroma_format_idc, plain_cases[__i__].depth, plain_cases[__i__].depth, plain_cases[__i__].rgb);
  c.format.coded_width = plain_cases[__i__].coded_width;
  c.format.coded_height = plain_cases[__i__].coded_height;
  c.format.width = plain_cases[__i__].width;
  c.format.height = plain_cases[__i__].height;
  c.format.crop_x = plain_cases[__i__].crop_x;
  c.format.crop_y = plain_cases[__i__].crop_y;
  c.raw = plain_cases[__i__].raw;
  c.shift[0] = c.shift[1] = 0;
  c.shares = TRUE;
  c.plain = plain_cases[__i__].plain;
  check_everywhere (&c);
}

GST_END_TEST;

GST_START_TEST (test_impossible)
{
  GstCodedFormat format;
  GstVideoInfo info;
  GpuOutput output;

  format_init (&format, 1, 10, 10, FALSE);
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_I420, WIDTH, HEIGHT);
  fail_if (gst_cl_output_init (&output, &format, &info));
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_I422_10LE, WIDTH, HEIGHT);
  fail_if (gst_cl_output_init (&output, &format, &info));
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_I420_10LE, WIDTH + 2, HEIGHT);
  fail_if (gst_cl_output_init (&output, &format, &info));
}

GST_END_TEST;

static Suite *
cloutput_suite (void)
{
  Suite *suite = suite_create ("cloutput");
  TCase *tests = tcase_create ("general");

  suite_add_tcase (suite, tests);
  tcase_add_loop_test (tests, test_case, 0, G_N_ELEMENTS (cases));
  tcase_add_loop_test (tests, test_plain, 0, G_N_ELEMENTS (plain_cases));
  tcase_add_test (tests, test_impossible);

  return suite;
}

CL_TEST_MAIN (cloutput_suite);
