func.func @unknown_function(%x: f32) {
  %0 = "gnn.activation"(%x) {function = "rleu"} : (f32) -> f32
  return
}

