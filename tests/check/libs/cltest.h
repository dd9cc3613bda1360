/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <gst/check/gstcheck.h>
#include "gstclcontext-private.h"

/* For main(): 77, Meson's skip, where there is no OpenCL device; else 0.  Tests run in this process: a driver's threads do not live on in a
 * fork. */
static inline int
cl_test_skip (void)
{
  GError *error = NULL;
  GstClContext *context = gst_cl_context_new (-1, -1, &error);

  g_setenv ("CK_FORK", "no", TRUE);
  if (context) {
    gst_object_unref (context);
    return 0;
  }
  g_printerr ("SKIP: %s\n", error->message);
  g_error_free (error);

  return 77;
}

/* (transfer full): the default device, which exists */
static inline GstClContext *
cl_test_context (void)
{
  GError *error = NULL;
  GstClContext *context = gst_cl_context_new (-1, -1, &error);

  fail_unless (context != NULL, "%s", error ? error->message : "");

  return context;
}

#define CL_TEST_MAIN(suite)                                                \
  int main (int argc, char **argv)                                         \
  {                                                                        \
    int skip;                                                              \
    gst_check_init (&argc, &argv);                                         \
    skip = cl_test_skip ();                                                \
    return skip ? skip : gst_check_run_suite (suite (), #suite, __FILE__); \
  }
