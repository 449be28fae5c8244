/* Chooses the target of a command line and checks that its options are compatible. An image is made
 * for one graph and one device, C for any graph.
 *
 *   gnnc gcn.gnn -o gcn.bin    =>    --target=toy needs the graph that the program is made for: --graph=FILE */
#include "tools/gnnc/gnnc_options_target.h"

#include <string.h>
#include <unistd.h>

bool gnnc_options_make_program(const gnnc_options *o) {
  return o->emit == GNNC_EMIT_device || o->emit == GNNC_EMIT_asm || o->emit == GNNC_EMIT_obj;
}

/* Whether only the C target has this level. */
static bool is_emit_of_c(gnnc_emit emit) {
  return emit == GNNC_EMIT_inter || emit == GNNC_EMIT_intra || emit == GNNC_EMIT_c || emit == GNNC_EMIT_counts ||
         emit == GNNC_EMIT_counts_json;
}

/* Returns a message with the presets of all targets; `name` is no preset of the chosen target. */
static const char *explain_preset(const char *name, arena *a) {
  text known = {0}, targets = {0};
  for (const backend *const *b = backend_table; *b; b++) {
    if (backend_find_preset(*b, name)) text_printf(&targets, "%s%s", targets.size ? ", " : "", (*b)->name);
    for (size_t i = 0; i < (*b)->num_presets; i++)
      text_printf(&known, "%s%s", known.size ? ", " : "", (*b)->presets[i].name);
  }
  const char *wrong = targets.size
                          ? arena_printf(a, "--preset=%s: only applies to --target=%s", name, text_str(&targets))
                          : arena_printf(a, "--preset=%s: expected %s", name, text_str(&known));
  text_free(&known);
  text_free(&targets);
  return wrong;
}

const char *gnnc_options_choose_target(gnnc_options *o, arena *a) {
  bool is_training = o->code.is_training && !gnnc_options_is_for_all(o);
  bool is_c = o->tune || is_training || is_emit_of_c(o->emit) || o->emit == GNNC_EMIT_gnn;
  if (o->target && !gnnc_options_is_for_all(o))
    o->code.target = backend_find(o->target);
  else
    o->code.target = is_c ? backend_find("c") : backend_default();
  if (!o->code.target) return arena_printf(a, "--target=%s: expected %s, or all", o->target, backend_names(a));
  if (o->emit == GNNC_EMIT_target && o->code.target->machine) o->emit = GNNC_EMIT_obj;
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  o->code.threads = o->threads ? o->threads : processors > 0 ? (int)processors : 1;
  o->code.preset = o->preset ? backend_find_preset(o->code.target, o->preset) : NULL;
  return o->preset && !o->code.preset ? explain_preset(o->preset, a) : NULL;
}

bool gnnc_options_is_for_all(const gnnc_options *o) {
  return o->target && !strcmp(o->target, "all");
}

/* Returns the first switch on the command line that has no effect on the target; FEATURE_count for
 * none. */
static feature foreign_switch(const gnnc_options *o) {
  for (int i = 0; i < FEATURE_count; i++) {
    bool is_known = feature_has_target((feature)i, o->code.target->name);
    for (const backend *const *b = backend_table; *b && gnnc_options_is_for_all(o); b++)
      if ((*b)->machine && feature_has_target((feature)i, (*b)->name)) is_known = true;
    if (o->code.features.given[i] != FEATURE_WHEN_default && !is_known) return (feature)i;
  }
  return FEATURE_count;
}

static const char *only_machines(const char *option, arena *a) {
  return arena_printf(a, "%s: only applies to --target=%s", option, backend_machine_names(a));
}

static const char *only_c(const char *option, arena *a) {
  return arena_printf(a, "%s: only applies to --target=c", option);
}

/* The option by which a program computes gradients. */
static const char *training_option(const gnnc_options *o) {
  return o->code.backward ? "--emit-grad" : "--train";
}

static const char *check_c(const gnnc_options *o, arena *a) {
  bool is_code = o->emit == GNNC_EMIT_target || o->emit == GNNC_EMIT_c;
  if (o->has_train && o->code.backward) return "--train and --emit-grad exclude each other";
  if (o->code.is_training && (o->tune || o->tuning))
    return arena_printf(a, "%s and --tune exclude each other", training_option(o));
  bool is_bf16 = o->code.features.given[FEATURE_bf16_rows] == FEATURE_WHEN_always;
  if (is_bf16 && o->code.is_training)
    return arena_printf(a, "-fbf16-rows: not with %s, whose gradients need rows of f32", training_option(o));
  if (is_bf16 && o->is_f64) return "-fbf16-rows: not with --float=f64, the reference that rounds nothing";
  if (o->code.has_columns && o->code.is_training)
    return arena_printf(a, "--ranks=columns: not with %s, whose ranks have rows: --ranks", training_option(o));
  if (o->code.has_ranks && o->code.backward)
    return "--ranks: not with --emit-grad, which has no optimizer to run on all ranks";
  const char *given = o->device.files.count          ? "--device"
                      : o->device.edits.count        ? "--device-set and --memory"
                      : o->code.host                 ? "--host"
                      : o->code.no_data && is_code   ? "--no-data"
                      : o->has_stats                 ? "--stats"
                      : o->repeat                    ? "--repeat"
                      : o->emit == GNNC_EMIT_device  ? "--emit=device"
                      : gnnc_options_make_program(o) ? "--emit=asm and --emit=obj"
                                                     : NULL;
  return given ? only_machines(given, a) : NULL;
}

/* Checks the input files of a program of a machine. Returns the error, or NULL. */
static const char *check_inputs(const gnnc_options *o, arena *a) {
  const char *target = o->target ? o->target : o->code.target->name;
  if (o->emit == GNNC_EMIT_device && o->code.host && !o->graph)
    return "--host with --emit=device needs the graph that the choice is made for: --graph=FILE";
  if (!gnnc_options_make_program(o) || o->emit == GNNC_EMIT_device) return NULL;
  if (!o->graph)
    return arena_printf(a, "--target=%s needs the graph that the program is made for: --graph=FILE", target);
  if (o->emit == GNNC_EMIT_obj && !o->output && !o->has_stats && !o->repeat)
    return arena_printf(a, "--target=%s needs -o FILE", target);
  return NULL;
}

static const char *check_machine(const gnnc_options *o, arena *a) {
  if (is_emit_of_c(o->emit)) return only_c("--emit=inter, intra, c and counts", a);
  if (o->emit == GNNC_EMIT_obj && !o->target && o->output && text_ends_with(o->output, ".c"))
    return "-o FILE.c: a name that ends in .c needs --target=c";
  if (o->is_f64) return only_c("--float=f64", a);
  if (o->code.is_training) return only_c(training_option(o), a);
  if (o->code.has_ranks) return only_c("--ranks", a);
  if (o->tune || o->tuning) return only_c(o->tune ? "--tune" : "--tuning", a);
  return check_inputs(o, a);
}

/* Checks --target=all, which makes a program of each machine, for its default device or that of its
 * --device. Returns the error, or NULL. */
static const char *check_all(const gnnc_options *o, arena *a) {
  if (o->emit != GNNC_EMIT_obj) return "--target=all writes programs: no --emit";
  if (o->device.edits.count) return "--device-set and --memory change one machine: not with --target=all";
  if (o->preset) return "--preset is of one machine: not with --target=all";
  if (!o->output) return "--target=all needs -o STEM: it writes STEM.MACHINE.bin for each machine";
  if (!strcmp(o->output, "-")) return "-o -: --target=all writes several files, STEM.MACHINE.bin for each machine";
  if (o->code.is_training) return only_c(training_option(o), a);
  if (o->code.has_ranks) return only_c("--ranks", a);
  if (o->repeat) return "--repeat times one machine: not with --target=all";
  return NULL;
}

static const char *check_switches(const gnnc_options *o, arena *a) {
  feature foreign = foreign_switch(o);
  if (foreign == FEATURE_count) return NULL;
  return arena_printf(a, "-f%s: only applies to --target=%s", feature_get(foreign)->name,
                      backend_names_of_feature(a, foreign));
}

/* Whether a target has a precision; "auto" is one of any that have several. */
static bool has_precision(const backend *b, const char *name) {
  for (const char *const *p = b->precisions; p && *p; p++)
    if (!strcmp(*p, name)) return true;
  return b->precisions && !strcmp(name, "auto");
}

static const char *check_precision(const gnnc_options *o, arena *a) {
  const backend *b = o->code.target;
  const char *given = o->precision ? "--precision" : "--precision-of";
  text known = {0};
  if (!o->precision && !o->precision_of) return NULL;
  if (o->precision && o->precision_of) return "--precision and --precision-of exclude each other";
  if (!b->precisions || gnnc_options_is_for_all(o))
    return arena_printf(a, "%s: only applies to --target=%s", given, backend_names_with_precisions(a));
  if (o->code.no_data) return arena_printf(a, "%s: not with --no-data, as numbers decide about it", given);
  if (!o->precision || has_precision(b, o->precision)) return NULL;
  for (const char *const *p = b->precisions; *p; p++) text_printf(&known, "%s, ", *p);
  const char *wrong = arena_printf(a, "--precision=%s: expected %sor auto", o->precision, text_str(&known));
  text_free(&known);
  return wrong;
}

const char *gnnc_options_check_target(const gnnc_options *o, arena *a) {
  if (check_precision(o, a)) return check_precision(o, a);
  if (o->device.files.count > 1 && !gnnc_options_is_for_all(o))
    return arena_printf(a, "--device=%s: there is one already, '%s'; only --target=all takes one for each machine",
                        o->device.files.items[1], o->device.files.items[0]);
  const char *wrong = gnnc_options_is_for_all(o) ? check_all(o, a) : NULL;
  if (!wrong) wrong = o->code.target->machine ? check_machine(o, a) : check_c(o, a);
  return wrong ? wrong : check_switches(o, a);
}

const char *gnnc_options_check_pipeline(const gnnc_options *o, arena *a) {
  if (gnnc_options_is_for_all(o)) return "--print-pipeline shows the passes of one target: not with --target=all";
  return check_switches(o, a);
}

static void take_preset(gnnc_options *o) {
  const backend_preset *p = o->code.preset;
  for (size_t i = 0; p && i < p->num_off; i++)
    if (o->code.features.given[p->off[i]] == FEATURE_WHEN_default)
      o->code.features.given[p->off[i]] = FEATURE_WHEN_never;
}

/* Takes the target from the machine that the file of a device names, where --target is absent, and
 * checks the options again. */
static status take_machine(gnnc_options *o) {
  const backend *said = backend_find(o->code.device.machine->name);
  if (said == o->code.target) return STATUS_OK;
  arena *a = arena_create();
  o->code.target = said;
  o->code.preset = o->preset ? backend_find_preset(said, o->preset) : NULL;
  const char *wrong = o->preset && !o->code.preset ? explain_preset(o->preset, a) : gnnc_options_check_target(o, a);
  status s = wrong ? status_error(STATUS_CODE_mismatch, "%s: %s", o->device.files.items[0], wrong) : STATUS_OK;
  arena_destroy(a);
  return s;
}

/* Reads the device of the target. --target=all: of several files, each for another machine, the one
 * that names the target's. */
static status read_device(gnnc_options *o) {
  const gnnc_device_options *v = &o->device;
  const machine *of = o->code.target->machine;
  const char *taken = NULL;
  if (!gnnc_options_is_for_all(o))
    return v->files.count ? device_read(v->files.items[0], o->target ? of : NULL, &o->code.device) : STATUS_OK;
  for (size_t i = 0; i < v->files.count; i++) {
    device found;
    RETURN_IF_ERROR(device_read(v->files.items[i], NULL, &found));
    if (found.machine != of) continue;
    if (taken)
      return status_error(STATUS_CODE_mismatch, "--device: '%s' and '%s' are both of machine '%s'", taken,
                          v->files.items[i], of->name);
    taken = v->files.items[i];
    o->code.device = found;
  }
  return STATUS_OK;
}

status gnnc_options_make_device(gnnc_options *o) {
  const gnnc_device_options *v = &o->device;
  if (!o->code.target->machine) {
    take_preset(o);
    return STATUS_OK;
  }
  device_default(&o->code.device, o->code.target->machine);
  RETURN_IF_ERROR(read_device(o));
  RETURN_IF_ERROR(take_machine(o));
  take_preset(o);
  if (o->code.preset && o->code.preset->device_edit)
    RETURN_IF_ERROR(device_edit(&o->code.device, o->code.preset->device_edit));
  for (size_t i = 0; i < v->edits.count; i++) RETURN_IF_ERROR(device_edit(&o->code.device, v->edits.items[i]));
  return o->code.target->check ? o->code.target->check(&o->code) : STATUS_OK;
}
