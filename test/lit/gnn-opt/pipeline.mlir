// Pipelines run in the order written: nested passes, options, passes of MLIR and ours, one flag per pass.
// RUN: gnn-opt %s --pass-pipeline='builtin.module(gnn-cse, gnn-order{max-iterations=3}, func.func(canonicalize,cse), symbol-dce)' --print-ir-after-all -o /dev/null 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: gnn-opt %s --gnn-dce --gnn-order=max-iterations=3 --canonicalize --print-ir-before-all -o /dev/null 2>&1 | FileCheck %s --check-prefix=FLAGS
// RUN: gnn-opt %s --pass-pipeline= | FileCheck %s --check-prefix=NOTHING
// RUN: gnn-opt - < %s | FileCheck %s --check-prefix=NOTHING
// RUN: gnn-opt %s --gnn-dce -o %t && FileCheck %s --check-prefix=DCE < %t

// ORDER: IR Dump After gnn-cse
// ORDER: IR Dump After gnn-order
// ORDER: IR Dump After canonicalize
// ORDER: IR Dump After cse
// ORDER: IR Dump After symbol-dce

// FLAGS: IR Dump Before gnn-dce
// FLAGS: IR Dump Before gnn-order
// FLAGS: IR Dump Before canonicalize

// NOTHING: gnn.degree
// DCE-NOT: gnn.degree
func.func @f(%g: !gnn.graph<"g">) {
  %0 = "gnn.degree"(%g) {direction = "in"} : (!gnn.graph<"g">) -> !gnn.node<"g", f32>
  return
}
