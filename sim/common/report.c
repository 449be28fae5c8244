/* The roofline of a layer, and statistics as tables (see report.h). */
#include "sim/common/report.h"
#include "sim/common/report_names.h"
#include "sim/sim_class.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static double sum(const uint64_t *bytes) {
  double total = 0;
  for (int kind = 0; kind < SIM_KINDS; kind++) total += (double)bytes[kind];
  return total;
}

report_roof report_roofline(const sim_layer *layer, const sim_stats *stats, const device *d) {
  double ns = (double)layer->cycles * d->common.cycle_ns;
  double peak_gflops = 2 * layer->peak / d->common.cycle_ns;
  report_roof r = {.flops = 2 * (double)layer->multiply_adds,
                   .bytes = sum(layer->bytes_read) + sum(layer->bytes_written)};
  r.intensity = r.bytes > 0 ? r.flops / r.bytes : r.flops > 0 ? INFINITY : 0;
  double slope = r.intensity * stats->bandwidth_gb_s;
  r.is_under_slope = slope < peak_gflops;
  r.bound_gflops = r.is_under_slope ? slope : peak_gflops;
  if (ns > 0) {
    r.attained_gflops = r.flops / ns;
    r.utilisation = (double)layer->multiply_adds / (layer->peak * (double)layer->cycles);
    r.bandwidth_share = r.bytes / (stats->bandwidth_gb_s * ns);
  }
  r.is_memory_bound = r.bandwidth_share >= REPORT_DDR_BOUND;
  return r;
}

uint64_t report_idle(const sim_layer *layer, const sim_stats *stats, const device *d) {
  uint64_t known = 0, all = layer->cycles * (uint64_t)stats->num_units;
  for (int32_t k = 0; k < sim_class_of(d->machine)->num_states; k++) known += layer->in[k];
  return all > known ? all - known : 0;
}

const char *report_limit(const sim_layer *layer, const sim_stats *stats, const device *d) {
  const sim_class *class = sim_class_of(d->machine);
  uint64_t longest = report_idle(layer, stats, d);
  const char *limit = "idle";
  if (report_roofline(layer, stats, d).is_memory_bound) return "memory";
  for (int32_t k = 0; k < class->num_states; k++) {
    if (layer->in[k] < longest || !layer->in[k]) continue;
    longest = layer->in[k];
    limit = class->state_names[k];
  }
  return limit;
}

double report_imbalance(const sim_layer *layer, const sim_stats *stats, const device *d) {
  uint64_t busy = 0;
  for (int32_t k = 0; k < sim_class_of(d->machine)->num_busy; k++) busy += layer->in[k];
  return busy ? (double)layer->busy_most * stats->num_units / (double)busy : 0;
}

static double percent(double part, double whole) {
  return whole > 0 ? 100 * part / whole : 0;
}

/* Writes a number of bytes with three digits and a decimal unit: 1536 is "1.5 kB". */
static void print_bytes(text *t, double bytes) {
  static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
  int unit = 0;
  while (bytes >= 999.5 && unit < 4) {
    bytes /= 1000;
    unit++;
  }
  text_printf(t, "%7.*f %2s", unit && bytes < 99.95 ? 1 : 0, bytes, units[unit]);
}

static void print_total(text *t, const sim_stats *stats, const device *d) {
  double macs = 0, possible = 0;
  for (int64_t i = 0; i < stats->num_layers; i++) {
    macs += (double)stats->layers[i].multiply_adds;
    possible += stats->layers[i].peak * (double)stats->layers[i].cycles;
  }
  text_printf(t, "%s: %" PRIu64 " cycles, %.6g ms, %.4g GFLOP, %.1f %% of the arithmetic\n", d->common.name,
              stats->cycles, stats->ms, 2e-9 * macs, percent(macs, possible));
}

static void print_traffic(text *t, const sim_stats *stats, const device *d) {
  double total = 0, shared = 0;
  text_printf(t, "\n%-14s %10s %10s\n", "DDR", "read", "written");
  for (int kind = 0; kind < SIM_KINDS; kind++) {
    double read = 0, written = 0;
    for (int64_t i = 0; i < stats->num_layers; i++) {
      read += (double)stats->layers[i].bytes_read[kind];
      written += (double)stats->layers[i].bytes_written[kind];
    }
    total += read + written;
    if (read + written <= 0) continue;
    text_printf(t, "%-14s ", report_kind_name(d, kind));
    print_bytes(t, read);
    text_append(t, " ");
    print_bytes(t, written);
    text_append(t, "\n");
  }
  for (int64_t i = 0; i < stats->num_layers; i++) shared += (double)stats->layers[i].bytes_shared;
  text_printf(t, "%-14s ", "all");
  print_bytes(t, total);
  text_printf(t, ", %.1f %% of %.6g GB/s",
              percent(total, stats->bandwidth_gb_s * d->common.cycle_ns * (double)stats->cycles),
              stats->bandwidth_gb_s);
  if (shared > 0) {
    text_append(t, "; broadcast saved ");
    print_bytes(t, shared);
  }
  text_append(t, "\n");
}

static void print_layers(text *t, const sim_stats *stats, const report_names *names, const device *d) {
  text_printf(t, "\n%5s %-6s %12s %6s %8s %10s %6s %6s %10s %10s %10s %7s  %s\n", "layer", "kind", "cycles", "time %",
              "blocks", "bytes", "util %", "DDR %", "FLOP/byte", "GFLOP/s", "bound", "bound %", "name");
  for (int64_t i = 0; i < stats->num_layers; i++) {
    const sim_layer *l = &stats->layers[i];
    report_roof r = report_roofline(l, stats, d);
    report_name named = report_names_find(names, i);
    text_printf(t, "%5" PRId64 " %-6s %12" PRIu64 " %6.1f %8" PRIu64 " ", i, l->type ? l->type : "", l->cycles,
                percent((double)l->cycles, (double)stats->cycles), l->blocks);
    print_bytes(t, r.bytes);
    text_printf(t, " %6.1f %6.1f %10.4g %10.4g %10.4g %7.1f  %s", 100 * r.utilisation, 100 * r.bandwidth_share,
                r.intensity, r.attained_gflops, r.bound_gflops, percent(r.attained_gflops, r.bound_gflops), named.name);
    if (named.line > 0)
      text_printf(t, *named.file ? " (%s:%" PRId64 ")" : " (%sline %" PRId64 ")", named.file, named.line);
    text_append(t, r.is_memory_bound ? ", DDR bound\n" : "\n");
  }
}

/* The name of a state without its prefix: "wait_ddr" is "ddr". */
static const char *without_wait(const char *state) {
  return strncmp(state, "wait_", 5) == 0 ? state + 5 : state;
}

static void print_state_titles(text *t, const sim_class *class) {
  for (int32_t k = 0; k < class->num_states; k++) {
    char title[32];
    snprintf(title, sizeof title, "%s %%", without_wait(class->state_names[k]));
    text_printf(t, " %11s", title);
  }
  text_printf(t, " %11s", "idle %");
}

/* Prints the cycles of units by state, and how unevenly the work was distributed. */
static void print_layer_states(text *t, const sim_stats *stats, const device *d) {
  const sim_class *class = sim_class_of(d->machine);
  text_printf(t, "\n%5s", "layer");
  print_state_titles(t, class);
  text_printf(t, " %9s  %s\n", "most/mean", "limit");
  for (int64_t i = 0; i < stats->num_layers; i++) {
    const sim_layer *l = &stats->layers[i];
    double all = (double)l->cycles * stats->num_units;
    text_printf(t, "%5" PRId64, i);
    for (int32_t k = 0; k < class->num_states; k++) text_printf(t, " %11.1f", percent((double)l->in[k], all));
    text_printf(t, " %11.1f %9.2f  %s\n", percent((double)report_idle(l, stats, d), all), report_imbalance(l, stats, d),
                report_limit(l, stats, d));
  }
}

static void print_units(text *t, const sim_stats *stats, const device *d) {
  const sim_class *class = sim_class_of(d->machine);
  double cycles = (double)stats->cycles;
  text_printf(t, "\n%5s", class->unit);
  print_state_titles(t, class);
  text_append(t, "\n");
  for (int32_t i = 0; i < stats->num_units; i++) {
    double known = 0;
    text_printf(t, "%5d", i);
    for (int32_t k = 0; k < class->num_states; k++) {
      known += (double)stats->units[i].in[k];
      text_printf(t, " %11.1f", percent((double)stats->units[i].in[k], cycles));
    }
    text_printf(t, " %11.1f\n", percent(cycles - known, cycles));
  }
}

double report_device_share(const sim_host_stats *host, const image *im, double *all) {
  report_names *names = report_names_open(im);
  double useful = (double)report_names_multiply_adds(names), sum = useful + (double)host->multiply_adds;
  report_names_close(names);
  *all = sum;
  return sum > 0 ? 100 * useful / sum : NAN;
}

void report_print_share(text *t, const sim_host_stats *host, const image *im) {
  double all, share = report_device_share(host, im, &all);
  if (all > 0) text_printf(t, "device share: %.2f %% of %.4g million multiply-adds\n", share, 1e-6 * all);
}

/* Prints the work of the host, which the device's time does not contain. */
static void print_host(text *t, const sim_host_stats *host, const image *im) {
  text_printf(t, "\nbeside the device: %" PRIu64 " host step%s, %.4g GFLOP, ", host->steps, host->steps == 1 ? "" : "s",
              1e-9 * (double)host->flops);
  print_bytes(t, (double)host->bytes);
  text_printf(t, ", nominally %.6g ms; link ", host->ms);
  print_bytes(t, (double)host->link_bytes);
  text_printf(t, ", %.6g ms; %" PRIu64 " launch%s, %.6g ms\n", host->link_ms, host->launches,
              host->launches == 1 ? "" : "es", host->launch_ms);
  report_print_share(t, host, im);
}

void report_print(text *t, const sim_stats *stats, const sim_host_stats *host, const image *im, const device *d) {
  report_names *names = report_names_open(im);
  print_total(t, stats, d);
  if (stats->num_layers) print_traffic(t, stats, d);
  if (stats->num_layers) print_layers(t, stats, names, d);
  if (stats->num_layers && stats->num_units) print_layer_states(t, stats, d);
  if (stats->num_units) print_units(t, stats, d);
  if (host && sim_host_has_work(host)) print_host(t, host, im);
  report_names_close(names);
}
