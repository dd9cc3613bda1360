/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the paper says of memory and precision, beside what the scans here take.
 */
#ifndef PAPER_D_CLAIMS_H
#define PAPER_D_CLAIMS_H

#include "papers.h"

void paper_d_claims_run (Papers *papers);

#endif
