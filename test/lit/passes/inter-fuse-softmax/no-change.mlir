// Sums of exponentials with other uses than the weights of sums.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-fuse %s -o %t.before
// RUN: gnn-opt --pass-pipeline=inter-fuse-softmax %t.before -o %t.after
// RUN: diff %t.before %t.after
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-fuse,inter-fuse-softmax --remarks=inter-fuse-softmax %s -o %t.after 2>&1 | FileCheck %s

!g = !gnn.graph<"g">
!z = !gnn.node<"g", tensor<2x4xf32>>
!s = !gnn.node<"g", tensor<2xf32>>
!a = !gnn.edge<"g", tensor<2xf32>>

// The normalised values are stored.
// CHECK: a softmax over incoming edges keeps its loops: the sum of the exponentials is kept
func.func @kept(%g: !g, %z: !z, %a: !a) -> (!z, !a) {
  %2 = "gnn.aggregate"(%g, %a) {reduce = "max", direction = "in"} : (!g, !a) -> !s
  %3 = "gnn.gather"(%g, %2) {end = "dst"} : (!g, !s) -> !a
  %4 = "gnn.subtract"(%a, %3) : (!a, !a) -> !a
  %5 = "gnn.activation"(%4) {function = "exp"} : (!a) -> !a
  %6 = "gnn.aggregate"(%g, %5) {reduce = "sum", direction = "in"} : (!g, !a) -> !s
  %7 = "gnn.gather"(%g, %6) {end = "dst"} : (!g, !s) -> !a
  %8 = "gnn.divide"(%5, %7) : (!a, !a) -> !a
  %9 = "gnn.aggregate"(%g, %z, %8) {reduce = "sum", direction = "in"} : (!g, !z, !a) -> !z
  return %9, %8 : !z, !a
}

// The logarithm of the sum is used.
// CHECK: a softmax over incoming edges keeps its loops: the sum of the exponentials does more than divide
func.func @logarithm(%g: !g, %a: !a) -> !s {
  %0 = "gnn.activation"(%a) {function = "exp"} : (!a) -> !a
  %1 = "gnn.aggregate"(%g, %0) {reduce = "sum", direction = "in"} : (!g, !a) -> !s
  %2 = "gnn.activation"(%1) {function = "log"} : (!s) -> !s
  return %2 : !s
}

// The exponential is not the one that was summed.
// CHECK: a softmax over incoming edges keeps its loops: what the sum divides is no exponential of the same logit times a value
func.func @other(%g: !g, %z: !z, %a: !a, %b: !a) -> !z {
  %0 = "gnn.activation"(%a) {function = "exp"} : (!a) -> !a
  %1 = "gnn.aggregate"(%g, %0) {reduce = "sum", direction = "in"} : (!g, !a) -> !s
  %2 = "gnn.activation"(%b) {function = "exp"} : (!a) -> !a
  %3 = "gnn.gather"(%g, %1) {end = "dst"} : (!g, !s) -> !a
  %4 = "gnn.divide"(%2, %3) : (!a, !a) -> !a
  %5 = "gnn.aggregate"(%g, %z, %4) {reduce = "sum", direction = "in"} : (!g, !z, !a) -> !z
  return %5 : !z
}

// CHECK: a softmax over incoming edges keeps its loops: the normalised values are reduced by something else than a sum
func.func @maximum(%g: !g, %z: !z, %a: !a) -> !z {
  %0 = "gnn.activation"(%a) {function = "exp"} : (!a) -> !a
  %1 = "gnn.aggregate"(%g, %0) {reduce = "sum", direction = "in"} : (!g, !a) -> !s
  %3 = "gnn.gather"(%g, %1) {end = "dst"} : (!g, !s) -> !a
  %4 = "gnn.divide"(%0, %3) : (!a, !a) -> !a
  %5 = "gnn.aggregate"(%g, %z, %4) {reduce = "max", direction = "in"} : (!g, !z, !a) -> !z
  return %5 : !z
}

// The logit is per head, the value is the same for all heads.
// CHECK: a softmax over incoming edges keeps its loops: the logit has more dimensions than what it weighs
func.func @heads(%g: !g, %v: !gnn.edge<"g", f32>, %a: !a) -> !s {
  %0 = "gnn.activation"(%a) {function = "exp"} : (!a) -> !a
  %1 = "gnn.aggregate"(%g, %0) {reduce = "sum", direction = "in"} : (!g, !a) -> !s
  %3 = "gnn.gather"(%g, %1) {end = "dst"} : (!g, !s) -> !a
  %4 = "gnn.divide"(%0, %3) : (!a, !a) -> !a
  %5 = "gnn.multiply"(%4, %v) : (!a, !gnn.edge<"g", f32>) -> !a
  %6 = "gnn.aggregate"(%g, %5) {reduce = "sum", direction = "in"} : (!g, !a) -> !s
  return %6 : !s
}

// Where a node has no edge, a division after the sums is 0 / 0 and not 0.
// CHECK: a softmax over incoming edges keeps its loops: the division behind the sums gives no number where there are no edges
func.func @behind(%g: !g, %z: !z, %a: !a) -> !z {
  %0 = "gnn.activation"(%a) {function = "exp"} : (!a) -> !a
  %1 = "gnn.aggregate"(%g, %0) {reduce = "sum", direction = "in"} : (!g, !a) -> !s
  %2 = "gnn.aggregate"(%g, %z, %0) {reduce = "sum", direction = "in"} : (!g, !z, !a) -> !z
  %3 = "gnn.divide"(%2, %1) : (!z, !s) -> !z
  return %3 : !z
}
