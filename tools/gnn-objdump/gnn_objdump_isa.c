/* Prints the page isa_<machine>.md of a machine: its text, and the instruction set from its table. */
#include "tools/gnn-objdump/gnn_objdump.h"

#include <string.h>

static void print_words(text *out, const char *words) {
  for (; *words; words++) text_printf(out, *words == '|' ? "\\|" : "%c", *words);
}

static void print_values(const isa_table *isa, text *out) {
  text_append(out, "## Values\n\n| kind | what | names |\n|---|---|---|\n");
  for (int kind = 0; kind < (int)isa->num_values; kind++) {
    const isa_values_info *v = &isa->values[kind];
    bool is_first = true;
    text_printf(out, "| %s | ", v->name);
    print_words(out, v->doc);
    text_append(out, " |");
    for (uint64_t i = 0; i < v->count && v->class != ISA_CLASS_flag; i++, is_first = false)
      text_printf(out, "%s %s %llu", is_first ? "" : ",", isa_name_value(isa, kind, i), (unsigned long long)i);
    text_append(out, " |\n");
  }
  text_append(out, "\n");
}

static void print_instruction(const isa_table *isa, text *out, const isa_insn_info *info) {
  text_printf(out, "### `%s` (0x%02x): %s\n\n%s\n\n", info->name, (unsigned)info->op, info->summary, info->doc);
  if (!info->count) return;
  text_append(out, "| bits | field | kind | largest | what |\n|---|---|---|---|---|\n");
  for (size_t i = 0; i < info->count; i++) {
    const isa_field_info *f = &info->fields[i];
    text_printf(out, "| %u:%u | `%s` | %s | %llu | ", f->low + f->width - 1, f->low, f->name,
                isa_values_of(isa, f)->name, (unsigned long long)isa_field_largest(isa, f));
    print_words(out, f->doc);
    text_append(out, " |\n");
  }
  text_append(out, "\n");
}

static void print_tables(const isa_table *isa, text *out) {
  print_values(isa, out);
  text_printf(out, "## Instructions\n\nBits %d:0 of every word are the opcode.\n\n", ISA_OPCODE_BITS - 1);
  for (size_t i = 0; i < isa->num_insns; i++) print_instruction(isa, out, &isa->insns[i]);
}

void objdump_print_isa_md(const machine *m, text *out) {
  static const char mark[] = "@TABLES@\n";
  const char *manual = (const char *)m->manual, *at = strstr(manual, mark);
  if (at) text_append_bytes(out, manual, (size_t)(at - manual));
  if (m->isa->num_insns) print_tables(m->isa, out);
  if (at) at += strlen(mark);
  if (at) text_append(out, *at == '\n' ? at + 1 : at);
}
