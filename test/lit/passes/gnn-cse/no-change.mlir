// Operations stay that differ in an attribute, an operand, a type or a body, that read memory, or that are in other bodies.
// RUN: gnn-opt %s -o %t.before && gnn-opt %s --gnn-cse -o %t.after && diff %t.before %t.after

!at = !inter.cursor<"node", "g">
!edge = !inter.cursor<"edge", "g">
!buffer = !intra.memory<"node:g", f32>

func.func @differences(%g: !gnn.graph<"g">, %x: !gnn.node<"g", f32>) -> (!gnn.node<"g", f32>, !gnn.node<"g", f32>, !gnn.node<"g", f32>) {
  %0 = "gnn.activation"(%x) {function = "relu"} : (!gnn.node<"g", f32>) -> !gnn.node<"g", f32>
  %1 = "gnn.activation"(%x) {function = "tanh"} : (!gnn.node<"g", f32>) -> !gnn.node<"g", f32>
  %2 = "gnn.activation"(%0) {function = "relu"} : (!gnn.node<"g", f32>) -> !gnn.node<"g", f32>
  return %0, %1, %2 : !gnn.node<"g", f32>, !gnn.node<"g", f32>, !gnn.node<"g", f32>
}

func.func @bodies(%g: !gnn.graph<"g">, %a: !gnn.edge<"g", f32>) -> (!gnn.node<"g", f32>, !gnn.node<"g", f32>) {
  %0 = "inter.for_nodes"(%g) ({
  ^bb0(%n: !at):
    %1 = "inter.degree"(%g, %n) {direction = "in"} : (!gnn.graph<"g">, !at) -> f32
    %2 = "gnn.activation"(%1) {function = "relu"} : (f32) -> f32
    %3 = "gnn.subtract"(%1, %2) : (f32, f32) -> f32
    smt.yield %3 : f32
  }) : (!gnn.graph<"g">) -> !inter.results
  %4 = "inter.for_nodes"(%g) ({
  ^bb0(%n: !at):
    %1 = "inter.degree"(%g, %n) {direction = "in"} : (!gnn.graph<"g">, !at) -> f32
    %2 = "gnn.activation"(%1) {function = "relu"} : (f32) -> f32
    %3 = "gnn.subtract"(%2, %1) : (f32, f32) -> f32
    smt.yield %3 : f32
  }) : (!gnn.graph<"g">) -> !inter.results
  %5 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !gnn.node<"g", f32>
  %6 = "inter.result"(%4) {index = 0 : i64} : (!inter.results) -> !gnn.node<"g", f32>
  return %5, %6 : !gnn.node<"g", f32>, !gnn.node<"g", f32>
}

func.func @memory(%g: !gnn.graph<"g">) {
  %b = "intra.buffer"() {space = "bound", name = "b"} : () -> !buffer
  %c = "intra.buffer"() {space = "bound", name = "b"} : () -> !buffer
  "intra.traverse"(%g) ({
  ^bb0(%n: !at):
    %0 = "intra.load"(%b, %n) : (!buffer, !at) -> f32
    %1 = "gnn.activation"(%0) {function = "relu"} : (f32) -> f32
    "intra.store"(%1, %b, %n) : (f32, !buffer, !at) -> ()
    %2 = "intra.load"(%b, %n) : (!buffer, !at) -> f32
    "intra.store"(%2, %c, %n) : (f32, !buffer, !at) -> ()
    smt.yield
  }) {domain = "node"} : (!gnn.graph<"g">) -> ()
  return
}
