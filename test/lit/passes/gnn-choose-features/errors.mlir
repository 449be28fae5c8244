// gnn-choose-features refuses wrong options, and sparse features that are no rows.
// RUN: gnn-opt --pass-pipeline='gnn-choose-features{features=sparse}' --verify-diagnostics %s
// RUN: not gnn-opt --pass-pipeline='gnn-choose-features{features=thin}' %s 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not gnn-opt --pass-pipeline='gnn-choose-features{density=half}' %s 2>&1 | FileCheck %s --check-prefix=SHARE

// FORM: option 'features' is 'thin', but takes auto, dense or sparse
// SHARE: option 'density' is 'half', but takes a share between 0 and 1

// expected-error@+1 {{features are node f32, but sparse features are rows: node f32[F]}}
func.func @scalars(%x: !gnn.node<"g", f32> {gnn.from = "x"}) -> !gnn.node<"g", f32> {
  %0 = "gnn.activation"(%x) {function = "relu"} : (!gnn.node<"g", f32>) -> !gnn.node<"g", f32>
  return %0 : !gnn.node<"g", f32>
}
