/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Paper B: the transforms of HEVC on a GPU.  Five variants and our own, against C on one core; ns a transform.
 */
#include <stdio.h>

#include "hevchost.h"
#include "papers.h"

static const char *const variant_names[GPU_HEVC_N_VARIANTS] = { "plain", "shared", "onestep", "butterfly", "onestepbatch", "gpuidct" };

/* Published, ns a transform: a batch of 10,000; AVX2, C butterfly and C matrix product on the CPU */
typedef struct
{
  const char *name;
  GpuHevcTransform transform;
  double batch, avx2, butterfly, matrix;
} Case;

static const Case cases[] = {
  { "forward DST 4", { 4, 1, 0 }, 28, 13, 54, 208 },
  { "forward DCT 4", { 4, 0, 0 }, 28, 10, 41, 199 },
  { "forward DCT 8", { 8, 0, 0 }, 105, 56, 217, 1130 },
  { "forward DCT 16", { 16, 0, 0 }, 483, 278, 1647, 7890 },
  { "forward DCT 32", { 32, 0, 0 }, 4700, 2043, 11280, 57500 },
  { "inverse DST 4", { 4, 1, 1 }, 28, 14, 88, 196 },
  { "inverse DCT 4", { 4, 0, 1 }, 28, 13, 79, 194 },
  { "inverse DCT 8", { 8, 0, 1 }, 103, 36, 392, 1027 },
  { "inverse DCT 16", { 16, 0, 1 }, 416, 473, 2371, 7968 },
  { "inverse DCT 32", { 32, 0, 1 }, 1925, 3685, 15601, 54202 },
};

/* A batch and how it is transformed */
typedef struct
{
  const Case *which;
  GpuHevcKernels kernels;
  cl_program programs[2];
  cl_mem in, between, out;
  int16_t *host_in, *host_out, *expected;
  unsigned count, bit_depth;
  GpuHevcVariant variant;
  HevcHostFunction function;
} Batch;

static void
take_event (void *user, cl_event event)
{
  papers_take_event (user, PAPERS_KERNEL, event);
}

static void
run_variant (Papers *papers, void *user)
{
  Batch *batch = user;

  kernel_test_check (gpu_hevc_enqueue (&batch->kernels, batch->variant, papers->queues[0], batch->in, batch->between, batch->out,
                         batch->count, batch->bit_depth, take_event, papers),
      "gpu_hevc_enqueue");
}

static void
run_host (Papers *papers, void *user)
{
  Batch *batch = user;

  batch->function (&batch->which->transform, batch->bit_depth, batch->host_in, batch->host_out, batch->count);
}

static size_t
batch_size (const Batch *batch)
{
  return (size_t) batch->count * batch->which->transform.n * batch->which->transform.n * 2;
}

/* Residuals of the depth's whole range; for the inverse any 16-bit coefficients, most of them small */
static void
fill (Papers *papers, Batch *batch)
{
  size_t n = batch_size (batch) / 2;
  int residual = (1 << batch->bit_depth) - 1;

  for (size_t i = 0; i < n; i++)
    if (!batch->which->transform.inverse)
      batch->host_in[i] = (int16_t) kernel_test_range (&papers->test, -residual, residual);
    else if (kernel_test_random (&papers->test) % 64 == 0)
      batch->host_in[i] = (int16_t) kernel_test_range (&papers->test, INT16_MIN, INT16_MAX);
    else
      batch->host_in[i] = (int16_t) kernel_test_range (&papers->test, -200, 200);
}

/* Buffers of @count blocks, and what is to come out */
static void
batch_open (Papers *papers, Batch *batch, unsigned count, unsigned bit_depth)
{
  batch->count = count;
  batch->bit_depth = bit_depth;
  batch->host_in = papers_alloc (batch_size (batch));
  batch->host_out = papers_alloc (batch_size (batch));
  batch->expected = papers_alloc (batch_size (batch));
  fill (papers, batch);
  hevc_host_product (&batch->which->transform, bit_depth, batch->host_in, batch->expected, count);
  batch->in = kernel_test_buffer (&papers->test, batch->host_in, batch_size (batch));
  batch->between = kernel_test_buffer (&papers->test, NULL, batch_size (batch));
  batch->out = kernel_test_buffer (&papers->test, NULL, batch_size (batch));
}

static void
batch_close (Batch *batch)
{
  clReleaseMemObject (batch->in);
  clReleaseMemObject (batch->between);
  clReleaseMemObject (batch->out);
  free (batch->host_in);
  free (batch->host_out);
  free (batch->expected);
}

static void
build (Papers *papers, Batch *batch, const Case *which)
{
  char options[256];

  batch->which = which;
  for (int i = 0; i < 2; i++) {
    gpu_hevc_options (&papers->test.device, &which->transform, i, options, sizeof (options));
    batch->programs[i] = kernel_test_build (&papers->test, gpu_hevctransform_source, options);
  }
  kernel_test_check (gpu_hevc_kernels_init (&batch->kernels, &papers->test.device, batch->programs[0], batch->programs[1],
                         &which->transform),
      which->name);
}

static void
clear (Batch *batch)
{
  gpu_hevc_kernels_clear (&batch->kernels);
  clReleaseProgram (batch->programs[0]);
  clReleaseProgram (batch->programs[1]);
}

static void
verify_variant (Papers *papers, Batch *batch)
{
  char what[64];

  snprintf (what, sizeof (what), "%s, %u bit, %s", batch->which->name, batch->bit_depth, variant_names[batch->variant]);
  memset (batch->host_out, 0xA5, batch_size (batch));
  kernel_test_write (&papers->test, batch->out, batch->host_out, batch_size (batch));
  run_variant (papers, batch);
  kernel_test_read (&papers->test, batch->out, batch->host_out, batch_size (batch));
  papers_verify (papers, what, batch->expected, batch->host_out, batch_size (batch), 2);
}

static void
verify_host (Papers *papers, Batch *batch, HevcHostFunction function)
{
  batch->function = function;
  run_host (papers, batch);
  papers_verify (papers, batch->which->name, batch->expected, batch->host_out, batch_size (batch), 2);
}

/* Each variant and each C, at both depths, on a batch that fills no group evenly */
static void
verify_case (Papers *papers, Batch *batch)
{
  for (unsigned bit_depth = 8; bit_depth <= 10; bit_depth += 2) {
    batch_open (papers, batch, 37, bit_depth);
    for (batch->variant = 0; batch->variant < GPU_HEVC_N_VARIANTS; batch->variant++)
      verify_variant (papers, batch);
    verify_host (papers, batch, hevc_host_butterfly);
    verify_host (papers, batch, hevc_host_vectorised);
    batch_close (batch);
  }
  printf ("B: %s: verified\n", batch->which->name);
}

static void
add_row (PapersTable *table, const Batch *batch, const char *name, const PapersTiming *timing, const char *published)
{
  papers_cell (table, "%s", batch->which->name);
  papers_cell (table, "%u", batch->bit_depth);
  papers_cell (table, "%s", name);
  papers_cell (table, "%u", batch->count);
  papers_cell_time (table, &timing->wall, batch->count);
  papers_cell_time (table, timing->n_commands[PAPERS_KERNEL] ? &timing->event[PAPERS_KERNEL] : NULL, batch->count);
  papers_cell (table, "%s", published);
}

static void
measure_variant (Papers *papers, PapersTable *table, Batch *batch, GpuHevcVariant variant)
{
  char published[32] = "";
  PapersTiming timing;

  batch->variant = variant;
  verify_variant (papers, batch);
  papers_measure (papers, run_variant, batch, &timing);
  if (batch->count == 1 && variant != GPU_HEVC_GPUIDCT)
    snprintf (published, sizeof (published), "71000 to 153000");
  else if ((batch->count == 10000 || (papers->quick && batch->count == 1000)) && variant == GPU_HEVC_ONESTEPBATCH)
    snprintf (published, sizeof (published), "%g", batch->which->batch);
  add_row (table, batch, variant_names[variant], &timing, published);
}

static void
measure_host (Papers *papers, PapersTable *table, Batch *batch, const char *name, HevcHostFunction function, double published)
{
  char text[32];
  PapersTiming timing;

  verify_host (papers, batch, function);
  papers_measure (papers, run_host, batch, &timing);
  snprintf (text, sizeof (text), "%g", published);
  add_row (table, batch, name, &timing, text);
}

/* C on one core: blocks enough for some milliseconds */
static void
measure_hosts (Papers *papers, PapersTable *table, Batch *batch, unsigned bit_depth)
{
  unsigned n = batch->which->transform.n;

  batch_open (papers, batch, 40000 / (n * n), bit_depth);
  measure_host (papers, table, batch, "C matrix; one core", hevc_host_product, batch->which->matrix);
  measure_host (papers, table, batch, "C butterfly; one core", hevc_host_butterfly, batch->which->butterfly);
  measure_host (papers, table, batch, "C vectorised (published: AVX2); one core", hevc_host_vectorised, batch->which->avx2);
  batch_close (batch);
}

/* Batches of every power of ten to 100,000, or the least and the most with --quick, but for variants that take a launch a block, or two: of
 * them the least.  Batches that take seconds have the fewest runs.  The published batch is one of 10,000. */
static void
measure_case (Papers *papers, PapersTable *table, Batch *batch, unsigned bit_depth)
{
  unsigned max = !papers->quick ? 100000 : batch->which->transform.n < 16 ? 10000 : 1000;
  unsigned n_runs = papers->n_runs;

  for (unsigned count = 1; count <= max; count *= papers->quick ? max : 10) {
    papers->n_runs = count < 10000 ? n_runs : 10;
    batch_open (papers, batch, count, bit_depth);
    for (unsigned variant = 0; variant < GPU_HEVC_N_VARIANTS; variant++)
      if (variant >= GPU_HEVC_ONESTEPBATCH || !papers->quick || count == 1)
        measure_variant (papers, table, batch, variant);
    batch_close (batch);
  }
  papers->n_runs = n_runs;
  measure_hosts (papers, table, batch, bit_depth);
}

int
paper_b_run (Papers *papers)
{
  PapersTable *table = NULL;
  Batch batch = { 0 };

  kernel_test_selected (&papers->test, "paperb");
  if (!papers->verify)
    table = papers_table_open (papers, "b-transforms", "B: transforms of HEVC, ns a transform (wall time; event time)",
        "transform,bit_depth,variant,batch,min_ns,median_ns,max_ns,event_min,event_ns,event_max,published_ns");
  for (unsigned i = 0; i < sizeof (cases) / sizeof (cases[0]); i++) {
    build (papers, &batch, &cases[i]);
    verify_case (papers, &batch);
    for (unsigned bit_depth = 8; table && bit_depth <= 10; bit_depth += 2)
      measure_case (papers, table, &batch, bit_depth);
    clear (&batch);
  }
  if (table)
    papers_table_close (table);
  return 0;
}
