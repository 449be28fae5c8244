/* The kinds of rows as a table: their names in the IR, for the caller and in kernels. */
#include "codegen/c/model/rows.h"

#include <string.h>

static const c_rows_facts facts[C_ROWS_COUNT] = {
    [C_ROWS_one] = {.name = "one",
                    .constant = "GNNC_ROWS_ONE",
                    .caller = "one",
                    .prefix = "once",
                    .comment = "Once",
                    .cursor = "t"},
    [C_ROWS_node] = {.name = "node",
                     .has_set = true,
                     .constant = "GNNC_ROWS_NODE",
                     .caller = "node",
                     .length = "num_nodes",
                     .prefix = "nodes",
                     .comment = "For each node",
                     .cursor = "n"},
    [C_ROWS_edge] = {.name = "edge",
                     .has_set = true,
                     .constant = "GNNC_ROWS_EDGE",
                     .caller = "edge",
                     .length = "num_edges",
                     .prefix = "edges",
                     .comment = "For each edge",
                     .cursor = "p"},
    [C_ROWS_etype] = {.name = "etype",
                      .is_typed = true,
                      .constant = "GNNC_ROWS_ETYPE",
                      .caller = "etype",
                      .prefix = "etypes",
                      .comment = "For each edge type",
                      .cursor = "t"},
    [C_ROWS_ntype] = {.name = "ntype",
                      .is_typed = true,
                      .constant = "GNNC_ROWS_NTYPE",
                      .caller = "ntype",
                      .prefix = "ntypes",
                      .comment = "For each node type",
                      .cursor = "t"},
    [C_ROWS_etype_src] = {.name = "etype_src",
                          .is_typed = true,
                          .prefix = "kinds",
                          .comment = "For each pair of edge type and type of the source",
                          .cursor = "t"},
    [C_ROWS_etype_dst] = {.name = "etype_dst",
                          .is_typed = true,
                          .prefix = "kinds",
                          .comment = "For each pair of edge type and type of the destination",
                          .cursor = "t"},
    [C_ROWS_graph] = {.name = "graph",
                      .constant = "GNNC_ROWS_GRAPH",
                      .caller = "graph",
                      .length = "num_graphs",
                      .prefix = "graphs",
                      .comment = "For each graph",
                      .cursor = "t"},
    [C_ROWS_piece] = {.name = "piece",
                      .is_typed = true,
                      .prefix = "pieces",
                      .comment = "For each piece of the nodes",
                      .cursor = "t"},
    [C_ROWS_strip] = {.name = "strip", .has_set = true},
    [C_ROWS_nonzero] =
        {.name = "nonzero", .has_set = true, .constant = "GNNC_ROWS_NODE", .caller = "node", .length = "num_nodes"},
};

const c_rows_facts *c_rows_describe(c_rows rows) {
  return &facts[rows];
}

bool c_rows_find(const char *name, size_t length, c_rows *rows) {
  for (int i = 0; i < C_ROWS_COUNT; i++) {
    if (strlen(facts[i].name) != length || strncmp(facts[i].name, name, length) != 0) continue;
    *rows = (c_rows)i;
    return true;
  }
  return false;
}
