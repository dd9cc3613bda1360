/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What every element on an OpenCL device has: the choice of a device, the device itself, counters.
 */
#pragma once

#include "gstclcontext-private.h"
#include "gstclstats.h"
#include "gstcltiming.h"

G_BEGIN_DECLS

/**
 * GstClBackend:
 * @GST_CL_BACKEND_OPENCL: kernels
 * @GST_CL_BACKEND_C: the plain C reference, so that any stage can be compared in place
 */
typedef enum
{
  GST_CL_BACKEND_OPENCL,
  GST_CL_BACKEND_C
} GstClBackend;

#define GST_TYPE_CL_BACKEND (gst_cl_backend_get_type ())
GST_CL_API
GType gst_cl_backend_get_type (void);

/**
 * GstClElement:
 * @wanted_backend, @choice: the properties, with the object lock
 * @backend: how the element works, fixed from NULL to READY on
 * @context: (nullable): the device, with the object lock; NULL with backend C where no neighbour has one
 * @queue: the element's in-order queue; NULL with backend C
 * @holds, @held: memory of @held (nullable: of the system) is kept to be used again (gstclreuse.h); of the streaming thread, or of a change
 *   of state when there is none
 * @stats: counters of this element
 * @measure_time: the property, with the object lock
 * @timing: how long the device works, from NULL to READY on where @measure_time is set
 *
 * A member of the elements that use a device.
 */
typedef struct
{
  GstClBackend wanted_backend;
  GstClDeviceChoice choice;
  GstClBackend backend;
  GstClContext *context;
  cl_command_queue queue;
  gboolean holds;
  GstClContext *held;
  GstClStats *stats;
  gboolean measure_time;
  GstClTiming timing;
} GstClElement;

/* The properties, by number */
enum
{
  GST_CL_PROP_0,
  GST_CL_PROP_BACKEND,
  GST_CL_PROP_PLATFORM,
  GST_CL_PROP_DEVICE,
  GST_CL_PROP_DEVICE_NAME,
  GST_CL_PROP_DEVICES,
  GST_CL_PROP_STATS,
  GST_CL_PROP_MEASURE_TIME
};

/* Of these, those that choose what the element runs on: up to GST_CL_PROP_DEVICE_NAME */
GST_CL_API
void gst_cl_element_install_choice (GObjectClass *klass);
GST_CL_API
void gst_cl_element_install_properties (GObjectClass *klass);
GST_CL_API
void gst_cl_element_set_property (GstClElement *self, GObject *object, guint id, const GValue *value, GParamSpec *pspec);
GST_CL_API
void gst_cl_element_get_property (GstClElement *self, GObject *object, guint id, GValue *value, GParamSpec *pspec);

GST_CL_API
void gst_cl_element_init (GstClElement *self);
GST_CL_API
void gst_cl_element_clear (GstClElement *self);

/* NULL to READY: finds or makes the context, and the queue.  Posts its own element error.  With backend C a device is used if somebody else
 * has one: then its memory is what the other elements work on. */
GST_CL_API
gboolean gst_cl_element_open (GstClElement *self, GstElement *element);
/* Waits for the last kernels, since what they use is freed next; also after a failed opening. */
GST_CL_API
void gst_cl_element_close (GstClElement *self, GstElement *element);

/* With backend C, a neighbour may have opened a device since: takes it.  FALSE, and an element error, where that one cannot be used. */
GST_CL_API
gboolean gst_cl_element_find_context (GstClElement *self, GstElement *element);

/* (transfer full) (nullable): the context, from any thread */
GST_CL_API
GstClContext *gst_cl_element_get_context (GstClElement *self, GstElement *element);

/* For GstElementClass::set_context, and for the pads' query functions: TRUE where @query asks for the context and was answered */
GST_CL_API
void gst_cl_element_set_context (GstClElement *self, GstElement *element, GstContext *context);
GST_CL_API
gboolean gst_cl_element_query (GstClElement *self, GstElement *element, GstQuery *query);

/* Posts @error, and takes it. */
GST_CL_API
void gst_cl_element_post_error (GstElement *element, GError *error);

G_END_DECLS
