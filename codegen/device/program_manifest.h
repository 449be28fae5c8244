/* The manifest of a program for a device (section .gnnc.program): the places and orders of rows of
 * inputs and outputs, the contents of memory, layers and edge lists for people and statistics, and
 * the sources of the program.
 *
 * Each phase fills in its part; program_manifest_write makes JSON of the whole. Arrays and strings
 * belong to the caller's arena. */
#ifndef GNNC_CODEGEN_DEVICE_PROGRAM_MANIFEST_H
#define GNNC_CODEGEN_DEVICE_PROGRAM_MANIFEST_H

#include "dialects/ir.h"
#include "support/text.h"
#include "support/vec.h"

enum { PROGRAM_MANIFEST_NO_ORDER = -1 };

/* The place of rows, or of values of edges: in device memory, in an array of the host's steps, or
 * in both. */
typedef struct program_manifest_place {
  const char *set;
  int64_t rows, width;
  bool is_values; /* an element per edge of a list */
  bool is_on_device;
  const char *layout; /* in device memory; NULL: "fibers" of rows, "values" of edges */
  uint64_t address;
  int64_t stride;       /* rows: from fiber to fiber; -1: the layout has none */
  int64_t memory_rows;  /* of layouts that fold, in the places of steps; -1: the layout has none */
  int64_t heads;        /* arrays, the first at `address`; 0: there is one, without a list of addresses */
  uint64_t array_bytes; /* from array to array */
  int64_t order;        /* byte offset of the user's indices in .gnnc.rows; NO_ORDER: in the user's order */
  int32_t array;        /* of the host: 1 + its number; 0: none */
} program_manifest_place;

typedef struct program_manifest_input {
  const char *name;
  const char *from, *space; /* its name in a file, and the file: "graph" or "weights" */
  ir_type shape;            /* of a row */
  MlirAttribute range;      /* of integers, the smallest and the largest value of each element; null: any */
  program_manifest_place place;
} program_manifest_input;

typedef struct program_manifest_output {
  const char *name;
  const char *domain; /* the domain of its rows: "node", "edge", ... */
  const char *set;    /* of the user's rows */
  ir_type shape;
  program_manifest_place place;
} program_manifest_output;

typedef struct program_manifest_tensor {
  const char *name, *section, *kind;
  const char *layout; /* NULL: that of inputs and outputs */
  uint64_t address, bytes;
} program_manifest_tensor;

typedef struct program_manifest_layer {
  const char *op, *name;
  const char *file; /* of the model or the library; NULL where unknown */
  unsigned line;
  int64_t blocks, tile[3];
  uint64_t multiply_adds;
  int64_t cycles, floor_cycles;
} program_manifest_layer;

typedef struct program_manifest_edge_list {
  const char *name, *kind;
  int64_t from_rows, to_rows, edges;
  int64_t src_rows, dst_rows, shards, pieces; /* of its partition */
  bool is_packed;
  uint64_t address;
} program_manifest_edge_list;

typedef struct program_manifest_option {
  const char *name;
  bool value;
} program_manifest_option;

/* A field of the graph that the program holds. */
typedef struct program_manifest_field {
  const char *from;
  uint64_t fingerprint;
} program_manifest_field;

typedef struct program_manifest_dim {
  const char *name;
  int64_t value;
} program_manifest_dim;

typedef struct program_manifest {
  const char *model;
  VEC(program_manifest_input) inputs;
  VEC(program_manifest_output) outputs;
  VEC(program_manifest_tensor) tensors;
  VEC(program_manifest_layer) layers;
  VEC(program_manifest_edge_list) edge_lists;
  bool has_floor; /* a lower bound for all programs of this model is known */
  int64_t floor_cycles;
  double floor_ms;
  double tolerance;                 /* of comparisons, relative to the largest number; 0: that of the machine */
  int64_t useful_multiply_adds;     /* of the model on its graph, the same for every machine; at most 0: unknown */
  const char *steps;                /* JSON of the host's steps by step_writer.h; NULL: there are none */
  const char *compiler, *made_with; /* "gnnc 0.1.0" and its options; NULL = unknown */
  VEC(program_manifest_option) options;
  VEC(program_manifest_field) baked;
  VEC(program_manifest_dim) dims;
  VEC(const char *)
  sources; /* the main file, then its imports; empty where section .gnnc.source has the only file */
} program_manifest;

/* Appends the members of a place in device memory. Steps that move rows have these members,
 * too. */
void program_manifest_write_place(const program_manifest_place *p, text *out);

/* Appends the manifest as one line of JSON. Equal contents give equal bytes. */
void program_manifest_write(const program_manifest *m, text *out);

#endif
