/* The check of instructions against a device: at each limit it accepts the last valid
 * instruction and refuses the first invalid one. */
#include "isa/graphagile/graphagile.h"
#include "isa/text/assemble.h"
#include "unit.h"

static device tested;

static void set_up(void) {
  device_default(&tested, machine_default());
  tested.graphagile.width = 4;
  tested.graphagile.feature_rows = tested.graphagile.weight_rows = 64;
  tested.graphagile.edges = 100;
  tested.graphagile.ddr_bytes = 1 << 20;
}

static status checked(const char *words) {
  graphagile_insn in;
  RETURN_IF_ERROR(assemble_instruction(machine_default(), words, &in));
  return graphagile_check(&in, &tested.graphagile);
}

TEST(loads_end_inside_their_buffer) {
  set_up();
  CHECK_OK(checked("memrd F1, base=16, count=16, nfib=3"));
  CHECK_FAILS(checked("memrd F1, base=17, count=16, nfib=3"), "memrd: the rows from 'base' = 17 end at 65");
  CHECK_OK(checked("memrd W0, base=60, count=4"));
  CHECK_FAILS(checked("memrd W0, base=61, count=4"),
              "'base' = 61 and 4 from there on end at 65, but a Weight Buffer has weight_rows = 64");
  CHECK_OK(checked("memrd E1, base=90, count=10"));
  CHECK_FAILS(checked("memrd E1, base=91, count=10"), "end at 101, but an Edge Buffer has edges = 100");
}

TEST(loads_have_the_forms_of_their_buffers) {
  set_up();
  CHECK_FAILS(checked("memrd W1, nfib=2"), "'nfib' is 2, weights have 1");
  CHECK_FAILS(checked("memrd E1, nfib=2"), "'nfib' is 2, edges have 1");
  CHECK_FAILS(checked("memrd W1, ind"), "descriptors say nothing of weights");
  CHECK_FAILS(checked("memrd F1, form=packed"), "features have no form");
  CHECK_OK(checked("memrd E1, form=value"));
  CHECK_FAILS(checked("memrd E1, form=packed"), "no packed edges");
  tested.graphagile.has_packed_edges = true;
  CHECK_OK(checked("memrd E1, form=packed"));
}

TEST(rows_of_fp16_need_a_device_that_has_them) {
  set_up();
  CHECK_FAILS(checked("memrd F1, form=half"), "memrd: 'form' is set, but the device has no rows of fp16");
  CHECK_FAILS(checked("memwr F1, form=half"), "memwr: 'form' is set, but the device has no rows of fp16");
  tested.graphagile.has_half_rows = true;
  CHECK_OK(checked("memrd F1, form=half"));
  CHECK_OK(checked("memwr F1, form=half"));
  CHECK_FAILS(checked("memrd F1, form=packed"), "features have no form but half and value");
  CHECK_FAILS(checked("memrd W1, form=half"), "weights have no form");
  CHECK_OK(checked("memrd E1, form=half"));
  tested.graphagile.has_half_rows = false;
  CHECK_FAILS(checked("memrd E1, form=half"), "the device has no edges of 8 bytes (has_half_rows = false)");
  CHECK_FAILS(checked("memwr E1, form=half"), "'form' is half, but only the weights of edges are stored");
}

TEST(rows_of_one_number_need_a_device_that_has_them) {
  set_up();
  CHECK_FAILS(checked("memrd F1, form=value"), "memrd: 'form' is set, but the device has no rows of one number");
  CHECK_FAILS(checked("memwr F1, form=value"), "(has_compact_columns = false)");
  CHECK_OK(checked("memrd E1, form=value"));
  tested.graphagile.has_compact_columns = true;
  CHECK_OK(checked("memrd F1, form=value"));
  CHECK_OK(checked("memwr F1, form=value"));
  CHECK_FAILS(checked("memrd W1, form=value"), "weights have no form");
}

TEST(broadcast_needs_a_device_that_has_it) {
  set_up();
  CHECK_FAILS(checked("memrd F0, bcast"), "memrd: 'bcast' is set, but the device does not broadcast");
  tested.graphagile.has_broadcast = true;
  CHECK_OK(checked("memrd F0, bcast"));
}

TEST(loads_and_stores_end_inside_the_memory) {
  set_up();
  CHECK_OK(checked("memrd F0, count=4, addr=0xfffc0"));
  CHECK_FAILS(checked("memrd F0, count=4, addr=0xfffc4"),
              "'addr' = 0xfffc4 ends at 0x100004, but the device has ddr_bytes = 1048576");
  CHECK_FAILS(checked("memwr F0, nfib=2, stride=65536"), "'addr' = 0x0 ends at 0x100010, but");
  tested.graphagile.has_half_rows = true; /* a row has 8 bytes */
  CHECK_OK(checked("memrd F0, form=half, count=8, addr=0xfffc0"));
  CHECK_FAILS(checked("memrd F0, form=half, count=8, addr=0xfffc4"), "'addr' = 0xfffc4 ends at 0x100004");
  CHECK_FAILS(checked("memwr F0, form=half, nfib=2, stride=131072"), "'addr' = 0x0 ends at 0x100008, but");
  tested.graphagile.has_compact_columns = true; /* a row has 4 bytes */
  CHECK_OK(checked("memrd F0, form=value, count=8, addr=0xfffe0"));
  CHECK_FAILS(checked("memwr F0, form=value, count=8, addr=0xfffe4"), "'addr' = 0xfffe4 ends at 0x100004");
}

TEST(stores_are_of_features_and_values) {
  set_up();
  CHECK_FAILS(checked("memwr W0"), "Weight Buffers are not stored");
  CHECK_FAILS(checked("memwr E0"), "'form' is record, but only the weights of edges are stored");
  CHECK_OK(checked("memwr E0, form=value"));
  CHECK_OK(checked("memwr F0, act=leaky_relu"));
  CHECK_FAILS(checked("memwr F0, act=elu"), "'act' is 3, a store knows none, relu and leaky_relu");
}

TEST(products_end_inside_their_buffers) {
  set_up();
  CHECK_OK(
      checked("gemm out=F2, rows=16, len=8, gfib=2, in_stride=16, out_stride=16, in_base=32, out_base=32, w_base=48"));
  CHECK_FAILS(checked("gemm out=F2, rows=16, len=8, gfib=2, in_stride=16, out_stride=16, in_base=33"),
              "gemm: the rows from 'in_base' = 33 end at 65 (2 fibers 16 apart, 16 rows each)");
  CHECK_FAILS(checked("gemm out=F2, rows=16, len=8, gfib=2, in_stride=16, out_stride=16, out_base=33"), "'out_base'");
  CHECK_FAILS(checked("gemm out=F2, rows=16, len=8, gfib=2, in_stride=16, out_stride=16, w_base=49"),
              "'w_base' = 49 and 16 from there on end at 65");
  CHECK_FAILS(checked("gemm out=F2, rows=16, len=9, gfib=2, in_stride=16, out_stride=16, in_base=32"),
              "'in_base'"); /* with 9 columns a third fiber */
  CHECK_FAILS(checked("gemm out=F2, rows=16, len=8, gfib=2, in_stride=16, out_stride=15"),
              "'out_stride' is 15, fibers of the result overlap, expected at least 16");
}

TEST(results_go_into_another_buffer_than_what_they_are_made_of) {
  set_up();
  CHECK_OK(checked("gemm in=F0, out=F1"));
  CHECK_FAILS(checked("gemm in=F2, out=F2"), "gemm: 'out' is F2, expected another buffer than 'in', which is F2");
  CHECK_FAILS(checked("gemm in=F0, out=F1, alt"),
              "'out' is F1, expected another buffer than 'in', which is F0 and alternates");
  CHECK_OK(checked("gemm in=F0, out=F2, alt"));
  CHECK_OK(checked("gemm in=F2, out=F1, alt"));
  CHECK_FAILS(checked("spdmm in=F1, out=F1, lanes=1"), "spdmm: 'out' is F1");
  CHECK_OK(checked("spdmm in=F1, out=F1, lanes=1, edge_only"));
  CHECK_FAILS(checked("spdmm in=F1, out=F0, lanes=1, alt"), "and alternates");
  CHECK_OK(checked("spdmm in=F1, out=F0, lanes=1, alt, single"));
}

TEST(operations_on_edges_stay_inside) {
  set_up();
  CHECK_OK(checked("spdmm out=F2, lanes=0xf, num_edges=100"));
  CHECK_FAILS(checked("spdmm out=F2, lanes=0xf, num_edges=101"), "spdmm: 'num_edges' is 101, an Edge Buffer has 100");
  CHECK_OK(checked("spdmm out=F2, lanes=0xf, num_edges=101, ind")); /* the descriptor has the number of edges */
  CHECK_FAILS(checked("spdmm out=F2, lanes=0xf, in_base=64"), "'in_base'");
  CHECK_OK(checked("spdmm out=F2, lanes=0xf, in_base=64, edge_only"));
  CHECK_FAILS(checked("spdmm out=F2, lanes=0"), "'lanes' is 0, expected a bit per column that takes part, at least 1");
  CHECK_FAILS(checked("spdmm out=F2, lanes=0x10"), "'lanes' is 16, the device has columns for 15");
  CHECK_FAILS(checked("sddmm lanes=0xf, num_edges=101"), "sddmm: 'num_edges' is 101");
  CHECK_FAILS(checked("sddmm lanes=0xf, src_base=64"), "'src_base'");
  CHECK_OK(checked("sddmm dst=F1, lanes=0xf, pair, act=leaky_relu, param=255"));
  CHECK_FAILS(checked("sddmm dst=F2, lanes=0xf, pair"), "sddmm: 'dst' is 2");
  CHECK_OK(checked("sddmm lanes=0xf, src_base=64, inner=dst"));
  CHECK_OK(checked("sddmm lanes=0xf, dst_base=64, inner=src"));
  CHECK_FAILS(checked("sddmm lanes=0xf, dst_base=64, inner=add"), "'dst_base'");
}

TEST(element_wise_operations_stay_inside) {
  set_up();
  CHECK_OK(checked("vadd rows=32, nfib=2, stride=32"));
  CHECK_FAILS(checked("vadd rows=32, nfib=2, stride=33"), "'a_base'");
  CHECK_OK(checked("vadd rows=32, b_base=32, bcast_b, lane=3"));
  CHECK_FAILS(checked("vadd bcast_b, lane=4"), "'lane' is 4, the device has columns up to 3");
  CHECK_OK(checked("vadd on_edges, rows=100"));
  CHECK_FAILS(checked("vadd on_edges, rows=101"), "vadd: 'a_base' = 0 and 101 from there on end at 101");
  CHECK_FAILS(checked("vadd on_edges, out=F2"), "'out' is 2, there are Edge Buffers 0 and 1");
  CHECK_FAILS(checked("vadd ind"), "'ind' is set, but features have no descriptor");
  CHECK_FAILS(checked("post W0"), "features and edges, not weights");
  CHECK_FAILS(checked("post F0, base=60, rows=5"), "post: the rows from 'base' = 60 end at 65");
  CHECK_OK(checked("post E0, base=60, rows=5"));
  CHECK_FAILS(checked("post E0, base=96, rows=5"), "an Edge Buffer has edges = 100");
  CHECK_FAILS(checked("init F0, rows=65"), "init: the rows from 'base' = 0 end at 65");
  CHECK_FAILS(checked("init F0, fill=row, w_base=64"), "a Weight Buffer has weight_rows = 64");
  CHECK_OK(checked("init F0, w_base=64"));
}

TEST(a_loop_has_a_body) {
  set_up();
  CHECK_FAILS(checked("loop count=1"), "loop: 'body_len' is 0, expected at least 1");
  CHECK_OK(checked("loop body_len=1"));
}

/* Any instruction that can be encoded can be checked, without undefined behaviour. */
TEST(every_encodable_instruction_has_a_verdict) {
  set_up();
  for (size_t n = 0; n < graphagile_isa.num_insns; n++) {
    for (int largest = 0; largest < 2; largest++) {
      graphagile_insn in = {.op = graphagile_isa.insns[n].op};
      for (size_t i = 0; i < graphagile_isa.insns[n].count; i++) {
        const isa_field_info *f = &graphagile_isa.insns[n].fields[i];
        isa_field_set(&in, f, largest ? isa_field_largest(&graphagile_isa, f) : isa_bias(&graphagile_isa, f));
      }
      status s = graphagile_check(&in, &tested.graphagile);
      CHECK(!s || *status_message(s));
      status_free(s);
    }
  }
}
