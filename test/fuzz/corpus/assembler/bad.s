.device width=4, feature_rows=64
.section features
x: .zero 64
.layer spdm
.block
  memrd F0, addr=x, count=65, lock, wait
  memwr F0, adr=x, unlock
  post F0, function=relu, rows=70000
nop
.section features
.f32 1
@
