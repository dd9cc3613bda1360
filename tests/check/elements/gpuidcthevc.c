/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gpuidct as an element, with pictures such as an H.265 entropy stage would make: block lists of every kind through it, and what happens
 * where a stage that knows H.264 only gets them next.
 */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <string.h>
#include "gstgpustage.h"
#include "reference.h"
#include "offeredpool.h"
#include "testdevice.h"

#define SLOT_SIZE 32
#define WIDTH 192
#define HEIGHT 128
#define N_KINDS (GST_GPU_N_KINDS - GST_GPU_N_H264_KINDS)
#define MAX_SEGMENTS (2 * N_KINDS + 1)

/* nTbS by kind */
static const guint sizes[N_KINDS] = { 4, 4, 8, 16, 32, 4 };

static GstCodedFormat
make_format (guint bit_depth_luma, guint bit_depth_chroma)
{
  GstCodedFormat format;

  gst_coded_format_init (&format);
  format.codec = GST_CODED_CODEC_H265;
  format.width = format.coded_width = WIDTH;
  format.height = format.coded_height = HEIGHT;
  format.bit_depth_luma = bit_depth_luma;
  format.bit_depth_chroma = bit_depth_chroma;

  return format;
}

/* Block lists as they are written: segments, and an arena with positions and coefficients */
typedef struct
{
  GRand *rand;
  GstGpuSegment segments[MAX_SEGMENTS];
  guint n_segments, first[GST_GPU_N_KINDS + 1];
  guint64 n_blocks, coded_bytes;
  guint8 *coeffs;
  gsize size, used;
} Lists;

/* Scaled coefficients of 8.6.3: any 16-bit values; most are small, at low frequencies */
static void
make_block (Lists *lists, gint16 *block, guint n)
{
  gboolean hard = g_rand_int_range (lists->rand, 0, 8) == 0;

  for (guint k = 0; k < n * n; k++)
    if (hard)
      block[k] = g_rand_int_range (lists->rand, G_MININT16, G_MAXINT16 + 1);
    else
      block[k] = k % n + k / n < 5 ? g_rand_int_range (lists->rand, -900, 901) : 0;
}

static void
add_segment (Lists *lists, guint kind, guint n, guint count)
{
  GstGpuSegment *segment = &lists->segments[lists->n_segments++];
  guint32 *positions = (guint32 *) (lists->coeffs + lists->used);

  *segment = (GstGpuSegment){ .positions = lists->used / 4, .count = count, .kind = kind };
  for (guint i = 0; i < count; i++) {
    const guint plane = g_rand_int_range (lists->rand, 0, 3), width = plane ? WIDTH / 2 : WIDTH, height = plane ? HEIGHT / 2 : HEIGHT;

    positions[i] = GST_GPU_HEVC_POSITION (plane, g_rand_int_range (lists->rand, 0, width / n) * n / 4,
        g_rand_int_range (lists->rand, 0, height / n) * n / 4);
  }
  lists->used = GST_ROUND_UP_32 (lists->used + count * 4);
  segment->coeffs = lists->used / SLOT_SIZE;
  for (guint i = 0; i < count; i++)
    make_block (lists, (gint16 *) (lists->coeffs + lists->used) + i * n * n, n);
  lists->used += count * n * n * 2;
  lists->n_blocks += count;
  lists->coded_bytes += count * n * n * 2;
}

/* All kinds, in one or two segments each, and a lossless block, which is to stay as it is */
static void
lists_init (Lists *lists, const GstCodedFormat *format, guint32 seed)
{
  memset (lists, 0, sizeof (*lists));
  lists->rand = g_rand_new_with_seed (seed);
  lists->size = gst_coded_format_coeffs_size (format, 1);
  lists->coeffs = g_malloc0 (lists->size);
  for (guint kind = 0; kind < GST_GPU_N_KINDS; kind++) {
    lists->first[kind] = lists->n_segments;
    if (kind == GST_GPU_KIND_BYPASS8x8)
      add_segment (lists, kind, 8, 1);
    for (guint i = 0; kind >= GST_GPU_N_H264_KINDS && i < 1 + kind % 2; i++) {
      const guint n = sizes[kind - GST_GPU_N_H264_KINDS];

      add_segment (lists, kind, n, 1 + 160 / n * g_rand_int_range (lists->rand, 0, 2));
    }
  }
  lists->first[GST_GPU_N_KINDS] = lists->n_segments;
  fail_unless (lists->used <= lists->size);
}

static void
lists_clear (Lists *lists)
{
  g_rand_free (lists->rand);
  g_free (lists->coeffs);
}

/* In place, by the C reference */
static void
transform_lists (Lists *lists, const GstCodedFormat *format)
{
  const GstGpuPicture params = { .bit_depth_luma = format->bit_depth_luma, .bit_depth_chroma = format->bit_depth_chroma };
  const GpuReferencePicture reference = { .params = &params, .coeffs = lists->coeffs };

  gpu_reference_hevc_idct (&reference, lists->segments, lists->n_segments);
}

static GstCodedPicture *
picture_new (const GstCodedFormat *format, guint32 number)
{
  GstFrameStore *store = gst_frame_store_new (number);
  GstCodedPicture *picture = gst_coded_picture_new (store);
  GstCodedAction action = { TRUE, number };

  gst_frame_store_unref (store);
  picture->pending = GST_CODED_STAGE_IDCT | GST_CODED_STAGE_INTRAPRED | GST_CODED_STAGE_DEBLOCK;
  picture->params[0] = (GstGpuPicture){ .width_in_mbs = WIDTH / 16,
    .height_in_mbs = HEIGHT / 16,
    .chroma_array_type = format->chroma_format_idc,
    .bit_depth_luma = format->bit_depth_luma,
    .bit_depth_chroma = format->bit_depth_chroma };
  g_array_append_val (picture->actions, action);

  return picture;
}

static void
fill_memory (GstBuffer *buffer, guint i, gconstpointer data, gsize size)
{
  GstMapInfo map;

  fail_unless (gst_memory_map (gst_buffer_peek_memory (buffer, i), &map, GST_MAP_WRITE));
  fail_unless (size <= map.size);
  memcpy (map.data, data, size);
  gst_memory_unmap (map.memory, &map);
}

/* @pool: (nullable): of arenas */
static GstBuffer *
buffer_new (const Lists *lists, const GstCodedFormat *format, guint32 number, GstBufferPool *pool)
{
  GstCodedPicture *picture = picture_new (format, number);
  GstBuffer *buffer = NULL;
  GstCoeffMeta *meta;

  if (pool) {
    fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), GST_FLOW_OK);
  } else {
    buffer = gst_buffer_new ();
    gst_buffer_append_memory (buffer, gst_allocator_alloc (NULL, gst_coded_format_header_size (format), NULL));
    gst_buffer_append_memory (buffer, gst_allocator_alloc (NULL, lists->size, NULL));
  }
  fill_memory (buffer, GST_CODED_MEMORY_HEADER, lists->segments, lists->n_segments * sizeof (GstGpuSegment));
  fill_memory (buffer, GST_CODED_MEMORY_COEFFS, lists->coeffs, lists->used);
  gst_buffer_add_coded_picture_meta (buffer, picture);
  gst_coded_picture_unref (picture);
  meta = gst_buffer_add_coeff_meta (buffer);
  meta->n_segments = lists->n_segments;
  memcpy (meta->first, lists->first, sizeof (meta->first));
  meta->coded_bytes = lists->coded_bytes;
  meta->n_blocks = lists->n_blocks;

  return buffer;
}

static void
assert_residuals (GstBuffer *buffer, const Lists *expected)
{
  GstMapInfo map;

  fail_unless (gst_memory_map (gst_buffer_peek_memory (buffer, GST_CODED_MEMORY_COEFFS), &map, GST_MAP_READ));
  for (guint s = 0; s < expected->n_segments; s++) {
    const GstGpuSegment *segment = &expected->segments[s];
    const guint n = segment->kind == GST_GPU_KIND_BYPASS8x8 ? 8 : sizes[segment->kind - GST_GPU_N_H264_KINDS];
    const gsize offset = (gsize) segment->coeffs * SLOT_SIZE;
    const gint16 *a = (const gint16 *) (expected->coeffs + offset), *b = (const gint16 *) (map.data + offset);

    for (guint k = 0; k < segment->count * n * n; k++)
      fail_unless (a[k] == b[k], "kind %u, block %u, value %u: %d is not %d", segment->kind, k / (n * n), k % (n * n), b[k], a[k]);
  }
  gst_memory_unmap (map.memory, &map);
}

/* Pictures through @element, which passes them on with residuals in their lists and one stage less to do */
static void
run (const gchar *element, guint bit_depth_luma, guint bit_depth_chroma, gboolean own_arenas)
{
  const GstCodedFormat format = make_format (bit_depth_luma, bit_depth_chroma);
  GstHarness *h = gst_harness_new_parse (element);
  GstCaps *caps = gst_coded_format_to_caps (&format);
  GstBufferPool *pool;

  gst_harness_set_sink_caps (h, gst_caps_ref (caps));
  gst_harness_set_src_caps (h, gst_caps_ref (caps));
  pool = own_arenas ? NULL : offered_pool_get (h, caps);
  for (guint i = 0; i < 3; i++) {
    GstBuffer *buffer;
    Lists lists;

    lists_init (&lists, &format, 1000 * bit_depth_luma + i);
    buffer = buffer_new (&lists, &format, i, pool);
    transform_lists (&lists, &format);
    fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
    buffer = gst_harness_pull (h);
    fail_unless_equals_int (gst_buffer_get_coded_picture (buffer)->pending, GST_CODED_STAGE_INTRAPRED | GST_CODED_STAGE_DEBLOCK);
    assert_residuals (buffer, &lists);
    gst_buffer_unref (buffer);
    lists_clear (&lists);
  }
  gst_harness_teardown (h);
  if (pool) {
    gst_buffer_pool_set_active (pool, FALSE);
    gst_object_unref (pool);
  }
  gst_caps_unref (caps);
}

GST_START_TEST (test_c)
{
  run ("gpuidct backend=c", 8, 8, FALSE);
  run ("gpuidct backend=c", 10, 9, TRUE);
}

GST_END_TEST;

GST_START_TEST (test_device)
{
  if (!test_device_exists ("gpuidct"))
    return;
  run ("gpuidct", 8, 8, FALSE);
  run ("gpuidct", 10, 10, TRUE);
  run ("gpuidct", 10, 8, FALSE);
}

GST_END_TEST;

/* Pushes @buffer, which has to fail; returns (transfer full) the text of the error. */
static gchar *
push_bad (const gchar *row, const gchar *sink_caps, const GstCodedFormat *format, GstBuffer *buffer)
{
  GstHarness *h = gst_harness_new_parse (row);
  GstBus *bus = gst_bus_new ();
  GstMessage *message;
  GError *error = NULL;
  gchar *text;

  gst_element_set_bus (h->element, bus);
  if (sink_caps)
    gst_harness_set_sink_caps_str (h, sink_caps);
  else
    gst_harness_set_sink_caps (h, gst_coded_format_to_caps (format));
  gst_harness_set_src_caps (h, gst_coded_format_to_caps (format));
  fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_ERROR);
  fail_unless (!gst_harness_try_pull (h));
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  text = g_strdup (error->message);
  g_error_free (error);
  gst_message_unref (message);
  gst_element_set_bus (h->element, NULL);
  gst_harness_teardown (h);
  gst_object_unref (bus);

  return text;
}

/* gpuintrapred behind gpuidct, or raw video asked of gpuidct: nothing comes out, and the message says what is missing. */
GST_START_TEST (test_later_stages)
{
  static const struct
  {
    const gchar *row, *sink_caps, *missing;
  } cases[] = {
    { "gpuidct backend=c ! gpuintrapred backend=c name=intra", NULL, "intra prediction. intra cannot" },
    { "gpuidct backend=c ! gpuintrapred backend=c name=intra ! gpudeblock backend=c", "video/x-raw", "intra prediction. intra cannot" },
    { "gpuidct backend=c", "video/x-raw", "intra prediction, deblocking" },
  };
  const GstCodedFormat format = make_format (8, 8);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    Lists lists;
    gchar *text;

    lists_init (&lists, &format, i);
    text = push_bad (cases[i].row, cases[i].sink_caps, &format, buffer_new (&lists, &format, 0, NULL));
    fail_unless (strstr (text, "H.265") && strstr (text, cases[i].missing), "case %u: %s", i, text);
    g_free (text);
    lists_clear (&lists);
  }
}

GST_END_TEST;

/* A picture that needs nothing of a stage passes through it, whatever its codec. */
GST_START_TEST (test_passes)
{
  const GstCodedFormat format = make_format (8, 8);
  GstHarness *h = gst_harness_new_parse ("gpuidct backend=c ! gpuinterpred backend=c");
  GstBuffer *buffer;
  Lists lists;

  lists_init (&lists, &format, 5);
  gst_harness_set_sink_caps (h, gst_coded_format_to_caps (&format));
  gst_harness_set_src_caps (h, gst_coded_format_to_caps (&format));
  buffer = buffer_new (&lists, &format, 0, NULL);
  transform_lists (&lists, &format);
  fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
  buffer = gst_harness_pull (h);
  assert_residuals (buffer, &lists);
  gst_buffer_unref (buffer);
  lists_clear (&lists);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* Lists that do not belong to the codec of the caps, that are not there, or that are wide (which shows where arenas are copied to the
 * device) */
GST_START_TEST (test_broken)
{
  static const gchar *const messages[] = { "do not belong to its codec", "not in order", "fewer block lists", "32 bits" };
  GstCodedFormat format = make_format (8, 8), other = format;

  other.codec = GST_CODED_CODEC_H264;
  for (guint i = 0; i < (test_device_exists ("gpuidct") ? 4 : 3); i++) {
    GstBuffer *buffer;
    GstCoeffMeta *meta;
    Lists lists;
    gchar *text;

    lists_init (&lists, &format, i);
    lists.segments[lists.n_segments - 1].wide = i == 3;
    buffer = buffer_new (&lists, &format, 0, NULL);
    meta = gst_buffer_get_coeff_meta (buffer);
    if (i == 1)
      meta->first[GST_GPU_KIND_HEVC_8x8] = G_MAXUINT;
    if (i == 2)
      meta->n_segments--;
    text = push_bad (i == 3 ? "gpuidct" : "gpuidct backend=c", NULL, i == 0 ? &other : &format, buffer);
    fail_unless (strstr (text, messages[i]) != NULL, "case %u: %s", i, text);
    g_free (text);
    lists_clear (&lists);
  }
}

GST_END_TEST;

static Suite *
gpuidcthevc_suite (void)
{
  Suite *s = suite_create ("gpuidcthevc");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_c);
  tcase_add_test (tc, test_device);
  tcase_add_test (tc, test_later_stages);
  tcase_add_test (tc, test_passes);
  tcase_add_test (tc, test_broken);

  return s;
}

GST_CHECK_MAIN (gpuidcthevc);
