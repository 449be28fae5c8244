/* The first line of a table where it names the columns. */
#ifndef GNNC_DATA_IMPORT_HEADER_H
#define GNNC_DATA_IMPORT_HEADER_H

#include "data/formats/token.h"

typedef enum header {
  HEADER_none,       /* no header, or one whose names say nothing */
  HEADER_edges,      /* src,dst or src,dst,weight */
  HEADER_triples,    /* subject,relation,object */
  HEADER_labelled,   /* src,dst,relation */
  HEADER_doubtful,   /* names of columns, or a triple: 'source,via,target' */
  HEADER_disordered, /* names of columns in an order that no reader takes: 'dst,src' */
} header;

/* What the first line says, by its names alone. */
header header_read(int count, const token *fields);

/* Whether a column of this name has relations, where the line is known to be a header. */
bool header_is_relation(token name);

/* Whether a line may be a header: none of its fields is a number. */
bool header_has_names_only(int count, const token *fields);

#endif
