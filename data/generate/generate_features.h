/* The node tensors of synthetic graphs: features, labels, masks, types. */
#ifndef GNNC_DATA_GENERATE_GENERATE_FEATURES_H
#define GNNC_DATA_GENERATE_GENERATE_FEATURES_H

#include "data/generate/generate.h"
#include "data/generate/random.h"

/* Adds x (or its sparse form), y and the masks, node_type and node_type_ptr to the set, as the
 * options ask. Fails only when memory is out. */
status generate_node_tensors(const generate_options *options, tensor_set *set);

/* Returns a float in (0, 1], a multiple of 2^-24. */
float generate_positive(random_state *r);

#endif
