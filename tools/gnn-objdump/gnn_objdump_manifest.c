/* Prints the manifest of an image: inputs, outputs, tensors, and the steps of a program with host
 * steps. The manifest is not checked here; the runtime checks it. */
#include "tools/gnn-objdump/gnn_objdump.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char *string_of(const json_t *object, const char *key) {
  const char *value = json_string_value(json_object_get(object, key));
  return value ? value : "-";
}

static void print_number(text *out, const json_t *object, const char *key, int width) {
  const json_t *value = json_object_get(object, key);
  if (json_is_integer(value))
    text_printf(out, " %*" JSON_INTEGER_FORMAT, width, json_integer_value(value));
  else
    text_printf(out, " %*s", width, "-");
}

/* Prints a shape, "[2708, 16]": the number of rows and the dimensions of a row. */
static void print_shape(text *out, const json_t *tensor) {
  size_t i;
  json_t *n;
  text shape = {0};
  text_printf(&shape, "[%" JSON_INTEGER_FORMAT, json_integer_value(json_object_get(tensor, "rows")));
  json_array_foreach(json_object_get(tensor, "shape"), i, n)
      text_printf(&shape, ", %" JSON_INTEGER_FORMAT, json_integer_value(n));
  text_printf(out, " %16s]", text_str(&shape));
  text_free(&shape);
}

static void print_ports(text *out, const json_t *list, const char *what) {
  size_t i;
  json_t *port;
  json_array_foreach(list, i, port) {
    json_t *address = json_object_get(port, "address");
    text_printf(out, "%-7s %-28s %-10s", what, string_of(port, "name"), string_of(port, "set"));
    print_shape(out, port);
    if (json_is_integer(address)) text_printf(out, "  at 0x%" PRIx64, (uint64_t)json_integer_value(address));
    text_append(out, "\n");
  }
}

static void print_tensors(text *out, const json_t *list) {
  size_t i;
  json_t *tensor;
  text_printf(out, "\n%-40s %-10s %-8s %14s %14s\n", "tensor", "section", "kind", "address", "bytes");
  json_array_foreach(list, i, tensor) {
    text_printf(out, "%-40s %-10s %-8s", string_of(tensor, "name"), string_of(tensor, "section"),
                string_of(tensor, "kind"));
    const json_t *address = json_object_get(tensor, "address");
    text_append(out, " ");
    if (json_is_integer(address))
      objdump_print_address(out, (uint64_t)json_integer_value(address), 14);
    else
      text_printf(out, "%14s", "-");
    print_number(out, tensor, "bytes", 14);
    text_append(out, "\n");
  }
}

/* ---- steps ---- */

static const char *array_name(const json_t *manifest, const json_t *number) {
  const json_t *arrays = json_object_get(manifest, "arrays");
  if (!json_is_integer(number)) return "-";
  return string_of(json_array_get(arrays, (size_t)json_integer_value(number)), "name");
}

/* The keys of operands, whose values are numbers of arrays. */
static const char *const operand_keys[] = {"in",  "a",       "b",      "condition", "src",
                                           "dst", "weights", "values", "bias",      "addend"};

static void print_operands(const json_t *manifest, const json_t *step, text *out) {
  const char *between = "";
  for (size_t i = 0; i < sizeof operand_keys / sizeof *operand_keys; i++) {
    const json_t *number = json_object_get(step, operand_keys[i]);
    if (!json_is_integer(number)) continue;
    text_printf(out, "%s%s", between, array_name(manifest, number));
    between = ", ";
  }
}

static void print_functions(const json_t *step, text *out) {
  size_t i;
  json_t *f;
  const char *function = json_string_value(json_object_get(step, "function"));
  if (function) text_printf(out, " %s", function);
  json_array_foreach(json_object_get(step, "functions"), i, f)
      text_printf(out, ", %s", json_is_string(f) ? json_string_value(f) : "-");
}

/* "host    vadd pow                     score <- a, b  (gat.gnn:4)" */
static void print_host_step(const json_t *manifest, const json_t *step, text *out) {
  const json_t *made = json_object_get(step, "out"), *line = json_object_get(step, "line");
  bool is_move = json_object_get(step, "place") != NULL;
  text what = {0};
  text_append(&what, string_of(step, "op"));
  print_functions(step, &what);
  text_printf(out, "host    %-24s ", text_str(&what));
  text_free(&what);
  text_printf(out, "%s <- ", made ? array_name(manifest, made) : "device");
  if (is_move && made) text_append(out, "device");
  print_operands(manifest, step, out);
  const char *file = string_of(step, "file");
  if (json_is_integer(line))
    text_printf(out, *file ? "  (%s:%" JSON_INTEGER_FORMAT ")" : "  (%sline %" JSON_INTEGER_FORMAT ")", file,
                json_integer_value(line));
  text_append(out, "\n");
}

/* Prints "instructions 0 to 11" for [0, 12]: a run ends before its second number. */
static void print_run(const json_t *run, text *out) {
  json_int_t first = json_integer_value(json_array_get(run, 0)), end = json_integer_value(json_array_get(run, 1));
  if (end > first)
    text_printf(out, "device  instructions %" JSON_INTEGER_FORMAT " to %" JSON_INTEGER_FORMAT "\n", first, end - 1);
  else
    text_append(out, "device  no instructions\n");
}

static void print_steps(const json_t *manifest, text *out) {
  size_t i;
  json_t *step;
  json_array_foreach(json_object_get(manifest, "steps"), i, step) {
    const json_t *run = json_object_get(step, "run");
    text_printf(out, "%4zu  ", i);
    if (run)
      print_run(run, out);
    else
      print_host_step(manifest, step, out);
  }
}

/* ---- parts ---- */

/* Reads the manifest; *out is NULL where the program has none. */
static status load(const image *im, json_t **out) {
  const image_section *s = &im->sections[IMAGE_PROGRAM];
  json_error_t error;
  *out = NULL;
  if (!s->size || !s->data) return STATUS_OK;
  json_t *manifest = json_loadb((const char *)s->data, s->size, JSON_REJECT_DUPLICATES, &error);
  if (!json_is_object(manifest)) {
    json_decref(manifest);
    return status_error(STATUS_CODE_format, ".gnnc.program is no JSON object");
  }
  *out = manifest;
  return STATUS_OK;
}

static const char without[] = "no manifest: the program was not made by gnnc\n";

status objdump_print_tensors(const image *im, text *out) {
  json_t *manifest;
  RETURN_IF_ERROR(load(im, &manifest));
  if (!manifest) {
    text_append(out, without);
    return STATUS_OK;
  }
  text_printf(out, "model %s\n\n", string_of(manifest, "model"));
  print_ports(out, json_object_get(manifest, "inputs"), "input");
  print_ports(out, json_object_get(manifest, "outputs"), "output");
  print_tensors(out, json_object_get(manifest, "tensors"));
  json_decref(manifest);
  return STATUS_OK;
}

status objdump_print_steps(const image *im, text *out) {
  json_t *manifest;
  RETURN_IF_ERROR(load(im, &manifest));
  const json_t *steps = json_object_get(manifest, "steps");
  if (!manifest)
    text_append(out, without);
  else if (!steps)
    text_append(out, "   0  device  the whole program\n");
  else if (!json_array_size(steps))
    text_append(out, "no steps: outputs are inputs or constants\n");
  else
    print_steps(manifest, out);
  json_decref(manifest);
  return STATUS_OK;
}

status objdump_print_manifest(const image *im, text *out) {
  json_t *manifest;
  RETURN_IF_ERROR(load(im, &manifest));
  char *said = manifest ? json_dumps(manifest, JSON_INDENT(2) | JSON_ENSURE_ASCII) : NULL;
  if (said)
    text_printf(out, "%s\n", said);
  else
    text_append(out, without);
  free(said);
  json_decref(manifest);
  return STATUS_OK;
}

void objdump_count_steps(const image *im, int64_t *runs, int64_t *host) {
  size_t i;
  json_t *manifest, *step;
  *runs = *host = 0;
  status_free(load(im, &manifest));
  json_array_foreach(json_object_get(manifest, "steps"), i, step)++ *(json_object_get(step, "run") ? runs : host);
  json_decref(manifest);
}
