/* Describes the origin of the results of a run: "gnn-run 0.1.0 with --level=1". Options with files
 * appear without the names, so that equal runs make equal bytes on every host. */
#include "isa/image/image_made_by.h"
#include "tools/gnn-run/gnn_run.h"

static void append_image_options(const run_options *o, text *out) {
  text_printf(out, "%s --level=%ld", o->has_table ? "" : " with", o->level);
  if (o->is_timing_only) text_append(out, " --timing-only");
  if (o->device) text_append(out, " --device");
  for (int i = 0; i < o->num_edits; i++) text_printf(out, " --device-set=%s", o->edits[i]);
}

static const char *keep(text *t, arena *a) {
  const char *kept = arena_strdup(a, text_str(t));
  text_free(t);
  return kept;
}

sim_origin run_describe_origin(arena *a, const run_options *options, const program_binary *p) {
  text made_by = {0}, program = {0};
  text_append(&made_by, "gnn-run " GNNC_VERSION);
  if (options->has_table) text_append(&made_by, " with --table");
  if (p || options->has_table) append_image_options(options, &made_by);
  if (p)
    image_append_made_by(&p->image, &program);
  else if (options->is_portable)
    text_append(&made_by, options->has_table ? " --portable" : " with --portable");
  return (sim_origin){keep(&made_by, a), keep(&program, a)};
}
