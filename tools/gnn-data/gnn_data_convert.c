/* gnn-data convert: reads any format and writes safetensors or text. It writes nothing when the
 * graph is invalid. */
#include "data/feature_rows.h"
#include "data/formats/safetensors.h"
#include "data/formats/text_tensors.h"
#include "data/graph.h"
#include "data/sparse_matrix.h"
#include "data/type_statistics.h"
#include "support/program.h"
#include "support/progress.h"
#include "tools/gnn-data/gnn_data.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum {
  OPTION_from,
  OPTION_to,
  OPTION_output,
  OPTION_undirected,
  OPTION_keep_ids,
  OPTION_no_self_loops,
  OPTION_no_duplicates,
  OPTION_canonical_types,
  OPTION_header,
  OPTION_features,
  OPTION_split,
  OPTION_threads
};

static const gnn_data_option options[] = {
    [OPTION_from] = {"from", 0, "FORMAT", LOAD_FORMAT_NAMES " (default: by the name)"},
    [OPTION_to] = {"to", 0, "FORMAT", "safetensors or text (default: by the name of the output)"},
    [OPTION_output] = {"output", 'o', "FILE", "what to write, .safetensors or .txt; - is standard output"},
    [OPTION_undirected] = {"undirected", 0, NULL, "add the reverse of every edge (triples: as the relation r + R)"},
    [OPTION_keep_ids] = {"keep-ids", 0, NULL, "keep the numbers of nodes and relations, with gaps"},
    [OPTION_no_self_loops] = {"no-self-loops", 0, NULL, "drop edges from a node to itself"},
    [OPTION_no_duplicates] = {"no-duplicates", 0, NULL, "keep the first of equal edges (same ends and type)"},
    [OPTION_canonical_types] = {"canonical-types", 0, NULL,
                                "edge_type becomes the number of (relation, source type, target type)"},
    [OPTION_header] = {"header", 0, "YES|NO",
                       "whether the first line of a table names its columns (default: by its names)"},
    [OPTION_features] = {"features", 0, "FILE", "take x from a sparse matrix: .npz of scipy, .mtx, ..."},
    [OPTION_split] = {"split", 0, "NAME", "the split of a folder of OGB that becomes masks, where it has several"},
    [OPTION_threads] = {"threads", 0, "N", "threads to use, 1 to 64 (default: one per processor)"},
    {0}};

typedef struct arguments {
  load_format from, to;
  const char *input, *output, *features, *threads;
  import_options import;
  bool has_import_options, has_canonical_types;
  bool is_edge_list; /* of a foreign format */
} arguments;

static bool read_format(const gnn_data_command *c, const char *option, bool is_output, load_format *out) {
  *out = load_parse_format(optarg);
  if (*out == LOAD_FORMAT_unknown)
    return gnn_data_usage(c, "--%s is '%s', expected %s", option, optarg,
                          is_output ? "safetensors or text" : LOAD_FORMAT_NAMES),
           false;
  if (!is_output || *out == LOAD_FORMAT_safetensors || *out == LOAD_FORMAT_text) return true;
  return gnn_data_usage(c, "--to is '%s', only safetensors and text can be written", optarg), false;
}

static bool read_header(const gnn_data_command *c, import_header *out) {
  bool is_yes = strcmp(optarg, "yes") == 0;
  *out = is_yes ? IMPORT_HEADER_yes : IMPORT_HEADER_no;
  if (is_yes || strcmp(optarg, "no") == 0) return true;
  return gnn_data_usage(c, "--header is '%s', expected yes or no", optarg), false;
}

static bool apply(const gnn_data_command *c, int option, arguments *a) {
  switch (option) {
  case OPTION_from: return read_format(c, "from", false, &a->from);
  case OPTION_to: return read_format(c, "to", true, &a->to);
  case OPTION_output: a->output = optarg; return true;
  case OPTION_threads: a->threads = optarg; return true;
  case OPTION_features: a->features = optarg; return true;
  case OPTION_header: return a->has_import_options = read_header(c, &a->import.header);
  case OPTION_split: a->import.split = optarg; break;
  case OPTION_canonical_types: return a->has_canonical_types = true;
  case OPTION_undirected: a->import.is_undirected = true; break;
  case OPTION_keep_ids: a->import.keeps_ids = true; break;
  case OPTION_no_self_loops: a->import.drops_loops = true; break;
  case OPTION_no_duplicates: a->import.drops_duplicates = true; break;
  default: break;
  }
  a->has_import_options = true;
  return true;
}

/* Completes and checks the arguments after the options; returns 0 or the exit code of wrong usage. */
static int complete(const gnn_data_command *c, int argc, char **argv, arguments *a) {
  if (argc - optind != 1) return gnn_data_usage(c, "expected one input file, found %d", argc - optind);
  a->input = argv[optind];
  if (!a->output) return gnn_data_usage(c, "where to? -o FILE is missing");
  struct stat found = {0};
  bool is_unknown = a->from == LOAD_FORMAT_unknown && load_guess_format(a->input) == LOAD_FORMAT_unknown;
  if (is_unknown && !stat(a->input, &found) && S_ISDIR(found.st_mode))
    return gnn_data_usage(
        c,
        "folder '%s' is none of the Open Graph Benchmark (with raw/edge.csv.gz or raw/data.npz) or of "
        "Planetoid (with ind.NAME.graph)",
        a->input);
  if (is_unknown) return gnn_data_usage(c, "the name of '%s' does not tell its format, --from=FORMAT does", a->input);
  if (a->to == LOAD_FORMAT_unknown) {
    load_format guess = load_guess_format(a->output);
    bool is_text = guess == LOAD_FORMAT_snap || strcmp(a->output, "-") == 0;
    a->to = guess == LOAD_FORMAT_safetensors ? guess : is_text ? LOAD_FORMAT_text : LOAD_FORMAT_unknown;
  }
  if (a->to == LOAD_FORMAT_unknown)
    return gnn_data_usage(c, "the name of '%s' does not tell the format, --to=safetensors or --to=text does",
                          a->output);
  load_format from = a->from != LOAD_FORMAT_unknown ? a->from : load_guess_format(a->input);
  a->is_edge_list = !load_is_own_format(from);
  if (a->import.split && from != LOAD_FORMAT_ogb) return gnn_data_usage(c, "--split is for folders of OGB");
  if (a->features) a->import.keeps_ids = true; /* row r of the features is that of node r */
  if (a->has_import_options && !a->is_edge_list)
    return gnn_data_usage(c, "the edges of a safetensors or text file are taken as they are");
  return 0;
}

/* Whether an edge goes from `src` to `dst`; edges of importers are sorted by source and target. */
static bool has_edge(const int32_t *ends, int64_t count, int32_t src, int32_t dst) {
  int64_t low = 0, high = count;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    int32_t s = ends[middle], d = ends[count + middle];
    if (s < src || (s == src && d < dst))
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && ends[low] == src && ends[count + low] == dst;
}

/* Prints a note when none of a few thousand evenly spaced edges has a reverse edge. Files often
 * list each undirected edge once, and messages would then flow in one direction only. Typed
 * relations have a direction, so they get no note. */
static void note_one_direction(const tensor_set *set, const arguments *a) {
  enum { SAMPLES = 4096 };
  const tensor *t = tensor_set_find(set, "edge_index");
  if (!a->is_edge_list || a->import.is_undirected || !t || t->dtype != DTYPE_I32 || tensor_set_find(set, "edge_type"))
    return;
  const int32_t *ends = (const void *)t->data;
  int64_t count = t->dims[1], looked_at = 0;
  for (int64_t i = 0; i < SAMPLES && i < count; i++) {
    int64_t e = count <= SAMPLES ? i : (int64_t)((double)count / (double)SAMPLES * (double)i);
    if (ends[e] == ends[count + e]) continue;
    if (has_edge(ends, count, ends[count + e], ends[e])) return;
    looked_at++;
  }
  if (looked_at < 2) return;
  program_begin_message(NULL, TERMINAL_note);
  fprintf(stderr, "%s: no edge has its reverse%s; if the graph is undirected, --undirected adds them\n", a->input,
          count <= SAMPLES ? "" : arena_printf(set->memory, " (of %" PRId64 " looked at)", looked_at));
}

/* Replaces the features by a matrix from a file, whose rows are the nodes. */
static status add_features(arena *memory, tensor_set *set, const arguments *a) {
  sparse_matrix m;
  if (tensor_set_find(set, "x") || tensor_set_find(set, "x_indptr"))
    return status_error(STATUS_CODE_mismatch, "%s: has features already, --features=%s would be others", a->input,
                        a->features);
  RETURN_IF_ERROR(sparse_matrix_read(memory, a->features, LOAD_FORMAT_unknown, a->import.pool, &m));
  int64_t nodes;
  if (tensor_set_get_metadata_int(set, "num_nodes", &nodes) && nodes > m.rows)
    return status_error(STATUS_CODE_mismatch, "%s: has %" PRId64 " rows, but %s has %" PRId64 " nodes", a->features,
                        m.rows, a->input, nodes);
  tensor_set_put_metadata_int(set, "num_nodes", m.rows);
  return feature_rows_add_matrix(memory, &m, set);
}

/* Warns of parts of the input that are not in the output. */
static void warn_of_rest(const tensor_set *set, const arguments *a) {
  const char *skipped = tensor_set_get_metadata(set, "skipped"), *left_out = tensor_set_get_metadata(set, "left_out");
  if (skipped) program_warning("%s: left out, because they hold no numbers: %s", a->input, skipped);
  if (left_out) program_warning("%s: left out: %s", a->input, left_out);
}

/* Fails when the set holds edge_index and is no valid graph. */
static status check(tensor_set *set) {
  if (!tensor_set_find(set, "edge_index")) return STATUS_OK;
  graph *g;
  RETURN_IF_ERROR(graph_create(set, &g));
  status s = graph_check_forms(g, "x");
  graph_csr features;
  if (!s && tensor_set_find(set, "x_indptr")) s = graph_read_csr(g, g->memory, "x", &features);
  graph_close(g);
  return s;
}

static status write_set(const tensor_set *set, const arguments *a) {
  if (a->to == LOAD_FORMAT_safetensors) return safetensors_write(a->output, set);
  text t = {0};
  text_tensors_print(set, &t);
  status s = file_write(a->output, text_str(&t), t.size);
  text_free(&t);
  return s;
}

static int run(const gnn_data_command *c, int argc, char **argv) {
  arguments a = {0};
  int option, exit_code = GNN_DATA_EXIT_usage;
  while ((option = gnn_data_next_option(c, argc, argv, &exit_code)) >= 0)
    if (!apply(c, option, &a)) return GNN_DATA_EXIT_usage;
  if (option == GNN_DATA_OPTIONS_exit) return exit_code;
  int wrong = complete(c, argc, argv, &a);
  if (wrong) return wrong;
  a.import.pool = gnn_data_make_pool(c, a.threads);
  if (!a.import.pool) return GNN_DATA_EXIT_usage;
  arena *memory = arena_create();
  tensor_set *set = NULL;
  status s = load_tensors(memory, a.input, a.from, &a.import, &set);
  if (!s && a.features) s = add_features(memory, set, &a);
  if (!s && a.has_canonical_types) s = type_statistics_canonicalize(set);
  progress_step("check the graph", NULL, 0);
  if (!s) s = check(set);
  if (!s) warn_of_rest(set, &a);
  if (!s) s = write_set(set, &a);
  if (!s) note_one_direction(set, &a);
  tensor_set_destroy(set);
  arena_destroy(memory);
  thread_pool_destroy(a.import.pool);
  return s ? gnn_data_fail(s) : GNN_DATA_EXIT_done;
}

const gnn_data_command gnn_data_convert = {
    .name = "convert",
    .synopsis = "[OPTION...] INPUT -o OUTPUT",
    .summary = "Converts a graph or weights between formats. Input packed with gzip is unpacked.",
    .details = "  gnn-data convert soc-Epinions1.txt.gz -o epinions.safetensors\n"
               "  gnn-data convert --undirected --no-duplicates amazon_photo.npz -o photo.safetensors\n"
               "  gnn-data convert ogbn_arxiv -o arxiv.safetensors\n"
               "  gnn-data convert --features=x.npz adjacency.npz -o graph.safetensors\n"
               "  gnn-data convert karate.txt -o karate.safetensors\n",
    .options = options,
    .run = run,
};
