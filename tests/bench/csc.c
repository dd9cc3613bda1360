/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bench-csc [WIDTH HEIGHT]: milliseconds a picture of gpucsc and of videoconvert, from system memory to mapped system memory, the best of
 * several rounds.
 */
#include <gst/check/gstharness.h>
#include <gst/video/video.h>
#include <stdlib.h>

#define ROUNDS 10
#define PICTURES 3

static const gchar *pairs[][2] = {
  { "I420", "RGBA" },
  { "I420", "NV12" },
  { "I420_10LE", "RGBA" },
  { "I420_10LE", "P010_10LE" },
  { "I422_10LE", "RGBA" },
  { "I422_10LE", "NV12" },
  { "NV12", "BGRx" },
  { "RGBA", "I420" },
  { "Y444_12LE", "ARGB64" },
  { "GBR", "I420" },
};

static const gchar *elements[] = { "gpucsc", "videoconvert", "videoconvert n-threads=0" };

static GstCaps *
caps_new (const gchar *format, gint width, gint height)
{
  return gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING, format, "width", G_TYPE_INT, width, "height", G_TYPE_INT, height,
      "framerate", GST_TYPE_FRACTION, 25, 1, NULL);
}

/* One picture through @h, until the CPU can read it.  FALSE where nothing comes out */
static gboolean
convert (GstHarness *h, GstBuffer *buffer)
{
  GstBuffer *out;
  GstMapInfo map;
  gboolean ok;

  if (gst_harness_push (h, gst_buffer_ref (buffer)) != GST_FLOW_OK)
    return FALSE;
  out = gst_harness_try_pull (h);
  if (!out)
    return FALSE;
  ok = gst_buffer_map (out, &map, GST_MAP_READ);
  if (ok)
    gst_buffer_unmap (out, &map);
  gst_buffer_unref (out);

  return ok;
}

/* Milliseconds a picture, negative where it does not work */
static gdouble
measure (const gchar *element, const gchar *from, const gchar *to, gint width, gint height)
{
  GstHarness *h = gst_harness_new_parse (element);
  GstCaps *in_caps = caps_new (from, width, height);
  GstBuffer *in;
  GstVideoInfo info;
  gdouble best = G_MAXDOUBLE;
  gboolean ok = TRUE;

  gst_video_info_from_caps (&info, in_caps);
  in = gst_buffer_new_allocate (NULL, info.size, NULL);
  gst_buffer_memset (in, 0, 99, info.size);
  gst_harness_set_caps (h, in_caps, caps_new (to, width, height));
  for (guint i = 0; i < 3 && ok; i++)
    ok = convert (h, in);
  for (guint round = 0; round < ROUNDS && ok; round++) {
    gint64 start = g_get_monotonic_time ();
    gdouble ms;

    for (guint i = 0; i < PICTURES && ok; i++)
      ok = convert (h, in);
    ms = (g_get_monotonic_time () - start) / 1000.0 / PICTURES;
    best = MIN (best, ms);
  }
  gst_buffer_unref (in);
  gst_harness_teardown (h);

  return ok ? best : -1;
}

int
main (int argc, char **argv)
{
  gint width, height;

  gst_init (&argc, &argv);
  width = argc > 2 ? atoi (argv[1]) : 1920;
  height = argc > 2 ? atoi (argv[2]) : 1080;
  if (width < 1 || height < 1) {
    g_printerr ("usage: %s [WIDTH HEIGHT]\n", argv[0]);
    return 2;
  }
  g_print ("%-26s", "ms a picture");
  for (guint i = 0; i < G_N_ELEMENTS (elements); i++)
    g_print (" %26s", elements[i]);
  g_print ("\n");
  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++) {
    g_print ("%-12s %-12s ", pairs[i][0], pairs[i][1]);
    for (guint j = 0; j < G_N_ELEMENTS (elements); j++)
      g_print (" %26.2f", measure (elements[j], pairs[i][0], pairs[i][1], width, height));
    g_print ("\n");
  }

  return 0;
}
