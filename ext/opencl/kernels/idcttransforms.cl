/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The inverse transforms of 8.5.12 and 8.5.13 in one dimension.  The including file defines the types Lines4 and Lines8 (unsigned: a line,
 * or lines side by side) and their arithmetic right shifts ASR4 and ASR8.
 */
/* 8.5.12.2, one dimension */
INLINE void
transform_4 (Lines4 *d)
{
  Lines4 e0 = d[0] + d[2], e1 = d[0] - d[2], e2 = ASR4 (d[1], 1) - d[3], e3 = d[1] + ASR4 (d[3], 1);

  d[0] = e0 + e3;
  d[1] = e1 + e2;
  d[2] = e1 - e2;
  d[3] = e0 - e3;
}

/* 8.5.13.2, one dimension */
INLINE void
transform_8 (Lines8 *d)
{
  Lines8 e0 = d[0] + d[4], e2 = d[0] - d[4], e4 = ASR8 (d[2], 1) - d[6], e6 = d[2] + ASR8 (d[6], 1);
  Lines8 e1 = d[5] - d[3] - d[7] - ASR8 (d[7], 1);
  Lines8 e3 = d[1] + d[7] - d[3] - ASR8 (d[3], 1);
  Lines8 e5 = d[7] - d[1] + d[5] + ASR8 (d[5], 1);
  Lines8 e7 = d[3] + d[5] + d[1] + ASR8 (d[1], 1);
  Lines8 f0 = e0 + e6, f2 = e2 + e4, f4 = e2 - e4, f6 = e0 - e6;
  Lines8 f1 = e1 + ASR8 (e7, 2), f3 = e3 + ASR8 (e5, 2), f5 = ASR8 (e3, 2) - e5, f7 = e7 - ASR8 (e1, 2);

  d[0] = f0 + f7;
  d[1] = f2 + f5;
  d[2] = f4 + f3;
  d[3] = f6 + f1;
  d[4] = f6 - f1;
  d[5] = f4 - f3;
  d[6] = f2 - f5;
  d[7] = f0 - f7;
}
