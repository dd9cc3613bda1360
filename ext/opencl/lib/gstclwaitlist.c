/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gpuopencl/gstclwaitlist.h>

#include "gstclstatus-private.h"

/* Most commands wait for fewer events than this; more make the array grow. */
#define USUAL_LENGTH 16

struct _GstClWaitList
{
  guint n, room;
  cl_int status;
  cl_event *events;
};

GstClWaitList *
gst_cl_wait_list_new (void)
{
  GstClWaitList *self = g_new (GstClWaitList, 1);

  self->n = 0;
  self->status = CL_SUCCESS;
  self->room = USUAL_LENGTH;
  self->events = g_new (cl_event, self->room);

  return self;
}

void
gst_cl_wait_list_free (GstClWaitList *self)
{
  for (guint i = 0; i < self->n; i++)
    GST_CL_CALL (clReleaseEvent (self->events[i]));
  g_free (self->events);
  g_free (self);
}

void
gst_cl_wait_list_add (GstClWaitList *self, cl_event event)
{
  const cl_int status = GST_CL_CALL (clRetainEvent (event));

  if (status != CL_SUCCESS) {
    self->status = status;
    return;
  }
  if (self->n == self->room) {
    self->room *= 2;
    self->events = g_renew (cl_event, self->events, self->room);
  }
  self->events[self->n++] = event;
}

cl_int
gst_cl_wait_list_get_status (const GstClWaitList *self)
{
  return self->status;
}

cl_uint
gst_cl_wait_list_get_length (const GstClWaitList *self)
{
  return self->n;
}

const cl_event *
gst_cl_wait_list_get_events (const GstClWaitList *self)
{
  return self->n ? self->events : NULL;
}
