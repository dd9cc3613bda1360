/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264reflists.h"
#include "h264marking.h"

/* Room for both fields of every frame */
#define MAX_ENTRIES (2 * (H264_DPB_MAX_FRAMES + 2))

/* An initial list, of any length */
typedef struct
{
  H264RefPic pics[MAX_ENTRIES];
  guint n;
} InitialList;

/* A sorted choice of frames, from which a list is made */
typedef struct
{
  const H264DpbFrame *frames[H264_DPB_MAX_FRAMES + 2];
  guint n;
} FrameList;

/* @structure, or, where it is a field that is not among @fields, the other one */
static guint
find_field (guint structure, guint fields)
{
  return structure == H264_FRAME || (fields & structure) ? structure : H264_FRAME ^ structure;
}

static H264RefPic
ref_pic (const H264DpbFrame *frame, guint structure)
{
  return (H264RefPic){ .number = frame->number != H264_NO_FRAME ? frame->number : frame->shown,
    .structure = frame->number != H264_NO_FRAME ? structure : find_field (structure, frame->shown_fields),
    .long_term = (frame->long_term & structure) == structure,
    .missing = frame->number == H264_NO_FRAME,
    .poc = { frame->poc[0], frame->poc[1] } };
}

static gboolean
is_same_pic (const H264RefPic *a, const H264RefPic *b)
{
  return a->number == b->number && a->structure == b->structure && !a->missing && !b->missing;
}

/* PicOrderCnt of an entry as the current picture sees it: of the fields that are decoded, without the current field itself */
static gint32
entry_poc (const H264Dpb *dpb, const H264DpbFrame *frame)
{
  guint fields = frame == dpb->current ? frame->fields & ~dpb->structure : frame->fields;

  return h264_dpb_frame_poc (frame, fields);
}

/* What a list is sorted by; larger first */
typedef gint64 (*SortKey) (const H264Dpb *dpb, const H264DpbFrame *frame);

static gint64
key_frame_num_wrap (const H264Dpb *dpb, const H264DpbFrame *frame)
{
  return frame->FrameNumWrap;
}

static gint64
key_poc_falling (const H264Dpb *dpb, const H264DpbFrame *frame)
{
  return entry_poc (dpb, frame);
}

static gint64
key_poc_rising (const H264Dpb *dpb, const H264DpbFrame *frame)
{
  return -(gint64) entry_poc (dpb, frame);
}

static gint64
key_long_term_frame_idx (const H264Dpb *dpb, const H264DpbFrame *frame)
{
  return -(gint64) frame->LongTermFrameIdx;
}

/* Adds @frame behind those that are not smaller, from entry @from on. */
static void
insert_sorted (const H264Dpb *dpb, FrameList *list, guint from, const H264DpbFrame *frame, SortKey key)
{
  guint i = list->n++;

  for (; i > from && key (dpb, list->frames[i - 1]) < key (dpb, frame); i--)
    list->frames[i] = list->frames[i - 1];
  list->frames[i] = frame;
}

/* Whether @frame can be in a list: both fields marked for a frame, any field for a field */
static gboolean
is_usable (const H264Dpb *dpb, guint marked)
{
  return dpb->structure == H264_FRAME ? marked == H264_FRAME : marked != 0;
}

/* refFrameList0ShortTerm of P slices: most recent first (8.2.4.2.1, 8.2.4.2.2) */
static void
collect_short_term_p (const H264Dpb *dpb, FrameList *list)
{
  list->n = 0;
  for (guint i = 0; i < dpb->n_frames; i++) {
    if (is_usable (dpb, dpb->frames[i].short_term))
      insert_sorted (dpb, list, 0, &dpb->frames[i], key_frame_num_wrap);
  }
}

/* Those before (@past) or after the current picture in output order, nearest first, added to @list (8.2.4.2.3, 8.2.4.2.4).  For a field, an
 * equal POC counts as before. */
static void
collect_short_term_b (const H264Dpb *dpb, FrameList *list, gboolean past)
{
  gint32 PicOrderCnt = h264_dpb_frame_poc (dpb->current, dpb->structure);
  guint from = list->n;

  for (guint i = 0; i < dpb->n_frames; i++) {
    const H264DpbFrame *frame = &dpb->frames[i];

    if (!is_usable (dpb, frame->short_term))
      continue;
    /* a frame inferred in a gap has no POC of type 0 */
    if (!frame->has_poc)
      continue;
    if ((entry_poc (dpb, frame) <= PicOrderCnt) == past)
      insert_sorted (dpb, list, from, frame, past ? key_poc_falling : key_poc_rising);
  }
}

static void
collect_long_term (const H264Dpb *dpb, FrameList *list)
{
  list->n = 0;
  for (guint i = 0; i < dpb->n_frames; i++) {
    if (is_usable (dpb, dpb->frames[i].long_term))
      insert_sorted (dpb, list, 0, &dpb->frames[i], key_long_term_frame_idx);
  }
}

/* The next frame at or after *@i that has field @parity marked; NULL behind the last */
static const H264DpbFrame *
next_with_field (const FrameList *frames, guint *i, guint parity, gboolean long_term)
{
  while (*i < frames->n) {
    const H264DpbFrame *frame = frames->frames[(*i)++];

    if ((long_term ? frame->long_term : frame->short_term) & parity)
      return frame;
  }
  return NULL;
}

/* Fields of @frames in turns of parity, the current picture's first; what one parity has more comes last (8.2.4.2.5). */
static void
append_fields (const H264Dpb *dpb, InitialList *list, const FrameList *frames, gboolean long_term)
{
  guint parity = dpb->structure, index[4] = { 0 };
  gboolean other_is_empty = FALSE;

  for (;;) {
    const H264DpbFrame *frame = next_with_field (frames, &index[parity], parity, long_term);

    if (frame)
      list->pics[list->n++] = ref_pic (frame, parity);
    else if (other_is_empty)
      return;
    other_is_empty |= !frame;
    if (!frame || !other_is_empty)
      parity ^= H264_FRAME;
  }
}

static void
append (const H264Dpb *dpb, InitialList *list, const FrameList *frames, gboolean long_term)
{
  if (dpb->structure != H264_FRAME) {
    append_fields (dpb, list, frames, long_term);
    return;
  }
  for (guint i = 0; i < frames->n; i++)
    list->pics[list->n++] = ref_pic (frames->frames[i], H264_FRAME);
}

/* 8.2.4.2 */
static void
init_list (const H264Dpb *dpb, const H264SliceHeader *sh, guint which, InitialList *list)
{
  FrameList short_term = { .n = 0 }, long_term;

  list->n = 0;
  if (sh->slice_type != H264_SLICE_B) {
    collect_short_term_p (dpb, &short_term);
  } else {
    collect_short_term_b (dpb, &short_term, which == 0);
    collect_short_term_b (dpb, &short_term, which == 1);
  }
  collect_long_term (dpb, &long_term);
  append (dpb, list, &short_term, FALSE);
  append (dpb, list, &long_term, TRUE);
}

/* A list 1 of more than one entry that equals list 0 has its first two swapped (8.2.4.2.3). */
static void
make_lists_differ (const InitialList *list0, InitialList *list1)
{
  H264RefPic first;

  if (list1->n < 2 || list1->n != list0->n)
    return;
  for (guint i = 0; i < list1->n; i++) {
    if (list0->pics[i].number != list1->pics[i].number || list0->pics[i].structure != list1->pics[i].structure
        || list0->pics[i].poc[0] != list1->pics[i].poc[0])
      return;
  }
  first = list1->pics[0];
  list1->pics[0] = list1->pics[1];
  list1->pics[1] = first;
}

/* Stands for a picture that is not there: the reference frame nearest in output order, or any frame, or the last reference picture, which
 * for the second field of the first frame is its first field; or none.  Of a frame with one field that field. */
static H264RefPic
make_missing (const H264Dpb *dpb, const H264RefPic *intended)
{
  gint32 poc = h264_dpb_frame_poc (dpb->current, dpb->structure);
  const H264DpbFrame *nearest = NULL;
  guint64 smallest = G_MAXUINT64;
  H264RefPic pic = { .number = dpb->last_reference, .structure = find_field (dpb->structure, dpb->last_reference_fields) };

  for (guint i = 0; i < dpb->n_frames; i++) {
    const H264DpbFrame *frame = &dpb->frames[i];
    guint64 distance = ABS ((gint64) h264_dpb_frame_poc (frame, frame->fields) - poc);

    if (frame == dpb->current || frame->number == H264_NO_FRAME)
      continue;
    if (frame->short_term == 0 && frame->long_term == 0)
      distance += (guint64) 1 << 33;
    if (distance < smallest) {
      smallest = distance;
      nearest = frame;
    }
  }
  if (nearest)
    pic = ref_pic (nearest, find_field (dpb->structure, nearest->fields));
  if (intended)
    memcpy (pic.poc, intended->poc, sizeof (pic.poc));
  pic.missing = TRUE;
  return pic;
}

/* The picture that a modification names (8.2.4.3.1, 8.2.4.3.2); *@picNumPred goes from one to the next. */
static gboolean
find_modification (H264Dpb *dpb, const H264SliceHeader *sh, const H264ListModification *modification, gint32 *picNumPred, H264RefPic *pic)
{
  gint32 MaxPicNum = (gint32) sh->MaxPicNum, CurrPicNum = (gint32) sh->CurrPicNum, picNum;
  const H264DpbFrame *frame;
  guint structure;

  if (modification->modification_of_pic_nums_idc == 2) {
    frame = h264_marking_find_long_term (dpb, (gint32) modification->value, dpb->structure, &structure);
  } else {
    /* picNumLXNoWrap, modulo MaxPicNum (8-34, 8-35) */
    *picNumPred += modification->modification_of_pic_nums_idc == 0 ? -(gint32) modification->value : (gint32) modification->value;
    if (*picNumPred < 0)
      *picNumPred += MaxPicNum;
    if (*picNumPred >= MaxPicNum)
      *picNumPred -= MaxPicNum;
    picNum = *picNumPred > CurrPicNum ? *picNumPred - MaxPicNum : *picNumPred;
    frame = h264_marking_find_short_term (dpb, picNum, dpb->structure, &structure);
  }
  if (!frame)
    return FALSE;
  *pic = ref_pic (frame, structure);
  return TRUE;
}

/* Puts @pic at refIdx, moves the rest on, and drops its other place (8-37, 8-38). */
static void
insert_at (H264RefPic *list, guint n, guint refIdx, const H264RefPic *pic)
{
  guint last = refIdx;

  while (last < n - 1 && !is_same_pic (&list[last], pic))
    last++;
  memmove (&list[refIdx + 1], &list[refIdx], (last - refIdx) * sizeof (*list));
  list[refIdx] = *pic;
}

/* 8.2.4.3 */
static gboolean
modify_list (H264Dpb *dpb, const H264SliceHeader *sh, guint which, H264RefPic *list, guint n)
{
  gint32 picNumPred = (gint32) sh->CurrPicNum;
  gboolean ok = TRUE;

  /* More changes than entries are illegal, and have no entry to change. */
  for (guint i = 0; i < sh->n_modifications[which]; i++) {
    H264RefPic pic;

    if (!find_modification (dpb, sh, &sh->modifications[which][i], &picNumPred, &pic)) {
      pic = make_missing (dpb, NULL);
      ok = FALSE;
    } else if (pic.missing) {
      if (pic.number == H264_NO_FRAME)
        pic = make_missing (dpb, &pic);
      ok = FALSE;
    }
    if (i < n)
      insert_at (list, n, i, &pic);
  }
  return ok && sh->n_modifications[which] <= n;
}

/* Entries that stayed empty, or are frames inferred in a gap: legal as long as no macroblock refers to them. */
static void
fill_missing (const H264Dpb *dpb, H264RefPic *list, guint n)
{
  for (guint i = 0; i < n; i++) {
    if (list[i].number == H264_NO_FRAME)
      list[i] = make_missing (dpb, &list[i]);
  }
}

gboolean
h264_dpb_get_ref_lists (H264Dpb *dpb, const H264SliceHeader *sh, H264RefLists *lists)
{
  InitialList initial[2];
  gboolean ok = TRUE;

  g_return_val_if_fail (dpb->open, FALSE);
  h264_marking_update_frame_num_wrap (dpb, sh->frame_num);
  for (guint which = 0; which < 2; which++) {
    lists->n[which] = MIN (sh->num_ref_idx_active[which], 32);
    if (lists->n[which] > 0)
      init_list (dpb, sh, which, &initial[which]);
  }
  if (lists->n[0] > 0 && lists->n[1] > 0)
    make_lists_differ (&initial[0], &initial[1]);
  for (guint which = 0; which < 2; which++) {
    guint n = lists->n[which];

    for (guint i = 0; i < n; i++) {
      if (i < initial[which].n)
        lists->list[which][i] = initial[which].pics[i];
      else
        lists->list[which][i] = (H264RefPic){ .number = H264_NO_FRAME, .structure = dpb->structure, .missing = TRUE };
    }
    if (n > 0)
      ok &= modify_list (dpb, sh, which, lists->list[which], n);
    fill_missing (dpb, lists->list[which], n);
  }
  return ok;
}
