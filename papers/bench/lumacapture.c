/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "blockpicture.h"
#include "lumacapture.h"

FILE *
luma_capture_open (const char *path)
{
  FILE *file = fopen (path, "rb");

  if (!file)
    perror (path);
  return file;
}

/* Modes and residual of a macroblock; 0 where it is not Intra_4x4, or predicts from above right */
static int
take_macroblock (const BlockPicture *picture, unsigned mb_addr, LumaCapture *self)
{
  const GstGpuMb *mb = &block_picture_mbs (picture)[mb_addr];
  unsigned mb_x = mb_addr % picture->head.width_in_mbs, mb_y = mb_addr / picture->head.width_in_mbs;

  for (unsigned blk = 0; blk < 16; blk++) {
    unsigned x = mb_x * 4 + (blk & 1) + (blk >> 1 & 2), y = mb_y * 4 + (blk >> 1 & 1) + (blk >> 2 & 2);
    const int16_t *block = picture->frame_residual + (size_t) mb_addr * BLOCK_PICTURE_MB + blk * 16;
    uint8_t mode = mb->intra_modes[blk / 2] >> blk % 2 * 4 & 15;

    if (mb->mb_class != GST_GPU_MB_I4x4 || mode == 3 || mode == 7)
      return 0;
    self->restricted &= mode < 2 || (x == 0 && y == 0);
    self->modes[(size_t) y * (self->width / 4) + x] = mode;
    for (unsigned i = 0; i < 16; i++)
      self->residual[(size_t) (y * 4 + i / 4) * self->width + x * 4 + i % 4] = block[i];
  }
  return 1;
}

static int
take (const BlockPicture *picture, LumaCapture *self)
{
  int taken = 1;

  *self = (LumaCapture){ .width = picture->head.width_in_mbs * 16, .height = picture->head.height_in_mbs * 16, .restricted = 1 };
  self->modes = papers_alloc ((size_t) self->width * self->height / 16);
  self->residual = papers_alloc ((size_t) self->width * self->height * 2);
  for (unsigned i = 0; i < picture->n_mbs && taken; i++)
    taken = take_macroblock (picture, i, self);
  if (!taken)
    luma_capture_clear (self);
  return taken;
}

int
luma_capture_read (LumaCapture *self, FILE *file)
{
  BlockPicture picture;
  int taken = 0;

  while (!taken && file && block_picture_read (&picture, file)) {
    taken = take (&picture, self);
    block_picture_clear (&picture);
  }
  return taken;
}

void
luma_capture_clear (LumaCapture *self)
{
  free (self->modes);
  free (self->residual);
  memset (self, 0, sizeof (*self));
}

void
luma_capture_close (FILE *file, const char *path, unsigned n_pictures)
{
  if (n_pictures == 0)
    fprintf (stderr, "%s: no picture of Intra_4x4 alone, without prediction from above right; left out\n", path);
  if (file)
    fclose (file);
}

void
luma_capture_write_name (PapersTable *table, const char *path, int restricted)
{
  const char *name = strrchr (path, '/') + 1;

  papers_cell (table, "%.*s", (int) strlen (name) - 4, name);
  papers_cell (table, "%s", restricted ? "V and H" : "all but above right");
}
