/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "mutate.h"

/* Parts of the stream in order, each a GBytes that starts with a start code */
static GPtrArray *
split_nal_units (GBytes *stream)
{
  GPtrArray *units = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  gsize size, start = 0;
  const guint8 *data = g_bytes_get_data (stream, &size);

  for (gsize i = 1; i + 3 < size; i++) {
    /* four-byte start codes have a zero_byte first, which belongs to the unit that follows */
    if (data[i] == 0 && data[i + 1] == 0 && (data[i + 2] == 1 || (data[i + 2] == 0 && data[i + 3] == 1))) {
      g_ptr_array_add (units, g_bytes_new_from_bytes (stream, start, i - start));
      start = i;
      i += data[i + 2] == 1 ? 2 : 3;
    }
  }
  if (start < size)
    g_ptr_array_add (units, g_bytes_new_from_bytes (stream, start, size - start));
  return units;
}

static GBytes *
join_nal_units (GPtrArray *units)
{
  GByteArray *stream = g_byte_array_new ();

  for (guint i = 0; i < units->len; i++) {
    gsize size;
    const guint8 *data = g_bytes_get_data (g_ptr_array_index (units, i), &size);

    g_byte_array_append (stream, data, size);
  }
  return g_byte_array_free_to_bytes (stream);
}

/* A slice (nal_unit_type 1 or 5) whose first_mb_in_slice is 0: one bit 1 */
static gboolean
starts_picture (GBytes *unit)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (unit, &size);
  gsize header = size > 2 && data[2] == 1 ? 3 : 4;
  guint nal_unit_type = size > header + 1 ? data[header] & 31 : 0;

  return (nal_unit_type == 1 || nal_unit_type == 5) && (data[header + 1] & 0x80);
}

GBytes *
mutate_cut (GBytes *stream, gsize max_size)
{
  GPtrArray *units = split_nal_units (stream);
  guint n, n_pictures = 0;
  gsize size = 0;
  GBytes *cut;

  for (n = 0; n < units->len; n++) {
    GBytes *unit = g_ptr_array_index (units, n);

    if (starts_picture (unit))
      n_pictures++;
    if (n_pictures > 1 && size + g_bytes_get_size (unit) > max_size)
      break;
    size += g_bytes_get_size (unit);
  }
  g_ptr_array_set_size (units, n);
  cut = join_nal_units (units);
  g_ptr_array_unref (units);
  return cut;
}

static void
replace_unit (GPtrArray *units, guint i, guint8 *data, gsize size)
{
  g_bytes_unref (g_ptr_array_index (units, i));
  g_ptr_array_index (units, i) = g_bytes_new_take (data, size);
}

/* Somewhere behind the start code and NAL unit header; most faults hit the first bytes, where the headers are. */
static gsize
random_offset (GRand *random, gsize size)
{
  gsize end = g_rand_boolean (random) ? MIN (size, 40) : size;

  return end > 5 ? (gsize) g_rand_int_range (random, 4, end) : MAX (size, 1) - 1;
}

static void
flip_bits (GPtrArray *units, guint i, GRand *random, GString *description)
{
  gsize size = g_bytes_get_size (g_ptr_array_index (units, i));
  guint8 *data = g_memdup2 (g_bytes_get_data (g_ptr_array_index (units, i), NULL), size);
  guint n = g_rand_int_range (random, 1, 9);

  for (guint k = 0; k < n && size > 0; k++)
    data[random_offset (random, size)] ^= 1 << g_rand_int_range (random, 0, 8);
  replace_unit (units, i, data, size);
  g_string_append_printf (description, " %u bits flipped in unit %u;", n, i);
}

static void
overwrite_bytes (GPtrArray *units, guint i, GRand *random, GString *description)
{
  gsize size = g_bytes_get_size (g_ptr_array_index (units, i));
  guint8 *data = g_memdup2 (g_bytes_get_data (g_ptr_array_index (units, i), NULL), size);
  gsize offset = random_offset (random, size);
  gsize n = g_rand_int_range (random, 1, 65);

  n = MIN (n, size - offset);
  for (gsize k = 0; k < n; k++)
    data[offset + k] = g_rand_int_range (random, 0, 256);
  replace_unit (units, i, data, size);
  g_string_append_printf (description, " %" G_GSIZE_FORMAT " bytes overwritten in unit %u;", n, i);
}

static void
cut_unit (GPtrArray *units, guint i, GRand *random, GString *description)
{
  GBytes *unit = g_ptr_array_index (units, i);
  gsize size = random_offset (random, g_bytes_get_size (unit));

  g_ptr_array_index (units, i) = g_bytes_new_from_bytes (unit, 0, size);
  g_bytes_unref (unit);
  g_string_append_printf (description, " unit %u cut to %" G_GSIZE_FORMAT " bytes;", i, size);
}

static void
double_unit (GPtrArray *units, guint i, GRand *random, GString *description)
{
  guint to = g_rand_int_range (random, 0, units->len + 1);

  g_ptr_array_insert (units, to, g_bytes_ref (g_ptr_array_index (units, i)));
  g_string_append_printf (description, " unit %u doubled at %u;", i, to);
}

static void
exchange_units (GPtrArray *units, guint i, GRand *random, GString *description)
{
  guint other = g_rand_int_range (random, 0, units->len);
  gpointer unit = g_ptr_array_index (units, i);

  g_ptr_array_index (units, i) = g_ptr_array_index (units, other);
  g_ptr_array_index (units, other) = unit;
  g_string_append_printf (description, " units %u and %u exchanged;", i, other);
}

static void
remove_unit (GPtrArray *units, guint i, GRand *random, GString *description)
{
  g_ptr_array_remove_index (units, i);
  g_string_append_printf (description, " unit %u removed;", i);
}

GBytes *
mutate_stream (GBytes *stream, guint32 seed, gchar **description)
{
  static void (*const faults[]) (GPtrArray *, guint, GRand *, GString *) = { flip_bits, flip_bits, flip_bits, overwrite_bytes, cut_unit,
    double_unit, exchange_units, remove_unit };
  GRand *random = g_rand_new_with_seed (seed);
  GPtrArray *units = split_nal_units (stream);
  GString *text = g_string_new (NULL);
  guint n_faults = g_rand_int_range (random, 1, 4);
  GBytes *mutated;

  for (guint i = 0; i < n_faults && units->len > 1; i++)
    faults[g_rand_int_range (random, 0, G_N_ELEMENTS (faults))](units, g_rand_int_range (random, 0, units->len), random, text);
  mutated = join_nal_units (units);
  *description = g_string_free (text, FALSE);
  g_ptr_array_unref (units);
  g_rand_free (random);
  return mutated;
}
