/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The kernel of one kind of H.265 blocks (see hevcidct.cl), behind hevcblocks.cl, which is then undone for the next size.
 */
#ifdef GPU_CPU

/* The last step repeats the last block. */
__kernel void
HEVC_NAME (gpu_hevc_idct) (KERNEL_ARGUMENTS)
{
  List list;

  list_init (&list, header, segments_offset, first_segment, bit_depth, coeffs);
  for (uint step = 0; step < list.count; step += STEP) {
    uint n[STEP];
    int shift[STEP];

    for (uint b = 0; b < STEP; b++) {
      n[b] = min (step + b, list.count - 1);
      shift[b] = second_shift (&list, n[b]);
    }
#if N == 4
    HEVC_NAME (transform_step) (list.data, list.data, n, FIRST_SHIFT,
        (int16) ((int4) (shift[0]), (int4) (shift[1]), (int4) (shift[2]), (int4) (shift[3])));
#elif N == 8
    HEVC_NAME (transform_step) (list.data, list.data, n, FIRST_SHIFT, (int16) ((int8) (shift[0]), (int8) (shift[1])));
#else
    HEVC_NAME (transform_step) (list.data, list.data, n, FIRST_SHIFT, shift[0]);
#endif
  }
}

#undef STEP
#undef HALVES
#undef VECTOR

#else

#define GROUP_BLOCKS (GPU_GROUP_SIZE / N)

__kernel __attribute__ ((reqd_work_group_size (GPU_GROUP_SIZE, 1, 1))) void
HEVC_NAME (gpu_hevc_idct) (KERNEL_ARGUMENTS)
{
  __local short between[GROUP_BLOCKS * N * N];
  uint in_group = get_local_id (0) / N;
  List list;

  list_init (&list, header, segments_offset, first_segment, bit_depth, coeffs);
  for (uint first = get_group_id (0) * GROUP_BLOCKS; first < list.count; first += get_num_groups (0) * GROUP_BLOCKS) {
    uint n = first + in_group;
    bool valid = n < list.count;
    int2 shift = (int2) (FIRST_SHIFT, second_shift (&list, valid ? n : first));

    HEVC_NAME (butterfly) (list.data, list.data, n, valid, get_local_id (0) % N, between + in_group * N * N, shift);
    barrier (CLK_LOCAL_MEM_FENCE);
  }
}

#undef GROUP_BLOCKS

#endif

#undef MATRIX
#undef FACTOR
#undef ROWS_FIRST
#undef DEFINE_LINE
#undef LOAD_LINE
#undef STORE_LINE
#undef HEVC_NAME
