/* Where things lie in the bound block and the workspace: see layout.h. */
#include "codegen/c/layout.h"

#include "codegen/c/quote.h"

const char *c_array_name(c_array array) {
  static const char *const names[] = {"in_ptr", "src",  "dst",     "number",  "position",
                                      "base",   "type", "out_ptr", "out_dst", "out_position"};
  return names[array];
}

const char *c_array_type(c_array array) {
  return array == C_ARRAY_in_ptr || array == C_ARRAY_out_ptr ? "int64_t" : "int32_t";
}

bool c_array_is_kept(const c_set *set, c_array array) {
  switch (array) {
  case C_ARRAY_in_ptr: return set->has_csc;
  case C_ARRAY_src: return set->has_csc || set->has_coo;
  case C_ARRAY_dst: return set->has_coo;
  case C_ARRAY_number: return set->has_number;
  case C_ARRAY_position: return set->has_position;
  case C_ARRAY_base: return set->has_base;
  case C_ARRAY_type: return set->has_types;
  default: return array != C_ARRAY_count && set->has_csr;
  }
}

bool c_set_is_kept(const c_set *set) {
  for (int i = 0; i < C_ARRAY_count; i++)
    if (c_array_is_kept(set, (c_array)i)) return true;
  return false;
}

bool c_model_has_derived(const c_model *m) {
  for (size_t i = 0; i < m->sets.count; i++)
    if (m->sets.items[i].base >= 0) return true;
  return false;
}

const char *c_set_edges(const c_model *m, const c_set *set) {
  return set->base < 0 ? "header->num_edges" : arena_printf(m->arena, "header->%s_edges", set->id);
}

/* The number of rows in terms of v nodes, e edges, g graphs; an upper bound for sets with self loops. */
static const char *rows_text(const c_model *m, c_rows rows, int set, int64_t count) {
  switch (rows) {
  case C_ROWS_node: return "v";
  case C_ROWS_edge: return m->sets.items[set].base < 0 ? "e" : "e + v";
  case C_ROWS_graph: return "g";
  case C_ROWS_etype:
  case C_ROWS_ntype: return arena_printf(m->arena, "%lld", (long long)(count > 0 ? count : 1));
  default: return "1";
  }
}

/* One field of a layout: its declaration in the first round, its place in the second. */
static void field(c_writer *w, bool is_struct, const char *name, const char *rows, const char *size, const char *what) {
  if (is_struct)
    c_writer_line(w, "size_t %s;%s%s%s", name, *what ? " /* " : "", what, *what ? " */" : "");
  else
    c_writer_line(w, "l->%s = section(&at, %s, %s);", name, rows, size);
}

static void slot_fields(const c_model *m, c_writer *w, bool is_struct, const c_slot *slots, size_t count,
                        const char *prefix) {
  for (size_t i = 0; i < count; i++)
    field(w, is_struct, arena_printf(m->arena, "%s_%zu", prefix, i),
          rows_text(m, slots[i].rows, slots[i].set, slots[i].count),
          arena_printf(m->arena, "%lld * sizeof(real)", (long long)slots[i].elements),
          slots[i].user_count ? c_quote_comment(m->arena, slots[i].users) : "");
}

static void packed_fields(const c_model *m, c_writer *w, bool is_struct, bool in_bound) {
  for (size_t i = 0; i < m->packed.count; i++) {
    const c_packed *p = m->packed.items[i];
    if ((p->space == C_SPACE_bound || p->of_bind) != in_bound) continue;
    int64_t elements = p->depth * p->padded;
    field(w, is_struct, arena_printf(m->arena, "packed_%zu", i), "1",
          arena_printf(m->arena, "%lld * sizeof(real)", (long long)elements), "");
  }
}

static void bound_fields(const c_model *m, c_writer *w, bool is_struct) {
  field(w, is_struct, "header", "1", "sizeof(bound_header)", "");
  for (size_t s = 0; s < m->sets.count; s++) {
    const c_set *set = &m->sets.items[s];
    const char *edges = rows_text(m, C_ROWS_edge, (int)s, 0);
    for (int i = 0; i < C_ARRAY_count; i++) {
      if (!c_array_is_kept(set, (c_array)i)) continue;
      bool is_pointer = i == C_ARRAY_in_ptr || i == C_ARRAY_out_ptr;
      field(w, is_struct, arena_printf(m->arena, "%s_%s", set->id, c_array_name((c_array)i)),
            is_pointer ? "v + 1" : edges, arena_printf(m->arena, "sizeof(%s)", c_array_type((c_array)i)), "");
    }
  }
  if (m->has_node_types) field(w, is_struct, "node_type", "v", "sizeof(int32_t)", "");
  if (m->has_batch) field(w, is_struct, "batch", "v", "sizeof(int32_t)", "");
  slot_fields(m, w, is_struct, m->bound.items, m->bound.count, "slot");
  packed_fields(m, w, is_struct, true);
  /* What only bind needs comes last. */
  for (size_t s = 0; s < m->sets.count; s++) {
    const c_set *set = &m->sets.items[s];
    if (set->base < 0) continue;
    static const char *const own[] = {"own_src", "own_dst", "own_base"};
    for (int i = 0; i < 3; i++)
      field(w, is_struct, arena_printf(m->arena, "%s_%s", set->id, own[i]), "e + v", "sizeof(int32_t)", "");
  }
  if (c_model_has_derived(m)) field(w, is_struct, "mark", "v", "sizeof(int32_t)", "");
  field(w, is_struct, "order", c_model_has_derived(m) ? "e + v" : "e", "sizeof(int32_t)", "");
  slot_fields(m, w, is_struct, m->bind.slots.items, m->bind.slots.count, "scratch");
}

static void emit_place(c_model *m, c_writer *w, bool is_bound) {
  const char *name = is_bound ? "bound" : "work";
  c_writer_raw(w,
               "/* Where each part of the %s begins, in bytes from its first 64-byte boundary; `end` is its size. */",
               is_bound ? "bound block" : "workspace");
  c_writer_open(w, "typedef struct %s_layout", name);
  for (int round = 0; round < 2; round++) {
    if (round == 1) {
      c_writer_line(w, "size_t end;");
      w->depth--;
      c_writer_raw(w, "} %s_layout;\n", name);
      c_writer_open(w, "static void place_%s(int64_t v, int64_t e, int64_t g, %s_layout *l)", name, name);
      c_writer_line(w, "size_t at = 0;");
      c_writer_line(w, "(void)v, (void)e, (void)g;");
    }
    if (is_bound) {
      bound_fields(m, w, round == 0);
    } else {
      slot_fields(m, w, round == 0, m->run.slots.items, m->run.slots.count, "slot");
      packed_fields(m, w, round == 0, false);
      if (round == 1 && !m->run.slots.count) c_writer_line(w, "(void)section(&at, 0, 1);");
    }
  }
  c_writer_line(w, "l->end = at;");
  c_writer_close(w);
  c_writer_raw(w, "%s", "");
}

static void emit_open(c_model *m, c_writer *w, const c_set *set) {
  c_writer_open(w, "static edge_set open_%s(const char *block, const bound_layout *l)", set->id);
  c_writer_line(w, "const bound_header *header = (const bound_header *)(const void *)block;");
  c_writer_line(w, "(void)l;");
  c_writer_line(w, "return (edge_set){");
  w->depth += 2;
  c_writer_line(w, ".num_nodes = header->num_nodes,");
  c_writer_line(w, ".num_edges = %s,", c_set_edges(m, set));
  for (int i = 0; i < C_ARRAY_count; i++)
    if (c_array_is_kept(set, (c_array)i))
      c_writer_line(w, ".%s = (const %s *)(const void *)(block + l->%s_%s),", c_array_name((c_array)i),
                    c_array_type((c_array)i), set->id, c_array_name((c_array)i));
  if (m->has_node_types) c_writer_line(w, ".node_type = (const int32_t *)(const void *)(block + l->node_type),");
  if (m->has_batch) c_writer_line(w, ".batch = (const int32_t *)(const void *)(block + l->batch),");
  w->depth -= 2;
  c_writer_line(w, "};");
  c_writer_close(w);
  c_writer_raw(w, "%s", "");
}

void c_layout_emit(c_model *m, c_writer *w) {
  c_writer_raw(w, "/* The bound block begins with this; `program` tells which model filled it. */");
  c_writer_open(w, "typedef struct bound_header");
  c_writer_line(w, "uint64_t magic, program;");
  c_writer_line(w, "int64_t num_nodes, num_edges, num_graphs;");
  for (size_t i = 0; i < m->sets.count; i++)
    if (m->sets.items[i].base >= 0) c_writer_line(w, "int64_t %s_edges;", m->sets.items[i].id);
  w->depth--;
  c_writer_raw(w, "} bound_header;\n");
  emit_place(m, w, true);
  emit_place(m, w, false);
  for (size_t i = 0; i < m->sets.count; i++) {
    if (!m->sets.items[i].is_opened) continue;
    c_writer_raw(w, "/* The edges of %s in a bound block. */", c_quote_comment(m->arena, m->sets.items[i].name));
    emit_open(m, w, &m->sets.items[i]);
  }
}
