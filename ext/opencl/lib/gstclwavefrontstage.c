/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstclwavefrontstage.h"

enum
{
  PROP_0,
  PROP_WAVEFRONT
};

typedef struct
{
  GstClWavefront wavefront; /* the property, with the object lock */
  GpuWavefront chosen;      /* from READY on */
} GstClWavefrontStagePrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (GstClWavefrontStage, gst_cl_wavefront_stage, GST_TYPE_CL_STAGE);

#define PRIVATE(stage) ((GstClWavefrontStagePrivate *) gst_cl_wavefront_stage_get_instance_private (GST_CL_WAVEFRONT_STAGE (stage)))

GType
gst_cl_wavefront_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = { { GST_CL_WAVEFRONT_AUTO, "What suits the device best", "auto" },
    { GST_CL_WAVEFRONT_IN_ORDER, "One launch, in which no work-group waits for another", "in-order" },
    { GST_CL_WAVEFRONT_TICKETS, "One launch, in which work-groups take rows by ticket (needs device-scope atomics)", "tickets" },
    { GST_CL_WAVEFRONT_DIAGONALS, "A launch for each diagonal of macroblocks", "diagonals" }, { 0, NULL, NULL } };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstClWavefront", values));

  return type;
}

GpuWavefront
gst_cl_wavefront_stage_get_wavefront (GstClWavefrontStage *stage)
{
  return PRIVATE (stage)->chosen;
}

static GpuWavefront
choose (GstClWavefront wavefront, const GpuKernelDevice *device)
{
  switch (wavefront) {
    case GST_CL_WAVEFRONT_IN_ORDER:
      return GPU_WAVEFRONT_IN_ORDER;
    case GST_CL_WAVEFRONT_TICKETS:
      return GPU_WAVEFRONT_TICKETS;
    case GST_CL_WAVEFRONT_DIAGONALS:
      return GPU_WAVEFRONT_DIAGONALS;
    default:
      return gpu_kernel_device_get_wavefront (device);
  }
}

static gboolean
gst_cl_wavefront_stage_open (GstGpuStage *stage)
{
  GstClWavefrontStagePrivate *priv = PRIVATE (stage);
  GstGpuStageClass *parent_class = GST_GPU_STAGE_CLASS (gst_cl_wavefront_stage_parent_class);
  const GstClElement *device = gst_cl_stage_get_device (GST_CL_STAGE (stage));
  GstClWavefront wavefront;

  if (!parent_class->open (stage))
    return FALSE;
  if (device->backend != GST_CL_BACKEND_OPENCL)
    return TRUE;

  GST_OBJECT_LOCK (stage);
  wavefront = priv->wavefront;
  GST_OBJECT_UNLOCK (stage);
  priv->chosen = choose (wavefront, &device->context->device);
  if (priv->chosen == GPU_WAVEFRONT_TICKETS && !device->context->device.device_atomics) {
    GST_ELEMENT_ERROR (stage, RESOURCE, SETTINGS,
        ("The device %s has no device-scope atomics, which wavefront=tickets needs.", gst_cl_context_get_name (device->context)),
        ("wavefront=auto chooses what it can do"));
    parent_class->close (stage);
    return FALSE;
  }

  return TRUE;
}

static void
gst_cl_wavefront_stage_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  switch (id) {
    case PROP_WAVEFRONT:
      GST_OBJECT_LOCK (object);
      PRIVATE (object)->wavefront = g_value_get_enum (value);
      GST_OBJECT_UNLOCK (object);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
gst_cl_wavefront_stage_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  switch (id) {
    case PROP_WAVEFRONT:
      GST_OBJECT_LOCK (object);
      g_value_set_enum (value, PRIVATE (object)->wavefront);
      GST_OBJECT_UNLOCK (object);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
gst_cl_wavefront_stage_class_init (GstClWavefrontStageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = gst_cl_wavefront_stage_set_property;
  object_class->get_property = gst_cl_wavefront_stage_get_property;
  GST_GPU_STAGE_CLASS (klass)->open = gst_cl_wavefront_stage_open;

  g_object_class_install_property (object_class, PROP_WAVEFRONT,
      g_param_spec_enum ("wavefront", "Wavefront", "How macroblocks that depend on each other are launched", GST_TYPE_CL_WAVEFRONT,
          GST_CL_WAVEFRONT_AUTO, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY));
  gst_type_mark_as_plugin_api (GST_TYPE_CL_WAVEFRONT, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_CL_WAVEFRONT_STAGE, 0);
}

static void
gst_cl_wavefront_stage_init (GstClWavefrontStage *self)
{
}
