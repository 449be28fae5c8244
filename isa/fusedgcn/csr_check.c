/* Looks at the numbers of S. */
#include "isa/fusedgcn/csr_check.h"

#include <inttypes.h>

/* Lists may share memory, so that a small file could ask for looks at far more numbers than it has.
 * Programs of the compiler need one look at each. */
static status count_work(fusedgcn_csr_checker *c, uint64_t more) {
  enum { MOST_LOOKS = 64 };
  c->seen += more;
  if (c->seen <= MOST_LOOKS * (c->im->sections[IMAGE_EDGES].size / sizeof(int32_t))) return STATUS_OK;
  return status_error(STATUS_CODE_unsupported,
                      "lists of S overlap so much that their numbers would be looked at more than %d times",
                      MOST_LOOKS);
}

static status check_pos(const fusedgcn_view *v) {
  for (int64_t row = 0, before = 0; row <= v->n; row++) {
    int64_t pos = fusedgcn_view_pos(v, row);
    if (row ? pos < before : pos != 0)
      return status_error(STATUS_CODE_format, "'s_pos': number %" PRId64 " is %" PRId64 ", expected %s%" PRId64, row,
                          pos, row ? "at least " : "", before);
    before = pos;
  }
  int64_t end = fusedgcn_view_pos(v, v->n);
  if (end == v->nnz) return STATUS_OK;
  return status_error(STATUS_CODE_format, "'s_pos' ends with %" PRId64 ", expected 'nnz' = %" PRId64, end, v->nnz);
}

static status column_error(int64_t nonzero, int64_t column, uint64_t rows) {
  return status_error(STATUS_CODE_format,
                      "'s_col': number %" PRId64 " is %" PRId64 ", expected a row of H from 0 to less than 'h_rows' = "
                      "%" PRIu64,
                      nonzero, column, rows);
}

static status look(fusedgcn_csr_checker *c, const fusedgcn_layer *in, fusedgcn_known_csr *out) {
  fusedgcn_view v;
  *out = (fusedgcn_known_csr){in->s_pos, in->s_col, in->n, in->nnz, -1, -1, 0};
  RETURN_IF_ERROR(fusedgcn_view_open(c->im, in, &v));
  RETURN_IF_ERROR(count_work(c, in->n + 1 + in->nnz));
  RETURN_IF_ERROR(check_pos(&v));
  for (int64_t j = 0; j < v.nnz; j++) {
    int64_t column = fusedgcn_view_col(&v, j);
    if (column < 0) return column_error(j, column, in->h_rows);
    if (column <= out->most) continue;
    out->most = column;
    out->at = j;
  }
  return STATUS_OK;
}

static bool is_same(const fusedgcn_known_csr *l, const fusedgcn_layer *in) {
  return l->s_pos == in->s_pos && l->s_col == in->s_col && l->n == in->n && l->nnz == in->nnz;
}

/* A key of a list; other lists may have the same. An odd pointer is never NULL. */
static const void *key_of(const fusedgcn_layer *in) {
  const uint64_t words[] = {in->s_pos, in->s_col, in->n, in->nnz};
  uint64_t key = 0;
  for (int i = 0; i < 4; i++) key = (key ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15) ^ key >> 29;
  return (const void *)(uintptr_t)(key | 1);
}

static status find(fusedgcn_csr_checker *c, const fusedgcn_layer *in, const fusedgcn_known_csr **out) {
  const void *key = key_of(in);
  int64_t first = map_get(&c->csr_of, key, 0);
  fusedgcn_known_csr made;
  for (int64_t i = first; i; i = c->known.items[i - 1].next) {
    *out = &c->known.items[i - 1];
    if (is_same(*out, in)) return STATUS_OK;
  }
  RETURN_IF_ERROR(look(c, in, &made));
  made.next = first;
  VEC_PUSH(c->memory, &c->known, made);
  map_set(&c->csr_of, key, (int64_t)c->known.count);
  *out = &c->known.items[c->known.count - 1];
  return STATUS_OK;
}

status fusedgcn_csr_check(fusedgcn_csr_checker *c, const fusedgcn_layer *in) {
  const fusedgcn_known_csr *l = NULL;
  RETURN_IF_ERROR(find(c, in, &l));
  return l->most < (int64_t)in->h_rows ? STATUS_OK : column_error(l->at, l->most, in->h_rows);
}
