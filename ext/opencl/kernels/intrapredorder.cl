/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The order in which macroblocks are rebuilt (included by intrapred.cl).  A neighbour that a macroblock predicts from must be complete:
 * on the left, above, above left and above right.  A work-group rebuilds runs of macroblocks in the order of mbAddr, which satisfies the
 * left; who sees to the rest depends on the launch.
 */

/* Argument `launch`: numbers of GpuWavefront */
#define LAUNCH_IN_ORDER 0
#define LAUNCH_TICKETS 1
#define LAUNCH_DIAGONALS 2

/* Macroblocks first to end - 1 */
typedef struct
{
  uint first, end;
} Run;

/* First macroblock at or after `mb_addr` that begins a slice */
INLINE uint
next_slice (const Picture *picture, uint mb_addr)
{
  uint n_mbs = picture->width_in_mbs * picture->height_in_mbs;

  while (mb_addr > 0 && mb_addr < n_mbs && picture->mbs[mb_addr].slice == picture->mbs[mb_addr - 1].slice)
    mb_addr++;
  return mb_addr;
}

/* Work-group g: those slices that begin in part g of as many equal parts as there are work-groups */
INLINE void
slices_of_group (Run *run, const Picture *picture)
{
  ulong n_mbs = picture->width_in_mbs * picture->height_in_mbs;

  run->first = next_slice (picture, (uint) (n_mbs * get_group_id (0) / get_num_groups (0)));
  run->end = next_slice (picture, (uint) (n_mbs * (get_group_id (0) + 1) / get_num_groups (0)));
}

#ifndef GPU_DEVICE_ATOMICS
typedef int Worker;
#else

/* TICKETS: work-groups claim rows, the uppermost first, and rebuild a few macroblocks of a row at a time, as soon as the row above is
 * far enough.  A work-group that has waited for too long gives its row back and ends, unless it is the last one: so a picture is
 * completed even by one work-group, whatever the others do, and none stands in the way of other work.
 *
 * State, in ints, all zero between launches: work-groups at work, work-groups that ended, and for each row (a cache line apart) how many
 * of its macroblocks are complete and whether it is claimed. */
#define N_ACTIVE 0
#define N_ENDED 1
#define PROGRESS(row) (16 + (row) * 16)
#define CLAIMED(row) (16 + (row) * 16 + 1)

/* Macroblocks between two reports of progress */
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
  uint mb_x;                    /* its next macroblock in that row */
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
  worker->mb_x = 0;
  worker->first_row = 0;
  if (IS_LEADER)
    atomic_fetch_add_explicit (&worker->state[N_ACTIVE], 1, memory_order_acq_rel, memory_scope_device);
}

INLINE void
claim_row (Worker *worker, const Picture *picture)
{
  for (uint row = worker->first_row; row < picture->height_in_mbs; row++) {
    int expected = 0;

    if (read_state (worker, PROGRESS (row)) == (int) picture->width_in_mbs) {
      worker->first_row += row == worker->first_row;
      continue;
    }
    if (read_state (worker, CLAIMED (row)) == 0
        && atomic_compare_exchange_strong_explicit (&worker->state[CLAIMED (row)], &expected, 1, memory_order_acq_rel, memory_order_acquire,
            memory_scope_device)) {
      worker->row = row;
      worker->mb_x = (uint) read_state (worker, PROGRESS (row));
      return;
    }
  }
}

/* Whether the macroblocks mb_x to end_x - 1 of the claimed row have what they predict from */
INLINE bool
is_row_above_ready (const Worker *worker, const Picture *picture, uint end_x)
{
  __global const GstGpuMb *mbs = picture->mbs + worker->row * picture->width_in_mbs;
  uint available = 0;

  for (uint x = worker->mb_x; x < end_x; x++)
    available |= mbs[x].mb_class < GST_GPU_MB_INTER ? mbs[x].available : 0;
  return !(available & (GST_GPU_AVAILABLE_B | GST_GPU_AVAILABLE_C | GST_GPU_AVAILABLE_D))
      || read_state (worker, PROGRESS (worker->row - 1)) >= (int) min (end_x + 1, picture->width_in_mbs);
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
take_run (Run *run, const Picture *picture, Worker *worker)
{
  uint width = picture->width_in_mbs, looks = 0;

  run->first = run->end = 0;
  while (run->end == 0) {
    uint end_x;

    if (worker->row == NO_ROW)
      claim_row (worker, picture);
    if (worker->first_row == picture->height_in_mbs)
      break;
    end_x = min (worker->mb_x + PROGRESS_STEP, width);
    if (worker->row != NO_ROW && worker->mb_x < width && is_row_above_ready (worker, picture, end_x)) {
      run->first = worker->row * width + worker->mb_x;
      run->end = worker->row * width + end_x;
      worker->mb_x = end_x;
    } else if (worker->row != NO_ROW && worker->mb_x == width) {
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
report_progress (const Picture *picture, Worker *worker)
{
  write_state (worker, PROGRESS (worker->row), (int) worker->mb_x);
  if (worker->mb_x == picture->width_in_mbs)
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
share_run (Run *run, const Picture *picture, Worker *worker SCRATCH_PARAMETER)
{
#ifdef GPU_CPU
  take_run (run, picture, worker);
#else
  if (IS_LEADER) {
    take_run (run, picture, worker);
    scratch->run[0] = run->first;
    scratch->run[1] = run->end;
  }
  barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  run->first = scratch->run[0];
  run->end = scratch->run[1];
  barrier (CLK_LOCAL_MEM_FENCE);
#endif
}
#endif

/* The first run of this work-group.
 * IN_ORDER: its slices; the whole picture where there is but one work-group
 * TICKETS: see Worker
 * DIAGONALS: the macroblock of row first_row + g on one diagonal x + 2 * y */
INLINE void
first_run (Run *run, const Picture *picture, Worker *worker, uint launch, uint diagonal, uint first_row SCRATCH_PARAMETER)
{
  if (launch == LAUNCH_IN_ORDER) {
    slices_of_group (run, picture);
  } else if (launch == LAUNCH_DIAGONALS) {
    uint row = first_row + (uint) get_group_id (0);

    run->first = row * picture->width_in_mbs + diagonal - 2 * row;
    run->end = run->first + 1;
  }
#ifdef GPU_DEVICE_ATOMICS
  if (launch == LAUNCH_TICKETS)
    share_run (run, picture, worker SCRATCH);
#endif
}

/* The run after `run`, which is complete: all work-items have passed a barrier since.  Empty at the end. */
INLINE void
next_run (Run *run, const Picture *picture, Worker *worker, uint launch SCRATCH_PARAMETER)
{
  run->first = run->end = 0;
#ifdef GPU_DEVICE_ATOMICS
  if (launch == LAUNCH_TICKETS) {
    if (IS_LEADER)
      report_progress (picture, worker);
    share_run (run, picture, worker SCRATCH);
  }
#endif
}
