func.func @result_of_an_argument(%r: !inter.results) {
  %1 = "inter.result"(%r) {index = 0 : i64} : (!inter.results) -> f32
  return
}

