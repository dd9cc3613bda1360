/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * How long a thread has computed: what work on the CPU takes, whoever else wants the processors meanwhile.
 */
#pragma once

#include <time.h>
#include <glib.h>

G_BEGIN_DECLS

/* CPU time of the calling thread, in nanoseconds */
static inline guint64
gst_thread_time (void)
{
  struct timespec now = { 0, 0 };

  (void) clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (guint64) now.tv_sec * 1000000000 + now.tv_nsec;
}

G_END_DECLS
