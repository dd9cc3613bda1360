/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstcluses.h"

#include "gstclstatus-private.h"

/* More readers than this are waited for on the device through one marker's event. */
#define MAX_READERS 8

void
gst_cl_use_clear (gpointer item)
{
  GstClUse *use = item;

  if (use->event)
    GST_CL_CALL (clReleaseEvent (use->event));
  use->event = NULL;
  use->queue = NULL;
}

cl_int
gst_cl_use_set (GstClUse *use, cl_command_queue queue, cl_event event)
{
  const cl_int status = GST_CL_CALL (clRetainEvent (event));

  gst_cl_use_clear (use);
  if (status == CL_SUCCESS)
    *use = (GstClUse){ event, queue };
  return status;
}

void
gst_cl_use_wait (const GstClUse *use, cl_command_queue queue, GstClWaitList *wait)
{
  if (use->event && use->queue != queue)
    gst_cl_wait_list_add (wait, use->event);
}

void
gst_cl_uses_init (GstClUses *uses)
{
  uses->writer = (GstClUse){ NULL, NULL };
  uses->readers = g_array_new (FALSE, FALSE, sizeof (GstClUse));
  g_array_set_clear_func (uses->readers, gst_cl_use_clear);
}

void
gst_cl_uses_clear (GstClUses *uses)
{
  gst_cl_use_clear (&uses->writer);
  g_array_unref (uses->readers);
}

void
gst_cl_uses_wait (const GstClUses *uses, cl_command_queue queue, gboolean writes, GstClWaitList *wait)
{
  gst_cl_use_wait (&uses->writer, queue, wait);
  if (!writes)
    return;
  for (guint i = 0; i < uses->readers->len; i++)
    gst_cl_use_wait (&g_array_index (uses->readers, GstClUse, i), queue, wait);
}

/* That of the command; where it cannot be asked for, one as if it had not begun */
static cl_int
get_status (cl_event event)
{
  cl_int status;

  if (GST_CL_CALL (clGetEventInfo (event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof (status), &status, NULL)) != CL_SUCCESS)
    return CL_QUEUED;
  return status;
}

/* TRUE too where the command failed: nothing waits for it any more. */
static gboolean
is_complete (cl_event event)
{
  return get_status (event) <= CL_COMPLETE;
}

cl_int
gst_cl_uses_get_status (const GstClUses *uses)
{
  cl_int status = uses->writer.event ? get_status (uses->writer.event) : CL_COMPLETE;

  for (guint i = 0; i < uses->readers->len && status == CL_COMPLETE; i++)
    status = get_status (g_array_index (uses->readers, GstClUse, i).event);
  return status;
}

/* All readers become one, a marker behind them.  Where that fails they stay. */
static cl_int
join_readers (GstClUses *uses, cl_command_queue queue)
{
  GstClWaitList *wait = gst_cl_wait_list_new ();
  cl_event marker;
  cl_int status;

  for (guint i = 0; i < uses->readers->len; i++)
    gst_cl_use_wait (&g_array_index (uses->readers, GstClUse, i), NULL, wait);
  status = gst_cl_wait_list_get_status (wait);
  if (status == CL_SUCCESS && GST_CL_CALL (clEnqueueMarkerWithWaitList (queue, GST_CL_WAIT_LIST (wait), &marker)) == CL_SUCCESS) {
    GstClUse use = { marker, queue };

    g_array_set_size (uses->readers, 0);
    g_array_append_val (uses->readers, use);
    status = GST_CL_CALL (clFlush (queue));
  }
  gst_cl_wait_list_free (wait);
  return status;
}

/* Room for one more: the readers that are done go; what is left becomes one. */
static cl_int
collect_readers (GstClUses *uses, cl_command_queue queue)
{
  for (guint i = uses->readers->len; i-- > 0;)
    if (is_complete (g_array_index (uses->readers, GstClUse, i).event))
      g_array_remove_index_fast (uses->readers, i);
  return uses->readers->len < MAX_READERS ? CL_SUCCESS : join_readers (uses, queue);
}

static cl_int
add_reader (GstClUses *uses, cl_command_queue queue, cl_event event)
{
  GstClUse use = { NULL, NULL };
  cl_int collected = CL_SUCCESS, status;

  for (guint i = 0; i < uses->readers->len; i++)
    if (g_array_index (uses->readers, GstClUse, i).queue == queue)
      return gst_cl_use_set (&g_array_index (uses->readers, GstClUse, i), queue, event);
  if (uses->readers->len >= MAX_READERS)
    collected = collect_readers (uses, queue);
  status = gst_cl_use_set (&use, queue, event);
  if (use.event)
    g_array_append_val (uses->readers, use);
  return collected != CL_SUCCESS ? collected : status;
}

cl_int
gst_cl_uses_note (GstClUses *uses, cl_command_queue queue, gboolean writes, cl_event event)
{
  if (!writes)
    return add_reader (uses, queue, event);
  g_array_set_size (uses->readers, 0);
  return gst_cl_use_set (&uses->writer, queue, event);
}
