/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * QP of the macroblocks of a picture from mb_qp_delta (ITU-T H.264, 7.4.5, 8.5.8), in their records, by the 1-D scan of scan.cl: mu is 1
 * where GST_GPU_MB_EXTRA is set.
 */
#include "gpurecords.h"
#include "scan.cl"

/* Global size (pitch) */
__kernel void
gpu_qp_of_records (__global int2 *pairs, __global const uchar *header, ulong mbs_offset, uint n)
{
  __global const GstGpuMb *mbs = (__global const GstGpuMb *) (header + mbs_offset);
  size_t i = get_global_id (0);
  bool is_delta = i < n && (mbs[i].flags & GST_GPU_MB_EXTRA);

  pairs[i] = i < n ? (int2) (is_delta, is_delta ? mbs[i].qp_filter[0] : mbs[i].qp_scaled[0]) : (int2) (0, 0);
}

/* QPC for qPI of 30 and more (Table 8-15) */
__constant uchar qp_c_from_30[22] = { 29, 30, 31, 32, 32, 33, 34, 34, 35, 35, 36, 36, 37, 37, 37, 38, 38, 38, 39, 39, 39, 39 };

INLINE int
find_qp_c (int qp, int offset, int qp_bd_offset)
{
  int index = clamp (qp + offset, -qp_bd_offset, 51);

  return index < 30 ? index : qp_c_from_30[index - 30];
}

/* Global size (macroblocks) */
__kernel void
gpu_qp_to_records (__global const int2 *pairs, __global uchar *header, ulong mbs_offset, ulong slices_offset, int offset_luma,
                   int offset_chroma)
{
  __global GstGpuMb *mb = (__global GstGpuMb *) (header + mbs_offset) + get_global_id (0);
  __global const GstGpuSlice *slice = (__global const GstGpuSlice *) (header + slices_offset) + mb->slice;
  int qp, filter;

  if (!(mb->flags & GST_GPU_MB_EXTRA))
    return;
  /* pairs are sums of QP'Y; I_PCM is deblocked with qPp 0 (8.7.2.2) */
  qp = wrap_qp (pairs[get_global_id (0)].y, offset_luma);
  filter = mb->mb_class == GST_GPU_MB_IPCM ? 0 : qp;
  mb->flags &= ~GST_GPU_MB_EXTRA;
  mb->qp_scaled[0] = (uchar) (qp + offset_luma);
  mb->qp_filter[0] = (char) filter;
  for (int c = 0; c < 2; c++) {
    mb->qp_scaled[c + 1] = (uchar) (find_qp_c (qp, slice->chroma_qp_index_offset[c], offset_chroma) + offset_chroma);
    mb->qp_filter[c + 1] = (char) find_qp_c (filter, slice->chroma_qp_index_offset[c], offset_chroma);
  }
}
