/* M_info: the model as tables, and its functions over arrays of pointers, for programs that load a
 * model without knowing its header. */
#include "codegen/c/interface/info.h"

#include "codegen/c/interface/phases.h"
#include "codegen/c/interface/signature.h"
#include "codegen/c/kernel/exchange.h"
#include "codegen/c/model/trained.h"
#include "codegen/c/text/quote.h"

#include <string.h>

const char *c_info_type(const c_model *m) {
  return m->is_training ? "gnnc_train_info" : "gnnc_model_info";
}

static const char *table_name(const c_model *m, c_space space) {
  return arena_printf(m->arena, "%s_table", c_space_name(space));
}

/* "z_ranges": the ranges of an integer input; NULL where any integer may be there. */
static const char *ranges_name(const c_model *m, const c_buffer *b) {
  return mlirAttributeIsNull(b->range) ? "NULL" : arena_printf(m->arena, "ranges_%s", b->id);
}

void c_info_emit_ranges(const c_model *m, c_writer *w) {
  const c_buffers *fields = &m->fields[C_SPACE_input];
  for (size_t i = 0; i < fields->count; i++) {
    const c_buffer *b = &fields->items[i];
    if (mlirAttributeIsNull(b->range)) continue;
    text list = {0};
    for (intptr_t k = 0; k < 2 * b->elements; k++) {
      int64_t bound = mlirDenseI64ArrayGetElement(b->range, k);
      text_printf(&list, "%s%s", k ? ", " : "",
                  bound == INT32_MIN ? "INT32_MIN" : arena_printf(m->arena, "%lld", (long long)bound));
    }
    c_writer_raw(w, "static const int32_t %s[] = {%s};\n", ranges_name(m, b), text_str(&list));
    text_free(&list);
  }
}

static void emit_table(const c_model *m, c_writer *w, c_space space) {
  const c_buffers *fields = &m->fields[space];
  if (!fields->count) return;
  c_writer_raw(w, "static const gnnc_tensor_info %s[] = {", table_name(m, space));
  for (size_t i = 0; i < fields->count; i++) {
    const c_buffer *b = &fields->items[i];
    bool in_weights = b->space == C_SPACE_weight || b->in_weights;
    int64_t part = c_model_part(m, b);
    text dims = {0};
    for (unsigned d = 0; d < b->type.rank; d++) text_printf(&dims, "%s%lld", d ? ", " : "", (long long)b->type.dims[d]);
    c_writer_raw(w, "    {%s, %s, \"%s\", %s, %lld, %u, {%s}, %d, %d, %s},", c_quote_string(m->arena, b->name),
                 c_quote_string(m->arena, b->from), in_weights ? "weights" : "graph",
                 part < 0 ? c_rows_describe(b->rows)->constant : "GNNC_ROWS_PART",
                 (long long)(part < 0 ? b->count : part), b->type.rank, b->type.rank ? text_str(&dims) : "0",
                 b->rows == C_ROWS_nonzero, b->type.is_integer, ranges_name(m, b));
    text_free(&dims);
  }
  c_writer_raw(w, "};\n");
}

/* The place of a member of a struct in the caller's array, which has an element for each weight where the struct has
 * updates or gradients, and the loss behind them, or an element for each input. */
static size_t array_place(const c_model *m, c_space space, size_t member) {
  if (space != C_SPACE_update && space != C_SPACE_gradient) return member;
  const c_buffers *weights = &m->fields[C_SPACE_weight], *inputs = &m->fields[C_SPACE_input];
  const c_buffer *b = &m->fields[space].items[member];
  for (size_t i = 0; i < weights->count; i++)
    if (c_trained_gradient(m, &weights->items[i]) == b) return i;
  for (size_t i = 0; i < inputs->count; i++)
    if (c_trained_input_gradient(m, &inputs->items[i]) == b) return weights->count + i;
  return weights->count;
}

/* Writes a struct with the pointers of an array: "const gcn_inputs inputs_struct = {inputs[0],
 * inputs[1]};". */
static void emit_struct(c_model *m, c_writer *w, const c_phase_parameter *p) {
  size_t count = m->fields[p->space].count;
  text list = {0};
  c_writer_line(w, count ? "if (!%s) return GNNC_ERROR_NULL;" : "(void)%s;", p->name);
  for (size_t i = 0; i < count; i++)
    text_printf(&list, "%s%s[%zu]", i ? ", " : "", p->name, array_place(m, p->space, i));
  c_writer_line(w, "const %s_%s %s_struct = {%s};", m->id, c_space_type(p->space), p->name,
                count ? text_str(&list) : "NULL");
  text_free(&list);
}

/* Writes what gnnc_tensor_info does not say of weights that are trained. */
static void emit_weight_infos(const c_model *m, c_writer *w) {
  const c_buffers *weights = &m->fields[C_SPACE_weight];
  if (!m->is_training || !weights->count) return;
  c_writer_raw(w, "static const gnnc_weight_info weight_info_table[] = {");
  for (size_t i = 0; i < weights->count; i++) {
    const c_buffer *result = c_trained_gradient(m, &weights->items[i]);
    c_writer_raw(w, "    {%d, %d, %s},", result && result->role == C_ROLE_gradient,
                 result && result->role == C_ROLE_update, c_quote_string(m->arena, c_trained_init(&weights->items[i])));
  }
  c_writer_raw(w, "};\n");
}

/* Writes which inputs have a gradient. */
static void emit_input_gradients(const c_model *m, c_writer *w) {
  const c_buffers *inputs = &m->fields[C_SPACE_input];
  if (!m->is_backward || !inputs->count) return;
  text list = {0};
  for (size_t i = 0; i < inputs->count; i++)
    text_printf(&list, "%s%d", i ? ", " : "", c_trained_input_gradient(m, &inputs->items[i]) != NULL);
  c_writer_raw(w, "static const int32_t input_gradient_table[] = {%s};\n", text_str(&list));
  text_free(&list);
}

static void emit_version_check(c_writer *w) {
  c_writer_open(w, "if (abi_version != GNNC_ABI_VERSION)");
  c_writer_line(w, "if (index) *index = abi_version;");
  c_writer_line(w, "return GNNC_ERROR_VERSION;");
  c_writer_close(w);
}

/* Whether a function takes structs of the interface. */
static bool takes_structs(const c_phase_function *function) {
  for (const c_phase_parameter *p = function->parameters; p->name; p++)
    if (p->untyped) return true;
  return false;
}

/* Writes a function over arrays of pointers. */
static void emit_adaptor(c_model *m, c_writer *w, const c_phase_function *function, bool takes_version) {
  text arguments = {0};
  c_signature_open_untyped(m, w, function, takes_version);
  if (takes_version) emit_version_check(w);
  for (const c_phase_parameter *p = function->parameters; p->name; p++) {
    if (p->untyped) emit_struct(m, w, p);
    text_printf(&arguments, p->untyped ? "%s&%s_struct" : "%s%s", arguments.size ? ", " : "", p->name);
  }
  c_writer_line(w, "return %s_%s(%s);", m->id, function->name, text_str(&arguments));
  c_writer_close(w);
  c_writer_raw(w, "%s", "");
  text_free(&arguments);
}

static bool is_exchange(MlirOperation op) {
  const ir_op kind = ir_op_kind(op);
  return kind == IR_OP(intra, exchange) || kind == IR_OP(intra, exchange_edges) || kind == IR_OP(intra, transpose);
}

/* The operations of all phases that get rows of ghosts or of edges, or transpose rows, one after another: the next one after `op`, or the first one. */
static MlirOperation next_exchange(const c_model *m, size_t *phase, MlirOperation op) {
  for (; *phase < m->phases.count; ++*phase) {
    MlirOperation function = m->phases.items[*phase].function;
    if (mlirOperationIsNull(function)) continue;
    op = mlirOperationIsNull(op) ? mlirBlockGetFirstOperation(ir_func_body(function)) : ir_op_next(op);
    while (!mlirOperationIsNull(op) && !is_exchange(op)) op = ir_op_next(op);
    if (!mlirOperationIsNull(op)) return op;
  }
  return (MlirOperation){NULL};
}

/* Where an exchange takes place. */
static const char *exchange_mode(MlirOperation op) {
  const char *mode = ir_op_kind(op) == IR_OP(intra, transpose) ? "columns" : ir_get_string(op, "mode", "");
  return !strcmp(mode, "rows")      ? "GNNC_EXCHANGE_ROWS"
         : !strcmp(mode, "columns") ? "GNNC_EXCHANGE_COLUMNS"
                                    : "GNNC_EXCHANGE_ALWAYS";
}

/* Writes what ranks exchange. Returns how often they do. */
static size_t emit_exchanges(const c_model *m, c_writer *w) {
  size_t count = 0, phase = 0;
  for (MlirOperation op = next_exchange(m, &phase, (MlirOperation){NULL}); !mlirOperationIsNull(op);
       op = next_exchange(m, &phase, op)) {
    const c_phase *of = &m->phases.items[phase];
    text names = {0}, bytes = {0};
    const bool is_transposition = ir_op_kind(op) == IR_OP(intra, transpose);
    const c_buffer *strip =
        is_transposition ? c_model_buffer(of, ir_operand(op, IR_IN(intra, transpose, columns))) : NULL;
    for (intptr_t i = 0; i < (is_transposition ? 1 : mlirOperationGetNumOperands(op)); i++) {
      const c_buffer *b = c_model_buffer(of, mlirOperationGetOperand(op, i));
      text_printf(&names, "%s%s", i ? ", " : "", b->name);
      text_printf(&bytes, "%s%s", i ? " + " : "", c_exchange_row_bytes(m, b));
    }
    if (!count++) c_writer_raw(w, "static const gnnc_exchange_info exchange_table[] = {");
    c_writer_raw(w, "    {%s, %d, %s, %d, %s, %lld, %d},", c_quote_string(m->arena, text_str(&names)),
                 of->row->fills_bound, text_str(&bytes), ir_op_kind(op) == IR_OP(intra, exchange_edges),
                 exchange_mode(op), strip ? (long long)strip->strips : 0LL, ir_string_is(op, "to", "rows"));
    text_free(&names);
    text_free(&bytes);
  }
  if (count) c_writer_raw(w, "};\n");
  return count;
}

/* Flags of gnnc_rank_need as text. */
static const char *rank_needs(const c_model *m) {
  return arena_printf(m->arena, "GNNC_RANKS%s%s%s%s%s%s",
                      ir_get_bool(m->module, "gnn.whole_graphs") ? " | GNNC_RANKS_WHOLE_GRAPHS" : "",
                      m->has_out_edges ? " | GNNC_RANKS_OUT_EDGES" : "", m->has_cells ? " | GNNC_RANKS_CELLS" : "",
                      m->has_edge_rows ? " | GNNC_RANKS_EDGES" : "", m->has_columns ? " | GNNC_RANKS_COLUMNS" : "",
                      ir_get_bool(m->module, "gnn.ghost_inputs") ? " | GNNC_RANKS_GHOST_INPUTS" : "");
}

static void emit_members(c_model *m, c_writer *w) {
  c_writer_line(w, ".abi_version = GNNC_ABI_VERSION,");
  c_writer_line(w, ".size = sizeof(%s),", c_info_type(m));
  c_writer_line(w, ".name = %s,", c_quote_string(m->arena, m->name));
  for (int i = 0; i < C_SPACE_TABLES; i++)
    c_writer_line(w, ".num_%s = %zu,", c_space_struct((c_space)i), m->fields[i].count);
  for (int i = 0; i < C_SPACE_TABLES; i++)
    c_writer_line(w, ".%s = %s,", c_space_struct((c_space)i), m->fields[i].count ? table_name(m, (c_space)i) : "NULL");
  if (m->is_training)
    c_writer_line(w, ".weight_infos = %s,", m->fields[C_SPACE_weight].count ? "weight_info_table" : "NULL");
  if (m->is_backward)
    c_writer_line(w, ".input_gradients = %s,", m->fields[C_SPACE_input].count ? "input_gradient_table" : "NULL");
  for (size_t p = 0; p < m->phases.count; p++) {
    const c_phase_row *row = m->phases.items[p].row;
    if (row->bytes.name) c_writer_line(w, ".%s = %s_%s,", row->bytes.name, m->id, row->bytes.name);
    c_writer_line(w, ".%s = %s_info_%s,", row->call.name, m->id, row->call.name);
  }
  if (m->has_ranks) {
    c_writer_line(w, ".rank_needs = %s,", rank_needs(m));
    c_writer_line(w, ".program = BOUND_PROGRAM,");
    c_writer_line(w, ".num_exchanges = %s,", m->has_exchanges ? "sizeof exchange_table / sizeof *exchange_table" : "0");
    c_writer_line(w, ".exchanges = %s,", m->has_exchanges ? "exchange_table" : "NULL");
  }
  for (const c_phase_function *f = c_phases_functions(m); f->name; f++)
    c_writer_line(w, ".%s = %s%s_%s,", f->name, m->id, takes_structs(f) ? "_info" : "", f->name);
}

void c_info_emit(c_model *m, c_writer *w) {
  for (int i = 0; i < C_SPACE_TABLES; i++) emit_table(m, w, (c_space)i);
  m->has_exchanges = emit_exchanges(m, w) > 0;
  emit_weight_infos(m, w);
  emit_input_gradients(m, w);
  for (size_t p = 0; p < m->phases.count; p++)
    emit_adaptor(m, w, &m->phases.items[p].row->call, m->phases.items[p].row->takes_version);
  for (const c_phase_function *f = c_phases_functions(m); f->name; f++)
    if (takes_structs(f)) emit_adaptor(m, w, f, false);
  c_writer_open(w, "const %s *%s_info(void)", c_info_type(m), m->id);
  c_writer_line(w, "static const %s info = {", c_info_type(m));
  w->depth += 2;
  emit_members(m, w);
  w->depth -= 2;
  c_writer_line(w, "};");
  c_writer_line(w, "return &info;");
  c_writer_close(w);
}
