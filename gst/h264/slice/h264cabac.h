/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The CABAC decoding engine (ITU-T H.264, 9.3.3.2).
 *
 * codIRange and codIOffset stand at the top of 64-bit words: bits 63 to 55 are the standard's nine bits; below codIOffset's lie bits read
 * ahead, then a one that marks their end.  Renormalisation is a shift by the leading zeros of codIRange, and no bit is read singly.
 *
 * A context variable holds everything that decoding a bin with it needs (H264CabacState): no second table line is touched on the way to the
 * bin.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A context variable in state (pStateIdx, valMPS):
 *   bit 63: valMPS      bits 62 to 31: rangeTabLPS for qCodIRangeIdx 0 (bits 62 to 55) to 3 (38 to 31)
 *   bits 15 to 8: state after an LPS      bits 7 to 0: state after an MPS
 * States are pStateIdx * 2 + valMPS. */
typedef uint64_t H264CabacState;

#define H264_N_CABAC_CONTEXTS 1024

typedef struct
{
  uint64_t range;
  uint64_t offset;
  const uint8_t *next;  /* first byte that is not in offset yet */
  const uint8_t *limit; /* where next stops; 8 bytes are read from there, too */
} H264Cabac;

extern H264CabacState h264_cabac_states[128];

/* Makes h264_cabac_states; call once before any thread decodes. */
void h264_cabac_tables_init (void);

/* Initialises all context variables (9.3.1.1).  @column: 0 for I and SI slices, else 1 + cabac_init_idc; @SliceQPY: clipped here. */
void h264_cabac_contexts_init (H264CabacState contexts[H264_N_CABAC_CONTEXTS], unsigned column, int SliceQPY);

/* Shifts by a register and leading zeros in one instruction each (BMI2, LZCNT) are worth a tenth of the time: chosen when the plugin is
 * loaded.  The address sanitizer is not there yet at that time. */
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define H264_CABAC_DISPATCHED __attribute__ ((target_clones ("arch=x86-64-v3", "default")))
#else
#define H264_CABAC_DISPATCHED
#endif

#define H264_ALWAYS_INLINE static inline __attribute__ ((always_inline))

/* Fills in five bytes when fewer than fourteen bits are left behind the nine. */
H264_ALWAYS_INLINE void
h264_cabac_refill (H264Cabac *cabac)
{
  if (__builtin_expect ((cabac->offset << 23) == 0, 0)) {
    unsigned mark = (unsigned) __builtin_ctzll (cabac->offset);
    uint64_t bytes;

    memcpy (&bytes, cabac->next, 8);
    bytes = __builtin_bswap64 (bytes) >> 24; /* 40 bits */
    cabac->offset ^= (uint64_t) 1 << mark;
    cabac->offset |= (bytes << 1 | 1) << (mark - 40);
    cabac->next = cabac->next + 5 < cabac->limit ? cabac->next + 5 : cabac->limit;
  }
}

/* Starts the engine at a byte (9.3.1.2). */
H264_ALWAYS_INLINE void
h264_cabac_start (H264Cabac *cabac, const uint8_t *data, const uint8_t *limit)
{
  uint64_t bytes;

  memcpy (&bytes, data, 8);
  cabac->range = (uint64_t) 510 << 55;
  cabac->offset = (__builtin_bswap64 (bytes) & ~(uint64_t) 0xffff) | 0x8000;
  cabac->next = data + 6;
  cabac->limit = limit;
}

/* Bytes behind the last bit that the engine has taken, in the state after a terminating bin of 1 (then the bits taken end with the
 * rbsp_stop_one_bit, or with the last bit before pcm_alignment_zero_bits; 9.3.1.2). */
H264_ALWAYS_INLINE const uint8_t *
h264_cabac_end (const H264Cabac *cabac)
{
  unsigned ahead = 63 - (unsigned) __builtin_ctzll (cabac->offset) - 9;

  return cabac->next - ahead / 8;
}

/* Decodes a bin with a context variable (9.3.3.2.1), and leaves the refill to the caller: a context bin takes six bits at most, a bypass
 * bin one, so one refill serves two context bins.  A branch between MPS and LPS, not a mask: even where it is hard to foretell, it lets the
 * next bin begin before this one is compared.  Both successors of the context variable are on their way by then. */
H264_ALWAYS_INLINE unsigned
h264_cabac_bin_unfilled (H264Cabac *cabac, H264CabacState *context)
{
  const H264CabacState state = *context;
  const H264CabacState after_mps = h264_cabac_states[state & 127], after_lps = h264_cabac_states[state >> 8 & 127];
  const uint64_t lps = (state << ((cabac->range >> 58) & 24)) & ((uint64_t) 255 << 55);
  const uint64_t mps = cabac->range - lps;
  unsigned bin = (unsigned) (state >> 63);
  unsigned shift;

  if (cabac->offset < mps) {
    shift = (unsigned) __builtin_clzll (mps);
    cabac->range = mps << shift;
    cabac->offset <<= shift;
    *context = after_mps;
  } else {
    shift = (unsigned) __builtin_clzll (lps);
    cabac->range = lps << shift;
    cabac->offset = (cabac->offset - mps) << shift;
    *context = after_lps;
    bin ^= 1;
  }
  return bin;
}

H264_ALWAYS_INLINE unsigned
h264_cabac_bin (H264Cabac *cabac, H264CabacState *context)
{
  const unsigned bin = h264_cabac_bin_unfilled (cabac, context);

  h264_cabac_refill (cabac);
  return bin;
}

/* DecodeBypass (9.3.3.2.3): all bits are the bin */
H264_ALWAYS_INLINE int64_t
h264_cabac_bypass_mask (H264Cabac *cabac)
{
  const uint64_t half = cabac->range >> 1;
  const uint64_t mask = cabac->offset < half ? 0 : ~(uint64_t) 0;

  cabac->offset = (cabac->offset - (half & mask)) << 1;
  h264_cabac_refill (cabac);
  return (int64_t) mask;
}

H264_ALWAYS_INLINE unsigned
h264_cabac_bypass (H264Cabac *cabac)
{
  return (unsigned) h264_cabac_bypass_mask (cabac) & 1;
}

/* A sign in a bypass bin: @magnitude, or its negative where the bin is 1 */
H264_ALWAYS_INLINE int32_t
h264_cabac_bypass_sign (H264Cabac *cabac, int32_t magnitude)
{
  const int32_t mask = (int32_t) h264_cabac_bypass_mask (cabac);

  return (magnitude ^ mask) - mask;
}

/* DecodeTerminate (9.3.3.2.2.3): without renormalisation after a 1 */
H264_ALWAYS_INLINE unsigned
h264_cabac_terminate (H264Cabac *cabac)
{
  unsigned shift;

  cabac->range -= (uint64_t) 2 << 55;
  if (cabac->offset >= cabac->range)
    return 1;
  shift = (unsigned) __builtin_clzll (cabac->range);
  cabac->range <<= shift;
  cabac->offset <<= shift;
  h264_cabac_refill (cabac);
  return 0;
}
