/* gnn-data stats: prints statistics of a graph, as text or as JSON. */
#include "data/graph.h"
#include "data/statistics.h"
#include "data/type_statistics.h"
#include "support/progress.h"
#include "tools/gnn-data/gnn_data.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>

enum { OPTION_json, OPTION_from, OPTION_threads };

static const gnn_data_option options[] = {
    [OPTION_json] = {"json", 0, NULL, "print JSON"},
    [OPTION_from] = {"from", 0, "FORMAT", LOAD_FORMAT_NAMES " (default: by the name)"},
    [OPTION_threads] = {"threads", 0, "N", "threads to use, 1 to 64 (default: one per processor)"},
    {0}};

/* The features of the graph, where it has some. */
typedef struct features {
  bool is_there;
  graph_field x;
  double density; /* of the sparse form, else -1 */
} features;

static features find_features(const graph *g) {
  features f = {.density = -1};
  f.is_there = graph_find_field(g, "x", &f.x);
  double cells = (double)f.x.dims[0] * (double)f.x.dims[1];
  if (f.is_there && f.x.is_sparse && cells > 0) f.density = (double)f.x.nonzeros / cells;
  return f;
}

static void print_degrees(const char *name, const degree_statistics *d) {
  printf("%-20s least %" PRId64 ", median %" PRId64 ", mean %.2f, most %" PRId64 "\n", name, d->least, d->median,
         d->mean, d->most);
}

/* Prints one bar per bucket of degrees. */
static void print_histogram(const degree_statistics *d, int64_t nodes) {
  for (int b = 0; b < STATISTICS_BUCKETS; b++) {
    if (!d->buckets[b]) continue;
    char range[48];
    int64_t low = b ? (int64_t)1 << (b - 1) : 0, high = b ? ((int64_t)1 << b) - 1 : 0;
    if (low == high)
      snprintf(range, sizeof range, "%" PRId64, low);
    else
      snprintf(range, sizeof range, "%" PRId64 "-%" PRId64, low, high);
    printf("  %16s  %10" PRId64 "  ", range, d->buckets[b]);
    int stars = (int)(50.0 * (double)d->buckets[b] / (double)nodes + 0.5);
    for (int i = 0; i < stars; i++) putchar('*');
    putchar('\n');
  }
}

static double ratio(int64_t rows, int64_t edges) {
  return edges ? (double)rows / (double)edges : 0;
}

/* Prints a number of rows of pairs, such as of edge type and end node, and its ratio to the number
 * of edges. */
static void print_pairs(const char *name, int64_t rows, int64_t edges) {
  printf("  %-18s %" PRId64 " of %" PRId64 " edges, ratio %.3f\n", name, rows, edges, ratio(rows, edges));
}

static void print_types(const char *name, const type_counts *c, int64_t edges) {
  printf("%-20s %" PRId64 "\n", name, c->types);
  print_pairs("type and source", c->unique_src, edges);
  print_pairs("type and target", c->unique_dst, edges);
  print_pairs("type and either", c->unique_either, edges);
  printf("  %-18s %" PRId64 " with the source's type, %" PRId64 " with the target's\n", "type pairs", c->pairs_src,
         c->pairs_dst);
}

static void print_text(const graph *g, const graph_statistics *s, const type_statistics *t) {
  features f = find_features(g);
  printf("%-20s %" PRId64 "\n%-20s %" PRId64 "\n", "nodes", g->num_nodes, "edges", g->num_edges);
  if (g->node_type) printf("%-20s %" PRId64 "\n", "node types", g->num_node_types);
  if (g->edge_type) printf("%-20s %" PRId64 "\n", "edge types", g->num_edge_types);
  if (g->batch) printf("%-20s %" PRId64 "\n", "graphs", g->num_graphs);
  if (f.is_there && f.x.is_sparse)
    printf("%-20s %" PRId64 " columns, sparse, density %.6f\n", "features", f.x.dims[1], f.density);
  else if (f.is_there)
    printf("%-20s %" PRId64 " columns, dense\n", "features", f.x.rank > 1 ? f.x.dims[1] : 1);
  printf("%-20s %.6g\n", "density", s->density);
  printf("%-20s %" PRId64 "\n%-20s %" PRId64 "\n", "self loops", s->self_loops, "duplicate edges", s->duplicates);
  printf("%-20s %" PRId64 "\n%-20s %" PRId64 "\n", "reciprocal edges", s->reciprocal, "isolated nodes", s->isolated);
  printf("%-20s %" PRId64 ", the largest has %" PRId64 " nodes\n", "components", s->components, s->largest_component);
  if (g->edge_type) print_types("edge types in use", &t->stored, g->num_edges);
  if (g->edge_type || g->node_type) print_types("canonical types", &t->canonical, g->num_edges);
  print_degrees("in-degree", &s->in);
  print_degrees("out-degree", &s->out);
  printf("%-20s %016" PRIx64 "\n", "fingerprint", graph_fingerprint(g));
  if (!g->num_nodes) return;
  printf("\nin-degree        nodes\n");
  print_histogram(&s->in, g->num_nodes);
}

static void print_json_degrees(const char *name, const degree_statistics *d) {
  printf("  \"%s\": {\"least\": %" PRId64 ", \"median\": %" PRId64 ", \"mean\": %.17g, \"most\": %" PRId64 "},\n", name,
         d->least, d->median, d->mean, d->most);
}

static void print_json_types(const char *name, const type_counts *c, int64_t edges) {
  printf("  \"%s\": {\"types\": %" PRId64 ", \"unique_src\": %" PRId64 ", \"unique_dst\": %" PRId64
         ", \"unique_either\": %" PRId64 ", \"pairs_src\": %" PRId64 ", \"pairs_dst\": %" PRId64
         ", \"ratio_src\": %.17g, \"ratio_dst\": %.17g},\n",
         name, c->types, c->unique_src, c->unique_dst, c->unique_either, c->pairs_src, c->pairs_dst,
         ratio(c->unique_src, edges), ratio(c->unique_dst, edges));
}

static void print_json(const graph *g, const graph_statistics *s, const type_statistics *t) {
  features f = find_features(g);
  printf("{\n  \"num_nodes\": %" PRId64 ",\n  \"num_edges\": %" PRId64 ",\n", g->num_nodes, g->num_edges);
  printf("  \"num_node_types\": %" PRId64 ",\n  \"num_edge_types\": %" PRId64 ",\n  \"num_graphs\": %" PRId64 ",\n",
         g->num_node_types, g->num_edge_types, g->num_graphs);
  int64_t columns = !f.is_there ? 0 : f.x.rank > 1 ? f.x.dims[1] : 1;
  printf("  \"num_features\": %" PRId64 ",\n", columns);
  if (f.density >= 0) printf("  \"feature_density\": %.17g,\n", f.density);
  printf("  \"density\": %.17g,\n  \"self_loops\": %" PRId64 ",\n  \"duplicate_edges\": %" PRId64 ",\n", s->density,
         s->self_loops, s->duplicates);
  printf("  \"reciprocal_edges\": %" PRId64 ",\n  \"isolated_nodes\": %" PRId64 ",\n", s->reciprocal, s->isolated);
  printf("  \"components\": %" PRId64 ",\n  \"largest_component\": %" PRId64 ",\n", s->components,
         s->largest_component);
  if (g->edge_type) print_json_types("edge_types_in_use", &t->stored, g->num_edges);
  if (g->edge_type || g->node_type) print_json_types("canonical_types", &t->canonical, g->num_edges);
  print_json_degrees("in_degree", &s->in);
  print_json_degrees("out_degree", &s->out);
  printf("  \"fingerprint\": \"%016" PRIx64 "\"\n}\n", graph_fingerprint(g));
}

static int run(const gnn_data_command *c, int argc, char **argv) {
  bool is_json = false;
  const char *threads = NULL;
  load_format from = LOAD_FORMAT_unknown;
  int option, exit_code = GNN_DATA_EXIT_usage;
  while ((option = gnn_data_next_option(c, argc, argv, &exit_code)) >= 0) {
    if (option == OPTION_json)
      is_json = true;
    else if (option == OPTION_threads)
      threads = optarg;
    else if ((from = load_parse_format(optarg)) == LOAD_FORMAT_unknown)
      return gnn_data_usage(c, "--from is '%s', which is no format", optarg);
  }
  if (option == GNN_DATA_OPTIONS_exit) return exit_code;
  if (argc - optind != 1) return gnn_data_usage(c, "expected one graph file, found %d", argc - optind);
  if (from == LOAD_FORMAT_unknown && load_guess_format(argv[optind]) == LOAD_FORMAT_unknown)
    return gnn_data_usage(c, "the name of '%s' does not tell its format, --from=FORMAT does", argv[optind]);
  thread_pool *pool = gnn_data_make_pool(c, threads);
  if (!pool) return GNN_DATA_EXIT_usage;
  gnn_data_graph input;
  graph_statistics statistics;
  type_statistics types = {0};
  status s = gnn_data_open_graph(argv[optind], from, pool, &input);
  const graph *g = input.graph;
  if (!s) s = statistics_collect(g, pool, &statistics);
  progress_step("count types", NULL, 0);
  if (!s && (g->edge_type || g->node_type)) s = type_statistics_collect(g, &types);
  progress_step("", NULL, 0);
  if (!s) (is_json ? print_json : print_text)(g, &statistics, &types);
  gnn_data_close_graph(&input);
  thread_pool_destroy(pool);
  return s ? gnn_data_fail(s) : GNN_DATA_EXIT_done;
}

const gnn_data_command gnn_data_stats = {
    .name = "stats",
    .synopsis = "[OPTION...] GRAPH",
    .summary = "Prints the statistics of a graph: sizes, types, degrees, loops, duplicates, components, fingerprint.",
    .options = options,
    .run = run,
};
