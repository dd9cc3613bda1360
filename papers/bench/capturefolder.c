/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <dirent.h>

#include "capturefolder.h"

static int
is_capture (const struct dirent *entry)
{
  size_t length = strlen (entry->d_name);

  return length > 4 && strcmp (entry->d_name + length - 4, ".cap") == 0;
}

unsigned
capture_folder_list (Papers *papers, char ***paths)
{
  struct dirent **entries = NULL;
  int n = papers->captures ? scandir (papers->captures, &entries, is_capture, alphasort) : 0;

  if (papers->captures && n <= 0)
    fprintf (stderr, "%s: no captures\n", papers->captures);
  *paths = papers_alloc (((size_t) (n > 0 ? n : 0)) * sizeof (char *));
  for (int i = 0; i < n; i++) {
    size_t size = strlen (papers->captures) + strlen (entries[i]->d_name) + 2;

    (*paths)[i] = papers_alloc (size);
    snprintf ((*paths)[i], size, "%s/%s", papers->captures, entries[i]->d_name);
    free (entries[i]);
  }
  free (entries);
  return n > 0 ? (unsigned) n : 0;
}

FILE *
capture_folder_open (Papers *papers, const char *part)
{
  char **paths;
  unsigned n = capture_folder_list (papers, &paths);
  FILE *file = NULL;

  for (unsigned i = 0; i < n; i++) {
    if (!file && strstr (strrchr (paths[i], '/'), part))
      file = fopen (paths[i], "rb");
    free (paths[i]);
  }
  free (paths);
  return file;
}
