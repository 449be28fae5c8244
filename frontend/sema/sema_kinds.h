/* Types of nodes and edges in the semantic analysis: parts of nodes, relations, values and weights of
 * each type, and groups of edges by type. */
#ifndef GNNC_FRONTEND_SEMA_SEMA_KINDS_H
#define GNNC_FRONTEND_SEMA_SEMA_KINDS_H

#include "frontend/sema/sema_state.h"

/* ---- sema_part.c: nodes of one type ---- */

bool sema_is_part(const char *set);
/* "g:2" for number 2 of the node types. */
const char *sema_part_set(sema *s, size_t type);
const char *sema_part_name(const sema *s, const char *set); /* "paper" */
/* "per node of type 'paper'", "per node", "per edge of 'g'" */
const char *sema_rows_text(sema *s, flat_type t);
/* A value of all nodes at those of a part; others are returned as they are. */
flat_id sema_part(sema *s, flat_id value, const char *set, span where);
/* A value of a part among `rest`, or 0 with FLAT_NONE; one of all nodes is returned as it is. */
flat_id sema_unite(sema *s, flat_id rows, flat_id rest, span where);
void sema_forget_parts(sema *s, const char *name);
/* The latest version on that very set, or NULL: of all nodes from their parts, of a part from all
 * nodes. */
sema_field *sema_read_field(sema *s, sema_scope *scope, const char *name, bool is_edge, const char *set, span where);
/* The number of the node type of "g:2". */
size_t sema_type_of_part(const char *set);
/* Adds a part to the value of all nodes, SEMA_nothing for zeros. */
sema_value sema_add_part(sema *s, const char *name, sema_value rest, sema_value rows, span where);
/* Whether the field is the latest version at the nodes of a type. */
bool sema_is_part_field(const sema_field *f);
/* The node set of a type; false after an error. */
bool sema_find_part(sema *s, ast_name type, const char **set);

/* ---- sema_by_type.c: values with a shape of their own for each node type ---- */

sema_value sema_new_by_type(sema *s, const char *input);
/* Whether the value can be read at the nodes of a set. */
bool sema_has_rows_of(sema_value v, const char *set);
/* The value at the nodes of a set, all or those of a type; poison after an error. `name` is how the text calls it. */
sema_value sema_read_by_type(sema *s, sema_value v, const char *name, const char *set, span where);
/* x.paper of a value per node type, NULL if there is none. */
const sema_value *sema_find_item(const sema *s, sema_value v, const char *type);
/* The item of a type, also one that has none; NULL for other names. */
const sema_value *sema_find_type(const sema *s, const char *type, const sema_value *items);
/* n.h after a loop where h has values of some types alone; false where it has one of all nodes. */
bool sema_fields_by_type(sema *s, const char *name, const char *set, sema_value *out);

/* ---- sema_relation.c: edges of one type ---- */

/* Checks the ends of the types of edges that the graph statement gives. */
void sema_check_ends(sema *s, const ast_statement *st);
/* Notes at the graph the types of nodes at the ends of each type of edges, -1 where the statement gives none. */
void sema_add_ends(sema *s, flat_id graph, const ast_statement *st);
/* g.writes: the edges of that type; poison after an error. */
sema_value sema_relation(sema *s, const ast_expr *where, sema_value graph, ast_name type);
/* The type of the edges of a set "g.relation2" and of sets made from it; -1 for others. */
int64_t sema_relation_type(const char *set);
/* Whether a set is a union, or was made from one. */
bool sema_is_union(const char *set);
/* The set of a relation or a union, by its mode, of the caller's graph. */
sema_value sema_choose_edges(sema *s, sema_value graph, const char *mode, span where);
/* The nodes at an end of the edges of a set: "g:1", or NULL where they are of any type. */
const char *sema_part_at(sema *s, const char *set, sema_end end);
/* The node set of a type, "g:1" of "author"; NULL for other names. */
const char *sema_part_of_type(sema *s, const char *node_type);
/* The number and the items of what `repeat r in g.relations` and `repeat t in g.node_types` run over. */
bool sema_list_of_types(sema *s, const ast_expr *list, sema_value **items, size_t *count);
/* r.src, r.dst; false for other fields. */
bool sema_end_type(sema *s, sema_value relation, const char *field, sema_value *out);
/* "writes" for the relation, "paper" for the node type; NULL for other values. */
const char *sema_type_name(const sema *s, sema_value v);

/* ---- sema_stacked.c: weights per type that the file keeps apart ---- */

/* Whether the name of a weight of this type contains {type}. */
bool sema_is_stacked(const ast_type *type, const char *pattern);
/* What a weight is called in C and in the IR: the name in the file, "convs.type.weight" of a stack. */
const char *sema_stack_label(sema *s, const ast_statement *st, const char *name);
/* "{convs.cites.weight|convs.writes.weight}", and the first of these that the file lacks, NULL if none; NULL after an
 * error. */
const char *sema_stacked_name(sema *s, const ast_type *type, const char *pattern, span where, const char **missing);

/* ---- sema_group.c: edges of one type at a node ---- */

/* Whether this is e.dst.in_degree[e.type] or e.dst.incoming[e.type], used correctly or not. */
bool sema_is_group_property(const ast_expr *e);
sema_value sema_eval_group_property(sema *s, const ast_expr *e);
/* Whether the edges of a set have types: those of the caller's graph, of its relations and of unions of them. */
bool sema_has_types(const char *set);
/* Reports the type of an edge of a graph with new self loops; poison. */
sema_value sema_untyped_edges(sema *s, const ast_expr *e);
/* Reports a domain e.dst.incoming[e.type] in a wrong place; marks the loop. */
bool sema_check_group(sema *s, const ast_expr *domain, sema_loop *loop);
/* The reduction over the edges of each type at each node, at the edges. */
sema_value sema_reduce_group(sema *s, const sema_loop *loop, flat_id value, const char *reduction, span where);

#endif
