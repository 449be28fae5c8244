/* gnn-data partition: cuts a graph into cells, for several ranks and for graphs larger than memory. */
#include "data/cells/cells.h"
#include "data/cells/cells_file.h"
#include "data/cells/cells_part.h"
#include "data/cells/cells_statistics.h"
#include "support/progress.h"
#include "support/text.h"
#include "tools/gnn-data/gnn_data.h"
#include "tools/gnn-data/gnn_data_metis.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum {
  OPTION_cells,
  OPTION_method,
  OPTION_seed,
  OPTION_ranks,
  OPTION_output,
  OPTION_json,
  OPTION_from,
  OPTION_threads
};

static const gnn_data_option options[] = {
    [OPTION_cells] = {"cells", 0, "N", "cells, 1 to 1024 (default 64); ranks own consecutive ones"},
    [OPTION_method] =
        {"method", 0, "METHOD",
         "metis, streaming (no library) or blocks (the file's order); default metis where it is built in"},
    [OPTION_seed] = {"seed", 0, "N", "another cut by METIS (default 1)"},
    [OPTION_ranks] = {"ranks", 0, "N", "print what each of so many ranks owns and exchanges, at most one per cell"},
    [OPTION_output] = {"output", 'o', "FILE", "what to write, .cells.safetensors; without it only the cut is printed"},
    [OPTION_json] = {"json", 0, NULL, "print JSON"},
    [OPTION_from] = {"from", 0, "FORMAT", LOAD_FORMAT_NAMES " (default: by the name)"},
    [OPTION_threads] = {"threads", 0, "N", "threads to use, 1 to 64 (default: one per processor)"},
    {0}};

typedef struct arguments {
  cells_options cut;
  int64_t ranks; /* 0: their parts are not printed */
  bool is_json;
  const char *output, *threads;
  load_format from;
} arguments;

static bool read_method(const gnn_data_command *c, cells_method *out) {
  for (size_t i = 0; cells_method_name(i); i++)
    if (strcmp(optarg, cells_method_name(i)) == 0) return *out = (cells_method)i, true;
  return gnn_data_usage(c, "--method is '%s', expected metis, streaming or blocks", optarg), false;
}

static bool read_cells(const gnn_data_command *c, const char *option, int64_t *out) {
  if (!gnn_data_read_count(c, option, optarg, out)) return false;
  if (*out >= 1 && *out <= CELLS_MOST) return true;
  return gnn_data_usage(c, "--%s is '%s', expected 1 to %d", option, optarg, CELLS_MOST), false;
}

static bool apply(const gnn_data_command *c, int option, arguments *a) {
  int64_t seed, count;
  switch (option) {
  case OPTION_cells:
    if (!read_cells(c, "cells", &count)) return false;
    return a->cut.count = (int32_t)count, true;
  case OPTION_ranks: return read_cells(c, "ranks", &a->ranks);
  case OPTION_method: return read_method(c, &a->cut.method);
  case OPTION_seed:
    if (!gnn_data_read_count(c, "seed", optarg, &seed)) return false;
    return a->cut.seed = (uint64_t)seed, true;
  case OPTION_output: return a->output = optarg, true;
  case OPTION_json: return a->is_json = true;
  case OPTION_threads: return a->threads = optarg, true;
  default:
    if ((a->from = load_parse_format(optarg)) != LOAD_FORMAT_unknown) return true;
    return gnn_data_usage(c, "--from is '%s', which is no format", optarg), false;
  }
}

static void print_text(const graph *g, const arguments *a, const cells_statistics *s) {
  printf("%-20s %d by %s, %" PRId64 " to %" PRId64 " nodes\n", "cells", a->cut.count,
         cells_method_name((size_t)a->cut.method), s->least_nodes, s->most_nodes);
  printf("%-20s %" PRId64 " of %" PRId64 " edges between cells, %.1f %%\n", "cut", s->cut, g->num_edges,
         g->num_edges ? 100.0 * (double)s->cut / (double)g->num_edges : 0.0);
  if (s->count) printf("\nranks  ghosts per node  largest rank  edges, most / mean  exchange\n");
  for (int i = 0; i < s->count; i++) {
    const cells_of_ranks *r = &s->of[i];
    printf("%5d  %15.3f  %12.3f  %18.2f  %s\n", r->ranks, r->ghosts, r->most_ghosts, r->most_edges,
           r->by_columns ? "columns" : "rows");
  }
}

static void print_json(const graph *g, const arguments *a, const cells_statistics *s) {
  printf("{\n  \"cells\": %d,\n  \"method\": \"%s\",\n  \"num_nodes\": %" PRId64 ",\n  \"num_edges\": %" PRId64 ",\n",
         a->cut.count, cells_method_name((size_t)a->cut.method), g->num_nodes, g->num_edges);
  printf("  \"least_nodes\": %" PRId64 ",\n  \"most_nodes\": %" PRId64 ",\n  \"cut\": %" PRId64 ",\n  \"ranks\": [",
         s->least_nodes, s->most_nodes, s->cut);
  for (int i = 0; i < s->count; i++) {
    const cells_of_ranks *r = &s->of[i];
    printf("%s\n    {\"ranks\": %d, \"ghosts\": %.17g, \"most_ghosts\": %.17g, \"most_edges\": %.17g, \"exchange\": "
           "\"%s\"}",
           i ? "," : "", r->ranks, r->ghosts, r->most_ghosts, r->most_edges, r->by_columns ? "columns" : "rows");
  }
  printf("%s]\n}\n", s->count ? "\n  " : "");
}

/* Prints the part of each rank. */
static status print_parts(const graph *g, const cells *c, int32_t ranks) {
  printf("\n rank     nodes  interior       edges    ghosts      sent  neighbours\n");
  for (int32_t rank = 0; rank < ranks; rank++) {
    cells_part p;
    status s = cells_part_make(g, c, rank, ranks, CELLS_EDGES_in, &p);
    int64_t sent = 0;
    for (int32_t i = 0; i < p.num_neighbours; i++) sent += p.neighbours[i].num_sent;
    if (!s)
      printf("%5d  %8" PRId64 "  %8" PRId64 "  %10" PRId64 "  %8" PRId64 "  %8" PRId64 "  %10d\n", rank, p.num_own,
             p.num_interior, p.num_edges, p.num_ghosts, sent, p.num_neighbours);
    cells_part_free(&p);
    if (s) return s;
  }
  return STATUS_OK;
}

/* METIS is not made for cells of a few nodes. */
static cells_method method_of(const graph *g, const cells_options *o) {
  bool is_small = g->num_nodes < (int64_t)GNN_DATA_METIS_LEAST_NODES * o->count;
  return o->method == CELLS_metis && is_small ? CELLS_streaming : o->method;
}

/* Cuts, measures, writes and prints; nothing is printed of a cut that cannot be written. */
static status partition(const graph *g, arguments *a) {
  cells c;
  cells_statistics measured;
  text made_by = {0};
  a->cut.method = method_of(g, &a->cut);
  RETURN_IF_ERROR(cells_divide(g, &a->cut, &c));
  status s = cells_measure(g, &c, a->cut.pool, &measured);
  text_printf(&made_by, "gnn-data " GNNC_VERSION " partition --cells=%d --method=%s", c.count,
              cells_method_name((size_t)a->cut.method));
  if (a->cut.method == CELLS_metis) text_printf(&made_by, " --seed=%" PRIu64, a->cut.seed);
  if (!s && a->output) s = cells_write(a->output, g, &c, a->cut.method, text_str(&made_by));
  progress_step("", NULL, 0);
  if (!s) (a->is_json ? print_json : print_text)(g, a, &measured);
  if (!s && a->ranks && !a->is_json) s = print_parts(g, &c, (int32_t)a->ranks);
  text_free(&made_by);
  cells_free(&c);
  return s;
}

/* Whether two names are of one file. */
static bool is_same_file(const char *a, const char *b) {
  struct stat x, y;
  return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Whether the arguments fit one another; explains what does not. */
static bool check(const gnn_data_command *c, const arguments *a, const char *input) {
  if (a->from == LOAD_FORMAT_unknown && load_guess_format(input) == LOAD_FORMAT_unknown)
    return gnn_data_usage(c, "the name of '%s' does not tell its format, --from=FORMAT does", input), false;
  if (a->output && load_guess_format(a->output) != LOAD_FORMAT_safetensors)
    return gnn_data_usage(c, "cells are written as safetensors; '%s' does not end in .safetensors", a->output), false;
  if (a->output && is_same_file(a->output, input))
    return gnn_data_usage(c, "-o '%s' is the graph itself, which the cells would replace", a->output), false;
  if (a->ranks > a->cut.count)
    return gnn_data_usage(c, "%d cells are too few for --ranks=%" PRId64, a->cut.count, a->ranks), false;
  if (a->cut.method != CELLS_metis || a->cut.metis) return true;
  return gnn_data_usage(c, "this gnn-data is built without METIS; --method=streaming needs none"), false;
}

static int run(const gnn_data_command *c, int argc, char **argv) {
  arguments a = {.cut = {.count = CELLS_DEFAULT, .seed = 1, .metis = gnn_data_metis(), .method = CELLS_streaming}};
  if (a.cut.metis) a.cut.method = CELLS_metis;
  int option, exit_code = GNN_DATA_EXIT_usage;
  while ((option = gnn_data_next_option(c, argc, argv, &exit_code)) >= 0)
    if (!apply(c, option, &a)) return GNN_DATA_EXIT_usage;
  if (option == GNN_DATA_OPTIONS_exit) return exit_code;
  if (argc - optind != 1) return gnn_data_usage(c, "expected one graph file, found %d", argc - optind);
  if (!check(c, &a, argv[optind])) return GNN_DATA_EXIT_usage;
  a.cut.pool = gnn_data_make_pool(c, a.threads);
  if (!a.cut.pool) return GNN_DATA_EXIT_usage;
  gnn_data_graph input;
  status s = gnn_data_open_graph(argv[optind], a.from, a.cut.pool, &input);
  if (!s) s = partition(input.graph, &a);
  gnn_data_close_graph(&input);
  thread_pool_destroy(a.cut.pool);
  return s ? gnn_data_fail(s) : GNN_DATA_EXIT_done;
}

const gnn_data_command gnn_data_partition = {
    .name = "partition",
    .synopsis = "[OPTION...] GRAPH [-o CELLS]",
    .summary = "Cuts a graph into cells for several ranks, and prints how many rows they exchange.",
    .details =
        "Ranks own nodes and the edges into them. Ghosts are the nodes of other ranks that these edges come from.\n\n"
        "  gnn-data partition cora.safetensors --cells=64 -o cora.cells.safetensors\n",
    .options = options,
    .run = run,
};
