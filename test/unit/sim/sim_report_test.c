/* Statistics as text and JSON, and timelines, for a small run whose numbers were worked out by
 * hand. */
#include "sim/common/report.h"
#include "sim/graphagile/engine.h"
#include "unit.h"

#include <jansson.h>

typedef struct run {
  device device;
  sim_layer layers[2];
  sim_unit units[2];
  sim_stats stats;
  image image;
} run;

/* 2 PEs of width 4: 32 multiply-adds per cycle in gemm, 16 in spdmm; 1 GB/s at 1 ns per cycle is 1
 * byte per cycle. */
static run make_run(void) {
  static const char manifest[] =
      "{\"layers\": [{\"id\": 1, \"op\": \"spdmm\", \"name\": \"conv1.y\", \"file\": \"library/gcn_conv.gnn\", "
      "\"line\": 12}, "
      "{\"id\": 0, \"op\": \"gemm\", \"name\": \"conv1.h\", \"line\": 11}]}";
  run r;
  memset(&r, 0, sizeof r);
  device_default(&r.device, machine_default());
  r.device.graphagile.num_pes = 2;
  r.device.graphagile.width = 4;
  r.device.graphagile.ddr_gb_s = 1;
  r.device.graphagile.cycle_ns = 1;
  r.layers[0] = (sim_layer){.cycles = 1000, .blocks = 3, .multiply_adds = 16000, .peak = 32, .type = "gemm"};
  r.layers[0].bytes_read[GRAPHAGILE_KIND_input] = 400;
  r.layers[1] =
      (sim_layer){.cycles = 3000, .begin = 1000, .blocks = 4, .multiply_adds = 12000, .peak = 16, .type = "spdmm"};
  r.layers[1].bytes_read[GRAPHAGILE_KIND_edges] = 1500;
  r.layers[1].bytes_written[GRAPHAGILE_KIND_output] = 900;
  r.layers[1].bytes_shared = 64;
  memcpy(r.layers[0].in, (uint64_t[SIM_STATES]){500, 0, 0, 100}, sizeof r.layers[0].in);
  memcpy(r.layers[1].in, (uint64_t[SIM_STATES]){1000, 300, 200, 300, 200, 600, 200, 100}, sizeof r.layers[1].in);
  r.layers[0].busy_most = 600;
  r.layers[1].busy_most = 1200;
  r.units[0] = (sim_unit){{1500, 300, 200, 400, 200, 600, 200, 100}};
  r.image.sections[IMAGE_PROGRAM].data = (const unsigned char *)manifest;
  r.image.sections[IMAGE_PROGRAM].size = sizeof manifest - 1;
  return r;
}

static void finish_run(run *r) {
  r->stats = (sim_stats){.cycles = 4000,
                         .ms = 0.004,
                         .bandwidth_gb_s = 1,
                         .layers = r->layers,
                         .num_layers = 2,
                         .units = r->units,
                         .num_units = 2};
}

TEST(a_layer_stands_under_the_lower_of_two_roofs) {
  run r = make_run();
  finish_run(&r);
  report_roof gemm = report_roofline(&r.layers[0], &r.stats, &r.device),
              spdmm = report_roofline(&r.layers[1], &r.stats, &r.device);
  CHECK_NEAR(gemm.intensity, 80, 1e-9);
  CHECK_NEAR(gemm.attained_gflops, 32, 1e-9);
  CHECK_NEAR(gemm.bound_gflops, 64, 1e-9);
  CHECK_NEAR(gemm.utilisation, 0.5, 1e-9);
  CHECK(!gemm.is_under_slope && !gemm.is_memory_bound);
  CHECK_NEAR(spdmm.intensity, 10, 1e-9);
  CHECK_NEAR(spdmm.attained_gflops, 8, 1e-9);
  CHECK_NEAR(spdmm.bound_gflops, 10, 1e-9);
  CHECK_NEAR(spdmm.bandwidth_share, 0.8, 1e-9);
  CHECK(spdmm.is_under_slope && spdmm.is_memory_bound);
}

/* Whether DDR limits a layer depends on the bandwidth that it used, and not on its intensity. */
TEST(what_limits_a_layer_is_what_was_measured) {
  run r = make_run();
  finish_run(&r);
  sim_layer *l = &r.layers[1];
  CHECK_STR(report_limit(l, &r.stats, &r.device), "memory");
  l->bytes_read[GRAPHAGILE_KIND_edges] = 1499; /* 79.97 % of the bandwidth */
  CHECK(report_roofline(l, &r.stats, &r.device).is_under_slope);
  CHECK(!report_roofline(l, &r.stats, &r.device).is_memory_bound);
  CHECK_INT(report_idle(l, &r.stats, &r.device), 6000 - 2900);
  CHECK_STR(report_limit(l, &r.stats, &r.device), "idle");
  l->in[GRAPHAGILE_ENGINE_STATE_hub_row] += 3000;
  CHECK_STR(report_limit(l, &r.stats, &r.device), "hub_row");
  CHECK_NEAR(report_imbalance(&r.layers[0], &r.stats, &r.device), 2, 1e-9); /* one of two PEs worked */
  CHECK_NEAR(report_imbalance(&(sim_layer){.cycles = 9}, &r.stats, &r.device), 0, 1e-9);
}

TEST(the_tables_have_names_traffic_and_utilisation) {
  run r = make_run();
  text t = {0};
  finish_run(&r);
  report_print(&t, &r.stats, NULL, &r.image, &r.device);
  CHECK_HAS(text_str(&t), "alveo-u250: 4000 cycles, 0.004 ms, 5.6e-05 GFLOP, 35.0 % of the arithmetic");
  CHECK_HAS(text_str(&t), "edges              1.5 kB       0  B\n");
  CHECK_HAS(text_str(&t), "70.0 % of 1 GB/s; broadcast saved      64  B");
  CHECK_HAS(text_str(&t), "conv1.h (line 11)\n");
  CHECK_HAS(text_str(&t), "         8         10    80.0  conv1.y (library/gcn_conv.gnn:12), DDR bound\n");
  CHECK_HAS(text_str(&t),
            "layer   compute %  conflict %   hub_row %      fill % broadcast %       ddr %     store %     "
            "block %      idle % most/mean  limit\n"
            "    0        25.0         0.0         0.0         5.0         0.0         0.0         0.0      "
            "   0.0        70.0      2.00  idle\n"
            "    1        16.7         5.0         3.3         5.0         3.3        10.0         3.3      "
            "   1.7        51.7      1.33  memory\n");
  CHECK_HAS(text_str(&t),
            "    0        37.5         7.5         5.0        10.0         5.0        15.0         5.0      "
            "   2.5        12.5\n");
  text_free(&t);
  report_print(&t, &r.stats, NULL, NULL, &r.device);
  CHECK(!strstr(text_str(&t), "conv1"));
  text_free(&t);
}

TEST(a_run_without_layers_has_a_report) {
  run r = make_run();
  text t = {0};
  r.stats = (sim_stats){.units = r.units, .num_units = 2};
  report_print(&t, &r.stats, NULL, &r.image, &r.device);
  CHECK(!strstr(text_str(&t), "nan"));
  text_free(&t);
}

static const sim_origin origin = {"gnn-run 1.2.3", "gnnc 1.2.3 with -O2"};

TEST(the_json_has_all_counters) {
  run r = make_run();
  char *printed = NULL;
  finish_run(&r);
  r.layers[0].bytes_read[GRAPHAGILE_KIND_input] = 0; /* makes the intensity infinite */
  CHECK_OK(report_json(&r.stats, NULL, &r.image, &r.device, &origin, &printed));
  json_t *root = json_loads(printed, JSON_REJECT_DUPLICATES, NULL);
  json_t *first = json_array_get(json_object_get(root, "layers"), 0);
  json_t *second = json_array_get(json_object_get(root, "layers"), 1);
  json_t *pe = json_array_get(json_object_get(root, "pes"), 0);
  CHECK_STR(json_string_value(json_object_get(root, "made_by")), "gnn-run 1.2.3");
  CHECK_STR(json_string_value(json_object_get(root, "program")), "gnnc 1.2.3 with -O2");
  CHECK_INT(json_integer_value(json_object_get(root, "cycles")), 4000);
  CHECK_INT(json_integer_value(json_object_get(json_object_get(root, "device"), "num_pes")), 2);
  CHECK(json_is_null(json_object_get(first, "flops_per_byte")));
  CHECK_STR(json_string_value(json_object_get(second, "name")), "conv1.y");
  CHECK_STR(json_string_value(json_object_get(second, "type")), "spdmm");
  CHECK_INT(json_integer_value(json_object_get(json_object_get(second, "read"), "edges")), 1500);
  CHECK_INT(json_integer_value(json_object_get(json_object_get(second, "written"), "output")), 900);
  CHECK_INT(json_integer_value(json_object_get(second, "shared")), 64);
  CHECK_INT(json_integer_value(json_object_get(pe, "idle")), 500);
  CHECK_INT(json_integer_value(json_object_get(pe, "hub_row")), 200);
  json_t *states = json_object_get(second, "states");
  CHECK_INT(json_integer_value(json_object_get(states, "wait_broadcast")), 200);
  CHECK_INT(json_integer_value(json_object_get(states, "wait_ddr")), 600);
  CHECK_INT(json_integer_value(json_object_get(states, "idle")), 6000 - 2900);
  CHECK_STR(json_string_value(json_object_get(second, "bound")), "memory");
  CHECK_STR(json_string_value(json_object_get(first, "bound")), "idle");
  CHECK_STR(json_string_value(json_object_get(first, "roof")), "compute");
  CHECK_NEAR(json_real_value(json_object_get(first, "imbalance")), 2, 1e-9);
  json_decref(root);
  free(printed);
}

TEST(a_timeline_is_json_with_a_track_per_unit) {
  run r = make_run();
  char data[8192];
  FILE *file = tmpfile();
  r.device.graphagile.cycle_ns = 2;
  trace *t = trace_begin(file, &r.device, &origin, "PE", 2, graphagile_sim.unit_tracks, graphagile_sim.device_tracks);
  trace_interval(t, GRAPHAGILE_ENGINE_TRACK_COMPUTE, 1, "spdmm \"x\"\n", 500, 1500, "{\"edges\": 7}");
  trace_interval(t, GRAPHAGILE_ENGINE_TRACK_DDR, 0, "load", 0, 10, NULL);
  trace_counter(t, "DDR bandwidth", "GB/s", 1000, 38.5);
  CHECK_OK(trace_end(t));
  rewind(file);
  data[fread(data, 1, sizeof data - 1, file)] = 0;
  fclose(file);
  json_t *root = json_loads(data, JSON_REJECT_DUPLICATES, NULL), *events = json_object_get(root, "traceEvents");
  CHECK_STR(json_string_value(json_object_get(json_object_get(root, "otherData"), "program")), origin.program);
  size_t count = json_array_size(events), labels = 2 * (1 + 2 + 2 * (1 + (size_t)GRAPHAGILE_ENGINE_TRACK_SCHEDULER));
  CHECK_INT(count, labels + 3);
  json_t *curve = json_array_get(events, labels + 2);
  CHECK_STR(json_string_value(json_object_get(curve, "ph")), "C");
  CHECK_NEAR(json_real_value(json_object_get(curve, "ts")), 2, 1e-9);
  CHECK_NEAR(json_real_value(json_object_get(json_object_get(curve, "args"), "GB/s")), 38.5, 1e-9);
  json_t *spdmm = json_array_get(events, labels), *load = json_array_get(events, labels + 1);
  CHECK_STR(json_string_value(json_object_get(spdmm, "name")), "spdmm \"x\"\n");
  CHECK_INT(json_integer_value(json_object_get(spdmm, "pid")), 2);
  CHECK_NEAR(json_real_value(json_object_get(spdmm, "ts")), 1, 1e-9);
  CHECK_NEAR(json_real_value(json_object_get(spdmm, "dur")), 2, 1e-9);
  CHECK_INT(json_integer_value(json_object_get(json_object_get(spdmm, "args"), "edges")), 7);
  CHECK_INT(json_integer_value(json_object_get(load, "pid")), 0);
  json_decref(root);
}
