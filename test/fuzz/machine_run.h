/* What the fuzzers of the machines' programs share: numbers from the input, listings and runs of any
 * program, and files with bytes changed. A fuzzer makes programs of three kinds, which the first byte
 * chooses: correct ones, ones with a few bits changed, and files of them with bytes changed. */
#ifndef GNNC_TEST_FUZZ_MACHINE_RUN_H
#define GNNC_TEST_FUZZ_MACHINE_RUN_H

#include "isa/text/listing.h"
#include "test/fuzz/sim_run.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The loaded sections of a program that runs have fewer bytes, so that each of its operations is
 * small. */
enum { MOST_BYTES = 1 << 20 };

typedef enum program_kind { KIND_correct, KIND_bits_changed, KIND_file_changed, PROGRAM_KINDS } program_kind;

typedef struct input {
  const uint8_t *bytes;
  size_t size;
} input;

/* A number below limit, 0 where the input has ended. */
static inline uint32_t take(input *in, uint32_t limit) {
  uint32_t value = 0;
  for (int i = 0; i < 2 && in->size; i++, in->bytes++, in->size--) value = value * 256 + *in->bytes;
  return value % limit;
}

/* Splits an input that is not empty into what makes a program and what changes it. */
static inline program_kind split_input(const uint8_t *data, size_t size, input *in, input *changes) {
  program_kind kind = data[0] % PROGRAM_KINDS;
  size_t kept = kind != KIND_correct && size > 40 ? 24 : 0;
  *in = (input){data + 1, size - 1 - kept};
  *changes = (input){data + size - kept, kept};
  return kind;
}

/* Changes a bit. */
static inline void flip(unsigned char *bytes, size_t size, input *in) {
  size_t at = size ? (size_t)take(in, 65536) * 256 % size + take(in, 256) : 0;
  if (size) bytes[at % size] ^= (unsigned char)(1u << take(in, 8));
}

/* A correct program has the same results on another device, at another level. */
static inline void check_results(const image *im, const device *other, sim_level level) {
  status s = image_check(im);
  if (s) fail("check", s);
  unsigned char *first = run(im, &im->device, SIM_L1, true), *second = run(im, other, level, true);
  if (memcmp(first, second, im->sections[IMAGE_FEATURES].size) != 0) fail("results differ", STATUS_OK);
  free(first);
  free(second);
}

/* Listings are made of any program, also of one that the check refuses. */
static inline void list(const image *im) {
  text out = {0};
  status_free(listing_print(im, &out));
  status_free(listing_print_layer(im, 0, &out));
  status_free(listing_print_assembly(im, &out));
  text_free(&out);
}

/* Any program is refused with a message, or runs. */
static inline void check_and_run(const image *im) {
  uint64_t bytes = 0;
  for (int kind = 0; kind < IMAGE_SECTIONS; kind++) bytes += im->sections[kind].size;
  status s = image_check(im);
  if (s && !*status_message(s)) abort();
  if (bytes <= MOST_BYTES) list(im);
  if (!s && bytes <= MOST_BYTES) free(run(im, &im->device, SIM_L1, false));
  status_free(s);
}

/* Changes bytes of the program's file, and reads it. */
static inline void check_file(arena *a, const image *program, input *in) {
  unsigned char *bytes = NULL;
  size_t size = 0;
  image im;
  status s = image_write_memory(program, &bytes, &size);
  if (s) fail("write", s);
  for (int i = 0; i < 6 && in->size; i++) flip(bytes, size, in);
  s = image_read(a, "input", bytes, size, &im);
  if (s && !*status_message(s)) abort();
  if (!s) check_and_run(&im);
  status_free(s);
  free(bytes);
}

#endif
