/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Exact pictures by scan and repair, beyond the paper.
 */
#ifndef PAPER_D_EXACT_H
#define PAPER_D_EXACT_H

#include "papers.h"

/* Table d-exact: of the captured pictures, as of d-precision: how many blocks are repaired, and how long it takes beside wavefronts.
 * With --verify the pictures are compared, and nothing measured. */
void paper_d_exact_run (Papers *papers);

#endif
