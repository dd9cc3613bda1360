/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * encode-intra QP WAY WIDTH HEIGHT IN OUT PICTURE: encodes raw luma samples; PICTURE is what a decoder has to show.  WAY: 0 to 3, as
 * IntraEncoderWay
 */
#include <stdio.h>
#include <stdlib.h>

#include "intraencoder.h"

static void
write_file (const char *path, const void *data, size_t size)
{
  FILE *file = fopen (path, "wb");

  if (!file || fwrite (data, 1, size, file) != size || fclose (file) != 0) {
    perror (path);
    exit (1);
  }
}

int
main (int argc, char **argv)
{
  unsigned qp, way, width, height;
  IntraEncoder encoder;
  uint8_t *source;
  FILE *file;

  if (argc != 8) {
    fprintf (stderr, "usage: %s QP WAY WIDTH HEIGHT IN OUT PICTURE\n", argv[0]);
    return 2;
  }
  qp = (unsigned) atoi (argv[1]);
  way = (unsigned) atoi (argv[2]);
  width = (unsigned) atoi (argv[3]);
  height = (unsigned) atoi (argv[4]);
  if (qp < 12 || qp > 51 || way >= INTRA_ENCODER_N_WAYS || !width || !height || width % 16 || height % 16 || width > 4096
      || height > 4096) {
    fprintf (stderr, "QP is 12 to 51, WAY 0 to 3; the size is whole macroblocks, at most 4096\n");
    return 2;
  }
  source = malloc ((size_t) width * height);
  file = fopen (argv[5], "rb");
  if (!source || !file || fread (source, 1, (size_t) width * height, file) != (size_t) width * height) {
    perror (argv[5]);
    return 1;
  }
  fclose (file);
  intra_encoder_encode (&encoder, source, width, height, qp, (IntraEncoderWay) way);
  write_file (argv[6], encoder.bits.data, encoder.bits.size);
  write_file (argv[7], encoder.picture, (size_t) width * height);
  intra_encoder_clear (&encoder);
  free (source);
  return 0;
}
