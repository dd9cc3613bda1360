/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Intra prediction (8.3), residual and picture construction (8.5.14).  Here: where a macroblock lies, and the kernel.  How a macroblock
 * is rebuilt is in intrapredvector.cl (CPU: a work-item a macroblock, explicit vectors) and intrapreditems.cl (GPU: a work-group a
 * macroblock); in which order, in wavefront.cl.
 *
 * Build options:
 *   GPU_CPU              the form with explicit vectors, work-groups of 1; else work-groups of GPU_GROUP_SIZE, a power of 2
 *   GPU_SAMPLE_BYTES     1 or 2
 *   GPU_DEPTH_LUMA, GPU_DEPTH_CHROMA
 *   GPU_CHROMA_ARRAY_TYPE
 *   GPU_BUILTIN_PREFETCH the form with explicit vectors may use __builtin_prefetch ()
 *   GPU_DEVICE_ATOMICS   OpenCL C 3.0 with acquire and release at device scope: the launch TICKETS exists
 */
#include "intramodes.cl"

#ifdef GPU_CPU
#define GROUP_ATTRIBUTE __attribute__ ((reqd_work_group_size (1, 1, 1)))
#define IS_LEADER true
#include "intrapredvector.cl"
#else
#define GROUP_ATTRIBUTE __attribute__ ((reqd_work_group_size (GPU_GROUP_SIZE, 1, 1)))
#define IS_LEADER (get_local_id (0) == 0)
#include "intrapreditems.cl"
#endif

/* Whether a macroblock of first to end - 1 predicts from the row above.  In MBAFF frames what it predicts from may be the upper macroblock
 * of its own pair; then a wait too many does no harm. */
INLINE bool
needs_row_above (const Picture *picture, uint first, uint end)
{
  uint available = 0;

  for (uint mb_addr = first; mb_addr < end; mb_addr++)
    available |= picture->mbs[mb_addr].mb_class < GST_GPU_MB_INTER ? picture->mbs[mb_addr].available : 0;
  return available & (GST_GPU_AVAILABLE_B | GST_GPU_AVAILABLE_C | GST_GPU_AVAILABLE_D);
}

/* A slice predicts from nothing outside. */
INLINE bool
begins_part (const Picture *picture, uint mb_addr)
{
  return picture->mbs[mb_addr].slice != picture->mbs[mb_addr - 1].slice;
}

#include "wavefront.cl"

/* Asks for the samples of macroblocks to come: they are written, and a processor does not foresee which. */
INLINE void
prefetch_samples (const Area *area, const Place *place, uint width, uint height)
{
#ifdef GPU_CPU
  prefetch_rows (area->samples, area->stride, (uint) place->column, width, height, true);
#endif
}

/* Which planes the work-groups of part get_group_id (1) rebuild: one each, but Cb and Cr together on a CPU, where they are not like luma */
INLINE void
rebuild_macroblock (const Picture *picture, const Place *place FORM_PARAMETER)
{
  uint plane = (uint) get_group_id (1);
  Area area;

  init_area (&area, picture, place, plane);
#if GPU_CHROMA_ARRAY_TYPE == 0 || GPU_CHROMA_ARRAY_TYPE == 3
  prefetch_samples (&area, place, 16, 16);
  rebuild_like_luma (&area FORM_ARGUMENT);
#else
  if (plane == 0) {
    prefetch_samples (&area, place, 16, 16);
    rebuild_like_luma (&area FORM_ARGUMENT);
    return;
  }
  prefetch_samples (&area, place, CHROMA_WIDTH, CHROMA_HEIGHT);
  rebuild_chroma (&area FORM_ARGUMENT);
#ifdef GPU_CPU
  init_area (&area, picture, place, 2);
  prefetch_samples (&area, place, CHROMA_WIDTH, CHROMA_HEIGHT);
  rebuild_chroma (&area FORM_ARGUMENT);
#endif
#endif
}

INLINE void
rebuild_run (const Picture *picture, bool mbaff, const Run *run FORM_PARAMETER)
{
  uint width = picture->width_in_mbs;
  MbWalk at;

  for (begin_walk (&at, run->first, width, mbaff); at.mb_addr < run->end; step_walk (&at, width, mbaff))
    if (picture->mbs[at.mb_addr].mb_class < GST_GPU_MB_INTER) {
      Place place;

      /* which field a field picture is, plane_offset and plane_stride tell */
      place_on_walk (&place, &at, picture->mbs, 0, mbaff);
      rebuild_macroblock (picture, &place FORM_ARGUMENT);
    }
#ifdef GPU_CPU
  finish_macroblock (unfinished);
#endif
}

/* Rebuilds the intra macroblocks of a picture: @mbaff: of an MBAFF frame; the others: as in the kernels below */
INLINE void
rebuild_picture (const Picture *picture, const GstGpuPicture *params, bool mbaff, uint launch, uint diagonal, uint first_row,
    __global int *state, uint state_stride FORM_PARAMETER SHARED_PARAMETER)
{
  Wave wave;
  Worker worker;
  Run run;

  init_wave (&wave, picture, params);
  first_run (&run, &wave, &worker, launch, diagonal, first_row, state + get_group_id (1) * state_stride SHARED);
  while (run.first < run.end) {
    rebuild_run (picture, mbaff, &run FORM_ARGUMENT);
    next_run (&run, &wave, &worker, launch SHARED);
  }
  end_runs (&wave, &worker, launch);
}

/* Rebuilds the intra macroblocks of a picture that is no MBAFF frame; inter macroblocks are left alone, and are neighbours like others.
 * header, mbs_offset: the records, GstGpuMb[height_in_mbs * width_in_mbs] at that byte
 * coeffs: the coefficient arena after the inverse transforms
 * dc: int[48] a macroblock
 * surface: samples
 * launch, diagonal, first_row: see first_run(); global size (n_groups * group size, parts of the planes)
 * state: for TICKETS, state_stride ints a part */
__kernel GROUP_ATTRIBUTE void
gpu_intrapred (GstGpuPicture params, __global const uchar *header, ulong mbs_offset, __global const short *coeffs, __global const int *dc,
    __global Sample *surface, uint launch, uint diagonal, uint first_row, __global int *state, uint state_stride)
{
  Picture picture;
#ifdef GPU_CPU
  Unfinished none, *unfinished = &none;
  begin_unfinished (unfinished);
#else
  __local Scratch local_scratch;
  __local Scratch *scratch = &local_scratch;
  __local uint shared[2];
#endif

  init_picture (&picture, &params, (__global const GstGpuMb *) (header + mbs_offset), coeffs, dc, surface);
  rebuild_picture (&picture, &params, false, launch, diagonal, first_row, state, state_stride FORM_ARGUMENT SHARED);
}

/* The same of an MBAFF frame: a kernel of its own, so that in other pictures the lines of all macroblocks are as far apart */
__kernel GROUP_ATTRIBUTE void
gpu_intrapred_mbaff (GstGpuPicture params, __global const uchar *header, ulong mbs_offset, __global const short *coeffs,
    __global const int *dc, __global Sample *surface, uint launch, uint diagonal, uint first_row, __global int *state, uint state_stride)
{
  Picture picture;
#ifdef GPU_CPU
  Unfinished none, *unfinished = &none;
  begin_unfinished (unfinished);
#else
  __local Scratch local_scratch;
  __local Scratch *scratch = &local_scratch;
  __local uint shared[2];
#endif

  init_picture (&picture, &params, (__global const GstGpuMb *) (header + mbs_offset), coeffs, dc, surface);
  rebuild_picture (&picture, &params, true, launch, diagonal, first_row, state, state_stride FORM_ARGUMENT SHARED);
}
