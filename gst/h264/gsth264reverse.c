/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gsth264reverse.h"

/* Frames that may be held, whatever their size */
#define MIN_HELD 16

void
gst_h264_reverse_start (GstH264Reverse *reverse)
{
  gst_h264_gops_init (&reverse->gops);
  g_queue_init (&reverse->held);
  gst_segment_init (&reverse->segment, GST_FORMAT_UNDEFINED);
  reverse->active = FALSE;
  reverse->max_held = MIN_HELD;
  gst_h264_reverse_flush (reverse);
}

void
gst_h264_reverse_stop (GstH264Reverse *reverse)
{
  gst_h264_reverse_flush (reverse);
  gst_h264_gops_clear (&reverse->gops);
  reverse->active = FALSE;
}

void
gst_h264_reverse_flush (GstH264Reverse *reverse)
{
  gst_h264_gops_flush (&reverse->gops);
  g_array_unref (gst_h264_reverse_drop_output (reverse));
  reverse->next_unit = reverse->end_unit = reverse->n_seen = reverse->n_earlier = 0;
  reverse->last_pts = GST_CLOCK_TIME_NONE;
}

void
gst_h264_reverse_set_segment (GstH264Reverse *reverse, const GstSegment *segment)
{
  reverse->segment = *segment;
  reverse->active = segment->rate < 0.0;
  reverse->last_pts = GST_CLOCK_TIME_NONE;
}

/* Each part ends earlier than the one before, in frames or in units. */
static gboolean
next_part_of_gop (GstH264Reverse *reverse)
{
  if (reverse->n_earlier == 0)
    return FALSE;
  if (reverse->n_earlier == reverse->changed_at)
    reverse->end_unit = reverse->changed_unit;
  reverse->end = reverse->n_earlier;
  return TRUE;
}

static gboolean
next_gop (GstH264Reverse *reverse)
{
  if (!gst_h264_gops_next (&reverse->gops))
    return FALSE;
  reverse->end = G_MAXUINT;
  reverse->end_unit = reverse->gops.gop->len;
  reverse->begins_gop = TRUE;
  return TRUE;
}

gboolean
gst_h264_reverse_next_part (GstH264Reverse *reverse)
{
  const gboolean found = next_part_of_gop (reverse) || next_gop (reverse);

  reverse->next_unit = reverse->n_seen = reverse->n_earlier = 0;
  reverse->changed_unit = reverse->changed_at = 0;
  return found;
}

const GstH264Unit *
gst_h264_reverse_next_unit (GstH264Reverse *reverse)
{
  if (reverse->next_unit >= reverse->end_unit || reverse->n_seen >= reverse->end)
    return NULL;
  return g_ptr_array_index (reverse->gops.gop, reverse->next_unit++);
}

/* (nullable): the unit that came last */
static GstH264Unit *
current_unit (const GstH264Reverse *reverse)
{
  return reverse->next_unit > 0 ? g_ptr_array_index (reverse->gops.gop, reverse->next_unit - 1) : NULL;
}

void
gst_h264_reverse_note_unit (GstH264Reverse *reverse, gboolean begins_picture, gboolean left_out)
{
  GstH264Unit *unit = current_unit (reverse);

  if (!unit || unit->carried)
    return;
  unit->begins_picture |= begins_picture;
  unit->left_out |= left_out;
}

gboolean
gst_h264_reverse_hides (const GstH264Reverse *reverse)
{
  const GstH264Unit *unit = reverse->active ? current_unit (reverse) : NULL;

  return unit && unit->carried && !unit->left_out;
}

/* Nobody will show such a frame, and the last stage would leave it out: it need not be held. */
static gboolean
is_outside_segment (const GstH264Reverse *reverse, const GstFrameStore *store)
{
  const GstClockTime stop = GST_CLOCK_TIME_IS_VALID (store->duration) ? store->pts + store->duration : GST_CLOCK_TIME_NONE;

  return reverse->segment.format == GST_FORMAT_TIME && GST_CLOCK_TIME_IS_VALID (store->pts)
      && !gst_segment_clip (&reverse->segment, GST_FORMAT_TIME, store->pts, stop, NULL, NULL);
}

static void
discard (GArray *actions, const GstFrameStore *store)
{
  const GstCodedAction action = { FALSE, store->number };

  g_array_append_val (actions, action);
}

static void
discard_oldest (GstH264Reverse *reverse, GArray *actions)
{
  GstFrameStore *store = g_queue_pop_head (&reverse->held);

  if (!store)
    return;
  discard (actions, store);
  gst_frame_store_unref (store);
}

void
gst_h264_reverse_hold (GstH264Reverse *reverse, GstFrameStore *store, gboolean shown, GArray *actions)
{
  const gboolean outside = is_outside_segment (reverse, store);
  const gboolean held = shown && !outside && reverse->n_seen < reverse->end;

  if (shown && !held)
    discard (actions, store);
  if (outside || reverse->n_seen++ >= reverse->end)
    return;
  g_queue_push_tail (&reverse->held, held ? gst_frame_store_ref (store) : NULL);
  if (g_queue_get_length (&reverse->held) > reverse->max_held)
    discard_oldest (reverse, actions);
}

static GArray *
actions_new (guint n_frames)
{
  return g_array_sized_new (FALSE, FALSE, sizeof (GstCodedAction), n_frames);
}

GArray *
gst_h264_reverse_drop_output (GstH264Reverse *reverse)
{
  GArray *actions = actions_new (g_queue_get_length (&reverse->held));

  while (!g_queue_is_empty (&reverse->held))
    discard_oldest (reverse, actions);
  return actions;
}

GArray *
gst_h264_reverse_change_format (GstH264Reverse *reverse, const GstCodedFormat *format)
{
  static const guint quarters[4] = { 4, 6, 8, 12 }; /* of the luma samples: all samples */
  const gsize n_samples = (gsize) format->coded_width * format->coded_height * quarters[format->chroma_format_idc & 3] / 4;
  const gsize max_held = reverse->memory / (n_samples * gst_coded_format_sample_size (format));

  reverse->max_held = (guint) CLAMP (max_held, MIN_HELD, G_MAXINT);
  if (reverse->n_seen > 0) {
    reverse->changed_at = reverse->n_seen;
    reverse->changed_unit = reverse->next_unit - 1;
  }
  return gst_h264_reverse_drop_output (reverse);
}

/* The times and flags of the next frame that goes out; one without a time goes by its neighbour */
static void
finish_frame (GstH264Reverse *reverse, GstFrameStore *store)
{
  if (!GST_CLOCK_TIME_IS_VALID (store->pts) && GST_CLOCK_TIME_IS_VALID (reverse->last_pts) && GST_CLOCK_TIME_IS_VALID (store->duration))
    store->pts = reverse->last_pts - MIN (reverse->last_pts, store->duration);
  if (GST_CLOCK_TIME_IS_VALID (store->pts))
    reverse->last_pts = store->pts;
  /* what was missing before a frame comes behind it now; each GOP is a new piece */
  store->buffer_flags &= ~GST_BUFFER_FLAG_DISCONT;
  store->output_flags &= ~GST_BUFFER_FLAG_DISCONT;
  if (reverse->begins_gop)
    store->output_flags |= GST_BUFFER_FLAG_DISCONT;
  reverse->begins_gop = FALSE;
}

GArray *
gst_h264_reverse_take_output (GstH264Reverse *reverse)
{
  GArray *actions = actions_new (g_queue_get_length (&reverse->held));

  reverse->n_earlier = MIN (reverse->n_seen, reverse->end) - g_queue_get_length (&reverse->held);
  while (!g_queue_is_empty (&reverse->held)) {
    GstFrameStore *store = g_queue_pop_tail (&reverse->held);
    const GstCodedAction action = { TRUE, store ? store->number : 0 };

    if (!store)
      continue;
    finish_frame (reverse, store);
    g_array_append_val (actions, action);
    gst_frame_store_unref (store);
  }
  return actions;
}
