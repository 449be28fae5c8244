/* How the rows of a kernel are cut into parts for threads. Each part has about the same work,
 * counted in rows and the edges at them.
 *
 *   a loop over the edges into each node, 128 features    parts of 682 nodes and edges, cut where in_ptr says
 *   a product of [500] rows with [500, 16]                parts of 64 rows
 *
 * The parts depend on the graph alone, so results are the same for any number of threads. A kernel
 * with one part is executed by one thread. */
#include "codegen/c/kernel/partition.h"

enum {
  PART_WORK = 1 << 17,     /* element operations of one part: some microseconds */
  PART_PRODUCTS = 1 << 20, /* the same for the multiplications of a GEMM, which are faster */
  UNIT_WORK = 64,          /* cost of a row or an edge besides its elements */
  ROW_PRODUCTS = 512,      /* the same for a row of a GEMM */
  FEWEST_ROWS = 64,        /* of a part of a GEMM: B is read once for each part */
  LEAST_WORK = 1 << 20,    /* with less work than this threads are not woken, which takes some ten microseconds */
  LEAST_PRODUCTS = 1 << 21
};

/* Whether the rows of an inner loop are cut by row pointers. */
static bool is_loop(MlirOperation loop) {
  ir_op op = ir_op_kind(loop);
  if (op == IR_OP(inter, fold)) return ir_string_is(loop, "over", "in") || ir_string_is(loop, "over", "out");
  return op == IR_OP(inter, for_incoming) || op == IR_OP(inter, for_outgoing) || op == IR_OP(inter, softmax_incoming) ||
         op == IR_OP(intra, nonzeros);
}

static int64_t larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}

/* The element operations of one row, or of one entry of an inner loop if these are more. */
static int64_t count_work(MlirBlock block) {
  int64_t work = 0, inner = 0;
  IR_FOR_EACH_OP(op, block) {
    MlirBlock body = ir_region_block(op);
    if (!mlirBlockIsNull(body)) inner = larger(inner, count_work(body));
    if (!mlirBlockIsNull(body) || !mlirOperationGetNumResults(op)) continue;
    int64_t elements = ir_type_elements(ir_type_of(ir_result(op)));
    if (ir_op_kind(op) == IR_OP(gnn, linear)) {
      ir_type x = ir_type_of(ir_operand(op, IR_IN(gnn, linear, x)));
      elements *= x.rank ? x.dims[x.rank - 1] : 1;
    }
    work += elements;
  }
  return larger(work, inner);
}

/* Finds the inner loop over entries at the kernel's rows by which its parts are balanced. */
static void find_entries(const c_kernel *kernel, MlirBlock block, c_partition *p) {
  if (kernel->rows != C_ROWS_node && kernel->rows != C_ROWS_piece) return;
  IR_FOR_EACH_OP(op, block) {
    ir_op kind = ir_op_kind(op);
    bool is_piece = kernel->rows == C_ROWS_piece && kind == IR_OP(inter, for_members);
    if (!is_loop(op) && !is_piece) continue;
    p->entries = ir_operand(op, 0);
    p->pointer = is_piece                             ? "piece_ptr"
                 : kind == IR_OP(intra, nonzeros)     ? "indptr"
                 : kind == IR_OP(inter, for_outgoing) ? "out_ptr"
                 : ir_string_is(op, "over", "out")    ? "out_ptr"
                                                      : "in_ptr";
    return;
  }
}

static c_partition partition_loop(const c_kernel *kernel, MlirBlock block) {
  int64_t work = UNIT_WORK + (mlirBlockIsNull(block) ? 0 : count_work(block));
  c_partition p = {.units = larger(PART_WORK / work, 1), .least = LEAST_WORK / work};
  if (!mlirBlockIsNull(block)) find_entries(kernel, block, &p);
  return p;
}

/* Where the epilogue has loops over edges, a part has as many rows and edges as one of these loops alone. */
static c_partition partition_gemm(const c_kernel *kernel) {
  MlirBlock epilogue = ir_region_block(kernel->op);
  ir_type product = ir_type_of(mlirBlockGetArgument(epilogue, 1));
  ir_type a = ir_type_of(ir_operand(kernel->op, IR_IN(intra, gemm, a)));
  int64_t products = ir_type_elements(product) * a.dims[a.rank - 1];
  products += ROW_PRODUCTS;
  c_partition p = {.units = larger(PART_PRODUCTS / products, FEWEST_ROWS), .least = LEAST_PRODUCTS / products};
  c_partition loop = partition_loop(kernel, epilogue);
  if (mlirValueIsNull(loop.entries)) return p;
  loop.units = larger(p.units, loop.units);
  return loop;
}

/* A kernel over groups looks at all their members; a quantile once for each bit of a number. */
static bool find_groups(const c_kernel *kernel, c_partition *p) {
  ir_op kind = ir_op_kind(kernel->op);
  bool is_quantile = kind == IR_OP(intra, quantile);
  if (!is_quantile && kind != IR_OP(intra, order) && kind != IR_OP(intra, first) && kind != IR_OP(intra, place_first))
    return false;
  enum { ROUNDS = 32 };
  int64_t elements = ir_type_elements(ir_type_of(mlirOperationGetOperand(kernel->op, 2)));
  int64_t work = UNIT_WORK + elements * (is_quantile ? ROUNDS : 1);
  *p = (c_partition){.units = larger(PART_WORK / work, 1), .least = LEAST_WORK / work};
  if (kernel->rows != C_ROWS_node) return true;
  p->entries = mlirOperationGetOperand(kernel->op, 0);
  p->pointer = ir_string_is(kernel->op, "over", "in") ? "in_ptr" : "out_ptr";
  return true;
}

c_partition c_partition_find(const c_kernel *kernel) {
  c_partition groups;
  if (find_groups(kernel, &groups)) return groups;
  if (ir_op_kind(kernel->op) == IR_OP(intra, gemm)) return partition_gemm(kernel);
  return partition_loop(kernel, ir_region_block(kernel->op));
}
