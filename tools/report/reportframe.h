/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The frame whose macroblocks a report shows: what its coded pictures, a frame or two fields, were made of.
 */
#pragma once

#include "jsonwriter.h"
#include "recordview.h"

G_BEGIN_DECLS

/**
 * ReportFrame:
 * @number: its place in decoding order, from 0 on
 * @store: its samples
 * @format: what they are
 * @has_inter: it has P or B slices
 * @slice_bytes: of all its slices
 */
typedef struct
{
  guint64 number;
  GstFrameStore *store;
  GstCodedFormat format;
  gboolean has_inter;
  guint64 slice_bytes;

  /*< private > */
  GPtrArray *pictures;
} ReportFrame;

/* Of the frame that the coded picture of @view belongs to */
ReportFrame *report_frame_new (guint64 number, const RecordView *view, const GstCodedFormat *format);
void report_frame_free (ReportFrame *self);

/* Copies the records of a coded picture of the frame. */
void report_frame_add_picture (ReportFrame *self, const RecordView *view);

/* Whether @self shows more than @other (nullable): vectors before none, more bits before fewer */
gboolean report_frame_is_better (const ReportFrame *self, const ReportFrame *other);

/* The frame as an object; @image: (nullable): a URI of its samples */
void report_frame_write (const ReportFrame *self, const gchar *image, const gchar *name, JsonWriter *json);

/* I, P or B: of the slices of the picture, the last of these that one has */
gchar record_view_get_type (const RecordView *view);

G_END_DECLS
