/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What programs that test a row begin and end with: the options that choose the row, and a folder for files.
 */
#pragma once

#include "gstdecoderow.h"

G_BEGIN_DECLS

/**
 * RowTest:
 * @settings: of the row; a program sets its own before row_test_begin(), which adds the options'
 * @backend: (nullable): as the option says
 * @elements: the row, as gst-launch-1.0 writes it
 * @given: @elements are the option's, whatever @settings say
 * @folder: (nullable): empty, for files that the program removes itself; see row_test_make_folder()
 */
typedef struct
{
  GstDecodeRow settings;
  gchar *backend;
  gchar *elements;
  gboolean given;
  gchar *folder;
} RowTest;

#define ROW_TEST_INIT               \
  {                                 \
    .settings = GST_DECODE_ROW_INIT \
  }

/* Reads --backend, --row, @entries (nullable) and GStreamer's options, and initialises GStreamer; aborts where one is wrong. */
void row_test_begin (RowTest *self, const GOptionEntry *entries, gint *argc, gchar ***argv);

/* (transfer full): the row with queues between its elements, or without; as it is, where an option gave it */
gchar *row_test_describe (const RowTest *self, gboolean queues);

/* (transfer full): @row with @properties, as gst-launch-1.0 writes them, of its first element: h264entropy, or gpuh264dec */
gchar *row_test_with (const gchar *row, const gchar *properties);

void row_test_make_folder (RowTest *self);

/* Removes the folder */
void row_test_clear (RowTest *self);

/* The same, and prints the plan; the program's exit status */
int row_test_end (RowTest *self);

G_END_DECLS
