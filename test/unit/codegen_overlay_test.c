/* Programs compute what their modules say: whatever the device, the partition and the options. */
#include "codegen_overlay_run.h"

#define TYPES_OF_MODULES                                                                                               \
  "!graph = !gnn.graph<\"g\">\n"                                                                                       \
  "!in = !graphagile.edge_list<\"g\", \"g\">\n"                                                                        \
  "!x = !graphagile.rows<\"g\", 37>\n"                                                                                 \
  "!h = !graphagile.rows<\"g\", 24>\n"                                                                                 \
  "!c = !graphagile.rows<\"g\", 7>\n"                                                                                  \
  "!node37 = !gnn.node<\"g\", tensor<37xf32>>\n"                                                                       \
  "!node24 = !gnn.node<\"g\", tensor<24xf32>>\n"                                                                       \
  "!node7 = !gnn.node<\"g\", tensor<7xf32>>\n"

/* Two GCN layers: sums with weights of the edge list, bias, activation. */
static const char gcn[] =
    TYPES_OF_MODULES "func.func @gcn(%g: !graph, %x: !node37, %w: tensor<37x24xf32>, %b: tensor<24xf32>, %v: "
                     "tensor<24x7xf32>, %k: !gnn.edge<\"g\", f32>) -> (!node7) {\n"
                     "  %x0 = \"graphagile.input\"(%x) : (!node37) -> !x\n"
                     "  %r = \"graphagile.relation\"(%g, %k) {kind = \"in\", operandSegmentSizes = array<i32: 1, 0, "
                     "1>} : (!graph, !gnn.edge<\"g\", f32>) -> !in\n"
                     "  %z = \"graphagile.gemm\"(%x0, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, "
                     "tensor<37x24xf32>) -> !h\n"
                     "  %y = \"graphagile.spdmm\"(%r, %z, %b) {reduce = \"sum\", functions = [\"relu\"], "
                     "operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>} : (!in, !h, tensor<24xf32>) -> !h\n"
                     "  %u = \"graphagile.spdmm\"(%r, %y) {reduce = \"sum\", operandSegmentSizes = array<i32: 1, 1, 0, "
                     "0, 0>} : (!in, !h) -> !h\n"
                     "  %t = \"graphagile.gemm\"(%u, %v) {functions = [\"add_constant 0.5\", \"leaky_relu 0.2\"], "
                     "operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!h, tensor<24x7xf32>) -> !c\n"
                     "  %o = \"graphagile.output\"(%t) : (!c) -> !node7\n"
                     "  return %o : !node7\n"
                     "}\n";

static device small_device(int width) {
  device d;
  device_default(&d);
  d.num_pes = 2;
  d.width = width;
  d.feature_rows = 64;
  d.weight_rows = 32;
  d.edges = 64;
  return d;
}

static overlay_options options_of(device d) {
  return (overlay_options){.device = d, .overlap = true, .skip_empty = true, .balance = true, .threads = 1};
}

/* On the default device, on small ones, without overlap, as in the paper, with extensions. */
static void run_everywhere(const char *module, int64_t nodes, int64_t edges) {
  device normal;
  device_default(&normal);
  for (int variant = 0; variant < 7; variant++) {
    overlay_case c = {.text = module, .nodes = nodes, .edges = edges, .sim = {.level = SIM_L1}};
    c.options = options_of(variant == 1 || variant == 2 ? small_device(4) : variant == 3 ? small_device(8) : normal);
    if (variant == 2) c.options.overlap = false;
    if (variant == 4) c.options.paper = true;
    if (variant == 5)
      c.options.device.has_packed_edges = c.options.packed = c.options.device.has_broadcast = c.options.broadcast =
          true;
    if (variant == 6) c.options.balance = false, c.options.device.queue_blocks = 1;
    unsigned before = unit_failures;
    overlay_run(&c);
    if (unit_failures != before) printf("  in variant %d\n", variant);
    if (getenv("OVERLAY_VERBOSE"))
      printf("variant %d: %llu cycles, floor %.0f, %llu bytes, compiled in %.1f us\n", variant,
             (unsigned long long)c.cycles, c.floor, (unsigned long long)c.text_bytes, c.seconds * 1e6);
  }
}

TEST(two_gcn_layers_are_what_the_loops_say) {
  run_everywhere(gcn, 150, 700);
  run_everywhere(gcn, 1, 1);
  run_everywhere(gcn, 3000, 20000);
}
