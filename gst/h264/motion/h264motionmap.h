/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The motion of a decoded frame or field, as later pictures need it for direct prediction (ITU-T H.264, 8.4.1.2).
 */
#pragma once

#include <stdatomic.h>

#include <glib.h>

G_BEGIN_DECLS

/* A picture referred to: number of its frame and structure, so that equal values mean the same picture */
typedef gint32 H264RefPicId;
#define H264_REF_PIC_ID(number, structure) ((H264RefPicId) ((number) % 0x20000000u << 2 | (structure)))
#define H264_NO_REF_PIC ((H264RefPicId) -1)

/**
 * H264Mv:
 * @comp: mvLX[0], mvLX[1]: horizontal, vertical
 * @packed: both, to be copied and compared at once
 */
typedef union
{
  gint16 comp[2];
  guint32 packed;
} H264Mv;

/**
 * H264MapMb:
 * @mv: mvLX of each 4x4 block, at y * 4 + x; 0 where list X is not used
 * @ref_pic: what refIdxLX of each quadrant refers to
 * @ref_idx: refIdxLX of each quadrant (mbPartIdx); -1: list X is not used (-1 in both: intra)
 *
 * The motion of a macroblock.
 */
typedef struct
{
  H264Mv mv[2][16];
  H264RefPicId ref_pic[2][4];
  gint8 ref_idx[2][4];
} H264MapMb;

typedef struct _H264MotionMapPool H264MotionMapPool;

/**
 * H264MotionMap:
 * @structure: of the picture, H264_TOP_FIELD, H264_BOTTOM_FIELD or H264_FRAME
 * @mbaff: MbaffFrameFlag: mbAddr counts pairs
 * @width_in_mbs: PicWidthInMbs
 * @n_planes: 1, or 3 with separate_colour_plane_flag
 * @all_intra: there are no planes: no macroblock is inter, or nothing is known of it
 * @planes: by mbAddr
 * @still: by mbAddr, bit y * 4 + x: the block moves by no more than a quarter sample, from refIdx 0: its colZeroFlag, where it is a
 *   co-located one (8.4.1.2.2).  All that spatial direct prediction asks for, and so kept together
 * @is_field: by mbAddr, of MBAFF frames: 1: a field macroblock
 *
 * Reference counted.  Written by the thread that derives the motion of the picture; then it never changes.
 */
typedef struct
{
  guint structure;
  gboolean mbaff;
  guint width_in_mbs;
  gsize n_mbs;
  guint n_planes;
  gboolean all_intra;
  H264MapMb *planes[3];
  guint16 *still[3];
  guint8 *is_field[3];

  /*< private > */
  H264MotionMapPool *pool;
  gsize n_frame_mbs;
  gpointer block; /* has all planes */
  gint ref_count;
  _Atomic gboolean complete;
} H264MotionMap;

/* The memory of maps is used again: fresh memory costs page faults all over.  The pool lives until the last of its maps does. */
H264MotionMapPool *h264_motion_map_pool_new (void);
void h264_motion_map_pool_unref (H264MotionMapPool *pool);

/* A map for @n_mbs macroblocks of a frame of @n_frame_mbs, whose motion is not there yet, and has no memory before it comes: until then it
 * is all_intra, which is what it stays where it never comes. */
H264MotionMap *h264_motion_map_new (H264MotionMapPool *pool, gsize n_mbs, gsize n_frame_mbs, guint n_planes);
/* Gives it planes, which hold anything, from any thread; once.  FALSE: there is no memory for them. */
gboolean h264_motion_map_reserve (H264MotionMap *map);
H264MotionMap *h264_motion_map_ref (H264MotionMap *map);
void h264_motion_map_unref (H264MotionMap *map);

/* The writer is done. */
void h264_motion_map_complete (H264MotionMap *map);
/* Whether it is; then what it wrote is seen. */
gboolean h264_motion_map_is_complete (H264MotionMap *map);

G_END_DECLS
