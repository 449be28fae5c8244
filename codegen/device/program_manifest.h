/* What a program for a device says of itself (section .gnnc.program): where inputs and outputs lie
 * and in which order of rows, what is in memory, layers and edge lists for people and statistics,
 * and what it was compiled from.
 *
 * Each step fills in what it knows; program_manifest_write makes JSON of it all. Arrays and strings
 * belong to the caller's arena. */
#ifndef GNNC_CODEGEN_DEVICE_PROGRAM_MANIFEST_H
#define GNNC_CODEGEN_DEVICE_PROGRAM_MANIFEST_H

#include "dialects/ir.h"
#include "support/text.h"
#include "support/vec.h"

enum { PROGRAM_MANIFEST_NO_ORDER = -1 };

/* Where rows, or values of edges, lie in device memory. */
typedef struct program_manifest_place {
  const char *set;
  int64_t rows, width;
  uint64_t address;
  int64_t stride;       /* rows: from fiber to fiber */
  int64_t heads;        /* values: arrays, the first at `address`; 0: these are rows */
  uint64_t array_bytes; /* values: from array to array */
  int64_t order;        /* byte offset of the user's indices in .gnnc.rows; NO_ORDER: in the user's order */
} program_manifest_place;

typedef struct program_manifest_input {
  const char *name;
  const char *from, *space; /* its name in a file, and which: "graph" or "weights" */
  ir_type shape;            /* of a row */
  program_manifest_place place;
} program_manifest_input;

typedef struct program_manifest_output {
  const char *name;
  const char *domain; /* what has such rows: "node", "edge", ... */
  ir_type shape;
  program_manifest_place place;
} program_manifest_output;

typedef struct program_manifest_tensor {
  const char *name, *section, *kind;
  uint64_t address, bytes;
} program_manifest_tensor;

typedef struct program_manifest_layer {
  const char *op, *name;
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
  int64_t floor_cycles;
  double floor_ms;
  VEC(program_manifest_option) options;
  VEC(program_manifest_field) baked;
  VEC(program_manifest_dim) dims;
  VEC(const char *)
  sources; /* the main file, then those that it imports; none where the section of the source is all */
} program_manifest;

/* Appends the manifest as one line of JSON, the same bytes for the same contents. */
void program_manifest_write(const program_manifest *m, text *out);

#endif
