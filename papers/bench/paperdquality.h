/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * How far pictures of the 2-D scan are from the encoder's.
 */
#ifndef PAPER_D_QUALITY_H
#define PAPER_D_QUALITY_H

#include "papers.h"

void paper_d_quality_run (Papers *papers);

#endif
