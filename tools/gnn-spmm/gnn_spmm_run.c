/* Runs the program of a product: writes B and C_in into the memory of the device, and adds up the
 * rows of C_out.
 *
 * B is 1 and C_in[m][n] is (m + 1)(n + 1) / (M N), as in the published host program. A wrong column
 * cannot be seen in a product with ones, so that there are mixed numbers, too. */
#include "tools/gnn-spmm/gnn_spmm.h"

#include "support/clock.h"
#include "support/number.h"
#include "support/progress.h"

#include <inttypes.h>

float spmm_b(const spmm_problem *p, int64_t k, int64_t n) {
  return p->is_mixed ? (float)((k * 7 + n * 13) % 17 - 8) / 8 : 1;
}

float spmm_c_in(const spmm_problem *p, int64_t m, int64_t n) {
  return (float)(1.0 * (double)(m + 1) * (double)(n + 1) / (double)p->a.rows / (double)p->n);
}

/* The numbers of each channel of an array in the memory of the device. */
static status find_channels(sim *s, const char *name, uint64_t address, int64_t bytes, int count, float **channels) {
  for (int c = 0; c < count; c++) {
    channels[c] = sim_memory(s, address + (uint64_t)c * (uint64_t)bytes, (uint64_t)bytes);
    if (!channels[c]) return status_error(STATUS_CODE_mismatch, "channel %d of %s is not in device memory", c, name);
  }
  return STATUS_OK;
}

static status write_b(const spmm_program *p, sim *s) {
  const spmm_launch *l = &p->launches[0];
  const int64_t n = p->problem->n, tile = sextans_b_tile(l->lists->cols);
  float *channels[SEXTANS_B_CHANNELS];
  RETURN_IF_ERROR(find_channels(s, "B", l->b, sextans_b_bytes(l->lists->cols, n), SEXTANS_B_CHANNELS, channels));
  for (int64_t k = 0; k < l->lists->cols; k++) {
    int64_t column = l->lists->column_of ? l->lists->column_of[k] : k;
    for (int64_t i = 0; i < n && column >= 0; i++)
      channels[sextans_b_channel(i)][sextans_b_index(k, i, tile)] = spmm_b(p->problem, column, i);
  }
  return STATUS_OK;
}

/* Writes C_in of a launch; only the first piece of a row takes it. */
static status write_c(const spmm_program *p, const spmm_launch *l, bool *is_written, sim *s) {
  const int64_t n = p->problem->n, tile = sextans_c_tile(l->lists->rows);
  float *channels[SEXTANS_C_CHANNELS];
  RETURN_IF_ERROR(find_channels(s, "C_in", l->c_in, sextans_c_bytes(l->lists->rows, n), SEXTANS_C_CHANNELS, channels));
  for (int64_t m = 0; m < l->lists->rows; m++) {
    int64_t row = l->lists->row_of ? l->lists->row_of[m] : m;
    if (row < 0 || is_written[row]) continue;
    is_written[row] = true;
    for (int64_t i = 0; i < n; i++)
      channels[sextans_c_channel(m)][sextans_c_index(m, i, tile)] = spmm_c_in(p->problem, row, i);
  }
  return STATUS_OK;
}

static status write_dense(const spmm_program *p, sim *s) {
  RETURN_IF_ERROR(write_b(p, s));
  arena *a = arena_create();
  bool *is_written = arena_try_alloc(a, (size_t)p->problem->a.rows);
  status failed = is_written ? STATUS_OK : status_error(STATUS_CODE_memory, "C does not fit into memory");
  for (int64_t i = 0; i < p->num_launches && !failed; i++) failed = write_c(p, &p->launches[i], is_written, s);
  arena_destroy(a);
  return failed;
}

/* Runs the records without the last one, halt, as often as the options say. */
static status run_repeatedly(const spmm_options *o, const spmm_program *p, sim *s) {
  status failed = STATUS_OK;
  progress_step("simulate", o->repeat > 1 ? "runs" : NULL, o->repeat > 1 ? o->repeat : 0);
  sim_begin(s);
  for (int64_t i = 0; i < o->repeat && !failed; i++) {
    failed = sim_run_records(s, 0, (uint64_t)p->num_launches);
    progress_set(i + 1);
  }
  status ended = sim_end(s);
  if (!failed) return ended;
  status_free(ended);
  return failed;
}

status spmm_run(const spmm_options *o, spmm_result *r) {
  const spmm_program *p = r->program;
  const sim_options how = {.level = o->level, .is_timing_only = o->is_timing_only};
  RETURN_IF_ERROR(sim_create(&p->image, &p->image.device, &how, &r->sim));
  if (!o->is_timing_only) RETURN_IF_ERROR(write_dense(p, r->sim));
  RETURN_IF_ERROR(run_repeatedly(o, p, r->sim));
  r->cycles = (double)sim_statistics(r->sim)->cycles / (double)o->repeat;
  r->ms = sim_statistics(r->sim)->ms / (double)o->repeat;
  return STATUS_OK;
}

/* ---- C_out ---- */

static status add_rows(const spmm_program *p, const spmm_launch *l, sim *s, bool *is_begun, float *c) {
  const int64_t n = p->problem->n, tile = sextans_c_tile(l->lists->rows);
  float *channels[SEXTANS_C_CHANNELS];
  RETURN_IF_ERROR(
      find_channels(s, "C_out", l->c_out, sextans_c_bytes(l->lists->rows, n), SEXTANS_C_CHANNELS, channels));
  for (int64_t m = 0; m < l->lists->rows; m++) {
    int64_t row = l->lists->row_of ? l->lists->row_of[m] : m;
    if (row < 0) continue;
    for (int64_t i = 0; i < n; i++) {
      float number = channels[sextans_c_channel(m)][sextans_c_index(m, i, tile)];
      c[row * n + i] = is_begun[row] ? c[row * n + i] + number : number;
    }
    is_begun[row] = true;
  }
  return STATUS_OK;
}

status spmm_fold_rows(arena *a, spmm_result *r, const float **out) {
  const spmm_program *p = r->program;
  const int64_t rows = p->problem->a.rows;
  bool *is_begun = arena_try_alloc(a, (size_t)rows);
  float *c = arena_try_alloc_array(a, (size_t)rows, (size_t)p->problem->n * sizeof *c);
  if (!is_begun || !c) return status_error(STATUS_CODE_memory, "C does not fit into memory");
  double begin = clock_seconds();
  for (int64_t i = 0; i < p->num_launches; i++) RETURN_IF_ERROR(add_rows(p, &p->launches[i], r->sim, is_begun, c));
  r->fold.ms = (clock_seconds() - begin) * 1e3;
  for (int64_t row = 0; row < rows; row++)
    if (!is_begun[row]) return status_error(STATUS_CODE_mismatch, "row %" PRId64 " is in no launch", row);
  *out = c;
  return STATUS_OK;
}

/* A row that was cut is read piece by piece and written once. */
void spmm_fold_count(spmm_result *r) {
  const spmm_program *p = r->program;
  const device_common *d = &p->image.device.common;
  arena *a = arena_create();
  int32_t *pieces = arena_alloc_array(a, (size_t)p->problem->a.rows, sizeof *pieces);
  for (int64_t i = 0; i < p->num_launches; i++) {
    const sextans_lists *l = p->launches[i].lists;
    for (int64_t m = 0; m < l->rows; m++)
      if (!l->row_of || l->row_of[m] >= 0) pieces[l->row_of ? l->row_of[m] : m]++;
  }
  spmm_fold *f = &r->fold;
  for (int64_t row = 0; row < p->problem->a.rows; row++) {
    if (pieces[row] < 2) continue;
    f->rows++;
    f->pieces += pieces[row];
  }
  f->additions = (f->pieces - f->rows) * p->problem->n;
  f->bytes = (f->pieces + f->rows) * p->problem->n * (int64_t)sizeof(float);
  double arithmetic = (double)f->additions / d->host_gflop_s, memory = (double)f->bytes / d->host_gb_s;
  f->nominal_ms = 1e-6 * (arithmetic > memory ? arithmetic : memory);
  arena_destroy(a);
}
