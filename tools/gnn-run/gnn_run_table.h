/* gnn-run --table: one row for each program, with what it takes and how well its outputs agree.
 * Times of devices, links and hosts beside devices are nominal: they follow from counts and from
 * parameters of the device. The time of a program in C is measured. No sum contains both. */
#ifndef GNNC_TOOLS_GNN_RUN_GNN_RUN_TABLE_H
#define GNNC_TOOLS_GNN_RUN_GNN_RUN_TABLE_H

#include "support/text.h"
#include "tools/gnn-run/gnn_run.h"

/* The outputs of a program against those of the first program that has any. */
typedef struct table_agreement {
  bool is_known;      /* false for that first program, and where there are no outputs */
  double largest;     /* over all outputs: difference / max(1, largest value) */
  double tolerance;   /* the larger one of the two programs, or --tolerance */
  const char *output; /* with the largest difference */
  bool differs;
} table_agreement;

/* Times of an image's run, from counts, in ms. */
typedef struct table_times {
  double device, link, launch, host, sum;
} table_times;

/* Measured times of a program in C, in ms. */
typedef struct table_measured {
  double shortest, median, longest;
} table_measured;

/* What one program takes. Text is in the arena of the table. */
typedef struct table_row {
  const char *path;
  const char *error; /* why the program did not run; NULL: it did */
  const char *model;
  bool is_image;
  const char *machine; /* "c" for programs in C */
  double tolerance;    /* of its numbers */

  /* of images */
  const char *device, *units; /* name of the device; "8 PEs", "" where it has no units */
  double clock_mhz;
  uint64_t cycles;
  sim_host_stats host;
  table_times times;
  double ddr_bytes, bandwidth_gb_s;
  double multiply_adds; /* executed by the device */
  double peak;          /* multiply-adds per cycle of the device; 0: it executed none */
  double utilisation;   /* multiply_adds / (cycles * peak); NaN without cycles */
  double bandwidth_share;
  double device_share; /* percent of the model's multiply-adds; NaN: unknown */
  double pj_per_mac, pj_per_byte, energy_mj;
  int64_t useful;         /* multiply-adds of the model; 0: unknown */
  const char *statistics; /* JSON, as --stats=json prints it */

  table_measured measured; /* of programs in C */

  table_agreement agreement;
  run_accuracy accuracies[RUN_MASKS];
  int num_accuracies;
} table_row;

typedef struct table {
  arena *arena;
  const run_options *options;
  const graph *graph; /* NULL: none was given */
  table_row *rows;
  int count;
  run_outputs expected; /* copies of the outputs of the first program that has any; count 0: none yet */
  const table_row *first;
  uint64_t fingerprint; /* of the graph of the first image; 0: not known yet */
  const char *of_fingerprint;
} table;

/* Run a program and fill in its row, except for path and error. */
status table_run_image(table *t, table_row *row);
status table_run_c(table *t, table_row *row);

/* Takes the outputs of a program: finds the accuracies, compares the outputs with the expected
 * ones, or keeps them as those. With --timing-only only their shapes. Fails where an expected output
 * is missing or has another shape. */
status table_take_outputs(table *t, table_row *row, const run_outputs *outputs);

/* The multiply-adds of the model, from the first program that knows them; 0: none does. */
int64_t table_useful(const table *t);

/* Append the table as text of 120 columns, or as JSON. */
void table_print(const table *t, text *out);
status table_print_json(const table *t, text *out);

#endif
