/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gpucsc between test pads: every pair of formats against the formula, sizes, strides, both kinds of memory, negotiation.
 */
#include <math.h>
#include <gst/base/gstbasetransform.h>
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include "csc.h"
#include "gstcscformat.h"

#define TOLERANCE 1.0
#define OPENCL "memory:OpenCL"

static GRand *rng;
static GstElement *holder; /* keeps the device, and the programs that were built for it, from one test to the next */

/* (transfer full): @formats: as in caps */
static GstCaps *
caps_new (const gchar *feature, const gchar *formats, gint width, gint height, const gchar *rest)
{
  gchar *string = g_strdup_printf ("video/x-raw%s%s%s, format=%s, width=%d, height=%d, framerate=25/1%s%s", feature ? "(" : "",
      feature ? feature : "", feature ? ")" : "", formats, width, height, rest ? ", " : "", rest ? rest : "");
  GstCaps *caps = gst_caps_from_string (string);

  fail_unless (caps != NULL, "%s", string);
  g_free (string);

  return caps;
}

/* (transfer full): noise in system memory; @padding: bytes added to each row, where a GstVideoMeta tells */
static GstBuffer *
picture_new (GstCaps *caps, guint padding)
{
  gsize offset[GST_VIDEO_MAX_PLANES] = { 0 };
  gint stride[GST_VIDEO_MAX_PLANES] = { 0 };
  GstVideoInfo info;
  GpuCscFormat format;
  GstBuffer *buffer;
  GstMapInfo map;
  gsize size = 0;

  fail_unless (gst_video_info_from_caps (&info, caps));
  fail_unless (gst_csc_format_init (&format, &info));
  for (guint i = 0; i < format.n_planes; i++) {
    offset[i] = padding ? size + 8 * padding : info.offset[i];
    stride[i] = info.stride[i] + 8 * padding;
    size = offset[i] + (gsize) stride[i] * gst_csc_format_plane_rows (&format, i);
  }
  buffer = gst_buffer_new_allocate (NULL, MAX (size, info.size), NULL);
  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = g_rand_int (rng);
  gst_buffer_unmap (buffer, &map);
  if (padding)
    gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_INFO_FORMAT (&info), info.width, info.height,
        format.n_planes, offset, stride);
  GST_BUFFER_PTS (buffer) = 40 * GST_MSECOND;

  return buffer;
}

static void
describe (GstCaps *caps, const GstVideoFrame *frame, GpuCscFormat *format, const guint8 *planes[GPU_CSC_PLANES])
{
  GstVideoInfo info;

  fail_unless (gst_video_info_from_caps (&info, caps));
  fail_unless (gst_csc_format_init (format, &info));
  for (guint i = 0; i < format->n_planes; i++) {
    planes[i] = GST_VIDEO_FRAME_PLANE_DATA (frame, i);
    format->offset[i] = 0;
    format->stride[i] = GST_VIDEO_FRAME_PLANE_STRIDE (frame, i);
  }
}

static void
compare_component (const GpuCscFormat *in, const guint8 *in_planes[GPU_CSC_PLANES], const GpuCscFormat *out,
    const guint8 *out_planes[GPU_CSC_PLANES], guint k, const gchar *what)
{
  guint plane = out->plane[k], width = gst_csc_format_row_bytes (out, plane) / out->word_bytes[plane];

  for (guint y = 0; y < gst_csc_format_plane_rows (out, plane); y++)
    for (guint x = 0; x < width; x++) {
      gdouble expected = gpu_reference_csc_value (in, in_planes, out, k, x, y);
      guint actual = gpu_reference_csc_read (out, out_planes, k, x, y);

      fail_unless (fabs (actual - expected) <= TOLERANCE, "%s: component %u at (%u, %u) of %ux%u: expected %g, is %u", what, k, x, y,
          out->width, out->height, expected, actual);
    }
}

/* Every sample of @out_buffer is within 1 of what the formula makes of @in_buffer. */
static void
compare (GstCaps *in_caps, GstBuffer *in_buffer, GstCaps *out_caps, GstBuffer *out_buffer, gboolean two_fields)
{
  const guint8 *in_planes[GPU_CSC_PLANES], *out_planes[GPU_CSC_PLANES];
  GstVideoInfo in_info, out_info;
  GstVideoFrame in_frame, out_frame;
  gchar *what;

  gst_video_info_from_caps (&in_info, in_caps);
  gst_video_info_from_caps (&out_info, out_caps);
  what = g_strdup_printf ("%s to %s", in_info.finfo->name, out_info.finfo->name);
  fail_unless (gst_video_frame_map (&in_frame, &in_info, in_buffer, GST_MAP_READ), "%s", what);
  fail_unless (gst_video_frame_map (&out_frame, &out_info, out_buffer, GST_MAP_READ), "%s", what);
  for (guint field = 0; field < (two_fields ? 2 : 1); field++) {
    GpuCscFormat in, out;

    describe (in_caps, &in_frame, &in, in_planes);
    describe (out_caps, &out_frame, &out, out_planes);
    if (two_fields) {
      gst_csc_format_select_field (&in, field);
      gst_csc_format_select_field (&out, field);
    }
    for (guint k = 0; k < 4; k++)
      /* padding that is passed through is what it was */
      if (k < out.n_components || (k == 3 && (out.alpha == GPU_CSC_ALPHA || (out.alpha && in.alpha != out.alpha))))
        compare_component (&in, in_planes, &out, out_planes, k, what);
  }
  gst_video_frame_unmap (&in_frame);
  gst_video_frame_unmap (&out_frame);
  g_free (what);
}

/* (transfer full): what @h makes of @buffer (transfer none) */
static GstBuffer *
convert (GstHarness *h, GstBuffer *buffer)
{
  GstBuffer *out;

  fail_unless_equals_int (gst_harness_push (h, gst_buffer_ref (buffer)), GST_FLOW_OK);
  out = gst_harness_try_pull (h);
  fail_unless (out != NULL);

  return out;
}

/* (transfer full): the caps that @h has at its output */
static GstCaps *
output_caps (GstHarness *h)
{
  GstCaps *caps = gst_pad_get_current_caps (h->sinkpad);

  fail_unless (caps != NULL);

  return caps;
}

/* One noisy picture from @in_caps to @out_caps (both transfer full) */
static void
check_pair (const gchar *launch, GstCaps *in_caps, GstCaps *out_caps, guint padding, gboolean two_fields)
{
  GstHarness *h = gst_harness_new_parse (launch);
  GstBuffer *in = picture_new (in_caps, padding), *out;
  GstCaps *negotiated;

  gst_harness_set_caps (h, gst_caps_ref (in_caps), gst_caps_ref (out_caps));
  out = convert (h, in);
  negotiated = output_caps (h);
  compare (in_caps, in, negotiated, out, two_fields);
  fail_unless_equals_uint64 (GST_BUFFER_PTS (out), 40 * GST_MSECOND);
  gst_caps_unref (negotiated);
  gst_buffer_unref (in);
  gst_buffer_unref (out);
  gst_caps_unref (in_caps);
  gst_caps_unref (out_caps);
  gst_harness_teardown (h);
}

/* (transfer full): the names in GST_CSC_FORMATS */
static gchar **
list_formats (void)
{
  gchar *names = g_strndup (&GST_CSC_FORMATS[2], strlen (GST_CSC_FORMATS) - 4);
  gchar **list = g_strsplit (names, ", ", -1);

  g_free (names);

  return list;
}

static const gchar *
random_colours (const gchar *name)
{
  static const gchar *yuv[] = { "colorimetry=bt601, chroma-site=mpeg2", "colorimetry=bt709, chroma-site=jpeg",
    "colorimetry=bt2020, chroma-site=cosited", "colorimetry=1:4:0:0, chroma-site=mpeg2", "colorimetry=1:3:5:1, chroma-site=v-cosited",
    NULL };
  static const gchar *rgb[] = { "colorimetry=sRGB", "colorimetry=2:1:5:1", NULL };
  gboolean is_rgb = GST_VIDEO_FORMAT_INFO_IS_RGB (gst_video_format_get_info (gst_video_format_from_string (name)));

  return is_rgb ? rgb[g_rand_int_range (rng, 0, 2)] : yuv[g_rand_int_range (rng, 0, 5)];
}

/* Every format to and from eight or nine others; in the long set every pair, with all kinds of colours.  Common pairs have programs of
 * their own, which take two minutes to build the first time. */
GST_START_TEST (test_pairs)
{
  gchar **names = list_formats ();
  gboolean every = g_getenv ("GST_GPU_TEST_LONG") != NULL;

  fail_unless_equals_int (g_strv_length (names), 33);
  for (guint from = 0; names[from]; from++)
    for (guint to = 0; names[to]; to++) {
      const gchar *from_colours = every ? random_colours (names[from]) : NULL, *to_colours = every ? random_colours (names[to]) : NULL;

      if (!every && (from + to) % 4 != 0)
        continue;
      check_pair ("gpucsc", caps_new (NULL, names[from], 38, 11, from_colours), caps_new (NULL, names[to], 38, 11, to_colours), 0, FALSE);
    }
  g_strfreev (names);
}

GST_END_TEST;

/* Ranges, matrices and sites: pairs that have no program of their own, so that there is one to be built */
GST_START_TEST (test_colours)
{
  static const gchar *names[] = { "I420_12LE", "Y42B", "Y444", "NV21", "P016_LE", "GBR", "ARGB64", "GRAY8" };

  for (guint i = 0; i < 120; i++) {
    const gchar *from = names[g_rand_int_range (rng, 0, G_N_ELEMENTS (names))],
                *to = names[g_rand_int_range (rng, 0, G_N_ELEMENTS (names))];
    gint width = g_rand_int_range (rng, 1, 90), height = g_rand_int_range (rng, 1, 20);

    check_pair ("gpucsc", caps_new (NULL, from, width, height, random_colours (from)),
        caps_new (NULL, to, width, height, random_colours (to)), 0, FALSE);
  }
}

GST_END_TEST;

GST_START_TEST (test_sizes)
{
  static const gint sizes[][2] = { { 1, 1 }, { 1, 2 }, { 2, 1 }, { 3, 3 }, { 16, 16 }, { 31, 5 }, { 32, 4 }, { 33, 7 }, { 64, 2 },
    { 65, 3 }, { 126, 9 } };
  static const gchar *pairs[][2] = { { "I420", "RGBA" }, { "RGBA", "I420" }, { "NV12", "P010_10LE" }, { "Y42B", "ARGB64" },
    { "I422_10LE", "NV12" } };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    for (guint j = 0; j < G_N_ELEMENTS (sizes); j++) {
      gint width = sizes[j][0], height = sizes[j][1];

      check_pair ("gpucsc", caps_new (NULL, pairs[i][0], width, height, NULL), caps_new (NULL, pairs[i][1], width, height, NULL), 0, FALSE);
    }
}

GST_END_TEST;

GST_START_TEST (test_strides)
{
  static const gchar *names[] = { "I420", "NV12", "I422_10LE", "RGBA", "ARGB64", "GBR_10LE" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    check_pair ("gpucsc", caps_new (NULL, names[i], 53, 10, NULL), caps_new (NULL, "BGRx", 53, 10, NULL), 1 + i, FALSE);
}

GST_END_TEST;

GST_START_TEST (test_interlaced)
{
  static const gchar *pairs[][2] = { { "I420", "RGBA" }, { "RGBA", "NV12" }, { "Y42B", "I420" }, { "I420", "Y444" } };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++) {
    check_pair ("gpucsc", caps_new (NULL, pairs[i][0], 48, 16, "interlace-mode=interleaved"),
        caps_new (NULL, pairs[i][1], 48, 16, "interlace-mode=interleaved"), 0, TRUE);
    /* a frame of a mixed video that is not interlaced */
    check_pair ("gpucsc", caps_new (NULL, pairs[i][0], 48, 16, "interlace-mode=mixed"),
        caps_new (NULL, pairs[i][1], 48, 16, "interlace-mode=mixed"), 0, FALSE);
  }
}

GST_END_TEST;

GST_START_TEST (test_backend_c)
{
  check_pair ("gpucsc backend=c", caps_new (NULL, "I420", 33, 7, NULL), caps_new (NULL, "RGBA", 33, 7, NULL), 0, FALSE);
  check_pair ("gpucsc backend=c", caps_new (NULL, "ARGB64", 20, 8, NULL), caps_new (NULL, "NV12", 20, 8, "interlace-mode=progressive"), 1,
      FALSE);
  check_pair ("gpucsc backend=c", caps_new (NULL, "I420", 48, 16, "interlace-mode=interleaved"),
      caps_new (NULL, "BGRx", 48, 16, "interlace-mode=interleaved"), 0, TRUE);
}

GST_END_TEST;

static guint64
get_counter (GstHarness *h, const gchar *name)
{
  GstElement *element = gst_harness_find_element (h, "gpucsc");
  GstStructure *stats;
  guint64 value = G_MAXUINT64;

  g_object_get (element, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, name, &value));
  gst_structure_free (stats);
  gst_object_unref (element);

  return value;
}

/* (transfer full): @buffer (transfer full) in memory of the device */
static GstBuffer *
upload (GstBuffer *buffer, const gchar *format, gint width, gint height)
{
  GstHarness *h = gst_harness_new ("gpucsc");
  GstBuffer *out;

  gst_harness_set_caps (h, caps_new (NULL, format, width, height, NULL), caps_new (OPENCL, format, width, height, NULL));
  out = convert (h, buffer);
  fail_unless (gst_memory_is_type (gst_buffer_peek_memory (out, 0), "OpenCLMemory"));
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);

  return out;
}

GST_START_TEST (test_device_memory)
{
  GstCaps *in_caps = caps_new (NULL, "I420", 70, 30, NULL), *out_caps = caps_new (NULL, "RGBA", 70, 30, NULL);
  GstBuffer *in = picture_new (in_caps, 0), *device = upload (gst_buffer_ref (in), "I420", 70, 30), *out;
  GstHarness *h = gst_harness_new ("gpucsc");
  GstCaps *caps;

  gst_harness_set_caps (h, caps_new (OPENCL, "I420", 70, 30, NULL), gst_caps_ref (out_caps));
  out = convert (h, device);
  caps = output_caps (h);
  fail_unless_equals_uint64 (get_counter (h, "launches"), 1);
  fail_unless_equals_uint64 (get_counter (h, "bytes-up"), 0);
  fail_unless_equals_uint64 (get_counter (h, "bytes-down"), 0);
  fail_unless_equals_uint64 (get_counter (h, "waits"), 0);
  compare (in_caps, in, caps, out, FALSE);
  fail_unless (get_counter (h, "map-bytes-down") > 0);
  gst_caps_unref (caps);
  gst_caps_unref (in_caps);
  gst_caps_unref (out_caps);
  gst_buffer_unref (in);
  gst_buffer_unref (device);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* A window of a larger picture, as the decoder crops: the same memory, with other offsets */
static GstBuffer *
window_new (GstBuffer *buffer, const gchar *format, gint x, gint y, gint width, gint height)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  const GstVideoFormatInfo *finfo = gst_video_format_get_info (gst_video_format_from_string (format));
  GstBuffer *window = gst_buffer_new ();
  gsize offset[GST_VIDEO_MAX_PLANES] = { 0 };

  for (guint i = 0; i < meta->n_planes; i++) {
    gint component[GST_VIDEO_MAX_COMPONENTS];

    gst_video_format_info_component (finfo, i, component);
    offset[i] = meta->offset[i] + GST_VIDEO_FORMAT_INFO_SCALE_HEIGHT (finfo, component[0], y) * meta->stride[i]
        + GST_VIDEO_FORMAT_INFO_SCALE_WIDTH (finfo, component[0], x) * GST_VIDEO_FORMAT_INFO_PSTRIDE (finfo, component[0]);
  }
  gst_buffer_append_memory (window, gst_buffer_get_memory (buffer, 0));
  gst_buffer_add_video_meta_full (window, GST_VIDEO_FRAME_FLAG_NONE, meta->format, width, height, meta->n_planes, offset, meta->stride);

  return window;
}

GST_START_TEST (test_cropped)
{
  static const gchar *names[] = { "I420", "I422_10LE", "NV12", "P010_10LE", "Y444", "RGBA" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    for (guint device = 0; device < 2; device++) {
      GstCaps *whole = caps_new (NULL, names[i], 96, 48, NULL), *in_caps = caps_new (device ? OPENCL : NULL, names[i], 67, 33, NULL), *caps;
      GstBuffer *picture = picture_new (whole, 1), *window, *out;
      GstHarness *h = gst_harness_new ("gpucsc");

      if (device)
        picture = upload (picture, names[i], 96, 48);
      window = window_new (picture, names[i], 6, 4, 67, 33);
      gst_harness_set_caps (h, gst_caps_ref (in_caps), caps_new (NULL, "BGRA", 67, 33, NULL));
      out = convert (h, window);
      if (device)
        fail_unless_equals_uint64 (get_counter (h, "bytes-up"), 0);
      caps = output_caps (h);
      compare (in_caps, window, caps, out, FALSE);
      gst_caps_unref (caps);
      gst_caps_unref (in_caps);
      gst_caps_unref (whole);
      gst_buffer_unref (picture);
      gst_buffer_unref (window);
      gst_buffer_unref (out);
      gst_harness_teardown (h);
    }
}

GST_END_TEST;

/* Planes in memories of their own */
GST_START_TEST (test_separate_memories)
{
  GstCaps *in_caps = caps_new (NULL, "I420", 64, 16, NULL), *out_caps;
  GstHarness *h = gst_harness_new ("gpucsc");
  GstBuffer *in = gst_buffer_new (), *picture = picture_new (in_caps, 0), *out;
  GstVideoInfo info;

  gst_video_info_from_caps (&info, in_caps);
  for (guint i = 0; i < 3; i++) {
    gsize size = (i < 2 ? info.offset[i + 1] : info.size) - info.offset[i];
    GstMemory *memory = gst_allocator_alloc (NULL, size, NULL);
    GstMapInfo map;

    gst_memory_map (memory, &map, GST_MAP_WRITE);
    gst_buffer_extract (picture, info.offset[i], map.data, size);
    gst_memory_unmap (memory, &map);
    gst_buffer_append_memory (in, memory);
  }
  gst_buffer_add_video_meta_full (in, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_I420, 64, 16, 3, info.offset, info.stride);
  gst_harness_set_caps (h, gst_caps_ref (in_caps), caps_new (NULL, "RGBA", 64, 16, NULL));
  out = convert (h, in);
  out_caps = output_caps (h);
  compare (in_caps, picture, out_caps, out, FALSE);
  gst_caps_unref (in_caps);
  gst_caps_unref (out_caps);
  gst_buffer_unref (in);
  gst_buffer_unref (picture);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* Upstream may write into memory of the device: then there is no copy. */
GST_START_TEST (test_proposed_pool)
{
  GstHarness *h = gst_harness_new ("gpucsc");
  GstCaps *in_caps = caps_new (NULL, "NV12", 64, 32, NULL), *out_caps;
  GstQuery *query = gst_query_new_allocation (in_caps, TRUE);
  GstBufferPool *pool = NULL;
  GstBuffer *in, *out;

  gst_harness_set_caps (h, gst_caps_ref (in_caps), caps_new (NULL, "RGBA", 64, 32, NULL));
  fail_unless (gst_pad_peer_query (h->srcpad, query));
  fail_unless (gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL));
  fail_unless_equals_int (gst_query_get_n_allocation_pools (query), 1);
  gst_query_parse_nth_allocation_pool (query, 0, &pool, NULL, NULL, NULL);
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &in, NULL), GST_FLOW_OK);
  fail_unless (gst_memory_is_type (gst_buffer_peek_memory (in, 0), "OpenCLMemory"));
  gst_buffer_memset (in, 0, 77, gst_buffer_get_size (in));
  out = convert (h, in);
  out_caps = output_caps (h);
  compare (in_caps, in, out_caps, out, FALSE);
  gst_buffer_unref (in);
  gst_buffer_unref (out);
  gst_caps_unref (in_caps);
  gst_caps_unref (out_caps);
  gst_query_unref (query);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* (transfer full): what is chosen for the output among @formats */
static gchar *
chosen (const gchar *from, const gchar *colours, const gchar *formats, const gchar *field)
{
  GstHarness *h = gst_harness_new ("gpucsc");
  GstCaps *in_caps = caps_new (NULL, from, 64, 32, colours), *caps;
  GstBuffer *in = picture_new (in_caps, 0), *out;
  gchar *value;

  gst_harness_set_caps (h, in_caps, caps_new (NULL, formats, 64, 32, NULL));
  out = convert (h, in);
  caps = output_caps (h);
  value = g_strdup (gst_structure_get_string (gst_caps_get_structure (caps, 0), field));
  gst_caps_unref (caps);
  gst_buffer_unref (in);
  gst_buffer_unref (out);
  gst_harness_teardown (h);

  return value;
}

static void
check_choice (const gchar *from, const gchar *formats, const gchar *expected)
{
  gchar *format = chosen (from, NULL, formats, "format");

  fail_unless_equals_string (format, expected);
  g_free (format);
}

GST_START_TEST (test_choice)
{
  check_choice ("I420", "{ RGBA, NV12, I420 }", "I420");
  check_choice ("I420", "{ RGBA, NV12, P010_10LE }", "NV12");
  check_choice ("I420_10LE", "{ RGBA, I420, P010_10LE }", "P010_10LE");
  check_choice ("I422_10LE", "{ P010_10LE, Y444_10LE, Y42B }", "Y444_10LE");
  check_choice ("RGBA", "{ I420, Y444, GRAY8 }", "Y444");
  check_choice ("ARGB", "{ RGBx, BGRA, I420 }", "BGRA");
  check_choice ("RGBx", "{ RGBA, BGRx }", "BGRx");
  check_choice ("GRAY8", "{ RGBA, I420 }", "I420");
  check_choice ("GBR_10LE", "{ RGBA, ARGB64, Y444_10LE }", "ARGB64");
  check_choice ("Y42B", "{ GRAY8, RGBx }", "RGBx");
}

GST_END_TEST;

GST_START_TEST (test_chosen_colorimetry)
{
  gchar *colorimetry = chosen ("I420", "colorimetry=bt2020", "NV12", "colorimetry");

  fail_unless_equals_string (colorimetry, "bt2020");
  g_free (colorimetry);
  /* full range, RGB, with primaries and transfer function as they were */
  colorimetry = chosen ("I420", "colorimetry=bt709", "RGBA", "colorimetry");
  fail_unless_equals_string (colorimetry, "1:1:5:1");
  g_free (colorimetry);
  colorimetry = chosen ("NV12", "colorimetry=bt709, chroma-site=jpeg", "I420", "chroma-site");
  fail_unless_equals_string (colorimetry, "jpeg");
  g_free (colorimetry);
}

GST_END_TEST;

/* Video that says nothing of its colours is what GstVideoInfo takes it for: BT.601 up to 576 rows, BT.709 above, in limited range. */
GST_START_TEST (test_unknown_colorimetry)
{
  static const struct
  {
    gint height;
    const gchar *colorimetry, *site;
  } cases[] = { { 576, "bt601", "jpeg" }, { 578, "bt709", "mpeg2" } };
  /* the last one says where chroma is, and that counts */
  static const gchar *unknown[] = { NULL, "colorimetry=0:0:0:0", "chroma-site=v-cosited" };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint j = 0; j < G_N_ELEMENTS (unknown); j++) {
      gchar *said = g_strdup_printf ("colorimetry=%s, chroma-site=%s", cases[i].colorimetry, j == 2 ? "v-cosited" : cases[i].site);
      GstCaps *in_caps = caps_new (NULL, "I420", 16, cases[i].height, unknown[j]),
              *said_caps = caps_new (NULL, "I420", 16, cases[i].height, said), *caps;
      GstHarness *h = gst_harness_new ("gpucsc");
      GstBuffer *in = picture_new (in_caps, 0), *out;

      gst_harness_set_caps (h, in_caps, caps_new (NULL, "RGBA", 16, cases[i].height, NULL));
      out = convert (h, in);
      caps = output_caps (h);
      compare (said_caps, in, caps, out, FALSE);
      gst_caps_unref (caps);
      gst_caps_unref (said_caps);
      gst_buffer_unref (in);
      gst_buffer_unref (out);
      g_free (said);
      gst_harness_teardown (h);
    }
}

GST_END_TEST;

/* Everything can become everything, upstream and downstream, in both kinds of memory. */
GST_START_TEST (test_caps_of_both_sides)
{
  gchar **names = list_formats ();
  static const gchar *features[] = { NULL, OPENCL };

  for (guint side = 0; side < 2; side++) {
    GstElement *element = gst_element_factory_make ("gpucsc", NULL);
    GstPad *pad = gst_element_get_static_pad (element, side ? "sink" : "src"),
           *other = gst_element_get_static_pad (element, side ? "src" : "sink");
    GstCaps *fixed = caps_new (OPENCL, "I422_10LE", 640, 480, "colorimetry=bt709"), *all;

    gst_pad_set_active (other, TRUE);
    all = gst_pad_query_caps (pad, NULL);
    fail_unless (gst_caps_is_subset (fixed, all));
    gst_caps_unref (all);
    for (guint i = 0; names[i]; i++)
      for (guint j = 0; j < 2; j++) {
        GstCaps *possible = caps_new (features[j], names[i], 640, 480, NULL), *transformed;

        transformed = GST_BASE_TRANSFORM_GET_CLASS (element)->transform_caps (GST_BASE_TRANSFORM (element),
            side ? GST_PAD_SRC : GST_PAD_SINK, fixed, NULL);
        fail_unless (gst_caps_can_intersect (transformed, possible), "%s", names[i]);
        gst_caps_unref (transformed);
        gst_caps_unref (possible);
      }
    gst_caps_unref (fixed);
    gst_object_unref (pad);
    gst_object_unref (other);
    gst_object_unref (element);
  }
  g_strfreev (names);
}

GST_END_TEST;

/* In C, without a device, the output is system memory. */
GST_START_TEST (test_caps_without_device)
{
  GstElement *element = gst_element_factory_make ("gpucsc", NULL);
  GstCaps *system = caps_new (NULL, "I420", 64, 32, NULL), *device = caps_new (OPENCL, "RGBA", 64, 32, NULL), *transformed;
  GstBaseTransformClass *klass = GST_BASE_TRANSFORM_GET_CLASS (element);

  transformed = klass->transform_caps (GST_BASE_TRANSFORM (element), GST_PAD_SINK, system, NULL);
  fail_unless (gst_caps_can_intersect (transformed, device));
  gst_caps_unref (transformed);
  g_object_set (element, "backend", 1, NULL);
  transformed = klass->transform_caps (GST_BASE_TRANSFORM (element), GST_PAD_SINK, system, NULL);
  fail_if (gst_caps_can_intersect (transformed, device));
  gst_caps_unref (transformed);
  transformed = klass->transform_caps (GST_BASE_TRANSFORM (element), GST_PAD_SRC, system, NULL);
  fail_unless (gst_caps_can_intersect (transformed, device));
  gst_caps_unref (transformed);
  gst_caps_unref (system);
  gst_caps_unref (device);
  gst_object_unref (element);
}

GST_END_TEST;

static void
check_passthrough (const gchar *colours, const gchar *other_colours, gboolean expected)
{
  GstHarness *h = gst_harness_new ("gpucsc");
  GstCaps *in_caps = caps_new (NULL, "I420", 64, 32, colours);
  GstBuffer *in = picture_new (in_caps, 0), *out;
  GstMemory *memory = gst_buffer_peek_memory (in, 0);

  gst_harness_set_caps (h, in_caps, caps_new (NULL, "I420", 64, 32, other_colours));
  out = convert (h, in);
  fail_unless_equals_int (gst_buffer_peek_memory (out, 0) == memory, expected);
  gst_buffer_unref (in);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

GST_START_TEST (test_passthrough)
{
  check_passthrough (NULL, NULL, TRUE);
  check_passthrough ("colorimetry=bt709", NULL, TRUE);
  /* another transfer function: the samples stay */
  check_passthrough ("colorimetry=2:3:5:1", "colorimetry=2:3:7:1", TRUE);
  check_passthrough ("colorimetry=bt709", "colorimetry=bt601", FALSE);
  check_passthrough ("colorimetry=bt709, chroma-site=mpeg2", "colorimetry=bt709, chroma-site=jpeg", FALSE);
}

GST_END_TEST;

GST_START_TEST (test_renegotiation)
{
  static const struct
  {
    const gchar *format;
    gint width, height;
  } steps[] = { { "I420", 64, 32 }, { "I420", 33, 17 }, { "Y444_12LE", 33, 17 }, { "RGBA", 40, 20 }, { "I420", 64, 32 } };
  GstHarness *h = gst_harness_new ("gpucsc");

  gst_harness_set_sink_caps_str (h, "video/x-raw, format=RGBA");
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    GstCaps *in_caps = caps_new (NULL, steps[i].format, steps[i].width, steps[i].height, NULL), *caps;
    GstBuffer *in, *out;

    gst_harness_set_src_caps (h, gst_caps_ref (in_caps));
    for (guint j = 0; j < 3; j++) {
      in = picture_new (in_caps, 0);
      out = convert (h, in);
      caps = output_caps (h);
      compare (in_caps, in, caps, out, FALSE);
      gst_caps_unref (caps);
      gst_buffer_unref (in);
      gst_buffer_unref (out);
    }
    gst_caps_unref (in_caps);
  }
  gst_harness_teardown (h);
}

GST_END_TEST;

/* A buffer that is too small for its caps is an error, and nothing worse. */
GST_START_TEST (test_small_buffer)
{
  GstHarness *h = gst_harness_new ("gpucsc");

  gst_harness_set_caps (h, caps_new (NULL, "I420", 64, 32, NULL), caps_new (NULL, "RGBA", 64, 32, NULL));
  fail_unless_equals_int (gst_harness_push (h, gst_buffer_new_allocate (NULL, 100, NULL)), GST_FLOW_ERROR);
  gst_harness_teardown (h);
}

GST_END_TEST;

GST_START_TEST (test_no_such_device)
{
  GstElement *element = gst_element_factory_make ("gpucsc", NULL);
  GstBus *bus = gst_bus_new ();
  GstMessage *message;

  gst_element_set_bus (element, bus);
  g_object_set (element, "platform", 99, NULL);
  fail_unless_equals_int (gst_element_set_state (element, GST_STATE_READY), GST_STATE_CHANGE_FAILURE);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_unref (message);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_element_set_bus (element, NULL);
  gst_object_unref (bus);
  gst_object_unref (element);
}

GST_END_TEST;

static Suite *
gpucsc_suite (void)
{
  Suite *suite = suite_create ("gpucsc");
  TCase *formats = tcase_create ("formats"), *others = tcase_create ("others");

  /* programs of pairs are built, where they are not cached */
  tcase_set_timeout (formats, g_getenv ("GST_GPU_TEST_LONG") ? 2400 : 280);
  suite_add_tcase (suite, formats);
  tcase_add_test (formats, test_pairs);
  suite_add_tcase (suite, others);
  tcase_add_test (others, test_colours);
  tcase_add_test (others, test_sizes);
  tcase_add_test (others, test_strides);
  tcase_add_test (others, test_interlaced);
  tcase_add_test (others, test_backend_c);
  tcase_add_test (others, test_device_memory);
  tcase_add_test (others, test_cropped);
  tcase_add_test (others, test_separate_memories);
  tcase_add_test (others, test_proposed_pool);
  tcase_add_test (others, test_choice);
  tcase_add_test (others, test_chosen_colorimetry);
  tcase_add_test (others, test_unknown_colorimetry);
  tcase_add_test (others, test_caps_of_both_sides);
  tcase_add_test (others, test_caps_without_device);
  tcase_add_test (others, test_passthrough);
  tcase_add_test (others, test_renegotiation);
  tcase_add_test (others, test_small_buffer);
  tcase_add_test (others, test_no_such_device);

  return suite;
}

int
main (int argc, char **argv)
{
  int failed;

  /* a driver's threads do not live on in a fork */
  g_setenv ("CK_FORK", "no", TRUE);
  gst_check_init (&argc, &argv);
  holder = gst_element_factory_make ("gpucsc", NULL);
  if (!holder || gst_element_set_state (holder, GST_STATE_READY) == GST_STATE_CHANGE_FAILURE) {
    g_printerr ("SKIP: gpucsc finds no OpenCL device\n");
    return 77;
  }
  rng = g_rand_new_with_seed (3);
  failed = gst_check_run_suite (gpucsc_suite (), "gpucsc", __FILE__);
  g_rand_free (rng);
  gst_element_set_state (holder, GST_STATE_NULL);
  gst_object_unref (holder);

  return failed;
}
