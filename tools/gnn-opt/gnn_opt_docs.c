/* Prints the tables of operations and passes as documents, from which the build makes ops.md and
 * passes.md. */
#include "tools/gnn-opt/gnn_opt.h"

#include <string.h>

static const struct {
  const char *name;
  const char *summary;
} dialects[] = {
    {"gnn", "the graph level: what a model computes, no loops, no layout"},
    {"inter", "the inter-operator level: loops over nodes and edges, no layout"},
    {"intra", "the intra-operator level: GEMM and traversal kernels over buffers"},
    {"device", "the level of devices: what a machine executes, over rows of device memory"},
};
enum { DIALECTS = sizeof dialects / sizeof *dialects };

static const struct {
  const char *type;
  const char *doc;
} types[] = {
    {"f32, tensor<64x32xf32>", "a plain value: the same for the whole model"},
    {"!gnn.graph<\"g\">", "a graph: its nodes, edges and types"},
    {"!gnn.node<\"g\", tensor<64xf32>>", "a payload for every node"},
    {"!gnn.edge<\"g\", f32>", "a payload for every edge"},
    {"!gnn.per<\"etype\", tensor<64x64xf32>>",
     "a payload for every edge type, node type (ntype) or graph of a batch (graph)"},
    {"!gnn.sparse<\"g\", tensor<1433xf32>>", "input features whose rows are stored as CSR"},
    {"!inter.cursor<\"node\", \"g\">", "the current node, edge or stored entry (nonzero) of a loop"},
    {"!inter.results", "what a loop yields; taken by inter.result"},
    {"!intra.memory<\"node:g\", tensor<64xf32>>",
     "a buffer: rows node:SET, edge:SET, nonzero:SET, etype, ntype, graph or one, and the payload of a row"},
    {"!device.rows<\"g\", 64>",
     "rows of device memory: 64 numbers for each element of a set (g, g.edges, g:2, etype, ..., one)"},
    {"!device.edge_list<\"g\", \"g.edges\">", "a relation: edges from rows of a set to rows of another"},
    {"!device.values<\"g\", \"g\", 8>", "numbers for each edge of a relation, one for each head"},
};

static bool is_of(const ir_op_info *info, const char *dialect) {
  size_t size = strlen(dialect);
  return !strncmp(info->name, dialect, size) && info->name[size] == '.';
}

void opt_print_dialects(text *out) {
  for (size_t d = 0; d < DIALECTS; d++) {
    text_printf(out, "%s: %s\n", dialects[d].name, dialects[d].summary);
    for (size_t i = 0; i < IR_OP_COUNT; i++) {
      const ir_op_info *info = ir_op_info_get((ir_op)i);
      if (is_of(info, dialects[d].name)) text_printf(out, "  %-22s %s\n", info->name, info->summary);
    }
  }
  text_append(out, "types:\n");
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    text_printf(out, "  %-42s %s\n", types[i].type, types[i].doc);
}

/* Prints the text of a cell with '|' escaped, which separates columns. */
static void print_cell(text *out, const char *words) {
  for (; *words; words++) text_printf(out, *words == '|' ? "\\|" : "%c", *words);
}

static void print_attribute(text *out, const ir_attribute_info *a) {
  text_printf(out, "| `%s` | attribute | %s | ", a->name, a->is_optional ? "optional" : "required");
  print_cell(out, a->type);
  if (a->choices && !strcmp(a->choices, "unary"))
    text_append(out, ": a function of one number of the list below");
  else if (a->choices) {
    text_append(out, ": ");
    ir_choices_print(out, a->choices);
  }
  text_append(out, " |\n");
}

static void print_op(text *out, const ir_op_info *info) {
  text_printf(out, "### `%s`\n\n%s%s.", info->name, info->is_pure ? "" : "(not pure) ", info->summary);
  if (*info->doc) text_printf(out, " %s", info->doc);
  text_append(out, "\n\n");
  if (!info->operand_count && !info->attribute_count && !info->result_kind && !info->region_name) return;
  text_append(out, "| name | is | | type |\n|---|---|---|---|\n");
  for (unsigned i = 0; i < info->operand_count; i++)
    text_printf(out, "| `%s` | operand | %s | %s |\n", info->operands[i].name,
                info->operands[i].is_optional ? "optional" : "required", info->operands[i].kind);
  for (unsigned i = 0; i < info->attribute_count; i++) print_attribute(out, &info->attributes[i]);
  if (info->region_name) text_printf(out, "| `%s` | region | | one block, ends in `smt.yield` |\n", info->region_name);
  if (info->result_kind) text_printf(out, "| | result | | %s |\n", info->result_kind);
  text_append(out, "\n");
}

static const struct {
  const char *name, *rule;
  double flops;
  const char *doc;
} costs[] = {
#define COST(operation, rule, flops, doc) {"gnn." #operation, #rule, flops, doc},
#include "passes/cost/gnn_cost.def"
#undef COST
};

/* Prints the costs with which --emit=counts and the passes count. */
static void print_costs(text *out) {
  static const char *const rules[][2] = {{"element", "per element of the result"},
                                         {"operand", "per element of the first operand"},
                                         {"contraction", "per element of the result and step of the sum"},
                                         {"member", "per element and edge (or node of a graph) that is reduced"}};
  text_append(
      out,
      "\n## Costs\n\nFloating-point operations, as passes compare them and `gnnc --emit=counts` adds them up; "
      "what is not listed, and not said of a function above, costs none: comparisons, copies and changes of place. "
      "Adding to a sum of products (a "
      "bias, an addend) is free, the sum starts from it; so is subtracting the maximum in a softmax over edges.\n\n"
      "| operation | FLOPs | | |\n|---|---|---|---|\n");
  for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++)
      if (!strcmp(costs[i].rule, rules[r][0]) && costs[i].flops > 0)
        text_printf(out, "| `%s` | %g | %s | %s |\n", costs[i].name, costs[i].flops, rules[r][1], costs[i].doc);
}

/* Prints the rows of support/elementwise.def. */
static void print_functions(text *out) {
  text_append(out, "## Functions of one number\n\nAttributes of the names of 'takes' are the numbers.\n\n"
                   "| name | value | FLOPs | takes |\n|---|---|---|---|\n");
  for (int i = 0; i < UNARY_COUNT; i++) {
    const elementwise_unary_info *f = &elementwise_unaries[i];
    text_printf(out, "| `%s` | %s | %g | ", f->name, f->doc, f->flops);
    for (int k = 0; k < elementwise_count_parameters((elementwise_unary)i); k++)
      text_printf(out, "%s`%s` = %g", k ? ", " : "", f->parameters[k].name, f->parameters[k].fallback);
    text_append(out, " |\n");
  }
  text_append(out, "\n## Functions of two numbers\n\n| name | value | FLOPs | operation |\n|---|---|---|---|\n");
  for (int i = 0; i < BINARY_COUNT; i++) {
    const elementwise_binary_info *f = &elementwise_binaries[i];
    text_printf(out, "| `%s` | %s | %g | `gnn.%s` |\n", f->name, f->doc, f->flops, f->operation);
  }
}

void opt_print_ops_markdown(text *out) {
  text_append(
      out,
      "# Operations\n\nMade from `dialects/*_ops.def` by `gnn-opt --print-ops-md`.\n\n"
      "Kinds of operands: `value` is f32 or a tensor, plain, per node, per edge or per type; `feature` is plain, "
      "per node, per edge or sparse; the others say what they are.\n\n## Types\n\n| type | meaning |\n|---|---|\n");
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    text_printf(out, "| `%s` | %s |\n", types[i].type, types[i].doc);
  for (size_t d = 0; d < DIALECTS; d++) {
    text_printf(out, "\n## `%s`: %s\n\n", dialects[d].name, dialects[d].summary);
    for (size_t i = 0; i < IR_OP_COUNT; i++)
      if (is_of(ir_op_info_get((ir_op)i), dialects[d].name)) print_op(out, ir_op_info_get((ir_op)i));
  }
  print_functions(out);
  print_costs(out);
}

void opt_print_passes_markdown(text *out) {
  text_append(out, "# Passes\n\nIn the order of the default pipeline. Made from `passes/passes.def` by `gnn-opt "
                   "--print-passes-md`.\n");
  size_t count;
  const pass_info *table = pass_table(&count);
  for (size_t i = 0; i < count; i++) {
    text_printf(out, "\n## `%s`\n\n%s. %s\n", table[i].name, table[i].summary, table[i].doc);
    if (!table[i].option_count) continue;
    text_append(out, "\n| option | type | default | meaning |\n|---|---|---|---|\n");
    for (unsigned k = 0; k < table[i].option_count; k++) {
      const pass_option_info *o = &table[i].options[k];
      text_printf(out, "| `%s` | %s | `%s` | %s |\n", o->name, o->type, o->fallback, o->doc);
    }
  }
}
