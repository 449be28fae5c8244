/* The check of AGILE's programs: at each limit it accepts the last valid number and refuses the first
 * invalid one, and the message has both. */
#include "isa_agile_fixture.h"
#include "unit.h"

typedef struct trial {
  arena *memory;
  agile_program p;
} trial;

static trial *begin(uint64_t nodes, uint64_t f, uint64_t o) {
  trial *t = calloc(1, sizeof *t);
  if (!t) abort();
  t->memory = arena_create();
  agile_program_begin(&t->p, t->memory, nodes, nodes, f, o);
  for (uint32_t i = 0; i < nodes; i++) agile_program_node(&t->p, i, 1, AGILE_PRECISION_float_32);
  return t;
}

static void end(trial *t) {
  arena_destroy(t->memory);
  free(t);
}

static status checked(trial *t) {
  agile_program_pack(&t->p);
  return image_check(&t->p.image);
}

/* The check with one register changed. */
static status with(trial *t, int reg, uint64_t value) {
  uint64_t kept = t->p.reg[reg];
  t->p.reg[reg] = value;
  status s = checked(t);
  t->p.reg[reg] = kept;
  return s;
}

#define WITH(t, reg, value) with(t, AGILE_REGISTER_##reg, value)

TEST(a_descriptor_keeps_all_of_its_bits) {
  agile_desc d = {12345, 300, AGILE_PRECISION_fixed_16, 777, true}, most = {0xfffff, 0xfffff, 3, 0x1fffff, true};
  CHECK(agile_desc_pack(d) ==
        (UINT64_C(12345) | UINT64_C(300) << 20 | UINT64_C(2) << 40 | UINT64_C(777) << 42 | UINT64_C(1) << 63));
  agile_desc same = agile_desc_unpack(agile_desc_pack(d));
  CHECK(same.node == 12345 && same.count == 300 && same.precision == 2 && same.list == 777 && same.is_valid);
  CHECK(agile_desc_pack(most) == UINT64_MAX);
  CHECK(!agile_desc_runs(agile_desc_unpack(0)));
}

TEST(devices_and_programs_are_described_in_a_line) {
  trial *t = begin(3, 16, 8);
  text out = {0};
  agile_machine.print_device(&t->p.image.device, &out);
  text_append(&out, "; ");
  agile_machine.print_size(&t->p.image, &out);
  CHECK_STR(text_str(&out), "256 nodeslots, 32 read masters, up to 64 input and 64 output features; 1 layer, 20 "
                            "records, 3 descriptors");
  text_free(&out);
  end(t);
}

TEST(parameters_of_a_device_fit_one_another) {
  device d;
  device_default(&d, &agile_machine);
  CHECK_FAILS(device_set(&d, "flit_bits", "96"), "'flit_bits' is 96, expected a divisor of 512");
  CHECK_FAILS(device_set(&d, "address_queue", "17"), "'address_queue' is 17, expected a multiple of 16");
  CHECK_FAILS(device_set(&d, "fte_columns", "17"), "'fte_columns' is 17, expected a multiple of 16");
  CHECK_OK(device_set(&d, "clock_mhz", "100"));
  CHECK_NEAR(d.agile.cycle_ns, 10, 0);
  CHECK_INT(agile_most_features(&d.agile), 64);
  CHECK_OK(device_set(&d, "allocation", "sequential"));
  CHECK_INT(agile_most_features(&d.agile), 1024);
  CHECK_OK(device_set(&d, "rows", "15"));
  CHECK_INT(agile_most_features(&d.agile), 960);
}

TEST(the_page_has_a_row_for_each_register) {
  for (uint64_t i = 0; i < AGILE_COUNT_REGISTER; i++) {
    const agile_register_info *r = agile_register(i);
    text row = {0};
    text_printf(&row, "\n| `%s` | %u | %s |\n", r->name, r->bits, r->doc);
    CHECK_HAS((const char *)agile_machine.manual, text_str(&row));
    text_free(&row);
  }
  CHECK(!agile_register(AGILE_COUNT_REGISTER));
}

TEST(features_are_within_cores_and_columns) {
  trial *t = begin(3, 64, 64);
  CHECK_OK(checked(t));
  CHECK_FAILS(WITH(t, in_features, 65), "'in_features' is 65, expected 1 to 64");
  CHECK_FAILS(WITH(t, in_features, 0), "'in_features' is 0, expected 1 to 64");
  CHECK_FAILS(WITH(t, in_features, 2048), "'in_features' is 0x800; the largest value is 0x7ff");
  CHECK_FAILS(WITH(t, out_features, 65), "'out_features' is 65, expected 1 to 64");
  CHECK_OK(WITH(t, out_features, 1));
  end(t);
}

TEST(records_come_in_the_order_of_a_layer) {
  trial *t = begin(1, 16, 16);
  agile_program *p = &t->p;
  p->num_insns = 0;
  agile_program_write(p, AGILE_REGISTER_bias, 1);
  agile_program_encode(p);
  CHECK_FAILS(image_check(&p->image), "record at 0x0: 'bias' is written, expected layer before it");
  p->num_insns = 0;
  agile_program_add(p, (agile_insn){.op = AGILE_OP_layer});
  agile_program_fetch(p);
  agile_program_encode(p);
  CHECK_FAILS(image_check(&p->image), "record at 0x10: fetch_layer_weights, expected layer_config_valid before it");
  agile_program_pack(p);
  p->num_insns -= 4; /* without the start */
  int before = p->num_insns;
  agile_program_write(p, AGILE_REGISTER_in_features, 16);
  agile_program_start(p);
  agile_program_encode(p);
  CHECK_FAILS(image_check(&p->image), "start_nodeslot_fetch, expected fetch_layer_weights behind the last change");
  p->num_insns = before + 1;
  p->insns[before] =
      (agile_insn){.op = AGILE_OP_write, .write = {.reg = AGILE_REGISTER_start_nodeslot_fetch, .value = 1}};
  agile_program_encode(p);
  CHECK_FAILS(image_check(&p->image), "halt, expected poll of start_nodeslot_fetch_done");
  agile_program_write(p, AGILE_REGISTER_bias, 0);
  agile_program_encode(p);
  CHECK_FAILS(image_check(&p->image), "bias, expected poll of start_nodeslot_fetch_done");
  end(t);
}

TEST(registers_take_the_values_that_they_have) {
  trial *t = begin(1, 16, 16);
  CHECK_FAILS(WITH(t, activation, 3), "'activation' is 0x3; the largest value is 0x2");
  CHECK_FAILS(WITH(t, aggregation, 3), "'aggregation' is 0x3; the largest value is 0x2");
  CHECK_FAILS(WITH(t, bias, UINT64_C(1) << 32), "'bias' is 0x100000000; the largest value is 0xffffffff");
  CHECK_FAILS(WITH(t, precisions, 0), "'precisions' is 0, expected the precisions of the nodes");
  agile_program_write(&t->p, AGILE_REGISTER_nodeslots_empty, 1);
  t->p.insns[1] = t->p.insns[t->p.num_insns - 1];
  agile_program_encode(&t->p);
  CHECK_FAILS(image_check(&t->p.image), "'nodeslots_empty' is written, expected a poll");
  t->p.insns[1] = (agile_insn){.op = AGILE_OP_poll, .poll = {.reg = AGILE_REGISTER_bias, .value = 1}};
  agile_program_encode(&t->p);
  CHECK_FAILS(image_check(&t->p.image), "poll of 'bias', which does not change by itself");
  end(t);
}

TEST(arrays_lie_in_their_sections) {
  trial *t = begin(3, 16, 16);
  CHECK_OK(checked(t));
  CHECK_FAILS(WITH(t, weights, AGILE_AT_WEIGHTS + 64), "'weights': 1024 bytes from 0x4000040 on do not lie in "
                                                       "'.weights' or '.features'");
  CHECK_FAILS(WITH(t, weights, AGILE_AT_WEIGHTS + 4), "'weights' is 0x4000004, expected a multiple of 64");
  CHECK_FAILS(WITH(t, node_count, 4), "descriptors: 32 bytes from 0x10000 on do not lie in '.desc'");
  CHECK_FAILS(WITH(t, out_features_address, AGILE_AT_FEATURES + 256),
              "results: 192 bytes from 0x10000100 on do not lie in '.features'");
  CHECK_FAILS(WITH(t, adjacency_list, AGILE_AT_FEATURES),
              "descriptor 0 (node 0): adjacency list: 4 bytes from 0x10000000 on do not lie in '.edges'");
  CHECK_FAILS(WITH(t, scale_factors, 0), "descriptor 0 (node 0): scale factors: 4 bytes from 0x0 on do not lie in");
  CHECK_FAILS(WITH(t, in_messages, 0), "node 0, neighbour 0: message: 64 bytes from 0x0 on do not lie in");
  CHECK_OK(WITH(t, in_messages, AGILE_AT_WEIGHTS));
  end(t);
}

TEST(lists_name_rows_that_the_layer_does_not_write) {
  trial *t = begin(3, 17, 16);
  agile_program_put(&t->p, 2, 0, 2, 1);
  CHECK_OK(checked(t));
  agile_program_put(&t->p, 2, 0, 3, 1);
  CHECK_FAILS(checked(t), "node 2, neighbour 0: message: 0x10000180 to 0x100001c4 overlap the results at 0x10000180 "
                          "to 0x10000240");
  t->p.lists[2 * AGILE_BEAT_WORDS] = 4;
  CHECK_FAILS(checked(t), "node 2, neighbour 0: offset 0x4, expected a multiple of 64");
  t->p.lists[2 * AGILE_BEAT_WORDS] = UINT32_MAX - 63;
  CHECK_FAILS(checked(t), "message: 68 bytes from 0x10fffffc0 on do not lie in");
  t->p.lists[2 * AGILE_BEAT_WORDS] = 0;
  CHECK_FAILS(WITH(t, scale_factors, t->p.reg[AGILE_REGISTER_out_features_address]), "overlap the results");
  t->p.image.sections[IMAGE_FEATURES].size += 4096;
  CHECK_FAILS(WITH(t, weights, AGILE_AT_FEATURES), "weights: 0x10000000 to 0x10000800 overlap the results");
  end(t);
}

TEST(each_node_has_one_descriptor_in_a_precision_that_is_fetched) {
  trial *t = begin(3, 16, 16);
  t->p.descs[2] = t->p.descs[1];
  CHECK_FAILS(checked(t), "descriptor 2 is the second one of node 1");
  t->p.descs[2] = 0;
  CHECK_OK(checked(t));
  t->p.descs[1] |= UINT64_C(1) << 40;
  CHECK_FAILS(checked(t), "descriptor 1 (node 1): precision 'fixed_8', but 'precisions' is 0x1");
  CHECK_FAILS(WITH(t, precisions, 3), "'w_scale_fixed_8' is 0, expected a positive number");
  t->p.reg[AGILE_REGISTER_w_scale_fixed_8] = agile_program_bits(0.5f);
  CHECK_FAILS(WITH(t, precisions, 3), "'x_scale_fixed_8' is 0, expected a positive number");
  t->p.reg[AGILE_REGISTER_x_scale_fixed_8] = agile_program_bits(0.5f);
  t->p.reg[AGILE_REGISTER_s_scale] = 0x7f800000;
  CHECK_FAILS(WITH(t, precisions, 3), "'s_scale' is inf, expected a positive number");
  t->p.reg[AGILE_REGISTER_s_scale] = agile_program_bits(0.5f);
  CHECK_OK(WITH(t, precisions, 3));
  end(t);
}

/* Sums of fixed_16: 2^15 * 2^15 * 2^15 for each of count * F products. */
TEST(sums_of_fixed_point_fit_64_bits) {
  trial *t = begin(1, 64, 1);
  t->p.reg[AGILE_REGISTER_precisions] = 4;
  t->p.reg[AGILE_REGISTER_w_scale_fixed_16] = t->p.reg[AGILE_REGISTER_x_scale_fixed_16] = agile_program_bits(1);
  t->p.reg[AGILE_REGISTER_s_scale] = agile_program_bits(1);
  agile_program_node(&t->p, 0, 4095, AGILE_PRECISION_fixed_16);
  CHECK_OK(checked(t));
  agile_program_node(&t->p, 0, 4096, AGILE_PRECISION_fixed_16);
  CHECK_FAILS(checked(t), "4096 neighbours of 64 features, expected less than 262144 together in this precision");
  end(t);
}

TEST(a_transformation_does_not_wait_for_more_nodes_than_there_is_room_for) {
  trial *t = begin(3, 16, 16);
  CHECK_OK(WITH(t, wait_count, 64));
  CHECK_FAILS(WITH(t, wait_count, 65), "'wait_count' is 65, the device has 64 buffer slots");
  t->p.image.device.agile.nodeslots = 8;
  CHECK_FAILS(WITH(t, wait_count, 9), "'wait_count' is 9, the device has 8 nodeslots");
  CHECK_OK(WITH(t, wait_count, 8));
  CHECK_OK(WITH(t, wait_count, 0));
  t->p.image.device.agile.message_queue_beats = 1;
  CHECK_OK(checked(t));
  t->p.reg[AGILE_REGISTER_in_features] = 17;
  agile_program_place(&t->p);
  CHECK_FAILS(checked(t), "messages of 17 features, the message queue has 1 beats");
  end(t);
}

TEST(a_bias_for_each_output_is_an_extension) {
  trial *t = begin(3, 16, 16);
  t->p.reg[AGILE_REGISTER_bias_address] = AGILE_AT_WEIGHTS;
  CHECK_FAILS(checked(t), "'bias_address' is 0x4000000, the device has no 'has_vector_bias'");
  t->p.image.device.agile.has_vector_bias = true;
  CHECK_OK(checked(t));
  CHECK_FAILS(WITH(t, bias, 1), "'bias' is 0x1, expected 0 beside 'bias_address'");
  CHECK_FAILS(WITH(t, bias_address, AGILE_AT_WEIGHTS + 1024), "'bias_address': 64 bytes from 0x4000400 on");
  end(t);
}

TEST(a_run_consists_of_whole_layers) {
  trial *t = begin(1, 16, 16);
  t->p.num_insns = 0;
  agile_program_layer(&t->p, 0);
  uint64_t second = (uint64_t)t->p.num_insns;
  agile_program_layer(&t->p, 1);
  agile_program_encode(&t->p);
  CHECK_OK(image_check(&t->p.image));
  CHECK_OK(agile_machine.check_run(&t->p.image, second, 2 * second));
  CHECK_OK(agile_machine.check_run(&t->p.image, 0, 2 * second + 1));
  CHECK_FAILS(agile_machine.check_run(&t->p.image, 1, second), "record 1 is in the middle of a layer");
  CHECK_FAILS(agile_machine.check_run(&t->p.image, 0, 2), "record 2 is in the middle of a layer");
  CHECK_FAILS(agile_machine.check_run(&t->p.image, 0, 2 * second + 2), "'.text' has");
  end(t);
}

/* A small file cannot ask for looks at a list of a million words for each of many descriptors. */
TEST(lists_that_overlap_a_thousand_times_are_refused) {
  trial *t = begin(4000, 16, 16);
  for (uint32_t i = 0; i < 4000; i++)
    t->p.descs[i] = agile_desc_pack((agile_desc){i, AGILE_FIXTURE_WORDS, AGILE_PRECISION_float_32, 0, true});
  CHECK_FAILS(checked(t), "lists overlap so much that their numbers would be looked at more than 64 times");
  end(t);
}
