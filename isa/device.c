/* Device parameters: one table of their names, limits and places; reading, changing, comparing and printing are loops over it. */
#include "isa/device.h"

#include "support/arena.h"
#include "support/diag.h"
#include "support/file.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef enum field_type { TYPE_NAME, TYPE_INT32, TYPE_INT64, TYPE_DOUBLE, TYPE_BOOL, TYPE_MEMORY } field_type;

/* How a program's value and a machine's must relate. */
typedef enum field_role { ROLE_TIMES, ROLE_EQUAL, ROLE_NEEDED } field_role;

typedef struct field {
  const char *key;
  field_type type;
  field_role role;
  size_t offset;
  double least, largest;
} field;

#define AT(name) offsetof(device, name)
static const field fields[] = {
    {"name", TYPE_NAME, ROLE_TIMES, AT(name), 0, 0},
    {"num_pes", TYPE_INT32, ROLE_EQUAL, AT(num_pes), 1, 1024},
    {"width", TYPE_INT32, ROLE_EQUAL, AT(width), 4, 16},
    {"feature_rows", TYPE_INT32, ROLE_EQUAL, AT(feature_rows), 16, 16384},
    {"weight_rows", TYPE_INT32, ROLE_EQUAL, AT(weight_rows), 16, 8192},
    {"edges", TYPE_INT32, ROLE_EQUAL, AT(edges), 1, 65536},
    {"ddr_bytes", TYPE_INT64, ROLE_EQUAL, AT(ddr_bytes), 4096, 68719476736.0}, /* 34 bits of 4 bytes */
    {"clock_mhz", TYPE_DOUBLE, ROLE_TIMES, AT(clock_mhz), 0.001, 1e6},
    {"memory", TYPE_MEMORY, ROLE_TIMES, AT(memory), 0, 0},
    {"ddr_gb_s", TYPE_DOUBLE, ROLE_TIMES, AT(ddr_gb_s), 0.001, 1e6},
    {"reload_gb_s", TYPE_DOUBLE, ROLE_TIMES, AT(reload_gb_s), 0.001, 1e6},
    {"reload_free_bytes", TYPE_INT64, ROLE_TIMES, AT(reload_free_bytes), 0, 1e15},
    {"cycle_ns", TYPE_DOUBLE, ROLE_TIMES, AT(cycle_ns), 1e-3, 1e9},
    {"ddr_latency", TYPE_INT32, ROLE_TIMES, AT(ddr_latency), 0, 1e6},
    {"fill", TYPE_INT32, ROLE_TIMES, AT(fill), 0, 1e6},
    {"dispatch", TYPE_INT32, ROLE_TIMES, AT(dispatch), 0, 1e6},
    {"accumulator_latency", TYPE_INT32, ROLE_TIMES, AT(accumulator_latency), 1, 1000},
    {"queue_blocks", TYPE_INT32, ROLE_TIMES, AT(queue_blocks), 1, 2},
    {"has_broadcast", TYPE_BOOL, ROLE_NEEDED, AT(has_broadcast), 0, 1},
    {"has_packed_edges", TYPE_BOOL, ROLE_NEEDED, AT(has_packed_edges), 0, 1},
};
enum { FIELDS = sizeof fields / sizeof *fields };

static const double paper_cycle_ns = 3.3; /* reproduces the paper's tables better than 1000 / 300 (spec A.1) */

void device_default(device *d) {
  *d = (device){.name = "alveo-u250",
                .num_pes = 8,
                .width = 16,
                .feature_rows = 16384,
                .weight_rows = 8192,
                .edges = 65536,
                .ddr_bytes = (int64_t)64 << 30,
                .clock_mhz = 300,
                .memory = DEVICE_MEMORY_SHARED,
                .ddr_gb_s = 77,
                .reload_gb_s = 87.3,
                .reload_free_bytes = (int64_t)8 << 20,
                .cycle_ns = 1000.0 / 300,
                .ddr_latency = 60,
                .fill = 48,
                .dispatch = 16,
                .accumulator_latency = 9,
                .queue_blocks = 2};
}

static const field *find_field(const char *key) {
  for (int i = 0; i < FIELDS; i++)
    if (strcmp(fields[i].key, key) == 0) return &fields[i];
  return NULL;
}

static status unknown_key(const char *key) {
  const char *names[FIELDS];
  for (int i = 0; i < FIELDS; i++) names[i] = fields[i].key;
  const char *nearest = diag_nearest(key, names, FIELDS);
  return status_error(STATUS_CODE_mismatch, "a device has no parameter '%s'%s%s%s", key,
                      nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

typedef union number {
  int32_t i32;
  int64_t i64;
  double f64;
  bool is;
} number;

static size_t number_size(field_type type) {
  switch (type) {
  case TYPE_INT32: return sizeof(int32_t);
  case TYPE_INT64: return sizeof(int64_t);
  case TYPE_DOUBLE: return sizeof(double);
  case TYPE_BOOL: return sizeof(bool);
  default: return 0;
  }
}

static double get_number(const device *d, const field *f) {
  const char *at = (const char *)d + f->offset;
  number n = {0};
  memcpy(&n, at, number_size(f->type));
  switch (f->type) {
  case TYPE_INT32: return n.i32;
  case TYPE_INT64: return (double)n.i64;
  case TYPE_DOUBLE: return n.f64;
  default: return n.is;
  }
}

/* All limits are below 2^53, so a double holds every number exactly. */
static status set_number(device *d, const field *f, double value) {
  bool is_whole = f->type == TYPE_INT32 || f->type == TYPE_INT64;
  if (!(value >= f->least && value <= f->largest) || (is_whole && value != floor(value)))
    return status_error(STATUS_CODE_mismatch, "'%s' is %.15g, expected a %snumber from %.15g to %.15g", f->key, value,
                        is_whole ? "whole " : "", f->least, f->largest);
  if (f->offset == AT(width) && value != 4 && value != 8 && value != 16)
    return status_error(STATUS_CODE_mismatch, "'width' is %g, expected 4, 8 or 16", value);
  number n = {0};
  switch (f->type) {
  case TYPE_INT32: n.i32 = (int32_t)value; break;
  case TYPE_INT64: n.i64 = (int64_t)value; break;
  case TYPE_DOUBLE: n.f64 = value; break;
  default: n.is = value != 0; break;
  }
  memcpy((char *)d + f->offset, &n, number_size(f->type));
  if (f->offset == AT(clock_mhz) && d->memory != DEVICE_MEMORY_PAPER) d->cycle_ns = 1000 / value;
  return STATUS_OK;
}

static status set_name(device *d, const char *value) {
  if (!*value || strlen(value) >= sizeof d->name)
    return status_error(STATUS_CODE_mismatch, "'name' has %zu characters, expected 1 to %zu", strlen(value),
                        sizeof d->name - 1);
  json_t *string = json_string(value);
  if (!string) return status_error(STATUS_CODE_mismatch, "'name' has bytes that are no UTF-8, expected text");
  json_decref(string);
  memset(d->name, 0, sizeof d->name);
  memcpy(d->name, value, strlen(value));
  return STATUS_OK;
}

/* A whole text as a number. */
static bool read_number(const char *value, double *out) {
  char *end;
  errno = 0;
  *out = strtod(value, &end);
  return end != value && !*end && !errno && isfinite(*out);
}

static status set_memory(device *d, const char *value) {
  double rate = d->ddr_gb_s;
  if (strcmp(value, "paper") == 0) {
    d->memory = DEVICE_MEMORY_PAPER;
    d->cycle_ns = paper_cycle_ns;
    return STATUS_OK;
  }
  if (strcmp(value, "shared") != 0 && (strncmp(value, "shared:", 7) != 0 || !read_number(value + 7, &rate)))
    return status_error(STATUS_CODE_mismatch, "'memory' is '%s', expected paper, shared or shared:GB_PER_S", value);
  RETURN_IF_ERROR(status_context(set_number(d, find_field("ddr_gb_s"), rate), "memory '%s'", value));
  d->memory = DEVICE_MEMORY_SHARED;
  d->cycle_ns = 1000 / d->clock_mhz;
  return STATUS_OK;
}

static status set_text(device *d, const field *f, const char *value) {
  double parsed;
  if (f->type == TYPE_NAME) return set_name(d, value);
  if (f->type == TYPE_MEMORY) return set_memory(d, value);
  if (f->type == TYPE_BOOL && strcmp(value, "true") == 0) return set_number(d, f, 1);
  if (f->type == TYPE_BOOL && strcmp(value, "false") == 0) return set_number(d, f, 0);
  if (f->type == TYPE_BOOL && strcmp(value, "0") != 0 && strcmp(value, "1") != 0)
    return status_error(STATUS_CODE_mismatch, "'%s' is '%s', expected true or false", f->key, value);
  if (!read_number(value, &parsed))
    return status_error(STATUS_CODE_mismatch, "'%s' is '%s', expected a number from %.15g to %.15g", f->key, value,
                        f->least, f->largest);
  return set_number(d, f, parsed);
}

status device_set(device *d, const char *key, const char *value) {
  const field *f = find_field(key);
  return f ? set_text(d, f, value) : unknown_key(key);
}

status device_edit(device *d, const char *argument) {
  char key[64];
  size_t length = strcspn(argument, "=");
  if (!argument[length])
    return status_error(STATUS_CODE_mismatch, "--device-set=%s: expected KEY=VALUE, e.g. num_pes=2", argument);
  snprintf(key, sizeof key, "%.*s", (int)(length < sizeof key ? length : sizeof key), argument);
  return device_set(d, key, argument + length + 1);
}

static const char *json_kind(const json_t *value) {
  switch (json_typeof(value)) {
  case JSON_OBJECT: return "an object";
  case JSON_ARRAY: return "an array";
  case JSON_STRING: return "a string";
  case JSON_INTEGER:
  case JSON_REAL: return "a number";
  case JSON_NULL: return "null";
  default: return "true or false";
  }
}

static status set_json(device *d, const field *f, const json_t *value) {
  bool is_text = f->type == TYPE_NAME || f->type == TYPE_MEMORY;
  if (is_text && json_is_string(value)) return set_text(d, f, json_string_value(value));
  if (f->type == TYPE_BOOL && json_is_boolean(value)) return set_number(d, f, json_is_true(value));
  if (!is_text && f->type != TYPE_BOOL && json_is_number(value)) return set_number(d, f, json_number_value(value));
  return status_error(STATUS_CODE_mismatch, "'%s' is %s, expected %s", f->key, json_kind(value),
                      is_text                ? "a string"
                      : f->type == TYPE_BOOL ? "true or false"
                                             : "a number");
}

/* Parameters that set others by the way come first, so that the order in the file does not matter. */
static status set_object(device *d, json_t *object) {
  static const char *const first[] = {"clock_mhz", "memory"};
  for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
    json_t *value = json_object_get(object, first[i]);
    if (value) RETURN_IF_ERROR(set_json(d, find_field(first[i]), value));
  }
  const char *key;
  json_t *value;
  json_object_foreach(object, key, value) {
    const field *f = find_field(key);
    if (!f) return unknown_key(key);
    if (f->offset == AT(clock_mhz) || f->offset == AT(memory)) continue;
    RETURN_IF_ERROR(set_json(d, f, value));
  }
  return STATUS_OK;
}

status device_parse(const char *name, const char *json, size_t size, device *out) {
  json_error_t error;
  device_default(out);
  json_t *root = json_loadb(json, size, JSON_REJECT_DUPLICATES, &error);
  if (!root) return status_error(STATUS_CODE_format, "%s:%d:%d: %s", name, error.line, error.column, error.text);
  status s = json_is_object(root)
                 ? set_object(out, root)
                 : status_error(STATUS_CODE_format, "a device is an object of parameters, this is %s", json_kind(root));
  json_decref(root);
  return status_context(s, "%s", name);
}

status device_read(const char *path, device *out) {
  arena *a = arena_create();
  char *data;
  size_t size;
  status s = file_read(a, path, &data, &size);
  if (!s) s = device_parse(path, data, size, out);
  arena_destroy(a);
  return s;
}

status device_check_same(const device *program, const device *machine) {
  for (int i = 0; i < FIELDS; i++) {
    const field *f = &fields[i];
    double is = get_number(program, f), has = get_number(machine, f);
    if (f->role == ROLE_EQUAL && is != has)
      return status_error(STATUS_CODE_mismatch, "the program is for a device with %s = %.15g, this one has %.15g",
                          f->key, is, has);
    if (f->role == ROLE_NEEDED && is > has)
      return status_error(STATUS_CODE_mismatch, "the program is for a device with %s = true, this one has false",
                          f->key);
  }
  return STATUS_OK;
}

/* The shortest of two spellings that reads back as the same number. */
static void print_number(text *t, double value) {
  char words[40];
  snprintf(words, sizeof words, "%.15g", value);
  if (strtod(words, NULL) != value) snprintf(words, sizeof words, "%.17g", value);
  text_append(t, words);
}

static void print_string(text *t, const char *value) {
  json_t *string = json_string(value);
  char *quoted = string ? json_dumps(string, JSON_ENCODE_ANY) : NULL;
  text_append(t, quoted ? quoted : "\"\"");
  free(quoted);
  json_decref(string);
}

char *device_json(const device *d) {
  text t = {0};
  for (int i = 0; i < FIELDS; i++) {
    const field *f = &fields[i];
    text_printf(&t, "%s\"%s\": ", i ? ", " : "{", f->key);
    switch (f->type) {
    case TYPE_NAME: print_string(&t, d->name); break;
    case TYPE_MEMORY: text_append(&t, d->memory == DEVICE_MEMORY_PAPER ? "\"paper\"" : "\"shared\""); break;
    case TYPE_BOOL: text_append(&t, get_number(d, f) != 0 ? "true" : "false"); break;
    default: print_number(&t, get_number(d, f)); break;
    }
  }
  text_append(&t, "}");
  return t.data;
}
