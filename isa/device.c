/* Device parameters. Reading, changing, comparing and printing them are loops over the machine's
 * table. */
#include "isa/machine.h"

#include "support/arena.h"
#include "support/diag.h"
#include "support/file.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MACHINE(machine_name, summary)                                                                                 \
  _Static_assert(sizeof(machine_name##_device) <= DEVICE_PARAMS_BYTES, "struct device has room for any machine's");    \
  _Static_assert(offsetof(machine_name##_device, pj_per_byte) == offsetof(device_common, pj_per_byte),                 \
                 "parameters begin with the common ones");
#include "isa/machines.def"
#undef MACHINE

void device_default(device *d, const machine *m) {
  *d = (device){.machine = m};
  memcpy(d->room, m->fallback, m->params_bytes);
}

static const device_field *find_field(const device *d, const char *key) {
  for (size_t i = 0; i < d->machine->num_fields; i++)
    if (strcmp(d->machine->fields[i].key, key) == 0) return &d->machine->fields[i];
  return NULL;
}

enum { MOST_FIELDS = 128 };

static status unknown_key(const device *d, const char *key) {
  const char *names[MOST_FIELDS];
  size_t count = 0;
  for (; count < d->machine->num_fields && count < MOST_FIELDS; count++) names[count] = d->machine->fields[count].key;
  const char *nearest = diag_nearest(key, names, count);
  return status_error(STATUS_CODE_mismatch, "a device has no parameter '%s'%s%s%s", key,
                      nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

typedef union number {
  int32_t i32;
  int64_t i64;
  double f64;
  bool is;
} number;

static size_t number_size(device_type type) {
  switch (type) {
  case DEVICE_TYPE_INT32:
  case DEVICE_TYPE_CHOICE: return sizeof(int32_t);
  case DEVICE_TYPE_INT64: return sizeof(int64_t);
  case DEVICE_TYPE_DOUBLE: return sizeof(double);
  case DEVICE_TYPE_BOOL: return sizeof(bool);
  default: return 0;
  }
}

static double get_number(const device *d, const device_field *f) {
  const char *at = d->room + f->offset;
  number n = {0};
  memcpy(&n, at, number_size(f->type));
  switch (f->type) {
  case DEVICE_TYPE_INT32:
  case DEVICE_TYPE_CHOICE: return n.i32;
  case DEVICE_TYPE_INT64: return (double)n.i64;
  case DEVICE_TYPE_DOUBLE: return n.f64;
  default: return n.is;
  }
}

static void put_number(device *d, const device_field *f, double value) {
  number n = {0};
  switch (f->type) {
  case DEVICE_TYPE_INT32:
  case DEVICE_TYPE_CHOICE: n.i32 = (int32_t)value; break;
  case DEVICE_TYPE_INT64: n.i64 = (int64_t)value; break;
  case DEVICE_TYPE_DOUBLE: n.f64 = value; break;
  default: n.is = value != 0; break;
  }
  memcpy(d->room + f->offset, &n, number_size(f->type));
}

/* Sets a number, which must be within the parameter's limits. These are below 2^53, so a double
 * represents every number exactly. */
static status set_number(device *d, const device_field *f, double value) {
  bool is_whole = f->type == DEVICE_TYPE_INT32 || f->type == DEVICE_TYPE_INT64;
  if (!(value >= f->least && value <= f->largest) || (is_whole && value != floor(value)))
    return status_error(STATUS_CODE_mismatch, "'%s' is %.15g, expected a %snumber from %.15g to %.15g", f->key, value,
                        is_whole ? "whole " : "", f->least, f->largest);
  put_number(d, f, value);
  return STATUS_OK;
}

static status set_name(device *d, const char *value) {
  char *name = d->common.name;
  if (!*value || strlen(value) >= sizeof d->common.name)
    return status_error(STATUS_CODE_mismatch, "'name' has %zu characters, expected 1 to %zu", strlen(value),
                        sizeof d->common.name - 1);
  json_t *string = json_string(value);
  if (!string) return status_error(STATUS_CODE_mismatch, "'name' has bytes that are no UTF-8, expected text");
  json_decref(string);
  memset(name, 0, sizeof d->common.name);
  memcpy(name, value, strlen(value));
  return STATUS_OK;
}

/* Reads a text that must be a number from end to end. */
static bool read_number(const char *value, double *out) {
  char *end;
  errno = 0;
  *out = strtod(value, &end);
  return end != value && !*end && !errno && isfinite(*out);
}

/* Sets a parameter to one of its names. 'memory' may have a rate behind the name: "shared:77" sets
 * ddr_gb_s too. */
static status set_choice(device *d, const device_field *f, const char *value) {
  bool is_memory = strcmp(f->key, "memory") == 0;
  const char *colon = is_memory ? strchr(value, ':') : NULL;
  size_t length = colon ? (size_t)(colon - value) : strlen(value);
  double rate = 0;
  for (int i = 0; f->choices[i]; i++) {
    if (strlen(f->choices[i]) != length || strncmp(f->choices[i], value, length) != 0) continue;
    if (colon && (strncmp(value, "shared", length) != 0 || !read_number(colon + 1, &rate))) break;
    if (colon) RETURN_IF_ERROR(status_context(set_number(d, find_field(d, "ddr_gb_s"), rate), "memory '%s'", value));
    put_number(d, f, i);
    return STATUS_OK;
  }
  text expected = {0};
  for (int i = 0; f->choices[i]; i++)
    text_printf(&expected, "%s%s", !i ? "" : f->choices[i + 1] || is_memory ? ", " : " or ", f->choices[i]);
  if (is_memory) text_append(&expected, " or shared:GB_PER_S");
  status s = status_error(STATUS_CODE_mismatch, "'%s' is '%s', expected %s", f->key, value, text_str(&expected));
  text_free(&expected);
  return s;
}

static status set_text(device *d, const device_field *f, const char *value) {
  double parsed;
  if (f->type == DEVICE_TYPE_NAME) return set_name(d, value);
  if (f->type == DEVICE_TYPE_CHOICE) return set_choice(d, f, value);
  if (f->type == DEVICE_TYPE_BOOL && strcmp(value, "true") == 0) return set_number(d, f, 1);
  if (f->type == DEVICE_TYPE_BOOL && strcmp(value, "false") == 0) return set_number(d, f, 0);
  if (f->type == DEVICE_TYPE_BOOL && strcmp(value, "0") != 0 && strcmp(value, "1") != 0)
    return status_error(STATUS_CODE_mismatch, "'%s' is '%s', expected true or false", f->key, value);
  if (!read_number(value, &parsed))
    return status_error(STATUS_CODE_mismatch, "'%s' is '%s', expected a number from %.15g to %.15g", f->key, value,
                        f->least, f->largest);
  return set_number(d, f, parsed);
}

/* Derives the parameters that depend on the one that was set: by the machine's own function, or, where
 * it has none, the time of a cycle from the clock. */
static status settle(device *d, const char *key) {
  if (d->machine->settle) return d->machine->settle(d, key);
  if (!strcmp(key, "clock_mhz")) d->common.cycle_ns = 1000 / d->common.clock_mhz;
  return STATUS_OK;
}

status device_set(device *d, const char *key, const char *value) {
  const device_field *f = find_field(d, key);
  device changed = *d;
  if (!f) return unknown_key(d, key);
  RETURN_IF_ERROR(set_text(&changed, f, value));
  RETURN_IF_ERROR(settle(&changed, key));
  *d = changed;
  return STATUS_OK;
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

static status set_json(device *d, const device_field *f, const json_t *value) {
  bool is_text = f->type == DEVICE_TYPE_NAME || f->type == DEVICE_TYPE_CHOICE;
  status s;
  if (is_text && json_is_string(value))
    s = set_text(d, f, json_string_value(value));
  else if (f->type == DEVICE_TYPE_BOOL && json_is_boolean(value))
    s = set_number(d, f, json_is_true(value));
  else if (!is_text && f->type != DEVICE_TYPE_BOOL && json_is_number(value))
    s = set_number(d, f, json_number_value(value));
  else
    s = status_error(STATUS_CODE_mismatch, "'%s' is %s, expected %s", f->key, json_kind(value),
                     is_text                       ? "a string"
                     : f->type == DEVICE_TYPE_BOOL ? "true or false"
                                                   : "a number");
  return s ? s : settle(d, f->key);
}

/* Whether a parameter also sets others. Such parameters are read first, so that the order in the
 * file does not matter. */
static bool is_early(const char *key) {
  return !strcmp(key, "clock_mhz") || !strcmp(key, "memory");
}

static status set_object(device *d, json_t *object) {
  const char *key;
  json_t *value;
  for (int early = 1; early >= 0; early--) {
    json_object_foreach(object, key, value) {
      const device_field *f = find_field(d, key);
      if (!strcmp(key, "machine")) continue;
      if (!f) return unknown_key(d, key);
      if (is_early(key) == (early == 1)) RETURN_IF_ERROR(set_json(d, f, value));
    }
  }
  return STATUS_OK;
}

/* The machine that a JSON object names. */
static status find_machine(json_t *object, const machine *expected, const machine **out) {
  json_t *said = json_object_get(object, "machine");
  const char *nearest = NULL;
  *out = expected ? expected : machine_default();
  if (!said) return STATUS_OK;
  if (!json_is_string(said))
    return status_error(STATUS_CODE_mismatch, "'machine' is %s, expected a string", json_kind(said));
  const machine *found = machine_find(json_string_value(said), &nearest);
  if (!found)
    return status_error(STATUS_CODE_mismatch, "there is no machine '%s'%s%s%s", json_string_value(said),
                        nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
  if (expected && found != expected)
    return status_error(STATUS_CODE_mismatch, "a device of machine '%s', expected one of '%s'", found->name,
                        expected->name);
  *out = found;
  return STATUS_OK;
}

static status read_object(json_t *root, const machine *expected, device *out) {
  const machine *m;
  if (!json_is_object(root))
    return status_error(STATUS_CODE_format, "a device is an object of parameters, this is %s", json_kind(root));
  RETURN_IF_ERROR(find_machine(root, expected, &m));
  device_default(out, m);
  return set_object(out, root);
}

status device_parse(const char *name, const char *json, size_t size, const machine *expected, device *out) {
  json_error_t error;
  device_default(out, expected ? expected : machine_default());
  json_t *root = json_loadb(json, size, JSON_REJECT_DUPLICATES, &error);
  if (!root) return status_error(STATUS_CODE_format, "%s:%d:%d: %s", name, error.line, error.column, error.text);
  status s = read_object(root, expected, out);
  json_decref(root);
  return status_context(s, "%s", name);
}

status device_read(const char *path, const machine *expected, device *out) {
  arena *a = arena_create();
  char *data;
  size_t size;
  status s = file_read(a, path, &data, &size);
  if (!s) s = device_parse(path, data, size, expected, out);
  arena_destroy(a);
  return s;
}

double device_get(const device *d, const char *key) {
  const device_field *f = find_field(d, key);
  return f && f->type != DEVICE_TYPE_NAME ? get_number(d, f) : 0;
}

static status not_equal(const device_field *f, double is, double has) {
  if (f->type == DEVICE_TYPE_CHOICE)
    return status_error(STATUS_CODE_mismatch, "the program is for a device with %s = %s, this one has %s", f->key,
                        f->choices[(int)is], f->choices[(int)has]);
  return status_error(STATUS_CODE_mismatch, "the program is for a device with %s = %.15g, this one has %.15g", f->key,
                      is, has);
}

status device_check_same(const device *program, const device *runs) {
  if (program->machine != runs->machine)
    return status_error(STATUS_CODE_mismatch, "the program is for machine '%s', the device is one of '%s'",
                        program->machine->name, runs->machine->name);
  for (size_t i = 0; i < program->machine->num_fields; i++) {
    const device_field *f = &program->machine->fields[i];
    double is = f->type == DEVICE_TYPE_NAME ? 0 : get_number(program, f);
    double has = f->type == DEVICE_TYPE_NAME ? 0 : get_number(runs, f);
    if (f->role == DEVICE_ROLE_EQUAL && is != has) return not_equal(f, is, has);
    if (f->role == DEVICE_ROLE_NEEDED && is > has)
      return status_error(STATUS_CODE_mismatch, "the program is for a device with %s = true, this one has false",
                          f->key);
  }
  return STATUS_OK;
}

/* Prints the shorter of two spellings that reads back as the same number. */
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

static void print_field(text *t, const device *d, const device_field *f) {
  text_printf(t, ", \"%s\": ", f->key);
  switch (f->type) {
  case DEVICE_TYPE_NAME: print_string(t, d->common.name); break;
  case DEVICE_TYPE_CHOICE: print_string(t, f->choices[(int)get_number(d, f)]); break;
  case DEVICE_TYPE_BOOL: text_append(t, get_number(d, f) != 0 ? "true" : "false"); break;
  default: print_number(t, get_number(d, f)); break;
  }
}

char *device_json(const device *d) {
  text t = {0};
  text_printf(&t, "{\"machine\": \"%s\"", d->machine->name);
  for (size_t i = 0; i < d->machine->num_fields; i++) print_field(&t, d, &d->machine->fields[i]);
  text_append(&t, "}");
  return t.data;
}
