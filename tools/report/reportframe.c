/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reportframe.h"

#include <math.h>
#include <string.h>

/* How the page knows what a macroblock is: a digit each */
enum
{
  KIND_I4x4,
  KIND_I8x8,
  KIND_I16x16,
  KIND_IPCM,
  KIND_LIST_0,
  KIND_LIST_1,
  KIND_BOTH_LISTS,
};

/* Bits of a hexadecimal digit each */
#define FLAG_FIELD 1
#define FLAG_TRANSFORM_8x8 2
#define FLAG_LOSSLESS 4
#define FLAG_NO_RESIDUAL 8

/* @distance: how many frames before in decoding order the references are: 0: the frame itself; NaN: missing */
typedef struct
{
  GstGpuPartition partition;
  gdouble distance[2];
} Partition;

typedef struct
{
  guint n_mbs, n_partitions;
  GstGpuMb *mbs;
  guint32 *levels; /* by mbAddr */
  Partition *partitions;
} Plane;

typedef struct
{
  guint32 first_mb, n_mbs;
  guint8 slice_type, colour_plane_id;
} Slice;

typedef struct
{
  GstGpuPicture params;
  gchar type;
  guint64 slice_bytes, n_levels;
  guint n_planes, n_slices;
  Plane planes[3];
  Slice *slices;
} Picture;

static void
picture_free (gpointer data)
{
  Picture *picture = data;

  for (guint i = 0; i < picture->n_planes; i++) {
    g_free (picture->planes[i].mbs);
    g_free (picture->planes[i].levels);
    g_free (picture->planes[i].partitions);
  }
  g_free (picture->slices);
  g_free (picture);
}

ReportFrame *
report_frame_new (guint64 number, const RecordView *view, const GstCodedFormat *format)
{
  ReportFrame *self = g_new0 (ReportFrame, 1);

  self->number = number;
  self->store = gst_frame_store_ref (view->picture->store);
  self->format = *format;
  self->pictures = g_ptr_array_new_with_free_func (picture_free);
  return self;
}

void
report_frame_free (ReportFrame *self)
{
  g_ptr_array_unref (self->pictures);
  gst_frame_store_unref (self->store);
  g_free (self);
}

gboolean
report_frame_is_better (const ReportFrame *self, const ReportFrame *other)
{
  if (!other || self->has_inter != other->has_inter)
    return !other || self->has_inter;
  return self->slice_bytes > other->slice_bytes;
}

gchar
record_view_get_type (const RecordView *view)
{
  const GstGpuSlice *slices = record_view_get_slices (view);
  gchar type = 'I';

  for (guint i = 0; i < view->picture->n_slices; i++) {
    if (slices[i].slice_type == GST_GPU_SLICE_B)
      return 'B';
    if (slices[i].slice_type == GST_GPU_SLICE_P)
      type = 'P';
  }
  return type;
}

/* ---- copying ---- */

/* As inter prediction reads the tables: field macroblocks of MBAFF frames count fields (8.4.2.1) */
static gdouble
get_distance (const RecordView *view, const GstGpuPartition *partition, const GstGpuMb *mb, guint plane, guint list)
{
  const GstCodedPicture *picture = view->picture;
  const gboolean counts_fields = picture->params[plane].mbaff && (mb->flags & GST_GPU_MB_FIELD);
  const GstGpuInterSlice *slices = record_view_get_inter_slices (view);
  const GstFrameStore *reference;
  guint index, number;

  if (partition->ref_idx[list] < 0 || partition->slice >= picture->n_slices)
    return NAN;
  index = (guint) partition->ref_idx[list] >> (counts_fields ? 1 : 0);
  number = slices[partition->slice].reference[list][index & 31] & GST_GPU_REFERENCE_SURFACE;
  reference = number < picture->n_references ? picture->references[number] : NULL;
  return reference ? (gdouble) (gint32) (picture->store->number - reference->number) : NAN;
}

static void
copy_partitions (Plane *plane, const RecordView *view, guint index)
{
  const GstGpuPartition *partitions = record_view_get_partitions (view, index);

  plane->n_partitions = partitions ? view->picture->layout[index].n_partitions : 0;
  plane->partitions = g_new (Partition, plane->n_partitions);
  for (guint i = 0; i < plane->n_partitions; i++) {
    const guint mb_addr = GST_GPU_PARTITION_MB (partitions[i].where);
    Partition *copy = &plane->partitions[i];

    copy->partition = partitions[i];
    for (guint list = 0; list < 2; list++)
      copy->distance[list] = mb_addr < plane->n_mbs ? get_distance (view, &partitions[i], &plane->mbs[mb_addr], index, list) : NAN;
  }
}

static void
copy_slices (Picture *picture, const RecordView *view)
{
  const GstGpuSlice *slices = record_view_get_slices (view);

  picture->n_slices = view->picture->n_slices;
  picture->slices = g_new (Slice, picture->n_slices);
  for (guint i = 0; i < picture->n_slices; i++)
    picture->slices[i] = (Slice){ slices[i].first_mb, slices[i].n_mbs, slices[i].slice_type, slices[i].colour_plane_id };
}

void
report_frame_add_picture (ReportFrame *self, const RecordView *view)
{
  Picture *picture = g_new0 (Picture, 1);
  guint32 *levels[3] = {
    NULL,
  };

  picture->params = view->picture->params[0];
  picture->type = record_view_get_type (view);
  picture->slice_bytes = view->picture->slice_bytes;
  picture->n_planes = view->picture->n_colour_planes;
  for (guint i = 0; i < picture->n_planes; i++) {
    Plane *plane = &picture->planes[i];

    plane->n_mbs = record_view_count_mbs (view, i);
    plane->mbs = g_new (GstGpuMb, plane->n_mbs);
    memcpy (plane->mbs, record_view_get_mbs (view, i), plane->n_mbs * sizeof (GstGpuMb));
    plane->levels = levels[i] = g_new0 (guint32, plane->n_mbs);
    copy_partitions (plane, view, i);
  }
  picture->n_levels = record_view_count_levels (view, levels);
  copy_slices (picture, view);
  g_ptr_array_add (self->pictures, picture);
  self->has_inter |= view->picture->has_inter;
  self->slice_bytes += picture->slice_bytes;
}

/* ---- writing ---- */

static guint
get_inter_kind (const Plane *plane, const GstGpuMb *mb)
{
  gboolean uses[2] = { FALSE, FALSE };

  for (guint i = 0; i < mb->n_partitions && (guint64) mb->first_motion + i < plane->n_partitions; i++)
    for (guint list = 0; list < 2; list++)
      uses[list] |= plane->partitions[mb->first_motion + i].partition.ref_idx[list] >= 0;
  if (uses[0] && uses[1])
    return KIND_BOTH_LISTS;
  return uses[1] ? KIND_LIST_1 : KIND_LIST_0;
}

static guint
get_kind (const Plane *plane, const GstGpuMb *mb)
{
  static const guint8 kinds[] = {
    [GST_GPU_MB_I4x4] = KIND_I4x4,
    [GST_GPU_MB_I8x8] = KIND_I8x8,
    [GST_GPU_MB_I16x16] = KIND_I16x16,
    [GST_GPU_MB_IPCM] = KIND_IPCM,
  };

  return mb->mb_class < G_N_ELEMENTS (kinds) ? kinds[mb->mb_class] : get_inter_kind (plane, mb);
}

static guint
get_flags (const GstGpuMb *mb)
{
  guint flags = 0;

  if (mb->flags & GST_GPU_MB_FIELD)
    flags |= FLAG_FIELD;
  if (mb->flags & GST_GPU_MB_TRANSFORM_8x8)
    flags |= FLAG_TRANSFORM_8x8;
  if (mb->flags & GST_GPU_MB_BYPASS)
    flags |= FLAG_LOSSLESS;
  if (mb->mb_class != GST_GPU_MB_IPCM && !mb->dc_coded && !mb->coded[0] && !mb->coded[1] && !mb->coded[2])
    flags |= FLAG_NO_RESIDUAL;
  return flags;
}

static void
write_mbs (const Plane *plane, JsonWriter *json)
{
  gchar *kinds = g_malloc (plane->n_mbs + 1), *flags = g_malloc (plane->n_mbs + 1);

  for (guint i = 0; i < plane->n_mbs; i++) {
    kinds[i] = (gchar) ('0' + get_kind (plane, &plane->mbs[i]));
    flags[i] = "0123456789abcdef"[get_flags (&plane->mbs[i])];
  }
  kinds[plane->n_mbs] = flags[plane->n_mbs] = '\0';
  json_add_string (json, "kinds", kinds);
  json_add_string (json, "flags", flags);
  g_free (kinds);
  g_free (flags);
  json_begin_array (json, "qp");
  for (guint i = 0; i < plane->n_mbs; i++)
    json_add_number (json, NULL, plane->mbs[i].qp_filter[0]);
  json_end_array (json);
  json_begin_array (json, "levels");
  for (guint i = 0; i < plane->n_mbs; i++)
    json_add_number (json, NULL, plane->levels[i]);
  json_end_array (json);
  json_begin_array (json, "slice");
  for (guint i = 0; i < plane->n_mbs; i++)
    json_add_number (json, NULL, plane->mbs[i].slice);
  json_end_array (json);
}

/* Thirteen numbers each: mbAddr; x, y, width, height in luma samples; for each list refIdx (-1: not used), mvLX in quarter samples, how
 * many frames before the reference is */
static void
write_partitions (const Plane *plane, JsonWriter *json)
{
  json_begin_array (json, "partitions");
  for (guint i = 0; i < plane->n_partitions; i++) {
    const GstGpuPartition *p = &plane->partitions[i].partition;

    json_add_number (json, NULL, GST_GPU_PARTITION_MB (p->where));
    json_add_number (json, NULL, 4 * GST_GPU_PARTITION_X (p->where));
    json_add_number (json, NULL, 4 * GST_GPU_PARTITION_Y (p->where));
    json_add_number (json, NULL, 4 * GST_GPU_PARTITION_WIDTH (p->where));
    json_add_number (json, NULL, 4 * GST_GPU_PARTITION_HEIGHT (p->where));
    for (guint list = 0; list < 2; list++) {
      json_add_number (json, NULL, p->ref_idx[list]);
      json_add_number (json, NULL, p->ref_idx[list] >= 0 ? p->mv[list][0] : 0);
      json_add_number (json, NULL, p->ref_idx[list] >= 0 ? p->mv[list][1] : 0);
      json_add_number (json, NULL, plane->partitions[i].distance[list]);
    }
  }
  json_end_array (json);
}

static void
write_slices (const Picture *picture, JsonWriter *json)
{
  static const gchar *const types[] = { [GST_GPU_SLICE_P] = "P", [GST_GPU_SLICE_B] = "B", [GST_GPU_SLICE_I] = "I" };

  json_begin_array (json, "slices");
  for (guint i = 0; i < picture->n_slices; i++) {
    const Slice *slice = &picture->slices[i];

    json_begin_object (json, NULL);
    json_add_string (json, "type", slice->slice_type < G_N_ELEMENTS (types) ? types[slice->slice_type] : NULL);
    json_add_number (json, "first", slice->first_mb);
    json_add_number (json, "n", slice->n_mbs);
    json_end_object (json);
  }
  json_end_array (json);
}

static void
write_picture (const Picture *picture, JsonWriter *json)
{
  static const gchar *const structures[] = { "frame", "top field", "bottom field" };
  const gchar type[] = { picture->type, '\0' };

  json_begin_object (json, NULL);
  json_add_string (json, "structure", structures[MIN (picture->params.field_pic, 2)]);
  json_add_boolean (json, "mbaff", picture->params.mbaff);
  json_add_string (json, "type", type);
  json_add_number (json, "bits", 8.0 * picture->slice_bytes);
  json_add_number (json, "coefficients", picture->n_levels);
  json_add_number (json, "width_in_mbs", picture->params.width_in_mbs);
  json_add_number (json, "height_in_mbs", picture->params.height_in_mbs);
  write_slices (picture, json);
  json_begin_array (json, "planes");
  for (guint i = 0; i < picture->n_planes; i++) {
    json_begin_object (json, NULL);
    write_mbs (&picture->planes[i], json);
    write_partitions (&picture->planes[i], json);
    json_end_object (json);
  }
  json_end_array (json);
  json_end_object (json);
}

void
report_frame_write (const ReportFrame *self, const gchar *image, const gchar *name, JsonWriter *json)
{
  static const gchar *const chroma[] = { "4:0:0", "4:2:0", "4:2:2", "4:4:4" };
  const GstCodedFormat *format = &self->format;

  json_begin_object (json, name);
  json_add_number (json, "frame", self->number);
  json_add_number (json, "time", GST_CLOCK_TIME_IS_VALID (self->store->pts) ? self->store->pts / 1e9 : NAN);
  json_add_number (json, "bits", 8.0 * self->slice_bytes);
  json_add_number (json, "width", format->width);
  json_add_number (json, "height", format->height);
  json_add_number (json, "crop_x", format->crop_x);
  json_add_number (json, "crop_y", format->crop_y);
  json_add_string (json, "chroma", chroma[format->chroma_format_idc & 3]);
  json_add_number (json, "bit_depth_luma", format->bit_depth_luma);
  json_add_number (json, "bit_depth_chroma", format->bit_depth_chroma);
  json_add_boolean (json, "rgb", format->colorimetry.matrix == GST_VIDEO_COLOR_MATRIX_RGB);
  json_add_string (json, "image", image);
  json_begin_array (json, "pictures");
  for (guint i = 0; i < self->pictures->len; i++)
    write_picture (g_ptr_array_index (self->pictures, i), json);
  json_end_array (json);
  json_end_object (json);
}
