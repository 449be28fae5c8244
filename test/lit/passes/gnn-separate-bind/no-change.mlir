// A second run of the pass changes nothing.
// RUN: gnn-opt --pass-pipeline=gnn-separate-bind %S/basic.mlir > %t.once
// RUN: gnn-opt --pass-pipeline=gnn-separate-bind,gnn-separate-bind %S/basic.mlir | diff %t.once -
