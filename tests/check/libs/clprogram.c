/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Building programs, and the cache on disk: used, damaged, unwritable.
 */
#include <sys/stat.h>
#include <unistd.h>
#include <glib/gstdio.h>

#include "cltest.h"
#include "gstclprogram.h"

#define SOURCE "__kernel void add (__global int *p) { p[get_global_id (0)] += VALUE; }"
#define OPTIONS "-DVALUE=3"

/* Runs the program on four ints */
static void
check_program (GstClContext *context, cl_program program)
{
  cl_int status, data[4] = { 1, 2, 3, 4 };
  size_t global = 4;
  cl_kernel kernel = clCreateKernel (program, "add", &status);
  cl_mem buffer;

  fail_unless_equals_int (status, CL_SUCCESS);
  buffer = clCreateBuffer (context->handle, CL_MEM_COPY_HOST_PTR, sizeof (data), data, &status);
  fail_unless_equals_int (status, CL_SUCCESS);
  clSetKernelArg (kernel, 0, sizeof (buffer), &buffer);
  fail_unless_equals_int (clEnqueueNDRangeKernel (context->queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL), CL_SUCCESS);
  fail_unless_equals_int (clEnqueueReadBuffer (context->queue, buffer, CL_TRUE, 0, sizeof (data), data, 0, NULL, NULL), CL_SUCCESS);
  for (int i = 0; i < 4; i++)
    fail_unless_equals_int (data[i], i + 4);
  clReleaseMemObject (buffer);
  clReleaseKernel (kernel);
}

/* Builds with a context that has no program yet, and runs */
static void
build_and_check (void)
{
  GstClContext *context = cl_test_context ();
  GError *error = NULL;
  cl_program program = gst_cl_program_get (context, "test", SOURCE, OPTIONS, &error), again;

  fail_unless (program != NULL, "%s", error ? error->message : "");
  check_program (context, program);
  again = gst_cl_program_get (context, "test", SOURCE, OPTIONS, &error);
  fail_unless (again == program);
  clReleaseProgram (again);
  clReleaseProgram (program);
  gst_object_unref (context);
}

static gchar *
get_path (void)
{
  GstClContext *context = cl_test_context ();
  gchar *path = gst_cl_program_cache_path (context, SOURCE, OPTIONS);

  gst_object_unref (context);

  return path;
}

static void
write_file (const gchar *path, const gchar *contents, gssize size)
{
  fail_unless (g_file_set_contents (path, contents, size, NULL));
}

GST_START_TEST (test_cache)
{
  gchar *path = get_path (), *first, *second;
  gsize first_size, second_size;

  g_unlink (path);
  build_and_check ();
  fail_unless (g_file_get_contents (path, &first, &first_size, NULL));
  fail_unless (first_size > 40);
  build_and_check ();
  fail_unless (g_file_get_contents (path, &second, &second_size, NULL));
  assert_equals_uint64 (second_size, first_size);
  fail_unless (memcmp (first, second, first_size) == 0);
  g_free (first);
  g_free (second);
  g_free (path);
}

GST_END_TEST;

/* Each kind of damage is noticed, the program is built all the same, and the file is whole afterwards. */
GST_START_TEST (test_damaged_cache)
{
  gchar *path = get_path (), *whole, *contents;
  gsize whole_size, size;

  g_unlink (path);
  build_and_check ();
  fail_unless (g_file_get_contents (path, &whole, &whole_size, NULL));
  for (guint i = 0; i < 5; i++) {
    gchar *damaged = g_memdup2 (whole, whole_size);

    if (i == 0)
      write_file (path, "", 0);
    else if (i == 1)
      write_file (path, damaged, whole_size / 2);
    else {
      damaged[i == 2 ? 0 : i == 3 ? 20 : whole_size - 1] ^= 1;
      write_file (path, damaged, whole_size);
    }
    build_and_check ();
    fail_unless (g_file_get_contents (path, &contents, &size, NULL));
    fail_unless (size > 40 && memcmp (contents, whole, 8) == 0);
    g_free (contents);
    g_free (damaged);
  }
  g_free (whole);
  g_free (path);
}

GST_END_TEST;

/* A file that is what it says, but holds no binary of this device */
GST_START_TEST (test_foreign_binary)
{
  static const gchar binary[] = "not a program";
  gchar *path = get_path ();
  GChecksum *checksum = g_checksum_new (G_CHECKSUM_SHA256);
  GString *file = g_string_new ("GCLPROG1");
  guint8 digest[32];
  gsize digest_size = sizeof (digest);

  g_checksum_update (checksum, (const guchar *) binary, sizeof (binary));
  g_checksum_get_digest (checksum, digest, &digest_size);
  g_string_append_len (file, (const gchar *) digest, sizeof (digest));
  g_string_append_len (file, binary, sizeof (binary));
  write_file (path, file->str, file->len);
  build_and_check ();
  g_string_free (file, TRUE);
  g_checksum_free (checksum);
  g_free (path);
}

GST_END_TEST;

static guint
get_mode (const gchar *path)
{
  GStatBuf info;

  return g_stat (path, &info) == 0 ? info.st_mode & 0777 : 0;
}

/* A file that others may have written is not used: it is replaced by the program built from source. */
GST_START_TEST (test_cache_of_others)
{
  gchar *path = get_path ();

  g_unlink (path);
  build_and_check ();
  fail_unless_equals_int (get_mode (path), 0600);
  for (guint i = 0; i < 3; i++) {
    static const guint modes[] = { 0620, 0602, 0604 };

    /* who may read it can do nothing */
    fail_unless_equals_int (g_chmod (path, (gint) modes[i]), 0);
    build_and_check ();
    fail_unless_equals_int (get_mode (path), i < 2 ? 0600 : 0604);
  }
  if (geteuid () == 0) {
    GStatBuf info;

    fail_unless_equals_int (chown (path, 65534, 65534), 0);
    build_and_check ();
    fail_unless (g_stat (path, &info) == 0 && info.st_uid == 0);
  }
  g_free (path);
}

GST_END_TEST;

/* A link is not followed: what it names may have been chosen by others. */
GST_START_TEST (test_cache_of_links)
{
  gchar *path = get_path (), *other = g_strconcat (path, ".other", NULL);
  GStatBuf info;

  g_unlink (path);
  build_and_check ();
  fail_unless_equals_int (g_rename (path, other), 0);
  fail_unless_equals_int (symlink (other, path), 0);
  build_and_check ();
  fail_unless (g_lstat (path, &info) == 0 && S_ISREG (info.st_mode));
  g_unlink (other);
  g_free (other);
  g_free (path);
}

GST_END_TEST;

/* Nothing is read from a folder that others may write to, and nothing kept there. */
GST_START_TEST (test_cache_folder_of_others)
{
  gchar *path = get_path (), *folder = g_path_get_dirname (path);

  g_unlink (path);
  build_and_check ();
  fail_unless_equals_int (g_chmod (folder, 0777), 0);
  fail_unless_equals_int (g_chmod (path, 0606), 0);
  build_and_check ();
  fail_unless_equals_int (get_mode (path), 0606);
  g_unlink (path);
  build_and_check ();
  fail_unless (!g_file_test (path, G_FILE_TEST_EXISTS));
  fail_unless_equals_int (g_chmod (folder, 0700), 0);
  g_free (folder);
  g_free (path);
}

GST_END_TEST;

GST_START_TEST (test_no_cache)
{
  gchar *path = get_path (), *directory = g_path_get_dirname (path);

  g_unlink (path);
  /* a file where the directory should be: nobody can write there, root neither */
  fail_unless_equals_int (g_rmdir (directory), 0);
  write_file (directory, "", 0);
  build_and_check ();
  g_unlink (directory);
  g_free (directory);
  g_free (path);
}

GST_END_TEST;

static void
load (GstClContext *context, const gchar *options)
{
  GstClProgramLoad *begun = gst_cl_program_load_begin (context, "test", SOURCE, options, FALSE);

  /* what has not begun when it is ended never will */
  g_usleep (1000);
  gst_cl_program_load_end (begun);
}

static gboolean
is_loaded (GstClContext *context)
{
  GHashTableIter iter;
  gpointer program;
  guint n = 0;

  g_mutex_lock (&context->programs_lock);
  g_hash_table_iter_init (&iter, context->programs);
  while (g_hash_table_iter_next (&iter, NULL, &program))
    n += program != NULL;
  g_mutex_unlock (&context->programs_lock);

  return n == 1;
}

/* Loading beforehand takes what the cache has, and builds nothing. */
GST_START_TEST (test_load)
{
  gchar *path = get_path ();
  GstClContext *context;
  GError *error = NULL;
  cl_program program;

  g_unlink (path);
  context = cl_test_context ();
  for (guint i = 0; i < 20; i++)
    load (context, OPTIONS);
  fail_if (is_loaded (context));
  fail_if (g_file_test (path, G_FILE_TEST_EXISTS));
  gst_object_unref (context);

  build_and_check ();
  context = cl_test_context ();
  /* it is loaded in the end, however long nobody waits for it */
  while (!is_loaded (context))
    load (context, OPTIONS);
  program = gst_cl_program_get (context, "test", SOURCE, OPTIONS, &error);
  fail_unless (program != NULL);
  check_program (context, program);
  clReleaseProgram (program);
  fail_unless (is_loaded (context));
  gst_object_unref (context);
  g_free (path);
}

GST_END_TEST;

#define N_THREADS 8

static gpointer
get_one (gpointer data)
{
  const gint number = GPOINTER_TO_INT (data);
  GstClContext *context = cl_test_context ();
  gchar *options = g_strdup_printf ("-DVALUE=%d", number % 3);
  GstClProgramLoad *beside = gst_cl_program_load_begin (context, "test", SOURCE, options, number % 2);
  cl_program program = gst_cl_program_get (context, "test", SOURCE, options, NULL);

  gst_cl_program_load_end (beside);
  g_free (options);
  gst_object_unref (context);

  return program;
}

/* Whoever asks for the same program at the same time gets the same one. */
GST_START_TEST (test_threads)
{
  GstClContext *context = cl_test_context ();
  GThread *threads[N_THREADS];
  cl_program programs[N_THREADS];

  for (gint i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("get", get_one, GINT_TO_POINTER (i));
  for (gint i = 0; i < N_THREADS; i++)
    programs[i] = g_thread_join (threads[i]);
  for (gint i = 0; i < N_THREADS; i++) {
    fail_unless (programs[i] != NULL);
    fail_unless (programs[i] == programs[i % 3]);
    clReleaseProgram (programs[i]);
  }
  fail_if (programs[0] == programs[1]);
  gst_object_unref (context);
}

GST_END_TEST;

GST_START_TEST (test_wrong_source)
{
  GstClContext *context = cl_test_context ();
  GError *error = NULL;

  fail_unless (
      gst_cl_program_get (context, "gputest", "__kernel void broken (__global int *p) { p[0] = no_such_thing; }", "", &error) == NULL);
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED));
  fail_unless (strstr (error->message, "gputest") != NULL, "%s", error->message);
  fail_unless (strstr (error->message, "no_such_thing") != NULL, "%s", error->message);
  g_clear_error (&error);

  /* other options are another program */
  fail_unless (!gst_cl_program_get (context, "gputest", SOURCE, "", &error));
  g_clear_error (&error);
  gst_object_unref (context);
}

GST_END_TEST;

static Suite *
clprogram_suite (void)
{
  Suite *suite = suite_create ("clprogram");
  TCase *tests = tcase_create ("general");

  suite_add_tcase (suite, tests);
  tcase_set_timeout (tests, 60);
  tcase_add_test (tests, test_cache);
  tcase_add_test (tests, test_damaged_cache);
  tcase_add_test (tests, test_foreign_binary);
  tcase_add_test (tests, test_cache_of_others);
  tcase_add_test (tests, test_cache_of_links);
  tcase_add_test (tests, test_cache_folder_of_others);
  tcase_add_test (tests, test_no_cache);
  tcase_add_test (tests, test_load);
  tcase_add_test (tests, test_threads);
  tcase_add_test (tests, test_wrong_source);

  return suite;
}

int
main (int argc, char **argv)
{
  gchar *cache = g_dir_make_tmp ("clprogram-XXXXXX", NULL), *directory = g_build_filename (cache, "gst-gpu-codec", NULL);
  GDir *dir;
  int ret;

  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  gst_check_init (&argc, &argv);
  ret = cl_test_skip ();
  if (ret == 0)
    ret = gst_check_run_suite (clprogram_suite (), "clprogram", __FILE__);

  dir = g_dir_open (directory, 0, NULL);
  for (const gchar *name = dir ? g_dir_read_name (dir) : NULL; name; name = g_dir_read_name (dir)) {
    gchar *path = g_build_filename (directory, name, NULL);

    g_unlink (path);
    g_free (path);
  }
  if (dir)
    g_dir_close (dir);
  g_rmdir (directory);
  g_rmdir (cache);
  g_free (directory);
  g_free (cache);

  return ret;
}
