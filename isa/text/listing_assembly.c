/* Prints an image as text from which gnn-as makes the same image: the device, constants, sections
 * of data in words, symbols, the program. */
#include "isa/text/listing_parts.h"

#include <stdlib.h>
#include <string.h>

/* Prints .machine, where it is not the default one, and .device with the parameters that differ
 * from the defaults. */
static void print_device(const device *d, text *out) {
  device standard;
  device_default(&standard, d->machine);
  char *words = device_json(d), *others = device_json(&standard);
  json_t *mine = json_loads(words, 0, NULL), *theirs = json_loads(others, 0, NULL);
  const char *key;
  json_t *value;
  if (d->machine != machine_default()) text_printf(out, ".machine %s\n", d->machine->name);
  json_object_foreach(mine, key, value) {
    if (json_equal(value, json_object_get(theirs, key))) continue;
    char *printed = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
    text_printf(out, ".device %s=%s\n", key, printed ? printed : "0");
    free(printed);
  }
  json_decref(mine);
  json_decref(theirs);
  free(words);
  free(others);
}

static uint32_t read_u32(const unsigned char *in) {
  return (uint32_t)in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
}

/* Prints words, eight to a line, and runs of zeros as .zero. */
static void print_words(const unsigned char *data, uint64_t size, text *out) {
  for (uint64_t i = 0; i < size;) {
    uint64_t zeros = 0;
    while (i + zeros < size && !data[i + zeros]) zeros++;
    zeros = zeros / 4 * 4;
    if (zeros >= 16 || size - i < 4) {
      text_printf(out, ".zero %llu\n", (unsigned long long)(size - i < 4 ? size - i : zeros));
      i += size - i < 4 ? size - i : zeros;
      continue;
    }
    text_append(out, ".u32");
    for (int n = 0; n < 8 && i + 4 <= size && (n == 0 || read_u32(data + i)); n++, i += 4)
      text_printf(out, "%s0x%08x", n ? ", " : " ", read_u32(data + i));
    text_append(out, "\n");
  }
}

static bool is_zero(const image_section *s) {
  uint64_t i = 0;
  while (i < s->size && !s->data[i]) i++;
  return i == s->size;
}

/* Prints data that are zeros alone; the word makes them data of the file, which .zero alone does not. */
static void print_zeros(uint64_t size, text *out) {
  text_append(out, ".u32 0x00000000\n");
  if (size > 4) text_printf(out, ".zero %llu\n", (unsigned long long)(size - 4));
}

static void print_section(const image *im, image_section_kind kind, text *out) {
  const image_section *s = &im->sections[kind];
  if (!s->size && !s->address) return;
  text_printf(out, ".section %s at 0x%llx\n", image_loaded_name(kind), (unsigned long long)s->address);
  if (kind < IMAGE_EDGES || !s->size) return;
  const machine *m = im->device.machine;
  if (!s->data)
    text_printf(out, ".zero %llu\n", (unsigned long long)s->size);
  else if (s->size >= 4 && is_zero(s))
    print_zeros(s->size, out);
  else if (!m->print_section || !m->print_section(im, (int)kind, out))
    print_words(s->data, s->size, out);
}

static void print_symbols(const image *im, text *out) {
  for (int64_t i = 0; i < im->num_symbols; i++) {
    const image_symbol *s = &im->symbols[i];
    if (s->section != IMAGE_TEXT && s->section < IMAGE_PROGRAM)
      text_printf(out, ".symbol \"%s\" 0x%llx %llu %s\n", s->name, (unsigned long long)s->address,
                  (unsigned long long)s->size, image_loaded_name(s->section));
  }
}

status listing_print_assembly(const image *im, text *out) {
  print_device(&im->device, out);
  if (im->device.machine->print_data) im->device.machine->print_data(im, out);
  for (int i = 0; i < IMAGE_PROGRAM; i++) print_section(im, (image_section_kind)i, out);
  print_symbols(im, out);
  listing_walk w = {.im = im, .out = out, .only = -1, .is_plain = true};
  uint64_t layers;
  listing_open(&w);
  status s = listing_print_program(&w, &layers);
  listing_close(&w);
  return s;
}
