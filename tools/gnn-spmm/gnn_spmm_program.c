/* Makes the image of a product: the lists of A, a record for each block of rows, and the places of
 * B and C.
 *
 *   .edges     Q of each launch              .features  B; C_in and C_out of each launch
 *   .weights   A of each launch              .text      a record for each launch, then halt */
#include "tools/gnn-spmm/gnn_spmm.h"

#include "codegen/sextans/record.h"
#include "isa/sextans/sextans.h"
#include "support/clock.h"
#include "support/number.h"

#include <inttypes.h>
#include <string.h>

enum { FIRST_ADDRESS = SEXTANS_BEAT_BYTES };

static uint64_t align(uint64_t bytes) {
  return (uint64_t)number_round_up((int64_t)bytes, SEXTANS_BEAT_BYTES);
}

static uint64_t q_bytes(const sextans_lists *l) {
  return align((uint64_t)(l->windows + 1) * sizeof *l->q);
}

static uint64_t a_bytes(const sextans_lists *l) {
  return (uint64_t)(SEXTANS_A_CHANNELS * sextans_a_bytes(l->slots));
}

static uint64_t b_bytes(int64_t columns, int64_t n) {
  return (uint64_t)(SEXTANS_B_CHANNELS * sextans_b_bytes(columns, n));
}

static uint64_t c_bytes(int64_t rows, int64_t n) {
  return (uint64_t)(SEXTANS_C_CHANNELS * sextans_c_bytes(rows, n));
}

static status check_memory(uint64_t bytes, const device *d) {
  if (bytes <= (uint64_t)d->common.ddr_bytes) return STATUS_OK;
  return status_error(STATUS_CODE_unsupported,
                      "A, B and C take at least %" PRIu64 " bytes, the device has %" PRId64 " (ddr_bytes)", bytes,
                      d->common.ddr_bytes);
}

/* Checks what can be known before the lists are made: B, C twice, and 8 bytes for each non-zero. */
static status check_problem(const spmm_problem *p, const device *d) {
  if (p->a.rows < 1 || p->a.columns < 1)
    return status_error(STATUS_CODE_mismatch, "a matrix of %" PRId64 " rows and %" PRId64 " columns has no product",
                        p->a.rows, p->a.columns);
  uint64_t bytes = 8 * (uint64_t)p->a.count + b_bytes(p->a.columns, p->n) + 2 * c_bytes(p->a.rows, p->n);
  return check_memory(bytes + FIRST_ADDRESS, d);
}

/* ---- addresses ---- */

static uint64_t take(uint64_t *at, uint64_t bytes) {
  uint64_t address = *at;
  *at += align(bytes);
  return address;
}

static void begin_section(image *im, image_section_kind kind, uint64_t at) {
  im->sections[kind].address = at;
}

static void end_section(image *im, image_section_kind kind, uint64_t at) {
  image_section *s = &im->sections[kind];
  s->size = at - s->address;
  if (!s->size) s->address = 0;
}

static status place(spmm_program *p, spmm_launch *launches) {
  const int64_t n = p->problem->n, count = p->num_launches;
  uint64_t at = FIRST_ADDRESS;
  begin_section(&p->image, IMAGE_EDGES, at);
  for (int64_t i = 0; i < count; i++) launches[i].q = take(&at, q_bytes(launches[i].lists));
  end_section(&p->image, IMAGE_EDGES, at);
  begin_section(&p->image, IMAGE_WEIGHTS, at);
  for (int64_t i = 0; i < count; i++) launches[i].a = take(&at, a_bytes(launches[i].lists));
  end_section(&p->image, IMAGE_WEIGHTS, at);
  begin_section(&p->image, IMAGE_FEATURES, at);
  uint64_t b = take(&at, b_bytes(launches[0].lists->cols, n)); /* all launches read the same rows of B */
  for (int64_t i = 0; i < count; i++) {
    launches[i].b = b;
    launches[i].c_in = take(&at, c_bytes(launches[i].lists->rows, n));
    launches[i].c_out = take(&at, c_bytes(launches[i].lists->rows, n));
  }
  end_section(&p->image, IMAGE_FEATURES, at);
  begin_section(&p->image, IMAGE_TEXT, at);
  at += (uint64_t)(count + 1) * SEXTANS_INSN_BYTES;
  end_section(&p->image, IMAGE_TEXT, at);
  return check_memory(at, &p->image.device);
}

/* ---- contents ---- */

static status write_text(arena *a, spmm_program *p) {
  const spmm_problem *problem = p->problem;
  image_section *s = &p->image.sections[IMAGE_TEXT];
  unsigned char *out = arena_alloc(a, s->size);
  s->data = out;
  for (int64_t i = 0; i < p->num_launches; i++) {
    const spmm_launch *l = &p->launches[i];
    sextans_insn in = {.op = SEXTANS_OP_spmm};
    in.spmm = sextans_record(l->lists, problem->n, problem->n, problem->alpha, problem->beta);
    in.spmm.layer = (uint64_t)number_min(i, UINT16_MAX);
    in.spmm.q = l->q;
    in.spmm.a = l->a;
    in.spmm.b = l->b;
    in.spmm.c_in = l->c_in;
    in.spmm.c_out = l->c_out;
    RETURN_IF_ERROR(isa_encode(&sextans_isa, &in, out + i * SEXTANS_INSN_BYTES));
  }
  sextans_insn end = {.op = SEXTANS_OP_halt};
  return isa_encode(&sextans_isa, &end, out + p->num_launches * SEXTANS_INSN_BYTES);
}

static status write_lists(arena *a, spmm_program *p) {
  image_section *edges = &p->image.sections[IMAGE_EDGES], *weights = &p->image.sections[IMAGE_WEIGHTS];
  unsigned char *q = arena_try_alloc(a, edges->size);
  unsigned char *values = p->num_launches > 1 ? arena_try_alloc(a, weights->size) : NULL;
  if (!q || (p->num_launches > 1 && !values))
    return status_error(STATUS_CODE_memory, "the lists of A do not fit into memory");
  for (int64_t i = 0; i < p->num_launches; i++) {
    const spmm_launch *l = &p->launches[i];
    memcpy(q + (l->q - edges->address), l->lists->q, (size_t)(l->lists->windows + 1) * sizeof *l->lists->q);
    if (values && l->lists->slots) memcpy(values + (l->a - weights->address), l->lists->a, a_bytes(l->lists));
  }
  edges->data = q;
  if (weights->size) weights->data = values ? values : (const unsigned char *)p->launches[0].lists->a;
  return STATUS_OK;
}

static void write_symbols(arena *a, spmm_program *p) {
  image_symbol *out = arena_alloc_array(a, (size_t)(5 * p->num_launches + 1), sizeof *out);
  int64_t n = p->problem->n;
  const spmm_launch *all = p->launches;
  p->image.symbols = out;
  for (int64_t i = 0; i < p->num_launches; i++) {
    const sextans_lists *l = all[i].lists;
    const image_symbol made[] = {{"launch", IMAGE_TEXT,
                                  p->image.sections[IMAGE_TEXT].address + (uint64_t)i * SEXTANS_INSN_BYTES,
                                  SEXTANS_INSN_BYTES},
                                 {"Q", IMAGE_EDGES, all[i].q, q_bytes(l)},
                                 {"A", IMAGE_WEIGHTS, all[i].a, a_bytes(l)},
                                 {"C_in", IMAGE_FEATURES, all[i].c_in, c_bytes(l->rows, n)},
                                 {"C_out", IMAGE_FEATURES, all[i].c_out, c_bytes(l->rows, n)}};
    for (size_t k = 0; k < sizeof made / sizeof *made; k++) {
      if (!made[k].size) continue;
      image_symbol *s = &out[p->image.num_symbols++];
      *s = made[k];
      s->name = arena_printf(a, "%s %" PRId64, made[k].name, i);
    }
  }
  out[p->image.num_symbols++] = (image_symbol){"B", IMAGE_FEATURES, all[0].b, b_bytes(all[0].lists->cols, n)};
}

/* The manifest has no inputs and outputs: B and C_in are formulas. Its layers name the launches. */
static void write_manifest(arena *a, spmm_program *p) {
  text t = {0};
  text_append(&t, "{\"model\": \"spmm\", \"inputs\": [], \"outputs\": [], \"layers\": [");
  for (int64_t i = 0; i < p->num_launches && i <= UINT16_MAX; i++)
    text_printf(&t, "%s{\"id\": %" PRId64 ", \"name\": \"launch %" PRId64 "\"}", i ? ", " : "", i, i);
  text_append(&t, "]}\n");
  p->image.sections[IMAGE_PROGRAM].size = t.size;
  p->image.sections[IMAGE_PROGRAM].data = (const unsigned char *)text_keep(&t, a);
}

status spmm_program_make(arena *a, const spmm_problem *problem, const device *d, const spmm_options *o,
                         thread_pool *pool, spmm_program *out) {
  RETURN_IF_ERROR(check_problem(problem, d));
  const sparse_matrix *m = &problem->a;
  const sextans_matrix matrix = {m->rows, m->columns, m->count, m->row, m->column, m->value};
  const sextans_lists_options how = {
      .rule = o->rule, .without = o->without, .n = problem->n, .keeps_rows = true, .pool = pool};
  sextans_lists *lists;
  *out = (spmm_program){.problem = problem};
  double begin = clock_seconds();
  RETURN_IF_ERROR(sextans_lists_build(a, &d->sextans, &matrix, &how, &lists, &out->num_launches));
  out->seconds = clock_seconds() - begin;
  out->image = (image){.isa_major = SEXTANS_MAJOR, .isa_minor = SEXTANS_MINOR, .device = *d, .compiler = o->made_by};
  spmm_launch *launches = arena_alloc_array(a, (size_t)out->num_launches, sizeof *launches);
  for (int64_t i = 0; i < out->num_launches; i++) launches[i].lists = &lists[i];
  out->launches = launches;
  out->device = &out->image.device.sextans;
  RETURN_IF_ERROR(place(out, launches));
  RETURN_IF_ERROR(write_text(a, out));
  RETURN_IF_ERROR(write_lists(a, out));
  write_symbols(a, out);
  write_manifest(a, out);
  return image_check(&out->image);
}
