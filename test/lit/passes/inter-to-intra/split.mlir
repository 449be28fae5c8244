// inter-to-intra takes products out of loops, as kernels of their own, where that pays.
// RUN: gnn-opt --pass-pipeline=inter-to-intra --split-input-file %s | FileCheck %s
// RUN: gnn-opt --pass-pipeline=inter-to-intra --remarks=inter-to-intra --split-input-file %s 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// REMARK: remark: inter-to-intra: this product is a kernel of its own; numbers stored per row for the rest of its loop: 1
// REMARK: remark: inter-to-intra: this product is a kernel of its own; numbers stored per row for the rest of its loop: 0
// REMARK-NOT: remark

!g = !gnn.graph<"g">
!ce = !inter.cursor<"edge", "g">
!cn = !inter.cursor<"node", "g">
!x = !gnn.node<"g", tensor<64xf32>>
!w = !gnn.per<"etype", tensor<64x32xf32>>
!e = !gnn.edge<"g", f32>

// Two products are in one loop. The first takes the inner product with %a as epilogue and stores one number per row; the second takes the remaining operations as
// epilogue and is not stored.
// CHECK-LABEL: func.func @two.run()
// CHECK: [[G:%.*]] = "intra.graph"
// CHECK: [[W:%.*]] = "intra.buffer"() {name = "w",
// CHECK: [[V:%.*]] = "intra.buffer"() {name = "v",
// CHECK: [[X:%.*]] = "intra.buffer"() {name = "x",
// CHECK: [[Q:%.*]] = "intra.buffer"() {name = "q", space = "output"}
// CHECK: [[S:%.*]] = "intra.buffer"() {name = "s", slot = -1 : i64, space = "workspace"} : () -> !intra.memory<"edge:g", f32>
// CHECK-NOT: intra.buffer
// CHECK: "intra.gemm"([[G]], [[X]], [[W]]) ({
// CHECK: "gnn.vector_inner"
// CHECK-NEXT: "intra.store"({{%.*}}, [[S]],
// CHECK-NEXT: smt.yield
// CHECK-NEXT: {gather = "src"}
// CHECK: "intra.gemm"([[G]], [[X]], [[V]]) ({
// CHECK-NEXT: ^bb0([[E:%.*]]: !inter.cursor<"edge", "g">, [[P:%.*]]: tensor<32xf32>):
// CHECK-NEXT: [[L:%.*]] = "intra.load"([[S]], [[E]])
// CHECK-NEXT: [[M:%.*]] = "gnn.multiply"([[L]], [[P]])
// CHECK-NEXT: [[R:%.*]] = "gnn.reduce"([[M]])
// CHECK-NEXT: "intra.store"([[R]], [[Q]], [[E]])
// CHECK-NEXT: smt.yield
// CHECK-NEXT: {gather = "dst"}
// CHECK-NEXT: return
module {
  func.func @two.run(%g: !g, %w: !w {gnn.name = "w"}, %v: !w {gnn.name = "v"}, %a: tensor<32xf32> {gnn.name = "a"}, %x: !x {gnn.name = "x"}) -> (!e {gnn.name = "q"}) attributes {gnn.phase = "run"} {
    %0 = "inter.for_edges"(%g) ({
    ^bb0(%c: !ce):
      %s = "inter.src"(%c) : (!ce) -> !cn
      %d = "inter.dst"(%c) : (!ce) -> !cn
      %1 = "inter.at"(%x, %s) : (!x, !cn) -> tensor<64xf32>
      %2 = "inter.at"(%x, %d) : (!x, !cn) -> tensor<64xf32>
      %3 = "inter.at"(%w, %c) : (!w, !ce) -> tensor<64x32xf32>
      %4 = "inter.at"(%v, %c) : (!w, !ce) -> tensor<64x32xf32>
      %5 = "gnn.linear"(%1, %3) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<64xf32>, tensor<64x32xf32>) -> tensor<32xf32>
      %6 = "gnn.linear"(%2, %4) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<64xf32>, tensor<64x32xf32>) -> tensor<32xf32>
      %7 = "gnn.vector_inner"(%5, %a) : (tensor<32xf32>, tensor<32xf32>) -> f32 loc("s"("a.gnn":1:1))
      %8 = "gnn.multiply"(%7, %6) : (f32, tensor<32xf32>) -> tensor<32xf32>
      %9 = "gnn.reduce"(%8) {function = "sum"} : (tensor<32xf32>) -> f32
      smt.yield %9 : f32
    }) : (!g) -> !inter.results
    %q = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !e
    return %q : !e
  }
}

// -----

!g = !gnn.graph<"g">
!cn = !inter.cursor<"node", "g">
!x = !gnn.node<"g", tensor<64xf32>>
!y = !gnn.node<"g", tensor<32xf32>>
!w = !gnn.per<"ntype", tensor<64x32xf32>>

// Products that do not depend on each other are stored where they were needed, each by its own kernel.
// CHECK-LABEL: func.func @apart.run()
// CHECK: [[K:%.*]] = "intra.buffer"() {name = "k", space = "output"}
// CHECK: [[Q:%.*]] = "intra.buffer"() {name = "q", space = "output"}
// CHECK-NOT: workspace
// CHECK: "intra.gemm"
// CHECK: "intra.store"({{.*}}, [[Q]],
// CHECK: "intra.gemm"
// CHECK: "intra.store"({{.*}}, [[K]],
// CHECK-NOT: intra.traverse
// CHECK: return
module {
  func.func @apart.run(%g: !g, %w: !w {gnn.name = "w"}, %v: !w {gnn.name = "v"}, %x: !x {gnn.name = "x"}) -> (!y {gnn.name = "k"}, !y {gnn.name = "q"}) attributes {gnn.phase = "run"} {
    %0 = "inter.for_nodes"(%g) ({
    ^bb0(%c: !cn):
      %1 = "inter.at"(%x, %c) : (!x, !cn) -> tensor<64xf32>
      %3 = "inter.at"(%w, %c) : (!w, !cn) -> tensor<64x32xf32>
      %4 = "inter.at"(%v, %c) : (!w, !cn) -> tensor<64x32xf32>
      %5 = "gnn.linear"(%1, %3) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<64xf32>, tensor<64x32xf32>) -> tensor<32xf32>
      %6 = "gnn.linear"(%1, %4) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<64xf32>, tensor<64x32xf32>) -> tensor<32xf32>
      %7 = "gnn.activation"(%6) {function = "relu"} : (tensor<32xf32>) -> tensor<32xf32>
      smt.yield %5, %7 : tensor<32xf32>, tensor<32xf32>
    }) : (!g) -> !inter.results
    %k = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !y
    %q = "inter.result"(%0) {index = 1 : i64} : (!inter.results) -> !y
    return %k, %q : !y, !y
  }
}

// -----

!g = !gnn.graph<"g">
!cn = !inter.cursor<"node", "g">
!ce = !inter.cursor<"edge", "g">
!x = !gnn.node<"g", tensor<64xf32>>
!y = !gnn.node<"g", tensor<32xf32>>
!w = !gnn.per<"ntype", tensor<64x32xf32>>

// A row that the body computes is stored first, and so is the result of its inner loop that the remaining operations need.
// CHECK-LABEL: func.func @row.run()
// CHECK: [[Y:%.*]] = "intra.buffer"() {name = "y", space = "output"}
// CHECK: [[R:%.*]] = "intra.buffer"() {name = "r", slot = -1 : i64, space = "workspace"}
// CHECK: [[N:%.*]] = "intra.buffer"() {name = "norm", slot = -1 : i64, space = "workspace"}
// CHECK: "intra.traverse"
// CHECK: "inter.for_incoming"
// CHECK: "intra.store"({{.*}}, [[R]],
// CHECK: "intra.store"({{.*}}, [[N]],
// CHECK: "intra.gemm"({{%.*}}, [[R]],
// CHECK: "intra.load"([[N]],
// CHECK: "intra.store"({{.*}}, [[Y]],
// CHECK-NOT: intra.traverse
// CHECK: return
module {
  func.func @row.run(%g: !g, %w: !w {gnn.name = "w"}, %x: !x {gnn.name = "x"}) -> (!y {gnn.name = "y"}) attributes {gnn.phase = "run"} {
    %0 = "inter.for_nodes"(%g) ({
    ^bb0(%c: !cn):
      %1 = "inter.for_incoming"(%g, %c) ({
      ^bb1(%e: !ce):
        %s = "inter.src"(%e) : (!ce) -> !cn
        %a = "inter.at"(%x, %s) : (!x, !cn) -> tensor<64xf32>
        %b = "gnn.reduce"(%a) {function = "sum"} : (tensor<64xf32>) -> f32
        smt.yield %a, %b : tensor<64xf32>, f32
      }) {reduce = ["sum", "sum"]} : (!g, !cn) -> !inter.results
      %2 = "inter.result"(%1) {index = 0 : i64} : (!inter.results) -> tensor<64xf32>
      %3 = "inter.result"(%1) {index = 1 : i64} : (!inter.results) -> f32 loc("norm"("a.gnn":1:1))
      %4 = "gnn.divide"(%2, %3) : (tensor<64xf32>, f32) -> tensor<64xf32> loc("r"("a.gnn":2:1))
      %5 = "inter.at"(%w, %c) : (!w, !cn) -> tensor<64x32xf32>
      %6 = "gnn.linear"(%4, %5) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<64xf32>, tensor<64x32xf32>) -> tensor<32xf32>
      %7 = "gnn.multiply"(%3, %6) : (f32, tensor<32xf32>) -> tensor<32xf32>
      smt.yield %7 : tensor<32xf32>
    }) : (!g) -> !inter.results
    %y = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !y
    return %y : !y
  }
}

// -----

!g = !gnn.graph<"g">
!ce = !inter.cursor<"edge", "g">
!cn = !inter.cursor<"node", "g">
!x = !gnn.node<"g", tensor<8xf32>>
!w = !gnn.per<"etype", tensor<8x4xf32>>
!e = !gnn.edge<"g", f32>

// A few products for each row do not pay for a store and a load.
// CHECK-LABEL: func.func @small.run()
// CHECK-NOT: workspace
// CHECK: "intra.traverse"
// CHECK-NOT: "intra.{{gemm|traverse}}"
// CHECK: return
module {
  func.func @small.run(%g: !g, %w: !w {gnn.name = "w"}, %x: !x {gnn.name = "x"}) -> (!e {gnn.name = "q"}) attributes {gnn.phase = "run"} {
    %0 = "inter.for_edges"(%g) ({
    ^bb0(%c: !ce):
      %s = "inter.src"(%c) : (!ce) -> !cn
      %d = "inter.dst"(%c) : (!ce) -> !cn
      %1 = "inter.at"(%x, %s) : (!x, !cn) -> tensor<8xf32>
      %2 = "inter.at"(%x, %d) : (!x, !cn) -> tensor<8xf32>
      %3 = "inter.at"(%w, %c) : (!w, !ce) -> tensor<8x4xf32>
      %5 = "gnn.linear"(%1, %3) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
      %6 = "gnn.linear"(%2, %3) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
      %7 = "gnn.vector_inner"(%5, %6) : (tensor<4xf32>, tensor<4xf32>) -> f32
      smt.yield %7 : f32
    }) : (!g) -> !inter.results
    %q = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !e
    return %q : !e
  }
}

// -----

!g = !gnn.graph<"g">
!ce = !inter.cursor<"edge", "g">
!cn = !inter.cursor<"node", "g">
!x = !gnn.node<"g", tensor<32xf32>>
!w = !gnn.per<"etype", tensor<4x8x16xf32>>
!e = !gnn.edge<"g", tensor<4x16xf32>>

// A row in another shape is reshaped for each node, not for each edge.
// CHECK-LABEL: func.func @shape.run()
// CHECK: [[S:%.*]] = "intra.buffer"() {name = "heads", slot = -1 : i64, space = "workspace"} : () -> !intra.memory<"node:g", tensor<4x8xf32>>
// CHECK: "intra.traverse"
// CHECK: {domain = "node"}
// CHECK: "intra.gemm"({{%.*}}, [[S]],
// CHECK: {batch, gather = "src"}
// CHECK: return
module {
  func.func @shape.run(%g: !g, %w: !w {gnn.name = "w"}, %x: !x {gnn.name = "x"}) -> (!e {gnn.name = "q"}) attributes {gnn.phase = "run"} {
    %0 = "inter.for_edges"(%g) ({
    ^bb0(%c: !ce):
      %s = "inter.src"(%c) : (!ce) -> !cn
      %1 = "inter.at"(%x, %s) : (!x, !cn) -> tensor<32xf32>
      %2 = "gnn.reshape"(%1) {shape = array<i64: 4, 8>} : (tensor<32xf32>) -> tensor<4x8xf32> loc("heads"("a.gnn":1:1))
      %3 = "inter.at"(%w, %c) : (!w, !ce) -> tensor<4x8x16xf32>
      %4 = "gnn.linear"(%2, %3) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<4x8xf32>, tensor<4x8x16xf32>) -> tensor<4x16xf32>
      smt.yield %4 : tensor<4x16xf32>
    }) : (!g) -> !inter.results
    %q = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !e
    return %q : !e
  }
}

// -----

!g = !gnn.graph<"g">
!cn = !inter.cursor<"node", "g">
!x = !gnn.node<"g", tensor<32xf32>>
!v = !gnn.per<"ntype", tensor<32x32xf32>>
!w = !gnn.per<"ntype", tensor<4x8x16xf32>>
!y = !gnn.node<"g", tensor<4x16xf32>>

// The kernel that makes a row stores it in the shape that is needed.
// CHECK-LABEL: func.func @made.run()
// CHECK: [[Z:%.*]] = "intra.buffer"() {name = "z", slot = -1 : i64, space = "workspace"} : () -> !intra.memory<"node:g", tensor<4x8xf32>>
// CHECK-NOT: intra.traverse
// CHECK: "intra.gemm"
// CHECK: "intra.store"({{%.*}}, [[Z]],
// CHECK: "intra.gemm"({{%.*}}, [[Z]],
// CHECK-NOT: intra.traverse
// CHECK: return
module {
  func.func @made.run(%g: !g, %v: !v {gnn.name = "v"}, %w: !w {gnn.name = "w"}, %x: !x {gnn.name = "x"}) -> (!y {gnn.name = "y"}) attributes {gnn.phase = "run"} {
    %0 = "inter.for_nodes"(%g) ({
    ^bb0(%c: !cn):
      %1 = "inter.at"(%x, %c) : (!x, !cn) -> tensor<32xf32>
      %2 = "inter.at"(%v, %c) : (!v, !cn) -> tensor<32x32xf32>
      %3 = "gnn.linear"(%1, %2) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
      smt.yield %3 : tensor<32xf32>
    }) : (!g) -> !inter.results
    %z = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !x loc("z"("a.gnn":1:1))
    %4 = "inter.for_nodes"(%g) ({
    ^bb0(%c: !cn):
      %5 = "inter.at"(%z, %c) : (!x, !cn) -> tensor<32xf32>
      %6 = "gnn.reshape"(%5) {shape = array<i64: 4, 8>} : (tensor<32xf32>) -> tensor<4x8xf32>
      %7 = "inter.at"(%w, %c) : (!w, !cn) -> tensor<4x8x16xf32>
      %8 = "gnn.linear"(%6, %7) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<4x8xf32>, tensor<4x8x16xf32>) -> tensor<4x16xf32>
      smt.yield %8 : tensor<4x16xf32>
    }) : (!g) -> !inter.results
    %y = "inter.result"(%4) {index = 0 : i64} : (!inter.results) -> !y
    return %y : !y
  }
}
