/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The file that gst-gpu-decode writes: its kind, what it can hold, and what becomes of it.
 */
#include "decodeoutput.h"
#include "decodemessages.h"

/* openh264enc holds no picture back, but asks the library for more at the end, which prints an error: the end goes round it. */
static GstPadProbeReturn
decode_on_encoder_event (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstElement *encoder = user_data;
  GstPad *src;

  if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) != GST_EVENT_EOS)
    return GST_PAD_PROBE_OK;
  src = gst_element_get_static_pad (encoder, "src");
  gst_pad_push_event (src, gst_event_ref (GST_PAD_PROBE_INFO_EVENT (info)));
  gst_object_unref (src);
  return GST_PAD_PROBE_DROP;
}

/* (nullable): the first field in which the pictures of @b are others than those of @a */
static const gchar *
find_changed_field (const GstStructure *a, const GstStructure *b)
{
  static const gchar *const fields[] = { "width", "height", "format", "chroma-format", "bit-depth-luma", "bit-depth-chroma",
    "pixel-aspect-ratio" };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
    const GValue *value_a = gst_structure_get_value (a, fields[i]), *value_b = gst_structure_get_value (b, fields[i]);

    if (value_a && value_b && gst_value_compare (value_a, value_b) != GST_VALUE_EQUAL)
      return fields[i];
  }
  return NULL;
}

gchar *
decode_refuse_change (Decode *self, const GstCaps *caps)
{
  const GstStructure *before, *after = gst_caps_get_structure (caps, 0);
  const gchar *field;
  gchar *value_before, *value_after, *refusal;

  if (!self->caps || !decode_output_ends (self, ".mp4"))
    return NULL;
  before = gst_caps_get_structure (self->caps, 0);
  if (!(field = find_changed_field (before, after)))
    return NULL;
  value_before = gst_value_serialize (gst_structure_get_value (before, field));
  value_after = gst_value_serialize (gst_structure_get_value (after, field));
  refusal =
      g_strdup_printf ("%s: the video's %s changes from %s to %s; an mp4 file has one format", self->out, field, value_before, value_after);
  g_free (value_before);
  g_free (value_after);
  return refusal;
}

/* "new-sample" of the appsink that takes the pictures of a y4m file */
static GstFlowReturn
decode_on_y4m_sample (GstElement *sink, gpointer user_data)
{
  Decode *self = user_data;
  GstSample *sample = NULL;
  GError *error = NULL;
  PlanarFormat format;
  gboolean ok;

  g_signal_emit_by_name (sink, "pull-sample", &sample);
  if (!sample)
    return GST_FLOW_EOS;
  if (!self->y4m)
    self->y4m = y4m_writer_new (self->out, &error);
  ok = self->y4m && planar_format_from_caps (&format, gst_sample_get_caps (sample), &error)
      && y4m_writer_add (self->y4m, &format, gst_sample_get_buffer (sample), &error);
  gst_sample_unref (sample);
  if (ok)
    return GST_FLOW_OK;

  GST_ELEMENT_ERROR (sink, RESOURCE, WRITE, ("%s", error->message), (NULL));
  g_error_free (error);
  return GST_FLOW_ERROR;
}

static gboolean
decode_has_display (void)
{
  return g_getenv ("DISPLAY") || g_getenv ("WAYLAND_DISPLAY");
}

gchar *
decode_describe_output (Decode *self)
{
  GstElementFactory *csc = gst_element_factory_find ("gpucsc");
  gchar *convert = csc ? g_strdup_printf ("gpucsc name=convert backend=%s platform=%d device=%d ! videoconvert",
                       self->stages.backend ? self->stages.backend : "opencl", self->stages.platform, self->stages.device)
                       : g_strdup ("videoconvert");
  gchar *output;

  gst_clear_object (&csc);
  if (!self->out)
    output = g_strdup_printf ("%s ! deinterlace ! videoscale ! autovideosink", convert);
  else if (decode_output_ends (self, ".png"))
    output = g_strdup_printf ("%s ! pngenc ! filesink name=file", convert);
  else if (decode_output_ends (self, ".mp4"))
    /* openh264enc codes progressive frames only, and mp4 players know no combs */
    output = g_strdup_printf ("%s ! video/x-raw,format=I420 ! deinterlace ! videoscale ! video/x-raw,width=[16,3840,2],height=[16,2160,2]"
                              " ! openh264enc name=encoder bitrate=20000000 qp-min=18 qp-max=24 ! h264parse ! mp4mux ! filesink name=file",
        convert);
  else /* passes everything but RGB on as it is */
    output = g_strdup (
        "videoconvert ! video/x-raw,format={GRAY8,GRAY16_LE,I420,Y42B,Y444,I420_10LE,I422_10LE,Y444_10LE,I420_12LE,I422_12LE,Y444_12LE,"
        "P016_LE,Y444_16LE} ! appsink name=y4m sync=false max-buffers=4 emit-signals=true");
  g_free (convert);

  return output;
}

void
decode_attach_output (Decode *self)
{
  GstElement *element;
  GstPad *pad;

  if ((element = gst_bin_get_by_name (GST_BIN (self->decoder), "file"))) {
    g_object_set (element, "location", self->out, NULL);
    gst_object_unref (element);
  }
  if ((element = gst_bin_get_by_name (GST_BIN (self->decoder), "y4m"))) {
    g_signal_connect (element, "new-sample", G_CALLBACK (decode_on_y4m_sample), self);
    gst_object_unref (element);
  }
  if ((element = gst_bin_get_by_name (GST_BIN (self->decoder), "encoder"))) {
    pad = gst_element_get_static_pad (element, "sink");
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, decode_on_encoder_event, element, NULL);
    gst_object_unref (pad);
    gst_object_unref (element);
  }
}

const gchar *
decode_get_conversion (Decode *self)
{
  PlanarFormat format;

  if (!self->caps || !planar_format_from_caps (&format, self->caps, NULL))
    return NULL;
  if (decode_output_ends (self, ".y4m") && format.is_rgb)
    return "Y'CbCr";
  if (decode_output_ends (self, ".mp4")
      && (format.n_planes == 1 || format.is_rgb || !format.sub_y || format.bit_depth[0] != 8 || format.bit_depth[1] != 8))
    return "4:2:0 8 bit";
  return NULL;
}

/* Where no output was named and there is no display: "clip.png" for "/videos/clip.mp4", or the first of clip-1.png, clip-2.png ... that is
 * free */
static gchar *
decode_default_output (const gchar *file)
{
  gchar *name = g_path_get_basename (file);
  gchar *dot = strrchr (name, '.');
  GStatBuf taken;
  gchar *out;

  if (dot)
    *dot = '\0';
  out = g_strconcat (name, ".png", NULL);
  for (guint i = 1; g_lstat (out, &taken) == 0; i++) {
    g_free (out);
    out = g_strdup_printf ("%s-%u.png", name, i);
  }
  g_free (name);
  return out;
}

/* The same file by whatever names: hard or symbolic links, other ways to write the path */
static gboolean
decode_is_same_file (const gchar *a, const gchar *b)
{
  GStatBuf stat_a, stat_b;

  return g_stat (a, &stat_a) == 0 && g_stat (b, &stat_b) == 0 && stat_a.st_dev == stat_b.st_dev && stat_a.st_ino == stat_b.st_ino;
}

gboolean
decode_check_output (Decode *self)
{
  if (!self->out && decode_has_display ())
    return TRUE;
  if (!self->out)
    self->out = decode_default_output (self->file);
  if (!decode_output_ends (self, ".png") && !decode_output_ends (self, ".y4m") && !decode_output_ends (self, ".mp4"))
    decode_fail (self, "%s: the output's name has to end with .png, .y4m or .mp4", self->out);
  else if (decode_is_same_file (self->file, self->out))
    decode_fail (self, "%s and %s are the same file, which the output would destroy", self->file, self->out);
  if (g_lstat (self->out, &self->out_before) != 0)
    self->out_before.st_nlink = 0;
  return !self->failed;
}

/* The report is written when all has been decoded: too late to hear that it has no place */
static void
check_report_folder (Decode *self)
{
  gchar *folder = g_path_get_dirname (self->report_file);

  if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
    decode_fail (self, "%s cannot be written: there is no folder %s", self->report_file, folder);
  else if (g_access (folder, W_OK) != 0 && g_access (self->report_file, W_OK) != 0)
    decode_fail (self, "%s cannot be written: %s", self->report_file, g_strerror (errno));
  g_free (folder);
}

gboolean
decode_check_report (Decode *self)
{
  if (!self->report_file)
    return TRUE;
  if (decode_is_same_file (self->file, self->report_file))
    decode_fail (self, "%s and %s are the same file, which the report would destroy", self->file, self->report_file);
  else if (self->out && (g_str_equal (self->out, self->report_file) || decode_is_same_file (self->out, self->report_file)))
    decode_fail (self, "%s cannot be the output and the report", self->out);
  else
    check_report_folder (self);
  return !self->failed;
}

/* After an error.  An output without a picture is of no use.  What was there before stays, unless this program has emptied it to write
 * there. */
static void
decode_leave_output (Decode *self, gboolean begun)
{
  GStatBuf out;
  gboolean is_new = self->out_before.st_nlink == 0;

  if (g_lstat (self->out, &out) != 0 || !S_ISREG (out.st_mode))
    return;
  if (begun && decode_output_ends (self, ".png"))
    g_printerr ("%s has the first picture\n", self->out);
  else if (begun && self->refusal)
    g_printerr ("%s has the pictures before that\n", self->out);
  else if (begun)
    g_printerr ("%s stays as far as it was written, which may not be all of it\n", self->out);
  else if (is_new || (self->out_before.st_size > 0 && out.st_size == 0))
    g_unlink (self->out);
}

void
decode_close_output (Decode *self)
{
  GError *error = NULL;
  /* the writer of y4m opens its file with the first picture, filesink before */
  gboolean begun = self->n_pictures > 0 && (self->y4m || !decode_output_ends (self, ".y4m"));

  if (self->y4m && !y4m_writer_finish (self->y4m, &error)) {
    decode_fail (self, "%s", error->message);
    g_error_free (error);
  }
  if (self->started && self->failed && self->out)
    decode_leave_output (self, begun);
}
