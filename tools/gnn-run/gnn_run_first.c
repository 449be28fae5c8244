/* gnn-run --compare-with=c, where an output differs: finds the first value on the way to it that does.
 *
 *   compare: value conv1.z, at library/gcn_conv.gnn:8: largest difference 0 of 3.12: equal
 *   compare: value h, at gcn.gnn:8: largest difference 0.572 of 1: differs
 *   compare: the first value that differs from C, like all after it, is h, at gcn.gnn:8
 *
 * The model is compiled for C once more, with the optimisations of the program, and with all values of
 * nodes and edges that have a name as outputs. Names mean the same in both, because both have passed the
 * passes of the gnn level. */
#include "tools/gnn-run/gnn_run_values.h"

#include "runtime/compile.h"
#include "runtime/session.h"
#include "support/file.h"
#include "support/vec.h"

#include <jansson.h>
#include <string.h>

typedef VEC(const char *) words;

/* A value of the program beside the one of C. */
typedef struct seen_value {
  const char *name, *place;
  run_difference difference;
} seen_value;

typedef struct search {
  arena *arena;
  const run_options *options;
  run_outputs expected;
  VEC(seen_value) seen; /* in the order in which they were complete */
} search;

/* ---- C with all values ---- */

/* The switches that the C target does not know: gnnc refuses them for it. */
static const char *const of_machines[][2] = {
#define FEATURE(id, name, level, pass, targets, help) {name, targets},
#include "codegen/feature.def"
};

static bool is_known_to_c(const char *word) {
  const char *name = word + strlen("-f");
  if (!strncmp(name, "no-", 3)) name += 3;
  for (size_t i = 0; i < sizeof of_machines / sizeof *of_machines; i++)
    if (!strcmp(of_machines[i][0], name)) return !of_machines[i][1] || !strcmp(of_machines[i][1], "c");
  return false;
}

/* Lists the level of the program and its switches, as its manifest states them, without those that
 * change nothing in C. */
static void list_switches(arena *a, const program_binary *p, words *out) {
  const image_section *said = &p->image.sections[IMAGE_PROGRAM];
  json_t *root = json_loadb((const char *)said->data, said->size, 0, NULL);
  const char *made = json_string_value(json_object_get(root, "made_with"));
  char *rest = NULL;
  for (char *word = made ? strtok_r(arena_strdup(a, made), " ", &rest) : NULL; word; word = strtok_r(NULL, " ", &rest))
    if (!strncmp(word, "-O", 2) || (!strncmp(word, "-f", 2) && is_known_to_c(word))) VEC_PUSH(a, out, word);
  json_decref(root);
}

/* Asks gnnc for the passes of these switches and inserts the one that keeps values. */
static status make_pipeline(arena *a, const words *switches, const char **out) {
  static const char before[] = "gnn-separate-bind";
  const char *folder = NULL, *printed = NULL;
  char *data = NULL;
  size_t size = 0;
  int result = 0;
  VEC(char *) command = {0};
  VEC_PUSH(a, &command, arena_strdup(a, compile_find_gnnc(a)));
  VEC_PUSH(a, &command, arena_strdup(a, "--target=c"));
  VEC_PUSH(a, &command, arena_strdup(a, "--print-pipeline"));
  for (size_t i = 0; i < switches->count; i++) VEC_PUSH(a, &command, arena_strdup(a, switches->items[i]));
  VEC_PUSH(a, &command, NULL);
  RETURN_IF_ERROR(compile_make_folder(a, &folder));
  printed = arena_printf(a, "%s/messages.txt", folder);
  status s = compile_run_command(command.items, printed, &result);
  if (!s) s = file_read(a, printed, &data, &size);
  compile_remove_folder(folder);
  RETURN_IF_ERROR(s);
  char *at = result ? NULL : strstr(data, before);
  if (!at)
    return status_error(STATUS_CODE_unsupported, "'%s' does not print the passes of the program", command.items[0]);
  data[strcspn(data, "\n")] = '\0';
  *out = arena_printf(a, "--pass-pipeline=%.*sgnn-keep-values,%s", (int)(at - data), data, at);
  return STATUS_OK;
}

/* ---- the comparison ---- */

static int64_t width_of(void *user, const char *name) {
  const search *s = user;
  const run_output *o = run_outputs_find(&s->expected, name);
  return o ? o->elements : -1;
}

/* Compares a value; one that was seen before, unfinished, is forgotten. */
static void take(void *user, const values_value *value) {
  search *s = user;
  const run_output *o = run_outputs_find(&s->expected, value->name);
  size_t kept = 0;
  if (!o || o->rows != value->rows || o->elements != value->width) return;
  for (size_t i = 0; i < s->seen.count; i++)
    if (strcmp(s->seen.items[i].name, value->name) != 0) s->seen.items[kept++] = s->seen.items[i];
  s->seen.count = kept;
  seen_value made = {.name = o->name, .place = ""};
  if (value->file) made.place = arena_printf(s->arena, "%s:%lld", value->file, (long long)value->line);
  made.difference = run_find_difference(value->data, o->data, o->rows * o->elements);
  VEC_PUSH(s->arena, &s->seen, made);
}

static bool is_wrong(const search *s, size_t i) {
  double tolerance = s->options->tolerance < 0 ? MACHINE_TOLERANCE_F32 : s->options->tolerance;
  return s->seen.items[i].difference.largest > tolerance * s->seen.items[i].difference.scale;
}

static const char *place_text(const search *s, const seen_value *v) {
  return *v->place ? arena_printf(s->arena, ", at %s", v->place) : "";
}

/* Prints all values. A value that differs although one after it agrees is not the cause of the wrong
 * output, where that one depends on it; the first of those after which none agrees may be. */
static void report(const search *s) {
  FILE *to = s->options->report;
  size_t first = 0, early = s->seen.count;
  for (size_t i = 0; i < s->seen.count; i++)
    if (!is_wrong(s, i)) first = i + 1;
  for (size_t i = 0; i < s->seen.count; i++) {
    const seen_value *v = &s->seen.items[i];
    run_print(to, "compare: value %s%s: largest difference %.3g of %.3g: %s\n", v->name, place_text(s, v),
              v->difference.largest, v->difference.scale,
              !is_wrong(s, i) ? "equal"
              : i < first     ? "differs, but a value after it is equal"
                              : "differs");
    if (is_wrong(s, i) && i < early) early = i;
  }
  if (first == s->seen.count)
    run_print(to, "compare: of %zu values with a place of their own none differs to the end\n", s->seen.count);
  else
    run_print(to, "compare: the first value that differs from C, like all after it, is %s%s\n",
              s->seen.items[first].name, place_text(s, &s->seen.items[first]));
  if (early < first)
    run_print(to, "compare: %s may be on another path to the outputs, or the program may keep it in another form\n",
              s->seen.items[early].name);
}

static status compare_values(search *s, const run_reference *reference, const program_binary *p, const graph *g) {
  session_request request = {.graph = g, .weights = s->options->weights};
  gnnc_session *session = NULL;
  status failed = session_create(reference->program, &request, &session);
  if (!failed) failed = gnnc_session_run(session, NULL);
  if (!failed) {
    s->expected = run_outputs_of_session(s->arena, reference->program, session);
    const values_observer observer = {s, width_of, take};
    failed = values_run(s->arena, p, g, s->options, &observer);
  }
  if (!failed) report(s);
  gnnc_session_destroy(session);
  return failed;
}

status run_find_first_value(const program_binary *p, const run_model *model, const graph *g,
                            const run_options *options) {
  search s = {.arena = arena_create(), .options = options};
  run_reference reference = {.folder = NULL};
  words flags = {0};
  const char *pipeline = NULL;
  list_switches(s.arena, p, &flags);
  status failed = make_pipeline(s.arena, &flags, &pipeline);
  if (!failed) {
    const char *const with[] = {pipeline, NULL};
    failed = run_reference_open(s.arena, model, with, options, &reference);
    if (!failed) failed = compare_values(&s, &reference, p, g);
    run_reference_close(s.arena, model, &reference);
  }
  arena_destroy(s.arena);
  return status_context(failed, "looking for the first value that differs");
}
