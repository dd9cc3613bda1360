/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The checks of the 2-D scan on coded pictures: ends the process where one fails.
 */
#ifndef PAPER_D_QUALITY_H
#define PAPER_D_QUALITY_H

#include "papers.h"

void paper_d_quality_run (Papers *papers);

#endif
