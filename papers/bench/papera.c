/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Paper A: Wang, Alvarez-Mesa, Chi, Juurlink: an optimised parallel IDCT.
 */
#include <stdio.h>

#include "paperapictures.h"
#include "paperasteps.h"

/* Everything once, on small pictures: almost empty, half coded, full */
static void
verify_all (Papers *papers, PaperAKernels *kernels)
{
  static const double shares[] = { 0.01, 0.4, 1 };
  static PaperAWork work;

  kernel_test_selected (&papers->test, "papera");
  for (unsigned i = 0; i < sizeof (shares) / sizeof (shares[0]); i++) {
    BlockPicture picture;

    block_picture_make (papers, &picture, 22, 9, shares[i]);
    paper_a_work_init (papers, &work, kernels, &picture);
    paper_a_verify (papers, &work, 1);
    paper_a_work_clear (&work);
    block_picture_clear (&picture);
  }
  for (unsigned i = 0; i < PAPER_A_N_VARIANTS; i++)
    printf ("A: %s: %s\n", kernels->variants[i].name,
        kernels->variants[i].programs[0] ? "verified" : "refused: the device has no sub-groups");
  printf ("A: baseline, overlap, gpuidct, C and intrinsics: verified\n");
}

/* These come of the same runs. */
static int
wants_pictures (const Papers *papers)
{
  return papers_wants (papers, "a-figure2") || papers_wants (papers, "a-table3") || papers_wants (papers, "a-figure4")
      || papers_wants (papers, "a-figure5");
}

int
paper_a_run (Papers *papers)
{
  static PaperAKernels kernels;

  paper_a_kernels_init (papers, &kernels);
  if (papers->verify)
    verify_all (papers, &kernels);
  if (wants_pictures (papers) && (!papers->verify || papers->captures))
    paper_a_measure_pictures (papers, &kernels);
  if (papers_wants (papers, "a-table4") && !papers->verify)
    paper_a_measure_steps (papers, &kernels);
  paper_a_kernels_clear (&kernels);
  return 0;
}
