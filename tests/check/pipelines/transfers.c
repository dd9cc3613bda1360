/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What crosses between CPU and device, as the stages' `stats` count it: no sample comes back between the first stage and the last; the CPU
 * waits for nothing inside a picture; no more goes up than the coefficients of the blocks that exist, the motion of the partitions that
 * exist, and a bounded rest.
 */
#include <gst/app/app.h>

#include "gstdecoderow.h"
#include "decoderun.h"
#include "gstcodedpicture.h"
#include "gstcoeffmeta.h"
#include "streamlist.h"
#include "tap.h"

/* Beside coefficients and I_PCM samples: bytes for each block, macroblock and slice */
#define BYTES_A_BLOCK 4
#define BYTES_A_MB 64
#define BYTES_A_SLICE 4096
/* Vector kernels read whole vectors: every segment may be padded to one. */
#define BYTES_A_SEGMENT 256

/* Kernel launches of a colour plane of a picture, on a device that has atomics */
#define LAUNCHES_A_PLANE 8

/* Sums over all coded pictures that enter the first stage, and all frames that leave the last one, where n_made are not the surfaces
 * themselves; written by the streaming thread */
typedef struct
{
  guint64 n_pictures, n_colour_planes, allowed_bytes, n_surface_bytes;
  guint64 n_frames, n_made;
} Offered;

/* Motion of P and B slices: partitions, the references of each slice */
static guint64
count_motion_bytes (const GstCodedPicture *picture)
{
  guint64 n_bytes = (guint64) picture->n_slices * sizeof (GstGpuInterSlice);

  for (guint i = 0; i < picture->n_colour_planes; i++)
    n_bytes += (guint64) picture->layout[i].n_partitions * sizeof (GstGpuPartition);
  return picture->has_inter ? n_bytes : 0;
}

static GstPadProbeReturn
on_coded_picture (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  GstCodedPicture *picture = gst_buffer_get_coded_picture (buffer);
  GstCoeffMeta *coeffs = gst_buffer_get_coeff_meta (buffer);
  Offered *offered = user_data;
  guint64 n_mbs = 0;

  g_assert (picture && coeffs);
  for (guint i = 0; i < picture->n_colour_planes; i++)
    n_mbs += (guint64) picture->params[i].width_in_mbs * picture->params[i].height_in_mbs;
  offered->n_pictures++;
  offered->n_colour_planes += picture->n_colour_planes;
  offered->allowed_bytes += coeffs->coded_bytes + coeffs->n_blocks * BYTES_A_BLOCK + n_mbs * BYTES_A_MB
      + (guint64) picture->n_slices * BYTES_A_SLICE + (guint64) coeffs->n_segments * BYTES_A_SEGMENT;
  offered->allowed_bytes += count_motion_bytes (picture);
  offered->n_surface_bytes += n_mbs * 256;

  return GST_PAD_PROBE_OK;
}

/* What is made comes from a pool; a surface is in a buffer of its own. */
static GstPadProbeReturn
on_frame (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Offered *offered = user_data;

  offered->n_frames++;
  offered->n_made += GST_PAD_PROBE_INFO_BUFFER (info)->pool != NULL;

  return GST_PAD_PROBE_OK;
}

static guint64
read_counter (GstElement *pipeline, const gchar *stage, const gchar *counter)
{
  GstElement *element = gst_decode_row_find (GST_BIN (pipeline), stage);
  GstStructure *stats = NULL;
  guint64 value = G_MAXUINT64;

  g_object_get (element, "stats", &stats, NULL);
  if (!stats || !gst_structure_get_uint64 (stats, counter, &value))
    g_error ("%s counts no %s", stage, counter);
  gst_structure_free (stats);
  gst_object_unref (element);
  return value;
}

/* What every picture takes is a prediction, and what is made of its frame, which may have two of them, the output
 * in the last stage; a launch more than is needed costs a GPU microseconds. */
static void
check_launches (GstElement *pipeline, const Stream *stream, const Offered *offered, guint64 launches)
{
  const guint64 predictions = read_counter (pipeline, "gpuinterpred", "launches") + read_counter (pipeline, "gpuintrapred", "launches");
  const guint64 last = read_counter (pipeline, gst_decode_row_get_stage (gst_decode_row_get_n_stages () - 1), "launches");

  tap_check (predictions >= offered->n_pictures && 2 * offered->n_frames >= offered->n_pictures && last >= offered->n_made,
      "%s: kernels were launched for every picture", stream->name);
  tap_check (launches <= LAUNCHES_A_PLANE * offered->n_colour_planes, "%s: %" G_GUINT64_FORMAT " launches, at most %" G_GUINT64_FORMAT,
      stream->name, launches, LAUNCHES_A_PLANE * offered->n_colour_planes);
}

static void
check_counters (GstElement *pipeline, const Stream *stream, const Offered *offered)
{
  const guint n_stages = gst_decode_row_get_n_stages ();
  guint64 bytes_up = 0, inner_bytes_down = 0, inner_waits = 0, launches = 0;

  for (guint i = 0; i < n_stages; i++) {
    const gchar *stage = gst_decode_row_get_stage (i);
    guint64 up = read_counter (pipeline, stage, "bytes-up"), down = read_counter (pipeline, stage, "bytes-down");
    guint64 waits = read_counter (pipeline, stage, "waits"), n = read_counter (pipeline, stage, "launches");

    tap_note ("  %s: %" G_GUINT64_FORMAT " launches, %" G_GUINT64_FORMAT " bytes up, %" G_GUINT64_FORMAT " bytes down, %" G_GUINT64_FORMAT
              " waits",
        stage, n, up, down, waits);
    bytes_up += up;
    launches += n;
    if (i + 1 < n_stages) {
      inner_bytes_down += down;
      inner_waits += waits;
    }
  }
  check_launches (pipeline, stream, offered, launches);
  tap_check (bytes_up > 0 && bytes_up <= offered->allowed_bytes, "%s: %" G_GUINT64_FORMAT " bytes up, at most %" G_GUINT64_FORMAT,
      stream->name, bytes_up, offered->allowed_bytes);
  tap_check (inner_bytes_down == 0, "%s: no byte comes back before the last stage", stream->name);
  /* Arenas and surfaces come back from their pools complete: a wait for one is at most one a picture, and counted where the picture is
   * acquired */
  tap_check (inner_waits <= 0, "%s: the CPU waits for nothing before the last stage", stream->name);
  tap_check (read_counter (pipeline, gst_decode_row_get_stage (n_stages - 1), "waits") <= 2 * offered->n_pictures,
      "%s: at most the output is waited for", stream->name);
}

static void
check_stream (const Stream *stream)
{
  gchar *source = decode_source_describe (stream->path);
  GstDecodeRow row = GST_DECODE_ROW_INIT;
  gchar *elements = gst_decode_row_describe (&row);
  GstElement *pipeline = decode_pipeline_new (source, elements, "video/x-raw");
  GstElement *idct = gst_decode_row_find (GST_BIN (pipeline), gst_decode_row_get_stage (0));
  GstElement *last = gst_decode_row_find (GST_BIN (pipeline), gst_decode_row_get_stage (gst_decode_row_get_n_stages () - 1));
  GstPad *pad = gst_element_get_static_pad (idct, "sink"), *output = gst_element_get_static_pad (last, "src");
  Offered offered = { 0 };
  DecodeResult result;

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_coded_picture, &offered, NULL);
  gst_pad_add_probe (output, GST_PAD_PROBE_TYPE_BUFFER, on_frame, &offered, NULL);
  decode_pipeline_run (pipeline, &result);
  if (tap_check (!result.error && g_str_equal (result.md5, stream->md5), "%s: decoded", stream->name))
    check_counters (pipeline, stream, &offered);
  else if (result.error)
    tap_note ("  %s", result.error);
  decode_result_clear (&result);
  g_free (elements);
  gst_object_unref (output);
  gst_object_unref (last);
  gst_object_unref (pad);
  gst_object_unref (idct);
  gst_object_unref (pipeline);
  g_free (source);
}

static void
check_streams (GPtrArray *streams)
{
  for (guint i = 0; i < streams->len; i++) {
    const Stream *stream = g_ptr_array_index (streams, i);

    if (stream->kind == STREAM_DECODES)
      check_stream (stream);
  }
  g_ptr_array_unref (streams);
}

int
main (int argc, char *argv[])
{
  GPtrArray *vectors;

  gst_init (&argc, &argv);
  check_streams (stream_list_own ());
  if ((vectors = stream_list_vectors ()))
    check_streams (vectors);
  else
    tap_skip (STREAMS_SKIP_REASON, "test streams");

  return tap_finish ();
}
