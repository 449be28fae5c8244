/* inter.fold: a loop over members, or over steps, with a state.
 *
 *   inter.fold(%g, %n, %h0) over = "in"        real h[16];  h = h0
 *     ^(e, h): ... yield %next                 for (int64_t p = g->in_ptr[n]; p < g->in_ptr[n + 1]; p++) {
 *                                                real next[16]; ... computes next from h
 *                                                memcpy(h, next, sizeof next);
 *                                              }
 *
 * The next state is complete before the state changes, because each number of it may depend on all
 * numbers of the state. */
#include "codegen/c/operation/fold.h"

#include "codegen/c/body/nest.h"
#include "codegen/c/body/parameter.h"
#include "codegen/c/body/place.h"
#include "codegen/c/operation/loop.h"
#include "codegen/c/operation/range.h"

/* Declares a place for a state and returns its name. */
static const char *declare_state(c_body *b, ir_type type, const char *wanted) {
  const char *name = c_names_add(&b->names, wanted);
  if (type.rank)
    c_place_declare_array(b, name, ir_type_elements(type), false);
  else
    c_writer_line(b->w, "real %s;", name);
  return name;
}

static void define_state(c_body *b, MlirValue argument, const char *name) {
  c_body_define(b, argument, ir_type_of(argument).rank ? C_FORM_memory : C_FORM_scalar, name);
}

/* The most steps of a fold: single precision counts so far. */
enum { MOST_STEPS = 1 << 24 };

/* Opens the loop over steps and defines the number of the step. */
static void open_steps(c_body *b, MlirOperation op) {
  MlirValue steps = ir_operand(op, IR_IN(inter, fold, steps)), argument = mlirBlockGetArgument(ir_region_block(op), 0);
  c_index index = {.count = 0};
  const char *count = c_nest_element(b, steps, &index), *t = c_names_add(&b->names, "t");
  c_writer_open(b->w, "for (int32_t %s = 0; (real)%s < %s && %s < %d; %s++)", t, t, count, t, MOST_STEPS, t);
  c_body_define(b, argument, C_FORM_scalar, arena_printf(b->model->arena, "(real)%s", t));
}

/* Opens the loop over members; with an order the cursor is at the place that it says. */
static void open_members(c_body *b, MlirOperation op, c_range *range) {
  MlirValue order = ir_operand(op, IR_IN(inter, fold, order));
  range->variable = c_names_add(&b->names, range->variable);
  c_writer_open_loop(b->w, range->variable, range->begin, range->end);
  if (!ir_value_is_null(order)) {
    const char *place = c_names_add(&b->names, "place");
    c_writer_line(b->w, "const int64_t %s = order_get(%s, %s);", place, c_parameter_buffer(b, order)->name,
                  range->variable);
    range->variable = place;
  }
  c_range_define_cursor(b, op, range);
}

void c_fold_emit(c_body *b, MlirOperation op) {
  bool is_steps = ir_string_is(op, "over", "steps");
  MlirBlock block = ir_region_block(op);
  MlirValue init = ir_operand(op, IR_IN(inter, fold, init)), argument = mlirBlockGetArgument(block, 1);
  ir_type type = ir_type_of(init);
  c_range range = {0};
  size_t before = b->names.count;
  if (!is_steps) range = c_range_describe(b, op);
  c_names_leave(&b->names, before); /* the variable is in scope inside the loop only */
  c_target state = {.base = declare_state(b, type, "state")};
  c_nest_store(b, init, state);
  c_mark mark = c_nest_mark(b);
  size_t values = b->values.count;
  if (is_steps)
    open_steps(b, op);
  else
    open_members(b, op, &range);
  define_state(b, argument, state.base);
  c_body_emit_block(b, block);
  c_target next = {.base = declare_state(b, type, "next")};
  if (!b->failed) c_nest_store(b, mlirOperationGetOperand(ir_block_terminator(block), 0), next);
  c_writer_line(b->w, type.rank ? "memcpy(%s, %s, sizeof %s);" : "%s = %s;", state.base, next.base, next.base);
  c_nest_leave(b, mark);
  b->values.count = values;
  c_target *targets = arena_alloc(b->model->arena, sizeof *targets);
  *targets = state;
  c_body_define(b, ir_result(op), C_FORM_loop, NULL)->targets = targets;
}
