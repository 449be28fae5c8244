/* The cycles of forms on FusedGCN are those of its specification, for models with sparse features. */
#include "codegen/fusedgcn/program.h"
#include "unit.h"

#include "isa/fusedgcn/timing.h"

static fusedgcn_device array_of(int32_t rows, int32_t columns, int32_t mem) {
  device d;
  device_default(&d, machine_find("fusedgcn", NULL));
  d.fusedgcn.rows = rows;
  d.fusedgcn.columns = columns;
  d.fusedgcn.mem = mem;
  return d.fusedgcn;
}

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* A GCN of two layers: nodes, entries of X and of S, features, hidden columns, classes. */
typedef struct model {
  int64_t nodes, x, s, features, hidden, classes;
} model;

static uint64_t fused_cycles(const fusedgcn_device *d, const model *m) {
  return fusedgcn_product_cycles(d, m->s, m->features, m->hidden) +
         fusedgcn_product_cycles(d, m->s, m->hidden, m->classes);
}

static uint64_t cycles_of(const fusedgcn_device *d, const model *m) {
  uint64_t features =
      least(fusedgcn_slices_cycles(d, m->x, m->hidden), fusedgcn_product_cycles(d, m->nodes, m->features, m->hidden));
  uint64_t product_first =
      fusedgcn_product_cycles(d, m->nodes, m->hidden, m->classes) + fusedgcn_slices_cycles(d, m->s, m->classes);
  return features + fusedgcn_slices_cycles(d, m->s, m->hidden) +
         least(product_first, fusedgcn_product_cycles(d, m->s, m->hidden, m->classes));
}

TEST(models_of_the_paper_take_the_specified_cycles) {
  const fusedgcn_device d = array_of(16, 16, 512);
  const model cora = {2708, 49216, 13264, 1433, 16, 7}, cora_64 = {2708, 49216, 13264, 1433, 64, 7},
              citeseer = {3327, 105165, 12431, 3703, 21, 6}, pubmed = {19717, 988031, 108365, 500, 18, 3};
  CHECK_INT(cycles_of(&d, &cora), 75795);
  CHECK_INT(fused_cycles(&d, &cora), 1207058);
  CHECK_INT(cycles_of(&d, &cora_64), 274186);
  CHECK_INT(fused_cycles(&d, &cora_64), 4828130);
  CHECK_INT(cycles_of(&d, &citeseer), 254379);
  CHECK_INT(cycles_of(&d, &pubmed), 1626502);
}

TEST(a_product_takes_a_cycle_for_each_non_zero_and_tile_and_a_drain) {
  const fusedgcn_device d = array_of(16, 16, 512);
  CHECK_INT(fusedgcn_product_cycles(&d, 100, 16, 16), 117);
  CHECK_INT(fusedgcn_product_cycles(&d, 100, 17, 16), 217);
  CHECK_INT(fusedgcn_product_cycles(&d, 100, 17, 33), 617);
  CHECK_INT(fusedgcn_product_cycles(&d, 0, 16, 16), 17);
}

/* 232 x 4 tiles: 512 have room for two columns of tiles. */
TEST(weights_beyond_the_pes_are_cut_by_columns) {
  const fusedgcn_device d = array_of(16, 16, 512), exact = array_of(16, 16, 928), less = array_of(16, 16, 927);
  CHECK_INT(fusedgcn_product_cycles(&exact, 10, 3703, 64), 10 * 928 + 17);
  CHECK_INT(fusedgcn_product_cycles(&less, 10, 3703, 64), 10 * 928 + 2 * 17); /* three columns, then one */
  CHECK_INT(fusedgcn_product_cycles(&d, 10, 3703, 64), 10 * 928 + 2 * 17);
}

/* A column of tiles has no room, so each part has rows of one column of tiles. */
TEST(columns_of_tiles_beyond_the_pes_are_cut_by_rows) {
  const fusedgcn_device d = array_of(16, 16, 232), less = array_of(16, 16, 231), one = array_of(16, 16, 1);
  CHECK_INT(fusedgcn_product_cycles(&d, 10, 3703, 64), 10 * 928 + 4 * 17);
  CHECK_INT(fusedgcn_product_cycles(&less, 10, 3703, 64), 10 * 928 + 8 * 17);
  CHECK_INT(fusedgcn_product_cycles(&one, 10, 3703, 64), 10 * 928 + 928 * 17);
}

TEST(a_slice_has_as_many_columns_as_the_array_has_rows_and_columns) {
  const fusedgcn_device flat = array_of(4, 16, 1), tall = array_of(16, 4, 1);
  CHECK_INT(fusedgcn_slice(&flat), 4);
  CHECK_INT(fusedgcn_slices_cycles(&flat, 100, 8), 2 * 105);
  CHECK_INT(fusedgcn_slices_cycles(&flat, 100, 9), 3 * 105);
  CHECK_INT(fusedgcn_slices_cycles(&tall, 100, 8), 2 * 117);
  CHECK_INT(fusedgcn_slices_cycles(&tall, 100, 0), 0);
}
