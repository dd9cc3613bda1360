/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "gstclpoclcache.h"
#include "gstclprogram.h"

GST_DEBUG_CATEGORY_STATIC (gst_cl_program_debug);
#define GST_CAT_DEFAULT gst_cl_program_debug

/* A cache file is this, the SHA-256 of the binary, the binary. */
#define CACHE_MAGIC "GCLPROG1"
#define MAGIC_SIZE 8
#define DIGEST_SIZE 32
#define HEADER_SIZE (MAGIC_SIZE + DIGEST_SIZE)

static gpointer
register_debug_category (gpointer unused)
{
  GST_DEBUG_CATEGORY_INIT (gst_cl_program_debug, "clprogram", 0, "building and caching of OpenCL programs");

  return NULL;
}

static gchar *
make_key (GstClContext *context, const gchar *source, const gchar *options)
{
  GChecksum *checksum = g_checksum_new (G_CHECKSUM_SHA256);
  const gchar *const parts[] = { CACHE_MAGIC, context->version, options, source };
  gchar *key;

  /* with their ends, so that no two lists of parts read the same */
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    g_checksum_update (checksum, (const guchar *) parts[i], strlen (parts[i]) + 1);
  key = g_strdup (g_checksum_get_string (checksum));
  g_checksum_free (checksum);

  return key;
}

static gchar *
cache_path (const gchar *key)
{
  gchar *name = g_strconcat (key, ".clbin", NULL);
  gchar *path = g_build_filename (g_get_user_cache_dir (), "gst-gpu-codec", name, NULL);

  g_free (name);

  return path;
}

gchar *
gst_cl_program_cache_path (GstClContext *context, const gchar *source, const gchar *options)
{
  gchar *key = make_key (context, source, options);
  gchar *path = cache_path (key);

  g_free (key);

  return path;
}

static void
digest_of (const guchar *data, gsize size, guchar digest[DIGEST_SIZE])
{
  GChecksum *checksum = g_checksum_new (G_CHECKSUM_SHA256);
  gsize digest_size = DIGEST_SIZE;

  g_checksum_update (checksum, data, size);
  g_checksum_get_digest (checksum, digest, &digest_size);
  g_checksum_free (checksum);
}

/* A binary runs with the rights of the user: nobody else may have written it, or be able to. */
static gboolean
is_own (const struct stat *info)
{
  return info->st_uid == geteuid () && (info->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Whether the folder of @path is one that nobody else may write to */
static gboolean
folder_is_own (const gchar *path)
{
  gchar *folder = g_path_get_dirname (path);
  struct stat info;
  const gboolean is_folder = stat (folder, &info) == 0 && S_ISDIR (info.st_mode);
  const gboolean ok = is_folder && is_own (&info);

  if (is_folder && !ok)
    GST_WARNING ("%s is left alone: others own it or may write to it", folder);
  g_free (folder);

  return ok;
}

/* The bytes of the file @fd, which is closed; NULL where others own it or may write to it, or it cannot be read */
static gchar *
read_own_file (gint fd, const gchar *path, gsize *size)
{
  struct stat info;
  gchar *contents = NULL;
  gsize n = 0;
  gssize got = 1;

  if (fstat (fd, &info) != 0 || !S_ISREG (info.st_mode) || !is_own (&info)) {
    GST_WARNING ("%s is left alone: others own it or may write to it", path);
  } else if ((contents = g_try_malloc ((gsize) info.st_size + 1))) {
    while (n < (gsize) info.st_size && got > 0)
      if ((got = read (fd, contents + n, (gsize) info.st_size - n)) > 0)
        n += (gsize) got;
  }
  (void) close (fd);
  *size = n;

  return contents;
}

/* NULL where there is no file, a damaged one, or one that others may have written */
static guchar *
read_cache_file (const gchar *path, gsize *binary_size)
{
  const gint fd = folder_is_own (path) ? g_open (path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC, 0) : -1;
  guchar digest[DIGEST_SIZE];
  gchar *contents;
  gsize size;

  if (fd < 0)
    return NULL;
  contents = read_own_file (fd, path, &size);
  if (!contents)
    return NULL;
  if (size > HEADER_SIZE && memcmp (contents, CACHE_MAGIC, MAGIC_SIZE) == 0) {
    digest_of ((const guchar *) contents + HEADER_SIZE, size - HEADER_SIZE, digest);
    if (memcmp (contents + MAGIC_SIZE, digest, DIGEST_SIZE) == 0) {
      *binary_size = size - HEADER_SIZE;
      memmove (contents, contents + HEADER_SIZE, *binary_size);
      return (guchar *) contents;
    }
  }
  GST_WARNING ("%s is damaged: building from source", path);
  g_free (contents);

  return NULL;
}

static cl_program
load_program (GstClContext *context, const gchar *path, const gchar *options)
{
  gsize size = 0;
  guchar *binary = read_cache_file (path, &size);
  const guchar *binaries[1] = { binary };
  cl_device_id device = context->device.device;
  cl_program program;
  cl_int status, binary_status;

  if (!binary)
    return NULL;
  GST_CL_CREATE (program = clCreateProgramWithBinary (context->handle, 1, &device, &size, binaries, &binary_status, &status), status);
  if (status == CL_SUCCESS)
    status = GST_CL_CALL (clBuildProgram (program, 1, &device, options, NULL, NULL));
  g_free (binary);
  if (status == CL_SUCCESS)
    return program;
  GST_WARNING ("%s does not load (%s): building from source", path, gst_cl_status_name (status));
  if (program)
    GST_CL_CALL (clReleaseProgram (program));

  return NULL;
}

static gchar *
get_build_log (cl_program program, cl_device_id device)
{
  size_t size = 0;
  gchar *log;

  if (GST_CL_CALL (clGetProgramBuildInfo (program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size)) != CL_SUCCESS)
    return g_strdup ("(no build log)");
  log = g_malloc0 (size + 1);
  GST_CL_CALL (clGetProgramBuildInfo (program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL));

  return log;
}

static void
set_build_error (GError **error, GstClContext *context, const gchar *name, const gchar *options, cl_program program, cl_int status)
{
  gchar *log = get_build_log (program, context->device.device);
  /* PoCL's devices have its name in their version */
  gboolean is_pocl = strstr (context->version, "PoCL") || strstr (context->version, "pocl");
  gchar *trouble = is_pocl ? gst_cl_pocl_cache_describe_trouble () : NULL;

  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED, "The kernels of %s do not build on %s with \"%s\": %s\n%s", name,
      gst_cl_context_get_name (context), options, gst_cl_status_name (status), trouble ? trouble : log);
  g_free (trouble);
  g_free (log);
}

static cl_program
build_program (GstClContext *context, const gchar *name, const gchar *source, const gchar *options, GError **error)
{
  cl_device_id device = context->device.device;
  cl_program program;
  cl_int status;

  GST_CL_CREATE (program = clCreateProgramWithSource (context->handle, 1, &source, NULL, &status), status);
  if (status == CL_SUCCESS) {
    status = GST_CL_CALL (clBuildProgram (program, 1, &device, options, NULL, NULL));
    if (status == CL_SUCCESS)
      return program;
  }
  if (program) {
    set_build_error (error, context, name, options, program, status);
    GST_CL_CALL (clReleaseProgram (program));
  } else {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED, "%s takes no program: %s", gst_cl_context_get_name (context),
        gst_cl_status_name (status));
  }

  return NULL;
}

/* No cache is no error. */
static void
store_program (cl_program program, const gchar *path)
{
  size_t size = 0;
  gchar *contents, *directory;
  guchar *binary;
  GError *error = NULL;

  if (GST_CL_CALL (clGetProgramInfo (program, CL_PROGRAM_BINARY_SIZES, sizeof (size), &size, NULL)) != CL_SUCCESS || size == 0)
    return;
  contents = g_malloc0 (HEADER_SIZE + size);
  binary = (guchar *) contents + HEADER_SIZE;
  if (GST_CL_CALL (clGetProgramInfo (program, CL_PROGRAM_BINARIES, sizeof (binary), &binary, NULL)) == CL_SUCCESS) {
    memcpy (contents, CACHE_MAGIC, MAGIC_SIZE);
    digest_of (binary, size, (guchar *) contents + MAGIC_SIZE);
    directory = g_path_get_dirname (path);
    /* A file beside it and a rename: a reader never sees half of it. */
    if (g_mkdir_with_parents (directory, 0700) != 0 || !folder_is_own (path)
        || !g_file_set_contents_full (path, contents, (gssize) (HEADER_SIZE + size), G_FILE_SET_CONTENTS_CONSISTENT, 0600, &error))
      GST_INFO ("cannot keep %s: %s", path, error ? error->message : g_strerror (errno));
    g_clear_error (&error);
    g_free (directory);
  }
  g_free (contents);
}

/* A program that is in no table yet, from the cache or, where @build, from source */
static cl_program
make_program (GstClContext *context, const gchar *key, const gchar *name, const gchar *source, const gchar *options, gboolean build,
    GError **error)
{
  const gint64 start = g_get_monotonic_time ();
  gchar *path = cache_path (key);
  cl_program program = load_program (context, path, options);
  const gchar *origin = program ? "a cached binary" : "source";

  if (!program && build) {
    program = build_program (context, name, source, options, error);
    if (program)
      store_program (program, path);
  }
  if (program)
    GST_INFO ("%s with \"%s\" from %s: %" G_GINT64_FORMAT " ms", name, options, origin, (g_get_monotonic_time () - start) / 1000);
  g_free (path);

  return program;
}

/* (transfer none) (nullable): a program that is there, once whoever builds it is done; NULL: nobody does.  With the lock */
static cl_program
wait_for_program (GstClContext *context, const gchar *key)
{
  gpointer program;

  while (g_hash_table_lookup_extended (context->programs, key, NULL, &program)) {
    if (program)
      return program;
    g_cond_wait (&context->programs_cond, &context->programs_lock);
  }

  return NULL;
}

/* (transfer none) (nullable): the same, and where there is none it is made, without the lock meanwhile: others get other programs */
static cl_program
find_or_make_program (GstClContext *context, const gchar *key, const gchar *name, const gchar *source, const gchar *options, gboolean build,
    GError **error)
{
  cl_program program = wait_for_program (context, key);

  if (program)
    return program;
  g_hash_table_insert (context->programs, g_strdup (key), NULL);
  g_mutex_unlock (&context->programs_lock);
  program = make_program (context, key, name, source, options, build, error);
  g_mutex_lock (&context->programs_lock);
  if (program)
    g_hash_table_insert (context->programs, g_strdup (key), program);
  else
    g_hash_table_remove (context->programs, key);
  g_cond_broadcast (&context->programs_cond);

  return program;
}

cl_program
gst_cl_program_get (GstClContext *context, const gchar *name, const gchar *source, const gchar *options, GError **error)
{
  static GOnce once = G_ONCE_INIT;
  gchar *key = make_key (context, source, options);
  cl_program program;
  cl_int status;

  g_once (&once, register_debug_category, NULL);
  g_mutex_lock (&context->programs_lock);
  program = find_or_make_program (context, key, name, source, options, TRUE, error);
  if (program && (status = GST_CL_CALL (clRetainProgram (program))) != CL_SUCCESS) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED, "The kernels of %s cannot be used: %s", name,
        gst_cl_status_name (status));
    program = NULL;
  }
  g_mutex_unlock (&context->programs_lock);
  g_free (key);

  return program;
}

/* A load is begun by a thread, or given up before: whoever comes first */
enum
{
  LOAD_WAITS,
  LOAD_BEGUN,
  LOAD_GIVEN_UP
};

struct _GstClProgramLoad
{
  GstClContext *context; /* a reference, which is dropped by whoever gives up the load, or waits for its end */
  const gchar *name, *source;
  gchar *options;
  gboolean late;
  gint state;
  gboolean done; /* with the context's programs_lock */
};

static void
load_free (GstClProgramLoad *load)
{
  g_free (load->options);
  g_free (load);
}

static void
run_load (gpointer data, gpointer unused)
{
  GstClProgramLoad *load = data;
  GstClContext *context = load->context;
  gchar *key;

  if (!g_atomic_int_compare_and_exchange (&load->state, LOAD_WAITS, LOAD_BEGUN)) {
    load_free (load);
    return;
  }
  key = make_key (context, load->source, load->options);
  g_mutex_lock (&context->programs_lock);
  (void) find_or_make_program (context, key, load->name, load->source, load->options, FALSE, NULL);
  g_free (key);
  load->done = TRUE;
  g_cond_broadcast (&context->programs_cond);
  g_mutex_unlock (&context->programs_lock);
}

static gint
compare_loads (gconstpointer a, gconstpointer b, gpointer unused)
{
  const GstClProgramLoad *x = a, *y = b;

  return x->late - y->late;
}

/* Two: what a driver does with programs it often does one by one, but not the reading of a file beside it. */
static gpointer
make_loaders (gpointer unused)
{
  GThreadPool *loaders = g_thread_pool_new (run_load, NULL, 2, FALSE, NULL);

  g_thread_pool_set_sort_function (loaders, compare_loads, NULL);

  return loaders;
}

GstClProgramLoad *
gst_cl_program_load_begin (GstClContext *context, const gchar *name, const gchar *source, const gchar *options, gboolean late)
{
  static GOnce category = G_ONCE_INIT, loaders = G_ONCE_INIT;
  GstClProgramLoad *load = g_new0 (GstClProgramLoad, 1);

  g_once (&category, register_debug_category, NULL);
  load->context = gst_object_ref (context);
  load->name = name;
  load->source = source;
  load->options = g_strdup (options);
  load->late = late;
  g_thread_pool_push (g_once (&loaders, make_loaders, NULL), load, NULL);

  return load;
}

void
gst_cl_program_load_end (GstClProgramLoad *load)
{
  /* one that is given up belongs to the thread that will find it, but no context waits for that */
  GstClContext *context = load->context;

  if (!g_atomic_int_compare_and_exchange (&load->state, LOAD_WAITS, LOAD_GIVEN_UP)) {
    g_mutex_lock (&context->programs_lock);
    while (!load->done)
      g_cond_wait (&context->programs_cond, &context->programs_lock);
    g_mutex_unlock (&context->programs_lock);
    load_free (load);
  }
  gst_object_unref (context);
}
