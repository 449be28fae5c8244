/* Machines are found by name; their devices come from JSON, of which every parameter is read,
 * checked and printed. */
#include "isa/machine.h"
#include "support/text.h"
#include "unit.h"

static status parse(const char *json, const machine *expected, device *out) {
  return device_parse("d.json", json, strlen(json), expected, out);
}

TEST(machines_are_found_by_name_or_the_nearest_is_named) {
  const char *nearest = NULL;
  CHECK(machine_default() == machine_table[0]);
  for (const machine *const *m = machine_table; *m; m++) CHECK(machine_find((*m)->name, NULL) == *m);
  CHECK(!machine_find("hots", &nearest));
  CHECK_STR(nearest, "host");
  CHECK(!machine_find("graphagil", &nearest));
  CHECK_STR(nearest, "graphagile");
  CHECK(!machine_find("quantum computer", &nearest));
  CHECK(!nearest);
  CHECK(!machine_find("", NULL));
}

TEST(the_default_device_of_every_machine_is_within_its_limits_and_reads_back) {
  for (const machine *const *m = machine_table; *m; m++) {
    device d, back;
    device_default(&d, *m);
    char *json = device_json(&d);
    CHECK_OK(parse(json, NULL, &back));
    CHECK(back.machine == *m);
    CHECK_OK(device_check_same(&d, &back));
    char *again = device_json(&back);
    CHECK_STR(again, json);
    free(again);
    free(json);
  }
}

/* The text {"key": value} as a device of a machine. */
static status set(const machine *m, const char *key, const char *value, device *out) {
  char json[256];
  snprintf(json, sizeof json, "{\"machine\": \"%s\", \"%s\": %s}", m->name, key, value);
  return parse(json, m, out);
}

static void expect_number(const machine *m, const device_field *f, double value) {
  device d;
  char words[40];
  snprintf(words, sizeof words, "%.17g", value);
  status s = set(m, f->key, words, &d);
  if (s && !strstr(status_message(s), "expected 4, 8 or 16"))
    unit_fail(__FILE__, __LINE__, "%s of %s: %s", f->key, m->name, status_message(s));
  if (!s) CHECK_NEAR(device_get(&d, f->key), value, 0);
  status_free(s);
}

static void expect_refused(const machine *m, const device_field *f, const char *value, const char *part) {
  device d;
  char expected[96];
  snprintf(expected, sizeof expected, "d.json: '%s' is %s", f->key, part);
  CHECK_FAILS(set(m, f->key, value, &d), expected);
}

static void check_number(const machine *m, const device_field *f) {
  expect_number(m, f, f->least);
  expect_number(m, f, f->largest);
  expect_refused(m, f, "\"7\"", "a string, expected a number");
  expect_refused(m, f, "null", "null, expected a number");
  expect_refused(m, f, "-1e18", "-1e+18, expected a ");
  expect_refused(m, f, "1e18", "1e+18, expected a ");
  if (f->type != DEVICE_TYPE_DOUBLE) expect_refused(m, f, "1.5", "1.5, expected a whole number from");
}

TEST(every_parameter_is_read_up_to_its_limits_and_refused_beyond) {
  device d;
  for (const machine *const *m = machine_table; *m; m++)
    for (size_t i = 0; i < (*m)->num_fields; i++) {
      const device_field *f = &(*m)->fields[i];
      switch (f->type) {
      case DEVICE_TYPE_NAME:
        CHECK_OK(set(*m, f->key, "\"mine\"", &d));
        CHECK_STR(d.common.name, "mine");
        expect_refused(*m, f, "1", "a number, expected a string");
        CHECK_FAILS(set(*m, f->key, "\"\"", &d), "'name' has 0 characters, expected 1 to 63");
        break;
      case DEVICE_TYPE_CHOICE:
        for (int c = 0; f->choices[c]; c++) {
          char quoted[64];
          snprintf(quoted, sizeof quoted, "\"%s\"", f->choices[c]);
          CHECK_OK(set(*m, f->key, quoted, &d));
          CHECK_NEAR(device_get(&d, f->key), c, 0);
        }
        expect_refused(*m, f, "\"none of them\"", "'none of them', expected ");
        expect_refused(*m, f, "1", "a number, expected a string");
        break;
      case DEVICE_TYPE_BOOL:
        CHECK_OK(set(*m, f->key, "true", &d));
        CHECK_NEAR(device_get(&d, f->key), 1, 0);
        expect_refused(*m, f, "2", "a number, expected true or false");
        break;
      default: check_number(*m, f);
      }
    }
}

TEST(a_file_says_which_machine_it_is_of) {
  device d;
  CHECK_OK(parse("{}", NULL, &d));
  CHECK(d.machine == machine_default());
  CHECK_OK(parse("{}", &host_machine, &d));
  CHECK(d.machine == &host_machine);
  CHECK_OK(parse("{\"host_gb_s\": 5, \"machine\": \"host\"}", NULL, &d));
  CHECK(d.machine == &host_machine);
  CHECK_NEAR(d.common.host_gb_s, 5, 0);
  CHECK_FAILS(parse("{\"machine\": \"hots\"}", NULL, &d), "d.json: there is no machine 'hots'; did you mean 'host'?");
  CHECK_FAILS(parse("{\"machine\": \"quantum\"}", NULL, &d), "d.json: there is no machine 'quantum'");
  CHECK_FAILS(parse("{\"machine\": 1}", NULL, &d), "d.json: 'machine' is a number, expected a string");
  CHECK_FAILS(parse("{\"machine\": \"host\"}", &graphagile_machine, &d),
              "d.json: a device of machine 'host', expected one of 'graphagile'");
  CHECK_FAILS(parse("{\"machine\": \"host\", \"num_pes\": 2}", NULL, &d),
              "d.json: a device has no parameter 'num_pes'");
}

TEST(programs_of_one_machine_do_not_run_on_another) {
  device overlay, host;
  device_default(&overlay, &graphagile_machine);
  device_default(&host, &host_machine);
  CHECK_FAILS(device_check_same(&host, &overlay),
              "the program is for machine 'host', the device is one of 'graphagile'");
  CHECK_NEAR(device_get(&host, "num_pes"), 0, 0);
  CHECK_NEAR(device_get(&overlay, "num_pes"), 8, 0);
}
