/* The timeline of --trace for programs in C, in Chrome's trace format: of one process a track for bind and one for run, of ranks a
 * track for each.
 *
 *   rank 0   [exchange                                           ]
 *            [begin_exchange][nodes_h interior ][end_exchange    ][nodes_h boundary] */
#include "support/file.h"
#include "tools/gnn-run/gnn_run_profile.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char *name_of(const profile_call *c, profile_kind kind) {
  return kind == PROFILE_exchange ? "exchange" : kind == PROFILE_begin ? "begin_exchange" : c->function;
}

static json_t *event_json(const profile *p, const profile_event *e, int32_t track, double zero) {
  static const char *const rows[] = {
      [PROFILE_interior] = "interior", [PROFILE_boundary] = "boundary", [PROFILE_exchange] = NULL};
  const profile_call *c = &p->calls[e->number];
  json_t *made = json_object(), *arguments = json_object();
  profile_put_place(arguments, c->file, c->line, c->text);
  if (c->value) json_object_set_new(arguments, "value", json_string(c->value));
  if (rows[e->kind]) json_object_set_new(arguments, "rows", json_string(rows[e->kind]));
  json_object_set_new(made, "name", json_string(name_of(c, e->kind)));
  json_object_set_new(made, "cat", json_string(c->phase));
  json_object_set_new(made, "ph", json_string("X"));
  json_object_set_new(made, "ts", json_real(1e6 * (e->begin - zero)));
  json_object_set_new(made, "dur", json_real(1e6 * (e->end - e->begin)));
  json_object_set_new(made, "pid", json_integer(1));
  json_object_set_new(made, "tid", json_integer(track));
  json_object_set_new(made, "args", arguments);
  return made;
}

static void add_track(json_t *events, int32_t track, const char *name) {
  json_array_append_new(events, json_pack("{s:s,s:s,s:i,s:i,s:{s:s}}", "name", "thread_name", "ph", "M", "pid", 1,
                                          "tid", track, "args", "name", name));
}

/* Takes the events. */
static status write_events(json_t *events, const char *path, const sim_origin *origin) {
  json_t *root = json_object();
  json_object_set_new(root, "displayTimeUnit", json_string("ns"));
  json_object_set_new(root, "otherData", json_pack("{s:s}", "made_by", origin->made_by));
  json_object_set_new(root, "traceEvents", events);
  char *printed = json_dumps(root, JSON_INDENT(1) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(12));
  json_decref(root);
  if (!printed) return status_error(STATUS_CODE_memory, "no memory for the timeline");
  status s = file_write(path, printed, strlen(printed));
  free(printed);
  return s;
}

status profile_write_trace(const profile *p, const char *path, const sim_origin *origin) {
  json_t *events = json_array();
  for (int phase = 0; phase < PROFILE_PHASES; phase++) add_track(events, phase, profile_phases[phase]);
  for (size_t i = 0; i < p->events.count; i++) {
    const profile_event *e = &p->events.items[i];
    const bool is_bind = !strcmp(p->calls[e->number].phase, profile_phases[0]);
    json_array_append_new(events, event_json(p, e, is_bind ? 0 : 1, p->events.items[0].begin));
  }
  return write_events(events, path, origin);
}

status profile_write_ranks(const profile *p, int32_t ranks, const profile_event *events, size_t count, const char *path,
                           const sim_origin *origin) {
  json_t *list = json_array();
  for (int32_t r = 0; r < ranks; r++) add_track(list, r, arena_printf(p->arena, "rank %d", r));
  for (size_t i = 0; i < count; i++) json_array_append_new(list, event_json(p, &events[i], events[i].rank, 0));
  return write_events(list, path, origin);
}
