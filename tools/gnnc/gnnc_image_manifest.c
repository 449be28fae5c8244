/* Adds to a manifest the fields of the graph that the program contains, and the sources and sizes,
 * with which it can be compiled again.
 *
 *   {..., "baked": [{"from": "x", "fingerprint": "..."}], "dims": {"F": 1433}, "sources": ["<main file>", "<imported file>"]} */
#include "tools/gnnc/gnnc_image.h"
#include "tools/gnnc/gnnc_made_by.h"
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

static bool is_library(const ast_file *f) {
  return f->layers.count && f->layers.items[0]->is_library;
}

/* Returns the text of a file with blanks for its imports, whose paths are valid only on this
 * machine. The first file imports all others by their numbers instead. */
static const char *text_of(const ast_file *f, size_t imports, arena *a) {
  char *said = arena_strndup(a, f->source->text, f->source->size);
  for (size_t i = 0; i < f->imports.count; i++)
    for (uint32_t at = f->imports.items[i].span.begin; at < f->imports.items[i].span.end; at++)
      if (said[at] != '\n') said[at] = ' ';
  text whole = {0};
  text_append(&whole, said);
  for (size_t i = 1; i <= imports; i++) text_printf(&whole, "\nimport \"import%zu.gnn\";", i);
  const char *made = arena_strdup(a, text_str(&whole));
  text_free(&whole);
  return made;
}

/* Adds the sources, only where there are imports: section .gnnc.source has the unchanged main file. */
static void add_sources(const gnnc_driver *r, arena *a, program_manifest *m) {
  size_t count = 1;
  while (count < r->program.files.count && !is_library(r->program.files.items[count])) count++;
  for (size_t i = 0; count > 1 && i < count; i++)
    VEC_PUSH(a, &m->sources, text_of(r->program.files.items[i], i ? 0 : count - 1, a));
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
