/* Arrays, edge lists and steps of a manifest are read; a message about a wrong one says what was
 * found and what was expected. */
#include "runtime_steps_fixture.h"

#define ARRAY(more) "{'arrays': [{'name': 'a', " more "}]}"
#define X "{'name': 'x', 'rows': 3, 'width': 2, 'data': " NUMBERS "}"
#define Y "{'name': 'y', 'rows': 3, 'width': 2}"
#define STEP(words) "{'arrays': [" X "," Y "], 'edge_lists': [" LIST "], 'steps': [{" words "}]}"

TEST(a_manifest_without_steps_is_one_run_of_the_whole_program) {
  steps_fixture f;
  steps_fixture_begin(&f);
  CHECK_OK(steps_fixture_read(&f, "{}"));
  CHECK_INT(f.steps.num_steps, 1);
  CHECK_INT(f.steps.steps[0].op, STEP_run);
  CHECK(!f.steps.has_host && f.steps.has_data);
  CHECK_OK(steps_fixture_read(&f, "{'steps': []}"));
  CHECK_INT(f.steps.num_steps, 0);
  steps_fixture_end(&f);
}

TEST(what_was_read_is_what_was_written) {
  steps_fixture f;
  steps_fixture_begin(&f);
  CHECK_OK(steps_fixture_read(&f, STEP("'op': 'vadd', 'name': 'sum', 'line': 7, 'a': 0, 'b': 0, 'out': 1, "
                                       "'function': 'max', 'scale': -2.5, 'functions': ['relu', 'clamp -1 1']")));
  const program_step *s = &f.steps.steps[0];
  CHECK_STR(s->name, "sum");
  CHECK_INT(s->line, 7);
  CHECK_INT(s->vadd.function, BINARY_max);
  CHECK_NEAR(s->vadd.scale, -2.5, 0);
  CHECK_INT(s->num_functions, 2);
  CHECK_INT(s->functions[1].function, UNARY_clamp);
  CHECK_NEAR(s->functions[1].p, -1, 0);
  CHECK_INT(f.steps.arrays[0].last, 0);
  CHECK_INT(f.steps.arrays[1].last, -1);
  CHECK(f.steps.has_host);
  CHECK(f.steps.arrays[0].is_constant && !f.steps.arrays[1].is_constant);
  CHECK(f.steps.arrays[0].data == f.data.numbers);
  CHECK(f.steps.lists[0].weight == f.data.weight);
  steps_fixture_end(&f);
}

TEST(arrays_have_names_and_sizes) {
  CHECK_REFUSED("{'arrays': {}}", "'arrays' is missing or no list");
  CHECK_REFUSED("{'arrays': null}", "'arrays' is missing or no list");
  CHECK_REFUSED("{'arrays': [1]}", "array 0: 'name' is missing or no text");
  CHECK_REFUSED("{'arrays': [{'name': '', 'rows': 1, 'width': 1}]}", "array 0: 'name' is missing or no text");
  CHECK_REFUSED("{'arrays': [" X ", {'name': 1}]}", "array 1: 'name' is missing or no text");
  CHECK_REFUSED(ARRAY("'width': 1"), "array 0: 'rows' is missing or no whole number");
  CHECK_REFUSED(ARRAY("'rows': 1.0, 'width': 1"), "array 0: 'rows' is missing or no whole number");
  CHECK_REFUSED(ARRAY("'rows': -1, 'width': 1"), "array 0: 'rows' is -1, expected 0 to 2147483647");
  CHECK_REFUSED(ARRAY("'rows': 1, 'width': 0"), "array 0: 'width' is 0, expected 1 to 2147483647");
  CHECK_REFUSED(ARRAY("'rows': 1, 'width': 2147483648"), "array 0: 'width' is 2147483648, expected 1 to 2147483647");
  CHECK_REFUSED(ARRAY("'rows': 2147483647, 'width': 2147483647"),
                "array 0: 2147483647 x 2147483647 numbers, expected at most 281474976710656");
}

TEST(constants_lie_in_the_section) {
  CHECK_REFUSED(ARRAY("'rows': 5, 'width': 5, 'data': 48"),
                "array 0: 'data' is 100 bytes at 48 of '.gnnc.lists', which has 144");
  CHECK_REFUSED(ARRAY("'rows': 1, 'width': 1, 'data': 2"),
                "array 0: 'data' is 4 bytes at 2 of '.gnnc.lists', which has 144");
  CHECK_REFUSED(ARRAY("'rows': 0, 'width': 1, 'data': 148"),
                "array 0: 'data' is 0 bytes at 148 of '.gnnc.lists', which has 144");
  CHECK_REFUSED(ARRAY("'rows': 65536, 'width': 65536, 'data': 0"), "array 0: 'data' is 17179869184 bytes at 0");
  CHECK_REFUSED(ARRAY("'rows': 1, 'width': 1, 'data': -4"), "array 0: 'data' is -4, expected 0 to");
  CHECK_REFUSED(ARRAY("'rows': 1, 'width': 1, 'data': true"), "array 0: 'data' is missing or no whole number");
  CHECK_REFUSED(ARRAY("'rows': 1, 'width': 1, 'data': 9223372036854775804"),
                "array 0: 'data' is 9223372036854775804, expected 0 to 2305843009213693951");
}

#define EDGES(name, from, to, edges, src, dst)                                                                         \
  "{'edge_lists': [{'name': '" name "', 'from_rows': " #from ", 'to_rows': " #to ", 'edges': " #edges ", 'src': " #src \
  ", 'dst': " #dst "}]}"

TEST(edge_lists_lie_in_the_section_and_their_ends_are_rows) {
  CHECK_REFUSED("{'edge_lists': 1}", "'edge_lists' is missing or no list");
  CHECK_REFUSED("{'edge_lists': [[]]}", "edge list 0: 'name' is missing or no text");
  CHECK_REFUSED(EDGES("in", -1, 2, 4, 0, 16), "edge list 0: 'from_rows' is -1, expected 0 to 2147483647");
  CHECK_REFUSED(EDGES("in", 3, 2147483648, 4, 0, 16), "edge list 0: 'to_rows' is 2147483648, expected 0 to");
  CHECK_REFUSED(EDGES("in", 3, 2, -4, 0, 16), "edge list 0: 'edges' is -4, expected 0 to 2147483647");
  CHECK_REFUSED(EDGES("in", 3, 2, 4, null, 16), "edge list 0: 'src' is missing or no whole number");
  CHECK_REFUSED(EDGES("in", 3, 2, 4, 132, 16), "edge list 0: 'src' is 16 bytes at 132 of '.gnnc.lists', which has 144");
  CHECK_REFUSED(EDGES("in", 3, 2, 2147483647, 0, 16), "edge list 0: 'src' is 8589934588 bytes at 0 of '.gnnc.lists'");
  CHECK_REFUSED(EDGES("in", 3, 2, 4, 0, 17), "edge list 0: 'dst' is 16 bytes at 17 of '.gnnc.lists'");
  CHECK_REFUSED("{'edge_lists': [{" ENDS ", 'weight': 136}]}",
                "edge list 0: 'weight' is 16 bytes at 136 of '.gnnc.lists'");
  CHECK_REFUSED(EDGES("in", 2, 2, 4, 0, 16), "edge list 0: edge 2 has source row 2, there are 2 rows");
  CHECK_REFUSED(EDGES("in", 3, 1, 4, 0, 16), "edge list 0: edge 2 has destination row 1, there are 1 rows");
  CHECK_REFUSED(EDGES("in", 0, 2, 4, 0, 16), "edge list 0: edge 0 has source row 0, there are 0 rows");
  CHECK_REFUSED(EDGES("in", 3, 2, 1, 52, 16), "edge list 0: edge 0 has source row 1073741824, there are 3 rows");
  steps_fixture f;
  steps_fixture_begin(&f);
  f.data.dst[3] = -1;
  CHECK_FAILS(steps_fixture_read(&f, EDGES("in", 3, 2, 4, 0, 16)),
              "edge list 0: edge 3 has destination row -1, there are 2 rows");
  steps_fixture_end(&f);
}

/* With --no-data the section has a size and no bytes. */
TEST(lists_that_are_not_in_the_file_are_counted_only) {
  steps_fixture f;
  steps_fixture_begin(&f);
  f.image.sections[IMAGE_LISTS].data = NULL;
  CHECK_OK(steps_fixture_read(&f, STEP("'op': 'map', 'in': 0, 'out': 1")));
  CHECK(!f.steps.has_data && f.steps.arrays[0].is_constant && !f.steps.arrays[0].data);
  CHECK(!f.steps.lists[0].src && f.steps.lists[0].has_weight);
  CHECK_FAILS(steps_fixture_read(&f, ARRAY("'rows': 5, 'width': 5, 'data': 48")), "of '.gnnc.lists', which has 144");
  steps_fixture_end(&f);
}

TEST(steps_are_operations_or_runs) {
  CHECK_REFUSED("{'steps': {}}", "'steps' is missing or no list");
  CHECK_REFUSED("{'steps': [7]}", "step 0: 'op' is missing or no text");
  CHECK_REFUSED("{'steps': [{'run': [0, 0]}, {}]}", "step 1: 'op' is missing or no text");
  CHECK_REFUSED(STEP("'op': 'conv'"), "step 0: 'op' is 'conv', expected gemm, spmm, sddmm, vadd, map, columns, concat, "
                                      "outer_sum, lookup or relayout");
  CHECK_REFUSED(STEP("'op': ['map']"), "step 0: 'op' is missing or no text");
  CHECK_REFUSED(STEP("'op': 'run'"), "step 0: 'op' is 'run', expected gemm");
}

TEST(operands_are_numbers_of_arrays) {
  CHECK_REFUSED(STEP("'op': 'map', 'in': 2, 'out': 1"), "step 0: 'in' is 2, expected 0 to 1");
  CHECK_REFUSED(STEP("'op': 'map', 'in': -1, 'out': 1"), "step 0: 'in' is -1, expected 0 to 1");
  CHECK_REFUSED(STEP("'op': 'map', 'in': 0, 'out': 4294967297"), "step 0: 'out' is 4294967297, expected 0 to 1");
  CHECK_REFUSED(STEP("'op': 'map', 'in': '0', 'out': 1"), "step 0: 'in' is missing or no whole number");
  CHECK_REFUSED(STEP("'op': 'vadd', 'a': 0, 'b': 9"), "step 0: 'b' is 9, expected 0 to 1");
  CHECK_REFUSED(STEP("'op': 'vadd', 'a': 0, 'b': 0, 'condition': 9"), "step 0: 'condition' is 9, expected 0 to 1");
  CHECK_REFUSED(STEP("'op': 'gemm', 'weights': 2"), "step 0: 'weights' is 2, expected 0 to 1");
  CHECK_REFUSED(STEP("'op': 'gemm', 'bias': 2"), "step 0: 'bias' is 2, expected 0 to 1");
  CHECK_REFUSED(STEP("'op': 'gemm', 'addend': 2"), "step 0: 'addend' is 2, expected 0 to 1");
  CHECK_REFUSED(STEP("'op': 'spmm', 'values': 2"), "step 0: 'values' is 2, expected 0 to 1");
  CHECK_REFUSED(STEP("'op': 'sddmm', 'src': 2"), "step 0: 'src' is 2, expected 0 to 1");
  CHECK_REFUSED(STEP("'op': 'sddmm', 'dst': 2"), "step 0: 'dst' is 2, expected 0 to 1");
  CHECK_REFUSED("{'steps': [{'op': 'map', 'in': 0}]}", "step 0: 'in' is 0, expected 0 to -1");
}

TEST(functions_are_of_the_table_with_their_numbers) {
#define FUNCTIONS(list) STEP("'op': 'map', 'in': 0, 'out': 1, 'functions': " list)
  CHECK_REFUSED(FUNCTIONS("'relu'"), "step 0: 'functions' is missing or no list of texts");
  CHECK_REFUSED(FUNCTIONS("[1]"), "step 0: 'functions' has 'no text', expected a function");
  CHECK_REFUSED(FUNCTIONS("['relu', 'rely']"),
                "step 0: 'functions' has 'rely', expected a function and as many numbers as it takes");
  CHECK_REFUSED(FUNCTIONS("['clamp 1']"), "step 0: 'functions' has 'clamp 1', expected");
}

TEST(words_of_operations_are_known) {
#define SPMM(more) STEP("'op': 'spmm', 'in': 0, 'out': 1, " more)
  CHECK_REFUSED(SPMM("'reduce': 'sum'"), "step 0: 'list' is missing or no whole number");
  CHECK_REFUSED(SPMM("'list': 1, 'reduce': 'sum'"), "step 0: 'list' is 1, expected 0 to 0");
  CHECK_REFUSED(SPMM("'list': 0"), "step 0: 'reduce' is missing or no text");
  CHECK_REFUSED(SPMM("'list': 0, 'reduce': 'product'"),
                "step 0: 'reduce' is 'product', expected sum, mean, max or min");
#define SDDMM(more) STEP("'op': 'sddmm', 'list': 0, 'src': 0, 'out': 1, " more)
  CHECK_REFUSED(SDDMM("'inner': 'src', 'combine': 'mul'"), "step 0: 'heads' is missing or no whole number");
  CHECK_REFUSED(SDDMM("'heads': 0"), "step 0: 'heads' is 0, expected 1 to 2147483647");
  CHECK_REFUSED(SDDMM("'heads': 1, 'inner': 'cross'"), "step 0: 'inner' is 'cross', expected dot, add, src or dst");
  CHECK_REFUSED(
      SDDMM("'heads': 1, 'inner': 'src', 'combine': 'plus'"),
      "step 0: 'combine' is 'plus', expected add, sub, mul, div, max, min, lt, le, gt, ge, eq, ne, atan2, pow "
      "or replace");
#define VADD(more) STEP("'op': 'vadd', 'a': 0, 'b': 0, 'out': 1" more)
  CHECK_REFUSED(VADD(""), "step 0: 'function' is missing or no text");
  CHECK_REFUSED(VADD(", 'function': 'replace'"), "step 0: 'function' is 'replace', expected add, ");
  CHECK_REFUSED(VADD(", 'function': 'add', 'scale': '2'"), "step 0: 'scale' is '2', expected inf, -inf or nan");
#define GEMM(more) STEP("'op': 'gemm', 'in': 0, 'weights': 0, 'out': 1, " more)
  CHECK_REFUSED(GEMM("'transposed': 1"), "step 0: 'transposed' is missing or no true or false");
  CHECK_REFUSED(GEMM("'skips_zeros': 'no'"), "step 0: 'skips_zeros' is missing or no true or false");
  CHECK_REFUSED(GEMM("'segments': 3"), "step 0: 'segments' is missing or no list of rows");
  CHECK_REFUSED(GEMM("'segments': [0, '3']"), "step 0: 'segments' is missing or no whole number");
  CHECK_REFUSED(GEMM("'segments': [-1, 3]"), "step 0: 'segments' is -1, expected 0 to 2147483647");
  CHECK_REFUSED(STEP("'op': 'columns', 'in': 0, 'out': 1"), "step 0: 'begin' is missing or no whole number");
  CHECK_REFUSED(STEP("'op': 'columns', 'in': 0, 'out': 1, 'begin': -1"), "step 0: 'begin' is -1, expected 0 to");
}

TEST(a_lookup_has_rows_a_column_and_perhaps_bounds) {
#define LOOKUP(more) STEP("'op': 'lookup', 'table': 0, 'in': 0, 'out': 1, " more)
  CHECK_REFUSED(LOOKUP("'column': 0"), "step 0: 'rows' is missing or no whole number");
  CHECK_REFUSED(LOOKUP("'rows': 0, 'column': 0"), "step 0: 'rows' is 0, expected 1 to 2147483647");
  CHECK_REFUSED(LOOKUP("'rows': 3"), "step 0: 'column' is missing or no whole number");
  CHECK_REFUSED(LOOKUP("'rows': 3, 'column': -1"), "step 0: 'column' is -1, expected 0 to 2147483647");
  CHECK_REFUSED(LOOKUP("'rows': 3, 'column': 0, 'low': 0.5"), "step 0: 'low' is missing or no whole number");
  CHECK_REFUSED(LOOKUP("'rows': 3, 'column': 0, 'high': 2147483648"), "step 0: 'high' is 2147483648, expected");
  CHECK_REFUSED(LOOKUP("'rows': 3, 'column': 0, 'each': 1"), "step 0: 'each' is missing or no true or false");
  CHECK_REFUSED(STEP("'op': 'lookup', 'table': 7, 'in': 0"), "step 0: 'table' is 7, expected 0 to 1");
  steps_fixture f;
  steps_fixture_begin(&f);
  CHECK_OK(steps_fixture_read(&f, LOOKUP("'rows': 3, 'column': 1, 'high': 2")));
  const program_step *s = &f.steps.steps[0];
  CHECK_INT(s->lookup.rows, 3);
  CHECK_INT(s->lookup.column, 1);
  CHECK(isinf(s->lookup.low) && s->lookup.high == 2 && !s->lookup.is_each);
  steps_fixture_end(&f);
}

TEST(the_host_has_no_records_and_no_device_memory) {
  CHECK_REFUSED("{'steps': [{'run': [0, 1]}]}", "step 0: 'run' is 1, expected 0 to 0");
  CHECK_REFUSED(STEP("'op': 'relayout', 'in': 0"), "step 0: 'place' is missing or no object");
  CHECK_REFUSED(STEP("'op': 'relayout', 'place': {}"), "step 0: 'in' is missing or no array");
  CHECK_REFUSED(STEP("'op': 'relayout', 'in': 0, 'place': {}"), "step 0: 'layout' is missing or no text");
  CHECK_REFUSED(STEP("'op': 'relayout', 'in': 0, 'place': {'layout': 'fibers', 'address': 0, 'stride': 3}"),
                "step 0: 'layout' is 'fibers', but machine 'host' has no memory");
}
