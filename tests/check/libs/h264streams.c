/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The headers of every stream of the vectors: each parses, nothing in the DPB's eyes is wrong, and each frame is output exactly once.
 */
#include <gst/check/gstcheck.h>
#include "h264reflists.h"

static gchar *
vectors (void)
{
  const gchar *folder = g_getenv ("GST_GPU_VECTORS");

  return g_strdup (folder ? folder : DEFAULT_STREAMS);
}

typedef struct
{
  const gchar *name;
  H264ParamSets *sets;
  H264Dpb *dpb;
  H264Rbsp rbsp;
  H264SliceHeader sh; /* of the last slice */
  gboolean in_picture;
  guint n_frames, n_output, n_slices;
  GHashTable *open; /* numbers of frames that are not output yet, plus 1 */
} Stream;

static void
take_actions (Stream *s)
{
  GArray *actions = h264_dpb_take_actions (s->dpb);

  for (guint i = 0; actions && i < actions->len; i++) {
    const GstCodedAction *action = &g_array_index (actions, GstCodedAction, i);

    fail_unless (g_hash_table_remove (s->open, GUINT_TO_POINTER (action->number + 1)), "%s: frame %u twice", s->name, action->number);
    s->n_output += action->output;
  }
  g_clear_pointer (&actions, g_array_unref);
}

static void
end_picture (Stream *s)
{
  if (s->in_picture) {
    /* but for what tells of nothing wrong */
    guint flags = h264_dpb_end_picture (s->dpb, &s->sh) & ~H264_DPB_RESTART;

    fail_unless (flags == 0, "%s: DPB flags %#x in frame %u", s->name, flags, s->n_frames - 1);
    take_actions (s);
  }
  s->in_picture = FALSE;
}

static void
read_slice (Stream *s, const H264Nal *nal)
{
  H264DpbPicture picture;
  H264SliceHeader sh;
  H264RefLists lists;
  H264Bits bits;
  const gchar *error = NULL;

  h264_rbsp_set (&s->rbsp, nal);
  fail_if (s->rbsp.illegal_sequence, "%s: illegal bytes", s->name);
  h264_rbsp_read (&s->rbsp, &bits);
  fail_unless (h264_slice_header_parse (&sh, nal, &bits, s->sets, &error), "%s: %s", s->name, error);
  if (sh.redundant_pic_cnt > 0)
    return;
  if (!s->in_picture || h264_slice_begins_picture (&s->sh, &sh)) {
    end_picture (s);
    h264_dpb_begin_picture (s->dpb, &sh, &picture);
    if (!picture.second_field) {
      fail_unless_equals_int (picture.number, s->n_frames);
      g_hash_table_add (s->open, GUINT_TO_POINTER (++s->n_frames));
    }
  }
  fail_unless (h264_dpb_get_ref_lists (s->dpb, &sh, &lists), "%s: a list modification names no picture", s->name);
  s->sh = sh;
  s->in_picture = TRUE;
  s->n_slices++;
}

static void
read_unit (Stream *s, const H264Nal *nal)
{
  const gchar *error = NULL;

  switch (nal->nal_unit_type) {
    case H264_NAL_SLICE:
    case H264_NAL_PARTITION_A:
    case H264_NAL_IDR_SLICE:
      read_slice (s, nal);
      break;
    case H264_NAL_SPS:
    case H264_NAL_PPS:
    case H264_NAL_SPS_EXTENSION:
      end_picture (s);
      fail_unless (h264_param_sets_add (s->sets, nal, &error), "%s: %s", s->name, error);
      break;
    case H264_NAL_END_OF_SEQUENCE:
      end_picture (s);
      h264_dpb_end_sequence (s->dpb, FALSE);
      break;
    default:
      break;
  }
}

static void
read_stream (const gchar *folder, const gchar *name)
{
  gchar *path = g_build_filename (folder, name, NULL), *data = NULL;
  Stream s = { .name = name, .sets = h264_param_sets_new (), .dpb = h264_dpb_new (), .open = g_hash_table_new (NULL, NULL) };
  H264NalReader reader;
  H264NalResult result;
  H264Nal nal;
  const gchar *error = NULL;
  gsize size;

  fail_unless (g_file_get_contents (path, &data, &size, NULL), "%s is missing", path);
  h264_nal_reader_init (&reader, (const guint8 *) data, size, 0);
  while ((result = h264_nal_reader_next (&reader, &nal, &error)) != H264_NAL_END) {
    fail_unless (result == H264_NAL_FOUND, "%s: %s", name, error);
    read_unit (&s, &nal);
  }
  end_picture (&s);
  h264_dpb_end_sequence (s.dpb, FALSE);
  take_actions (&s);
  fail_unless (s.n_slices > 0 && s.n_output == s.n_frames, "%s: %u slices, %u frames, %u output", name, s.n_slices, s.n_frames, s.n_output);
  GST_INFO ("%s: %u frames, %u slices", name, s.n_frames, s.n_slices);
  g_hash_table_unref (s.open);
  h264_rbsp_clear (&s.rbsp);
  h264_dpb_free (s.dpb);
  h264_param_sets_free (s.sets);
  g_free (data);
  g_free (path);
}

static void
read_manifest (const gchar *manifest, guint at_least)
{
  gchar *folder = vectors (), *path = g_build_filename (folder, manifest, NULL), *text = NULL;
  guint n = 0;

  fail_unless (g_file_get_contents (path, &text, NULL, NULL), "%s is missing", path);
  for (gchar *line = strtok (text, "\n"); line != NULL; line = strtok (NULL, "\n")) {
    if (line[0] == '#')
      continue;
    line[strcspn (line, "\t")] = '\0';
    read_stream (folder, line);
    n++;
  }
  fail_unless (n >= at_least, "%s names %u streams", path, n);
  g_free (text);
  g_free (path);
  g_free (folder);
}

GST_START_TEST (test_conformance_streams)
{
  read_manifest ("manifest.tsv", 1);
}

GST_END_TEST;

GST_START_TEST (test_made_streams)
{
  read_manifest ("made" G_DIR_SEPARATOR_S "manifest.tsv", 1);
}

GST_END_TEST;

static Suite *
h264streams_suite (void)
{
  Suite *s = suite_create ("h264streams");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_conformance_streams);
  tcase_add_test (tc, test_made_streams);
  return s;
}

int
main (int argc, char **argv)
{
  gchar *folder = vectors ();
  gboolean there = g_file_test (folder, G_FILE_TEST_IS_DIR);

  if (!there)
    g_print ("SKIP: no streams at %s (GST_GPU_VECTORS)\n", folder);
  g_free (folder);
  if (!there)
    return 77;
  gst_check_init (&argc, &argv);
  return gst_check_run_suite (h264streams_suite (), "h264streams", __FILE__);
}
