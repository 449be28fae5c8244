/* Describes the options that affect an output, in the order of --help. */
#include "tools/gnnc/gnnc_made_by.h"

const char *gnnc_compiler_name(void) {
  return "gnnc " GNNC_VERSION;
}

/* Appends the switches that were given or that a tuning chose. */
static void append_switches(const feature_set *features, text *out) {
  for (int i = 0; i < FEATURE_count; i++) {
    feature_when when = features->given[i];
    if (when == FEATURE_WHEN_never || when == FEATURE_WHEN_always)
      text_printf(out, " -f%s%s", when == FEATURE_WHEN_never ? "no-" : "", feature_get((feature)i)->name);
  }
}

const char *gnnc_describe_options(arena *a, const gnnc_options *o) {
  text out = {0};
  text_printf(&out, "--target=%s", o->code.target->name);
  if (o->model) text_printf(&out, " --model=%s", o->model);
  for (size_t i = 0; i < o->dims.count; i++)
    text_printf(&out, " --dim=%s=%lld", o->dims.items[i].name, (long long)o->dims.items[i].value);
  if (o->graph) text_append(&out, " --graph");
  if (o->weights) text_append(&out, " --weights");
  if (o->device.files.count) text_append(&out, " --device");
  for (size_t i = 0; i < o->device.edits.count; i++) text_printf(&out, " --device-set=%s", o->device.edits.items[i]);
  if (o->preset) text_printf(&out, " --preset=%s", o->preset);
  if (o->code.host) text_printf(&out, " --host=%s", o->code.host);
  if (o->code.backward)
    text_printf(&out, " --emit-grad=%s", o->code.backward);
  else if (o->code.is_training)
    text_append(&out, " --train");
  if (o->code.has_ranks) text_append(&out, o->code.has_columns ? " --ranks=columns" : " --ranks");
  if (o->code.no_data) text_append(&out, " --no-data");
  text_printf(&out, " -O%d", o->code.opt_level);
  if (o->is_f64) text_append(&out, " --float=f64");
  append_switches(&o->code.features, &out);
  if (o->pass_pipeline) text_printf(&out, " --pass-pipeline='%s'", o->pass_pipeline);
  return text_keep(&out, a);
}

const char *gnnc_describe_compiler(arena *a, const gnnc_options *o) {
  char *made = arena_printf(a, "%s with %s", gnnc_compiler_name(), gnnc_describe_options(a, o));
  for (char *c = made; *c; c++)
    if ((unsigned char)*c < ' ') *c = ' ';
  return made;
}
