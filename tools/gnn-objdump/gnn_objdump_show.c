/* The parts of an image as text: summary, sections, memory map, tensors. */
#include "tools/gnn-objdump/gnn_objdump.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* "12.5 KiB" */
static void print_size(text *out, uint64_t bytes) {
  static const char *const units[] = {"KiB", "MiB", "GiB"};
  double size = (double)bytes;
  int unit = -1;
  for (; size >= 1024 && unit < 2; unit++) size /= 1024;
  if (unit < 0)
    text_printf(out, "%" PRIu64 " bytes", bytes);
  else
    text_printf(out, "%.1f %s", size, units[unit]);
}

void objdump_print_summary(const image *im, const char *name, text *out) {
  const machine *m = im->device.machine;
  text_printf(out, "%s: program for the %s, instruction set %d.%d, made by %s\n", name, m->summary, im->isa_major,
              im->isa_minor, im->compiler && *im->compiler ? im->compiler : "?");
  text_printf(out, "device        %s: ", im->device.common.name);
  if (m->print_device)
    m->print_device(&im->device, out);
  else
    text_printf(out, "%.6g MHz", im->device.common.clock_mhz);
  text_append(out, "\n");
  if (im->graph_fingerprint)
    text_printf(out, "graph         %016" PRIx64 "\n", im->graph_fingerprint);
  else
    text_append(out, "graph         any\n");
  text_append(out, "program       ");
  if (m->print_size)
    m->print_size(im, out);
  else
    text_printf(out, "%" PRIu64 " instructions", im->sections[IMAGE_TEXT].size / m->isa->insn_bytes);
  text_append(out, "\n");
  for (int i = 0; i < IMAGE_SECTIONS; i++) {
    if (!im->sections[i].size) continue;
    text_printf(out, "%-13s ", image_section_name((image_section_kind)i));
    print_size(out, im->sections[i].size);
    text_append(out, im->sections[i].data ? "\n" : ", not in the file\n");
  }
}

static void print_address(text *out, uint64_t address, int width) {
  char words[24];
  snprintf(words, sizeof words, "0x%" PRIx64, address);
  text_printf(out, "%*s", width, words);
}

static void print_range(text *out, uint64_t begin, uint64_t end, const char *indent, const char *what) {
  print_address(out, begin, 12);
  print_address(out, end, 13);
  text_printf(out, " %14" PRIu64 "  %s%s\n", end - begin, indent, what);
}

void objdump_print_sections(const image *im, text *out) {
  text_printf(out, "%-14s %14s %14s\n", "section", "address", "bytes");
  for (int i = 0; i < IMAGE_SECTIONS; i++) {
    const image_section *s = &im->sections[i];
    text_printf(out, "%-14s ", image_section_name((image_section_kind)i));
    if (i < IMAGE_PROGRAM)
      print_address(out, s->address, 14);
    else
      text_printf(out, "%14s", "-");
    text_printf(out, " %14" PRIu64 "  %s\n", s->size, !s->size ? "empty" : s->data ? "in the file" : "memory alone");
  }
}

typedef struct place {
  const char *name;
  uint64_t address, size;
  bool is_section;
} place;

static int by_address(const void *a, const void *b) {
  const place *x = a, *y = b;
  if (x->address != y->address) return x->address < y->address ? -1 : 1;
  if (x->is_section != y->is_section) return x->is_section ? -1 : 1;
  if (x->size != y->size) return x->size > y->size ? -1 : 1;
  return strcmp(x->name, y->name);
}

status objdump_print_memory(const image *im, text *out) {
  place *places = calloc((size_t)im->num_symbols + IMAGE_SECTIONS, sizeof *places);
  size_t count = 0;
  uint64_t end = 0, used = 0;
  if (!places) return status_error(STATUS_CODE_memory, "no memory for %" PRId64 " symbols", im->num_symbols);
  for (int i = 0; i < IMAGE_PROGRAM; i++)
    if (im->sections[i].size)
      places[count++] =
          (place){image_section_name((image_section_kind)i), im->sections[i].address, im->sections[i].size, true};
  for (int64_t i = 0; i < im->num_symbols; i++)
    if (im->symbols[i].section < IMAGE_PROGRAM)
      places[count++] = (place){im->symbols[i].name, im->symbols[i].address, im->symbols[i].size, false};
  qsort(places, count, sizeof *places, by_address);
  text_printf(out, "%12s %12s %14s  %s\n", "from", "to", "bytes", "what");
  for (size_t i = 0; i < count; i++) {
    const place *p = &places[i];
    if (p->is_section && p->address > end) print_range(out, end, p->address, "(free)", "");
    print_range(out, p->address, p->address + p->size, p->is_section ? "" : "  ", p->name);
    if (!p->is_section) continue;
    end = p->address + p->size;
    used += p->size;
  }
  free(places);
  print_size(out, used);
  text_append(out, " of ");
  print_size(out, (uint64_t)im->device.common.ddr_bytes);
  text_append(out, " used\n");
  return STATUS_OK;
}

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

/* "[2708, 16]": rows and the dimensions of one. */
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
      print_address(out, (uint64_t)json_integer_value(address), 14);
    else
      text_printf(out, "%14s", "-");
    print_number(out, tensor, "bytes", 14);
    text_append(out, "\n");
  }
}

status objdump_print_tensors(const image *im, text *out) {
  const image_section *s = &im->sections[IMAGE_PROGRAM];
  json_error_t error;
  if (!s->size || !s->data) {
    text_append(out, "no manifest: the program was not made by gnnc\n");
    return STATUS_OK;
  }
  json_t *manifest = json_loadb((const char *)s->data, s->size, JSON_REJECT_DUPLICATES, &error);
  if (!json_is_object(manifest)) {
    json_decref(manifest);
    return status_error(STATUS_CODE_format, ".gnnc.program is no JSON object");
  }
  text_printf(out, "model %s\n\n", string_of(manifest, "model"));
  print_ports(out, json_object_get(manifest, "inputs"), "input");
  print_ports(out, json_object_get(manifest, "outputs"), "output");
  print_tensors(out, json_object_get(manifest, "tensors"));
  json_decref(manifest);
  return STATUS_OK;
}
