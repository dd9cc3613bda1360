/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstdecodeproperties.h"

/* A key unit takes its time to come: no second request before */
#define DEFAULT_KEY_UNIT_INTERVAL (1 * GST_SECOND)

GType
gst_output_delay_get_type (void)
{
  static const GEnumValue values[] = {
    { GST_OUTPUT_DELAY_AUTO, "\"observed\" in a live pipeline, else \"conforming\"", "auto" },
    { GST_OUTPUT_DELAY_CONFORMING, "As many pictures as the stream says that it reorders, or as its level allows where it does not say",
        "conforming" },
    { GST_OUTPUT_DELAY_OBSERVED,
        "Where the stream does not say, as many as were needed so far; the first that needs more comes late, flagged", "observed" },
    { GST_OUTPUT_DELAY_NONE, "None: at once, in decoding order, which is wrong where there are B pictures", "none" },
    { 0, NULL, NULL },
  };
  static gsize type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstOutputDelay", values));
  return type;
}

/* MiB */
#define DEFAULT_REVERSE_MEMORY 512
#define MAX_REVERSE_MEMORY (1 << 20)

#define FLAGS (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_CONSTRUCT)
#define IN_READY (FLAGS | GST_PARAM_MUTABLE_READY)
#define ANY_TIME (FLAGS | GST_PARAM_MUTABLE_PLAYING)

static void
install_own (GObjectClass *klass, guint first)
{
  g_object_class_install_property (klass, first + GST_DECODE_PROPERTY_N_THREADS,
      g_param_spec_uint ("n-threads", "Number of threads", "Threads of the entropy decoding; 0: one a processor", 0, GST_DECODE_MAX_THREADS,
          0, IN_READY));
  g_object_class_install_property (klass, first + GST_DECODE_PROPERTY_OUTPUT_CORRUPT,
      g_param_spec_boolean ("output-corrupt", "Output corrupt pictures",
          "Where decoding begins in mid-stream: output, flagged as corrupted, the first pictures, whose references were never there", FALSE,
          ANY_TIME));
  g_object_class_install_property (klass, first + GST_DECODE_PROPERTY_STRICT,
      g_param_spec_boolean ("strict", "Strict",
          "Take streams by the letter of the standard, even where senders are known to break it and players show what was meant "
          "(where pictures and sequences begin, lost references, repeated data, wrong caps)",
          FALSE, IN_READY));
  g_object_class_install_property (klass, first + GST_DECODE_PROPERTY_OUTPUT_DELAY,
      g_param_spec_enum ("output-delay", "Output delay",
          "How many pictures that are decoded later one waits for, since they may be shown before it", GST_TYPE_OUTPUT_DELAY,
          GST_OUTPUT_DELAY_AUTO, IN_READY));
  g_object_class_install_property (klass, first + GST_DECODE_PROPERTY_REVERSE_MEMORY,
      g_param_spec_uint ("reverse-memory", "Memory for reverse playback",
          "MiB that the pictures of a GOP may take where it is played backwards; a GOP with more pictures, and more than 16, is decoded "
          "again for each part of them that fits",
          0, MAX_REVERSE_MEMORY, DEFAULT_REVERSE_MEMORY, IN_READY));
}

/* Names, types and meaning are GstVideoDecoder's, and so are defaults, but for key units: who decodes a live stream wants to see it
 * again. */
static void
install_video_decoder (GObjectClass *klass, guint first)
{
  g_object_class_install_property (klass, first + GST_DECODE_PROPERTY_QOS,
      g_param_spec_boolean ("qos", "Quality of service",
          "Leave out pictures that would come too late, as QOS events of the sink tell; those that nothing refers to are not decoded", TRUE,
          ANY_TIME));
  g_object_class_install_property (klass, first + GST_DECODE_PROPERTY_MAX_ERRORS,
      g_param_spec_int ("max-errors", "Maximum of errors", "Damaged pictures in a row before decoding ends with an error; -1: any number",
          -1, G_MAXINT, -1, ANY_TIME));
  g_object_class_install_property (klass, first + GST_DECODE_PROPERTY_DISCARD_CORRUPTED_FRAMES,
      g_param_spec_boolean ("discard-corrupted-frames", "Discard corrupted frames",
          "Leave out frames that are flagged as corrupted, instead of outputting them", FALSE, ANY_TIME));
  g_object_class_install_property (klass, first + GST_DECODE_PROPERTY_REQUEST_SYNC_POINTS,
      g_param_spec_boolean ("automatic-request-sync-points", "Automatically request sync points",
          "Ask upstream for a key unit where decoding cannot begin, or is damaged", TRUE, ANY_TIME));
  g_object_class_install_property (klass, first + GST_DECODE_PROPERTY_KEY_UNIT_INTERVAL,
      g_param_spec_uint64 ("min-force-key-unit-interval", "Minimum interval of key unit requests",
          "Least time between two requests for a key unit, in nanoseconds", 0, G_MAXUINT64, DEFAULT_KEY_UNIT_INTERVAL, ANY_TIME));
}

static void
install_measuring (GObjectClass *klass, guint first)
{
  g_object_class_install_property (klass, first + GST_DECODE_PROPERTY_MEASURE_TIME,
      g_param_spec_boolean ("measure-time", "Measure time", "Measure how long the work takes, for stats", FALSE, IN_READY));
  g_object_class_install_property (klass, first + GST_DECODE_PROPERTY_STATS,
      g_param_spec_boxed ("stats", "Statistics", "What has been done so far, and how long it took where measure-time is true",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

void
gst_decode_properties_install (GObjectClass *klass, guint first)
{
  install_own (klass, first);
  install_video_decoder (klass, first);
  install_measuring (klass, first);
  gst_type_mark_as_plugin_api (GST_TYPE_OUTPUT_DELAY, 0);
}
