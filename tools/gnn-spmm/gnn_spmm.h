/* Shared by the files of gnn-spmm: options, the product, its program for the device, results. */
#ifndef GNNC_TOOLS_GNN_SPMM_GNN_SPMM_H
#define GNNC_TOOLS_GNN_SPMM_GNN_SPMM_H

#include "codegen/sextans/lists.h"
#include "data/sparse_matrix.h"
#include "sim/sim.h"

enum { SPMM_EXIT_done, SPMM_EXIT_failed, SPMM_EXIT_usage };
enum { SPMM_MOST_REPEATS = 65535, SPMM_MOST_COLUMNS = 65528 };

typedef struct spmm_options {
  const char *matrix, *columns; /* the operands, A and N */
  const char *output;           /* of the image; NULL: none */
  load_format from;
  device device;
  sextans_rule rule;
  uint32_t without; /* sextans_part: parts of the best rule that are not used */
  int64_t repeat, threads;
  float alpha, beta;
  sim_level level;
  bool is_mixed; /* B and C_in have different numbers in all places */
  bool is_timing_only, has_check, has_stats, has_json, has_no_cpu;
  const char *made_by; /* the version with the options that decide about the program */
} spmm_options;

/* Reads the command line. Returns -1 to continue, else the exit status. */
int spmm_options_parse(int argc, char **argv, spmm_options *o);

/* C_out = alpha A B + beta C_in; B and C_in are formulas. */
typedef struct spmm_problem {
  sparse_matrix a;
  int64_t n, n_given; /* columns: a multiple of 8, and as given */
  float alpha, beta;
  bool is_mixed;
} spmm_problem;

/* The number in row k or m and column n. */
float spmm_b(const spmm_problem *p, int64_t k, int64_t n);
float spmm_c_in(const spmm_problem *p, int64_t m, int64_t n);

/* One launch: a block of rows. */
typedef struct spmm_launch {
  const sextans_lists *lists;
  uint64_t q, a, b, c_in, c_out; /* addresses */
} spmm_launch;

typedef struct spmm_program {
  const spmm_problem *problem;
  const sextans_device *device; /* in the image */
  image image;
  const spmm_launch *launches;
  int64_t num_launches;
  double seconds; /* of the preparation: cut, assign, schedule, pack */
} spmm_program;

/* Makes the lists and the image of a product in the arena. Fails where the arrays exceed the memory
 * of the device, before anything large is allocated. */
status spmm_program_make(arena *a, const spmm_problem *problem, const device *d, const spmm_options *o,
                         thread_pool *pool, spmm_program *out);

/* The host's addition of the pieces of rows. */
typedef struct spmm_fold {
  int64_t rows, pieces; /* rows that were cut, and all their pieces */
  int64_t additions, bytes;
  double nominal_ms, ms; /* by the rates of the device; measured */
} spmm_fold;

typedef struct spmm_check {
  bool is_done, is_equal;
  /* the largest error, divided by the largest sum of magnitudes, and by the largest number of C; infinity where NaN or
   * infinity meets another number */
  double largest, of_results;
  int64_t row, column;
  double found, expected; /* there */
} spmm_check;
#define SPMM_CHECK_ALLOWED 1e-5

typedef struct spmm_cpu {
  const char *skipped; /* why there is no time; NULL: there is one */
  double ms;           /* the median */
  int64_t runs, threads;
} spmm_cpu;

typedef struct spmm_result {
  const spmm_options *options;
  const spmm_problem *problem;
  const spmm_program *program;
  sim *sim;          /* its statistics are of all repetitions */
  double cycles, ms; /* of one repetition */
  bool has_whole;    /* rows were cut into blocks, and a deeper device exists */
  double whole_cycles;
  int64_t whole_depth;
  spmm_fold fold;
  spmm_check check;
  spmm_cpu cpu;
} spmm_result;

/* Creates the device, writes B and C_in, runs the program as often as the options say. The caller
 * destroys result->sim. */
status spmm_run(const spmm_options *o, spmm_result *result);

/* Adds up the rows of C_out: [rows of A x n] numbers in the arena. */
status spmm_fold_rows(arena *a, spmm_result *result, const float **out);
/* Counts the work of spmm_fold_rows. */
void spmm_fold_count(spmm_result *result);

/* Compares C_out with the same product in double precision. */
status spmm_check_rows(arena *a, const float *c, spmm_result *result);

/* Measures the same product in C on the host. */
void spmm_cpu_measure(arena *a, const spmm_problem *p, int64_t threads, spmm_cpu *out);

/* Print the results: as lines, or as one JSON object. */
status spmm_report_lines(const spmm_result *r, text *out);
status spmm_report_json(const spmm_result *r, text *out);

/* Numbers that both reports show. */
typedef struct spmm_totals {
  int64_t slots, ideal, extra_rows, piece; /* piece: the longest of all launches */
  double gflops;
  double bandwidth; /* share of the device's, by the formula of the paper */
  double cpu_gflops;
  double launch_ms;
} spmm_totals;
spmm_totals spmm_count_totals(const spmm_result *r);

#endif
