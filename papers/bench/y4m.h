/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Reads pictures of a YUV4MPEG2 file: 4:2:0 of 8 bits.
 */
#ifndef Y4M_H
#define Y4M_H

#include <stdint.h>
#include <stdio.h>

typedef struct
{
  FILE *file;
  unsigned width, height;
  uint8_t *planes[3];
} Y4m;

/* Ends the process with a message where @path is no such file: even sizes, at most 4096. */
void y4m_open (Y4m *self, const char *path);
/* The next picture comes into @planes; 0 where there is none. */
int y4m_read (Y4m *self);
void y4m_close (Y4m *self);

#endif
