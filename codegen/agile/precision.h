/* Precisions of nodes, and the steps of fixed-point numbers: a number x of b bits is
 * clamp(floor(x / step + 0.5)). */
#ifndef GNNC_CODEGEN_AGILE_PRECISION_H
#define GNNC_CODEGEN_AGILE_PRECISION_H

#include "codegen/agile/program.h"

/* The steps of a layer, by precision. */
typedef struct agile_steps {
  uint64_t mask; /* bit p: some node has precision p */
  float x[AGILE_PRECISIONS], w[AGILE_PRECISIONS], s;
} agile_steps;

/* Reads the options of a program; fails for unknown names, and for a wrong number of nodes. */
status agile_precision_read(agile_program *p);

/* The precision of a row of a set, whose list has `count` neighbours of f features each, for o
 * results. Sums that 64 bits could not hold are computed in fp32. So are results of one column: they
 * are norms and denominators, whose smallest numbers matter as much as their largest one. */
int agile_precision_of(const agile_program *p, const char *set, int64_t row, int64_t count, int64_t f, int64_t o);

/* How far outputs may be from those in fp32, relative to the largest number: measured on trained models
 * and doubled; 0 where all nodes compute in fp32. */
double agile_precision_tolerance(const agile_program *p);

/* Whether the program has as many layers as the trial run, whose magnitudes it uses. */
status agile_precision_check(const agile_program *p);

/* The number that stands for 1 in the message (0, .., 0, 1) of a bias, for the next `layers` layers: the
 * bias is divided by it. Messages and weights keep most of their bits where it is no larger than the
 * largest message, and the divided bias no larger than the largest weight. */
float agile_precision_unit(const agile_program *p, int64_t layers, float weight, float bias);

/* The layer of the statistics to which records of the next layer of the device belong. */
uint64_t agile_precision_layer(const agile_program *p, int32_t layer);

/* The steps of rows lo .. hi - 1 of a layer: the largest message, weight and scale factor have the
 * largest number. `unit` is that of the bias's message, 0 where there is none. */
agile_steps agile_precision_steps(const agile_program *p, const agile_list *l, const agile_constant *w, int64_t f,
                                  int64_t o, float unit, int64_t lo, int64_t hi);

#endif
