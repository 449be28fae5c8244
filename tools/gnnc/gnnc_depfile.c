/* The rule of make that says what an output was made from:
 *
 *   gcn.c: models/gcn.gnn models/blocks.gnn karate.safetensors
 *
 * Layers of the library are in the compiler, so they are no files. */
#include "tools/gnnc/gnnc_depfile.h"

#include "support/file.h"

#include <string.h>
#include <unistd.h>

/* A name as make reads it. */
static void append_name(const char *name, text *out) {
  for (; *name; name++) {
    if (*name == ' ' || *name == '#' || *name == '\\') text_append(out, "\\");
    if (*name == '$') text_append(out, "$");
    text_append_bytes(out, name, 1);
  }
}

static void append_input(const char *name, text *out) {
  if (!name || !strcmp(name, "-")) return;
  text_append(out, " \\\n  ");
  append_name(name, out);
}

bool gnnc_depfile_write(gnnc_driver *r) {
  const gnnc_options *o = &r->options;
  if (!o->depfile) return true;
  text out = {0};
  append_name(o->output, &out);
  text_append(&out, ":");
  append_input(o->input, &out);
  for (size_t i = 1; i < r->program.files.count; i++)
    if (access(r->program.files.items[i]->source->name, R_OK) == 0)
      append_input(r->program.files.items[i]->source->name, &out);
  const char *const files[] = {o->graph, o->weights, o->device.file, o->tuning};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) append_input(files[i], &out);
  text_append(&out, "\n");
  bool good = !gnnc_driver_failed(file_write(o->depfile, text_str(&out), out.size));
  text_free(&out);
  return good;
}
