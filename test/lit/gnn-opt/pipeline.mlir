// Pipelines: nesting, options, passes of MLIR among ours, one flag per pass, in the order written.
// RUN: gnn-opt %s --pass-pipeline='builtin.module(gnn-cse, gnn-order{max-iterations=3}, func.func(canonicalize,cse), symbol-dce)' --print-ir-after-all -o /dev/null 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: gnn-opt %s --gnn-dce --gnn-order=max-iterations=3 --canonicalize --print-ir-before-all -o /dev/null 2>&1 | FileCheck %s --check-prefix=FLAGS
// RUN: gnn-opt %s --pass-pipeline= | FileCheck %s --check-prefix=NOTHING
// RUN: gnn-opt - < %s | FileCheck %s --check-prefix=NOTHING
// RUN: gnn-opt %s --gnn-dce -o %t && FileCheck %s --check-prefix=DCE < %t

// ORDER: IR after gnn-cse
// ORDER: IR after gnn-order
// ORDER: IR after canonicalize
// ORDER: IR after cse
// ORDER: IR after symbol-dce

// FLAGS: IR before gnn-dce
// FLAGS: IR before gnn-order
// FLAGS: IR before canonicalize

// NOTHING: gnn.degree
// DCE-NOT: gnn.degree
func.func @f(%g: !gnn.graph<"g">) {
  %0 = "gnn.degree"(%g) {direction = "in"} : (!gnn.graph<"g">) -> !gnn.node<"g", f32>
  return
}
