/* The roofline of a layer, and statistics as tables (see report.h). */
#include "sim/common/report.h"
#include "isa/table.h"
#include "sim/common/report_names.h"

#include <inttypes.h>
#include <math.h>

double report_peak(const device *machine, int32_t layer_type) {
  double p = machine->width;
  return layer_type == ISA_LAYER_gemm ? p * p : p * p / 2;
}

static double sum(const uint64_t *bytes) {
  double total = 0;
  for (int kind = 0; kind < SIM_KINDS; kind++) total += (double)bytes[kind];
  return total;
}

/* GB/s of all PEs together. */
static double bandwidth(const device *machine) {
  if (machine->memory == DEVICE_MEMORY_PAPER) return machine->reload_gb_s * machine->num_pes;
  return machine->ddr_gb_s;
}

report_roof report_roofline(const sim_layer *layer, const device *machine) {
  double ns = (double)layer->cycles * machine->cycle_ns;
  double peak = report_peak(machine, layer->layer_type) * machine->num_pes;
  double peak_gflops = 2 * peak / machine->cycle_ns;
  report_roof r = {.flops = 2 * (double)layer->multiply_adds,
                   .bytes = sum(layer->bytes_read) + sum(layer->bytes_written)};
  r.intensity = r.bytes > 0 ? r.flops / r.bytes : r.flops > 0 ? INFINITY : 0;
  double slope = r.intensity * bandwidth(machine);
  r.is_memory_bound = slope < peak_gflops;
  r.bound_gflops = r.is_memory_bound ? slope : peak_gflops;
  if (ns > 0) {
    r.attained_gflops = r.flops / ns;
    r.utilisation = (double)layer->multiply_adds / (peak * (double)layer->cycles);
    r.bandwidth_share = r.bytes / (bandwidth(machine) * ns);
  }
  return r;
}

static double percent(double part, double whole) {
  return whole > 0 ? 100 * part / whole : 0;
}

/* 1536 is "1.5 kB": three digits and a decimal unit. */
static void print_bytes(text *t, double bytes) {
  static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
  int unit = 0;
  while (bytes >= 999.5 && unit < 4) {
    bytes /= 1000;
    unit++;
  }
  text_printf(t, "%7.*f %2s", unit && bytes < 99.95 ? 1 : 0, bytes, units[unit]);
}

static void print_total(text *t, const sim_stats *stats, const device *machine) {
  double macs = 0, possible = 0;
  for (int64_t i = 0; i < stats->num_layers; i++) {
    macs += (double)stats->layers[i].multiply_adds;
    possible += report_peak(machine, stats->layers[i].layer_type) * machine->num_pes * (double)stats->layers[i].cycles;
  }
  text_printf(t, "%s: %" PRIu64 " cycles, %.6g ms, %.4g GFLOP, %.1f %% of the arithmetic\n", machine->name,
              stats->cycles, stats->ms, 2e-9 * macs, percent(macs, possible));
}

static void print_traffic(text *t, const sim_stats *stats, const device *machine) {
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
    text_printf(t, "%-14s ", report_kind_name(kind));
    print_bytes(t, read);
    text_append(t, " ");
    print_bytes(t, written);
    text_append(t, "\n");
  }
  for (int64_t i = 0; i < stats->num_layers; i++) shared += (double)stats->layers[i].bytes_shared;
  text_printf(t, "%-14s ", "all");
  print_bytes(t, total);
  text_printf(t, ", %.1f %% of %.6g GB/s",
              percent(total, bandwidth(machine) * machine->cycle_ns * (double)stats->cycles), bandwidth(machine));
  if (shared > 0) {
    text_append(t, "; broadcast saved ");
    print_bytes(t, shared);
  }
  text_append(t, "\n");
}

static void print_layers(text *t, const sim_stats *stats, const report_names *names, const device *machine) {
  text_printf(t, "\n%5s %-6s %12s %6s %8s %10s %6s %6s %10s %10s %10s %7s  %s\n", "layer", "kind", "cycles", "time %",
              "blocks", "bytes", "util %", "DDR %", "FLOP/byte", "GFLOP/s", "bound", "bound %", "name");
  for (int64_t i = 0; i < stats->num_layers; i++) {
    const sim_layer *l = &stats->layers[i];
    report_roof r = report_roofline(l, machine);
    report_name named = report_names_find(names, i);
    const char *kind = isa_value_name(ISA_VALUES_LAYER, (uint64_t)l->layer_type);
    text_printf(t, "%5" PRId64 " %-6s %12" PRIu64 " %6.1f %8" PRIu64 " ", i, kind ? kind : "", l->cycles,
                percent((double)l->cycles, (double)stats->cycles), l->blocks);
    print_bytes(t, r.bytes);
    text_printf(t, " %6.1f %6.1f %10.4g %10.4g %10.4g %7.1f  %s", 100 * r.utilisation, 100 * r.bandwidth_share,
                r.intensity, r.attained_gflops, r.bound_gflops, percent(r.attained_gflops, r.bound_gflops), named.name);
    if (named.line > 0) text_printf(t, " (line %" PRId64 ")", named.line);
    text_append(t, r.flops > 0 && r.is_memory_bound ? ", DDR bound\n" : "\n");
  }
}

static void print_pes(text *t, const sim_stats *stats) {
  double cycles = (double)stats->cycles;
  text_printf(t, "\n%5s %9s %9s %9s %9s %9s %9s\n", "PE", "compute %", "fill %", "load %", "store %", "block %",
              "idle %");
  for (int32_t i = 0; i < stats->num_pes; i++) {
    const sim_pe *p = &stats->pes[i];
    double known = (double)(p->compute + p->fill + p->wait_load + p->wait_store + p->wait_block);
    text_printf(t, "%5d %9.1f %9.1f %9.1f %9.1f %9.1f %9.1f\n", i, percent((double)p->compute, cycles),
                percent((double)p->fill, cycles), percent((double)p->wait_load, cycles),
                percent((double)p->wait_store, cycles), percent((double)p->wait_block, cycles),
                percent(cycles - known, cycles));
  }
}

void report_print(text *t, const sim_stats *stats, const image *im, const device *machine) {
  report_names *names = report_names_open(im);
  print_total(t, stats, machine);
  print_traffic(t, stats, machine);
  print_layers(t, stats, names, machine);
  print_pes(t, stats);
  report_names_close(names);
}
