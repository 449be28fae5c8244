/* Rows of a part of the graph: see train_rows.h. Dense rows have elements of 4 bytes, f32 or i32. */
#include "runtime/train_rows.h"

#include <stdlib.h>
#include <string.h>

/* The memory of an input: dense rows, or row pointers, columns and values. */
struct train_rows_block {
  void *data[3];
  size_t room[3];
  gnnc_csr csr;
};

enum { ELEMENT_BYTES = 4 };

static size_t row_bytes(const gnnc_tensor_info *info) {
  return (size_t)train_elements(info) * ELEMENT_BYTES;
}

int32_t *train_rows_in_type(const train_session *s) {
  const graph *g = s->graph;
  bool is_needed = false;
  for (int32_t i = 0; i < s->info->num_inputs; i++) is_needed |= s->info->inputs[i].rows == GNNC_ROWS_PART;
  for (int32_t i = 0; i < s->info->num_outputs; i++) is_needed |= s->info->outputs[i].rows == GNNC_ROWS_PART;
  if (!is_needed || !g->node_type) return NULL;
  int32_t *counts = arena_alloc_array(s->memory, (size_t)g->num_node_types + 1, sizeof *counts);
  int32_t *made = arena_alloc_array(s->memory, (size_t)g->num_nodes + 1, sizeof *made);
  for (int64_t n = 0; n < g->num_nodes; n++) made[n] = counts[g->node_type[n]]++;
  return made;
}

status train_rows_create(const train_session *s, int32_t *in_type, train_rows **out) {
  *out = NULL;
  train_rows *r = calloc(1, sizeof *r);
  if (!r) return status_error(STATUS_CODE_memory, "out of memory");
  const size_t count = (size_t)s->info->num_inputs + 1;
  r->session = s;
  r->in_type = in_type;
  r->inputs = calloc(count, sizeof *r->inputs);
  r->blocks = calloc(count, sizeof *r->blocks);
  if (!r->inputs || !r->blocks) {
    train_rows_destroy(r);
    return status_error(STATUS_CODE_memory, "out of memory");
  }
  *out = r;
  return STATUS_OK;
}

void train_rows_destroy(train_rows *r) {
  if (!r) return;
  for (int32_t i = 0; r->blocks && i < r->session->info->num_inputs; i++)
    for (int k = 0; k < 3; k++) free(r->blocks[i].data[k]);
  free(r->blocks);
  free(r->inputs);
  free(r->typed);
  free(r);
}

/* Makes room for more than is needed now, as the next part may be larger. */
static status reserve(void **data, size_t *room, size_t bytes) {
  return *data && bytes <= *room ? STATUS_OK : train_reserve(data, room, bytes + bytes / 4 + 64, "batch");
}

/* Lists the rows of the part by their numbers in the whole; NULL: all rows of the whole. */
static status list_rows(train_rows *r, const sample *part, const gnnc_tensor_info *info, const int32_t **rows,
                        int64_t *count) {
  const graph *p = &part->part;
  *rows = NULL;
  *count = info->rows == GNNC_ROWS_NODE ? p->num_nodes : p->num_edges;
  if (info->rows == GNNC_ROWS_NODE) *rows = part->nodes;
  if (info->rows == GNNC_ROWS_EDGE) *rows = part->edges;
  if (info->rows != GNNC_ROWS_PART || !r->in_type) return STATUS_OK;
  RETURN_IF_ERROR(reserve(&r->typed, &r->typed_room, (size_t)p->num_nodes * sizeof **rows));
  int32_t *typed = r->typed;
  *count = 0;
  for (int64_t i = 0; i < p->num_nodes; i++)
    if (p->node_type[i] == info->count) typed[(*count)++] = r->in_type[part->nodes[i]];
  *rows = typed;
  return STATUS_OK;
}

static status take_dense(struct train_rows_block *b, const void *whole, size_t bytes, const int32_t *rows,
                         int64_t count) {
  RETURN_IF_ERROR(reserve(&b->data[0], &b->room[0], (size_t)count * bytes));
  char *to = b->data[0];
  for (int64_t i = 0; i < count; i++)
    memcpy(to + (size_t)i * bytes, (const char *)whole + (size_t)rows[i] * bytes, bytes);
  return STATUS_OK;
}

static status take_sparse(struct train_rows_block *b, const gnnc_csr *whole, const int32_t *rows, int64_t count) {
  RETURN_IF_ERROR(reserve(&b->data[0], &b->room[0], ((size_t)count + 1) * sizeof *whole->indptr));
  int64_t *indptr = b->data[0];
  indptr[0] = 0;
  for (int64_t i = 0; i < count; i++) indptr[i + 1] = indptr[i] + whole->indptr[rows[i] + 1] - whole->indptr[rows[i]];
  RETURN_IF_ERROR(reserve(&b->data[1], &b->room[1], (size_t)indptr[count] * sizeof *whole->indices));
  RETURN_IF_ERROR(reserve(&b->data[2], &b->room[2], (size_t)indptr[count] * sizeof *whole->data));
  int32_t *indices = b->data[1];
  float *data = b->data[2];
  for (int64_t i = 0; i < count; i++) {
    const int64_t from = whole->indptr[rows[i]];
    const size_t entries = (size_t)(indptr[i + 1] - indptr[i]);
    memcpy(indices + indptr[i], whole->indices + from, entries * sizeof *indices);
    memcpy(data + indptr[i], whole->data + from, entries * sizeof *data);
  }
  b->csr = (gnnc_csr){indptr, indices, data};
  return STATUS_OK;
}

int64_t train_rows_of_seeds(const sample *part, const gnnc_tensor_info *info) {
  const graph *p = &part->part;
  if (info->rows != GNNC_ROWS_PART || !p->node_type) return part->num_seeds;
  int64_t count = 0;
  for (int64_t i = 0; i < part->num_seeds; i++) count += p->node_type[i] == info->count;
  return count;
}

status train_rows_take(train_rows *r, const sample *part, const char *mask) {
  const train_session *s = r->session;
  const void *const *whole = r->from ? r->from : s->inputs;
  for (int32_t i = 0; i < s->info->num_inputs; i++) {
    const gnnc_tensor_info *info = &s->info->inputs[i];
    struct train_rows_block *b = &r->blocks[i];
    const int32_t *rows = NULL;
    int64_t count = 0;
    RETURN_IF_ERROR(list_rows(r, part, info, &rows, &count));
    r->inputs[i] = whole[i];
    if (!rows) continue;
    if (info->is_sparse) {
      RETURN_IF_ERROR(take_sparse(b, whole[i], rows, count));
      r->inputs[i] = &b->csr;
      continue;
    }
    const size_t bytes = row_bytes(info);
    RETURN_IF_ERROR(take_dense(b, whole[i], bytes, rows, count));
    r->inputs[i] = b->data[0];
    if (strcmp(info->from, mask) != 0) continue;
    const size_t kept = (size_t)train_rows_of_seeds(part, info) * bytes;
    memset((char *)b->data[0] + kept, 0, (size_t)count * bytes - kept);
  }
  return STATUS_OK;
}
