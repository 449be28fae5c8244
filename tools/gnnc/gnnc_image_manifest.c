/* What the driver knows of a program beyond its code: fields of the graph that it holds, and how its source was compiled, so that it can be compiled again.
 *
 *   {..., "baked": [{"from": "x", "fingerprint": "..."}], "dims": {"F": 1433}, "sources": ["<main file>", "<imported file>"]} */
#include "tools/gnnc/gnnc_image.h"

#include <inttypes.h>

/* Fields with their fingerprints: the program runs on no graph with the same edges but others. */
static status add_fields(const gnnc_driver *r, const program_host *host, text *json) {
  static const char *const always[] = {"batch", "node_type"}; /* they order rows; 0 where the graph has none */
  size_t count;
  const char *const *fields = program_host_fields(host, &count);
  text_append(json, ",\"baked\":[");
  for (size_t i = 0; i < 2 + count; i++) {
    const char *name = i < 2 ? always[i] : fields[i - 2];
    uint64_t fingerprint = 0;
    RETURN_IF_ERROR(graph_field_fingerprint(r->files.graph, name, &fingerprint));
    text_append(json, i ? ",{\"from\":" : "{\"from\":");
    text_append_json(json, name);
    text_printf(json, ",\"fingerprint\":\"%016" PRIx64 "\"}", fingerprint);
  }
  text_append(json, "]");
  return STATUS_OK;
}

static void add_dims(const gnnc_options *o, text *json) {
  text_append(json, ",\"dims\":{");
  for (size_t i = 0; i < o->dims.count; i++) {
    if (i) text_append(json, ",");
    text_append_json(json, o->dims.items[i].name);
    text_printf(json, ":%" PRId64, (int64_t)o->dims.items[i].value);
  }
  text_append(json, "}");
}

static bool is_library(const ast_file *f) {
  return f->layers.count && f->layers.items[0]->is_library;
}

/* Imports are found by paths that mean nothing elsewhere: they become blanks, and the first file imports all others by their number. */
static void add_file(const gnnc_driver *r, const ast_file *f, size_t imports, text *json) {
  char *said = arena_strndup(r->arena, f->source->text, f->source->size);
  for (size_t i = 0; i < f->imports.count; i++)
    for (uint32_t at = f->imports.items[i].span.begin; at < f->imports.items[i].span.end; at++)
      if (said[at] != '\n') said[at] = ' ';
  text whole = {0};
  text_append(&whole, said);
  for (size_t i = 1; i <= imports; i++) text_printf(&whole, "\nimport \"import%zu.gnn\";", i);
  text_append_json(json, text_str(&whole));
  text_free(&whole);
}

/* Only where there are imports: section .gnnc.source has the main file as it is. */
static void add_sources(const gnnc_driver *r, text *json) {
  size_t count = 1;
  while (count < r->program.files.count && !is_library(r->program.files.items[count])) count++;
  if (count == 1) return;
  text_append(json, ",\"sources\":[");
  for (size_t i = 0; i < count; i++) {
    if (i) text_append(json, ",");
    add_file(r, r->program.files.items[i], i ? 0 : count - 1, json);
  }
  text_append(json, "]");
}

status gnnc_image_complete(const gnnc_driver *r, const program_host *host, arena *a, image *im) {
  image_section *manifest = &im->sections[IMAGE_PROGRAM];
  size_t end = (size_t)manifest->size;
  const char *old = (const char *)manifest->data;
  while (end && old[end - 1] != '}') end--;
  if (!end) return status_error(STATUS_CODE_format, "the manifest of the program is no JSON object");
  text made = {0};
  text_append_bytes(&made, old, end - 1);
  status s = add_fields(r, host, &made);
  add_dims(&r->options, &made);
  add_sources(r, &made);
  text_append(&made, "}\n");
  manifest->data = (const unsigned char *)arena_strndup(a, text_str(&made), made.size);
  manifest->size = made.size;
  text_free(&made);
  return s;
}
