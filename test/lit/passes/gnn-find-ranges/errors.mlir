// RUN: gnn-opt --pass-pipeline=gnn-find-ranges --verify-diagnostics --split-input-file %s
func.func @output(%z: !gnn.node<"g", i32>) -> !gnn.node<"g", i32> {
  // expected-error@+1 {{result 0 is i32, but results are f32}}
  return %z : !gnn.node<"g", i32>
}
