/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * PoCL, the OpenCL driver for CPUs, compiles kernels in a folder of its own, its cache.  Without one that it can write to, it has no device
 * or builds no kernel, and OpenCL's status does not say why.
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* (transfer full) (nullable): the sentence that says which folder PoCL cannot write to, and what helps; NULL where it can */
gchar *gst_cl_pocl_cache_describe_trouble (void);

G_END_DECLS
