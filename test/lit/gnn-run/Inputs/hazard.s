; y = x and z = y are two blocks of one layer, which have no order, so block 1 may run before block 0
.device num_pes=2, width=4, feature_rows=64, weight_rows=64, edges=100
.section features
x: .zero 256
y: .zero 256
z: .zero 256
.layer post
.block
  memrd F0, addr=x, count=16, kind=input, lock, wait
  memwr F0, addr=y, count=16, kind=hidden, unlock
.block
  memrd F0, addr=y, count=16, kind=hidden, lock, wait
  memwr F0, addr=z, count=16, kind=output, unlock
