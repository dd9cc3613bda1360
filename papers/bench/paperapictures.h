/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PAPER_A_PICTURES_H
#define PAPER_A_PICTURES_H

#include "paperawork.h"

/* Table 3 and figures 2, 4 and 5; with --verify every captured picture is compared, and nothing measured */
void paper_a_measure_pictures (Papers *papers, PaperAKernels *kernels);

#endif
