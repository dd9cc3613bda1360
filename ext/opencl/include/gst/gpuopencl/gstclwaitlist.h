/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The events that a command has to wait for.
 */
#pragma once

#include <gst/gpuopencl/gpuopencl-prelude.h>

G_BEGIN_DECLS

#ifndef __GI_SCANNER__

/**
 * GstClWaitList:
 *
 * A list of events, which grows with each memory that a command is going to use (gst_cl_memory_begin()).  For one thread at a time.
 */
typedef struct _GstClWaitList GstClWaitList;

/**
 * gst_cl_wait_list_new:
 *
 * Returns: (transfer full): an empty list
 */
GST_CL_API
GstClWaitList *gst_cl_wait_list_new (void);

/**
 * gst_cl_wait_list_free:
 * @list: (transfer full): a list
 *
 * Frees it, and gives up its events.  May be called as soon as the command is enqueued.
 */
GST_CL_API
void gst_cl_wait_list_free (GstClWaitList *list);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstClWaitList, gst_cl_wait_list_free)

/**
 * gst_cl_wait_list_add:
 * @list: a list
 * @event: another event; the list takes a reference
 */
GST_CL_API
void gst_cl_wait_list_add (GstClWaitList *list, cl_event event);

/**
 * gst_cl_wait_list_get_length:
 * @list: a list
 *
 * Returns: how many events there are
 */
GST_CL_API
cl_uint gst_cl_wait_list_get_length (const GstClWaitList *list);

/**
 * gst_cl_wait_list_get_events:
 * @list: a list
 *
 * Returns: (transfer none) (nullable): the events; %NULL where there is none, as the functions clEnqueue*() ask.  Valid until the list
 * changes.
 */
GST_CL_API
const cl_event *gst_cl_wait_list_get_events (const GstClWaitList *list);

/**
 * gst_cl_wait_list_get_status:
 * @list: a list
 *
 * gst_cl_memory_begin() returns it, too.
 *
 * Returns: CL_SUCCESS, or why an event could not be added: then a command that waits for the list alone would be too early
 */
GST_CL_API
cl_int gst_cl_wait_list_get_status (const GstClWaitList *list);

/**
 * GST_CL_WAIT_LIST:
 * @list: a list
 *
 * The two arguments of the functions clEnqueue*() that say what to wait for.
 */
#define GST_CL_WAIT_LIST(list) gst_cl_wait_list_get_length (list), gst_cl_wait_list_get_events (list)

#endif

G_END_DECLS
