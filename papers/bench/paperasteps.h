/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PAPER_A_STEPS_H
#define PAPER_A_STEPS_H

#include "paperawork.h"

/* Table 4 */
void paper_a_measure_steps (Papers *papers, PaperAKernels *kernels);

#endif
