/* The table of gnn-run --table as text, in blocks of at most 120 columns. */
#include "tools/gnn-run/gnn_run_table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { NAME_LEAST = 12, NAME_MOST = 30 };

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash && slash[1] ? slash + 1 : path;
}

static int name_width(const table *t) {
  size_t width = NAME_LEAST;
  for (int i = 0; i < t->count; i++) {
    size_t length = strlen(base_name(t->rows[i].path));
    if (length > width) width = length;
  }
  return width < NAME_MOST ? (int)width : NAME_MOST;
}

/* Prints the last part of the path, or its end where that is too long. */
static void print_name(text *out, const table_row *row, int width) {
  const char *name = base_name(row->path);
  size_t length = strlen(name);
  if (length <= (size_t)width)
    text_printf(out, "%-*s", width, name);
  else
    text_printf(out, "..%s", name + length - (size_t)width + 2);
}

/* Prints a number in 10 columns with the blank before it, "-" for NaN. */
static void print_number(text *out, double x) {
  if (isnan(x))
    text_printf(out, " %9s", "-");
  else
    text_printf(out, " %9.4g", x);
}

static bool has_images(const table *t) {
  for (int i = 0; i < t->count; i++)
    if (t->rows[i].is_image && !t->rows[i].error) return true;
  return false;
}

static void print_times(text *out, const table *t, int width) {
  text_printf(out, "\n%-*s %-10s %6s %12s %9s %9s %8s %9s %9s %9s\n", width, "time, nominal", "machine", "MHz",
              "cycles", "device ms", "link ms", "launches", "launch ms", "host ms", "sum ms");
  for (int i = 0; i < t->count; i++) {
    const table_row *r = &t->rows[i];
    if (r->error || !r->is_image) continue;
    print_name(out, r, width);
    text_printf(out, " %-10s %6.4g %12" PRIu64, r->machine, r->clock_mhz, r->cycles);
    print_number(out, r->times.device);
    print_number(out, r->times.link);
    text_printf(out, " %8" PRIu64, r->host.launches);
    print_number(out, r->times.launch);
    print_number(out, r->times.host);
    print_number(out, r->times.sum);
    text_append(out, "\n");
  }
}

static void print_work(text *out, const table *t, int width) {
  text_printf(out, "\n%-*s %9s %9s %9s %9s %9s %9s %9s\n", width, "work of the device", "MACs, 1e6", "of useful",
              "% of peak", "DDR MB", "% of DDR", "share %", "energy mJ");
  for (int i = 0; i < t->count; i++) {
    const table_row *r = &t->rows[i];
    if (r->error || !r->is_image) continue;
    print_name(out, r, width);
    print_number(out, 1e-6 * r->multiply_adds);
    print_number(out, r->useful ? r->multiply_adds / (double)r->useful : NAN);
    print_number(out, 100 * r->utilisation);
    print_number(out, 1e-6 * r->ddr_bytes);
    print_number(out, 100 * r->bandwidth_share);
    print_number(out, r->device_share);
    print_number(out, r->cycles ? r->energy_mj : NAN);
    text_append(out, "\n");
  }
}

static void print_measured(text *out, const table *t, int width) {
  bool has_title = false;
  const run_options *o = t->options;
  for (int i = 0; i < t->count; i++) {
    const table_row *r = &t->rows[i];
    if (r->error || r->is_image) continue;
    if (!has_title)
      text_printf(out, "\n%-*s %9s %9s %9s   this computer, %ld thread%s, %ld run%s\n", width, "time, measured",
                  "median ms", "shortest", "longest", o->threads, o->threads == 1 ? "" : "s", o->repeat,
                  o->repeat == 1 ? "" : "s");
    has_title = true;
    print_name(out, r, width);
    print_number(out, r->measured.median);
    print_number(out, r->measured.shortest);
    print_number(out, r->measured.longest);
    text_append(out, "\n");
  }
}

static void print_outputs(text *out, const table *t, int width) {
  if (!t->first || t->options->is_timing_only) return;
  text_printf(out, "\n%-*s %12s %10s %-8s accuracy\n", width, "outputs", "difference", "allowed", "");
  for (int i = 0; i < t->count; i++) {
    const table_row *r = &t->rows[i];
    if (r->error) continue;
    print_name(out, r, width);
    if (r->agreement.is_known)
      text_printf(out, " %12.3g %10.3g %-8s", r->agreement.largest, r->agreement.tolerance,
                  r->agreement.differs ? "differs" : "equal");
    else
      text_printf(out, " %12s %10s %-8s", "-", "-", r == t->first ? "first" : "");
    for (int k = 0; k < r->num_accuracies; k++)
      text_printf(out, "%s%s %.4f", k ? ", " : " ", r->accuracies[k].name,
                  (double)r->accuracies[k].right / (double)r->accuracies[k].counted);
    text_append(out, "\n");
  }
}

static void print_programs(text *out, const table *t, int width) {
  for (int i = 0; i < t->count; i++) {
    const table_row *r = &t->rows[i];
    print_name(out, r, width);
    if (r->error)
      text_append(out, " failed\n");
    else if (!r->is_image)
      text_append(out, " C on this computer\n");
    else
      text_printf(out, " %s: %s%s%s, %.6g pJ per MAC, %.6g pJ per byte\n", r->machine, r->device, *r->units ? ", " : "",
                  r->units, r->pj_per_mac, r->pj_per_byte);
  }
}

void table_print(const table *t, text *out) {
  int width = name_width(t);
  if (t->graph)
    text_printf(out, "graph: %" PRId64 " nodes, %" PRId64 " edges\n", t->graph->num_nodes, t->graph->num_edges);
  int64_t useful = table_useful(t);
  if (useful) text_printf(out, "useful multiply-adds: %" PRId64 "\n", useful);
  text_printf(out, "\n");
  print_programs(out, t, width);
  if (has_images(t)) {
    print_times(out, t, width);
    print_work(out, t, width);
  }
  print_measured(out, t, width);
  print_outputs(out, t, width);
}
