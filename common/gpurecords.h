/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The records that cross from the entropy stage to the device.
 *
 * C and OpenCL C share this header: no includes beyond stdint, no pointers, every member at an offset that is the same in both languages.
 * All values are little endian, as host and device are.
 *
 * Some of what is defined here nothing writes yet, and says so: the kinds of H.265, which gpuidct can read.
 *
 * Vocabulary: a *slot* is 32 bytes of the coefficient arena, the room of one 4x4 block of 16-bit levels.
 */
#ifndef GST_GPU_RECORDS_H
#define GST_GPU_RECORDS_H

#ifdef __OPENCL_VERSION__
typedef uchar gst_gpu_u8;
typedef char gst_gpu_i8;
typedef ushort gst_gpu_u16;
typedef short gst_gpu_i16;
typedef uint gst_gpu_u32;
typedef ulong gst_gpu_u64;
#else
#include <stdint.h>
typedef uint8_t gst_gpu_u8;
typedef int8_t gst_gpu_i8;
typedef uint16_t gst_gpu_u16;
typedef int16_t gst_gpu_i16;
typedef uint32_t gst_gpu_u32;
typedef uint64_t gst_gpu_u64;
#endif

/* Macroblock classes: which prediction a macroblock uses.  A lost macroblock does not exist here: the entropy stage conceals it by writing
 * the record of the prediction it chose. */
#define GST_GPU_MB_I4x4 0
#define GST_GPU_MB_I8x8 1
#define GST_GPU_MB_I16x16 2
#define GST_GPU_MB_IPCM 3
#define GST_GPU_MB_INTER 4

/* GstGpuMb.flags */
#define GST_GPU_MB_TRANSFORM_8x8 1 /* transform_size_8x8_flag */
#define GST_GPU_MB_FIELD 2         /* a field macroblock: mb_field_decoding_flag or field_pic_flag */
#define GST_GPU_MB_BYPASS 4        /* TransformBypassModeFlag: the blocks are residuals already (8.5.15) */
#define GST_GPU_MB_WIDE 8          /* the blocks of this macroblock were written with 32-bit levels */
#define GST_GPU_MB_EXTRA 16 /* free for elements between the entropy stage and gpuidct (GST_CODED_STAGE_EXTRA), which clear it again */

/* GstGpuMb.available: neighbours usable for Intra prediction (6.4.11, 8.3.1.2: same slice, already decoded, and intra where
 * constrained_intra_pred_flag asks for it).  The left neighbour has two halves, which differ in MBAFF frames only. */
#define GST_GPU_AVAILABLE_A 1        /* left, rows 0 to 7 */
#define GST_GPU_AVAILABLE_B 2        /* above */
#define GST_GPU_AVAILABLE_C 4        /* above right */
#define GST_GPU_AVAILABLE_D 8        /* above left */
#define GST_GPU_AVAILABLE_A_LOWER 16 /* left, rows 8 to 15: as A, but in MBAFF frames */
/* left, row 7, though A is not: a frame macroblock beside field macroblocks, of which the bottom one is intra and the top one is not.  The
 * corner of Intra_8x8 block 2 (8.3.2.2), and nothing else */
#define GST_GPU_AVAILABLE_ROW_7 32

/* GstGpuMb.filter: which edges of the macroblock are deblocked (8.7: filterLeftMbEdgeFlag, filterTopMbEdgeFlag, filterInternalEdgesFlag) */
#define GST_GPU_FILTER_LEFT 1
#define GST_GPU_FILTER_TOP 2
#define GST_GPU_FILTER_INTERNAL 4

/**
 * GstGpuMb:
 *
 * One macroblock.  The array is indexed by mbAddr (7.4.3, 6.4.1): raster order of the picture; in MBAFF frames pair
 * after pair.
 */
typedef struct
{
  gst_gpu_u16 slice;                 /* index of its GstGpuSlice */
  gst_gpu_u8 mb_class;               /* GST_GPU_MB_I4x4... */
  gst_gpu_u8 flags;                  /* GST_GPU_MB_TRANSFORM_8x8... */
  gst_gpu_u8 available;              /* GST_GPU_AVAILABLE_A... */
  gst_gpu_u8 filter;                 /* GST_GPU_FILTER_LEFT... */
  gst_gpu_u8 intra_chroma_pred_mode; /* Table 7-16: 0 DC, 1 horizontal, 2 vertical, 3 plane */
  gst_gpu_u8 dc_coded;               /* bit p: plane p has a DC group (its result stands at dc[mbAddr * 48 + p * 16 + blkIdx]) */
  gst_gpu_u8 intra_modes[8];         /* nibbles, low one first: Intra4x4PredMode[16], Intra8x8PredMode[4] or Intra16x16PredMode[1] */
  gst_gpu_u8 qp_scaled[3];           /* qP for scaling: QP'Y, QP'Cb, QP'Cr (8.5.8; with QpBdOffset) */
  gst_gpu_i8 qp_filter[3];           /* qPp for deblocking (8.7.2.2): QPY, and QPC of Cb and Cr, without QpBdOffset */
  gst_gpu_u16 nonzero;               /* bit luma4x4BlkIdx: the luma block has coefficients (a coded 8x8 block sets all four) */
  gst_gpu_u16 coded[3];     /* bit blkIdx of plane p: the block stands in the arena.  blkIdx is luma4x4BlkIdx (6.4.3) for luma and for
                                 * 4:4:4 chroma, 4 * luma8x8BlkIdx for 8x8 blocks, chroma4x4BlkIdx (6.4.7: 2 wide, 2 or 4 high) otherwise */
  gst_gpu_u16 n_partitions; /* inter: entries from first_motion on, at most 16 */
  gst_gpu_u32 first_4x4;    /* slot of its first 4x4 block, or of its I_PCM samples */
  gst_gpu_u32 first_8x8;    /* slot of its first 8x8 block */
  gst_gpu_u32 first_motion; /* index of its first GstGpuPartition (inter) */
} GstGpuMb;

/* The blocks of one kind of a macroblock stand one behind the other, planes Y, Cb, Cr, in the order of blkIdx, those that are not coded
 * left out.  So the block (p, blkIdx) is block number k = popcount of all lower bits of coded[], Y first, within its kind, and stands at
 *   4x4: slot first_4x4 + k * (WIDE ? 2 : 1)      8x8: slot first_8x8 + k * (WIDE ? 8 : 4)
 * (with TRANSFORM_8x8 luma blocks, and 4:4:4 chroma blocks, are 8x8; other chroma blocks are always 4x4).
 * Example, 4:2:0, without TRANSFORM_8x8: coded[] = {0b1011, 0b0100, 0}, that is luma blocks 0, 1, 3 and block 2 of Cb; first_4x4 = 100.
 *   luma block 3: two lower bits are set, k = 2: slot 102 (WIDE: 104); luma block 2 has no slot
 *   Cb block 2: three bits of luma, none below in Cb, k = 3: slot 103 (WIDE: 106); with TRANSFORM_8x8 luma counts apart, k = 0: slot 100
 * Before gpuidct a block holds levels, transposed: the level of column x, row y is number x * n + y; 16-bit, or 32-bit where WIDE.
 * After gpuidct it holds the residual, 16-bit, row by row (y * n + x), at the same place.  A bypass block is stored that way from the
 * start.
 *
 * I_PCM samples: slot first_4x4 on: 256 luma samples row by row, then the macroblock's Cb, then Cr samples; bytes where both depths are 8,
 * else 16 bits each. */

/* What a segment holds */
#define GST_GPU_KIND_4x4 0
#define GST_GPU_KIND_8x8 1
#define GST_GPU_KIND_DC4x4 2 /* Intra16x16DCLevel, and Cb, Cr of 4:4:4: 16 levels, transposed like a 4x4 block (8.5.10) */
#define GST_GPU_KIND_DC2x2 3 /* ChromaDCLevel of 4:2:0: 4 levels, row by row (8.5.11.1) */
#define GST_GPU_KIND_DC2x4 4 /* ChromaDCLevel of 4:2:2: 8 levels, row by row, 2 wide (8.5.11.1) */
#define GST_GPU_KIND_BYPASS4x4 5
#define GST_GPU_KIND_BYPASS8x8 6
#define GST_GPU_KIND_PCM 7 /* one entry a macroblock */
#define GST_GPU_N_H264_KINDS 8

/* The kinds of ITU-T H.265 pictures.  gpuidct reads them; no element writes them yet.  There are no macroblocks: a position is a
 * GST_GPU_HEVC_POSITION, an entry the scaled transform coefficients d of a transform block (8.6.3), row by row (the value of column x, row
 * y is number y * n + x), always 16-bit.  After gpuidct it holds the residual r of 8.6.2, at the same place in the same order, clipped to
 * 16 bits.
 *
 * Coefficients are scaled, levels are not, because of what scaling takes there: d is clipped to 16 bits by 8.6.3, so it needs no more room
 * than a level and never 32 bits (H.264 has no such clip, and its DC groups are scaled behind their transform).  qP changes with every
 * quantisation group, and the scaling factor with size, prediction mode, colour and list, so the device would need a record a block to
 * multiply what is mostly zero; whoever parses a level has all of that at hand.
 *
 * Blocks of cu_transquant_bypass_flag are residuals from the start: cut into GST_GPU_KIND_BYPASS4x4 or GST_GPU_KIND_BYPASS8x8, with such
 * positions. */
#define GST_GPU_KIND_HEVC_DST4x4 8 /* trType 1 of 8.6.4.2: intra luma 4x4 */
#define GST_GPU_KIND_HEVC_4x4 9
#define GST_GPU_KIND_HEVC_8x8 10
#define GST_GPU_KIND_HEVC_16x16 11
#define GST_GPU_KIND_HEVC_32x32 12
#define GST_GPU_KIND_HEVC_SKIP4x4 13 /* transform_skip_flag */
#define GST_GPU_N_KINDS 14

/* Initialises an array over the kinds: levels or coefficients of a block; samples of I_PCM are none */
#define GST_GPU_KIND_LEVELS                                \
  {                                                        \
    16, 64, 16, 4, 8, 16, 64, 0, 16, 16, 64, 256, 1024, 16 \
  }

/**
 * GstGpuSegment:
 *
 * A dense run of blocks of one kind and width.
 */
typedef struct
{
  gst_gpu_u32 coeffs;      /* slot of the first block (a PCM entry takes whole slots) */
  gst_gpu_u32 positions;   /* index (in 4-byte units of the coefficient arena) of `count` positions */
  gst_gpu_u32 count;       /* blocks */
  gst_gpu_u8 kind;         /* GST_GPU_KIND_4x4... */
  gst_gpu_u8 wide;         /* 1: 32-bit levels, 0: 16-bit */
  gst_gpu_u8 colour_plane; /* which macroblock-record array positions point into: 0 but for separate_colour_plane_flag */
  gst_gpu_u8 padding;
} GstGpuSegment;

/* A position: where a block belongs */
#define GST_GPU_POSITION(mb_addr, plane, blk) ((gst_gpu_u32) (mb_addr) << 6 | (gst_gpu_u32) (plane) << 4 | (gst_gpu_u32) (blk))
#define GST_GPU_POSITION_MB(position) ((position) >> 6)
#define GST_GPU_POSITION_PLANE(position) (((position) >> 4) & 3)
#define GST_GPU_POSITION_BLK(position) ((position) % 16)

/* The same of an H.265 block (which nothing writes yet): plane (cIdx), and column and row of its first sample in that plane, in units of 4
 * samples (below 32768) */
#define GST_GPU_HEVC_POSITION(plane, x, y) ((gst_gpu_u32) (x) << 17 | (gst_gpu_u32) (y) << 2 | (gst_gpu_u32) (plane))
#define GST_GPU_HEVC_POSITION_PLANE(position) ((position) % 4)
#define GST_GPU_HEVC_POSITION_X(position) ((position) >> 17)
#define GST_GPU_HEVC_POSITION_Y(position) (((position) >> 2) & 32767)

#define GST_GPU_SLICE_P 0
#define GST_GPU_SLICE_B 1
#define GST_GPU_SLICE_I 2

/**
 * GstGpuSlice:
 *
 * One slice.  weight_scale is the flat, default or transmitted list in force (7.4.2.1.1.1, 8.5.9), each matrix transposed like a block:
 * weight_scale_4x4[i]: Intra Y, Cb, Cr, Inter Y, Cb, Cr; weight_scale_8x8[i]: Intra Y, Inter Y, Intra Cb, Inter Cb, Intra Cr, Inter Cr.
 * In a colour plane of its own (separate_colour_plane_flag) the plane's lists stand at Y's place.
 */
typedef struct
{
  gst_gpu_u32 first_mb;  /* mbAddr of the first macroblock */
  gst_gpu_u32 n_mbs;     /* macroblocks decoded */
  gst_gpu_u8 slice_type; /* GST_GPU_SLICE_P... */
  gst_gpu_u8 disable_deblocking_filter_idc;
  gst_gpu_i8 filter_offset_a; /* FilterOffsetA: slice_alpha_c0_offset_div2 * 2 */
  gst_gpu_i8 filter_offset_b; /* FilterOffsetB: slice_beta_offset_div2 * 2 */
  gst_gpu_u8 colour_plane_id;
  gst_gpu_i8 chroma_qp_index_offset[2]; /* of Cb and Cr (7.4.2.2) */
  gst_gpu_u8 padding;
  gst_gpu_u8 weight_scale_4x4[6][16];
  gst_gpu_u8 weight_scale_8x8[6][64];
} GstGpuSlice;

/**
 * GstGpuPartition:
 *
 * A rectangle of an inter macroblock whose samples have the same motion: the macroblock or sub-macroblock partition of the syntax, or
 * several of them that came out equal.  Those of a macroblock stand one behind the other (GstGpuMb.first_motion) and cover it.
 */
typedef struct
{
  gst_gpu_u32 where;     /* GST_GPU_PARTITION () */
  gst_gpu_i16 mv[2][2];  /* mvLX[0] (x), mvLX[1] (y) of list X, in quarter luma samples (8.4.1) */
  gst_gpu_i8 ref_idx[2]; /* refIdxLX, an index of the GstGpuInterSlice tables of its slice; -1: list X is not used.  In field
                                 * macroblocks of MBAFF frames an index of fields */
  gst_gpu_u16 slice;     /* its macroblock's */
} GstGpuPartition;

/* x, y, width, height in units of 4 luma samples within the macroblock; width and height are 1, 2 or 4 */
#define GST_GPU_PARTITION(mb_addr, x, y, width, height)                                                                           \
  ((gst_gpu_u32) (mb_addr) << 8 | (gst_gpu_u32) ((width) >> 1) << 6 | (gst_gpu_u32) ((height) >> 1) << 4 | (gst_gpu_u32) (y) << 2 \
      | (gst_gpu_u32) (x))
#define GST_GPU_PARTITION_MB(where) ((where) >> 8)
#define GST_GPU_PARTITION_WIDTH(where) (1u << (((where) >> 6) & 3))
#define GST_GPU_PARTITION_HEIGHT(where) (1u << (((where) >> 4) & 3))
#define GST_GPU_PARTITION_Y(where) (((where) >> 2) & 3)
#define GST_GPU_PARTITION_X(where) ((where) % 4)

/* At most 16 reference frames, and the frame itself (the first field of a second field) */
#define GST_GPU_MAX_REFERENCES 17

/* GstGpuInterSlice.reference: number of the reference surface (below GST_GPU_MAX_REFERENCES), and which of its fields: neither bit: the
 * frame */
#define GST_GPU_REFERENCE_SURFACE 31
#define GST_GPU_REFERENCE_TOP 64     /* a field: the top one */
#define GST_GPU_REFERENCE_BOTTOM 128 /* a field: the bottom one */

/* What stands for w1 in implicit_weight is less by this. */
#define GST_GPU_IMPLICIT_WEIGHT_BIAS 32

#define GST_GPU_WEIGHT_DEFAULT 0
#define GST_GPU_WEIGHT_EXPLICIT 1
#define GST_GPU_WEIGHT_IMPLICIT 2

/**
 * GstGpuInterSlice:
 *
 * What the partitions of a P or B slice refer to, by refIdx.  The array goes by slice, like that of GstGpuSlice; entries of I slices are
 * unused.
 */
typedef struct
{
  gst_gpu_u8 reference[2][32]; /* RefPicListX */
  gst_gpu_u8 weighting;        /* GST_GPU_WEIGHT_*: of the slice (8.4.2.3) */
  gst_gpu_u8 luma_log2_weight_denom;
  gst_gpu_u8 chroma_log2_weight_denom;
  gst_gpu_u8 padding;
  gst_gpu_i16 weight[2][32][3]; /* explicit: of Y, Cb, Cr */
  gst_gpu_i16 offset[2][32][3]; /* explicit: already times 2^(bitDepth - 8) */
  /* implicit: w1 - 32 of [refIdxL0][refIdxL1]; w0 = 64 - w1 (8.4.2.3.1).  [0]: of frames, of their frame macroblocks, of fields;
   * [1 + parity]: of field macroblocks of MBAFF frames, and not written in other pictures */
  gst_gpu_i8 implicit_weight[3][32][32];
} GstGpuInterSlice;

/**
 * GstGpuBoundary:
 *
 * Boundary strengths (8.7.2.1) of a macroblock: what gpudeblock makes of the records, no record itself.
 * bs[0][e]: vertical edge at luma column 4 * e, bs[1][e]: horizontal edge at luma row 4 * e, each 8 values of 4 bits, low one first: number
 * k is that of the luma lines (rows, columns) 2 * k and 2 * k + 1.  All edges have values, those inside 8x8 transform blocks too: chroma of
 * 4:2:2 uses them.
 * In MBAFF frames two outer edges have their values in another order:
 *   bs[0][0] between a frame and a field macroblock pair: in a frame macroblock (the left pair is a field pair) value k is that of the luma
 *     rows y with y >> 2 == k >> 1 and y & 1 == k & 1; in a field macroblock of the rows 2 * k and 2 * k + 1.  Chroma of 8 rows: value k is
 *     that of row k; of 16 rows: as luma.  bS 4 may be that of some of these values alone.
 *   bs[1][0] of the upper frame macroblock of a pair below a field macroblock pair, which is filtered in the lines of each field: value k,
 *     0 to 3, is that of the luma columns 4 * k to 4 * k + 3 with the top field of the pair above, value 4 + k with its bottom field
 */
typedef struct
{
  gst_gpu_u32 bs[2][4];
} GstGpuBoundary;

/**
 * GstGpuLayout:
 *
 * Where the records of a picture lie: bytes from the start of the header arena.  One for each colour plane; slices, inter slices and
 * segments are those of the whole picture, the same in each.
 */
typedef struct
{
  gst_gpu_u64 mbs;          /* GstGpuMb, by mbAddr */
  gst_gpu_u64 slices;       /* GstGpuSlice */
  gst_gpu_u64 segments;     /* GstGpuSegment, sorted by kind, 16-bit segments of a kind before the 32-bit ones */
  gst_gpu_u64 partitions;   /* GstGpuPartition.  Of pictures with inter macroblocks alone, as the following are */
  gst_gpu_u64 inter_slices; /* GstGpuInterSlice, as many as slices */
  gst_gpu_u32 n_partitions; /* entries of partitions */
  gst_gpu_u32 padding;
} GstGpuLayout;

/**
 * GstGpuPicture:
 *
 * What a kernel needs to know of a picture, by value.  With separate_colour_plane_flag each colour plane is a picture of its own, with
 * chroma_array_type 0 and its plane as plane 0.
 */
typedef struct
{
  gst_gpu_u32 width_in_mbs;      /* PicWidthInMbs; of H.265 pictures in units of 16 luma samples, rounded up, like the next */
  gst_gpu_u32 height_in_mbs;     /* PicHeightInMbs: of the field, if it is one */
  gst_gpu_u32 chroma_array_type; /* ChromaArrayType: 0 to 3 */
  gst_gpu_u32 bit_depth_luma;    /* 8 to 14; samples are bytes where both depths are 8, else 16 bits */
  gst_gpu_u32 bit_depth_chroma;
  gst_gpu_u32 field_pic; /* 0: a frame, 1: a top field, 2: a bottom field: plane_stride spans two lines of the frame, plane_offset
                                 * starts at the field's first */
  gst_gpu_u32 mbaff;     /* MbaffFrameFlag */
  gst_gpu_u32 n_slices;
  gst_gpu_u32 slices_contiguous; /* 1: every slice is one run of mbAddr and predicts from nothing outside, so slices can be rebuilt alone */
  gst_gpu_u32 plane_offset[3];   /* in samples, of row 0 column 0 */
  gst_gpu_u32 plane_stride[3];   /* in samples, from a row of this picture to the next */
} GstGpuPicture;

#endif /* GST_GPU_RECORDS_H */
