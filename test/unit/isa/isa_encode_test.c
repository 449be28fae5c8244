/* Instructions as words: every valid one decodes to itself, a field that is too large is an
 * error that names it, and reserved bits are refused. */
#include "isa/graphagile/words.h"
#include "unit.h"

enum { TRIES = 200 };

static uint64_t random_state = 1;

static uint64_t next_random(void) {
  random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return random_state >> 16;
}

/* Half of the values lie at the two ends of the range. */
static uint64_t random_value(const isa_field_info *f) {
  uint64_t least = isa_bias(&graphagile_isa, f), largest = isa_field_largest(&graphagile_isa, f);
  switch (next_random() % 4) {
  case 0: return least;
  case 1: return largest;
  default: return least + next_random() % (largest - least + 1);
  }
}

static void fill_random(const isa_insn_info *info, graphagile_insn *in) {
  *in = (graphagile_insn){.op = info->op};
  for (size_t i = 0; i < info->count; i++) isa_field_set(in, &info->fields[i], random_value(&info->fields[i]));
}

static bool is_same(const isa_insn_info *info, const graphagile_insn *a, const graphagile_insn *b) {
  if (a->op != b->op) return false;
  for (size_t i = 0; i < info->count; i++)
    if (isa_field_get(a, &info->fields[i]) != isa_field_get(b, &info->fields[i])) return false;
  return true;
}

TEST(random_instructions_come_back_from_their_words) {
  for (size_t n = 0; n < graphagile_isa.num_insns; n++) {
    for (int t = 0; t < TRIES; t++) {
      graphagile_insn in, back, fast;
      graphagile_word word, fast_word;
      fill_random(&graphagile_isa.insns[n], &in);
      CHECK_OK(graphagile_encode(&in, &word));
      CHECK(graphagile_encode_fast(&in, &fast_word));
      CHECK(word.low == fast_word.low && word.high == fast_word.high);
      CHECK_OK(graphagile_decode(word, &back));
      CHECK(graphagile_decode_fast(word, &fast));
      CHECK(is_same(&graphagile_isa.insns[n], &in, &back));
      CHECK(is_same(&graphagile_isa.insns[n], &in, &fast));
    }
  }
}

/* The bits of the word, from the table and not from the encoder. */
static graphagile_word by_bits(const isa_insn_info *info, const graphagile_insn *in) {
  graphagile_word word = {(uint64_t)info->op, 0};
  for (size_t i = 0; i < info->count; i++) {
    const isa_field_info *f = &info->fields[i];
    uint64_t stored = isa_field_get(in, f) - isa_bias(&graphagile_isa, f);
    for (unsigned b = 0; b < f->width; b++) {
      uint64_t bit = stored >> b & 1;
      unsigned at = f->low + b;
      *(at < 64 ? &word.low : &word.high) |= bit << at % 64;
    }
  }
  return word;
}

TEST(fields_are_where_the_table_says) {
  for (size_t n = 0; n < graphagile_isa.num_insns; n++) {
    for (int t = 0; t < TRIES; t++) {
      graphagile_insn in;
      graphagile_word word, expected;
      fill_random(&graphagile_isa.insns[n], &in);
      CHECK_OK(graphagile_encode(&in, &word));
      expected = by_bits(&graphagile_isa.insns[n], &in);
      CHECK(word.low == expected.low && word.high == expected.high);
    }
  }
}

TEST(fields_do_not_overlap_and_lie_behind_the_opcode) {
  for (size_t n = 0; n < graphagile_isa.num_insns; n++) {
    bool used[128] = {false};
    for (int b = 0; b < 6; b++) used[b] = true;
    for (size_t i = 0; i < graphagile_isa.insns[n].count; i++) {
      const isa_field_info *f = &graphagile_isa.insns[n].fields[i];
      CHECK(f->width >= 1 && f->low + f->width <= 128);
      for (unsigned b = f->low; b < f->low + f->width && b < 128; b++) {
        if (used[b]) unit_fail(__FILE__, __LINE__, "%s.%s shares bit %u", graphagile_isa.insns[n].name, f->name, b);
        used[b] = true;
      }
    }
  }
}

TEST(each_field_too_large_is_an_error_that_names_it) {
  for (size_t n = 0; n < graphagile_isa.num_insns; n++) {
    for (size_t i = 0; i < graphagile_isa.insns[n].count; i++) {
      const isa_field_info *f = &graphagile_isa.insns[n].fields[i];
      graphagile_insn in;
      graphagile_word word;
      char part[100];
      fill_random(&graphagile_isa.insns[n], &in);
      isa_field_set(&in, f, isa_field_largest(&graphagile_isa, f) + 1);
      snprintf(part, sizeof part, "%s: '%s' is %llu; the largest that fits is %llu", graphagile_isa.insns[n].name,
               f->name, (unsigned long long)isa_field_largest(&graphagile_isa, f) + 1,
               (unsigned long long)isa_field_largest(&graphagile_isa, f));
      CHECK_FAILS(graphagile_encode(&in, &word), part);
      CHECK(!graphagile_encode_fast(&in, &word));
      isa_field_set(&in, f, UINT64_MAX);
      CHECK(!graphagile_encode_fast(&in, &word));
    }
  }
}

TEST(each_field_that_counts_from_one_refuses_zero) {
  int seen = 0;
  for (size_t n = 0; n < graphagile_isa.num_insns; n++) {
    for (size_t i = 0; i < graphagile_isa.insns[n].count; i++) {
      const isa_field_info *f = &graphagile_isa.insns[n].fields[i];
      graphagile_insn in;
      graphagile_word word;
      char part[100];
      if (f->kind != GRAPHAGILE_VALUES_MINUS1) continue;
      seen++;
      fill_random(&graphagile_isa.insns[n], &in);
      isa_field_set(&in, f, 0);
      snprintf(part, sizeof part, "%s: '%s' is 0, expected 1 to", graphagile_isa.insns[n].name, f->name);
      CHECK_FAILS(graphagile_encode(&in, &word), part);
    }
  }
  CHECK(seen > 10);
}

TEST(each_reserved_bit_is_refused) {
  for (size_t n = 0; n < graphagile_isa.num_insns; n++) {
    bool used[128] = {true, true, true, true, true, true};
    for (size_t i = 0; i < graphagile_isa.insns[n].count; i++)
      for (unsigned b = 0; b < graphagile_isa.insns[n].fields[i].width; b++)
        used[graphagile_isa.insns[n].fields[i].low + b] = true;
    for (unsigned b = 0; b < 128; b++) {
      graphagile_insn in, out;
      graphagile_word word;
      char part[100];
      if (used[b]) continue;
      fill_random(&graphagile_isa.insns[n], &in);
      CHECK_OK(graphagile_encode(&in, &word));
      *(b < 64 ? &word.low : &word.high) |= UINT64_C(1) << b % 64;
      snprintf(part, sizeof part, "%s: bit %u is set, but reserved", graphagile_isa.insns[n].name, b);
      CHECK_FAILS(graphagile_decode(word, &out), part);
      CHECK(!graphagile_decode_fast(word, &out));
    }
  }
}

TEST(unknown_opcodes_and_values_are_refused) {
  graphagile_insn out;
  graphagile_insn bad = {.op = (graphagile_opcode)0x2a};
  graphagile_word word;
  CHECK_FAILS(graphagile_decode((graphagile_word){0x2a, 0}, &out), "no instruction has the opcode 0x2a");
  CHECK_FAILS(graphagile_encode(&bad, &word), "no instruction has the opcode 0x2a");
  CHECK_FAILS(graphagile_decode((graphagile_word){0x11 | 3 << 6, 0}, &out),
              "spdmm: 'reduce' has the value 3, which means nothing");
  CHECK_FAILS(graphagile_decode((graphagile_word){0x03 | 7 << 6, 0}, &out),
              "memrd: 'buffer' has the value 7, which means nothing");
  CHECK(!graphagile_decode_fast((graphagile_word){0x03 | 7 << 6, 0}, &out));
}

TEST(values_of_a_kind_are_as_many_as_its_row_says) {
  for (int kind = GRAPHAGILE_VALUES_BUF; kind < GRAPHAGILE_VALUES_KINDS; kind++) {
    const isa_values_info *v = &graphagile_isa.values[kind];
    for (uint64_t i = 0; i < v->count; i++) CHECK(graphagile_value_name(kind, i) != NULL);
    CHECK(graphagile_value_name(kind, v->count) == NULL);
  }
}

TEST(eot_is_found_in_every_instruction_that_has_it) {
  for (size_t n = 0; n < graphagile_isa.num_insns; n++) {
    const isa_field_info *f = isa_find_field(&graphagile_isa.insns[n], "eot");
    graphagile_insn in = {.op = graphagile_isa.insns[n].op};
    CHECK(!graphagile_is_eot(&in));
    if (!f) continue;
    isa_field_set(&in, f, 1);
    CHECK(graphagile_is_eot(&in));
  }
}

TEST(descriptors_come_back) {
  unsigned char bytes[GRAPHAGILE_DESCRIPTOR_BYTES];
  graphagile_descriptor in = {0xfedcba98, 65536, 0x89abcdef, 16384, false, false}, out;
  graphagile_descriptor_encode(&in, bytes);
  CHECK(graphagile_descriptor_decode(bytes, &out));
  CHECK(in.first_edge == out.first_edge && in.num_edges == out.num_edges && in.src_row == out.src_row &&
        in.src_rows == out.src_rows && !out.second && !out.reuse);
  static const unsigned char layout[16] = {0x98, 0xba, 0xdc, 0xfe, 0xff, 0xff, 0xff, 0x3f, 0xef, 0xcd, 0xab, 0x89};
  CHECK(memcmp(bytes, layout, sizeof layout) == 0);
  for (int flags = 1; flags < 4; flags++) {
    in.second = flags & 1;
    in.reuse = flags >> 1;
    graphagile_descriptor_encode(&in, bytes);
    CHECK_INT(bytes[7], 0x3f | flags << 6);
    CHECK(graphagile_descriptor_decode(bytes, &out));
    CHECK(out.second == in.second && out.reuse == in.reuse && out.src_rows == 16384);
  }
  bytes[12] = 2;
  CHECK(!graphagile_descriptor_decode(bytes, &out));
}

TEST(a_piece_may_have_no_edges) {
  unsigned char bytes[GRAPHAGILE_DESCRIPTOR_BYTES];
  graphagile_descriptor in = {.first_edge = 5, .num_edges = 0, .src_row = UINT32_MAX, .src_rows = 1}, out;
  graphagile_descriptor_encode(&in, bytes);
  static const unsigned char layout[16] = {5, [8] = 0xff, 0xff, 0xff, 0xff, 1};
  CHECK(memcmp(bytes, layout, sizeof layout) == 0);
  CHECK(graphagile_descriptor_decode(bytes, &out));
  CHECK_INT(out.num_edges, 0);
  CHECK_INT(out.src_row, UINT32_MAX);
  bytes[4] = 1; /* an empty piece has only one valid encoding */
  CHECK(!graphagile_descriptor_decode(bytes, &out));
}

TEST(an_instruction_prints_what_is_not_as_if_left_out) {
  text t = {0};
  graphagile_insn load = {.op = GRAPHAGILE_OP_memrd,
                          .memrd = {.buffer = GRAPHAGILE_F0,
                                    .lock = 1,
                                    .wait = 1,
                                    .ind = 1,
                                    .alt = 1,
                                    .kind = GRAPHAGILE_KIND_hidden,
                                    .count = 2048,
                                    .nfib = 4,
                                    .addr = 0x400,
                                    .stride = 19717}};
  graphagile_insn_print(&t, &load);
  CHECK_STR(text_str(&t), "memrd F0, kind=hidden, count=2048, nfib=4, addr=0x1000, stride=19717, lock, wait, ind, alt");
  text_free(&t);
  graphagile_insn product = {.op = GRAPHAGILE_OP_gemm,
                             .gemm = {.acc = 1, .eot = 1, .in = 1, .out = 2, .w = 1, .rows = 1, .len = 64, .gfib = 1}};
  product.gemm.in_stride = product.gemm.out_stride = 1;
  graphagile_insn_print(&t, &product);
  CHECK_STR(text_str(&t), "gemm in=F1, out=F2, w=W1, len=64, acc, eot");
  text_free(&t);
  graphagile_insn end = {.op = GRAPHAGILE_OP_halt};
  graphagile_insn_print(&t, &end);
  CHECK_STR(text_str(&t), "halt");
  text_free(&t);
}

TEST(a_stored_number_grows_where_it_stands) {
  for (size_t n = 0; n < graphagile_isa.num_insns; n++) {
    const isa_insn_info *info = &graphagile_isa.insns[n];
    for (size_t i = 0; i < info->count; i++) {
      const isa_field_info *f = &info->fields[i];
      uint64_t least = isa_bias(&graphagile_isa, f), largest = isa_field_largest(&graphagile_isa, f),
               room = (UINT64_C(1) << f->width) - 1;
      graphagile_insn in;
      graphagile_word word, sum;
      fill_random(info, &in);
      isa_field_set(&in, f, least);
      CHECK_OK(graphagile_encode(&in, &word));
      isa_field_set(&in, f, largest);
      CHECK_OK(graphagile_encode(&in, &sum));
      CHECK(!graphagile_add(&word, room + 1, f->low, f->width));
      CHECK(graphagile_add(&word, largest - least, f->low, f->width));
      CHECK(word.low == sum.low && word.high == sum.high);
    }
  }
}
