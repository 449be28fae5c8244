.machine host
.device clock_mhz=5, name="x"
