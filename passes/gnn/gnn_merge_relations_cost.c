/* What relations cost as a product each, and as one product with a weight per edge type, for gnn-merge-relations.
 *
 *   cost=products    FLOPs of the products. One product has a row per pair of edge type and node, those with edges alone,
 *                    so that it only costs more where x is sparse, which values at edges are not.
 *   cost=rows        also bytes: each product and each sum reads its rows from memory and writes them. One product has the
 *                    additional rows of the pairs, which matter where almost all pairs occur.
 *   cost=tiles       FLOPs of an array of multipliers: each row of a product, and of a sum, takes it for a cycle per tile
 *                    of weights; a product that follows the sums of one relation may take the edges instead.
 *
 * Which of x and the sums is multiplied is what gnn-order chooses for each relation, and gnn-aggregate-first for one
 * product. */
#include "passes/gnn/gnn_merge_relations.h"

#include "passes/cost/gnn_cost.h"

#include <string.h>

static const double WORD = 4; /* bytes of a number */
/* An operation takes a machine as long as so many numbers, before its rows come and after they are gone. */
static const double START = 4096;

typedef struct relation_shape {
  double in, out;                   /* numbers of a row of x, and of the product */
  double types, nodes, edges;       /* of the graph */
  double src_pairs, dst_pairs;      /* rows of one product, by the end that it is made at */
  bool is_product_first, has_one_x; /* of relations with a product each */
} relation_shape;

static double fewer(double a, double b) {
  return a < 0 || (b >= 0 && b < a) ? b : a;
}

static double tiles_of(double numbers, double tile) {
  return (double)(int64_t)((numbers + tile - 1) / tile);
}

static double words_apart(const relation_shape *s) {
  double rows = s->types * s->nodes, read = s->has_one_x ? s->nodes : rows;
  if (s->is_product_first) return read * s->in + 4 * rows * s->out + (1 + s->types) * START;
  return rows * (3 * s->in + 2 * s->out) + 2 * s->types * START;
}

/* A gather or sum, the product, and the other sum, which is added to what the relations were added to. Other products of x
 * read it again, which were one with those of the relations where these come first. */
static double words_together(const relation_shape *s) {
  double pairs = fewer(s->src_pairs, s->dst_pairs), again = s->is_product_first ? s->in : 0;
  return pairs * 2 * (s->in + s->out) + s->nodes * (s->in + 2 * s->out + again) + (3 + s->is_product_first) * START;
}

static double tiles_apart(const relation_shape *s, double tile) {
  double in = tiles_of(s->in, tile), out = tiles_of(s->out, tile), rows = s->types * s->nodes * in * out;
  if (s->is_product_first && s->has_one_x) return rows + s->edges * out;
  return fewer(s->edges * in * out, rows + s->edges * (s->is_product_first ? out : in));
}

static double tiles_together(const relation_shape *s, double tile) {
  double in = tiles_of(s->in, tile), out = tiles_of(s->out, tile);
  return fewer(s->src_pairs * in * out + s->edges * out, s->edges * in + s->dst_pairs * (in * out + out));
}

/* gnn-order puts that first which has the narrower result. */
static relation_shape shape_of(const pass_context *p, const relation_products *products) {
  const pass_statistics *s = &p->statistics;
  const relation_product *r = &products->items[0];
  bool has_pairs = pass_option_bool(p, "compact", true);
  bool is_written_first = mlirValueEqual(ir_operand(r->linear, IR_IN(gnn, linear, x)), r->x);
  relation_shape shape = {.in = (double)ir_type_elements(ir_type_of(r->x)),
                          .out = (double)ir_type_elements(ir_type_of(ir_result(r->linear))),
                          .types = (double)products->count,
                          .nodes = (double)s->num_nodes,
                          .edges = (double)s->num_edges,
                          .src_pairs = (double)(has_pairs ? s->unique_src : s->num_edges),
                          .dst_pairs = (double)(has_pairs ? s->unique_dst : s->num_edges),
                          .has_one_x = gnn_merge_has_one_x(products)};
  shape.is_product_first = shape.out < shape.in || (shape.out == shape.in && is_written_first);
  return shape;
}

bool gnn_merge_cost(pass_context *p, MlirOperation func, const relation_products *products, gnn_work *before,
                    gnn_work *after) {
  const relation_product *r = &products->items[0];
  const char *kind = pass_option_string(p, "cost", "products");
  double tile = (double)pass_option_integer(p, "tile", 16);
  relation_shape s = shape_of(p, products);
  gnn_cost cost = gnn_cost_create(p);
  double per_row = gnn_cost_per_row(r->linear), rows = fewer(s.src_pairs, s.dst_pairs);
  double density = gnn_cost_density_of(&cost, func, r->x);
  if (s.nodes <= 0 || rows < 0) return false;
  *before = (gnn_work){.flops = s.types * per_row * s.nodes * density};
  *after = (gnn_work){.flops = per_row * rows};
  if (!strcmp(kind, "rows")) {
    before->bytes = WORD * words_apart(&s);
    after->bytes = WORD * words_together(&s);
  } else if (!strcmp(kind, "tiles") && density >= 1) {
    before->flops = 2 * tile * tile * tiles_apart(&s, tile);
    after->flops = 2 * tile * tile * tiles_together(&s, tile);
  }
  return true;
}
