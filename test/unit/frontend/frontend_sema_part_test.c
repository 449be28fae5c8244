/* Nodes of one type: inputs x.paper, loops over g.nodes.paper, and fields that some types of
 * nodes have. */
#include "frontend_sema_fixture.h"

#define TYPED                                                                                                          \
  "model m {\n  graph g { nodes paper, author; }\n  input x.paper : node f32[5];\n"                                    \
  "  input x.author : node f32[5];\n  input z : node f32[2];\n  weight A : f32[5, 2];\n"

/* Statements after this prelude become exactly these values, from %5 on (%0 g, %1 x.paper, %2
 * x.author, %3 z, %4 A). */
#define CHECK_TYPED(statements, expected)                                                                              \
  do {                                                                                                                 \
    analysed *analysed_ = open_analysis();                                                                             \
    run_analysis(analysed_, TYPED statements "\n}\n", NULL);                                                           \
    CHECK_STR(text_str(&analysed_->messages), "");                                                                     \
    const char *start_ = strstr(text_str(&analysed_->printed), "%5 ");                                                 \
    CHECK_STR(start_ ? start_ : text_str(&analysed_->printed), expected);                                              \
    close_analysis(analysed_);                                                                                         \
  } while (0)

TEST(loops_over_parts_are_united_when_all_nodes_are_read) {
  CHECK_TYPED("for n in g.nodes.paper { n.h = n.x @ A; }\nfor n in g.nodes.author { n.h = relu(n.x @ A); }\n"
              "for n in g.nodes { n.y = n.h + n.z; }\noutput y = n.y;",
              "%5 h : node f32[2] = linear(%1, %4)\n"
              "%6 : node f32[2] = linear(%2, %4)\n"
              "%7 h : node f32[2] = activation(%6, function = \"relu\")\n"
              "%8 : node f32[2] = unite(%0, %7, type = 1)\n"
              "%9 : node f32[2] = unite(%0, %5, %8, type = 0)\n"
              "%10 y : node f32[2] = vector_add(%9, %3)\n"
              "output y = %10\n");
}

TEST(parts_read_what_all_nodes_have) {
  CHECK_TYPED("for n in g.nodes.author { n.h = sum(n.z) + n.in_degree; n.k = n.h; }\noutput k = n.k;",
              "%5 : node f32[2] = part(%0, %3, type = 1)\n"
              "%6 : node f32 = reduce(%5, function = \"sum\")\n"
              "%7 : node f32 = degree(%0, direction = \"in\")\n"
              "%8 : node f32 = part(%0, %7, type = 1)\n"
              "%9 h : node f32 = vector_add(%6, %8)\n"
              "%10 k : node f32 = unite(%0, %9, type = 1)\n"
              "output k = %10\n");
  CHECK_TYPED("for n in g.nodes { n.h = n.z; }\nfor n in g.nodes.paper { n.h = n.h * 2; }\n"
              "for n in g.nodes.author { n.q = n.h; }\noutput h = n.h;",
              "%5 : node f32[2] = part(%0, %3, type = 0)\n"
              "%6 : f32 = constant(value = 2)\n"
              "%7 h : node f32[2] = multiply(%5, %6)\n"
              "%8 q : node f32[2] = part(%0, %3, type = 1)\n"
              "%9 h : node f32[2] = unite(%0, %7, %3, type = 0)\n"
              "output h = %9\n");
}

TEST(edges_of_a_part_are_reduced_at_its_nodes) {
  CHECK_TYPED("for n in g.nodes.paper { let t = n.x @ A; n.s = sum(e in n.incoming: e.src.z * n.z);\n"
              "for e in n.incoming { n.s += t; } }\noutput s = n.s;",
              "%5 t : node f32[2] = linear(%1, %4)\n"
              "%6 : edge f32[2] = gather(%0, %3, end = \"src\")\n"
              "%7 : node f32[2] = part(%0, %3, type = 0)\n"
              "%8 : edge f32[2] = gather(%0, %3, end = \"dst\")\n"
              "%9 : edge f32[2] = multiply(%6, %8)\n"
              "%10 : node f32[2] = aggregate(%0, %9, reduce = \"sum\", direction = \"in\")\n"
              "%11 s : node f32[2] = part(%0, %10, type = 0)\n"
              "%12 : node f32[2] = unite(%0, %5, type = 0)\n"
              "%13 : edge f32[2] = gather(%0, %12, end = \"dst\")\n"
              "%14 : node f32[2] = aggregate(%0, %13, reduce = \"sum\", direction = \"in\")\n"
              "%15 : node f32[2] = part(%0, %14, type = 0)\n"
              "%16 s : node f32[2] = vector_add(%11, %15)\n"
              "%17 s : node f32[2] = unite(%0, %16, type = 0)\n"
              "output s = %17\n");
}

TEST(inputs_of_types_are_values_outside_of_loops) {
  CHECK_TYPED(
      "let p = relu(x.paper @ A); let q = x @ A;\nfor n in g.nodes.paper { n.h = n.p; }\noutput h = n.h; output q = q;",
      "%5 : node f32[2] = linear(%1, %4)\n"
      "%6 p : node f32[2] = activation(%5, function = \"relu\")\n"
      "%7 : node f32[5] = unite(%0, %1, type = 0)\n"
      "%8 : node f32[5] = unite(%0, %2, %7, type = 1)\n"
      "%9 q : node f32[2] = linear(%8, %4)\n"
      "%10 h : node f32[2] = unite(%0, %6, type = 0)\n"
      "output h = %10\n"
      "output q = %9\n");
}

#define CHECK_PART_ERROR(statements, expected) CHECK_FILE(TYPED statements "\noutput out = z; }\n", expected)

TEST(names_of_node_types_are_checked) {
  CHECK_PART_ERROR("for n in g.nodes.papr { n.h = n.x; }\ninput x.book : node f32[2];\nlet h = x.book;",
                   "7:18: error: graph 'g' declares no nodes 'papr'; did you mean 'paper'?\n"
                   "8:9: error: graph 'g' declares no nodes 'book'\n");
  CHECK_PART_ERROR("input w.paper : edge f32;\nlet h = sum(n in g.nodes.papers: n.z);",
                   "7:17: error: 'w.paper' has a row per node of one type: 'node f32[...]'\n"
                   "8:26: error: graph 'g' declares no nodes 'papers'; did you mean 'paper'?\n");
  CHECK_FILE("model m { graph g; input x.paper : node f32[4]; output y = x; }\n",
             "1:28: error: graph 'g' declares no nodes 'paper'\n");
}

TEST(values_of_parts_stay_with_their_nodes) {
  CHECK_PART_ERROR("let h = x.paper @ A; let k = h + z; let q = x.paper + x.author;",
                   "7:30: error: one side is per node of type 'paper', the other per node\n"
                   "7:30: note: a value of some nodes is assigned to a field of theirs in a loop over them; the field "
                   "then has all nodes\n"
                   "7:45: error: one side is per node of type 'paper', the other per node of type 'author'\n"
                   "7:45: note: a value of some nodes is assigned to a field of theirs in a loop over them; the field "
                   "then has all nodes\n");
  CHECK_PART_ERROR("let h = x.paper @ A; for n in g.nodes { n.y = n.h; } for n in g.nodes.author { n.y = n.h; }",
                   "7:47: error: 'h' is per node of type 'paper', but 'n' is a node of any type\n"
                   "7:5: note: 'h' is declared here as a value\n"
                   "7:86: error: 'h' is per node of type 'paper', but 'n' is a node of type 'author'\n"
                   "7:5: note: 'h' is declared here as a value\n");
  CHECK_PART_ERROR("for n in g.nodes.paper { n.y = n.z; } for n in g.nodes.author { n.k = n.y; }",
                   "7:71: error: 'y' is read at nodes of type 'author', where nothing is assigned to it\n"
                   "7:26: note: it is assigned only here\n");
  CHECK_PART_ERROR("for n in g.nodes.paper { n.y = x.paper; } let p = global_sum(g, x.paper); output q = x.paper;",
                   "7:32: error: 'x.paper' is per node of type 'paper'; in a loop over g.nodes.paper write n.x\n"
                   "7:65: error: 'x.paper' is per node of type 'paper', but 'global_sum' pools all nodes: assign it to "
                   "a field in a loop over those nodes\n"
                   "7:86: error: output 'q' is per node of type 'paper'; write 'output q.paper = ...', or assign it "
                   "to a field, which has all nodes\n");
  CHECK_PART_ERROR(
      "for n in g.nodes.paper { n.y = n.z; } for n in g.nodes.author { n.y = n.x; } let y = n.y + 1;",
      "7:86: error: 'y' has no shape for all nodes: it is f32[5] per node of type 'author', but f32[2] per node\n");
}

TEST(parts_have_no_edges_of_their_own) {
  CHECK_PART_ERROR(
      "for n in g.nodes.paper { for e in n.incoming { e.a = e.src.z; } }",
      "7:48: error: 'e.a' cannot be assigned: only some edges have it; assign it in a loop over g.edges\n");
  CHECK_PART_ERROR(
      "for e in g.edges.cites { e.a = e.src.z; }",
      "7:10: error: 'g.edges.cites': the graph has no relations; 'graph g { nodes paper, author; edges writes : "
      "author -> paper; }' names some\n");
}

TEST(an_input_of_some_types_is_not_read_at_others) {
  CHECK_FILE(
      "model m {\n  graph g { nodes paper, author; }\n  input x.paper : node f32[5];\n"
      "  for n in g.nodes { n.h = n.x; }\n  for n in g.nodes.author { n.k = n.x; }\n  let q = x + 1;\n  output h = "
      "n.h;\n}\n",
      "4:28: error: 'x' is an input of some node types only: there is no 'x.author'\n"
      "3:9: note: 'x' is declared here first\n"
      "5:35: error: 'x' is an input of some node types only: there is no 'x.author'\n"
      "3:9: note: 'x' is declared here first\n"
      "6:11: error: 'x' is an input of some node types only: there is no 'x.author'\n"
      "3:9: note: 'x' is declared here first\n");
}

static int64_t count_two(void *user, size_t type) {
  (void)user;
  return type ? 3 : 2;
}

TEST(inputs_of_types_have_a_row_per_node) {
  analysed *p = open_analysis();
  use_graph(p, "x.paper F32 2 5;x.author F32 2 5", 5, 4);
  p->env.count_nodes = count_two;
  run_analysis(p,
               "model m {\n  graph g { nodes paper, author; }\n  input x.paper : node f32[5];\n"
               "  input x.author : node f32[5];\n  input x.book : node f32[5];\n  output y = x;\n}\n",
               NULL);
  CHECK_STR(
      text_str(&p->messages),
      "4:9: error: input 'x.author' is [2, 5] in g.safetensors, but the model needs [3 nodes of type 'author', 5]\n"
      "5:11: error: graph 'g' declares no nodes 'book'\n");
  close_analysis(p);
}

TEST(nodes_of_other_types_keep_the_newest_value) {
  CHECK_TYPED("for n in g.nodes.paper { n.z = relu(n.z); }\noutput y = n.z;",
              "%5 : node f32[2] = part(%0, %3, type = 0)\n"
              "%6 z : node f32[2] = activation(%5, function = \"relu\")\n"
              "%7 y : node f32[2] = unite(%0, %6, %3, type = 0)\n"
              "output y = %7\n");
  CHECK_TYPED("for n in g.nodes.paper { n.x = relu(n.x); }\noutput y = n.x;",
              "%5 x : node f32[5] = activation(%1, function = \"relu\")\n"
              "%6 : node f32[5] = unite(%0, %5, type = 0)\n"
              "%7 y : node f32[5] = unite(%0, %2, %6, type = 1)\n"
              "output y = %7\n");
}
