/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Programs of the device: each is built once, and kept on disk.
 */
#pragma once

#include "gstclcontext-private.h"

G_BEGIN_DECLS

/* (transfer full): the program of @source, built with @options: one that was built in this process, else a binary from the cache on disk,
 * else built from source and kept there.  @name: for messages.  NULL and @error (GST_RESOURCE_ERROR, FAILED; with the build log) where the
 * device's compiler refuses it.
 *
 * The cache: one file a program in $XDG_CACHE_HOME/gst-gpu-codec (~/.cache), named after a hash of source, options and the versions of
 * device and driver. A file that is damaged is replaced; a directory that cannot be written means no cache.
 * Files and directories that others own or may write to are left alone: a binary runs with the rights of the user. */
GST_CL_API
cl_program gst_cl_program_get (GstClContext *context, const gchar *name, const gchar *source, const gchar *options, GError **error);

/* A program that another thread loads from the cache, if it is there, so that it is there by the time that somebody gets it. */
typedef struct _GstClProgramLoad GstClProgramLoad;

/* (transfer full): begins to load it, behind those that are asked for already; @late: and behind those that will be, as long as it has to
 * wait.  @name and @source: static. */
GST_CL_API
GstClProgramLoad *gst_cl_program_load_begin (GstClContext *context, const gchar *name, const gchar *source, const gchar *options,
    gboolean late);
/* @load: (transfer full): is waited for if it has begun, else it never will. */
GST_CL_API
void gst_cl_program_load_end (GstClProgramLoad *load);

/* The path of the cache file (for tests) */
GST_CL_API
gchar *gst_cl_program_cache_path (GstClContext *context, const gchar *source, const gchar *options);

G_END_DECLS
