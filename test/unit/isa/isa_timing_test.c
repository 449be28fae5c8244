/* Cycles of instructions are those of the paper, and estimates equal them where no fraction
 * occurs. */
#include "isa/graphagile/timing.h"
#include "unit.h"

enum { P = 16 };

/* GraphAGILE section V-D, per cycle: 16 x 16 multiply-adds, 8 edges of 16 columns, 8 rows of
 * VADD. */
TEST(the_array_works_at_its_peak_on_whole_tiles) {
  CHECK_INT(graphagile_timing_gemm(P, 1024, 128, 4), 1024 / P * 128 * 4);
  CHECK_INT(graphagile_timing_edges(P, 800), 100);
  CHECK_INT(graphagile_timing_vadd(P, 800, 2, false), 200);
  CHECK_INT(graphagile_timing_values(P, 800), 50);
  CHECK_INT(graphagile_timing_post(800, 2), 1600);
  CHECK_INT(graphagile_timing_init(P, 800, 2), 100);
}

/* GraphAGILE section VII: 16 Activation Elements divide, which is one row of a fiber per cycle. */
TEST(a_division_of_rows_takes_as_long_as_a_function) {
  CHECK_INT(graphagile_timing_vadd(P, 800, 2, true), 1600);
  CHECK_INT(graphagile_timing_vadd(P, 801, 1, true), 801);
}

TEST(what_is_not_whole_takes_as_long_as_if_it_were) {
  CHECK_INT(graphagile_timing_gemm(P, 1, 1, 1), P);
  CHECK_INT(graphagile_timing_edges(P, 801), 101);
  CHECK_INT(graphagile_timing_vadd(P, 801, 1, false), 101);
  CHECK_INT(graphagile_timing_values(P, 801), 51);
  CHECK_INT(graphagile_timing_init(P, 801, 1), 51);
  CHECK_INT(graphagile_timing_edges(P, 0), 0);
}

TEST(estimates_are_exact_on_whole_tiles) {
  for (int32_t p = 4; p <= 16; p *= 2)
    for (uint64_t rows = 16; rows <= 4096; rows *= 4) {
      double n = (double)rows;
      CHECK(graphagile_timing_gemm_mean(p, n, 64, 3) == (double)graphagile_timing_gemm(p, rows, 64, 3));
      CHECK(graphagile_timing_edges_mean(p, n) == (double)graphagile_timing_edges(p, rows));
      CHECK(graphagile_timing_vadd_mean(p, n, 3, false) == (double)graphagile_timing_vadd(p, rows, 3, false));
      CHECK(graphagile_timing_vadd_mean(p, n, 3, true) == (double)graphagile_timing_vadd(p, rows, 3, true));
      CHECK(graphagile_timing_post_mean(n, 3) == (double)graphagile_timing_post(rows, 3));
      CHECK(graphagile_timing_init_mean(p, n, 3) == (double)graphagile_timing_init(p, rows, 3));
    }
}
