/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random schedules of an application's threads (randomschedule.h), one behind the other in one pipeline, which goes to NULL after each:
 * what the process holds of the heap does not grow.  It is what malloc() counts, not resident memory: bytes in use in all its arenas, and
 * in maps of their own.
 *
 * The first half warms up.  What leaks leaks in one schedule or another of the second, so the least that is in use in its last schedules
 * tells of it, beside the least in its first.
 *
 *   heap [--count=N] [--seed=FIRST] [--backend=opencl|c] [--leak=BYTES]
 *
 * With --leak as much is lost after each schedule, and this has to be noticed.
 *
 * Caches that malloc() and GLib keep for each thread count as in use: the test `heap` runs without them (GLIBC_TUNABLES, G_SLICE).
 */
#include <glib/gstdio.h>
#include <malloc.h>
#include <unistd.h>

#include "decoderun.h"
#include "randomschedule.h"
#include "tap.h"
#include "testclip.h"

#define HANG_SECONDS 240
/* Schedules whose least is taken, at either end of the second half */
#define N_LAST 10
/* Caches of GLib and GStreamer that still grow when a moment comes that never came before; a leak of 120 bytes a schedule is more */
#define ALLOWED_BYTES (16 * 1024)

static gint64
heap_in_use (void)
{
  const struct mallinfo2 info = mallinfo2 ();

  return (gint64) (info.uordblks + info.hblkhd);
}

static gint n_leaked;

/* Blocks that nobody frees */
static void
leak (gsize size)
{
  static GSList *lost;

  if (size > 0)
    lost = g_slist_prepend (lost, g_malloc (size));
}

static gint64
play_and_stop (Player *player, guint32 seed)
{
  alarm (HANG_SECONDS);
  gst_element_set_state (player->pipeline, GST_STATE_PAUSED);
  play_schedule (player, seed);
  gst_element_set_state (player->pipeline, GST_STATE_NULL);
  alarm (0);
  leak ((gsize) n_leaked);
  return heap_in_use ();
}

static gint64
least (const gint64 *values, guint n)
{
  gint64 result = values[0];

  for (guint i = 1; i < n; i++)
    result = MIN (result, values[i]);
  return result;
}

static void
check_heap (const gchar *path, const gchar *decoder, guint32 first, guint count)
{
  gint64 *in_use = g_new0 (gint64, count);
  gint64 warm, end;
  Player player;

  player_open (&player, path, "au", decoder);
  for (guint i = 0; i < count; i++)
    in_use[i] = play_and_stop (&player, first + i);
  player_clear (&player);
  warm = least (&in_use[count / 2], N_LAST);
  end = least (&in_use[count - N_LAST], N_LAST);
  tap_check ((end - warm <= ALLOWED_BYTES) == (n_leaked == 0),
      "%s: %" G_GINT64_FORMAT " bytes in use after %u schedules, %" G_GINT64_FORMAT " after %u; %u more are allowed, %d a schedule leak",
      decoder, warm, count / 2 + N_LAST, end, count, ALLOWED_BYTES, n_leaked);
  g_free (in_use);
}

int
main (int argc, char *argv[])
{
  gchar *backend = NULL, *decoder, *folder, *path;
  gint count = 300, seed = 1;
  GOptionEntry entries[] = {
    { "count", 0, 0, G_OPTION_ARG_INT, &count, "Number of schedules (default 300)", "N" },
    { "seed", 0, 0, G_OPTION_ARG_INT, &seed, "The first seed (default 1)", "SEED" },
    { "backend", 0, 0, G_OPTION_ARG_STRING, &backend, "opencl (default) or c", "NAME" },
    { "leak", 0, 0, G_OPTION_ARG_INT, &n_leaked, "Lose BYTES after each schedule, which has to be noticed", "BYTES" },
    { NULL },
  };

  decode_parse_options (entries, &argc, &argv);
  decoder = g_strdup_printf ("gpuh264dec name=decoder backend=%s", backend ? backend : "opencl");
  folder = g_dir_make_tmp ("heap-XXXXXX", NULL);
  g_assert_nonnull (folder);
  path = g_build_filename (folder, "clip.mp4", NULL);
  if (test_clip_make (path, PLAYER_CLIP, PLAYER_N_PICTURES))
    check_heap (path, decoder, (guint32) seed, (guint) MAX (count, 4 * N_LAST));
  else
    tap_skip ("there is no ffmpeg with libx264 to make the clip", "the heap");
  g_unlink (path);
  g_rmdir (folder);
  g_free (path);
  g_free (folder);
  g_free (decoder);
  g_free (backend);

  return tap_finish ();
}
