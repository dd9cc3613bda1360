/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:gstcodedpicture
 * @title: GstCodedPicture
 * @short_description: one coded frame or field on its way through the stages
 */

#include "gstcodedpicture.h"
#include "gstframestore-private.h"

#define ACTIONS_STRUCTURE "GstCodedActions"

GST_DEFINE_MINI_OBJECT_TYPE (GstCodedPicture, gst_coded_picture);

static void
gst_coded_picture_drop_references (GstCodedPicture *self)
{
  for (guint i = 0; i < self->n_references; i++)
    g_clear_pointer (&self->references[i], gst_frame_store_unref);
  self->n_references = 0;
}

static void
gst_coded_picture_free (GstCodedPicture *self)
{
  gst_coded_picture_drop_references (self);
  if (self->pending != 0)
    gst_frame_store_picture_failed (self->store);
  gst_frame_store_unref (self->store);
  g_array_unref (self->actions);
  g_free (self);
}

/**
 * gst_coded_picture_new:
 * @store: the frame that the picture belongs to
 *
 * The picture is pending in every stage; clear the bits that it does not need with gst_coded_picture_stage_done(), or set @pending before
 * anybody else sees the picture, to anything but 0.
 *
 * Returns: (transfer full): a picture without records
 */
GstCodedPicture *
gst_coded_picture_new (GstFrameStore *store)
{
  GstCodedPicture *self = g_new0 (GstCodedPicture, 1);

  gst_mini_object_init (GST_MINI_OBJECT_CAST (self), 0, GST_TYPE_CODED_PICTURE, NULL, NULL,
      (GstMiniObjectFreeFunction) gst_coded_picture_free);
  self->store = gst_frame_store_ref (store);
  self->pending = GST_CODED_STAGE_IDCT | GST_CODED_STAGE_INTERPRED | GST_CODED_STAGE_INTRAPRED | GST_CODED_STAGE_DEBLOCK;
  self->n_colour_planes = 1;
  self->actions = g_array_new (FALSE, TRUE, sizeof (GstCodedAction));
  gst_frame_store_picture_added (store);

  return self;
}

/**
 * gst_coded_picture_get_params:
 * @picture: a #GstCodedPicture
 * @plane: number of a colour plane
 *
 * Returns: (transfer none) (nullable): what a kernel needs to know of it
 */
const GstGpuPicture *
gst_coded_picture_get_params (const GstCodedPicture *picture, guint plane)
{
  return plane < picture->n_colour_planes ? &picture->params[plane] : NULL;
}

/**
 * gst_coded_picture_get_layout:
 * @picture: a #GstCodedPicture
 * @plane: number of a colour plane
 *
 * Returns: (transfer none) (nullable): where its records lie in the header arena
 */
const GstGpuLayout *
gst_coded_picture_get_layout (const GstCodedPicture *picture, guint plane)
{
  return plane < picture->n_colour_planes ? &picture->layout[plane] : NULL;
}

/**
 * gst_coded_picture_stage_done:
 * @picture: a picture
 * @stage: a stage that has submitted its work, or that @picture does not need
 *
 * Clears @stage in pending; with the last bit the frame store counts the picture as submitted.  A stage that is not pending is no error.
 */
void
gst_coded_picture_stage_done (GstCodedPicture *picture, GstCodedStages stage)
{
  if (!(picture->pending & stage))
    return;

  picture->pending &= ~stage;
  if (picture->pending == 0) {
    gst_coded_picture_drop_references (picture);
    gst_frame_store_picture_submitted (picture->store);
  }
}

GType
gst_coded_picture_meta_api_get_type (void)
{
  static GType type;
  static const gchar *tags[] = { NULL };

  if (g_once_init_enter (&type)) {
    GType t = gst_meta_api_type_register ("GstCodedPictureMetaAPI", tags);
    g_once_init_leave (&type, t);
  }
  return type;
}

static gboolean
gst_coded_picture_meta_init (GstMeta *meta, gpointer params, GstBuffer *buffer)
{
  ((GstCodedPictureMeta *) meta)->picture = NULL;
  return TRUE;
}

static void
gst_coded_picture_meta_free (GstMeta *meta, GstBuffer *buffer)
{
  GstCodedPictureMeta *self = (GstCodedPictureMeta *) meta;

  if (self->picture)
    gst_coded_picture_unref (self->picture);
}

/* A whole copy is the same picture: its memories are shared or copied in the same order.  A part of the memories is no picture. */
static gboolean
gst_coded_picture_meta_transform (GstBuffer *dest, GstMeta *meta, GstBuffer *buffer, GQuark type, gpointer data)
{
  GstCodedPictureMeta *self = (GstCodedPictureMeta *) meta;

  if (!GST_META_TRANSFORM_IS_COPY (type) || ((GstMetaTransformCopy *) data)->region || !self->picture)
    return FALSE;

  return gst_buffer_add_coded_picture_meta (dest, self->picture) != NULL;
}

const GstMetaInfo *
gst_coded_picture_meta_get_info (void)
{
  static const GstMetaInfo *info;

  if (g_once_init_enter ((GstMetaInfo **) &info)) {
    const GstMetaInfo *i = gst_meta_register (GST_CODED_PICTURE_META_API_TYPE, "GstCodedPictureMeta", sizeof (GstCodedPictureMeta),
        gst_coded_picture_meta_init, gst_coded_picture_meta_free, gst_coded_picture_meta_transform);
    g_once_init_leave ((GstMetaInfo **) &info, (GstMetaInfo *) i);
  }
  return info;
}

/**
 * gst_buffer_add_coded_picture_meta:
 * @buffer: (transfer none): a writable buffer
 * @picture: (transfer none): the picture that it carries
 *
 * Returns: (transfer none): the meta, which holds a reference on @picture
 */
GstCodedPictureMeta *
gst_buffer_add_coded_picture_meta (GstBuffer *buffer, GstCodedPicture *picture)
{
  GstCodedPictureMeta *self;

  self = (GstCodedPictureMeta *) gst_buffer_add_meta (buffer, gst_coded_picture_meta_get_info (), NULL);
  if (self)
    self->picture = gst_coded_picture_ref (picture);

  return self;
}

/**
 * gst_buffer_get_coded_picture:
 * @buffer: a buffer
 *
 * Returns: (transfer none) (nullable): the picture that @buffer carries
 */
GstCodedPicture *
gst_buffer_get_coded_picture (GstBuffer *buffer)
{
  GstCodedPictureMeta *self = (GstCodedPictureMeta *) gst_buffer_get_meta (buffer, GST_CODED_PICTURE_META_API_TYPE);

  return self ? self->picture : NULL;
}

/**
 * gst_coded_actions_event_new:
 * @actions: (array length=n_actions): what the last stage shall do, in order
 * @n_actions: entries in @actions
 *
 * Returns: (transfer full): a serialised event
 */
GstEvent *
gst_coded_actions_event_new (const GstCodedAction *actions, guint n_actions)
{
  GArray *array = g_array_sized_new (FALSE, FALSE, sizeof (GstCodedAction), n_actions);
  GstStructure *structure;

  if (n_actions > 0)
    g_array_append_vals (array, actions, n_actions);
  structure = gst_structure_new (ACTIONS_STRUCTURE, "actions", G_TYPE_ARRAY, array, NULL);
  g_array_unref (array);

  return gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM, structure);
}

/**
 * gst_coded_actions_event_parse:
 * @event: any event
 *
 * Returns: (transfer full) (nullable) (element-type GstCodedAction): the actions of @event, not to be changed; %NULL where it is another
 *   event
 */
GArray *
gst_coded_actions_event_parse (GstEvent *event)
{
  const GstStructure *structure = gst_event_get_structure (event);
  GArray *array;

  if (GST_EVENT_TYPE (event) != GST_EVENT_CUSTOM_DOWNSTREAM || !structure || !gst_structure_has_name (structure, ACTIONS_STRUCTURE))
    return NULL;
  if (!gst_structure_get (structure, "actions", G_TYPE_ARRAY, &array, NULL) || !array)
    return NULL;
  if (g_array_get_element_size (array) != sizeof (GstCodedAction)) {
    g_array_unref (array);
    return NULL;
  }

  return array;
}
