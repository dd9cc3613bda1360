/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Not for applications: how elements come to the same device, by a GstContext of the type GST_CL_CONTEXT_TYPE.
 */
#pragma once

#include <gst/gpuopencl/gstcldiscovery.h>
#include "gstcldevicechoice.h"

G_BEGIN_DECLS

/* Discovery, for the change NULL to READY, in three steps: the context that @element has, one that a neighbour or the application has, a
 * new one, which is announced to them.  With @create FALSE the third is left out, and a missing context is no error.  Posts its own element
 * error.
 * @choice: a context of another device is not taken. */
GST_CL_API
gboolean gst_cl_context_ensure (GstElement *element, const GstClDeviceChoice *choice, gboolean create, GstClContext **context);

/* For GstElementClass::set_context: takes the context into *@context if it is of the type and device asked for.  @choice: read with the
 * object lock */
GST_CL_API
void gst_cl_context_handle_set_context (GstElement *element, GstContext *new_context, const GstClDeviceChoice *choice,
    GstClContext **context);

/* For the pads' query functions: TRUE where @query asks for this type and was answered. */
GST_CL_API
gboolean gst_cl_context_handle_query (GstElement *element, GstQuery *query, GstClContext *context);

G_END_DECLS
