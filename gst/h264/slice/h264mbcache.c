/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264mbcache.h"

/* 6.4.3: inverse of luma4x4BlkIdx */
const guint8 h264_cache_4x4[16] = {
  H264_CACHE (0, 0),
  H264_CACHE (1, 0),
  H264_CACHE (0, 1),
  H264_CACHE (1, 1),
  H264_CACHE (2, 0),
  H264_CACHE (3, 0),
  H264_CACHE (2, 1),
  H264_CACHE (3, 1),
  H264_CACHE (0, 2),
  H264_CACHE (1, 2),
  H264_CACHE (0, 3),
  H264_CACHE (1, 3),
  H264_CACHE (2, 2),
  H264_CACHE (3, 2),
  H264_CACHE (2, 3),
  H264_CACHE (3, 3),
};
