/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reportlog.h"

#include <gst/video/video.h>
#include <math.h>

/* Different messages, and runs of flagged frames, beyond which they are only counted */
#define MAX_MESSAGES 200
#define MAX_RUNS 200

typedef struct
{
  gchar *kind, *source, *text;
  gdouble first, last; /* seconds */
  guint64 frame;       /* at the first time */
  guint64 count;
} Message;

/* Frames that follow each other with the same flag */
typedef struct
{
  guint64 first, last;
  gdouble from, to; /* seconds, of the first and the last one; NaN where they have no time */
} Run;

typedef struct
{
  const gchar *name;
  guint mask, value; /* a frame has it where its flags under @mask are @value */
} Flag;

#define HAS(flag) (flag), (flag)

static const Flag flags_of_frames[] = {
  { "corrupted", HAS (GST_BUFFER_FLAG_CORRUPTED) },
  { "discont", HAS (GST_BUFFER_FLAG_DISCONT) },
  { "interlaced", HAS (GST_VIDEO_BUFFER_FLAG_INTERLACED) },
  { "top field first", GST_VIDEO_BUFFER_FLAG_TFF | GST_VIDEO_BUFFER_FLAG_ONEFIELD, GST_VIDEO_BUFFER_FLAG_TFF },
  { "repeated field", HAS (GST_VIDEO_BUFFER_FLAG_RFF) },
  { "one field", HAS (GST_VIDEO_BUFFER_FLAG_ONEFIELD) },
};
#define N_FLAGS G_N_ELEMENTS (flags_of_frames)

struct _ReportLog
{
  GPtrArray *messages;
  guint64 n_more;
  GArray *runs[N_FLAGS];
  guint64 n_frames[N_FLAGS];
};

static void
message_free (gpointer data)
{
  Message *message = data;

  g_free (message->kind);
  g_free (message->source);
  g_free (message->text);
  g_free (message);
}

ReportLog *
report_log_new (void)
{
  ReportLog *self = g_new0 (ReportLog, 1);

  self->messages = g_ptr_array_new_with_free_func (message_free);
  for (guint i = 0; i < N_FLAGS; i++)
    self->runs[i] = g_array_new (FALSE, FALSE, sizeof (Run));
  return self;
}

void
report_log_free (ReportLog *self)
{
  g_ptr_array_unref (self->messages);
  for (guint i = 0; i < N_FLAGS; i++)
    g_array_unref (self->runs[i]);
  g_free (self);
}

static Message *
find_message (ReportLog *self, const gchar *kind, const gchar *source, const gchar *text)
{
  for (guint i = 0; i < self->messages->len; i++) {
    Message *message = g_ptr_array_index (self->messages, i);

    if (g_str_equal (message->text, text) && g_str_equal (message->source, source) && g_str_equal (message->kind, kind))
      return message;
  }
  return NULL;
}

void
report_log_add_message (ReportLog *self, const gchar *kind, const gchar *source, const gchar *text, gdouble seconds, guint64 frame)
{
  Message *message = find_message (self, kind, source, text);

  if (!message && self->messages->len >= MAX_MESSAGES) {
    self->n_more++;
    return;
  }
  if (!message) {
    message = g_new0 (Message, 1);
    *message = (Message){ g_strdup (kind), g_strdup (source), g_strdup (text), seconds, seconds, frame, 0 };
    g_ptr_array_add (self->messages, message);
  }
  message->last = seconds;
  message->count++;
}

static void
add_to_runs (GArray *runs, guint64 frame, gdouble seconds)
{
  Run *last = runs->len > 0 ? &g_array_index (runs, Run, runs->len - 1) : NULL;
  Run run = { frame, frame, seconds, seconds };

  if (last && last->last + 1 == frame) {
    last->last = frame;
    last->to = seconds;
  } else if (runs->len < MAX_RUNS) {
    g_array_append_val (runs, run);
  }
}

void
report_log_add_frame (ReportLog *self, guint64 frame, GstClockTime pts, guint flags)
{
  const gdouble seconds = GST_CLOCK_TIME_IS_VALID (pts) ? pts / 1e9 : NAN;

  for (guint i = 0; i < N_FLAGS; i++)
    if ((flags & flags_of_frames[i].mask) == flags_of_frames[i].value) {
      self->n_frames[i]++;
      add_to_runs (self->runs[i], frame, seconds);
    }
}

guint64
report_log_count_corrupted (const ReportLog *self)
{
  return self->n_frames[0];
}

static void
write_message (const Message *message, JsonWriter *json)
{
  json_begin_object (json, NULL);
  json_add_string (json, "kind", message->kind);
  json_add_string (json, "source", message->source);
  json_add_string (json, "text", message->text);
  json_add_number (json, "first", message->first);
  json_add_number (json, "last", message->last);
  json_add_number (json, "frame", message->frame);
  json_add_number (json, "count", message->count);
  json_end_object (json);
}

static void
write_flag (const ReportLog *self, guint flag, JsonWriter *json)
{
  json_begin_object (json, NULL);
  json_add_string (json, "flag", flags_of_frames[flag].name);
  json_add_number (json, "count", self->n_frames[flag]);
  json_begin_array (json, "runs");
  for (guint i = 0; i < self->runs[flag]->len; i++) {
    const Run *run = &g_array_index (self->runs[flag], Run, i);

    json_begin_object (json, NULL);
    json_add_number (json, "first", run->first);
    json_add_number (json, "last", run->last);
    json_add_number (json, "from", run->from);
    json_add_number (json, "to", run->to);
    json_end_object (json);
  }
  json_end_array (json);
  json_end_object (json);
}

void
report_log_write (const ReportLog *self, JsonWriter *json)
{
  json_begin_array (json, "messages");
  for (guint i = 0; i < self->messages->len; i++)
    write_message (g_ptr_array_index (self->messages, i), json);
  json_end_array (json);
  json_add_number (json, "more_messages", self->n_more);
  json_begin_array (json, "flags");
  for (guint i = 0; i < N_FLAGS; i++)
    if (self->n_frames[i] > 0)
      write_flag (self, i, json);
  json_end_array (json);
}
