/* Prints counts as text and as JSON.
 *
 *   run
 *     GEMM z, rgat.gnn:10
 *       rows        U_src = 24299
 *       GEMM FLOPs  8192 U_src = 199057408 */
#include "tools/gnnc/gnnc_counts.h"

#include "dialects/ir.h"
#include "tools/gnnc/gnnc_made_by.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

typedef struct printer {
  arena *arena;
  const char *model;
  const intra_counts *counts;
  const gnnc_counts_graph *graph;
  text *out;
} printer;

enum { SUM_products, SUM_others, SUM_read, SUM_written, SUMS };
static const char *const sum_names[SUMS] = {"GEMM FLOPs", "other FLOPs", "bytes read", "bytes written"};
static const char *const sum_keys[SUMS] = {"gemm_flops", "traversal_flops", "bytes_read", "bytes_written"};

static const intra_sum *sum_of(const intra_kernel *k, int which) {
  const intra_sum *const sums[SUMS] = {&k->products, &k->others, &k->read, &k->written};
  return sums[which];
}

/* Returns the name of the kernel's template. */
static const char *kind_of(const intra_kernel *k) {
  if (!strcmp(k->kind, "gemm")) return "GEMM";
  if (!strcmp(k->kind, "make_edges")) return "edges";
  if (!strcmp(k->kind, "top_nodes")) return "choice";
  if (!strcmp(k->kind, "traverse")) return "traversal";
  return strcmp(k->kind, "extend_edges") == 0 || strcmp(k->kind, "restrict_edges") == 0 ||
                 strcmp(k->kind, "opposite_edges") == 0
             ? "copy"
             : k->kind;
}

/* "|E|" for "edge:g", "U_src" for "edge:g.unique_src", "|V:2|" for "node:g:2". */
static const char *symbol_of(arena *a, const char *rows) {
  static const char *const fixed[][2] = {{"one", "1"},           {"etype", "|T|"},       {"ntype", "|N|"},
                                         {"etype_src", "P_src"}, {"etype_dst", "P_dst"}, {"graph", "|B|"}};
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    if (!strcmp(rows, fixed[i][0])) return fixed[i][1];
  const char *set = strchr(rows, ':');
  if (!set) return rows;
  const char *suffix = strchr(set, '.'), *type = strrchr(rows, ':');
  type = type == set ? "" : type;
  if (!strncmp(rows, "node:", 5)) return arena_printf(a, "|V%s|", type);
  if (!strncmp(rows, "pair:", 5)) return "|V x V|";
  if (!strncmp(rows, "nonzero:", 8)) return arena_printf(a, "nnz(%s)", set + 1);
  if (!strncmp(rows, "in:", 3)) return arena_printf(a, "|E->%s|", type + 1);
  if (!strncmp(rows, "out:", 4)) return arena_printf(a, "|E<-%s|", type + 1);
  if (suffix && !strcmp(suffix, ".unique_src")) return "U_src";
  if (suffix && !strcmp(suffix, ".unique_dst")) return "U_dst";
  return arena_printf(a, "|E%s|", suffix ? suffix : "");
}

/* "8192 U_src + 64". */
static const char *formula_of(const printer *p, const intra_sum *sum) {
  const char *made = NULL;
  for (size_t i = 0; i < sum->count; i++) {
    const intra_term *t = &sum->items[i];
    const char *term = strcmp(t->rows, "one") == 0
                           ? arena_printf(p->arena, "%" PRId64, t->factor)
                           : arena_printf(p->arena, "%" PRId64 " %s", t->factor, symbol_of(p->arena, t->rows));
    made = made ? arena_printf(p->arena, "%s + %s", made, term) : term;
  }
  return made ? made : "0";
}

static void add_all(arena *a, intra_sum *sum, const intra_sum *more) {
  for (size_t i = 0; i < more->count; i++) {
    size_t k = 0;
    while (k < sum->count && strcmp(sum->items[k].rows, more->items[i].rows) != 0) k++;
    if (k < sum->count)
      sum->items[k].factor += more->items[i].factor;
    else
      VEC_PUSH(a, sum, more->items[i]);
  }
}

/* Returns the sum over the kernels of a phase; NULL stands for both phases. */
static intra_sum total_of(const printer *p, const char *phase, int which) {
  intra_sum total = {0};
  for (size_t i = 0; i < p->counts->kernels.count; i++) {
    const intra_kernel *k = &p->counts->kernels.items[i];
    if (!phase || !strcmp(k->phase, phase)) add_all(p->arena, &total, sum_of(k, which));
  }
  return total;
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

static void print_sum(const printer *p, const char *indent, const char *name, const intra_sum *sum) {
  const char *formula = formula_of(p, sum);
  int64_t value = gnnc_counts_value(p->counts, p->graph, sum);
  text_printf(p->out, "%s%-13s  %s", indent, name, formula);
  bool is_plain = sum->count == 0 || (sum->count == 1 && !strcmp(sum->items[0].rows, "one"));
  if (value >= 0 && !is_plain) text_printf(p->out, " = %" PRId64, value);
  text_append(p->out, "\n");
}

static void print_kernel(const printer *p, const intra_kernel *k) {
  text_printf(p->out, "  %s %s", kind_of(k), k->name);
  if (k->file) text_printf(p->out, ", %s:%u", ir_location_shown_file(k->file), k->line);
  text_append(p->out, "\n");
  int64_t rows = gnnc_counts_rows(p->counts, p->graph, k->rows);
  text_printf(p->out, "    %-13s  %s", "rows", symbol_of(p->arena, k->rows));
  if (rows >= 0 && strcmp(k->rows, "one") != 0) text_printf(p->out, " = %" PRId64, rows);
  text_append(p->out, "\n");
  for (int i = 0; i < SUMS; i++)
    if (sum_of(k, i)->count) print_sum(p, "    ", sum_names[i], sum_of(k, i));
}

static void print_totals(const printer *p, const char *title, const char *phase) {
  text_printf(p->out, "%s\n", title);
  for (int i = 0; i < SUMS; i++) {
    intra_sum total = total_of(p, phase, i);
    print_sum(p, "  ", i == SUM_others ? "traversal FLOPs" : sum_names[i], &total);
  }
}

void gnnc_counts_print(arena *a, const char *model, const intra_counts *counts, const gnnc_counts_graph *g, text *out) {
  printer p = {a, model, counts, g, out};
  text_printf(out, "counts of %s\n", model);
  for (size_t i = 0; i < counts->phases.count; i++) {
    const char *phase = counts->phases.items[i];
    text_printf(out, "\n%s\n", phase);
    for (size_t k = 0; k < counts->kernels.count; k++)
      if (!strcmp(counts->kernels.items[k].phase, phase)) print_kernel(&p, &counts->kernels.items[k]);
  }
  text_append(out, "\n");
  for (size_t i = 0; i < counts->phases.count; i++)
    print_totals(&p, arena_printf(a, "total of %s", counts->phases.items[i]), counts->phases.items[i]);
  print_totals(&p, "total", NULL);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

/* Returns a number, or null when it is unknown. */
static json_t *number_json(int64_t value) {
  return value < 0 ? json_null() : json_integer(value);
}

static void put_sum(const printer *p, json_t *object, const char *key, const intra_sum *sum) {
  json_t *made = json_object();
  json_object_set_new(made, "formula", json_string(formula_of(p, sum)));
  json_object_set_new(made, "value", number_json(gnnc_counts_value(p->counts, p->graph, sum)));
  json_object_set_new(object, key, made);
}

static json_t *kernel_json(const printer *p, const intra_kernel *k) {
  json_t *made = json_object(), *rows = json_object();
  json_object_set_new(made, "kind", json_string(kind_of(k)));
  json_object_set_new(made, "name", json_string(k->name));
  if (k->file) json_object_set_new(made, "file", json_string(ir_location_shown_file(k->file)));
  if (k->file) json_object_set_new(made, "line", json_integer(k->line));
  json_object_set_new(rows, "formula", json_string(symbol_of(p->arena, k->rows)));
  json_object_set_new(rows, "value", number_json(gnnc_counts_rows(p->counts, p->graph, k->rows)));
  json_object_set_new(made, "rows", rows);
  for (int i = 0; i < SUMS; i++) put_sum(p, made, sum_keys[i], sum_of(k, i));
  return made;
}

static json_t *totals_json(const printer *p, const char *phase) {
  json_t *made = json_object();
  for (int i = 0; i < SUMS; i++) {
    intra_sum total = total_of(p, phase, i);
    put_sum(p, made, sum_keys[i], &total);
  }
  return made;
}

static json_t *phase_json(const printer *p, const char *phase) {
  json_t *made = json_object(), *kernels = json_array();
  for (size_t k = 0; k < p->counts->kernels.count; k++)
    if (!strcmp(p->counts->kernels.items[k].phase, phase))
      json_array_append_new(kernels, kernel_json(p, &p->counts->kernels.items[k]));
  json_object_set_new(made, "kernels", kernels);
  json_object_set_new(made, "total", totals_json(p, phase));
  return made;
}

void gnnc_counts_print_json(arena *a, const char *model, const char *options, const intra_counts *counts,
                            const gnnc_counts_graph *g, text *out) {
  printer p = {a, model, counts, g, out};
  json_t *root = json_object();
  json_object_set_new(root, "compiler", json_string(gnnc_compiler_name()));
  json_object_set_new(root, "options", json_string(options));
  json_object_set_new(root, "model", json_string(model));
  for (size_t i = 0; i < counts->phases.count; i++)
    json_object_set_new(root, counts->phases.items[i], phase_json(&p, counts->phases.items[i]));
  json_object_set_new(root, "total", totals_json(&p, NULL));
  char *dumped = json_dumps(root, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
  text_append(out, dumped ? dumped : "{}");
  text_append(out, "\n");
  free(dumped);
  json_decref(root);
}
