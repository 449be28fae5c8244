/* Packs the .weights section: constants that the host evaluates, as fibers of device.width columns.
 *
 *   rows       fiber q, row r, column c at ((q * stride) + r) * width + c
 *   a matrix   [type][group of fibers][bias, k][columns of the group], so that the tile of a block
 *              and of a chunk of k is one stretch
 *   a bias     [type][columns]
 *   values     [head][record] in the order of the partition */
#include "codegen/graphagile/pack/pack_weights.h"

#include "codegen/device/host/host_memory.h"
#include "isa/graphagile/fp16.h"
#include "support/number.h"

#include <string.h>

typedef struct packer {
  graphagile_plan *plan;
  unsigned char *data;
  uint64_t base;
  int64_t lanes;
} packer;

static float *place_of(const packer *k, uint64_t address) {
  return (float *)(void *)(k->data + (address - k->base));
}

/* Copies `count` columns from `begin` on of a row of a constant. A constant that is one number is
 * repeated in all columns. */
static void pack_columns(const graphagile_plan_constant *c, const float *from, int64_t begin, int64_t count,
                         float *to) {
  if (!c->is_one) {
    if (count) memcpy(to, from + begin, (size_t)count * sizeof *to);
    return;
  }
  for (int64_t n = 0; n < count; n++) to[n] = *from;
}

/* Packs the matrix of one type, with its bias before each group where that is merged (`bias` is
 * NULL where it is not). */
static void pack_matrix(const packer *k, const graphagile_plan_gemm *gemm, const float *from, const float *bias,
                        float *to) {
  const graphagile_plan_constant *c = &gemm->matrix;
  for (int64_t g = 0; g < c->fibers; g += c->group) {
    int64_t begin = g * k->lanes, columns = number_min(c->group, c->fibers - g) * k->lanes;
    int64_t filled = number_min(columns, c->width - begin);
    if (bias) {
      pack_columns(&gemm->start.bias, bias, begin, filled, to);
      to += columns;
    }
    for (int64_t d = 0; d < c->depth; d++, to += columns) {
      if (!c->is_transposed) pack_columns(c, from + d * c->width, begin, filled, to);
      for (int64_t n = 0; n < filled && c->is_transposed; n++) to[n] = from[(begin + n) * c->depth + d];
    }
  }
}

static bool evaluate(const packer *k, const graphagile_plan_constant *c, int64_t size, program_array *out) {
  if (!graphagile_plan_check(k->plan, program_host_evaluate(k->plan->host, c->value, out))) return false;
  int64_t have = out->rows * out->width, wanted = c->is_one ? c->types : size * c->types;
  if (have == wanted) return true;
  return graphagile_plan_check(k->plan,
                               status_error(STATUS_CODE_mismatch, "'%s' has %lld numbers, the layer takes %lld",
                                            c->name, (long long)have, (long long)wanted));
}

static bool pack_weight(const packer *k, const graphagile_plan_gemm *gemm) {
  const graphagile_plan_constant *c = &gemm->matrix, *b = &gemm->start.bias;
  program_array array, bias = {0};
  int64_t size = c->depth * c->width;
  if (!evaluate(k, c, size, &array)) return false;
  if (b->is_merged && !evaluate(k, b, c->width, &bias)) return false;
  for (int64_t t = 0; t < c->types; t++) {
    float *to = place_of(k, c->address + (uint64_t)t * c->type_bytes);
    const float *row = bias.data ? bias.data + t * (b->is_one ? 1 : c->width) : NULL;
    pack_matrix(k, gemm, array.data + t * size, row, to);
  }
  return true;
}

static bool pack_row(const packer *k, const graphagile_plan_constant *c) {
  program_array array;
  if (!evaluate(k, c, c->width, &array)) return false;
  for (int64_t t = 0; t < c->types; t++)
    pack_columns(c, array.data + t * (c->is_one ? 1 : c->width), 0, c->width,
                 place_of(k, c->address + (uint64_t)t * c->type_bytes));
  return true;
}

static void pack_rows(const packer *k, const graphagile_plan_tensor *t, const float *from, const int32_t *order) {
  const int64_t bytes = graphagile_plan_row_bytes(t, k->lanes);
  for (int64_t r = 0; r < t->rows; r++) {
    const float *row = from + (order ? order[r] : r) * t->width;
    for (int64_t q = 0; q < t->fibers; q++) {
      float *to = place_of(k, t->address + (uint64_t)((q * t->stride + r) * bytes));
      size_t count = (size_t)number_min(k->lanes, t->width - q * k->lanes);
      if (t->is_half)
        graphagile_fp16_store_all(to, row + q * k->lanes, count);
      else
        memcpy(to, row + q * k->lanes, count * sizeof *row);
    }
  }
}

static void pack_values(const packer *k, const graphagile_plan_tensor *t, const program_array *array) {
  const program_edge_list *list = t->edges->list;
  const int32_t *position = t->edges->partition.position;
  for (int64_t h = 0; h < t->width; h++) {
    float *to = place_of(k, t->address + (uint64_t)h * t->array_bytes);
    for (int64_t i = 0; i < list->edges; i++) {
      int64_t edge = array->rows == 1 ? 0 : list->edge ? list->edge[i] : i;
      to[position[i]] = array->data[edge * array->width + (array->width > 1 ? h : 0)];
    }
  }
}

static bool pack_own_weights(const packer *k, const graphagile_plan_tensor *t) {
  const program_edge_list *list = t->weight->list;
  const float *weight;
  float *to = place_of(k, t->address);
  if (!graphagile_plan_check(k->plan, program_host_weights(k->plan->host, list, &weight))) return false;
  for (int64_t i = 0; i < list->edges; i++) to[t->weight->partition.position[i]] = weight[i];
  return true;
}

static bool pack_tensor(const packer *k, const graphagile_plan_tensor *t) {
  graphagile_plan *p = k->plan;
  program_array array;
  const int32_t *order = NULL;
  if (t->whole || !graphagile_plan_is_weights(t)) return true;
  if (t->weight) return pack_own_weights(k, t);
  if (t->numbers) {
    pack_rows(k, t, t->numbers, NULL);
    return true;
  }
  if (!graphagile_plan_check(p, program_host_evaluate(p->host, t->value, &array))) return false;
  if (t->edges) {
    pack_values(k, t, &array);
    return true;
  }
  if (!graphagile_plan_check(p, program_host_set_order(p->host, t->set, &order))) return false;
  if (array.rows * array.width != t->rows * t->width) {
    graphagile_plan_check(p, status_error(STATUS_CODE_mismatch,
                                          "'%s' has %lld x %lld numbers, its rows on the device are %lld x %lld",
                                          t->name, (long long)array.rows, (long long)array.width, (long long)t->rows,
                                          (long long)t->width));
    return false;
  }
  pack_rows(k, t, array.data, order);
  return true;
}

const unsigned char *graphagile_pack_weights(graphagile_plan *p) {
  packer k = {.plan = p, .base = p->sections[IMAGE_WEIGHTS], .lanes = p->device->width};
  size_t size = p->sizes[IMAGE_WEIGHTS];
  k.data = host_memory_alloc((int64_t)size, 1);
  if (!k.data) {
    graphagile_plan_check(p, status_error(STATUS_CODE_memory, "no memory for %zu bytes of weights", size));
    return NULL;
  }
  program_host_keep(p->host, k.data);
  memset(k.data, 0, size);
  for (size_t i = 0; i < p->layers.count; i++) {
    graphagile_plan_layer *l = &p->layers.items[i];
    graphagile_plan_constant *constants[GRAPHAGILE_PLAN_MAX_CONSTANTS];
    int count = graphagile_plan_constants(l, constants);
    for (int c = 0; c < count; c++) {
      bool is_matrix = l->kind == GRAPHAGILE_PLAN_gemm && constants[c] == &l->gemm.matrix;
      if (!(is_matrix ? pack_weight(&k, &l->gemm) : pack_row(&k, constants[c]))) return NULL;
    }
  }
  for (size_t i = 0; i < p->tensors.count; i++)
    if (!pack_tensor(&k, p->tensors.items[i])) return NULL;
  return k.data;
}
