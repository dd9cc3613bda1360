/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the threads of an application may do with a decoder while a clip plays: changes of the state, seeks with all kinds of flags and
 * rates, properties, events and queries, all at the same time and at times of their own.
 */
#pragma once

#include <gst/app/app.h>

G_BEGIN_DECLS

/* Of the clip, and options of x264 that it is made with */
#define PLAYER_N_PICTURES 24
#define PLAYER_CLIP "keyint=12:min-keyint=12:bframes=2:open-gop=1:slices=2"

typedef struct
{
  GstElement *pipeline;
  GstElement *decoder;
  GstAppSink *sink;
  gint done;
} Player;

/* @path: an MP4 file of H.264; @alignment: what h264parse gives, au or nal; @decoder: elements, one of them gpuh264dec name=decoder */
void player_open (Player *player, const gchar *path, const gchar *alignment, const gchar *decoder);

/* Some steps by each of several threads, in whatever state the player is.  What each thread does comes from the seed; how they meet, from
 * the machine. */
void play_schedule (Player *player, guint32 seed);

/* Stops it. */
void player_clear (Player *player);

G_END_DECLS
