/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Paper B: the transforms of HEVC on a GPU.  Five variants and our own, against one core; ns a transform.
 */
#include <stdio.h>

#include "hevchost.h"
#include "paperbcases.h"
#include "paperbclaims.h"
#include "papers.h"

static const char *const variant_names[GPU_HEVC_N_VARIANTS] = { "plain", "shared", "onestep", "butterfly", "onestepbatch", "gpuidct" };
static const char *const host_names[PAPER_B_N_HOSTS] = { "AVX2", "C butterfly", "C matrix", "C vectorised" };

/* Transforms of one run of a variant that takes a block at a time, one behind the other */
#define SINGLES 100

/* Blocks and how they are transformed */
typedef struct
{
  const PaperBCase *which;
  GpuHevcKernels kernels;
  HevcHost host;
  cl_program programs[2];
  cl_mem in, between, out;
  int16_t *host_in, *host_out, *expected;
  unsigned count, bit_depth;
  HevcHostFunction function;
} Batch;

/* What is done with a batch on the device */
typedef struct
{
  Batch *batch;
  GpuHevcVariant variant;
  int with_transfers; /* blocks go to the device, results come back */
} Run;

typedef struct
{
  PapersTable *single, *host, *batch;
} Tables;

static size_t
batch_size (const Batch *batch)
{
  return (size_t) batch->count * batch->which->transform.n * batch->which->transform.n * 2;
}

/* ---- one run ---- */

static void
take_event (void *user, cl_event event)
{
  papers_take_event (user, PAPERS_KERNEL, event);
}

static void
run_variant (Papers *papers, void *user)
{
  const Run *run = user;
  Batch *batch = run->batch;

  if (run->with_transfers)
    papers_upload (papers, papers->queues[0], batch->in, 0, batch->host_in, batch_size (batch));
  kernel_test_check (gpu_hevc_enqueue (&batch->kernels, run->variant, papers->queues[0], batch->in, batch->between, batch->out,
                         batch->count, batch->bit_depth, take_event, papers),
      "gpu_hevc_enqueue");
  if (run->with_transfers)
    papers_download (papers, papers->queues[0], batch->out, 0, batch->host_out, batch_size (batch));
}

/* The same block again and again; the host waits for each. */
static void
run_singles (Papers *papers, void *user)
{
  for (unsigned i = 0; i < SINGLES; i++) {
    run_variant (papers, user);
    kernel_test_check (clFinish (papers->queues[0]), "clFinish");
  }
}

static void
run_host (Papers *papers, void *user)
{
  Batch *batch = user;

  batch->function (&batch->host, batch->host_in, batch->host_out, batch->count);
}

/* ---- blocks ---- */

/* Block @b: values at the ends of the range (0: the one end, 1: the other, 2: either), or anything */
static int
make_value (Papers *papers, unsigned b, int low, int high)
{
  int at_end = b == 2 ? (int) (kernel_test_random (&papers->test) % 2) : b == 1;

  return b > 2 ? kernel_test_range (&papers->test, low, high) : at_end ? high : low;
}

/* Residuals of the depth's whole range; for the inverse any 16-bit coefficients, most of them small */
static void
fill (Papers *papers, Batch *batch)
{
  unsigned size = batch->which->transform.n * batch->which->transform.n;
  int inverse = batch->which->transform.inverse, residual = (1 << batch->bit_depth) - 1;

  for (size_t i = 0; i < (size_t) batch->count * size; i++) {
    unsigned b = (unsigned) (batch->count > 3 ? i / size : 3);

    if (!inverse)
      batch->host_in[i] = (int16_t) make_value (papers, b, -residual, residual);
    else if (b <= 2 || kernel_test_random (&papers->test) % 64 == 0)
      batch->host_in[i] = (int16_t) make_value (papers, b, INT16_MIN, INT16_MAX);
    else
      batch->host_in[i] = (int16_t) kernel_test_range (&papers->test, -200, 200);
  }
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
  hevc_host_init (&batch->host, &batch->which->transform, bit_depth);
  fill (papers, batch);
  hevc_host_product (&batch->host, batch->host_in, batch->expected, count);
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
build (Papers *papers, Batch *batch, const PaperBCase *which)
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

/* ---- comparison ---- */

static void
verify_variant (Papers *papers, Batch *batch, GpuHevcVariant variant)
{
  Run run = { batch, variant, 0 };
  char what[64];

  snprintf (what, sizeof (what), "%s, %u bit, %s", batch->which->name, batch->bit_depth, variant_names[variant]);
  memset (batch->host_out, 0xA5, batch_size (batch));
  kernel_test_write (&papers->test, batch->out, batch->host_out, batch_size (batch));
  run_variant (papers, &run);
  kernel_test_read (&papers->test, batch->out, batch->host_out, batch_size (batch));
  papers_verify (papers, what, batch->expected, batch->host_out, batch_size (batch), 2);
}

/* 0: this machine has no such */
static int
verify_host (Papers *papers, Batch *batch, PaperBHost host)
{
  const HevcHostFunction functions[PAPER_B_N_HOSTS] = { hevc_host_avx2 (), hevc_host_butterfly, hevc_host_product, hevc_host_vectorised };
  char what[64];

  batch->function = functions[host];
  if (!batch->function)
    return 0;
  snprintf (what, sizeof (what), "%s, %u bit, %s", batch->which->name, batch->bit_depth, host_names[host]);
  memset (batch->host_out, 0xA5, batch_size (batch));
  run_host (papers, batch);
  papers_verify (papers, what, batch->expected, batch->host_out, batch_size (batch), 2);
  return 1;
}

/* Everything at both depths, on a batch that fills no group and no vector evenly */
static void
verify_case (Papers *papers, Batch *batch)
{
  for (unsigned bit_depth = 8; bit_depth <= 10; bit_depth += 2) {
    batch_open (papers, batch, 37, bit_depth);
    for (unsigned variant = 0; variant < GPU_HEVC_N_VARIANTS; variant++)
      verify_variant (papers, batch, variant);
    for (unsigned host = 0; host < PAPER_B_N_HOSTS; host++)
      verify_host (papers, batch, host);
    batch_close (batch);
  }
  printf ("B: %s: verified\n", batch->which->name);
}

/* ---- measuring ---- */

static void
begin_row (PapersTable *table, const Batch *batch, const char *name)
{
  papers_cell (table, "%s", batch->which->name);
  papers_cell (table, "%u", batch->bit_depth);
  papers_cell (table, "%s", name);
}

/* The variants from @first on, @n of them, by @function: without and with transfers, in turn.  rows[2 * i], rows[2 * i + 1]: variant
 * @first + i */
static void
measure_variants (Papers *papers, Batch *batch, PapersFunction function, unsigned first, unsigned n, PapersRow *rows)
{
  Run runs[2 * GPU_HEVC_N_VARIANTS];

  for (unsigned i = 0; i < 2 * n; i++) {
    runs[i] = (Run){ batch, (GpuHevcVariant) (first + i / 2), i % 2 };
    rows[i] = (PapersRow){ .function = function, .user = &runs[i] };
    if (i % 2 == 0)
      verify_variant (papers, batch, runs[i].variant);
  }
  papers_measure_in_turn (papers, rows, 2 * n);
}

/* Tables 1 and 2: a block at a time */
static void
measure_singles (Papers *papers, PapersTable *table, Batch *batch, PaperBResult *result)
{
  PapersRow rows[2 * PAPER_B_N_SINGLES];

  measure_variants (papers, batch, run_singles, 0, PAPER_B_N_SINGLES, rows);
  for (unsigned variant = 0; variant < PAPER_B_N_SINGLES; variant++) {
    const PapersTiming *timing = &rows[2 * variant].timing, *whole = &rows[2 * variant + 1].timing;

    result->times.single[variant] = timing->wall.median / SINGLES;
    result->with_transfers.single[variant] = whole->wall.median / SINGLES;
    begin_row (table, batch, variant_names[variant]);
    papers_cell_time (table, &timing->wall, SINGLES);
    papers_cell (table, "%.4g", timing->event[PAPERS_KERNEL].median / SINGLES);
    papers_cell_time (table, &whole->wall, SINGLES);
    papers_cell (table, "%g", batch->which->published.single[variant]);
  }
}

/* Tables 3 and 4: one core */
static void
measure_host (Papers *papers, PapersTable *table, Batch *batch, PaperBHost host, PaperBResult *result)
{
  double published = batch->which->published.host[host];
  PapersTiming timing;

  if (!verify_host (papers, batch, host))
    return;
  papers_measure (papers, run_host, batch, &timing);
  result->times.host[host] = result->with_transfers.host[host] = timing.wall.min / batch->count;
  begin_row (table, batch, host_names[host]);
  papers_cell (table, "%u", batch->count);
  papers_cell_time (table, &timing.wall, batch->count);
  papers_cell_if (table, published > 0, "%g", published);
}

static void
add_batch_row (PapersTable *table, const Batch *batch, GpuHevcVariant variant, const PapersTiming *timing, const PapersTiming *whole)
{
  double divisor = batch->count;

  begin_row (table, batch, variant_names[variant]);
  papers_cell (table, "%u", batch->count);
  papers_cell_time (table, &timing->wall, divisor);
  papers_cell (table, "%.4g", timing->event[PAPERS_KERNEL].median / divisor);
  papers_cell (table, "%.4g", whole->event[PAPERS_UPLOAD].median / divisor);
  papers_cell (table, "%.4g", whole->event[PAPERS_DOWNLOAD].median / divisor);
  papers_cell_time (table, &whole->wall, divisor);
  papers_cell_if (table, batch->count == PAPER_B_BATCH && variant == GPU_HEVC_ONESTEPBATCH, "%g", batch->which->published.batch);
}

/* Tables 5 and 6: a batch */
static void
measure_batch (Papers *papers, PapersTable *table, Batch *batch, PaperBResult *result)
{
  PapersRow rows[4];

  measure_variants (papers, batch, run_variant, GPU_HEVC_ONESTEPBATCH, 2, rows);
  for (unsigned i = 0; i < 2; i++)
    add_batch_row (table, batch, GPU_HEVC_ONESTEPBATCH + i, &rows[2 * i].timing, &rows[2 * i + 1].timing);
  if (batch->count == PAPER_B_BATCH) {
    result->times.batch = rows[0].timing.wall.min / batch->count;
    result->with_transfers.batch = rows[1].timing.wall.min / batch->count;
    result->gpuidct = rows[2].timing.wall.min / batch->count;
    result->gpuidct_with_transfers = rows[3].timing.wall.min / batch->count;
  }
}

/* Blocks one behind the other; as many as in the published batch.  With --quick C by matrix, which takes seconds, has fewer runs. */
static void
measure_hosts (Papers *papers, PapersTable *table, Batch *batch, unsigned bit_depth, PaperBResult *result)
{
  unsigned n_runs = papers->n_runs;

  for (unsigned host = 0; host < PAPER_B_N_HOSTS; host++) {
    papers->n_runs = papers->quick && host == PAPER_B_MATRIX ? 3 : 10;
    batch_open (papers, batch, PAPER_B_BATCH, bit_depth);
    measure_host (papers, table, batch, host, result);
    batch_close (batch);
  }
  papers->n_runs = n_runs;
}

/* At 8 bits batches of every power of ten up to 100,000, or 64 MB each way; with --quick of 1 and the published 10,000; at 10 bits these.
 * The largest have the fewest runs. */
static void
measure_batches (Papers *papers, PapersTable *table, Batch *batch, unsigned bit_depth, PaperBResult *result)
{
  unsigned n = batch->which->transform.n;
  unsigned max = bit_depth == 8 && !papers->quick && n < 32 ? 10 * PAPER_B_BATCH : PAPER_B_BATCH;
  unsigned n_runs = papers->n_runs;

  for (unsigned count = 1; count <= max; count *= bit_depth == 8 && !papers->quick ? 10 : PAPER_B_BATCH) {
    papers->n_runs = count * n * n < 1000000 ? n_runs : 10;
    batch_open (papers, batch, count, bit_depth);
    measure_batch (papers, table, batch, result);
    batch_close (batch);
  }
  papers->n_runs = n_runs;
}

static void
measure_case (Papers *papers, const Tables *tables, Batch *batch, unsigned bit_depth, PaperBResult *result)
{
  batch_open (papers, batch, 1, bit_depth);
  measure_singles (papers, tables->single, batch, result);
  batch_close (batch);
  measure_hosts (papers, tables->host, batch, bit_depth, result);
  measure_batches (papers, tables->batch, batch, bit_depth, result);
}

static void
tables_open (Papers *papers, Tables *tables)
{
  tables->single = papers_table_open (papers, "b-single", "B, tables 1 and 2: a block at a time, ns a transform",
      "transform,bit_depth,variant,min_ns,median_ns,max_ns,event_ns,whole_min_ns,whole_median_ns,whole_max_ns,published_ns");
  tables->host = papers_table_open (papers, "b-host", "B, tables 3 and 4: one core, ns a transform",
      "transform,bit_depth,host,batch,min_ns,median_ns,max_ns,published_ns");
  tables->batch = papers_table_open (papers, "b-batch", "B, tables 5 and 6: batches, ns a transform (whole: with transfers)",
      "transform,bit_depth,variant,batch,min_ns,median_ns,max_ns,event_ns,up_ns,down_ns,whole_min_ns,whole_median_ns,whole_max_ns,"
      "published_ns");
}

int
paper_b_run (Papers *papers)
{
  static PaperBResult results[PAPER_B_N_CASES];
  static Batch batch;
  PaperBResult unused;
  Tables tables;

  kernel_test_selected (&papers->test, "paperb");
  if (!papers->verify)
    tables_open (papers, &tables);
  for (unsigned i = 0; i < PAPER_B_N_CASES; i++) {
    build (papers, &batch, &paper_b_cases[i]);
    verify_case (papers, &batch);
    if (!papers->verify) {
      measure_case (papers, &tables, &batch, 8, &results[i]);
      if (!papers->quick)
        measure_case (papers, &tables, &batch, 10, &unused);
    }
    clear (&batch);
  }
  if (papers->verify)
    return 0;
  papers_table_close (tables.single);
  papers_table_close (tables.host);
  papers_table_close (tables.batch);
  paper_b_claims (papers, results);
  return 0;
}
