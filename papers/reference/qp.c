/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "qp.h"

/* 8.5.8: QPC of a chroma component */
static int
find_QPC (int QPY, int offset, int QpBdOffsetC)
{
  static const int from_30[22] = { 29, 30, 31, 32, 32, 33, 34, 34, 35, 35, 36, 36, 37, 37, 37, 38, 38, 38, 39, 39, 39, 39 };
  int qPI = QPY + offset;

  qPI = qPI < -QpBdOffsetC ? -QpBdOffsetC : qPI > 51 ? 51 : qPI;
  return qPI < 30 ? qPI : from_30[qPI - 30];
}

/* @qp: QP'Y of the macroblock before.  7-37; I_PCM is deblocked with qPp 0 (8.7.2.2) */
static void
restore_mb (GstGpuMb *mb, int qp, const GstGpuSlice *slice, const GstGpuPicture *params)
{
  int offset_y = 6 * ((int) params->bit_depth_luma - 8), offset_c = 6 * ((int) params->bit_depth_chroma - 8);
  int QPY = (qp - offset_y + mb->qp_filter[0] + 52 + 2 * offset_y) % (52 + offset_y) - offset_y;
  int filter = mb->mb_class == GST_GPU_MB_IPCM ? 0 : QPY;

  mb->flags &= (gst_gpu_u8) ~GST_GPU_MB_EXTRA;
  mb->qp_scaled[0] = (gst_gpu_u8) (QPY + offset_y);
  mb->qp_filter[0] = (gst_gpu_i8) filter;
  for (int c = 0; c < 2; c++) {
    mb->qp_scaled[c + 1] = (gst_gpu_u8) (find_QPC (QPY, slice->chroma_qp_index_offset[c], offset_c) + offset_c);
    mb->qp_filter[c + 1] = (gst_gpu_i8) find_QPC (filter, slice->chroma_qp_index_offset[c], offset_c);
  }
}

void
gpu_reference_qp_records (const GpuReferencePicture *picture)
{
  const GstGpuPicture *params = picture->params;
  GstGpuMb *mbs = (GstGpuMb *) ((uint8_t *) picture->header + picture->layout.mbs);
  size_t n_mbs = (size_t) params->width_in_mbs * params->height_in_mbs;
  int qp = 0;

  for (size_t i = 0; i < n_mbs; i++) {
    if (mbs[i].flags & GST_GPU_MB_EXTRA)
      restore_mb (&mbs[i], qp, &gpu_reference_slices (picture)[mbs[i].slice], params);
    qp = mbs[i].qp_scaled[0];
  }
}

/* The one value in the range of mb_qp_delta by which QP'Y comes from that of the macroblock before: sums wrap modulo 52 + QpBdOffset
 * (7-37), and the range has as many values */
static int
find_mb_qp_delta (int before, int qp, int QpBdOffsetY)
{
  int range = 52 + QpBdOffsetY, delta = (qp - before + range) % range;

  return delta > 25 + QpBdOffsetY / 2 ? delta - range : delta;
}

void
gpu_reference_qp_deltas (const GstGpuPicture *params, GstGpuMb *mbs, const GstGpuSlice *slices, size_t n_mbs)
{
  int before = n_mbs ? mbs[0].qp_scaled[0] : 0;

  for (size_t i = 1; i < n_mbs; i++) {
    GstGpuMb marked = mbs[i], restored;
    int qp = mbs[i].qp_scaled[0];

    memset (marked.qp_scaled, 0, sizeof (marked.qp_scaled));
    memset (marked.qp_filter, 0, sizeof (marked.qp_filter));
    marked.qp_filter[0] = (gst_gpu_i8) find_mb_qp_delta (before, qp, 6 * ((int) params->bit_depth_luma - 8));
    marked.flags |= GST_GPU_MB_EXTRA;
    restored = marked;
    restore_mb (&restored, before, &slices[mbs[i].slice], params);
    if (mbs[i].slice == mbs[i - 1].slice && memcmp (&restored, &mbs[i], sizeof (restored)) == 0)
      mbs[i] = marked;
    before = qp;
  }
}
