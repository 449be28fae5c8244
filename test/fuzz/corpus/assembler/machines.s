.machine graphagile
.device num_pes=1
.machine host
x: .machine host
