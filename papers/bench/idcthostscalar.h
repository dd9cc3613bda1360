/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef IDCT_HOST_SCALAR_H
#define IDCT_HOST_SCALAR_H

#include "idcthostcode.h"

/* In plain C, a sample at a time */
const IdctHostCode *idct_host_scalar (void);

#endif
