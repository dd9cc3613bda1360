/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gsth264gops.h"

#include "h264nal.h"

/* Coded data that are held.  No GOP that anybody plays backwards comes near. */
#define MAX_BYTES ((gsize) 256 << 20)

void
gst_h264_gops_init (GstH264Gops *gops)
{
  g_queue_init (&gops->gathered);
  g_queue_init (&gops->rest);
  gops->gop = g_ptr_array_new ();
  gops->n_own = 0;
  gops->n_bytes = 0;
}

static void
unit_free (GstH264Gops *gops, GstH264Unit *unit)
{
  gops->n_bytes -= gst_buffer_get_size (unit->buffer);
  gst_buffer_unref (unit->buffer);
  gst_clear_caps (&unit->caps);
  g_free (unit);
}

static void
forget_units (GstH264Gops *gops, GQueue *units)
{
  GstH264Unit *unit;

  while ((unit = g_queue_pop_head (units)))
    unit_free (gops, unit);
}

void
gst_h264_gops_forget_rest (GstH264Gops *gops)
{
  forget_units (gops, &gops->rest);
}

void
gst_h264_gops_flush (GstH264Gops *gops)
{
  forget_units (gops, &gops->gathered);
  forget_units (gops, &gops->rest);
  for (guint i = 0; i < gops->gop->len; i++)
    unit_free (gops, g_ptr_array_index (gops->gop, i));
  g_ptr_array_set_size (gops->gop, 0);
  gops->n_own = 0;
}

void
gst_h264_gops_clear (GstH264Gops *gops)
{
  if (!gops->gop)
    return;
  gst_h264_gops_flush (gops);
  g_clear_pointer (&gops->gop, g_ptr_array_unref);
}

static gboolean
has_slice (GstBuffer *buffer, guint length_size)
{
  H264NalReader reader;
  H264NalResult result;
  H264Nal nal;
  GstMapInfo map;
  const gchar *error = NULL;
  gboolean found = FALSE;

  if (!gst_buffer_map (buffer, &map, GST_MAP_READ))
    return FALSE;
  h264_nal_reader_init (&reader, map.data, map.size, length_size);
  while (!found && (result = h264_nal_reader_next (&reader, &nal, &error)) != H264_NAL_END)
    found = result == H264_NAL_FOUND && h264_nal_type_is_vcl (nal.nal_unit_type);
  gst_buffer_unmap (buffer, &map);
  return found;
}

gboolean
gst_h264_gops_gather (GstH264Gops *gops, GstBuffer *buffer, GstCaps *caps, guint length_size, gboolean is_aligned)
{
  const gsize size = gst_buffer_get_size (buffer);
  const gboolean fits = size <= MAX_BYTES && gops->n_bytes <= MAX_BYTES - size;
  GstH264Unit *unit;

  /* what has waited longest is farthest from where decoding can begin, then what comes now */
  if (!fits)
    gst_h264_gops_forget_rest (gops);
  if (size > MAX_BYTES || gops->n_bytes > MAX_BYTES - size) {
    gst_buffer_unref (buffer);
    return FALSE;
  }
  unit = g_new0 (GstH264Unit, 1);
  unit->has_slice = has_slice (buffer, length_size);
  unit->is_key = unit->has_slice && !GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DELTA_UNIT);
  unit->is_aligned = is_aligned;
  unit->buffer = buffer;
  unit->caps = gst_caps_ref (caps);
  gops->n_bytes += size;
  g_queue_push_tail (&gops->gathered, unit);
  return fits;
}

/* How many units the GOP begins with that shall come once more, behind the GOP before it: up to the last picture that was left out.  One
 * time only: what is still missing then never comes. */
static guint
count_carried (const GstH264Gops *gops)
{
  guint n = gops->n_own;

  while (n > 0 && !((const GstH264Unit *) g_ptr_array_index (gops->gop, n - 1))->left_out)
    n--;
  while (n > 0 && n < gops->n_own && !((const GstH264Unit *) g_ptr_array_index (gops->gop, n))->begins_picture)
    n++;
  return n;
}

static void
finish_gop (GstH264Gops *gops)
{
  const guint n_carried = count_carried (gops);

  for (guint i = gops->gop->len; i-- > 0;) {
    GstH264Unit *unit = g_ptr_array_index (gops->gop, i);

    if (i < n_carried) {
      unit->carried = TRUE;
      g_queue_push_head (&gops->rest, unit);
    } else {
      unit_free (gops, unit);
    }
  }
  g_ptr_array_set_size (gops->gop, 0);
  gops->n_own = 0;
}

/* Whether @unit, which comes before one that the GOP begins with, belongs to it, too: parameter sets, and other slices of the same picture
 * where they come in buffers of their own (pictures that are all key units are one GOP then) */
static gboolean
belongs_to_key (const GstH264Unit *unit)
{
  return unit && (!unit->has_slice || (unit->is_key && !unit->is_aligned));
}

static void
append_units (GstH264Gops *gops, GQueue *units)
{
  GstH264Unit *unit;

  while ((unit = g_queue_pop_head (units)))
    g_ptr_array_add (gops->gop, unit);
}

gboolean
gst_h264_gops_next (GstH264Gops *gops)
{
  GQueue own = G_QUEUE_INIT;
  GstH264Unit *unit;
  gboolean has_key = FALSE, has_picture = FALSE;

  finish_gop (gops);
  while (!has_key && (unit = g_queue_pop_tail (&gops->gathered))) {
    g_queue_push_head (&own, unit);
    has_key = unit->is_key;
    has_picture |= unit->has_slice;
  }
  if (has_picture && !has_key) {
    while ((unit = g_queue_pop_tail (&own)))
      g_queue_push_head (&gops->rest, unit);
    return FALSE;
  }
  while (has_key && belongs_to_key (g_queue_peek_tail (&gops->gathered)))
    g_queue_push_head (&own, g_queue_pop_tail (&gops->gathered));
  append_units (gops, &own);
  gops->n_own = gops->gop->len;
  if (has_key)
    append_units (gops, &gops->rest);
  return gops->n_own > 0;
}
