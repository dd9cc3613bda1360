/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Writes a clip that is coded about as a camera's would be, as YUV4MPEG2 (4:2:0, 8 bits), so that measurements need no video of others.
 *
 *   bench-makeclip WIDTH HEIGHT PICTURES [SEED]
 *
 * A landscape of noise in octaves, as much contrast in each as the eye meets (amplitude falls with frequency), rough in some places and
 * smooth in others; it moves by fractions of a sample, discs with landscapes of their own move across it, and each sample has noise like a
 * sensor's.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define N_DISCS 5
#define MAX_SIZE 8192

typedef struct
{
  unsigned width, height, n_pictures;
  uint32_t seed;
} Clip;

typedef struct
{
  float x, y, dx, dy, radius;
  uint32_t seed;
} Disc;

static uint32_t
hash (uint32_t a, uint32_t b, uint32_t c)
{
  uint32_t h = a * 0x9e3779b1u ^ (b + 0x7f4a7c15u) * 0x85ebca77u ^ (c + 0x165667b1u) * 0xc2b2ae3du;

  h = (h ^ h >> 15) * 0x2c1b3c6du;
  h = (h ^ h >> 12) * 0x297a2d39u;
  return h ^ h >> 15;
}

/* -1 to 1, smooth between the points of a lattice */
static float
lattice (float x, float y, uint32_t seed)
{
  int ix = (int) floorf (x), iy = (int) floorf (y);
  float fx = x - (float) ix, fy = y - (float) iy, corner[2][2];

  for (int j = 0; j < 2; j++)
    for (int i = 0; i < 2; i++)
      corner[j][i] = (float) hash ((uint32_t) (ix + i), (uint32_t) (iy + j), seed) / 2147483648.f - 1;
  fx = fx * fx * (3 - 2 * fx);
  fy = fy * fy * (3 - 2 * fy);
  return (corner[0][0] * (1 - fx) + corner[0][1] * fx) * (1 - fy) + (corner[1][0] * (1 - fx) + corner[1][1] * fx) * fy;
}

/* Octaves of 512 to 2 samples; the finer ones only where it is rough */
static float
landscape (float x, float y, uint32_t seed)
{
  float rough = 0.5f + 0.5f * lattice (x / 150, y / 150, seed + 99), sum = 0;
  float amplitude = 34;

  rough *= rough;
  for (unsigned octave = 0; octave < 9; octave++, amplitude *= 0.86f) {
    float wavelength = 512.f / (float) (1 << octave);

    sum += amplitude * (octave < 4 ? 1 : rough * 1.3f) * lattice (x / wavelength, y / wavelength, seed + octave);
  }
  return sum;
}

/* About normal, with a deviation of 1.2 */
static float
sensor_noise (unsigned x, unsigned y, unsigned t)
{
  uint32_t h = hash (x, y, 7919 * t + 13);

  return 0.0163f * ((float) (h & 255) + (float) (h >> 8 & 255) - (float) (h >> 16 & 255) - (float) (h >> 24)) / 2;
}

static uint8_t
sample (const Clip *clip, const Disc *discs, unsigned t, float x, float y, unsigned plane)
{
  float time = (float) t, value;
  const Disc *disc = NULL;

  for (unsigned i = 0; i < N_DISCS; i++) {
    float px = x - discs[i].x - discs[i].dx * time, py = y - discs[i].y - discs[i].dy * time;

    if (px * px + py * py < discs[i].radius * discs[i].radius)
      disc = &discs[i];
  }
  if (disc)
    value = landscape (x - disc->dx * time, y - disc->dy * time, disc->seed + 1000 * plane);
  else
    value = landscape (x + 1.25f * time, y + 0.5f * time, clip->seed + 1000 * plane);
  value = plane == 0 ? 118 + value : 128 + 0.35f * value;
  value += sensor_noise ((unsigned) x, (unsigned) y, t * 3 + plane);
  return (uint8_t) fminf (fmaxf (value + 0.5f, 16), 235);
}

static void
write_plane (const Clip *clip, const Disc *discs, unsigned t, unsigned plane)
{
  unsigned step = plane ? 2 : 1;

  for (unsigned y = 0; y < clip->height; y += step)
    for (unsigned x = 0; x < clip->width; x += step)
      putchar (sample (clip, discs, t, (float) x, (float) y, plane));
}

static void
place_discs (const Clip *clip, Disc discs[N_DISCS])
{
  for (unsigned i = 0; i < N_DISCS; i++) {
    uint32_t h = hash (i, clip->seed, 5);

    discs[i].x = (float) (h % clip->width);
    discs[i].y = (float) (h / clip->width % clip->height);
    discs[i].dx = (float) (h % 17) / 2 - 4;
    discs[i].dy = (float) (h % 11) / 4 - 1.25f;
    discs[i].radius = (float) clip->height * (0.08f + 0.03f * (float) i);
    discs[i].seed = h;
  }
}

int
main (int argc, char **argv)
{
  Clip clip = { 0 };
  Disc discs[N_DISCS];

  if (argc == 4 || argc == 5)
    clip = (Clip){ (unsigned) atoi (argv[1]), (unsigned) atoi (argv[2]), (unsigned) atoi (argv[3]),
      argc == 5 ? (uint32_t) atoi (argv[4]) : 1 };
  if (clip.width == 0 || clip.width > MAX_SIZE || clip.width % 2 || clip.height == 0 || clip.height > MAX_SIZE || clip.height % 2) {
    fprintf (stderr, "usage: %s WIDTH HEIGHT PICTURES [SEED]; even sizes, up to %u\n", argv[0], MAX_SIZE);
    return 2;
  }
  place_discs (&clip, discs);
  printf ("YUV4MPEG2 W%u H%u F25:1 Ip A1:1 C420mpeg2\n", clip.width, clip.height);
  for (unsigned t = 0; t < clip.n_pictures; t++) {
    printf ("FRAME\n");
    for (unsigned plane = 0; plane < 3; plane++)
      write_plane (&clip, discs, t, plane);
  }
  return ferror (stdout) || fflush (stdout) != 0;
}
