/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Big-endian values at any address.  GST_READ_UINT32_BE and its kind read them through pointers that are not aligned, where the
 * undefined-behaviour sanitizer stops.
 */
#pragma once

#include <glib.h>

static inline guint
read_u16be (const guint8 *at)
{
  return (guint) at[0] << 8 | at[1];
}

static inline guint32
read_u32be (const guint8 *at)
{
  return (guint32) read_u16be (at) << 16 | read_u16be (at + 2);
}

static inline void
write_u32be (guint8 *at, guint32 value)
{
  for (guint i = 0; i < 4; i++)
    at[i] = (guint8) (value >> (24 - 8 * i));
}
