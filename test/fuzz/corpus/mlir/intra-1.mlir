!graph = !gnn.graph<"g.replace">
!at_node = !inter.cursor<"node", "g">
!at_entry = !inter.cursor<"nonzero", "g">
!x = !intra.memory<"node:g", tensor<8xf32>>
!y = !intra.memory<"node:g", tensor<4xf32>>
!w = !intra.memory<"one", tensor<8x4xf32>>
!s = !intra.memory<"nonzero:g", tensor<8xf32>>
func.func @gcn.run() attributes {gnn.phase = "run", gnn.workspace_slots = ["node:g x 4"]} {
  %g = "intra.graph"() {set = "g.replace"} : () -> !graph
  %x = "intra.buffer"() {space = "input", name = "x"} : () -> !x
  %s = "intra.buffer"() {space = "input", name = "s"} : () -> !s
  %y = "intra.buffer"() {space = "output", name = "y"} : () -> !y
  %z = "intra.buffer"() {space = "workspace", name = "z", slot = 0 : i64} : () -> !y
  %w = "intra.buffer"() {space = "bound", name = "w", slot = 1 : i64} : () -> !w
  %b = "intra.buffer"() {space = "bound", name = "b", slot = -1 : i64} : () -> !intra.memory<"one", tensor<4xf32>>
  "intra.gemm"(%g, %x, %w) ({
  ^bb0(%n: !at_node, %p: tensor<4xf32>):
    %1 = "gnn.activation"(%p) {function = "relu"} : (tensor<4xf32>) -> tensor<4xf32>
    "intra.store"(%1, %z, %n) : (tensor<4xf32>, !y, !at_node) -> ()
    smt.yield
  }) : (!graph, !x, !w) -> ()
  "intra.traverse"() ({
    %1 = "intra.load"(%b) : (!intra.memory<"one", tensor<4xf32>>) -> tensor<4xf32>
    %2 = "gnn.activation"(%1) {function = "negate"} : (tensor<4xf32>) -> tensor<4xf32>
    "intra.store"(%2, %b) : (tensor<4xf32>, !intra.memory<"one", tensor<4xf32>>) -> ()
    smt.yield
  }) {domain = "one"} : () -> ()
  "intra.traverse"(%g) ({
  ^bb0(%n: !at_node):
    %1 = "intra.nonzeros"(%s, %n) ({
    ^bb0(%k: !at_entry):
      %2 = "intra.load_row"(%w, %k) : (!w, !at_entry) -> tensor<4xf32>
      %3 = "intra.load"(%s, %k) : (!s, !at_entry) -> f32
      %4 = "gnn.multiply"(%3, %2) : (f32, tensor<4xf32>) -> tensor<4xf32>
      smt.yield %4 : tensor<4xf32>
    }) {reduce = ["sum"]} : (!s, !at_node) -> !inter.results
    %5 = "inter.result"(%1) {index = 0 : i64} : (!inter.results) -> tensor<4xf32>
    %8 = "intra.dense_row"(%s, %n) : (!s, !at_node) -> tensor<8xf32>
    %6 = "intra.load"(%z, %n) : (!y, !at_node) -> tensor<4xf32>
    %7 = "gnn.vector_add"(%5, %6) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "intra.store"(%7, %y, %n) : (tensor<4xf32>, !y, !at_node) -> ()
    smt.yield
  }) {domain = "node"} : (!graph) -> ()
  return
}
