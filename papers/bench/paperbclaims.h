/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Paper B's claims, each computed from its published figures and from a run's.
 */
#ifndef PAPER_B_CLAIMS_H
#define PAPER_B_CLAIMS_H

#include "paperbcases.h"
#include "papers.h"

/* Writes the table b-claims. */
void paper_b_claims (Papers *papers, const PaperBResult results[PAPER_B_N_CASES]);

#endif
