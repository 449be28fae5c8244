/* Edge lists of the device level connect the right rows of their sets, on the fixture's graph of
 * six nodes. */
#include "codegen_host_fixture.h"

#define GRAPH(s) "!gnn.graph<\"" s "\">"
#define LIST(from, to) "!device.edge_list<\"" from "\", \"" to "\">"
#define SEGMENTS(pairs, weight) "operandSegmentSizes = array<i32: 1, " #pairs ", " #weight ">"
#define PLAIN(kind, more, set, from, to)                                                                               \
  "%r = \"device.edges\"(%" set ") {kind = \"" kind                                                                    \
  "\", " more SEGMENTS(0, 0) "} : (" GRAPH(set) ") -> " LIST(from, to) "\n"
#define UNIQUE(end)                                                                                                    \
  "%u = \"gnn.unique_edges\"(%g) {end = \"" end "\"} : (" GRAPH("g") ") -> " GRAPH("g.unique_" end) "\n"
#define PAIRED(kind, end, from, to)                                                                                    \
  UNIQUE(end)                                                                                                          \
  "%r = \"device.edges\"(%g, %u) {kind = \"" kind                                                                      \
  "\", " SEGMENTS(1, 0) "} : (" GRAPH("g") ", " GRAPH("g.unique_" end) ") -> " LIST(from, to) "\n"
#define WEIGHT ", %w: !gnn.edge<\"g\", f32> {gnn.from = \"edge_weight\", gnn.name = \"w\"}"
#define BY_NODE_TYPE                                                                                                   \
  "ml_program.global private @d(#extern) : !gnn.per<\"ntype\", tensor<2xf32>> {gnn.from = \"d\", gnn.count = 3 : i64}"

/* Prints entries "src>dst" or "src>dst*weight", and then the edges of the graph where the list
 * has them. */
static void describe(const program_edge_list *r, text *out) {
  text_printf(out, "%lld>%lld:", (long long)r->from_rows, (long long)r->to_rows);
  for (int64_t i = 0; i < r->edges; i++) {
    int64_t at = i - (r->edges - r->loops);
    float weight = r->weight ? r->weight[i] : 1;
    int32_t loop = at < 0 ? 0 : r->loop ? r->loop[at] : (int32_t)at;
    if (r->weights.user) r->weights.weigh(r->weights.user, i, 1, &weight);
    text_printf(out, " %d>%d", at < 0 ? r->src[i] : loop, at < 0 ? r->dst[i] : loop);
    if (r->has_weight) text_printf(out, "*%g", (double)weight);
  }
  if (r->edge) text_append(out, " edges");
  for (int64_t i = 0; r->edge && i < r->edges; i++) text_printf(out, " %d", r->edge[i]);
  text_append(out, r->every_destination ? " all" : "");
}

static void check_relation(int line, const char *globals, const char *arguments, const char *body,
                           const char *expected) {
  fixture f;
  text found = {0};
  const program_edge_list *r = NULL;
  fixture_begin(&f, globals, arguments, body, 2);
  CHECK_OK(program_host_edge_list(f.host, fixture_last(&f, 0), &r));
  if (r) describe(r, &found);
  if (strcmp(text_str(&found), expected) != 0)
    unit_fail(__FILE__, line, "found \"%s\", expected \"%s\"", text_str(&found), expected);
  text_free(&found);
  fixture_end(&f);
}

#define CHECK_RELATION(globals, arguments, body, expected) check_relation(__LINE__, globals, arguments, body, expected)

TEST(lists_between_nodes_follow_the_edges_of_the_graph) {
  CHECK_RELATION("", "", PLAIN("in", "", "g", "g", "g"), "6>6: 0>1 1>2 2>0 2>2 2>0 3>4 4>3 1>3");
  CHECK_RELATION("", "", PLAIN("out", "", "g", "g", "g"), "6>6: 1>0 2>1 0>2 2>2 0>2 4>3 3>4 3>1");
  CHECK_RELATION("", "", PLAIN("in", "mean, ", "g", "g", "g"),
                 "6>6: 0>1*1 1>2*0.5 2>0*0.5 2>2*0.5 2>0*0.5 3>4*1 4>3*0.5 1>3*0.5");
}

TEST(weights_are_those_of_the_edges) {
#define WEIGHTED(kind, more, from, to)                                                                                 \
  "%r = \"device.edges\"(%g, %w) {kind = \"" kind                                                                      \
  "\", " more SEGMENTS(0, 1) "} : (" GRAPH("g") ", !gnn.edge<\"g\", f32>) -> " LIST(from, to) "\n"
  CHECK_RELATION("", WEIGHT, WEIGHTED("in", "", "g", "g"), "6>6: 0>1*1 1>2*2 2>0*3 2>2*4 2>0*5 3>4*6 4>3*7 1>3*8");
  CHECK_RELATION("", WEIGHT, WEIGHTED("in", "mean, ", "g", "g"),
                 "6>6: 0>1*1 1>2*1 2>0*1.5 2>2*2 2>0*2.5 3>4*6 4>3*3.5 1>3*4");
  CHECK_RELATION("", WEIGHT, WEIGHTED("scatter_dst", "", "g.edges", "g"),
                 "8>6: 0>2*2 1>2*4 2>3*7 3>3*8 4>1*1 5>4*6 6>0*3 7>0*5 edges 1 3 6 7 0 5 2 4");
}

TEST(rows_of_edges_are_ordered_by_type) {
  CHECK_RELATION("", "", PLAIN("gather_src", "", "g", "g", "g.edges"),
                 "6>8: 1>0 2>1 4>2 1>3 0>4 3>5 2>6 2>7 edges 1 3 6 7 0 5 2 4 all");
  CHECK_RELATION("", "", PLAIN("scatter_src", "", "g", "g.edges", "g"),
                 "8>6: 0>1 1>2 2>4 3>1 4>0 5>3 6>2 7>2 edges 1 3 6 7 0 5 2 4");
  CHECK_RELATION("", "", PLAIN("type_edge", "per = \"etype\", ", "g", "etype", "g.edges"),
                 "3>8: 0>0 0>1 0>2 0>3 1>4 1>5 2>6 2>7 edges 1 3 6 7 0 5 2 4 all");
}

TEST(nodes_are_ordered_by_type_where_weights_are) {
  /* Types order the nodes 1 3 5, 0 2, 4, so the rows of nodes 0 to 5 are 3 0 4 1 5 2. */
  CHECK_RELATION(BY_NODE_TYPE, "", PLAIN("in", "", "g", "g", "g"), "6>6: 3>0 0>4 4>3 4>4 4>3 1>5 5>1 0>1");
  CHECK_RELATION(BY_NODE_TYPE, "", PLAIN("type_node", "per = \"ntype\", ", "g", "ntype", "g"),
                 "3>6: 0>0 0>1 0>2 1>3 1>4 2>5 all");
  CHECK_RELATION(BY_NODE_TYPE, "", PLAIN("part", "type = 1 : i64, ", "g", "g", "g:1"), "6>2: 3>0 4>1 all");
}

TEST(pairs_stand_for_their_edges) {
  /* The pairs (edge type, source) are (0, 1) (0, 2) (0, 4) (1, 3) (1, 0) (2, 2). */
  CHECK_RELATION("", "", PAIRED("in", "src", "g.unique_src.edges", "g"), "6>6: 4>1 0>2 5>0 1>2 5>0 3>4 2>3 0>3");
  CHECK_RELATION("", "", PAIRED("expand", "src", "g.unique_src.edges", "g.edges"),
                 "6>8: 0>0 1>1 2>2 0>3 4>4 3>5 5>6 5>7 edges 1 3 6 7 0 5 2 4 all");
  CHECK_RELATION("", "", PAIRED("collapse", "src", "g.edges", "g.unique_src.edges"),
                 "8>6: 0>0 1>1 2>2 3>0 4>4 5>3 6>5 7>5 edges 1 3 6 7 0 5 2 4 all");
  CHECK_RELATION("", "", PAIRED("collapse_dst", "src", "g", "g.unique_src.edges"),
                 "6>6: 1>4 2>0 0>5 2>1 0>5 4>3 3>2 3>0 all");
  /* The pairs (edge type, destination) are (0, 3) (0, 2) (1, 1) (1, 4) (2, 0). */
  CHECK_RELATION("", "", PAIRED("out", "dst", "g.unique_dst.edges", "g"), "5>6: 2>0 1>1 4>2 1>2 4>2 3>3 0>4 0>1");
  CHECK_RELATION("", "", PAIRED("collapse_src", "dst", "g", "g.unique_dst.edges"),
                 "6>5: 0>2 1>1 2>4 2>1 2>4 3>3 4>0 1>0 all");
}

TEST(nodes_lead_to_types_parts_and_graphs) {
  CHECK_RELATION("", "", PLAIN("pool", "", "g", "g", "graph"), "6>2: 0>0 1>0 2>0 3>1 4>1 5>1 all");
  CHECK_RELATION("", "", PLAIN("unpool", "", "g", "graph", "g"), "2>6: 0>0 0>1 0>2 1>3 1>4 1>5 all");
  CHECK_RELATION("", "", PLAIN("part", "type = 1 : i64, ", "g", "g", "g:1"), "6>2: 0>0 2>1 all");
  CHECK_RELATION("", "", PLAIN("unite", "type = 1 : i64, ", "g", "g:1", "g"), "2>6: 0>0 1>2");
  CHECK_RELATION("", "", PLAIN("others", "type = 1 : i64, ", "g", "g", "g"), "6>6: 1>1 3>3 4>4 5>5");
  CHECK_RELATION("", "", PLAIN("broadcast", "to = \"graph\", ", "g", "one", "graph"), "1>2: 0>0 0>1 all");
}

#define LOOPED(mode) "%s = \"gnn.edge_set\"(%g) {mode = \"" mode "\"} : (" GRAPH("g") ") -> " GRAPH("g." mode) "\n"
#define ON_LOOPS(kind, mode, from, to)                                                                                 \
  LOOPED(mode)                                                                                                         \
  "%r = \"device.edges\"(%s) {kind = \"" kind "\", " SEGMENTS(0, 0) "} : (" GRAPH("g." mode) ") -> " LIST(from, to) "\n"

TEST(self_loops_come_after_the_edges) {
  CHECK_RELATION("", "", ON_LOOPS("in", "replace", "g", "g"),
                 "6>6: 0>1 1>2 2>0 2>0 3>4 4>3 1>3 0>0 1>1 2>2 3>3 4>4 5>5 all");
  CHECK_RELATION("", "", ON_LOOPS("in", "add_remaining", "g", "g"),
                 "6>6: 0>1 1>2 2>0 2>2 2>0 3>4 4>3 1>3 0>0 1>1 3>3 4>4 5>5 all");
  CHECK_RELATION("", "", ON_LOOPS("gather_src", "replace", "g", "g.replace.edges"),
                 "6>13: 0>0 1>1 2>2 2>3 3>4 4>5 1>6 0>7 1>8 2>9 3>10 4>11 5>12 all");
  CHECK_RELATION("", "", ON_LOOPS("extend", "replace", "g.edges", "g.replace.edges"),
                 "8>13: 4>0 0>1 6>2 7>3 5>4 2>5 3>6");
}

TEST(stored_entries_lead_from_columns) {
#define SPARSE "!gnn.sparse<\"g\", tensor<2xf32>>"
#define X ", %x: " SPARSE " {gnn.from = \"x\", gnn.name = \"x\"}"
#define NONZEROS(x)                                                                                                    \
  "%r = \"device.edges\"(%" x ") {kind = \"nonzeros\", " SEGMENTS(0, 0) "} : (" SPARSE ") -> " LIST("columns", "g") "\n"
  fixture f;
  const program_edge_list *r = NULL;
  const int64_t dims[] = {FIXTURE_NODES, 2};
  static const float x[] = {1, 3, 0, 2, 0, 0, 4, 4, 5, 0, 0, 1};
  for (int normalized = 0; normalized < 2; normalized++) {
    text found = {0};
    fixture_begin(
        &f, "", X,
        normalized ? "%n = \"gnn.row_normalize\"(%x) : (" SPARSE ") -> " SPARSE "\n" NONZEROS("n") : NONZEROS("x"), 1);
    fixture_add(f.tensors, "x", DTYPE_F32, 2, dims, x);
    CHECK_OK(program_host_edge_list(f.host, fixture_last(&f, 0), &r));
    describe(r, &found);
    CHECK_STR(text_str(&found), normalized ? "2>6: 0>0*0.25 1>0*0.75 1>1*1 0>3*0.5 1>3*0.5 0>4*1 1>5*1"
                                           : "2>6: 0>0*1 1>0*3 1>1*2 0>3*4 1>3*4 0>4*5 1>5*1");
    text_free(&found);
    fixture_end(&f);
  }
}

static void check_segments(const fixture *f, const char *set, const char *per, const char *expected) {
  int64_t count = 0;
  const int64_t *offsets = NULL;
  text found = {0};
  CHECK_OK(program_host_set_segments(f->host, set, per, &count, &offsets));
  for (int64_t i = 0; offsets && i <= count; i++) text_printf(&found, i ? " %lld" : "%lld", (long long)offsets[i]);
  CHECK_STR(text_str(&found), expected);
  text_free(&found);
}

TEST(types_are_segments_of_ordered_rows) {
  fixture f;
  int64_t count;
  const int64_t *offsets;
  fixture_begin(&f, BY_NODE_TYPE, "", UNIQUE("src"), 1);
  check_segments(&f, "g", "ntype", "0 3 5 6");
  check_segments(&f, "g.edges", "etype", "0 4 6 8");
  check_segments(&f, "g.unique_src.edges", "etype", "0 3 5 6");
  check_segments(&f, "g.unique_src.edges", "etype_src", "0 1 2 3 4 5 6");
  check_segments(&f, "etype", "etype", "0 1 2 3");
  check_segments(&f, "g:1", "ntype", "0 0 2 2");
  CHECK_FAILS(program_host_set_segments(f.host, "g", "graph", &count, &offsets), "are not ordered by graph");
  fixture_end(&f);
}
