// gnn-opt dumps IR after chosen passes, after changes only, or into a folder of numbered files.
// RUN: gnn-opt %s --gnn-cse --gnn-dce --print-ir-after=gnn-dce --print-ir-before=gnn-cse -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHOSEN
// RUN: gnn-opt %s --gnn-cse --gnn-dce --gnn-cse --print-ir-after-change -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHANGE
// RUN: rm -rf %t && gnn-opt %s --gnn-cse --gnn-dce --gnn-cse --print-ir-tree=%t -o /dev/null
// RUN: ls %t | FileCheck %s --check-prefix=TREE
// RUN: FileCheck %s --check-prefix=INPUT < %t/00_input.mlir
// RUN: FileCheck %s --check-prefix=DCE < %t/02_gnn-dce.mlir
// RUN: gnn-opt %s --mlir-print-debuginfo | FileCheck %s --check-prefix=LOCATIONS
// RUN: gnn-opt %s --gnn-cse --timing -o /dev/null 2>&1 | FileCheck %s --check-prefix=TIMING
// RUN: not gnn-opt %s --gnn-dce --print-ir-tree=%t/00_input.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=NOFOLDER

// CHOSEN: // -----// IR Dump Before GnnCse (gnn-cse) //----- //
// CHOSEN: // -----// IR Dump After GnnDce (gnn-dce) //----- //
// CHOSEN-NOT: IR
// CHANGE: // -----// IR Dump After GnnDce (gnn-dce) //----- //
// CHANGE-NOT: IR
// TREE: 00_input.mlir
// TREE-NEXT: 02_gnn-dce.mlir
// TREE-NOT: {{.}}
// INPUT: gnn.degree
// DCE: // -----// IR Dump After GnnDce (gnn-dce) //----- //
// DCE-NOT: gnn.degree
// LOCATIONS: loc("h"(
// TIMING: ms {{ *}}% {{ *}}changes  pass
// TIMING: gnn-cse
// TIMING: total
// NOFOLDER: error: --print-ir-tree:
func.func @f(%g: !gnn.graph<"g"> loc("h"("gat.gnn":3:4))) {
  %0 = "gnn.degree"(%g) {direction = "in"} : (!gnn.graph<"g">) -> !gnn.node<"g", f32>
  return
}
