/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "streamlist.h"

#include <string.h>

static void
stream_free (gpointer data)
{
  Stream *stream = data;

  g_free (stream->name);
  g_free (stream->path);
  g_free (stream->md5);
  g_free (stream->format);
  g_free (stream);
}

/* (element-type GStrv): the lines of a tab-separated file, without comments; NULL where it cannot be read */
static GPtrArray *
read_table (const gchar *folder, const gchar *name)
{
  gchar *path = g_build_filename (folder, name, NULL);
  GPtrArray *rows = NULL;
  gchar *text, **lines;

  if (g_file_get_contents (path, &text, NULL, NULL)) {
    rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
    lines = g_strsplit (text, "\n", -1);
    for (guint i = 0; lines[i]; i++)
      if (lines[i][0] != '\0' && lines[i][0] != '#')
        g_ptr_array_add (rows, g_strsplit (lines[i], "\t", -1));
    g_strfreev (lines);
    g_free (text);
  }
  g_free (path);
  return rows;
}

/* What manifests have wrong.  x264_crop_rect.264: its md5 was taken from FFmpeg without `-flags unaligned`, which moves the left edge of
 * the cropping rectangle to an aligned address: a picture of 342x280, where the SPS, and the manifest itself, say 338x280. */
static const struct
{
  const gchar *name, *md5;
} corrections[] = {
  { "made/x264_crop_rect.264", "ba8c769dd17cdf2c9588461245b28224" },
};

static const gchar *
correct_md5 (const gchar *name, const gchar *md5)
{
  for (guint i = 0; i < G_N_ELEMENTS (corrections); i++)
    if (g_str_equal (corrections[i].name, name))
      return corrections[i].md5;
  return md5;
}

static gboolean
has_any_word (const gchar *const *list, const gchar *const *words)
{
  while (*words && !g_strv_contains (list, *words))
    words++;
  return *words != NULL;
}

/* What the words of features.tsv mean for a decoder of progressive pictures.  Data partitions (of the Extended profile) are not counted
 * there. */
static StreamKind
kind_of_features (const gchar *features, const gchar *profile)
{
  static const gchar *const refused[] = { "slices=IPSP", NULL };
  /* "slices=" alone: not counted, so the decoder has to tell */
  static const gchar *const uncertain[] = { "slices=", NULL };
  gchar **words = g_strsplit (features, " ", -1);
  const gchar *const *list = (const gchar *const *) words;
  StreamKind kind = STREAM_DECODES;

  if (has_any_word (list, refused))
    kind = STREAM_REFUSED;
  else if (has_any_word (list, uncertain) || strstr (features, "FMO") || g_str_equal (profile, "Extended"))
    kind = STREAM_MAY_DECODE;
  g_strfreev (words);
  return kind;
}

static gboolean
features_are_interlaced (const gchar *features)
{
  static const gchar *const interlaced[] = { "field", "PAFF", "MBAFF", NULL };
  gchar **words = g_strsplit (features, " ", -1);
  const gboolean is_interlaced = has_any_word ((const gchar *const *) words, interlaced);

  g_strfreev (words);
  return is_interlaced;
}

static void
add_manifest (GPtrArray *streams, const gchar *folder, const gchar *manifest, GHashTable *features)
{
  GPtrArray *rows = read_table (folder, manifest);

  for (guint i = 0; rows && i < rows->len; i++) {
    gchar **row = g_ptr_array_index (rows, i);
    const gchar *words = features && g_strv_length (row) > 3 ? g_hash_table_lookup (features, row[0]) : NULL;
    Stream *stream;

    if (g_strv_length (row) < 3 || (features && !words))
      continue;
    stream = g_new0 (Stream, 1);
    stream->name = g_strdup (row[0]);
    stream->path = g_build_filename (folder, row[0], NULL);
    stream->md5 = g_strdup (correct_md5 (row[0], row[1]));
    stream->format = g_strdup (row[2]);
    stream->has_inter = words && !strstr (words, "slices=I ");
    stream->is_interlaced = words && features_are_interlaced (words);
    stream->kind = words ? kind_of_features (words, row[3]) : STREAM_DECODES;
    g_ptr_array_add (streams, stream);
  }
  g_clear_pointer (&rows, g_ptr_array_unref);
}

GPtrArray *
stream_list_own (void)
{
  GPtrArray *streams = g_ptr_array_new_with_free_func (stream_free);

  add_manifest (streams, TEST_DATA, "manifest.tsv", NULL);
  g_assert_cmpuint (streams->len, >, 0);
  return streams;
}

static const gchar *
vectors_folder (void)
{
  return g_getenv (STREAMS_VARIABLE) ? g_getenv (STREAMS_VARIABLE) : DEFAULT_STREAMS;
}

GBytes *
stream_vector_read (const gchar *name)
{
  gchar *path = g_build_filename (vectors_folder (), name, NULL), *data;
  GBytes *bytes = NULL;
  gsize size;

  if (g_file_get_contents (path, &data, &size, NULL))
    bytes = g_bytes_new_take (data, size);
  g_free (path);
  return bytes;
}

GPtrArray *
stream_list_vectors (void)
{
  const gchar *folder = vectors_folder ();
  GPtrArray *rows = read_table (folder, "features.tsv");
  GPtrArray *streams;
  GHashTable *features;

  if (!rows)
    return NULL;

  features = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < rows->len; i++) {
    gchar **row = g_ptr_array_index (rows, i);

    if (g_strv_length (row) >= 2)
      g_hash_table_insert (features, row[0], row[1]);
  }
  streams = g_ptr_array_new_with_free_func (stream_free);
  add_manifest (streams, folder, "manifest.tsv", features);
  add_manifest (streams, folder, "made/manifest.tsv", features);
  g_hash_table_unref (features);
  g_ptr_array_unref (rows);
  return streams;
}
