/* gnn-run --profile: reads from the manifest which calls generated code times, and takes their times.
 *
 *   GNNC_TIMED(3, for_parts(context, ...))    calls gcn_profile(3, 0), then the kernel, then gcn_profile(3, 1)
 *
 * The times contain a call of the clock, some 30 ns, and no other overhead. */
#include "tools/gnn-run/gnn_run_profile.h"

#include "data/graph_rows.h"
#include "data/type_statistics.h"
#include "runtime/c_manifest.h"
#include "runtime/native.h"
#include "support/clock.h"
#include "support/file.h"

#include <jansson.h>
#include <string.h>

const char *const profile_phases[PROFILE_PHASES] = {"bind", "run"};

/* ---- the manifest ---- */

/* The graph, with the numbers that take a pass over its edges. */
typedef struct counter {
  const graph *graph;
  type_statistics types;
  bool has_types;
} counter;

static bool ends_with(const char *s, const char *suffix) {
  size_t length = strlen(s), ending = strlen(suffix);
  return length >= ending && !strcmp(s + length - ending, suffix);
}

static int64_t rows_of(counter *c, const char *rows) {
  bool is_src = ends_with(rows, ".unique_src");
  if (!is_src && !ends_with(rows, ".unique_dst")) return graph_rows_count(c->graph, rows);
  if (strchr(rows, '.') != strrchr(rows, '.')) return -1; /* pairs of a graph with new self loops */
  if (!c->has_types) {
    status s = type_statistics_collect(c->graph, &c->types);
    if (s) c->types.stored.unique_src = c->types.stored.unique_dst = -1;
    status_free(s);
    c->has_types = true;
  }
  return is_src ? c->types.stored.unique_src : c->types.stored.unique_dst;
}

/* Returns the sum of terms {"edge:g": 32, "one": 5}; -1 where a number is unknown. */
static double sum_of(counter *c, json_t *terms) {
  const char *rows;
  json_t *factor;
  double sum = 0;
  if (!json_is_object(terms) || !c->graph) return -1;
  json_object_foreach(terms, rows, factor) {
    int64_t count = rows_of(c, rows);
    if (count < 0 || !json_is_integer(factor)) return -1;
    sum += (double)count * (double)json_integer_value(factor);
  }
  return sum;
}

static const char *text_of(arena *a, const json_t *from, const char *key) {
  const char *found = json_string_value(json_object_get(from, key));
  return found ? arena_strdup(a, found) : NULL;
}

static status read_calls(arena *a, const json_t *list, counter *c, profile *out) {
  if (!json_is_array(list))
    return status_error(STATUS_CODE_mismatch, "it does not list the calls of the model: compile the model anew");
  out->count = (int32_t)json_array_size(list);
  out->calls = arena_alloc_array(a, (size_t)out->count + 1, sizeof *out->calls);
  for (int32_t i = 0; i < out->count; i++) {
    const json_t *from = json_array_get(list, (size_t)i);
    profile_call *call = &out->calls[i];
    call->phase = text_of(a, from, "phase");
    call->function = text_of(a, from, "function");
    call->value = text_of(a, from, "value");
    call->file = text_of(a, from, "file");
    call->text = text_of(a, from, "text");
    call->line = json_integer_value(json_object_get(from, "line"));
    call->flops = sum_of(c, json_object_get(from, "flops"));
    call->bytes = sum_of(c, json_object_get(from, "bytes"));
    if (!call->phase || !call->function)
      return status_error(STATUS_CODE_format, "'timed': call %d has no phase or function", (int)i);
  }
  return STATUS_OK;
}

status profile_read(arena *a, const char *path, const graph *g, profile *out) {
  json_t *root = NULL;
  const char *name = NULL;
  *out = (profile){.arena = a};
  RETURN_IF_ERROR(c_manifest_open(a, path, &name, &root));
  counter c = {.graph = g};
  status s = read_calls(a, json_object_get(root, "timed"), &c, out);
  json_decref(root);
  return status_context(s, "%s", name);
}

/* ---- times ---- */

static _Thread_local profile *current;

static void add_event(profile *p, int32_t number, profile_kind kind, double begin, double end) {
  if (p->events.count < PROFILE_MOST_EVENTS)
    VEC_PUSH(p->arena, &p->events, ((profile_event){number, p->rank, kind, begin, end}));
}

void profile_note_begin(double called, double returned) {
  profile *p = current;
  if (!p) return;
  p->is_exchanging = true;
  p->overlapped = NULL;
  p->begin_called = called;
  p->begin_returned = returned;
}

static void end_exchange(profile *p, int32_t number, double now) {
  if (!p->is_exchanging) return; /* one rank without an exchange, which the program ends all the same */
  p->is_exchanging = false;
  add_event(p, number, PROFILE_begin, p->begin_called, p->begin_returned);
  add_event(p, number, PROFILE_exchange, p->begin_called, now);
}

/* Says which rows a call computes, where an exchange divides them. */
static profile_kind kind_of(profile *p, const char *function) {
  if (p->is_exchanging) {
    p->overlapped = function;
    return PROFILE_interior;
  }
  if (!p->overlapped || strcmp(p->overlapped, function) != 0) return PROFILE_call;
  p->overlapped = NULL;
  return PROFILE_boundary;
}

static void take_time(int32_t number, int32_t is_end) {
  profile *p = current;
  if (!p || number < 0 || number >= p->count) return;
  double now = clock_seconds();
  if (!is_end) {
    p->begin = now;
    return;
  }
  profile_call *call = &p->calls[number];
  const bool ends_exchange = !strcmp(call->function, "end_exchange");
  call->seconds += now - p->begin;
  call->calls++;
  add_event(p, number, ends_exchange ? PROFILE_call : kind_of(p, call->function), p->begin, now);
  if (ends_exchange) end_exchange(p, number, now);
}

void profile_use(profile *p) {
  current = p;
}

status profile_attach(const gnnc_program *program, profile *p) {
  typedef void (*hook)(int32_t number, int32_t is_end);
  hook *found = native_find_symbol(program, "profile");
  profile_use(p);
  if (found) *found = p ? take_time : NULL;
  if (found || !p || !p->count) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch, "the program was compiled without -DGNNC_PROFILE");
}
