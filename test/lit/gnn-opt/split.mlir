// Parts are inputs of their own, lines keep their numbers, an error in one part does not stop the next.
// RUN: not gnn-opt %s --split-input-file -o %t 2> %t.err
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=ERROR < %t.err

// CHECK: func.func @first
func.func @first() { return }

// CHECK: // -----
// -----

// ERROR: split.mlir:[[#@LINE+3]]:3: error: custom op 'func.nosuch' is unknown
// ERROR-NEXT: [[#@LINE+2]] |   func.nosuch
func.func @second() {
  func.nosuch
}

// CHECK: // -----
// -----

// CHECK: func.func @first
func.func @first() { return }
