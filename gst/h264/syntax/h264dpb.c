/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264dpb.h"
#include "h264marking.h"

H264Dpb *
h264_dpb_new (void)
{
  H264Dpb *dpb = g_new0 (H264Dpb, 1);

  dpb->actions = g_array_new (FALSE, FALSE, sizeof (GstCodedAction));
  dpb->last_reference = H264_NO_FRAME;
  return dpb;
}

void
h264_dpb_free (H264Dpb *dpb)
{
  g_clear_pointer (&dpb->sps, h264_sps_unref);
  g_array_unref (dpb->actions);
  g_free (dpb);
}

GArray *
h264_dpb_take_actions (H264Dpb *dpb)
{
  GArray *actions = dpb->actions;

  if (actions->len == 0)
    return NULL;
  dpb->actions = g_array_new (FALSE, FALSE, sizeof (GstCodedAction));
  return actions;
}

/* Drops the frames that are neither to be output nor referred to. */
static void
purge (H264Dpb *dpb)
{
  guint n = 0;

  for (guint i = 0; i < dpb->n_frames; i++) {
    const H264DpbFrame *frame = &dpb->frames[i];

    if (frame == dpb->current || frame->waiting || frame->short_term != 0 || frame->long_term != 0)
      dpb->frames[n++] = *frame;
  }
  dpb->n_frames = n;
  if (dpb->current)
    dpb->current = &dpb->frames[n - 1];
}

/* The frame that is output next, or NULL */
static H264DpbFrame *
find_first_waiting (H264Dpb *dpb)
{
  H264DpbFrame *first = NULL;

  for (guint i = 0; i < dpb->n_frames; i++) {
    H264DpbFrame *frame = &dpb->frames[i];

    if (frame->waiting && (!first || h264_dpb_frame_poc (frame, frame->fields) < h264_dpb_frame_poc (first, first->fields)))
      first = frame;
  }
  return first;
}

static guint
count_waiting (const H264Dpb *dpb)
{
  guint n = 0;

  for (guint i = 0; i < dpb->n_frames; i++)
    n += dpb->frames[i].waiting;
  return n;
}

static void
act (H264Dpb *dpb, H264DpbFrame *frame, gboolean output)
{
  GstCodedAction action = { .output = output, .number = frame->number };

  g_array_append_val (dpb->actions, action);
  frame->waiting = FALSE;
  if (output) {
    dpb->last_output_poc = h264_dpb_frame_poc (frame, frame->fields);
    dpb->has_output = TRUE;
  }
}

/* Outputs or discards all that waits; then output order begins anew (C.4.4). */
static void
act_on_all (H264Dpb *dpb, gboolean output)
{
  H264DpbFrame *frame;

  while ((frame = find_first_waiting (dpb)))
    act (dpb, frame, output);
  dpb->has_output = FALSE;
}

/* Makes a place for the current frame or first field (C.4.5.1, C.4.5.2, C.4.5.3). */
static void
make_room (H264Dpb *dpb)
{
  gint32 poc = h264_dpb_frame_poc (dpb->current, dpb->structure);

  purge (dpb);
  while (dpb->n_frames > dpb->capacity) {
    H264DpbFrame *first = find_first_waiting (dpb);

    if (!dpb->current->is_reference && (!first || poc < h264_dpb_frame_poc (first, first->fields))) {
      dpb->current->direct = TRUE;
      return;
    }
    g_return_if_fail (first != NULL); /* there are fewer references than places */
    act (dpb, first, TRUE);
    purge (dpb);
  }
}

/* The VUI lies: give later pictures more time. */
static void
raise_reorder_depth (H264Dpb *dpb)
{
  dpb->flags |= H264_DPB_LATE;
  dpb->reorder_depth = MIN (dpb->reorder_depth + 1, H264_DPB_MAX_FRAMES);
  dpb->capacity = MAX (dpb->capacity, dpb->reorder_depth);
}

/* Whether output order begins anew with @frame, though it is no IDR picture and has no memory_management_control_operation 5: encoders that
 * were restarted do that.  An I picture refers to nothing that it would have to come before, and a late one is more often a B picture. */
static gboolean
restarts_order (const H264Dpb *dpb, const H264DpbFrame *frame)
{
  return !dpb->strict && frame->begins_with_i && frame->is_reference && count_waiting (dpb) == 0;
}

/* The current frame has all the fields it will ever have: it waits for output, and those that have waited long enough go. */
static void
finish_frame (H264Dpb *dpb)
{
  H264DpbFrame *frame = dpb->current;

  dpb->current = NULL;
  if (dpb->has_output && h264_dpb_frame_poc (frame, frame->fields) < dpb->last_output_poc && !restarts_order (dpb, frame)) {
    if (dpb->output_delay != H264_OUTPUT_DELAY_NONE)
      raise_reorder_depth (dpb);
    frame->direct = TRUE;
  }
  if (frame->direct)
    act (dpb, frame, TRUE);
  else
    frame->waiting = TRUE;
  while (count_waiting (dpb) > dpb->reorder_depth)
    act (dpb, find_first_waiting (dpb), TRUE);
  purge (dpb);
}

static H264DpbFrame *
add_frame (H264Dpb *dpb, guint32 number, guint32 FrameNum, gboolean is_reference)
{
  H264DpbFrame *frame = &dpb->frames[dpb->n_frames];

  g_assert (dpb->n_frames < G_N_ELEMENTS (dpb->frames));
  dpb->n_frames++;
  *frame = (H264DpbFrame){ .number = number, .has_poc = TRUE, .FrameNum = FrameNum, .is_reference = is_reference };
  dpb->current = frame;
  h264_marking_update_frame_num_wrap (dpb, FrameNum);
  return frame;
}

static H264DpbFrame *
add_inferred_frame (H264Dpb *dpb, guint32 FrameNum)
{
  H264DpbFrame *frame = add_frame (dpb, H264_NO_FRAME, FrameNum, TRUE);

  frame->fields = dpb->structure = H264_FRAME;
  frame->shown = dpb->last_reference;
  frame->shown_fields = dpb->last_reference_fields;
  frame->has_poc = dpb->sps->pic_order_cnt_type != 0;
  h264_poc_compute_inferred (&dpb->poc, dpb->sps, FrameNum, frame->poc);
  h264_marking_slide_window (dpb);
  frame->short_term = H264_FRAME;
  make_room (dpb);
  frame = dpb->current;
  dpb->current = NULL;
  dpb->PrevRefFrameNum = FrameNum;
  return frame;
}

/* PicOrderCnt that the picture of @sh will have */
static gint32
foresee_poc (const H264Dpb *dpb, const H264SliceHeader *sh)
{
  H264PocState state = dpb->poc;
  gint32 poc[2] = { 0, 0 };

  h264_poc_compute (&state, sh, poc);
  return poc[sh->bottom_field_flag];
}

/* The picture that begins now comes behind a loss. */
static void
note_loss (H264Dpb *dpb, guint flag)
{
  dpb->flags |= flag;
  dpb->has_loss = TRUE;
  dpb->first_after_loss = dpb->next_number;
}

static gboolean
has_reference_before_loss (const H264Dpb *dpb)
{
  for (guint i = 0; i < dpb->n_frames; i++) {
    const H264DpbFrame *frame = &dpb->frames[i];

    if (frame != dpb->current && (frame->short_term | frame->long_term) != 0
        && (frame->number == H264_NO_FRAME || (gint32) (frame->number - dpb->first_after_loss) < 0))
      return TRUE;
  }
  return FALSE;
}

/* Decoding process for gaps in frame_num (8.2.5.2).  Also for gaps that are losses: then the frames that follow keep their places in the
 * lists. */
static void
fill_gap (H264Dpb *dpb, const H264SliceHeader *sh)
{
  const guint32 frame_num = sh->frame_num;
  guint32 mask = dpb->sps->MaxFrameNum - 1, first = (dpb->PrevRefFrameNum + 1) & mask, gap;
  gint32 poc;

  if (frame_num == dpb->PrevRefFrameNum || frame_num == first)
    return;
  if (!dpb->sps->gaps_in_frame_num_value_allowed_flag)
    note_loss (dpb, H264_DPB_FRAME_NUM_GAP);
  /* The sliding window leaves no trace of more frames than it is wide. */
  gap = MIN ((frame_num - first) & mask, MAX (dpb->sps->max_num_ref_frames, 1));
  poc = foresee_poc (dpb, sh);
  for (guint left = gap; left > 0; left--) {
    H264DpbFrame *frame = add_inferred_frame (dpb, (frame_num - left) & mask);

    if (frame->has_poc || dpb->sps->gaps_in_frame_num_value_allowed_flag || dpb->last_reference == H264_NO_FRAME)
      continue;
    /* of lost pictures nothing is known but that they lie between their neighbours, mostly in output order too: with that, those that are
     * there keep their places in the lists of B slices */
    frame->poc[0] = frame->poc[1] =
        (gint32) (dpb->last_reference_poc + ((gint64) poc - dpb->last_reference_poc) * (gap + 1 - left) / (gap + 1));
    frame->has_poc = TRUE;
  }
}

static gboolean
has_mmco5 (const H264SliceHeader *sh)
{
  for (guint i = 0; i < sh->n_mmco; i++) {
    if (sh->mmco[i].memory_management_control_operation == 5)
      return TRUE;
  }
  return FALSE;
}

static H264FieldOrder
order_of_fields (gint64 top, gint64 bottom)
{
  return top < bottom ? H264_TOP_FIRST : top > bottom ? H264_BOTTOM_FIRST : H264_ANY_ORDER;
}

/* Whether the field of @sh lies where the other field of @first does in this sequence: fields of two frames, whose partners are lost, may
 * have all else in common.  They are further apart than those of a frame, or, where only the first field of one is lost, come the other way
 * round. */
static gboolean
is_in_place (const H264Dpb *dpb, const H264DpbFrame *first, const H264SliceHeader *sh)
{
  gint64 first_poc, poc;
  H264FieldOrder order;

  if (dpb->strict || !dpb->has_pairs)
    return TRUE;
  first_poc = h264_dpb_frame_poc (first, first->fields);
  poc = foresee_poc (dpb, sh);
  order = first->fields == H264_TOP_FIELD ? order_of_fields (first_poc, poc) : order_of_fields (poc, first_poc);
  return ABS (poc - first_poc) <= dpb->field_distance
      && (first->is_reference || order == H264_ANY_ORDER || dpb->field_order == H264_ANY_ORDER || order == dpb->field_order);
}

/* Whether @sh completes the frame of the field before it (3.30, 3.31: complementary field pairs).  A non-reference field after a reference
 * field with the same frame_num is no pair by the letter, but nothing else legal either, and belongs together. */
static gboolean
is_second_field (const H264Dpb *dpb, const H264SliceHeader *sh)
{
  const H264DpbFrame *first = dpb->current;

  return first && (first->fields ^ H264_FRAME) == h264_slice_structure (sh) && first->FrameNum == sh->frame_num && !sh->IdrPicFlag
      && (first->is_reference || sh->nal_ref_idc == 0) && !has_mmco5 (sh) && is_in_place (dpb, first, sh);
}

/* Whether a sequence may go on with SPS @b where @a was: what the buffer and the samples depend on is the same, or grows */
static gboolean
sps_is_compatible (const H264Sps *a, const H264Sps *b)
{
  return a->pic_width_in_mbs == b->pic_width_in_mbs && a->FrameHeightInMbs == b->FrameHeightInMbs
      && a->chroma_format_idc == b->chroma_format_idc && a->separate_colour_plane_flag == b->separate_colour_plane_flag
      && a->bit_depth_luma == b->bit_depth_luma && a->bit_depth_chroma == b->bit_depth_chroma
      && a->frame_mbs_only_flag == b->frame_mbs_only_flag && a->max_num_ref_frames <= b->max_num_ref_frames
      && a->log2_max_frame_num == b->log2_max_frame_num && a->pic_order_cnt_type == b->pic_order_cnt_type
      && a->log2_max_pic_order_cnt_lsb == b->log2_max_pic_order_cnt_lsb;
}

gboolean
h264_dpb_goes_on_with (const H264Dpb *dpb, const H264SliceHeader *sh)
{
  return dpb->sps && !sh->IdrPicFlag && (dpb->strict ? dpb->sps == sh->pps->sps : sps_is_compatible (dpb->sps, sh->pps->sps));
}

guint
h264_dpb_get_reorder_depth (const H264Dpb *dpb, const H264Sps *sps)
{
  if (dpb->output_delay == H264_OUTPUT_DELAY_NONE
      || (dpb->output_delay == H264_OUTPUT_DELAY_OBSERVED && !sps->vui.bitstream_restriction_flag))
    return 0;
  return sps->max_num_reorder_frames;
}

static void
activate_sps (H264Dpb *dpb, const H264SliceHeader *sh)
{
  H264Sps *sps = sh->pps->sps;
  const gboolean goes_on = h264_dpb_goes_on_with (dpb, sh);

  if (sps == dpb->sps)
    return;
  if (dpb->sps && !goes_on)
    h264_dpb_end_sequence (dpb, sh->IdrPicFlag && sh->no_output_of_prior_pics_flag);
  g_clear_pointer (&dpb->sps, h264_sps_unref);
  dpb->sps = h264_sps_ref (sps);
  /* what is in the buffer has room in it, whatever the new SPS says */
  dpb->capacity = MAX (goes_on ? dpb->capacity : 1, CLAMP (sps->max_dec_frame_buffering, 1, H264_DPB_MAX_FRAMES));
  dpb->reorder_depth = MAX (goes_on ? dpb->reorder_depth : 0, MIN (h264_dpb_get_reorder_depth (dpb, sps), dpb->capacity));
}

/* frame_num of an IDR picture is 0 (7.4.3).  Some senders just go on counting, and some begin anew behind it: the next picture shows
 * which. */
static void
settle_idr_frame_num (H264Dpb *dpb, const H264SliceHeader *sh)
{
  if (!dpb->has_idr_frame_num)
    return;
  dpb->has_idr_frame_num = FALSE;
  if (sh->IdrPicFlag || sh->frame_num != 1)
    return;
  for (guint i = 0; i < dpb->n_frames; i++)
    if (dpb->frames[i].number == dpb->last_reference)
      dpb->frames[i].FrameNum = 0;
  dpb->PrevRefFrameNum = dpb->poc.prevFrameNum = 0;
}

static void
begin_frame (H264Dpb *dpb, const H264SliceHeader *sh)
{
  H264DpbFrame *frame;

  settle_idr_frame_num (dpb, sh);
  if (sh->IdrPicFlag) {
    h264_marking_unmark_all (dpb);
    act_on_all (dpb, !sh->no_output_of_prior_pics_flag);
    purge (dpb);
  } else if (!dpb->started) {
    dpb->flags |= H264_DPB_NO_IDR;
    dpb->PrevRefFrameNum = (sh->frame_num - (sh->nal_ref_idc == 0)) & (dpb->sps->MaxFrameNum - 1);
  } else if (sh->nal_ref_idc != 0 && sh->frame_num == dpb->PrevRefFrameNum) {
    /* cameras leave frame_num as it is; with one reference, what is meant is plain */
    if (dpb->sps->max_num_ref_frames > 1 || dpb->strict)
      note_loss (dpb, H264_DPB_REPEATED_FRAME_NUM);
    else
      dpb->has_constant_frame_num = TRUE;
  } else {
    fill_gap (dpb, sh);
  }
  dpb->started = TRUE;
  /* frames that show three fields turn the order round */
  if (sh->IdrPicFlag || !sh->field_pic_flag)
    dpb->field_order = H264_ANY_ORDER;
  frame = add_frame (dpb, dpb->next_number++, sh->frame_num, sh->nal_ref_idc != 0);
  frame->coded_as_fields = sh->field_pic_flag;
  frame->begins_with_i = sh->slice_type == H264_SLICE_I;
  if (dpb->next_number == H264_NO_FRAME)
    dpb->next_number = 0;
}

/* A field without a partner is legal; where all had one so far, its partner is lost: the number of its frame.  Else H264_NO_FRAME. */
static guint32
note_unpaired_field (H264Dpb *dpb)
{
  dpb->flags |= H264_DPB_UNPAIRED_FIELD;
  if (!dpb->has_pairs || dpb->strict)
    return H264_NO_FRAME;
  if (dpb->current->is_reference)
    note_loss (dpb, H264_DPB_FIELD_LOST);
  return dpb->current->number;
}

void
h264_dpb_begin_picture (H264Dpb *dpb, const H264SliceHeader *sh, H264DpbPicture *picture)
{
  guint32 unpaired = H264_NO_FRAME;
  gboolean second_field;

  g_return_if_fail (!dpb->open);
  dpb->flags = 0;
  second_field = is_second_field (dpb, sh) && sps_is_compatible (dpb->sps, sh->pps->sps);
  if (!second_field && dpb->current) {
    unpaired = note_unpaired_field (dpb);
    finish_frame (dpb);
  }
  activate_sps (dpb, sh);
  if (!second_field)
    begin_frame (dpb, sh);
  dpb->has_loss = dpb->has_loss && has_reference_before_loss (dpb);
  if (dpb->has_loss)
    dpb->flags |= H264_DPB_UNSURE;
  dpb->open = TRUE;
  dpb->structure = h264_slice_structure (sh);
  dpb->current->fields |= dpb->structure;
  h264_poc_compute (&dpb->poc, sh, dpb->current->poc);
  if (second_field) {
    dpb->has_pairs = TRUE;
    dpb->field_distance = MAX (dpb->field_distance, ABS ((gint64) dpb->current->poc[0] - dpb->current->poc[1]));
    dpb->field_order = order_of_fields (dpb->current->poc[0], dpb->current->poc[1]);
  }
  *picture = (H264DpbPicture){ .number = dpb->current->number,
    .structure = dpb->structure,
    .second_field = second_field,
    .poc = { dpb->current->poc[0], dpb->current->poc[1] },
    .PicOrderCnt = h264_dpb_frame_poc (dpb->current, dpb->structure),
    .flags = dpb->flags,
    .unpaired = unpaired,
    .first_after_loss = dpb->first_after_loss };
}

/* memory_management_control_operation 5: the picture counts as having frame_num 0 and a POC from 0 on (8.2.1), and those before it are
 * output. */
static void
restart_at_current (H264Dpb *dpb)
{
  H264DpbFrame *frame = dpb->current;
  gint32 tempPicOrderCnt = h264_dpb_frame_poc (frame, dpb->structure);

  act_on_all (dpb, TRUE);
  frame->FrameNum = 0;
  for (guint i = 0; i < 2; i++) {
    if (dpb->structure & 1 << i)
      frame->poc[i] = (gint32) ((guint32) frame->poc[i] - (guint32) tempPicOrderCnt);
  }
}

guint
h264_dpb_end_picture (H264Dpb *dpb, const H264SliceHeader *sh)
{
  gboolean had_mmco5 = FALSE, is_first;

  g_return_val_if_fail (dpb->open, 0);
  is_first = dpb->current->fields == dpb->structure;
  if (sh->nal_ref_idc != 0) {
    had_mmco5 = h264_marking_run (dpb, sh);
    dpb->PrevRefFrameNum = had_mmco5 ? 0 : sh->frame_num;
    dpb->has_idr_frame_num = sh->IdrPicFlag && sh->frame_num != 0;
    dpb->last_reference = dpb->current->number;
    dpb->last_reference_fields = dpb->current->fields;
    dpb->last_reference_poc = h264_dpb_frame_poc (dpb->current, dpb->structure);
  }
  if (had_mmco5) {
    dpb->flags |= H264_DPB_RESTART;
    restart_at_current (dpb);
  }
  h264_poc_picture_done (&dpb->poc, sh, had_mmco5, dpb->current->poc);
  if (is_first)
    make_room (dpb);
  dpb->open = FALSE;
  if (dpb->current->fields == H264_FRAME)
    finish_frame (dpb);
  return dpb->flags;
}

void
h264_dpb_drain (H264Dpb *dpb)
{
  H264DpbFrame *frame;

  g_return_if_fail (!dpb->open);
  if (dpb->current)
    finish_frame (dpb);
  while ((frame = find_first_waiting (dpb)))
    act (dpb, frame, TRUE);
  purge (dpb);
}

void
h264_dpb_end_sequence (H264Dpb *dpb, gboolean no_output_of_prior_pics)
{
  g_return_if_fail (!dpb->open);
  if (dpb->current)
    finish_frame (dpb);
  h264_marking_unmark_all (dpb);
  act_on_all (dpb, !no_output_of_prior_pics);
  purge (dpb);
  dpb->last_reference = H264_NO_FRAME;
  dpb->started = FALSE;
}

void
h264_dpb_flush (H264Dpb *dpb)
{
  g_array_set_size (dpb->actions, 0);
  dpb->n_frames = 0;
  dpb->current = NULL;
  dpb->open = dpb->started = dpb->has_output = dpb->has_loss = dpb->has_pairs = dpb->has_idr_frame_num = FALSE;
  dpb->field_distance = 0;
  dpb->field_order = H264_ANY_ORDER;
  dpb->MaxLongTermFrameIdx_plus1 = 0;
  dpb->last_reference = H264_NO_FRAME;
  memset (&dpb->poc, 0, sizeof (dpb->poc));
}

gboolean
h264_dpb_needs_frame (const H264Dpb *dpb, guint32 number)
{
  for (guint i = 0; i < dpb->n_frames; i++) {
    const H264DpbFrame *frame = &dpb->frames[i];

    if ((frame->number != H264_NO_FRAME ? frame->number : frame->shown) == number)
      return TRUE;
  }
  return number == dpb->last_reference;
}
