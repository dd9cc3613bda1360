/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The bit reader of CAVLC slice data: a 64-bit window on the RBSP, refilled whole bytes at a time.  No read looks for the end: behind it
 * zeros are read, and the position tells once a macroblock whether that has happened.
 */
#pragma once

#include "h264bits.h"

/* A call, even in a rare case, would keep the window in memory: it stays in registers where all of these are inlined. */
#define H264_WINDOW_INLINE static inline __attribute__ ((always_inline))

/**
 * H264CavlcWindow:
 * @bits: the next bits, left-justified
 * @n: how many of them are valid
 * @next: first byte not in the window yet
 * @limit: @next stops here
 */
typedef struct
{
  guint64 bits;
  guint n;
  const guint8 *next;
  const guint8 *limit;
} H264CavlcWindow;

/* Fills the window up to 56 bits at least, without a look at the limit: for H264_WINDOW_MAX_UNCHECKED bytes at most */
H264_WINDOW_INLINE void
h264_window_refill_unchecked (H264CavlcWindow *window)
{
  guint64 word;

  memcpy (&word, window->next, 8);
  window->bits |= GUINT64_FROM_BE (word) >> window->n;
  window->next += (63 - window->n) >> 3;
  window->n |= 56;
}

H264_WINDOW_INLINE void
h264_window_check (H264CavlcWindow *window)
{
  if (G_UNLIKELY (window->next > window->limit))
    window->next = window->limit;
}

H264_WINDOW_INLINE void
h264_window_refill (H264CavlcWindow *window)
{
  h264_window_refill_unchecked (window);
  h264_window_check (window);
}

/* The padding allows for it: a residual block is shorter */
#define H264_WINDOW_MAX_UNCHECKED (H264_RBSP_PADDING - 32)

static inline void
h264_window_init (H264CavlcWindow *window, const H264Bits *bits)
{
  window->next = bits->data + (bits->pos >> 3);
  window->limit = bits->data + (bits->end >> 3) + 16;
  window->bits = 0;
  window->n = 0;
  h264_window_refill (window);
  window->bits <<= bits->pos & 7;
  window->n -= bits->pos & 7;
}

/* Position in bits from @data */
static inline gsize
h264_window_position (const H264CavlcWindow *window, const guint8 *data)
{
  return (gsize) (window->next - data) * 8 - window->n;
}

/* At least @n bits, 56 at most */
static inline void
h264_window_need (H264CavlcWindow *window, guint n)
{
  if (window->n < n)
    h264_window_refill (window);
}

H264_WINDOW_INLINE void
h264_window_skip (H264CavlcWindow *window, guint n)
{
  window->bits <<= n;
  window->n -= n;
}

/* u(n), n from 1 to 32, of bits that are there */
static inline guint32
h264_window_take (H264CavlcWindow *window, guint n)
{
  const guint32 value = (guint32) (window->bits >> (64 - n));

  h264_window_skip (window, n);
  return value;
}

/* ue(v); longer codes than any slice data has give a value that is out of every range */
static inline guint32
h264_window_ue (H264CavlcWindow *window)
{
  guint zeros;

  h264_window_need (window, 48);
  zeros = window->bits != 0 ? __builtin_clzll (window->bits) : 64;
  if (G_UNLIKELY (zeros > 20))
    return G_MAXUINT32 / 2;
  return h264_window_take (window, 2 * zeros + 1) - 1;
}

/* se(v) */
static inline gint32
h264_window_se (H264CavlcWindow *window)
{
  const guint32 codeNum = h264_window_ue (window);

  return codeNum & 1 ? (gint32) (codeNum / 2 + 1) : -(gint32) (codeNum / 2);
}

/* The mode of a block (8.3.1.1, 8.3.2.1) from prev_intraNxN_pred_mode_flag and rem_intraNxN_pred_mode, of bits that are there.  Neither
 * the flag nor which mode is the smaller one can be foretold: so no branch asks. */
static inline guint
h264_window_nxn_mode (H264CavlcWindow *window, guint predicted)
{
  const guint next = (guint) (window->bits >> 60), flag = next >> 3, rem = next & 7, mode = rem + (rem >= predicted);

  h264_window_skip (window, 4 - 3 * flag);
  return mode ^ ((mode ^ predicted) & -flag);
}
