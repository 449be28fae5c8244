// A module without a model stays unchanged.
// RUN: gnn-opt %s > %t.before
// RUN: gnn-opt --pass-pipeline=inter-to-intra %s > %t.after
// RUN: diff %t.before %t.after

module attributes {gnn.model = "none"} {
  ml_program.global private @w(#ml_program.extern<tensor<6x4xf32>>) : tensor<6x4xf32>
}
