/* inter-fuse-softmax: computes a softmax over incoming edges, and the sums that it weights, in one
 * pass over the edges. It follows inter-fuse (Pigeon, Section 3.4.2) and computes the attention of
 * Pigeon's Listing 1.
 *
 *   %m = for_incoming(g, n) {max} ^(e): yield a(e)
 *   %s = for_incoming(g, n) {sum} ^(e): yield exp(a(e) - %m)                    becomes
 *   %y = for_incoming(g, n) {sum} ^(e): yield exp(a(e) - %m) / %s * v(e)        %y = softmax_incoming(g, n) ^(e): yield a(e), v(e)
 *
 * inter-fuse makes these three loops from the library's edge_softmax and the aggregation behind it.
 * Each loop has a copy of the logit a; the pass finds them by comparing expressions. Loops without
 * the maximum (Listing 1 of Pigeon) become the same operation. The division by the sum may also
 * come behind the loop, if self loops guarantee that there are edges. If something else reads %s or
 * the quotient, the three loops have to stay, and one more would gain nothing. Sums of several
 * loops become one softmax_incoming for each of these loops. */
#include "passes/inter/inter_fuse.h"
#include "passes/inter/inter_simplify.h"

#include "passes/gnn/rules/gnn_rewrite.h"
#include "passes/inter/inter_loops.h"
#include "support/edge_mode.h"
#include "support/map.h"
#include "support/vec.h"

#include <string.h>

/* The most pairs of values that one comparison looks at, and values whose uses are followed. What
 * needs more is not fused. */
enum { MAX_COMPARED = 1024, MAX_FOLLOWED = 256 };

/* One sum of normalised weights times a value. */
typedef struct weighted {
  MlirOperation loop;     /* the loop that yields it */
  MlirValue product;      /* the value that it yields */
  MlirOperation replaced; /* the operation whose result it finally is: inter.result, or the division behind it */
} weighted;

/* A softmax: the sum %s of exponentials, and the sums that use it. */
typedef struct softmax {
  pass_context *p;
  MlirOperation loop;      /* the loop that sums the exponentials */
  MlirOperation exponents; /* the gnn.activation {exp} in it */
  MlirValue sum, maximum;  /* %s; %m, or null */
  VEC(weighted) sums;
  unsigned budget;     /* values whose uses may still be followed */
  const char *why_not; /* the reason of the first refusal; NULL: none */
} softmax;

/* Notes why the softmax keeps its loops. Returns false. */
static bool refuse(softmax *s, const char *why) {
  s->why_not = why;
  return false;
}

/* ---- comparing expressions of two loops ---- */

typedef struct comparison {
  MlirOperation a, b; /* the two loops */
  unsigned budget;    /* pairs of values that may still be compared */
} comparison;

/* Whether a value is made in the body of a loop, or is its cursor. */
static bool is_in(MlirValue value, MlirOperation loop) {
  return mlirBlockEqual(inter_value_block(value), ir_region_block(loop));
}

/* Whether two expressions are equal when the cursor of loop a stands for that of loop b. Values
 * from outside of the loops are equal if they are the same. */
static bool same_value(comparison *c, MlirValue a, MlirValue b) {
  if (!c->budget || c->budget-- == 0) return false;
  if (!is_in(a, c->a) || !is_in(b, c->b)) return mlirValueEqual(a, b);
  if (mlirValueIsABlockArgument(a) || mlirValueIsABlockArgument(b))
    return mlirValueEqual(a, inter_cursor_of(c->a)) && mlirValueEqual(b, inter_cursor_of(c->b));
  MlirOperation x = ir_defining_op(a), y = ir_defining_op(b);
  if (mlirOperationEqual(x, y)) return true;
  if (!inter_same_operation(x, y) || mlirOperationGetNumRegions(x)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(x); i++)
    if (!same_value(c, mlirOperationGetOperand(x, i), mlirOperationGetOperand(y, i))) return false;
  return true;
}

static bool same_in(MlirOperation loop_a, MlirValue a, MlirOperation loop_b, MlirValue b) {
  comparison c = {.a = loop_a, .b = loop_b, .budget = MAX_COMPARED};
  return same_value(&c, a, b);
}

/* ---- loops and their results ---- */

/* Whether b is a loop over the incoming edges of the same node in the same graph as loop a. */
static bool same_edges(MlirOperation a, MlirOperation b) {
  return ir_op_kind(b) == IR_OP(inter, for_incoming) &&
         mlirValueEqual(mlirOperationGetOperand(a, 0), mlirOperationGetOperand(b, 0)) &&
         mlirValueEqual(mlirOperationGetOperand(a, 1), mlirOperationGetOperand(b, 1));
}

/* The loop over incoming edges whose reduction `reduce` a value is; null if it is none. *yielded is
 * the value that the loop reduces. */
static MlirOperation reduced_by(MlirValue value, const char *reduce, MlirValue *yielded) {
  MlirOperation result = ir_defining_op(value), none = {NULL};
  if (mlirOperationIsNull(result) || ir_op_kind(result) != IR_OP(inter, result)) return none;
  MlirOperation loop = ir_defining_op(mlirOperationGetOperand(result, 0));
  if (ir_op_kind(loop) != IR_OP(inter, for_incoming)) return none;
  unsigned index = (unsigned)ir_get_integer(result, "index", 0);
  if (strcmp(ir_get_string_at(loop, "reduce", index), reduce) != 0) return none;
  *yielded = inter_yielded(loop, index);
  return loop;
}

/* The exponential in the body of a loop that makes a value; null if none does. */
static MlirOperation exponential_in(MlirValue value, MlirOperation loop) {
  MlirOperation op = ir_defining_op(value), none = {NULL};
  if (mlirOperationIsNull(op) || ir_op_kind(op) != IR_OP(gnn, activation) || !is_in(value, loop)) return none;
  return ir_string_is(op, "function", "exp") ? op : none;
}

/* The logit of an exponential: what %m is subtracted from, or the whole operand where there is no
 * %m. */
static MlirValue logit_of(const softmax *s, MlirOperation exponential) {
  MlirValue x = ir_operand(exponential, IR_IN(gnn, activation, x));
  return mlirValueIsNull(s->maximum) ? x : mlirOperationGetOperand(ir_defining_op(x), 0);
}

/* Finds %m: the maximum of the same logit over the same edges. s->maximum stays null where there is
 * none; the whole operand of the exponential is then the logit. */
static void find_maximum(softmax *s) {
  MlirValue x = ir_operand(s->exponents, IR_IN(gnn, activation, x)), logit;
  MlirOperation difference = ir_defining_op(x);
  if (mlirOperationIsNull(difference) || ir_op_kind(difference) != IR_OP(gnn, subtract) || !is_in(x, s->loop)) return;
  MlirValue maximum = mlirOperationGetOperand(difference, 1);
  MlirOperation loop = reduced_by(maximum, "max", &logit);
  if (mlirOperationIsNull(loop) || !same_edges(s->loop, loop)) return;
  if (same_in(s->loop, mlirOperationGetOperand(difference, 0), loop, logit)) s->maximum = maximum;
}

/* ---- the sums that use %s ---- */

static void add_sum(softmax *s, MlirOperation loop, MlirValue product, MlirOperation replaced) {
  for (size_t i = 0; i < s->sums.count; i++)
    if (mlirOperationEqual(s->sums.items[i].replaced, replaced)) return;
  VEC_PUSH(s->p->arena, &s->sums, (weighted){loop, product, replaced});
}

/* Whether result `index` of a loop is a sum; collects the inter.result operations that take it and
 * have uses. */
static bool add_results(softmax *s, MlirOperation loop, unsigned index) {
  if (strcmp(ir_get_string_at(loop, "reduce", index), "sum") != 0)
    return refuse(s, "the normalised values are reduced by something else than a sum");
  inter_ops results = inter_results_of(s->p, loop);
  for (size_t i = 0; i < results.count; i++)
    if (ir_get_integer(results.items[i], "index", 0) == (int64_t)index &&
        ir_value_has_uses(ir_result(results.items[i])))
      add_sum(s, loop, inter_yielded(loop, index), results.items[i]);
  return true;
}

/* Follows a quotient through products and quotients to the yields of its loop, and collects the
 * sums of what is yielded. False where it has another use. */
static bool follow(softmax *s, MlirValue value, MlirOperation loop) {
  if (!s->budget || s->budget-- == 0) return refuse(s, "the normalised values are used in too many ways");
  IR_FOR_EACH_USE(use, value) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    unsigned position = mlirOpOperandGetOperandNumber(use);
    bool inside = mlirBlockEqual(mlirOperationGetBlock(op), ir_region_block(loop));
    bool is_factor = ir_op_kind(op) == IR_OP(gnn, multiply) || (ir_op_kind(op) == IR_OP(gnn, divide) && position == 0);
    if (inside && mlirOperationEqual(op, ir_block_terminator(ir_region_block(loop)))) {
      if (!add_results(s, loop, position)) return false;
    } else if (!inside || !is_factor) {
      return refuse(s, "the normalised values are used for more than weighing a sum");
    } else if (!follow(s, ir_result(op), loop)) {
      return false;
    }
  }
  return true;
}

/* Whether every node has an edge, as in sets with self loops. Elsewhere an empty sum divided by an
 * empty sum is NaN, while a softmax is 0. */
static bool has_edge_at_every_node(const softmax *s) {
  const char *mode = strrchr(ir_type_of(mlirOperationGetOperand(s->loop, 0)).set, '.');
  return mode && edge_mode_has_loops(edge_mode_read(mode + 1));
}

/* Whether every use of %s is a division: of a term in a loop over the same edges, or of a sum that
 * such a loop yields. Collects these sums. */
static bool find_sums(softmax *s) {
  IR_FOR_EACH_USE(use, s->sum) {
    MlirOperation op = mlirOpOperandGetOwner(use), loop = mlirOperationGetParentOperation(op);
    if (!strcmp(ir_op_name(op), "smt.yield")) return refuse(s, "the sum of the exponentials is kept");
    if (ir_op_kind(op) != IR_OP(gnn, divide) || mlirOpOperandGetOperandNumber(use) != 1)
      return refuse(s, "the sum of the exponentials does more than divide");
    if (same_edges(s->loop, loop)) {
      if (!follow(s, ir_result(op), loop)) return false;
      continue;
    }
    MlirValue product, divided = mlirOperationGetOperand(op, 0);
    loop = reduced_by(divided, "sum", &product);
    bool is_behind = !mlirOperationIsNull(loop) && same_edges(s->loop, loop) && ir_value_has_one_use(divided);
    if (!is_behind)
      return refuse(s, "the sum of the exponentials divides something else than a sum over the same edges");
    if (!has_edge_at_every_node(s))
      return refuse(s, "the division behind the sums gives no number where there are no edges");
    add_sum(s, loop, product, op);
  }
  return s->sums.count > 0;
}

/* ---- terms: exp / %s * v ---- */

/* A walk through the products and quotients of a term, which finds the factors of the softmax. It
 * has two uses: check_term only looks, and rewrite_loop builds v. */
typedef struct term {
  const softmax *s;
  MlirOperation loop;
  MlirOperation exponential;   /* the exponential that equals the softmax's */
  unsigned exponentials, sums; /* how often the exponential is a factor, and %s a divisor */
  unsigned rank;               /* largest rank of the factors of v */
  map known;                   /* from a value to whether it contains the softmax */
  const map *copies;           /* from a value of the loop to the index of its copy; NULL: the walk only looks */
  const MlirValue *copied;     /* the copies */
  ir_builder b;                /* builds v where there are copies */
} term;

/* Whether a value of the loop is the same exponential as that of the softmax. */
static bool is_exponential(const term *t, MlirValue value) {
  MlirOperation op = exponential_in(value, t->loop);
  if (mlirOperationIsNull(op)) return false;
  MlirOperation first = t->s->exponents;
  return same_in(t->s->loop, ir_result(first), t->loop, value);
}

static bool is_product(MlirOperation op) {
  return !mlirOperationIsNull(op) && (ir_op_kind(op) == IR_OP(gnn, multiply) || ir_op_kind(op) == IR_OP(gnn, divide));
}

/* Whether a value contains the softmax. Each value is visited once, because v * v has as many paths
 * as it has factors. */
static bool mentions(term *t, MlirValue value) {
  int64_t known = map_get(&t->known, value.ptr, -1);
  if (known >= 0) return known != 0;
  bool found = mlirValueEqual(value, t->s->sum) || is_exponential(t, value);
  MlirOperation op = ir_defining_op(value);
  if (!found && is_in(value, t->loop) && is_product(op))
    found = mentions(t, mlirOperationGetOperand(op, 0)) || mentions(t, mlirOperationGetOperand(op, 1));
  map_set(&t->known, value.ptr, found);
  return found;
}

/* A factor of v: the value, or its copy. Notes its rank. */
static MlirValue factor(term *t, MlirValue value) {
  unsigned rank = ir_type_of(value).rank;
  if (rank > t->rank) t->rank = rank;
  if (!t->copies) return value;
  int64_t at = map_get(t->copies, value.ptr, -1);
  return at < 0 ? value : t->copied[at];
}

/* The term without the exponential and the sum, which is v; null where nothing is left, or where
 * `*ok` becomes false because it is no such term. A walk that only looks returns some factor for
 * v. */
static MlirValue without_softmax(term *t, MlirValue value, bool *ok) {
  MlirValue nothing = {NULL};
  if (!*ok) return nothing;
  if (is_exponential(t, value)) {
    *ok = ++t->exponentials == 1;
    t->exponential = ir_defining_op(value);
    return nothing;
  }
  if (!mentions(t, value)) return factor(t, value);
  MlirOperation op = ir_defining_op(value);
  if (mlirValueEqual(value, t->s->sum) || !is_product(op)) {
    *ok = false;
    return nothing;
  }
  MlirValue x = mlirOperationGetOperand(op, 0), y = mlirOperationGetOperand(op, 1);
  bool divides = ir_op_kind(op) == IR_OP(gnn, divide), by_sum = divides && mlirValueEqual(y, t->s->sum);
  MlirValue left = without_softmax(t, x, ok), right = nothing;
  if (by_sum)
    t->sums++;
  else
    right = without_softmax(t, y, ok);
  /* 1 / y would need an operation that is not there */
  if (divides && !by_sum && (mlirValueIsNull(left) || mentions(t, y))) *ok = false;
  if (!*ok || mlirValueIsNull(right)) return left;
  if (mlirValueIsNull(left) || !t->copies) return right;
  return gnn_build_binary(&t->b, ir_op_kind(op), left, right);
}

/* Whether a term is exp / %s * v, or exp * v where the division is behind the loop, and v has the
 * rank of the result and at least that of the logit: the dimensions of the logit are the leading
 * ones of v. */
static bool check_term(softmax *s, const weighted *w, term *t) {
  *t = (term){.s = s, .loop = w->loop, .known = {.arena = s->p->arena}};
  bool ok = true, behind = ir_op_kind(w->replaced) == IR_OP(gnn, divide);
  MlirValue v = without_softmax(t, w->product, &ok);
  if (!ok || t->exponentials != 1 || t->sums != (behind ? 0 : 1) || mlirValueIsNull(v))
    return refuse(s, "what the sum divides is no exponential of the same logit times a value");
  if (t->rank != ir_type_of(ir_result(w->replaced)).rank || t->rank < ir_type_of(logit_of(s, t->exponential)).rank)
    return refuse(s, "the logit has more dimensions than what it weighs");
  return true;
}

/* ---- the rewrite ---- */

/* Copies of the values of a loop's body in another block. */
typedef struct body_copy {
  map positions;         /* from a value of the body to the index of its copy */
  VEC(MlirValue) values; /* the copies */
} body_copy;

static void note_copy(pass_context *p, body_copy *c, MlirValue from, MlirValue to) {
  map_set(&c->positions, from.ptr, (int64_t)c->values.count);
  VEC_PUSH(p->arena, &c->values, to);
}

static MlirValue copy_of(const body_copy *c, MlirValue value) {
  int64_t at = map_get(&c->positions, value.ptr, -1);
  return at < 0 ? value : c->values.items[at];
}

/* Copies the operations of a loop, except for its terminator, to the end of a block whose argument
 * is the cursor. */
static body_copy copy_body(pass_context *p, MlirOperation loop, MlirBlock block) {
  body_copy c = {.positions = {.arena = p->arena}};
  note_copy(p, &c, inter_cursor_of(loop), mlirBlockGetArgument(block, 0));
  MlirOperation yield = ir_block_terminator(ir_region_block(loop));
  IR_FOR_EACH_OP_BEFORE(op, ir_region_block(loop), yield) {
    MlirOperation copy = mlirOperationClone(op);
    mlirBlockAppendOwnedOperation(block, copy);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(copy); i++)
      mlirOperationSetOperand(copy, i, copy_of(&c, mlirOperationGetOperand(copy, i)));
    note_copy(p, &c, ir_result(op), ir_result(copy));
  }
  return c;
}

/* Builds one inter.softmax_incoming for the sums of one loop, before it, and lets the users of the
 * sums read its results. The loop stays; inter_erase_dead erases what nothing reads. */
static void rewrite_loop(softmax *s, MlirOperation loop) {
  pass_context *p = s->p;
  MlirType cursor = mlirValueGetType(inter_cursor_of(loop));
  MlirLocation location = mlirOperationGetLocation(loop);
  MlirBlock block;
  MlirRegion region = ir_region_create(p->context, &cursor, 1, location, &block);
  body_copy copies = copy_body(p, loop, block);
  VEC(MlirValue) yields = {0};
  VEC(MlirOperation) replaced = {0};
  VEC_PUSH(p->arena, &yields, (MlirValue){NULL});
  ir_builder inside = ir_builder_at_end(block, location);
  for (size_t i = 0; i < s->sums.count; i++) {
    const weighted *w = &s->sums.items[i];
    if (!mlirOperationEqual(w->loop, loop)) continue;
    term t = {.s = s,
              .loop = loop,
              .known = {.arena = p->arena},
              .copies = &copies.positions,
              .copied = copies.values.items,
              .b = inside};
    bool ok = true;
    VEC_PUSH(p->arena, &yields, without_softmax(&t, w->product, &ok));
    VEC_PUSH(p->arena, &replaced, w->replaced);
    yields.items[0] = copy_of(&copies, logit_of(s, t.exponential));
  }
  ir_build_yield(&inside, yields.items, yields.count);
  ir_builder b = ir_builder_before(loop);
  const MlirValue operands[IR_MAX_OPERANDS] = {mlirOperationGetOperand(loop, 0), mlirOperationGetOperand(loop, 1)};
  MlirOperation made = ir_build(&b, IR_OP(inter, softmax_incoming), operands, NULL, region, (MlirType){NULL});
  inter_erase_dead(p, block); /* erases copies that v does not need, which would count as uses of other sums */
  for (size_t i = 0; i < replaced.count; i++) {
    MlirValue result = ir_build_result(&b, made, (unsigned)i);
    mlirValueReplaceAllUsesOfWith(ir_result(replaced.items[i]), result);
  }
  p->changed++;
}

static bool is_listed(const inter_ops *loops, MlirOperation loop) {
  for (size_t i = 0; i < loops->count; i++)
    if (mlirOperationEqual(loops->items[i], loop)) return true;
  return false;
}

/* Whether there are loops in the body of a loop. */
static bool has_regions(MlirOperation loop) {
  IR_FOR_EACH_OP(op, ir_region_block(loop))
    if (mlirOperationGetNumRegions(op)) return true;
  return false;
}

/* Whether the rewrite is legal; collects the sums. */
static bool check_sums(softmax *s) {
  if (!find_sums(s)) return false;
  term t;
  for (size_t i = 0; i < s->sums.count; i++) {
    if (!check_term(s, &s->sums.items[i], &t)) return false;
    if (has_regions(s->sums.items[i].loop)) return refuse(s, "there is a loop inside");
  }
  return true;
}

/* Remarks what was done, what is not possible, or what the switch that forbids it costs. */
static void say(softmax *s, bool is_legal, bool done, size_t loops) {
  pass_context *p = s->p;
  if (!is_legal) {
    if (s->why_not) pass_remark(p, s->loop, "a softmax over incoming edges keeps its loops: %s", s->why_not);
    return;
  }
  size_t before = (mlirValueIsNull(s->maximum) ? 1 : 2) + loops;
  pass_remark(p, s->loop,
              "a softmax over incoming edges and the %zu sum%s it weighs %s in %zu pass%s instead of %zu; its logit %s "
              "computed %zu time%s for each edge instead of %zu%s",
              s->sums.count, s->sums.count == 1 ? "" : "s", done ? "run" : "would run", loops, loops == 1 ? "" : "es",
              before, done ? "is" : "would be", loops, loops == 1 ? "" : "s", before, done ? "" : ": switched off");
}

static bool is_wanted(const pass_context *p) {
  return strcmp(pass_option_string(p, "when", "always"), "never") != 0;
}

/* Looks at one inter.result in the body of a loop over nodes. Where it is the sum %s of a softmax,
 * fuses that softmax if it may, and remarks what it did. Returns whether it fused. */
static bool fuse_sum(pass_context *p, MlirOperation result) {
  softmax s = {.p = p, .sum = ir_result(result), .budget = MAX_FOLLOWED};
  MlirValue yielded;
  s.loop = reduced_by(s.sum, "sum", &yielded);
  if (mlirOperationIsNull(s.loop) || !ir_value_has_uses(s.sum)) return false;
  s.exponents = exponential_in(yielded, s.loop);
  if (mlirOperationIsNull(s.exponents)) return false;
  find_maximum(&s);
  bool is_legal = check_sums(&s), done = is_legal && is_wanted(p);
  inter_ops loops = {0};
  for (size_t i = 0; is_legal && i < s.sums.count; i++)
    if (!is_listed(&loops, s.sums.items[i].loop)) VEC_PUSH(p->arena, &loops, s.sums.items[i].loop);
  say(&s, is_legal, done, loops.count);
  for (size_t i = 0; done && i < loops.count; i++) rewrite_loop(&s, loops.items[i]);
  return done;
}

/* ---- the pass ---- */

static void fuse_in_body(pass_context *p, MlirBlock body) {
  inter_ops results = {0};
  IR_FOR_EACH_OP(op, body)
    if (ir_op_kind(op) == IR_OP(inter, result)) VEC_PUSH(p->arena, &results, op);
  bool done = false;
  for (size_t i = 0; i < results.count; i++) done = fuse_sum(p, results.items[i]) || done;
  if (done) inter_erase_dead(p, body);
}

static inter_ops node_loops(pass_context *p, MlirBlock body) {
  inter_ops loops = {0};
  IR_FOR_EACH_OP(op, body)
    if (ir_op_kind(op) == IR_OP(inter, for_nodes)) VEC_PUSH(p->arena, &loops, op);
  return loops;
}

/* Computes edge values where they are read, if one loop reads them. A logit that three loops read
 * was too expensive to be computed in each of them; now only one reads it. */
static void take_in_edges(pass_context *p, MlirBlock body) {
  inter_fuse_options options = {.recompute_limit = 1, .exchange = pass_option_bool(p, "exchange", true)};
  bool remarks = p->remarks;
  p->remarks = false; /* inter-fuse has written remarks on these edge values */
  inter_fuse_inline(body, p, &options);
  p->remarks = remarks;
  inter_ops loops = node_loops(p, body);
  for (size_t i = 0; i < loops.count; i++) {
    MlirBlock block = ir_region_block(loops.items[i]);
    inter_fold_ends(p, block);
    inter_hoist(p, block);
    inter_merge_equal(p, block);
    inter_erase_dead(p, block);
  }
}

bool pass_run_inter_fuse_softmax(MlirOperation root, pass_context *p) {
  IR_FOR_EACH_FUNC(func, root) {
    MlirBlock body = ir_func_body(func);
    inter_ops loops = node_loops(p, body);
    uint64_t before = p->changed;
    for (size_t i = 0; i < loops.count; i++) fuse_in_body(p, ir_region_block(loops.items[i]));
    if (p->changed != before) take_in_edges(p, body);
  }
  return true;
}
