/* gnn-spmm --check: the product in double precision, and the largest difference from it.
 *
 * Rows of A whose entries cancel have small results with the rounding errors of large numbers. The
 * difference is therefore divided by the largest sum of magnitudes, |alpha| |A| |B| + |beta| |C|,
 * and not by the largest result. */
#include "tools/gnn-spmm/gnn_spmm.h"

#include <math.h>
#include <string.h>

/* The entries of each row of A. */
typedef struct row_lists {
  int64_t *begin; /* [rows + 1] */
  int32_t *entry; /* [count] */
} row_lists;

static status list_rows(arena *a, const sparse_matrix *m, row_lists *out) {
  out->begin = arena_try_alloc_array(a, (size_t)m->rows + 2, sizeof *out->begin);
  out->entry = arena_try_alloc_array(a, (size_t)m->count + 1, sizeof *out->entry);
  if (!out->begin || !out->entry) return status_error(STATUS_CODE_memory, "the rows of A do not fit into memory");
  int64_t *next = out->begin + 1;
  for (int64_t e = 0; e < m->count; e++) next[m->row[e] + 1]++;
  for (int64_t r = 0; r < m->rows; r++) next[r + 1] += next[r];
  for (int64_t e = 0; e < m->count; e++) out->entry[next[m->row[e]]++] = (int32_t)e;
  return STATUS_OK;
}

/* A row of the product; *scale becomes its largest finite sum of magnitudes where that is larger. */
static void compute_row(const spmm_problem *p, const row_lists *rows, int64_t r, double *out, double *sizes,
                        double *scale) {
  memset(out, 0, (size_t)p->n * sizeof *out);
  memset(sizes, 0, (size_t)p->n * sizeof *sizes);
  for (int64_t i = rows->begin[r]; i < rows->begin[r + 1]; i++) {
    int32_t e = rows->entry[i];
    for (int64_t n = 0; n < p->n; n++) {
      double product = (double)p->a.value[e] * (double)spmm_b(p, p->a.column[e], n);
      out[n] += product;
      sizes[n] += fabs(product);
    }
  }
  for (int64_t n = 0; n < p->n; n++) {
    double before = (double)p->beta * (double)spmm_c_in(p, r, n);
    double size = fabs((double)p->alpha) * sizes[n] + fabs(before);
    out[n] = (double)p->alpha * out[n] + before;
    if (isfinite((float)size)) *scale = fmax(*scale, size);
  }
}

/* The difference of two numbers; numbers beyond fp32 count as infinite. */
static double difference(float found, double expected) {
  float rounded = (float)expected;
  if (isnan(rounded) || isnan(found)) return isnan(rounded) && isnan(found) ? 0 : (double)INFINITY;
  if (isinf(rounded) || isinf(found)) return rounded == found ? 0 : (double)INFINITY;
  return fabs((double)found - expected);
}

status spmm_check_rows(arena *a, const float *c, spmm_result *result) {
  const spmm_problem *p = result->problem;
  spmm_check *check = &result->check;
  row_lists rows;
  double largest = 0, scale = 0, results = 0;
  RETURN_IF_ERROR(list_rows(a, &p->a, &rows));
  double *expected = arena_alloc_array(a, (size_t)p->n, sizeof *expected);
  double *sizes = arena_alloc_array(a, (size_t)p->n, sizeof *sizes);
  for (int64_t r = 0; r < p->a.rows; r++) {
    compute_row(p, &rows, r, expected, sizes, &scale);
    for (int64_t n = 0; n < p->n; n++) {
      double error = difference(c[r * p->n + n], expected[n]);
      if (isfinite((float)expected[n])) results = fmax(results, fabs(expected[n]));
      if (error <= largest) continue;
      largest = error;
      check->row = r;
      check->column = n;
      check->found = (double)c[r * p->n + n];
      check->expected = expected[n];
    }
  }
  check->is_done = true;
  check->largest = largest > 0 ? largest / scale : 0;
  check->of_results = largest > 0 ? largest / results : 0;
  check->is_equal = check->largest <= SPMM_CHECK_ALLOWED;
  return STATUS_OK;
}
