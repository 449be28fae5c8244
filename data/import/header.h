/* The first line of a table, if it names the columns. */
#ifndef GNNC_DATA_IMPORT_HEADER_H
#define GNNC_DATA_IMPORT_HEADER_H

#include "data/formats/token.h"

typedef enum header {
  HEADER_none,       /* no header, or names that have no meaning here */
  HEADER_edges,      /* src,dst or src,dst,weight */
  HEADER_triples,    /* subject,relation,object */
  HEADER_labelled,   /* src,dst,relation */
  HEADER_doubtful,   /* names of columns or a triple: 'source,via,target' */
  HEADER_disordered, /* names of columns in an unsupported order: 'dst,src' */
} header;

/* Classifies the first line by its names alone. */
header header_read(int count, const token *fields);

/* Whether the name of a column is one for relations, given that the line is a header. */
bool header_is_relation(token name);

/* Whether a line may be a header: all its fields are nonempty and none is a number. */
bool header_has_names_only(int count, const token *fields);

#endif
