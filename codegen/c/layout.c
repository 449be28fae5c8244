/* Where things lie in the bound block and the workspace: see layout.h. */
#include "codegen/c/layout.h"

#include "codegen/c/quote.h"

bool c_model_has_derived(const c_model *m) {
  for (size_t i = 0; i < m->sets.count; i++)
    if (m->sets.items[i].mode) return true;
  return false;
}

const char *c_set_edges(const c_model *m, const c_set *set) {
  return set->base < 0 ? "header->num_edges" : arena_printf(m->arena, "header->%s_edges", set->id);
}

const char *c_set_nodes(const c_model *m, const c_set *set) {
  return set->part < 0 ? "header->num_nodes" : arena_printf(m->arena, "header->%s_nodes", set->id);
}

const char *c_rows_text(const c_model *m, c_rows rows, int set, int64_t count) {
  const c_set *of = &m->sets.items[set < 0 ? 0 : set];
  switch (rows) {
  case C_ROWS_node:
  case C_ROWS_nonzero: return c_set_nodes(m, of);
  case C_ROWS_edge: return c_set_edges(m, of);
  case C_ROWS_graph: return "header->num_graphs";
  case C_ROWS_etype_src: return "header->src_kinds";
  case C_ROWS_etype_dst: return "header->dst_kinds";
  case C_ROWS_etype:
  case C_ROWS_ntype: return arena_printf(m->arena, "%lld", (long long)(count > 0 ? count : 1));
  default: return NULL;
  }
}

/* The same before bind, in terms of v nodes, e edges, g graphs: an upper bound for what bind finds. */
static const char *most_rows(const c_model *m, c_rows rows, int set, int64_t count) {
  switch (rows) {
  case C_ROWS_node: return "v";
  case C_ROWS_edge: return m->sets.items[set].mode ? "e + v" : "e";
  case C_ROWS_graph: return "g";
  case C_ROWS_one: return "1";
  default: return arena_printf(m->arena, "%lld", (long long)(count > 0 ? count : 1));
  }
}

/* One field of a layout: its declaration in the first round, its place in the second. */
static void field(c_writer *w, bool is_struct, const char *name, const char *rows, const char *size, const char *what) {
  if (is_struct)
    c_writer_line(w, "size_t %s;%s%s%s", name, *what ? " /* " : "", what, *what ? " */" : "");
  else
    c_writer_line(w, "l->%s = section(&at, %s, %s);", name, rows, size);
}

/* Slots of the workspace are as large as the bound graph needs, those of the bound block as any graph might. */
static void slot_fields(const c_model *m, c_writer *w, bool is_struct, const c_slot *slots, size_t count,
                        const char *prefix, bool is_exact) {
  for (size_t i = 0; i < count; i++) {
    const c_slot *s = &slots[i];
    if (s->is_left_out) continue;
    const char *rows = is_exact ? c_rows_text(m, s->rows, s->set, s->count) : most_rows(m, s->rows, s->set, s->count);
    field(w, is_struct, arena_printf(m->arena, "%s_%zu", prefix, i), rows ? rows : "1",
          arena_printf(m->arena, "%lld * sizeof(real)", (long long)s->elements),
          s->user_count ? c_quote_comment(m->arena, s->users) : "");
  }
}

static void packed_fields(const c_model *m, c_writer *w, bool is_struct, bool in_bound) {
  for (size_t i = 0; i < m->packed.count; i++) {
    const c_packed *p = m->packed.items[i];
    if ((p->space == C_SPACE_bound || p->of_bind) != in_bound) continue;
    int64_t elements = p->matrices * p->depth * p->padded;
    field(w, is_struct, arena_printf(m->arena, "packed_%zu", i), "1",
          arena_printf(m->arena, "%lld * sizeof(real)", (long long)elements), "");
  }
}

/* The arrays of all sets that are kept, or those that only bind uses. */
static void array_fields(const c_model *m, c_writer *w, bool is_struct, bool are_kept) {
  for (size_t s = 0; s < m->sets.count; s++) {
    const c_set *set = &m->sets.items[s];
    for (int i = 0; i < C_ARRAY_count; i++) {
      c_array array = (c_array)i;
      if (!c_array_is_made(set, array) || c_array_is_kept(set, array) != are_kept) continue;
      field(w, is_struct, arena_printf(m->arena, "%s_%s", set->id, c_array_name(array)), c_array_rows(m, set, array),
            arena_printf(m->arena, "sizeof(%s)", c_array_type(array)), "");
    }
  }
}

static void shared_fields(const c_model *m, c_writer *w, bool is_struct) {
  c_shared_array shared[C_SHARED_COUNT];
  c_shared_arrays(m, shared);
  for (int i = 0; i < C_SHARED_COUNT; i++)
    if (shared[i].rows)
      field(w, is_struct, shared[i].name, shared[i].rows, arena_printf(m->arena, "sizeof(%s)", shared[i].type), "");
}

/* What only bind needs comes last. */
static void scratch_fields(const c_model *m, c_writer *w, bool is_struct) {
  array_fields(m, w, is_struct, false);
  for (size_t s = 0; s < m->sets.count; s++) {
    const c_set *set = &m->sets.items[s];
    if (!set->mode) continue;
    static const char *const own[] = {"own_src", "own_dst", "own_base"};
    for (int i = 0; i < 3; i++)
      field(w, is_struct, arena_printf(m->arena, "%s_%s", set->id, own[i]), "e + v", "sizeof(int32_t)", "");
  }
  bool has_derived = c_model_has_derived(m);
  if (has_derived) field(w, is_struct, "mark", "v", "sizeof(int32_t)", "");
  field(w, is_struct, "order", has_derived ? "e + v" : "e", "sizeof(int32_t)", "");
  if (m->pairs[0].is_found || m->pairs[1].is_found) {
    field(w, is_struct, "other_order", "e", "sizeof(int32_t)", "");
    if (m->sets.items[0].made & (1u << C_ARRAY_kind_src | 1u << C_ARRAY_kind_dst))
      field(w, is_struct, "kind_of_pair", "e", "sizeof(int32_t)", "");
  }
  slot_fields(m, w, is_struct, m->bind.slots.items, m->bind.slots.count, "scratch", false);
}

static void bound_fields(const c_model *m, c_writer *w, bool is_struct) {
  field(w, is_struct, "header", "1", "sizeof(bound_header)", "");
  array_fields(m, w, is_struct, true);
  shared_fields(m, w, is_struct);
  slot_fields(m, w, is_struct, m->bound.items, m->bound.count, "slot", false);
  packed_fields(m, w, is_struct, true);
  scratch_fields(m, w, is_struct);
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
      c_writer_open(w, "static void place_%s(%s, %s_layout *l)", name,
                    is_bound ? "int64_t v, int64_t e, int64_t g" : "const bound_header *header", name);
      c_writer_line(w, "size_t at = 0;");
      c_writer_line(w, is_bound ? "(void)v, (void)e, (void)g;" : "(void)header;");
    }
    if (is_bound) {
      bound_fields(m, w, round == 0);
    } else {
      slot_fields(m, w, round == 0, m->run.slots.items, m->run.slots.count, "slot", true);
      packed_fields(m, w, round == 0, false);
      if (round == 1 && !m->run.slots.count) c_writer_line(w, "(void)section(&at, 0, 1);");
    }
  }
  c_writer_line(w, "l->end = at;");
  c_writer_close(w);
  c_writer_raw(w, "%s", "");
}

static void open_array(c_writer *w, const char *field_name, const char *type, const char *place) {
  c_writer_line(w, ".%s = (const %s *)(const void *)(block + l->%s),", field_name, type, place);
}

static void emit_open(c_model *m, c_writer *w, const c_set *set) {
  arena *a = m->arena;
  c_writer_open(w, "static edge_set open_%s(const char *block, const bound_layout *l)", set->id);
  c_writer_line(w, "const bound_header *header = (const bound_header *)(const void *)block;");
  c_writer_line(w, "(void)l;");
  c_writer_line(w, "return (edge_set){");
  w->depth += 2;
  c_writer_line(w, ".num_nodes = %s,", c_set_nodes(m, set));
  if (set->part < 0) c_writer_line(w, ".num_edges = %s,", c_set_edges(m, set));
  for (int i = 0; i < C_ARRAY_count; i++)
    if (c_array_is_kept(set, (c_array)i))
      open_array(w, c_array_name((c_array)i), c_array_type((c_array)i),
                 arena_printf(a, "%s_%s", set->id, c_array_name((c_array)i)));
  c_shared_array shared[C_SHARED_COUNT];
  c_shared_arrays(m, shared);
  for (int i = 0; i < C_SHARED_COUNT; i++)
    if (shared[i].rows) open_array(w, shared[i].name, shared[i].type, shared[i].name);
  if (set->part >= 0)
    c_writer_line(w, ".part = (const int32_t *)(const void *)(block + l->ntype_order) + header->%s_first,", set->id);
  w->depth -= 2;
  c_writer_line(w, "};");
  c_writer_close(w);
  c_writer_raw(w, "%s", "");
}

/* Counts that only bind knows. */
static void header_fields(const c_model *m, c_writer *w) {
  for (size_t i = 0; i < m->sets.count; i++) {
    const c_set *set = &m->sets.items[i];
    if (set->part >= 0)
      c_writer_line(w, "int64_t %s_first, %s_nodes;", set->id, set->id);
    else if (set->base >= 0)
      c_writer_line(w, "int64_t %s_edges;", set->id);
  }
  if (m->pairs[0].is_found) c_writer_line(w, "int64_t src_kinds; /* pairs of edge type and type of the source */");
  if (m->pairs[1].is_found) c_writer_line(w, "int64_t dst_kinds; /* pairs of edge type and type of the destination */");
}

void c_layout_emit(c_model *m, c_writer *w) {
  c_writer_raw(w, "/* The bound block begins with this; `program` tells which model filled it. */");
  c_writer_open(w, "typedef struct bound_header");
  c_writer_line(w, "uint64_t magic, program;");
  c_writer_line(w, "int64_t num_nodes, num_edges, num_graphs;");
  header_fields(m, w);
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
