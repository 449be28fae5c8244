/* Values stay in device memory between operations of the device: they move once, their memory is reused
 * when nobody reads them any more, and a sum is computed where its addend is. */
#include "codegen_host_fixture.h"

#include "codegen/device/steps/chain.h"
#include "codegen/device/steps/place.h"
#include "codegen/device/steps/step_private.h"

#define ROWS "!device.rows<\"g\", 2>"
#define ARGUMENTS ", %x: !gnn.node<\"g\", tensor<2xf32>> {gnn.from = \"x\", gnn.name = \"x\"}"
#define INPUT "%0 = \"device.input\"(%x) : (!gnn.node<\"g\", tensor<2xf32>>) -> " ROWS "\n"
#define MAP(to, from, unit)                                                                                            \
  "%" to " = \"device.map\"(%" from ") {functions = [\"relu\"]" unit "} : (" ROWS ") -> " ROWS "\n"
#define ADD(to, a, b)                                                                                                  \
  "%" to " = \"device.vadd\"(%" a ", %" b ") {function = \"add\"} : (" ROWS ", " ROWS ") -> " ROWS "\n"
#define HOST ", unit = \"host\""
/* The host reads a value. */
#define OUTPUT(from) MAP("o", from, HOST)

/* A machine that keeps rows of 16 bytes, six of them per value. Each operation is a record. */
enum { BYTES = 96, ROOM = 128 };

typedef struct toy {
  fixture fixture;
  arena *memory;
  program_manifest manifest;
  step_program program;
  chain chain;
  image image; /* its sections of steps, after finish */
  uint64_t records;
  uint64_t address[8], copy[8]; /* of the results of operations */
  int count;
} toy;

static uint64_t bytes_of(void *user, MlirValue value) {
  (void)user;
  (void)value;
  return BYTES;
}

static void describe(void *user, MlirValue value, program_manifest_place *out) {
  (void)user;
  (void)value;
  out->layout = "toy";
}

static uint64_t count_records(const void *user) {
  return ((const toy *)user)->records;
}

static const chain_class rows = {bytes_of, describe, count_records};

/* A map reads its operand; a sum begins with its second one. */
static status execute(step_program *p, MlirOperation op, void *user) {
  toy *t = user;
  (void)p;
  chain_read(&t->chain, mlirOperationGetOperand(op, 0));
  if (ir_op_kind(op) == IR_OP(device, vadd))
    t->address[t->count] =
        chain_write_onto(&t->chain, ir_result(op), mlirOperationGetOperand(op, 1), &t->copy[t->count]);
  else
    t->address[t->count] = chain_write(&t->chain, ir_result(op));
  t->count++;
  t->records++;
  return STATUS_OK;
}

static void begin(toy *t, const char *body) {
  *t = (toy){.memory = arena_create()};
  fixture_begin(&t->fixture, "", ARGUMENTS, body, 1);
  t->program = step_program_begin(t->memory, t->fixture.host, t->fixture.module, &t->manifest, false);
  t->chain = chain_begin(&t->program, &rows, t);
  chain_attach(&t->chain);
}

/* Makes the manifest's steps; t->manifest.steps is NULL before. */
static void finish(toy *t) {
  if (!t->manifest.steps) CHECK_OK(step_program_finish(&t->program, NULL, &t->image));
}

static void end(toy *t) {
  finish(t);
  fixture_end(&t->fixture);
  arena_destroy(t->memory);
}

/* "> 4096", "< 4160" and "run 0 2" for the steps of a body, separated by commas; other steps by name. */
static void list_steps(const char *json, text *out) {
  const char *steps = strstr(json, "\"steps\":["), *layout;
  for (const char *at = steps ? steps + strlen("\"steps\":[") : ""; (at = strchr(at, '{'));) {
    const char *close = strchr(at, '}');
    unsigned long long address = 0, first = 0, last = 0;
    char op[16] = "";
    if (out->size) text_append(out, ", ");
    if (sscanf(at, "{\"run\":[%llu,%llu]", &first, &last) == 2) {
      text_printf(out, "run %llu %llu", first, last);
    } else if (sscanf(at, "{\"op\":\"%15[a-z]", op) == 1 && !strcmp(op, "relayout")) {
      layout = strstr(at, "\"place\"");
      sscanf(layout, "\"place\":{\"layout\":\"toy\",\"address\":%llu", &address);
      text_printf(out, "%s %llu", strstr(at, "\"in\":") && strstr(at, "\"in\":") < layout ? ">" : "<", address);
      close = strchr(close + 1, '}');
    } else {
      text_append(out, op);
    }
    at = close;
  }
}

static void expect_steps(const char *body, const char *expected, uint64_t size) {
  toy t;
  text found = {0};
  begin(&t, body);
  CHECK_OK(step_program_walk(&t.program, execute, &t));
  chain_run(&t.chain);
  finish(&t);
  list_steps(t.manifest.steps, &found);
  CHECK_STR(text_str(&found), expected);
  CHECK_INT(t.chain.size, size);
  text_free(&found);
  end(&t);
}

/* ---- memory ---- */

TEST(memory_is_reused_and_free_regions_join) {
  toy t;
  begin(&t, "");
  chain_region a = chain_alloc(&t.chain, 100), b = chain_alloc(&t.chain, 64), c = chain_alloc(&t.chain, 1);
  CHECK_INT(a.offset, 0);
  CHECK_INT(a.bytes, 128);
  CHECK_INT(b.offset, 128);
  CHECK_INT(c.offset, 192);
  CHECK_INT(t.chain.size, 256);
  chain_free(&t.chain, a);
  CHECK_INT(chain_alloc(&t.chain, 200).offset, 256); /* no free region is large enough */
  CHECK_INT(chain_alloc(&t.chain, 64).offset, 0);
  chain_free(&t.chain, c);
  chain_free(&t.chain, b); /* what is left of a, b and c are one */
  CHECK_INT(t.chain.free.count, 1);
  CHECK_INT(chain_alloc(&t.chain, 192).offset, 64);
  CHECK_INT(t.chain.size, 256 + 256);
  end(&t);
}

TEST(no_bytes_are_no_region) {
  toy t;
  begin(&t, "");
  chain_region none = chain_alloc(&t.chain, 0);
  CHECK_INT(none.bytes, 0);
  chain_free(&t.chain, none);
  CHECK_INT(t.chain.free.count, 0);
  CHECK_INT(t.chain.size, 0);
  end(&t);
}

/* ---- moves ---- */

TEST(values_of_the_device_do_not_move_between_its_operations) {
  expect_steps(INPUT MAP("1", "0", "") MAP("2", "1", "") MAP("3", "2", "") OUTPUT("3"), "> 4096, run 0 3, < 4224, map",
               2 * ROOM);
}

TEST(a_value_moves_once_for_all_of_its_readers) {
  expect_steps(INPUT MAP("1", "0", "") MAP("2", "0", "") MAP("3", "2", HOST) MAP("4", "2", HOST) OUTPUT("3"),
               "> 4096, run 0 2, < 4352, map, map, map", 3 * ROOM);
}

TEST(records_run_before_the_host_reads_their_results) {
  expect_steps(INPUT MAP("1", "0", "") MAP("2", "1", HOST) MAP("3", "2", "") OUTPUT("3"),
               "> 4096, run 0 1, < 4224, map, > 4096, run 1 2, < 4224, map", 2 * ROOM);
}

TEST(a_value_that_both_have_does_not_move_again) {
  expect_steps(INPUT MAP("1", "0", "") MAP("2", "1", HOST) MAP("3", "1", "") OUTPUT("3"),
               "> 4096, run 0 1, < 4224, map, run 1 2, < 4096, map", 2 * ROOM);
}

/* ---- addends ---- */

TEST(a_sum_is_where_its_addend_is_when_nobody_else_reads_it) {
  toy t;
  begin(&t, INPUT MAP("1", "0", "") ADD("2", "0", "1") OUTPUT("2"));
  CHECK_OK(step_program_walk(&t.program, execute, &t));
  CHECK_INT(t.address[1], t.address[0]);
  CHECK_INT(t.copy[1], 0);
  CHECK_INT(t.chain.size, 2 * ROOM);
  end(&t);
}

TEST(an_addend_with_other_readers_is_copied) {
  toy t;
  begin(&t, INPUT MAP("1", "0", "") ADD("2", "0", "1") MAP("3", "1", "") OUTPUT("3"));
  CHECK_OK(step_program_walk(&t.program, execute, &t));
  CHECK_INT(t.copy[1], t.address[0]);
  CHECK(t.address[1] != t.address[0]);
  end(&t);
}

/* It is read twice by the same operation. */
TEST(an_addend_that_is_also_a_factor_is_copied) {
  toy t;
  begin(&t, INPUT MAP("1", "0", "") ADD("2", "1", "1") OUTPUT("2"));
  CHECK_OK(step_program_walk(&t.program, execute, &t));
  CHECK_INT(t.copy[1], t.address[0]);
  end(&t);
}

TEST(an_addend_of_the_host_moves_to_the_place_of_the_sum) {
  expect_steps(INPUT MAP("1", "0", HOST) ADD("2", "0", "1") OUTPUT("2"), "map, > 4096, > 4224, run 0 1, < 4224, map",
               2 * ROOM);
}

TEST(a_chain_knows_what_the_device_has) {
  toy t;
  begin(&t, INPUT MAP("1", "0", ""));
  MlirValue x = ir_result(fixture_last(&t.fixture, 1)), y = ir_result(fixture_last(&t.fixture, 0));
  CHECK(!chain_has(&t.chain, x) && !chain_has(&t.chain, y));
  CHECK_OK(step_program_walk(&t.program, execute, &t));
  CHECK(!chain_has(&t.chain, x) && chain_has(&t.chain, y)); /* x has no reader any more */
  end(&t);
}

/* ---- other forms ---- */

TEST(a_value_is_moved_through_the_host_to_another_form) {
  toy t;
  text found = {0};
  const program_manifest_place place = {
      .layout = "toy", .address = 8192, .stride = -1, .memory_rows = -1, .order = PROGRAM_MANIFEST_NO_ORDER};
  begin(&t, INPUT MAP("1", "0", "") OUTPUT("1"));
  CHECK_OK(step_program_walk(&t.program, execute, &t));
  chain_read_as(&t.chain, ir_result(fixture_last(&t.fixture, 1)), place);
  finish(&t);
  list_steps(t.manifest.steps, &found);
  CHECK_STR(text_str(&found), "> 4096, run 0 1, < 4224, map, > 8192");
  text_free(&found);
  end(&t);
}
