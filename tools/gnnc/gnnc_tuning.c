/* Writes, reads and checks tuning files. The reader checks the type of every key and refuses
 * unknown keys, so that a misspelt key is an error. */
#include "tools/gnnc/gnnc_tuning.h"

#include "support/file.h"
#include "tools/gnnc/gnnc_made_by.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const char format_name[] = "gnnc-tuning";
enum { FORMAT_VERSION = 1, MAX_BYTES = 1 << 20 };

static const char *const when_names[] = {"default", "never", "automatic", "always"};

gnnc_tuning_key gnnc_tuning_make_key(MlirModule module, const graph *g, int opt_level, bool is_f64) {
  MlirOperation root = mlirModuleGetOperation(module);
  text printed = {0};
  ir_print(root, false, &printed);
  gnnc_tuning_key key = {.model = ir_get_string(root, "gnn.model", ""),
                         .model_hash = XXH3_64bits(text_str(&printed), printed.size),
                         .graph = g ? graph_fingerprint(g) : 0,
                         .nodes = g ? g->num_nodes : -1,
                         .edges = g ? g->num_edges : -1,
                         .opt_level = opt_level,
                         .is_f64 = is_f64};
  text_free(&printed);
  return key;
}

const char *gnnc_tuning_describe(arena *a, const feature_set *choices) {
  const char *made = NULL;
  for (int i = 0; i < FEATURE_count; i++) {
    if (choices->given[i] == FEATURE_WHEN_default) continue;
    const char *name = feature_get((feature)i)->name, *when = when_names[choices->given[i]];
    made = made ? arena_printf(a, "%s %s=%s", made, name, when) : arena_printf(a, "%s=%s", name, when);
  }
  return made ? made : "as the costs say";
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static json_t *hex_json(uint64_t value) {
  char digits[17];
  snprintf(digits, sizeof digits, "%016" PRIx64, value);
  return json_string(digits);
}

static json_t *choices_json(const feature_set *choices) {
  json_t *made = json_object();
  for (int i = 0; i < FEATURE_count; i++)
    if (choices->given[i] != FEATURE_WHEN_default)
      json_object_set_new(made, feature_get((feature)i)->name, json_string(when_names[choices->given[i]]));
  return made;
}

static json_t *measurement_json(const gnnc_measurement *m) {
  json_t *made = json_object();
  json_object_set_new(made, "choices", choices_json(&m->choices));
  json_object_set_new(made, "median_ms", json_real(m->median_seconds * 1e3));
  json_object_set_new(made, "ratio", json_real(m->ratio));
  if (m->flops >= 0) json_object_set_new(made, "flops", json_real(m->flops));
  if (m->bytes >= 0) json_object_set_new(made, "bytes", json_real(m->bytes));
  return made;
}

status gnnc_tuning_write(const char *path, const gnnc_tuning_key *key, int threads, const gnnc_measurement *measured,
                         size_t count, size_t winner) {
  json_t *root = json_object(), *model = json_object(), *graph_json = json_object(), *list = json_array();
  json_object_set_new(root, "format", json_string(format_name));
  json_object_set_new(root, "version", json_integer(FORMAT_VERSION));
  json_object_set_new(root, "compiler", json_string(gnnc_compiler_name()));
  json_object_set_new(model, "name", json_string(key->model));
  json_object_set_new(model, "hash", hex_json(key->model_hash));
  json_object_set_new(root, "model", model);
  json_object_set_new(graph_json, "fingerprint", hex_json(key->graph));
  json_object_set_new(graph_json, "nodes", json_integer(key->nodes));
  json_object_set_new(graph_json, "edges", json_integer(key->edges));
  json_object_set_new(root, "graph", graph_json);
  json_object_set_new(root, "optimize", json_integer(key->opt_level));
  json_object_set_new(root, "float", json_string(key->is_f64 ? "f64" : "f32"));
  json_object_set_new(root, "threads", json_integer(threads));
  json_object_set_new(root, "choices", choices_json(&measured[winner].choices));
  for (size_t i = 0; i < count; i++) json_array_append_new(list, measurement_json(&measured[i]));
  json_object_set_new(root, "measured", list);
  char *dumped = json_dumps(root, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
  json_decref(root);
  if (!dumped) return status_error(STATUS_CODE_memory, "the tuning does not fit into memory");
  text out = {0};
  text_printf(&out, "%s\n", dumped);
  status s = file_write(path, text_str(&out), out.size);
  text_free(&out);
  free(dumped);
  return s;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

typedef struct reader {
  const source *source;
  diag *diag;
} reader;

/* Returns the span of a key or text in the file, or of the whole file where it is absent. */
static span locate(const reader *r, const char *quoted) {
  const char *found = strstr(r->source->text, quoted);
  if (!found) return (span){r->source, 0, 0};
  uint32_t begin = (uint32_t)(found - r->source->text);
  return (span){r->source, begin, begin + (uint32_t)strlen(quoted)};
}

static bool refuse(const reader *r, const char *key, const char *format, ...) __attribute__((format(printf, 3, 4)));
static bool refuse(const reader *r, const char *key, const char *format, ...) {
  char quoted[64], message[256];
  snprintf(quoted, sizeof quoted, "\"%s\"", key);
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  for (char *at = message; *at; at++)
    if ((unsigned char)*at < ' ' || *at == 127) *at = '?'; /* control characters in names must not reach the terminal */
  diag_report(r->diag, locate(r, quoted), DIAG_invalid_tuning, "%s", message);
  return false;
}

static const char *get_string(const json_t *object, const char *key) {
  return json_string_value(json_object_get(object, key));
}

/* Reads a hash of sixteen hexadecimal digits. */
static bool get_hash(const reader *r, const json_t *object, const char *key, uint64_t *out) {
  const char *digits = get_string(object, key);
  if (!digits || strlen(digits) != 16 || strspn(digits, "0123456789abcdef") != 16)
    return refuse(r, key, "'%s' is no hash of 16 hexadecimal digits", key);
  *out = strtoull(digits, NULL, 16);
  return true;
}

static bool read_choices(const reader *r, json_t *object, feature_set *choices) {
  *choices = (feature_set){0};
  if (!json_is_object(object)) return refuse(r, "choices", "'choices' is missing or no object");
  const char *name;
  json_t *value;
  json_object_foreach(object, name, value) {
    const char *word = json_string_value(value);
    int when = FEATURE_WHEN_never;
    feature f = feature_find(name, NULL);
    if (f == FEATURE_count) return refuse(r, name, "there is no switch '%.40s'", name);
    while (when <= FEATURE_WHEN_always && (!word || strcmp(word, when_names[when]) != 0)) when++;
    if (when > FEATURE_WHEN_always) return refuse(r, name, "'%s' is not 'never', 'automatic' or 'always'", name);
    choices->given[f] = (feature_when)when;
  }
  return true;
}

typedef struct stored {
  const char *model;
  uint64_t model_hash, graph;
  feature_set choices;
} stored;

static bool read_all(const reader *r, json_t *root, stored *out) {
  const char *format = get_string(root, "format");
  json_t *model = json_object_get(root, "model");
  if (!json_is_object(root) || !format || strcmp(format, format_name) != 0)
    return refuse(r, "format", "this is no tuning: 'format' is not '%s'", format_name);
  if (json_integer_value(json_object_get(root, "version")) != FORMAT_VERSION)
    return refuse(r, "version", "'version' is not %d, the one that this program reads", FORMAT_VERSION);
  out->model = get_string(model, "name");
  if (!out->model) return refuse(r, "model", "'model' has no name");
  return get_hash(r, model, "hash", &out->model_hash) &&
         get_hash(r, json_object_get(root, "graph"), "fingerprint", &out->graph) &&
         read_choices(r, json_object_get(root, "choices"), &out->choices);
}

/* False when the tuning was measured for another key; a model of another name is an error. */
static bool fits(const reader *r, const stored *s, const gnnc_tuning_key *key) {
  if (strcmp(s->model, key->model) != 0)
    return refuse(r, "model", "this is the tuning of model '%.80s', not of '%.80s'", s->model, key->model);
  if (key->graph && s->graph != key->graph) {
    diag_report(r->diag, locate(r, "\"fingerprint\""), DIAG_stale_tuning,
                "tuned on another graph than %016" PRIx64 ": its choices are not used", key->graph);
    return false;
  }
  if (s->model_hash != key->model_hash) {
    diag_report(r->diag, locate(r, "\"hash\""), DIAG_stale_tuning,
                "model '%s' has changed since it was tuned: its choices are not used", key->model);
    return false;
  }
  return true;
}

bool gnnc_tuning_apply(arena *a, const char *path, const gnnc_tuning_key *key, diag *d, feature_set *features) {
  char *data;
  size_t size;
  status s = file_read(a, path, &data, &size);
  if (!s && size > MAX_BYTES) s = status_error(STATUS_CODE_format, "%s: too large for a tuning", path);
  if (s) {
    diag_report(d, (span){NULL, 0, 0}, DIAG_invalid_tuning, "%s", status_message(s));
    status_free(s);
    return false;
  }
  reader r = {source_create(a, path, data, size), d};
  diag_add_source(d, r.source);
  json_error_t error;
  json_t *root = json_loadb(data, size, JSON_REJECT_DUPLICATES, &error);
  stored found = {0};
  unsigned errors = diag_error_count(d);
  if (!root)
    diag_report_at(d, path, error.line > 0 ? (unsigned)error.line : 1, error.column > 0 ? (unsigned)error.column : 1,
                   DIAG_invalid_tuning, "this is no JSON: %s", error.text);
  else if (read_all(&r, root, &found) && fits(&r, &found, key)) {
    for (int i = 0; i < FEATURE_count; i++)
      if (features->given[i] == FEATURE_WHEN_default) features->given[i] = found.choices.given[i];
  }
  json_decref(root);
  return diag_error_count(d) == errors;
}
