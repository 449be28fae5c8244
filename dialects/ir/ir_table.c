/* The tables <dialect>_ops.def as data: one ir_op_info per row. Everything else reads these. */
#include "dialects/ir/ir_private.h"

#include <string.h>

/* ---- operands of each operation ---- */
enum { required = 0, optional = 1 };
#define OP(dialect, name, traits, summary, doc) static const ir_operand_info operands_##dialect##_##name[] = {
#define IN(dialect, op, name, kind, presence) {#name, #kind, presence},
#define END(dialect, op)                                                                                               \
  {                                                                                                                    \
    NULL, NULL, false                                                                                                  \
  }                                                                                                                    \
  }                                                                                                                    \
  ;
#include "dialects/ops.def"

/* ---- attributes of each operation: a default that is text lists the choices ---- */
#define OP(dialect, name, traits, summary, doc) static const ir_attribute_info attributes_##dialect##_##name[] = {
#define ATTR(dialect, op, name, type, presence, choices)                                                               \
  {#name, #type, presence, _Generic((choices), char *: (choices), default: NULL)},
#define END(dialect, op)                                                                                               \
  {                                                                                                                    \
    NULL, NULL, false, NULL                                                                                            \
  }                                                                                                                    \
  }                                                                                                                    \
  ;
#include "dialects/ops.def"

/* ---- the rows ---- */
enum { PURE = 1, READ = 2 };
#define OP(dialect, op, traits, summary_, doc_)                                                                        \
  {                                                                                                                    \
    .name = #dialect "." #op, .is_pure = (traits) == PURE, .is_read = (traits) == READ, .summary = (summary_),         \
    .doc = (doc_), .operands = operands_##dialect##_##op, .operand_count = IR_IN_##dialect##_##op##_COUNT,             \
    .attributes = attributes_##dialect##_##op,                                                                         \
    .attribute_count = sizeof attributes_##dialect##_##op / sizeof *attributes_##dialect##_##op - 1,
#define OUT(dialect, op, name, kind) .result_kind = #kind,
#define REGION(dialect, op, name) .region_name = #name,
#define END(dialect, op)                                                                                               \
  }                                                                                                                    \
  ,
static const ir_op_info table[IR_OP_COUNT] = {
#include "dialects/ops.def"
};

/* How many operands of each operation are optional. */
#define OP(dialect, name, traits, summary, doc) 0
#define IN(dialect, op, name, kind, presence) +presence
#define END(dialect, op) ,
static const unsigned char optional_counts[IR_OP_COUNT] = {
#include "dialects/ops.def"
};

static const char *const unary_names[] = {
#define UNARY(name, has_slope, default_slope, doc) #name,
#include "dialects/unary.def"
#undef UNARY
};

const ir_op_info *ir_op_info_get(ir_op op) {
  return &table[op];
}

bool ir_op_has_segments(const ir_op_info *info) {
  return optional_counts[info - table] > 1;
}

/* Lists each choice; returns the number of them. */
static size_t list_choices(const char *choices, const char **starts, size_t *sizes, size_t max) {
  size_t count = 0;
  if (!strcmp(choices, "unary")) {
    for (; count < sizeof unary_names / sizeof *unary_names && count < max; count++) {
      starts[count] = unary_names[count];
      sizes[count] = strlen(unary_names[count]);
    }
    return count;
  }
  for (const char *at = choices; count < max; at++) {
    starts[count] = at;
    sizes[count] = strcspn(at, "|");
    at += sizes[count++];
    if (!*at) break;
  }
  return count;
}

enum { MAX_CHOICES = 32 };

int ir_choice_find(const char *choices, const char *word) {
  const char *starts[MAX_CHOICES];
  size_t sizes[MAX_CHOICES], count = list_choices(choices, starts, sizes, MAX_CHOICES);
  for (size_t i = 0; i < count; i++)
    if (strlen(word) == sizes[i] && !memcmp(word, starts[i], sizes[i])) return (int)i;
  return -1;
}

bool ir_choice_has(const char *choices, const char *word) {
  return ir_choice_find(choices, word) >= 0;
}

void ir_choices_print(text *out, const char *choices) {
  const char *starts[MAX_CHOICES];
  size_t sizes[MAX_CHOICES], count = list_choices(choices, starts, sizes, MAX_CHOICES);
  for (size_t i = 0; i < count; i++) {
    if (i) text_append(out, i + 1 == count ? " or " : ", ");
    text_append_bytes(out, starts[i], sizes[i]);
  }
}
