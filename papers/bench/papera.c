/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Paper A: Wang, Alvarez-Mesa, Chi, Juurlink: an optimised parallel IDCT.  Each mapping and step, our own kernels, and C on one core, over
 * the same pictures.  Inverse quantisation is part of all rows.
 */
#include <dirent.h>
#include <stdio.h>

#include "blockpicture.h"
#include "idctbaselinekernel.h"
#include "idctcompactedkernel.h"
#include "idcthost.h"
#include "reference.h"

#define MAX_RANGES 4096
#define MAX_RESULTS 64
/* Pictures larger than this, 1080p, are left out of --quick in the slowest mapping */
#define QUICK_MBS 8160
#define ALL_STEPS (GPU_IDCT_WORKGROUP | GPU_IDCT_GRANULARITY | GPU_IDCT_COALESCING)

/* Six kinds of material, as published (GT430, ms a frame).  The share of non-zero blocks is what the published uploads imply: compacted
 * divided by baseline. */
typedef struct
{
  const char *name;
  unsigned width_in_mbs, height_in_mbs;
  double non_zero;
  double baseline[3], compacted[3], ratio[3]; /* kernel, upload, download */
} Material;

static const Material materials[] = {
  { "1080p CRF37", 120, 68, 1 / 16.99, { 1.84, 2.05, 1.91 }, { 0.14, 0.12, 0.12 }, { 12.82, 16.99, 15.75 } },
  { "1080p CRF22", 120, 68, 1 / 5.38, { 2.15, 2.05, 1.91 }, { 0.42, 0.38, 0.37 }, { 5.17, 5.38, 5.13 } },
  { "1080p intra", 120, 68, 1 / 2.63, { 2.59, 2.07, 1.91 }, { 0.84, 0.79, 0.78 }, { 3.08, 2.63, 2.46 } },
  { "2160p CRF37", 240, 135, 1 / 32.69, { 7.22, 8.14, 7.60 }, { 0.28, 0.25, 0.24 }, { 25.53, 32.69, 31.07 } },
  { "2160p CRF22", 240, 135, 1 / 6.88, { 7.99, 8.18, 7.57 }, { 1.21, 1.19, 1.11 }, { 6.62, 6.88, 6.83 } },
  { "2160p intra", 240, 135, 1 / 2.09, { 10.85, 8.23, 7.58 }, { 3.84, 3.94, 3.57 }, { 2.82, 2.09, 2.12 } },
};

/* The kernels that work on lists */
typedef struct
{
  const char *name;
  GpuIdctVariant variant;
  int gpuidct;                         /* idct.cl instead */
  double published_4x4, published_8x8; /* speed-up of the step; 0: none */
  cl_program program;                  /* NULL: the device cannot run it */
  GpuIdctKernels kernels;
} Variant;

static Variant variants[] = {
  { "compacted (line)", { GPU_IDCT_LINE, 0 }, 0, 1, 1 },
  { "sample", { GPU_IDCT_SAMPLE, 0 }, 0, 0, 0 },
  { "block", { GPU_IDCT_BLOCK, 0 }, 0, 0, 0 },
  { "sync", { GPU_IDCT_LINE, GPU_IDCT_SYNC }, 0, 1.05, 1.01 },
  { "workgroup", { GPU_IDCT_LINE, GPU_IDCT_WORKGROUP }, 0, 1.14, 1.01 },
  { "granularity", { GPU_IDCT_LINE, GPU_IDCT_GRANULARITY }, 0, 1.19, 1.04 },
  { "coalescing", { GPU_IDCT_LINE, GPU_IDCT_COALESCING }, 0, 1.07, 1.02 },
  { "all steps", { GPU_IDCT_LINE, ALL_STEPS }, 0, 1.51, 1.08 },
  { "gpuidct", { GPU_IDCT_LINE, 0 }, 1, 0, 0 },
};

#define N_VARIANTS (sizeof (variants) / sizeof (variants[0]))
#define COMPACTED 0
#define STEPS 7
#define GPUIDCT 8

/* Bytes of the coefficient arena */
typedef struct
{
  size_t offset, size;
} Range;

/* A picture on the device, and what a measured run does with it */
typedef struct
{
  BlockPicture *picture;
  GpuKernelPicture device;
  cl_mem levels; /* the whole frame */
  cl_kernel baseline;
  Variant *variant;
  uint8_t *down;                /* where results come back to */
  int upload, kernel, download; /* which of them a run does */
  unsigned kinds;               /* bit kind */
  Range ranges[2][MAX_RANGES];  /* of 4x4 and of 8x8 segments */
  unsigned n_ranges[2];
  IdctHostFunction host_function;
  uint8_t *host_coeffs;
} Run;

/* ---- programs ---- */

static void
build_variant (Papers *papers, Variant *variant)
{
  static const GstGpuPicture any;
  const GpuKernelDevice *device = &papers->test.device;
  char options[512];

  if (!variant->gpuidct && !gpu_idct_compacted_supported (device, &variant->variant))
    return;
  if (variant->gpuidct)
    gpu_idct_options (device, &any, options, sizeof (options));
  else
    gpu_idct_compacted_options (device, &variant->variant, options, sizeof (options));
  variant->program = kernel_test_build (&papers->test, variant->gpuidct ? gpu_idct_source : gpu_idctcompacted_source, options);
  if (variant->gpuidct)
    kernel_test_check (gpu_idct_kernels_init (&variant->kernels, device, papers->test.context, variant->program, &any), variant->name);
  else
    kernel_test_check (gpu_idct_compacted_kernels_init (&variant->kernels, device, variant->program, &variant->variant), variant->name);
}

static void
build_all (Papers *papers)
{
  for (unsigned i = 0; i < N_VARIANTS; i++)
    build_variant (papers, &variants[i]);
}

static void
clear_all (void)
{
  for (unsigned i = 0; i < N_VARIANTS; i++)
    if (variants[i].program) {
      gpu_idct_kernels_clear (&variants[i].kernels);
      clReleaseProgram (variants[i].program);
      variants[i].program = NULL;
    }
}

/* ---- pictures on the device ---- */

/* Positions and blocks of the segments of a kind; neighbours in the arena become one range. */
static void
find_ranges (Run *run, unsigned kind)
{
  const GstGpuSegment *segments = block_picture_segments (run->picture);
  const CaptureHeader *head = &run->picture->head;
  unsigned n = 0;

  for (unsigned s = head->first[kind]; s < head->first[kind + 1]; s++) {
    size_t parts[2][2] = { { (size_t) segments[s].positions * 4, segments[s].count * 4 },
      { (size_t) segments[s].coeffs * 32, (size_t) segments[s].count * (kind == GST_GPU_KIND_4x4 ? 32 : 128) } };

    for (unsigned p = 0; p < 2; p++) {
      Range *last = n > 0 ? &run->ranges[kind][n - 1] : NULL;

      if (last && parts[p][0] >= last->offset + last->size && parts[p][0] - last->offset - last->size <= 64)
        last->size = parts[p][0] + parts[p][1] - last->offset;
      else if (n < MAX_RANGES)
        run->ranges[kind][n++] = (Range){ parts[p][0], parts[p][1] };
      else
        kernel_test_check (CL_OUT_OF_RESOURCES, "too many segments");
    }
  }
  run->n_ranges[kind] = n;
}

static void
run_init (Papers *papers, Run *run, BlockPicture *picture)
{
  const CaptureHeader *head = &picture->head;
  size_t frame_size = (size_t) picture->n_mbs * GPU_IDCT_BASELINE_LEVELS * 2;

  memset (run, 0, sizeof (*run));
  run->picture = picture;
  run->device = (GpuKernelPicture){ .params = { .width_in_mbs = head->width_in_mbs,
                                        .height_in_mbs = head->height_in_mbs,
                                        .chroma_array_type = 1,
                                        .bit_depth_luma = 8,
                                        .bit_depth_chroma = 8 },
    .header = kernel_test_buffer (&papers->test, picture->header, head->header_size),
    .layout = block_picture_layout (picture),
    .coeffs = kernel_test_buffer (&papers->test, picture->coeffs, head->coeffs_size),
    .dc = kernel_test_buffer (&papers->test, picture->dc, (size_t) picture->n_mbs * 48 * 4) };
  run->levels = kernel_test_buffer (&papers->test, picture->levels, frame_size);
  run->down = papers_alloc (frame_size > head->coeffs_size ? frame_size : head->coeffs_size);
  run->kinds = 1 << GST_GPU_KIND_4x4 | 1 << GST_GPU_KIND_8x8;
  find_ranges (run, GST_GPU_KIND_4x4);
  find_ranges (run, GST_GPU_KIND_8x8);
}

static void
run_clear (Run *run)
{
  clReleaseMemObject (run->device.header);
  clReleaseMemObject (run->device.coeffs);
  clReleaseMemObject (run->device.dc);
  clReleaseMemObject (run->levels);
  free (run->down);
}

/* ---- one run ---- */

/* A launch for each kind, so that each has its time; DC groups are not part of the paper's tables. */
static void
enqueue_kind (Papers *papers, Run *run, unsigned kind, cl_command_queue queue)
{
  const CaptureHeader *head = &run->picture->head;
  cl_uint first[GST_GPU_N_KINDS + 1];
  cl_event event;

  if (!(run->kinds >> kind & 1) || head->first[kind] == head->first[kind + 1])
    return;
  for (unsigned k = 0; k <= GST_GPU_N_KINDS; k++)
    first[k] = head->first[kind + (k > kind)];
  kernel_test_check (gpu_idct_enqueue (&run->variant->kernels, queue, &run->device, 1, first, 0, NULL, &event, NULL), "gpu_idct_enqueue");
  papers_take_event (papers, PAPERS_KERNEL, event);
}

static void
transfer_kind (Papers *papers, Run *run, unsigned kind, cl_command_queue queue, int up)
{
  for (unsigned i = 0; i < run->n_ranges[kind]; i++) {
    const Range *range = &run->ranges[kind][i];

    if (up)
      papers_upload (papers, queue, run->device.coeffs, range->offset, run->picture->coeffs + range->offset, range->size);
    else
      papers_download (papers, queue, run->device.coeffs, range->offset, run->down + range->offset, range->size);
  }
}

static void
run_variant (Papers *papers, void *user)
{
  Run *run = user;

  for (unsigned kind = GST_GPU_KIND_4x4; kind <= GST_GPU_KIND_8x8 && run->upload; kind++)
    transfer_kind (papers, run, kind, papers->queues[0], 1);
  for (unsigned kind = GST_GPU_KIND_4x4; kind <= GST_GPU_KIND_8x8 && run->kernel; kind++)
    enqueue_kind (papers, run, kind, papers->queues[0]);
  for (unsigned kind = GST_GPU_KIND_4x4; kind <= GST_GPU_KIND_8x8 && run->download; kind++)
    transfer_kind (papers, run, kind, papers->queues[0], 0);
}

/* Each kind has a queue: the transfers of one run beside the kernel of the other. */
static void
run_overlap (Papers *papers, void *user)
{
  for (unsigned kind = GST_GPU_KIND_4x4; kind <= GST_GPU_KIND_8x8; kind++) {
    transfer_kind (papers, user, kind, papers->queues[kind], 1);
    enqueue_kind (papers, user, kind, papers->queues[kind]);
    transfer_kind (papers, user, kind, papers->queues[kind], 0);
    kernel_test_check (clFlush (papers->queues[kind]), "clFlush");
  }
}

static void
run_baseline (Papers *papers, void *user)
{
  Run *run = user;
  size_t size = (size_t) run->picture->n_mbs * GPU_IDCT_BASELINE_LEVELS * 2;

  if (run->upload)
    papers_upload (papers, papers->queues[0], run->levels, 0, run->picture->levels, size);
  if (run->kernel)
    kernel_test_check (gpu_idct_baseline_enqueue (run->baseline, papers->queues[0], &run->device, run->levels,
                           papers_event (papers, PAPERS_KERNEL)),
        "gpu_idct_baseline_enqueue");
  if (run->download)
    papers_download (papers, papers->queues[0], run->levels, 0, run->down, size);
}

static void
scalar (const IdctHost *host, const GstGpuSegment *segments, unsigned n_segments)
{
  GstGpuPicture params = { .chroma_array_type = 1, .bit_depth_luma = 8, .bit_depth_chroma = 8 };
  GpuReferencePicture reference = { .params = &params,
    .header = host->header,
    .layout = host->layout,
    .coeffs = host->coeffs,
    .dc = (int32_t *) host->dc };

  gpu_reference_idct (&reference, segments, n_segments, 0);
}

static void
run_host (Papers *papers, void *user)
{
  Run *run = user;
  const BlockPicture *picture = run->picture;
  const CaptureHeader *head = &picture->head;
  IdctHost host = { picture->header, block_picture_layout (picture), picture->dc, run->host_coeffs };

  run->host_function (&host, block_picture_segments (picture) + head->first[GST_GPU_KIND_4x4],
      head->first[GST_GPU_KIND_8x8 + 1] - head->first[GST_GPU_KIND_4x4]);
}

/* ---- verification ---- */

static void
verify_lists (Papers *papers, Run *run, const char *name, PapersFunction function)
{
  const CaptureHeader *head = &run->picture->head;

  kernel_test_write (&papers->test, run->device.coeffs, run->picture->coeffs, head->coeffs_size);
  run->upload = run->kernel = run->download = 1;
  memcpy (run->down, run->picture->coeffs, head->coeffs_size);
  function (papers, run);
  clFinish (papers->queues[0]);
  clFinish (papers->queues[1]);
  papers_verify (papers, name, run->picture->expected, run->down, head->coeffs_size, 2);
}

static void
verify_baseline (Papers *papers, Run *run)
{
  size_t size = (size_t) run->picture->n_mbs * GPU_IDCT_BASELINE_LEVELS * 2;

  run->upload = run->kernel = run->download = 1;
  run_baseline (papers, run);
  clFinish (papers->queues[0]);
  papers_verify (papers, "baseline", run->picture->expected_levels, run->down, size, 2);
}

static void
verify_host (Papers *papers, Run *run, const char *name)
{
  memcpy (run->host_coeffs, run->picture->coeffs, run->picture->head.coeffs_size);
  run_host (papers, run);
  papers_verify (papers, name, run->picture->expected, run->host_coeffs, run->picture->head.coeffs_size, 2);
}

/* ---- the table of frames ---- */

/* Shortest kernel, upload, download and whole time of a row, in ms; 0: it has none.  Ratios are made from these: other work on the machine
 * lengthens the others. */
typedef struct
{
  double kernel, upload, download, whole;
} Row;

static void
add_row (PapersTable *table, const BlockPicture *picture, const char *material, const char *name, const PapersTiming *timing,
    const double published[3], Row *row)
{
  papers_cell (table, "%s", material);
  papers_cell (table, "%s", name);
  papers_cell (table, "%.4f", picture->non_zero);
  papers_cell_time (table, timing ? &timing->event[PAPERS_KERNEL] : NULL, 1e6);
  papers_cell_time (table, timing && timing->n_commands[PAPERS_UPLOAD] ? &timing->event[PAPERS_UPLOAD] : NULL, 1e6);
  papers_cell_time (table, timing && timing->n_commands[PAPERS_DOWNLOAD] ? &timing->event[PAPERS_DOWNLOAD] : NULL, 1e6);
  papers_cell_time (table, timing ? &timing->wall : NULL, 1e6);
  for (unsigned i = 0; i < 3; i++)
    papers_cell_if (table, !!published, "%.2f", published ? published[i] : 0);
  papers_cell (table, "%s", timing ? "verified" : "refused: the device has no sub-groups");
  if (timing && row)
    *row = (Row){ timing->event[PAPERS_KERNEL].min / 1e6, timing->event[PAPERS_UPLOAD].min / 1e6, timing->event[PAPERS_DOWNLOAD].min / 1e6,
      timing->wall.min / 1e6 };
}

/* A row of the host: its time is kernel time and whole time */
static void
add_host_row (Papers *papers, PapersTable *table, Run *run, const char *material, const char *name, IdctHostFunction function, Row *row)
{
  PapersTiming timing;

  if (!function)
    return;
  run->host_function = function;
  verify_host (papers, run, name);
  papers_measure (papers, run_host, run, &timing);
  timing.event[PAPERS_KERNEL] = timing.wall;
  add_row (table, run->picture, material, name, &timing, NULL, row);
}

/* Rows that the other tables need */
typedef struct
{
  Row baseline, variants[N_VARIANTS], overlap, scalar, vectorised, sse, avx2;
} Rows;

static void
measure_picture (Papers *papers, PapersTable *table, Run *run, const char *material, const Material *published, Rows *rows)
{
  PapersTiming timing;

  verify_baseline (papers, run);
  papers_measure (papers, run_baseline, run, &timing);
  add_row (table, run->picture, material, "baseline", &timing, published ? published->baseline : NULL, &rows->baseline);
  for (unsigned i = 0; i < N_VARIANTS; i++) {
    run->variant = &variants[i];
    if (papers->quick && variants[i].variant.mapping == GPU_IDCT_SAMPLE && run->picture->n_mbs > QUICK_MBS)
      continue;
    if (variants[i].program) {
      verify_lists (papers, run, variants[i].name, run_variant);
      papers_measure (papers, run_variant, run, &timing);
    }
    add_row (table, run->picture, material, variants[i].name, variants[i].program ? &timing : NULL,
        published && i == STEPS ? published->compacted : NULL, &rows->variants[i]);
  }
  run->variant = &variants[STEPS];
  verify_lists (papers, run, "overlap", run_overlap);
  papers_measure (papers, run_overlap, run, &timing);
  add_row (table, run->picture, material, "all steps + overlap", &timing, NULL, &rows->overlap);
  run->host_coeffs = papers_alloc (run->picture->head.coeffs_size);
  add_host_row (papers, table, run, material, "C scalar; one core", scalar, &rows->scalar);
  add_host_row (papers, table, run, material, "C vectorised; one core", idct_host_vectorised, &rows->vectorised);
  add_host_row (papers, table, run, material, "SSE4.1; one core", idct_host_sse (), &rows->sse);
  add_host_row (papers, table, run, material, "AVX2; one core", idct_host_avx2 (), &rows->avx2);
  free (run->host_coeffs);
}

/* ---- the other tables ---- */

/* @b divided into @a, or empty */
static void
cell_ratio (PapersTable *table, double a, double b)
{
  if (a > 0 && b > 0)
    papers_cell (table, "%.2f", a / b);
  else
    papers_cell (table, "%s", "");
}

static void
add_ratios (PapersTable *table, const char *material, double non_zero, const Rows *rows, const Material *published)
{
  const Row *steps = &rows->variants[STEPS];

  papers_cell (table, "%s", material);
  papers_cell (table, "%.4f", non_zero);
  cell_ratio (table, rows->baseline.kernel, steps->kernel);
  cell_ratio (table, rows->baseline.upload, steps->upload);
  cell_ratio (table, rows->baseline.download, steps->download);
  cell_ratio (table, steps->whole, rows->overlap.whole);
  for (unsigned i = 0; i < 3; i++)
    papers_cell_if (table, !!published, "%.2f", published ? published->ratio[i] : 0);
  papers_cell (table, "%s", "1.2 to 1.3");
}

/* The paper's best kernel, and gpuidct's, against each C on one core */
static void
add_host_ratios (PapersTable *table, const char *material, const Rows *rows)
{
  const Row *hosts[] = { &rows->scalar, &rows->vectorised, &rows->sse, &rows->avx2 };
  static const char *const names[] = { "C scalar", "C vectorised", "SSE4.1", "AVX2" };
  static const char *const published[] = { "over 25", "", "1.7 to 7.4", "" };
  double best = 0;

  for (unsigned i = 0; i <= STEPS; i++)
    if (rows->variants[i].kernel > 0 && (best == 0 || rows->variants[i].kernel < best))
      best = rows->variants[i].kernel;
  for (unsigned i = 0; i < 4; i++) {
    papers_cell (table, "%s", material);
    papers_cell (table, "%s", names[i]);
    papers_cell (table, "%.4g", hosts[i]->whole);
    cell_ratio (table, hosts[i]->whole, best);
    cell_ratio (table, hosts[i]->whole, rows->variants[GPUIDCT].kernel);
    cell_ratio (table, hosts[i]->whole, rows->variants[GPUIDCT].whole);
    cell_ratio (table, best, rows->variants[GPUIDCT].kernel);
    papers_cell (table, "%s", published[i]);
  }
}

/* Each step by itself, 4x4 and 8x8 apart, against the compacted kernel without steps */
static void
add_steps (Papers *papers, PapersTable *table, Run *run)
{
  const unsigned n[2] = { run->picture->n_4x4, run->picture->n_8x8 };
  double plain[2] = { 0, 0 };

  run->upload = run->download = 0;
  for (unsigned i = 0; i < N_VARIANTS; i++)
    for (unsigned kind = GST_GPU_KIND_4x4; kind <= GST_GPU_KIND_8x8; kind++) {
      double published = kind == GST_GPU_KIND_4x4 ? variants[i].published_4x4 : variants[i].published_8x8;
      PapersTiming timing = { 0 };

      run->variant = &variants[i];
      run->kinds = 1 << kind;
      if (variants[i].program && n[kind] > 0)
        papers_measure (papers, run_variant, run, &timing);
      if (i == COMPACTED)
        plain[kind] = timing.event[PAPERS_KERNEL].min;
      papers_cell (table, "%s", kind == GST_GPU_KIND_4x4 ? "4x4" : "8x8");
      papers_cell (table, "%s", variants[i].name);
      papers_cell_time (table, variants[i].program ? &timing.event[PAPERS_KERNEL] : NULL, n[kind]);
      cell_ratio (table, plain[kind], timing.event[PAPERS_KERNEL].min);
      papers_cell_if (table, published > 0, "%.2f", published);
      papers_cell (table, "%s", variants[i].program ? "verified" : "refused: the device has no sub-groups");
    }
  run->kinds = 1 << GST_GPU_KIND_4x4 | 1 << GST_GPU_KIND_8x8;
}

/* A picture measured, for the tables of ratios */
typedef struct
{
  char material[64];
  double non_zero;
  const Material *published;
  Rows rows;
} Result;

typedef struct
{
  PapersTable *frames;
  cl_kernel baseline;
  Result results[MAX_RESULTS];
  unsigned n_results;
} Tables;

static void
measure_material (Papers *papers, Tables *tables, BlockPicture *picture, const char *material, const Material *published)
{
  Result *result = &tables->results[tables->n_results];
  static Run run;

  if (tables->n_results == MAX_RESULTS)
    return;
  tables->n_results++;
  snprintf (result->material, sizeof (result->material), "%s", material);
  result->non_zero = picture->non_zero;
  result->published = published;
  run_init (papers, &run, picture);
  run.baseline = tables->baseline;
  measure_picture (papers, tables->frames, &run, material, published, &result->rows);
  run_clear (&run);
}

/* ---- material ---- */

/* The first picture of each capture */
static unsigned
measure_captures (Papers *papers, Tables *tables)
{
  DIR *folder = papers->captures ? opendir (papers->captures) : NULL;
  unsigned n = 0;

  for (struct dirent *entry; folder && (entry = readdir (folder));) {
    size_t length = strlen (entry->d_name);
    BlockPicture picture;
    char path[4096];
    FILE *file;

    if (length < 5 || strcmp (entry->d_name + length - 4, ".cap") != 0)
      continue;
    snprintf (path, sizeof (path), "%s/%s", papers->captures, entry->d_name);
    file = fopen (path, "rb");
    if (file && block_picture_read (&picture, file)) {
      measure_material (papers, tables, &picture, entry->d_name, NULL);
      block_picture_clear (&picture);
      n++;
    } else {
      fprintf (stderr, "%s: no capture of an 8-bit 4:2:0 picture with 16-bit levels; left out\n", path);
    }
    if (file)
      fclose (file);
  }
  if (folder)
    closedir (folder);
  return n;
}

static void
measure_pictures (Papers *papers, Tables *tables)
{
  BlockPicture picture;

  if (measure_captures (papers, tables) == 0 && papers->captures)
    fprintf (stderr, "%s: no captures\n", papers->captures);
  kernel_test_selected (&papers->test, "papera");
  for (unsigned i = 0; i < sizeof (materials) / sizeof (materials[0]); i++) {
    block_picture_make (papers, &picture, materials[i].width_in_mbs, materials[i].height_in_mbs, materials[i].non_zero);
    measure_material (papers, tables, &picture, materials[i].name, &materials[i]);
    block_picture_clear (&picture);
  }
}

static void
measure_steps (Papers *papers)
{
  PapersTable *table = papers_table_open (papers, "a-steps",
      "A: kernels by transform, 1080p intra, ns a block; speed-up of each step over compacted (shortest times)",
      "transform,variant,min_ns,median_ns,max_ns,speedup,published_speedup,output");
  BlockPicture picture;
  static Run run;

  block_picture_make (papers, &picture, materials[2].width_in_mbs, materials[2].height_in_mbs, materials[2].non_zero);
  run_init (papers, &run, &picture);
  run.kernel = 1;
  add_steps (papers, table, &run);
  run_clear (&run);
  block_picture_clear (&picture);
  papers_table_close (table);
}

static void
write_ratios (Papers *papers, const Tables *tables)
{
  PapersTable *table = papers_table_open (papers, "a-ratios",
      "A: baseline divided by compacted with all steps; whole divided by overlapped (shortest times)",
      "material,non_zero_blocks,kernel,upload,download,overlap,published_kernel,published_upload,published_download,published_overlap");

  for (unsigned i = 0; i < tables->n_results; i++)
    add_ratios (table, tables->results[i].material, tables->results[i].non_zero, &tables->results[i].rows, tables->results[i].published);
  papers_table_close (table);
  table = papers_table_open (papers, "a-hosts",
      "A: one core's time divided by the best of the paper's kernels, by gpuidct, and by gpuidct with transfers; "
      "the best divided by gpuidct",
      "material,host,host_ms,best_step,gpuidct,gpuidct_with_transfers,best_step_by_gpuidct,published_best");
  for (unsigned i = 0; i < tables->n_results; i++)
    add_host_ratios (table, tables->results[i].material, &tables->results[i].rows);
  papers_table_close (table);
}

/* Everything once, on a small picture */
static void
verify_all (Papers *papers, cl_kernel baseline)
{
  static const char *const names[] = { "C scalar", "C vectorised", "SSE4.1", "AVX2" };
  static const IdctHostFunction host_functions[] = { scalar, idct_host_vectorised };
  const IdctHostFunction intrinsics[] = { idct_host_sse (), idct_host_avx2 () };
  BlockPicture picture;
  static Run run;

  kernel_test_selected (&papers->test, "papera");
  block_picture_make (papers, &picture, 22, 9, 0.4);
  run_init (papers, &run, &picture);
  run.baseline = baseline;
  verify_baseline (papers, &run);
  for (unsigned i = 0; i < N_VARIANTS; i++) {
    run.variant = &variants[i];
    if (variants[i].program)
      verify_lists (papers, &run, variants[i].name, run_variant);
    printf ("A: %s: %s\n", variants[i].name, variants[i].program ? "verified" : "refused: the device has no sub-groups");
  }
  run.variant = &variants[STEPS];
  verify_lists (papers, &run, "overlap", run_overlap);
  run.host_coeffs = papers_alloc (picture.head.coeffs_size);
  for (unsigned i = 0; i < 4; i++) {
    run.host_function = i < 2 ? host_functions[i] : intrinsics[i - 2];
    if (run.host_function)
      verify_host (papers, &run, names[i]);
  }
  free (run.host_coeffs);
  run_clear (&run);
  block_picture_clear (&picture);
  printf ("A: baseline, overlap, C and intrinsics: verified\n");
}

int
paper_a_run (Papers *papers)
{
  cl_program program = kernel_test_build (&papers->test, gpu_idctbaseline_source, "");
  static Tables tables;

  tables.baseline = papers_kernel (program, "gpu_idct_baseline");
  build_all (papers);
  if (papers->verify) {
    verify_all (papers, tables.baseline);
  } else {
    tables.frames = papers_table_open (papers, "a-frames", "A: a frame through each variant, ms (event times; whole: wall time)",
        "material,variant,non_zero_blocks,kernel_min,kernel_ms,kernel_max,upload_min,upload_ms,upload_max,download_min,download_ms,"
        "download_max,whole_min,whole_ms,whole_max,published_kernel,published_upload,published_download,output");
    measure_pictures (papers, &tables);
    papers_table_close (tables.frames);
    write_ratios (papers, &tables);
    measure_steps (papers);
  }
  clear_all ();
  clReleaseKernel (tables.baseline);
  clReleaseProgram (program);
  return 0;
}
