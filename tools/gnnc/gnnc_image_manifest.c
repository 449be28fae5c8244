/* Adds to a manifest the fields of the graph that the program contains, and the sources and sizes,
 * with which it can be compiled again.
 *
 *   {..., "baked": [{"from": "x", "fingerprint": "..."}], "dims": {"F": 1433}, "sources": ["<main file>", "<imported file>"]} */
#include "tools/gnnc/gnnc_image.h"
#include "tools/gnnc/gnnc_made_by.h"
#include "tools/gnnc/gnnc_source.h"
#include "tools/gnnc/gnnc_useful.h"

/* Adds fields with their fingerprints, so that the program refuses a graph with the same edges but
 * other fields. */
static status add_fields(const gnnc_driver *r, const program_host *host, arena *a, program_manifest *m) {
  static const char *const always[] = {"batch", "node_type"}; /* they order rows; 0 where the graph has none */
  size_t count;
  const char *const *fields = program_host_fields(host, &count);
  for (size_t i = 0; i < 2 + count; i++) {
    program_manifest_field field = {.from = i < 2 ? always[i] : fields[i - 2]};
    RETURN_IF_ERROR(graph_field_fingerprint(r->files.graph, field.from, &field.fingerprint));
    VEC_PUSH(a, &m->baked, field);
  }
  return STATUS_OK;
}

static void add_dims(const gnnc_options *o, arena *a, program_manifest *m) {
  for (size_t i = 0; i < o->dims.count; i++) {
    program_manifest_dim made = {o->dims.items[i].name, o->dims.items[i].value};
    VEC_PUSH(a, &m->dims, made);
  }
}

/* Adds the sources, only where there are imports: section .gnnc.source has the unchanged main file. */
static void add_sources(const gnnc_driver *r, arena *a, program_manifest *m) {
  size_t count = gnnc_source_count(r);
  for (size_t i = 0; count > 1 && i < count; i++) VEC_PUSH(a, &m->sources, gnnc_source_text(r, i, a));
}

status gnnc_image_describe(gnnc_driver *r, const program_host *host, arena *a, program_manifest *m) {
  m->compiler = gnnc_compiler_name();
  m->made_with = gnnc_describe_options(a, &r->options);
  m->useful_multiply_adds = gnnc_useful_multiply_adds(r);
  add_dims(&r->options, a, m);
  add_sources(r, a, m);
  return add_fields(r, host, a, m);
}

void gnnc_image_add_manifest(const program_manifest *m, arena *a, image *im) {
  text json = {0};
  program_manifest_write(m, &json);
  const char *kept = arena_strndup(a, text_str(&json), json.size);
  im->sections[IMAGE_PROGRAM] = (image_section){.size = json.size, .data = (const unsigned char *)kept};
  text_free(&json);
}
