; y = leaky_relu of the sum of the neighbours' rows of x; the rows are zero
.device num_pes=2, width=4, feature_rows=64, weight_rows=64, edges=100
.constant 0.2
.section edges
.edge adj 0 1 0.5
.edge adj 1 0
.section features
x: .zero 256
y: .zero 256
.layer spdmm
.desc 0, 2, 0, 16
.block
  init F2, rows=16
  loop count=1, body_len=3
  memrd E0, addr=adj, ind, lock, wait
  memrd F0, addr=x, count=16, kind=input, lock, wait
  spdmm e=E0, in=F0, out=F2, lanes=0xf, weighted, ind, unlock_e, unlock_f
  post F2, rows=16, function=leaky_relu, param=1
  memwr F2, addr=y, count=16, kind=output, unlock
