/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report.h"

#include "recordview.h"
#include "reportframe.h"
#include "reportimage.h"
#include "reportlog.h"
#include "reportpage.h"
#include "reportwatch.h"

/* Where no frame is asked for, the one to show is among this many first ones. */
#define N_CANDIDATES 100

/* Of the coded pictures of a frame, summed up */
typedef enum
{
  COLUMN_FRAMES,
  COLUMN_SECONDS, /* time of the frame, in the stream */
  COLUMN_ELAPSED, /* since decoding began */
  COLUMN_BITS,
  COLUMN_COEFFICIENTS, /* that are not 0 */
  COLUMN_BLOCKS,
  COLUMN_I,
  COLUMN_P,
  COLUMN_B,
  COLUMN_INTRA_MBS,
  COLUMN_PCM_MBS,
  COLUMN_INTER_MBS,
  COLUMN_OUTPUT,
  COLUMN_CORRUPTED,
  N_COLUMNS
} Column;

static const gchar *const column_names[N_COLUMNS] = {
  [COLUMN_FRAMES] = "frames",
  [COLUMN_SECONDS] = "seconds",
  [COLUMN_ELAPSED] = "elapsed",
  [COLUMN_BITS] = "bits",
  [COLUMN_COEFFICIENTS] = "coefficients",
  [COLUMN_BLOCKS] = "blocks",
  [COLUMN_I] = "i",
  [COLUMN_P] = "p",
  [COLUMN_B] = "b",
  [COLUMN_INTRA_MBS] = "intra",
  [COLUMN_PCM_MBS] = "pcm",
  [COLUMN_INTER_MBS] = "inter",
  [COLUMN_OUTPUT] = "output",
  [COLUMN_CORRUPTED] = "corrupted",
};

typedef struct
{
  gchar *name, *value;
} Fact;

/* A stage, and the report that it belongs to */
typedef struct
{
  Report *report;
  ReportWatch *watch;
  gboolean gives_pictures; /* the entropy stage: what comes out of it is looked at, and before that the counters are read */
} Stage;

struct _Report
{
  gint64 wanted_frame;
  gint64 begin; /* monotonic time */
  gchar *title;
  GPtrArray *facts;

  GMutex lock; /* of all that follows */
  ReportSeries *series;
  ReportLog *log;
  GPtrArray *stages;
  GHashTable *plugins; /* name: "name version: elements" */
  GstCaps *input_caps, *coded_caps, *output_caps;
  guint64 n_coded_frames, n_coded_pictures, n_output;
  ReportFrame *current; /* (nullable): the frame whose pictures are coming, where it may be the one that is shown */
  ReportFrame *best;    /* (nullable): of those that came before */
};

static void
fact_free (gpointer data)
{
  Fact *fact = data;

  g_free (fact->name);
  g_free (fact->value);
  g_free (fact);
}

static void
stage_free (gpointer data)
{
  report_watch_free (((Stage *) data)->watch);
  g_free (data);
}

Report *
report_new (gint64 frame)
{
  static const ReportColumnKind kinds[N_COLUMNS] = { [COLUMN_SECONDS] = REPORT_FIRST, [COLUMN_ELAPSED] = REPORT_FIRST };
  Report *self = g_new0 (Report, 1);

  self->wanted_frame = frame;
  self->begin = g_get_monotonic_time ();
  self->facts = g_ptr_array_new_with_free_func (fact_free);
  g_mutex_init (&self->lock);
  self->series = report_series_new ();
  /* the columns have the numbers of the enumeration */
  for (guint i = 0; i < N_COLUMNS; i++)
    report_series_add_column (self->series, kinds[i]);
  self->log = report_log_new ();
  self->stages = g_ptr_array_new_with_free_func (stage_free);
  self->plugins = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

void
report_free (Report *self)
{
  g_clear_pointer (&self->current, report_frame_free);
  g_clear_pointer (&self->best, report_frame_free);
  gst_clear_caps (&self->input_caps);
  gst_clear_caps (&self->coded_caps);
  gst_clear_caps (&self->output_caps);
  g_hash_table_unref (self->plugins);
  g_ptr_array_unref (self->stages);
  report_log_free (self->log);
  report_series_free (self->series);
  g_mutex_clear (&self->lock);
  g_ptr_array_unref (self->facts);
  g_free (self->title);
  g_free (self);
}

static gdouble
get_elapsed (const Report *self)
{
  return (gdouble) (g_get_monotonic_time () - self->begin) / G_USEC_PER_SEC;
}

static void
take_pad_caps (GstCaps **caps, GstPad *pad)
{
  GstCaps *current = gst_pad_get_current_caps (pad);

  if (current)
    gst_caps_take (caps, current);
}

/* ---- coded pictures ---- */

static void
count_mbs (Report *self, const RecordView *view, guint64 frame)
{
  guint64 n_intra = 0, n_pcm = 0, n_inter = 0;

  for (guint plane = 0; plane < view->picture->n_colour_planes; plane++) {
    const GstGpuMb *mbs = record_view_get_mbs (view, plane);

    for (guint i = 0, n = record_view_count_mbs (view, plane); i < n; i++) {
      n_pcm += mbs[i].mb_class == GST_GPU_MB_IPCM;
      n_inter += mbs[i].mb_class == GST_GPU_MB_INTER;
      n_intra += mbs[i].mb_class < GST_GPU_MB_IPCM;
    }
  }
  report_series_add (self->series, COLUMN_INTRA_MBS, frame, (gdouble) n_intra);
  report_series_add (self->series, COLUMN_PCM_MBS, frame, (gdouble) n_pcm);
  report_series_add (self->series, COLUMN_INTER_MBS, frame, (gdouble) n_inter);
}

static void
count_picture (Report *self, const RecordView *view, guint64 frame)
{
  const gchar type = record_view_get_type (view);

  report_series_add (self->series, COLUMN_BITS, frame, 8.0 * (gdouble) view->picture->slice_bytes);
  report_series_add (self->series, COLUMN_COEFFICIENTS, frame, (gdouble) record_view_count_levels (view, NULL));
  report_series_add (self->series, COLUMN_BLOCKS, frame, (gdouble) view->blocks->n_blocks);
  report_series_add (self->series, type == 'I' ? COLUMN_I : type == 'P' ? COLUMN_P : COLUMN_B, frame, 1);
  count_mbs (self, view, frame);
}

static void
begin_frame (Report *self, GstBuffer *buffer, guint64 frame)
{
  self->n_coded_frames = frame + 1;
  report_series_add (self->series, COLUMN_FRAMES, frame, 1);
  if (GST_BUFFER_PTS_IS_VALID (buffer))
    report_series_add (self->series, COLUMN_SECONDS, frame, (gdouble) GST_BUFFER_PTS (buffer) / GST_SECOND);
  report_series_add (self->series, COLUMN_ELAPSED, frame, get_elapsed (self));
}

/* All pictures of the current frame have come. */
static void
end_frame (Report *self)
{
  if (!self->current)
    return;
  if (report_frame_is_better (self->current, self->best)) {
    g_clear_pointer (&self->best, report_frame_free);
    self->best = g_steal_pointer (&self->current);
  }
  g_clear_pointer (&self->current, report_frame_free);
}

/* Keeps the records of a frame that may be shown. */
static void
keep_records (Report *self, const RecordView *view, guint64 frame, gboolean begins)
{
  const gboolean wanted = self->wanted_frame < 0 ? frame < N_CANDIDATES : frame == (guint64) self->wanted_frame;
  GstCodedFormat format;

  if (begins)
    end_frame (self);
  if (begins && wanted && self->coded_caps && gst_coded_format_from_caps (&format, self->coded_caps))
    self->current = report_frame_new (frame, view, &format);
  if (self->current)
    report_frame_add_picture (self->current, view);
}

static void
take_picture (Stage *stage, GstBuffer *buffer)
{
  Report *self = stage->report;
  RecordView view;
  gboolean begins;
  guint64 frame;

  if (!record_view_init (&view, buffer))
    return;
  begins = report_watch_advance (stage->watch, view.picture);
  frame = (guint64) stage->watch->frame;
  if (begins)
    begin_frame (self, buffer, frame);
  self->n_coded_pictures++;
  count_picture (self, &view, frame);
  keep_records (self, &view, frame, begins);
  record_view_clear (&view);
}

/* On the source pad of the entropy stage */
static GstPadProbeReturn
on_coded_picture (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Stage *stage = user_data;
  Report *self = stage->report;
  GstPad *sink = gst_element_get_static_pad (stage->watch->element, "sink");

  g_mutex_lock (&self->lock);
  take_pad_caps (&self->input_caps, sink);
  take_pad_caps (&self->coded_caps, pad);
  take_picture (stage, GST_PAD_PROBE_INFO_BUFFER (info));
  report_watch_read (stage->watch);
  g_mutex_unlock (&self->lock);
  gst_object_unref (sink);
  return GST_PAD_PROBE_OK;
}

/* On the sink pad of a stage behind it */
static GstPadProbeReturn
on_stage_input (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Stage *stage = user_data;

  g_mutex_lock (&stage->report->lock);
  report_watch_read (stage->watch);
  report_watch_advance (stage->watch, gst_buffer_get_coded_picture (GST_PAD_PROBE_INFO_BUFFER (info)));
  g_mutex_unlock (&stage->report->lock);
  return GST_PAD_PROBE_OK;
}

/* ---- output ---- */

static GstPadProbeReturn
on_output (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  Report *self = user_data;
  guint64 frame;

  g_mutex_lock (&self->lock);
  take_pad_caps (&self->output_caps, pad);
  frame = self->n_output++;
  report_series_add (self->series, COLUMN_OUTPUT, frame, 1);
  if (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_CORRUPTED))
    report_series_add (self->series, COLUMN_CORRUPTED, frame, 1);
  report_log_add_frame (self->log, frame, GST_BUFFER_PTS (buffer), GST_BUFFER_FLAGS (buffer));
  g_mutex_unlock (&self->lock);
  return GST_PAD_PROBE_OK;
}

/* ---- elements ---- */

static gboolean
takes_stream (GstElement *element)
{
  GstPad *sink = gst_element_get_static_pad (element, "sink");
  GstCaps *caps = gst_pad_get_pad_template_caps (sink), *stream = gst_caps_new_empty_simple ("video/x-h264");
  const gboolean takes = gst_caps_can_intersect (caps, stream);

  gst_caps_unref (stream);
  gst_caps_unref (caps);
  gst_object_unref (sink);
  return takes;
}

static void
watch_stage (Report *self, GstElement *element)
{
  Stage *stage = g_new0 (Stage, 1);
  GstPad *pad;

  stage->report = self;
  stage->watch = report_watch_new (element, self->series);
  stage->gives_pictures = takes_stream (element);
  g_ptr_array_add (self->stages, stage);
  pad = gst_element_get_static_pad (element, stage->gives_pictures ? "src" : "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, stage->gives_pictures ? on_coded_picture : on_stage_input, stage, NULL);
  gst_object_unref (pad);
}

static void
note_plugin (Report *self, GstElement *element)
{
  GstElementFactory *factory = gst_element_get_factory (element);
  GstPlugin *plugin = factory ? gst_plugin_feature_get_plugin (GST_PLUGIN_FEATURE (factory)) : NULL;
  const gchar *known, *name = factory ? GST_OBJECT_NAME (factory) : NULL;

  if (!plugin)
    return;
  known = g_hash_table_lookup (self->plugins, gst_plugin_get_name (plugin));
  if (!known)
    g_hash_table_insert (self->plugins, g_strdup (gst_plugin_get_name (plugin)),
        g_strdup_printf ("%s %s: %s", gst_plugin_get_name (plugin), gst_plugin_get_version (plugin), name));
  else if (!strstr (known, name))
    g_hash_table_insert (self->plugins, g_strdup (gst_plugin_get_name (plugin)), g_strdup_printf ("%s, %s", known, name));
  gst_object_unref (plugin);
}

static void
take_element (Report *self, GstElement *element)
{
  g_mutex_lock (&self->lock);
  note_plugin (self, element);
  if (report_watch_is_stage (element))
    watch_stage (self, element);
  g_mutex_unlock (&self->lock);
}

void
report_watch_decoder (Report *self, GstBin *decoder, GstPad *output)
{
  GstIterator *elements = gst_bin_iterate_recurse (decoder);
  GPtrArray *found = g_ptr_array_new ();
  GValue item = G_VALUE_INIT;

  /* nobody adds elements to it now, so no resync */
  while (gst_iterator_next (elements, &item) == GST_ITERATOR_OK) {
    g_ptr_array_add (found, g_value_get_object (&item));
    g_value_reset (&item);
  }
  g_value_unset (&item);
  gst_iterator_free (elements);
  /* from sink to source */
  for (guint i = found->len; i-- > 0;)
    take_element (self, g_ptr_array_index (found, i));
  g_ptr_array_unref (found);
  gst_pad_add_probe (output, GST_PAD_PROBE_TYPE_BUFFER, on_output, self, NULL);
}

/* ---- messages and facts ---- */

void
report_take_message (Report *self, GstMessage *message)
{
  const gchar *kind = "note";
  GError *error = NULL;
  gchar *debug = NULL;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    kind = "error";
    gst_message_parse_error (message, &error, &debug);
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING) {
    kind = "warning";
    gst_message_parse_warning (message, &error, &debug);
  } else {
    gst_message_parse_info (message, &error, &debug);
  }
  g_mutex_lock (&self->lock);
  report_log_add_message (self->log, kind, GST_MESSAGE_SRC_NAME (message), error->message, get_elapsed (self), self->n_coded_frames);
  g_mutex_unlock (&self->lock);
  g_error_free (error);
  g_free (debug);
}

void
report_set_title (Report *self, const gchar *title)
{
  g_free (self->title);
  self->title = g_strdup (title);
}

void
report_add_fact (Report *self, const gchar *name, const gchar *value)
{
  Fact *fact;

  if (!value)
    return;
  fact = g_new (Fact, 1);
  *fact = (Fact){ g_strdup (name), g_strdup (value) };
  g_ptr_array_add (self->facts, fact);
}

/* The caps but for bytes that nobody can read */
static void
add_caps (Report *self, const gchar *name, const GstCaps *caps)
{
  GstCaps *readable;
  gchar *text;

  if (!caps)
    return;
  readable = gst_caps_copy (caps);
  for (guint i = 0; i < gst_caps_get_size (readable); i++)
    gst_structure_remove_fields (gst_caps_get_structure (readable, i), "codec_data", "streamheader", NULL);
  text = gst_caps_to_string (readable);
  report_add_fact (self, name, text);
  g_free (text);
  gst_caps_unref (readable);
}

static gint
compare_texts (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (a, b);
}

static void
add_own_facts (Report *self)
{
  GList *plugins = g_list_sort (g_hash_table_get_values (self->plugins), compare_texts);
  GString *text = g_string_new (NULL);
  gchar *version = gst_version_string ();

  add_caps (self, "Stream", self->input_caps);
  add_caps (self, "Coded pictures", self->coded_caps);
  add_caps (self, "Output", self->output_caps);
  report_add_fact (self, "GStreamer", version);
  for (GList *item = plugins; item; item = item->next)
    g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", (const gchar *) item->data);
  report_add_fact (self, "Plugins", text->str);
  g_string_free (text, TRUE);
  g_list_free (plugins);
  g_free (version);
}

/* ---- writing ---- */

static void
write_facts (const Report *self, JsonWriter *json)
{
  json_begin_array (json, "facts");
  for (guint i = 0; i < self->facts->len; i++) {
    const Fact *fact = g_ptr_array_index (self->facts, i);

    json_begin_array (json, NULL);
    json_add_string (json, NULL, fact->name);
    json_add_string (json, NULL, fact->value);
    json_end_array (json);
  }
  json_end_array (json);
}

static void
write_summary (const Report *self, JsonWriter *json)
{
  json_begin_object (json, "summary");
  json_add_number (json, "frames", (gdouble) self->n_coded_frames);
  json_add_number (json, "pictures", (gdouble) self->n_coded_pictures);
  json_add_number (json, "output", (gdouble) self->n_output);
  json_add_number (json, "corrupted", (gdouble) report_log_count_corrupted (self->log));
  json_add_number (json, "seconds", get_elapsed (self));
  json_end_object (json);
}

static void
write_series (const Report *self, JsonWriter *json)
{
  json_begin_object (json, "series");
  json_add_number (json, "step", (gdouble) report_series_get_step (self->series));
  json_add_number (json, "points", report_series_get_length (self->series));
  for (guint i = 0; i < N_COLUMNS; i++)
    report_series_write (self->series, i, column_names[i], json);
  json_end_object (json);
  json_begin_array (json, "stages");
  for (guint i = 0; i < self->stages->len; i++)
    report_watch_write (((Stage *) g_ptr_array_index (self->stages, i))->watch, json);
  json_end_array (json);
}

static void
write_frame (const Report *self, JsonWriter *json)
{
  gchar *image;

  if (!self->best) {
    json_add_string (json, "frame", NULL);
    return;
  }
  image = report_image_make (self->best->store, &self->best->format);
  report_frame_write (self->best, image, "frame", json);
  g_free (image);
}

gboolean
report_write (Report *self, const gchar *path, GError **error)
{
  JsonWriter json;
  gboolean ok;

  g_mutex_lock (&self->lock);
  end_frame (self);
  for (guint i = 0; i < self->stages->len; i++)
    report_watch_read (((Stage *) g_ptr_array_index (self->stages, i))->watch);
  add_own_facts (self);
  json_writer_init (&json);
  json_begin_object (&json, NULL);
  write_facts (self, &json);
  write_summary (self, &json);
  report_log_write (self->log, &json);
  write_series (self, &json);
  write_frame (self, &json);
  json_end_object (&json);
  ok = report_page_write (path, self->title ? self->title : "video", json.text->str, error);
  json_writer_clear (&json);
  g_mutex_unlock (&self->lock);
  return ok;
}

gchar *
report_explain_missing_frame (Report *self)
{
  if (self->wanted_frame < 0 || self->best)
    return NULL;
  return g_strdup_printf ("there is no frame %" G_GINT64_FORMAT ": %" G_GUINT64_FORMAT " came, counted from 0", self->wanted_frame,
      self->n_coded_frames);
}
