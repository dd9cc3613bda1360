/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * OpenCL whose calls fail: functions that stand before those of the library, for a program that is linked with them and exports its
 * symbols.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  FAILING_NONE,
  FAILING_ONE, /* CL_OUT_OF_RESOURCES, once */
  FAILING_ALL  /* CL_DEVICE_NOT_AVAILABLE, from then on: a device that is lost */
} FailingMode;

/* Counting begins: call number @number, from 0, fails, as @mode says.  A call that fails does nothing, but those that release something. */
void failing_calls_begin (FailingMode mode, gint number);

/* The number of calls since; @name: (out) (nullable): the first function that failed */
gint failing_calls_end (const gchar **name);

G_END_DECLS
