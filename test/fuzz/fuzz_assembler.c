/* room: isa. The assembler reads any text: it refuses the text with messages at places inside
 * it, or it makes an image whose listing and whose assembly make the same image again. The
 * loader reads that image back or refuses it. */
#include "isa/text/assemble.h"
#include "isa/text/listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void check_message(void *user, diag_severity severity, diag_id id, const char *file, unsigned line,
                          unsigned column, const char *message) {
  (void)severity, (void)file, (void)column;
  if (!message[0] || !line || id >= DIAG_count) abort();
  ++*(size_t *)user;
}

static bool assemble(arena *a, const char *words, size_t size, bool is_unchecked, image *out) {
  size_t messages = 0;
  assemble_options o = {.is_unchecked = is_unchecked};
  diag *d = diag_create(stderr);
  diag_set_sink(d, check_message, &messages);
  bool good = assemble_program(a, source_create(a, "fuzz.s", words, size), &o, d, out);
  if (good != !messages) abort();
  diag_destroy(d);
  return good;
}

static void check_same(const image *one, const image *other) {
  unsigned char *data, *other_data;
  size_t size, other_size;
  if (image_write_memory(one, &data, &size) || image_write_memory(other, &other_data, &other_size)) abort();
  if (size != other_size || memcmp(data, other_data, size) != 0) abort();
  free(other_data);
  free(data);
}

/* A name with a quote or a backslash has no text that reads back. */
static bool has_quote(const char *words, size_t size) {
  return memchr(words, '"', size) || memchr(words, '\\', size);
}

static void check_round_trip(arena *a, const image *im) {
  text printed = {0};
  image again;
  if (listing_print_assembly(im, &printed)) abort();
  if (!assemble(a, text_str(&printed), printed.size, true, &again)) {
    fprintf(stderr, "does not read back:\n%s", text_str(&printed));
    abort();
  }
  check_same(im, &again);
  text_free(&printed);
}

static void check_loader(arena *a, const image *im) {
  unsigned char *data;
  size_t size;
  image read;
  if (image_write_memory(im, &data, &size)) abort();
  status checked = image_check(im), opened = image_read(a, "fuzz.bin", data, size, &read);
  if (!checked != !opened) {
    fprintf(stderr, "checked: %s\nopened: %s\n", status_message(checked), status_message(opened));
    abort();
  }
  status_free(checked);
  status_free(opened);
  free(data);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  arena *a = arena_create();
  char *words = arena_strndup(a, (const char *)data, size);
  image im;
  if (assemble(a, words, size, size && data[size - 1] == '!', &im)) {
    uint64_t total = 0;
    for (int i = 0; i < IMAGE_SECTIONS; i++) total += im.sections[i].data ? im.sections[i].size : 0;
    if (total < 1 << 20) {
      check_loader(a, &im);
      if (!has_quote(words, size)) check_round_trip(a, &im);
    }
  }
  arena_destroy(a);
  return 0;
}
