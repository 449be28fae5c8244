/* Lists of whole matrices: every shape that is a special case of the cut into windows, of the
 * assignment to PEs or of the division into blocks. */
#include "codegen_sextans_lists_fixture.h"

TEST(random_matrices_are_multiplied) {
  for (uint32_t seed = 1; seed <= 12; seed++) {
    lists_case *c = lists_begin(1 + seed * 31, 1 + seed * 29);
    c->device.distance = (int32_t)(1 + seed * 7 % 13);
    c->device.has_two_b = seed % 3 == 0;
    c->options.keeps_rows = seed % 2;
    lists_add_random(c, seed * 150, seed);
    lists_run(c);
    lists_end(c);
  }
}

/* ---- sizes ---- */

TEST(a_matrix_without_entries_has_no_slots) {
  lists_case *c = lists_begin(70, 9);
  lists_run(c);
  CHECK_INT(c->blocks->slots, 0);
  CHECK_INT(c->blocks->rows, 70); /* the published rule keeps all rows and columns */
  CHECK_INT(c->blocks->cols, 9);
  c->options.rule = SEXTANS_RULE_best;
  lists_build(c);
  CHECK_INT(c->blocks->rows, 0);
  CHECK_INT(c->blocks->cols, 0);
  CHECK_INT(c->blocks->windows, 0);
  lists_end(c);
}

TEST(a_matrix_may_have_no_rows_or_columns) {
  lists_case *c = lists_begin(0, 0);
  lists_run(c);
  CHECK_INT(c->num_blocks, 1);
  c->matrix.rows = 3;
  lists_run(c);
  c->matrix = (sextans_matrix){.cols = 3, .row = c->row, .col = c->col};
  lists_run(c);
  lists_end(c);
}

TEST(rows_without_entries_are_kept_on_request) {
  lists_case *c = lists_begin(200, 5);
  lists_add(c, 7, 4, 2);
  lists_add(c, 150, 1, 3);
  c->options.keeps_rows = true;
  lists_build(c);
  lists_check(c);
  bool is_there[200] = {false};
  for (int64_t r = 0; r < c->blocks->rows; r++)
    if (lists_row_of(c->blocks, r) >= 0) is_there[lists_row_of(c->blocks, r)] = true;
  for (int r = 0; r < 200; r++) CHECK(is_there[r]);
  CHECK_INT(c->blocks->cols, 2);
  CHECK_INT(c->blocks->column_of[0], 1);
  CHECK_INT(c->blocks->column_of[1], 4);
  c->options.keeps_rows = false;
  lists_build(c);
  lists_check(c);
  CHECK(c->blocks->rows <= SEXTANS_PES);
  lists_end(c);
}

TEST(columns_fill_windows_to_the_last_one) {
  for (int32_t two_b = 0; two_b < 2; two_b++)
    for (int32_t more = -1; more <= 1; more++) {
      lists_case *c = lists_begin(64, 2 * 48 + more);
      c->device.window = two_b ? 96 : 48;
      c->device.has_two_b = two_b;
      for (int64_t k = 0; k < c->matrix.cols; k++) lists_add(c, k % 64, k, (float)(k % 5 + 1));
      lists_run(c);
      CHECK_INT(c->blocks->windows, more > 0 ? 3 : 2);
      lists_end(c);
    }
}

TEST(columns_that_are_left_out_do_not_fill_windows) {
  lists_case *c = lists_begin(64, 6400);
  for (int64_t k = 0; k < 64; k++) lists_add(c, 63 - k, 100 * k + 99, 1);
  lists_run(c);
  CHECK_INT(c->blocks->windows, 100);
  c->options.rule = SEXTANS_RULE_best;
  lists_build(c);
  CHECK_INT(c->blocks->windows, 1);
  lists_end(c);
}

TEST(rows_beyond_the_depth_are_blocks) {
  for (int32_t more = 0; more <= 1; more++) {
    lists_case *c = lists_begin(64 * 3 + more, 50);
    c->device.depth = 3;
    c->options.keeps_rows = true;
    lists_add_random(c, 900, 5);
    for (int64_t r = 0; r < c->matrix.rows; r++) lists_add(c, r, r % 50, 1);
    lists_run(c);
    CHECK_INT(c->num_blocks, 1 + more);
    for (int64_t b = 0; b < c->num_blocks; b++) CHECK(c->blocks[b].cols == c->blocks[0].cols);
    lists_end(c);
  }
}

TEST(many_blocks_divide_the_rows) {
  lists_case *c = lists_begin(1000, 100);
  c->device.depth = 1;
  lists_add_random(c, 3000, 9);
  lists_run(c);
  CHECK_INT(c->num_blocks, 16);
  lists_end(c);
}

/* ---- rows and entries ---- */

/* 600 non-zeros of a row at distance 10 take 599 * 10 + 1 slots; its pieces are spread over all PEs. */
TEST(a_dense_row_is_cut) {
  lists_case *c = lists_begin(100, 600);
  c->device.window = 608;
  for (int64_t k = 0; k < 600; k++) lists_add(c, 42, k, 1);
  lists_run(c);
  CHECK_INT(c->blocks->slots, 5991);
  c->options.rule = SEXTANS_RULE_best;
  lists_build(c);
  CHECK(c->blocks->slots < 60);
  CHECK(c->blocks->extra_rows > 0);
  lists_end(c);
}

TEST(rows_are_not_cut_into_single_non_zeros) {
  lists_case *c = lists_begin(4, 16);
  for (int64_t i = 0; i < 64; i++) lists_add(c, i % 4, i / 4, 1);
  lists_run(c);
  c->options.rule = SEXTANS_RULE_best;
  lists_build(c);
  CHECK_INT(c->blocks->piece, 2);
  lists_end(c);
}

TEST(a_row_is_not_cut_into_more_rows_than_the_device_has) {
  lists_case *c = lists_begin(64, 600);
  c->device.depth = 1;
  c->device.window = 608;
  c->options.keeps_rows = true;
  for (int64_t k = 0; k < 600; k++) lists_add(c, 5, k, 1);
  lists_run(c);
  c->options.rule = SEXTANS_RULE_best;
  lists_build(c);
  CHECK(c->num_blocks > 1);
  for (int64_t b = 0; b < c->num_blocks; b++) CHECK(c->blocks[b].rows <= 64);
  lists_end(c);
}

TEST(long_pieces_are_tried_where_short_ones_have_no_room) {
  lists_case *c = lists_begin(32, 400);
  c->device.depth = 1;
  c->device.window = 512;
  for (int64_t i = 0; i < 32 * 400; i++) lists_add(c, i / 400, i % 400, 1);
  lists_run(c);
  c->options.rule = SEXTANS_RULE_best;
  lists_build(c);
  CHECK_INT(c->blocks->piece, 200);
  CHECK_INT(c->blocks->slots, 199 * 10 + 1);
  lists_end(c);
}

TEST(an_entry_may_occur_several_times) {
  lists_case *c = lists_begin(9, 9);
  for (int i = 0; i < 60; i++) lists_add(c, 4, 4, (float)(i % 7 + 1));
  lists_run(c);
  lists_end(c);
}

TEST(plus_zero_is_dropped_unless_kept_and_minus_zero_never_is) {
  lists_case *c = lists_begin(5, 5);
  lists_add(c, 1, 1, 0.0F);
  lists_add(c, 2, 2, -0.0F);
  lists_add(c, 3, 3, 1);
  lists_build(c);
  lists_check(c);
  CHECK_INT(c->blocks->count, 2);
  CHECK_INT(c->blocks->cols, 2);
  c->options.keeps_zeros = true;
  lists_build(c);
  lists_check(c);
  CHECK_INT(c->blocks->count, 3);
  c->options.keeps_zeros = false;
  c->has_no_values = true; /* any of them may become another number */
  lists_build(c);
  lists_check(c);
  CHECK_INT(c->blocks->count, 3);
  lists_end(c);
}

/* ---- options and threads ---- */

TEST(two_threads_make_the_same_bytes) {
  for (int i = 0; i < 2; i++) {
    lists_case *c = lists_begin(700, 900);
    c->device.depth = 8;
    c->has_no_values = true;
    c->options.rule = i ? SEXTANS_RULE_published : SEXTANS_RULE_best;
    lists_add_random(c, 9000, 3);
    lists_build(c);
    arena *first = c->arena;
    sextans_lists *alone = c->blocks;
    int64_t blocks = c->num_blocks;
    c->arena = NULL;
    c->options.pool = thread_pool_create(2);
    lists_build(c);
    CHECK_INT(c->num_blocks, blocks);
    for (int64_t b = 0; b < blocks; b++) {
      const sextans_lists *x = &alone[b], *y = &c->blocks[b];
      CHECK_INT(x->slots, y->slots);
      CHECK_INT(x->rows, y->rows);
      CHECK(!memcmp(x->q, y->q, (size_t)(x->windows + 1) * sizeof *x->q));
      CHECK(!memcmp(x->a, y->a, (size_t)(SEXTANS_A_CHANNELS * sextans_a_bytes(x->slots))));
      CHECK(!memcmp(x->row_of, y->row_of, (size_t)x->rows * sizeof *x->row_of));
      CHECK(!memcmp(x->entry_of, y->entry_of, (size_t)x->count * sizeof *x->entry_of));
    }
    thread_pool_destroy(c->options.pool);
    arena_destroy(first);
    lists_end(c);
  }
}

TEST(the_best_rule_takes_no_more_cycles_than_the_published_one) {
  for (uint32_t seed = 1; seed <= 10; seed++) {
    lists_case *c = lists_begin(40 * seed, 50 * seed);
    lists_add_random(c, 200 * seed, seed + 50);
    c->options.rule = SEXTANS_RULE_published;
    lists_build(c);
    uint64_t published = c->blocks->cycles;
    c->options.rule = SEXTANS_RULE_best;
    lists_build(c);
    CHECK(c->blocks->cycles <= published);
    lists_end(c);
  }
}

/* ---- refusals ---- */

TEST(indices_outside_of_the_matrix_are_refused) {
  static const int32_t wrong[][2] = {{-1, 0}, {5, 0}, {0, -1}, {0, 7}};
  lists_case *c = lists_begin(5, 7);
  lists_add(c, 4, 6, 1);
  lists_add(c, 0, 0, 1);
  for (int i = 0; i < 4; i++) {
    c->row[1] = wrong[i][0];
    c->col[1] = wrong[i][1];
    CHECK_FAILS(lists_try_build(c), "but the matrix has 5 rows and 7 columns");
  }
  lists_end(c);
}

TEST(sizes_beyond_32_bits_are_refused) {
  lists_case *c = lists_begin(INT64_C(1) << 31, 7);
  c->device.depth = 131072;
  CHECK_FAILS(lists_try_build(c), "2147483648 rows, 7 columns and 0 non-zeros, expected less than 2^31 of each");
  c->matrix.rows = 7;
  c->matrix.cols = INT64_C(1) << 31;
  CHECK_FAILS(lists_try_build(c), "7 rows, 2147483648 columns");
  c->matrix.cols = 7;
  c->matrix.count = INT64_C(1) << 31;
  CHECK_FAILS(lists_try_build(c), "2147483648 non-zeros");
  lists_end(c);
}
