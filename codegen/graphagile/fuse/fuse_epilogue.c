/* Fuses element-wise layers with the layer that makes their operand, as epilogues: they are
 * computed on the sums in the Feature Buffer, and the sums cross DDR once (Activation Fusion,
 * GraphAGILE, Section VI-D; here also for Vector-Add layers).
 *
 *   y = spdmm ...; z = vadd y, h {add}      ->      z = spdmm ..., then + h
 *
 * The other operand must be in memory before the layer begins, and no other layer may read the
 * sums. */
#include "codegen/graphagile/fuse/fuse_epilogue.h"

/* The layer that makes a tensor which only the layer that is being read needs; NULL where there is
 * none. */
static graphagile_plan_layer *maker_of(graphagile_plan *p, const graphagile_plan_tensor *t, MlirValue value) {
  if (!t || t->first < 0 || t->place != GRAPHAGILE_PLAN_HIDDEN || t->whole || t->is_output || t->edges) return NULL;
  if (ir_value_is_null(value) || !ir_value_has_one_use(value)) return NULL;
  graphagile_plan_layer *made = &p->layers.items[t->first];
  bool has_sums = made->kind == GRAPHAGILE_PLAN_gemm || made->kind == GRAPHAGILE_PLAN_spdmm;
  return has_sums && made->result == t ? made : NULL;
}

/* The index of the last layer that writes rows of a tensor, -1 for inputs and constants. The parts
 * of a concatenation are written by several layers. */
static int maker_index(const graphagile_plan *p, const graphagile_plan_tensor *t) {
  const graphagile_plan_tensor *root = graphagile_plan_root(t);
  int last = t->first;
  if (last >= 0) return last;
  for (size_t i = 0; i < p->tensors.count; i++) {
    const graphagile_plan_tensor *part = p->tensors.items[i];
    if (graphagile_plan_root(part) == root && part->first > last) last = part->first;
  }
  return last;
}

static bool is_there(const graphagile_plan_layer *made, const graphagile_plan_tensor *t, const graphagile_plan *p) {
  return !t || maker_index(p, t) < (int)(made - p->layers.items);
}

static bool is_symmetric(int operation) {
  return operation == GRAPHAGILE_VECTOR_add || operation == GRAPHAGILE_VECTOR_mul ||
         operation == GRAPHAGILE_VECTOR_max || operation == GRAPHAGILE_VECTOR_min;
}

/* Gives layer `made` the work that the layer being read does on the sums. */
static void take(graphagile_plan *p, graphagile_plan_layer *made, const graphagile_plan_layer *layer,
                 graphagile_plan_tensor *sums, const graphagile_plan_epilogue *epilogue) {
  int index = (int)(made - p->layers.items);
  made->epilogues[made->num_epilogues++] = *epilogue;
  made->result = layer->result;
  made->result->first = made->result->last = index;
  if (epilogue->other && epilogue->other->last < index) epilogue->other->last = index;
  sums->is_gone = true;
}

static bool fuse_vadd(graphagile_plan *p, const graphagile_plan_layer *layer) {
  MlirValue a = ir_operand(layer->op, IR_IN(device, vadd, a)), b = ir_operand(layer->op, IR_IN(device, vadd, b));
  const graphagile_plan_vadd *v = &layer->vadd;
  if (v->function == GRAPHAGILE_VECTOR_select || v->a == v->b || v->segments.count) return false;
  graphagile_plan_epilogue epilogue = {.operation = v->function,
                                       .other = v->b,
                                       .row = v->row,
                                       .is_bcast = v->is_bcast,
                                       .scale = v->scale,
                                       .functions = layer->functions,
                                       .num_functions = layer->num_functions};
  graphagile_plan_layer *made = maker_of(p, v->a, a);
  if (made && made->num_epilogues < GRAPHAGILE_PLAN_MAX_EPILOGUES && is_there(made, epilogue.other, p)) {
    take(p, made, layer, v->a, &epilogue);
    return true;
  }
  made = maker_of(p, v->b, b);
  epilogue.other = v->a;
  epilogue.is_swapped = true;
  bool fits = made && made->num_epilogues < GRAPHAGILE_PLAN_MAX_EPILOGUES && !v->is_bcast && v->scale == 0;
  if (!fits || !is_there(made, epilogue.other, p)) return false;
  epilogue.is_swapped = !is_symmetric(v->function);
  take(p, made, layer, v->b, &epilogue);
  return true;
}

/* Appends functions of rows to those that the layer has already. */
static bool fuse_map(graphagile_plan *p, const graphagile_plan_layer *layer) {
  graphagile_plan_layer *made = maker_of(p, layer->map.in, ir_operand(layer->op, IR_IN(device, map, x)));
  if (!made) return false;
  graphagile_plan_epilogue *last = made->num_epilogues ? &made->epilogues[made->num_epilogues - 1] : NULL;
  graphagile_plan_function **functions = last ? &last->functions : &made->functions;
  int *count = last ? &last->num_functions : &made->num_functions;
  graphagile_plan_function *joined =
      arena_alloc_array(p->arena, (size_t)(*count + layer->num_functions), sizeof *joined);
  for (int i = 0; i < *count; i++) joined[i] = (*functions)[i];
  for (int i = 0; i < layer->num_functions; i++) joined[(*count)++] = layer->functions[i];
  *functions = joined;
  made->result = layer->result;
  made->result->first = made->result->last = (int)(made - p->layers.items);
  layer->map.in->is_gone = true;
  return true;
}

bool graphagile_fuse_epilogue(graphagile_plan *p, const graphagile_plan_layer *layer) {
  if (!p->options->fuse) return false;
  if (layer->kind == GRAPHAGILE_PLAN_vadd) return fuse_vadd(p, layer);
  return layer->kind == GRAPHAGILE_PLAN_map && fuse_map(p, layer);
}
