/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * encode-intra QP WAY MODES PCM FILTER IN.y4m OUT.264 PICTURES: encodes every picture of IN.  PICTURES: what a decoder that works the
 * same way shows, without loop filter, plane after plane.  QP: 12 to 51; WAY: 0 to 3, as IntraEncoderWay; MODES: a bit for each
 * Intra4x4PredMode; PCM: each so manieth macroblock is I_PCM, 0: none; FILTER: 0 or 1.  Prints kbit a picture and PSNR of the source's
 * luma.
 */
#include <math.h>
#include <stdlib.h>

#include "intraencoder.h"
#include "y4m.h"

typedef struct
{
  double bits, squares;
  unsigned n_pictures;
} Totals;

static void
write_data (FILE *file, const void *data, size_t size)
{
  if (fwrite (data, 1, size, file) == size)
    return;
  perror ("writing");
  exit (1);
}

static FILE *
create (const char *path)
{
  FILE *file = fopen (path, "wb");

  if (file)
    return file;
  perror (path);
  exit (1);
}

static unsigned
number (const char *text, unsigned low, unsigned high, const char *what)
{
  char *end;
  unsigned long value = strtoul (text, &end, 0);

  if (end != text && !*end && value >= low && value <= high)
    return (unsigned) value;
  fprintf (stderr, "%s is %u to %u\n", what, low, high);
  exit (2);
}

/* As large as it is shown */
static void
write_picture (FILE *file, const IntraEncoder *encoder, const Y4m *source)
{
  for (unsigned c = 0; c < 3; c++)
    for (unsigned y = 0; y < source->height / (c ? 2 : 1); y++)
      write_data (file, encoder->planes[c].picture + (size_t) y * encoder->planes[c].width, source->width / (c ? 2 : 1));
}

static void
add_totals (Totals *totals, const IntraEncoder *encoder, const Y4m *source)
{
  totals->bits += 8. * (double) encoder->bits.size;
  totals->n_pictures++;
  for (unsigned y = 0; y < source->height; y++)
    for (unsigned x = 0; x < source->width; x++) {
      double difference =
          encoder->planes[0].picture[(size_t) y * encoder->planes[0].width + x] - source->planes[0][(size_t) y * source->width + x];

      totals->squares += difference * difference / ((double) source->width * source->height);
    }
}

int
main (int argc, char **argv)
{
  IntraEncoderSettings settings;
  Totals totals = { 0 };
  FILE *stream, *pictures;
  IntraEncoder encoder;
  Y4m source;

  if (argc != 9) {
    fprintf (stderr, "usage: %s QP WAY MODES PCM FILTER IN.y4m OUT.264 PICTURES\n", argv[0]);
    return 2;
  }
  settings = (IntraEncoderSettings){ .qp = number (argv[1], 12, 51, "QP"),
    .way = (IntraEncoderWay) number (argv[2], 0, INTRA_ENCODER_N_WAYS - 1, "WAY"),
    .modes = number (argv[3], 1, INTRA_ENCODER_ALL, "MODES") & INTRA_ENCODER_ALL,
    .pcm_interval = number (argv[4], 0, 1u << 20, "PCM"),
    .filter = (int) number (argv[5], 0, 1, "FILTER") };
  y4m_open (&source, argv[6]);
  stream = create (argv[7]);
  pictures = create (argv[8]);
  while (y4m_read (&source)) {
    intra_encoder_encode (&encoder, (const uint8_t *const *) source.planes, source.width, source.height, &settings);
    write_data (stream, encoder.bits.data, encoder.bits.size);
    write_picture (pictures, &encoder, &source);
    add_totals (&totals, &encoder, &source);
    intra_encoder_clear (&encoder);
  }
  y4m_close (&source);
  if (fclose (stream) != 0 || fclose (pictures) != 0 || totals.n_pictures == 0) {
    fprintf (stderr, "%s: no pictures, or no room for them\n", argv[6]);
    return 1;
  }
  printf ("pictures=%u kbit=%.2f psnr=%.2f\n", totals.n_pictures, totals.bits / 1000 / totals.n_pictures,
      10 * log10 (255 * 255 * totals.n_pictures / totals.squares));
  return 0;
}
