/* The time of image_check grows with the size of the file, and not with the iterations of its
 * loops. These programs would otherwise take long to check. */
#include "isa/graphagile/image_extremes.h"
#include "isa_image_fixture.h"
#include "unit.h"

#include <time.h>

static void write_insn(unsigned char *code, size_t at, const graphagile_insn *in) {
  graphagile_word word;
  CHECK_OK(graphagile_encode(in, &word));
  graphagile_word_write(word, code + 16 * at);
}

/* Two thousand million iterations in two megabytes: many loops { MEMRD E0, MEMRD F0, SPDMM },
 * each over 65,536 descriptors from another start, with two edge lists in turn. */
TEST(loops_cost_their_instructions_and_not_their_iterations) {
  enum { LOOPS = 1 << 15, ITERATIONS = 1 << 16, DESCRIPTORS = LOOPS + ITERATIONS, INSNS = 4 * LOOPS + 3 };
  arena *a = arena_create();
  image_fixture f;
  image_fixture_init(&f, a);
  f.image.device.graphagile.ddr_bytes = 1 << 30;
  unsigned char *code = arena_alloc(a, 16 * INSNS), *table = arena_alloc(a, 16 * DESCRIPTORS);
  graphagile_insn nop = {.op = GRAPHAGILE_OP_nop, .nop = {.eot = 1}}, halt = {.op = GRAPHAGILE_OP_halt};
  f.insns[0].csi.tb_base = (0x1000000 + 16) / 16;
  f.insns[0].csi.desc_base = 0x2000000 / 16;
  f.insns[0].csi.last_layer = 1;
  write_insn(code, 0, &f.insns[0]);
  for (size_t i = 0; i < LOOPS; i++) {
    f.insns[FIXTURE_LOOP].loop.count = ITERATIONS;
    f.insns[FIXTURE_LOOP].loop.desc_start = (i * 7919) % LOOPS;
    f.insns[FIXTURE_LOAD_EDGES].memrd.addr = (FIXTURE_EDGE_LIST + (i & 1) * 12) / 4;
    for (size_t k = 0; k < 4; k++) write_insn(code, 1 + 4 * i + k, &f.insns[FIXTURE_LOOP + k]);
  }
  write_insn(code, INSNS - 2, &nop);
  write_insn(code, INSNS - 1, &halt);
  for (uint32_t i = 0; i < DESCRIPTORS; i++)
    graphagile_descriptor_encode(&(graphagile_descriptor){.num_edges = 1 + i % 2, .src_row = i % 8, .src_rows = 8},
                                 table + 16 * i);
  f.image.sections[IMAGE_TEXT] = (image_section){0x1000000, 16 * INSNS, code};
  f.image.sections[IMAGE_DESC] = (image_section){0x2000000, 16 * DESCRIPTORS, table};
  clock_t begin = clock();
  CHECK_OK(image_check(&f.image));
  CHECK((double)(clock() - begin) / CLOCKS_PER_SEC < 5);

  /* the last descriptor that a loop reaches is wrong, and only one loop reaches it */
  graphagile_descriptor_encode(&(graphagile_descriptor){.num_edges = 5, .src_row = 0, .src_rows = 8},
                               table + 16 * (DESCRIPTORS - 2));
  CHECK_FAILS(image_check(&f.image), "memrd: bytes 0x300c to 0x3048 do not lie in '.edges'");
  arena_destroy(a);
}

TEST(iterations_that_all_differ_are_counted) {
  enum { LOOPS = 300 };
  arena *a = arena_create();
  image_fixture f;
  image_fixture_init(&f, a);
  f.image.device.graphagile.ddr_bytes = 1 << 30;
  unsigned char *code = arena_alloc(a, 16 * (2 * LOOPS + 3));
  graphagile_insn nop = {.op = GRAPHAGILE_OP_nop, .nop = {.eot = 1}}, halt = {.op = GRAPHAGILE_OP_halt};
  f.insns[0].csi.tb_base = (0x1000000 + 16) / 16;
  f.insns[0].csi.last_layer = 1;
  f.insns[FIXTURE_LOOP].loop = (graphagile_loop){.count = 65536, .body_len = 1};
  graphagile_memrd *load = &f.insns[FIXTURE_LOAD_EDGES].memrd;
  load->ind = load->alt = 0;
  load->inc = 1;
  write_insn(code, 0, &f.insns[0]);
  for (size_t i = 0; i < 2 * LOOPS; i++) write_insn(code, 1 + i, &f.insns[FIXTURE_LOOP + i % 2]);
  write_insn(code, 2 * LOOPS + 1, &nop);
  write_insn(code, 2 * LOOPS + 2, &halt);
  f.image.sections[IMAGE_TEXT] = (image_section){0x1000000, 16 * (2 * LOOPS + 3), code};
  CHECK_FAILS(image_check(&f.image),
              "memrd: loops with 'inc' on edges or with 'ind' have more than 16777216 iterations");
  arena_destroy(a);
}

static void check_extremes(const graphagile_image_extremes_tree *t, const graphagile_descriptor *d, uint64_t first,
                           uint64_t count) {
  graphagile_image_extremes found = graphagile_image_extremes_find(t, first, count);
  graphagile_image_extremes e = {.first_row = UINT64_MAX, .first_edge = UINT64_MAX};
  for (uint64_t i = first; i < first + count; i++) {
    if (d[i].src_row < e.first_row) e.first_row = d[i].src_row;
    if (d[i].src_row + (uint64_t)d[i].src_rows > e.rows_end) e.rows_end = d[i].src_row + (uint64_t)d[i].src_rows;
    if (d[i].src_rows > e.most_rows) e.most_rows = d[i].src_rows;
    e.has_second |= d[i].second;
    if (!d[i].num_edges) continue;
    if (d[i].first_edge < e.first_edge) e.first_edge = d[i].first_edge;
    if (d[i].first_edge + (uint64_t)d[i].num_edges > e.edges_end)
      e.edges_end = d[i].first_edge + (uint64_t)d[i].num_edges;
    if (d[i].num_edges > e.most_edges) e.most_edges = d[i].num_edges;
  }
  CHECK(found.first_row == e.first_row && found.rows_end == e.rows_end && found.most_rows == e.most_rows);
  CHECK(found.first_edge == e.first_edge && found.edges_end == e.edges_end && found.most_edges == e.most_edges);
  CHECK(found.has_second == e.has_second);
}

TEST(extremes_are_those_of_each_run) {
  enum { MOST = 5000 };
  static graphagile_descriptor d[MOST];
  unsigned state = 5;
  for (int i = 0; i < MOST; i++) {
    state = state * 1664525u + 1013904223u;
    d[i] = (graphagile_descriptor){
        .first_edge = state, .num_edges = state >> 7 & 3, .src_row = state >> 3, .src_rows = 1 + (state >> 20)};
    d[i].second = (state >> 9) % 100 == 0;
  }
  static const uint64_t sizes[] = {1, 15, 16, 17, 255, 256, 4097, MOST};
  arena *a = arena_create();
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    graphagile_image_extremes_tree *t = graphagile_image_extremes_create(a, d, sizes[s]);
    check_extremes(t, d, 0, sizes[s]);
    check_extremes(t, d, 0, 0);
    for (int i = 0; i < 300; i++) {
      state = state * 1664525u + 1013904223u;
      uint64_t first = (state >> 8) % sizes[s];
      check_extremes(t, d, first, (state >> 4) % (sizes[s] - first + 1));
    }
  }
  arena_destroy(a);
}
