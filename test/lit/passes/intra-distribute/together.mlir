// Values that a kernel needs together are one message.
// RUN: gnn-opt --pass-pipeline=intra-distribute --remarks='*' %s 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --match-full-lines < %t.remarks
// CHECK-LABEL: @together.run()
// CHECK: [[A:%.*]] = "intra.buffer"() {name = "a"
// CHECK: [[S:%.*]] = "intra.buffer"() {name = "s"
// CHECK-NOT: intra.exchange
// CHECK: "intra.exchange"([[A]], [[S]]) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, overlaps} : (!intra.memory<"node:g", tensor<4xf32>>, !intra.memory<"node:g", f32>) -> ()
// CHECK-NOT: intra.exchange
// CHECK: return
// REMARK: c.gnn:3:1: remark: intra-distribute: ghosts get 4 numbers of 'a'{{ +}}[optimization]
// REMARK-NEXT: c.gnn:3:1: remark: intra-distribute: ghosts get 1 numbers of 's'{{ +}}[optimization]
// REMARK-NOT: {{.*}}remark{{.*}}
module {
  func.func @together.run() attributes {gnn.phase = "run"} {
    %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
    %x = "intra.buffer"() {name = "x", space = "input"} : () -> !intra.memory<"node:g", tensor<4xf32>>
    %y = "intra.buffer"() {name = "y", space = "output"} : () -> !intra.memory<"node:g", tensor<4xf32>>
    %a = "intra.buffer"() {name = "a", space = "workspace"} : () -> !intra.memory<"node:g", tensor<4xf32>>
    %s = "intra.buffer"() {name = "s", space = "workspace"} : () -> !intra.memory<"node:g", f32>
    "intra.traverse"(%g) ({
    ^bb0(%n: !inter.cursor<"node", "g">):
      %0 = "intra.load"(%x, %n) : (!intra.memory<"node:g", tensor<4xf32>>, !inter.cursor<"node", "g">) -> tensor<4xf32>
      %1 = "gnn.reduce"(%0) {function = "sum"} : (tensor<4xf32>) -> f32
      "intra.store"(%0, %a, %n) : (tensor<4xf32>, !intra.memory<"node:g", tensor<4xf32>>, !inter.cursor<"node", "g">) -> ()
      "intra.store"(%1, %s, %n) : (f32, !intra.memory<"node:g", f32>, !inter.cursor<"node", "g">) -> ()
      smt.yield
    }) {domain = "node"} : (!gnn.graph<"g">) -> () loc("k"("c.gnn":2:1))
    "intra.traverse"(%g) ({
    ^bb0(%n: !inter.cursor<"node", "g">):
      %0 = "inter.for_incoming"(%g, %n) ({
      ^bb0(%e: !inter.cursor<"edge", "g">):
        %3 = "inter.src"(%e) : (!inter.cursor<"edge", "g">) -> !inter.cursor<"node", "g">
        %4 = "intra.load"(%a, %3) : (!intra.memory<"node:g", tensor<4xf32>>, !inter.cursor<"node", "g">) -> tensor<4xf32>
        %5 = "intra.load"(%s, %3) : (!intra.memory<"node:g", f32>, !inter.cursor<"node", "g">) -> f32
        %6 = "gnn.multiply"(%5, %4) : (f32, tensor<4xf32>) -> tensor<4xf32>
        smt.yield %6 : tensor<4xf32>
      }) {reduce = ["sum"]} : (!gnn.graph<"g">, !inter.cursor<"node", "g">) -> !inter.results
      %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> tensor<4xf32>
      "intra.store"(%1, %y, %n) : (tensor<4xf32>, !intra.memory<"node:g", tensor<4xf32>>, !inter.cursor<"node", "g">) -> ()
      smt.yield
    }) {domain = "node"} : (!gnn.graph<"g">) -> () loc("y"("c.gnn":3:1))
    return
  }
}
