/* Edge lists become matrices with sorted columns, and constants become weights per type. */
#include "codegen_host_fixture.h"

#include "codegen/device/matrix.h"
#include "codegen/device/operand.h"

#define ARGUMENTS ", %k: !gnn.edge<\"g\", f32> {gnn.from = \"edge_weight\", gnn.name = \"k\"}"
#define GLOBAL(name, type, more)                                                                                       \
  "ml_program.global private @" name "(#extern) : " type " {gnn.from = \"" name "\", gnn.name = \"" name "\"" more "}" \
  "\n"
#define LOAD(name, type) "%" name " = ml_program.global_load_const @" name " : " type "\n"
#define EDGES(kind, attributes, operands, sizes, types)                                                                \
  "%r = \"device.edges\"(" operands ") {kind = \"" kind "\"" attributes ", operandSegmentSizes = array<i32: " sizes    \
  ">} : (" types ") -> !device.edge_list<\"g\", \"g\">\n"

typedef struct read_matrix {
  fixture fixture;
  arena *memory;
  matrix_entries entries;
  matrix_csr csr;
} read_matrix;

static void begin(read_matrix *r, const char *body, bool has_values) {
  const program_edge_list *list;
  *r = (read_matrix){.memory = arena_create()};
  fixture_begin(&r->fixture, "", ARGUMENTS, body, 1);
  CHECK_OK(program_host_edge_list(r->fixture.host, fixture_last(&r->fixture, 0), &list));
  CHECK_OK(matrix_read_entries(r->memory, r->fixture.host, list, has_values, &r->entries));
  CHECK_OK(matrix_sort(r->memory, &r->entries, &r->csr));
}

static void end(read_matrix *r) {
  fixture_end(&r->fixture);
  arena_destroy(r->memory);
}

/* "0: 1 3; 2: 0" are the columns of the rows that have some. */
static void check_columns(const matrix_csr *m, const char *expected) {
  text found = {0};
  for (int64_t r = 0; r < m->rows; r++) {
    if (m->pos[r] == m->pos[r + 1]) continue;
    text_printf(&found, "%s%lld:", found.size ? "; " : "", (long long)r);
    for (int64_t j = m->pos[r]; j < m->pos[r + 1]; j++) text_printf(&found, " %d", m->col[j]);
  }
  CHECK_STR(text_str(&found), expected);
  text_free(&found);
}

TEST(rows_are_destinations_and_columns_ascend) {
  read_matrix r;
  begin(&r, EDGES("in", "", "%g", "1, 0, 0", "!gnn.graph<\"g\">"), true);
  CHECK_INT(r.csr.rows, FIXTURE_NODES);
  CHECK_INT(r.csr.cols, FIXTURE_NODES);
  CHECK_INT(r.csr.count, FIXTURE_EDGES);
  check_columns(&r.csr, "0: 2 2; 1: 0; 2: 1 2; 3: 1 4; 4: 3");
  for (int64_t j = 0; j < r.csr.count; j++) CHECK_NEAR(r.csr.value[j], 1, 0);
  end(&r);
}

/* Both edges 2 -> 0 stay, in their order, and values belong to their entries. */
TEST(values_follow_their_entries) {
  read_matrix r;
  begin(&r, EDGES("in", "", "%g, %k", "1, 0, 1", "!gnn.graph<\"g\">, !gnn.edge<\"g\", f32>"), true);
  const program_edge_list *list;
  CHECK_OK(program_host_edge_list(r.fixture.host, fixture_last(&r.fixture, 0), &list));
  for (int64_t row = 0; row < r.csr.rows; row++)
    for (int64_t j = r.csr.pos[row]; j < r.csr.pos[row + 1]; j++) {
      int32_t entry = r.csr.entry_of[j];
      CHECK_INT(r.entries.row[entry], row);
      CHECK_INT(r.entries.col[entry], r.csr.col[j]);
      CHECK_NEAR(r.csr.value[j], r.entries.value[entry], 0);
    }
  CHECK(r.csr.entry_of[0] < r.csr.entry_of[1]);
  CHECK_NEAR(r.csr.value[0], 3, 0);
  CHECK_NEAR(r.csr.value[1], 5, 0);
  end(&r);
}

TEST(without_values_there_is_a_structure_alone) {
  read_matrix r;
  begin(&r, EDGES("in", "", "%g", "1, 0, 0", "!gnn.graph<\"g\">"), false);
  CHECK(!r.entries.value && !r.csr.value);
  check_columns(&r.csr, "0: 2 2; 1: 0; 2: 1 2; 3: 1 4; 4: 3");
  end(&r);
}

/* Self loops replace the stored loop of node 2, and follow the other edges. */
TEST(self_loops_are_entries) {
  read_matrix r;
  begin(&r,
        "%l = \"gnn.edge_set\"(%g) {mode = \"replace\"} : (!gnn.graph<\"g\">) -> !gnn.graph<\"g.replace\">\n"
        "%r = \"device.edges\"(%l) {kind = \"in\", operandSegmentSizes = array<i32: 1, 0, 0>} : "
        "(!gnn.graph<\"g.replace\">) -> !device.edge_list<\"g\", \"g\">\n",
        true);
  CHECK_INT(r.csr.count, FIXTURE_EDGES - 1 + FIXTURE_NODES);
  check_columns(&r.csr, "0: 0 2 2; 1: 0 1; 2: 1 2; 3: 1 3 4; 4: 3 4; 5: 5");
  end(&r);
}

TEST(an_identity_has_one_entry_per_row) {
  arena *a = arena_create();
  matrix_csr m;
  CHECK_OK(matrix_identity(a, 3, &m));
  CHECK_INT(m.count, 3);
  check_columns(&m, "0: 0; 1: 1; 2: 2");
  CHECK_NEAR(m.value[2], 1, 0);
  CHECK_OK(matrix_identity(a, 0, &m));
  CHECK_INT(m.pos[0], 0);
  arena_destroy(a);
}

/* ---- weights ---- */

static void check_weights(const char *globals, const char *load, bool is_transposed, int64_t types, int64_t k,
                          int64_t n, const float *expected) {
  fixture f;
  arena *a = arena_create();
  const float *found;
  fixture_begin(&f, globals, "", load, 1);
  CHECK_OK(matrix_read_weights(a, f.host, mlirOperationGetResult(fixture_last(&f, 0), 0), is_transposed, types, k, n,
                               &found));
  for (int64_t i = 0; found && i < types * k * n; i++) CHECK_NEAR(found[i], expected[i], 0);
  fixture_end(&f);
  arena_destroy(a);
}

#define B GLOBAL("b", "tensor<2x3xf32>", ""), LOAD("b", "tensor<2x3xf32>")
#define C                                                                                                              \
  GLOBAL("c", "!gnn.per<\"etype\", tensor<2x2xf32>>", ", gnn.count = 3 : i64"),                                        \
      LOAD("c", "!gnn.per<\"etype\", tensor<2x2xf32>>")

TEST(weights_are_rows_of_columns) {
  check_weights(B, false, 1, 2, 3, (const float[]){1, 2, 3, 4, 5, 6});
  check_weights(B, true, 1, 3, 2, (const float[]){1, 4, 2, 5, 3, 6});
}

TEST(weights_per_type_lie_one_behind_the_other) {
  check_weights(C, false, 3, 2, 2, (const float[]){1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  check_weights(C, true, 3, 2, 2, (const float[]){1, 3, 2, 4, 5, 7, 6, 8, 9, 11, 10, 12});
}

TEST(plain_weights_are_repeated_for_each_type) {
  check_weights(B, false, 2, 2, 3, (const float[]){1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6});
}

TEST(weights_of_another_size_are_refused) {
  fixture f;
  arena *a = arena_create();
  const float *found;
  fixture_begin(&f, GLOBAL("b", "tensor<2x3xf32>", ""), "", LOAD("b", "tensor<2x3xf32>"), 1);
  MlirValue w = mlirOperationGetResult(fixture_last(&f, 0), 0);
  CHECK_FAILS(matrix_read_weights(a, f.host, w, false, 1, 2, 4, &found),
              "a constant has 6 numbers, its product takes 8");
  CHECK_OK(matrix_read_weights(a, f.host, w, false, 0, 2, 3, &found));
  CHECK(!found);
  fixture_end(&f);
  arena_destroy(a);
}
