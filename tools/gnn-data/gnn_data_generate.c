/* gnn-data generate: makes a synthetic graph of given sizes. The same options give the same bytes
 * on every host. */
#include "data/formats/safetensors.h"
#include "data/formats/text_tensors.h"
#include "data/generate/generate.h"
#include "tools/gnn-data/gnn_data.h"

#include <getopt.h>
#include <inttypes.h>
#include <string.h>

enum {
  OPTION_kind,
  OPTION_nodes,
  OPTION_edges,
  OPTION_seed,
  OPTION_exponent,
  OPTION_rmat,
  OPTION_features,
  OPTION_density,
  OPTION_classes,
  OPTION_edge_types,
  OPTION_node_types,
  OPTION_weights,
  OPTION_undirected,
  OPTION_no_self_loops,
  OPTION_output,
  OPTION_threads
};

static const gnn_data_option options[] = {
    [OPTION_kind] = {"kind", 0, "KIND", "rmat, power-law or uniform (default rmat)"},
    [OPTION_nodes] = {"nodes", 0, "N", "nodes; k, M, G count thousands, millions, thousand millions"},
    [OPTION_edges] = {"edges", 0, "N", "directed edges"},
    [OPTION_seed] = {"seed", 0, "N", "another graph of the same kind (default 0)"},
    [OPTION_exponent] = {"exponent", 0, "X", "of the power law (default 2.1)"},
    [OPTION_rmat] = {"rmat", 0, "A,B,C", "shares of the first three quadrants (default 0.57,0.19,0.19)"},
    [OPTION_features] = {"features", 0, "N", "columns of x (default none)"},
    [OPTION_density] = {"density", 0, "X", "share of nonzero features; below 1 they are stored sparse (default 1)"},
    [OPTION_classes] = {"classes", 0, "N", "random labels y and masks of 60, 20 and 20 percent"},
    [OPTION_edge_types] = {"edge-types", 0, "N", "random edge_type"},
    [OPTION_node_types] = {"node-types", 0, "N", "node_type, nodes grouped by type"},
    [OPTION_weights] = {"weights", 0, NULL, "random edge_weight in (0, 1]"},
    [OPTION_undirected] = {"undirected", 0, NULL,
                           "every edge with its reverse, both counted by --edges; no self loops"},
    [OPTION_no_self_loops] = {"no-self-loops", 0, NULL, "no edge from a node to itself"},
    [OPTION_output] = {"output", 'o', "FILE", "what to write, .safetensors or .txt"},
    [OPTION_threads] = {"threads", 0, "N", "threads to use, 1 to 64 (default: one per processor)"},
    {0}};

static const char *const kinds[] = {"uniform", "power-law", "rmat"};

static bool read_kind(const gnn_data_command *c, generate_kind *out) {
  for (int i = 0; i < 3; i++)
    if (strcmp(optarg, kinds[i]) == 0) return *out = (generate_kind)i, true;
  return gnn_data_usage(c, "--kind is '%s', expected rmat, power-law or uniform", optarg), false;
}

/* "0.57,0.19,0.19" */
static bool read_shares(const gnn_data_command *c, double shares[3]) {
  char copy[100] = {0};
  strncpy(copy, optarg, sizeof copy - 1);
  char *at = copy;
  for (int i = 0; i < 3; i++) {
    char *comma = strchr(at, ',');
    if (!comma != (i == 2)) return gnn_data_usage(c, "--rmat is '%s', expected three shares A,B,C", optarg), false;
    if (comma) *comma = '\0';
    if (!gnn_data_read_number(c, "rmat", at, &shares[i])) return false;
    at = comma ? comma + 1 : at;
  }
  return true;
}

/* Options that do not belong to the generator. */
typedef struct arguments {
  const char *output, *threads;
} arguments;

static bool apply(const gnn_data_command *c, int option, generate_options *o, arguments *a) {
  int64_t *const counts[] = {[OPTION_nodes] = &o->num_nodes,
                             [OPTION_edges] = &o->num_edges,
                             [OPTION_features] = &o->num_features,
                             [OPTION_classes] = &o->num_classes,
                             [OPTION_edge_types] = &o->num_edge_types,
                             [OPTION_node_types] = &o->num_node_types,
                             [OPTION_output] = NULL,
                             [OPTION_threads] = NULL};
  int64_t seed;
  switch (option) {
  case OPTION_kind: return read_kind(c, &o->kind);
  case OPTION_rmat: return read_shares(c, o->rmat);
  case OPTION_exponent: return gnn_data_read_number(c, "exponent", optarg, &o->exponent);
  case OPTION_density: return gnn_data_read_number(c, "density", optarg, &o->density);
  case OPTION_weights: o->has_weights = true; return true;
  case OPTION_undirected: o->is_undirected = true; return true;
  case OPTION_no_self_loops: o->drops_loops = true; return true;
  case OPTION_output: a->output = optarg; return true;
  case OPTION_threads: a->threads = optarg; return true;
  case OPTION_seed:
    if (!gnn_data_read_count(c, "seed", optarg, &seed)) return false;
    o->seed = (uint64_t)seed;
    return true;
  default: return gnn_data_read_count(c, options[option].name, optarg, counts[option]);
  }
}

/* "gnn-data 0.1.0 generate --kind=rmat --nodes=34 --edges=156 --seed=0 --undirected": the options
 * that determine the graph. */
static void describe(const generate_options *o, text *out) {
  text_printf(out,
              "gnn-data " GNNC_VERSION " generate --kind=%s --nodes=%" PRId64 " --edges=%" PRId64 " --seed=%" PRIu64,
              kinds[o->kind], o->num_nodes, o->num_edges, o->seed);
  if (o->exponent != 0) text_printf(out, " --exponent=%.9g", o->exponent);
  if (o->rmat[0] != 0) text_printf(out, " --rmat=%.9g,%.9g,%.9g", o->rmat[0], o->rmat[1], o->rmat[2]);
  if (o->num_features) text_printf(out, " --features=%" PRId64, o->num_features);
  if (o->density < 1) text_printf(out, " --density=%.9g", o->density);
  if (o->num_classes) text_printf(out, " --classes=%" PRId64, o->num_classes);
  if (o->num_edge_types) text_printf(out, " --edge-types=%" PRId64, o->num_edge_types);
  if (o->num_node_types) text_printf(out, " --node-types=%" PRId64, o->num_node_types);
  if (o->has_weights) text_append(out, " --weights");
  if (o->is_undirected) text_append(out, " --undirected");
  if (o->drops_loops) text_append(out, " --no-self-loops");
}

static status write_set(const tensor_set *set, const char *output, bool is_text) {
  if (!is_text) return safetensors_write(output, set);
  text t = {0};
  text_tensors_print(set, &t);
  status s = file_write(output, text_str(&t), t.size);
  text_free(&t);
  return s;
}

static int run(const gnn_data_command *c, int argc, char **argv) {
  generate_options o = {.kind = GENERATE_rmat, .num_nodes = -1, .num_edges = -1, .density = 1};
  arguments a = {0};
  int option, exit_code = GNN_DATA_EXIT_usage;
  while ((option = gnn_data_next_option(c, argc, argv, &exit_code)) >= 0)
    if (!apply(c, option, &o, &a)) return GNN_DATA_EXIT_usage;
  if (option == GNN_DATA_OPTIONS_exit) return exit_code;
  if (optind < argc) return gnn_data_usage(c, "no input is expected, found '%s'", argv[optind]);
  if (o.num_nodes < 0 || o.num_edges < 0) return gnn_data_usage(c, "--nodes and --edges are needed");
  if (!a.output) return gnn_data_usage(c, "where to? -o FILE is missing");
  load_format format = load_guess_format(a.output);
  bool is_text = format == LOAD_FORMAT_snap || strcmp(a.output, "-") == 0;
  if (!is_text && format != LOAD_FORMAT_safetensors)
    return gnn_data_usage(c, "the name of '%s' does not tell the format, .safetensors or .txt does", a.output);
  o.pool = gnn_data_make_pool(c, a.threads);
  if (!o.pool) return GNN_DATA_EXIT_usage;
  tensor_set *set = NULL;
  status s = generate_graph(&o, &set);
  bool is_usage = s && status_get_code(s) == STATUS_CODE_mismatch;
  if (!s) {
    text made_by = {0};
    describe(&o, &made_by);
    tensor_set_put_metadata(set, "made_by", text_str(&made_by));
    text_free(&made_by);
    s = write_set(set, a.output, is_text);
  }
  tensor_set_destroy(set);
  thread_pool_destroy(o.pool);
  if (is_usage) return gnn_data_fail(s), GNN_DATA_EXIT_usage;
  return s ? gnn_data_fail(s) : GNN_DATA_EXIT_done;
}

const gnn_data_command gnn_data_generate = {
    .name = "generate",
    .synopsis = "[OPTION...] --nodes=N --edges=N -o OUTPUT",
    .summary = "Makes a synthetic graph; the same options give the same bytes on every machine.",
    .details = "  gnn-data generate --kind=rmat --nodes=1M --edges=10M --seed=1 -o big.safetensors\n"
               "  gnn-data generate --kind=power-law --nodes=2708 --edges=10556 --undirected --features=1433\n"
               "      --density=0.0127 --classes=7 -o cora-like.safetensors\n",
    .options = options,
    .run = run,
};
