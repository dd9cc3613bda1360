/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Writes what h264entropy hands over, coefficients and macroblock records, to a file (papers/capture.h).
 *
 *   bench-capture [--skip=N] [--count=N] IN OUT
 *
 * IN: H.264 as a byte stream or in MP4.  The first N pictures (default 0) in decoding order are left out, then COUNT (default 1) written.
 */
#include <stdio.h>

#include <gst/gst.h>

#include "gstcodedpicture.h"
#include "gstcoeffmeta.h"
#include "gstdecoderow.h"
#include "capture.h"

#define ALIGNMENT 64
#define SLOT_SIZE 32

typedef struct
{
  FILE *file;
  gint skip, count;
  guint n_written;
  gchar *error;
} Capture;

/* Appends @size bytes at the next aligned place, and gives its offset. */
static guint32
append (GByteArray *arena, gconstpointer data, gsize size)
{
  static const guint8 zeros[ALIGNMENT];
  guint padding = (ALIGNMENT - arena->len % ALIGNMENT) % ALIGNMENT;
  guint32 offset;

  g_byte_array_append (arena, zeros, padding);
  offset = arena->len;
  g_byte_array_append (arena, data, size);

  return offset;
}

/* Bytes of a segment's levels or samples; 0 for I_PCM, which the transforms do not touch */
static gsize
segment_size (const GstGpuSegment *segment)
{
  static const guint8 n_levels[GST_GPU_N_H264_KINDS] = { 16, 64, 16, 4, 8, 16, 64, 0 };

  return (gsize) segment->count * n_levels[segment->kind] * (segment->wide ? 4 : 2);
}

/* Copies the lists, which lie scattered in @from, one behind the other into @to. */
static void
pack_segments (GstGpuSegment *segments, guint n_segments, const guint8 *from, GByteArray *to)
{
  for (guint i = 0; i < n_segments; i++) {
    guint32 positions = append (to, from + (gsize) segments[i].positions * 4, (gsize) segments[i].count * 4);

    segments[i].coeffs = append (to, from + (gsize) segments[i].coeffs * SLOT_SIZE, segment_size (&segments[i])) / SLOT_SIZE;
    segments[i].positions = positions / 4;
  }
}

static void
write_picture (Capture *self, const GstCodedPicture *picture, const GstCoeffMeta *meta, const guint8 *header, const guint8 *coeffs)
{
  const GstGpuPicture *params = &picture->params[0];
  GByteArray *header_arena = g_byte_array_new (), *coeffs_arena = g_byte_array_new ();
  GstGpuSegment *segments = g_memdup2 (header + picture->layout[0].segments, meta->n_segments * sizeof (GstGpuSegment));
  CaptureHeader head = { .magic = CAPTURE_MAGIC,
    .width_in_mbs = params->width_in_mbs,
    .height_in_mbs = params->height_in_mbs,
    .chroma_array_type = params->chroma_array_type,
    .bit_depth_luma = params->bit_depth_luma,
    .bit_depth_chroma = params->bit_depth_chroma,
    .n_segments = meta->n_segments };
  gboolean ok;

  pack_segments (segments, meta->n_segments, coeffs, coeffs_arena);
  head.slices_offset = append (header_arena, header + picture->layout[0].slices, picture->n_slices * sizeof (GstGpuSlice));
  head.mbs_offset =
      append (header_arena, header + picture->layout[0].mbs, (gsize) params->width_in_mbs * params->height_in_mbs * sizeof (GstGpuMb));
  head.segments_offset = append (header_arena, segments, meta->n_segments * sizeof (GstGpuSegment));
  for (guint kind = 0; kind <= GST_GPU_N_H264_KINDS; kind++)
    head.first[kind] = meta->first[kind];
  head.header_size = header_arena->len;
  head.coeffs_size = coeffs_arena->len;
  ok = fwrite (&head, sizeof (head), 1, self->file) == 1 && fwrite (header_arena->data, 1, head.header_size, self->file) == head.header_size
      && fwrite (coeffs_arena->data, 1, head.coeffs_size, self->file) == head.coeffs_size;
  if (!ok && !self->error)
    self->error = g_strdup ("the capture cannot be written");
  self->n_written++;
  g_free (segments);
  g_byte_array_unref (header_arena);
  g_byte_array_unref (coeffs_arena);
}

static GstPadProbeReturn
on_coded_picture (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  GstCodedPicture *picture = gst_buffer_get_coded_picture (buffer);
  GstCoeffMeta *meta = gst_buffer_get_coeff_meta (buffer);
  Capture *self = user_data;
  GstMapInfo header, coeffs;

  if (!picture || !meta || self->error || self->skip-- > 0 || self->count-- <= 0)
    return GST_PAD_PROBE_OK;
  if (picture->n_colour_planes != 1) {
    self->error = g_strdup ("pictures of separate colour planes are not captured");
    return GST_PAD_PROBE_OK;
  }
  if (!gst_memory_map (gst_buffer_peek_memory (buffer, GST_CODED_MEMORY_HEADER), &header, GST_MAP_READ))
    return GST_PAD_PROBE_OK;
  if (gst_memory_map (gst_buffer_peek_memory (buffer, GST_CODED_MEMORY_COEFFS), &coeffs, GST_MAP_READ)) {
    write_picture (self, picture, meta, header.data, coeffs.data);
    gst_memory_unmap (coeffs.memory, &coeffs);
  }
  gst_memory_unmap (header.memory, &header);

  return GST_PAD_PROBE_OK;
}

/* Plays until enough is written, the end, or an error. */
static void
play (GstElement *pipeline, Capture *self)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  gboolean end = FALSE;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (!end && !self->error && self->count > 0) {
    GstMessage *message = gst_bus_timed_pop_filtered (bus, 100 * GST_MSECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
    GError *error = NULL;

    if (!message)
      continue;
    end = TRUE;
    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
      gst_message_parse_error (message, &error, NULL);
      self->error = g_strdup (error->message);
      g_error_free (error);
    }
    gst_message_unref (message);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
}

/* (transfer full): the whole row in C, so that no device is needed; the probe sits before its first stage */
static GstElement *
make_pipeline (const gchar *in, Capture *self)
{
  GstDecodeRow row = GST_DECODE_ROW_INIT;
  gchar *elements, *description;
  GstElement *pipeline, *idct;
  GError *error = NULL;
  GstPad *pad;

  row.backend = "c";
  elements = gst_decode_row_describe (&row);
  description = g_strdup_printf ("filesrc location=\"%s\" ! %sh264parse ! %s ! fakesink sync=false", in,
      g_str_has_suffix (in, ".mp4") ? "qtdemux ! " : "", elements);
  g_free (elements);
  pipeline = gst_parse_launch (description, &error);
  if (!pipeline || error)
    g_error ("%s", error->message);
  idct = gst_decode_row_find (GST_BIN (pipeline), gst_decode_row_get_stage (0));
  pad = gst_element_get_static_pad (idct, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_coded_picture, self, NULL);
  gst_object_unref (pad);
  gst_object_unref (idct);
  g_free (description);

  return pipeline;
}

int
main (int argc, char *argv[])
{
  Capture capture = { .count = 1 };
  gchar **files = NULL;
  GOptionEntry entries[] = {
    { "skip", 0, 0, G_OPTION_ARG_INT, &capture.skip, "Pictures to leave out first", "N" },
    { "count", 0, 0, G_OPTION_ARG_INT, &capture.count, "Pictures to write", "N" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, "IN OUT" },
    { NULL },
  };
  GOptionContext *context = g_option_context_new (NULL);
  GError *error = NULL;
  GstElement *pipeline;

  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error) || !files || g_strv_length (files) != 2) {
    g_printerr ("%s\n", error ? error->message : "usage: bench-capture [--skip=N] [--count=N] IN OUT");
    return 2;
  }
  capture.file = fopen (files[1], "wb");
  if (!capture.file) {
    perror (files[1]);
    return 1;
  }
  pipeline = make_pipeline (files[0], &capture);
  play (pipeline, &capture);
  gst_object_unref (pipeline);
  if (fclose (capture.file) != 0 && !capture.error)
    capture.error = g_strdup ("the capture cannot be written");
  if (!capture.error && capture.n_written == 0)
    capture.error = g_strdup ("no picture came");
  if (capture.error)
    g_printerr ("%s: %s\n", files[0], capture.error);
  else
    g_print ("%s: %u pictures\n", files[1], capture.n_written);
  g_option_context_free (context);

  return capture.error != NULL;
}
