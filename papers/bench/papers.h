/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The program that measures the founding papers' systems: what its parts share.  Links the C library, the maths library and the OpenCL
 * loader only.
 *
 *   papers [--paper=A..D] [--table=NAME] [--size=NAME] [--quick] [--verify] [--device=N] [--seed=N] [--results=FOLDER] [--captures=FOLDER]
 *
 * Each paper is a file with one entry point, paper_X_run().  It makes its data, runs each variant once and compares the output with the C
 * reference (papers_verify(), which ends the process at the first difference), only then measures it (papers_measure()) and writes a row of
 * a table (papers_table_open()).  With --verify it stops after the comparison.
 */
#ifndef PAPERS_H
#define PAPERS_H

#include "kerneltest.h"

/* What a command of a measured run does: event times are summed up for each */
typedef enum
{
  PAPERS_KERNEL,
  PAPERS_UPLOAD,
  PAPERS_DOWNLOAD,
  PAPERS_N_USES
} PapersUse;

typedef struct
{
  KernelTest test;            /* device, context, random numbers; its queue is queues[0] */
  cl_command_queue queues[2]; /* in order, with profiling; the second one for transfers that overlap kernels */
  char device_name[1024];     /* device, platform and driver version */
  int quick;                  /* --quick: all papers within two minutes on two cores; synthetic data */
  int verify;                 /* --verify: compare only, on small data, nothing is measured */
  unsigned n_runs;            /* measured runs of each row, after the warm-up; at least 10 */
  const char *results;        /* folder of the CSV files */
  const char *captures;       /* (nullable): folder of the captured pictures */
  const char *table;          /* (nullable): the one table to make, of those that papers_wants () is asked for */
  const char *size;           /* (nullable): the one size of pictures to measure, where a table has several */

  /*< private > */
  struct PapersEvent *events;
  size_t n_events, events_size;
} Papers;

/* Nanoseconds */
typedef struct
{
  double min, median, max;
} PapersTime;

typedef struct
{
  PapersTime wall;                 /* from the call of the function until both queues are empty */
  PapersTime event[PAPERS_N_USES]; /* sum over the commands of a use, start to end by the device's clock; 0 where there are none */
  unsigned n_commands[PAPERS_N_USES];
} PapersTiming;

/* One run of what is measured: enqueues on papers->queues, or computes on the host.  It need not wait. */
typedef void (*PapersFunction) (Papers *papers, void *user);

/* Two runs to warm up, then papers->n_runs of @function. */
void papers_measure (Papers *papers, PapersFunction function, void *user, PapersTiming *timing);

typedef struct
{
  PapersFunction function;
  void *user;
  PapersTiming timing;
} PapersRow;

/* The same for rows whose ratio matters: a run of each in turn, so that what the machine does meanwhile meets all of them.  Fills in
 * their timing. */
void papers_measure_in_turn (Papers *papers, PapersRow *rows, unsigned n_rows);

/* Sorts @values. */
void papers_summarise (double *values, unsigned n, PapersTime *summary);

/* For the event argument of an enqueued command, whose time is then counted as @use.  Valid until the next call of it. */
cl_event *papers_event (Papers *papers, PapersUse use);

/* The same for an event that a launcher returned; takes it. */
void papers_take_event (Papers *papers, PapersUse use, cl_event event);

/* Ends the process with a message where the two differ.  @element: 1, 2 or 4 bytes, for the message */
void papers_verify (Papers *papers, const char *what, const void *expected, const void *actual, size_t size, unsigned element);

/* clEnqueueNDRangeKernel() on @queue counted as a kernel; ends the process where it fails. */
void papers_launch (Papers *papers, cl_command_queue queue, cl_kernel kernel, cl_uint n_dims, const size_t *global, const size_t *local);

/* Not blocking, counted */
void papers_upload (Papers *papers, cl_command_queue queue, cl_mem buffer, size_t offset, const void *data, size_t size);
void papers_download (Papers *papers, cl_command_queue queue, cl_mem buffer, size_t offset, void *data, size_t size);

/* Memory aligned to 64 bytes, cleared; ends the process where there is none. */
void *papers_alloc (size_t size);

cl_kernel papers_kernel (cl_program program, const char *name);

/* clSetKernelArg() checked */
void papers_arg (cl_kernel kernel, cl_uint index, size_t size, const void *value);

/* A table: RESULTS/ID.csv and standard output.  @columns: comma separated; what a paper printed stands in columns whose names start with
 * "published".  How tables are drawn: papers/docs/plots and plots.py */
typedef struct PapersTable PapersTable;
PapersTable *papers_table_open (Papers *papers, const char *id, const char *title, const char *columns);

/* Whether the table @id is to be made; all are without --table */
int papers_wants (const Papers *papers, const char *id);

/* Cells of a row from left to right; the row ends with the last column. */
void papers_cell (PapersTable *table, const char *format, ...) __attribute__ ((format (printf, 2, 3)));

/* The same, but an empty cell where !@is_known */
void papers_cell_if (PapersTable *table, int is_known, const char *format, ...) __attribute__ ((format (printf, 3, 4)));

/* Three cells: min, median, max of @time divided by @divisor (1e6: milliseconds), three empty ones where @time is NULL */
void papers_cell_time (PapersTable *table, const PapersTime *time, double divisor);

void papers_table_close (PapersTable *table);

int paper_a_run (Papers *papers);
int paper_b_run (Papers *papers);
int paper_c_run (Papers *papers);
int paper_d_run (Papers *papers);

#endif
