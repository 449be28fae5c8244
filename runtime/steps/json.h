/* Values of a manifest, each with a message that names its key. */
#ifndef GNNC_RUNTIME_STEPS_JSON_H
#define GNNC_RUNTIME_STEPS_JSON_H

#include "support/arena.h"
#include "support/status.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* "'key' is missing or no <expected>" */
status steps_mismatch(const char *key, const char *expected);

/* A text that is not empty, in the arena. */
status steps_text(arena *a, const json_t *object, const char *key, const char **out);

/* A whole number in least .. most; `key` names it. */
status steps_check_integer(const json_t *value, const char *key, int64_t least, int64_t most, int64_t *out);
status steps_integer(const json_t *object, const char *key, int64_t least, int64_t most, int64_t *out);
/* The same, `fallback` where it is missing or null. */
status steps_integer_or(const json_t *object, const char *key, int64_t least, int64_t most, int64_t fallback,
                        int64_t *out);

/* The index of a text among `count` names. */
status steps_choice(const json_t *object, const char *key, const char *const *names, int count, int *out);

/* True or false; false where it is missing. */
status steps_flag(const json_t *object, const char *key, bool *out);

#endif
