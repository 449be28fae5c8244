ml_program.global private @w(#ml_program.extern) : !gnn.per<"etype", tensor<8xf16>>

