/* Counts the rows and values that the links of an Aggregate need in its buffers. */
#include "codegen/graphagile/plan/plan_links.h"

#include "support/number.h"

int64_t graphagile_plan_source_fibers(const graphagile_plan_spdmm *s) {
  int64_t fibers = 0;
  for (int i = 0; i < s->num_links; i++) {
    const graphagile_plan_layer *link = s->links[i];
    if (link->kind == GRAPHAGILE_PLAN_sddmm && link->sddmm.src) fibers += link->sddmm.src->fibers;
  }
  return fibers;
}

static const graphagile_plan_tensor *destination_of(const graphagile_plan_layer *link) {
  if (link->kind == GRAPHAGILE_PLAN_spdmm) return link->result;
  return link->kind == GRAPHAGILE_PLAN_sddmm ? link->sddmm.dst : NULL;
}

int graphagile_plan_destinations(const graphagile_plan_spdmm *s,
                                 const graphagile_plan_tensor *out[GRAPHAGILE_PLAN_MAX_LINKS]) {
  int count = 0;
  for (int i = 0; i < s->num_links; i++) {
    const graphagile_plan_tensor *t = destination_of(s->links[i]);
    int at = 0;
    while (at < count && out[at] != t) at++;
    if (t && at == count) out[count++] = t;
  }
  return count;
}

int64_t graphagile_plan_destination_fibers(const graphagile_plan_spdmm *s) {
  const graphagile_plan_tensor *tensors[GRAPHAGILE_PLAN_MAX_LINKS];
  int count = graphagile_plan_destinations(s, tensors);
  int64_t fibers = s->is_divided;
  for (int i = 0; i < count; i++) fibers += tensors[i]->fibers;
  return fibers;
}

int64_t graphagile_plan_loaded_fibers(const graphagile_plan_spdmm *s) {
  const graphagile_plan_tensor *tensors[GRAPHAGILE_PLAN_MAX_LINKS];
  int count = graphagile_plan_destinations(s, tensors);
  int64_t fibers = 0;
  for (int i = 0; i < count; i++) fibers += graphagile_plan_makes(s, tensors[i]) ? 0 : tensors[i]->fibers;
  return fibers;
}

bool graphagile_plan_makes(const graphagile_plan_spdmm *s, const graphagile_plan_tensor *rows) {
  for (int i = 0; i < s->num_links; i++)
    if (s->links[i]->kind == GRAPHAGILE_PLAN_spdmm && (!rows || s->links[i]->result == rows)) return true;
  return false;
}

bool graphagile_plan_is_whole(const graphagile_plan_spdmm *s) {
  return graphagile_plan_makes(s, NULL);
}

bool graphagile_plan_has_one_piece(const graphagile_device *d, const graphagile_plan_spdmm *s,
                                   graphagile_partition_shape shape) {
  const program_edge_list *list = s->edges->list;
  return shape.src_rows >= list->from_rows && list->edges <= number_min(d->edges, shape.max_edges);
}

int64_t graphagile_plan_heads(const graphagile_plan_spdmm *s) {
  if (s->num_links) return s->links[s->num_links - 1]->result->width;
  return s->values ? s->values->width : 0;
}

bool graphagile_plan_has_sources(const graphagile_plan_spdmm *s) {
  return s->in || graphagile_plan_source_fibers(s);
}

const graphagile_plan_tensor *graphagile_plan_rows_of(const graphagile_plan_sddmm *s) {
  return s->src ? s->src : s->dst;
}

bool graphagile_plan_is_added(const graphagile_plan_sddmm *s) {
  return s->combine == GRAPHAGILE_COMBINE_replace || s->combine == GRAPHAGILE_COMBINE_add ||
         s->combine == GRAPHAGILE_COMBINE_sub;
}
