/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Paper A over pictures: table 3 and figures 2, 4 and 5.  Every picture of every sequence is measured; the tables have the lowest, the
 * median and the highest value over the pictures of each type.
 */
#include <stddef.h>
#include <stdio.h>

#include "capturefolder.h"
#include "paperapictures.h"

#define MAX_PICTURES 256
#define MAX_SEQUENCES 32
#define RUNS_A_PICTURE 5
#define QUICK_PICTURES 3
#define SYNTHETIC_PICTURES 3

/* The modes of the paper, and what it printed of them (GT 430, ms a frame) */
typedef struct
{
  const char *name, *in_file_name;
  unsigned width_in_mbs, height_in_mbs;
  double baseline[3], compacted[3], ratio[3]; /* kernel, upload, download */
} Mode;

static const Mode modes[] = {
  { "1080p CRF37", "1080p_crf37", 120, 68, { 1.84, 2.05, 1.91 }, { 0.14, 0.12, 0.12 }, { 12.82, 16.99, 15.75 } },
  { "1080p CRF22", "1080p_crf22", 120, 68, { 2.15, 2.05, 1.91 }, { 0.42, 0.38, 0.37 }, { 5.17, 5.38, 5.13 } },
  { "1080p intra", "1080p_intra", 120, 68, { 2.59, 2.07, 1.91 }, { 0.84, 0.79, 0.78 }, { 3.08, 2.63, 2.46 } },
  { "2160p CRF37", "2160p_crf37", 240, 135, { 7.22, 8.14, 7.60 }, { 0.28, 0.25, 0.24 }, { 25.53, 32.69, 31.07 } },
  { "2160p CRF22", "2160p_crf22", 240, 135, { 7.99, 8.18, 7.57 }, { 1.21, 1.19, 1.11 }, { 6.62, 6.88, 6.83 } },
  { "2160p intra", "2160p_intra", 240, 135, { 10.85, 8.23, 7.58 }, { 3.84, 3.94, 3.57 }, { 2.82, 2.09, 2.12 } },
};
#define N_MODES (sizeof (modes) / sizeof (modes[0]))

/* Figure 4 compares kernels alone with C, figure 5 whole ones with their transfers: wall time with wall time. */
enum
{
  SCALAR,
  VECTORISED,
  SSE,
  AVX2,
  LINE,
  ALL_STEPS,
  BLOCK,
  GPUIDCT,
  BASELINE,
  OVERLAP,
  SCALAR_IQ,
  SSE_IQ,
  N_WAYS
};

static const char *const way_names[N_WAYS] = { "C scalar", "C vectorised", "SSE4.1", "AVX2", "compacted", "all steps", "block", "gpuidct",
  "baseline", "all steps; overlapped", "C scalar with IQ", "SSE4.1 with IQ" };

enum
{
  FOUR,
  EIGHT,
  WHOLE,
  N_PARTS
};

static const char *const part_names[N_PARTS] = { "4x4", "8x8", "whole" };

/* Of one picture; milliseconds; 0: not there */
typedef struct
{
  unsigned type;
  double non_zero;
  double baseline[3], compacted[3], ratio[3]; /* kernel, upload, download: event times */
  double wall[N_PARTS][N_WAYS];               /* FOUR, EIGHT: kernels alone; WHOLE: with transfers */
  double over_scalar[N_PARTS][N_WAYS], over_simd[N_PARTS][N_WAYS];
  double overlap; /* whole without overlap divided by with it */
} PictureResult;

typedef struct
{
  char name[64];
  const char *source; /* "captured", "synthetic" */
  const Mode *mode;   /* (nullable) */
  PictureResult *pictures;
  unsigned n_pictures;
} Sequence;

typedef struct
{
  PaperAKernels *kernels;
  Sequence sequences[MAX_SEQUENCES];
  unsigned n_sequences;
} Sequences;

/* ---- one picture ---- */

static PapersTiming
measure (Papers *papers, PaperAWork *work, PapersFunction function, int transfers, unsigned kinds)
{
  PapersTiming timing;

  work->upload = work->download = transfers;
  work->kernel = 1;
  work->kinds = kinds;
  papers_measure (papers, function, work, &timing);
  return timing;
}

static double
measure_wall (Papers *papers, PaperAWork *work, PapersFunction function, int transfers, unsigned kinds)
{
  return measure (papers, work, function, transfers, kinds).wall.median / 1e6;
}

static void
measure_hosts (Papers *papers, PaperAWork *work, PapersFunction function, unsigned kinds, double wall[N_WAYS])
{
  const IdctHostCode *codes[IDCT_HOST_CODES];

  idct_host_codes (codes);
  for (unsigned i = 0; i < IDCT_HOST_CODES; i++)
    if ((work->host = codes[i]))
      wall[SCALAR + i] = measure_wall (papers, work, function, 0, kinds);
}

static void
measure_variant (Papers *papers, PaperAWork *work, unsigned variant, unsigned way, int transfers, unsigned kinds, double wall[N_WAYS])
{
  work->variant = &work->kernels->variants[variant];
  wall[way] = measure_wall (papers, work, paper_a_run_own, transfers, kinds);
}

static double
divide (double a, double b)
{
  return b > 0 ? a / b : 0;
}

/* gpuidct has inverse quantisation, so it is compared with C that has it. */
static void
measure_part (Papers *papers, PaperAWork *work, unsigned part, PictureResult *result)
{
  unsigned kinds = part == WHOLE ? PAPER_A_BOTH : 1u << part;
  double *wall = result->wall[part], with_iq[N_WAYS] = { 0 };

  if (part != WHOLE && work->picture->n_blocks[part] == 0)
    return;
  measure_hosts (papers, work, paper_a_run_host, kinds, wall);
  measure_hosts (papers, work, paper_a_run_host_records, kinds, with_iq);
  measure_variant (papers, work, PAPER_A_LINE, LINE, part == WHOLE, kinds, wall);
  measure_variant (papers, work, PAPER_A_BLOCK, BLOCK, part == WHOLE, kinds, wall);
  measure_variant (papers, work, PAPER_A_ALL_STEPS, ALL_STEPS, part == WHOLE, kinds, wall);
  wall[GPUIDCT] = measure_wall (papers, work, paper_a_run_gpuidct, part == WHOLE, kinds);
  if (part == WHOLE) {
    wall[BASELINE] = measure_wall (papers, work, paper_a_run_frame, 1, kinds);
    wall[OVERLAP] = measure_wall (papers, work, paper_a_run_overlap, 1, kinds);
    result->overlap = divide (wall[ALL_STEPS], wall[OVERLAP]);
  }
  wall[SCALAR_IQ] = with_iq[SCALAR];
  wall[SSE_IQ] = with_iq[SSE];
  for (unsigned way = 0; way < N_WAYS; way++) {
    const double *host = way == GPUIDCT || way >= SCALAR_IQ ? with_iq : wall;

    result->over_scalar[part][way] = divide (host[SCALAR], wall[way]);
    result->over_simd[part][way] = divide (host[SSE], wall[way]);
  }
}

static void
take_events (const PapersTiming *timing, double ms[3])
{
  ms[0] = timing->event[PAPERS_KERNEL].median / 1e6;
  ms[1] = timing->event[PAPERS_UPLOAD].median / 1e6;
  ms[2] = timing->event[PAPERS_DOWNLOAD].median / 1e6;
}

static void
measure_picture (Papers *papers, PaperAWork *work, PictureResult *result)
{
  PapersTiming timing;

  result->type = work->picture->type;
  result->non_zero = work->picture->non_zero;
  if (papers->verify)
    return;
  timing = measure (papers, work, paper_a_run_frame, 1, PAPER_A_BOTH);
  take_events (&timing, result->baseline);
  work->variant = &work->kernels->variants[PAPER_A_LINE];
  timing = measure (papers, work, paper_a_run_own, 1, PAPER_A_BOTH);
  take_events (&timing, result->compacted);
  for (unsigned i = 0; i < 3; i++)
    result->ratio[i] = divide (result->baseline[i], result->compacted[i]);
  for (unsigned part = 0; part < N_PARTS; part++)
    measure_part (papers, work, part, result);
}

/* ---- sequences ---- */

/* Whether a sequence of that name is to be measured: with --size those whose names begin with it */
static int
is_chosen (const Papers *papers, const char *name)
{
  return !papers->size || strncmp (name, papers->size, strlen (papers->size)) == 0;
}

/* The one of that name, or a new one */
static Sequence *
get_sequence (Sequences *self, const char *name, const char *source, const Mode *mode)
{
  Sequence *sequence = self->sequences;

  for (unsigned i = 0; i < self->n_sequences; i++, sequence++)
    if (strcmp (sequence->name, name) == 0 && strcmp (sequence->source, source) == 0)
      return sequence;
  if (self->n_sequences == MAX_SEQUENCES) {
    fprintf (stderr, "%s: too many sequences; left out\n", name);
    return NULL;
  }
  self->n_sequences++;
  snprintf (sequence->name, sizeof (sequence->name), "%s", name);
  sequence->source = source;
  sequence->mode = mode;
  sequence->pictures = papers_alloc (MAX_PICTURES * sizeof (sequence->pictures[0]));
  return sequence;
}

static void
add_picture (Papers *papers, Sequences *self, Sequence *sequence, BlockPicture *picture)
{
  static PaperAWork work;

  paper_a_work_init (papers, &work, self->kernels, picture);
  paper_a_verify (papers, &work, 0);
  measure_picture (papers, &work, &sequence->pictures[sequence->n_pictures++]);
  paper_a_work_clear (&work);
}

/* 1080p_crf37 in the name of a file says which mode it is, whatever stands around it; other files are sequences of their own. */
static void
add_capture (Papers *papers, Sequences *self, const char *path, const char *file_name)
{
  unsigned max = papers->quick ? QUICK_PICTURES : MAX_PICTURES, n = 0;
  FILE *file = fopen (path, "rb");
  const Mode *mode = NULL;
  char name[64];
  Sequence *sequence;
  BlockPicture picture;

  snprintf (name, sizeof (name), "%.*s", (int) strlen (file_name) - 4, file_name);
  for (unsigned i = 0; i < N_MODES; i++)
    if (strstr (file_name, modes[i].in_file_name))
      mode = &modes[i];
  if (!is_chosen (papers, mode ? mode->name : name)) {
    if (file)
      fclose (file);
    return;
  }
  sequence = get_sequence (self, mode ? mode->name : name, "captured", mode);
  for (; file && sequence && n < max && sequence->n_pictures < MAX_PICTURES && block_picture_read (&picture, file); n++) {
    add_picture (papers, self, sequence, &picture);
    block_picture_clear (&picture);
  }
  if (n == 0)
    fprintf (stderr, "%s: no capture of 8-bit 4:2:0 pictures with 16-bit levels; left out\n", path);
  if (file)
    fclose (file);
}

/* The paper's modes first, in its order */
static void
add_captured_modes (const Papers *papers, Sequences *self)
{
  for (unsigned i = 0; i < N_MODES; i++)
    if (is_chosen (papers, modes[i].name))
      get_sequence (self, modes[i].name, "captured", &modes[i]);
}

static void
add_captures (Papers *papers, Sequences *self)
{
  char **paths;
  unsigned n = capture_folder_list (papers, &paths);

  for (unsigned i = 0; i < n; i++) {
    add_capture (papers, self, paths[i], strrchr (paths[i], '/') + 1);
    free (paths[i]);
  }
  free (paths);
}

/* Their shares of coded blocks are those that the published uploads imply, compacted divided by baseline. */
static void
add_synthetic (Papers *papers, Sequences *self)
{
  kernel_test_selected (&papers->test, "papera");
  for (unsigned i = 0; i < N_MODES; i++) {
    Sequence *sequence = is_chosen (papers, modes[i].name) ? get_sequence (self, modes[i].name, "synthetic", &modes[i]) : NULL;

    for (unsigned n = 0; sequence && n < (papers->quick ? 1 : SYNTHETIC_PICTURES); n++) {
      BlockPicture picture;

      block_picture_make (papers, &picture, modes[i].width_in_mbs, modes[i].height_in_mbs, 1 / modes[i].ratio[1]);
      add_picture (papers, self, sequence, &picture);
      block_picture_clear (&picture);
    }
  }
}

/* ---- tables ---- */

#define ALL_TYPES 3
static const char *const type_names[] = { [GST_GPU_SLICE_P] = "P", [GST_GPU_SLICE_B] = "B", [GST_GPU_SLICE_I] = "I", [ALL_TYPES] = "all" };

static unsigned
count_type (const Sequence *sequence, unsigned type)
{
  unsigned n = 0;

  for (unsigned i = 0; i < sequence->n_pictures; i++)
    n += type == ALL_TYPES || sequence->pictures[i].type == type;
  return n;
}

/* Over the pictures of @type that have the value, a double at @offset of a PictureResult.  Returns whether one has it. */
static int
summarise (const Sequence *sequence, unsigned type, size_t offset, PapersTime *summary)
{
  double values[MAX_PICTURES];
  unsigned n = 0;

  for (unsigned i = 0; i < sequence->n_pictures; i++) {
    double value = *(const double *) ((const char *) &sequence->pictures[i] + offset);

    if ((type == ALL_TYPES || sequence->pictures[i].type == type) && value > 0)
      values[n++] = value;
  }
  if (n > 0)
    papers_summarise (values, n, summary);
  return n > 0;
}

static void
add_cells (PapersTable *table, const Sequence *sequence, unsigned type, size_t offset)
{
  PapersTime summary;

  papers_cell_time (table, summarise (sequence, type, offset, &summary) ? &summary : NULL, 1);
}

static void
add_names (PapersTable *table, const Sequence *sequence, unsigned type)
{
  papers_cell (table, "%s", sequence->source);
  papers_cell (table, "%s", sequence->name);
  papers_cell (table, "%s", type_names[type]);
  papers_cell (table, "%u", count_type (sequence, type));
}

/* Figure 2.  The synthetic pictures are made from what is published: it is no comparison for them. */
static void
add_shares (PapersTable *table, const Sequence *sequence, unsigned type)
{
  const Mode *mode = sequence->mode;

  add_names (table, sequence, type);
  add_cells (table, sequence, type, offsetof (PictureResult, non_zero));
  papers_cell_if (table, mode && type == ALL_TYPES && strcmp (sequence->source, "captured") == 0, "%.4f", mode ? 1 / mode->ratio[1] : 0);
}

static void
add_table_3 (PapersTable *table, const Sequence *sequence, unsigned type)
{
  static const char *const names[] = { "kernel", "upload", "download" };
  const Mode *mode = type == ALL_TYPES ? sequence->mode : NULL;

  for (unsigned i = 0; i < 3; i++) {
    add_names (table, sequence, type);
    papers_cell (table, "%s", names[i]);
    add_cells (table, sequence, type, offsetof (PictureResult, baseline) + i * sizeof (double));
    add_cells (table, sequence, type, offsetof (PictureResult, compacted) + i * sizeof (double));
    add_cells (table, sequence, type, offsetof (PictureResult, ratio) + i * sizeof (double));
    papers_cell_if (table, !!mode, "%.2f", mode ? mode->baseline[i] : 0);
    papers_cell_if (table, !!mode, "%.2f", mode ? mode->compacted[i] : 0);
    papers_cell_if (table, !!mode, "%.2f", mode ? mode->ratio[i] : 0);
  }
}

/* Figures 4 and 5 */
static void
add_speedups (PapersTable *table, const Sequence *sequence, unsigned part)
{
  for (unsigned way = 0; way < N_WAYS; way++) {
    size_t offset = (part * N_WAYS + way) * sizeof (double);
    PapersTime summary;

    if (!summarise (sequence, ALL_TYPES, offsetof (PictureResult, wall) + offset, &summary))
      continue;
    add_names (table, sequence, ALL_TYPES);
    papers_cell (table, "%s", part_names[part]);
    papers_cell (table, "%s", way_names[way]);
    papers_cell_time (table, &summary, 1);
    add_cells (table, sequence, ALL_TYPES, offsetof (PictureResult, over_scalar) + offset);
    add_cells (table, sequence, ALL_TYPES, offsetof (PictureResult, over_simd) + offset);
    if (part != WHOLE)
      continue;
    if (way == OVERLAP)
      add_cells (table, sequence, ALL_TYPES, offsetof (PictureResult, overlap));
    else
      papers_cell_time (table, NULL, 1);
    papers_cell (table, "%s", way == OVERLAP && sequence->mode ? "1.2 to 1.3" : "");
  }
}

#define NAMES "source,material,type,pictures,"
#define WALL_COLUMNS \
  NAMES "transform,way,wall_min,wall_ms,wall_max,over_scalar_min,over_scalar,over_scalar_max,over_simd_min,over_simd,over_simd_max"

static void
write_by_type (Papers *papers, const Sequences *self, PapersTable *table, void (*add) (PapersTable *, const Sequence *, unsigned))
{
  static const unsigned types[] = { ALL_TYPES, GST_GPU_SLICE_I, GST_GPU_SLICE_P, GST_GPU_SLICE_B };

  for (unsigned i = 0; i < self->n_sequences; i++)
    for (unsigned k = 0; k < 4; k++)
      if (count_type (&self->sequences[i], types[k]) > 0)
        add (table, &self->sequences[i], types[k]);
  papers_table_close (table);
}

static void
write_tables (Papers *papers, const Sequences *self)
{
  PapersTable *table =
      papers_table_open (papers, "a-figure2", "Wang et al., figure 2: share of all samples in blocks that have coefficients",
          NAMES "share_min,share,share_max,published_upload_share");

  write_by_type (papers, self, table, add_shares);
  table = papers_table_open (papers, "a-table3", "Wang et al., table 3: baseline and compacted, ms a picture (event times)",
      NAMES "part,baseline_min,baseline,baseline_max,compacted_min,compacted,compacted_max,ratio_min,ratio,ratio_max,"
            "published_baseline,published_compacted,published_ratio");
  write_by_type (papers, self, table, add_table_3);
  table = papers_table_open (papers, "a-figure4",
      "Wang et al., figure 4: kernels alone against one core (wall times; gpuidct: with IQ, against C with IQ)", WALL_COLUMNS);
  for (unsigned i = 0; i < self->n_sequences; i++)
    for (unsigned part = FOUR; part <= EIGHT; part++)
      add_speedups (table, &self->sequences[i], part);
  papers_table_close (table);
  table = papers_table_open (papers, "a-figure5",
      "Wang et al., figure 5: with transfers up and down, against one core (wall times; gpuidct: as above)",
      WALL_COLUMNS ",overlap_gain_min,overlap_gain,overlap_gain_max,published_overlap_gain");
  for (unsigned i = 0; i < self->n_sequences; i++)
    add_speedups (table, &self->sequences[i], WHOLE);
  papers_table_close (table);
}

void
paper_a_measure_pictures (Papers *papers, PaperAKernels *kernels)
{
  unsigned n_runs = papers->n_runs;
  static Sequences self;

  memset (&self, 0, sizeof (self));
  self.kernels = kernels;
  papers->n_runs = RUNS_A_PICTURE;
  add_captured_modes (papers, &self);
  add_captures (papers, &self);
  if (papers->verify) {
    for (unsigned i = 0; i < self.n_sequences; i++)
      if (self.sequences[i].n_pictures > 0)
        printf ("A: %s: %u pictures verified, %u I, %u P, %u B\n", self.sequences[i].name, self.sequences[i].n_pictures,
            count_type (&self.sequences[i], GST_GPU_SLICE_I), count_type (&self.sequences[i], GST_GPU_SLICE_P),
            count_type (&self.sequences[i], GST_GPU_SLICE_B));
  } else {
    add_synthetic (papers, &self);
    write_tables (papers, &self);
  }
  for (unsigned i = 0; i < self.n_sequences; i++)
    free (self.sequences[i].pictures);
  papers->n_runs = n_runs;
}
