/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Prediction along lines by 1-D scans: QP from mb_qp_delta, and LP coefficients of JPEG XR.
 */
#ifndef PAPER_D_LINES_H
#define PAPER_D_LINES_H

#include "papers.h"

void paper_d_lines_run (Papers *papers);

#endif
