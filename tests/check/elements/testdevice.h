/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Whether there is anything to test on.
 */
#ifndef TEST_DEVICE_H
#define TEST_DEVICE_H

#include <gst/gst.h>

/* Whether element @factory finds an OpenCL device.  Where it does not, a test of kernels has nothing to say. */
gboolean test_device_exists (const gchar *factory);

#endif
