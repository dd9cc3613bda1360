/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The element papersidct: published ways of the inverse transforms.
 */
#pragma once

#include "gstclstage.h"

G_BEGIN_DECLS

#define GST_TYPE_PAPERS_IDCT (gst_papers_idct_get_type ())
G_DECLARE_FINAL_TYPE (GstPapersIdct, gst_papers_idct, GST, PAPERS_IDCT, GstClStage)

GST_ELEMENT_REGISTER_DECLARE (papersidct);

G_END_DECLS
