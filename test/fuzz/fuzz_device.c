/* room: isa. Any bytes describe a device: they are refused with a message, or the device's JSON
 * reads back as the same device. The lower seven bits of the first byte choose the machine that
 * is expected (0: any). With the highest bit set the rest is the argument of --device-set,
 * otherwise a file. */
#include "isa/machine.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* 0 is any machine, for which a file has a default; the others follow the table. */
static const machine *machine_of(unsigned number) {
  unsigned count = 0;
  while (machine_table[count]) count++;
  return number % (count + 1) ? machine_table[number % (count + 1) - 1] : NULL;
}

static void check_round_trip(const device *d) {
  char *json = device_json(d);
  device back;
  status s = device_parse("again", json, strlen(json), d->machine, &back);
  if (!s) s = device_check_same(d, &back);
  if (s) {
    fprintf(stderr, "%s\n%s\n", status_message(s), json);
    abort();
  }
  char *again = device_json(&back);
  if (strcmp(json, again) != 0) {
    fprintf(stderr, "%s\n%s\n", json, again);
    abort();
  }
  free(again);
  free(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!size) return 0;
  const machine *expected = machine_of(data[0] & 0x7f);
  device d;
  status s;
  char *words = malloc(size); /* the sanitizer finds reads behind the block */
  memcpy(words, data + 1, size - 1);
  words[size - 1] = 0;
  if (data[0] & 0x80) {
    device_default(&d, expected ? expected : machine_default());
    s = device_edit(&d, words);
  } else {
    s = device_parse("input", words, size - 1, expected, &d);
  }
  if (s && !*status_message(s)) abort();
  if (!s) check_round_trip(&d);
  free(words);
  status_free(s);
  return 0;
}
