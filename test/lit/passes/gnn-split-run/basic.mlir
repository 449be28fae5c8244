// gnn-split-run makes a function of each phase of training; each keeps all arguments and computes its own results.
// RUN: gnn-opt --pass-pipeline=gnn-split-run %s | FileCheck %s

!x = !gnn.node<"g", f32>

// CHECK:      func.func @m.gradients(%arg0: {{[^,]*}}, %arg1: {{.*}}, %arg2: f32 {gnn.weight}) -> (f32 {gnn.loss, gnn.of = "gradients"}) attributes {gnn.phase = "gradients"} {
// CHECK-NEXT:   [[L:%.*]] = "gnn.total"(%arg0, %arg1)
// CHECK-NEXT:   return [[L]]
// CHECK:      func.func @m.evaluate(%arg0: {{[^,]*}}, %arg1: {{.*}}, %arg2: f32 {gnn.weight}) -> (!gnn.node<"g", f32> {gnn.of = "evaluate"}) attributes {gnn.phase = "evaluate"} {
// CHECK-NEXT:   [[Y:%.*]] = "gnn.multiply"(%arg1, %arg2)
// CHECK-NEXT:   return [[Y]]
// CHECK-NOT:  @m.run
module attributes {gnn.training} {
  func.func @m.run(%g: !gnn.graph<"g">, %x: !x, %w: f32 {gnn.weight}) -> (!x {gnn.of = "evaluate"}, f32 {gnn.loss, gnn.of = "gradients"}) attributes {gnn.phase = "run"} {
    %y = "gnn.multiply"(%x, %w) : (!x, f32) -> !x
    %l = "gnn.total"(%g, %x) {reduce = "sum"} : (!gnn.graph<"g">, !x) -> f32
    return %y, %l : !x, f32
  }
}
