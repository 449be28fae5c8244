// A second run of the pass changes nothing.
// RUN: gnn-opt --pass-pipeline=gnn-split-total %S/basic.mlir > %t.once
// RUN: gnn-opt --pass-pipeline=gnn-split-total,gnn-split-total %S/basic.mlir | diff %t.once -
