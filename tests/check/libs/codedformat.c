/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The caps of coded pictures, what is refused of them, and the sizes and raw formats that follow.
 */
#include <gst/check/gstcheck.h>
#include "gstcodedformat.h"
#include "gpurecords.h"

static GstCodedFormat
format_of_size (gint coded_width, gint coded_height)
{
  GstCodedFormat format;

  gst_coded_format_init (&format);
  format.width = format.coded_width = coded_width;
  format.height = format.coded_height = coded_height;
  return format;
}

static void
assert_formats_equal (const GstCodedFormat *a, const GstCodedFormat *b)
{
  assert_equals_int (a->codec, b->codec);
  assert_equals_int (a->width, b->width);
  assert_equals_int (a->height, b->height);
  assert_equals_int (a->coded_width, b->coded_width);
  assert_equals_int (a->coded_height, b->coded_height);
  assert_equals_int (a->crop_x, b->crop_x);
  assert_equals_int (a->crop_y, b->crop_y);
  assert_equals_int (a->chroma_format_idc, b->chroma_format_idc);
  assert_equals_int (a->separate_colour_planes, b->separate_colour_planes);
  assert_equals_int (a->bit_depth_luma, b->bit_depth_luma);
  assert_equals_int (a->bit_depth_chroma, b->bit_depth_chroma);
  assert_equals_int (a->interlace_mode, b->interlace_mode);
  fail_unless (gst_video_colorimetry_is_equal (&a->colorimetry, &b->colorimetry));
  assert_equals_int (a->chroma_site, b->chroma_site);
  assert_equals_int (a->fps_n, b->fps_n);
  assert_equals_int (a->fps_d, b->fps_d);
  assert_equals_int (a->par_n, b->par_n);
  assert_equals_int (a->par_d, b->par_d);
  assert_equals_int (a->n_surfaces, b->n_surfaces);
}

static void
assert_round_trip (const GstCodedFormat *format)
{
  GstCaps *caps = gst_coded_format_to_caps (format);
  GstCaps *template_caps = gst_caps_from_string (GST_CODED_PICTURE_CAPS);
  gchar *text = gst_caps_to_string (caps);
  GstCaps *parsed = gst_caps_from_string (text);
  GstCodedFormat back;

  fail_unless (gst_caps_is_subset (caps, template_caps));
  fail_unless (gst_coded_format_from_caps (&back, caps), "%s", text);
  assert_formats_equal (format, &back);
  fail_unless (gst_coded_format_from_caps (&back, parsed), "%s", text);
  assert_formats_equal (format, &back);

  gst_caps_unref (parsed);
  g_free (text);
  gst_caps_unref (template_caps);
  gst_caps_unref (caps);
}

GST_START_TEST (test_round_trip)
{
  static const GstVideoInterlaceMode modes[] = { GST_VIDEO_INTERLACE_MODE_PROGRESSIVE, GST_VIDEO_INTERLACE_MODE_INTERLEAVED,
    GST_VIDEO_INTERLACE_MODE_MIXED };

  for (guint chroma = 0; chroma < 4; chroma++) {
    for (guint depth = 8; depth <= 14; depth++) {
      GstCodedFormat format = format_of_size (1920, 1088);

      format.height = 1080;
      format.crop_y = 4;
      format.width = 1910;
      format.crop_x = 6;
      format.chroma_format_idc = chroma;
      format.separate_colour_planes = chroma == 3 && depth % 2;
      format.bit_depth_luma = depth;
      format.bit_depth_chroma = 22 - depth;
      format.interlace_mode = modes[depth % 3];
      format.fps_n = 30000;
      format.fps_d = 1001;
      format.par_n = 12;
      format.par_d = 11;
      format.n_surfaces = 20;
      assert_round_trip (&format);
    }
  }
}

GST_END_TEST;

GST_START_TEST (test_round_trip_colours)
{
  GstCodedFormat format = format_of_size (64, 64);

  assert_round_trip (&format);
  format.codec = GST_CODED_CODEC_H265;
  assert_round_trip (&format);
  fail_unless (gst_video_colorimetry_from_string (&format.colorimetry, GST_VIDEO_COLORIMETRY_BT2020_10));
  format.chroma_site = GST_VIDEO_CHROMA_SITE_MPEG2;
  assert_round_trip (&format);
  format.colorimetry.matrix = GST_VIDEO_COLOR_MATRIX_UNKNOWN;
  format.chroma_site = GST_VIDEO_CHROMA_SITE_DV;
  assert_round_trip (&format);
  memset (&format.colorimetry, 0, sizeof (format.colorimetry));
  format.colorimetry.range = GST_VIDEO_COLOR_RANGE_0_255;
  format.chroma_site = GST_VIDEO_CHROMA_SITE_JPEG;
  assert_round_trip (&format);
  format.chroma_site = GST_VIDEO_CHROMA_SITE_H_COSITED | GST_VIDEO_CHROMA_SITE_V_COSITED;
  assert_round_trip (&format);
}

GST_END_TEST;

/* The largest legal sizes, and the smallest */
GST_START_TEST (test_round_trip_sizes)
{
  GstCodedFormat format = format_of_size (16, 16);

  format.width = format.height = 1;
  assert_round_trip (&format);
  format = format_of_size (8704, 4096);
  assert_round_trip (&format);
  format = format_of_size (16 * 139264, 16);
  assert_round_trip (&format);
}

GST_END_TEST;

/* Each line changes one field of caps that are good */
static const struct
{
  const gchar *field;
  const gchar *value; /* NULL: the field is missing */
} rejects[] = {
  { "codec", NULL },
  { "codec", "(string) h266" },
  { "codec", "(int) 264" },
  { "width", NULL },
  { "width", "(int) 0" },
  { "width", "(int) -64" },
  { "width", "(int) 66" },
  { "width", "(string) 64" },
  { "width", "(int) [ 1, 64 ]" },
  { "height", NULL },
  { "height", "(int) 0" },
  { "height", "(int) 65" },
  { "coded-width", NULL },
  { "coded-width", "(int) 72" },
  { "coded-width", "(int) 0" },
  { "coded-width", "(int) -64" },
  { "coded-width", "(int) 48" },
  { "coded-width", "(int) 2147483632" },
  { "coded-height", NULL },
  { "coded-height", "(int) 557120" },
  { "coded-height", "(int) 65" },
  { "crop-x", NULL },
  { "crop-x", "(int) -2" },
  { "crop-x", "(int) 1" },
  { "crop-x", "(int) 2" },
  { "crop-x", "(int) 2147483646" },
  { "crop-y", NULL },
  { "crop-y", "(int) -2" },
  { "crop-y", "(int) 1" },
  { "crop-y", "(int) 16" },
  { "crop-y", "(int) 2147483646" },
  { "chroma-format", NULL },
  { "chroma-format", "(string) 4:1:1" },
  { "chroma-format", "(int) 1" },
  { "separate-colour-planes", NULL },
  { "separate-colour-planes", "(boolean) true" },
  { "separate-colour-planes", "(int) 0" },
  { "bit-depth-luma", NULL },
  { "bit-depth-luma", "(uint) 7" },
  { "bit-depth-luma", "(uint) 15" },
  { "bit-depth-luma", "(int) 8" },
  { "bit-depth-chroma", NULL },
  { "bit-depth-chroma", "(uint) 7" },
  { "bit-depth-chroma", "(uint) 4294967295" },
  { "interlace-mode", NULL },
  { "interlace-mode", "(string) sideways" },
  { "n-surfaces", NULL },
  { "n-surfaces", "(uint) 0" },
  { "n-surfaces", "(uint) 4000000000" },
  { "framerate", "(fraction) -25/1" },
  { "framerate", "(int) 25" },
  { "framerate", "(fraction) [ 0/1, 25/1 ]" },
  { "pixel-aspect-ratio", "(fraction) 0/1" },
  { "pixel-aspect-ratio", "(fraction) -1/1" },
  { "pixel-aspect-ratio", "(string) square" },
  { "colorimetry", "(string) pink" },
  { "colorimetry", "(int) 1" },
  { "chroma-site", "(string) nowhere" },
  { "chroma-site", "(int) 1" },
};

GST_START_TEST (test_rejects)
{
  GstCodedFormat format = format_of_size (64, 64), back;
  GstCaps *good = gst_coded_format_to_caps (&format);

  for (guint i = 0; i < G_N_ELEMENTS (rejects); i++) {
    GstCaps *caps = gst_caps_copy (good);
    GstStructure *s = gst_caps_get_structure (caps, 0);

    gst_structure_remove_field (s, rejects[i].field);
    if (rejects[i].value) {
      gchar *text = g_strdup_printf ("x, %s=%s", rejects[i].field, rejects[i].value);
      GstStructure *change = gst_structure_from_string (text, NULL);

      fail_unless (change != NULL, "%s", text);
      gst_structure_set_value (s, rejects[i].field, gst_structure_get_value (change, rejects[i].field));
      gst_structure_free (change);
      g_free (text);
    }
    fail_if (gst_coded_format_from_caps (&back, caps), "%s %s was taken", rejects[i].field,
        rejects[i].value ? rejects[i].value : "missing");
    gst_caps_unref (caps);
  }
  gst_caps_unref (good);
}

GST_END_TEST;

GST_START_TEST (test_rejects_other_caps)
{
  static const gchar *const others[] = { "EMPTY", "ANY", "video/x-raw, width=64", "video/x-coded-picture", GST_CODED_PICTURE_CAPS };
  GstCodedFormat back;

  for (guint i = 0; i < G_N_ELEMENTS (others); i++) {
    GstCaps *caps = gst_caps_from_string (others[i]);

    fail_if (gst_coded_format_from_caps (&back, caps), "%s was taken", others[i]);
    gst_caps_unref (caps);
  }
}

GST_END_TEST;

/* What a picture may contain at most, counted anew from the standard's sizes, fits; and not wastefully so. */
GST_START_TEST (test_arena_sizes)
{
  for (guint chroma = 0; chroma < 4; chroma++) {
    for (guint depth = 8; depth <= 10; depth += 2) {
      for (guint separate = 0; separate <= (chroma == 3); separate++) {
        static const gsize mb_samples[4] = { 256, 384, 512, 768 };
        static const gsize mb_dc_levels[4] = { 16, 16 + 8, 16 + 16, 48 };
        GstCodedFormat format = format_of_size (1920, 1088);
        gsize n_mbs = 120 * 68, planes = separate ? 3 : 1;
        gsize level_size = depth == 8 ? 2 : 4;
        gsize full, header, writer;

        format.chroma_format_idc = chroma;
        format.bit_depth_luma = format.bit_depth_chroma = depth;
        format.separate_colour_planes = separate;
        full = n_mbs * ((mb_samples[chroma] + mb_dc_levels[chroma]) * level_size + (mb_samples[chroma] / 16 + 3) * 4);
        writer = gst_coded_format_coeffs_size (&format, 2) - gst_coded_format_coeffs_size (&format, 1);
        header = MIN (n_mbs * planes, GST_CODED_MAX_SLICES) * (sizeof (GstGpuSlice) + sizeof (GstGpuInterSlice))
            + n_mbs * planes * (sizeof (GstGpuMb) + 16 * sizeof (GstGpuPartition));

        fail_unless (gst_coded_format_coeffs_size (&format, 1) >= full / 65536 * 68608 + 16 * planes * 65536);
        fail_unless (gst_coded_format_coeffs_size (&format, 1) <= full + full / 8 + n_mbs * 160 + 32 * planes * 65536);
        fail_unless (writer >= 16 * planes * 65536);
        fail_unless (gst_coded_format_header_size (&format) >= header + full / 65536 * sizeof (GstGpuSegment));
        fail_unless (gst_coded_format_header_size (&format) <= header + header / 8 + 400000);
        /* as many slices as there can be, and a slice less */
        assert_equals_uint64 (gst_coded_format_header_size_for (&format, GST_CODED_MAX_SLICES), gst_coded_format_header_size (&format));
        fail_unless (gst_coded_format_header_size_for (&format, 1) < gst_coded_format_header_size (&format));
        fail_unless (gst_coded_format_coeffs_size (&format, 1) % GST_CODED_ARENA_ALIGNMENT == 0);
        fail_unless (gst_coded_format_header_size (&format) % GST_CODED_ARENA_ALIGNMENT == 0);
      }
    }
  }
}

GST_END_TEST;

GST_START_TEST (test_arena_sizes_do_not_overflow)
{
  GstCodedFormat format = format_of_size (8704, 4096);

  format.chroma_format_idc = 3;
  format.bit_depth_luma = 14;
  format.separate_colour_planes = TRUE;
  /* 139264 macroblocks of 3 x 256 samples at 4 bytes are 428 MB */
  fail_unless (gst_coded_format_coeffs_size (&format, 1) > G_GUINT64_CONSTANT (427819008));
  fail_unless (
      gst_coded_format_header_size (&format) > G_GUINT64_CONSTANT (139264) * 3 * (sizeof (GstGpuMb) + 16 * sizeof (GstGpuPartition)));
#if GLIB_SIZEOF_SIZE_T == 8
  fail_unless (gst_coded_format_coeffs_size (&format, G_MAXUINT) / G_MAXUINT >= 16 * 3 * 65536);
#else
  assert_equals_uint64 (gst_coded_format_coeffs_size (&format, G_MAXUINT), 0);
#endif
}

GST_END_TEST;

static const struct
{
  guint chroma_format_idc, bit_depth_luma, bit_depth_chroma;
  gboolean rgb;
  GstVideoFormat formats[2];
} raw_formats[] = {
  { 1, 8, 8, FALSE, { GST_VIDEO_FORMAT_I420 } },
  { 1, 9, 9, FALSE, { GST_VIDEO_FORMAT_I420_10LE } },
  { 1, 8, 10, FALSE, { GST_VIDEO_FORMAT_I420_10LE } },
  { 1, 11, 8, FALSE, { GST_VIDEO_FORMAT_I420_12LE } },
  { 1, 12, 12, FALSE, { GST_VIDEO_FORMAT_I420_12LE } },
  { 1, 13, 13, FALSE, { GST_VIDEO_FORMAT_P016_LE } },
  { 1, 8, 14, FALSE, { GST_VIDEO_FORMAT_P016_LE } },
  { 2, 8, 8, FALSE, { GST_VIDEO_FORMAT_Y42B } },
  { 2, 10, 10, FALSE, { GST_VIDEO_FORMAT_I422_10LE } },
  { 2, 11, 11, FALSE, { GST_VIDEO_FORMAT_I422_12LE } },
  { 2, 14, 14, FALSE, { GST_VIDEO_FORMAT_Y444_16LE } },
  { 3, 8, 8, FALSE, { GST_VIDEO_FORMAT_Y444 } },
  { 3, 10, 9, FALSE, { GST_VIDEO_FORMAT_Y444_10LE } },
  { 3, 12, 12, FALSE, { GST_VIDEO_FORMAT_Y444_12LE } },
  { 3, 13, 8, FALSE, { GST_VIDEO_FORMAT_Y444_16LE } },
  { 3, 8, 8, TRUE, { GST_VIDEO_FORMAT_GBR } },
  { 3, 9, 9, TRUE, { GST_VIDEO_FORMAT_GBR_10LE } },
  { 3, 12, 12, TRUE, { GST_VIDEO_FORMAT_GBR_12LE } },
  { 3, 14, 14, TRUE, { GST_VIDEO_FORMAT_ARGB64 } },
  { 0, 8, 8, FALSE, { GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_I420 } },
  { 0, 8, 12, FALSE, { GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_I420 } },
  { 0, 10, 8, FALSE, { GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_I420_10LE } },
  { 0, 14, 14, FALSE, { GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_P016_LE } },
};

GST_START_TEST (test_raw_formats)
{
  for (guint i = 0; i < G_N_ELEMENTS (raw_formats); i++) {
    GstCodedFormat format = format_of_size (64, 64);
    GstVideoFormat formats[4];
    guint n = raw_formats[i].formats[1] == GST_VIDEO_FORMAT_UNKNOWN ? 1 : 2;

    format.chroma_format_idc = raw_formats[i].chroma_format_idc;
    format.bit_depth_luma = raw_formats[i].bit_depth_luma;
    format.bit_depth_chroma = raw_formats[i].bit_depth_chroma;
    if (raw_formats[i].rgb)
      format.colorimetry.matrix = GST_VIDEO_COLOR_MATRIX_RGB;
    assert_equals_int (gst_coded_format_get_raw_formats (&format, formats), n);
    assert_equals_string (gst_video_format_to_string (formats[0]), gst_video_format_to_string (raw_formats[i].formats[0]));
    if (n > 1)
      assert_equals_string (gst_video_format_to_string (formats[1]), gst_video_format_to_string (raw_formats[i].formats[1]));
    assert_equals_int (formats[n], GST_VIDEO_FORMAT_UNKNOWN);
  }
}

GST_END_TEST;

GST_START_TEST (test_sample_size)
{
  GstCodedFormat format = format_of_size (64, 64);

  assert_equals_int (gst_coded_format_sample_size (&format), 1);
  format.bit_depth_chroma = 9;
  assert_equals_int (gst_coded_format_sample_size (&format), 2);
  format.bit_depth_chroma = 8;
  format.bit_depth_luma = 14;
  assert_equals_int (gst_coded_format_sample_size (&format), 2);
}

GST_END_TEST;

static Suite *
codedformat_suite (void)
{
  Suite *s = suite_create ("codedformat");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_round_trip);
  tcase_add_test (tc, test_round_trip_colours);
  tcase_add_test (tc, test_round_trip_sizes);
  tcase_add_test (tc, test_rejects);
  tcase_add_test (tc, test_rejects_other_caps);
  tcase_add_test (tc, test_arena_sizes);
  tcase_add_test (tc, test_arena_sizes_do_not_overflow);
  tcase_add_test (tc, test_raw_formats);
  tcase_add_test (tc, test_sample_size);

  return s;
}

GST_CHECK_MAIN (codedformat);
