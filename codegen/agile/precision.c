/* Precisions of nodes, and steps of fixed-point numbers. Rows of nodes have the precision of their
 * node; rows of edges, types and graphs have that of all nodes where there is one, else fp32. */
#include "codegen/agile/precision.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static status find_code(const char *name, int *code) {
  uint64_t value = 0;
  if (!isa_find_value(&agile_isa, AGILE_VALUES_PRECISION, name, &value))
    return status_error(STATUS_CODE_mismatch, "there is no precision '%s'", name);
  *code = (int)value;
  return STATUS_OK;
}

status agile_precision_read(agile_program *p) {
  const backend_precision *o = p->precision;
  const int32_t *order = NULL;
  int64_t rows;
  p->precision_of_all = AGILE_PRECISION_float_32;
  if (o->is_trial) return STATUS_OK;
  if (o->all) RETURN_IF_ERROR(find_code(o->all, &p->precision_of_all));
  if (!o->of_node) return STATUS_OK;
  RETURN_IF_ERROR(program_host_set_rows(p->host, "g", &rows));
  RETURN_IF_ERROR(program_host_set_order(p->host, "g", &order));
  if (rows != o->num_nodes)
    return status_error(STATUS_CODE_mismatch, "precisions of %" PRId64 " nodes, the graph has %" PRId64, o->num_nodes,
                        rows);
  p->precision_of_node = arena_alloc_array(p->arena, (size_t)rows + 1, sizeof *p->precision_of_node);
  for (int64_t r = 0; r < rows; r++) {
    int code;
    RETURN_IF_ERROR(find_code(o->of_node[order ? order[r] : r], &code));
    p->precision_of_node[r] = (uint8_t)code;
  }
  return STATUS_OK;
}

/* The sums of the device have 64 bits, one of which is the sign. */
static bool fits(int precision, int64_t count, int64_t f) {
  int bits = agile_precision_bits(precision);
  return count * f < INT64_C(1) << (63 - (AGILE_SCALE_BITS - 1) - 2 * (bits - 1));
}

int agile_precision_of(const agile_program *p, const char *set, int64_t row, int64_t count, int64_t f, int64_t o) {
  int precision = p->precision_of_all;
  if (p->precision_of_node && !strcmp(set, "g")) precision = p->precision_of_node[row];
  if (precision == AGILE_PRECISION_float_32 || o == 1) return AGILE_PRECISION_float_32;
  return fits(precision, count, f) ? precision : AGILE_PRECISION_float_32;
}

double agile_precision_tolerance(const agile_program *p) {
  static const double of[AGILE_PRECISIONS] = {
      [AGILE_PRECISION_fixed_16] = 0.01, [AGILE_PRECISION_fixed_8] = 0.3, [AGILE_PRECISION_fixed_4] = 2};
  double most = of[p->precision_of_all];
  for (int64_t i = 0; p->precision_of_node && i < p->precision->num_nodes; i++)
    most = fmax(most, of[p->precision_of_node[i]]);
  return most;
}

uint64_t agile_precision_layer(const agile_program *p, int32_t layer) {
  return p->precision->is_trial ? (uint64_t)p->starts : (uint64_t)layer;
}

status agile_precision_check(const agile_program *p) {
  const backend_precision *o = p->precision;
  if (!o->largest || o->num_layers == p->starts) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch,
                      "the trial run had %" PRId64 " layers of the device, the program has %" PRId64, o->num_layers,
                      p->starts);
}

float agile_precision_unit(const agile_program *p, int64_t layers, float weight, float bias) {
  const backend_precision *o = p->precision;
  double most = 0, least = weight > 0 ? (double)bias / (double)weight : 0;
  if (o->is_trial) return 0x1p-60F; /* so that it is no largest message */
  for (int64_t i = p->starts; o->largest && i < p->starts + layers && i < o->num_layers; i++)
    most = fmax(most, o->largest[i][AGILE_KIND_messages]);
  if (!(most > 0) || !(bias > 0)) return 1;
  double unit = least <= most ? most : sqrt(least * most);
  return unit > 0x1p-60 && unit < 0x1p60 ? (float)unit : 1;
}

/* The step that gives the largest magnitude the largest number. */
static float step_of(double largest, int bits) {
  return largest > 0 ? (float)(largest / (double)((INT64_C(1) << (bits - 1)) - 1)) : 1;
}

agile_steps agile_precision_steps(const agile_program *p, const agile_list *l, const agile_constant *w, int64_t f,
                                  int64_t o, float unit, int64_t lo, int64_t hi) {
  agile_steps s = {.mask = 0};
  const backend_precision *asked = p->precision;
  const double *met = asked->largest && p->starts < asked->num_layers ? asked->largest[p->starts] : NULL;
  for (int64_t r = lo; r < hi; r++)
    s.mask |= UINT64_C(1) << agile_precision_of(p, l->set, r, agile_list_count(l, r), f, o);
  for (int code = 0; code < AGILE_PRECISIONS; code++) {
    s.x[code] = step_of(fmax(met ? met[AGILE_KIND_messages] : 1, (double)unit), agile_precision_bits(code));
    s.w[code] = step_of((double)w->largest, agile_precision_bits(code));
  }
  s.s = step_of(fmax(1, met ? met[AGILE_KIND_scales] : 1), AGILE_SCALE_BITS);
  return s;
}
