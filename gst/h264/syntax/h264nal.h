/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * NAL units: cutting a buffer into them (Annex B byte stream, or length-prefixed as ISO/IEC 14496-15 has it), their header (7.3.1), and
 * their RBSP.
 */
#pragma once

#include <glib.h>
#include "h264bits.h"

G_BEGIN_DECLS

/* nal_unit_type (Table 7-1) */
enum
{
  H264_NAL_SLICE = 1,
  H264_NAL_PARTITION_A = 2,
  H264_NAL_PARTITION_B = 3,
  H264_NAL_PARTITION_C = 4,
  H264_NAL_IDR_SLICE = 5,
  H264_NAL_SEI = 6,
  H264_NAL_SPS = 7,
  H264_NAL_PPS = 8,
  H264_NAL_AUD = 9,
  H264_NAL_END_OF_SEQUENCE = 10,
  H264_NAL_END_OF_STREAM = 11,
  H264_NAL_FILLER_DATA = 12,
  H264_NAL_SPS_EXTENSION = 13,
  H264_NAL_PREFIX = 14,
  H264_NAL_SUBSET_SPS = 15,
  H264_NAL_AUXILIARY_SLICE = 19,
  H264_NAL_SLICE_EXTENSION = 20,
  H264_NAL_SLICE_EXTENSION_DEPTH = 21,
};

/**
 * H264Nal:
 * @data: the NAL unit, from its header on, emulation prevention bytes still in it
 * @size: bytes, without trailing_zero_8bits
 * @nal_ref_idc: 0 to 3
 * @nal_unit_type: Table 7-1
 * @header_bytes: nalUnitHeaderBytes: 1, or more for the types with an extension (14, 20, 21)
 */
typedef struct
{
  const guint8 *data;
  gsize size;
  guint8 nal_ref_idc;
  guint8 nal_unit_type;
  guint8 header_bytes;
} H264Nal;

/* Whether such a unit carries slice data of the primary or a redundant coded picture */
static inline gboolean
h264_nal_type_is_vcl (guint nal_unit_type)
{
  return nal_unit_type >= H264_NAL_SLICE && nal_unit_type <= H264_NAL_IDR_SLICE;
}

/**
 * H264NalReader:
 *
 * @length_size: bytes of a length prefix (1 to 4); 0: byte stream
 * @bundle_end: up to there the data behind the last length are a byte stream: there are cameras that put start codes, and even several
 *   units, where one unit belongs
 *
 * Walks over the NAL units of one buffer; holds no memory.
 */
typedef struct
{
  const guint8 *data;
  gsize size;
  gsize pos;
  guint length_size;
  gsize bundle_end;
} H264NalReader;

typedef enum
{
  H264_NAL_FOUND,
  H264_NAL_END,    /* no more units in the buffer */
  H264_NAL_BROKEN, /* @error says why; the walk goes on behind it */
} H264NalResult;

void h264_nal_reader_init (H264NalReader *reader, const guint8 *data, gsize size, guint length_size);
H264NalResult h264_nal_reader_next (H264NalReader *reader, H264Nal *nal, const gchar **error);

/* Whether @data are NAL units behind lengths of @length_size bytes, to the last byte; whether they begin with a start code */
gboolean h264_nal_fits_lengths (const guint8 *data, gsize size, guint length_size);
gboolean h264_nal_has_start_code (const guint8 *data, gsize size);

/* Fills in @nal for the @size bytes of a lone NAL unit (no start code, no length).  FALSE and @error where its header is broken. */
gboolean h264_nal_init (H264Nal *nal, const guint8 *data, gsize size, const gchar **error);

/**
 * H264Rbsp:
 * @data: the bytes behind the NAL unit header without emulation prevention, with H264_RBSP_PADDING zero bytes behind them
 * @size: bytes without the padding
 * @capacity: bytes allocated
 * @illegal_sequence: a sequence was met that no NAL unit may contain (7.4.1): the unit is damaged
 *
 * A buffer that is kept from one NAL unit to the next; zero-initialise it.
 */
typedef struct
{
  guint8 *data;
  gsize size;
  gsize capacity;
  gboolean illegal_sequence;
} H264Rbsp;

/* Unescapes @nal into @rbsp, which grows as needed.  FALSE: there is no memory for that, and @rbsp is empty. */
gboolean h264_rbsp_set (H264Rbsp *rbsp, const H264Nal *nal);
void h264_rbsp_clear (H264Rbsp *rbsp);

static inline void
h264_rbsp_read (const H264Rbsp *rbsp, H264Bits *bits)
{
  h264_bits_init (bits, rbsp->data, rbsp->size);
}

G_END_DECLS
