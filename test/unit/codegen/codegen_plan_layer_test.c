/* Queries of passes about any layer: the tensors it reads from memory, those among them that it
 * reads itself, its constants. */
#include "codegen/graphagile/plan/plan_layer.h"
#include "unit.h"

#include <string.h>

/* The names of the tensors that a layer reads from memory, in order. */
static const char *operands_of(const graphagile_plan_layer *l) {
  static char said[256];
  graphagile_plan_tensor *operands[GRAPHAGILE_PLAN_MAX_OPERANDS];
  int count = graphagile_plan_operands(l, operands);
  said[0] = 0;
  for (int i = 0; i < count; i++) {
    strcat(said, i ? " " : "");
    strcat(said, operands[i]->name);
  }
  return said;
}

static graphagile_plan_tensor a = {.name = "a"}, b = {.name = "b"}, c = {.name = "c"}, d = {.name = "d"};

TEST(a_layer_reads_its_operands_and_those_of_its_epilogues) {
  const graphagile_plan_layer l = {.kind = GRAPHAGILE_PLAN_gemm,
                                   .epilogues = {{.other = &c}, {.other = NULL}},
                                   .num_epilogues = 2,
                                   .gemm = {.in = &a, .start.addend = &b}};
  CHECK_STR(operands_of(&l), "a b c");
  CHECK(graphagile_plan_reads(&l, &c));
  CHECK(!graphagile_plan_reads(&l, &d));
}

TEST(operands_that_are_not_there_are_left_out) {
  CHECK_STR(operands_of(&(graphagile_plan_layer){.kind = GRAPHAGILE_PLAN_sddmm, .sddmm = {.dst = &b}}), "b");
  CHECK_STR(operands_of(&(graphagile_plan_layer){.kind = GRAPHAGILE_PLAN_vadd, .vadd = {.a = &a}}), "a");
  CHECK_STR(operands_of(&(graphagile_plan_layer){.kind = GRAPHAGILE_PLAN_map, .map = {.in = &d}}), "d");
  CHECK_STR(operands_of(&(graphagile_plan_layer){.kind = GRAPHAGILE_PLAN_values, .values = {.a = &c}}), "c");
}

/* y = spdmm a over pieces { t = sddmm b, c; functions of t }: t stays in the Edge Buffer. */
TEST(what_a_link_makes_for_the_next_is_no_operand) {
  graphagile_plan_tensor t = {.name = "t"}, u = {.name = "u"};
  const graphagile_plan_layer first = {.kind = GRAPHAGILE_PLAN_sddmm, .result = &t, .sddmm = {.src = &b, .dst = &c}};
  const graphagile_plan_layer second = {.kind = GRAPHAGILE_PLAN_values, .result = &u, .values = {.a = &t}};
  const graphagile_plan_layer *const links[] = {&first, &second};
  const graphagile_plan_layer l = {.kind = GRAPHAGILE_PLAN_spdmm, .spdmm = {.in = &a, .links = links, .num_links = 2}};
  graphagile_plan_tensor *own[GRAPHAGILE_PLAN_MAX_OWN_OPERANDS];
  CHECK_STR(operands_of(&l), "a b c");
  CHECK_INT(graphagile_plan_own_operands(&l, own), 1);
}

TEST(a_sum_reads_what_it_begins_with) {
  graphagile_plan_layer before = {.kind = GRAPHAGILE_PLAN_spdmm, .spdmm = {.in = &d}};
  const graphagile_plan_layer l = {.kind = GRAPHAGILE_PLAN_spdmm, .spdmm = {.in = &a, .values = &b, .before = &before}};
  CHECK_STR(operands_of(&l), "a b d");
}

/* A bias that is loaded together with the matrix has no memory of its own. */
TEST(constants_are_those_with_memory_of_their_own) {
  graphagile_plan_layer l = {.kind = GRAPHAGILE_PLAN_gemm,
                             .epilogues = {{.row.bytes = 64}},
                             .num_epilogues = 1,
                             .gemm = {.matrix.bytes = 128, .start.bias.bytes = 64}};
  graphagile_plan_constant *constants[GRAPHAGILE_PLAN_MAX_CONSTANTS];
  CHECK_INT(graphagile_plan_constants(&l, constants), 3);
  CHECK(constants[0] == &l.gemm.matrix);
  CHECK(constants[1] == &l.gemm.start.bias);
  CHECK(constants[2] == &l.epilogues[0].row);
  l.gemm.start.bias.is_merged = true;
  CHECK_INT(graphagile_plan_constants(&l, constants), 2);
  CHECK_INT(graphagile_plan_own_constants(&l, constants), 1);
}
