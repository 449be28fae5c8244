/* Prints parts of an image as text: summary, sections, memory map. */
#include "tools/gnn-objdump/gnn_objdump.h"

#include "isa/image/image_made_by.h"

#include <inttypes.h>
#include <stdio.h>
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
  text_printf(out, "%s: program for the %s, instruction set %d.%d\n", name, m->summary, im->isa_major, im->isa_minor);
  text_append(out, "made by       ");
  image_append_made_by(im, out);
  text_append(out, "\n");
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
  int64_t runs, host;
  objdump_count_steps(im, &runs, &host);
  if (host) text_printf(out, "host          %" PRId64 " steps between %" PRId64 " runs of the device\n", host, runs);
  for (int i = 0; i < IMAGE_SECTIONS; i++) {
    if (!im->sections[i].size) continue;
    text_printf(out, "%-13s ", image_section_name((image_section_kind)i));
    print_size(out, im->sections[i].size);
    text_append(out, im->sections[i].data ? "\n" : ", not in the file\n");
  }
}

void objdump_print_address(text *out, uint64_t address, int width) {
  char words[24];
  snprintf(words, sizeof words, "0x%" PRIx64, address);
  text_printf(out, "%*s", width, words);
}

static void print_range(text *out, uint64_t begin, uint64_t end, const char *indent, const char *what) {
  objdump_print_address(out, begin, 12);
  objdump_print_address(out, end, 13);
  text_printf(out, " %14" PRIu64 "  %s%s\n", end - begin, indent, what);
}

void objdump_print_sections(const image *im, text *out) {
  text_printf(out, "%-14s %14s %14s\n", "section", "address", "bytes");
  for (int i = 0; i < IMAGE_SECTIONS; i++) {
    const image_section *s = &im->sections[i];
    text_printf(out, "%-14s ", image_section_name((image_section_kind)i));
    if (i < IMAGE_PROGRAM)
      objdump_print_address(out, s->address, 14);
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
