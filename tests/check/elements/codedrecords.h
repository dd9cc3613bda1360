/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the contract (gpurecords.h) says of the records and block lists of any coded picture.
 */
#pragma once

#include "gstcodedpicture.h"
#include "gstcoeffmeta.h"

/* Checks records, segments and positions of the coded picture in @buffer against each other.  Gives a checksum of its contents, which does
 * not depend on where threads have put the blocks; g_free() it. */
gchar *coded_records_check (GstBuffer *buffer);

/* Copies of the macroblock records of colour plane @plane, of the slices, of the first one's count in @n */
GstGpuMb *coded_records_get_mbs (GstBuffer *buffer, guint plane, guint *n);
GstGpuSlice *coded_records_get_slices (GstBuffer *buffer, guint *n);
