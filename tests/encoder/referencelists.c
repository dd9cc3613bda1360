/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "referencelists.h"

/* All fields of MAX_DECODED_FRAMES frames */
#define MAX_ENTRIES (2 * MAX_DECODED_FRAMES)

typedef struct
{
  ModelReference entries[MAX_ENTRIES];
  guint n;
} List;

static gboolean
has_field (const DecodedFrames *decoded, const ModelFrame *frame, gint parity)
{
  return decoded->first_field < 0 || frame != decoded->frames[0] || parity == decoded->first_field;
}

/* 8.2.4.2.5: fields of @frames, alternately, from the parity that is decoded on */
static void
list_fields (List *list, const DecodedFrames *decoded, const ModelFrame *const *frames, gint parity)
{
  guint next[2] = { 0, 0 };

  list->n = 0;
  for (gint wanted = parity; next[0] < decoded->n || next[1] < decoded->n; wanted = 1 - wanted) {
    while (next[wanted] < decoded->n && !has_field (decoded, frames[next[wanted]], wanted))
      next[wanted]++;
    if (next[wanted] < decoded->n)
      list->entries[list->n++] = (ModelReference){ frames[next[wanted]++], wanted };
  }
}

/* PicOrderCnt () of a frame, of which there may be one field only */
static gint
poc_of_frame (const DecodedFrames *decoded, const ModelFrame *frame)
{
  const ModelReference reference = { frame, decoded->first_field >= 0 && frame == decoded->frames[0] ? decoded->first_field : -1 };

  return model_poc (&reference);
}

/* 8.2.4.2.3, 8.2.4.2.4: frames before the picture from the nearest on, then those behind it; of list 1 the other way round */
static void
order_by_poc (const PictureModel *picture, const DecodedFrames *decoded, guint list, const ModelFrame *frames[MAX_DECODED_FRAMES])
{
  gint keys[MAX_DECODED_FRAMES];

  for (guint i = 0; i < decoded->n; i++) {
    const gint distance = poc_of_frame (decoded, decoded->frames[i]) - picture->poc;
    const gboolean is_past = distance <= 0;
    const gint key = ABS (distance) + (is_past == (list == 0) ? 0 : 1 << 20);
    guint at = i;

    for (; at > 0 && keys[at - 1] > key; at--) {
      keys[at] = keys[at - 1];
      frames[at] = frames[at - 1];
    }
    keys[at] = key;
    frames[at] = decoded->frames[i];
  }
}

static void
init_list (List *list, const PictureModel *picture, const DecodedFrames *decoded, const ModelFrame *const *frames)
{
  if (picture->field) {
    list_fields (list, decoded, frames, (gint) picture->bottom);
    return;
  }
  list->n = decoded->n;
  for (guint i = 0; i < list->n; i++)
    list->entries[i] = (ModelReference){ frames[i], -1 };
}

static gboolean
lists_are_equal (const List *a, const List *b)
{
  for (guint i = 0; i < MAX (a->n, b->n); i++)
    if (a->n != b->n || a->entries[i].frame != b->entries[i].frame || a->entries[i].parity != b->entries[i].parity)
      return FALSE;
  return TRUE;
}

/* 8.2.4.2 */
static void
init_lists (List lists[2], const PictureModel *picture, const DecodedFrames *decoded, guint n_lists)
{
  if (n_lists == 1) {
    init_list (&lists[0], picture, decoded, decoded->frames);
    return;
  }
  for (guint list = 0; list < 2; list++) {
    const ModelFrame *frames[MAX_DECODED_FRAMES];

    order_by_poc (picture, decoded, list, frames);
    init_list (&lists[list], picture, decoded, frames);
  }
  if (lists[1].n > 1 && lists_are_equal (&lists[0], &lists[1])) {
    const ModelReference first = lists[1].entries[0];

    lists[1].entries[0] = lists[1].entries[1];
    lists[1].entries[1] = first;
  }
}

/* The initial list as far as it goes, or any entries of it in any order */
static void
choose_list (ModelSlice *slice, guint list, const List *initial, GRand *rand)
{
  slice->modified[list] = g_rand_int_range (rand, 0, 2);
  slice->n_references[list] = (guint) g_rand_int_range (rand, 1, 1 + (slice->modified[list] ? MODEL_MAX_REFERENCES : (gint) initial->n));
  for (guint i = 0; i < slice->n_references[list]; i++)
    slice->references[list][i] = initial->entries[slice->modified[list] ? (guint) g_rand_int_range (rand, 0, (gint) initial->n) : i];
}

/* Weights that the slice's blocks may have: the sum of two is -128 to 128, or 127 where the denominator is 2^7 (8.4.2.3). */
static void
choose_weights (ModelSlice *slice, GRand *rand)
{
  const gint limit = slice->n_lists == 2 ? 64 : 128;

  for (guint chroma = 0; chroma < 2; chroma++)
    slice->log2_denom[chroma] = (guint) g_rand_int_range (rand, 0, 8);
  for (guint list = 0; list < slice->n_lists; list++)
    for (guint i = 0; i < slice->n_references[list]; i++) {
      const gboolean is_default[2] = { g_rand_int_range (rand, 0, 3) == 0, g_rand_int_range (rand, 0, 3) == 0 };

      for (guint plane = 0; plane < 3; plane++) {
        const gint one = 1 << slice->log2_denom[plane > 0], other = one + g_rand_int_range (rand, -20, 21);
        ModelWeight *weight = &slice->weights[list][i][plane];

        *weight = (ModelWeight){ one, 0 };
        if (is_default[plane > 0] && one <= limit)
          continue;
        weight->weight = CLAMP (other, -limit, limit - 1);
        weight->offset = g_rand_int_range (rand, 0, 3) == 0 ? g_rand_int_range (rand, -128, 128) : g_rand_int_range (rand, -9, 10);
      }
    }
}

void
choose_reference_lists (ModelSlice *slice, const PictureModel *picture, const DecodedFrames *decoded, GRand *rand)
{
  const gint kind = g_rand_int_range (rand, 0, 7);
  List lists[2];

  slice->n_lists = kind == 0 ? 0 : kind < 3 ? 1 : 2;
  if (picture->idr || decoded->n == 0)
    slice->n_lists = 0;
  else if (decoded->n == 1 && decoded->first_field >= 0)
    slice->n_lists = MIN (slice->n_lists, 1);
  if (slice->n_lists == 0)
    return;
  init_lists (lists, picture, decoded, slice->n_lists);
  for (guint list = 0; list < slice->n_lists; list++)
    choose_list (slice, list, &lists[list], rand);
  slice->direct_spatial_mv_pred = g_rand_boolean (rand);
  choose_weights (slice, rand);
}
