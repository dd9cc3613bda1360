/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A picture of one of the paper's cases of intra prediction: modes and residual, as scans and wavefronts take them and as macroblock
 * records, and what has to come out.
 */
#ifndef PAPER_D_INTRA_PICTURE_H
#define PAPER_D_INTRA_PICTURE_H

#include "edgepicture.h"
#include "lumacapture.h"
#include "paperdsizes.h"

typedef struct
{
  unsigned width, height;
  EdgePictureKind kind;
  uint8_t *modes, *conformant, *actual;
  int16_t *residual;
  double *unclipped;
  float *plane; /* float, or int where restricted */
  size_t plane_size;
  cl_mem modes_buffer, residual_buffer, picture_buffer, plane_buffer;
  GpuKernelPicture records;
} PaperDIntraPicture;

void paper_d_intra_picture_make (Papers *papers, PaperDIntraPicture *intra, EdgePictureKind kind, const PaperDSize *size);

/* The same of a captured picture */
void paper_d_intra_picture_take (Papers *papers, PaperDIntraPicture *intra, const LumaCapture *luma);
void paper_d_intra_picture_clear (PaperDIntraPicture *intra);

/* What a conformant variant, @what, left in picture_buffer; ends the process where it is wrong. */
void paper_d_intra_picture_verify (Papers *papers, PaperDIntraPicture *intra, const char *what);

/* What a scan left in plane_buffer, against unclipped prediction block after block: exact where restricted, else within the bound of single
 * precision; ends the process where it is not.  Returns the largest error. */
double paper_d_intra_picture_verify_scan (Papers *papers, PaperDIntraPicture *intra, const char *what, unsigned n_levels);

#endif
