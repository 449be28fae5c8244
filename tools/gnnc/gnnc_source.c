/* Describes the sources of a model and the sizes that it was compiled with: see gnnc_source.h. */
#include "tools/gnnc/gnnc_source.h"

#include "tools/gnnc/gnnc_costs.h"

#include <string.h>

static bool is_library(const ast_file *f) {
  return f->layers.count && f->layers.items[0]->is_library;
}

size_t gnnc_source_count(const gnnc_driver *r) {
  size_t count = 1;
  while (count < r->program.files.count && !is_library(r->program.files.items[count])) count++;
  return count;
}

const char *gnnc_source_text(const gnnc_driver *r, size_t number, arena *a) {
  const ast_file *f = r->program.files.items[number];
  char *said = arena_strndup(a, f->source->text, f->source->size);
  for (size_t i = 0; i < f->imports.count; i++)
    for (uint32_t at = f->imports.items[i].span.begin; at < f->imports.items[i].span.end; at++)
      if (said[at] != '\n') said[at] = ' ';
  text whole = {0};
  text_append(&whole, said);
  for (size_t i = 1; !number && i < gnnc_source_count(r); i++) text_printf(&whole, "\nimport \"import%zu.gnn\";", i);
  return text_keep(&whole, a);
}

const model_source *gnnc_source_describe(gnnc_driver *r, MlirModule module) {
  const gnnc_options *o = &r->options;
  model_source *made = arena_alloc(r->arena, sizeof *made);
  made->num_texts = gnnc_source_count(r);
  const char **texts = arena_alloc_array(r->arena, made->num_texts, sizeof *texts);
  for (size_t i = 0; i < made->num_texts; i++) texts[i] = gnnc_source_text(r, i, r->arena);
  made->num_dims = o->dims.count;
  model_dim *dims = arena_alloc_array(r->arena, made->num_dims + 1, sizeof *dims);
  for (size_t i = 0; i < made->num_dims; i++) dims[i] = (model_dim){o->dims.items[i].name, o->dims.items[i].value};
  made->texts = texts;
  made->dims = dims;
  made->reach = r->reach;
  made->fingerprint = r->fingerprint;
  gnnc_costs_add(mlirModuleGetOperation(module), o->is_f64, r->arena, made);
  return made;
}
