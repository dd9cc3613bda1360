/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Creation of a device's buffers, by where their bytes are to stand.
 */
#pragma once

#include "gstclcontext-private.h"

G_BEGIN_DECLS

/* A buffer of @size bytes, for kernels to read and write: where host and device share memory, in memory that the host sees.  @sparse: most
 * pictures use its beginning only.  NULL and @status on failure. */
cl_mem gst_cl_buffer_new (GstClContext *context, gsize size, gboolean sparse, cl_int *status);

G_END_DECLS
