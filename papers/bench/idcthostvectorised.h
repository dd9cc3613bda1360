/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef IDCT_HOST_VECTORISED_H
#define IDCT_HOST_VECTORISED_H

#include "idcthostcode.h"

/* In plain C that the compiler turns into vectors (-O3, for the instruction set of the machine) */
const IdctHostCode *idct_host_vectorised (void);

#endif
