/* The program of a plan: instructions in the order of its layers. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_H

#include "codegen/graphagile/plan/plan.h"
#include "isa/graphagile/words.h"

/* Writes the instructions of all layers, each with its CSI, and HALT. Sets text, text_bytes and
 * blocks of the layers and the size of .text; the addresses of the plan must be known. The host
 * owns *words. Returns false after a message. */
bool graphagile_emit_program(graphagile_plan *p, const graphagile_word **words);

#endif
