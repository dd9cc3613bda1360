/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Asking for memory ahead of its use, in the forms for CPUs.
 * Build option GPU_BUILTIN_PREFETCH: the compiler's builtin works (GpuKernelDevice.builtin_prefetch); without it nothing is asked for.
 */

#ifdef GPU_BUILTIN_PREFETCH
#define PREFETCH(p) __builtin_prefetch ((const void *) (size_t) (p), 0)
#define PREFETCH_WRITE(p) __builtin_prefetch ((const void *) (size_t) (p), 1)
#else
#define PREFETCH(p) ((void) (p))
#define PREFETCH_WRITE(p) ((void) (p))
#endif
