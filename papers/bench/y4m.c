/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <string.h>

#include "y4m.h"

#define MAX_LINE 256

static void
fail (const char *path, const char *what)
{
  fprintf (stderr, "%s: %s\n", path, what);
  exit (1);
}

static void
parse_header (Y4m *self, char *line)
{
  strtok (line, " \n");
  for (char *word; (word = strtok (NULL, " \n"));) {
    if (*word == 'W')
      self->width = (unsigned) strtoul (word + 1, NULL, 10);
    else if (*word == 'H')
      self->height = (unsigned) strtoul (word + 1, NULL, 10);
    else if (*word == 'C' && (strncmp (word, "C420", 4) != 0 || strchr (word, 'p')) && strcmp (word, "C420jpeg") != 0
        && strcmp (word, "C420mpeg2") != 0 && strcmp (word, "C420paldv") != 0)
      self->width = 0;
  }
}

void
y4m_open (Y4m *self, const char *path)
{
  char line[MAX_LINE];

  *self = (Y4m){ .file = fopen (path, "rb") };
  if (!self->file)
    fail (path, "cannot be opened");
  if (!fgets (line, sizeof (line), self->file) || strncmp (line, "YUV4MPEG2 ", 10) != 0)
    fail (path, "is not YUV4MPEG2");
  parse_header (self, line);
  if (!self->width || !self->height || self->width % 2 || self->height % 2 || self->width > 4096 || self->height > 4096)
    fail (path, "has not 4:2:0 of 8 bits, or no even size up to 4096");
  for (unsigned c = 0; c < 3; c++) {
    self->planes[c] = malloc ((size_t) self->width * self->height / (c ? 4 : 1));
    if (!self->planes[c])
      abort ();
  }
}

int
y4m_read (Y4m *self)
{
  char line[MAX_LINE];

  if (!fgets (line, sizeof (line), self->file) || strncmp (line, "FRAME", 5) != 0)
    return 0;
  for (unsigned c = 0; c < 3; c++)
    if (fread (self->planes[c], (size_t) self->width * self->height / (c ? 4 : 1), 1, self->file) != 1)
      return 0;
  return 1;
}

void
y4m_close (Y4m *self)
{
  fclose (self->file);
  for (unsigned c = 0; c < 3; c++)
    free (self->planes[c]);
}
