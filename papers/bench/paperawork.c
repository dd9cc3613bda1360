/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "paperawork.h"

#define WG GPU_IDCT_WORKGROUP
#define GRANULARITY GPU_IDCT_GRANULARITY
#define COALESCING GPU_IDCT_COALESCING

static const PaperAVariant variants[PAPER_A_N_VARIANTS] = {
  [PAPER_A_LINE] = { "compacted", { GPU_IDCT_LINE, 0 }, 0, 0, 0 },
  [PAPER_A_SAMPLE] = { "sample", { GPU_IDCT_SAMPLE, 0 }, 0, 0, 0 },
  [PAPER_A_BLOCK] = { "block", { GPU_IDCT_BLOCK, 0 }, 0, 0, 0 },
  [PAPER_A_SYNC] = { "sync", { GPU_IDCT_LINE, GPU_IDCT_SYNC }, 0, 1.05, 1.01 },
  [PAPER_A_WORKGROUP] = { "workgroup", { GPU_IDCT_LINE, WG }, 0, 0, 0 },
  [PAPER_A_GRANULARITY] = { "granularity", { GPU_IDCT_LINE, GRANULARITY }, 0, 0, 0 },
  [PAPER_A_COALESCING] = { "coalescing", { GPU_IDCT_LINE, COALESCING }, 0, 0, 0 },
  [PAPER_A_WITH_WORKGROUP] = { "+ workgroup", { GPU_IDCT_LINE, WG }, 1, 1.14, 1.01 },
  [PAPER_A_WITH_GRANULARITY] = { "+ granularity", { GPU_IDCT_LINE, WG | GRANULARITY }, 1, 1.19, 1.04 },
  [PAPER_A_WITH_COALESCING] = { "+ coalescing", { GPU_IDCT_LINE, WG | GRANULARITY | COALESCING }, 1, 1.07, 1.02 },
};

/* ---- kernels ---- */

static void
build_variant (Papers *papers, PaperAVariant *self)
{
  const GpuKernelDevice *device = &papers->test.device;
  char options[512];

  if (self->cumulative && device->sub_groups)
    self->variant.steps |= GPU_IDCT_SYNC;
  if (!gpu_idct_compacted_supported (device, &self->variant))
    return;
  gpu_idct_scaled_options (device, &self->variant, options, sizeof (options));
  self->programs[PAPER_A_OWN] = kernel_test_build (&papers->test, gpu_idctscaled_source, options);
  kernel_test_check (gpu_idct_scaled_kernels_init (&self->own, device, self->programs[PAPER_A_OWN], &self->variant), self->name);
  gpu_idct_compacted_options (device, &self->variant, options, sizeof (options));
  self->programs[PAPER_A_RECORDS] = kernel_test_build (&papers->test, gpu_idctcompacted_source, options);
  kernel_test_check (gpu_idct_compacted_kernels_init (&self->records, device, self->programs[PAPER_A_RECORDS], &self->variant), self->name);
}

void
paper_a_kernels_init (Papers *papers, PaperAKernels *self)
{
  static const GstGpuPicture any;
  char options[512];

  memset (self, 0, sizeof (*self));
  memcpy (self->variants, variants, sizeof (variants));
  for (unsigned i = 0; i < PAPER_A_N_VARIANTS; i++)
    build_variant (papers, &self->variants[i]);
  gpu_idct_options (&papers->test.device, &any, options, sizeof (options));
  self->gpuidct_program = kernel_test_build (&papers->test, gpu_idct_source, options);
  kernel_test_check (gpu_idct_kernels_init (&self->gpuidct, &papers->test.device, papers->test.context, self->gpuidct_program, &any),
      "gpu_idct_kernels_init");
}

void
paper_a_kernels_clear (PaperAKernels *self)
{
  for (unsigned i = 0; i < PAPER_A_N_VARIANTS; i++)
    if (self->variants[i].programs[0]) {
      gpu_idct_scaled_kernels_clear (&self->variants[i].own);
      gpu_idct_kernels_clear (&self->variants[i].records);
      for (unsigned family = 0; family < PAPER_A_N_FAMILIES; family++)
        clReleaseProgram (self->variants[i].programs[family]);
    }
  gpu_idct_kernels_clear (&self->gpuidct);
  clReleaseProgram (self->gpuidct_program);
}

/* ---- a picture on the device ---- */

static void
init_blocks (Papers *papers, PaperAWork *self, unsigned kind)
{
  size_t size = kind ? 128 : 32, n = self->picture->n_blocks[kind];

  for (unsigned i = 0; i < PAPER_A_N_VARIANTS; i++)
    if (self->kernels->variants[i].programs[0]) {
      size_t padded = gpu_idct_scaled_padded (&self->kernels->variants[i].own, kind, n);

      if (padded > self->padded[kind])
        self->padded[kind] = padded;
    }
  self->up[kind] = papers_alloc ((self->padded[kind] + 1) * size);
  self->down[kind] = papers_alloc (self->padded[kind] * size);
  self->host_blocks[kind] = papers_alloc (n * size);
  memcpy (self->up[kind], self->picture->scaled[kind], n * size);
  self->blocks[kind] = kernel_test_buffer (&papers->test, self->up[kind], (self->padded[kind] + 1) * size);
}

void
paper_a_work_init (Papers *papers, PaperAWork *self, PaperAKernels *kernels, BlockPicture *picture)
{
  const CaptureHeader *head = &picture->head;
  size_t frame_size = (size_t) picture->n_mbs * BLOCK_PICTURE_MB * 2;

  memset (self, 0, sizeof (*self));
  self->kernels = kernels;
  self->picture = picture;
  self->records = (GpuKernelPicture){ .params = { .width_in_mbs = head->width_in_mbs,
                                          .height_in_mbs = head->height_in_mbs,
                                          .chroma_array_type = 1,
                                          .bit_depth_luma = 8,
                                          .bit_depth_chroma = 8 },
    .header = kernel_test_buffer (&papers->test, picture->header, head->header_size),
    .layout = block_picture_layout (picture),
    .coeffs = kernel_test_buffer (&papers->test, picture->coeffs, head->coeffs_size + 32), /* of a picture without levels too */
    .dc = kernel_test_buffer (&papers->test, picture->dc, (size_t) picture->n_mbs * 48 * 4) };
  self->frame = kernel_test_buffer (&papers->test, picture->frame, frame_size);
  self->kinds_of_mbs = kernel_test_buffer (&papers->test, picture->kinds, (size_t) picture->n_mbs * 4);
  self->down_frame = papers_alloc (frame_size);
  self->down_coeffs = papers_alloc (head->coeffs_size);
  self->host_coeffs = papers_alloc (head->coeffs_size);
  init_blocks (papers, self, 0);
  init_blocks (papers, self, 1);
  self->kinds = PAPER_A_BOTH;
}

void
paper_a_work_clear (PaperAWork *self)
{
  const cl_mem buffers[] = { self->records.header, self->records.coeffs, self->records.dc, self->frame, self->kinds_of_mbs, self->blocks[0],
    self->blocks[1] };
  void *const memory[] = { self->up[0], self->up[1], self->down[0], self->down[1], self->down_frame, self->down_coeffs,
    self->host_blocks[0], self->host_blocks[1], self->host_coeffs };

  for (unsigned i = 0; i < sizeof (buffers) / sizeof (buffers[0]); i++)
    clReleaseMemObject (buffers[i]);
  for (unsigned i = 0; i < sizeof (memory) / sizeof (memory[0]); i++)
    free (memory[i]);
}

/* ---- one run ---- */

void
paper_a_run_frame (Papers *papers, void *work)
{
  PaperAWork *self = work;
  size_t size = (size_t) self->picture->n_mbs * BLOCK_PICTURE_MB * 2;

  if (self->upload)
    papers_upload (papers, papers->queues[0], self->frame, 0, self->picture->frame, size);
  if (self->kernel)
    kernel_test_check (gpu_idct_scaled_frame_enqueue (&self->kernels->variants[PAPER_A_LINE].own, papers->queues[0], self->frame,
                           self->kinds_of_mbs, self->picture->n_mbs, papers_event (papers, PAPERS_KERNEL)),
        "gpu_idct_scaled_frame_enqueue");
  if (self->download)
    papers_download (papers, papers->queues[0], self->frame, 0, self->down_frame, size);
}

static int
has_kind (const PaperAWork *self, unsigned kind)
{
  return (self->kinds >> kind & 1) && self->picture->n_blocks[kind] > 0;
}

/* Whole groups go up and down, as the paper says. */
static void
transfer_blocks (Papers *papers, PaperAWork *self, unsigned kind, cl_command_queue queue, int up)
{
  size_t size = gpu_idct_scaled_padded (&self->variant->own, kind, self->picture->n_blocks[kind]) * (kind ? 128 : 32);

  if (up)
    papers_upload (papers, queue, self->blocks[kind], 0, self->up[kind], size);
  else
    papers_download (papers, queue, self->blocks[kind], 0, self->down[kind], size);
}

static void
enqueue_own (Papers *papers, PaperAWork *self, unsigned kind, cl_command_queue queue)
{
  cl_event event;

  kernel_test_check (gpu_idct_scaled_enqueue (&self->variant->own, queue, kind, self->blocks[kind], self->picture->n_blocks[kind], &event),
      "gpu_idct_scaled_enqueue");
  papers_take_event (papers, PAPERS_KERNEL, event);
}

void
paper_a_run_own (Papers *papers, void *work)
{
  PaperAWork *self = work;

  for (unsigned kind = 0; kind < 2 && self->upload; kind++)
    if (has_kind (self, kind))
      transfer_blocks (papers, self, kind, papers->queues[0], 1);
  for (unsigned kind = 0; kind < 2 && self->kernel; kind++)
    if (has_kind (self, kind))
      enqueue_own (papers, self, kind, papers->queues[0]);
  for (unsigned kind = 0; kind < 2 && self->download; kind++)
    if (has_kind (self, kind))
      transfer_blocks (papers, self, kind, papers->queues[0], 0);
}

/* The transfers of one kind beside the kernel of the other */
void
paper_a_run_overlap (Papers *papers, void *work)
{
  for (unsigned kind = 0; kind < 2; kind++)
    if (has_kind (work, kind)) {
      transfer_blocks (papers, work, kind, papers->queues[kind], 1);
      enqueue_own (papers, work, kind, papers->queues[kind]);
      transfer_blocks (papers, work, kind, papers->queues[kind], 0);
      kernel_test_check (clFlush (papers->queues[kind]), "clFlush");
    }
}

/* A launch for each kind, so that each has its time; DC groups are transformed beforehand, as in the paper's decoder. */
static void
enqueue_records (Papers *papers, PaperAWork *self, GpuIdctKernels *kernels, unsigned kind)
{
  cl_uint first[GST_GPU_N_KINDS + 1];
  cl_event event;

  for (unsigned k = 0; k <= GST_GPU_N_KINDS; k++)
    first[k] = self->picture->head.first[kind + (k > kind)];
  kernel_test_check (gpu_idct_enqueue (kernels, papers->queues[0], &self->records, 1, first, 0, NULL, &event, NULL), "gpu_idct_enqueue");
  papers_take_event (papers, PAPERS_KERNEL, event);
}

/* Positions and levels of both kinds, which stand one behind the other; residuals likewise */
static void
run_records (Papers *papers, PaperAWork *self, GpuIdctKernels *kernels)
{
  size_t size = self->picture->head.coeffs_size;

  if (self->upload)
    papers_upload (papers, papers->queues[0], self->records.coeffs, 0, self->picture->coeffs, size);
  for (unsigned kind = 0; kind < 2 && self->kernel; kind++)
    if (has_kind (self, kind))
      enqueue_records (papers, self, kernels, kind);
  if (self->download)
    papers_download (papers, papers->queues[0], self->records.coeffs, 0, self->down_coeffs, size);
}

void
paper_a_run_records (Papers *papers, void *work)
{
  PaperAWork *self = work;

  run_records (papers, self, &self->variant->records);
}

void
paper_a_run_gpuidct (Papers *papers, void *work)
{
  PaperAWork *self = work;

  run_records (papers, self, &self->kernels->gpuidct);
}

void
paper_a_run_host (Papers *papers, void *work)
{
  PaperAWork *self = work;

  for (unsigned kind = 0; kind < 2; kind++)
    if (has_kind (self, kind))
      self->host->transform (self->host_blocks[kind], self->picture->n_blocks[kind], kind ? 8 : 4);
}

void
paper_a_run_host_records (Papers *papers, void *work)
{
  PaperAWork *self = work;
  const BlockPicture *picture = self->picture;
  IdctHost host = { picture->header, block_picture_layout (picture), picture->dc, self->host_coeffs };

  for (unsigned kind = 0; kind < 2; kind++)
    if (has_kind (self, kind))
      idct_host_run (self->host, &host, block_picture_segments (picture) + picture->head.first[kind],
          picture->head.first[kind + 1] - picture->head.first[kind]);
}

/* ---- verification ---- */

static void
verify_frame (Papers *papers, PaperAWork *self)
{
  paper_a_run_frame (papers, self);
  kernel_test_check (clFinish (papers->queues[0]), "clFinish");
  papers_verify (papers, "baseline", self->picture->frame_residual, self->down_frame, (size_t) self->picture->n_mbs * BLOCK_PICTURE_MB * 2,
      2);
}

static void
verify_blocks (Papers *papers, PaperAWork *self, const char *name, int16_t *const blocks[2])
{
  for (unsigned kind = 0; kind < 2; kind++) {
    for (unsigned queue = 0; queue < 2; queue++)
      kernel_test_check (clFinish (papers->queues[queue]), "clFinish");
    papers_verify (papers, name, self->picture->residual[kind], blocks[kind], self->picture->n_blocks[kind] * (kind ? 128 : 32), 2);
  }
}

static void
verify_variant (Papers *papers, PaperAWork *self, unsigned i)
{
  self->variant = &self->kernels->variants[i];
  if (!self->variant->programs[0])
    return;
  paper_a_run_own (papers, self);
  verify_blocks (papers, self, self->variant->name, self->down);
  paper_a_run_records (papers, self);
  kernel_test_check (clFinish (papers->queues[0]), "clFinish");
  papers_verify (papers, self->variant->name, self->picture->expected, self->down_coeffs, self->picture->head.coeffs_size, 2);
}

/* What the C reference makes of DC groups is not part of the lists. */
static void
verify_host (Papers *papers, PaperAWork *self)
{
  for (unsigned kind = 0; kind < 2; kind++)
    memcpy (self->host_blocks[kind], self->picture->transposed[kind], self->picture->n_blocks[kind] * (kind ? 128 : 32));
  paper_a_run_host (papers, self);
  verify_blocks (papers, self, self->host->name, self->host_blocks);
  memcpy (self->host_coeffs, self->picture->coeffs, self->picture->head.coeffs_size);
  paper_a_run_host_records (papers, self);
  papers_verify (papers, self->host->name, self->picture->expected, self->host_coeffs, self->picture->head.coeffs_size, 2);
}

void
paper_a_verify (Papers *papers, PaperAWork *self, int all)
{
  const IdctHostCode *codes[IDCT_HOST_CODES];

  self->upload = self->kernel = self->download = 1;
  self->kinds = PAPER_A_BOTH;
  verify_frame (papers, self);
  for (unsigned i = 0; i < PAPER_A_N_VARIANTS; i++)
    if (all || i == PAPER_A_LINE || i == PAPER_A_BLOCK || i == PAPER_A_ALL_STEPS)
      verify_variant (papers, self, i);
  self->variant = &self->kernels->variants[PAPER_A_ALL_STEPS];
  paper_a_run_overlap (papers, self);
  verify_blocks (papers, self, "overlap", self->down);
  paper_a_run_gpuidct (papers, self);
  kernel_test_check (clFinish (papers->queues[0]), "clFinish");
  papers_verify (papers, "gpuidct", self->picture->expected, self->down_coeffs, self->picture->head.coeffs_size, 2);
  idct_host_codes (codes);
  for (unsigned i = 0; i < IDCT_HOST_CODES; i++)
    if ((self->host = codes[i]))
      verify_host (papers, self);
}
