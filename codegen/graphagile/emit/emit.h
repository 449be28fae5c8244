/* The program of a plan: instructions in the order of its layers. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_H

#include "codegen/graphagile/plan/plan.h"
#include "isa/graphagile/words.h"

/* Emits all layers with their CSIs and HALT; fills text, text_bytes and blocks of the layers, and
 * the size of .text. The words are the host's. False after a message. */
bool graphagile_emit_program(graphagile_plan *p, const graphagile_word **words);

#endif
