/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The element papersintrapred: intra prediction by scans of edges.
 */
#pragma once

#include "gstclstage.h"

G_BEGIN_DECLS

#define GST_TYPE_PAPERS_INTRAPRED (gst_papers_intrapred_get_type ())
G_DECLARE_FINAL_TYPE (GstPapersIntrapred, gst_papers_intrapred, GST, PAPERS_INTRAPRED, GstClStage)

GST_ELEMENT_REGISTER_DECLARE (papersintrapred);

G_END_DECLS
