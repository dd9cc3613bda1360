/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stddef.h>

#include "reference.h"

/* 8.5.8: QPC of a chroma component */
static int
find_QPC (int QPY, int offset, int QpBdOffsetC)
{
  static const int from_30[22] = { 29, 30, 31, 32, 32, 33, 34, 34, 35, 35, 36, 36, 37, 37, 37, 38, 38, 38, 39, 39, 39, 39 };
  int qPI = QPY + offset;

  qPI = qPI < -QpBdOffsetC ? -QpBdOffsetC : qPI > 51 ? 51 : qPI;
  return qPI < 30 ? qPI : from_30[qPI - 30];
}

void
gpu_reference_qp_records (const GpuReferencePicture *picture)
{
  const GstGpuPicture *params = picture->params;
  GstGpuMb *mbs = (GstGpuMb *) ((uint8_t *) picture->header + picture->layout.mbs);
  int offset_y = 6 * ((int) params->bit_depth_luma - 8), offset_c = 6 * ((int) params->bit_depth_chroma - 8), qp = 0;
  size_t n_mbs = (size_t) params->width_in_mbs * params->height_in_mbs;

  for (size_t i = 0; i < n_mbs; i++) {
    GstGpuMb *mb = &mbs[i];
    const GstGpuSlice *slice = &gpu_reference_slices (picture)[mb->slice];

    if (mb->flags & GST_GPU_MB_QP_DELTA) {
      /* 7-37; I_PCM is deblocked with qPp 0 (8.7.2.2) */
      int QPY = (qp - offset_y + mb->qp_filter[0] + 52 + 2 * offset_y) % (52 + offset_y) - offset_y;
      int filter = mb->mb_class == GST_GPU_MB_IPCM ? 0 : QPY;

      mb->flags &= (gst_gpu_u8) ~GST_GPU_MB_QP_DELTA;
      mb->qp_scaled[0] = (gst_gpu_u8) (QPY + offset_y);
      mb->qp_filter[0] = (gst_gpu_i8) filter;
      for (int c = 0; c < 2; c++) {
        mb->qp_scaled[c + 1] = (gst_gpu_u8) (find_QPC (QPY, slice->chroma_qp_index_offset[c], offset_c) + offset_c);
        mb->qp_filter[c + 1] = (gst_gpu_i8) find_QPC (filter, slice->chroma_qp_index_offset[c], offset_c);
      }
    }
    qp = mb->qp_scaled[0];
  }
}
