/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264memory.h"

const gchar h264_no_memory[] = "there is not enough memory";

gboolean
h264_try_reserve (gpointer *block, gsize *room, gsize n, gsize size)
{
  gpointer larger;

  if (n <= *room)
    return TRUE;
  larger = g_try_realloc_n (*block, n, size);
  if (!larger)
    return FALSE;
  *block = larger;
  *room = n;
  return TRUE;
}
