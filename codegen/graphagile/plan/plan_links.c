/* What the links of an Aggregate add to its buffers: counted from the links alone. */
#include "codegen/graphagile/plan/plan_links.h"

#include "support/number.h"

int64_t graphagile_plan_source_fibers(const graphagile_plan_layer *layer) {
  int64_t fibers = 0;
  for (int i = 0; i < layer->num_links; i++)
    if (layer->links[i]->kind == GRAPHAGILE_PLAN_SDDMM && layer->links[i]->in) fibers += layer->links[i]->in->fibers;
  return fibers;
}

int graphagile_plan_destinations(const graphagile_plan_layer *layer,
                                 const graphagile_plan_tensor *out[GRAPHAGILE_PLAN_MAX_LINKS]) {
  int count = 0;
  for (int i = 0; i < layer->num_links; i++) {
    const graphagile_plan_layer *link = layer->links[i];
    const graphagile_plan_tensor *t = link->kind == GRAPHAGILE_PLAN_SPDMM   ? link->result
                                      : link->kind == GRAPHAGILE_PLAN_SDDMM ? link->other
                                                                            : NULL;
    int at = 0;
    while (at < count && out[at] != t) at++;
    if (t && at == count) out[count++] = t;
  }
  return count;
}

int64_t graphagile_plan_destination_fibers(const graphagile_plan_layer *layer) {
  const graphagile_plan_tensor *tensors[GRAPHAGILE_PLAN_MAX_LINKS];
  int count = graphagile_plan_destinations(layer, tensors);
  int64_t fibers = layer->is_divided;
  for (int i = 0; i < count; i++) fibers += tensors[i]->fibers;
  return fibers;
}

int64_t graphagile_plan_loaded_fibers(const graphagile_plan_layer *layer) {
  const graphagile_plan_tensor *tensors[GRAPHAGILE_PLAN_MAX_LINKS];
  int count = graphagile_plan_destinations(layer, tensors);
  int64_t fibers = 0;
  for (int i = 0; i < count; i++) fibers += graphagile_plan_makes(layer, tensors[i]) ? 0 : tensors[i]->fibers;
  return fibers;
}

bool graphagile_plan_makes(const graphagile_plan_layer *layer, const graphagile_plan_tensor *rows) {
  for (int i = 0; i < layer->num_links; i++)
    if (layer->links[i]->kind == GRAPHAGILE_PLAN_SPDMM && (!rows || layer->links[i]->result == rows)) return true;
  return false;
}

bool graphagile_plan_is_whole(const graphagile_plan_layer *layer) {
  return graphagile_plan_makes(layer, NULL);
}

bool graphagile_plan_has_one_piece(const graphagile_device *d, const graphagile_plan_layer *layer,
                                   graphagile_partition_shape shape) {
  const program_edge_list *list = layer->edges->list;
  return shape.src_rows >= list->from_rows && list->edges <= number_min(d->edges, shape.max_edges);
}

int64_t graphagile_plan_heads(const graphagile_plan_layer *layer) {
  if (layer->num_links) return layer->links[layer->num_links - 1]->result->width;
  return layer->values ? layer->values->width : 0;
}

bool graphagile_plan_has_sources(const graphagile_plan_layer *layer) {
  return layer->in || graphagile_plan_source_fibers(layer);
}

const graphagile_plan_tensor *graphagile_plan_rows_of(const graphagile_plan_layer *l) {
  return l->in ? l->in : l->other;
}
