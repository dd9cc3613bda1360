/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * CAVLC residuals on processors with AVX-512 VBMI2: the mask of positions that h264cavlcblock.h gives is what an expand instruction takes,
 * and a permutation is the inverse scan, so a block is written whole without a loop.
 */
#include "h264cavlcblock.h"
#include "h264cavlcvbmi2.h"
#include <immintrin.h>

/* Which coefficient stands at each place of a block: the inverse of h264scan.h's tables; [TransformBypassModeFlag][field].  Those of an 8x8
 * block come in four lists. */
static guint16 from_4x4[2][2][16];
static guint16 from_8x8[2][2][64];
static guint16 from_2x2[16];
static guint16 from_2x4[16];

/* What stays in registers from block to block */
typedef struct
{
  H264CavlcWindow window;
  const guint16 *from_4x4;
} Engine;

static void
invert (guint16 *from, const guint8 *scan, guint n)
{
  for (guint k = 0; k < n; k++)
    from[scan[k]] = (guint16) k;
}

void
h264_cavlc_vbmi2_init (void)
{
  for (guint field = 0; field < 2; field++) {
    invert (from_4x4[0][field], h264_scan_4x4_transposed[field], 16);
    invert (from_4x4[1][field], h264_scan_4x4_raster[field], 16);
    invert (from_8x8[0][field], h264_scan_8x8_cavlc_transposed[field], 64);
    invert (from_8x8[1][field], h264_scan_8x8_cavlc_raster[field], 64);
  }
  invert (from_2x2, h264_scan_chroma_dc_2x2, 4);
  invert (from_2x4, h264_scan_chroma_dc_2x4, 8);
}

/* All coefficients in scanning order, with 16 bits */
H264_ALWAYS_INLINE __m256i
expand (const H264CavlcBlock *from, guint mask)
{
  return _mm256_maskz_expand_epi16 ((__mmask16) mask, _mm256_loadu_si256 ((const __m256i *) (from->levels + H264_CAVLC_ROOM)));
}

H264_ALWAYS_INLINE guint
read_block (H264SliceDecoder *dec, gpointer engine, H264BlockClass block_class, guint plane, guint at, gint16 *block, const guint8 *scan,
    guint max_num_coeff)
{
  Engine *e = engine;
  /* AC blocks begin at coefficient 1 */
  const guint n_levels = h264_block_n_levels (block_class, max_num_coeff), first = n_levels - max_num_coeff;
  const guint16 *from = max_num_coeff == 4 ? from_2x2 : max_num_coeff == 8 ? from_2x4 : e->from_4x4;
  H264CavlcBlock levels;
  const guint n = h264_cavlc_read_block (dec, &e->window, block_class, plane, at, max_num_coeff, &levels);

  if (n > 0) {
    const __m256i in_scan = expand (&levels, levels.mask << first);
    const __m256i in_place = _mm256_permutexvar_epi16 (_mm256_loadu_si256 ((const __m256i *) from), in_scan);

    memcpy (block, &in_place, n_levels * sizeof (gint16));
    if (G_UNLIKELY (levels.wide))
      h264_cavlc_note_wide_levels (dec, &levels, block, scan);
  }
  return n;
}

/* One of the four lists of an 8x8 block (7.3.5.3.2), which counts for the 4x4 block at @at where nC is derived */
H264_ALWAYS_INLINE __m256i
read_list (H264SliceDecoder *dec, H264CavlcWindow *window, guint plane, guint at, gint16 *block, const guint8 *scan, guint *n)
{
  H264CavlcBlock levels;
  const guint n_list = h264_cavlc_read_block (dec, window, H264_BLOCK_4x4, plane, at, 16, &levels);

  if (n_list == 0)
    return _mm256_setzero_si256 ();
  *n += n_list;
  if (G_UNLIKELY (levels.wide))
    h264_cavlc_note_wide_levels (dec, &levels, block, scan);
  return expand (&levels, levels.mask);
}

H264_ALWAYS_INLINE guint
read_8x8 (H264SliceDecoder *dec, gpointer engine, guint plane, guint at, gint16 *block)
{
  const guint field = dec->mb->flags & GST_GPU_MB_FIELD ? 1 : 0, bypass = dec->bypass ? 1 : 0;
  const guint8 *scan = bypass ? h264_scan_8x8_cavlc_raster[field] : h264_scan_8x8_cavlc_transposed[field];
  const guint16 *from = from_8x8[bypass][field];
  H264CavlcWindow *window = &((Engine *) engine)->window;
  __m256i list[4];
  __m512i low, high;
  guint n = 0, i;

  for (i = 0; i < 4; i++)
    list[i] = read_list (dec, window, plane, at + (i & 1) + (i >> 1) * 8, block, scan + 16 * i, &n);
  low = _mm512_inserti64x4 (_mm512_castsi256_si512 (list[0]), list[1], 1);
  high = _mm512_inserti64x4 (_mm512_castsi256_si512 (list[2]), list[3], 1);
  _mm512_storeu_si512 (block, _mm512_permutex2var_epi16 (low, _mm512_loadu_si512 (from), high));
  _mm512_storeu_si512 (block + 32, _mm512_permutex2var_epi16 (low, _mm512_loadu_si512 (from + 32), high));
  return n;
}

void
h264_cavlc_residual_vbmi2 (H264SliceDecoder *dec)
{
  static const H264BlockReaders readers = { read_block, read_8x8 };
  Engine engine = { dec->window, from_4x4[dec->bypass ? 1 : 0][dec->mb->flags & GST_GPU_MB_FIELD ? 1 : 0] };

  h264_residual (dec, &readers, &engine);
  dec->window = engine.window;
}
