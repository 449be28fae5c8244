/* Makes the IRDL text of each dialect from its table of operations; MLIR checks operations by it.
 *
 *   IN(gnn, degree, graph, graph, required)   becomes   irdl.operation @degree {
 *   ATTR(gnn, degree, direction, ...)                     %0 = irdl.base @gnn::@graph
 *   OUT(gnn, degree, result, node)                        %2 = irdl.any_of(%1, ...)  irdl.operands(graph: %0) ...
 *
 * IRDL has no optional attributes; only our verifier checks them. It checks the kinds of operands, too, so a context is
 * loaded with a brief text, where values are irdl.any: parsing the unions takes a third of the time of a small model. */
#include "dialects/ir/ir_private.h"

#include <string.h>
#include <threads.h>

enum { DIALECTS = 4 };
static const char *const dialects[DIALECTS] = {"gnn", "inter", "intra", "device"};
static text dialect_texts[DIALECTS];
static text all_texts, brief_text;
static once_flag made = ONCE_FLAG_INIT;

static const char payload_lines[] = "    %f32 = irdl.is f32\n"
                                    "    %i32 = irdl.is i32\n"
                                    "    %tensor = irdl.base \"!builtin.tensor\"\n"
                                    "    %payload = irdl.any_of(%f32, %i32, %tensor)\n";
static const char string_line[] = "    %string = irdl.base \"#builtin.string\"\n";

static void print_payload_type(text *out, const char *name, const char *set_name) {
  text_printf(out, "  irdl.type @%s {\n%s%s", name, string_line, payload_lines);
  text_printf(out, "    irdl.parameters(%s: %%string, payload: %%payload)\n  }\n", set_name);
}

/* Writes a %choice that is any of "a|b|c". */
static void print_choice(text *out, const char *choices) {
  text_append(out, "    %choice = irdl.any_of(");
  text list = {0};
  unsigned count = 0;
  for (const char *at = choices; *at; at += *at == '|') {
    size_t size = strcspn(at, "|");
    text_printf(&list, "    %%c%u = irdl.is \"%.*s\"\n", count, (int)size, at);
    text_printf(out, "%s%%c%u", count ? ", " : "", count);
    count++;
    at += size;
  }
  text_append(out, ")\n");
  text_append(&list, text_str(out));
  text_free(out);
  *out = list;
}

static void print_choice_type(text *out, const char *name, const char *parameter, const char *choices) {
  text choice = {0};
  print_choice(&choice, choices);
  text_printf(out, "  irdl.type @%s {\n%s", name, text_str(&choice));
  text_free(&choice);
  if (!strcmp(name, "per"))
    text_printf(out, "%s    irdl.parameters(%s: %%choice, payload: %%payload)\n  }\n", payload_lines, parameter);
  else
    text_printf(out, "%s    irdl.parameters(%s: %%choice, set: %%string)\n  }\n", string_line, parameter);
}

/* Writes the types of the device level: rows have a width, values a number of heads. */
static void print_device_types(text *out) {
  static const char two_sets[] = "    %from = irdl.base \"#builtin.string\"\n    %to = irdl.base \"#builtin.string\"\n";
  static const char number[] = "    %number = irdl.base \"#builtin.integer\"\n";
  text_printf(out, "  irdl.type @rows {\n%s%s    irdl.parameters(set: %%string, width: %%number)\n  }\n", string_line,
              number);
  text_printf(out, "  irdl.type @edge_list {\n%s    irdl.parameters(from: %%from, to: %%to)\n  }\n", two_sets);
  text_printf(out, "  irdl.type @values {\n%s%s    irdl.parameters(from: %%from, to: %%to, heads: %%number)\n  }\n",
              two_sets, number);
}

static void print_types(text *out, const char *dialect) {
  if (!strcmp(dialect, "gnn")) {
    text_printf(out, "  irdl.type @graph {\n%s    irdl.parameters(set: %%string)\n  }\n", string_line);
    print_payload_type(out, "node", "set");
    print_payload_type(out, "edge", "set");
    print_payload_type(out, "sparse", "set");
    print_choice_type(out, "per", "by", IR_PER_KINDS);
  } else if (!strcmp(dialect, "inter")) {
    print_choice_type(out, "cursor", "at", IR_CURSOR_KINDS);
    text_append(out, "  irdl.type @results {\n  }\n");
  } else if (!strcmp(dialect, "intra")) {
    print_payload_type(out, "memory", "rows");
  } else {
    print_device_types(out);
  }
}

/* Writes lines that define the constraint of a kind with the name %<name>; `is_brief`: values may be anything. Each operand needs a
 * constraint of its own, because an IRDL value that is used twice would mean equal types. */
static void print_constraint(text *out, const char *kind, const char *name, bool is_brief) {
  static const struct {
    const char *kind;
    const char *types; /* one letter for each type */
  } unions[] = {{"value", "fitnep"}, {"feature", "fitneps"}, {"plain", "fit"}};
  for (size_t i = 0; i < sizeof unions / sizeof *unions; i++) {
    if (strcmp(unions[i].kind, kind) != 0) continue;
    if (is_brief) {
      text_printf(out, "    %%%s = irdl.any\n", name);
      return;
    }
    for (const char *t = unions[i].types; *t; t++) {
      const char *type = *t == 'n' ? "node" : *t == 'e' ? "edge" : *t == 'p' ? "per" : "sparse";
      if (*t == 'f' || *t == 'i')
        text_printf(out, "    %%%s_%c = irdl.is %c32\n", name, *t, *t);
      else if (*t == 't')
        text_printf(out, "    %%%s_t = irdl.base \"!builtin.tensor\"\n", name);
      else
        text_printf(out, "    %%%s_%c = irdl.base @gnn::@%s\n", name, *t, type);
    }
    text_printf(out, "    %%%s = irdl.any_of(", name);
    for (const char *t = unions[i].types; *t; t++)
      text_printf(out, "%s%%%s_%c", t == unions[i].types ? "" : ", ", name, *t);
    text_append(out, ")\n");
    return;
  }
  if (!strcmp(kind, "any")) {
    text_printf(out, "    %%%s = irdl.any\n", name);
    return;
  }
  /* IRDL has one symbol table for types and operations, so the type has another name */
  if (!strcmp(kind, "buffer")) {
    text_printf(out, "    %%%s = irdl.base @intra::@memory\n", name);
    return;
  }
  bool is_device = !strcmp(kind, "rows") || !strcmp(kind, "edge_list") || !strcmp(kind, "values");
  if (is_device) {
    text_printf(out, "    %%%s = irdl.base @device::@%s\n", name, kind);
    return;
  }
  bool is_inter = !strcmp(kind, "cursor") || !strcmp(kind, "results");
  text_printf(out, "    %%%s = irdl.base @%s::@%s\n", name, is_inter ? "inter" : "gnn", kind);
}

static const char *attribute_base(const char *type) {
  if (!strcmp(type, "string")) return "#builtin.string";
  if (!strcmp(type, "float")) return "#builtin.float";
  if (!strcmp(type, "integer")) return "#builtin.integer";
  if (!strcmp(type, "integers")) return "#builtin.dense_array";
  if (!strcmp(type, "strings")) return "#builtin.array";
  return "#builtin.unit";
}

static void print_operands(text *out, const ir_op_info *info, bool is_brief) {
  text list = {0};
  for (unsigned i = 0; i < info->operand_count; i++) {
    const ir_operand_info *operand = &info->operands[i];
    print_constraint(out, operand->kind, operand->name, is_brief);
    text_printf(&list, "%s%s: %s%%%s", i ? ", " : "", operand->name, operand->is_optional ? "optional " : "",
                operand->name);
  }
  if (info->operand_count) text_printf(out, "    irdl.operands(%s)\n", text_str(&list));
  text_free(&list);
}

static void print_attributes(text *out, const ir_op_info *info) {
  text list = {0};
  for (unsigned i = 0; i < info->attribute_count; i++) {
    const ir_attribute_info *attribute = &info->attributes[i];
    if (attribute->is_optional) continue;
    text_printf(out, "    %%a_%s = irdl.base \"%s\"\n", attribute->name, attribute_base(attribute->type));
    text_printf(&list, "%s\"%s\" = %%a_%s", list.size ? ", " : "", attribute->name, attribute->name);
  }
  if (list.size) text_printf(out, "    irdl.attributes {%s}\n", text_str(&list));
  text_free(&list);
}

static void print_operation(text *out, const ir_op_info *info, bool is_brief) {
  text_printf(out, "  irdl.operation @%s {\n", strchr(info->name, '.') + 1);
  print_operands(out, info, is_brief);
  if (info->result_kind) {
    print_constraint(out, info->result_kind, "result_", is_brief);
    text_append(out, "    irdl.results(result: %result_)\n");
  }
  print_attributes(out, info);
  if (info->region_name)
    text_printf(out, "    %%region = irdl.region with size 1\n    irdl.regions(%s: %%region)\n", info->region_name);
  text_append(out, "  }\n");
}

static void print_dialect(text *out, const char *dialect, bool is_brief) {
  text_printf(out, "irdl.dialect @%s {\n", dialect);
  print_types(out, dialect);
  size_t size = strlen(dialect);
  for (size_t i = 0; i < IR_OP_COUNT; i++) {
    const ir_op_info *info = ir_op_info_get((ir_op)i);
    if (!strncmp(info->name, dialect, size) && info->name[size] == '.') print_operation(out, info, is_brief);
  }
  text_append(out, "}\n");
}

static void make_texts(void) {
  for (size_t d = 0; d < DIALECTS; d++) {
    print_dialect(&dialect_texts[d], dialects[d], false);
    text_append(&all_texts, text_str(&dialect_texts[d]));
  }
}

static void make_brief_text(void) {
  for (size_t d = 0; d < DIALECTS; d++) print_dialect(&brief_text, dialects[d], true);
}

const char *ir_irdl_brief_text(void) {
  static once_flag brief = ONCE_FLAG_INIT;
  call_once(&brief, make_brief_text);
  return text_str(&brief_text);
}

const char *ir_irdl_text(const char *dialect) {
  call_once(&made, make_texts);
  for (size_t d = 0; dialect && d < DIALECTS; d++)
    if (!strcmp(dialects[d], dialect)) return text_str(&dialect_texts[d]);
  return dialect ? NULL : text_str(&all_texts);
}
