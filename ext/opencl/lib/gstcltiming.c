/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstclstatus-private.h"
#include "gstcltiming.h"

/* Work that may be under way before what has ended is counted, whether anybody asks or not */
#define MAX_SPANS 64

typedef struct
{
  cl_event begin, end;
} Span;

static void
span_clear (gpointer item)
{
  Span *span = item;

  GST_CL_CALL (clReleaseEvent (span->begin));
  GST_CL_CALL (clReleaseEvent (span->end));
}

void
gst_cl_timing_init (GstClTiming *self, GstClStats *stats)
{
  self->stats = stats;
  g_mutex_init (&self->lock);
}

void
gst_cl_timing_clear (GstClTiming *self)
{
  g_clear_pointer (&self->spans, g_array_unref);
  g_mutex_clear (&self->lock);
}

cl_event
gst_cl_timing_begin (GstClTiming *self, cl_command_queue queue, cl_uint n_wait, const cl_event *wait)
{
  cl_event begin = NULL;

  if (!self->enabled || GST_CL_CALL (clEnqueueMarkerWithWaitList (queue, n_wait, n_wait ? wait : NULL, &begin)) != CL_SUCCESS)
    return NULL;
  return begin;
}

static gboolean
get_end (cl_event event, cl_ulong *time)
{
  return GST_CL_CALL (clGetEventProfilingInfo (event, CL_PROFILING_COMMAND_END, sizeof (*time), time, NULL)) == CL_SUCCESS;
}

/* TRUE too where the command failed */
static gboolean
has_ended (cl_event event)
{
  cl_int status = CL_COMPLETE;

  GST_CL_CALL (clGetEventInfo (event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof (status), &status, NULL));
  return status <= CL_COMPLETE;
}

/* With the lock */
static void
collect_ended (GstClTiming *self)
{
  cl_ulong begin, end;
  guint n = 0;

  /* the queue is in order */
  for (; self->spans && n < self->spans->len; n++) {
    const Span *span = &g_array_index (self->spans, Span, n);

    if (!has_ended (span->end))
      break;
    if (get_end (span->begin, &begin) && get_end (span->end, &end) && end > begin)
      gst_cl_stats_add (self->stats, GST_CL_TIME, end - begin);
  }
  if (n > 0)
    g_array_remove_range (self->spans, 0, n);
}

void
gst_cl_timing_end (GstClTiming *self, cl_event begin, cl_event end)
{
  Span span = { begin, end };

  if (!begin)
    return;
  if (!end || GST_CL_CALL (clRetainEvent (end)) != CL_SUCCESS) {
    GST_CL_CALL (clReleaseEvent (begin));
    return;
  }
  g_mutex_lock (&self->lock);
  if (!self->spans) {
    self->spans = g_array_new (FALSE, FALSE, sizeof (Span));
    g_array_set_clear_func (self->spans, span_clear);
  }
  g_array_append_val (self->spans, span);
  if (self->spans->len >= MAX_SPANS)
    collect_ended (self);
  g_mutex_unlock (&self->lock);
}

void
gst_cl_timing_collect (GstClTiming *self)
{
  g_mutex_lock (&self->lock);
  collect_ended (self);
  g_mutex_unlock (&self->lock);
}
