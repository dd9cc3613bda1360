/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The element paperscsc: colour conversion in C on one core, for rows to be compared with.
 */
#pragma once

#include <gst/video/gstvideofilter.h>

G_BEGIN_DECLS

#define GST_TYPE_PAPERS_CSC (gst_papers_csc_get_type ())
G_DECLARE_FINAL_TYPE (GstPapersCsc, gst_papers_csc, GST, PAPERS_CSC, GstVideoFilter)

GST_ELEMENT_REGISTER_DECLARE (paperscsc);

G_END_DECLS
