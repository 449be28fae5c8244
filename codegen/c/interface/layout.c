/* The offsets in the bound block and the workspace: see layout.h. */
#include "codegen/c/interface/layout.h"

#include "codegen/c/interface/routines.h"
#include "codegen/c/kernel/contract.h"
#include "codegen/c/kernel/sum_by.h"
#include "codegen/c/model/array.h"
#include "codegen/c/model/count.h"
#include "codegen/c/model/packed.h"
#include "codegen/c/text/quote.h"

#include <string.h>

/* ---- fields ---- */

/* One field of a layout: in the struct its declaration, in the function the computation of its
 * offset. */
static void field(c_writer *w, bool is_struct, const char *name, const char *rows, const char *size, const char *what) {
  if (is_struct)
    c_writer_line(w, "size_t %s;%s%s%s", name, *what ? " /* " : "", what, *what ? " */" : "");
  else
    c_writer_line(w, "l->%s = section(&at, %s, %s);", name, rows, size);
}

/* Writes the fields of slots. Slots of the workspace are as large as the bound graph needs, those
 * of the bound block as large as any graph of that size may need. */
static void slot_fields(const c_model *m, c_writer *w, bool is_struct, c_memory memory, const c_slots *slots,
                        const char *prefix) {
  for (size_t i = 0; i < slots->count; i++) {
    const c_slot *s = &slots->items[i];
    if (s->is_left_out) continue;
    const char *rows = memory == C_MEMORY_work ? c_count_rows(m, s->rows, s->set, s->count)
                                               : c_count_most_rows(m, s->rows, s->set, s->count);
    if (s->rows == C_ROWS_edge && m->sets.items[s->set].is_run) rows = c_count_room(m, &m->sets.items[s->set]);
    field(w, is_struct, arena_printf(m->arena, "%s_%zu", prefix, i), rows ? rows : "1",
          arena_printf(m->arena, "%lld * sizeof(real)", (long long)s->elements),
          s->user_count ? c_quote_comment(m->arena, s->users) : "");
  }
}

/* Writes packed matrices in a memory; those of one phase, or all for NULL. */
static void packed_fields(const c_model *m, c_writer *w, bool is_struct, c_memory memory, const c_phase *phase) {
  for (size_t i = 0; i < m->packed.count; i++) {
    const c_packed *p = m->packed.items[i];
    if (c_packed_memory(p) != memory || (phase && p->phase != phase)) continue;
    int64_t elements = p->matrices * p->depth * p->padded;
    field(w, is_struct, arena_printf(m->arena, "packed_%zu", i), "1",
          arena_printf(m->arena, "%lld * sizeof(real)", (long long)elements), "");
  }
}

/* Writes the arrays of all sets that bind makes, or of those that run makes: what is kept, or what is in scratch
 * memory. */
static void array_fields(const c_model *m, c_writer *w, bool is_struct, bool of_run, bool are_kept) {
  for (size_t s = 0; s < m->sets.count; s++) {
    const c_set *set = &m->sets.items[s];
    if (set->is_run != of_run) continue;
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
  c_array_list_shared(m, shared);
  for (int i = 0; i < C_SHARED_COUNT; i++)
    if (shared[i].rows)
      field(w, is_struct, shared[i].name, shared[i].rows, arena_printf(m->arena, "sizeof(%s)", shared[i].type), "");
}

/* Whether edges of some set are sorted by an end. */
static bool has_adjacency(const c_model *m) {
  for (size_t s = 0; s < m->sets.count; s++)
    if (!m->sets.items[s].is_run && m->sets.items[s].part < 0 && (m->sets.items[s].has_csc || m->sets.items[s].has_csr))
      return true;
  return false;
}

/* An upper bound of the edges of every set that bind makes. The bounds only differ by what stands behind the first term. */
static const char *most_edges(const c_model *m) {
  const char *most = "e";
  for (size_t s = 0; s < m->sets.count; s++) {
    const char *edges = m->sets.items[s].is_run ? "e" : c_count_most_edges(m, &m->sets.items[s]);
    if (strlen(edges) > strlen(most)) most = edges;
  }
  return most;
}

/* What is needed only while edges are sorted. */
static void sort_fields(const c_model *m, c_writer *w, bool is_struct) {
  for (size_t s = 0; s < m->sets.count; s++) {
    const c_set *set = &m->sets.items[s];
    if (!set->mode) continue;
    static const char *const own[] = {"own_src", "own_dst", "own_base"};
    for (int i = 0; i < (c_array_is_made(set, C_ARRAY_base) ? 3 : 2); i++)
      field(w, is_struct, arena_printf(m->arena, "%s_%s", set->id, own[i]), c_count_most_edges(m, set),
            "sizeof(int32_t)", "");
  }
  bool has_derived = c_model_has_derived(m);
  if (has_derived) field(w, is_struct, "mark", "v", "sizeof(int32_t)", "");
  if (has_adjacency(m)) {
    const char *edges = most_edges(m);
    field(w, is_struct, "sort_counters", arena_printf(m->arena, "sort_counters(v, %s)", edges), "sizeof(int32_t)", "");
    field(w, is_struct, "sort_place", edges, "sizeof(int32_t)", "");
    field(w, is_struct, "sort_moved", edges, "sizeof(int32_t)", "");
  }
  if (c_routines_have_power(m)) field(w, is_struct, "power_search", "v", "2 * sizeof(int32_t)", "");
  for (size_t s = 0; s < m->sets.count; s++)
    if (c_array_is_made(&m->sets.items[s], C_ARRAY_opposite))
      field(w, is_struct, arena_printf(m->arena, "%s_first", m->sets.items[s].id),
            arena_printf(m->arena, "v + %s", c_count_most_edges(m, &m->sets.items[s])), "sizeof(int32_t)", "");
  if (m->pairs[0].is_found || m->pairs[1].is_found) {
    field(w, is_struct, "order", "e", "sizeof(int32_t)", "");
    field(w, is_struct, "other_order", "e", "sizeof(int32_t)", "");
    if (m->sets.items[0].made & (1u << C_ARRAY_kind_src | 1u << C_ARRAY_kind_dst))
      field(w, is_struct, "kind_of_pair", "e", "sizeof(int32_t)", "");
  }
}

/* Values are computed once edges are sorted, so they may lie where the sort was. */
static void bound_fields(const c_model *m, c_writer *w, bool is_struct) {
  field(w, is_struct, "header", "1", "sizeof(bound_header)", "");
  array_fields(m, w, is_struct, false, true);
  shared_fields(m, w, is_struct);
  array_fields(m, w, is_struct, false, false);
  if (!is_struct) c_writer_line(w, "const size_t begin = at;");
  sort_fields(m, w, is_struct);
  if (!is_struct) c_writer_line(w, "const size_t sorted = at;");
  if (!is_struct) c_writer_line(w, "at = begin;");
  slot_fields(m, w, is_struct, C_MEMORY_bound, &m->bound, "slot");
  packed_fields(m, w, is_struct, C_MEMORY_bound, NULL);
  for (size_t i = 0; i < m->phases.count; i++)
    if (m->phases.items[i].row->memory == C_MEMORY_bound)
      slot_fields(m, w, is_struct, C_MEMORY_bound, &m->phases.items[i].slots, m->phases.items[i].row->slot);
  c_contract_list_memory(m, w, is_struct, C_MEMORY_bound);
  c_sum_by_list_memory(m, w, is_struct, C_MEMORY_bound);
  if (!is_struct) c_writer_line(w, "if (at < sorted) at = sorted;");
}

/* Writes what each phase has in the workspace. Phases follow one another, so they begin at the same place, and the
 * largest one counts. Returns the number of slots. */
static size_t phase_fields(const c_model *m, c_writer *w, bool is_struct) {
  size_t count = 0, phases = 0;
  for (size_t i = 0; i < m->phases.count; i++) {
    const c_phase *phase = &m->phases.items[i];
    if (phase->row->memory != C_MEMORY_work) continue;
    if (!is_struct && phases == 1) c_writer_line(w, "size_t most = at;");
    if (!is_struct && phases) c_writer_line(w, "at = 0;");
    slot_fields(m, w, is_struct, C_MEMORY_work, &phase->slots, phase->row->slot);
    packed_fields(m, w, is_struct, C_MEMORY_work, phase);
    count += phase->slots.count;
    if (!is_struct && phases) c_writer_line(w, "if (most < at) most = at;");
    phases++;
  }
  if (!is_struct && phases > 1) c_writer_line(w, "at = most;");
  return count;
}

static void work_fields(const c_model *m, c_writer *w, bool is_struct) {
  size_t slots = phase_fields(m, w, is_struct);
  array_fields(m, w, is_struct, true, true);
  c_routines_list_memory(m, w, is_struct);
  c_contract_list_memory(m, w, is_struct, C_MEMORY_work);
  c_sum_by_list_memory(m, w, is_struct, C_MEMORY_work);
  if (!is_struct && !slots) c_writer_line(w, "(void)section(&at, 0, 1);");
}

/* The blocks of memory: the names of the struct and the function that describe each, and what its
 * parts are added to. */
static const struct {
  const char *name, *title;
  const char *parameters, *unused; /* of the function; and statements that use them where no part depends on them */
  const char *begin;
  void (*emit_fields)(const c_model *m, c_writer *w, bool is_struct);
} memories[C_MEMORY_COUNT] = {
    [C_MEMORY_bound] = {"bound", "bound block", "int64_t v, int64_t e, int64_t g", "(void)v, (void)e, (void)g;",
                        "block + l", bound_fields},
    [C_MEMORY_work] = {"work", "workspace", "const bound_header *header", "(void)header;", "work + k", work_fields},
};

static void emit_memory(const c_model *m, c_writer *w, c_memory memory) {
  const char *name = memories[memory].name;
  c_writer_raw(w,
               "/* Where each part of the %s begins, in bytes from its first 64-byte boundary; `end` is its size. */",
               memories[memory].title);
  c_writer_open(w, "typedef struct %s_layout", name);
  memories[memory].emit_fields(m, w, true);
  c_writer_line(w, "size_t end;");
  w->depth--;
  c_writer_raw(w, "} %s_layout;\n", name);
  c_writer_open(w, "static void place_%s(%s, %s_layout *l)", name, memories[memory].parameters, name);
  c_writer_line(w, "size_t at = 0;");
  c_writer_line(w, "%s", memories[memory].unused);
  memories[memory].emit_fields(m, w, false);
  c_writer_line(w, "l->end = at;");
  c_writer_close(w);
  c_writer_raw(w, "%s", "");
}

static void open_array(c_writer *w, const char *field_name, const char *type, const char *place) {
  c_writer_line(w, ".%s = (const %s *)(const void *)(%s),", field_name, type, place);
}

static void emit_open(c_model *m, c_writer *w, const c_set *set) {
  arena *a = m->arena;
  const char *more = "", *begin = "block + l";
  if (set->is_run) {
    more = arena_printf(a, ", const char *work, const work_layout *k, int64_t %s", c_count_edges(m, set));
    begin = "work + k";
  }
  c_writer_open(w, "static edge_set open_%s(const char *block, const bound_layout *l%s)", set->id, more);
  c_writer_line(w, "const bound_header *header = (const bound_header *)(const void *)block;");
  c_writer_line(w, "(void)l;");
  c_writer_line(w, "return (edge_set){");
  w->depth += 2;
  c_writer_line(w, ".num_nodes = %s,", c_count_nodes(m, set));
  if (set->part < 0) c_writer_line(w, ".num_edges = %s,", c_count_edges(m, set));
  for (int i = 0; i < C_ARRAY_count; i++)
    if (c_array_is_kept(set, (c_array)i))
      open_array(w, c_array_name((c_array)i), c_array_type((c_array)i),
                 arena_printf(a, "%s->%s_%s", begin, set->id, c_array_name((c_array)i)));
  c_shared_array shared[C_SHARED_COUNT];
  c_array_list_shared(m, shared);
  for (int i = 0; i < C_SHARED_COUNT; i++)
    if (shared[i].rows) open_array(w, shared[i].name, shared[i].type, arena_printf(a, "block + l->%s", shared[i].name));
  if (set->part >= 0)
    c_writer_line(w, ".part = (const int32_t *)(const void *)(block + l->ntype_order) + header->%s_first,", set->id);
  w->depth -= 2;
  c_writer_line(w, "};");
  c_writer_close(w);
  c_writer_raw(w, "%s", "");
}

/* Writes the counts that are known after the graph is bound. */
static void header_fields(const c_model *m, c_writer *w) {
  if (m->has_ranks)
    c_writer_line(w, "int64_t num_own, num_interior; /* nodes that are no ghosts, and that share no edge with any */");
  if (m->has_cells) c_writer_line(w, "int64_t num_cells; /* of all ranks; 0 without them */");
  if (m->has_columns) c_writer_line(w, "int64_t column_rank, column_ranks; /* 0, 0 where ranks have rows */");
  for (size_t i = 0; i < m->sets.count; i++) {
    const c_set *set = &m->sets.items[i];
    if (set->part >= 0)
      c_writer_line(w, "int64_t %s_first, %s_nodes;", set->id, set->id);
    else if (set->base >= 0 && !set->is_run)
      c_writer_line(w, "int64_t %s_edges;", set->id);
    else if (set->run.is_power)
      c_writer_line(w, "int64_t %s_room;", set->id);
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
  for (int i = 0; i < C_MEMORY_COUNT; i++) emit_memory(m, w, (c_memory)i);
  for (size_t i = 0; i < m->sets.count; i++) {
    if (!m->sets.items[i].is_opened) continue;
    c_writer_raw(w, "/* The edges of %s in a bound block. */", c_quote_comment(m->arena, m->sets.items[i].name));
    emit_open(m, w, &m->sets.items[i]);
  }
}

/* ---- text of places ---- */

const char *c_layout_slot(const c_model *m, const c_phase *phase, c_space space, int slot) {
  bool in_bound = space == C_SPACE_bound;
  return arena_printf(m->arena, "%s.%s_%d", memories[in_bound ? C_MEMORY_bound : phase->row->memory].begin,
                      in_bound ? "slot" : phase->row->slot, slot);
}

const char *c_layout_packed(const c_model *m, const c_packed *p) {
  return arena_printf(m->arena, "%s.packed_%zu", memories[c_packed_memory(p)].begin, p->number);
}

const char *c_layout_array(const c_model *m, const c_set *set, c_array array) {
  return arena_printf(m->arena, "(%s *)(void *)(%s.%s_%s)", c_array_type(array), set->is_run ? "work + k" : "block + l",
                      set->id, c_array_name(array));
}

const char *c_layout_array_or_null(const c_model *m, const c_set *set, c_array array) {
  return set && c_array_is_made(set, array) ? c_layout_array(m, set, array) : "NULL";
}

const char *c_layout_numbers(const c_model *m, const char *name) {
  return arena_printf(m->arena, "(int32_t *)(void *)(block + l.%s)", name);
}
