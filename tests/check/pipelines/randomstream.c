/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "randomstream.h"

#include <stdio.h>
#include <string.h>

#include <glib/gstdio.h>

#define MAX_PARTS 3
#define MAX_TRIES 20
#define TEXTURE_SIZE 64

typedef struct
{
  const gchar *name;
  guint n_planes; /* of the raw input, and so of the reconstruction: packed RGB becomes three */
  guint sub_x, sub_y;
} Format;

static const Format formats[] = {
  { "i420", 3, 1, 1 },
  { "i420", 3, 1, 1 },
  { "i420", 3, 1, 1 },
  { "i400", 1, 0, 0 },
  { "i422", 3, 1, 0 },
  { "i444", 3, 0, 0 },
  { "rgb", 3, 0, 0 },
};

/* One part of a stream: pictures and how they are encoded */
typedef struct
{
  const Format *format;
  guint depth, width, height, n_pictures;
  guint left, top, right, bottom; /* cropped */
  guint sar;
  GPtrArray *options; /* for x264 */
} Part;

/* What the pictures show: a texture that moves, fades, is cut and has noise, so that vectors, weights and new scenes are worth the
 * encoder's while */
typedef struct
{
  guint8 texture[2][TEXTURE_SIZE * TEXTURE_SIZE];
  gint dx, dy; /* samples a picture */
  guint scale; /* log2 of the size of a texture element */
  guint noise; /* highest amplitude, with 8 bits */
  guint fade;  /* pictures from light to dark; 0: none */
  guint cut;   /* picture with which another texture begins */
} Scene;

/* An option of x264 and what it may be, each as likely as the others: "" is the default, and several words are several arguments */
typedef struct
{
  const gchar *const values[12];
} Choice;

#define FLAT_BUT_TWO "4,16,16,16,16,16,16,16,16,16,16,16,16,16,16,255"
#define STEEP "6,13,20,28,13,20,28,32,20,28,32,37,28,32,37,42"

/* Without --direct none, with which x264 forgets to reconstruct some B pictures */
static const Choice choices[] = {
  { { "", "--no-cabac" } },
  { { "", "", "--no-8x8dct" } },
  { { "", "--partitions all", "--partitions none", "--partitions p8x8,p4x4", "--partitions i4x4,b8x8", "--partitions i8x8,p8x8" } },
  { { "", "--bframes 0", "--bframes 1", "--bframes 2", "--bframes 5", "--bframes 16" } },
  { { "", "--b-pyramid none", "--b-pyramid strict" } },
  { { "", "--b-adapt 0", "--b-adapt 2", "--b-bias 100" } },
  { { "", "--weightp 0", "--weightp 1", "--weightp 2" } },
  { { "", "--no-weightb" } },
  { { "", "--ref 1", "--ref 2", "--ref 5", "--ref 9", "--ref 16" } },
  { { "", "--direct temporal", "--direct auto" } },
  { { "", "", "", "--slices 2", "--slices 8", "--slice-max-size 150", "--slice-max-size 300 --slice-min-mbs 3", "--slice-max-mbs 2",
      "--slice-max-mbs 7" } },
  { { "", "", "", "--intra-refresh", "--open-gop", "--open-gop" } },
  { { "", "--keyint 1", "--keyint 3", "--keyint 8", "--keyint infinite" } },
  { { "", "--min-keyint 1", "--min-keyint 3" } },
  { { "", "--no-scenecut", "--scenecut 100" } },
  /* Not constrained intra prediction in MBAFF frames: x264 predicts from neighbours that are none then, and other decoders complain too. */
  { { "", "", "", "--fake-interlaced", "--tff", "--bff", "--constrained-intra", "--constrained-intra --fake-interlaced" } },
  { { "", "", "--pic-struct", "--aud" } },
  { { "", "", "--vbv-maxrate 500 --vbv-bufsize 300 --nal-hrd vbr", "--vbv-maxrate 300 --vbv-bufsize 300 --bitrate 300 --nal-hrd cbr" } },
  { { "", "--no-deblock", "--deblock -6:-6", "--deblock 6:6", "--deblock 3:-2" } },
  { { "", "", "--qp 0", "--qp 5", "--qp 18", "--qp 30", "--qp 40", "--qp 51", "--crf 15", "--crf 35", "--bitrate 100" } },
  { { "", "", "--qpmin 35", "--qpmax 20", "--qpstep 50" } },
  { { "", "", "--chroma-qp-offset -12", "--chroma-qp-offset 12" } },
  { { "", "", "", "--cqm jvt", "--cqm4 " STEEP, "--cqm4iy " FLAT_BUT_TWO, "--cqm4pc " STEEP } },
  { { "", "--trellis 0", "--trellis 2" } },
  { { "", "--no-psy", "--psy-rd 2.0:0.7" } },
  { { "", "--aq-mode 0", "--aq-mode 2", "--aq-mode 3 --aq-strength 3" } },
  { { "", "--me dia", "--me umh --merange 64", "--me tesa" } },
  { { "", "--subme 0", "--subme 1", "--subme 5", "--subme 9", "--subme 10" } },
  { { "", "--no-mixed-refs" } },
  { { "", "", "--no-fast-pskip", "--no-chroma-me", "--no-dct-decimate", "--nr 500" } },
  { { "", "", "--sps-id 1", "--sps-id 31" } },
  { { "", "", "--stitchable", "--bluray-compat" } },
  { { "", "", "--frame-packing 0", "--frame-packing 3", "--frame-packing 5" } },
  { { "", "", "--range pc", "--colormatrix bt709 --colorprim bt2020 --transfer smpte2084", "--chromaloc 2" } },
  { { "", "", "--ipratio 3 --pbratio 0.5" } },
};

static gboolean
one_in (GRand *random, gint n)
{
  return g_rand_int_range (random, 0, n) == 0;
}

static void
part_add_option (Part *part, const gchar *words)
{
  gchar **list = g_strsplit (words, " ", -1);

  for (guint i = 0; list[i]; i++)
    if (list[i][0] != '\0')
      g_ptr_array_add (part->options, g_strdup (list[i]));
  g_strfreev (list);
}

static void
part_choose_options (Part *part, GRand *random)
{
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++) {
    guint n = 0;

    while (n < G_N_ELEMENTS (choices[i].values) && choices[i].values[n])
      n++;
    part_add_option (part, choices[i].values[g_rand_int_range (random, 0, (gint) n)]);
  }
}

/* Sizes are even where 4:2:0 of flagged interlaced pictures could not be cropped otherwise */
static void
part_choose_size (Part *part, GRand *random)
{
  static const guint special[][2] = { { 16, 16 }, { 2, 2 }, { 4096, 16 }, { 16, 1024 }, { 1920, 1080 }, { 720, 576 } };

  part->width = (guint) g_rand_int_range (random, 8, 66) * 2;
  part->height = (guint) g_rand_int_range (random, 4, 25) * 4;
  part->n_pictures = (guint) g_rand_int_range (random, 1, 25);
  if (one_in (random, 8)) {
    const guint *size = special[g_rand_int_range (random, 0, G_N_ELEMENTS (special))];

    part->width = size[0];
    part->height = size[1];
    if (size[0] * size[1] > 100000)
      part->n_pictures = 1 + part->n_pictures % 5;
  }
  if (one_in (random, 3) && part->format->sub_x == 0)
    part->width++;
  if (one_in (random, 4) && part->width > 16 && part->height > 16) {
    part->left = (guint) g_rand_int_range (random, 0, 4) * 2;
    part->top = (guint) g_rand_int_range (random, 0, 3) * 4;
    part->right = (guint) g_rand_int_range (random, 0, 4) * 2;
    part->bottom = 4;
  }
}

static void
part_init (Part *part, GRand *random)
{
  memset (part, 0, sizeof (*part));
  part->options = g_ptr_array_new_with_free_func (g_free);
  part->format = &formats[g_rand_int_range (random, 0, G_N_ELEMENTS (formats))];
  part->depth = one_in (random, 3) ? 10 : 8;
  part_choose_size (part, random);
  part_choose_options (part, random);
  /* Fine noise at a low QP becomes I_PCM.  Above 8 bits x264 deblocks that as of QP'Y 0, where 8.7.2.2 says qPp 0; it shows where chroma
   * has a higher QP. */
  if (part->depth > 8)
    part_add_option (part, "--chroma-qp-offset 0");
  /* not more slices than GST_CODED_MAX_SLICES, and than any level allows */
  if (part->width * part->height > 100000)
    part_add_option (part, "--slice-max-size 1500");
}

static void
scene_init (Scene *scene, const Part *part, GRand *random)
{
  guint8 *texture = scene->texture[0];

  for (guint i = 0; i < sizeof (scene->texture); i++)
    texture[i] = (guint8) g_rand_int_range (random, 0, 256);
  scene->dx = g_rand_int_range (random, -5, 6);
  scene->dy = g_rand_int_range (random, -3, 4);
  scene->scale = (guint) g_rand_int_range (random, 0, 5);
  scene->noise = one_in (random, 2) ? 0 : (guint) g_rand_int_range (random, 1, 40);
  scene->fade = one_in (random, 2) ? 0 : part->n_pictures;
  scene->cut = (guint) g_rand_int_range (random, 0, (gint) part->n_pictures * 2);
}

/* The sample at (@x, @y) of picture @t, with 8 bits */
static guint
scene_sample (const Scene *scene, guint plane, guint x, guint y, guint t, guint32 *noise)
{
  const guint8 *texture = scene->texture[t >= scene->cut];
  const guint column = ((x + 4096 + (guint) (scene->dx * (gint) t)) >> scene->scale) % TEXTURE_SIZE;
  const guint row = ((y + 4096 + (guint) (scene->dy * (gint) t)) >> scene->scale) % TEXTURE_SIZE;
  guint value = (texture[row * TEXTURE_SIZE + column] + x + plane * 50) & 255;

  if (scene->fade > 0)
    value = value * (scene->fade - MIN (t, scene->fade - 1)) / scene->fade;
  if (scene->noise > 0) {
    *noise = *noise * 1664525 + 1013904223;
    value = MIN (value + (*noise >> 24) * scene->noise / 256, 255);
  }
  return value;
}

/* All pictures as x264 reads them: planes, or packed RGB */
static gboolean
write_pictures (const Part *part, const Scene *scene, const gchar *path)
{
  const gboolean packed = g_str_equal (part->format->name, "rgb");
  GByteArray *file = g_byte_array_new ();
  guint32 noise = 1;
  gboolean ok;

  for (guint t = 0; t < part->n_pictures; t++)
    for (guint plane = 0; plane < (packed ? 1 : part->format->n_planes); plane++) {
      const guint width = plane ? part->width >> part->format->sub_x : part->width * (packed ? 3 : 1);
      const guint height = plane ? part->height >> part->format->sub_y : part->height;

      for (guint y = 0; y < height; y++)
        for (guint x = 0; x < width; x++) {
          const guint value = scene_sample (scene, packed ? x % 3 : plane, packed ? x / 3 : x, y, t, &noise);
          const guint sample = part->depth == 8 ? value : value << 2 | (noise >> 20 & 3);
          const guint8 bytes[2] = { sample & 255, sample >> 8 };

          g_byte_array_append (file, bytes, part->depth == 8 ? 1 : 2);
        }
    }
  ok = g_file_set_contents (path, (const gchar *) file->data, file->len, NULL);
  g_byte_array_unref (file);
  return ok;
}

static void
add_argument (GPtrArray *arguments, const gchar *format, ...)
{
  va_list values;

  va_start (values, format);
  g_ptr_array_add (arguments, g_strdup_vprintf (format, values));
  va_end (values);
}

/* (transfer full) (element-type utf8): what runs x264 */
static GPtrArray *
get_command (const Part *part, const gchar *folder)
{
  GPtrArray *arguments = g_ptr_array_new_with_free_func (g_free);
  const gchar *csp = part->format->name;

  add_argument (arguments, "x264");
  for (guint i = 0; i < part->options->len; i++)
    add_argument (arguments, "%s", (const gchar *) g_ptr_array_index (part->options, i));
  if (part->left + part->top + part->right + part->bottom > 0) {
    add_argument (arguments, "--crop-rect");
    add_argument (arguments, "%u,%u,%u,%u", part->left, part->top, part->right, part->bottom);
  }
  add_argument (arguments, "--input-csp=%s", csp);
  add_argument (arguments, "--output-csp=%s", csp);
  add_argument (arguments, "--input-depth=%u", part->depth);
  add_argument (arguments, "--output-depth=%u", part->depth);
  add_argument (arguments, "--input-res=%ux%u", part->width, part->height);
  add_argument (arguments, "--demuxer=raw");
  add_argument (arguments, "--threads=1");
  add_argument (arguments, "--cpu-independent");
  add_argument (arguments, "--no-progress");
  add_argument (arguments, "--log-level=error");
  add_argument (arguments, "--dump-yuv=%s/reconstruction", folder);
  add_argument (arguments, "--output=%s/stream.264", folder);
  add_argument (arguments, "%s/pictures", folder);
  g_ptr_array_add (arguments, NULL);
  return arguments;
}

/* (transfer full) (nullable): contents of a file, which is removed */
static GBytes *
take_file (const gchar *folder, const gchar *name)
{
  gchar *path = g_build_filename (folder, name, NULL), *data = NULL;
  gsize size = 0;
  const gboolean ok = g_file_get_contents (path, &data, &size, NULL);

  g_unlink (path);
  g_free (path);
  return ok ? g_bytes_new_take (data, size) : NULL;
}

/* Encodes @part; the reconstruction in @reconstruction. */
static GBytes *
part_encode (const Part *part, const Scene *scene, const gchar *folder, GBytes **reconstruction, GString *description)
{
  GPtrArray *command = get_command (part, folder);
  gchar *input = g_build_filename (folder, "pictures", NULL), *words = g_strjoinv (" ", (gchar **) command->pdata), *said = NULL;
  GBytes *stream = NULL;
  gint status = 1;

  g_string_append_printf (description, "  %s\n", words);
  *reconstruction = NULL;
  if (write_pictures (part, scene, input)
      && g_spawn_sync (NULL, (gchar **) command->pdata, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, &said, &status, NULL)
      && g_spawn_check_wait_status (status, NULL)) {
    stream = take_file (folder, "stream.264");
    *reconstruction = take_file (folder, "reconstruction");
  } else {
    g_string_append (description, said ? said : "x264 cannot be started\n");
  }
  g_unlink (input);
  g_free (said);
  g_free (words);
  g_free (input);
  g_ptr_array_unref (command);
  return stream;
}

/* Rows within the cropping rectangle; 4:0:0 as 4:2:0, with chroma at half scale; returns the number of pictures. */
static guint
digest_reconstruction (const Part *part, GBytes *reconstruction, GChecksum *md5)
{
  const guint sample_size = part->depth == 8 ? 1 : 2, n_planes = part->format->n_planes;
  const guint width = part->width - part->left - part->right, height = part->height - part->top - part->bottom;
  const gsize n_grey = (gsize) ((width + 1) / 2) * ((height + 1) / 2) * 2;
  gsize size, at = 0;
  const guint8 *data = g_bytes_get_data (reconstruction, &size);
  guint n_pictures = 0;

  for (; at < size; n_pictures++) {
    for (guint plane = 0; plane < n_planes; plane++) {
      const guint sub_x = plane ? part->format->sub_x : 0, sub_y = plane ? part->format->sub_y : 0;
      const gsize pitch = (gsize) (part->width >> sub_x) * sample_size;

      for (guint y = part->top >> sub_y; y < (part->top + height) >> sub_y && at + (y + 1) * pitch <= size; y++)
        g_checksum_update (md5, data + at + y * pitch + (part->left >> sub_x) * sample_size, (gssize) ((width >> sub_x) * sample_size));
      at += pitch * (part->height >> sub_y);
    }
    for (gsize i = 0; n_planes == 1 && i < n_grey; i++)
      g_checksum_update (md5, (const guint8[]){ part->depth == 8 ? 128 : 0, 2 }, sample_size);
  }
  return n_pictures;
}

/* FALSE where the encoder failed, as it does with options that contradict each other */
static gboolean
try_part (RandomStream *self, GByteArray *bytes, GChecksum *md5, GRand *random, const gchar *folder, GString *description)
{
  GBytes *stream, *reconstruction;
  Scene scene;
  Part part;
  gboolean ok;

  part_init (&part, random);
  scene_init (&scene, &part, random);
  stream = part_encode (&part, &scene, folder, &reconstruction, description);
  ok = stream && reconstruction;
  if (ok) {
    g_byte_array_append (bytes, g_bytes_get_data (stream, NULL), (guint) g_bytes_get_size (stream));
    self->n_pictures += digest_reconstruction (&part, reconstruction, md5);
  }
  g_clear_pointer (&stream, g_bytes_unref);
  g_clear_pointer (&reconstruction, g_bytes_unref);
  g_ptr_array_unref (part.options);
  return ok;
}

static gboolean
add_part (RandomStream *self, GByteArray *bytes, GChecksum *md5, GRand *random, const gchar *folder, GString *description)
{
  const gsize before = description->len;

  for (guint i = 0; i < MAX_TRIES; i++) {
    g_string_truncate (description, before);
    if (try_part (self, bytes, md5, random, folder, description))
      return TRUE;
  }
  return FALSE;
}

gboolean
random_stream_is_possible (void)
{
  gchar *path = g_find_program_in_path ("x264");

  g_free (path);
  return path != NULL;
}

void
random_stream_make (RandomStream *self, guint32 seed, const gchar *folder)
{
  GRand *random = g_rand_new_with_seed (seed);
  GChecksum *md5 = g_checksum_new (G_CHECKSUM_MD5);
  GByteArray *bytes = g_byte_array_new ();
  GString *description = g_string_new (NULL);
  const guint n_parts = one_in (random, 3) ? (guint) g_rand_int_range (random, 2, MAX_PARTS + 1) : 1;
  gboolean ok = TRUE;

  memset (self, 0, sizeof (*self));
  for (guint i = 0; ok && i < n_parts; i++)
    ok = add_part (self, bytes, md5, random, folder, description);
  self->md5 = g_strdup (g_checksum_get_string (md5));
  self->bytes = g_byte_array_free_to_bytes (bytes);
  if (!ok)
    g_clear_pointer (&self->bytes, g_bytes_unref);
  self->description = g_string_free (description, FALSE);
  g_checksum_free (md5);
  g_rand_free (random);
}

void
random_stream_clear (RandomStream *self)
{
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_clear_pointer (&self->md5, g_free);
  g_clear_pointer (&self->description, g_free);
}
