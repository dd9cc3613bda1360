/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Luma of captured pictures (capture.h) as the scans take it: Intra_4x4 alone, without the modes that need samples above right.
 */
#ifndef LUMA_CAPTURE_H
#define LUMA_CAPTURE_H

#include <stdio.h>

#include "papers.h"

/* In raster order, as edges.h has it */
typedef struct
{
  unsigned width, height;
  uint8_t *modes;
  int16_t *residual;
  int restricted; /* vertical and horizontal prediction; DC in the first block alone */
} LumaCapture;

/* (nullable): the file at @path, or a message */
FILE *luma_capture_open (const char *path);

/* The next picture of @file (nullable) that is such a one; 0 at the end */
int luma_capture_read (LumaCapture *self, FILE *file);
void luma_capture_clear (LumaCapture *self);

/* Says so where no picture was of use. */
void luma_capture_close (FILE *file, const char *path, unsigned n_pictures);

/* The first cells of a row: the file's name without its ending, and the modes */
#define LUMA_CAPTURE_COLUMNS "material,modes"
void luma_capture_write_name (PapersTable *table, const char *path, int restricted);

#endif
