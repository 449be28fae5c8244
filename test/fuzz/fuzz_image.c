/* room: isa. The loader reads any bytes as a program image: it refuses them with a message, or
 * everything that it found can be read and the image survives a round trip. The first byte
 * chooses what the rest does: 0: it is the file; 1: it changes bytes of a good file; 2: it is
 * the program of a good image; 3: it is the descriptors and records of one; 5: it changes bytes
 * of a good file of the machine host. */
#include "test/unit/isa/isa_image_fixture.h"

#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned sum; /* the compiler may not remove reads that a global sum uses */

static void touch(const image *im) {
  for (int k = 0; k < IMAGE_SECTIONS; k++)
    for (uint64_t i = 0; im->sections[k].data && i < im->sections[k].size; i++) sum += im->sections[k].data[i];
  for (int64_t i = 0; i < im->num_symbols; i++) sum += (unsigned)strlen(im->symbols[i].name);
  sum += (unsigned)strlen(im->compiler) + (unsigned)strlen(im->device.common.name);
}

/* An image that was read can be written, and reads back the same. */
static void read_again(arena *a, const image *im) {
  unsigned char *bytes = NULL;
  size_t size = 0;
  image again;
  status s = image_write_memory(im, &bytes, &size);
  if (!s) s = image_read(a, "again", bytes, size, &again);
  if (s) {
    fprintf(stderr, "%s\n", status_message(s));
    abort();
  }
  if (again.num_symbols != im->num_symbols || again.graph_fingerprint != im->graph_fingerprint) abort();
  for (int k = 0; k < IMAGE_SECTIONS; k++) {
    const image_section *x = &im->sections[k], *y = &again.sections[k];
    if (x->size != y->size || (x->size && x->address != y->address) || !x->data != !y->data) abort();
    if (x->data && memcmp(x->data, y->data, x->size) != 0) abort();
  }
  free(bytes);
}

static void read_image(arena *a, const unsigned char *data, size_t size) {
  image im;
  unsigned char *exact = malloc(size ? size : 1); /* the sanitizer finds reads behind the block */
  memcpy(exact, data, size);
  status s = image_read(a, "input", exact, size, &im);
  if (s && !*status_message(s)) abort();
  if (!s) {
    touch(&im);
    read_again(a, &im);
  }
  status_free(s);
  free(exact);
}

/* The input is triples: an offset of two bytes, and a byte that is added there. */
static void read_changed(arena *a, const image *im, const uint8_t *data, size_t size) {
  unsigned char *bytes = NULL;
  size_t count = 0;
  status s = image_write_memory(im, &bytes, &count);
  if (s) abort();
  for (size_t i = 0; i + 3 <= size; i += 3) {
    size_t at = ((size_t)data[i] | (size_t)data[i + 1] << 8) % count;
    bytes[at] = (unsigned char)(bytes[at] + data[i + 2]);
  }
  read_image(a, bytes, count);
  free(bytes);
}

static void check_image(arena *a, const image *im) {
  status s = image_check(im);
  if (s && !*status_message(s)) abort();
  if (!s) read_again(a, im);
  status_free(s);
}

/* Inserts the input into the good program, behind as many instructions as its first byte says. */
static void check_program(arena *a, image *im, const uint8_t *data, size_t size) {
  size_t kept = (size ? data[0] % 13u : 0) * GRAPHAGILE_INSN_BYTES,
         added = size ? (size - 1) / GRAPHAGILE_INSN_BYTES * GRAPHAGILE_INSN_BYTES : 0;
  unsigned char *code = arena_alloc(a, im->sections[IMAGE_TEXT].size + added);
  memcpy(code, im->sections[IMAGE_TEXT].data, kept);
  if (added) memcpy(code + kept, data + 1, added);
  memcpy(code + kept + added, im->sections[IMAGE_TEXT].data + kept, im->sections[IMAGE_TEXT].size - kept);
  im->sections[IMAGE_TEXT].data = code;
  im->sections[IMAGE_TEXT].size += added;
  im->device.graphagile.has_broadcast = im->device.graphagile.has_packed_edges = true;
  im->device.graphagile.has_half_rows = true;
  im->device.graphagile.has_compact_columns = true;
  check_image(a, im);
}

static void overwrite(arena *a, image_section *s, const uint8_t **data, size_t *size) {
  size_t count = *size < s->size ? *size : s->size;
  unsigned char *made = arena_alloc(a, s->size);
  memcpy(made, s->data, s->size);
  for (size_t i = 0; i < count; i++) made[i] ^= (*data)[i];
  s->data = made;
  *data += count;
  *size -= count;
}

/* A program that consists of host steps. */
static image host_image(const image *of) {
  image im = *of;
  device_default(&im.device, &host_machine);
  im.isa_major = host_machine.isa_major;
  im.isa_minor = host_machine.isa_minor;
  for (int k = 0; k < IMAGE_SECTIONS; k++)
    if (!(host_machine.sections >> k & 1)) im.sections[k] = (image_section){0};
  im.sections[IMAGE_LISTS] = of->sections[IMAGE_WEIGHTS];
  im.sections[IMAGE_LISTS].address = 0;
  im.num_symbols = 0;
  return im;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!size) return 0;
  arena *a = arena_create();
  image_fixture f;
  image_fixture_init(&f, a);
  const uint8_t *rest = data + 1;
  size_t left = size - 1;
  image host = host_image(&f.image);
  switch (data[0] % 8 == 5 ? 5 : data[0] % 4) {
  case 0: read_image(a, rest, left); break;
  case 1: read_changed(a, &f.image, rest, left); break;
  case 5: read_changed(a, &host, rest, left); break;
  case 2: check_program(a, &f.image, rest, left); break;
  default:
    overwrite(a, &f.image.sections[IMAGE_DESC], &rest, &left);
    overwrite(a, &f.image.sections[IMAGE_EDGES], &rest, &left);
    check_image(a, &f.image);
  }
  arena_destroy(a);
  return 0;
}
