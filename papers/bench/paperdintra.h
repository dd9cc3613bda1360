/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Intra prediction by scans in two dimensions, and their restricted form.
 */
#ifndef PAPER_D_INTRA_H
#define PAPER_D_INTRA_H

#include "papers.h"

void paper_d_intra_run (Papers *papers);

#endif
