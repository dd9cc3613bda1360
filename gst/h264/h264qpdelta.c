/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264qpdelta.h"

/* The one value in the range of mb_qp_delta by which QP'Y comes from that of the macroblock before: sums wrap modulo 52 + QpBdOffset
 * (7-37), and the range has as many values */
static gint
find_mb_qp_delta (gint before, gint qp, gint QpBdOffsetY)
{
  const gint range = 52 + QpBdOffsetY;
  const gint delta = (qp - before + range) % range;

  return delta > 25 + QpBdOffsetY / 2 ? delta - range : delta;
}

static void
restore_plane (GstGpuMb *mbs, const guint16 *mb_slice, gsize n_mbs, gint QpBdOffsetY)
{
  guint8 before = mbs[0].qp_scaled[0];
  gsize i;

  for (i = 1; i < n_mbs; i++) {
    const guint8 qp = mbs[i].qp_scaled[0];

    if (mb_slice[i] == mb_slice[i - 1] && mb_slice[i] != H264_NO_SLICE) {
      memset (mbs[i].qp_scaled, 0, sizeof (mbs[i].qp_scaled));
      memset (mbs[i].qp_filter, 0, sizeof (mbs[i].qp_filter));
      mbs[i].qp_filter[0] = (gint8) find_mb_qp_delta (before, qp, QpBdOffsetY);
      mbs[i].flags |= GST_GPU_MB_QP_DELTA;
    }
    before = qp;
  }
}

void
h264_qp_delta_restore (H264PictureJob *job)
{
  const H264PictureTarget *target = &job->target;
  const H264Sps *sps = h264_picture_job_slice (job, 0)->header.pps->sps;
  guint plane;

  for (plane = 0; plane < job->n_colour_planes; plane++)
    restore_plane (target->mbs[plane], target->mb_slice[plane], (gsize) target->width_in_mbs * target->height_in_mbs,
        6 * (sps->bit_depth_luma - 8));
}
