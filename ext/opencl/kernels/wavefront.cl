/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The order in which a picture is worked on where units depend on their neighbours: on those at the left, above, above left and above
 * right.  A unit is a macroblock, in MBAFF frames a pair of them.  A work-group takes runs of units in raster order, which satisfies the
 * left, and the upper macroblock of a pair before the lower one; who sees to the rest depends on the launch.  Launched by
 * launchers/wavefront.c.
 *
 * The file that includes this has defined
 *   Picture               the picture, for the next two
 *   needs_row_above (picture, first, end)     whether any of the macroblocks first to end - 1, whole units, depends on units of the row
 *                                             above
 *   begins_part (picture, mb_addr)            whether the unit whose first macroblock is mb_addr, which is not 0, depends on no unit before
 *                                             it: begins a slice, say
 *   IS_LEADER             whether this work-item is the first of its work-group
 *   INLINE, and GPU_CPU where work-groups are of one work-item
 */
#include "wavefrontmode.h"

/* Macroblocks first to end - 1: whole units, of one row but for IN_ORDER */
typedef struct
{
  uint first, end;
} Run;

/* A picture as units: @width a row, @height rows; @mbaff: 1: a unit is a pair, 0: a macroblock */
typedef struct
{
  const Picture *picture;
  uint width, height, mbaff;
} Wave;

INLINE void
init_wave (Wave *wave, const Picture *picture, const GstGpuPicture *params)
{
  wave->picture = picture;
  wave->width = params->width_in_mbs;
  wave->height = params->height_in_mbs >> params->mbaff;
  wave->mbaff = params->mbaff;
}

/* Units first to end - 1 */
INLINE void
set_run (Run *run, const Wave *wave, uint first, uint end)
{
  run->first = first << wave->mbaff;
  run->end = end << wave->mbaff;
}

/* What work-items of a group share: an argument behind the others */
#ifdef GPU_CPU
#define SHARED_PARAMETER
#define SHARED
#else
#define SHARED_PARAMETER , __local uint *shared
#define SHARED , shared
#endif

/* First unit at or after `unit` that begins a part */
INLINE uint
next_part (const Wave *wave, uint unit)
{
  uint n_units = wave->width * wave->height;

  while (unit > 0 && unit < n_units && !begins_part (wave->picture, unit << wave->mbaff))
    unit++;
  return unit;
}

/* Work-group g: those parts that begin in piece g of as many equal pieces of the picture as there are work-groups */
INLINE void
parts_of_group (Run *run, const Wave *wave)
{
  ulong n_units = wave->width * wave->height;

  set_run (run, wave, next_part (wave, (uint) (n_units * get_group_id (0) / get_num_groups (0))),
      next_part (wave, (uint) (n_units * (get_group_id (0) + 1) / get_num_groups (0))));
}

#ifndef GPU_DEVICE_ATOMICS
typedef int Worker;
#else

/* TICKETS: work-groups claim rows, the uppermost first, and work on a few units of a row at a time, as soon as the row above is far
 * enough.  A work-group that has waited for too long gives its row back and ends, unless it is the last one: so a picture is
 * completed even by one work-group, whatever the others do, and none stands in the way of other work.
 *
 * State, in ints, all zero between launches: work-groups at work, work-groups that ended, and for each row (a cache line apart) how many
 * of its units are complete and whether it is claimed. */
#define N_ACTIVE 0
#define N_ENDED 1
#define PROGRESS(row) (16 + (row) * 16)
#define CLAIMED(row) (16 + (row) * 16 + 1)

/* Units between two reports of progress */
#ifdef GPU_CPU
#define PROGRESS_STEP 4
#else
#define PROGRESS_STEP 1
#endif

/* Looks at the row above before a work-group gives up (tests define less) */
#ifndef GPU_PATIENCE
#define GPU_PATIENCE 20000
#endif

#define NO_ROW 0xffffffff

typedef struct
{
  __global atomic_int *state;
  uint row;                     /* that it has claimed; NO_ROW */
  uint x;                       /* its next unit in that row */
  uint first_row;               /* no row above this one is incomplete */
} Worker;

INLINE int
read_state (const Worker *worker, uint i)
{
  return atomic_load_explicit (&worker->state[i], memory_order_acquire, memory_scope_device);
}

INLINE void
write_state (const Worker *worker, uint i, int value)
{
  atomic_store_explicit (&worker->state[i], value, memory_order_release, memory_scope_device);
}

INLINE void
init_worker (Worker *worker, __global int *state)
{
  worker->state = (__global atomic_int *) state;
  worker->row = NO_ROW;
  worker->x = 0;
  worker->first_row = 0;
  if (IS_LEADER)
    atomic_fetch_add_explicit (&worker->state[N_ACTIVE], 1, memory_order_acq_rel, memory_scope_device);
}

INLINE void
claim_row (Worker *worker, const Wave *wave)
{
  for (uint row = worker->first_row; row < wave->height; row++) {
    int expected = 0;

    if (read_state (worker, PROGRESS (row)) == (int) wave->width) {
      worker->first_row += row == worker->first_row;
      continue;
    }
    if (read_state (worker, CLAIMED (row)) == 0
        && atomic_compare_exchange_strong_explicit (&worker->state[CLAIMED (row)], &expected, 1, memory_order_acq_rel, memory_order_acquire,
            memory_scope_device)) {
      worker->row = row;
      worker->x = (uint) read_state (worker, PROGRESS (row));
      return;
    }
  }
}

/* Whether the units x to end_x - 1 of the claimed row have what they depend on */
INLINE bool
is_row_above_ready (const Worker *worker, const Wave *wave, uint end_x)
{
  Run run;

  set_run (&run, wave, worker->row * wave->width + worker->x, worker->row * wave->width + end_x);
  return worker->row == 0 || !needs_row_above (wave->picture, run.first, run.end)
      || read_state (worker, PROGRESS (worker->row - 1)) >= (int) min (end_x + 1, wave->width);
}

/* One work-group less at work, but never none */
INLINE bool
leave (const Worker *worker)
{
  int n = read_state (worker, N_ACTIVE);

  while (n > 1)
    if (atomic_compare_exchange_strong_explicit (&worker->state[N_ACTIVE], &n, n - 1, memory_order_acq_rel, memory_order_acquire,
        memory_scope_device))
      return true;
  return false;
}

/* What the work-group does next; an empty run: nothing.  For its leader. */
INLINE void
take_run (Run *run, const Wave *wave, Worker *worker)
{
  uint width = wave->width, looks = 0;

  run->first = run->end = 0;
  while (run->end == 0) {
    uint end_x;

    if (worker->row == NO_ROW)
      claim_row (worker, wave);
    if (worker->first_row == wave->height)
      break;
    end_x = min (worker->x + PROGRESS_STEP, width);
    if (worker->row != NO_ROW && worker->x < width && is_row_above_ready (worker, wave, end_x)) {
      set_run (run, wave, worker->row * width + worker->x, worker->row * width + end_x);
      worker->x = end_x;
    } else if (worker->row != NO_ROW && worker->x == width) {
      worker->row = NO_ROW;     /* completed between two looks at it */
    } else if (++looks > GPU_PATIENCE) {
      looks = 0;
      if (worker->row != NO_ROW)
        write_state (worker, CLAIMED (worker->row), 0);
      worker->row = NO_ROW;
      if (leave (worker))
        break;
    }
  }
}

/* Tells that the last run is complete.  For the leader. */
INLINE void
report_progress (const Wave *wave, Worker *worker)
{
  write_state (worker, PROGRESS (worker->row), (int) worker->x);
  if (worker->x == wave->width)
    worker->row = NO_ROW;
}

/* The last work-group leaves the state as it was. */
INLINE void
end_worker (const Worker *worker, uint n_rows)
{
  if (!IS_LEADER || atomic_fetch_add_explicit (&worker->state[N_ENDED], 1, memory_order_acq_rel,
      memory_scope_device) != (int) get_num_groups (0) - 1)
    return;
  write_state (worker, N_ACTIVE, 0);
  write_state (worker, N_ENDED, 0);
  for (uint row = 0; row < n_rows; row++) {
    write_state (worker, PROGRESS (row), 0);
    write_state (worker, CLAIMED (row), 0);
  }
}

/* take_run() for all work-items */
INLINE void
share_run (Run *run, const Wave *wave, Worker *worker SHARED_PARAMETER)
{
#ifdef GPU_CPU
  take_run (run, wave, worker);
#else
  if (IS_LEADER) {
    take_run (run, wave, worker);
    shared[0] = run->first;
    shared[1] = run->end;
  }
  barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  run->first = shared[0];
  run->end = shared[1];
  barrier (CLK_LOCAL_MEM_FENCE);
#endif
}
#endif

/* The first run of this work-group.
 * @launch: IN_ORDER: its parts; the whole picture where there is but one work-group
 *   TICKETS: see Worker; @state: its state
 *   DIAGONALS: the unit of row first_row + g on one diagonal x + 2 * y */
INLINE void
first_run (Run *run, const Wave *wave, Worker *worker, uint launch, uint diagonal, uint first_row, __global int *state SHARED_PARAMETER)
{
  if (launch == GPU_WAVEFRONT_IN_ORDER) {
    parts_of_group (run, wave);
  } else if (launch == GPU_WAVEFRONT_DIAGONALS) {
    uint row = first_row + (uint) get_group_id (0), unit = row * wave->width + diagonal - 2 * row;

    set_run (run, wave, unit, unit + 1);
  }
#ifdef GPU_DEVICE_ATOMICS
  if (launch == GPU_WAVEFRONT_TICKETS) {
    init_worker (worker, state);
    share_run (run, wave, worker SHARED);
  }
#endif
}

/* The run after `run`, which is complete: all work-items have passed a barrier since.  Empty at the end. */
INLINE void
next_run (Run *run, const Wave *wave, Worker *worker, uint launch SHARED_PARAMETER)
{
  run->first = run->end = 0;
#ifdef GPU_DEVICE_ATOMICS
  if (launch == GPU_WAVEFRONT_TICKETS) {
    if (IS_LEADER)
      report_progress (wave, worker);
    share_run (run, wave, worker SHARED);
  }
#endif
}

/* After the last run */
INLINE void
end_runs (const Wave *wave, const Worker *worker, uint launch)
{
#ifdef GPU_DEVICE_ATOMICS
  if (launch == GPU_WAVEFRONT_TICKETS)
    end_worker (worker, wave->height);
#endif
}
