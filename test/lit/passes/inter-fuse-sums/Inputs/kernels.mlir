!g = !gnn.graph<"g">
!n = !gnn.node<"g", tensor<32xf32>>
module attributes {gnn.model = "m", gnn.source = "m.gnn"} {
  func.func @m.run(%g: !g {gnn.name = "g"}, %x: !n {gnn.from = "x", gnn.name = "x"}, %z: !n {gnn.from = "z", gnn.name = "z"}, %w: tensor<32x32xf32> {gnn.name = "w"}) -> (!n {gnn.name = "h"}) attributes {gnn.phase = "run"} {
    %0 = "gnn.aggregate"(%g, %z) {reduce = "sum", direction = "in"} : (!g, !n) -> !n
    %1 = "gnn.linear"(%x, %w, %0) {operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (!n, tensor<32x32xf32>, !n) -> !n
    return %1 : !n
  }
}
