/* gnn-run --verify: computes a sample of the outputs again and prints how far they are from the run.
 *
 *   verify: 64 of 2708 nodes again in double precision, with 873 nodes and 3571 edges that they depend on (2 hops)
 *   verify: logits: largest difference 4.77e-07 (3.2e-08 of the largest value) at node 1358, column 3, allowed 0.00149: equal
 *
 * The second computation is C that gnnc makes with -O0 --float=f64 from the source that the program
 * holds: no pass beyond those that are needed, no kernel of a machine, and other arithmetic. */
#include "tools/gnn-run/gnn_run.h"

#include "runtime/session.h"

#include <jansson.h>
#include <math.h>

/* Everything that a verification compares with. */
typedef struct verifier {
  arena *arena;
  const run_options *options;
  const graph *graph;
  const run_outputs *outputs; /* of the run */
  graph_reach reach;
  receptive_field field;
  const int64_t *row_of_node; /* the row of each node in the outputs of the run; -1: none */
  const bool *is_chosen;      /* [nodes] */
  json_t *json;               /* a list with an object per output */
} verifier;

/* The largest difference of an output. */
typedef struct verdict {
  run_difference found; /* where: the element in the rows of the field */
  int64_t compared;     /* rows */
  int64_t row;          /* of the run */
  float ours, theirs;   /* at the largest difference */
} verdict;

/* ---- which rows correspond ---- */

/* Returns the row of the run for a row of the field; -1 where it is not compared. */
static int64_t row_of_run(const verifier *v, const run_output *o, int64_t row) {
  bool is_whole = v->reach.extent != REACH_hops;
  if (o->is_per_node) {
    int64_t node = v->field.nodes[row];
    return is_whole || v->is_chosen[node] ? v->row_of_node[node] : -1;
  }
  if (o->is_per_edge) {
    int64_t edge = v->field.edges[row];
    return is_whole || receptive_field_has_row(v->graph, &v->reach, v->is_chosen, edge) ? edge : -1;
  }
  if (o->is_per_graph) return v->field.graphs ? v->field.graphs[row] : row;
  return row;
}

static void compare_row(const run_output *ours, const run_output *theirs, int64_t row, int64_t at, verdict *out) {
  const float *found = ours->data + row * ours->elements, *expected = theirs->data + at * ours->elements;
  run_difference d = run_find_difference(found, expected, ours->elements);
  out->found.scale = fmax(out->found.scale, d.scale);
  out->compared++;
  if (!(d.largest > out->found.largest)) return;
  out->found.largest = d.largest;
  out->found.where = d.where;
  out->row = row;
  out->ours = found[d.where];
  out->theirs = expected[d.where];
}

static verdict compare_output(const verifier *v, const run_output *ours, const run_output *theirs) {
  verdict made = {.found = {.scale = 1}};
  for (int64_t i = 0; i < theirs->rows; i++) {
    int64_t row = row_of_run(v, theirs, i);
    if (row >= 0) compare_row(ours, theirs, row, i, &made);
  }
  return made;
}

/* ---- the report ---- */

/* The row of the graph file where the difference is. */
static int64_t place_row(const verifier *v, const run_output *o, const verdict *found) {
  return o->is_per_node && v->outputs->nodes ? v->outputs->nodes[found->row] : found->row;
}

static const char *place_text(const verifier *v, const run_output *o, const verdict *found) {
  const char *rows = o->is_per_node ? "node " : o->is_per_edge ? "edge " : o->is_per_graph ? "graph " : "row ";
  long long row = (long long)place_row(v, o, found);
  const char *column = o->elements > 1 ? arena_printf(v->arena, ", column %lld", (long long)found->found.where) : "";
  return o->has_rows ? arena_printf(v->arena, "%s%lld%s", rows, row, column)
                     : arena_printf(v->arena, "element %lld", (long long)found->found.where);
}

static json_t *real_json(double number) {
  return isfinite(number) ? json_real(number) : json_null();
}

static json_t *output_json(const run_output *o, const verdict *found, int64_t row, double allowed) {
  json_t *made = json_object();
  json_object_set_new(made, "name", json_string(o->name));
  json_object_set_new(made, "difference", real_json(found->found.largest));
  json_object_set_new(made, "relative", real_json(found->found.largest / found->found.scale));
  json_object_set_new(made, "allowed", real_json(allowed));
  json_object_set_new(made, "rows", json_integer(found->compared));
  json_object_set_new(made, "row", json_integer(row));
  json_object_set_new(made, "column", json_integer(found->found.where));
  json_object_set_new(made, "found", real_json((double)found->ours));
  json_object_set_new(made, "expected", real_json((double)found->theirs));
  json_object_set_new(made, "agrees", json_boolean(!(found->found.largest > allowed)));
  return made;
}

static bool report_output(const verifier *v, const run_output *o, const verdict *found) {
  double allowed = (v->options->tolerance < 0 ? MACHINE_TOLERANCE_F32 : v->options->tolerance) * found->found.scale;
  bool differs = found->found.largest > allowed;
  const char *at = found->found.largest > 0 ? arena_printf(v->arena, " at %s", place_text(v, o, found)) : "";
  run_print(v->options->report, "verify: %s: largest difference %.3g (relative %.3g)%s, allowed %.3g: %s\n", o->name,
            found->found.largest, found->found.largest / found->found.scale, at, allowed,
            differs ? "differs" : "equal");
  json_array_append_new(v->json, output_json(o, found, place_row(v, o, found), allowed));
  if (differs)
    run_print(v->options->report, "verify: %s: it is %.9g there, expected %.9g\n", o->name, (double)found->ours,
              (double)found->theirs);
  return differs;
}

static void report_field(const verifier *v, int64_t chosen) {
  const graph *part = &v->field.part;
  FILE *to = v->options->report;
  fprintf(to, "verify: %lld of %lld nodes again in double precision", (long long)chosen,
          (long long)v->graph->num_nodes);
  if (v->reach.extent == REACH_hops)
    fprintf(to, ", from %lld nodes and %lld edges on which they depend (%lld hop%s)\n", (long long)part->num_nodes,
            (long long)part->num_edges, (long long)v->reach.hops, v->reach.hops == 1 ? "" : "s");
  else if (part->num_nodes == v->graph->num_nodes)
    fprintf(to, ", from the whole graph, on which they depend\n");
  else
    fprintf(to, ", from %lld whole graphs with %lld nodes and %lld edges\n", (long long)part->num_graphs,
            (long long)part->num_nodes, (long long)part->num_edges);
}

/* ---- the second computation ---- */

static status compare_session(const verifier *v, const gnnc_program *program, gnnc_session *session, bool *differs) {
  run_outputs expected = run_outputs_of_session(v->arena, program, session);
  for (int32_t i = 0; i < expected.count; i++) {
    const run_output *theirs = &expected.items[i], *ours = run_outputs_find(v->outputs, theirs->name);
    if (!ours || ours->elements != theirs->elements)
      return status_error(STATUS_CODE_mismatch, "the program has no output '%s' with rows of %lld numbers",
                          theirs->name, (long long)theirs->elements);
    verdict found = compare_output(v, ours, theirs);
    *differs |= report_output(v, theirs, &found);
  }
  return STATUS_OK;
}

static status compute(const verifier *v, const gnnc_program *program, bool *differs) {
  session_request request = {.graph = v->graph, .weights = v->options->weights, .field = &v->field};
  gnnc_session *session = NULL;
  status s = session_create(program, &request, &session);
  progress_step("verify", NULL, 0);
  if (!s) s = gnnc_session_run(session, NULL);
  progress_step("", NULL, 0);
  if (!s) s = compare_session(v, program, session, differs);
  gnnc_session_destroy(session);
  return s;
}

/* Chooses the nodes whose rows are computed again: those of --nodes, else a sample. */
static run_nodes choose(verifier *v) {
  run_nodes nodes = {.items = v->outputs->nodes, .count = v->outputs->num_nodes};
  if (!nodes.items) run_sample_nodes(v->arena, v->options->verified, v->graph->num_nodes, &nodes);
  bool *is_chosen = arena_alloc_array(v->arena, (size_t)v->graph->num_nodes + 1, sizeof *is_chosen);
  int64_t *rows = arena_alloc_array(v->arena, (size_t)v->graph->num_nodes + 1, sizeof *rows);
  for (int64_t n = 0; n < v->graph->num_nodes; n++) rows[n] = v->outputs->nodes ? -1 : n;
  for (int64_t i = 0; i < nodes.count; i++) {
    is_chosen[nodes.items[i]] = true;
    if (v->outputs->nodes) rows[nodes.items[i]] = i;
  }
  v->row_of_node = rows;
  v->is_chosen = is_chosen;
  return nodes;
}

status run_verify(const run_outputs *outputs, const run_model *model, const graph *g, const run_options *options,
                  bool *differs) {
  static const char *const flags[] = {"-O0", "--float=f64", NULL};
  verifier v = {.arena = arena_create(), .options = options, .graph = g, .outputs = outputs};
  v.json = json_array();
  run_reference reference;
  progress_step("compile the model for --verify", NULL, 0);
  status s = run_reference_open(v.arena, model, flags, options, &reference);
  if (!s) {
    v.reach = reference.reach;
    run_nodes nodes = choose(&v);
    receptive_field_find(v.arena, g, &v.reach, nodes.items, nodes.count, &v.field);
    report_field(&v, nodes.count);
    s = compute(&v, reference.program, differs);
    run_results_put(options, "verify",
                    json_pack("{s:I,s:I,s:I,s:O}", "chosen", (json_int_t)nodes.count, "nodes",
                              (json_int_t)v.field.part.num_nodes, "edges", (json_int_t)v.field.part.num_edges,
                              "outputs", v.json));
  }
  json_decref(v.json);
  run_reference_close(v.arena, model, &reference);
  arena_destroy(v.arena);
  return status_context(s, "--verify");
}
