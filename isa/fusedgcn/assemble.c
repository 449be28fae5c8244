/* The directive .bf16 X, Y ... with the numbers of S, W, biases and H. */
#include "isa/fusedgcn/assemble.h"

#include "isa/fusedgcn/bf16.h"

/* The upper half of a number whose lower half is 0, with all its bits; else the nearest number. */
static uint16_t bits_of(float x) {
  uint32_t word = number_bits(x);
  return word & 0xffff ? bf16_nearest(x) : (uint16_t)(word >> 16);
}

static void read_numbers(assembler *as, span where) {
  do {
    assemble_section *s = assemble_data_section(as, where, sizeof(uint16_t));
    float value = 0;
    if (!assemble_read_float(as, &value) || !s) return;
    uint16_t bits = bits_of(value);
    VEC_PUSH(as->arena, &s->bytes, (unsigned char)(bits & 0xff));
    VEC_PUSH(as->arena, &s->bytes, (unsigned char)(bits >> 8));
    s->size += sizeof bits;
    assemble_take_sign(as, ',');
  } while (as->token.kind != TOKEN_END);
}

static const assemble_directive directives[] = {{".bf16", read_numbers}};

const assemble_class fusedgcn_assembler = {
    .directives = directives, .num_directives = sizeof directives / sizeof *directives, .placeholder = 0xff};
