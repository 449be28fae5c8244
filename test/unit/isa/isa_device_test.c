/* Parameters of devices: read from JSON and from options, compared, and printed so that they
 * read back. */
#include "isa/machine.h"
#include "unit.h"

static status parse(const char *json, device *out) {
  return device_parse("d.json", json, strlen(json), NULL, out);
}

TEST(the_default_is_the_papers_board) {
  device d;
  device_default(&d, machine_default());
  CHECK_STR(d.graphagile.name, "alveo-u250");
  CHECK_INT(d.graphagile.num_pes, 8);
  CHECK_INT(d.graphagile.width, 16);
  CHECK_INT(d.graphagile.feature_rows, 16384);
  CHECK_INT(d.graphagile.weight_rows, 8192);
  CHECK_INT(d.graphagile.edges, 65536);
  CHECK_INT(d.graphagile.ddr_bytes, (long long)64 << 30);
  CHECK_NEAR(d.graphagile.ddr_gb_s, 77, 0);
  CHECK_INT(d.graphagile.memory, GRAPHAGILE_MEMORY_shared);
  CHECK(!d.graphagile.has_broadcast && !d.graphagile.has_packed_edges && !d.graphagile.has_half_rows);
  CHECK(!d.graphagile.has_compact_columns);
}

TEST(a_file_changes_what_it_names) {
  device d;
  CHECK_OK(
      parse("{\"name\": \"tiny\", \"num_pes\": 2, \"width\": 4, \"has_broadcast\": true, \"ddr_gb_s\": 19.2}", &d));
  CHECK_STR(d.graphagile.name, "tiny");
  CHECK_INT(d.graphagile.num_pes, 2);
  CHECK_INT(d.graphagile.width, 4);
  CHECK(d.graphagile.has_broadcast);
  CHECK_NEAR(d.graphagile.ddr_gb_s, 19.2, 0);
  CHECK_INT(d.graphagile.weight_rows, 8192);
}

TEST(the_length_of_a_cycle_follows_the_clock_unless_it_is_given) {
  device d;
  CHECK_OK(parse("{\"clock_mhz\": 250}", &d));
  CHECK_NEAR(d.graphagile.cycle_ns, 4, 1e-12);
  CHECK_OK(parse("{\"cycle_ns\": 3.3, \"clock_mhz\": 250, \"memory\": \"shared\"}", &d));
  CHECK_NEAR(d.graphagile.cycle_ns, 3.3, 0);
  CHECK_OK(parse("{\"memory\": \"paper\"}", &d));
  CHECK_NEAR(d.graphagile.cycle_ns, 3.3, 0);
}

TEST(what_a_file_has_wrong_is_named) {
  device d;
  CHECK_FAILS(parse("{\"num_pe\": 2}", &d), "d.json: a device has no parameter 'num_pe'; did you mean 'num_pes'?");
  CHECK_FAILS(parse("{\"num_pes\": 2, \"num_pes\": 3}", &d), "duplicate");
  CHECK_FAILS(parse("{\"num_pes\": \"2\"}", &d), "'num_pes' is a string, expected a number");
  CHECK_FAILS(parse("{\"num_pes\": 0}", &d), "'num_pes' is 0, expected a whole number from 1 to 1024");
  CHECK_FAILS(parse("{\"edges\": 1.5}", &d), "'edges' is 1.5, expected a whole number from 1 to 65536");
  CHECK_FAILS(parse("{\"width\": 12}", &d), "'width' is 12, expected 4, 8 or 16");
  CHECK_FAILS(parse("{\"memory\": \"free\"}", &d), "'memory' is 'free', expected shared, paper or shared:GB_PER_S");
  CHECK_FAILS(parse("{\"has_broadcast\": 1}", &d), "'has_broadcast' is a number, expected true or false");
  CHECK_FAILS(parse("[1]", &d), "d.json: a device is an object of parameters, this is an array");
  CHECK_FAILS(parse("{\"num_pes\": ", &d), "d.json:1:");
  CHECK_FAILS(device_read("no/such/device.json", NULL, &d), "no/such/device.json");
}

TEST(options_change_one_parameter) {
  device d;
  device_default(&d, machine_default());
  CHECK_OK(device_set(&d, "num_pes", "4"));
  CHECK_INT(d.graphagile.num_pes, 4);
  CHECK_OK(device_set(&d, "memory", "shared:308"));
  CHECK_NEAR(d.graphagile.ddr_gb_s, 308, 0);
  CHECK_OK(device_set(&d, "memory", "paper"));
  CHECK_INT(d.graphagile.memory, GRAPHAGILE_MEMORY_paper);
  CHECK_OK(device_set(&d, "has_packed_edges", "true"));
  CHECK(d.graphagile.has_packed_edges);
  CHECK_OK(device_set(&d, "has_packed_edges", "0"));
  CHECK(!d.graphagile.has_packed_edges);
  CHECK_FAILS(device_set(&d, "memory", "shared:fast"), "'memory' is 'shared:fast'");
  CHECK_FAILS(device_set(&d, "memory", "shared:0"), "'ddr_gb_s' is 0");
  CHECK_FAILS(device_set(&d, "ddr_latency", "6O"), "'ddr_latency' is '6O', expected a number");
  CHECK_FAILS(device_set(&d, "ddr_latency", "nan"), "expected a number");
  CHECK_FAILS(device_set(&d, "has_broadcast", "maybe"), "expected true or false");
  CHECK_FAILS(device_set(&d, "latency", "6"), "no parameter 'latency'");
  CHECK_FAILS(device_set(&d, "name", "\xff"), "'name' has bytes that are no UTF-8");
  CHECK_OK(device_edit(&d, "num_pes=5"));
  CHECK_INT(d.graphagile.num_pes, 5);
  CHECK_FAILS(device_edit(&d, "num_pes"), "--device-set=num_pes: expected KEY=VALUE, e.g. num_pes=2");
  CHECK_FAILS(device_edit(&d, "num_pe=2"), "no parameter 'num_pe'; did you mean 'num_pes'?");
}

TEST(json_reads_back_as_the_same_device) {
  device d, back;
  device_default(&d, machine_default());
  CHECK_OK(device_set(&d, "name", "a \"small\" one"));
  CHECK_OK(device_set(&d, "num_pes", "3"));
  CHECK_OK(device_set(&d, "memory", "paper"));
  CHECK_OK(device_set(&d, "has_broadcast", "true"));
  CHECK_OK(device_set(&d, "ddr_gb_s", "0.1"));
  char *json = device_json(&d);
  CHECK_OK(parse(json, &back));
  char *again = device_json(&back);
  CHECK_STR(again, json);
  CHECK_HAS(json, "\"reload_gb_s\": 87.3,");
  free(json);
  free(again);
}

TEST(a_program_runs_on_devices_that_only_time_otherwise) {
  device program, runs;
  device_default(&program, machine_default());
  device_default(&runs, machine_default());
  CHECK_OK(device_set(&runs, "memory", "paper"));
  CHECK_OK(device_set(&runs, "ddr_latency", "100"));
  CHECK_OK(device_set(&runs, "has_broadcast", "1"));
  CHECK_OK(device_check_same(&program, &runs));
  CHECK_OK(device_set(&runs, "num_pes", "2"));
  CHECK_FAILS(device_check_same(&program, &runs), "num_pes = 8, this one has 2");
  CHECK_OK(device_set(&runs, "num_pes", "8"));
  CHECK_FAILS(device_check_same(&runs, &program), "has_broadcast = true, this one has false");
}
