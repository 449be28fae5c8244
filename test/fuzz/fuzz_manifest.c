/* room: runtime. Any bytes as the manifest of a good image: refused with a message, or the program runs and every output that it promises can be read.
 * The first byte of the input says whether the manifest is the input or a good one of which bytes are changed. */
#define _GNU_SOURCE
#include "runtime/program.h"
#include "test/unit/isa/isa_image_fixture.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char good[] = "{\"model\":\"small\",\"inputs\":[],\"outputs\":[{\"name\":\"z\",\"kind\":\"rows\","
                           "\"domain\":\"node\",\"rows\":8,\"shape\":[4],\"width\":4,\"address\":20736,"
                           "\"stride\":8,\"order\":0},{\"name\":\"v\",\"kind\":\"values\",\"domain\":\"edge\",\"rows\":"
                           "8,\"shape\":[2],\"width\":2,\"heads\":2,\"addresses\":[20736,20768],"
                           "\"order\":null}],\"baked\":[]}";

static void fail_if(status s) {
  if (!s) return;
  fprintf(stderr, "%s\n", status_message(s));
  abort();
}

/* The only file of the run, in memory. */
static const char *write_file(const unsigned char *bytes, size_t size) {
  static char path[64];
  static int fd = -1;
  if (fd < 0) {
    fd = memfd_create("image", 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  }
  if (ftruncate(fd, 0) || pwrite(fd, bytes, size, 0) != (ssize_t)size) abort();
  return path;
}

static void run(const program_binary *p) {
  program_session *s = NULL;
  tensor_set *outputs = tensor_set_create("outputs");
  status failed = program_session_create(p, &(program_request){.graph = NULL}, &s);
  bool needs_graph = p->num_inputs || p->num_baked;
  if (!needs_graph) fail_if(failed);
  if (!failed) {
    fail_if(program_session_run(s));
    fail_if(program_session_read(s, outputs));
    if (outputs->count != (size_t)p->num_outputs) abort();
  }
  status_free(failed);
  tensor_set_destroy(outputs);
  program_session_destroy(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!size) return 0;
  arena *a = arena_create();
  image_fixture f;
  image_fixture_init(&f, a);
  f.image.graph_fingerprint = 0;
  bool is_change = data[0] % 2;
  size_t length = is_change ? sizeof good - 1 : size - 1;
  unsigned char *manifest = arena_alloc(a, length + 1);
  memcpy(manifest, is_change ? (const void *)good : data + 1, length);
  for (size_t i = 1; is_change && i + 3 <= size; i += 3)
    manifest[((size_t)data[i] | (size_t)data[i + 1] << 8) % length] = data[i + 2];
  f.image.sections[IMAGE_PROGRAM] = (image_section){0, length, manifest};
  unsigned char *bytes = NULL;
  size_t count = 0;
  fail_if(image_write_memory(&f.image, &bytes, &count));
  program_binary *p = NULL;
  status s = program_open(write_file(bytes, count), &p);
  if (s && (p || !*status_message(s))) abort();
  if (!s) run(p);
  status_free(s);
  program_close(p);
  free(bytes);
  arena_destroy(a);
  return 0;
}
