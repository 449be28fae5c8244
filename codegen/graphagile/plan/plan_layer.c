/* Questions about single layers. */
#include "codegen/graphagile/plan/plan_layer.h"

int graphagile_plan_posted_functions(const graphagile_plan_layer *layer) {
  const graphagile_plan_epilogue *last = layer->num_epilogues ? &layer->epilogues[layer->num_epilogues - 1] : NULL;
  const graphagile_plan_function *functions = last ? last->functions : layer->functions;
  int count = last ? last->num_functions : layer->num_functions, posted = count;
  if (count && graphagile_plan_is_stored(functions[count - 1])) posted--;
  if (last) posted += layer->num_functions;
  for (int i = 0; i + 1 < layer->num_epilogues; i++) posted += layer->epilogues[i].num_functions;
  return posted;
}
