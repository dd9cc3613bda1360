/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Every value of papersidct's property variant, read from the element, in the whole row: the samples are the manifest's with each; sync on
 * a device without sub-groups ends with an error that says so.
 */
#include <string.h>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include "gstdecoderow.h"
#include "decoderun.h"
#include "streamlist.h"
#include "tap.h"

/* (transfer full): @row with papersidct variant=@value in the place of gpuidct */
static gchar *
set_variant (const gchar *row, const gchar *value)
{
  const gchar *start = strstr (row, "gpuidct"), *end = start + strlen ("gpuidct");

  return g_strdup_printf ("%.*spapersidct variant=%s%s", (int) (start - row), row, value, end);
}

/* Whether a device of this machine has sub-groups; where none has, sync must not run. */
static gboolean
sub_groups_exist (void)
{
  cl_platform_id platforms[16];
  cl_uint n_platforms = 0, total = 0;

  if (clGetPlatformIDs (G_N_ELEMENTS (platforms), platforms, &n_platforms) != CL_SUCCESS)
    return FALSE;
  for (cl_uint i = 0; i < MIN (n_platforms, G_N_ELEMENTS (platforms)); i++) {
    cl_device_id devices[16];
    cl_uint n_devices = 0;

    if (clGetDeviceIDs (platforms[i], CL_DEVICE_TYPE_ALL, G_N_ELEMENTS (devices), devices, &n_devices) != CL_SUCCESS)
      continue;
    for (cl_uint k = 0; k < MIN (n_devices, G_N_ELEMENTS (devices)); k++) {
      cl_uint n = 0;

      if (clGetDeviceInfo (devices[k], CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof (n), &n, NULL) == CL_SUCCESS)
        total += n;
    }
  }

  return total > 0;
}

static void
check_variant (const Stream *stream, const gchar *row, const gchar *value)
{
  gchar *changed = set_variant (row, value);
  DecodeResult result;
  gboolean refused, ok;

  decode_file (stream->path, changed, "video/x-raw", &result);
  refused = g_str_equal (value, "sync") && result.error && strstr (result.error, "has no sub-groups");
  ok = !(g_str_equal (value, "sync") && !sub_groups_exist ()) && !result.error && !result.timed_out && result.n_corrupted == 0
      && g_str_equal (result.md5, stream->md5);
  tap_check (ok || refused, "variant=%s %s%s", value, stream->name, refused ? " refused without sub-groups" : "");
  if (!ok)
    tap_note ("  md5 %s, expected %s, %s", result.md5, stream->md5, result.error ? result.error : "no error");
  decode_result_clear (&result);
  g_free (changed);
}

/* (transfer full): the values */
static GEnumClass *
get_variants (void)
{
  GstElement *element = gst_element_factory_make ("papersidct", NULL);
  GParamSpec *pspec = element ? g_object_class_find_property (G_OBJECT_GET_CLASS (element), "variant") : NULL;
  GEnumClass *variants;

  if (!pspec)
    g_error ("papersidct has no property variant");
  variants = g_type_class_ref (pspec->value_type);
  gst_object_unref (element);

  return variants;
}

int
main (int argc, char *argv[])
{
  /* both kinds of blocks; chroma DC of 4:2:2; three luma-like planes */
  static const gchar *const names[] = { "cabac_420.264", "cavlc_422_10.264", "cabac_444.264" };
  GstDecodeRow row = GST_DECODE_ROW_INIT;
  GPtrArray *streams;
  GEnumClass *variants;
  gchar *elements;

  gst_init (&argc, &argv);
  streams = stream_list_own ();
  variants = get_variants ();
  elements = gst_decode_row_describe (&row);
  for (guint v = 0; v < variants->n_values; v++)
    for (guint i = 0; i < streams->len; i++) {
      const Stream *stream = g_ptr_array_index (streams, i);

      for (guint k = 0; k < G_N_ELEMENTS (names); k++)
        if (g_str_equal (stream->name, names[k]))
          check_variant (stream, elements, variants->values[v].value_nick);
    }
  g_free (elements);
  g_type_class_unref (variants);
  g_ptr_array_unref (streams);

  return tap_finish ();
}
