/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gsth264output.h"

#include "gstarenapool.h"
#include "gstcodedpicture.h"

/* Slices that a picture has room for at first: their records are large, and a picture with more gets more */
#define FIRST_N_SLICES 32

/* An event behind pictures that are on their way: it goes out when n_pushed of the output is n_before. */
typedef struct
{
  GstEvent *event;
  guint64 n_before;
} LateEvent;

void
gst_h264_output_init (GstH264Output *output, GstH264Reports *reports, GstPad *srcpad)
{
  output->reports = reports;
  output->srcpad = srcpad;
  output->n_slices = FIRST_N_SLICES;
  g_queue_init (&output->held_events);
  g_queue_init (&output->late_events);
}

static void
drop_arena_pool (GstH264Output *output)
{
  if (!output->arena_pool)
    return;
  gst_buffer_pool_set_active (output->arena_pool, FALSE);
  gst_clear_object (&output->arena_pool);
  output->outgrown = FALSE;
}

/* Serialised events that come before the first SPS wait until the caps are known (caps go before segments), those behind a segment for
 * its first buffer. */
gboolean
gst_h264_output_hold_event (GstH264Output *output, GstEvent *event)
{
  if (!GST_EVENT_IS_SERIALIZED (event) || GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START
      || (gst_pad_has_current_caps (output->srcpad) && !output->new_segment))
    return FALSE;
  g_queue_push_tail (&output->held_events, event);
  return TRUE;
}

void
gst_h264_output_append_event (GstH264Output *output, GstEvent *event)
{
  if (event)
    g_queue_push_tail (&output->held_events, event);
}

void
gst_h264_output_release_events (GstH264Output *output)
{
  GstEvent *event;

  while ((event = g_queue_pop_head (&output->held_events)))
    gst_pad_push_event (output->srcpad, event);
}

/* (transfer full) */
static GstEvent *
pop_late_event (GstH264Output *output)
{
  LateEvent *late = g_queue_pop_head (&output->late_events);
  GstEvent *event = late->event;

  g_free (late);
  return event;
}

void
gst_h264_output_delay_event (GstH264Output *output, GstEvent *event, guint n_pictures)
{
  LateEvent *late = g_new (LateEvent, 1);

  *late = (LateEvent){ event, output->n_pushed + n_pictures };
  g_queue_push_tail (&output->late_events, late);
}

void
gst_h264_output_note_pushed (GstH264Output *output)
{
  output->n_pushed++;
  while (output->late_events.head && ((const LateEvent *) output->late_events.head->data)->n_before <= output->n_pushed)
    gst_pad_push_event (output->srcpad, pop_late_event (output));
}

void
gst_h264_output_release_late_events (GstH264Output *output)
{
  while (output->late_events.head)
    gst_pad_push_event (output->srcpad, pop_late_event (output));
}

static void
drop_events (GstH264Output *output)
{
  while (output->late_events.head)
    gst_event_unref (pop_late_event (output));
  g_queue_clear_full (&output->held_events, (GDestroyNotify) gst_event_unref);
}

void
gst_h264_output_stop (GstH264Output *output)
{
  drop_events (output);
  output->n_pushed = 0;
  drop_arena_pool (output);
  output->n_slices = FIRST_N_SLICES;
}

/* What a flush leaves on pads */
static gboolean
outlives_flush (const GstEvent *event)
{
  return GST_EVENT_IS_STICKY (event) && GST_EVENT_TYPE (event) != GST_EVENT_SEGMENT && GST_EVENT_TYPE (event) != GST_EVENT_EOS;
}

void
gst_h264_output_flush_events (GstH264Output *output)
{
  guint n;

  while (output->late_events.head)
    g_queue_push_tail (&output->held_events, pop_late_event (output));
  n = g_queue_get_length (&output->held_events);
  for (guint i = 0; i < n; i++) {
    GstEvent *event = g_queue_pop_head (&output->held_events);

    if (outlives_flush (event))
      g_queue_push_tail (&output->held_events, event);
    else
      gst_event_unref (event);
  }
}

void
gst_h264_output_end_stream (GstH264Output *output)
{
  if (gst_pad_has_current_caps (output->srcpad))
    gst_h264_output_release_events (output);
  else
    drop_events (output);
}

gboolean
gst_h264_output_has_caps (GstH264Output *output, const GstCaps *caps)
{
  GstCaps *current = gst_pad_get_current_caps (output->srcpad);
  const gboolean equal = current && gst_caps_is_equal (caps, current);

  gst_clear_caps (&current);
  return equal;
}

GstFlowReturn
gst_h264_output_set_caps (GstH264Output *output, GstCaps *caps)
{
  /* it is of the format before; where a flush comes between, the pad has the new caps all the same */
  drop_arena_pool (output);
  if (!gst_pad_push_event (output->srcpad, gst_event_new_caps (caps)))
    return GST_PAD_IS_FLUSHING (output->srcpad) ? GST_FLOW_FLUSHING : GST_FLOW_NOT_NEGOTIATED;
  gst_h264_output_release_events (output);
  return GST_FLOW_OK;
}

/* (transfer full) (nullable): the first of the pools offered that is one for coded pictures */
static GstBufferPool *
find_offered_pool (GstQuery *query)
{
  GstBufferPool *pool = NULL;

  for (guint i = 0; i < gst_query_get_n_allocation_pools (query) && !pool; i++) {
    gst_query_parse_nth_allocation_pool (query, i, &pool, NULL, NULL, NULL);
    if (pool && !GST_IS_ARENA_POOL (pool))
      gst_clear_object (&pool);
  }
  return pool;
}

/* (transfer full) (nullable): what downstream offers, else one of system memory.  NULL: a flush came, and downstream was not asked */
static GstBufferPool *
get_arena_pool (GstH264Output *output, GstCaps *caps)
{
  GstQuery *query = gst_query_new_allocation (caps, TRUE);
  const gboolean answered = gst_pad_peer_query (output->srcpad, query);
  GstBufferPool *pool = answered ? find_offered_pool (query) : NULL;

  gst_query_unref (query);
  if (!pool && (answered || !GST_PAD_IS_FLUSHING (output->srcpad)))
    pool = gst_arena_pool_new ();
  return pool;
}

guint
gst_h264_output_outgrow (GstH264Output *output, guint n_slices)
{
  output->n_slices = 4 * n_slices;
  output->outgrown = TRUE;
  return output->n_slices;
}

GstFlowReturn
gst_h264_output_choose_arena_pool (GstH264Output *output, GstCaps *caps, const GstCodedFormat *format, guint n_writers)
{
  const gsize coeffs_size = gst_coded_format_coeffs_size (format, n_writers);
  GstStructure *config;

  drop_arena_pool (output);
  output->arena_pool = get_arena_pool (output, caps);
  if (!output->arena_pool)
    return GST_FLOW_FLUSHING;
  config = gst_buffer_pool_get_config (output->arena_pool);
  gst_buffer_pool_config_set_params (config, caps, (guint) MIN (coeffs_size, G_MAXUINT), 0, 0);
  gst_arena_pool_config_set_slices (config, output->n_slices);
  if (coeffs_size == 0 || coeffs_size > G_MAXUINT || !gst_buffer_pool_set_config (output->arena_pool, config)
      || !gst_buffer_pool_set_active (output->arena_pool, TRUE)) {
    GST_ELEMENT_ERROR (output->reports->element, RESOURCE, NO_SPACE_LEFT,
        ("No memory for coded pictures of %dx%d.", format->coded_width, format->coded_height), (NULL));
    return GST_FLOW_ERROR;
  }
  return GST_FLOW_OK;
}

void
gst_h264_output_push_actions (GstH264Output *output, GArray *actions)
{
  if (!actions)
    return;
  if (actions->len > 0)
    gst_pad_push_event (output->srcpad, gst_coded_actions_event_new ((const GstCodedAction *) actions->data, actions->len));
  g_array_unref (actions);
}

void
gst_h264_output_set_latency (GstH264Output *output, guint n_frames, GstClockTime frame_duration)
{
  GstElement *element = output->reports->element;
  gboolean changed;

  GST_OBJECT_LOCK (element);
  changed = n_frames != output->latency_frames || frame_duration != output->frame_duration;
  output->latency_frames = n_frames;
  output->frame_duration = frame_duration;
  GST_OBJECT_UNLOCK (element);
  if (changed)
    gst_element_post_message (element, gst_message_new_latency (GST_OBJECT (element)));
}

GstClockTime
gst_h264_output_get_latency (GstH264Output *output)
{
  GstClockTime latency;

  GST_OBJECT_LOCK (output->reports->element);
  latency = output->latency_frames * output->frame_duration;
  GST_OBJECT_UNLOCK (output->reports->element);
  return latency;
}
