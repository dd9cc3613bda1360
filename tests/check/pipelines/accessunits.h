/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A stream as access units, each a picture (a frame or a field), with times, joined and parted as containers and parsers do it.
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define ACCESS_UNITS_FRAME_DURATION (40 * GST_MSECOND)

/**
 * AccessUnit:
 * @buffer: one or more NAL units
 * @caps: of it
 * @field: 0: a frame, or the first field of one; 1: the second field of the unit before
 */
typedef struct
{
  GstBuffer *buffer;
  GstCaps *caps;
  guint field;
} AccessUnit;

/* (element-type AccessUnit) (transfer full): the first @max pictures of @source (elements that give H.264), as h264parse cuts them, with
 * the times that it has for them. @format: stream-format */
GPtrArray *access_units_read (const gchar *source, const gchar *format, guint max);

/* The same of a byte stream in memory, which has no times: @row outputs the pictures, and so tells their order and which units are second
 * fields.  Frames are 40 ms apart, and fields 20 ms.  NULL where that cannot be told. */
GPtrArray *access_units_read_bytes (GBytes *bytes, const gchar *format, guint max, const gchar *row);

/* Gives each unit the decoding time that it needs: presentation times in ascending order, all of them moved back so that none is behind the
 * presentation time of its unit. */
void access_units_set_decoding_times (GPtrArray *units);

/* (element-type AccessUnit) (transfer full): none */
GPtrArray *access_units_new (void);

/* Appends a copy of @buffer, of @caps. */
void access_units_append (GPtrArray *self, GstBuffer *buffer, GstCaps *caps);

/* Appends copies of those of @units from number @begin on and before @end.  @join: a second field goes into the buffer of its first one,
 * where that is among them. */
void access_units_add (GPtrArray *self, GPtrArray *units, guint begin, guint end, gboolean join);

/* Appends copies of @units, with times behind those that are there. */
void access_units_add_part (GPtrArray *self, GPtrArray *units);

/* Pushes unit @i. */
void access_units_push (GPtrArray *units, guint i, GstElement *appsrc);

/* Pushes all of @units into the appsrc "src" of @pipeline, and the end behind them. */
void access_units_push_all (GPtrArray *units, GstElement *pipeline);

/* Writes @units into a file at @path with @muxer.  FALSE where that fails. */
gboolean access_units_mux (GPtrArray *units, const gchar *muxer, const gchar *path);

G_END_DECLS
