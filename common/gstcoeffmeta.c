/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:gstcoeffmeta
 * @title: GstCoeffMeta
 * @short_description: where the compacted coefficients of a coded picture lie
 */

#include <string.h>
#include "gstcoeffmeta.h"

GType
gst_coeff_meta_api_get_type (void)
{
  static GType type;
  static const gchar *tags[] = { NULL };

  if (g_once_init_enter (&type)) {
    GType t = gst_meta_api_type_register ("GstCoeffMetaAPI", tags);
    g_once_init_leave (&type, t);
  }
  return type;
}

/* Everything behind the GstMeta itself, which GStreamer owns */
static void
gst_coeff_meta_copy_layout (GstCoeffMeta *dest, const GstCoeffMeta *src)
{
  dest->n_segments = src->n_segments;
  memcpy (dest->first, src->first, sizeof (dest->first));
  dest->coded_bytes = src->coded_bytes;
  dest->n_blocks = src->n_blocks;
}

static gboolean
gst_coeff_meta_init (GstMeta *meta, gpointer params, GstBuffer *buffer)
{
  static const GstCoeffMeta empty;

  gst_coeff_meta_copy_layout ((GstCoeffMeta *) meta, &empty);
  return TRUE;
}

/* Holds offsets only; registered because every meta of a private link has all three functions */
static void
gst_coeff_meta_free (GstMeta *meta, GstBuffer *buffer)
{
}

/* The offsets count from the start of the memories, so they hold in a whole copy and in nothing else. */
static gboolean
gst_coeff_meta_transform (GstBuffer *dest, GstMeta *meta, GstBuffer *buffer, GQuark type, gpointer data)
{
  GstCoeffMeta *copy;

  if (!GST_META_TRANSFORM_IS_COPY (type) || ((GstMetaTransformCopy *) data)->region)
    return FALSE;

  copy = gst_buffer_add_coeff_meta (dest);
  if (!copy)
    return FALSE;
  gst_coeff_meta_copy_layout (copy, (const GstCoeffMeta *) meta);

  return TRUE;
}

const GstMetaInfo *
gst_coeff_meta_get_info (void)
{
  static const GstMetaInfo *info;

  if (g_once_init_enter ((GstMetaInfo **) &info)) {
    const GstMetaInfo *i = gst_meta_register (GST_COEFF_META_API_TYPE, "GstCoeffMeta", sizeof (GstCoeffMeta), gst_coeff_meta_init,
        gst_coeff_meta_free, gst_coeff_meta_transform);
    g_once_init_leave ((GstMetaInfo **) &info, (GstMetaInfo *) i);
  }
  return info;
}

/**
 * gst_buffer_get_coeff_meta:
 * @buffer: a #GstBuffer
 *
 * Returns: (transfer none) (nullable): where the block lists of the coded picture in @buffer are
 */
GstCoeffMeta *
gst_buffer_get_coeff_meta (GstBuffer *buffer)
{
  return (GstCoeffMeta *) gst_buffer_get_meta (buffer, GST_COEFF_META_API_TYPE);
}

/**
 * gst_buffer_add_coeff_meta:
 * @buffer: a writable #GstBuffer
 *
 * Returns: (transfer none): an empty meta, to be filled in
 */
GstCoeffMeta *
gst_buffer_add_coeff_meta (GstBuffer *buffer)
{
  return (GstCoeffMeta *) gst_buffer_add_meta (buffer, gst_coeff_meta_get_info (), NULL);
}
