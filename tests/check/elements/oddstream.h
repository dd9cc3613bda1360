/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Writes streams as cameras, muxers and networks make them: unit by unit, with every mistake that a test wants.
 */
#pragma once

#include <gst/gst.h>

#include "h264writer.h"

/**
 * OddStream:
 * @sps, @pps: what the next sets and slices are written with
 * @length_size: units stand behind lengths of so many bytes; 0: behind start codes
 * @start_code: bytes of a start code
 * @plain: intra pictures have no samples, which keeps large ones small
 * @caps_format: stream-format of the caps
 * @codec_data: (nullable): of the caps
 * @unit_data: the buffer being written
 * @buffers: of GstBuffer, in order; NULL for the events of odd_events()
 * @n_slices: written so far; their samples differ by it
 */
typedef struct
{
  SpsValues sps;
  PpsValues pps;
  guint length_size, start_code;
  gboolean plain;
  const gchar *caps_format;
  GByteArray *codec_data;

  /*< private > */
  GByteArray *unit_data;
  GPtrArray *buffers;
  guint n_slices;
} OddStream;

/**
 * OddSlice:
 * @type: 'D' (IDR), 'I', 'P', 'B'
 * @frame_num: modulo MaxFrameNum
 * @poc: pic_order_cnt_lsb, modulo its range
 * @no_reference: nal_ref_idc 0
 * @idr_pic_id: of IDR pictures
 * @first_mb, @n_mbs: macroblocks of the slice; @n_mbs 0: all behind @first_mb
 * @n_active: num_ref_idx_active of list 0, if not the PPS's
 * @marking, @n_marking: memory_management_control_operation elements and their operands as they are coded, without the 0 at the end
 * @moves: of P slices: all macroblocks have this horizontal vector, in quarter samples; the slice begins and ends with rows
 * @junk: bytes behind rbsp_trailing_bits ()
 * @cut: bytes that are missing at the end
 */
typedef struct
{
  gchar type;
  guint frame_num, poc;
  gboolean no_reference;
  guint idr_pic_id;
  guint first_mb, n_mbs;
  guint n_active;
  guint marking[4], n_marking;
  gint moves;
  guint junk, cut;
} OddSlice;

/* Milliseconds between pictures of odd_picture() */
#define ODD_STEP 40

void odd_stream_init (OddStream *s);
void odd_stream_clear (OddStream *s);

/* Takes @unit, a NAL unit without a start code, into the buffer being written. */
void odd_unit (OddStream *s, GByteArray *unit);
/* The same of bytes */
void odd_bytes (OddStream *s, guint n, ...);
/* Bytes as they are, without a start code or length */
void odd_raw (OddStream *s, const guint8 *data, gsize size);
void odd_sets (OddStream *s);
void odd_slice (OddStream *s, const OddSlice *slice);
/* The same, as a unit */
GByteArray *odd_slice_unit (OddStream *s, const OddSlice *slice);
/* Ends the buffer, with a time in ms, or without one (-1). */
void odd_end (OddStream *s, gint pts);
/* Events that a parser or depayloader sends when they come, between the buffers */
void odd_events (OddStream *s);
/* A picture of one slice, in a buffer; ends what was begun. */
void odd_picture (OddStream *s, gchar type, guint frame_num, guint poc, gint pts);
/* Pictures D P P P P, or the last @n of them from number @first on, 40 ms each */
void odd_plain_pictures (OddStream *s, guint first, guint n);

/* AVCDecoderConfigurationRecord with an SPS and a PPS, which stay the caller's; (nullable) none */
GByteArray *odd_record (guint length_size, const GByteArray *sps, const GByteArray *pps);
