// Each part of a split file is an input of its own, and keeps its line numbers.
// After an error in one part the others still run, but nothing is written.
// RUN: rm -f %t && not gnn-opt %s --split-input-file -o %t 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: test ! -e %t
// RUN: sed 's/func.nosuch//' %s > %t.mlir && gnn-opt %t.mlir --split-input-file | FileCheck %s

// CHECK: func.func @first
func.func @first() { return }

// CHECK: // -----
// -----

// ERROR: split.mlir:[[#@LINE+3]]:3: error: custom op 'func.nosuch' is unknown
// ERROR-NEXT: [[#@LINE+2]] |   func.nosuch
func.func @second() {
  func.nosuch
  return
}

// CHECK: // -----
// -----

// ERROR: split.mlir:[[#@LINE+2]]:31: error: custom op 'func.nosuch' is unknown
// CHECK: func.func @first
func.func @first() { return } func.nosuch
