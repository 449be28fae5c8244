.section features
x: .zero 65536
.layer gemm
.block
memrd W0, addr=x+64, count=8, kind=weights, form=record, base=1, step=1, inc, wait, lock, alt
memrd F1, addr=x, count=4, nfib=2, stride=4, wait, lock, bcast
gemm in=F0, out=F2, w=W1, rows=4, len=16, gfib=1, in_stride=4, out_stride=4, in_base=1, out_base=2, w_base=3, acc, unlock_f, unlock_w, alt
spdmm e=E0, in=F0, out=F2, reduce=max, num_edges=4, lanes=0xffff, edge_only
sddmm e=E1, src=F0, dst=F1, inner=add, combine=div, num_edges=4, lanes=1, act=exp, param=3, unlock_src, unlock_dst, pair
vadd a=F0, b=F1, out=F2, function=select, rows=4, bcast_b, lane=3, scale=0, unlock_a, unlock_b
vadd on_edges, a=E0, b=E1, out=E0, function=div, rows=4
post E0, function=exp, rows=4, ind
init F2, fill=unset, rows=4, nfib=2, stride=8
memwr E0, form=value, addr=x+0x40, count=4, act=relu, eot
!
