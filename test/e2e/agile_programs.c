/* Runs an image and writes the bytes of .features to a file: agile_programs IMAGE OUT. The bytes
 * begin as those of NaN, as in the interpreter that agile_programs.py compares with. */
#include "sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static status run(sim *s, const image *im, const char *path) {
  const image_section *features = &im->sections[IMAGE_FEATURES];
  const uint32_t nan = 0x7fc00000;
  unsigned char *bytes = sim_memory(s, features->address, features->size);
  for (uint64_t i = 0; bytes && i + sizeof nan <= features->size; i += sizeof nan) memcpy(bytes + i, &nan, sizeof nan);
  RETURN_IF_ERROR(sim_run(s));
  FILE *out = fopen(path, "wb");
  if (!out) return status_error(STATUS_CODE_io, "cannot write '%s'", path);
  bool is_written = fwrite(bytes, 1, features->size, out) == features->size;
  if (fclose(out) || !is_written) return status_error(STATUS_CODE_io, "cannot write '%s'", path);
  return STATUS_OK;
}

int main(int argc, char **argv) {
  arena *a = arena_create();
  image im;
  sim *s = NULL;
  sim_options options = {.level = SIM_L1};
  if (argc != 3) return 2;
  status failed = image_open(a, argv[1], &im);
  if (!failed) {
    failed = sim_create(&im, &im.device, &options, &s);
    if (!failed) failed = run(s, &im, argv[2]);
    sim_destroy(s);
    image_close(&im);
  }
  if (failed) fprintf(stderr, "%s\n", status_message(failed));
  arena_destroy(a);
  int code = failed ? 1 : 0;
  status_free(failed);
  return code;
}
