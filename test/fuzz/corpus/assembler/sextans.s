.machine sextans
.device window=16
.section edges
q: .u32 0, 1, 1, 2
.align 64
.section weights
a: .element 0, 15, -0.0
.element 0 2 inf
.bubble
.bubble
.element 0, 1, bits:0xff800001
.u32 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff
.bubble
.element 1, 3, -1e-10
.bubble 119
.zero 64
.section features
b: .zero 4096
c: .zero 8192
spmm n=8, m=65, k=36, windows=3, slots=2, q=q, a=a, a_stride=128, b=b, b_stride=1024, c_in=c, c_out=c, c_stride=1024
spmm n=9, layer=3, m=65, k=36, windows=3, slots=2, q=q, a=a, a_stride=128, b=b, b_stride=1024, c_in=c, c_out=c, c_stride=1024
spmm n=9, layer=3, m=65, k=36, windows=3, slots=2, q=q, a=a, a_stride=128, b=b, b_stride=1024, c_in=c, c_out=c, c_stride=1024
halt
