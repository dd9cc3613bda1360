/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * How elements and the application come to the same device: a GstContext that carries it.
 */
#pragma once

#include <gst/gpuopencl/gstclcontext.h>

G_BEGIN_DECLS

/**
 * GST_CL_CONTEXT_TYPE:
 *
 * The type of the #GstContext that carries a #GstClContext, in the field "context" of its structure.  The field "device-name" is a string.
 */
#define GST_CL_CONTEXT_TYPE "gst.opencl.context"

/**
 * gst_cl_context_from_gst_context:
 * @gst_context: a context of any type
 *
 * Returns: (transfer full) (nullable): what it carries; %NULL where it is of another type than %GST_CL_CONTEXT_TYPE, or empty
 */
GST_CL_API
GstClContext *gst_cl_context_from_gst_context (GstContext *gst_context);

/**
 * gst_cl_context_from_query:
 * @query: a query of the type CONTEXT, after it was sent
 *
 * Returns: (transfer full) (nullable): the context in its answer; %NULL where it was not answered, or asked for another type
 */
GST_CL_API
GstClContext *gst_cl_context_from_query (GstQuery *query);

/**
 * gst_cl_context_from_element:
 * @element: an element or a bin, a whole pipeline too, in the state READY or above
 *
 * Returns: (transfer full) (nullable): the device that it uses, or that an element in it or next to it uses; %NULL where none does
 */
GST_CL_API
GstClContext *gst_cl_context_from_element (GstElement *element);

/**
 * gst_cl_context_to_gst_context:
 * @context: a device
 *
 * With gst_element_set_context() an application so chooses the device of a pipeline, in the state NULL.
 *
 * Returns: (transfer full): a context of the type %GST_CL_CONTEXT_TYPE that carries it
 */
GST_CL_API
GstContext *gst_cl_context_to_gst_context (GstClContext *context);

G_END_DECLS
