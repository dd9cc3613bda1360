/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Paper A: Wang, Alvarez-Mesa, Chi, Juurlink: an optimised parallel IDCT: kernels, and one run of them over a picture.
 */
#ifndef PAPER_A_WORK_H
#define PAPER_A_WORK_H

#include "blockpicture.h"
#include "idcthost.h"
#include "idctscaledkernel.h"

/* Which kernels: the paper's own; or with inverse quantisation and macroblock records, over the lists of the entropy stage */
typedef enum
{
  PAPER_A_OWN,
  PAPER_A_RECORDS,
  PAPER_A_N_FAMILIES
} PaperAFamily;

/* Mappings, the steps each alone, then each on top of those before */
enum
{
  PAPER_A_LINE, /* "compacted" of the paper */
  PAPER_A_SAMPLE,
  PAPER_A_BLOCK,
  PAPER_A_SYNC,
  PAPER_A_WORKGROUP,
  PAPER_A_GRANULARITY,
  PAPER_A_COALESCING,
  PAPER_A_WITH_WORKGROUP,
  PAPER_A_WITH_GRANULARITY,
  PAPER_A_WITH_COALESCING, /* all steps */
  PAPER_A_N_VARIANTS
};
#define PAPER_A_ALL_STEPS PAPER_A_WITH_COALESCING

typedef struct
{
  const char *name;
  GpuIdctVariant variant;
  int cumulative;                      /* the steps before are in it, but for sync where the device has no sub-groups */
  double published_4x4, published_8x8; /* speed-up of the step over the one before; 0: none */

  /* NULL: the device cannot run it */
  cl_program programs[PAPER_A_N_FAMILIES];
  GpuIdctScaledKernels own;
  GpuIdctKernels records;
} PaperAVariant;

typedef struct
{
  PaperAVariant variants[PAPER_A_N_VARIANTS];
  cl_program gpuidct_program;
  GpuIdctKernels gpuidct;
} PaperAKernels;

void paper_a_kernels_init (Papers *papers, PaperAKernels *self);
void paper_a_kernels_clear (PaperAKernels *self);

#define PAPER_A_BOTH 3 /* PaperAWork.kinds: bit 0: 4x4, bit 1: 8x8 */

/* A picture on the device, and what a measured run does with it */
typedef struct
{
  PaperAKernels *kernels;
  BlockPicture *picture;
  GpuKernelPicture records;
  cl_mem blocks[2], frame, kinds_of_mbs;
  size_t padded[2]; /* blocks in the buffers: whole groups of every variant */
  int16_t *down[2], *up[2], *down_frame;
  uint8_t *down_coeffs;

  PaperAVariant *variant;
  const IdctHostCode *host;
  int16_t *host_blocks[2];
  uint8_t *host_coeffs;
  int upload, kernel, download; /* which of them a run does */
  unsigned kinds;
} PaperAWork;

void paper_a_work_init (Papers *papers, PaperAWork *self, PaperAKernels *kernels, BlockPicture *picture);
void paper_a_work_clear (PaperAWork *self);

/* PapersFunctions of a PaperAWork.  own, records: self->variant; frame: what the paper starts from; overlap: own, each kind in its own
 * queue.  host, host_records: self->host, of scaled coefficients, or of the lists with inverse quantisation */
void paper_a_run_frame (Papers *papers, void *work);
void paper_a_run_own (Papers *papers, void *work);
void paper_a_run_overlap (Papers *papers, void *work);
void paper_a_run_records (Papers *papers, void *work);
void paper_a_run_gpuidct (Papers *papers, void *work);
void paper_a_run_host (Papers *papers, void *work);
void paper_a_run_host_records (Papers *papers, void *work);

/* One run of each of them that the device and the machine can do, compared with the C reference; all variants where @all, else those that
 * pictures are measured with */
void paper_a_verify (Papers *papers, PaperAWork *work, int all);

#endif
