// Pipelines run in the order written: nested passes, options, passes of MLIR and ours, one flag per pass.
// RUN: gnn-opt %s --pass-pipeline='builtin.module(gnn-cse, gnn-order{max-iterations=3}, func.func(canonicalize{max-iterations=2},cse), symbol-dce)' --print-ir-after-all -o /dev/null 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: gnn-opt %s --gnn-dce --gnn-order=max-iterations=3 --canonicalize --print-ir-before-all -o /dev/null 2>&1 | FileCheck %s --check-prefix=FLAGS
// RUN: gnn-opt %s --pass-pipeline= | FileCheck %s --check-prefix=NOTHING
// RUN: gnn-opt - < %s | FileCheck %s --check-prefix=NOTHING
// RUN: gnn-opt %s --gnn-dce -o %t && FileCheck %s --check-prefix=DCE < %t

// ORDER: IR Dump After GnnCse (gnn-cse) //
// ORDER: // -----// IR Dump After GnnOrder (gnn-order{max-iterations=3}) //----- //
// ORDER: IR Dump After Canonicalizer (canonicalize{max-iterations=2})
// ORDER: IR Dump After CSE (cse)
// ORDER: IR Dump After SymbolDCE (symbol-dce)

// FLAGS: IR Dump Before GnnDce (gnn-dce)
// FLAGS: IR Dump Before GnnOrder (gnn-order{max-iterations=3})
// FLAGS: IR Dump Before Canonicalizer (canonicalize)

// NOTHING: gnn.degree
// DCE-NOT: gnn.degree
func.func @f(%g: !gnn.graph<"g">) {
  %0 = "gnn.degree"(%g) {direction = "in"} : (!gnn.graph<"g">) -> !gnn.node<"g", f32>
  return
}
