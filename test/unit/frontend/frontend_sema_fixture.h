/* Analyses a string in a test; keeps the flat program as text, and all messages as "line:column:
 * severity: text\n". The files that it binds are written as text, too: "lin.weight F32 4 3; bias
 * F32 4". */
#ifndef GNNC_TEST_UNIT_FRONTEND_FRONTEND_SEMA_FIXTURE_H
#define GNNC_TEST_UNIT_FRONTEND_FRONTEND_SEMA_FIXTURE_H

#include "frontend/sema/sema.h"
#include "frontend/syntax/parse.h"
#include "unit.h"

enum { MAX_TENSORS = 64 };

typedef struct tensor_table {
  size_t count;
  const char *names[MAX_TENSORS];
  sema_tensor tensors[MAX_TENSORS];
} tensor_table;

typedef struct analysed {
  arena *memory;
  diag *diag;
  sema_environment env;
  tensor_table weights;
  tensor_table fields;
  const flat_program *flat;
  text messages;
  text printed;
} analysed;

static void keep_message(void *user, diag_severity severity, diag_id id, const char *file, unsigned line,
                         unsigned column, const char *message) {
  static const char *const names[] = {"error", "warning", "remark", "note"};
  (void)id;
  if (file && *file && strncmp(file, "test", 4)) text_printf(user, "%s:", file);
  text_printf(user, "%u:%u: %s: %s\n", line, column, names[severity], message);
}

static bool find_tensor(const tensor_table *t, const char *name, sema_tensor *out) {
  for (size_t i = 0; i < t->count; i++) {
    if (strcmp(t->names[i], name)) continue;
    *out = t->tensors[i];
    return true;
  }
  return false;
}

static bool find_weight(void *user, const char *name, sema_tensor *out) {
  return find_tensor(&((analysed *)user)->weights, name, out);
}

static bool find_field(void *user, const char *name, sema_tensor *out) {
  return find_tensor(&((analysed *)user)->fields, name, out);
}

static void read_table(arena *memory, const char *spec, tensor_table *out) {
  char *rest = arena_strdup(memory, spec);
  for (char *entry = strtok_r(rest, ";", &rest); entry && out->count < MAX_TENSORS;
       entry = strtok_r(rest, ";", &rest)) {
    char *word = strtok_r(entry, " ", &entry);
    sema_tensor *t = &out->tensors[out->count];
    out->names[out->count++] = word;
    t->dtype = strtok_r(entry, " ", &entry);
    t->storage = SEMA_STORAGE_dense;
    while ((word = strtok_r(entry, " ", &entry))) t->dims[t->rank++] = strtol(word, NULL, 10);
  }
}

/* Begins an analysis without files that does not warn about unused values. Then come
 * use_weights, use_graph or a change of `env`, and run_analysis. */
__attribute__((unused)) static analysed *open_analysis(void) {
  arena *memory = arena_create();
  analysed *p = arena_alloc(memory, sizeof *p);
  p->memory = memory;
  p->env = sema_environment_empty();
  p->env.user = p;
  p->diag = diag_create(stderr);
  diag_set_sink(p->diag, keep_message, &p->messages);
  diag_set_option(p->diag, "no-unused-value");
  return p;
}

__attribute__((unused)) static void use_weights(analysed *p, const char *spec) {
  read_table(p->memory, spec, &p->weights);
  p->env.weights_file = "w.safetensors";
  p->env.find_weight = find_weight;
  p->env.weight_names = p->weights.names;
  p->env.weight_count = p->weights.count;
}

__attribute__((unused)) static void use_graph(analysed *p, const char *spec, int64_t nodes, int64_t edges) {
  read_table(p->memory, spec, &p->fields);
  p->env.graph_file = "g.safetensors";
  p->env.find_field = find_field;
  p->env.field_names = p->fields.names;
  p->env.field_count = p->fields.count;
  p->env.num_nodes = nodes;
  p->env.num_edges = edges;
}

__attribute__((unused)) static void run_analysis(analysed *p, const char *model_text, const char *model) {
  ast_program program = {0};
  size_t size = strlen(model_text);
  const source *s = source_create(p->memory, "test.gnn", arena_strndup(p->memory, model_text, size), size);
  if (!parse_program(p->memory, s, NULL, 0, p->diag, &program)) return;
  p->flat = sema_analyze(p->memory, &program, model, &p->env, p->diag);
  if (p->flat) flat_print(p->flat, &p->printed);
}

__attribute__((unused)) static void close_analysis(analysed *p) {
  text_free(&p->messages);
  text_free(&p->printed);
  diag_destroy(p->diag);
  arena_destroy(p->memory);
}

/* A whole file without weights and graph gives exactly these messages; none when the second is
 * "". */
#define CHECK_FILE(file_text, expected)                                                                                \
  do {                                                                                                                 \
    analysed *analysed_ = open_analysis();                                                                             \
    run_analysis(analysed_, file_text, NULL);                                                                          \
    CHECK_STR(text_str(&analysed_->messages), expected);                                                               \
    close_analysis(analysed_);                                                                                         \
  } while (0)

/* The first six lines of a model; statements begin in line 7. */
#define PRELUDE                                                                                                        \
  "model m {\n  graph g;\n  input x : node f32[4];\n  input w : edge f32;\n  weight A : f32[4, 3];\n  weight b : "     \
  "f32[4];\n"

/* Statements after the prelude give exactly these messages. */
#define CHECK_ERROR(statements, expected) CHECK_FILE(PRELUDE statements "\noutput out = x; }\n", expected)

/* Statements after the prelude become exactly these values, from %5 on (%0 g, %1 x, %2 w, %3 A, %4
 * b). */
#define CHECK_FLAT(statements, expected)                                                                               \
  do {                                                                                                                 \
    analysed *analysed_ = open_analysis();                                                                             \
    run_analysis(analysed_, PRELUDE statements "\n}\n", NULL);                                                         \
    CHECK_STR(text_str(&analysed_->messages), "");                                                                     \
    const char *start_ = strstr(text_str(&analysed_->printed), "%5 ");                                                 \
    CHECK_STR(start_ ? start_ : text_str(&analysed_->printed), expected);                                              \
    close_analysis(analysed_);                                                                                         \
  } while (0)

#endif
