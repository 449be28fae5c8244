/* The manifest that gnnc writes beside C: gcn.c -> gcn.json. */
#ifndef GNNC_RUNTIME_C_MANIFEST_H
#define GNNC_RUNTIME_C_MANIFEST_H

#include "data/reach.h"
#include "support/arena.h"
#include "support/status.h"

struct json_t;

/* Reads the manifest of C; *name is its path, in the arena, and the caller gives *root back with json_decref. Fails for a
 * library, which has none. */
status c_manifest_open(arena *a, const char *path, const char **name, struct json_t **root);

/* Reads how far the outputs of the model reach from the member "reach" of a manifest. */
status c_manifest_read_reach(const struct json_t *root, graph_reach *out);

/* The same from the manifest of C. */
status c_manifest_find_reach(arena *a, const char *path, graph_reach *out);

/* Reads the fingerprint of the model from the manifest of C; *out is 0 where there is none, as for a library, or where an earlier gnnc
 * wrote it. */
status c_manifest_find_fingerprint(arena *a, const char *path, uint64_t *out);

#endif
