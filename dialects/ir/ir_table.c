/* The tables <dialect>_ops.def as data: one ir_op_info for each row. All other code reads these. */
#include "dialects/ir/ir_private.h"

#include "support/elementwise.h"

#include <assert.h>
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

/* ---- attributes of each operation: a default that is a string lists the choices ---- */
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

/* The number of optional operands of each operation. */
#define OP(dialect, name, traits, summary, doc) 0
#define IN(dialect, op, name, kind, presence) +presence
#define END(dialect, op) ,
static const unsigned char optional_counts[IR_OP_COUNT] = {
#include "dialects/ops.def"
};

const ir_op_info *ir_op_info_get(ir_op op) {
  return &table[op];
}

bool ir_op_has_segments(const ir_op_info *info) {
  return optional_counts[info - table] > 1;
}

enum { MAX_CHOICES = 64 };
_Static_assert((int)UNARY_COUNT <= MAX_CHOICES && (int)BINARY_COUNT <= MAX_CHOICES / 2, "every function is a choice");

typedef struct choice_list {
  const char *starts[MAX_CHOICES];
  size_t sizes[MAX_CHOICES];
  size_t count;
} choice_list;

static void add_choice(choice_list *list, const char *start, size_t size) {
  assert(list->count < MAX_CHOICES);
  list->starts[list->count] = start;
  list->sizes[list->count++] = size;
}

/* The words of "a|b|c"; "unary" and "binary" are replaced by their rows of elementwise.def. */
static choice_list list_choices(const char *choices) {
  choice_list list = {.count = 0};
  for (const char *at = choices;; at++) {
    size_t size = strcspn(at, "|");
    bool is_unary = size == strlen("unary") && !memcmp(at, "unary", size);
    bool is_binary = size == strlen("binary") && !memcmp(at, "binary", size);
    for (int i = 0; is_unary && i < UNARY_COUNT; i++)
      add_choice(&list, elementwise_unaries[i].name, strlen(elementwise_unaries[i].name));
    for (int i = 0; is_binary && i < BINARY_COUNT; i++)
      if (!strcmp(elementwise_binaries[i].operation, "binary"))
        add_choice(&list, elementwise_binaries[i].name, strlen(elementwise_binaries[i].name));
    if (!is_unary && !is_binary) add_choice(&list, at, size);
    at += size;
    if (!*at) return list;
  }
}

int ir_choice_find(const char *choices, const char *word) {
  choice_list list = list_choices(choices);
  for (size_t i = 0; i < list.count; i++)
    if (strlen(word) == list.sizes[i] && !memcmp(word, list.starts[i], list.sizes[i])) return (int)i;
  return -1;
}

bool ir_choice_has(const char *choices, const char *word) {
  return ir_choice_find(choices, word) >= 0;
}

void ir_choices_print(text *out, const char *choices) {
  choice_list list = list_choices(choices);
  for (size_t i = 0; i < list.count; i++) {
    if (i) text_append(out, i + 1 == list.count ? " or " : ", ");
    text_append_bytes(out, list.starts[i], list.sizes[i]);
  }
}
