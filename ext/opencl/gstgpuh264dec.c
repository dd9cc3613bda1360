/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-gpuh264dec
 * @title: gpuh264dec
 * @short_description: decodes H.264, entropy decoding on the CPU, the rest on an OpenCL device
 *
 * The row h264entropy ! gpuidct ! gpuinterpred ! gpuintrapred ! gpudeblock as one element, as players and transcoders take it.  Its
 * properties are those of the elements in it.
 *
 * |[
 * gst-launch-1.0 filesrc location=clip.mp4 ! qtdemux ! h264parse ! gpuh264dec ! videoconvert ! autovideosink
 * ]|
 *
 * Its rank depends on the devices: primary where there is a GPU, marginal where there are CPUs only, none without a driver.
 * GST_PLUGIN_FEATURE_RANK=gpuh264dec:MAX makes it the first choice.
 */
#include "gstgpuh264dec.h"

#include "gstclelement.h"
#include "gstcodedformat.h"
#include "gstdecodeproperties.h"
#include "gstdecoderow.h"
#include "gstgpudeblock.h"

#define ENTROPY_STAGE "h264entropy"

/* Those that are decoded whole: of Extended, streams with data partitions or SP and SI slices are not. */
#define PROFILES                                                                                               \
  "{ constrained-baseline, baseline, main, high, constrained-high, progressive-high, high-10, high-10-intra, " \
  "progressive-high-10, high-4:2:2, high-4:2:2-intra, high-4:4:4, high-4:4:4-predictive, high-4:4:4-intra, "   \
  "cavlc-4:4:4-intra, multiview-high, stereo-high, scalable-constrained-baseline, scalable-baseline, scalable-high }"

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS (
        "video/x-h264, stream-format=(string){ avc, avc3, byte-stream }, alignment=(string){ au, nal }, profile=(string)" PROFILES));

/* Properties of all stages have the numbers that those have, and behind them come those of the entropy stage. */
#define FIRST_ENTROPY_PROPERTY GST_CL_PROP_DEVICES

/* Of these, those that are of all stages */
#define MEASURE_TIME (FIRST_ENTROPY_PROPERTY + GST_DECODE_PROPERTY_MEASURE_TIME)
#define STATS (FIRST_ENTROPY_PROPERTY + GST_DECODE_PROPERTY_STATS)

/**
 * GstGpuH264Dec:
 * @row: (nullable): the row, in the bin; %NULL where an element of it is not there
 * @missing: (nullable): why
 * @answer_query: what the sink pad had as a ghost pad
 */
struct _GstGpuH264Dec
{
  GstBin bin;

  GstElement *row;
  GError *missing;
  GstPadQueryFunction answer_query;
};

G_DEFINE_TYPE (GstGpuH264Dec, gst_gpu_h264_dec, GST_TYPE_BIN);

static void
set_on_stage (GstGpuH264Dec *self, const gchar *stage, GParamSpec *pspec, const GValue *value)
{
  GstElement *element = gst_decode_row_find (GST_BIN (self->row), stage);

  g_object_set_property (G_OBJECT (element), pspec->name, value);
  gst_object_unref (element);
}

static void
gst_gpu_h264_dec_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GstGpuH264Dec *self = GST_GPU_H264_DEC (object);
  const gchar *stage;

  if (!self->row)
    return;
  if (id >= FIRST_ENTROPY_PROPERTY)
    set_on_stage (self, ENTROPY_STAGE, pspec, value);
  if (id >= FIRST_ENTROPY_PROPERTY && id != MEASURE_TIME)
    return;
  for (guint i = 0; (stage = gst_decode_row_get_stage (i)); i++)
    set_on_stage (self, stage, pspec, value);
}

static void
add_stats (GstGpuH264Dec *self, const gchar *stage, GstStructure *all)
{
  GstElement *element = gst_decode_row_find (GST_BIN (self->row), stage);
  GstStructure *stats;

  g_object_get (element, "stats", &stats, NULL);
  gst_structure_set (all, stage, GST_TYPE_STRUCTURE, stats, NULL);
  gst_structure_free (stats);
  gst_object_unref (element);
}

/* (transfer full): those of each element of the row, by its name */
static GstStructure *
get_stats (GstGpuH264Dec *self)
{
  GstStructure *all = gst_structure_new_empty ("gpuh264dec-stats");
  const gchar *stage;

  if (!self->row)
    return all;
  add_stats (self, ENTROPY_STAGE, all);
  for (guint i = 0; (stage = gst_decode_row_get_stage (i)); i++)
    add_stats (self, stage, all);
  return all;
}

static void
gst_gpu_h264_dec_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GstGpuH264Dec *self = GST_GPU_H264_DEC (object);
  const gchar *stage = id >= FIRST_ENTROPY_PROPERTY ? ENTROPY_STAGE : gst_decode_row_get_stage (0);
  GstElement *element;

  if (id == STATS) {
    g_value_take_boxed (value, get_stats (self));
    return;
  }
  element = self->row ? gst_decode_row_find (GST_BIN (self->row), stage) : NULL;

  if (!element) {
    g_param_value_set_default (pspec, value);
    return;
  }
  g_object_get_property (G_OBJECT (element), pspec->name, value);
  gst_object_unref (element);
}

static GstStateChangeReturn
gst_gpu_h264_dec_change_state (GstElement *element, GstStateChange transition)
{
  GstGpuH264Dec *self = GST_GPU_H264_DEC (element);

  if (transition == GST_STATE_CHANGE_NULL_TO_READY && !self->row) {
    GST_ELEMENT_ERROR (self, CORE, MISSING_PLUGIN, ("An element of the decoder is not there: %s.", self->missing->message), (NULL));
    return GST_STATE_CHANGE_FAILURE;
  }
  return GST_ELEMENT_CLASS (gst_gpu_h264_dec_parent_class)->change_state (element, transition);
}

static void
gst_gpu_h264_dec_finalize (GObject *object)
{
  g_clear_error (&GST_GPU_H264_DEC (object)->missing);
  G_OBJECT_CLASS (gst_gpu_h264_dec_parent_class)->finalize (object);
}

/* (transfer full): what the last stage gives, but for coded pictures */
static GstPadTemplate *
make_src_template (void)
{
  GstElementClass *last = g_type_class_ref (GST_TYPE_GPU_DEBLOCK);
  GstCaps *all = gst_pad_template_get_caps (gst_element_class_get_pad_template (last, "src")), *raw = gst_caps_new_empty ();
  GstPadTemplate *template;

  for (guint i = 0; i < gst_caps_get_size (all); i++)
    if (gst_structure_has_name (gst_caps_get_structure (all, i), "video/x-raw"))
      gst_caps_append_structure_full (raw, gst_structure_copy (gst_caps_get_structure (all, i)),
          gst_caps_features_copy (gst_caps_get_features (all, i)));
  template = gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, raw);
  gst_caps_unref (raw);
  gst_caps_unref (all);
  g_type_class_unref (last);
  return template;
}

/* @gpu: which of several GPUs it uses */
static void
set_metadata (GstElementClass *klass, gboolean has_gpu, guint gpu)
{
  gchar *name = gpu > 0 ? g_strdup_printf ("H.264 decoder (OpenCL, GPU %u)", gpu) : g_strdup ("H.264 decoder (OpenCL)");

  gst_element_class_set_metadata (klass, name, has_gpu ? "Codec/Decoder/Video/Hardware" : "Codec/Decoder/Video",
      "Decodes H.264: entropy decoding on the CPU, the rest on an OpenCL device", GST_GPU_CODEC_AUTHOR);
  g_free (name);
}

static void
gst_gpu_h264_dec_class_init (GstGpuH264DecClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = gst_gpu_h264_dec_set_property;
  object_class->get_property = gst_gpu_h264_dec_get_property;
  object_class->finalize = gst_gpu_h264_dec_finalize;
  element_class->change_state = gst_gpu_h264_dec_change_state;
  gst_cl_element_install_choice (object_class);
  gst_decode_properties_install (object_class, FIRST_ENTROPY_PROPERTY);
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_pad_template (element_class, make_src_template ());
  set_metadata (element_class, FALSE, 0);
}

/* Not ranges in the template: a filter in front that names all but the size would leave open what its output is. */
static gboolean
has_possible_size (const GstCaps *caps)
{
  const GstStructure *s = gst_caps_get_structure (caps, 0);
  gint width = 1, height = 1;

  (void) gst_structure_get_int (s, "width", &width);
  (void) gst_structure_get_int (s, "height", &height);
  return gst_coded_format_allows_size (width, height);
}

static gboolean
gst_gpu_h264_dec_sink_query (GstPad *pad, GstObject *parent, GstQuery *query)
{
  GstCaps *caps;

  if (GST_QUERY_TYPE (query) == GST_QUERY_ACCEPT_CAPS) {
    gst_query_parse_accept_caps (query, &caps);
    if (gst_caps_is_fixed (caps) && !has_possible_size (caps)) {
      gst_query_set_accept_caps_result (query, FALSE);
      return TRUE;
    }
  }
  return GST_GPU_H264_DEC (parent)->answer_query (pad, parent, query);
}

static void
add_pad (GstGpuH264Dec *self, const gchar *name)
{
  GstPadTemplate *template = gst_element_class_get_pad_template (GST_ELEMENT_GET_CLASS (self), name);
  GstPad *target = self->row ? gst_element_get_static_pad (self->row, name) : NULL;
  GstPad *pad =
      target ? gst_ghost_pad_new_from_template (name, target, template) : gst_ghost_pad_new_no_target_from_template (name, template);

  /* what gives pictures without a parser (RTP, MXF) does not say the profile; the entropy stage refuses what it cannot do */
  GST_PAD_SET_ACCEPT_INTERSECT (pad);
  if (GST_PAD_IS_SINK (pad)) {
    self->answer_query = GST_PAD_QUERYFUNC (pad);
    gst_pad_set_query_function (pad, gst_gpu_h264_dec_sink_query);
  }
  gst_element_add_pad (GST_ELEMENT (self), pad);
  gst_clear_object (&target);
}

static void
gst_gpu_h264_dec_init (GstGpuH264Dec *self)
{
  const GstDecodeRow row = GST_DECODE_ROW_INIT;

  self->row = gst_decode_row_make_bin (&row, &self->missing);
  if (self->row)
    gst_bin_add (GST_BIN (self), self->row);
  add_pad (self, "sink");
  add_pad (self, "src");
}

/* ---- registration ---- */

/* qdata of the types of further GPUs: which one */
#define GPU_QUARK (g_quark_from_static_string ("gst-gpu-h264-dec-gpu"))

static void
further_class_init (gpointer klass, gpointer gpu)
{
  set_metadata (klass, TRUE, GPOINTER_TO_UINT (gpu));
}

static void
further_init (GTypeInstance *instance, gpointer klass)
{
  gchar *name = g_strdup_printf ("gpu:%u", GPOINTER_TO_UINT (g_type_get_qdata (G_TYPE_FROM_CLASS (klass), GPU_QUARK)));

  g_object_set (instance, "device-name", name, NULL);
  g_free (name);
}

/* As GStreamer's plugins va and nvcodec have an element for each device */
static gboolean
register_further (GstPlugin *plugin, guint gpu, guint rank)
{
  gchar *type_name = g_strdup_printf ("GstGpuH264Device%uDec", gpu), *name = g_strdup_printf ("gpuh264device%udec", gpu);
  GTypeInfo info = { .class_size = sizeof (GstGpuH264DecClass),
    .class_init = further_class_init,
    .class_data = GUINT_TO_POINTER (gpu),
    .instance_size = sizeof (GstGpuH264Dec),
    .instance_init = further_init };
  GType type = g_type_register_static (GST_TYPE_GPU_H264_DEC, type_name, &info, 0);
  gboolean ret;

  g_type_set_qdata (type, GPU_QUARK, GUINT_TO_POINTER (gpu));
  ret = gst_element_register (plugin, name, rank, type);
  g_free (type_name);
  g_free (name);
  return ret;
}

/* GStreamer's decoders of fixed function have GST_RANK_PRIMARY + 1 and avdec_h264 has GST_RANK_PRIMARY: there is nothing in between. */
static guint
choose_rank (const GstClDriverFiles *files)
{
  if (!files->has_driver)
    return GST_RANK_NONE;
  return files->n_gpus > 0 ? GST_RANK_PRIMARY : GST_RANK_MARGINAL;
}

gboolean
gst_gpu_h264_dec_register (GstPlugin *plugin, const GstClDriverFiles *files)
{
  GstElementClass *klass = g_type_class_ref (GST_TYPE_GPU_H264_DEC);
  guint rank = choose_rank (files);
  gboolean ret;

  set_metadata (klass, files->n_gpus > 0, 0);
  ret = gst_element_register (plugin, "gpuh264dec", rank, GST_TYPE_GPU_H264_DEC);

  for (guint i = 1; i < files->n_gpus; i++)
    ret &= register_further (plugin, i, rank - 1);
  g_type_class_unref (klass);
  return ret;
}
