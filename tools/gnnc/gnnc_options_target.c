/* A program for the overlay is made for one graph and one device, so its options are checked together.
 *
 *   gnnc gcn.gnn -o gcn.bin    =>    the target graphagile compiles a model for a graph: --graph=FILE */
#include "tools/gnnc/gnnc_options_target.h"

#include "isa/machine.h"
#include "support/text.h"

bool gnnc_options_make_program(const gnnc_options *o) {
  return o->emit == GNNC_EMIT_device || o->emit == GNNC_EMIT_asm || o->emit == GNNC_EMIT_obj;
}

/* The first switch that was given and means nothing to this target, or NULL. */
static const char *foreign_switch(const gnnc_options *o) {
  bool is_image = gnnc_options_make_program(o);
  for (int i = 0; i < GNNC_FEATURE_count; i++) {
    gnnc_feature f = (gnnc_feature)i;
    if (o->features.given[i] == GNNC_WHEN_default) continue;
    if (is_image ? gnnc_feature_is_of_c(f) : gnnc_feature_is_of_image(f)) return gnnc_feature_get(f)->name;
  }
  return NULL;
}

static const char *check_other_target(const gnnc_options *o, arena *a) {
  const gnnc_image_options *v = &o->image;
  bool is_c = o->emit == GNNC_EMIT_target || o->emit == GNNC_EMIT_c;
  const char *given = v->file                      ? "--device"
                      : v->edits.count             ? "--device-set and --memory"
                      : v->is_paper                ? "--preset"
                      : v->is_without_data && is_c ? "--no-data"
                      : o->has_stats               ? "--stats"
                      : o->repeat                  ? "--repeat"
                                                   : NULL;
  if (given) return arena_printf(a, "%s: of the target graphagile, which is not compiled for here", given);
  const char *name = foreign_switch(o);
  return name ? arena_printf(a, "-f%s: a switch of the target graphagile, which is not compiled for here", name) : NULL;
}

static const char *check_program(const gnnc_options *o, bool has_target) {
  bool is_image = o->emit == GNNC_EMIT_obj;
  if (has_target && o->target == GNNC_TARGET_c)
    return "--emit=device, asm and obj are of the target graphagile, not of c";
  if (is_image && !has_target && o->output && text_ends_with(o->output, ".c"))
    return "a name that ends in .c is of the C target: --target=c";
  if (!o->graph && o->emit != GNNC_EMIT_device)
    return "the target graphagile compiles a model for a graph: --graph=FILE";
  if (!o->weights && !o->image.is_without_data && o->emit != GNNC_EMIT_device)
    return "the target graphagile puts weights into the program: --weights=FILE, or --no-data to leave them out";
  if (is_image && !o->output && !o->has_stats && !o->repeat) return "the target graphagile needs -o FILE";
  if (o->is_f64) return "--float=f64: the overlay computes in f32; use --target=c";
  if (o->tuning) return "--tuning holds what was measured of the C target; use --target=c";
  return NULL;
}

const char *gnnc_options_check_target(const gnnc_options *o, bool has_target, arena *a) {
  if (!gnnc_options_make_program(o)) return check_other_target(o, a);
  const char *wrong = check_program(o, has_target), *name = foreign_switch(o);
  if (wrong || !name) return wrong;
  return arena_printf(a, "-f%s: a switch of the C target; use --target=c", name);
}

void gnnc_options_take_paper(gnnc_options *o) {
  static const gnnc_feature off[] = {GNNC_FEATURE_order, GNNC_FEATURE_sparse_features};
  for (size_t i = 0; i < sizeof off / sizeof *off; i++)
    if (o->features.given[off[i]] == GNNC_WHEN_default) o->features.given[off[i]] = GNNC_WHEN_never;
}

status gnnc_options_make_device(gnnc_options *o) {
  gnnc_image_options *v = &o->image;
  device_default(&v->device, machine_default());
  if (v->file) RETURN_IF_ERROR(device_read(v->file, NULL, &v->device));
  if (v->is_paper) RETURN_IF_ERROR(device_set(&v->device, "memory", "paper"));
  for (size_t i = 0; i < v->edits.count; i++) RETURN_IF_ERROR(device_edit(&v->device, v->edits.items[i]));
  bool wants_broadcast = o->features.given[GNNC_FEATURE_broadcast] == GNNC_WHEN_always;
  bool wants_packed = o->features.given[GNNC_FEATURE_packed_edges] == GNNC_WHEN_always;
  if (wants_broadcast && !v->device.graphagile.has_broadcast)
    return status_error(STATUS_CODE_mismatch,
                        "-fbroadcast: device '%s' has no broadcast; --device-set=has_broadcast=true says it has",
                        v->device.common.name);
  if (wants_packed && !v->device.graphagile.has_packed_edges)
    return status_error(
        STATUS_CODE_mismatch,
        "-fpacked-edges: device '%s' has no packed edges; --device-set=has_packed_edges=true says it has",
        v->device.common.name);
  return STATUS_OK;
}
