.section desc
.desc 0, 1, 0, 4
"adj pieces":
.desc 0, 2, 0, 4
.layer spdmm desc="adj pieces"
.block
  nop
.layer spdmm desc="adj pieces"
.block
  nop
