/* Files of the repository that are part of the compiler: NUL-terminated texts, made by
 * cmake/embed.cmake. */
#ifndef GNNC_CODEGEN_C_TEXT_EMBEDDED_H
#define GNNC_CODEGEN_C_TEXT_EMBEDDED_H

extern const unsigned char c_embedded_abi[];  /* runtime/gnnc/abi.h */
extern const unsigned char c_embedded_real[]; /* codegen/c/prelude/real.h ... */
extern const unsigned char c_embedded_block[];
extern const unsigned char c_embedded_bf16[];
extern const unsigned char c_embedded_sort[];
extern const unsigned char c_embedded_graph[];
extern const unsigned char c_embedded_typed[];
extern const unsigned char c_embedded_softmax[];
extern const unsigned char c_embedded_gemm[];
extern const unsigned char c_embedded_near[];
extern const unsigned char c_embedded_contract[];
extern const unsigned char c_embedded_sum_by[];
extern const unsigned char c_embedded_restrict[];
extern const unsigned char c_embedded_group[];
extern const unsigned char c_embedded_random[];
extern const unsigned char c_embedded_optimizer[];
extern const unsigned char c_embedded_ranks[];

#endif
