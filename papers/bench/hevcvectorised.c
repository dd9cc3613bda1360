/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "hevchost.h"

#define INLINE static inline __attribute__ ((always_inline))

/* out = left * right, n x n, rounded: the inner loop runs over columns, which lie side by side */
INLINE void
multiply (const int16_t *left, const int16_t *right, int16_t *out, unsigned n, int shift)
{
  for (unsigned i = 0; i < n; i++) {
    int32_t sums[32] = { 0 };

    for (unsigned k = 0; k < n; k++)
      for (unsigned j = 0; j < n; j++)
        sums[j] += left[i * n + k] * right[k * n + j];
    for (unsigned j = 0; j < n; j++) {
      int32_t v = (sums[j] + (1 << shift >> 1)) >> shift;

      out[i * n + j] = (int16_t) (v < INT16_MIN ? INT16_MIN : v > INT16_MAX ? INT16_MAX : v);
    }
  }
}

/* Forward: T X T', rows first; inverse: T' X T, columns first */
INLINE void
transform_blocks (const int16_t *matrix, const int16_t *transposed, unsigned n, int inverse, const int shifts[2], const int16_t *in,
    int16_t *out, unsigned count)
{
  int16_t between[32 * 32];

  for (unsigned b = 0; b < count; b++, in += n * n, out += n * n)
    if (inverse) {
      multiply (transposed, in, between, n, shifts[0]);
      multiply (between, matrix, out, n, shifts[1]);
    } else {
      multiply (in, transposed, between, n, shifts[0]);
      multiply (matrix, between, out, n, shifts[1]);
    }
}

/* clang 14 gives such a function a name (.ifunc) that callers in other files do not know */
#if defined(__x86_64__) && !defined(__clang__)
__attribute__ ((target_clones ("avx2", "default")))
#endif
void
hevc_host_vectorised (const HevcHost *host, const int16_t *in, int16_t *out, unsigned count)
{
  unsigned n = host->transform.n;
  int inverse = host->transform.inverse;

  /* sizes that the compiler knows */
  if (n == 4)
    transform_blocks (host->matrix, host->transposed, 4, inverse, host->shift, in, out, count);
  else if (n == 8)
    transform_blocks (host->matrix, host->transposed, 8, inverse, host->shift, in, out, count);
  else if (n == 16)
    transform_blocks (host->matrix, host->transposed, 16, inverse, host->shift, in, out, count);
  else
    transform_blocks (host->matrix, host->transposed, 32, inverse, host->shift, in, out, count);
}
