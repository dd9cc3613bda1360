/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Arenas as an entropy stage gets them.
 */
#pragma once

#include <gst/check/gstharness.h>

/* (transfer full): the arena pool that the element in @h offers upstream for @caps, active; gst_check fails where there is none */
GstBufferPool *offered_pool_get (GstHarness *h, GstCaps *caps);
