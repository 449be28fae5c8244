// Inside a loop over edges, the degree of a source may be that of a ghost, whose edges another rank has; the degree of a destination is known.
// RUN: gnn-opt --pass-pipeline=intra-distribute --split-input-file --verify-diagnostics %s

!node = !inter.cursor<"node", "g">
!edge = !inter.cursor<"edge", "g">
!values = !intra.memory<"edge:g", f32>
func.func @m.run() attributes {gnn.phase = "run"} {
  %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
  %y = "intra.buffer"() {name = "y", space = "output"} : () -> !values
  "intra.traverse"(%g) ({
  ^bb0(%e: !edge):
    %s = "inter.src"(%e) : (!edge) -> !node
    // expected-error@+1 {{--ranks: a rank has no edges into nodes of other ranks, and this counts them}}
    %d = "inter.degree"(%g, %s) {direction = "in"} : (!gnn.graph<"g">, !node) -> f32
    "intra.store"(%d, %y, %e) : (f32, !values, !edge) -> ()
    smt.yield
  }) {domain = "edge"} : (!gnn.graph<"g">) -> ()
  return
}

// -----

!node = !inter.cursor<"node", "g">
!edge = !inter.cursor<"edge", "g">
!values = !intra.memory<"edge:g", f32>
func.func @m.run() attributes {gnn.phase = "run"} {
  %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
  %y = "intra.buffer"() {name = "y", space = "output"} : () -> !values
  "intra.traverse"(%g) ({
  ^bb0(%e: !edge):
    %s = "inter.dst"(%e) : (!edge) -> !node
    %d = "inter.degree"(%g, %s) {direction = "in"} : (!gnn.graph<"g">, !node) -> f32
    "intra.store"(%d, %y, %e) : (f32, !values, !edge) -> ()
    smt.yield
  }) {domain = "edge"} : (!gnn.graph<"g">) -> ()
  return
}
