// inter-to-intra turns loops into a plan of buffers, calls and kernels.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-canonicalize,inter-to-intra --split-input-file %s | FileCheck %s

!g = !gnn.graph<"g">
!gl = !gnn.graph<"g.add_remaining">
!x = !gnn.node<"g", tensor<6xf32>>
!y = !gnn.node<"g", tensor<4xf32>>
!n1 = !gnn.node<"g", f32>
!e1 = !gnn.edge<"g.add_remaining", f32>

// Buffers come in the order of the interface, then calls, then kernels.
// CHECK-LABEL: func.func @m.bind() attributes {gnn.phase = "bind"}
// CHECK: "intra.graph"() {set = "g"}
// CHECK: [[GL:%.*]] = "intra.graph"() {set = "g.add_remaining"}
// CHECK: [[W:%.*]] = "intra.buffer"() {name = "w", space = "weight"} : () -> !intra.memory<"one", tensor<6x4xf32>>
// CHECK: [[BW:%.*]] = "intra.buffer"() {name = "w", slot = -1 : i64, space = "bound"}
// CHECK: [[A:%.*]] = "intra.buffer"() {name = "a", slot = -1 : i64, space = "bound"} : () -> !intra.memory<"edge:g.add_remaining", f32>
// CHECK: [[D:%.*]] = "intra.buffer"() {name = "{{.*}}", slot = -1 : i64, space = "workspace"} : () -> !intra.memory<"node:g", f32>
// CHECK: "intra.call"() {base = "g", callee = "edge_set", mode = "add_remaining", set = "g.add_remaining"}
// CHECK-NEXT: "intra.call"() {callee = "adjacency", form = "csc", set = "g.add_remaining", used_by = "run"}
// CHECK-NEXT: "intra.call"() {callee = "adjacency", form = "coo", set = "g.add_remaining", used_by = "bind"}
// CHECK-NEXT: "intra.traverse"
// CHECK: [[V:%.*]] = "inter.degree"([[GL]],
// CHECK-NEXT: "intra.store"([[V]], [[D]],
// CHECK: {domain = "node"}
// CHECK-NEXT: "intra.traverse"([[GL]]) ({
// CHECK-NEXT: ^bb0([[E:%.*]]: !inter.cursor<"edge", "g.add_remaining">):
// CHECK-NEXT: [[SRC:%.*]] = "inter.src"([[E]])
// CHECK-NEXT: [[L:%.*]] = "intra.load"([[D]], [[SRC]])
// CHECK-NEXT: "intra.store"([[L]], [[A]], [[E]])
// CHECK: {domain = "edge"}
// CHECK: "intra.copy"([[W]], [[BW]])
// CHECK-NEXT: return

// The hidden value is stored between kernels; a value that is returned and read again is stored twice.
// CHECK-LABEL: func.func @m.run() attributes {gnn.phase = "run"}
// CHECK: [[G:%.*]] = "intra.graph"() {set = "g"}
// CHECK: [[W:%.*]] = "intra.buffer"() {name = "w", slot = -1 : i64, space = "bound"}
// CHECK: [[A:%.*]] = "intra.buffer"() {name = "a", slot = -1 : i64, space = "bound"}
// CHECK: [[X:%.*]] = "intra.buffer"() {from = "x.0", name = "x", space = "input"} : () -> !intra.memory<"node:g", tensor<6xf32>>
// CHECK: "intra.buffer"() {file = "weights", from = "emb.weight", name = "unused", space = "input"}
// CHECK: [[Y:%.*]] = "intra.buffer"() {name = "y", space = "output"}
// CHECK: [[Z:%.*]] = "intra.buffer"() {name = "z", space = "output"}
// CHECK: [[H:%.*]] = "intra.buffer"() {name = "{{.*}}", slot = -1 : i64, space = "workspace"}
// CHECK-NOT: "intra.buffer"
// CHECK: "intra.gemm"([[G]], [[X]], [[W]]) ({
// CHECK-NEXT: ^bb0([[I:%.*]]: !inter.cursor<"node", "g">, [[P:%.*]]: tensor<4xf32>):
// CHECK-NEXT: "intra.store"([[P]], [[Y]], [[I]])
// CHECK-NEXT: "intra.store"([[P]], [[H]], [[I]])
// CHECK-NEXT: smt.yield
// CHECK: "intra.traverse"
// CHECK: "inter.for_incoming"
// CHECK: "intra.load"([[H]],
// CHECK: "intra.load"([[A]],
// CHECK: "intra.store"({{.*}}, [[Z]],
// CHECK: return
module attributes {gnn.model = "m"} {
  ml_program.global private @w(#ml_program.extern<tensor<6x4xf32>>) : tensor<6x4xf32>
  func.func @m.bind(%g: !g) -> (tensor<6x4xf32> {gnn.name = "w"}, !e1 {gnn.name = "a"}) attributes {gnn.phase = "bind"} {
    %w = ml_program.global_load_const @w : tensor<6x4xf32>
    %gl = "gnn.edge_set"(%g) {mode = "add_remaining"} : (!g) -> !gl
    %d = "gnn.degree"(%gl) {direction = "in"} : (!gl) -> !n1
    %a = "gnn.gather"(%gl, %d) {end = "src"} : (!gl, !n1) -> !e1
    return %w, %a : tensor<6x4xf32>, !e1
  }
  func.func @m.run(%g: !g, %w: tensor<6x4xf32> {gnn.bound, gnn.name = "w"}, %a: !e1 {gnn.bound, gnn.name = "a"},
                   %x: !x {gnn.name = "x", gnn.from = "x.0"}, %u: !n1 {gnn.name = "unused", gnn.from = "emb.weight", gnn.space = "weights"})
      -> (!y {gnn.name = "y"}, !y {gnn.name = "z"}) attributes {gnn.phase = "run"} {
    %gl = "gnn.edge_set"(%g) {mode = "add_remaining"} : (!g) -> !gl
    %0 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<6x4xf32>) -> !y
    %1 = "gnn.aggregate"(%gl, %0, %a) {reduce = "sum", direction = "in"} : (!gl, !y, !e1) -> !y
    return %0, %1 : !y, !y
  }
}

// -----

!g = !gnn.graph<"g">
!s = !gnn.sparse<"g", tensor<6xf32>>
!y = !gnn.node<"g", tensor<4xf32>>
!e = !gnn.edge<"g", f32>
!el = !gnn.edge<"g.replace", f32>

// Sparse rows, weights per type, added edges, a model whose bind keeps nothing.
// CHECK-LABEL: func.func @rows.bind()
// CHECK-NEXT: "intra.call"() {base = "g", callee = "edge_set", mode = "replace", set = "g.replace"}
// CHECK-NEXT: "intra.call"() {callee = "types", form = "edge", set = "g", used_by = "run"}
// CHECK-NEXT: return
// CHECK-LABEL: func.func @rows.run()
// CHECK: [[W:%.*]] = "intra.buffer"() {name = "w", space = "input"} : () -> !intra.memory<"one", tensor<6x4xf32>>
// CHECK: [[T:%.*]] = "intra.buffer"() {name = "t", space = "input"} : () -> !intra.memory<"etype", f32>
// CHECK: [[X:%.*]] = "intra.buffer"() {name = "x", space = "input"} : () -> !intra.memory<"nonzero:g", tensor<6xf32>>
// CHECK: [[A:%.*]] = "intra.buffer"() {name = "a", space = "input"} : () -> !intra.memory<"edge:g", f32>
// CHECK: [[Y:%.*]] = "intra.buffer"() {name = "y", space = "output"}
// CHECK: [[B:%.*]] = "intra.buffer"() {name = "b", space = "output"} : () -> !intra.memory<"edge:g.replace", f32>
// CHECK: [[C:%.*]] = "intra.buffer"() {name = "c", space = "output"} : () -> !intra.memory<"edge:g", f32>
// CHECK: "intra.nonzeros"([[X]], [[I:%.*]]) ({
// CHECK-NEXT: ^bb0([[K:%.*]]: !inter.cursor<"nonzero", "g">):
// CHECK-NEXT: "intra.load"([[X]], [[K]]) : {{.*}} -> f32
// CHECK-NEXT: "intra.load_row"([[W]], [[K]])
// CHECK: "intra.load"([[T]], {{.*}})
// CHECK: "intra.extend_edges"([[A]], [[M:%.*]]) {fill = 1.000000e+00 : f64}
// CHECK: "intra.copy"([[M]], [[B]])
// CHECK-NEXT: return
module {
  func.func @rows.run(%g: !g, %w: tensor<6x4xf32> {gnn.name = "w"}, %t: !gnn.per<"etype", f32> {gnn.name = "t"}, %x: !s {gnn.name = "x"}, %a: !e {gnn.name = "a"})
      -> (!y {gnn.name = "y"}, !el {gnn.name = "b"}, !e {gnn.name = "c"}) attributes {gnn.phase = "run"} {
    %0 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!s, tensor<6x4xf32>) -> !y
    %1 = "gnn.edge_set"(%g) {mode = "replace"} : (!g) -> !gnn.graph<"g.replace">
    %2 = "gnn.slice"(%g, %t) {by = "edge"} : (!g, !gnn.per<"etype", f32>) -> !e
    %3 = "gnn.multiply"(%a, %2) : (!e, !e) -> !e
    %4 = "gnn.extend_edges"(%1, %a) {fill = 1.0 : f64} : (!gnn.graph<"g.replace">, !e) -> !el
    return %0, %4, %3 : !y, !el, !e
  }
}
