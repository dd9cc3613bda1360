/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>

#include "papers.h"

#define N_WARM_UP 2

/* A command of the run that is measured */
struct PapersEvent
{
  cl_event event;
  PapersUse use;
};

struct PapersTable
{
  FILE *csv;
  unsigned n_columns, column;
  unsigned widths[40];
};

void *
papers_alloc (size_t size)
{
  size_t rounded = (size + 63) / 64 * 64 + 64;
  void *memory = aligned_alloc (64, rounded);

  if (!memory)
    kernel_test_check (CL_OUT_OF_HOST_MEMORY, "papers_alloc");
  memset (memory, 0, rounded);
  return memory;
}

/* ---- commands ---- */

cl_event *
papers_event (Papers *papers, PapersUse use)
{
  if (papers->n_events == papers->events_size) {
    papers->events_size = papers->events_size ? 2 * papers->events_size : 64;
    papers->events = realloc (papers->events, papers->events_size * sizeof (papers->events[0]));
    if (!papers->events)
      kernel_test_check (CL_OUT_OF_HOST_MEMORY, "papers_event");
  }
  papers->events[papers->n_events] = (struct PapersEvent){ NULL, use };
  return &papers->events[papers->n_events++].event;
}

void
papers_take_event (Papers *papers, PapersUse use, cl_event event)
{
  *papers_event (papers, use) = event;
}

void
papers_launch (Papers *papers, cl_command_queue queue, cl_kernel kernel, cl_uint n_dims, const size_t *global, const size_t *local)
{
  cl_event *event = papers_event (papers, PAPERS_KERNEL);

  kernel_test_check (clEnqueueNDRangeKernel (queue, kernel, n_dims, NULL, global, local, 0, NULL, event), "clEnqueueNDRangeKernel");
}

void
papers_upload (Papers *papers, cl_command_queue queue, cl_mem buffer, size_t offset, const void *data, size_t size)
{
  if (size > 0)
    kernel_test_check (clEnqueueWriteBuffer (queue, buffer, CL_FALSE, offset, size, data, 0, NULL, papers_event (papers, PAPERS_UPLOAD)),
        "clEnqueueWriteBuffer");
}

void
papers_download (Papers *papers, cl_command_queue queue, cl_mem buffer, size_t offset, void *data, size_t size)
{
  if (size > 0)
    kernel_test_check (clEnqueueReadBuffer (queue, buffer, CL_FALSE, offset, size, data, 0, NULL, papers_event (papers, PAPERS_DOWNLOAD)),
        "clEnqueueReadBuffer");
}

cl_kernel
papers_kernel (cl_program program, const char *name)
{
  cl_int err;
  cl_kernel kernel = clCreateKernel (program, name, &err);

  kernel_test_check (err, name);
  return kernel;
}

void
papers_arg (cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
  kernel_test_check (clSetKernelArg (kernel, index, size, value), "clSetKernelArg");
}

void
papers_verify (Papers *papers, const char *what, const void *expected, const void *actual, size_t size, unsigned element)
{
  if (kernel_test_equal (what, expected, actual, size, element))
    return;
  fprintf (stderr, "%s: the output is wrong; nothing is measured\n", what);
  exit (1);
}

/* ---- measuring ---- */

static void
finish (Papers *papers)
{
  for (unsigned i = 0; i < 2; i++)
    kernel_test_check (clFinish (papers->queues[i]), "clFinish");
}

/* Sums up the times of the commands and forgets them.  Commands whose launcher gave no event are not there. */
static void
collect_events (Papers *papers, double sums[PAPERS_N_USES], unsigned counts[PAPERS_N_USES])
{
  memset (sums, 0, PAPERS_N_USES * sizeof (sums[0]));
  memset (counts, 0, PAPERS_N_USES * sizeof (counts[0]));
  for (size_t i = 0; i < papers->n_events; i++) {
    cl_event event = papers->events[i].event;
    cl_ulong start = 0, end = 0;

    if (!event)
      continue;
    kernel_test_check (clGetEventProfilingInfo (event, CL_PROFILING_COMMAND_START, sizeof (start), &start, NULL), "start of a command");
    kernel_test_check (clGetEventProfilingInfo (event, CL_PROFILING_COMMAND_END, sizeof (end), &end, NULL), "end of a command");
    sums[papers->events[i].use] += (double) (end - start);
    counts[papers->events[i].use]++;
    clReleaseEvent (event);
  }
  papers->n_events = 0;
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

void
papers_summarise (double *times, unsigned n, PapersTime *time)
{
  qsort (times, n, sizeof (times[0]), compare_doubles);
  *time = (PapersTime){ times[0], n % 2 ? times[n / 2] : (times[n / 2 - 1] + times[n / 2]) / 2, times[n - 1] };
}

/* Measured times of one row: run by run the sums of each use, then wall times */
static double *
times_of (double *times, unsigned n_runs, unsigned use)
{
  return times + use * n_runs;
}

static void
run_once (Papers *papers, PapersRow *row, double *times, int run)
{
  double sums[PAPERS_N_USES];
  double start = kernel_test_now (), end;

  row->function (papers, row->user);
  finish (papers);
  end = kernel_test_now ();
  collect_events (papers, sums, row->timing.n_commands);
  if (run < 0)
    return;
  for (unsigned use = 0; use < PAPERS_N_USES; use++)
    times_of (times, papers->n_runs, use)[run] = sums[use];
  times_of (times, papers->n_runs, PAPERS_N_USES)[run] = end - start;
}

void
papers_measure_in_turn (Papers *papers, PapersRow *rows, unsigned n_rows)
{
  unsigned n = papers->n_runs, size = (PAPERS_N_USES + 1) * n;
  double *times = papers_alloc (n_rows * size * sizeof (times[0]));

  finish (papers);
  for (int run = -N_WARM_UP; run < (int) n; run++)
    for (unsigned i = 0; i < n_rows; i++)
      run_once (papers, &rows[i], times + i * size, run);
  for (unsigned i = 0; i < n_rows; i++) {
    for (unsigned use = 0; use < PAPERS_N_USES; use++)
      papers_summarise (times_of (times + i * size, n, use), n, &rows[i].timing.event[use]);
    papers_summarise (times_of (times + i * size, n, PAPERS_N_USES), n, &rows[i].timing.wall);
  }
  free (times);
}

void
papers_measure (Papers *papers, PapersFunction function, void *user, PapersTiming *timing)
{
  PapersRow row = { function, user, { { 0 }, { { 0 } }, { 0 } } };

  papers_measure_in_turn (papers, &row, 1);
  *timing = row.timing;
}

/* ---- tables ---- */

PapersTable *
papers_table_open (Papers *papers, const char *id, const char *title, const char *columns)
{
  PapersTable *table = papers_alloc (sizeof (*table));
  char path[4096];

  mkdir (papers->results, 0777);
  snprintf (path, sizeof (path), "%s/%s.csv", papers->results, id);
  table->csv = fopen (path, "w");
  if (!table->csv) {
    perror (path);
    exit (1);
  }
  fprintf (table->csv, "# title: %s\n# device: %s\n# runs: %u\n", title, papers->device_name, papers->n_runs);
  fprintf (table->csv, "%s\n", columns);
  printf ("\n%s\n", title);
  for (const char *c = columns; *c && table->n_columns < 40;) {
    size_t length = strcspn (c, ",");

    table->widths[table->n_columns] = length < 10 ? 10 : (unsigned) length;
    printf ("%-*.*s ", (int) table->widths[table->n_columns++], (int) length, c);
    c += length + (c[length] == ',');
  }
  printf ("\n");
  return table;
}

int
papers_wants (const Papers *papers, const char *id)
{
  return !papers->table || strcmp (papers->table, id) == 0;
}

static void
write_cell (PapersTable *table, const char *format, va_list args)
{
  char text[256];

  vsnprintf (text, sizeof (text), format, args);
  for (char *c = text; *c; c++)
    if (*c == ',' || *c == '\n')
      *c = ';';
  printf ("%-*s ", (int) table->widths[table->column], text);
  fputs (text, table->csv);
  table->column = (table->column + 1) % table->n_columns;
  fputc (table->column ? ',' : '\n', table->csv);
  if (table->column == 0) {
    printf ("\n");
    fflush (stdout);
    fflush (table->csv);
  }
}

void
papers_cell (PapersTable *table, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  write_cell (table, format, args);
  va_end (args);
}

void
papers_cell_if (PapersTable *table, int is_known, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  write_cell (table, is_known ? format : "", args);
  va_end (args);
}

void
papers_cell_time (PapersTable *table, const PapersTime *time, double divisor)
{
  const double values[3] = { time ? time->min : 0, time ? time->median : 0, time ? time->max : 0 };

  for (unsigned i = 0; i < 3; i++)
    if (time)
      papers_cell (table, "%.4g", values[i] / divisor);
    else
      papers_cell (table, "%s", "");
}

void
papers_table_close (PapersTable *table)
{
  fclose (table->csv);
  free (table);
}
