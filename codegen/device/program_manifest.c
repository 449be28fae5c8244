/* Writes the manifest as JSON without blanks, with members in the order of the struct. */
#include "codegen/device/program_manifest.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- JSON: each element and each key brings the comma before it ---- */

static void separate(text *t) {
  char last = t->size ? t->data[t->size - 1] : '{';
  if (last != '{' && last != '[') text_append(t, ",");
}

static void key(text *t, const char *name) {
  separate(t);
  text_append(t, "\"");
  text_append(t, name);
  text_append(t, "\":");
}

static void open(text *t, const char *bracket) {
  separate(t);
  text_append(t, bracket);
}

static void open_member(text *t, const char *name, const char *bracket) {
  key(t, name);
  text_append(t, bracket);
}

static void string_member(text *t, const char *name, const char *value) {
  key(t, name);
  text_append_json(t, value);
}

/* Appends a number. A manifest consists mostly of numbers, and printf would take most of the time
 * to write it. */
static void append_natural(text *t, uint64_t value) {
  char digits[20];
  size_t at = sizeof digits;
  do digits[--at] = (char)('0' + value % 10);
  while (value /= 10);
  text_append_bytes(t, digits + at, sizeof digits - at);
}

static void append_integer(text *t, int64_t value) {
  if (value < 0) text_append(t, "-");
  append_natural(t, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

static void integer(text *t, int64_t value) {
  separate(t);
  append_integer(t, value);
}

static void integer_member(text *t, const char *name, int64_t value) {
  key(t, name);
  append_integer(t, value);
}

static void natural_member(text *t, const char *name, uint64_t value) {
  key(t, name);
  append_natural(t, value);
}

static void bool_member(text *t, const char *name, bool value) {
  key(t, name);
  text_append(t, value ? "true" : "false");
}

/* Appends a number with enough digits to read back the same value, and with a point, so that
 * readers do not take it as an integer. */
static void real_member(text *t, const char *name, double value) {
  char digits[40];
  snprintf(digits, sizeof digits, "%.17g", isfinite(value) ? value : 0.0);
  key(t, name);
  text_append(t, digits);
  if (!strpbrk(digits, ".e")) text_append(t, ".0");
}

/* ---- inputs and outputs ---- */

static void write_shape(ir_type type, text *t) {
  open_member(t, "shape", "[");
  for (unsigned d = 0; d < type.rank; d++) integer(t, type.dims[d]);
  text_append(t, "]");
}

static void write_arrays(const program_manifest_place *p, text *t) {
  integer_member(t, "heads", p->heads);
  open_member(t, "addresses", "[");
  for (int64_t h = 0; h < p->heads; h++) {
    separate(t);
    append_natural(t, p->address + (uint64_t)h * p->array_bytes);
  }
  text_append(t, "]");
}

static void write_order(int64_t order, text *t) {
  key(t, "order");
  if (order == PROGRAM_MANIFEST_NO_ORDER)
    text_append(t, "null");
  else
    append_integer(t, order);
}

void program_manifest_write_place(const program_manifest_place *p, text *t) {
  if (p->layout) string_member(t, "layout", p->layout);
  bool folds = p->memory_rows >= 0;
  if (p->heads)
    write_arrays(p, t);
  else
    natural_member(t, "address", p->address);
  if (p->stride >= 0 && (folds || !p->heads)) integer_member(t, "stride", p->stride);
  if (folds) integer_member(t, "rows", p->memory_rows);
  write_order(p->order, t);
}

static void write_place(const program_manifest_place *p, text *t) {
  string_member(t, "set", p->set);
  integer_member(t, "rows", p->rows);
  integer_member(t, "width", p->width);
  if (p->array) integer_member(t, "array", p->array - 1);
  if (p->is_on_device)
    program_manifest_write_place(p, t);
  else
    write_order(p->order, t);
}

static void write_ranges(MlirAttribute range, text *t) {
  open_member(t, "ranges", "[");
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(range); i++) integer(t, mlirDenseI64ArrayGetElement(range, i));
  text_append(t, "]");
}

static void write_input(const program_manifest_input *in, text *t) {
  open(t, "{");
  string_member(t, "name", in->name);
  string_member(t, "from", in->from);
  string_member(t, "space", in->space);
  write_shape(in->shape, t);
  if (in->shape.is_integer) bool_member(t, "integer", true);
  if (!mlirAttributeIsNull(in->range)) write_ranges(in->range, t);
  write_place(&in->place, t);
  text_append(t, "}");
}

static void write_output(const program_manifest_output *out, text *t) {
  open(t, "{");
  string_member(t, "name", out->name);
  string_member(t, "kind", out->place.is_values ? "values" : "rows");
  string_member(t, "domain", out->domain);
  write_shape(out->shape, t);
  write_place(&out->place, t);
  text_append(t, "}");
}

/* ---- for people and statistics ---- */

static void write_tensor(const program_manifest_tensor *tensor, text *t) {
  open(t, "{");
  string_member(t, "name", tensor->name);
  string_member(t, "section", tensor->section);
  natural_member(t, "address", tensor->address);
  natural_member(t, "bytes", tensor->bytes);
  string_member(t, "kind", tensor->kind);
  if (tensor->layout) string_member(t, "layout", tensor->layout);
  text_append(t, "}");
}

static void write_layer(const program_manifest_layer *l, size_t id, text *t) {
  open(t, "{");
  natural_member(t, "id", id);
  string_member(t, "op", l->op);
  string_member(t, "name", l->name);
  if (l->file) string_member(t, "file", l->file);
  integer_member(t, "line", l->line);
  integer_member(t, "blocks", l->blocks);
  open_member(t, "tile", "[");
  for (size_t i = 0; i < sizeof l->tile / sizeof l->tile[0]; i++) integer(t, l->tile[i]);
  text_append(t, "]");
  natural_member(t, "multiply_adds", l->multiply_adds);
  integer_member(t, "cycles", l->cycles);
  integer_member(t, "floor_cycles", l->floor_cycles);
  text_append(t, "}");
}

static void write_edge_list(const program_manifest_edge_list *e, text *t) {
  open(t, "{");
  string_member(t, "name", e->name);
  string_member(t, "kind", e->kind);
  integer_member(t, "from_rows", e->from_rows);
  integer_member(t, "to_rows", e->to_rows);
  integer_member(t, "edges", e->edges);
  integer_member(t, "src_rows", e->src_rows);
  integer_member(t, "dst_rows", e->dst_rows);
  integer_member(t, "shards", e->shards);
  integer_member(t, "pieces", e->pieces);
  bool_member(t, "packed", e->is_packed);
  natural_member(t, "address", e->address);
  text_append(t, "}");
}

static void write_floor(const program_manifest *m, text *t) {
  open_member(t, "floor", "{");
  integer_member(t, "cycles", m->floor_cycles);
  real_member(t, "ms", m->floor_ms);
  text_append(t, "}");
}

/* ---- sources ---- */

static void write_field(const program_manifest_field *f, text *t) {
  open(t, "{");
  string_member(t, "from", f->from);
  key(t, "fingerprint");
  text_printf(t, "\"%016" PRIx64 "\"}", f->fingerprint);
}

static void write_dims(const program_manifest *m, text *t) {
  open_member(t, "dims", "{");
  for (size_t i = 0; i < m->dims.count; i++) {
    separate(t);
    text_append_json(t, m->dims.items[i].name);
    text_append(t, ":");
    append_integer(t, m->dims.items[i].value);
  }
  text_append(t, "}");
}

static void write_sources(const program_manifest *m, text *t) {
  if (!m->sources.count) return;
  open_member(t, "sources", "[");
  for (size_t i = 0; i < m->sources.count; i++) {
    separate(t);
    text_append_json(t, m->sources.items[i]);
  }
  text_append(t, "]");
}

void program_manifest_write(const program_manifest *m, text *out) {
  text_append(out, "{");
  string_member(out, "model", m->model);
  if (m->compiler) string_member(out, "compiler", m->compiler);
  if (m->made_with) string_member(out, "made_with", m->made_with);
  open_member(out, "inputs", "[");
  for (size_t i = 0; i < m->inputs.count; i++) write_input(&m->inputs.items[i], out);
  text_append(out, "]");
  open_member(out, "outputs", "[");
  for (size_t i = 0; i < m->outputs.count; i++) write_output(&m->outputs.items[i], out);
  text_append(out, "]");
  open_member(out, "tensors", "[");
  for (size_t i = 0; i < m->tensors.count; i++) write_tensor(&m->tensors.items[i], out);
  text_append(out, "]");
  open_member(out, "layers", "[");
  for (size_t i = 0; i < m->layers.count; i++) write_layer(&m->layers.items[i], i, out);
  text_append(out, "]");
  open_member(out, "relations", "[");
  for (size_t i = 0; i < m->edge_lists.count; i++) write_edge_list(&m->edge_lists.items[i], out);
  text_append(out, "]");
  if (m->has_floor) write_floor(m, out);
  if (m->tolerance > 0) {
    key(out, "tolerance");
    text_printf(out, "%g", m->tolerance);
  }
  if (m->useful_multiply_adds > 0) integer_member(out, "useful_multiply_adds", m->useful_multiply_adds);
  open_member(out, "options", "{");
  for (size_t i = 0; i < m->options.count; i++) bool_member(out, m->options.items[i].name, m->options.items[i].value);
  text_append(out, "}");
  open_member(out, "baked", "[");
  for (size_t i = 0; i < m->baked.count; i++) write_field(&m->baked.items[i], out);
  text_append(out, "]");
  write_dims(m, out);
  write_sources(m, out);
  if (m->steps) text_append(out, m->steps);
  text_append(out, "}\n");
}
