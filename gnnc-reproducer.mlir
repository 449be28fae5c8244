// RUN: gnn-opt %s --pass-pipeline='inter-to-intra,intra-plan-memory' --opt-level=2 --verify-each
// Made by gnnc 0.1.0 with --target=c -O2.
#loc2 = loc("op.gnn":2:9)
#loc3 = loc("op.gnn":10:28)
#loc4 = loc("op.gnn":3:9)
#loc5 = loc("op.gnn":4:9)
#loc7 = loc("op.gnn":5:28)
#loc9 = loc("op.gnn":7:30)
#loc11 = loc("op.gnn":8:30)
#loc15 = loc("g"(#loc2))
#loc16 = loc("y"(#loc3))
#loc17 = loc("x"(#loc4))
#loc18 = loc("w"(#loc5))
#loc19 = loc("h"(#loc7))
#loc20 = loc("s"(#loc9))
#loc21 = loc("h"(#loc11))
module attributes {gnn.model = "m", gnn.source = "op.gnn"} {
  func.func @m.bind(%g: !gnn.graph<"g"> {gnn.name = "g"} loc("g"(#loc2))) attributes {gnn.phase = "bind"} {
    return loc(#loc16)
  } loc(#loc1)
  func.func @m.run(%g: !gnn.graph<"g"> {gnn.name = "g"} loc("g"(#loc2)), %x: !gnn.node<"g", tensor<34xf32>> {gnn.from = "x", gnn.name = "x"} loc("x"(#loc4)), %w: !gnn.edge<"g", f32> {gnn.from = "w", gnn.name = "w"} loc("w"(#loc5))) -> (!gnn.node<"g", tensor<34xf32>> {gnn.name = "y"}, !gnn.edge<"g", tensor<34xf32>> {gnn.name = "h"}) attributes {gnn.phase = "run"} {
    %0 = "gnn.opposite_edges"(%g, %w) : (!gnn.graph<"g">, !gnn.edge<"g", f32>) -> !gnn.edge<"g", f32> loc(#loc6)
    %h = "inter.for_edges"(%g) ({
    ^bb0(%h_9: !inter.cursor<"edge", "g"> loc("h"(#loc7))):
      %3 = "inter.src"(%h_9) : (!inter.cursor<"edge", "g">) -> !inter.cursor<"node", "g"> loc(#loc8)
      %4 = "inter.at"(%x, %3) : (!gnn.node<"g", tensor<34xf32>>, !inter.cursor<"node", "g">) -> tensor<34xf32> loc(#loc8)
      %5 = "inter.at"(%w, %h_9) : (!gnn.edge<"g", f32>, !inter.cursor<"edge", "g">) -> f32 loc(#loc8)
      %6 = "gnn.multiply"(%4, %5) : (tensor<34xf32>, f32) -> tensor<34xf32> loc(#loc8)
      %h_10 = "gnn.activation"(%6) {function = "relu"} : (tensor<34xf32>) -> tensor<34xf32> loc(#loc19)
      smt.yield %h_10 : tensor<34xf32> loc(#loc19)
    }) : (!gnn.graph<"g">) -> !inter.results loc(#loc19)
    %h_0 = "inter.result"(%h) {index = 0 : i64} : (!inter.results) -> !gnn.edge<"g", tensor<34xf32>> loc(#loc19)
    %s = "inter.for_nodes"(%g) ({
    ^bb0(%s_9: !inter.cursor<"node", "g"> loc("s"(#loc9))):
      %s_10 = "inter.for_incoming"(%g, %s_9) ({
      ^bb0(%s_12: !inter.cursor<"edge", "g"> loc("s"(#loc9))):
        %s_13 = "inter.at"(%h_0, %s_12) : (!gnn.edge<"g", tensor<34xf32>>, !inter.cursor<"edge", "g">) -> tensor<34xf32> loc(#loc20)
        smt.yield %s_13 : tensor<34xf32> loc(#loc20)
      }) {reduce = ["sum"]} : (!gnn.graph<"g">, !inter.cursor<"node", "g">) -> !inter.results loc(#loc20)
      %s_11 = "inter.result"(%s_10) {index = 0 : i64} : (!inter.results) -> tensor<34xf32> loc(#loc20)
      smt.yield %s_11 : tensor<34xf32> loc(#loc20)
    }) : (!gnn.graph<"g">) -> !inter.results loc(#loc20)
    %s_1 = "inter.result"(%s) {index = 0 : i64} : (!inter.results) -> !gnn.node<"g", tensor<34xf32>> loc(#loc20)
    %1 = "gnn.opposite_edges"(%g, %h_0) : (!gnn.graph<"g">, !gnn.edge<"g", tensor<34xf32>>) -> !gnn.edge<"g", tensor<34xf32>> loc(#loc10)
    %h_2 = "inter.for_edges"(%g) ({
    ^bb0(%h_9: !inter.cursor<"edge", "g"> loc("h"(#loc11))):
      %3 = "inter.src"(%h_9) : (!inter.cursor<"edge", "g">) -> !inter.cursor<"node", "g"> loc(#loc12)
      %4 = "inter.at"(%s_1, %3) : (!gnn.node<"g", tensor<34xf32>>, !inter.cursor<"node", "g">) -> tensor<34xf32> loc(#loc12)
      %5 = "inter.at"(%1, %h_9) : (!gnn.edge<"g", tensor<34xf32>>, !inter.cursor<"edge", "g">) -> tensor<34xf32> loc(#loc12)
      %6 = "gnn.subtract"(%4, %5) : (tensor<34xf32>, tensor<34xf32>) -> tensor<34xf32> loc(#loc12)
      %7 = "gnn.constant"() {value = 5.000000e-01 : f64} : () -> f32 loc(#loc13)
      %8 = "gnn.multiply"(%7, %6) : (f32, tensor<34xf32>) -> tensor<34xf32> loc(#loc13)
      %h_10 = "gnn.activation"(%8) {function = "relu"} : (tensor<34xf32>) -> tensor<34xf32> loc(#loc21)
      smt.yield %h_10 : tensor<34xf32> loc(#loc21)
    }) : (!gnn.graph<"g">) -> !inter.results loc(#loc21)
    %h_3 = "inter.result"(%h_2) {index = 0 : i64} : (!inter.results) -> !gnn.edge<"g", tensor<34xf32>> loc(#loc21)
    %s_4 = "inter.for_nodes"(%g) ({
    ^bb0(%s_9: !inter.cursor<"node", "g"> loc("s"(#loc9))):
      %s_10 = "inter.for_incoming"(%g, %s_9) ({
      ^bb0(%s_12: !inter.cursor<"edge", "g"> loc("s"(#loc9))):
        %s_13 = "inter.at"(%h_3, %s_12) : (!gnn.edge<"g", tensor<34xf32>>, !inter.cursor<"edge", "g">) -> tensor<34xf32> loc(#loc20)
        smt.yield %s_13 : tensor<34xf32> loc(#loc20)
      }) {reduce = ["sum"]} : (!gnn.graph<"g">, !inter.cursor<"node", "g">) -> !inter.results loc(#loc20)
      %s_11 = "inter.result"(%s_10) {index = 0 : i64} : (!inter.results) -> tensor<34xf32> loc(#loc20)
      smt.yield %s_11 : tensor<34xf32> loc(#loc20)
    }) : (!gnn.graph<"g">) -> !inter.results loc(#loc20)
    %s_5 = "inter.result"(%s_4) {index = 0 : i64} : (!inter.results) -> !gnn.node<"g", tensor<34xf32>> loc(#loc20)
    %2 = "gnn.opposite_edges"(%g, %h_3) : (!gnn.graph<"g">, !gnn.edge<"g", tensor<34xf32>>) -> !gnn.edge<"g", tensor<34xf32>> loc(#loc10)
    %h_6 = "inter.for_edges"(%g) ({
    ^bb0(%h_9: !inter.cursor<"edge", "g"> loc("h"(#loc11))):
      %3 = "inter.src"(%h_9) : (!inter.cursor<"edge", "g">) -> !inter.cursor<"node", "g"> loc(#loc12)
      %4 = "inter.at"(%s_5, %3) : (!gnn.node<"g", tensor<34xf32>>, !inter.cursor<"node", "g">) -> tensor<34xf32> loc(#loc12)
      %5 = "inter.at"(%2, %h_9) : (!gnn.edge<"g", tensor<34xf32>>, !inter.cursor<"edge", "g">) -> tensor<34xf32> loc(#loc12)
      %6 = "gnn.subtract"(%4, %5) : (tensor<34xf32>, tensor<34xf32>) -> tensor<34xf32> loc(#loc12)
      %7 = "gnn.constant"() {value = 5.000000e-01 : f64} : () -> f32 loc(#loc13)
      %8 = "gnn.multiply"(%7, %6) : (f32, tensor<34xf32>) -> tensor<34xf32> loc(#loc13)
      %h_10 = "gnn.activation"(%8) {function = "relu"} : (tensor<34xf32>) -> tensor<34xf32> loc(#loc21)
      smt.yield %h_10 : tensor<34xf32> loc(#loc21)
    }) : (!gnn.graph<"g">) -> !inter.results loc(#loc21)
    %h_7 = "inter.result"(%h_6) {index = 0 : i64} : (!inter.results) -> !gnn.edge<"g", tensor<34xf32>> loc(#loc21)
    %y = "inter.for_nodes"(%g) ({
    ^bb0(%y_9: !inter.cursor<"node", "g"> loc("y"(#loc3))):
      %y_10 = "inter.for_incoming"(%g, %y_9) ({
      ^bb0(%y_12: !inter.cursor<"edge", "g"> loc("y"(#loc3))):
        %3 = "inter.at"(%h_7, %y_12) : (!gnn.edge<"g", tensor<34xf32>>, !inter.cursor<"edge", "g">) -> tensor<34xf32> loc(#loc14)
        %4 = "inter.at"(%0, %y_12) : (!gnn.edge<"g", f32>, !inter.cursor<"edge", "g">) -> f32 loc(#loc14)
        %5 = "gnn.vector_add"(%3, %4) : (tensor<34xf32>, f32) -> tensor<34xf32> loc(#loc14)
        smt.yield %5 : tensor<34xf32> loc(#loc16)
      }) {reduce = ["sum"]} : (!gnn.graph<"g">, !inter.cursor<"node", "g">) -> !inter.results loc(#loc16)
      %y_11 = "inter.result"(%y_10) {index = 0 : i64} : (!inter.results) -> tensor<34xf32> loc(#loc16)
      smt.yield %y_11 : tensor<34xf32> loc(#loc16)
    }) : (!gnn.graph<"g">) -> !inter.results loc(#loc16)
    %y_8 = "inter.result"(%y) {index = 0 : i64} : (!inter.results) -> !gnn.node<"g", tensor<34xf32>> loc(#loc16)
    return %y_8, %h_7 : !gnn.node<"g", tensor<34xf32>>, !gnn.edge<"g", tensor<34xf32>> loc(#loc16)
  } loc(#loc1)
} loc(#loc)
#loc = loc("op.gnn":1:1)
#loc1 = loc("op.gnn":1:7)
#loc6 = loc("op.gnn":10:55)
#loc8 = loc("op.gnn":5:33)
#loc10 = loc("op.gnn":8:52)
#loc12 = loc("op.gnn":8:42)
#loc13 = loc("op.gnn":8:35)
#loc14 = loc("op.gnn":10:49)
