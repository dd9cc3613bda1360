/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "edges.h"
#include "intraencoder.h"
#include "intrasyntax.h"
#include "intratransform.h"

const char *const intra_encoder_ways[INTRA_ENCODER_N_WAYS] = { "standard", "in range", "unclipped", "fractional" };

/* Intra4x4PredMode, and those of them that have a like in intra_chroma_pred_mode */
#define VERTICAL 0
#define HORIZONTAL 1
#define DC 2
#define HORIZONTAL_UP 8
#define N_MODES 9

/* A square of samples on its way: a 4x4 block of luma, or the chroma of a macroblock */
typedef struct
{
  const IntraEncoder *encoder;
  const IntraPlane *plane;
  const uint8_t *source; /* [plane->height][plane->width] */
  unsigned x0, y0, side;
  double prediction[64];
  int16_t residual[64]; /* row by row */
} Square;

static int
source_at (const Square *square, unsigned i)
{
  return square->source[(size_t) (square->y0 + i / square->side) * square->plane->width + square->x0 + i % square->side];
}

/* ---- values in range ---- */

/* The difference of the source, kept @margin from the ends of the range, from the prediction */
static void
subtract (const Square *square, int margin, int32_t *difference)
{
  for (unsigned i = 0; i < square->side * square->side; i++) {
    int sample = source_at (square, i);

    sample = sample < margin ? margin : sample > 255 - margin ? 255 - margin : sample;
    difference[i] = (int32_t) floor (sample - square->prediction[i] + 0.5);
  }
}

static int
is_in_range (const Square *square)
{
  for (unsigned i = 0; i < square->side * square->side; i++)
    if (square->prediction[i] + square->residual[i] < 0 || square->prediction[i] + square->residual[i] > 255)
      return 0;
  return 1;
}

/* Where to aim next so that all is in range: further inside; after the last one no residual at all, as a prediction from samples in range
 * is in range.  Returns 0 where there is no need. */
static int
next_margin (const Square *square, int *margin)
{
  if (square->encoder->settings.way != INTRA_ENCODER_IN_RANGE || is_in_range (square))
    return 0;
  *margin = *margin ? 2 * *margin : 2;
  return 1;
}

#define LAST_MARGIN 64

static void
code_block (Square *square, int16_t levels[16])
{
  int32_t difference[16];
  int margin = 0;

  do {
    subtract (square, margin, difference);
    if (margin > LAST_MARGIN)
      memset (difference, 0, sizeof (difference));
    intra_transform_block (difference, square->encoder->settings.qp, levels, square->residual);
  } while (next_margin (square, &margin));
}

static void
code_chroma (Square *square, int16_t dc[4], int16_t ac[4][16])
{
  int32_t difference[64];
  int margin = 0;

  do {
    subtract (square, margin, difference);
    if (margin > LAST_MARGIN)
      memset (difference, 0, sizeof (difference));
    intra_transform_chroma (difference, intra_transform_chroma_qp (square->encoder->settings.qp), dc, ac, square->residual);
  } while (next_margin (square, &margin));
}

/* ---- prediction ---- */

static double
distance (const Square *square, const double *prediction)
{
  double sum = 0;

  for (unsigned i = 0; i < square->side * square->side; i++)
    sum += fabs (source_at (square, i) - prediction[i]);
  return sum;
}

static void
round_prediction (const Square *square, double *prediction)
{
  const IntraEncoderSettings *settings = &square->encoder->settings;

  if (settings->way != INTRA_ENCODER_FRACTIONAL)
    for (unsigned i = 0; i < square->side * square->side; i++)
      prediction[i] = settings->half_to_even ? rint (prediction[i]) : floor (prediction[i] + 0.5);
}

/* Whether @mode may be chosen: its neighbours are there; DC also where there is no other way */
static int
may_choose (const Square *square, unsigned mode)
{
  int has_left = square->x0 > 0, has_above = square->y0 > 0;

  if (mode == DC && !has_left && !has_above)
    return 1;
  if (!(square->encoder->settings.modes >> mode & 1))
    return 0;
  if (mode == VERTICAL)
    return has_above;
  if (mode == HORIZONTAL || mode == HORIZONTAL_UP)
    return has_left;
  return mode == DC || (has_left && has_above);
}

/* What a bit is worth in the sum of absolute differences */
static double
bit_weight (const Square *square)
{
  return sqrt (0.85 * exp2 (((int) square->encoder->settings.qp - 12) / 3.0));
}

/* The mode whose prediction costs least, with the bits that say so */
static unsigned
choose_mode (Square *square)
{
  unsigned best = DC, expected = intra_syntax_expected_mode (square->encoder, square->x0 / 4, square->y0 / 4);
  double least = HUGE_VAL;

  for (unsigned mode = 0; mode < N_MODES; mode++) {
    double prediction[16], cost;

    if (!may_choose (square, mode))
      continue;
    gpu_reference_edges_predict (square->plane->samples, square->plane->width, square->x0, square->y0, mode, prediction);
    round_prediction (square, prediction);
    cost = distance (square, prediction) + bit_weight (square) * (mode == expected ? 1 : 4);
    if (cost >= least)
      continue;
    least = cost;
    best = mode;
    memcpy (square->prediction, prediction, sizeof (prediction));
  }
  return best;
}

/* Mean of the four samples from (x, y) on, @step apart */
static double
mean_of_four (const IntraPlane *plane, unsigned x, unsigned y, size_t step)
{
  const double *p = plane->samples + (size_t) y * plane->width + x;

  return (p[0] + p[step] + p[2 * step] + p[3 * step]) / 4;
}

/* DC prediction of the chroma block at (x, y) of the macroblock (8.3.4.1 to 8.3.4.3) */
static double
chroma_dc (const Square *square, unsigned x, unsigned y)
{
  const IntraPlane *plane = square->plane;
  int has_left = square->x0 > 0, has_above = square->y0 > 0;
  double left = has_left ? mean_of_four (plane, square->x0 - 1, square->y0 + y, plane->width) : 0;
  double above = has_above ? mean_of_four (plane, square->x0 + x, square->y0 - 1, 1) : 0;

  if (!has_left && !has_above)
    return 128;
  if (!has_left || (has_above && x > y))
    return above;
  return !has_above || x < y ? left : (left + above) / 2;
}

static void
predict_chroma (const Square *square, unsigned mode, double prediction[64])
{
  const IntraPlane *plane = square->plane;

  for (unsigned y = 0; y < 8; y++)
    for (unsigned x = 0; x < 8; x++)
      if (mode == DC)
        prediction[y * 8 + x] = chroma_dc (square, x & 4, y & 4);
      else
        prediction[y * 8 + x] = mode == VERTICAL ? plane->samples[(size_t) (square->y0 - 1) * plane->width + square->x0 + x]
                                                 : plane->samples[(size_t) (square->y0 + y) * plane->width + square->x0 - 1];
  round_prediction (square, prediction);
}

/* One mode for Cb and Cr */
static unsigned
choose_chroma_mode (Square squares[2])
{
  unsigned best = DC;
  double least = HUGE_VAL;

  for (unsigned mode = 0; mode <= DC; mode++) {
    double prediction[2][64], cost = bit_weight (&squares[0]) * (mode == DC ? 1 : 3);

    if (!may_choose (&squares[0], mode))
      continue;
    for (unsigned c = 0; c < 2; c++) {
      predict_chroma (&squares[c], mode, prediction[c]);
      cost += distance (&squares[c], prediction[c]);
    }
    if (cost >= least)
      continue;
    least = cost;
    best = mode;
    for (unsigned c = 0; c < 2; c++)
      memcpy (squares[c].prediction, prediction[c], sizeof (prediction[c]));
  }
  return best;
}

/* ---- pictures ---- */

static double
clip (double value)
{
  return value < 0 ? 0 : value > 255 ? 255 : value;
}

static void
store_square (const Square *square)
{
  IntraEncoderWay way = square->encoder->settings.way;
  const IntraPlane *plane = square->plane;

  for (unsigned i = 0; i < square->side * square->side; i++) {
    size_t at = (size_t) (square->y0 + i / square->side) * plane->width + square->x0 + i % square->side;
    double sample = square->prediction[i] + square->residual[i], clipped = clip (sample);

    plane->residual[at] = square->residual[i];
    plane->samples[at] = way == INTRA_ENCODER_STANDARD || way == INTRA_ENCODER_IN_RANGE ? clipped : sample;
    plane->picture[at] = (uint8_t) floor (clipped + 0.5);
  }
}

static void
code_macroblock (IntraEncoder *self, uint8_t *const sources[3], unsigned mb_x, unsigned mb_y)
{
  Square chroma[2];
  IntraMacroblock macroblock;
  unsigned mode;

  for (unsigned blk = 0; blk < 16; blk++) {
    unsigned x = mb_x * 4 + intra_raster_of_block[blk] % 4, y = mb_y * 4 + intra_raster_of_block[blk] / 4;
    Square block = { .encoder = self, .plane = &self->planes[0], .source = sources[0], .x0 = x * 4, .y0 = y * 4, .side = 4 };

    self->modes[y * self->width_in_mbs * 4 + x] = (uint8_t) choose_mode (&block);
    code_block (&block, macroblock.luma[blk]);
    store_square (&block);
  }
  for (unsigned c = 0; c < 2; c++)
    chroma[c] =
        (Square){ .encoder = self, .plane = &self->planes[1 + c], .source = sources[1 + c], .x0 = mb_x * 8, .y0 = mb_y * 8, .side = 8 };
  mode = choose_chroma_mode (chroma);
  macroblock.chroma_mode = mode == DC ? 0 : mode == HORIZONTAL ? 1 : 2; /* Table 7-16 */
  for (unsigned c = 0; c < 2; c++) {
    code_chroma (&chroma[c], macroblock.dc[c], macroblock.ac[c]);
    store_square (&chroma[c]);
  }
  intra_syntax_macroblock (self, mb_x, mb_y, &macroblock);
}

static void
store_pcm (IntraEncoder *self, uint8_t *const sources[3], unsigned mb_x, unsigned mb_y)
{
  for (unsigned c = 0; c < 3; c++) {
    IntraPlane *plane = &self->planes[c];
    unsigned side = c ? 8 : 16;

    for (unsigned i = 0; i < side * side; i++) {
      size_t at = (size_t) (mb_y * side + i / side) * plane->width + mb_x * side + i % side;

      plane->samples[at] = plane->picture[at] = sources[c][at];
    }
  }
  for (unsigned i = 0; i < 16; i++)
    self->modes[(mb_y * 4 + i / 4) * self->width_in_mbs * 4 + mb_x * 4 + i % 4] = INTRA_ENCODER_PCM;
  intra_syntax_pcm (self, mb_x, mb_y);
}

static void *
allocate (size_t size)
{
  void *memory = calloc (1, size);

  if (!memory)
    abort ();
  return memory;
}

static void
make_plane (IntraPlane *plane, unsigned width, unsigned height)
{
  size_t n = (size_t) width * height;

  *plane = (IntraPlane){ .width = width,
    .height = height,
    .residual = allocate (n * 2),
    .picture = allocate (n),
    .samples = allocate (n * sizeof (double)),
    .total_coeff = allocate (n / 16) };
}

/* @source with its right and lower edge repeated to @plane's size */
static uint8_t *
extend (const IntraPlane *plane, const uint8_t *source, unsigned width, unsigned height)
{
  uint8_t *samples = allocate ((size_t) plane->width * plane->height);

  for (unsigned y = 0; y < plane->height; y++)
    for (unsigned x = 0; x < plane->width; x++)
      samples[(size_t) y * plane->width + x] = source[(size_t) (y < height ? y : height - 1) * width + (x < width ? x : width - 1)];
  return samples;
}

void
intra_encoder_encode (IntraEncoder *self, const uint8_t *const source[3], unsigned width, unsigned height,
    const IntraEncoderSettings *settings)
{
  unsigned width_in_mbs = (width + 15) / 16, height_in_mbs = (height + 15) / 16;
  uint8_t *sources[3];

  *self = (IntraEncoder){ .settings = *settings,
    .width_in_mbs = width_in_mbs,
    .height_in_mbs = height_in_mbs,
    .modes = allocate ((size_t) width_in_mbs * height_in_mbs * 16) };
  for (unsigned c = 0; c < 3; c++) {
    make_plane (&self->planes[c], width_in_mbs * (c ? 8 : 16), height_in_mbs * (c ? 8 : 16));
    sources[c] = extend (&self->planes[c], source[c], c ? width / 2 : width, c ? height / 2 : height);
  }
  intra_syntax_begin (self, width, height);
  for (unsigned mb = 0; mb < width_in_mbs * height_in_mbs; mb++) {
    if (settings->pcm_interval && mb % settings->pcm_interval == settings->pcm_interval - 1)
      store_pcm (self, sources, mb % width_in_mbs, mb / width_in_mbs);
    else
      code_macroblock (self, sources, mb % width_in_mbs, mb / width_in_mbs);
  }
  intra_syntax_end (self);
  for (unsigned c = 0; c < 3; c++)
    free (sources[c]);
}

void
intra_encoder_clear (IntraEncoder *self)
{
  for (unsigned c = 0; c < 3; c++) {
    free (self->planes[c].residual);
    free (self->planes[c].picture);
    free (self->planes[c].samples);
    free (self->planes[c].total_coeff);
  }
  free (self->modes);
  intra_bits_clear (&self->bits);
}
