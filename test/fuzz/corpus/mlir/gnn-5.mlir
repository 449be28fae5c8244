ml_program.global private @conv1.lin.weight(#ml_program.extern) : tensor<4x8xf32> {gnn.from = "conv1.lin.weight"}
ml_program.global private @rel.weight(#ml_program.extern) : !gnn.per<"etype", tensor<8x4xf32>> {gnn.count = 3 : i64}
func.func @weights() -> (tensor<4x8xf32>, !gnn.per<"etype", tensor<8x4xf32>>) attributes {gnn.phase = "bind"} {
  %0 = ml_program.global_load_const @conv1.lin.weight : tensor<4x8xf32>
  %1 = ml_program.global_load_const @rel.weight : !gnn.per<"etype", tensor<8x4xf32>>
  return %0, %1 : tensor<4x8xf32>, !gnn.per<"etype", tensor<8x4xf32>>
}
